"""Stage 3, motion to turns: what is gone over again without a change of its own, a little in every frame.

What came to rest is read once more, so that nothing stays unread under what a piece is remembered to look like, and
then swept: read wherever something moved, bare mat or not, for what looks like bare mat may be a card of its tone. Now
and then the whole table is swept. And what the empty mat looks like is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.motion import SETTLE, Times
from companion.eye.scene import Flat, Mask, Window
from companion.eye.tracks import overlap

_SWEEP_EVERY = 30.0
"""Seconds between two sweeps of the whole table."""

_CALM = 0.6
"""Seconds without motion after which a frame has time for sweeps, and in its own tiles in any case."""

_BOX_EVERY = 0.4
"""Seconds after which a box is swept though somebody is busy elsewhere on the table."""

_LEARN_AFTER, _LEARN_EVERY = 1.0, 20.0

_STRIP = 2
"""Rows of tiles of which one frame learns."""

_BOX = 3, 3
"""Rows and columns of tiles that one frame of a sweep reads."""

_MANY = 32
"""Tiles from which on all that settled is read in one frame: an arm went over the table, the camera was bumped."""

_GRACE = 0.19
"""Seconds by which a settled view may wait for what is read little by little: two frames of ten a second, whichever way
their times are rounded.
"""


_PATIENT, _LATE = 0.25, 0.4
"""Seconds for which what is to be read waits for a frame that has nothing else to do, and after which all of it is read
whatever else there is to do.
"""


class _Part(NamedTuple):
    """A window of the flat picture that was asked for, or was read, at a time."""

    window: Window
    time: float


class Turn(msgspec.Struct, frozen=True):
    """What one frame takes care of: tiles to be read, and tiles to learn from.

    `sweep` tells whether the reading is part of a sweep, `part` is the window of the flat picture in these tiles that
    is to be read, if that is known, `whole` whether all that is found to be read should be, or one part of it.
    """

    read: Mask
    sweep: bool = False
    part: Window | None = None
    whole: bool = False
    learn: Window | None = None


class Rounds:
    """Which tiles' turn it is."""

    def __init__(self, flat: Flat) -> None:
        """Begin with nothing to do."""
        self._flat = flat
        self._none: Mask = np.zeros(flat.grid, dtype=np.bool_)
        self._again = self._none.copy()
        self._sweep = self._none.copy()
        self._asked = np.zeros(flat.grid)
        self._parts: list[_Part] = []
        self._done: list[_Part] = []
        self._strips: list[Window] = []
        self._learned = -1e9
        self._swept = self._boxed = -1e9

    def begin(self, time: float) -> None:
        """Note that the camera was found, or found again: the whole table has to be swept."""
        self._swept = time
        self._again[:] = False
        self._sweep[:] = True
        self._parts, self._done = [], []

    def moved(self, tiles: Mask) -> None:
        """Note that something moved in some tiles: they have to be swept."""
        self._sweep |= tiles

    def read_again(self, tiles: Mask, time: float) -> None:
        """Ask at a time for tiles to be read once more."""
        self._asked[tiles & ~self._again] = time
        self._again |= tiles

    def put_off(self, parts: Sequence[Window], moved_at: Times, time: float) -> list[Window]:
        """Ask for some windows of the flat picture to be read, one a frame, unless something moves there first.

        Gives the first, which is to be read now; what nearly is one of them need not be read besides, nor what was read
        like this since something moved there.
        """
        parts = self.unread(parts, moved_at)
        self._parts = [one for one in self._parts if not any(_mostly(one.window, part) for part in parts)]
        self._parts += [_Part(part, time) for part in parts[1:]]
        self._done += [_Part(part, time) for part in parts[:1]]
        return parts[:1]

    def unread(self, parts: Sequence[Window], moved_at: Times) -> list[Window]:
        """Give those of some windows that were not read like this since something moved there."""
        self._done = self._untouched(self._done, moved_at)
        return [part for part in parts if not any(_mostly(part, one.window) for one in self._done)]

    @property
    def waiting(self) -> bool:
        """Whether something that came to rest is still to be read once more."""
        return bool(self._parts) or bool(self._again.any())

    def next(
        self, time: float, moved_at: Times, resting: Mask, busy: bool, unclear: Mask, known: bool, complete: bool
    ) -> Turn:
        """Return what this frame takes care of.

        Args:
            time: of the frame.
            moved_at: when something last moved in each tile.
            resting: the tiles in which nothing moves.
            busy: whether the frame has other things to do.
            unclear: tiles of which more is to be learned once they have settled.
            known: whether there was a look at the whole table before.
            complete: whether every spot of the mat is known. If not, it is learned at once: it has a say everywhere.
        """
        rested = time - moved_at
        last = float(moved_at.max())
        quiet = rested >= SETTLE
        if self._again.any() or self._parts:
            late = self._waiting() & quiet
            if np.count_nonzero(late) >= _MANY or self._overdue(late & (rested >= SETTLE + _GRACE), time - last, time):
                self._again &= ~late
                self._parts = [one for one in self._parts if not late[self._flat.tile_window_of(one.window)].all()]
                return Turn(late, whole=True)
        calm = not busy and time - last >= _CALM
        sweeps = calm or time - self._boxed >= _BOX_EVERY
        free = quiet if busy else (quiet | ~unclear) & resting
        self._parts = self._untouched(self._parts, moved_at)
        if (turn := self._part(time, free, _PATIENT if busy else 0.0)) is not None:
            return turn
        soon = self._again & free & (time - self._asked >= (_PATIENT if busy else 0.0))
        if 0 < np.count_nonzero(soon) < _MANY:
            self._again &= ~soon
            return Turn(soon)
        if busy and self._strips:  # begin again when all is quiet
            self._strips, self._learned = [], -1e9
        if not sweeps:
            return Turn(self._none)
        if known:
            self._plan(time, last, complete)
        if self._strips and calm:
            return Turn(self._none, learn=self._strips.pop(0))
        if known and (swept := self._box(rested)) is not None:
            self._boxed = time
            return Turn(swept, sweep=True, whole=True)
        return Turn(self._none)

    def _plan(self, time: float, moved_at: float, complete: bool) -> None:
        calm = time - moved_at
        if time - self._swept > _SWEEP_EVERY:
            self._swept = time
            self._sweep[:] = True
        learned = self._learned >= moved_at + _LEARN_AFTER and time - self._learned <= _LEARN_EVERY
        if not self._strips and calm >= _LEARN_AFTER and not learned:
            self._learned = time
            high, wide = self._flat.grid
            step = _STRIP if complete else high
            self._strips = [(slice(y, min(y + step, high)), slice(0, wide)) for y in range(0, high, step)]

    def _waiting(self) -> Mask:
        """Give the tiles that are to be read once more."""
        result = self._again.copy()
        for part, _ in self._parts:
            result[self._flat.tile_window_of(part)] = True
        return result

    def _overdue(self, late: Mask, calm: float, time: float) -> bool:
        """Tell whether some of the tiles that have been at rest for long were asked for long ago, or are the last that
        the settled view of a table at rest waits for.
        """
        if calm >= SETTLE + _GRACE and late.any():
            return True
        if (late & self._again & (time - self._asked >= _LATE)).any():
            return True
        return any(time - at >= _LATE and late[self._flat.tile_window_of(part)].any() for part, at in self._parts)

    def _part(self, time: float, free: Mask, patience: float) -> Turn | None:
        """Take the first of the parts that were put off, lie in some tiles, and have waited for so many seconds."""
        for number, one in enumerate(self._parts):
            tiles = self._flat.tile_window_of(one.window)
            if time - one.time >= patience and free[tiles].all():
                del self._parts[number]
                self._done.append(_Part(one.window, time))
                read = self._none.copy()
                read[tiles] = True
                return Turn(read, part=one.window)
        return None

    def _untouched(self, parts: Sequence[_Part], moved_at: Times) -> list[_Part]:
        """Return those of some parts in which nothing has moved since their time."""
        return [one for one in parts if float(moved_at[self._flat.tile_window_of(one.window)].max()) < one.time]

    def _box(self, rested: npt.NDArray[np.float64]) -> Mask | None:
        """Take a box of tiles at rest from those that are to be swept, where something moved last; None without any."""
        ready = self._sweep & (rested >= _CALM)
        if not ready.any():
            return None
        last = np.where(ready, rested, np.inf)
        top, left = np.unravel_index(int(last.argmin()), last.shape)
        box = self._none.copy()
        box[top : top + _BOX[0], left : left + _BOX[1]] = ready[top : top + _BOX[0], left : left + _BOX[1]]
        self._sweep &= ~box
        return box


def _mostly(one: Window, other: Window) -> bool:
    """Tell whether four fifths of a window lie in another one."""
    common = overlap(one, other)
    return common is not None and _area(common) >= 0.8 * _area(one)


def _area(window: Window) -> int:
    return int((window[0].stop - window[0].start) * (window[1].stop - window[1].start))
