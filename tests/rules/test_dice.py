"""Dice in the rules: what a roll may show, and its odds."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from companion.rules.dice import chance_below, chance_of_unevenness, entered, rolled
from companion.rules.kernel import Need, Opened, Rolled, RuleError


@pytest.mark.parametrize(
    ("values", "said"),
    [((), "nothing"), ((3,), "the dice show 3; 2 dice"), ((1, 2, 3), "1, 2 and 3"), ((0, 4), "0"), ((4, 7), "7")],
)
def test_c9_dice_of_a_wrong_number_or_value_are_inconsistent(values: tuple[int, ...], said: str) -> None:
    with pytest.raises(RuleError) as caught:
        rolled((Rolled(place="dice", values=values),), "dice", 2, 6)
    assert caught.value.verdict.kind == "inconsistent"
    assert said in caught.value.verdict.reason
    assert caught.value.verdict.remedy == "Roll 2 dice with 6 sides."


def test_c9_a_ten_sided_die_that_shows_0_counts_10() -> None:
    assert rolled((Rolled(place="dice", values=(0, 10, 3)),), "dice", 3, 10) == (10, 10, 3)
    needs = (Need("dice", "rolled", "a ten-sided die", count=2, sides=10), Need("lot", "rolled", "a lot", sides=6))
    facts = (Rolled(place="dice", values=(0, 4)), Rolled(place="lot", values=(0,)), Opened(place="open", pieces=()))
    assert entered(needs, facts) == (Rolled(place="dice", values=(10, 4)), *facts[1:])


def test_c9_dice_that_nobody_rolled_are_missing() -> None:
    with pytest.raises(RuleError, match="not been rolled"):
        rolled((Rolled(place="elsewhere", values=(1,)),), "dice", 1, 6)


def test_what_fits_is_given_in_its_order() -> None:
    assert rolled((Rolled(place="dice", values=(6, 1)),), "dice", 2, 6) == (6, 1)


def test_four_dice_below_six_succeed_in_94_percent() -> None:
    """COLLECTION! 6.2, the example: Sarah rolls four dice at level 6."""
    assert chance_below(4, 6, 10) == Fraction(15, 16)


@pytest.mark.parametrize("sides", [6, 10])
def test_the_odds_are_those_of_all_rolls(sides: int) -> None:
    for dice, level in itertools.product(range(4), range(sides + 3)):
        rolls = list(itertools.product(range(1, sides + 1), repeat=dice))
        wins = sum(any(value < level for value in roll) for roll in rolls)
        assert chance_below(dice, level, sides) == Fraction(wins, len(rolls))


@pytest.mark.parametrize(
    ("sides", "x", "chance"),
    [
        (6, 11.070, 0.05),
        (6, 15.086, 0.01),
        (10, 16.919, 0.05),
        (10, 27.877, 0.001),
        (3, 5.991, 0.05),
        (5, 13.277, 0.01),
    ],
)
def test_unevenness_agrees_with_the_printed_tables(sides: int, x: float, chance: float) -> None:
    """Points of chi-square as any table has them; a million dice, two sides of which are off by the same."""
    expected = 1_000_000 / sides
    off = (x * expected / 2) ** 0.5
    counts = [expected] * sides
    counts[0] += off
    counts[1] -= off
    assert chance_of_unevenness(counts) == pytest.approx(chance, rel=0.002)  # type: ignore[arg-type]


def test_even_dice_and_no_dice_are_no_wonder() -> None:
    assert chance_of_unevenness([5] * 6) == 1.0
    assert chance_of_unevenness([0] * 6) == 1.0
    assert chance_of_unevenness([]) == 1.0
