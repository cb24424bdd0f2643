"""Photographs of trays with ten-sided dice: what is laid, the dice's mesh, and how readings of them are counted."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.dice_outcomes import Outcome, TrueDie
from benchmarks.dice_photographs import (
    TEN_SIDED,
    DicePhotograph,
    load_photographs,
    photograph_rows,
    ten_sided_rows,
)
from benchmarks.numerals import FACES
from companion.bench.figures import BenchError
from companion.sim.ten_sided import TenSided
from tests.photography.dice_studio import Solid
from tests.photography.dice_trays import INK_APART, level, mirrored
from tests.photography.ten_sided import FONTS, LATER, LATER_FONTS, scene, top
from tests.photography.ten_sided_studio import add_die, truth_of

FIXTURES = Path(__file__).parents[1] / "fixtures" / "photos"
PHOTOS = FIXTURES / "ten-sided-dice-rendered-1-72"


def volume(solid):
    corners = np.concatenate(solid.corners).reshape(-1, 3, 3)
    return float(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def meshed(die, edge):
    solid = Solid()
    add_die(solid, die, 0, 1, edge)
    return solid


def test_a_rounded_die_is_a_closed_body_a_little_smaller_than_a_sharp_one():
    die = TenSided(100.0, 50.0, 40.0, 16.0, 3)
    sharp, rounded = volume(meshed(die, 1e-6)), volume(meshed(die, 0.05))
    # as many pyramids as faces, each with a kite below and its tip in the middle
    points, kites = die.vertices()
    kite = points[list(kites[0])]
    area = 0.5 * np.linalg.norm(np.cross(kite[2] - kite[0], kite[3] - kite[1]))
    assert math.isclose(sharp, 10 * area * die.side / 2 / 3, rel_tol=1e-3)
    assert 0.9 * sharp < rounded < 0.995 * sharp


def test_a_die_rests_on_a_face_and_the_one_on_top_is_level():
    solid = meshed(TenSided(100.0, 50.0, 40.0, 16.0, 3), 0.05)
    corners = np.concatenate(solid.corners)
    assert math.isclose(corners[:, 2].min(), 0, abs_tol=1e-6)
    assert math.isclose(corners[:, 2].max(), 16.0, abs_tol=1e-6)
    flat = np.concatenate(solid.normals)[corners[:, 2] > 16.0 - 1e-6]
    assert len(flat) >= 6
    assert (flat[:, 2] > 0.999).all()


@pytest.mark.night
def test_a_third_is_in_decent_light_and_opposite_faces_add_up_to_nine():
    scenes = [scene(number) for number in range(1, 73)]
    assert [laid.number for laid in scenes if not laid.troubles] == list(range(3, 73, 3))
    assert sum(len(laid.dice) for laid in scenes) >= 250
    for laid in scenes:
        assert ("tilt" in laid.troubles) == (laid.camera.tilt > 20)
        assert sum(die.lean > 0 for die in laid.dice) == ("lean" in laid.troubles)
        for die, look in zip(laid.dice, laid.looks, strict=True):
            assert 12 <= die.side <= 19
            assert abs(level(look.body) - level(look.ink)) > INK_APART
            shown = die.numerals()
            assert sorted(shown) == list(range(10))
            assert all(a + b == 9 for a, b in zip(shown[:5], shown[5:], strict=True))
    for laid in scenes[2::3]:
        assert laid.camera.exposure >= -1
        assert not any(
            mirrored(laid.camera, top(die), lamp, laid.gloss) for die in laid.dice for lamp in laid.light.lamps
        )


def test_a_lamp_hung_where_a_top_mirrors_it_is_mirrored():
    laid = next(laid for laid in map(scene, range(1, 73)) if "glare" in laid.troubles)
    (lamp,) = laid.light.lamps
    assert any(mirrored(laid.camera, top(die), lamp, laid.gloss) for die in laid.dice)


def test_later_ones_are_in_decent_light_and_have_type_faces_of_their_own():
    assert not set(LATER_FONTS) & {*FONTS, *FACES}
    for laid in map(scene, range(LATER, LATER + 20)):
        assert not laid.troubles
        assert laid.camera.tilt <= 20
        assert 4 <= len(laid.dice) <= 6
        assert {die.face for die in laid.dice} <= set(LATER_FONTS)
        assert not any(
            mirrored(laid.camera, top(die), lamp, laid.gloss) for die in laid.dice for lamp in laid.light.lamps
        )


@pytest.mark.parametrize(
    ("folder", "number"),
    [
        ("ten-sided-dice-rendered-1-72", 3),
        ("ten-sided-dice-rendered-1-72", 5),
        ("ten-sided-dice-rendered-101-120", 110),
    ],
)
def test_the_truth_is_that_of_the_scenes(folder, number):
    kept = {shot.image: shot for shot in load_photographs(FIXTURES / folder)}
    fresh = truth_of(scene(number), f"{number:02}.jpg")
    same = kept[fresh.image]
    assert (same.what, same.offset, same.size) == (fresh.what, fresh.offset, fresh.size)
    assert same.camera == pytest.approx(fresh.camera, abs=0.02)
    for die, again in zip(same.dice, fresh.dice, strict=True):
        assert (die.x, die.y, die.side, die.lean) == pytest.approx((again.x, again.y, again.side, again.lean), abs=0.02)
        assert (die.value, die.face, die.mark) == (again.value, again.face, again.mark)


def shot(troubles, *dice):
    return DicePhotograph("1.jpg", (0, 0), (9, 9), (0, 0, 9), (0, 0), 60.0, (0, 0), dice, "", 10, troubles)


def test_rows_count_decent_bad_and_leaning_dice_apart():
    plain = TrueDie(10.0, 10.0, 16.0, 4, face="cabin", mark="dot")
    six = TrueDie(40.0, 10.0, 13.0, 6, face="cabin")
    leans = TrueDie(70.0, 10.0, 16.0, 2, lean=20.0, face="cabin", mark="dot")
    both = [
        (shot((), plain, six), Outcome(((plain, 4), (six, None)), (), False)),
        (shot(("blur", "lean"), plain, leans), Outcome(((plain, 7), (leans, None)), (3,), False)),
    ]
    rows = {row.what: row for row in ten_sided_rows(both)}
    assert {row.table for row in rows.values()} == {TEN_SIDED}
    assert rows["decent light"].figures["right"] == 1
    assert rows["decent light"].budget.limit == 0.9
    assert rows["decent, a 6 or 9 without a mark"].figures["declined"] == 1
    assert rows["decent, a numeral that can be known"].figures["right_share"] == 1
    assert rows["bad, lying flat"].figures["wrong"] == rows["bad, blur"].figures["wrong"] == 1
    assert rows["leaning"].figures["declined"] == 1
    assert rows["all photographs"].figures["wrong"] == 2
    assert rows["all photographs"].figures["dice"] == 4


def test_a_folder_without_photographs_is_told_of(tmp_path):
    with pytest.raises(BenchError):
        photograph_rows(tmp_path)
