"""Windows of the mat in which nothing was found: they need not be looked at again while nothing changes there."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

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
"""How many windows are remembered."""

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
