"""Windows of the mat in which nothing was found: they need not be looked at again while nothing changes there."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Rect

_SAME_PICTURE = 4.0
"""Gray levels by which a place may differ from one in which nothing was found, and need not be looked at again."""

_TRIES = 3
"""How often a place is looked at in which nothing is found and nothing changes."""

_REMEMBERED = 20
"""How many windows are remembered."""

Picture = npt.NDArray[np.uint8]
"""1 px/mm: in colours, or a mask."""


class _Failed(NamedTuple):
    picture: Picture
    tries: int


class Failures:
    """The windows in which nothing of one deck was found, the latest last."""

    def __init__(self) -> None:
        """Create it without any."""
        self._failed: dict[Rect, _Failed] = {}

    def clear(self) -> None:
        """Forget all: something else may be found now."""
        self._failed.clear()

    def add(self, window: Rect, now: Picture) -> None:
        """Record that nothing was found in a window, which may have happened before in a picture like this one."""
        before = self._failed.pop(window, _Failed(now, 0))
        self._failed[window] = before._replace(tries=before.tries + 1)
        while len(self._failed) > _REMEMBERED:
            del self._failed[next(iter(self._failed))]

    def hopeless(self, window: Rect, now: Picture, mask: Picture) -> bool:
        """Return whether nothing was found here, several times, in a picture like this one; forget other pictures."""
        failed = self._failed.get(window)
        if failed is None:
            return False
        off = cv2.absdiff(cv2.blur(now, (5, 5)), cv2.blur(failed.picture, (5, 5))).max(2)
        if float(off[mask > 0].mean() if mask.any() else 0.0) > _SAME_PICTURE:
            del self._failed[window]
            return False
        return failed.tries >= _TRIES
