"""Dice in the rules: what a roll may show (C9), and how likely it is to succeed. Nothing here rolls them (C6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from companion.rules.kernel import Facts, Need, Rolled, RuleError, fact_at
from companion.rules.wording import all_of
from companion.text import t

SHOWS_ZERO = 10
"""A die with so many sides shows 0 for its highest value (C9)."""


def counted(values: Sequence[int], sides: int) -> tuple[int, ...]:
    """Return what dice count that show these values: a ten-sided die that shows 0 counts 10 (C9)."""
    return tuple(sides if value == 0 and sides == SHOWS_ZERO else value for value in values)


def percent(chance: Fraction | float) -> int:
    """Return a chance of 0 to 1 as a whole percentage: what is possible has at least 1, what is not sure at most 99."""
    return min(max(round(100 * chance), 1), 99) if 0 < chance < 1 else 100 * int(chance)


def entered(needs: tuple[Need, ...], facts: Facts) -> Facts:
    """Return facts that were entered for these needs, with dice as they count."""
    sides = {need.place: need.sides for need in needs}
    return tuple(
        replace(fact, values=counted(fact.values, sides.get(fact.place, 0))) if isinstance(fact, Rolled) else fact
        for fact in facts
    )


def rolled(facts: Facts, place: str, count: int, sides: int) -> tuple[int, ...]:
    """Return the values of a place's dice: `count` of 1 to `sides`; RuleError if they don't fit (C9)."""
    fact = fact_at(facts, place)
    dice = t("one die") if count == 1 else t("{count} dice", count=count)
    remedy = t("Roll {dice} with {sides} sides.", dice=dice, sides=sides)
    if not isinstance(fact, Rolled):
        raise RuleError.inconsistent("C9", t("the dice have not been rolled"), remedy)
    values = counted(fact.values, sides)
    if len(values) != count or not all(1 <= value <= sides for value in values):
        shown = all_of(map(str, fact.values)) or t("nothing")
        each = (
            t("{dice} shows 1 to {sides}", dice=dice, sides=sides)
            if count == 1
            else t("{dice} show 1 to {sides} each", dice=dice, sides=sides)
        )
        raise RuleError.inconsistent("C9", t("the dice show {shown}; {each}", shown=shown, each=each), remedy)
    return values


def chance_below(dice: int, level: int, sides: int) -> Fraction:
    """Return the chance that at least one of `dice` fair dice with `sides` sides shows less than `level`."""
    each = Fraction(min(max(level - 1, 0), sides), sides)
    return 1 - (1 - each) ** dice


def chance_of_unevenness(counts: Sequence[int]) -> float:
    """Return the chance that fair dice come out at least as uneven as these counts of each side (chi-square test).

    The closed form of the distribution's tail: Abramowitz and Stegun, 26.4.4 and 26.4.5. Without dice, or with one
    side, it is 1.
    """
    dice, freedom = sum(counts), len(counts) - 1
    if dice == 0 or freedom < 1:
        return 1.0
    expected = dice / len(counts)
    x = sum((count - expected) ** 2 / expected for count in counts)
    if freedom % 2 == 0:
        term = total = 1.0
        for i in range(1, freedom // 2):
            term *= x / (2 * i)
            total += term
        return min(1.0, math.exp(-x / 2) * total)
    term, total = math.sqrt(2 * x / math.pi), 0.0
    for i in range(1, (freedom + 1) // 2):
        total += term
        term *= x / (2 * i + 1)
    return min(1.0, math.erfc(math.sqrt(x / 2)) + math.exp(-x / 2) * total)
