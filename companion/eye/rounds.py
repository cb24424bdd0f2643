"""Stage 3, motion to turns: spreads re-reading over frames, a little in every frame.

What came to rest is read again, bare mat too once all is calm: it may be a card of its tone. Now and then all is swept
that looks otherwise than in the last sweep, or is not understood.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from companion.eye.flat import Flat, Mask, Window
from companion.eye.motion import SETTLE, Times

_SWEEP_EVERY = 30.0
"""Seconds between two sweeps of the whole table."""

_CALM = 1.0
"""Seconds without motion after which a frame has time for sweeps, and in its own tiles in any case."""

_BOX_EVERY = 1.0
"""Seconds after which a box is swept even if somebody is busy elsewhere on the table."""

_LEARN_AFTER, _LEARN_EVERY = 1.0, 20.0

_STRIP = 2
"""Rows of tiles from which one frame learns."""

_SWEPT, _AGAIN = (3, 3), (5, 5)
"""Rows and columns of tiles that one frame reads: in a sweep, perhaps with bare mat, and once more, without."""

_WIDE = (9, 10)
"""Those of a sweep where frames that can be read are rare: a sixth of the table."""

_MANY = 32
"""Tiles from which on all that settled is read in one frame: an arm went over the table, the camera was bumped."""

_GRACE = 0.19
"""Seconds that a settled view may wait for what is read little by little: two frames of ten a second."""

_PATIENT, _LATE = 0.25, 0.4
"""Seconds that reading waits for a frame with nothing else to do, and after which all of it is read."""


class Turn(msgspec.Struct, frozen=True):
    """The work of one frame: tiles to read, those whose bare mat is read too, and a window of tiles to learn from."""

    read: Mask
    bare: Mask
    learn: Window | None = None


class Rounds:
    """Decides which tiles' turn it is."""

    def __init__(self, flat: Flat, to_sweep: Callable[[], Mask]) -> None:
        """Create them; `to_sweep` returns which tiles look otherwise than when they were swept last."""
        self._grid = flat.grid
        self._to_sweep = to_sweep
        self._again: Mask = np.zeros(flat.grid, dtype=np.bool_)
        self._asked: Times = np.zeros(flat.grid)
        self._sweep = self._again.copy()
        self._bare = self._again.copy()
        self._none = self._again.copy()
        self._strips: list[Window] = []
        self.rare = False
        """Whether frames that can be read come seldom, so that each has to do more."""
        self._learned = self._lit = self._swept = self._boxed = -1e9

    def begin(self, time: float) -> None:
        """Start afresh because the mat was found, or found again: the whole table has to be swept."""
        self._swept = time
        self._again[:] = False
        self._sweep[:] = self._bare[:] = True

    def read_again(self, tiles: Mask, time: float) -> None:
        """Schedule tiles in which something came to rest for one more reading."""
        self._asked[tiles & ~self._again] = time
        self._again |= tiles

    def lit_anew(self, time: float) -> None:
        """Schedule learning the mat's look anew, once the light is steady, because a lamp was switched."""
        self._lit, self._strips = time, []

    @property
    def waiting(self) -> bool:
        """Whether a second reading of something that came to rest is still pending."""
        return bool(self._again.any())

    @property
    def learning(self) -> bool:
        """Whether the mat's look is still to be learned in places."""
        return bool(self._strips)

    def next(
        self, time: float, moved_at: Times, resting: Mask, busy: bool, unclear: Mask, known: bool, complete: bool
    ) -> Turn:
        """Return the work of a frame at `time`; `busy` if there is other work, `known` after a look at the whole table.

        `moved_at` is by tile, `resting` tiles have no motion, `unclear` ones are looked at again once settled. Unless
        every spot of the mat is known (`complete`) it is learned at once.
        """
        rested, last = time - moved_at, float(moved_at.max())
        quiet = rested >= SETTLE
        late = self._again & quiet
        if np.count_nonzero(late) >= _MANY or self._overdue(late & (rested >= SETTLE + _GRACE), time - last, time):
            # A large area is read less well than a box, so it is swept as well.
            return self._again_in(late)
        free = quiet if busy else (quiet | ~unclear) & resting
        soon = self._again & free & (time - self._asked >= (_PATIENT if busy else 0.0))
        if 0 < np.count_nonzero(soon) < _MANY:
            return self._again_in(_box(soon, rested, _AGAIN))
        if busy:  # begin again when all is quiet
            self._learned = -1e9 if self._strips else self._learned
            self._strips = []
        calm = not busy and time - last >= _CALM
        if known and (calm or time - self._boxed >= _BOX_EVERY):
            self._plan(time, max(last, self._lit), complete, unclear)
            if self._strips and calm:
                return Turn(self._none, self._none, self._strips.pop(0))
            ready = self._sweep & (rested >= _CALM)
            if ready.any():
                self._boxed = time
                box = _box(ready, rested, _WIDE if self.rare else _SWEPT)
                turn = Turn(box, box & self._bare)
                self._sweep &= ~box
                self._bare &= ~box
                return turn
        return Turn(self._none, self._none)

    def _again_in(self, tiles: Mask) -> Turn:
        """Return the second reading of some tiles: a sweep reads them again, bare mat and all."""
        self._again &= ~tiles
        self._sweep |= tiles
        self._bare |= tiles
        return Turn(tiles, self._none)

    def _plan(self, time: float, changed_at: float, complete: bool, unclear: Mask) -> None:
        if time - self._swept > _SWEEP_EVERY:
            self._swept = time
            self._sweep |= unclear | self._to_sweep()
        learned = self._learned >= changed_at + _LEARN_AFTER and time - self._learned <= _LEARN_EVERY
        if not self._strips and time - changed_at >= _LEARN_AFTER and not learned:
            self._learned = time
            high, wide = self._grid
            step = _STRIP if complete else high
            self._strips = [(slice(y, min(y + step, high)), slice(0, wide)) for y in range(0, high, step)]

    def _overdue(self, late: Mask, calm: float, time: float) -> bool:
        """Return whether resting tiles were asked for long ago, or are the last that the settled view waits for."""
        return bool(late.any() and (calm >= SETTLE + _GRACE or (time - self._asked[late]).max() >= _LATE))


def _box(ready: Mask, rested: Times, size: tuple[int, int]) -> Mask:
    """Return a box (rows and columns) of some tiles: where something moved last."""
    last = np.where(ready, rested, np.inf)
    top, left = np.unravel_index(int(last.argmin()), last.shape)
    box = np.zeros(ready.shape, dtype=np.bool_)
    part = slice(top, top + size[0]), slice(left, left + size[1])
    box[part] = ready[part]
    return box
