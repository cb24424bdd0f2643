"""Spots that may be pips: each is found once, whatever its size and wherever it lies between the pixels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.eye.pips import FINE, find_spots

PLACES = tuple((8.0 + 12.13 * x, 8.0 + 12.37 * y) for y in range(4) for x in range(4))
"""Middles of spots (mm), further apart than the largest is wide."""


@pytest.mark.parametrize("radius", [0.95, 1.3, 1.9, 2.7])
@pytest.mark.parametrize(("ground", "ink"), [(225, 30), (30, 225)])
def test_a_round_spot_is_found_once_where_it_is(radius: float, ground: int, ink: int) -> None:
    flat = np.full((220, 220), ground, np.uint8)
    for x, y in PLACES:
        middle = (round(x * FINE * 16 - 8), round(y * FINE * 16 - 8))
        cv2.circle(flat, middle, round(radius * FINE * 16), ink, -1, cv2.LINE_AA, 4)
    found = sorted((round((s.y - 8) / 12.37), round((s.x - 8) / 12.13), s) for s in find_spots(np.float32(flat), 1.0))
    assert [(row, column) for row, column, _ in found] == [(row, column) for row in range(4) for column in range(4)]
    for (_, _, spot), (x, y) in zip(found, PLACES, strict=True):
        assert (spot.x, spot.y) == pytest.approx((x, y), abs=0.3)
        assert (spot.contrast < 0) == (ink < ground)
