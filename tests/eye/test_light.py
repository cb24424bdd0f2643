"""The light of the day, fitted to samples."""

from __future__ import annotations

import numpy as np

from companion.eye.light import Floats, Light

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
