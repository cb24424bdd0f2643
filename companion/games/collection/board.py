"""The board of COLLECTION!: crisis ladders, response ladders, spaces and reports circles, and what moves on them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.collection.components import Components
from companion.games.collection.state import COLOURS, OFF, Gems, Player, Scenario, State
from companion.rules.kernel import Seat

TOP_CRISIS = 10
"""The level of a crisis at which everything is lost (5)."""
TOP_RESPONSE = 10
"""The highest level of a response ladder (I4, I6)."""


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Return the state with the player at a seat replaced."""
    return replace(state, players=(*state.players[: seat - 1], player, *state.players[seat:]))


def with_scenario(state: State, number: int, scenario: Scenario) -> State:
    """Return the state with the scenario of a number, counted from 0, replaced."""
    return replace(state, scenarios=(*state.scenarios[:number], scenario, *state.scenarios[number + 1 :]))


def change_crisis(state: State, number: int, by: int) -> State:
    """Move the crisis of an active scenario; it stays within the ladder, from 1 to 10."""
    scenario = state.scenarios[number]
    level = min(max(scenario.crisis + by, 1), TOP_CRISIS)
    return with_scenario(state, number, replace(scenario, crisis=level)) if scenario.active else state


def change_response(state: State, number: int, collector: int, by: int) -> State:
    """Move a collector that is on the ladder; never above 10 or below 0 (I4)."""
    scenario = state.scenarios[number]
    level = scenario.responses[collector]
    if level == OFF:
        return state
    return with_scenario(state, number, at_level(scenario, collector, min(max(level + by, 0), TOP_RESPONSE)))


def at_level(scenario: Scenario, collector: int, level: int) -> Scenario:
    """Return a scenario with the coin of a collector at a level."""
    levels = scenario.responses
    return replace(scenario, responses=(*levels[:collector], level, *levels[collector + 1 :]))


# ------------------------------------------------------------------------------------------- 6.1 Engaging Collectors


def change_gems(components: Components, state: State, number: int, collector: int, colour: str, by: int) -> State:
    """Place gems on a space, or remove as many as there are; the first one places the coin (6.1).

    It is placed at the crisis level, at most at 3. It stays when the last gem goes, and is not placed anew (I4).
    """
    scenario = state.scenarios[number]
    there = scenario.gems[collector]
    gems = plus(there, colour, max(by, -there[COLOURS.index(colour)]))
    if by > 0 and scenario.responses[collector] == OFF:
        scenario = at_level(scenario, collector, min(scenario.crisis, components.start_response))
    spaces = (*scenario.gems[:collector], gems, *scenario.gems[collector + 1 :])
    return with_scenario(state, number, replace(scenario, gems=spaces))


def plus(gems: Gems, colour: str, by: int) -> Gems:
    """Return gems with more of a colour, or fewer."""
    political, military, economic = (n + by * (gem == colour) for gem, n in zip(COLOURS, gems, strict=True))
    return political, military, economic


# ------------------------------------------------------------------------------------------- 7. Completing Scenarios


def met(components: Components, scenario: Scenario) -> bool:
    """Return whether a scenario's reports circle is filled."""
    return scenario.active and scenario.reports == components.need[scenario.card]


def file_report(components: Components, state: State, number: int, colour: str) -> State:
    """Put a report into the circle; a circle that is filled completes the scenario.

    Then the crisis is reduced to level one, and all responses by three, not below 0 (7, I8).
    """
    scenario = state.scenarios[number]
    scenario = replace(scenario, reports=plus(scenario.reports, colour, 1))
    if met(components, scenario):
        fallen = tuple(OFF if n == OFF else max(n - components.response_drop, 0) for n in scenario.responses)
        scenario = replace(scenario, crisis=1, responses=fallen)
    return with_scenario(state, number, scenario)
