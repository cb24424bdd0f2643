"""Stage 6, windows to readings: crops the camera's picture and passes the crops, with hints, to the reader."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eye.flat import Flat, Window
from companion.eye.geometry import Calibration, Points
from companion.eye.mat import Rect
from companion.eye.reader import Hints, Reader, merged, moved, sighting
from companion.eye.symbol import SIDE
from companion.eye.view import Frame, Gray, Sighting

_CELL = 64
"""Pixels of the camera's picture between two points that are mapped to the mat in advance."""


_OTHER_SIZES = 0.88, 1.13
"""Shares of the codes' size that are tried, too, while nobody knows at what scale cards and mat were printed: a search
finds what differs by a tenth."""


class Crops:
    """Reads windows of the flat picture, in the camera's own pixels."""

    def __init__(self, flat: Flat, reader: Reader, payloads: Mapping[float, frozenset[str]]) -> None:
        """Create it with a reader; `payloads` are the possible ones by the side length of their code (mm)."""
        self._flat, self._reader, self._payloads = flat, reader, payloads
        self._recent: deque[Gray] = deque(maxlen=3)
        self._calibration: Calibration | None = None
        self._size = (0, 0)
        self._mm: NDArray[np.float32] = np.zeros((0, 0, 2), dtype=np.float32)

    def aim(self, calibration: Calibration) -> None:
        """Set the calibration."""
        self._calibration, self._size = calibration, calibration.size
        x, y = (np.arange(0, size + 2 * _CELL, _CELL) for size in self._size)
        grid = np.stack(np.meshgrid(x, y), axis=2)
        self._mm = calibration.to_mm(grid.reshape(-1, 2)).reshape(grid.shape).astype(np.float32)
        self._recent.clear()

    def see(self, gray: Gray, still: bool) -> None:
        """Add the next picture; `still` if nothing moved since the previous one."""
        if not still:
            self._recent.clear()
        self._recent.append(gray)

    def read(
        self,
        frame: Frame,
        part: Window,
        known: Iterable[Sighting],
        missed: Iterable[tuple[Sighting, Points]] | None = None,
        unsure: bool = False,
    ) -> list[Sighting]:
        """Return the codes in a window of the flat picture: `known` ones as they were, the rest by a reader.

        With `missed` codes the reading is thorough, and tries the corners (mm) where they should show. Where nothing
        is found, and the print's scale is `unsure`, codes of other sizes are tried.
        """
        (y, x), px_per_mm = self._flat.pixels(part, 1.0, self._size)
        if min(y.stop - y.start, x.stop - x.start) < 8:
            return []
        gray = frame.gray[y, x]
        thorough = missed is not None
        if thorough and len(self._recent) > 1:
            # Averaging pictures of a still scene removes the camera's noise.
            gray = np.mean([picture[y, x] for picture in self._recent], axis=0).astype(np.uint8)
        found: list[Sighting] = []
        mm = self._homography(x, y)
        places = self._in_pixels(missed or (), x.start, y.start)
        steady = tuple(moved((code for code in known if within(code, x, y)), -x.start, -y.start))
        for share in (1.0, *_OTHER_SIZES)[: None if unsure else 1]:
            for size, payloads in self._payloads.items():
                side = share * size / SIDE
                plane = mm * np.array([[1 / side], [1 / side], [1.0]])
                hints = Hints(px_per_mm * side, plane, payloads, thorough, places, steady)
                found += self._reader.read(gray, hints)
            if found:
                break
        return moved(merged(found) if len(self._payloads) > 1 else found, x.start, y.start)

    def _homography(self, x: slice, y: slice) -> NDArray[np.float64]:
        left, top, right, low = x.start // _CELL, y.start // _CELL, -(-x.stop // _CELL), -(-y.stop // _CELL)
        x0, y0, x1, y1 = left * _CELL - x.start, top * _CELL - y.start, right * _CELL - x.start, low * _CELL - y.start
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float32)
        mm = self._mm[(top, top, low, low), (left, right, right, left)]
        return np.asarray(cv2.getPerspectiveTransform(corners, mm), dtype=np.float64)

    def _in_pixels(self, missed: Iterable[tuple[Sighting, Points]], left: int, top: int) -> tuple[Sighting, ...]:
        """Return codes as they would appear at places on the mat (mm), in a crop that begins at (left, top)."""
        assert self._calibration is not None  # noqa: S101 (aim first)
        return tuple(
            sighting(
                code.payload, np.asarray(self._calibration.to_px(quad) - (left, top), dtype=np.float64), code.reader
            )
            for code, quad in missed
        )

    def pixels(self, rect: Rect, margin: float) -> tuple[slice, slice] | None:
        """Return the window of the picture that shows a rectangle of the mat (mm); None if it is out of sight."""
        assert self._calibration is not None  # noqa: S101 (aim first)
        along = np.linspace(0, 1, 5)
        x0, y0 = rect.x - margin, rect.y - margin
        w, h = rect.w + 2 * margin, rect.h + 2 * margin
        edge = [(x0 + t * w, y0 + s * h) for t in along for s in along]
        px = self._calibration.to_px(edge)
        left, top = np.maximum(np.floor(px.min(axis=0)), 0).astype(int)
        right, low = np.minimum(np.ceil(px.max(axis=0)) + 1, self._size).astype(int)
        if right - left < 8 or low - top < 8:
            return None
        return slice(int(top), int(low)), slice(int(left), int(right))


def within(code: Sighting, x: slice, y: slice) -> bool:
    """Return whether a code overlaps a part of the picture."""
    across, down = [at for at, _ in code.corners], [at for _, at in code.corners]
    return bool(min(across) < x.stop and max(across) > x.start and min(down) < y.stop and max(down) > y.start)
