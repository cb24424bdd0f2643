"""The light of the day, fitted to samples."""

from __future__ import annotations

import numpy as np

from companion.eye.light import Floats, Light, bare_in_its_light

RANDOM = np.random.default_rng(3)
SHAPE = (120, 200)


def table() -> Floats:
    return RANDOM.choice([60.0, 120.0, 180.0, 220.0], SHAPE).astype(np.float32)


def lit(then: Floats, slope: float = 0.2, offset: float = 8.0) -> Floats:
    fall = 0.8 + slope * np.linspace(-1, 1, SHAPE[1], dtype=np.float32)
    return np.asarray(then * fall + offset + RANDOM.normal(0, 1, SHAPE), dtype=np.float32)


def test_gain_and_offset_are_found_though_a_hand_hides_a_fifth() -> None:
    then = table()
    now = lit(then)
    now[:, 150:190] = 185
    ys, xs = (grid.ravel() for grid in np.mgrid[: SHAPE[0] : 5, : SHAPE[1] : 5])
    light = Light(SHAPE, 12)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    assert np.abs((now - light.offset) / light.gain - then)[:, :150].mean() < 3.0


def test_light_that_changed_on_one_side_only_no_longer_fits() -> None:
    then = table()
    ys, xs = (grid.ravel() for grid in np.mgrid[: SHAPE[0] : 6, : SHAPE[1] : 6])
    light = Light(SHAPE, 12)
    now = lit(then)
    assert not light.fits(now[ys, xs], then[ys, xs], ys, xs)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    assert light.fits(now[ys, xs], then[ys, xs], ys, xs)
    now[:, :100] += 6
    assert not light.fits(now[ys, xs], then[ys, xs], ys, xs)


def test_a_lamp_mirrored_in_the_middle_of_the_table_no_longer_fits() -> None:
    then = table()
    ys, xs = (grid.ravel() for grid in np.mgrid[: SHAPE[0] : 6, : SHAPE[1] : 6])
    light = Light(SHAPE, 12)
    now = lit(then)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    # Ten gray levels on a fortieth of the table leave every half's middle, and the mean, as they are.
    now[62:88, 88:112] += 10
    assert not light.fits(now[ys, xs], then[ys, xs], ys, xs)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    assert light.fits(now[ys, xs], then[ys, xs], ys, xs)


def test_a_lamp_mirrored_round_a_place_that_is_no_longer_as_known_is_followed() -> None:
    high, wide = 252, 444
    then = np.full((high, wide), 70.0, dtype=np.float32)
    ys, xs = (grid.ravel() for grid in np.mgrid[6:high:12, 6:wide:12])
    now = (then + RANDOM.normal(0, 1, then.shape)).astype(np.float32)
    # The cards round about were read in this light, the mat was learned in another one.
    now[84:168, 168:276] += 12
    # What was a card there is bare mat by now.
    then[102:150, 198:246] = 130.0
    light = Light((high, wide), 12)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    place = (slice(102, 150), slice(198, 246))
    assert np.abs(light.offset[place] + 70 * light.gain[place] - 82.0).mean() < 6.0


def test_light_that_was_fitted_while_a_shadow_lay_in_the_middle_is_fitted_anew_without_it() -> None:
    then = table()
    ys, xs = (grid.ravel() for grid in np.mgrid[: SHAPE[0] : 6, : SHAPE[1] : 6])
    light = Light(SHAPE, 12)
    now = lit(then, 0.0)
    shadow = now.copy()
    # So small that the light fits hardly worse without it: only that it fitted better before tells.
    shadow[40:90, 75:135] *= 0.6
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    light.fit(shadow[ys, xs], then[ys, xs], ys, xs)
    assert not light.fits(now[ys, xs], then[ys, xs], ys, xs)
    light.fit(now[ys, xs], then[ys, xs], ys, xs)
    assert light.fits(now[ys, xs], then[ys, xs], ys, xs)


def test_a_light_told_by_the_middle_of_the_table_says_nothing_wild_of_its_rim():
    shape = (252, 444)
    light = Light(shape, 12)
    ys, xs = (at.ravel() for at in np.mgrid[6 : shape[0] : 12, 6 : shape[1] : 12])
    u, v = xs / shape[1] * 2 - 1, ys / shape[0] * 2 - 1
    # A lamp over the middle, and nothing is known yet within 30 % of the edges.
    truth = 1 + 0.9 * np.exp(-3 * (u * u + v * v))
    then = np.where((xs // 24 + ys // 24) % 2, 70.0, 90.0).astype(np.float32)
    now = (truth * then).astype(np.float32)
    sure = np.maximum(np.abs(u), np.abs(v)) < 0.7
    for _ in range(10):
        light.fit(now[sure], then[sure], ys[sure], xs[sure])
        told = light.gain[ys, xs] + light.offset[ys, xs] / then
        assert np.abs(told - truth)[sure].max() < 0.15
        assert (told[~sure] > 0.8).all()
        assert np.abs(told - truth)[~sure].max() < 0.4


def mat_round_a_place() -> tuple[Floats, Floats, np.ndarray]:
    """Return a part of a mat, the same with a lamp mirrored in it, and where nothing may lie."""
    mat = RANDOM.choice([62.0, 70.0], (60, 50)).astype(np.float32)
    slant = 6 + 14 * np.linspace(0, 1, 60, dtype=np.float32)[:, None]
    open_ = np.ones(mat.shape, dtype=np.bool_)
    open_[12:48, 10:40] = False
    return mat, np.asarray(mat + slant + RANDOM.normal(0, 1, mat.shape), dtype=np.float32), open_


def test_a_place_with_the_light_of_the_mat_round_it_is_bare() -> None:
    mat, now, open_ = mat_round_a_place()
    assert bare_in_its_light(now, mat, open_).all()


def test_what_has_an_edge_is_not_bare() -> None:
    mat, now, open_ = mat_round_a_place()
    now[20:40, 15:35] += 20
    bare = bare_in_its_light(now, mat, open_)
    assert bare[open_].all()
    assert not bare[21:39, 16:34].any()


def test_where_the_mat_round_a_place_tells_of_no_light_nothing_is_bare() -> None:
    mat, now, open_ = mat_round_a_place()
    # A hand over a third of it, a lamp brighter than any print, hardly any mat.
    hand = now.copy()
    hand[:, :20] = 150
    assert not bare_in_its_light(hand, mat, open_).any()
    assert not bare_in_its_light(now + 60, mat, open_).any()
    open_[:, :48] = False
    assert not bare_in_its_light(now, mat, open_).any()
