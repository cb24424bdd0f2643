"""Photographs of trays with six-sided dice: what is laid, the dice's mesh, and how readings of them are counted."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks import dice_photographs
from benchmarks.dice_outcomes import Outcome, TrueDie
from benchmarks.dice_photographs import load_photographs, photograph_rows
from companion.sim.dice import Die
from tests.photography.dice_studio import Solid, patterned
from tests.photography.dice_trays import INK_APART, PATTERNS, level, mirrored
from tests.photography.six_sided import COVERED, MANY, NUMBERS, RIMMED, covered, scene, top
from tests.photography.six_sided_studio import FACES, GRID, add_die, printed, truth_of, values

FIXTURES = Path(__file__).parents[1] / "fixtures" / "photos"
PHOTOS = FIXTURES / "six-sided-dice-rendered-1-72"
DIE = Die(100.0, 50.0, 30.0, 16.0, 3, round=0.1)


def meshed(die, deep):
    solid = Solid()
    add_die(solid, die, 0, 1, deep)
    return np.concatenate(solid.corners), np.concatenate(solid.normals), np.concatenate(solid.where)


def volume(die, deep):
    corners = meshed(die, deep)[0].reshape(-1, 3, 3)
    return float(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def test_a_die_is_a_closed_cube_whose_edges_are_rounded_and_whose_pips_are_drilled():
    """A box of which the middle third is as it was, rounded by a ball: its volume is known."""
    r, side = DIE.round * 16, 16.0
    flat = side - 2 * r
    rounded = flat**3 + 6 * flat**2 * r + 3 * math.pi * flat * r**2 + 4 / 3 * math.pi * r**3
    whole = volume(DIE, 1e-6)
    assert math.isclose(whole, rounded, rel_tol=2e-3)
    deep = 0.05 * side
    caps = 21 * math.pi * deep / 6 * (3 * (DIE.pip * side) ** 2 + deep**2)
    assert math.isclose(whole - volume(DIE, 0.05), caps, rel_tol=0.1)


def test_a_die_stands_on_the_mat_where_its_outline_is():
    corners, _, _ = meshed(DIE, 0.03)
    assert math.isclose(corners[:, 2].min(), 0, abs_tol=1e-6)
    assert math.isclose(corners[:, 2].max(), 16.0, abs_tol=1e-6)
    assert np.allclose((corners.min(axis=0) + corners.max(axis=0))[:2] / 2, (100.0, 50.0), atol=1e-6)


@pytest.mark.parametrize("value", [2, 3, 6])
def test_pips_are_drilled_where_they_are_printed(value):
    """Nothing but pips is hollow: of a 2, which lies either way, the other corners are flat."""
    corners, _, where = meshed(msgspec.structs.replace(DIE, value=value, ahead=1), 0.05)
    ink = printed(msgspec.structs.replace(DIE, value=value, ahead=1), 0)
    mine = (where[:, 0] < 1 / len(FACES)) & (np.abs(where[:, 0] * 6 - 0.5) < 0.38) & (np.abs(where[:, 1] - 0.5) < 0.38)
    x, y = ((0.5 + (place - 0.5) / 0.99) * ink.shape[0] for place in (where[mine, 0] * 6, where[mine, 1]))
    shown = ink[np.minimum(y.astype(int), 191), np.minimum(x.astype(int), 191)]
    deep = 16.0 - corners[mine, 2]
    assert (deep[shown < 0.01] < 1e-6).all()
    assert deep[shown > 0.99].mean() > 0.3 * 0.05 * 16
    assert len(deep) > GRID**2


def test_faces_are_those_of_a_die():
    for value in range(1, 7):
        shown = values(msgspec.structs.replace(DIE, value=value, ahead=value % 4))
        assert sorted(shown) == [1, 2, 3, 4, 5, 6]
        assert shown[0] + shown[5] == shown[1] + shown[3] == shown[2] + shown[4] == 7


@pytest.mark.parametrize(("numbers", "decent"), [(NUMBERS, 8), (range(MANY, MANY + 46), 28)])
def test_so_many_are_in_decent_light_and_hands_hide_a_part_of_a_top(numbers, decent):
    scenes = [scene(number) for number in numbers]
    assert sum(not laid.troubles for laid in scenes) == decent
    assert {laid.pattern for laid in scenes} == set(PATTERNS)
    for laid in scenes:
        assert ("tilt" in laid.troubles) == (laid.camera.tilt > 20)
        assert (laid.rim > 0) == (laid.number in RIMMED or (laid.number % 6 == 0 and laid.number >= MANY))
        for die, look in zip(laid.dice, laid.looks, strict=True):
            assert 11.8 <= die.side <= 19.2
            assert abs(level(look.body) - level(look.ink)) > INK_APART
        lit = [mirrored(laid.camera, top(die), lamp, laid.gloss) for die in laid.dice for lamp in laid.light.lamps]
        assert any(lit) == ("glare" in laid.troubles)
        assert len(laid.hands) == ("hand" in laid.troubles)
        for hand in laid.hands:
            assert COVERED[0] <= max(covered(hand, laid.camera, die) for die in laid.dice) <= COVERED[1]


@pytest.mark.parametrize(
    ("folder", "number"),
    [
        ("six-sided-dice-rendered-1-72", 60),
        ("six-sided-dice-rendered-1-72", 66),
        ("six-sided-dice-rendered-101-146", 126),
    ],
)
def test_the_truth_is_that_of_the_scenes(folder, number):
    kept = {shot.image: shot for shot in load_photographs(FIXTURES / folder)}
    fresh = truth_of(scene(number), f"{number:02}.jpg")
    same = kept[fresh.image]
    assert (same.what, same.offset, same.size, same.troubles) == (fresh.what, fresh.offset, fresh.size, fresh.troubles)
    assert [die.value for die in same.dice] == [die.value for die in fresh.dice]
    for die, again in zip(same.dice, fresh.dice, strict=True):
        assert (die.x, die.y, die.side) == pytest.approx((again.x, again.y, again.side), abs=0.02)


@pytest.mark.night
def test_a_tables_pattern_ends_at_the_tray_and_leathers_is_in_it():
    flat = np.full((1320, 1620), 120, np.uint8)
    for pattern in PATTERNS:
        sheet = patterned(flat, pattern, 5)
        tray, corner = sheet[600:700, 700:900], sheet[:200, :200]
        assert (tray.std() > 2) == (pattern == "leather")
        assert (corner.std() > 2) == (pattern in ("wood", "checks"))


def test_rows_count_decent_and_bad_light_apart(monkeypatch, tmp_path):
    """Nothing is read here: two trays' outcomes stand for it."""
    die = TrueDie(10.0, 10.0, 16.0, 4)
    kept = load_photographs(PHOTOS)
    shots = [
        msgspec.structs.replace(kept[0], troubles=(), dice=(die,)),
        msgspec.structs.replace(kept[0], troubles=("dim",), dice=(die, die)),
    ]
    outcomes = iter([Outcome(((die, 4),), (), False), Outcome(((die, None), (die, 5)), (), False)])
    monkeypatch.setattr(dice_photographs, "load_photographs", lambda folder: shots)
    monkeypatch.setattr(dice_photographs, "read_photograph", lambda folder, shot: None)
    monkeypatch.setattr(dice_photographs, "compared", lambda dice, seen: next(outcomes))
    rows = {row.what: row.figures for row in photograph_rows(tmp_path)}
    assert rows["photographs"]["dice"] == 3
    assert rows["photographs, decent light"]["right_share"] == 1
    assert (rows["photographs, bad light"]["wrong"], rows["photographs, bad light"]["declined"]) == (1, 1)
