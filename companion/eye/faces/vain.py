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

_TRIES = 3
"""How often a place is looked at in which nothing is found and nothing changes."""

_REMEMBERED = 20
"""How many windows are remembered, and how many parts."""

_NOISE, _OUTSIDE = 9, 0.05
"""Millimetres (a kernel) by which the outline of a part may be off, and the share of it that may lie further out."""

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
    tries: int


class Searched:
    """The parts of the mat that were searched for cards of one deck, and that none explained, the latest last."""

    def __init__(self) -> None:
        """Create it without any."""
        self._parts: list[_Part] = []

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        self._parts.clear()

    def tries(self, region: Region, now: Picture, corner: tuple[int, int]) -> int:
        """Return how often a part of a picture was searched in one like it, which begins at a `corner` (mm from the
        left and from the top).
        """
        return max((known.tries for known in self._parts if _is_same(known, region, now, corner)), default=0)

    def add(self, left: Picture, now: Picture, corner: tuple[int, int]) -> None:
        """Record which parts of such a picture no card explained."""
        for region in regions(left, 1, 1):
            x, y, wide, high = region.box
            here = slice(y, y + high), slice(x, x + wide)
            same = [_is_same(known, region, now, corner) for known in self._parts]
            tries = max((known.tries for known, again in zip(self._parts, same, strict=True) if again), default=0)
            self._parts = [known for known, again in zip(self._parts, same, strict=True) if not again]
            part = _Part(now[here], region.mask[here].astype(np.uint8), (corner[0] + x, corner[1] + y), tries + 1)
            self._parts.append(part)
        del self._parts[:-_REMEMBERED]


def _is_same(known: _Part, region: Region, now: Picture, corner: tuple[int, int]) -> bool:
    x, y, wide, high = region.box
    at, was_at = (x + corner[0], y + corner[1]), known.corner
    off = np.array([*at, at[0] + wide, at[1] + high])
    off -= (*was_at, was_at[0] + known.mask.shape[1], was_at[1] + known.mask.shape[0])
    if np.abs(off).max() > _SAME_PLACE:
        return False
    left, top = min(at[0], was_at[0]), min(at[1], was_at[1])
    here = slice(y, y + high), slice(x, x + wide)
    part = region.mask[here].astype(np.uint8)
    masks = np.zeros((2, high + 2 * int(_SAME_PLACE), wide + 2 * int(_SAME_PLACE)), np.uint8)
    for mask, one, (column, row) in zip(masks, (part, known.mask), (at, was_at), strict=True):
        mask[row - top : row - top + one.shape[0], column - left : column - left + one.shape[1]] = one
    if max(_out(*masks), _out(*masks[::-1])) > _OUTSIDE:
        return False
    return _off(known.picture, was_at, now[here], at, part) <= _SAME_PICTURE


def _out(one: Picture, other: Picture) -> float:
    """Return what share of a mask lies clearly outside another one."""
    near = cv2.dilate(other, np.ones((_NOISE, _NOISE), np.uint8)) > 0
    return float(one[~near].sum()) / max(1, int(one.sum()))


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
