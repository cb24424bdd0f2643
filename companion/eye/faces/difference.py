"""What changed between two flat pictures of one table, apart from its light."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from companion.eye.faces.deck import Picture
from companion.eye.light import bends

_LEVELS = 20.0
"""Gray levels by which something must differ in ordinary light to count as changed."""

_CELL = 8
"""Pixels between two samples of the light."""

_FEWEST = 60
"""Samples that must agree on a light before it is believed."""

Mask = npt.NDArray[np.uint8]
"""0 or 1."""


def fit_light(before: MatLike, after: MatLike) -> npt.NDArray[np.float32]:
    """Return the smooth factor, for each pixel and channel, between two pictures' light; changes don't count."""
    high, wide = before.shape[:2]
    columns, rows = max(2, wide // _CELL), max(2, high // _CELL)
    small = (columns, rows)
    was, now = (
        cv2.resize(cv2.blur(picture, (3, 3)), small, interpolation=cv2.INTER_NEAREST).astype(np.float32) + 2
        for picture in (before, after)
    )
    ratio = np.log(now / was).reshape(-1, before.shape[2])
    clear = ((was > 8) & (was < 250) & (now < 250)).all(2).ravel()
    v, u = (part.ravel() for part in np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j])
    shapes = bends(u, v)
    level = ratio.mean(1)
    counts = np.convolve(np.histogram(level[clear], 60, (-1.5, 1.5))[0], [1, 2, 3, 2, 1], "same")
    good = clear & (np.abs(level - (-1.5 + 0.05 * (int(counts.argmax()) + 0.5))) < 0.3)
    middle = np.median(ratio[good], axis=0) if good.any() else np.zeros(before.shape[2])
    found = np.zeros((6, before.shape[2]))
    found[0] = middle
    for limit in (0.18, 0.1, 0.07):
        if good.sum() < _FEWEST:
            break
        found = np.linalg.lstsq(shapes[good], ratio[good], rcond=None)[0]
        good = clear & (np.abs(ratio - shapes @ found) < limit).all(1)
    gain = np.exp(np.clip(shapes @ found, -2, 2)).reshape(rows, columns, -1).astype(np.float32)
    return np.asarray(cv2.resize(gain, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def changed(before: Picture, after: Picture, levels: float = _LEVELS) -> Mask:
    """Return where two flat pictures at 1 px/mm differ by more than light; shape (height, width), 0 or 1."""
    high, wide = before.shape[:2]
    half = (wide // 2, high // 2)
    was, now = (cv2.resize(picture, half, interpolation=cv2.INTER_AREA) for picture in (before, after))
    off = np.abs(was.astype(np.float32) * fit_light(was, now) - now).max(2)
    limit = np.clip(levels * float(np.median(now[::4, ::4])) / 150, 9, levels)
    mask = (off > limit).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)
    return np.asarray(cv2.resize(mask, (wide, high), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
