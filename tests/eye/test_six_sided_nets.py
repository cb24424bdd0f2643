"""The networks that find dice and read their tops: their arithmetic, and what they say of trays made here."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from companion.bench.conditions import TUNING, generator
from companion.bench.development.dice_learning import CLEAR, LEANING, SPOILED, learning_tray
from companion.bench.development.dice_scenes import photographed, some_tray, tray_mat
from companion.eye.dice import six_sided_nets, straight
from companion.eye.dice.nets import Found, convolved
from companion.eye.dice.six_sided import WIPED, SixSidedKind
from companion.eye.dice.six_sided_nets import CLASSES, LEANS, NOTHING, PATCH, SIZE, find, look, patches, wiped
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


def shown(value: int, hidden: float) -> Found:
    """Return a top that shows a value in all four turns, so surely hidden."""
    shares = np.zeros((4, CLASSES), np.float32)
    shares[:, NOTHING], shares[:, value] = hidden, 1 - hidden
    return Found((0.0, 0.0, 16.0, 0.0), shares)


def test_more_is_asked_of_a_top_that_is_seen_far_aslant() -> None:
    found = shown(5, hidden=0.08)
    assert SixSidedKind().says(found, 0.9, 2.4, slant=0.1) == (5, None)
    assert SixSidedKind().says(found, 0.9, 2.4, slant=0.5) == (None, Unread.UNCLEAR)


def test_less_has_to_show_of_a_top_that_is_surely_found_from_well_above() -> None:
    for value in (1, 5):
        found = shown(value, hidden=0.12)
        assert SixSidedKind().says(found, 0.7, 2.4, slant=0.1) == (value, None)
        assert SixSidedKind().says(found, 0.5, 2.4, slant=0.1) == (None, Unread.UNCLEAR)
        assert SixSidedKind().says(found, 0.7, 2.4, slant=0.5) == (None, Unread.UNCLEAR)
        assert SixSidedKind().says(shown(value, hidden=0.2), 0.9, 2.4, slant=0.1) == (None, Unread.UNCLEAR)


def seen_with(lamps, pips=(), burnt=0.0):
    """A top, as it is seen, in which lamps are mirrored where pips may be; its pips' levels, and how far it is burnt
    out elsewhere, may be given.
    """
    view = np.stack([np.zeros((PATCH, PATCH), np.float32), np.full((PATCH, PATCH), burnt, np.float32)])
    for layer, at in ((1, dict.fromkeys(lamps, 1.0)), (0, dict(pips))):
        for (i, j), level in at.items():
            x, y = round(PATCH * (0.5 + 0.26 * i / SIZE)), round(PATCH * (0.5 + 0.26 * j / SIZE))
            view[layer, y - 3 : y + 3, x - 3 : x + 3] = level
    return view


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_a_lamp_in_the_middle_may_hide_a_pip_or_look_like_one(value):
    """A 2 may be a 3, a 4 a 5, and the other way round; a 1 stays a 1, as no top is blank."""
    assert (wiped(seen_with([(0, 0)]), value) > WIPED) == (value != 1)


def test_a_lamp_in_a_corner_hides_nothing_as_no_two_values_differ_by_one_corner():
    assert not any(wiped(seen_with([(1, -1)]), value) > WIPED for value in range(1, 7))


def test_two_lamps_in_opposite_corners_may_hide_two_pips():
    assert wiped(seen_with([(1, -1), (-1, 1)]), 1) > WIPED
    assert wiped(seen_with([(1, -1), (-1, 1)]), 4) > WIPED


def test_a_top_that_is_burnt_out_all_over_is_bright_unless_some_of_its_pips_are_bleached():
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert wiped(seen_with([], dict.fromkeys(corners, -2.0), burnt=1.0), 4) < WIPED
    assert wiped(seen_with([], dict(zip(corners, (-2.0, -2.0, -1.0, -1.0), strict=True)), burnt=1.0), 4) > WIPED


def bright_top(pips, level, felt):
    """A top that is burnt out all over, but for its pips, of a level; felt of a level lies round it."""
    line = np.abs((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SIZE < 0.48
    view = np.stack([np.where(np.outer(line, line), 1.0, level).astype(np.float32) for level in (felt, 0.0)])
    for i, j in pips:
        x, y = round(PATCH * (0.5 + 0.26 * i / SIZE)), round(PATCH * (0.5 + 0.26 * j / SIZE))
        view[0, y - 4 : y + 4, x - 4 : x + 4], view[1, y - 4 : y + 4, x - 4 : x + 4] = level, 0.0
    return view


def test_what_is_dark_of_a_bright_top_is_its_pips_and_does_not_make_the_rest_a_lamp():
    corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    assert wiped(bright_top(corners, -2.0, felt=0.9), 4) < WIPED


def test_pips_are_bleached_beside_their_body_and_not_beside_the_felt():
    view = bright_top([(-1, -1), (-1, 1), (1, -1), (1, 1)], -0.65, felt=-0.5)
    view[0, : PATCH // 2] -= 0.1 * (view[0, : PATCH // 2] == np.float32(-0.65))
    assert wiped(view, 4) < WIPED
