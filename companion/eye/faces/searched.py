"""Windows and parts of the mat in which no card was found, which are not searched again while they look the same."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.poses import Region, regions
from companion.eye.geometry import Points
from companion.eye.mat import Rect

_SAME_PICTURE = 4.0
"""Gray levels by which a place may differ from one in which nothing was found, and need not be looked at again."""

_BRIGHTER = 1.1
"""By how much all of it may be brighter or darker besides: a camera exposes anew whenever something bright is laid."""

_EVERY = 2
"""Every so many millimetres two sights are compared: they are smooth."""

_SAME_PLACE = 8.0
"""Millimetres by which the edges of a window may be off, as they hang on what is strange in it."""

_TRIES = 2
"""How often a window is looked at hastily in which nothing is found and nothing changes; else once is enough."""

_REMEMBERED = 20
"""How many windows are remembered, and how many parts."""

_NOISE, _OUTSIDE = 4, 0.05
"""Millimetres by which the outline of a part may be off, and the share of it that may lie further out."""

Picture = npt.NDArray[np.uint8]
"""1 px/mm: in colours, or a mask."""


class Sight(NamedTuple):
    """A smooth picture of a part of the mat (see `sight`), from a corner on (mm from the left and the top)."""

    picture: Picture
    corner: tuple[int, int]

    def part(self, rows: slice, columns: slice) -> Sight:
        """Return a part of it."""
        return Sight(self.picture[rows, columns], (self.corner[0] + columns.start, self.corner[1] + rows.start))

    def around(self, outline: Points) -> Sight:
        """Return a copy of the part round an outline (mm), which keeps nothing of the rest in memory."""
        at = outline - self.corner
        (x0, y0), (x1, y1) = np.maximum(np.floor(at.min(axis=0)), 0).astype(int), np.ceil(at.max(axis=0)).astype(int)
        part = self.part(slice(int(y0), max(int(y0), int(y1))), slice(int(x0), max(int(x0), int(x1))))
        return Sight(part.picture.copy(), part.corner)


def sight(picture: Picture, corner: tuple[int, int]) -> Sight:
    """Return a picture in which noise counts for less."""
    return Sight(np.asarray(cv2.blur(picture, (5, 5)), dtype=np.uint8), corner)


class _Failed(NamedTuple):
    seen: Sight
    tries: int


class Failures:
    """The windows in which nothing of one deck was found, the latest last."""

    def __init__(self) -> None:
        self._failed: dict[Rect, _Failed] = {}

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        self._failed.clear()

    def add(self, window: Rect, now: Sight, *, hasty: bool = False) -> None:
        """Record that nothing was found in a window that looks like this; a `hasty` look is repeated once."""
        failed = self._failed.pop(self._known(window), None)
        tries = failed.tries if failed is not None else 0
        self._failed[window] = _Failed(now, tries + (1 if hasty else _TRIES))
        while len(self._failed) > _REMEMBERED:
            del self._failed[next(iter(self._failed))]

    def hopeless(self, window: Rect, now: Sight, mask: Picture) -> bool:
        """Return whether nothing was found here when all in a mask looked like this; forget what looked otherwise."""
        known = self._known(window)
        failed = self._failed.get(known)
        if failed is None:
            return False
        if not same(failed.seen, now, mask):
            del self._failed[known]
            return False
        return failed.tries >= _TRIES

    def _known(self, window: Rect) -> Rect:
        """Return the window that was looked at before in a window's place, if there is one; else the window itself."""
        edges = np.array([window.x, window.y, window.x + window.w, window.y + window.h])
        for other in self._failed:
            off = edges - (other.x, other.y, other.x + other.w, other.y + other.h)
            if np.abs(off).max() <= _SAME_PLACE:
                return other
        return window


class _Part(NamedTuple):
    seen: Sight
    mask: Picture

    def reaches(self, corner: tuple[int, int], shape: tuple[int, ...]) -> bool:
        """Return whether it reaches into a part of the mat of a shape that begins at a corner."""
        (x, y), (high, wide) = self.seen.corner, self.mask.shape
        return bool(-wide < x - corner[0] < shape[1] and -high < y - corner[1] < shape[0])


class Way(Enum):
    """How a part is searched for cards."""

    KEYPOINTS = auto()
    OUTLINES = auto()


class Searched:
    """The parts of the mat, the latest last, searched in each way for cards of one deck without success."""

    def __init__(self) -> None:
        self._parts: dict[Way, list[_Part]] = {way: [] for way in Way}

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        for parts in self._parts.values():
            parts.clear()

    def any(self, way: Way) -> bool:
        """Return whether anything was searched in a way."""
        return bool(self._parts[way])

    def has(self, way: Way, region: Region, now: Sight) -> bool:
        """Return whether a part, but for a rim, was searched when it looked like this, in one piece or in several."""
        x, y, wide, high = region.box
        here = now.part(slice(y, y + high), slice(x, x + wide))
        part = region.mask[y : y + high, x : x + wide]
        searched = np.zeros_like(part)
        enough = (1 - _OUTSIDE) * np.count_nonzero(part)
        for known in reversed(self._parts[way]):
            if not known.reaches(here.corner, part.shape):
                continue
            both = _placed(known, here.corner, part.shape) & part
            if both.any() and same(known.seen, here, both.astype(np.uint8)):
                searched |= both
                if np.count_nonzero(searched) >= enough:
                    return True
        return False

    def add(self, way: Way, left: Picture, now: Sight) -> None:
        """Record which parts of what is seen no card explained."""
        parts = self._parts[way]
        for region in regions(left, 1, 1) if left.any() else ():
            x, y, wide, high = region.box
            rows, columns = slice(max(0, y - _NOISE), y + high + _NOISE), slice(max(0, x - _NOISE), x + wide + _NOISE)
            mask = cv2.dilate(region.mask[rows, columns].astype(np.uint8), np.ones((2 * _NOISE + 1,) * 2, np.uint8))
            parts.append(_Part(now.part(rows, columns), np.asarray(mask, np.uint8)))
        del parts[:-_REMEMBERED]


class Here(NamedTuple):
    """What was searched, for what is seen now."""

    searched: Searched
    now: Sight

    def has(self, way: Way, region: Region) -> bool:
        """Return whether a part was searched in a way."""
        return self.searched.has(way, region, self.now)

    def open(self, way: Way, left: Picture) -> Picture:
        """Return a mask without those of its parts that were searched in a way."""
        result = left.copy()
        for region in regions(left, 1, 1) if self.searched.any(way) else ():
            if self.has(way, region):
                result[region.mask] = 0
        return result

    def add(self, way: Way, left: Picture) -> None:
        """Record which parts were searched in a way and no card explained."""
        self.searched.add(way, left, self.now)


def same(before: Sight, now: Sight, mask: Picture) -> bool:
    """Return whether two sights look the same where both exist and a mask of the second is set, but for the light."""
    (x0, y0), (x1, y1) = before.corner, now.corner
    left, top = max(x0, x1), max(y0, y1)
    right = min(x0 + before.picture.shape[1], x1 + now.picture.shape[1])
    bottom = min(y0 + before.picture.shape[0], y1 + now.picture.shape[0])
    here = mask[top - y1 : bottom - y1 : _EVERY, left - x1 : right - x1 : _EVERY] > 0
    if not here.any():
        return True
    then, seen = (
        picture[top - y : bottom - y : _EVERY, left - x : right - x : _EVERY][here].astype(np.float32)
        for picture, (x, y) in (before, now)
    )
    gain = float(np.clip(np.median(seen / np.maximum(then, 1)), 1 / _BRIGHTER, _BRIGHTER))
    return float(np.abs(seen - gain * then).max(1).mean()) <= _SAME_PICTURE


def _placed(known: _Part, at: tuple[int, int], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return where a known part is in a picture of a shape that begins at a corner."""
    placed = np.zeros(shape, np.bool_)
    x, y = known.seen.corner[0] - at[0], known.seen.corner[1] - at[1]
    mine = placed[max(0, y) : max(0, y + known.mask.shape[0]), max(0, x) : max(0, x + known.mask.shape[1])]
    left, top = max(0, -x), max(0, -y)
    mine |= known.mask[top : top + mine.shape[0], left : left + mine.shape[1]] > 0
    return placed
