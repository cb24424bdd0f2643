"""The current light: the gain and offset of the table's brightness against the light in which it was learned."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
"""Rows or columns of a picture's pixels, or cells of a grid."""

_STEADY = 1.5
"""Gray levels by which the middle of the picture, or of a half of it, may be off before the light is fitted anew."""

_BLOCKS, _FEW, _STRAY = (4, 7), 12, 4.5
"""Rows and columns of blocks of the table, the fewest samples of one, and gray levels that it may stray from a fit."""

_FAR = 12.0
"""More than so many gray levels off, and a sample counts as something else (a hand)."""

_FIELD = 2.0
"""Samples over which what a gain can't tell (a lamp near by, mirrored in part) is taken to be even (a deviation)."""

_PASSES = 6
"""How often that is told, each time by what was left: samples in a gleam are far off at first, and count little."""

_REACHES = (12.0, 6.0, 3.0)
"""Samples over which the gain is taken to be even (deviations of a Gauss), one after the other."""

_HOLD = 0.02
"""The share of all samples' weight by which a gain is held to what wider surroundings say."""

_HAZE = 1e-6
"""The share of the samples' squares by which a haze is held to nothing."""

_GAINS = (0.15, 6.0)
_DARKEST = 20.0
"""The gray level under which a sample says nothing of a factor."""


class Light:
    """Now ≈ gain × then + offset; both change smoothly over the flat picture."""

    def __init__(self, shape: tuple[int, int], lattice: int) -> None:
        """Create it for the light in which everything is learned; samples lie `lattice` pixels apart."""
        self.gain: Floats = np.ones(shape, dtype=np.float32)
        self.offset: Floats = np.zeros(shape, dtype=np.float32)
        self._lattice = lattice
        self._off = self._best = np.inf
        self._parts: Floats | None = None

    def reset(self) -> None:
        """Take the current light as the one in which everything is learned."""
        self.gain.fill(1.0)
        self.offset.fill(0.0)
        self._off, self._parts = np.inf, None

    def fits(self, now: Floats, then: Floats, ys: Places, xs: Places) -> bool:
        """Return whether samples, gray levels at flat pixels (ys, xs), still agree with the fitted light."""
        left = self._left(now, then, ys, xs)
        if self._off > 1.25 * self._best + 0.5:
            # The fit was made while a shadow or a hand lay on the table.
            return False
        if _amount(left) > 1.15 * self._off + 0.3:
            return False
        high, wide = self.gain.shape
        upper, before = ys < high // 2, xs < wide // 2
        parts = (left, left[upper], left[~upper], left[before], left[~before])
        if not all(abs(_middle(part)) < _STEADY for part in parts):
            return False
        # A lamp mirrored in the middle of a table leaves every half as it is.
        return self._parts is None or bool((np.abs(self._middles(left, ys, xs) - self._parts) < _STRAY).all())

    def fit(self, now: Floats, then: Floats, ys: Places, xs: Places) -> None:
        """Fit the light to samples: gray levels at flat pixels (ys, xs). Outliers count little."""
        high, wide = self.gain.shape
        step, every = self._lattice, (-(-high // self._lattice), -(-wide // self._lattice))
        at = ys // step * every[1] + xs // step
        gain, haze = _gains(now, then, at, every), 0.0
        for _ in range(2):
            haze = _haze(now, gain.ravel()[at] * then)
            gain = _gains(now - haze, then, at, every)
        off = now - haze - gain.ravel()[at] * then
        near = np.zeros(every, dtype=np.float32)
        for _ in range(_PASSES):
            left = off - near.ravel()[at]
            counts = 1 / (1 + (left / _FAR) ** 2) ** 2
            # Far from all samples nothing is known, and nothing is added.
            near += _smooth(at, counts * left, every, _FIELD) / (_smooth(at, counts, every, _FIELD) + 0.05)
        offset = haze + near
        self.gain, self.offset = self._whole(gain, step), self._whole(np.asarray(offset, dtype=np.float32), step)
        left = self._left(now, then, ys, xs)
        self._off, self._parts = _amount(left), self._middles(left, ys, xs)
        # What a good fit is like: the best so far, but tables grow fuller.
        self._best = min(self._off, 1.01 * self._best)

    def _middles(self, left: Floats, ys: Places, xs: Places) -> Floats:
        """Return the middle residual of each block of the table; 0 where few samples tell."""
        high, wide = self.gain.shape
        block = ys * _BLOCKS[0] // high * _BLOCKS[1] + xs * _BLOCKS[1] // wide
        middles = np.zeros(_BLOCKS[0] * _BLOCKS[1], dtype=np.float32)
        for n in range(len(middles)):
            inside = left[block == n]
            if len(inside) >= _FEW:
                middles[n] = _middle(inside)
        return middles

    def off(self, now: Floats, then: Floats, ys: Places, xs: Places) -> Floats:
        """Return the residual (gray levels) of each sample in this light."""
        return np.abs(self._left(now, then, ys, xs))

    def _left(self, now: Floats, then: Floats, ys: Places, xs: Places) -> Floats:
        return np.asarray(now - (self.gain[ys, xs] * then + self.offset[ys, xs]), dtype=np.float32)

    def _whole(self, field: Floats, step: int) -> Floats:
        high, wide = self.gain.shape
        size = (field.shape[1] * step, field.shape[0] * step)
        return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)[:high, :wide]


def _haze(now: Floats, then: Floats) -> float:
    """Return the offset of all samples beside a factor; held near 0 on a plain mat, where noise looks like haze."""
    factor, haze, hold = 1.0, 0.0, _HAZE * float((then**2).mean())
    for _ in range(5):
        left = now - factor * then - haze
        width = max(4.0, 2.0 * _middle(np.abs(left)))
        weight = 1 / (1 + (left / width) ** 2) ** 2
        a, b, c = float((weight * then**2).mean()), float((weight * then).mean()), float(weight.mean()) + hold
        u, v = float((weight * then * now).mean()), float((weight * now).mean())
        area = max(a * c - b * b, 1e-6)
        factor, haze = (u * c - v * b) / area, (a * v - b * u) / area
    return haze


def _gains(now: Floats, then: Floats, at: Places, shape: tuple[int, int]) -> Floats:
    """Return the smooth factor by which samples (gray levels in cells `at` of a grid) are brighter now.

    First one factor for all, then by ever nearer surroundings; without samples the nearest decide.
    """
    bright = then > _DARKEST
    middle = float(np.median(now[bright] / then[bright])) if bright.any() else 1.0
    gain = np.full(shape, np.clip(middle, *_GAINS), dtype=np.float32)
    hold = _HOLD * max(1.0, float((then**2).mean()))
    for reach in _REACHES:
        for _ in range(2):
            left = now - gain.ravel()[at] * then
            width = max(4.0, 2.0 * _middle(np.abs(left)))
            counts = then / (1 + (left / width) ** 2) ** 2
            gain += _smooth(at, counts * left, shape, reach) / (_smooth(at, counts * then, shape, reach) + hold)
    return np.asarray(np.clip(gain, *_GAINS), dtype=np.float32)


def _smooth(at: Places, values: npt.NDArray[np.floating], shape: tuple[int, int], reach: float) -> Floats:
    """Return values, added up in the cells of a grid, blurred by a Gauss of that deviation."""
    total = np.bincount(at, values, shape[0] * shape[1]).reshape(shape).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(total, (0, 0), reach), dtype=np.float32)


def _amount(left: Floats) -> float:
    """Return the mean residual of samples; far outliers (a hand) count no more than others."""
    return float(np.minimum(np.abs(left), _FAR).mean())


def _middle(values: Floats) -> float:
    return float(np.partition(values, len(values) // 2)[len(values) // 2]) if len(values) else 0.0


def bare_in_its_light(picture: Floats, mat: Floats, open_: Mask) -> Mask:
    """Return where a part of the table looks like bare mat with the light on it that lies on the `open_` mat round it.

    The added light (gray levels) is slanted, `_VEIL` at most; without an agreeing open mat nowhere is bare.
    """
    ys, xs = np.nonzero(open_)
    if len(ys) < _FEWEST_OPEN:
        return np.zeros_like(open_)
    off = (picture - mat)[ys, xs]
    shapes = np.stack([np.ones(len(ys)), ys / picture.shape[0], xs / picture.shape[1]], axis=1)
    counts = np.ones(len(ys))
    for _ in range(5):
        slant = np.linalg.lstsq(shapes * counts[:, None], off * counts, rcond=None)[0]
        left = np.abs(off - shapes @ slant)
        counts = 1 / (1 + (left / _NEAR) ** 2)
    gy, gx = np.mgrid[: picture.shape[0], : picture.shape[1]]
    veil = slant[0] + slant[1] * gy / picture.shape[0] + slant[2] * gx / picture.shape[1]
    if (left <= _NEAR).mean() < _AGREE or np.abs(veil).max() > _VEIL:
        return np.zeros_like(open_)
    kernel = np.ones((3, 3), dtype=np.uint8)
    low, high = cv2.erode(mat, kernel) - _NEAR, cv2.dilate(mat, kernel) + _NEAR
    return np.asarray((picture - veil >= low) & (picture - veil <= high), dtype=np.bool_)


_FEWEST_OPEN, _NEAR, _AGREE, _VEIL = 200, 7.0, 0.8, 30.0
"""Fewest flat pixels of open mat, gray levels and share by which its light may be off, and most light added."""


def bends(u: npt.NDArray[np.floating], v: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Return the shapes that light can have over the table: even, slanted, falling off; shape (n, 6)."""
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)
