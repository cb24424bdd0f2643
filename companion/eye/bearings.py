"""Stage 1, frame to geometry: where the mat lies in the picture, and whether camera or mat were pushed."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.flat import Flat, Mask
from companion.eye.geometry import Calibration, MarkerFinder, Points, calibrate, marker_trouble
from companion.eye.mat import Mat, Rect
from companion.eye.motion import Moved
from companion.eye.moved import Moves
from companion.eye.view import Gray, Trouble

_RETRY = 0.3
"""Seconds between searches while the mat is not found."""

_CHECK = 1.0
"""Seconds between checks of the markers because something moved on one of them."""

_BUMPED = 12
"""Tiles with moving markers that count as a bump, which is checked at once."""


class Bearings:
    """The current calibration, and whether it can still be trusted."""

    def __init__(self, mat: Mat, flat: Flat) -> None:
        self.calibration: Calibration | None = None
        self.lost: Trouble | None = None
        """Why there is no trusted calibration; None if there is one."""
        self.moves = Moves(mat)
        """What was moved (camera or mat), as people are told it."""
        self._mat, self._flat = mat, flat
        self._finder = MarkerFinder(mat)
        self._markers = np.zeros(flat.shape, dtype=np.uint8)
        self._tiles: Mask = np.zeros(flat.grid, dtype=np.bool_)
        for marker in mat.markers:
            half = marker.size / 2
            square = Rect(marker.x - half, marker.y - half, marker.size, marker.size)
            self._markers[flat.window(square)] = 255
            self._tiles[flat.tile_window(np.array([[marker.x, marker.y]]), half)] = True
        self._tried = self._checked = -1e9
        self._suspect = 0

    def note(self, moved: Moved) -> None:
        """Record what moved."""
        if moved.light or (moved.tiles is not None and not moved.by_hand):
            self._suspect = 99
        elif moved.tiles is not None and (moved.tiles & self._tiles).any():
            on_markers = np.asarray(cv2.bitwise_and(moved.pixels, self._markers), dtype=np.uint8)
            self._suspect += int(np.count_nonzero(self._flat.tiles(on_markers)))

    @property
    def in_doubt(self) -> bool:
        """Whether something moved that may mean a bump."""
        return self._suspect > 0

    def find(self, gray: Gray, time: float) -> bool:
        """Search for the mat, at first or after it was lost; return whether it was found."""
        if time - self._tried < _RETRY:
            return False
        self._tried = self._checked = time
        return self._calibrate(self._finder.find(gray), gray, time)

    def check(self, gray: Gray, time: float, rest: npt.NDArray[np.int64]) -> bool:
        """Return whether camera and mat are unmoved (tiles rest for `rest` frames); otherwise renew the calibration."""
        if self.calibration is None or (time - self._checked < _CHECK and self._suspect < _BUMPED):
            return True
        self._checked = time
        self._suspect = 0
        limit = max(0.6, 2 * self.calibration.error)
        off = self._finder.moved_by(gray, self.calibration.marker_corners(self._mat))
        if off is not None and off <= limit:
            return True
        seen = self._finder.find(gray)
        ours = {marker.id for marker in self._mat.markers} & set(seen)
        if ours and self.calibration.off_by(seen, self._mat) <= limit:
            return True
        old = self.calibration
        if self._calibrate(seen, gray, time):
            return False
        if not ours and (rest[self._tiles] > 20).mean() > 0.3:
            # Covered markers prove nothing, and much of the edge has not moved.
            self.calibration, self.lost = old, None
            return True
        return False

    def _calibrate(self, seen: dict[int, Points], gray: Gray, time: float) -> bool:
        self.calibration = calibrate(seen, self._mat, (gray.shape[1], gray.shape[0]), self.moves.last)
        if self.calibration is None:
            self.lost = marker_trouble(seen, self._mat, self._finder.mirrored(gray))
            return False
        self.moves.note(self.calibration, time)
        self.lost = None
        self._suspect = 0
        return True
