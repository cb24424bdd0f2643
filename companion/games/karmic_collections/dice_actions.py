"""The section "Action Rules" of Karmic Collections: dice that are swapped and given. They keep their values (M8)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.karmic_collections.components import Components
from companion.games.karmic_collections.state import State
from companion.games.karmic_collections.steps import KarmicAction, move_die, next_step, without
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Seat, Verdict, at, illegal, inconsistent
from companion.rules.wording import all_of, any_of
from companion.text import t


class TakeDie(KarmicAction, frozen=True, tag="take-die", kw_only=True):
    """Take a die of this value of your karmic partner, in exchange for one of yours."""

    declared = Declared(t("Take a die in a swap"), "B", "Action Rules; M3, M8", ("take-die",))
    value: int

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[TakeDie]:
        return [cls(seat=state.turn, value=value) for value in sorted(set(state.players[state.partner - 1].dice))]

    def judge(self, components: Components, state: State) -> Verdict:
        """Swap: take a die from your karmic partner in exchange for one of your own."""
        return _judge_value(components, state.partner, state.players[state.partner - 1].dice, self.value)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return next_step(components, move_die(state, state.partner, self.seat, self.value), taken_die=self.value)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} takes a die showing {value} of {partner}.",
            seat=at(self.seat),
            value=self.value,
            partner=at(state.partner),
        )

    def label(self, components: Components, state: State) -> str:
        return t("a die showing {value}", value=self.value)


class GiveDie(KarmicAction, frozen=True, tag="give-die", kw_only=True):
    """A die of this value for your karmic partner: one that is due, or in exchange for the one taken."""

    declared = Declared(t("Give a die"), "B", "Action Rules; M3, M8", ("give-die", "return-die"))
    value: int

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[GiveDie]:
        return [cls(seat=state.turn, value=value) for value in sorted(set(_givable(state)))]

    def judge(self, components: Components, state: State) -> Verdict:
        """One of the dice you own; a swap doesn't hand back the die just taken (M3)."""
        mine = _givable(state)
        if self.value in state.players[self.seat - 1].dice and self.value not in mine:
            reason = t("the die showing {value} has just been taken in this swap", value=self.value)
            return illegal("M3", reason, t("Give one showing {values}.", values=any_of(map(str, sorted(set(mine))))))
        return _judge_value(components, self.seat, mine, self.value)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        return next_step(components, move_die(state, self.seat, state.partner, self.value), taken_die=0)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        return t(
            "{seat} gives {partner} a die showing {value}.",
            seat=at(self.seat),
            partner=at(state.partner),
            value=self.value,
        )

    def label(self, components: Components, state: State) -> str:
        return t("a die showing {value}", value=self.value)


def _givable(state: State) -> tuple[int, ...]:
    return without(state.players[state.turn - 1].dice, state.taken_die)


def _judge_value(components: Components, seat: Seat, dice: tuple[int, ...], value: int) -> Verdict:
    if value in dice:
        return LEGAL
    shown = all_of(map(str, sorted(set(dice))))
    reason = t("{seat} has no die showing {value}", seat=at(seat), value=value)
    if not 1 <= value <= components.sides:
        reason = t("no die shows {value}", value=value)
    return inconsistent("C9", reason, t("The dice of {seat} show {shown}.", seat=at(seat), shown=shown))
