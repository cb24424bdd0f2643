"""Character cards: playing them between the steps, their six effects (A7), and the dice that roll them under (A6)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collectible.box import CHOICES, Box
from companion.games.collectible.steps import (
    CHARACTERS,
    WINDOWS,
    auction_row,
    draw,
    not_held,
    out_of_supply,
    out_of_turn,
    over_limits,
    rolled_at,
    roller,
    rolling,
    take_out,
    tuck,
    waiting,
    whereabouts,
    with_gallery,
    with_player,
    within_limits,
)
from companion.games.collectible.values import (
    IN_SEND,
    NO_CARD,
    PHANTOM,
    Close,
    Closed,
    Gallery,
    Laid,
    Look,
    PlayCharacter,
    Roll,
    State,
    Swap,
)
from companion.rules.cards import Piece
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.wording import any_of

# ------------------------------------------------------------------------------------------------------ playing one


def may_lay(box: Box, state: State, seat: Seat) -> bool:
    """Whether a seat may lay a character now (A7): before a step or after the last, or before another resolves.

    In Send there is no window, and it waits until Send is done. Its owner's own would only spare a card the discard.
    """
    if state.amid or state.step not in IN_SEND:
        return state.amid == "choose" or (not state.amid and state.step in WINDOWS)
    return seat != state.turn or within_limits(box, state, seat)


def possible(box: Box, state: State, seat: Seat, effect: str) -> bool:
    """Return whether an effect has a possible target for a seat that would lay the card now.

    Swap needs another card in each gallery (A7).
    """
    if effect == "swap":
        return state.players[seat - 1].gallery.size > 1 and bool(partners(state, seat))
    if effect == "look":
        return bool(partners(state, seat))
    return effect != "close" or bool(closable(state))


def partners(state: State, seat: Seat) -> tuple[Seat, ...]:
    """List the other seats whose galleries hold cards."""
    return tuple(n for n, player in enumerate(state.players, 1) if n != seat and player.gallery.size)


def closable(state: State) -> tuple[Piece, ...]:
    """List the cards in all auctions that are not closed yet."""
    closed = {one.piece for one in state.closed}
    return tuple(
        piece for seat in (PHANTOM, *state.seats) for piece in sorted(auction_row(state, seat)) if piece not in closed
    )


def judge_character(box: Box, state: State, action: PlayCharacter) -> Verdict:
    """You can play character cards after any step, before the next step starts, even during someone else's turn."""
    seat, card = action.seat, action.card
    if seat not in state.seats or not may_lay(box, state, seat):
        return _shut(box, state, action)
    if state.phase == "choose" and seat == state.stage[0].seat:
        # The order of one's own characters is the order in which one plays them.
        reason = f"{box.name(state.stage[0].piece)} of {at(seat)} is not done yet"
        return illegal(CHARACTERS, reason, waiting(box, state))
    if any(card in player.auction for player in state.players) or card in state.phantom:
        where = whereabouts(box, state, card)
        reason = f"{box.name(card)} can't be played from an auction: {where}"
        return illegal("A7", reason, "Put it back; a character is played from the gallery.")
    absent = not_held(box, state, seat, card)
    if absent is not None:
        return absent
    if card not in box.characters:
        return illegal(CHARACTERS, f"{box.name(card)} is an art card, not a character", "Take it back.")
    effect = box.effect[str(card)]
    if possible(box, state, seat, effect):
        return LEGAL
    reason = {
        "swap": f"swapping takes another card in the gallery of {at(seat)} and a card in another one",
        "look": "there is no card in any other gallery",
        "close": "there is no card in any auction that is not closed",
    }[effect]
    return illegal("A7", reason, "Take it back and keep it for later.")


def _shut(box: Box, state: State, action: PlayCharacter) -> Verdict:
    if state.outcome is not None or action.seat not in state.seats or state.phase in ("deal", "fill"):
        return out_of_turn(box, state, action)
    if state.phase == "bidding":
        reason = "characters are not played during an auction while players are bidding"
        return illegal(CHARACTERS, reason, "Take it back until the auction is over.")
    if state.phase == "show":
        return illegal("A7", "after a reveal no character is played", "Take it back.")
    if state.phase == "roll":
        reason = f"{box.name(rolling(state))} is not under the talent pile yet"
        return illegal("A7", reason, waiting(box, state))
    over = over_limits(box, state, state.turn)
    reason = f"{at(state.turn)} is still sending cards to auction, with {over}"
    return illegal("A7", reason, "Take it back until that step is over.")


def play_character(box: Box, state: State, action: PlayCharacter, facts: Facts) -> State:
    """It takes effect when it is laid (`rulebook.go_on`), or when Send is done.

    Several laid before one takes effect go in turn order from the active seat (A7).
    """
    seat, card = action.seat, str(action.card)
    state = take_out(state, seat, card)
    order = [one for one in state.stage if _place(state, one.seat) <= _place(state, seat)]
    return replace(state, stage=(*order, Laid(seat, card), *state.stage[len(order) :]), amid="")


def _place(state: State, seat: Seat) -> int:
    """Count how far a seat is from the one whose turn it is."""
    return (seat - state.turn) % len(state.players)


def resolve(box: Box, state: State) -> State:
    """Let the first of the characters that were laid take effect, or wait for its choice; then its dice are due.

    Where only one choice is possible it is taken; where there is none any more, nothing happens.
    """
    head = state.stage[0]
    effect = box.effect[head.piece]
    if effect in CHOICES:
        targets = choices(box, state)
        if len(targets) > 1:
            return replace(state, amid="choose")
        return _chosen(box, state, targets[0]) if targets else replace(state, amid="roll")
    if effect == "coins":
        state = out_of_supply(state, head.seat, box.supply_coins)
    elif effect == "draw":
        state = draw(state, head.seat, box.drawn_cards)
    else:
        player = state.players[head.seat - 1]
        state = with_player(state, head.seat, replace(player, rebates=player.rebates + 1))
    return replace(state, amid="roll")


# ---------------------------------------------------------------------------------------------------- its one choice


def choices(box: Box, state: State) -> tuple[Seat | Piece, ...]:
    """List what the character that resolves may choose: a seat, or a card to close."""
    head = state.stage[0]
    effect = box.effect[head.piece]
    if effect == "close":
        return closable(state)
    if effect == "swap" and not state.players[head.seat - 1].gallery.size:
        return ()
    return partners(state, head.seat)


def _chosen(box: Box, state: State, target: Seat | Piece) -> State:
    head = state.stage[0]
    if isinstance(target, str):
        state = replace(state, closed=(*state.closed, Closed(target, head.seat)))
    elif box.effect[head.piece] == "swap":
        state = swapped(state, head.seat, target)
    return replace(state, amid="roll")


def swapped(state: State, seat: Seat, partner: Seat) -> State:
    """Both give a card of their gallery, face down: what was known of either gallery is known no longer (C1, C2).

    The only card of a gallery is the one that is given, so where it goes is known if the card is.
    """
    one, other = state.players[seat - 1].gallery, state.players[partner - 1].gallery
    gone = frozenset().union(*(gallery.known for gallery in (one, other) if gallery.size > 1))
    state = with_gallery(state, seat, _after_swap(one, other))
    state = with_gallery(state, partner, _after_swap(other, one))
    return replace(state, unseen=state.unseen | gone)


def _after_swap(own: Gallery, other: Gallery) -> Gallery:
    known = other.known if other.size == 1 else frozenset()
    return Gallery(known, own.size - len(known))


def _judge_choice(box: Box, state: State, action: Swap | Look | Close, effect: str) -> Verdict | None:
    """Say why this choice is not due; None if it is."""
    if state.phase != "choose":
        return out_of_turn(box, state, action) if state.phase not in WINDOWS else _nothing_laid(box, state, action)
    head = state.stage[0]
    if action.seat != head.seat or box.effect[head.piece] != effect:
        if action.seat not in state.seats:
            return out_of_turn(box, state, action)
        return illegal(CHARACTERS, f"{box.name(head.piece)} of {at(head.seat)} is due", waiting(box, state))
    return None


def _nothing_laid(box: Box, state: State, action: Swap | Look | Close) -> Verdict:
    if action.seat not in state.seats:
        return out_of_turn(box, state, action)
    if state.stage:
        return _not_yet(box, state)
    return illegal(CHARACTERS, "no character that allows it has been played", "Play one first.")


def _not_yet(box: Box, state: State) -> Verdict:
    reason = f"{box.name(state.stage[0].piece)} waits until {at(state.turn)} is done sending cards"
    return illegal("A7", reason, waiting(box, state))


def _judge_partner(box: Box, state: State, action: Swap | Look, effect: str) -> Verdict:
    verdict = _judge_choice(box, state, action, effect)
    if verdict is not None:
        return verdict
    if action.partner not in state.seats:
        return inconsistent("C3", f"there is no seat {action.partner}", f"Name 1 to {len(state.players)}.")
    remedy = f"Choose {any_of(at(seat) for seat in partners(state, action.seat))}."
    if action.partner == action.seat:
        return illegal("A7", "it takes the gallery of another player", remedy)
    if not state.players[action.partner - 1].gallery.size:
        return illegal("A7", f"the gallery of {at(action.partner)} is empty", remedy)
    return LEGAL


def judge_swap(box: Box, state: State, action: Swap) -> Verdict:
    """Swap with a seat of your choice, both a gallery card of their own; illegal with an empty gallery (A7)."""
    return _judge_partner(box, state, action, "swap")


def play_swap(box: Box, state: State, action: Swap, facts: Facts) -> State:
    """Which cards they are nobody else sees."""
    return _chosen(box, state, action.partner)


def judge_look(box: Box, state: State, action: Look) -> Verdict:
    """Look at a gallery (A7)."""
    return _judge_partner(box, state, action, "look")


def play_look(box: Box, state: State, action: Look, facts: Facts) -> State:
    """What was seen only that player knows."""
    return _chosen(box, state, action.partner)


def judge_close(box: Box, state: State, action: Close) -> Verdict:
    """Close any auction's card, the phantom's too (A7)."""
    verdict = _judge_choice(box, state, action, "close")
    if verdict is not None:
        return verdict
    if action.card in closable(state):
        return LEGAL
    if any(one.piece == action.card for one in state.closed):
        return illegal("A7", f"{box.name(action.card)} is closed already", "Choose another card.")
    where = whereabouts(box, state, action.card)
    return inconsistent("C2", f"{box.name(action.card)} is in no auction: {where}", "Look again which card it is.")


def play_close(box: Box, state: State, action: Close, facts: Facts) -> State:
    """Until the start of your next turn or until it leaves."""
    return _chosen(box, state, action.card)


# ---------------------------------------------------------------------------------------------------------- the dice


def judge_roll(box: Box, state: State, action: Roll) -> Verdict:
    """Roll two six-sided dice, once the effect is done; so too for a character that is discarded."""
    if state.phase == "roll" and action.seat == roller(state):
        return LEGAL
    if action.seat not in state.seats or state.phase not in (*WINDOWS, "choose"):
        return out_of_turn(box, state, action)
    if state.phase == "choose":
        return illegal("A7", "the effect comes first, then the dice", waiting(box, state))
    if state.stage:
        return _not_yet(box, state)
    return illegal("A6", "no character waits to be put under the talent pile", "Keep the dice for later.")


def play_roll(box: Box, state: State, action: Roll, facts: Facts) -> State:
    """Put it under that many cards from the top of the talent pile: with an eight under the top eight cards."""
    depth, card = rolled_at(box, facts), rolling(state)
    state = tuck(state, card, depth)
    if state.leaving:
        return replace(state, leaving=NO_CARD, amid="")
    return replace(state, stage=state.stage[1:], amid="")
