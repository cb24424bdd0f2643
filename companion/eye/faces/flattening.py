"""The table from straight above in colour: what cards are taught from and read in."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.deck import Picture
from companion.eye.flat import MM, Mask, Window, mapped
from companion.eye.geometry import Calibration, Points
from companion.eye.mat import Mat, Rect
from companion.eye.view import Frame

MOST_PX_PER_MM = 2.0
"""Pixels a millimetre of a flat picture, at most: more says nothing more of a card and takes longer."""

_BETWEEN = 0.55
"""How much smaller a picture at 1 px/mm may be for its pixels to be found between the nearest ones (see `resized`)."""

_CELL = 16
"""Flat pixels between two points that are mapped exactly (see `mapped`)."""


class Flattener:
    """Makes flat pictures of one camera's frames. Make another when the calibration changes."""

    def __init__(self, calibration: Calibration, mat: Mat, px_per_mm: float | None = None) -> None:
        """Create it; without `px_per_mm` as fine as the camera sees the middle of the mat, MOST_PX_PER_MM at most."""
        seen = calibration.px_per_mm(mat.w / 2, mat.h / 2)
        self.px_per_mm = float(np.clip(seen, 1.0, MOST_PX_PER_MM)) if px_per_mm is None else px_per_mm
        self.calibration = calibration
        wide, high = round(mat.w * self.px_per_mm), round(mat.h * self.px_per_mm)
        self.shape = high, wide
        self._at = mapped(calibration, self.shape, self.px_per_mm, _CELL)
        self._maps: dict[float, tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]] = {}

    def flat(self, frame: Frame, window: tuple[slice, slice] | None = None) -> Picture:
        """Return a window (rows, columns) or all of a frame's flat picture, three gray channels without colour."""
        here = (slice(None), slice(None)) if window is None else window
        if frame.colour is None:
            return np.asarray(cv2.merge([self._seen(frame.gray, here)] * 3), dtype=np.uint8)
        colour = self._seen(frame.colour, here)
        if frame.colour.shape[1] > 0.8 * frame.gray.shape[1]:
            return colour
        # As in any video: brightness is fine, colour coarse.
        finer = self._seen(frame.gray, here).astype(np.int16) - cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY)
        return np.clip(colour + finer[..., None], 0, 255).astype(np.uint8)

    def _seen(self, picture: npt.NDArray[np.uint8], window: tuple[slice, slice]) -> npt.NDArray[np.uint8]:
        whole, parts = self._map(picture.shape[1] / self.calibration.size[0])
        flat = cv2.remap(picture, whole[window], parts[window], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8)

    def _map(self, share: float) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """Return where flat pixels lie in a picture reduced to a share, in pixels and 32nds, which is fast."""
        if share not in self._maps:
            at = (self._at + np.float32(0.5)) * np.float32(share) - np.float32(0.5) if share != 1 else self._at
            x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
            whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
            self._maps[share] = np.asarray(whole, dtype=np.int16), np.asarray(parts, dtype=np.uint16)
        return self._maps[share]

    def window(self, rect: Rect, margin: float = 0.0) -> tuple[slice, slice]:
        """Return the window of the flat picture that a rectangle (mm), with a margin all round, lies in."""
        r = self.px_per_mm
        high, wide = self.shape
        return (
            slice(max(0, int((rect.y - margin) * r)), min(high, int((rect.y + rect.h + margin) * r) + 1)),
            slice(max(0, int((rect.x - margin) * r)), min(wide, int((rect.x + rect.w + margin) * r) + 1)),
        )


def shrunk(picture: Picture, px_per_mm: float) -> Picture:
    """Return a flat picture at 1 px/mm."""
    return resized(picture, 1 / px_per_mm, _BETWEEN)


def resized(picture: Picture, share: float, between: float) -> Picture:
    """Return a picture reduced to a share; from `between` on by interpolation, seven times as fast as the mean."""
    high, wide = picture.shape[:2]
    size = max(1, round(wide * share)), max(1, round(high * share))
    how = cv2.INTER_AREA if share < between else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=how), dtype=np.uint8)


def inside(shape: tuple[int, ...], outline: Points) -> Mask:
    """Return which pixels of a flat picture (MM a pixel) lie inside an outline (mm)."""
    filled = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(filled, np.round((outline / MM - 0.5) * 16).astype(np.int32), 1, shift=4)
    return np.asarray(filled > 0)


def box_of(outline: Points, shape: tuple[int, ...]) -> Window:
    """Return the window of a flat picture of a shape (MM a pixel) that holds an outline (mm); empty beyond it."""
    (x0, y0), (x1, y1) = np.floor(outline.min(axis=0) / MM), np.ceil(outline.max(axis=0) / MM)
    return slice(max(0, int(y0)), min(shape[0], int(y1))), slice(max(0, int(x0)), min(shape[1], int(x1)))
