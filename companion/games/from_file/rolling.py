"""Dice: rolled up to so many times a turn, some of them kept, then a box is filled."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from companion.games.from_file import flow
from companion.games.from_file.components import Components
from companion.games.from_file.laying import FileAction
from companion.games.from_file.scoring import Table, scored
from companion.games.from_file.state import State, playing
from companion.rules.dice import rolled
from companion.rules.engine import Declared
from companion.rules.kernel import LEGAL, Facts, Need, Seat, Verdict, at, fact_at, illegal, inconsistent
from companion.rules.wording import all_of
from companion.text import t

PLACE = "dice"


class DiceAction(FileAction, frozen=True, kw_only=True):
    """Something that the seat does whose turn it is."""

    @classmethod
    def listed(cls, components: Components, state: State) -> bool:
        return components.score.dice is not None

    @classmethod
    def not_now(cls, components: Components, state: State, seat: Seat) -> Verdict | None:
        wrong = super().not_now(components, state, seat)
        if wrong is None and seat != state.now.turn:
            turn = at(state.now.turn)
            return illegal("dice", t("it is the turn of {seat}", seat=turn), t("Wait for {who}.", who=turn))
        return wrong


class Roll(DiceAction, frozen=True, tag="roll", kw_only=True):
    """Roll the dice, all but those that are kept."""

    declared = Declared(t("Roll the dice"), "C", "dice", ("dice",))
    keep: tuple[int, ...] = ()

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Roll]:
        dice, now = components.score.dice, state.now
        if dice is None or now.rolls >= dice.rolls:
            return
        if not now.dice:
            yield cls(seat=now.turn)
            return
        for size in range(len(now.dice)):
            for keep in sorted(set(combinations(now.dice, size))):
                yield cls(seat=now.turn, keep=keep)

    def judge(self, components: Components, state: State) -> Verdict:
        """So many rolls a turn; only what lies there can be kept, and at least one die is rolled."""
        dice, now = components.score.dice, state.now
        if dice is None or now.rolls >= dice.rolls:
            return illegal("dice", t("the dice were rolled {count} times", count=now.rolls), t("Fill a box."))
        left = list(now.dice)
        for value in self.keep:
            if value not in left:
                reason = t("no {value} lies there to be kept", value=value)
                return inconsistent("dice", reason, t("Keep what the dice show."))
            left.remove(value)
        if self.keep != tuple(sorted(self.keep)) or (now.dice and not left):
            return illegal("dice", t("all dice are kept"), t("Roll at least one, or fill a box."))
        return LEGAL

    def needs(self, components: Components, state: State) -> tuple[Need, ...]:
        dice = components.score.dice
        if dice is None:
            return ()
        count = dice.count - len(self.keep)
        words = t("one die") if count == 1 else t("{count} dice", count=count)
        return (Need(PLACE, "rolled", words, count=count, sides=dice.sides),)

    def play(self, components: Components, state: State, facts: Facts) -> State:
        need = self.needs(components, state)[0]
        values = rolled(facts, PLACE, need.count, need.sides)
        return playing(state, dice=tuple(sorted((*self.keep, *values))), rolls=state.now.rolls + 1)

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        seat, kept = at(self.seat), all_of(map(str, self.keep))
        fact = fact_at(facts, PLACE)
        rolled = all_of(map(str, fact.values)) if fact is not None and hasattr(fact, "values") else ""
        if kept and rolled:
            return t("{seat} keeps {kept} and rolls {rolled}.", seat=seat, kept=kept, rolled=rolled)
        if kept:
            return t("{seat} keeps {kept} and rolls.", seat=seat, kept=kept)
        return t("{seat} rolls {rolled}.", seat=seat, rolled=rolled) if rolled else t("{seat} rolls.", seat=seat)

    def label(self, components: Components, state: State) -> str:
        return t("Keep {dice}", dice=" ".join(map(str, self.keep))) if self.keep else t("Roll all")


class Fill(DiceAction, frozen=True, tag="fill", kw_only=True):
    """Fill a box with what the dice are worth there."""

    declared = Declared(t("Fill a box"), "C", "dice", ("dice",))
    box: str

    @classmethod
    def options(cls, components: Components, state: State) -> Iterable[Fill]:
        if not state.now.dice:
            return
        filled = state.now.boxes[state.now.turn - 1]
        for block, value in zip(components.boxes, filled, strict=True):
            if value is None:
                yield cls(seat=state.now.turn, box=block.name)

    def judge(self, components: Components, state: State) -> Verdict:
        """Each box is filled once, after at least one roll."""
        names = [block.name for block in components.boxes]
        if self.box not in names:
            return inconsistent(
                "dice", t("there is no box {box!r}", box=self.box), t("Choose one that the page offers.")
            )
        if not state.now.dice:
            return illegal("dice", t("the dice have not been rolled"), t("Roll first."))
        if state.now.boxes[self.seat - 1][names.index(self.box)] is not None:
            return illegal("dice", t("that box is filled already"), t("Choose another one."))
        return LEGAL

    def play(self, components: Components, state: State, facts: Facts) -> State:
        names = [block.name for block in components.boxes]
        boxes = [list(row) for row in state.now.boxes]
        boxes[self.seat - 1][names.index(self.box)] = self.value(components, state)
        after = playing(state, boxes=tuple(map(tuple, boxes)), dice=(), rolls=0, turn=state.after(self.seat))
        return flow.close(components, after) if all(None not in row for row in boxes) else after

    def value(self, components: Components, state: State) -> int:
        table = Table(1, dice=state.now.dice)
        return scored(components.score, components.faces, table, dict(state.options)).blocks.get(self.box, (0,))[0]

    def describe(self, components: Components, state: State, facts: Facts = ()) -> str:
        box, value = _title(components, self.box), self.value(components, state)
        return t("{seat} fills {box}: {value}.", seat=at(self.seat), box=box, value=value)

    def label(self, components: Components, state: State) -> str:
        return t("{box}: {value}", box=_title(components, self.box), value=self.value(components, state))


def _title(components: Components, box: str) -> str:
    return next((block.says or block.name for block in components.boxes if block.name == box), box)
