"""What is gone over again without a change of its own: a little in every frame, so that no frame is dear.

What came to rest is read once more, whatever it looks like, so that nothing stays unread under what a piece is
remembered to look like; now and then the whole table is. And what the empty mat looks like is learned.
"""

from __future__ import annotations

import msgspec
import numpy as np

from companion.eye.motion import SETTLE, Motion
from companion.eye.scene import Flat, Mask, Window

_SWEEP_AFTER, _SWEEP_EVERY = 3.0, 30.0
_LEARN_AFTER, _LEARN_EVERY = 1.0, 20.0

_STRIP = 2
"""Rows of tiles of which one frame learns."""

_BOX = 4, 4
"""Rows and columns of tiles that one frame reads: a card (63 × 88 mm) and its surroundings are two of them."""


class Turn(msgspec.Struct, frozen=True):
    """What one frame takes care of: tiles to be read, whether as part of a sweep, and tiles to learn from."""

    read: Mask
    sweep: bool = False
    learn: Window | None = None


class Rounds:
    """Which tiles' turn it is."""

    def __init__(self, flat: Flat, motion: Motion) -> None:
        """Begin with nothing to do."""
        self._flat = flat
        self._motion = motion
        self._none: Mask = np.zeros(flat.grid, dtype=np.bool_)
        self._again = self._none.copy()
        self._sweep = self._none.copy()
        self._strips: list[Window] = []
        self._learned = -1e9
        self._swept = -1e9
        self._busy_since_sweep = True

    def begin(self, time: float) -> None:
        """Note that the camera was found, or found again: there is enough to do."""
        self._swept, self._busy_since_sweep = time, True
        self._again[:] = self._sweep[:] = False

    def moved(self) -> None:
        """Note that something moved."""
        self._busy_since_sweep = True

    def read_again(self, tiles: Mask) -> None:
        """Ask for tiles to be read once more."""
        self._again |= tiles

    def next(self, time: float, busy: bool, unclear: Mask, known: bool, complete: bool) -> Turn:
        """Give what this frame takes care of.

        Args:
            time: of the frame.
            busy: whether the frame has other things to do.
            unclear: tiles of which more is to be learned once they have settled.
            known: whether there was a look at the whole table before.
            complete: whether every spot of the mat is known. If not, it is learned at once: it has a say everywhere.
        """
        late = self._again & (time - self._motion.moved_at >= SETTLE)
        if late.any():
            self._again &= ~late
            return Turn(late)
        if busy:
            if self._strips:  # begin again when all is quiet
                self._strips, self._learned = [], -1e9
            if time - self._swept <= 2 * _SWEEP_EVERY:
                return Turn(self._none)
        elif (soon := self._box(self._again, ~unclear)) is not None:
            return Turn(soon)
        if known:
            self._plan(time, complete)
        if (swept := self._box(self._sweep)) is not None:
            return Turn(swept, True)
        return Turn(self._none, learn=self._strips.pop(0) if self._strips else None)

    def _plan(self, time: float, complete: bool) -> None:
        moved_at = float(self._motion.moved_at.max())
        calm, since = time - moved_at, time - self._swept
        if since > _SWEEP_EVERY or (self._busy_since_sweep and min(since, calm) > _SWEEP_AFTER):
            self._swept, self._busy_since_sweep = time, False
            self._sweep[:] = True
        learned = self._learned >= moved_at + _LEARN_AFTER and time - self._learned <= _LEARN_EVERY
        if not self._strips and calm >= _LEARN_AFTER and not learned:
            self._learned = time
            high, wide = self._flat.grid
            step = _STRIP if complete else high
            self._strips = [(slice(y, min(y + step, high)), slice(0, wide)) for y in range(0, high, step)]

    def _box(self, waiting: Mask, but: Mask | bool = True) -> Mask | None:
        """Take the first box of tiles at rest from those that wait, None if there is none."""
        ready = waiting & (self._motion.rest >= 1) & but
        if not ready.any():
            return None
        top = int(ready.any(axis=1).argmax())
        rows = slice(top, top + _BOX[0])
        left = int(ready[rows].any(axis=0).argmax())
        box = self._none.copy()
        box[rows, left : left + _BOX[1]] = ready[rows, left : left + _BOX[1]]
        waiting &= ~box
        return box
