"""Stage 2, frame to motion: which tiles of the mat moved, and which are due for a look at the full picture.

A tile is looked at in the first and second frame at rest, once more when settled, and then, with growing pauses, while
something there is not understood.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.flat import TILE, Flat, Mask, Window
from companion.eye.view import Gray

SETTLE = 0.5
"""Seconds without motion after which a place counts as settled."""

_BUMP = 0.6
"""The share of all tiles beyond which what moved was a lamp or a bump, no hand."""

Times = npt.NDArray[np.float64]
"""Seconds, one for each tile."""

_NOISE = 14
"""Gray levels by which a pixel of the reduced picture must change to be motion: its noise is a few at most."""

_CREPT = 6
"""Gray levels by which a place must differ from its last sweep to be swept again: what creeps in moves less a frame."""

_PAUSE = np.array([0.5, 0.5, 0.5, 0.5, 1.0, 2.0, 4.0])
"""Seconds from a look to the next one, by the number of looks since something moved."""


class Moved(NamedTuple):
    """What moved in a frame: tiles, None if none did, and flat pixels (0 or 255)."""

    tiles: Mask | None
    pixels: Gray
    light: bool
    """Whether most of the picture changed by its light alone."""

    @property
    def by_hand(self) -> bool:
        """Whether a hand may have done it, not a lamp or a bump."""
        return self.tiles is not None and not self.light and bool(self.tiles.mean() <= _BUMP)


class Motion:
    """Motion and the looks that are due, tile by tile. All arrays have the shape of the flat picture's tile grid."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._last: Gray | None = None
        self._anchor: Gray | None = None
        self._anchored = 0.0
        self._flat_mask: Gray = np.zeros(flat.shape, dtype=np.uint8)
        self.moved_at: Times = np.full(flat.grid, -1e9)
        """When (seconds) something last moved in each tile."""
        self.rest: npt.NDArray[np.int64] = np.zeros(flat.grid, dtype=np.int64)
        """Frames since something last moved in each tile."""
        self._looks: npt.NDArray[np.int64] = np.zeros(flat.grid, dtype=np.int64)
        self._next: npt.NDArray[np.float64] = np.zeros(flat.grid)
        self.dirty: Mask = np.ones(flat.grid, dtype=np.bool_)
        self._light_jumped = False
        self._pixels: Gray = np.zeros(flat.shape, dtype=np.uint8)
        self._swept: Gray | None = None

    def forget(self, small: Gray, time: float) -> None:
        """Reset after the camera was bumped: every tile has to be looked at again."""
        self._last, self._anchor, self._anchored, self._swept = small, small, time, None
        self.rest[:] = 0
        self._looks[:] = 0
        self.dirty[:] = True
        self.moved_at[:] = time

    def see(self, small: Gray, time: float) -> Moved:
        """Process a reduced picture; return what moved since the last one."""
        moving = self._see(small, time)
        return Moved(moving, self._pixels, self._light_jumped)

    def _see(self, small: Gray, time: float) -> Mask | None:
        last, self._last = self._last, small
        self._light_jumped = False
        self.rest += 1
        if last is None or self._anchor is None or last.shape != small.shape:
            self.forget(small, time)
            return np.ones(self._flat.grid, dtype=np.bool_)
        moving = self._tiles(last, small)
        if moving is not None:
            self._pixels = self._flat_mask
            self.moved_at[moving] = time
            self.rest[moving] = 0
            self._wake(moving)
        if time - self._anchored >= 1.0 or self._light_jumped:
            # What creeps (a card pushed very slowly, a shadow) shows only against an older picture.
            crept = self._tiles(self._anchor, small)
            if crept is not None and not self._light_jumped:
                self._wake(crept & (time - self.moved_at > 1.5) & ~self.dirty)
            self._anchor, self._anchored = small, time
        return moving

    def _tiles(self, before: Gray, after: Gray) -> Mask | None:
        changed = cv2.threshold(cv2.absdiff(before, after), _NOISE, 255, cv2.THRESH_BINARY)[1]
        amount = cv2.countNonZero(changed)
        if amount < 3:
            return None
        if amount > 0.3 * changed.size:
            evened = _in_light_of(before, after)
            rest = cv2.threshold(cv2.absdiff(evened, after), _NOISE, 255, cv2.THRESH_BINARY)[1]
            rest = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), dtype=np.uint8))
            if cv2.countNonZero(rest) < 0.3 * amount:
                self._light_jumped = True
                changed = rest
        self._flat_mask, moving = self._flat.marks(np.asarray(changed, dtype=np.uint8))
        return moving if moving.any() else None

    def _wake(self, tiles: Mask) -> None:
        self._looks[tiles] = 0
        self.dirty |= tiles

    def wake(self, tiles: Window) -> None:
        """Schedule a window of tiles again, from the first look on."""
        self._looks[tiles] = 0
        self.dirty[tiles] = True

    def due(self, time: float) -> Mask:
        """Return which tiles should be looked at now."""
        return self.dirty & (self.rest >= 1) & ((self._looks < 2) | (time >= self._next))

    def to_sweep(self) -> Mask:
        """Return the tiles that look otherwise than when this returned them last, at first all: to be swept now."""
        assert self._last is not None  # noqa: S101 (a frame was seen)
        now = np.asarray(cv2.blur(self._flat.flattened(self._last), (3, 3)), dtype=np.uint8)
        if self._swept is None:
            self._swept = now
            return np.ones(self._flat.grid, dtype=np.bool_)
        off = cv2.threshold(cv2.absdiff(now, self._swept), _CREPT, 255, cv2.THRESH_BINARY)[1]
        changed = self._flat.tiles(np.asarray(off, dtype=np.uint8))
        np.copyto(self._swept, now, where=np.kron(changed, np.ones((TILE, TILE), dtype=np.bool_)))
        return changed

    def looked(self, tiles: Mask, unclear: Mask, time: float) -> Mask:
        """Record a look at tiles; return those whose second look it was since something moved there."""
        self._looks[tiles] += 1
        settled = time - self.moved_at >= SETTLE
        pause = _PAUSE[np.minimum(self._looks, len(_PAUSE) - 1)]
        np.copyto(self._next, np.where(settled, time + pause, self.moved_at + SETTLE), where=tiles)
        done = tiles & settled & ~unclear & (self._looks >= 2)
        self.dirty &= ~done
        return np.asarray(tiles & (self._looks == 2))


def quiet(moved_at: Times, tiles: Window, time: float) -> float:
    """Return the seconds since anything moved in a window of tiles; `moved_at` as `Motion.moved_at`."""
    part = moved_at[tiles]
    return float(time - part.max()) if part.size else 1e9


def _in_light_of(before: Gray, after: Gray) -> Gray:
    """Return `before` in the light of `after`, light being what varies slowly over the picture."""
    grid = (18, 10)
    a = cv2.resize(before, grid, interpolation=cv2.INTER_AREA).astype(np.float32)
    b = cv2.resize(after, grid, interpolation=cv2.INTER_AREA).astype(np.float32)
    ratio = cv2.GaussianBlur(np.clip((b + 2) / (a + 2), 0.2, 5.0), (0, 0), 1.0)
    gain = cv2.resize(ratio, (before.shape[1], before.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(before * gain, 0, 255), dtype=np.uint8)
