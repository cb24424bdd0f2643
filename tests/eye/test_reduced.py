"""Reduced pictures: means of squares at every whole number, and the cheap way to any size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.eye.pictures import means, smaller

SHOT = np.random.default_rng(3).integers(0, 255, (211, 317, 3), dtype=np.uint8)


@pytest.mark.parametrize("factor", [1, 2, 3, 4, 5, 6, 8, 12])
def test_a_pixel_is_the_mean_of_a_square(factor: int) -> None:
    high, wide = 211 // factor, 317 // factor
    cut = SHOT[: high * factor, : wide * factor]
    exact = cut.reshape(high, factor, wide, factor, 3).mean(axis=(1, 3))
    # Where it is done in two steps each of them rounds.
    assert np.abs(means(SHOT, factor) - exact).max() <= 1
    assert means(SHOT[..., 0], factor).shape == (high, wide)


@pytest.mark.parametrize("size", [(317, 211), (200, 133), (158, 105), (106, 70), (53, 35)])
def test_a_picture_made_smaller_lies_where_it_lay(size: tuple[int, int]) -> None:
    smooth = cv2.GaussianBlur(SHOT, (0, 0), 9)
    exact = cv2.resize(smooth, size, interpolation=cv2.INTER_AREA)
    assert np.abs(smaller(smooth, *size).astype(int) - exact).max() <= 3
