"""Ten-sided dice in photographs: a few at the gate, all at night. `python -m benchmarks dice` counts them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from benchmarks.dice_outcomes import compared
from benchmarks.dice_photographs import load_photographs, read_photograph

FIXTURES = Path(__file__).parents[1] / "fixtures" / "photos"
PHOTOS = FIXTURES / "ten-sided-dice-rendered-1-72"
LATER = {
    "ten-sided-dice-rendered-101-120": (99, 91),
    "ten-sided-dice-rendered-121-140": (99, 88),
    "ten-sided-dice-rendered-141-165": (133, 118),
    "ten-sided-dice-rendered-166-195": (147, 129),
}
"""Later photographs, all in decent light and of type faces that nothing before had: dice, and how many are read."""
SHOTS = {shot.image: shot for shot in load_photographs(PHOTOS)}


@cache
def outcome_of(image):
    """Read a photograph, once for all tests."""
    return compared(SHOTS[image].dice, read_photograph(PHOTOS, SHOTS[image]))


def counts(outcomes):
    dice = [pair for outcome in outcomes for pair in outcome.dice]
    return len(dice), sum(value == die.value for die, value in dice), sum(outcome.wrong for outcome in outcomes)


@pytest.mark.parametrize(("image", "least"), [("12.jpg", 4), ("27.jpg", 5), ("30.jpg", 5)])
def test_what_is_read_in_decent_light_stays_so(image, least):
    """All of 5, 6 and 7 dice were read when the photographs were made; one may get lost, of 7 two."""
    _, right, wrong = counts([outcome_of(image)])
    assert wrong == 0
    assert right >= least


@pytest.mark.night
def test_how_many_are_read_in_all_photographs():
    """Floors a little below what was read when they were made (python -m benchmarks dice)."""
    decent = counts([outcome_of(image) for image, shot in SHOTS.items() if not shot.troubles])
    bad = counts([outcome_of(image) for image, shot in SHOTS.items() if shot.troubles])
    assert decent[0] == 113
    assert decent[1] >= 91
    assert decent[2] == 0
    assert bad[0] == 195
    assert bad[1] >= 145
    assert bad[2] <= 1


@pytest.mark.night
@pytest.mark.parametrize("folder", LATER)
def test_how_many_are_read_in_later_photographs(folder):
    shots = load_photographs(FIXTURES / folder)
    assert not any(shot.troubles for shot in shots)
    dice, right, wrong = counts([compared(shot.dice, read_photograph(FIXTURES / folder, shot)) for shot in shots])
    assert dice == LATER[folder][0]
    assert right >= LATER[folder][1]
    assert wrong == 0
