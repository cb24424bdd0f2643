"""The networks that find dice and read their tops: their arithmetic, and what they say of trays made here."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from benchmarks.dice_learning import CLEAR, LEANING, SPOILED, learning_tray
from benchmarks.dice_scenes import photographed, some_tray, tray_mat
from companion.bench.conditions import TUNING, generator
from companion.eye.dice import six_sided_nets, straight
from companion.eye.dice.nets import Found, convolved
from companion.eye.dice.pips import PATCH
from companion.eye.dice.six_sided import SixSidedKind
from companion.eye.dice.six_sided_nets import CLASSES, LEANS, NOTHING, find, look, patches
from companion.eye.dice.straight import AROUND, straightened
from companion.eye.mat import Rect
from companion.eye.view import Unread
from companion.sim.dice import Die, Shine
from companion.sim.lens import STRAIGHT, Glass
from tests.nights import at_night


def flat_tray(dice):
    """A tray in good light, seen from above and pulled straight."""
    zone = tray_mat(375.0, 200.0).zones[0]
    scene = msgspec.structs.replace(
        some_tray(generator(TUNING, "dice tests"), 0),
        zone=zone,
        dice=tuple(dice),
        size=(2304, 1296),
        tilt=0.0,
        pose=STRAIGHT,
        glass=Glass(),
        felt=70.0,
        around=200.0,
        grain=2.0,
        shine=Shine(),
        gain=0.9,
        shadow=1.0,
        blur=0.6,
        disc=0.0,
        noise=2.0,
        quality=90,
        seed=7,
    )
    shot = photographed(scene)
    r = zone.rect
    around = Rect(r.x - AROUND, r.y - AROUND, r.w + 2 * AROUND, r.h + 2 * AROUND)
    return straightened(shot.gray, shot.calibration, around), (around.x, around.y)


def test_the_weights_are_those_of_the_networks():
    with np.load(six_sided_nets.WEIGHTS) as kept:
        shapes = {name: kept[name].shape for name in kept.files}
        assert all(np.isfinite(kept[name]).all() for name in kept.files)
    assert shapes["find0"] == (5, 5, 1, 12)
    assert shapes["find5"] == (1, 1, 32, 6)
    assert shapes["look0"] == (3, 3, 2, 24)
    assert shapes["look4"] == (128, six_sided_nets.CLASSES + 4)


@pytest.mark.parametrize(("step", "pad", "apart"), [(1, 0, 1), (2, 1, 1), (1, 2, 2)])
def test_a_layer_is_the_sum_that_it_says(step, pad, apart):
    rng = np.random.default_rng(3)
    kernel, bias = rng.normal(size=(3, 3, 2, 4)).astype(np.float32), rng.normal(size=4).astype(np.float32)
    seen = rng.normal(size=(2, 9, 11, 2)).astype(np.float32)
    answer = convolved({"layer": kernel, "layerb": bias}, seen, "layer", step=step, pad=pad, apart=apart)
    wide = np.pad(seen, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    for row, column in ((0, 0), (1, 2), (answer.shape[1] - 1, answer.shape[2] - 1)):
        part = wide[1, row * step : row * step + 2 * apart + 1 : apart, column * step :][:, : 2 * apart + 1 : apart]
        assert np.allclose(answer[1, row, column], np.einsum("ijc,ijcd->d", part, kernel) + bias, atol=1e-4)


def test_dice_are_found_where_they_lie_and_nothing_in_an_empty_tray():
    dice = [Die(410.0, 230.0, 12.0, 16.0, 3), Die(470.0, 260.0, 50.0, 13.0, 6, body=40.0, ink=225.0)]
    flat, corner = flat_tray(dice)
    found = sorted(find(flat))
    assert len(found) == 2
    for (pose, surely), die in zip(found, dice, strict=True):
        assert math.hypot(pose[0] + corner[0] - die.x, pose[1] + corner[1] - die.y) < 2.5
        assert abs(pose[2] - die.side) < 0.12 * die.side
        assert surely > 0.5
    assert find(flat_tray(())[0]) == []


def test_a_pose_is_mended_and_read_and_half_a_die_beside_it_there_is_nothing():
    flat, corner = flat_tray([Die(440.0, 250.0, 30.0, 16.0, 5)])
    x, y = 440.0 - corner[0], 250.0 - corner[1]
    turn = math.radians(30.0)
    off, aside = look(flat, [(x + 0.6, y - 0.5, 16.6, turn + 0.06), (x + 9.0, y, 16.0, turn)], [(0.0, 0.0)] * 2)
    assert off.shares.mean(axis=0).argmax() == 5
    assert math.hypot(off.pose[0] - x, off.pose[1] - y) < 0.6
    assert abs(off.pose[2] - 16.0) < 0.6
    assert aside.shares.mean(axis=0).argmax() == NOTHING


def test_a_die_that_leans_is_said_to_lean():
    flat, _ = flat_tray([Die(440.0, 250.0, 30.0, 16.0, 6, lean=30.0, uphill=30.0)])
    pose, _ = find(flat)[0]
    (seen,) = look(flat, [pose], [(0.0, 0.0)])
    assert seen.shares.mean(axis=0).argmax() == LEANS


def test_a_patch_says_what_is_burnt_out():
    flat = np.full((120, 120), 60.0, np.float32)
    flat[:, 60:] = 255.0
    (view,) = patches(flat, [(20.0, 20.0, 14.0, 0.0)])
    assert view.shape == (2, PATCH, PATCH)
    assert view[1, :, : PATCH // 2 - 2].max() == 0
    assert view[1, :, PATCH // 2 + 2 :].min() == 1
    assert view[0, :, 2].mean() < 0 < view[0, :, -3].mean()


@pytest.mark.parametrize("count", [3, *at_night(30)])
@pytest.mark.night
def test_trays_to_learn_from_say_where_their_dice_are(count):
    """A tray's truth lies in its picture, and is the same when it is made anew."""
    kinds = set()
    for number in range(count):
        flat, dice = learning_tray(number)
        again, same = learning_tray(number)
        assert dice == same
        assert (flat == again).all()
        for die in dice:
            kinds.add(die.what)
            assert 0 < die.x * straight.FINE < flat.shape[1]
            assert 0 < die.y * straight.FINE < flat.shape[0]
            assert die.value in range(1, 7)
    assert CLEAR in kinds
    if count >= 30:
        assert {LEANING, SPOILED} <= kinds


def shown(value: int, hidden: float = 0.0, leans: float = 0.0, other: float = 0.0) -> Found:
    """Return a top that shows a value in all four turns, so surely hidden, so surely of a die that leans, and so surely
    of another value.
    """
    shares = np.zeros((4, CLASSES), np.float32)
    shares[:, NOTHING], shares[:, LEANS], shares[:, 2] = hidden, leans, other
    shares[:, value] = 1 - hidden - leans - other
    return Found((0.0, 0.0, 16.0, 0.0), shares)


def test_a_top_that_may_be_hidden_or_lean_is_not_read() -> None:
    says = SixSidedKind().says
    for value in (1, 5):
        assert says(shown(value, hidden=0.12), 0.7, 2.4, slant=0.5) == (value, None)
        assert says(shown(value, hidden=0.2), 0.9, 2.4, slant=0.1) == (None, Unread.UNCLEAR)
        assert says(shown(value, leans=0.25), 0.7, 2.4, slant=0.5) == (value, None)
        assert says(shown(value, leans=0.35), 0.9, 2.4, slant=0.1) == (None, Unread.UNCLEAR)
        assert says(shown(value, leans=0.6), 0.9, 2.4, slant=0.1) == (None, Unread.LEANS)
        assert says(shown(value, hidden=0.12, leans=0.25), 0.9, 2.4, slant=0.1) == (None, Unread.UNCLEAR)


def test_a_top_that_is_seen_far_aslant_or_coarsely_must_be_found_more_surely() -> None:
    says = SixSidedKind().says
    assert says(shown(5), 0.3, 2.4, slant=0.1) == (5, None)
    assert says(shown(5), 0.3, 2.4, slant=0.5) == (None, Unread.UNCLEAR)
    assert says(shown(5), 0.3, 1.7, slant=0.1) == (None, Unread.UNCLEAR)


def test_of_a_top_that_is_faintly_found_the_value_must_be_as_sure_as_in_a_coarse_picture() -> None:
    says = SixSidedKind().says
    assert says(shown(5, other=0.003), 0.7, 2.4, slant=0.1) == (5, None)
    assert says(shown(5, other=0.003), 0.5, 2.4, slant=0.1) == (None, Unread.UNCLEAR)
    assert says(shown(5, other=0.003), 0.7, 1.7, slant=0.1) == (None, Unread.UNCLEAR)
    assert says(shown(5, other=0.0005), 0.5, 2.4, slant=0.1) == (5, None)
