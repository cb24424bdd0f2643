"""What cards and reports do to the board: crises, responses, gems; completing a scenario, victory and defeat.

`proceed` carries a state on to where somebody has to decide: it works off what cards still have to do, and passes the
turn when a seat has nothing left.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collection.box import Box
from companion.games.collection.effects import ALL, ANY, Clause
from companion.games.collection.reporting import TOP_RESPONSE, met
from companion.games.collection.values import (
    COLLECTORS,
    COLOURS,
    NOWHERE,
    OFF,
    SCENARIOS,
    Choose,
    Gems,
    Player,
    Scenario,
    State,
)
from companion.rules.kernel import Outcome, Seat
from companion.rules.wording import all_of

TOP_CRISIS = 10
"""The level of a crisis at which everything is lost (5)."""

# ---------------------------------------------------------------------------------------------------- small changes


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Replace a player."""
    return replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))


def with_scenario(state: State, number: int, scenario: Scenario) -> State:
    """Replace a scenario."""
    return replace(state, scenarios=(*state.scenarios[:number], scenario, *state.scenarios[number + 1 :]))


def plus(gems: Gems, colour: str, by: int) -> Gems:
    """Add gems of a colour, or take them away."""
    political, military, economic = (n + by * (one == colour) for one, n in zip(COLOURS, gems, strict=True))
    return political, military, economic


def with_crisis(state: State, number: int, by: int) -> State:
    """Move a crisis; cards may lower it to 1 (I10), and at 10 all is lost."""
    scenario = state.scenarios[number]
    level = min(max(scenario.crisis + by, 1), TOP_CRISIS)
    return with_scenario(state, number, replace(scenario, crisis=level)) if scenario.active else state


def with_response(state: State, number: int, collector: int, by: int) -> State:
    """Move a collector that is on the ladder; never above 10 or below 0 (I4)."""
    scenario = state.scenarios[number]
    level = scenario.responses[collector]
    if level == OFF:
        return state
    return with_scenario(state, number, _at_level(scenario, collector, min(max(level + by, 0), TOP_RESPONSE)))


def _at_level(scenario: Scenario, collector: int, level: int) -> Scenario:
    levels = scenario.responses
    return replace(scenario, responses=(*levels[:collector], level, *levels[collector + 1 :]))


def with_gems(box: Box, state: State, number: int, collector: int, colour: str, by: int) -> State:
    """Place gems on a space, or remove them. The first one places the coin (6.1): at the crisis level, at most at 3.

    A coin stays when the last gem goes, and is not placed anew (I4).
    """
    scenario = state.scenarios[number]
    gems = plus(scenario.gems[collector], colour, by)
    if by > 0 and scenario.responses[collector] == OFF:
        scenario = _at_level(scenario, collector, min(scenario.crisis, box.start_response))
    spaces = (*scenario.gems[:collector], gems, *scenario.gems[collector + 1 :])
    return with_scenario(state, number, replace(scenario, gems=spaces))


def report_filed(box: Box, state: State, number: int, colour: str) -> State:
    """Put a report into the circle; a circle that is filled completes the scenario (7)."""
    scenario = state.scenarios[number]
    scenario = replace(scenario, reports=plus(scenario.reports, colour, 1))
    if met(box, scenario):
        fallen = tuple(OFF if n == OFF else max(n - box.response_drop, 0) for n in scenario.responses)
        scenario = replace(scenario, crisis=1, responses=fallen)
    return with_scenario(state, number, scenario)


# ---------------------------------------------------------------------------------------------------- what cards do


def targets(state: State, clause: Clause) -> tuple[Choose, ...]:
    """List what a clause with something left open can be about: only where it changes anything (I10)."""
    if not {clause.scenario, clause.collector, clause.colour} & {ANY}:
        return ()
    letters = SCENARIOS if clause.scenario == ANY else (clause.scenario,)
    names = COLLECTORS if clause.collector == ANY else (clause.collector,)
    colours = COLOURS if clause.colour == ANY else (clause.colour,)
    found = [
        Choose(seat=state.turn, scenario=letter, collector=name, colour=colour)
        for letter in letters
        for name in names
        for colour in colours
    ]
    return tuple(one for one in found if _changes(state, chosen(clause, one)))


def chosen(clause: Clause, choice: Choose) -> Clause:
    """Fill a clause with what was chosen."""
    return replace(clause, scenario=choice.scenario, collector=choice.collector, colour=choice.colour)


def _numbers(clause: Clause) -> list[int]:
    """List the scenarios, counted from 0, that a clause is about."""
    return list(range(len(SCENARIOS))) if clause.scenario == ALL else [SCENARIOS.index(clause.scenario)]


def _changes(state: State, clause: Clause) -> bool:
    """Return whether a clause changes anything on the board."""
    for number in _numbers(clause):
        scenario = state.scenarios[number]
        if not scenario.active:
            continue
        if clause.verb == "crisis":
            changes = clause.by > 0 or scenario.crisis > 1
        elif clause.verb == "response":
            level = scenario.responses[COLLECTORS.index(clause.collector)]
            changes = level != OFF and (level < TOP_RESPONSE if clause.by > 0 else level > 0)
        else:
            there = scenario.gems[COLLECTORS.index(clause.collector)][COLOURS.index(clause.colour)]
            changes = clause.by > 0 or there > 0
        if changes:
            return True
    return False


def _applied(box: Box, state: State, clause: Clause) -> State:
    """Let a clause without anything left open happen."""
    seat, player = state.turn, state.players[state.turn - 1]
    if clause.verb == "action":
        return replace(state, actions=state.actions + clause.by)
    if clause.verb == "die":
        return with_player(state, seat, replace(player, dice=player.dice + clause.by))
    if clause.verb == "skip":
        return with_player(state, seat, replace(player, skips=player.skips + clause.by))
    for number in _numbers(clause):
        scenario = state.scenarios[number]
        if clause.verb == "expand":
            state = with_crisis(state, number, 1) if scenario.active else replace(state, opening=number)
        elif not scenario.active:
            continue
        elif clause.verb == "crisis":
            state = with_crisis(state, number, clause.by)
        elif clause.verb == "response":
            state = with_response(state, number, COLLECTORS.index(clause.collector), clause.by)
        elif clause.verb == "gem":
            collector = COLLECTORS.index(clause.collector)
            there = scenario.gems[collector][COLOURS.index(clause.colour)]
            state = with_gems(box, state, number, collector, clause.colour, max(clause.by, -there))
    return state


def resolve(box: Box, state: State, choice: Choose) -> State:
    """Let the first effect that waits happen to what was chosen."""
    first, *rest = state.todo
    return _applied(box, replace(state, todo=tuple(rest)), chosen(first, choice))


# ---------------------------------------------------------------------------------------------------------- goes on


def proceed(box: Box, state: State) -> State:
    """Carry a state on until somebody has to decide, or a card has to come up."""
    while True:
        state = _ended(box, state)
        if state.outcome is not None:
            return state
        if state.opening != NOWHERE:
            return replace(state, phase="open")
        if state.report:
            return replace(state, phase="report")
        if not state.todo:
            break
        first, *rest = state.todo
        if first.verb == "move":
            return replace(state, phase="free")
        choices = targets(state, first)
        if len(choices) > 1:
            return replace(state, phase="choose")
        if choices:
            state = resolve(box, state, choices[0])
        elif ANY in (first.scenario, first.collector, first.colour):
            state = replace(state, todo=tuple(rest))  # Where nothing fits, it does nothing.
        else:
            state = _applied(box, replace(state, todo=tuple(rest)), first)
    if not state.drawn:
        return replace(state, phase="act")
    if state.actions or state.players[state.turn - 1].hand:
        return replace(state, phase="close")
    return begin_turn(box, state, state.turn % len(state.players) + 1, state.turns + 1)


def begin_turn(box: Box, state: State, seat: Seat, turns: int) -> State:
    """Begin the turn of a seat: it has its actions, and has not drawn."""
    return replace(state, turn=seat, turns=turns, phase="act", actions=box.actions, drawn=False)


def _ended(box: Box, state: State) -> State:
    """See whether a crisis has reached 10, or all active scenarios are complete; both at once is defeat (I9)."""
    over = [n for n, scenario in enumerate(state.scenarios) if scenario.crisis >= TOP_CRISIS]
    if over:
        where = all_of(box.country(SCENARIOS[n], state.scenarios[n].card) for n in over)
        words = f"The crisis in {where} has reached {TOP_CRISIS}: all is lost."
        return replace(state, phase="over", outcome=Outcome((), "defeat", "5", words))
    active = [scenario for scenario in state.scenarios if scenario.active]
    if active and all(met(box, scenario) for scenario in active) and state.opening == NOWHERE:
        what = "the reports circle is" if len(active) == 1 else f"all {len(active)} reports circles are"
        words = f"Victory: {what} filled, and everybody wins."
        return replace(state, phase="over", outcome=Outcome(state.seats, "victory", "5", words))
    return state
