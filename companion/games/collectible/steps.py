"""Steps that several rules share: whose turn it is, what a gallery may hold, drawing, and how turns and matches end."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.box import Box, coins
from companion.games.collectible.values import (
    PHANTOM,
    AnyAction,
    Closed,
    Discard,
    Done,
    Gallery,
    Player,
    Send,
    Show,
    State,
    Step,
    TakeBack,
    TurnUp,
    Under,
)
from companion.rules.cards import Piece
from companion.rules.dice import rolled
from companion.rules.hands import laid, misfit
from companion.rules.kernel import (
    TABLE,
    Facts,
    Opened,
    Outcome,
    Part,
    RuleError,
    Seat,
    Verdict,
    at,
    fact_at,
    illegal,
    inconsistent,
)
from companion.rules.wording import all_of, cards

COLLECT = "Collect cards"
SEND = "Send to auction"
REVEAL = "Reveal or pass"
SCORING = "Reveal or pass: the winner"
CHARACTERS = "Character cards"
TWO_PLAYERS = "Two-player game"
SETUP = "A1"
WINDOWS: frozenset[Step] = frozenset({"collect", "send", "reveal"})
"""The steps before which characters may be played; the last one's is also the window after Send (A7)."""

# ------------------------------------------------------------------------------------------------------- whose turn


def out_of_turn(box: Box, state: State, action: AnyAction) -> Verdict:
    """Say why this seat can't do this now: the match is over, it is not its turn, or another step is due."""
    if state.outcome is not None:
        return illegal(state.outcome.rule, f"the match is over: {state.outcome.words}", "Start a new match.")
    upkeep = isinstance(action, TurnUp | Show)
    if upkeep and action.seat != TABLE:
        return inconsistent("C3", "nobody chooses what the table does", f"Give it the seat {TABLE}, the table.")
    if not upkeep and action.seat not in state.seats:
        return inconsistent(
            "C3", f"there is no seat {action.seat}: the seats are 1 to {len(state.players)}", "Name one of those."
        )
    due, rule = waiting(box, state), _section(state)
    if upkeep:
        return illegal(rule, "nothing of the kind is due for the table now", due)
    if state.phase in ("deal", "fill"):
        return illegal(rule, f"{_lacking_words(box, state)} not complete yet", due)
    if state.phase == "bidding":
        return illegal(rule, "an auction is going on", due)
    if state.phase in ("choose", "roll"):
        what = box.name(state.leaving or state.stage[0].piece)
        return illegal(rule, f"{what} is not done yet", due)
    if state.phase == "show":
        return illegal(rule, "the galleries are being laid open for scoring", due)
    if action.seat != state.turn:
        return illegal(rule, f"it is the turn of {at(state.turn)}, not of {at(action.seat)}", due)
    who = at(state.turn)
    if state.step == "collect":
        return illegal(rule, f"{who} is at the first step, collecting cards", due)
    if state.step == "discarding":
        return illegal("A5", f"{who} is done moving cards and discards what is too many", due)
    if state.phase == "send":
        return illegal(rule, f"{who} has collected and is at the second step, sending cards to auction", due)
    if isinstance(action, Send | TakeBack | Done | Discard):
        return illegal("A5", f"{who} is done sending cards and is at the last step, revealing or passing", due)
    return illegal(rule, f"{who} is at the last step, revealing or passing", due)


def collectable(state: State) -> bool:
    """Whether the seat whose turn it is can collect anything: a card to draw, or one to bid for (A3)."""
    return drawable(state) or can_bid(state, state.turn)


def can_bid(state: State, seat: Seat) -> bool:
    """Whether a seat can open a bid on anything: a card in another auction that is not closed, and a coin."""
    if not state.players[seat - 1].coins:
        return False
    closed = {one.piece for one in state.closed}
    rows = (auction_row(state, n) for n in (PHANTOM, *state.seats) if n != seat)
    return any(row - closed for row in rows)


def may_move(state: State) -> bool:
    """Whether the seat whose turn it is may move cards now: Send has begun, or may begin.

    Collect is required; if neither drawing nor bidding is possible it is skipped (A3), on the state that its window has
    left (A7): beginning Send is what skips it.
    """
    if state.amid:
        return False
    return state.step in ("send", "sending") or (state.step == "collect" and not collectable(state))


def _section(state: State) -> str:
    return {
        "deal": SETUP, "fill": TWO_PLAYERS, "collect": COLLECT, "bidding": COLLECT, "send": SEND, "reveal": REVEAL,
        "choose": CHARACTERS, "roll": CHARACTERS, "show": SCORING,
    }.get(state.phase, REVEAL)  # fmt: skip


def _lacking_words(box: Box, state: State) -> str:
    places = lacking(box, state)
    return all_of(auction_of(one) for one in places) + (" is" if len(places) == 1 else " are")


def waiting(box: Box, state: State) -> str:
    """Say what is due, as a sentence to a person."""
    who, phase = at(state.turn), state.phase
    if phase in ("deal", "fill"):
        places = lacking(box, state)
        if not places:
            return "Go on."
        return f"Turn up a card of the talent pile into {auction_of(places[0])}."
    if phase == "collect":
        return _to_collect(box, state, who)
    if phase == "send":
        return _to_send(box, state, who)
    if phase == "reveal":
        return f"{who} reveals or passes."
    if phase == "bidding":
        return "Wait until it is over."
    if phase == "roll":
        return f"{at(roller(state))} rolls two dice and puts {box.name(rolling(state))} under so many cards."
    if phase == "choose":
        head = state.stage[0]
        what = {"swap": "whom to swap with", "look": "whose gallery to look at", "close": "which card to close"}
        return f"{at(head.seat)} chooses {what[box.effect[head.piece]]}."
    hidden = [at(seat) for seat, player in enumerate(state.players, 1) if not player.shown]
    return f"Lay open the gallery of {all_of(hidden)}."


def _to_collect(box: Box, state: State, who: str) -> str:
    bids = can_bid(state, state.turn)
    if drawable(state):
        more = f"{who} draws a card, or lays a card of another auction on the block to bid for it."
        return more if bids else f"{who} draws a card."
    if bids:
        return f"{who} lays a card of another auction on the block to bid for it."
    if within_limits(box, state, state.turn):
        return f"{who} can collect nothing; {who} may move cards, then reveals or passes."
    return _to_send(box, state, who)


def _to_send(box: Box, state: State, who: str) -> str:
    """Moving would do where all cards of a seat fit into gallery and auction together."""
    player, over = state.players[state.turn - 1], over_limits(box, state, state.turn)
    if over:
        room = player.gallery.size + len(player.auction) <= box.gallery_limit + box.auction_limit
        moves = room and state.step != "discarding"
        return f"{who} moves or discards cards: {over}." if moves else f"{who} has to discard: {over}."
    if state.stage:
        first = state.stage[0]
        return f"{who} may go on moving cards; then {box.name(first.piece)} of {at(first.seat)} takes effect."
    return f"{who} may move cards; then {who} reveals or passes."


def auction_of(seat: Seat) -> str:
    """Name an auction."""
    return "the phantom auction" if seat == PHANTOM else f"the auction of {at(seat)}"


def rolling(state: State) -> Piece:
    """Return the character that the dice are for."""
    return state.leaving or state.stage[0].piece


def roller(state: State) -> Seat:
    """Return the seat that rolls the dice."""
    return state.turn if state.leaving else state.stage[0].seat


# ---------------------------------------------------------------------------------------------- what a gallery holds


def not_held(box: Box, state: State, seat: Seat, card: object) -> Verdict | None:
    """C2: a card that is laid must be known in that gallery, or one that can still be unseen. None if it is."""
    gallery = state.players[seat - 1].gallery
    if card in gallery.known or (gallery.unknown and card in state.unseen):
        return None
    reason = f"{box.name(card)} can't be in the gallery of {at(seat)}: {whereabouts(box, state, card)}"
    return inconsistent("C2", reason, "Look again which card it is; if the table is right, the host corrects it.")


def whereabouts(box: Box, state: State, card: object) -> str:
    """Say where a card is, as far as everybody knows."""
    for seat, player in enumerate(state.players, 1):
        if card in player.auction:
            return f"it lies in {auction_of(seat)}"
        if card in player.gallery.known:
            return f"it is known to be in the gallery of {at(seat)}"
    if card in state.phantom:
        return f"it lies in {auction_of(PHANTOM)}"
    if state.block is not None and card == state.block.card:
        return "it lies on the block"
    if card in state.discard or card in state.traded:
        return "it has been discarded"
    if card == state.leaving or any(card == one.piece for one in state.stage):
        return "it waits for the dice"
    for one in state.under:
        if card == one.piece:
            return f"it is in the talent pile, under {cards(one.depth)}"
    if card in state.unseen:
        return "all the cards there are known"
    return "it is not one of the cards that are in play"


def take_out(state: State, seat: Seat, card: Piece) -> State:
    """Take a card out of a gallery; nobody has it then."""
    gallery, unseen = laid(state.players[seat - 1].gallery, state.unseen, card)
    return replace(with_gallery(state, seat, gallery), unseen=unseen)


def put_in(state: State, seat: Seat, card: Piece) -> State:
    """Put a card that everybody sees into a gallery."""
    gallery = state.players[seat - 1].gallery
    return with_gallery(state, seat, Gallery(gallery.known | {card}, gallery.unknown))


def over_limits(box: Box, state: State, seat: Seat) -> str:
    """Say what exceeds the limits of a seat (A5): "7 cards in the gallery, and 5 are the limit"; empty if nothing."""
    player, over = state.players[seat - 1], []
    if player.gallery.size > box.gallery_limit:
        over.append(f"{player.gallery.size} cards in the gallery, and {box.gallery_limit} are the limit")
    if len(player.auction) > box.auction_limit:
        over.append(f"{len(player.auction)} cards in the auction, and {box.auction_limit} are the limit")
    return all_of(over)


def within_limits(box: Box, state: State, seat: Seat) -> bool:
    """Return whether both limits hold for a seat."""
    player = state.players[seat - 1]
    return player.gallery.size <= box.gallery_limit and len(player.auction) <= box.auction_limit


# ---------------------------------------------------------------------------------------------------------- players


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Put a player in place of the one at a seat."""
    return replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))


def with_gallery(state: State, seat: Seat, gallery: Gallery) -> State:
    """Put a gallery in place of the one at a seat."""
    old = state.players[seat - 1]
    return with_player(state, seat, Player(gallery, old.auction, old.coins, old.rebates, old.shown))


def with_auction(state: State, seat: Seat, auction: frozenset[Piece]) -> State:
    """Put an auction row in place of the one at a seat; a card that leaves it is closed no longer (A7)."""
    closed = opened(state.closed, auction ^ auction_row(state, seat))
    if seat == PHANTOM:
        return replace(state, phantom=auction, closed=closed)
    old = state.players[seat - 1]
    state = with_player(state, seat, Player(old.gallery, auction, old.coins, old.rebates, old.shown))
    return replace(state, closed=closed) if closed != state.closed else state


def auction_row(state: State, seat: Seat) -> frozenset[Piece]:
    """Return the cards in an auction."""
    return state.phantom if seat == PHANTOM else state.players[seat - 1].auction


def opened(closed: tuple[Closed, ...], pieces: frozenset[Piece]) -> tuple[Closed, ...]:
    """Leave out these cards of those that are closed."""
    return tuple(one for one in closed if one.piece not in pieces) if closed else closed


def with_coins(state: State, seat: Seat, change: int) -> State:
    """Return coins to a seat or to the phantom auctioneer, or take them."""
    if seat == PHANTOM:
        return replace(state, phantom_coins=state.phantom_coins + change)
    old = state.players[seat - 1]
    return with_player(state, seat, Player(old.gallery, old.auction, old.coins + change, old.rebates, old.shown))


def out_of_supply(state: State, seat: Seat, amount: int) -> State:
    """Return a seat coins of the supply, which is endless (A7)."""
    return replace(with_coins(state, seat, amount), granted=state.granted + amount)


# ------------------------------------------------------------------------------------------------- the talent pile


def drawable(state: State) -> bool:
    """Return whether there is a card to draw, from the talent pile or after shuffling the discards (A10)."""
    return bool(state.deck or state.discard or state.traded)


def shuffled(state: State) -> State:
    """If the talent pile is empty and a card is due, shuffle the discards: they become the new talent pile (A10)."""
    if state.deck or not drawable(state):
        return state
    pile = state.discard + state.traded
    return replace(state, deck=len(pile), unseen=state.unseen.union(pile), discard=(), traded=())


def lift(state: State) -> State:
    """Take the top card off the talent pile, which is not empty. It is in `unseen` then, wherever it goes."""
    top = state.under[0] if state.under and state.under[0].depth == 0 else None
    under = state.under[1:] if top else state.under
    return replace(
        state,
        deck=state.deck - 1,
        under=tuple(Under(one.piece, one.depth - 1) for one in under) if under else (),
        unseen=state.unseen | {top.piece} if top else state.unseen,
    )


def draw(state: State, seat: Seat, count: int) -> State:
    """Draw up to `count` cards of the talent pile into a gallery; what can't be drawn is not (A10)."""
    for _ in range(count):
        state = shuffled(state)
        if not state.deck:
            break
        gallery = state.players[seat - 1].gallery
        state = with_gallery(lift(state), seat, Gallery(gallery.known, gallery.unknown + 1))
    return state


def tuck(state: State, piece: Piece, depth: int) -> State:
    """Put a character under so many cards of the talent pile; at the bottom if there are fewer (A6)."""
    depth = min(depth, state.deck)
    below = (Under(one.piece, one.depth + (one.depth >= depth)) for one in state.under)
    under = tuple(sorted((*below, Under(piece, depth)), key=lambda one: one.depth))
    return replace(state, deck=state.deck + 1, under=under)


def can_come_up(state: State) -> frozenset[Piece]:
    """Return the cards that can be the top one of the talent pile, after a shuffle if that is due."""
    state = shuffled(state)
    if state.under and state.under[0].depth == 0:
        return frozenset((state.under[0].piece,))
    return state.unseen


def lacking(box: Box, state: State) -> tuple[Seat, ...]:
    """List the auctions that lack a card turned up from the talent pile: the phantom's; at set-up the seats' too (A1).

    One whose card has not been read yet lacks it still.
    """
    places = []
    if len(state.players) == 2 and len(state.phantom) < box.phantom_cards:
        places.append(PHANTOM)
    if state.step == "deal":
        places += [n for n, player in enumerate(state.players, 1) if len(player.auction) < state.agreed.auction]
    if not drawable(state):
        return tuple(place for place in places if place in state.unread)
    return tuple(places)


# ------------------------------------------------------------------------------------------------------------- ends


def begin_turn(box: Box, state: State, seat: Seat) -> State:
    """Begin a turn: what its seat had closed is open again (A7), and gaps of the phantom auction are filled (A9)."""
    closed = tuple(one for one in state.closed if one.seat != seat) if state.closed else ()
    return filled(box, replace(state, turn=seat, closed=closed), "collect")


def filled(box: Box, state: State, then: Step) -> State:
    """Go on with a step, after filling the phantom auction if it has a gap."""
    state = replace(state, step=then, amid="")
    return replace(state, amid="fill") if len(state.players) == 2 and lacking(box, state) else state


def end_turn(box: Box, state: State) -> State:
    """Pass the turn to the player on the left; by option the galleries are scored after so many rounds (A8)."""
    state = replace(state, turns=state.turns + 1)
    if rounds_over(state):
        return laid_open(box, replace(state, step="show", amid=""))
    return begin_turn(box, state, state.turn % len(state.players) + 1)


def rounds_over(state: State) -> bool:
    """Whether so many rounds were played that the galleries are scored."""
    return bool(state.agreed.rounds) and state.turns == state.agreed.rounds * len(state.players)


def laid_open(box: Box, state: State) -> State:
    """Count empty galleries as laid open; when all are, the match is over."""
    players = tuple(
        player if player.shown or player.gallery.size else replace(player, shown=True) for player in state.players
    )
    state = replace(state, players=players)
    return scored(box, state) if all(player.shown for player in players) else state


def scored(box: Box, state: State) -> State:
    """The most points win; ties: more cards, then more coins, then shared (A8)."""
    best = [box.best(player.gallery.known) for player in state.players]
    ranks = [
        (one.score, len(one.pieces), player.coins) for one, player in zip(best, state.players, strict=True)
    ]  # fmt: skip
    top = max(ranks)
    winners = tuple(seat for seat in state.seats if ranks[seat - 1] == top)
    points = f"{top[0]} {'point' if top[0] == 1 else 'points'}"
    theme = best[winners[0] - 1].theme
    kind = f" for {top[1]} {theme} {'card' if top[1] == 1 else 'cards'}" if theme and len(winners) == 1 else ""
    does = "wins" if len(winners) == 1 else "share the win"
    rivals = [rank for seat, rank in enumerate(ranks, 1) if seat not in winners]
    tie = max((rank for rank in rivals if rank[0] == top[0]), default=None)
    how = ""
    if tie is not None:
        how = ", with more cards" if tie[1] < top[1] else f", with more coins ({coins(top[2])})"
    words = f"{all_of(at(seat) for seat in winners)} {does} with {points}{kind}{how}."
    ending = "rounds" if rounds_over(state) else "revealed"
    return replace(state, step="over", outcome=Outcome(winners, ending, "A8", words))


# ------------------------------------------------------------------------------------------------------------ facts


def opened_at(box: Box, state: State, seat: Seat, facts: Facts) -> frozenset[Piece]:
    """Get the cards of a gallery that was laid open.

    Raises:
        RuleError: if the fact is missing, or these can't be the cards of that gallery.
    """
    place, gallery = f"reveal.{seat}", state.players[seat - 1].gallery
    fact = fact_at(facts, place)
    if not isinstance(fact, Opened):
        raise RuleError(inconsistent("C9", f"the gallery of {at(seat)} has not been laid open", "Lay out its cards."))
    pieces = frozenset(fact.pieces)
    if len(fact.pieces) != gallery.size or len(pieces) != gallery.size:
        reason = f"{at(seat)} has {cards(gallery.size)} in the gallery, and {len(fact.pieces)} are laid open"
        raise RuleError(inconsistent("C9", reason, "Lay out all cards of the gallery, each once."))
    one = misfit(gallery, state.unseen, pieces)
    if one is not None:
        reason = f"{box.name(one)} does not fit the gallery of {at(seat)}: {whereabouts(box, state, one)}"
        raise RuleError(inconsistent("C2", reason, "Look at the cards again."))
    return pieces


def rolled_at(box: Box, facts: Facts) -> int:
    """Get the sum of the dice.

    Raises:
        RuleError: if the dice are missing, too few or too many, or show what no die does (C9).
    """
    return sum(rolled(facts, "dice", box.dice, box.sides))


def parts(collection_score: int, count: int, coins_: int) -> tuple[Part, ...]:
    """Return the parts of a standing: the collection's points and cards, and the coins that break ties."""
    return (Part("collection", collection_score), Part("cards in it", count), Part("coins", coins_))
