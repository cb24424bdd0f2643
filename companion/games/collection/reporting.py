"""Rolling for reporting (6.2): how many dice, below which level, who helps, and the whole chance of it."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.games.collection.box import Box, Role
from companion.games.collection.values import CIRCLE, COLLECTORS, COLOURS, CRISIS, OFF, Scenario, State
from companion.rules.dice import chance_below
from companion.rules.kernel import Seat
from companion.rules.wording import counted

TOP_RESPONSE = 10
"""The highest level of a response ladder (I4, I6)."""


class Help(msgspec.Struct, frozen=True):
    """What another analyst on the same space adds to a roll (I6)."""

    seat: Seat
    role: str
    dice: int = 0
    level: int = 0


class Attempt(msgspec.Struct, frozen=True):
    """A roll as it would be now: its dice, the level they have to be below, and what they come from.

    `gems` are those of the colour that count, `bonus` the dice of cards. `level` is OFF if the collector's coin is not
    on the ladder.
    """

    colour: str
    gems: int
    bonus: int
    helps: tuple[Help, ...]
    dice: int
    level: int
    sides: int

    @property
    def chance(self) -> Fraction:
        """The chance of a report."""
        return chance_below(self.dice, self.level, self.sides)

    @property
    def words(self) -> str:
        """The whole chance: "4 dice, below 6: 94 %"."""
        chance = self.chance
        percent = min(max(round(100 * chance), 1), 99) if 0 < chance < 1 else 100 * int(chance)
        return f"{counted(self.dice, 'die', 'dice')}, below {self.level}: {percent} %"


def role_of(box: Box, state: State, seat: Seat) -> Role:
    """Get the role of a seat that has chosen one."""
    return box.roles[state.players[seat - 1].role]


def scenario_of(state: State, seat: Seat) -> Scenario:
    """Get the scenario in which a seat's pawn stands."""
    return state.scenarios[state.players[seat - 1].scenario]


def attempt(box: Box, state: State, seat: Seat, colour: str) -> Attempt:
    """Work out a roll of a seat where it stands (I5, I6)."""
    player, role, scenario = state.players[seat - 1], role_of(box, state, seat), scenario_of(state, seat)
    gems = scenario.gems[player.collector]
    base = gems[COLOURS.index(colour)]
    if role.half:
        base = (base + 1) // 2
    helps = _helps(box, state, seat)
    dice = base + sum(one.dice for one in helps)
    bonus = player.dice if dice else 0
    level = scenario.responses[player.collector]
    if level != OFF:
        level = min(level + sum(one.level for one in helps), TOP_RESPONSE)
    return Attempt(colour, base, bonus, helps, min(dice + bonus, box.most_dice), level, box.sides)


def _helps(box: Box, state: State, seat: Seat) -> tuple[Help, ...]:
    """Collaboration bonuses: a die if a gem of that analyst's colour is there, or a level at some collectors."""
    me = state.players[seat - 1]
    gems, name = scenario_of(state, seat).gems[me.collector], COLLECTORS[me.collector]
    found = []
    for other in state.together(seat):
        role = role_of(box, state, other)
        die = int(bool(role.die) and gems[COLOURS.index(role.die)] > 0)
        level = int(name in role.levels)
        if die or level:
            found.append(Help(other, role.name, die, level))
    return tuple(found)


def met(box: Box, scenario: Scenario) -> bool:
    """Return whether a scenario's reports circle is filled."""
    return scenario.active and scenario.reports == box.need[scenario.card]


def uses(box: Box, state: State, seat: Seat, colour: str) -> tuple[str, ...]:
    """List what a report of a seat could be used for where it stands (6.3, I7)."""
    scenario, role, which = scenario_of(state, seat), role_of(box, state, seat), COLOURS.index(colour)
    wanted = scenario.reports[which] < box.need[scenario.card][which]
    found = [CIRCLE] if wanted and CIRCLE in role.uses else []
    return (*found, CRISIS) if scenario.crisis > box.crisis_floor and CRISIS in role.uses else tuple(found)


def can_roll(box: Box, state: State, seat: Seat, colour: str) -> bool:
    """Return whether a seat may roll for a colour where it stands: dice, a level, and a use for the report (I5, I7)."""
    if colour not in role_of(box, state, seat).colours or not uses(box, state, seat, colour):
        return False
    rolled = attempt(box, state, seat, colour)
    return rolled.dice > 0 and rolled.level >= 2
