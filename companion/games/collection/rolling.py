"""The section "Rolling for Reporting" (6.2): how many dice, below which level, who helps, and the chance of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from companion.games.collection.board import TOP_RESPONSE, with_player
from companion.games.collection.components import Components, Role
from companion.games.collection.reports import use_words, used, uses
from companion.games.collection.state import CIRCLE, COLLECTORS, COLOURS, OFF, ROLLING, SCENARIOS, ReportToUse, State
from companion.games.collection.steps import TurnAction, a_report, standing_on, unknown_colour
from companion.rules.dice import chance_below, counted, percent, rolled
from companion.rules.engine import Declared
from companion.rules.kernel import (
    LEGAL,
    Event,
    Facts,
    Need,
    Prospect,
    Remark,
    Rolled,
    Seat,
    Verdict,
    at,
    fact_at,
    illegal,
)
from companion.rules.wording import all_of, any_of, vowel
from companion.text import join, plural, t, word

LEAST_LEVEL = 2
"""The lowest level against which a roll can succeed: no die shows less than 1 (I5)."""


class Help(msgspec.Struct, frozen=True):
    """What another analyst on the same space adds to a roll (I6)."""

    seat: Seat
    role: str
    dice: int = 0
    level: int = 0


class Attempt(msgspec.Struct, frozen=True):
    """A roll as it would be now: `gems` that count, `bonus` dice of cards; `level` is OFF without a coin."""

    colour: str
    gems: int
    bonus: int
    helps: tuple[Help, ...]
    dice: int
    level: int
    sides: int

    @property
    def possible(self) -> bool:
        """Whether it can succeed at all."""
        return self.dice > 0 and self.level >= LEAST_LEVEL

    @property
    def chance(self) -> Fraction:
        return chance_below(self.dice, self.level, self.sides)

    @property
    def words(self) -> str:
        """The whole chance: "4 dice, below 6: 94 %"."""
        return t(
            "{dice}, below {level}: {percent} %",
            dice=plural("{count} die", "{count} dice", count=self.dice),
            level=self.level,
            percent=percent(self.chance),
        )


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
    """Return the collaboration bonuses: a die for a gem of that analyst's colour, or a level."""
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
    return attempt(components, state, seat, colour).possible


def roll_prospect(components: Components, state: State, seat: Seat, colour: str) -> Prospect:
    """Return what a roll would be: its gems, level and dice, and the chance, 0 where no roll is possible (I5)."""
    tried = attempt(components, state, seat, colour)
    if not tried.possible:
        return Prospect(chance=0.0)
    facts = [plural("level {level} · {count} die", "level {level} · {count} dice", count=tried.dice, level=tried.level)]
    if tried.gems:
        facts.insert(0, plural("{count} {colour} gem", "{count} {colour} gems", count=tried.gems, colour=word(colour)))
    return Prospect(join(" · ", facts), chance=float(tried.chance))


class Roll(TurnAction, frozen=True, tag="roll", kw_only=True):
    """Roll for a report of a colour where you are. Needs Rolled at "dice"."""

    declared = Declared(t("Roll for reporting"), "C", "6.2; I5, I6", ("act", "close"))
    colour: str

    @classmethod
    def offer(cls, components: Components, state: State, actions: tuple[Roll, ...]) -> str:
        odds = (
            t("{colour} {odds}", colour=word(roll.colour), odds=odds_words(components, state, roll)) for roll in actions
        )
        return t("{what}: {odds}", what=cls.declared.words, odds=join("; ", odds))

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
            return self._not_of(role)
        roll = attempt(components, state, self.seat, self.colour)
        if roll.level == OFF:
            return illegal("I5", t("{place} is not on the response ladder", place=where), t("Engage first."))
        if not roll.dice and player.dice:
            reason = t(
                "there is no {colour} gem on {place}, and a card's bonus die can't stand alone",
                colour=word(self.colour),
                place=where,
            )
            return illegal("I5", reason, t("Engage first."))
        if not roll.dice:
            reason = t("there is no {colour} gem on {place}, and no bonus die", colour=word(self.colour), place=where)
            return illegal("I5", reason, t("Engage first."))
        if roll.level < LEAST_LEVEL:
            reason = t("{place} responds at level {level}, and no die shows less", place=where, level=roll.level)
            return illegal("I5", reason, t("It takes 2 or more."))
        return LEGAL if uses(components, state, self.seat, self.colour) else self._no_use(components, state)

    def _not_of(self, role: Role) -> Verdict:
        reason = t(
            "the {role} rolls for {colours} reports, not for {colour} ones",
            role=role.title,
            colours=all_of(map(word, role.colours)),
            colour=word(self.colour),
        )
        colours = any_of(map(word, role.colours))
        if vowel(colours):
            return illegal(ROLLING, reason, t("Roll for an {colours} one.", colours=colours))
        return illegal(ROLLING, reason, t("Roll for a {colours} one.", colours=colours))

    def _no_use(self, components: Components, state: State) -> Verdict:
        player = state.players[self.seat - 1]
        role, scenario = components.roles[player.role], state.scenarios[player.scenario]
        letter, colour = SCENARIOS[player.scenario], word(self.colour)
        if role.uses == (CIRCLE,):
            reason = t(
                "scenario {scenario} needs no {colour} report any more, and the {role} can't reduce a crisis",
                scenario=letter,
                colour=colour,
                role=role.title,
            )
        else:
            reason = t(
                "scenario {scenario} needs no {colour} report any more, and its crisis is at {crisis}: "
                "reports reduce it from {least} on",
                scenario=letter,
                colour=colour,
                crisis=scenario.crisis,
                least=components.crisis_floor + 1,
            )
        return illegal("I7", reason, t("Do something else."))

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        roll = attempt(components, state, self.seat, self.colour)
        words = plural("{count} ten-sided die; a 0 is a 10", "{count} ten-sided dice; a 0 is a 10", count=roll.dice)
        return (Need("dice", "rolled", words, count=roll.dice, sides=components.sides),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        """Any die below the level gives one report; a bonus die is used up, whatever comes of it (I7)."""
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
        who, report = at(self.seat), a_report(self.colour)
        if self.not_now(components, state, self.seat) or not self.judge(components, state).ok:
            return t("{who} rolls for {report}.", who=who, report=report)
        roll, fact = attempt(components, state, self.seat, self.colour), fact_at(facts, "dice")
        if not isinstance(fact, Rolled) or not fact.values:
            place, odds = standing_on(state, self.seat), odds_words(components, state, self)
            return t("{who} rolls for {report} at {place}: {odds}.", who=who, report=report, place=place, odds=odds)
        values = counted(fact.values, roll.sides)
        dice, level, least = " ".join(map(str, values)), roll.level, min(values)
        if least >= level:
            return t(
                "{who} rolls for {report}: {dice}; none is below {level}.",
                who=who,
                report=report,
                dice=dice,
                level=level,
            )
        possible = uses(components, state, self.seat, self.colour)
        if len(possible) > 1:
            return t(
                "{who} rolls for {report}: {dice}; {least} is below {level}: a report.",
                who=who,
                report=report,
                dice=dice,
                least=least,
                level=level,
            )
        return t(
            "{who} rolls for {report}: {dice}; {least} is below {level}: a report, used {use}.",
            who=who,
            report=report,
            dice=dice,
            least=least,
            level=level,
            use=use_words(state, self.seat, possible[0]),
        )

    def label(self, components: Components, state: State) -> str:
        return t("{colour}: {odds}", colour=word(self.colour), odds=odds_words(components, state, self))

    def prospect(self, components: Components, state: State) -> Prospect:
        """Return the level and the chance: the button says the dice and the colour already."""
        tried = attempt(components, state, self.seat, self.colour)
        return Prospect(t("level {level}", level=tried.level), chance=float(tried.chance))

    def remarks(self, components: Components, state: State, facts: Facts) -> tuple[Remark, ...]:
        """Return the chance, who helped, and whether the roll gave a report (6.2, I6)."""
        tried = attempt(components, state, self.seat, self.colour)
        found = [Remark(t("rolls"), self.seat, t("The chance was {chance}.", chance=tried.words))]
        found += [Remark(t("help"), aid.seat, _helping(aid), self.seat, aid.dice + aid.level) for aid in tried.helps]
        fact = fact_at(facts, "dice")
        if isinstance(fact, Rolled) and any(value < tried.level for value in counted(fact.values, tried.sides)):
            found.append(Remark(t("reports"), self.seat, ""))
        return tuple(found)

    def told(self, components: Components, state: State, event: Event) -> Event:
        """Return the event with what the dice were made of, and what a report may be used for (6.2, 6.3, I7)."""
        if event.cast is None:
            return event
        tried = attempt(components, state, self.seat, self.colour)
        values = counted(event.cast.values, tried.sides)
        place, got = standing_on(state, self.seat), min(values) < tried.level
        names = [use_words(state, self.seat, use) for use in uses(components, state, self.seat, self.colour)]
        cast = replace(
            event.cast,
            values=values,
            threshold=tried.level,
            helpers=tuple(aid.seat for aid in tried.helps),
            words=t("{place} · {count} × {colour}", place=place, count=tried.gems, colour=word(self.colour)),
            uses=tuple(names) if got else (),
        )
        rolls = t("{who} rolls for {report}.", who=at(self.seat), report=a_report(self.colour))
        return replace(event, words=rolls, cast=cast, change=t("One report") if got else t("No report"), more="")


def odds_words(components: Components, state: State, roll: Roll) -> str:
    """Describe the chance of a roll, and who helps: "4 dice, below 6: 94 % (a die from the military analyst)"."""
    tried = attempt(components, state, roll.seat, roll.colour)
    if not tried.helps:
        return tried.words
    return t("{chance} ({helps})", chance=tried.words, helps=join(", ", map(_help_from, tried.helps)))


def _help_from(help_: Help) -> str:
    seat = at(help_.seat)
    if help_.dice and help_.level:
        return t("a die and a level from {seat}", seat=seat)
    return t("a die from {seat}", seat=seat) if help_.dice else t("a level from {seat}", seat=seat)


def _helping(help_: Help) -> str:
    seat = at(help_.seat)
    if help_.dice and help_.level:
        return t("{seat} helps with a die and a level.", seat=seat)
    return t("{seat} helps with a die.", seat=seat) if help_.dice else t("{seat} helps with a level.", seat=seat)
