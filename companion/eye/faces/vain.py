"""Where nothing was found: it need not be looked at again while nothing changes there.

Windows in which no card was found at all; and parts of the mat that no card explained, beside those that were found.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.poses import Region, regions
from companion.eye.mat import Rect

_SAME_PICTURE = 4.0
"""Gray levels by which a place may differ from one in which nothing was found, and need not be looked at again."""

_BRIGHTER = 1.1
"""By how much all of it may be brighter or darker besides: a camera exposes anew whenever something bright is laid."""

_SAME_PLACE = 8.0
"""Millimetres by which the edges of a window may be off, as they hang on what is strange in it."""

_TRIES = 2
"""How often a place is looked at in which nothing is found and nothing changes."""

_REMEMBERED = 20
"""How many windows are remembered, and how many parts."""

_NOISE, _OUTSIDE = 4, 0.05
"""Millimetres by which the outline of a part may be off, and the share of it that may lie further out."""

Picture = npt.NDArray[np.uint8]
"""1 px/mm: in colours, or a mask."""


class _Failed(NamedTuple):
    picture: Picture
    corner: tuple[int, int]
    tries: int


class Failures:
    """The windows in which nothing of one deck was found, the latest last."""

    def __init__(self) -> None:
        """Create it without any."""
        self._failed: dict[Rect, _Failed] = {}

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        self._failed.clear()

    def add(self, window: Rect, now: Picture, corner: tuple[int, int]) -> None:
        """Record that nothing was found in a window, which may have happened before in a picture like this one.

        The picture begins at a `corner` (mm from the left and from the top).
        """
        tries = self._failed.pop(self._known(window), _Failed(now, corner, 0)).tries
        self._failed[window] = _Failed(now, corner, tries + 1)
        while len(self._failed) > _REMEMBERED:
            del self._failed[next(iter(self._failed))]

    def hopeless(self, window: Rect, now: Picture, corner: tuple[int, int], mask: Picture) -> bool:
        """Return whether nothing was found here, several times, in a picture like this one; forget other pictures."""
        known = self._known(window)
        failed = self._failed.get(known)
        if failed is None:
            return False
        if _off(failed.picture, failed.corner, now, corner, mask) > _SAME_PICTURE:
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
    picture: Picture
    mask: Picture
    corner: tuple[int, int]


class Searched:
    """The parts of the mat that were searched for cards of one deck, and that none explained, the latest last."""

    def __init__(self) -> None:
        """Create it without any."""
        self._parts: list[_Part] = []

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        self._parts.clear()

    def tries(self, region: Region, now: Picture, corner: tuple[int, int]) -> int:
        """Return how often all of a part of a picture, but for a rim, was searched when it looked like this, also in
        pieces; the picture begins at a `corner` (mm from the left and from the top).
        """
        x, y, wide, high = region.box
        here, at = (slice(y, y + high), slice(x, x + wide)), (corner[0] + x, corner[1] + y)
        part = region.mask[here]
        counts = np.zeros((high, wide), np.uint8)
        for known in self._parts:
            both = _placed(known, at, counts.shape) & part
            if both.any() and _off(known.picture, known.corner, now[here], at, both.astype(np.uint8)) <= _SAME_PICTURE:
                counts += both
        return int(np.percentile(counts[part], 100 * _OUTSIDE))

    def add(self, left: Picture, now: Picture, corner: tuple[int, int]) -> None:
        """Record which parts of such a picture no card explained."""
        for region in regions(left, 1, 1):
            x, y, wide, high = region.box
            x_from, y_from = max(0, x - _NOISE), max(0, y - _NOISE)
            here = slice(y_from, y + high + _NOISE), slice(x_from, x + wide + _NOISE)
            mask = cv2.dilate(region.mask[here].astype(np.uint8), np.ones((2 * _NOISE + 1,) * 2, np.uint8))
            self._parts.append(_Part(now[here], np.asarray(mask, np.uint8), (corner[0] + x_from, corner[1] + y_from)))
        del self._parts[: -_REMEMBERED * _TRIES]


def _placed(known: _Part, at: tuple[int, int], shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return where a known part is in a picture of a shape that begins at a corner."""
    placed = np.zeros(shape, np.bool_)
    x, y = known.corner[0] - at[0], known.corner[1] - at[1]
    mine = placed[max(0, y) : max(0, y + known.mask.shape[0]), max(0, x) : max(0, x + known.mask.shape[1])]
    left, top = max(0, -x), max(0, -y)
    mine |= known.mask[top : top + mine.shape[0], left : left + mine.shape[1]] > 0
    return placed


class Here(NamedTuple):
    """What was searched, for one picture: it begins at a corner (mm from the left and from the top)."""

    searched: Searched
    now: Picture
    corner: tuple[int, int]

    def tries(self, region: Region) -> int:
        """Return how often a part of the picture was searched."""
        return self.searched.tries(region, self.now, self.corner)

    def open(self, left: Picture) -> Picture:
        """Return a mask without those of its parts that were searched in vain often enough."""
        result = left.copy()
        for region in regions(left, 1, 1):
            if self.tries(region) >= _TRIES:
                result[region.mask] = 0
        return result

    def add(self, left: Picture) -> None:
        """Record which parts no card explained."""
        self.searched.add(left, self.now, self.corner)


def _off(before: Picture, was_at: tuple[int, int], now: Picture, corner: tuple[int, int], mask: Picture) -> float:
    """Return by how many gray levels two pictures differ where a mask is set, apart from a lamp a little brighter."""
    left, top = max(was_at[0], corner[0]), max(was_at[1], corner[1])
    right = min(was_at[0] + before.shape[1], corner[0] + now.shape[1])
    bottom = min(was_at[1] + before.shape[0], corner[1] + now.shape[0])
    then, seen = (
        cv2.blur(picture[top - y : bottom - y, left - x : right - x], (5, 5)).astype(np.float32)
        for picture, (x, y) in ((before, was_at), (now, corner))
    )
    here = mask[top - corner[1] : bottom - corner[1], left - corner[0] : right - corner[0]] > 0
    if not here.any():
        return 0.0
    gain = float(np.clip(np.median(seen[here] / np.maximum(then[here], 1)), 1 / _BRIGHTER, _BRIGHTER))
    return float(np.abs(seen - gain * then)[here].max(1).mean())
