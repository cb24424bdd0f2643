"""The figures of ten-sided dice: decent light apart from bad, wrong readings against what is allowed."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest

from benchmarks import rolled_sets
from benchmarks.dice import FIRST_TEN, rendered_rows
from benchmarks.dice_outcomes import Outcome, TrueDie, only, truth_of
from benchmarks.dice_scenes import cocked, photographed, photographs_of, ten_sided, ten_sided_tray
from benchmarks.numerals import JUDGING_FACES
from benchmarks.rolled_sets import set_rows
from benchmarks.ten_sided_learning import ten_sided_learning_tray
from companion.bench.conditions import generator
from companion.sim.ten_sided import TenSided


@pytest.mark.night
def test_rows_say_decent_and_bad_light_apart_and_hold_what_is_asked_for():
    rows = {row.what: row for row in rendered_rows(ten_sided(JUDGING_FACES), 12, FIRST_TEN)}
    every = rows["all rendered"]
    assert rows["decent light"].figures["dice"] + rows["bad light"].figures["dice"] == every.figures["dice"] >= 12
    assert every.budget.limit == 0.001
    assert every.figures["right_share"] > 0.2
    assert every.figures["bound_ppm"] > 0
    parts = [rows[f"decent, {face}"].figures["dice"] for face in JUDGING_FACES]
    assert sum(parts) == rows["decent light"].figures["dice"]
    assert rows["decent, 12 to 14 mm"].figures["dice"] + rows["decent, 16 to 19 mm"].figures["dice"] == sum(parts)


def test_of_some_of_a_scene_s_dice_only_these_count():
    scene = ten_sided_tray(generator("test", "ten-sided dice", 1), 1, JUDGING_FACES)
    truth = tuple((TrueDie(die.x, die.y, die.side, die.value), die.value) for die in scene.dice)
    small = only(Outcome(truth, (7,), True), lambda die: die is truth[0][0])
    assert small == Outcome(truth[:1], (), False)


@pytest.mark.night
def test_pictures_of_a_still_tray_differ_by_noise_alone():
    scene = ten_sided_tray(generator("test", "ten-sided dice", 2), 2, JUDGING_FACES)
    first, second = (shot.gray.astype(float) for shot in islice(photographs_of(scene), 2))
    assert (first == photographed(scene).gray).all()
    differs = (first - second)[(first != 128) | (second != 128)]
    assert 0.5 < differs.std() < 2 * scene.noise
    assert abs(differs.mean()) < 0.2


@pytest.mark.night
def test_a_tray_to_learn_from_says_which_kites_are_no_tops():
    flat, dice = ten_sided_learning_tray(3)
    again, same = ten_sided_learning_tray(3)
    assert dice == same
    assert np.array_equal(flat, again)
    for die in dice:
        away = [math.hypot(x - die.x, y - die.y) / die.size for x, y, _, _ in die.others]
        assert len(away) >= 2
        assert all(0.3 < far < 1.5 for far in away)
        assert all(long > 0 for _, _, long, _ in die.others)


@pytest.mark.parametrize(
    ("lean", "right", "wrong"),
    [(0.0, {5}, {9, 1}), (20.0, {5}, {9, 1}), (30.0, {5, 9}, {1, 4}), (40.0, {9}, {5, 1})],
)
def test_of_a_leaning_die_what_lies_uppermost_is_right_and_of_two_faces_as_high_either(
    lean: float, right: set[int], wrong: set[int]
):
    scene = ten_sided_tray(generator("test", "ten-sided dice", 1), 1, JUDGING_FACES)
    truth = truth_of(TenSided(300.0, 200.0, 0.0, 16.0, 5, lean=lean, uphill=30.0), scene)
    assert all(truth.shows(value) for value in right)
    assert not any(truth.shows(value) for value in (*wrong, None))


def test_in_each_scene_of_leaning_dice_one_leans():
    for scene in cocked("test", 3, 5, ten_sided(JUDGING_FACES)):
        assert sum(8 <= die.lean <= 45 for die in scene.dice) == sum(die.lean > 0 for die in scene.dice) == 1


@pytest.mark.night
def test_rows_of_a_set_say_what_was_read_at_first_and_later_with_what_was_learned_and_without(monkeypatch):
    monkeypatch.setattr(rolled_sets, "ROLLS", 4)
    first, later, plain = set_rows(6, 1)
    assert first.figures["trays"] == later.figures["trays"] == plain.figures["trays"] == 1
    assert later.figures["dice"] == plain.figures["dice"] > 0
    assert later.figures["right"] >= plain.figures["right"]
    assert later.figures["wrong"] == plain.figures["wrong"] == 0
