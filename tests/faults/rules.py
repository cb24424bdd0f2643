"""Faults in the rules: of auctions, and of the five games."""

from tests.faults.fault import Fault

FIVE_CARDS = "games/five_cards_collector/steps.py"
KARMIC = "games/karmic_collections/steps.py"
KARMIC_ENDING = "games/karmic_collections/ending.py"
COLLECTION = "games/collection/resolve.py"
BOARD = "games/collection/board.py"
PAYING = "games/collectors/paying.py"
PLACES = "games/collectible/places.py"
TALENT_PILE = "games/collectible/talent_pile.py"

FAULTS = (
    Fault(
        "a bid may equal the last one",
        "rules/auction.py",
        "return auction.price + terms.step if auction.bids",
        "return auction.price if auction.bids",
    ),
    Fault(
        "a bid may exceed the means by one",
        "rules/auction.py",
        "if amount > bidder.most:",
        "if amount > bidder.most + 1:",
    ),
    Fault(
        "who has passed is asked again",
        "rules/auction.py",
        "for following in order[here + 1 :] + order[:here] if following not in auction.out)",
        "for following in order[here + 1 :] + order[:here])",
    ),
    Fault(
        "the first bid is the runner-up's, not the highest",
        "rules/auction.py",
        "for bid in reversed(auction.bids) if",
        "for bid in auction.bids if",
    ),
    Fault(
        "the top of the discard pile is shuffled too",
        FIVE_CARDS,
        "shuffled = discard[:-1] + used",
        "shuffled = discard + used",
    ),
    Fault(
        "the turn passes clockwise only",
        FIVE_CARDS,
        "neighbour(state, state.direction),",
        "neighbour(state, 1),",
    ),
    Fault(
        "used specials can't be drawn",
        FIVE_CARDS,
        "len(state.discard) > 1 or bool(state.used)",
        "len(state.discard) > 1",
    ),
    Fault(
        "the fewest cards win when nobody moves",
        FIVE_CARDS,
        "most = max(len(player.collected)",
        "most = min(len(player.collected)",
    ),
    Fault("ten points are not enough", KARMIC_ENDING, "if top < components.goal:", "if top <= components.goal:"),
    Fault(
        "a tie is shared with the one whose turn it was",
        KARMIC_ENDING,
        "winners = (last,) if last in highest else highest",
        "winners = highest",
    ),
    Fault(
        "tokens are never turned up",
        KARMIC,
        'phase = "partner" if state.players[seat - 1].up else "tokens"',
        'phase = "partner"',
    ),
    Fault(
        "a die that is given is kept too",
        KARMIC,
        "replace(giver, dice=without(giver.dice, value))",
        "replace(giver, dice=giver.dice)",
    ),
    Fault(
        "a crisis falls below one",
        BOARD,
        "min(max(scenario.crisis + by, 1), TOP_CRISIS)",
        "min(max(scenario.crisis + by, 0), TOP_CRISIS)",
    ),
    Fault(
        "the first coin lies above the crisis",
        BOARD,
        "min(scenario.crisis, components.start_response))",
        "components.start_response)",
    ),
    Fault(
        "a response falls below nothing",
        BOARD,
        "max(n - components.response_drop, 0)",
        "n - components.response_drop",
    ),
    Fault(
        "a crisis of one may be lowered",
        COLLECTION,
        "return effect.by > 0 or scenario.crisis > 1",
        "return True",
    ),
    Fault(
        "a card in hand counts for one dollar in a bid",
        "games/collectors/auctions.py",
        "Bidder(seat, player.coins + worth, why)",
        "Bidder(seat, player.coins + player.hand.size, why)",
    ),
    Fault(
        "who has paid exactly still owes something",
        PAYING,
        "return _paid_up(state) if rest(components, state) <= 0",
        "return _paid_up(state) if rest(components, state) < 0",
    ),
    Fault(
        "who can pay exactly may say that it can't",
        PAYING,
        "if sure >= state.price:",
        "if sure > state.price:",
    ),
    Fault(
        "a full gallery is over its limit",
        "games/collectible/steps.py",
        "if player.gallery.size > components.gallery_limit:",
        "if player.gallery.size >= components.gallery_limit:",
    ),
    Fault(
        "a card that leaves its auction stays closed",
        PLACES,
        "closed = opened(state.closed, auction ^ auction_row(state, seat))",
        "closed = state.closed",
    ),
    Fault(
        "a character goes deeper than the pile",
        TALENT_PILE,
        "depth = min(depth, state.deck)",
        "depth = max(depth, 0)",
    ),
)
