"""What is learned of a set of dice, and what it changes: more is read of dice of that look, nothing of others."""

from __future__ import annotations

import pytest

from benchmarks.dice_outcomes import compared, truth_of
from benchmarks.dice_scenes import Tray, photographed, tray_mat
from benchmarks.numerals import TUNING_FACES
from benchmarks.rolled_sets import changed, rolls_of_sets
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.sets import KEPT, LEAST, DiceSet, Look
from companion.eye.view import DiceSeen
from tests.nights import at_night


def looks(count: int, size: float = 16.0, tone: float = 0.8, start: float = 0.0) -> list[Look]:
    """Return dice of one look at places of their own."""
    return [Look(size, tone, start + 20.0 * n, 50.0, 1 + n % 6) for n in range(count)]


def test_a_size_is_known_once_it_was_read_often_enough() -> None:
    known = DiceSet()
    known.learn(looks(LEAST - 1))
    assert known.sizes() == []
    assert not known.knows(16.0, 0.8)
    known.learn(looks(1, start=300.0))
    assert known.sizes() == [16.0]
    assert known.knows(16.2, 0.9)


def test_a_die_that_still_lies_where_it_was_read_counts_once() -> None:
    known = DiceSet()
    for _ in range(10):
        known.learn(looks(LEAST - 1))
    assert known.sizes() == []


@pytest.mark.parametrize(("size", "tone"), [(18.0, 0.8), (14.0, 0.8), (16.0, 0.2), (16.0, 1.4)])
def test_dice_of_another_size_or_tone_are_not_known(size: float, tone: float) -> None:
    known = DiceSet()
    known.learn(looks(10))
    assert not known.knows(size, tone)


def test_two_sets_are_known_beside_each_other_and_the_larger_one_comes_first() -> None:
    known = DiceSet()
    known.learn([*looks(4, 12.0, 0.2), *looks(6, 18.0, 1.2, start=200.0)])
    assert known.sizes() == [18.0, 12.0]
    assert not known.knows(12.0, 1.2), "the size of one set in the tone of the other is neither"


def test_a_set_that_is_no_longer_rolled_is_forgotten() -> None:
    known = DiceSet()
    known.learn(looks(10, 12.0))
    known.learn(looks(KEPT, 18.0, start=500.0))
    assert known.sizes() == [18.0]
    assert not known.knows(12.0, 0.8)


def read(scene: Tray, known: DiceSet | None) -> DiceSeen:
    shot = photographed(scene)
    reader = DiceReader(tray_mat(scene.zone.rect.x, scene.zone.rect.y))
    return reader.read(shot.gray, shot.calibration, scene.zone, known)


def right(scene: Tray, seen: DiceSeen) -> int:
    """Return how many dice were read rightly; none may be wrong."""
    outcome = compared((truth_of(die, scene) for die in scene.dice), seen)
    assert outcome.wrong == 0
    return sum(value is not None for _, value in outcome.dice)


def learned(rolls: tuple[Tray, ...]) -> DiceSet:
    known = DiceSet()
    for scene in rolls:
        read(scene, known)
    return known


@pytest.mark.parametrize(("sides", "number", "roll"), [(6, 45, 3), *at_night((10, 21, 2))])
@pytest.mark.night
def test_of_a_set_that_was_rolled_before_more_is_read(sides: int, number: int, roll: int) -> None:
    (rolls,) = rolls_of_sets("tuning sets", sides, range(number, number + 1), TUNING_FACES)
    plain, knowing = read(rolls[roll], None), read(rolls[roll], learned(rolls[:2]))
    assert right(rolls[roll], knowing) > right(rolls[roll], plain)
    assert knowing.unread <= plain.unread


@pytest.mark.parametrize("sides", [6, 10])
@pytest.mark.night
def test_dice_of_another_set_are_read_as_if_none_were_known(sides: int) -> None:
    known = DiceSet()
    known.learn(looks(12, 16.6, 2.5))
    (rolls,) = rolls_of_sets("tuning sets", sides, range(7, 8), TUNING_FACES)
    assert read(rolls[0], known) == read(rolls[0], None)


def test_a_changed_set_lies_in_the_same_tray_and_light() -> None:
    one, other = rolls_of_sets("tuning sets", 10, range(1, 3), TUNING_FACES)
    both = changed(one, other)
    assert len(both) == len(one)
    assert both[:5] == one[:5]
    assert all(scene.zone == one[0].zone and scene.felt == one[0].felt for scene in both)
    assert {die.body for die in both[-1].dice} <= {die.body for scene in other for die in scene.dice}
