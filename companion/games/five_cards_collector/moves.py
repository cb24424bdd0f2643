"""Legal moves at a glance: the templates of every legal action, and what people may have meant by laying a card.

`legal` asks the same sets as the judges of the rulebook, without the words; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.five_cards_collector import rulebook, specials
from companion.games.five_cards_collector.box import Box
from companion.games.five_cards_collector.steps import drawable, passes_left, wanted
from companion.games.five_cards_collector.values import (
    NO_GOAL,
    UNREAD_GOAL,
    Add,
    AnyAction,
    Discard,
    Draw,
    DrawGoal,
    Keep,
    Nothing,
    Retrieve,
    State,
    Stuck,
    Take,
    TakeOver,
    TurnUp,
    Use,
)
from companion.rules.cards import Piece
from companion.rules.hands import held
from companion.rules.kernel import Facts, Hole, Need, Verdict, at
from companion.rules.layout import Zone, owner_of

Judge = Callable[[Box, State, Any], Verdict]
Play = Callable[[Box, State, Any, Facts], State]

RULES: dict[type[AnyAction], tuple[Judge, Play]] = {
    DrawGoal: (rulebook.judge_goal, rulebook.play_goal),
    TurnUp: (rulebook.judge_turn_up, rulebook.play_turn_up),
    Add: (rulebook.judge_add, rulebook.play_add),
    Discard: (rulebook.judge_discard, rulebook.play_discard),
    Use: (specials.judge_use, specials.play_use),
    Take: (specials.judge_take, specials.play_take),
    Retrieve: (specials.judge_retrieve, specials.play_retrieve),
    TakeOver: (specials.judge_take_over, specials.play_take_over),
    Draw: (rulebook.judge_draw, rulebook.play_draw),
    Keep: (rulebook.judge_keep, rulebook.play_keep),
    Nothing: (rulebook.judge_nothing, rulebook.play_nothing),
    Stuck: (rulebook.judge_stuck, rulebook.play_stuck),
}
"""For every action type: what judges it, and what plays it."""

TYPES: dict[str, type[AnyAction]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
"""Every action type by its tag."""


def legal(box: Box, state: State) -> list[AnyAction]:
    """List the templates of every legal action.

    This runs at every move of every playout, so it builds a template only where something can fill it.
    """
    phase, seat = state.phase, state.turn
    if phase == "turn":
        return _laying(box, state, full_turn=True)
    if phase == "drawn":
        return _laying(box, state, full_turn=False)
    if phase == "take":
        return [Take(seat=seat, victim=victim) for victim in specials.victims(state)]
    if phase == "retrieve":
        return [Retrieve(seat=seat, card=card) for card in state.discard]
    if phase == "take-over":
        return _taking_over(box, state)
    if phase == "turn-up":
        return [TurnUp()]
    if phase == "goals":
        return [DrawGoal(player=n) for n in state.seats if state.players[n - 1].goal in (NO_GOAL, UNREAD_GOAL)]
    return []


def _laying(box: Box, state: State, full_turn: bool) -> list[AnyAction]:
    seat = state.turn
    player = state.players[seat - 1]
    hand = player.hand
    can_be = held(hand, state.unseen)
    if not full_turn and hand.known:
        # F3: a card known in this hand counts as the one drawn only if a copy of it can still be unseen.
        can_be = state.unseen.union(p for p in hand.known if not box.copies[p].isdisjoint(state.unseen))
    actions: list[AnyAction] = []
    choice = wanted(box, player)
    if pieces := choice.pieces & can_be:
        actions.append(Add(seat=seat, card=Hole(seat, pieces, choice.words)))
    choice = box.matching[state.discard[-1]]
    if pieces := choice.pieces & can_be:
        actions.append(Discard(seat=seat, card=Hole(seat, pieces, choice.words)))
    choice = specials.usable(box, state)
    if pieces := choice.pieces & can_be:
        actions.append(Use(seat=seat, card=Hole(seat, pieces, choice.words)))
    if not full_turn:
        actions.append(Keep(seat=seat))
        return actions
    if hand.size < state.limit and drawable(state):
        actions.append(Draw(seat=seat))
    left = passes_left(box, state, seat)
    if left is None or left > 0:
        actions.append(Nothing(seat=seat))
    elif (stuck := Stuck(seat=seat)) and rulebook.judge_stuck(box, state, stuck).ok:
        actions.append(stuck)
    return actions


def _taking_over(box: Box, state: State) -> list[AnyAction]:
    seat, actions = state.turn, list[AnyAction]()
    belongs = wanted(box, state.players[seat - 1]).pieces
    for owner, player in enumerate(state.players, 1):
        for card in player.collected:
            if card in belongs:
                actions.append(TakeOver(seat=seat, card=card, from_seat=owner, to="own"))
            actions.append(TakeOver(seat=seat, card=card, from_seat=owner, to="discard"))
    return actions


def needs(box: Box, state: State, action: AnyAction) -> tuple[Need, ...]:
    """List the facts that an action waits for."""
    if isinstance(action, DrawGoal):
        place = f"goal.{action.player}"
        words = f"the collection card of {at(action.player)}"
        return (Need(place, "shown", words, rulebook.free_goals(box, state)),)
    if isinstance(action, TurnUp):
        return (Need("discard", "shown", "the card turned up from the deck", state.unseen),)
    if isinstance(action, Stuck):
        hand = state.players[action.seat - 1].hand
        words = f"all cards in the hand of {at(action.seat)}, laid open"
        return (Need(f"open.{action.seat}", "opened", words, held(hand, state.unseen), hand.size),)
    return ()


def attempts(box: Box, state: State, piece: Piece, zone: Zone) -> Iterator[AnyAction]:
    """Yield what somebody may have meant by laying this piece in this zone, the likeliest first."""
    area, seat, place = zone.partition(".")[0], state.turn, owner_of(zone)
    collector = next((n for n in state.seats if piece in state.players[n - 1].collected), 0)
    if area in ("discard", "used") and state.phase == "turn-up":
        yield TurnUp()
    if area == "discard" and collector:
        yield TakeOver(seat=seat, card=piece, from_seat=collector, to="discard")
    elif area == "discard":
        yield Discard(seat=seat, card=piece)
    elif area == "used":
        yield Use(seat=seat, card=piece)
    elif area == "collection" and collector:
        yield TakeOver(seat=place, card=piece, from_seat=collector, to="own")
    elif area == "collection":
        yield Add(seat=place, card=piece)
    elif area == "goal":
        yield DrawGoal(player=place)
    elif area == "hand" and piece in state.discard:
        yield Retrieve(seat=place, card=piece)
    elif area == "open":
        yield Stuck(seat=place)
