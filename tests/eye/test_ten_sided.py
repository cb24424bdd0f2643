"""Ten-sided dice in the tray: what is read, what is declined, and why."""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
import pytest

from benchmarks.dice_scenes import photographed, some_tray, tray_mat
from companion.bench.conditions import TUNING, generator
from companion.eye.dice import ten_sided_nets
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.ten_sided import TenSidedKind
from companion.eye.dice.ten_sided_nets import PATCH, WHOLE, kites, wholes
from companion.eye.mat import parse_mat
from companion.sim.dice import Die, Shine
from companion.sim.lens import STRAIGHT, Glass
from companion.sim.ten_sided import TenSided


def quiet(dice, **other):
    """A tray in good light, seen from above."""
    plain = {
        "zone": tray_mat(375.0, 200.0).zones[0],
        "dice": tuple(dice),
        "size": (2304, 1296),
        "tilt": 0.0,
        "pose": STRAIGHT,
        "glass": Glass(),
        "felt": 70.0,
        "around": 200.0,
        "grain": 2.0,
        "shine": Shine(),
        "gain": 0.9,
        "shadow": 1.0,
        "blur": 0.6,
        "disc": 0.0,
        "noise": 2.0,
        "quality": 90,
        "seed": 7,
    }
    return msgspec.structs.replace(some_tray(generator(TUNING, "dice tests"), 0), **{**plain, **other})


def read(scene):
    shot = photographed(scene)
    zone = msgspec.structs.replace(scene.zone, sides=10)
    return DiceReader(tray_mat(scene.zone.rect.x, scene.zone.rect.y)).read(shot.gray, shot.calibration, zone)


def thrown(values, side=17.0, **look):
    """Dice in two rows, each turned otherwise."""
    places = [(395.0 + 27.0 * (n % 5), 228.0 + 42.0 * (n // 5)) for n in range(len(values))]
    return [
        TenSided(x, y, 37.0 * n + 12.0, side, value, ahead=n, **look)
        for n, ((x, y), value) in enumerate(zip(places, values, strict=True))
    ]


@pytest.mark.night
@pytest.mark.parametrize("look", [{}, {"body": 40.0, "ink": 225.0, "mark": "bar", "upright": False}], ids=("", "dark"))
def test_numerals_are_read_where_the_dice_lie_and_a_0_counts_10(look):
    dice = thrown(range(1, 11), **look)
    seen = read(quiet(dice))
    assert len(seen.dice) >= 9
    assert seen.sides == 10
    values = {die.value: die for die in dice}
    for answer in seen.dice:
        if answer.value is not None:
            die = values[answer.value]
            assert math.hypot(answer.x - die.x, answer.y - die.y) < 3.0
            assert abs(answer.side - die.side) < 6
            assert abs((answer.rotation - die.turn + 180) % 360 - 180) < 20
    assert sum(die.value is not None for die in seen.dice) >= 8
    assert 10 in {die.value for die in seen.dice}


@pytest.mark.night
def test_a_6_and_a_9_without_a_mark_are_declined_and_it_is_said_why():
    seen = read(quiet(thrown((6, 9, 6, 9, 6, 3), mark="")))
    assert {die.value for die in seen.dice} <= {None, 3}
    assert sum(die.why == "mark" for die in seen.dice) >= 3


@pytest.mark.night
def test_a_top_for_whose_turn_the_finder_took_a_face_beside_it_is_read(monkeypatch):
    """In photographs three of four dice that weren't read had been found so."""
    dice = thrown([1, 4, 7, 10])
    find = ten_sided_nets.find
    monkeypatch.setattr(
        ten_sided_nets, "find", lambda *flat: [((*at, turn + 2.2), surely) for (*at, turn), surely in find(*flat)]
    )
    seen = read(quiet(dice))
    assert set(seen.values) <= {1, 4, 7, 10}
    assert len(seen.values) >= 3


@pytest.mark.night
def test_in_a_coarse_picture_no_numeral_is_read():
    seen = read(quiet(thrown((1, 2, 3, 4)), size=(1632, 918)))
    assert not any(die.value for die in seen.dice)


@pytest.mark.night
def test_six_sided_dice_in_a_tray_for_ten_sided_ones_have_no_value():
    cubes = [Die(400.0 + 30.0 * n, 250.0, 20.0 * n, 16.0, n + 1) for n in range(5)]
    assert read(quiet(cubes)).values == ()


@pytest.mark.night
def test_an_empty_tray_is_empty_and_a_die_beside_it_has_fallen_out():
    assert read(quiet(())).dice == ()
    seen = read(quiet([*thrown((3, 7)), TenSided(440.0, 186.0, 30.0, 17.0, 5)]))
    assert seen.fallen == 1
    assert set(seen.values) <= {3, 7}


def test_a_kite_says_where_its_die_stands():
    die = TenSided(410.0, 240.0, 63.0, 16.0, 4)
    rests, belt = TenSidedKind().stands(die.kite()[:, :2])
    corners, faces = die.vertices()
    below = corners[list(faces[5])]
    assert np.allclose(below[:, 2], 0, atol=1e-6)
    assert np.allclose(sorted(map(tuple, rests)), sorted(map(tuple, below[:, :2])), atol=0.3)
    assert np.allclose(belt.mean(axis=0), (die.x, die.y), atol=0.3)


def test_the_weights_are_small_and_those_of_the_networks():
    assert ten_sided_nets.WEIGHTS.stat().st_size < 260_000
    with np.load(ten_sided_nets.WEIGHTS) as kept:
        assert kept["find0"].shape == (5, 5, 1, 12)
        assert kept["last1"].shape == (128, ten_sided_nets.CLASSES + 4)
        assert kept["read0"].dtype == kept["whole0"].dtype == np.int8
        assert all(np.isfinite(kept[name]).all() for name in kept.files)


def test_a_kite_is_seen_with_its_sharp_end_above_whatever_way_it_points():
    flat = np.zeros((300, 300), np.float32)
    flat[:, 160:] = 200.0  # bright towards +x
    x = 160 / 3.0
    (ahead, behind) = kites(flat, [(x, 50.0, 17.0, 0.0), (x, 50.0, 17.0, math.pi)])[:, 0]
    middle = PATCH // 2
    assert ahead[3, middle] > 0 > ahead[-3, middle]
    assert behind[3, middle] < 0 < behind[-3, middle]


def test_the_whole_die_is_seen_round_its_middle_whatever_way_its_top_points():
    die = TenSided(60.0, 50.0, 63.0, 16.0, 4)
    corners, tip = die.kite()[:, :2], die.kite()[0, :2] - die.kite()[2, :2]
    middle = 0.5 * corners.mean(axis=0) + 0.25 * (corners[1] + corners[3])
    pose = (float(middle[0]), float(middle[1]), float(np.hypot(*tip)), math.atan2(tip[1], tip[0]))
    small = np.zeros((150, 150), np.float32)
    cv2.circle(small, (90, 75), 3, 255.0, -1)  # where the die's middle is, at 1.5 pixels a mm
    (view,) = wholes(small, [pose])[0]
    rows, columns = np.nonzero(view > 1)
    assert abs(rows.mean() - WHOLE / 2) < 1
    assert abs(columns.mean() - WHOLE / 2) < 1


def test_a_mat_says_for_which_dice_its_tray_is():
    spec = {
        "mat": {"game": "dice", "title": "Dice", "w": 900.0, "h": 506.0},
        "markers": {"dictionary": "DICT_5X5_250", "first": 0, "size": 18.0, "margin": 3.0, "across": 9, "down": 5},
        "shape": {"card": {"w": 63.0, "h": 88.0, "codes": []}},
        "zone": [{"name": "tray", "kind": "tray", "x": 100, "y": 100, "w": 150, "h": 100, "sides": 10}],
        "seating": {"2": []},
    }
    assert parse_mat(spec, 2).tray.sides == 10
