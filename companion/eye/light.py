"""The light of the day: by what gain and offset the table looks brighter or darker than when it was learned."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_STEADY = 1.5
"""Gray levels by which the middle of the picture, or of a half of it, may be off before the light is fitted anew."""

_FAR = 12.0
"""More than so many gray levels off, and a sample counts as something else (a hand)."""


_FIELD = 2.0
"""Samples over which what a gain can't tell (a lamp near by, mirrored in part) is taken to be even (a deviation)."""


class Light:
    """Now ≈ gain × then + offset: the gain quadratic over the flat picture, the offset what is left, smoothly."""

    def __init__(self, shape: tuple[int, int], lattice: int) -> None:
        """Begin with the light of the day on which everything is learned; samples lie `lattice` pixels apart."""
        self.gain: Floats = np.ones(shape, dtype=np.float32)
        self.offset: Floats = np.zeros(shape, dtype=np.float32)
        self._lattice = lattice
        self._off = self._best = np.inf

    def reset(self) -> None:
        """Take today's light as the one in which everything is learned."""
        self.gain.fill(1.0)
        self.offset.fill(0.0)
        self._off = np.inf

    def fits(self, now: Floats, then: Floats, ys: npt.NDArray[Any], xs: npt.NDArray[Any]) -> bool:
        """Return whether the light is still as it was fitted, by samples: gray levels at flat pixels (ys, xs)."""
        left = now - (self.gain[ys, xs] * then + self.offset[ys, xs])
        if self._off > 1.25 * self._best + 0.5:
            # It was fitted while a shadow or a hand lay on the table.
            return False
        if _amount(left) > 1.15 * self._off + 0.3:
            return False
        high, wide = self.gain.shape
        upper, before = ys < high // 2, xs < wide // 2
        parts = (left, left[upper], left[~upper], left[before], left[~before])
        return all(abs(_middle(part)) < _STEADY for part in parts)

    def fit(self, now: Floats, then: Floats, ys: npt.NDArray[Any], xs: npt.NDArray[Any]) -> None:
        """Fit the light to samples: gray levels at flat pixels (ys, xs). What doesn't fit counts little."""
        high, wide = self.gain.shape
        gain, offset = fit_samples(now, then, ys / high * 2 - 1, xs / wide * 2 - 1)
        big = cv2.resize(gain, (wide, high), interpolation=cv2.INTER_LINEAR)
        self.gain = np.asarray(np.clip(big, 0.15, 6.0), dtype=np.float32)
        self.offset = offset + self._even(now - (self.gain[ys, xs] * then + offset), ys, xs)
        self._off = _amount(now - (self.gain[ys, xs] * then + self.offset[ys, xs]))
        # What a good fit is like: the best so far, but tables grow fuller.
        self._best = min(self._off, 1.01 * self._best)

    def _even(self, left: Floats, ys: npt.NDArray[Any], xs: npt.NDArray[Any]) -> Floats:
        """Return what is left at samples, smoothly over the whole picture; what is far off (a hand) counts little."""
        high, wide = self.gain.shape
        every, step = (-(-high // self._lattice), -(-wide // self._lattice)), self._lattice
        weight, total = np.zeros(every, dtype=np.float32), np.zeros(every, dtype=np.float32)
        counts = 1 / (1 + (left / _FAR) ** 2) ** 2
        weight[ys // step, xs // step], total[ys // step, xs // step] = counts, counts * left
        near = cv2.GaussianBlur(weight, (0, 0), _FIELD)
        # Far from all samples nothing is known, and nothing is added.
        smooth = cv2.GaussianBlur(total, (0, 0), _FIELD) / (near + 0.05)
        size = (every[1] * step, every[0] * step)
        return np.asarray(cv2.resize(smooth, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)[:high, :wide]


def _amount(left: Floats) -> float:
    """Return how far samples are off in the mean; a few that are far off (a hand) count no more than others."""
    return float(np.minimum(np.abs(left), _FAR).mean())


def _middle(values: Floats) -> float:
    return float(np.partition(values, len(values) // 2)[len(values) // 2]) if len(values) else 0.0


def fit_samples(now: Floats, then: Floats, v: npt.NDArray[Any], u: npt.NDArray[Any]) -> tuple[Floats, float]:
    """Fit samples at places (u, v) from -1 to 1; gives the gain on a coarse grid, shape (12, 16), and the offset."""
    a, b = then.astype(np.float64), now.astype(np.float64)
    # An offset is told from a gain by dark and bright spots; on a plain mat it is held near nothing.
    columns = np.concatenate([a[:, None] * bends(u, v), np.full((len(a), 1), 60.0)], axis=1)
    hold = np.diag([1e-6, 1.0, 1.0, 2.0, 2.0, 2.0, 4.0]) * max(1.0, float((a**2).mean())) * len(a) * 1e-4
    middle = float(np.median(b[a > 20] / a[a > 20])) if (a > 20).any() else 1.0
    found: npt.NDArray[Any] = np.zeros(7)
    found[0] = np.clip(middle, 0.2, 5.0)
    for _ in range(7):
        left = b - columns @ found
        width = max(4.0, 2.0 * float(np.median(np.abs(left))))
        weight = 1 / (1 + (left / width) ** 2) ** 2
        prior: npt.NDArray[np.float64] = np.zeros(7)
        prior[0] = found[0]
        normal = columns.T @ (columns * weight[:, None]) + hold
        found = np.linalg.solve(normal, columns.T @ (weight * b) + hold @ prior)
    gy, gx = np.meshgrid(np.linspace(-1, 1, 12), np.linspace(-1, 1, 16), indexing="ij")
    coarse = bends(gx.ravel(), gy.ravel()) @ found[:6]
    return coarse.reshape(12, 16).astype(np.float32), float(found[6] * 60.0)


def bends(u: npt.NDArray[Any], v: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the shapes that light can have over the table: even, slanted, falling off; shape (n, 6)."""
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)
