"""The eye's state between frames, in one place; each part belongs to one stage."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.eye.dice.trays import Trays
from companion.eye.expected import Expected
from companion.eye.flat import Flat, Mask, Window, joined
from companion.eye.mat import Mat
from companion.eye.motion import Motion
from companion.eye.pieces import Pieces
from companion.eye.places import CodeBook
from companion.eye.readings import Readings
from companion.eye.rounds import Rounds
from companion.eye.surface import Surface
from companion.eye.view import Gray
from companion.eye.zones import Zones

_AT_FIRST = 2
"""Looks, from when the camera was found, in which all is read, bare mat or not: so often a piece must be read."""


class Memory:
    """State of one mat. No part knows another: the eye passes the result of one stage to the next."""

    def __init__(self, mat: Mat, book: CodeBook, flat: Flat, reference: Gray | None) -> None:
        self.motion = Motion(flat)
        self.rounds = Rounds(flat, self.motion.to_sweep)
        self.surface = Surface(flat, reference)
        self.readings = Readings()
        self.pieces = Pieces(mat, book, flat)
        self.expected = Expected(flat)
        self.zones = Zones(mat, flat)
        self.trays = Trays(mat, flat)
        self.unread: npt.NDArray[np.int64] = np.full(flat.grid, _AT_FIRST)
        """For each tile, the number of further looks in which all of it is read."""
        self._shape = flat.shape

    def look_afresh(self, glimpse: Gray, time: float) -> None:
        """Forget what is valid only for an unmoved camera: the mat was found, or found again."""
        self.motion.forget(glimpse, time)
        self.readings.forget()
        self.unread[:] = _AT_FIRST
        self.rounds.begin(time)

    def unclear(self) -> Mask:
        """Return the tiles in which something should be read that was not, or is neither mat nor piece."""
        return self.pieces.unclear() | self.surface.tiles

    def renew_expected(self, *windows: Window) -> list[Window]:
        """Recompute the expected look of windows, and of where pieces came or went; return the latter windows."""
        changed = joined(self.pieces.layers.changed(), self._shape)
        for window in (*windows, *changed):
            self.expected.renew(window, self.surface.scene, self.pieces.layers.drawing(window))
        return changed
