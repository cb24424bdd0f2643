"""Legal moves at a glance: the templates of every legal action, and what people may have meant by laying a piece.

`legal` asks the same sets as the judges of the rulebook, without the words; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.games.collection import rulebook
from companion.games.collection.box import Box
from companion.games.collection.reporting import attempt, can_roll, role_of, uses
from companion.games.collection.resolve import targets
from companion.games.collection.steps import due, in_deck, moves, roles_open
from companion.games.collection.values import (
    COLLECTORS,
    CRISIS,
    SCENARIOS,
    AnyAction,
    Choose,
    Draw,
    Engage,
    Move,
    OpenScenario,
    Pass,
    PlayCard,
    Roll,
    Start,
    State,
    TakeRole,
    UseReport,
)
from companion.rules.cards import Piece
from companion.rules.kernel import Facts, Need, Verdict
from companion.rules.layout import Zone, owner_of
from companion.rules.seats import numbered
from companion.rules.wording import counted

Judge = Callable[[Box, State, Any], Verdict]
Play = Callable[[Box, State, Any, Facts], State]

RULES: dict[type[AnyAction], tuple[Judge, Play]] = {
    TakeRole: (rulebook.judge_role, rulebook.play_role),
    OpenScenario: (rulebook.judge_scenario, rulebook.play_scenario),
    Start: (rulebook.judge_start, rulebook.play_start),
    Move: (rulebook.judge_move, rulebook.play_move),
    Engage: (rulebook.judge_engage, rulebook.play_engage),
    Roll: (rulebook.judge_roll, rulebook.play_roll),
    UseReport: (rulebook.judge_report, rulebook.play_report),
    Draw: (rulebook.judge_draw, rulebook.play_draw),
    PlayCard: (rulebook.judge_play, rulebook.play_play),
    Choose: (rulebook.judge_choose, rulebook.play_choose),
    Pass: (rulebook.judge_pass, rulebook.play_pass),
}
"""For every action type: what judges it, and what plays it."""

TYPES: dict[str, type[AnyAction]] = {str(kind.__struct_config__.tag): kind for kind in RULES}
"""Every action type by its tag."""


def legal(box: Box, state: State) -> list[AnyAction]:
    """List the templates of every legal action."""
    seat = state.turn
    match state.phase:
        case "roles":
            names = roles_open(box, state)
            return [TakeRole(seat=one, role=name) for one in due(state) for name in names]
        case "open":
            return [OpenScenario(scenario=SCENARIOS[state.opening])]
        case "start":
            return [Start(seat=one, collector=name) for one in due(state) for name in COLLECTORS]
        case "report":
            return [UseReport(seat=seat, use=use) for use in uses(box, state, seat, state.report)]
        case "choose":
            return list(targets(state, state.todo[0]))
        case "free":
            return list(moves(state, seat))
        case "over":
            return []
    return _turn(box, state)


def _turn(box: Box, state: State) -> list[AnyAction]:
    seat, found = state.turn, list[AnyAction]()
    if state.actions:
        colours = role_of(box, state, seat).colours
        found += moves(state, seat)
        found += [Engage(seat=seat, colour=colour) for colour in colours]
        found += [Roll(seat=seat, colour=colour) for colour in colours if can_roll(box, state, seat, colour)]
    found += [PlayCard(seat=seat, card=piece) for piece in state.players[seat - 1].hand]
    found.append(Draw(seat=seat) if state.phase == "act" else Pass(seat=seat))
    return found


def needs(box: Box, state: State, action: AnyAction) -> tuple[Need, ...]:
    """List the facts that an action waits for."""
    if isinstance(action, OpenScenario):
        place = rulebook.scenario_zone(action.scenario)
        pieces = state.unseen & box.need.keys()
        return (Need(place, "shown", f"the scenario card of {action.scenario}", pieces, stays=True),)
    if isinstance(action, Draw):
        return (Need("discard", "shown", "the collection card drawn", in_deck(box, state)),)
    if isinstance(action, Roll):
        roll = attempt(box, state, action.seat, action.colour)
        words = f"{counted(roll.dice, 'ten-sided die', 'ten-sided dice')}; a 0 is a 10"
        return (Need("dice", "rolled", words, count=roll.dice, sides=box.sides),)
    return ()


def demands(box: Box, action: AnyAction) -> frozenset[Piece]:
    """Gems and coins follow what a card says, in any order, once the card lies."""
    return box.tokens if isinstance(action, Draw | PlayCard | OpenScenario) else frozenset()


def attempts(box: Box, state: State, piece: Piece, zone: Zone) -> Iterator[AnyAction]:
    """Yield what somebody may have meant by laying this piece in this zone, the likeliest first."""
    area, owner = zone.partition(".")[0], owner_of(zone)
    kind, _, rest = area.partition("-")
    letter, _, name = rest.upper().partition("-")
    if piece in box.role_of and owner:
        yield TakeRole(seat=owner, role=box.role_of[piece])
    elif kind == "space" and piece in box.pawn_of:
        who = next((n for n, player in enumerate(state.players, 1) if player.role == box.pawn_of[piece]), 0)
        if not who:
            return
        # A pawn that is laid on another scenario at set-up is no start on A (I3).
        if state.players[who - 1].on_board or letter != SCENARIOS[0]:
            yield Move(seat=who, scenario=letter, collector=name)
        else:
            yield Start(seat=who, collector=name)
    elif kind == "crisis" and box.place_of.get(piece) == (letter,):
        level = numbered(name)
        if level is not None and level < state.scenarios[SCENARIOS.index(letter)].crisis:
            yield UseReport(seat=state.turn, use=CRISIS)
    elif piece in box.need and kind == "scenario":
        yield OpenScenario(scenario=letter)
    elif piece in box.cards:
        seen = piece in state.discard or any(piece in player.hand for player in state.players)
        yield PlayCard(seat=state.turn, card=piece) if seen else Draw(seat=state.turn)
