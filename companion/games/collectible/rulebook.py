"""The rules of Collectible in the rulebook's order: what is legal, why not, and what it does.

Every action has its pair here or in `auctions` and `characters`: `judge_…` (the truth, with the reason) and `play_…`
(the effect of a legal one). `Box` holds the cards as the rules read them; `steps` what several rules share.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.box import Box
from companion.games.collectible.characters import resolve
from companion.games.collectible.steps import (
    REVEAL,
    SEND,
    SETUP,
    TWO_PLAYERS,
    auction_of,
    auction_row,
    begin_turn,
    can_come_up,
    draw,
    drawable,
    end_turn,
    lacking,
    laid_open,
    lift,
    may_move,
    not_held,
    opened_at,
    out_of_turn,
    over_limits,
    put_in,
    shuffled,
    take_out,
    waiting,
    whereabouts,
    with_auction,
    with_coins,
    with_gallery,
    within_limits,
)
from companion.games.collectible.values import (
    IN_SEND,
    PHANTOM,
    Agreed,
    AnyAction,
    Close,
    Discard,
    Done,
    Draw,
    Gallery,
    Look,
    Pass,
    Player,
    Reveal,
    Roll,
    Sell,
    Send,
    Setup,
    Show,
    State,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.rules.cards import Piece
from companion.rules.kernel import (
    LEGAL,
    Facts,
    Option,
    Options,
    RuleError,
    Seat,
    Unknown,
    Verdict,
    at,
    illegal,
    inconsistent,
)
from companion.rules.shown import came_up
from companion.rules.wording import so_many_players

# ---------------------------------------------------------------------------------------------------------- set-up


def options(box: Box) -> tuple[Option, ...]:
    """The rulebook gives no set-up, so all of it can be chosen (A1), and when to score at the latest (A8)."""
    return (
        Option("coins", "Coins each", box.start_coins, 1, 99, SETUP),
        Option("gallery", "Cards each in the gallery", box.start_gallery, 0, box.gallery_limit, SETUP),
        Option("auction", "Cards each in the auction", box.start_auction, 0, box.auction_limit, SETUP),
        Option("first", "Seat of the first player; 0 is by chance", 0, 0, 6, SETUP),
        Option("rounds", "Score after so many rounds; 0 is only when somebody reveals", 0, 0, 99, "A8"),
    )


def prepare(box: Box, seats: int, chosen: Options, facts: Setup) -> State:
    """Deal cards to the galleries; what goes face up into auctions comes as upkeep.

    Raises:
        RuleError: if the number of seats, an option or a fact does not fit.
    """
    if not 2 <= seats <= 6:
        raise RuleError(illegal("Players", f"{so_many_players(seats)} can't play this", "Choose 2 to 6 players."))
    known = {one.name: one for one in options(box)}
    for name, value in chosen.items():
        if name not in known:
            raise RuleError(illegal(SETUP, f"there is no option {name!r}", f"There are {', '.join(known)}."))
        if not known[name].low <= value <= known[name].high:
            reason = f"{value} is not possible for the option {name}"
            raise RuleError(illegal(known[name].rule, reason, f"Choose {known[name].low} to {known[name].high}."))
    agreed = {name: chosen.get(name, one.default) for name, one in known.items()}
    first = agreed["first"] or facts.first
    if not 1 <= first <= seats:
        raise RuleError(inconsistent("C3", f"there is no seat {first} to start", f"Choose 1 to {seats}."))
    dealt = Gallery(frozenset(), agreed["gallery"])
    state = State(
        players=(Player(dealt, frozenset(), agreed["coins"]),) * seats,
        agreed=Agreed(agreed["coins"], agreed["gallery"], agreed["auction"], agreed["rounds"]),
        deck=len(box.all) - seats * agreed["gallery"],
        unseen=box.all,
        turn=first,
        step="deal",
    )
    return _dealt(box, state)


def _dealt(box: Box, state: State) -> State:
    """Go on to the first turn once nothing is lacking in an auction."""
    return state if lacking(box, state) else begin_turn(box, state, state.turn)


def judge_turn_up(box: Box, state: State, action: TurnUp) -> Verdict:
    """Put three cards in the phantom auction, and fill its gaps from the talent pile (A9); at set-up see A1."""
    if action.seat or state.phase not in ("deal", "fill"):
        return out_of_turn(box, state, action)
    places = lacking(box, state)
    if action.player in places:
        return LEGAL
    if action.player not in (PHANTOM, *state.seats):
        return inconsistent("C3", f"there is no seat {action.player}", f"Name 1 to {len(state.players)}.")
    return illegal(TWO_PLAYERS, f"no card is due for {auction_of(action.player)}", waiting(box, state))


def play_turn_up(box: Box, state: State, action: TurnUp, facts: Facts) -> State:
    """A card that has not been read yet stays due; when it is read, no other is taken from the pile."""
    seat = action.player
    unread = seat in state.unread
    piece = came_up(box.name, place_of(seat), facts, state.unseen if unread else can_come_up(state))
    if not unread:
        state = lift(shuffled(state))
    if isinstance(piece, Unknown):
        return state if unread else replace(state, unread=(*state.unread, seat))
    return turned_up(box, state, seat, piece)


def turned_up(box: Box, state: State, seat: Seat, piece: Piece) -> State:
    """Lay a card that was turned up into its auction, and go on if that was the last one."""
    unread = tuple(one for one in state.unread if one != seat)
    state = replace(state, unread=unread, unseen=state.unseen - {piece})
    state = with_auction(state, seat, auction_row(state, seat) | {piece})
    if state.step == "deal":
        return _dealt(box, state)
    return state if lacking(box, state) else replace(state, amid="")


def place_of(seat: Seat) -> str:
    """Name the zone of an auction."""
    return "phantom" if seat == PHANTOM else f"auction.{seat}"


# --------------------------------------------------------------------------------------------------- Collect cards


def judge_draw(box: Box, state: State, action: Draw) -> Verdict:
    """To collect cards, you may draw a card from the talent pile."""
    if action.seat != state.turn or state.phase != "collect":
        return out_of_turn(box, state, action)
    if drawable(state):
        return LEGAL
    return illegal("A10", "the talent pile and the discard pile are empty", waiting(box, state))


def play_draw(box: Box, state: State, action: Draw, facts: Facts) -> State:
    """It goes to the gallery; an empty talent pile is made anew of the discards (A10)."""
    return replace(draw(state, action.seat, 1), step="send")


def judge_sell(box: Box, state: State, action: Sell) -> Verdict:
    """Before your bidding step you may discard cards and take one of the phantom's coins for each (A9)."""
    if len(state.players) > 2:
        return illegal(TWO_PLAYERS, "only with two players cards are traded for coins", "Take it back.")
    if action.seat != state.turn or state.phase != "collect":
        return out_of_turn(box, state, action)
    if not state.phantom_coins:
        return illegal("A9", "the phantom auctioneer has no coin", "Take it back.")
    if action.card in state.players[action.seat - 1].auction:
        return LEGAL
    return not_held(box, state, action.seat, action.card) or LEGAL


def play_sell(box: Box, state: State, action: Sell, facts: Facts) -> State:
    """The card is discarded; a character is rolled under, and earns a coin too."""
    seat, card = action.seat, str(action.card)
    state = with_coins(with_coins(_away(state, seat, card), PHANTOM, -1), seat, 1)
    if card in box.characters:
        return replace(state, leaving=card, amid="roll")
    return replace(state, traded=(*state.traded, card))


def _away(state: State, seat: Seat, card: Piece) -> State:
    """Take a card out of a seat's auction or gallery."""
    row = state.players[seat - 1].auction
    return with_auction(state, seat, row - {card}) if card in row else take_out(state, seat, card)


# ------------------------------------------------------------------------------------------------- Send to auction


def judge_send(box: Box, state: State, action: Send) -> Verdict:
    """You may move cards from your gallery to your auction; moving is voluntary (A5)."""
    if action.seat != state.turn or not may_move(state):
        return out_of_turn(box, state, action)
    return not_held(box, state, action.seat, action.card) or LEGAL


def play_send(box: Box, state: State, action: Send, facts: Facts) -> State:
    """It lies on the table in front of you; Send has begun."""
    seat, card = action.seat, str(action.card)
    state = with_auction(take_out(state, seat, card), seat, state.players[seat - 1].auction | {card})
    return replace(state, step="sending")


def judge_take_back(box: Box, state: State, action: TakeBack) -> Verdict:
    """You may move cards from your auction to your gallery."""
    if action.seat != state.turn or not may_move(state):
        return out_of_turn(box, state, action)
    if action.card in state.players[action.seat - 1].auction:
        return LEGAL
    where = whereabouts(box, state, action.card)
    reason = f"{box.name(action.card)} is not in the auction of {at(action.seat)}: {where}"
    return inconsistent("C2", reason, "Look again which card it is.")


def play_take_back(box: Box, state: State, action: TakeBack, facts: Facts) -> State:
    """Everybody knows that it is in that gallery now; Send has begun."""
    seat, card = action.seat, action.card
    state = with_auction(state, seat, state.players[seat - 1].auction - {card})
    return replace(put_in(state, seat, card), step="sending")


def judge_done(box: Box, state: State, action: Done) -> Verdict:
    """Send is over when its owner says so; moving nothing is a Send too (A5)."""
    return LEGAL if action.seat == state.turn and may_move(state) else out_of_turn(box, state, action)


def play_done(box: Box, state: State, action: Done, facts: Facts) -> State:
    """What is above five has to go now; if nothing is, Send is done (`go_on`)."""
    return replace(state, step="discarding")


def judge_discard(box: Box, state: State, action: Discard) -> Verdict:
    """Put the extras in the discard pile: only cards above five after moving, which the owner chooses (A5)."""
    if action.seat != state.turn or not (may_move(state) or state.phase == "send"):
        return out_of_turn(box, state, action)
    player = state.players[action.seat - 1]
    if action.card in player.auction:
        if len(player.auction) > box.auction_limit:
            return LEGAL
        reason = f"the auction of {at(action.seat)} has {len(player.auction)} cards, and only those above"
        return illegal(SEND, f"{reason} {box.auction_limit} are discarded", "Put it back.")
    absent = not_held(box, state, action.seat, action.card)
    if absent is not None:
        return absent
    if player.gallery.size > box.gallery_limit:
        return LEGAL
    reason = f"the gallery of {at(action.seat)} has {player.gallery.size} cards, and only those above"
    return illegal(SEND, f"{reason} {box.gallery_limit} are discarded", "Take it back.")


def play_discard(box: Box, state: State, action: Discard, facts: Facts) -> State:
    """A discard comes only after the moving, so that is over (A5).

    If you would discard a character, roll two dice and put it under so many cards of the talent pile instead.
    """
    card = str(action.card)
    state = replace(_away(state, action.seat, card), step="discarding")
    if card in box.characters:
        return replace(state, leaving=card, amid="roll")
    return replace(state, discard=(*state.discard, card))


# -------------------------------------------------------------------------------------------------- Reveal or pass


def may_end(state: State) -> bool:
    """Whether the seat whose turn it is may reveal or pass now, which ends its Send, if that is not done yet (A5)."""
    return may_move(state) or state.phase in ("send", "reveal")


def judge_pass(box: Box, state: State, action: Pass) -> Verdict:
    """If you don't reveal, pass the turn to the player on your left; both limits hold then (A5)."""
    if action.seat != state.turn or not may_end(state):
        return out_of_turn(box, state, action)
    if state.step == "reveal" or within_limits(box, state, action.seat):
        return LEGAL
    over = over_limits(box, state, action.seat)
    remedy = "Discard the extras." if state.step == "discarding" else "Move cards, or discard the extras."
    return illegal("A5", f"{at(action.seat)} has {over}", remedy)


def play_pass(box: Box, state: State, action: Pass, facts: Facts) -> State:
    """The next turn begins, once the characters that waited for the end of Send are done (`go_on`)."""
    return replace(state, step="passed")


def judge_reveal(box: Box, state: State, action: Reveal) -> Verdict:
    """If five cards of your gallery have a theme in common, you may reveal.

    A sixth card doesn't spoil it (A8): a reveal ends Send without a discard (A5).
    """
    if action.seat != state.turn or not may_end(state):
        return out_of_turn(box, state, action)
    if state.stage:
        # It was declared before the reveal, and after a reveal there is no window (A7).
        reason = f"{box.name(state.stage[0].piece)} of {at(state.stage[0].seat)} was laid first"
        return illegal("A7", reason, "Take them back, and say first that you are done sending cards.")
    gallery = state.players[action.seat - 1].gallery
    if gallery.size < box.collection:
        reason = f"revealing takes {box.collection} cards, and the gallery of {at(action.seat)} has {gallery.size}"
        return illegal(REVEAL, reason, "Take them back and pass.")
    if box.common(gallery.known, gallery.unknown, state.unseen):
        return LEGAL
    reason = f"no {box.collection} cards in the gallery of {at(action.seat)} share a theme"
    if not gallery.unknown:
        return illegal("A8", reason, "Take them back and pass.")
    return inconsistent("C9", f"{reason}, going by what is known of it", "Look at the cards again.")


def play_reveal(box: Box, state: State, action: Reveal, facts: Facts) -> State:
    """The game is over; without a common theme the cards are taken back, and stay known (A8).

    That was the end of the moving, so that what is above five is discarded then.
    """
    state = _open(state, action.seat, opened_at(box, state, action.seat, facts))
    if not box.common(state.players[action.seat - 1].gallery.known, 0, frozenset()):
        return state if state.step == "reveal" else replace(state, step="discarding")
    player = replace(state.players[action.seat - 1], shown=True)
    players = (*state.players[: action.seat - 1], player, *state.players[action.seat :])
    return laid_open(box, replace(state, players=players, step="show"))


def _open(state: State, seat: Seat, pieces: frozenset[Piece]) -> State:
    """Everybody sees a gallery."""
    state = with_gallery(state, seat, Gallery(pieces, 0))
    return replace(state, unseen=state.unseen - pieces)


def judge_show(box: Box, state: State, action: Show) -> Verdict:
    """Each player reveals their gallery."""
    if action.seat or state.phase != "show":
        return out_of_turn(box, state, action)
    if action.player not in state.seats:
        return inconsistent("C3", f"there is no seat {action.player}", f"Name 1 to {len(state.players)}.")
    if state.players[action.player - 1].shown:
        return illegal(REVEAL, f"the gallery of {at(action.player)} lies open already", waiting(box, state))
    return LEGAL


def play_show(box: Box, state: State, action: Show, facts: Facts) -> State:
    """When all galleries lie open they are scored; the best theme is chosen for each player (A8)."""
    seat = action.player
    state = _open(state, seat, opened_at(box, state, seat, facts))
    player = replace(state.players[seat - 1], shown=True)
    return laid_open(box, replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:])))


# ------------------------------------------------------------------------------------------- from step to step


def go_on(box: Box, state: State) -> State:
    """Go on where nobody has to decide, after every action.

    When both limits hold the discarding is over, and Send done (A5); the characters that waited for that take effect,
    one after the other (A7); then a turn that was passed ends.
    """
    if state.amid:
        return state
    if state.step == "discarding" and within_limits(box, state, state.turn):
        state = replace(state, step="reveal")
    if state.stage and state.step not in IN_SEND:
        return resolve(box, state)
    return end_turn(box, state) if state.step == "passed" else state


def understood(box: Box, state: State, action: AnyAction) -> State:
    """Return the state in which a record that is not legal now was made before people could say "done", if it was.

    Who chose or rolled for a character that waits took Send as done. Cards were moved and discarded in any order.
    """
    if state.amid:
        return state
    if isinstance(action, Swap | Look | Close | Roll) and state.stage and within_limits(box, state, state.turn):
        return go_on(box, replace(state, step="discarding"))
    moved = isinstance(action, Send | TakeBack) and state.step in ("discarding", "reveal")
    return replace(state, step="sending") if moved else state
