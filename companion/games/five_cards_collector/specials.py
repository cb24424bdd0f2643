"""The special cards of Five Cards Collector: section 1, "How do they work?", and "Use a Special Card" of section 4.

A special without a choice acts wholly within Use. The others stay in use (F4) until Take, Retrieve or TakeOver.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.five_cards_collector.box import TAKING, Box, Choice
from companion.games.five_cards_collector.steps import (
    GAMEPLAY,
    LAYING,
    does_not_belong,
    draw,
    drawable,
    lies_open,
    next_turn,
    not_in_hand,
    out_of_turn,
    wanted,
    whereabouts,
    with_hand,
    with_player,
    won,
)
from companion.games.five_cards_collector.values import (
    Hand,
    Phase,
    Player,
    Retrieve,
    State,
    Take,
    TakeOver,
    Use,
)
from companion.rules.cards import Piece
from companion.rules.hands import laid
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.wording import any_of

CHOICES: dict[str, Phase] = {
    "draw-from-hand": "take",
    "view-hand": "take",
    "retrieve": "retrieve",
    "take-over": "take-over",
}
"""The specials that leave a choice, and the step that makes it."""


def usable(box: Box, state: State) -> Choice:
    """Return the specials that have a possible target (F4)."""
    other, lies = False, False
    for seat, player in enumerate(state.players, 1):
        if seat != state.turn and (player.hand.unknown or player.hand.known):
            other = True
        if player.collected:
            lies = True
    return box.usable[len(state.players) == 2, drawable(state), other, len(state.discard) > 1, lies]


def judge_use(box: Box, state: State, action: Use) -> Verdict:
    """Use a special card that you already have; one without a possible target is illegal (F4)."""
    if action.seat != state.turn or state.phase not in LAYING:
        return out_of_turn(box, state, action)
    absent = not_in_hand(box, state, action.seat, action.card, state.used)
    if absent is not None:
        return absent
    if action.card in usable(box, state).pieces:
        return LEGAL
    if action.card in box.symbols:
        remedy = "Take it back; add it or discard it, or use a special card."
        return illegal(GAMEPLAY, f"{box.name(action.card)} is a symbol, not a special card", remedy)
    effect, remedy = box.effect[str(action.card)], "Take it back and do something else."
    if effect == "draw-three":
        return illegal("F4", "no card is left to draw, in the deck or under the top of the discard pile", remedy)
    if effect in TAKING:
        return illegal("F5", "every other hand is empty", remedy)
    if effect == "take-over":
        return illegal("F4", "no card lies in any collection", remedy)
    return illegal("F9", "the discard pile has only 1 card and never runs dry; it takes at least 2", remedy)


def play_use(box: Box, state: State, action: Use, facts: Facts) -> State:
    """Follow the action description on the card, then put it on the used specials (F4: it leaves the hand first)."""
    seat, card = action.seat, str(action.card)
    hand, unseen = laid(state.players[seat - 1].hand, state.unseen, card)
    players, used, effect = state.players, (*state.used, card), box.effect[card]
    if effect in CHOICES:
        players = with_hand(players, seat, hand)
        return replace(state, players=players, unseen=unseen, in_use=card, phase=CHOICES[effect], idle=0)
    if effect == "draw-three":
        # Draw three cards, but only up to the hand limit; a renewal does not shuffle in the card in use (F4).
        state = draw(replace(state, unseen=unseen), hand, min(3, state.limit - hand.size))
        return next_turn(state, state.players, state.unseen, state.discard, (*state.used, card))
    if effect == "pile-swap":
        # Take the first card from the top of the discard pile: everybody sees which (C2).
        hand = Hand(hand.known | {state.discard[-1]}, hand.unknown)
        return next_turn(state, with_hand(players, seat, hand), unseen, state.discard[:-1], used)
    # Change direction: the next move is made by the previous player, and the game goes on that way (F5).
    turned = replace(state, direction=-state.direction)
    return next_turn(turned, with_hand(players, seat, hand), unseen, state.discard, used)


def done(state: State, players: tuple[Player, ...], unseen: frozenset[Piece], discard: tuple[Piece, ...]) -> State:
    """End the turn after the effect of the special in use: now it reaches the used pile (F4)."""
    return next_turn(state, players, unseen, discard, (*state.used, state.in_use))


def judge_take(box: Box, state: State, action: Take) -> Verdict:
    """Take one card of any other player's hand that is not empty (F5)."""
    if action.seat != state.turn or state.phase != "take":
        return out_of_turn(box, state, action)
    if action.victim not in state.seats:
        return inconsistent("C3", f"there is no seat {action.victim}", f"Name 1 to {len(state.players)}.")
    remedy = f"Choose {any_of(at(seat) for seat in victims(state))}."
    if action.victim == action.seat:
        return illegal("F5", "the card comes out of another player's hand", remedy)
    if not state.players[action.victim - 1].hand.size:
        return illegal("F5", f"the hand of {at(action.victim)} is empty", remedy)
    return LEGAL


def victims(state: State) -> tuple[Seat, ...]:
    """Return the other seats that hold cards."""
    return tuple(seat for seat in state.seats if seat != state.turn and state.players[seat - 1].hand.size)


def play_take(box: Box, state: State, action: Take, facts: Facts) -> State:
    """Which card it was the table doesn't see (C1), so what was known of that hand is known no longer.

    Unless it was the hand's only card.
    """
    owner = state.players[action.victim - 1].hand
    hand = state.players[action.seat - 1].hand
    unseen = state.unseen
    if owner.size == 1:
        rest, hand = Hand(frozenset(), 0), Hand(hand.known | owner.known, hand.unknown + owner.unknown)
    else:
        rest, hand = Hand(frozenset(), owner.size - 1), Hand(hand.known, hand.unknown + 1)
        unseen = unseen | owner.known
    players = with_hand(with_hand(state.players, action.victim, rest), action.seat, hand)
    return done(state, players, unseen, state.discard)


def judge_retrieve(box: Box, state: State, action: Retrieve) -> Verdict:
    """Search the discard pile and select any card (F5); it never runs dry (F9: the use was illegal else)."""
    if action.seat != state.turn or state.phase != "retrieve":
        return out_of_turn(box, state, action)
    if action.card in state.discard:
        return LEGAL
    reason = f"{box.name(action.card)} is not in the discard pile: {whereabouts(box, state, action.card)}"
    if lies_open(state, action.card):
        return illegal("F5", reason, "Put it back and take a card of the discard pile.")
    return inconsistent("C2", reason, "Look again which card it is; choose one of the discard pile.")


def play_retrieve(box: Box, state: State, action: Retrieve, facts: Facts) -> State:
    """Add it to your hand."""
    hand = state.players[action.seat - 1].hand
    players = with_hand(state.players, action.seat, Hand(hand.known | {action.card}, hand.unknown))
    return done(state, players, state.unseen, tuple(p for p in state.discard if p != action.card))


def judge_take_over(box: Box, state: State, action: TakeOver) -> Verdict:
    """Choose one card from any player's collection: it must belong to yours to be added; any can be discarded (F6)."""
    if action.seat != state.turn or state.phase != "take-over":
        return out_of_turn(box, state, action)
    if action.from_seat not in state.seats:
        return inconsistent("C3", f"there is no seat {action.from_seat}", f"Name 1 to {len(state.players)}.")
    if action.card not in state.players[action.from_seat - 1].collected:
        where = whereabouts(box, state, action.card)
        reason = f"{box.name(action.card)} is not in the collection of {at(action.from_seat)}: {where}"
        if action.card in state.discard + state.used:
            return illegal("F6", reason, "Put it back and choose a card of a collection.")
        return inconsistent("C2", reason, "Look again which card it is, and whose.")
    if action.to == "discard":
        return LEGAL
    if action.from_seat == action.seat:
        reason = f"{box.name(action.card)} is in the collection of {at(action.seat)} already"
        return illegal("F6", reason, "Leave it there and choose another card, or discard it.")
    if action.card in wanted(box, state.players[action.seat - 1]).pieces:
        return LEGAL
    verdict = does_not_belong(box, state, action.seat, action.card)
    return illegal("F6", verdict.reason, "Put it back where it lay and choose another card, or discard it.")


def play_take_over(box: Box, state: State, action: TakeOver, facts: Facts) -> State:
    """Add it to your own, or put it back on top of the discard pile. The fifth card wins at once (F7)."""
    owner = state.players[action.from_seat - 1]
    rest = Player(owner.goal, tuple(p for p in owner.collected if p != action.card), owner.hand, owner.passes)
    players = with_player(state.players, action.from_seat, rest)
    if action.to == "discard":
        return done(state, players, state.unseen, (*state.discard, action.card))
    own = players[action.seat - 1]
    own = Player(own.goal, (*own.collected, action.card), own.hand, own.passes)
    players = with_player(players, action.seat, own)
    if not wanted(box, own).pieces:
        return won(replace(state, players=players), action.seat)
    return done(state, players, state.unseen, state.discard)
