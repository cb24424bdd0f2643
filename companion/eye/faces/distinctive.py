"""What tells the fronts of a deck apart, and what they share: of two cards in one frame only the pictures differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_SHARED, _TELLING = 15.0, 25.0
"""Gray levels by which three quarters of the fronts differ, at most, at a shared place; and a quarter, at least, at one
that tells them apart."""

_FEW = 16
"""Places of a block, of 64, below which nothing is said of it."""

_PLAIN = 12.0
"""Contrast (gray levels) below which a part of a block is no picture, but plain, bleached, or noise."""

_ANOTHER, _GONE = 0.25, 0.35
"""The likeness below which a part of a block is another picture; and below which what all fronts share is not there."""

_FRAME = 0.25
"""The share of blocks with something that all fronts share that makes a frame: printed ones have .39 and more of it,
standard decks and pictures without a frame .17 and less.
"""

Floats = npt.NDArray[np.float32]


class Odds(NamedTuple):
    """Shares of a card's blocks with another picture, without what all fronts share (it is covered), and with that."""

    another: float
    gone: float
    kept: float


class Distinctive:
    """What tells the fronts of a deck apart. Not changed once made."""

    def __init__(self, fronts: Floats) -> None:
        """Compare fronts with each other, place by place; shape (fronts, blocks, places, layers)."""
        middle = np.median(fronts, axis=0)
        off = np.abs(fronts - middle).max(-1)
        spread = np.quantile(off, 0.75, axis=0)
        self._shared, self._telling = spread < _SHARED, spread > _TELLING
        _, contrast, _ = _alike(middle, middle, self._shared)
        self.framed = float(((self._shared.sum(1) >= _FEW) & (contrast > _PLAIN)).mean()) >= _FRAME
        """Whether all fronts share a frame: without one nothing tells a card that nobody taught."""

    def odds(self, seen: Floats, front: Floats, show: npt.NDArray[np.bool_]) -> Odds:
        """Return what speaks against a front in what is seen, of whose blocks some `show`."""
        tells, *contrasts = _alike(seen, front, self._telling)
        shares, _, contrast = _alike(seen, front, self._shared)
        telling = show & (self._telling.sum(1) >= _FEW) & (np.minimum(*contrasts) > _PLAIN)
        shared = show & (self._shared.sum(1) >= _FEW) & (contrast > _PLAIN)
        another, gone = telling & (tells < _ANOTHER), shared & (shares < _GONE)
        return Odds(float(another.mean()), float(gone.mean()), float((shared & ~gone).mean()))


def _alike(a: Floats, b: Floats, where: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Return for each block how alike two pictures are at some of its places, 1 for the same, and their contrasts."""
    counts, at = np.maximum(where.sum(1), 1), where[..., None].astype(np.float32)

    def without_mean(picture: Floats) -> Floats:
        mean = (picture * at).sum(1, keepdims=True) / counts[:, None, None]
        return np.asarray((picture - mean) * at, dtype=np.float32)

    a, b = without_mean(a), without_mean(b)
    contrasts = [np.sqrt((one * one).sum((1, 2)) / counts) for one in (a, b)]
    both = (a * b).sum((1, 2)) / counts
    return both / np.maximum(contrasts[0] * contrasts[1], 1.0), contrasts[0], contrasts[1]
