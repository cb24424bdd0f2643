"""The section "Rolling for Reporting" (6.2): how many dice, below which level, who helps, and the chance of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from companion.games.collection.board import TOP_RESPONSE, with_player
from companion.games.collection.components import Components
from companion.games.collection.reports import use_words, used, uses
from companion.games.collection.state import CIRCLE, COLLECTORS, COLOURS, OFF, ROLLING, SCENARIOS, ReportToUse, State
from companion.games.collection.steps import TurnAction, standing_on, unknown_colour
from companion.rules.dice import chance_below, rolled
from companion.rules.dice import counted as dice_counted
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Need, Remark, Rolled, Seat, Verdict, at, fact_at, illegal
from companion.rules.wording import a, all_of, any_of, counted, vowel

LEAST_LEVEL = 2
"""The lowest level against which a roll can succeed: no die shows less than 1 (I5)."""

# ------------------------------------------------------------------------------------------------------ the dice; I5


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


def attempt(components: Components, state: State, seat: Seat, colour: str) -> Attempt:
    """Work out a roll of a seat where it stands (I5, I6)."""
    player = state.players[seat - 1]
    role, scenario = components.roles[player.role], state.scenarios[player.scenario]
    gems = scenario.gems[player.collector]
    base = gems[COLOURS.index(colour)]
    if role.half:
        base = (base + 1) // 2
    helps = _helps(components, state, seat)
    dice = base + sum(help_.dice for help_ in helps)
    bonus = player.dice if dice else 0
    level = scenario.responses[player.collector]
    if level != OFF:
        level = min(level + sum(help_.level for help_ in helps), TOP_RESPONSE)
    return Attempt(colour, base, bonus, helps, min(dice + bonus, components.most_dice), level, components.sides)


def _helps(components: Components, state: State, seat: Seat) -> tuple[Help, ...]:
    """Collaboration bonuses: a die if a gem of that analyst's colour is there, or a level at some collectors."""
    me = state.players[seat - 1]
    gems, name = state.scenarios[me.scenario].gems[me.collector], COLLECTORS[me.collector]
    found = []
    for other in state.together(seat):
        role = components.roles[state.players[other - 1].role]
        die = int(bool(role.die) and gems[COLOURS.index(role.die)] > 0)
        level = int(name in role.levels)
        if die or level:
            found.append(Help(other, role.name, die, level))
    return tuple(found)


def can_roll(components: Components, state: State, seat: Seat, colour: str) -> bool:
    """Return whether a seat may roll for a colour where it stands: dice, a level, and a use for the report (I5, I7)."""
    if colour not in components.roles[state.players[seat - 1].role].colours or not uses(
        components, state, seat, colour
    ):
        return False
    roll = attempt(components, state, seat, colour)
    return roll.dice > 0 and roll.level >= LEAST_LEVEL


# -------------------------------------------------------------------------------------------------------- the roll


class Roll(TurnAction, frozen=True, tag="roll", kw_only=True):
    """Roll for a report of a colour where you are. Needs Rolled at "dice"."""

    declared = Declared("Roll for reporting", "C", "6.2; I5, I6", ("act", "close"))
    colour: str

    @classmethod
    def offer(cls, components: Components, state: State, actions: tuple[Roll, ...]) -> str:
        odds = [f"{roll.colour} {odds_words(components, state, roll)}" for roll in actions]
        return f"{cls.declared.words}: {'; '.join(odds)}"

    @classmethod
    def lacking(cls, components: Components, state: State, seat: Seat) -> Verdict:
        """Return why not for the first colour of the role."""
        return cls(seat=seat, colour=components.roles[state.players[seat - 1].role].colours[0]).judge(components, state)

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Roll]:
        if not state.actions:
            return ()
        seat, colours = state.turn, components.roles[state.players[state.turn - 1].role].colours
        return [cls(seat=seat, colour=colour) for colour in colours if can_roll(components, state, seat, colour)]

    def judge(self, components: Components, state: State) -> Verdict:
        """Roll for a colour of your role, with dice, against a level of 2 or more, for a report of use (I5, I7)."""
        wrong = unknown_colour(self.colour)
        if wrong is not None:
            return wrong
        player, where = state.players[self.seat - 1], standing_on(state, self.seat)
        role = components.roles[player.role]
        if self.colour not in role.colours:
            reason = f"the {role.title} rolls for {all_of(role.colours)} reports, not for {self.colour} ones"
            return illegal(ROLLING, reason, f"Roll for {a(any_of(role.colours))} one.")
        roll = attempt(components, state, self.seat, self.colour)
        if roll.level == OFF:
            return illegal("I5", f"{where} is not on the response ladder", "Engage first.")
        if not roll.dice and player.dice:
            reason = f"there is no {self.colour} gem on {where}, and a card's bonus die can't stand alone"
            return illegal("I5", reason, "Engage first.")
        if not roll.dice:
            return illegal("I5", f"there is no {self.colour} gem on {where}, and no bonus die", "Engage first.")
        if roll.level < LEAST_LEVEL:
            return illegal(
                "I5", f"{where} responds at level {roll.level}, and no die shows less", "It takes 2 or more."
            )
        return LEGAL if uses(components, state, self.seat, self.colour) else self._no_use(components, state)

    def _no_use(self, components: Components, state: State) -> Verdict:
        player = state.players[self.seat - 1]
        role, scenario = components.roles[player.role], state.scenarios[player.scenario]
        lacks = f"scenario {SCENARIOS[player.scenario]} needs no {self.colour} report any more"
        if role.uses == (CIRCLE,):
            return illegal("I7", f"{lacks}, and the {role.title} can't reduce a crisis", "Do something else.")
        reason = (
            f"{lacks}, and its crisis is at {scenario.crisis}: reports reduce it from {components.crisis_floor + 1} on"
        )
        return illegal("I7", reason, "Do something else.")

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        roll = attempt(components, state, self.seat, self.colour)
        words = f"{counted(roll.dice, 'ten-sided die', 'ten-sided dice')}; a 0 is a 10"
        return (Need("dice", "rolled", words, count=roll.dice, sides=components.sides),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Any die below the level is a success; one report an action. A bonus die is used up, whatever comes of it.

        A report waits for its use, or is used at once where one use is possible (I7).
        """
        seat, roll = self.seat, attempt(components, state, self.seat, self.colour)
        values = rolled(facts, "dice", roll.dice, components.sides)
        player = replace(state.players[seat - 1], dice=0)
        state = replace(state, actions=state.actions - 1)
        if min(values) >= roll.level:
            return with_player(state, seat, player)
        state = with_player(state, seat, replace(player, reported=player.reported + 1))
        possible = uses(components, state, seat, self.colour)
        if len(possible) == 1:
            return used(components, state, seat, self.colour, possible[0])
        return replace(state, pending=(ReportToUse(self.colour),))

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        said = f"{at(self.seat)} rolls for {'an' if vowel(self.colour) else 'a'} {self.colour} report"
        if self.not_now(components, state, self.seat) or not self.judge(components, state).ok:
            return f"{said}."
        roll, fact = attempt(components, state, self.seat, self.colour), fact_at(facts, "dice")
        if not isinstance(fact, Rolled) or not fact.values:
            return f"{said} at {standing_on(state, self.seat)}: {odds_words(components, state, self)}."
        values = dice_counted(fact.values, roll.sides)
        dice = " ".join(map(str, values))
        if min(values) >= roll.level:
            return f"{said}: {dice}; none is below {roll.level}."
        possible = uses(components, state, self.seat, self.colour)
        use = f", used {use_words(state, self.seat, possible[0])}" if len(possible) == 1 else ""
        return f"{said}: {dice}; {min(values)} is below {roll.level}: a report{use}."

    def label(self, components: Components, state: State) -> str:
        return f"{self.colour}: {odds_words(components, state, self)}"

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        """Return the chance, who helped, and whether the roll gave a report (6.2, I6)."""
        tried = attempt(components, state, self.seat, self.colour)
        found = [Remark("rolls", self.seat, f"The chance was {tried.words}.")]
        found += [
            Remark("help", aid.seat, f"{at(aid.seat)} helps with {_gift(aid)}.", self.seat, aid.dice + aid.level)
            for aid in tried.helps
        ]
        fact = fact_at(facts, "dice")
        if isinstance(fact, Rolled) and any(value < tried.level for value in dice_counted(fact.values, tried.sides)):
            found.append(Remark("reports", self.seat, ""))
        return tuple(found)


def odds_words(components: Components, state: State, roll: Roll) -> str:
    """Describe the chance of a roll, and who helps: "4 dice, below 6: 94 % (a die from the military analyst)"."""
    tried = attempt(components, state, roll.seat, roll.colour)
    helps = [
        f"{all_of([*(['a die'] if aid.dice else []), *(['a level'] if aid.level else [])])} from {at(aid.seat)}"
        for aid in tried.helps
    ]
    return f"{tried.words} ({', '.join(helps)})" if helps else tried.words


def _gift(help_: Help) -> str:
    gifts = (["a die"] if help_.dice else []) + (["a level"] if help_.level else [])
    return " and ".join(gifts)
