"""What may be done, at a glance: the templates of every legal action, and what people may have meant by laying a piece.

`legal` asks the same questions as the judges of the rulebook, without the words; a test holds the two together. No
action has a hole, as all hands lie face up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.karmic_collections import rulebook
from companion.games.karmic_collections.components import Box
from companion.games.karmic_collections.spaces import DIE, SPACES, amount
from companion.games.karmic_collections.steps import (
    actors,
    due_step,
    feasible,
    lacking,
    opposite,
    owner_of_card,
    tied,
    without_dice,
)
from companion.games.karmic_collections.values import (
    AnyAction,
    Conceal,
    Deal,
    Draw,
    EndTurn,
    First,
    Give,
    GiveDie,
    KeepOpen,
    Lot,
    Partner,
    Roll,
    Second,
    State,
    Take,
    TakeBlind,
    TakeDie,
    TurnUp,
)
from companion.rules.cards import Piece
from companion.rules.kernel import Facts, Need, Seat, Verdict, at
from companion.rules.layout import Zone, owner_of

Judge = Callable[[Box, State, Any], Verdict]
Play = Callable[[Box, State, Any, Facts], State]

RULES: dict[type[AnyAction], tuple[Judge, Play]] = {
    Deal: (rulebook.judge_deal, rulebook.play_deal),
    Roll: (rulebook.judge_roll, rulebook.play_roll),
    Lot: (rulebook.judge_lot, rulebook.play_lot),
    TurnUp: (rulebook.judge_turn_up, rulebook.play_turn_up),
    Partner: (rulebook.judge_partner, rulebook.play_partner),
    First: (rulebook.judge_first, rulebook.play_first),
    Second: (rulebook.judge_second, rulebook.play_second),
    Draw: (rulebook.judge_draw, rulebook.play_draw),
    Conceal: (rulebook.judge_conceal, rulebook.play_conceal),
    KeepOpen: (rulebook.judge_keep_open, rulebook.play_keep_open),
    Take: (rulebook.judge_take, rulebook.play_take),
    TakeBlind: (rulebook.judge_take_blind, rulebook.play_take_blind),
    Give: (rulebook.judge_give, rulebook.play_give),
    TakeDie: (rulebook.judge_take_die, rulebook.play_take_die),
    GiveDie: (rulebook.judge_give_die, rulebook.play_give_die),
    EndTurn: (rulebook.judge_end_turn, rulebook.play_end_turn),
}
"""For every action type: what judges it, and what plays it."""

TYPES: dict[str, type[AnyAction]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
"""Every action type by its tag."""


def legal(box: Box, state: State) -> list[AnyAction]:
    """List every legal action."""
    phase, seat = state.phase, state.turn
    if phase == "act":
        return _acting(box, state)
    if phase == "first":
        return [First(seat=seat, space=space) for space in feasible(state)]
    if phase == "second":
        return [Second(seat=state.partner, space=space) for space in feasible(state, (opposite(state),))]
    if phase == "partner":
        return [Partner(seat=seat, partner=other) for other in sorted(state.players[seat - 1].up)]
    if phase == "end":
        return [EndTurn(seat=seat)]
    if phase == "tokens":
        return [TurnUp(seat=seat)]
    if phase == "lot":
        return [Lot(seat=one) for one in tied(box, state)]
    rolling: list[AnyAction] = [Roll(seat=one) for one in without_dice(state)] if phase in ("deal", "dice") else []
    if phase == "deal":
        return [*(Deal(player=one) for one in lacking(box, state)), *rolling]
    return rolling


def _acting(box: Box, state: State) -> list[AnyAction]:
    """List what the step of the action that is due allows."""
    does, seat, partner = due_step(state).does, state.turn, state.partner
    if does == "draw":
        return [Draw(seat=seat)]
    if does in ("roll", "partner-roll"):
        return [Roll(seat=seat if does == "roll" else partner)]
    if does in ("give-card", "return-card"):
        kept = state.taken if does == "return-card" else None
        return [Give(seat=seat, card=card) for card in sorted(state.players[seat - 1].hand) if card != kept]
    if does in ("give-die", "return-die"):
        return [GiveDie(seat=seat, value=value) for value in sorted(set(rulebook.givable_dice(state)))]
    if does == "take-die":
        return [TakeDie(seat=seat, value=value) for value in sorted(set(state.players[partner - 1].dice))]
    hand = state.players[partner - 1].hand
    if does == "conceal":
        ways = box.concealable(hand)
        return [KeepOpen(seat=partner), *(Conceal(seat=partner, cards=tuple(sorted(way))) for way in ways)]
    open_: list[AnyAction] = [Take(seat=seat, card=card) for card in sorted(hand - state.concealed)]
    return [*open_, TakeBlind(seat=seat)] if state.concealed else open_


def needs(box: Box, state: State, action: AnyAction) -> tuple[Need, ...]:
    """List the facts that an action waits for."""
    if isinstance(action, Deal | Draw):
        seat = action.player if isinstance(action, Deal) else action.seat
        return (_card(seat, f"the card that {at(seat)} gets from the deck", state.unseen),)
    if isinstance(action, TakeBlind):
        return (_card(action.seat, "the card that was picked without looking", state.concealed),)
    if isinstance(action, Roll):
        count = rulebook.dice_due(box, state)
        return (Need("dice", "rolled", amount(count, DIE), count=count, sides=box.sides),)
    if isinstance(action, Lot):
        sides = len(tied(box, state))
        return (Need("dice", "rolled", f"one of {sides} by chance", count=1, sides=sides),)
    return ()


def _card(seat: Seat, words: str, pieces: frozenset[Piece]) -> Need:
    """A card that comes face up to a hand and stays there."""
    return Need(f"hand.{seat}", "shown", words, pieces, stays=True)


def tacit(state: State) -> AnyAction | None:
    """Return what nobody has to say: cards are left open, tokens turned up and turns ended by going on."""
    if state.phase == "end":
        return EndTurn(seat=state.turn)
    if state.phase == "tokens":
        return TurnUp(seat=state.turn)
    return KeepOpen(seat=state.partner) if due_step(state).does == "conceal" else None


def attempts(box: Box, state: State, piece: Piece, zone: Zone) -> Iterator[AnyAction]:
    """Yield what somebody may have meant by laying this piece in this zone, the likeliest first."""
    area, seat, turn = zone.partition(".")[0], owner_of(zone), state.turn
    if area in SPACES:
        whose = actors(box, state)
        if state.phase == "second" or (whose and turn and state.spaces):
            yield Second(seat=state.partner, space=area)
        yield First(seat=turn, space=area)
    elif area == "partner" and piece in box.stands:
        yield Partner(seat=seat, partner=box.stands[piece][1])
    elif area == "tokens":
        yield TurnUp(seat=seat)
    elif area == "paired":
        yield EndTurn(seat=seat)
    elif area == "hand" and piece in box.all:
        owner = owner_of_card(state, piece)
        if owner and owner == turn and seat == state.partner:
            yield Give(seat=turn, card=piece)
        elif owner:
            # Judged as what it is: also of a seat that is no partner, and by one whose turn it isn't.
            yield Take(seat=seat, card=piece)
        elif state.phase == "deal":
            yield Deal(player=seat)
        else:
            yield Draw(seat=seat)
