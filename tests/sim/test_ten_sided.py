"""Ten-sided dice as they are drawn: their shape, their numerals, and how they fall in a tray."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from benchmarks.dice_scenes import ten_sided_tray
from benchmarks.numerals import JUDGING_FACES, LEARNED_FACES, TUNING_FACES
from companion import games
from companion.bench.conditions import generator
from companion.sim.camera_stage import MOST_DICE, TableStage
from companion.sim.dice import Shine
from companion.sim.table import SimTable
from companion.sim.ten_sided import TenSided, _faces, paint_die, shade_die
from companion.table.stages import camera_stages


@pytest.mark.parametrize("sharp", [0.88, 1.0, 1.14])
def test_it_rests_on_a_face_and_the_opposite_one_is_level_on_top(sharp):
    die = TenSided(100.0, 80.0, 40.0, 16.0, 7, sharp=sharp)
    points, kites = die.vertices()
    assert np.allclose(points[list(kites[0]), 2], 16.0)
    assert np.allclose(points[list(kites[5]), 2], 0.0, atol=1e-9)
    assert all(
        np.allclose(points[list(a)].mean(0) + points[list(b)].mean(0), (200, 160, 16)) for a, b in opposite(kites)
    )
    tip = points[kites[0][0], :2] - (100.0, 80.0)
    assert math.degrees(math.atan2(tip[1], tip[0])) == pytest.approx(40.0)


def opposite(kites):
    return [(kites[n], kites[n + 5]) for n in range(5)]


@pytest.mark.parametrize("value", range(1, 11))
def test_it_shows_its_value_on_top_and_opposite_numerals_add_up_to_nine(value):
    numerals = TenSided(0.0, 0.0, 0.0, 16.0, value, ahead=value).numerals()
    assert numerals[0] == value % 10
    assert sorted(numerals) == list(range(10))
    assert all(numerals[n] + numerals[n + 5] == 9 for n in range(5))


def drawn(die):
    patch = np.full((160, 160), 100.0, np.float32)

    def project(points, z):
        return np.asarray(points, np.float64) * 4.0

    shade_die(patch, die, project, Shine())
    paint_die(patch, die, project, Shine(), 1)
    return patch


def test_marks_tell_a_6_from_a_9_and_without_them_they_are_the_same_upside_down():
    def top(value, mark):
        return drawn(TenSided(20.0, 20.0, 270.0, 20.0, value, mark=mark, upright=value == 6))[70:95, 65:95]

    assert np.abs(top(6, "") - top(9, "")).mean() < 6
    assert np.abs(top(6, "bar") - top(9, "bar")).mean() > 12


def test_nobody_is_judged_by_type_faces_that_were_learned():
    assert (len(LEARNED_FACES), len(TUNING_FACES), len(JUDGING_FACES)) == (23, 2, 3)
    faces = {*LEARNED_FACES, *TUNING_FACES, *JUDGING_FACES}
    assert len(faces) == 28
    assert {name.split(".")[0] for name in _faces()} == faces


def test_a_scene_is_the_same_each_time_and_its_dice_lie_in_the_tray():
    first, again = (ten_sided_tray(generator("test", "ten-sided dice", 3), 3, JUDGING_FACES) for _ in range(2))
    assert first == again
    r = first.zone.rect
    assert all(r.holds(die.x, die.y) for die in first.dice)
    assert {die.face for die in first.dice} <= set(JUDGING_FACES)


class Stage(TableStage):
    def _step(self):
        self.table.advance(0.1)

    def _resting(self):
        return True


@pytest.mark.parametrize("count", [1, 4, MOST_DICE])
def test_ten_sided_dice_are_thrown_into_collection_s_tray_or_there_is_no_room(count):
    mat = games.load_mat("collection", 5)
    stage = Stage(SimTable(), mat, lambda view: None)
    values = tuple(range(1, count + 1))
    done = stage.throw(values)
    assert done or count == MOST_DICE
    dice = stage.table.look().dice
    assert sorted(die.value for die in dice) == (list(values) if done else [])
    for die in dice:
        assert isinstance(die, TenSided)
        assert all(mat.tray.rect.holds(x, y) for x, y in die.corners())
    assert not stage.throw((1,) * (MOST_DICE + 1))


class Nobody:
    """Who sees what the camera sees, and says nothing."""

    view = None

    def on_view(self, view):
        self.view = view

    def on_tick(self, time):
        pass


@pytest.mark.night
def test_ten_sided_dice_in_collection_s_tray_are_read_through_the_camera():
    watcher, values = Nobody(), (2, 6, 9, 10)
    stage = camera_stages(games.load("collection"), games.load_mat("collection", 4), False)(watcher, random.Random(7))
    assert stage.throw(values)
    for _ in range(3):
        stage.rest()
    (seen,) = watcher.view.dice
    assert seen.sides == 10
    assert seen.values == values
    assert seen.certainty == "sure"
