"""Whether a lamp that is mirrored in a die's top may have changed what it shows: `companion.eye.dice.lamps`."""

import numpy as np
import pytest

from benchmarks.dice_outcomes import rendered
from benchmarks.dice_scenes import trays
from companion.bench.conditions import HELD_OUT
from companion.bench.figures import Times
from companion.eye.dice.lamps import wiped
from companion.eye.dice.pips import PATCH, PIPS, SIZE
from companion.eye.dice.six_sided import WIPED
from companion.eye.dice.trays import AVERAGED

CORNERS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
BODY, FELT, INK, LAMP = 128.0, 100.0, 30.0, 255.0


def seen_with(lamps, pips=(), body=BODY):
    """A top's gray levels in which lamps are mirrored where pips may be; its pips' levels may be given, and its body's
    as far as it is seen.
    """
    seen = np.full((PATCH, PATCH), body, np.float32)
    for (i, j), level in {**dict.fromkeys(lamps, LAMP), **dict(pips)}.items():
        x, y = round(PATCH * (0.5 + 0.26 * i / SIZE)), round(PATCH * (0.5 + 0.26 * j / SIZE))
        seen[y - 3 : y + 3, x - 3 : x + 3] = level
    return seen


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
    assert wiped(seen_with([], dict.fromkeys(CORNERS, INK), body=LAMP), 4) < WIPED
    for levels in ((120.0, 120.0, 190.0, 190.0), (140.0, 150.0, 145.0, 170.0)):
        bleached = dict(zip(CORNERS, levels, strict=True))
        assert wiped(seen_with([], bleached, body=LAMP), 4) > WIPED


def test_a_lamp_that_is_seen_may_hide_a_pip_whatever_others_tell():
    """Two pips are a little paler than the others, all over: no lamp that fades across them would be so bright."""
    pips = dict(zip(CORNERS, (INK, INK, 60.0, 60.0), strict=True))
    assert wiped(seen_with([], pips, body=190.0), 4) < WIPED
    assert wiped(seen_with([(0, 0)], pips, body=190.0), 4) > WIPED


def lit(light):
    """A top, burnt out all over, of which four black pips show, under a lamp's light by column."""
    black = seen_with([], dict.fromkeys(CORNERS, INK), body=LAMP)
    return np.minimum(black + np.asarray(light, np.float32), LAMP)


def test_a_lamp_hides_no_pip_where_it_is_too_dim_to():
    """It brightens two pips by a hundred levels, and fades towards the middle; or it grows, and may hide a fifth."""
    column = np.arange(PATCH) - PATCH / 2
    assert wiped(lit(120 * np.exp(-(((column - 10) / 8) ** 2))), 4) < WIPED
    assert wiped(lit(330 * np.exp(-(((column - 2) / 5) ** 2))), 4) > WIPED


def test_a_bright_four_is_read_though_a_lamp_lights_one_of_its_pips():
    """Two dice in a tray of the bench, one of whose pips is gray."""
    (scene,) = trays(HELD_OUT, 1, 33136)
    assert [read for die, read in rendered(scene, Times(), AVERAGED).dice if die.value == 4].count(4) >= 2


def test_a_three_whose_middle_a_wide_lamp_hides_is_no_two():
    """A tray of the bench: the lamp brightens the other two pips as well."""
    (scene,) = trays(HELD_OUT, 1, 31328)
    assert [read for die, read in rendered(scene, Times(), AVERAGED).dice if die.value == 3] == [None]


@pytest.mark.parametrize(("value", "lamp"), [(3, (0, 0)), (5, (0, 0)), (5, (1, 1))])
def test_a_lamps_image_in_place_of_a_white_pip_glows_round_about(value, lamp):
    """Of a 5, one in a corner alone may be that: no other value lacks just that pip."""
    rows, columns = np.mgrid[:PATCH, :PATCH]
    x, y = ((0.5 + 0.26 * part / SIZE) * PATCH - 0.5 for part in lamp)
    pips = [(0, 0), (1, 1), (-1, -1)] if value == 3 else [(0, 0), *CORNERS]
    seen = seen_with([], dict.fromkeys((pip for pip in pips if pip != lamp), 200.0), body=60.0)
    assert wiped(np.maximum(seen, seen_with([], {lamp: 200.0}, body=0.0)), value) < WIPED
    image = 60 + 140 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 30)
    assert (wiped(np.maximum(seen, image).astype(np.float32), value) > WIPED) == (lamp == (0, 0))


def test_white_pips_that_are_aside_of_their_places_are_no_images_of_lamps():
    """A black 3 whose corner pips are further out than usual: they reach into what is round their places."""
    rows, columns = np.mgrid[:PATCH, :PATCH]
    at = (0.5 + np.array([-0.36, 0, 0.36]) / SIZE) * PATCH - 0.5
    pips = np.min([np.hypot(columns - u, rows - u) for u in at], axis=0)
    assert wiped(np.where(pips < 3.2, 200.0, 20.0).astype(np.float32), 3) < WIPED


def test_a_lamp_in_the_middle_of_a_dark_four_is_no_pip():
    """A tray of the bench: it looked like a 5, though nothing is burnt out but the lamp."""
    (scene,) = trays(HELD_OUT, 1, 35978)
    assert [read for die, read in rendered(scene, Times(), AVERAGED).dice if die.value == 4] == [None, None]


def bright_top(pips, level, felt):
    """A top that is burnt out all over, but for its pips, of a level; felt of a level lies round it."""
    line = np.abs((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SIZE < 0.48
    seen = np.where(np.outer(line, line), LAMP, felt).astype(np.float32)
    for i, j in pips:
        x, y = round(PATCH * (0.5 + 0.26 * i / SIZE)), round(PATCH * (0.5 + 0.26 * j / SIZE))
        seen[y - 4 : y + 4, x - 4 : x + 4] = level
    return seen


def test_what_is_dark_of_a_bright_top_is_its_pips_and_does_not_make_the_rest_a_lamp():
    assert wiped(bright_top(CORNERS, INK, felt=240.0), 4) < WIPED


@pytest.mark.parametrize("value", [2, 3, 4, 5])
def test_glints_in_drilled_pips_do_not_make_a_bright_top_a_lamps(value):
    """As a Pi's camera shows white dice: each pip's hollow mirrors a lamp in another corner, its rest is dark."""
    seen = bright_top(PIPS[value], INK, felt=60.0)
    for i, j in PIPS[value][1::2]:
        x, y = round(PATCH * (0.5 + 0.26 * i / SIZE)), round(PATCH * (0.5 + 0.26 * j / SIZE))
        seen[y - 2 : y, x - 2 : x + 2] = 200.0
    assert wiped(seen, value) < WIPED


def test_a_dark_pip_is_no_image_of_a_lamp():
    """Of a bright 3 the middle is burnt out and the corners are not quite: it is no 2 with a lamp in the middle."""
    seen = bright_top(PIPS[2], INK, felt=60.0)
    seen[PATCH // 2 - 2 : PATCH // 2 + 2, PATCH // 2 - 2 : PATCH // 2 + 2] = INK
    line = np.abs((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SIZE < 0.13
    assert wiped(np.where(np.outer(line, line), seen, np.minimum(seen, 228.0)), 3) < WIPED


def test_a_lamp_that_clips_one_pip_may_have_hidden_another():
    """A 5 of a white die whose middle and one corner are nearly gone: what is left looks like an even four."""
    rows, columns = np.mgrid[:PATCH, :PATCH]
    assert wiped(lit(400 * np.exp(-((columns - 25) ** 2 + (rows - 25) ** 2) / 90)), 4) > WIPED


def test_pips_are_bleached_beside_their_body_and_not_beside_the_felt():
    seen = bright_top(CORNERS, 100.0, felt=110.0)
    seen[: PATCH // 2] -= 12.0 * (seen[: PATCH // 2] == 100.0)
    assert wiped(seen, 4) < WIPED
