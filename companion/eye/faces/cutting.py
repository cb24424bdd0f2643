"""Windows of a frame, cut out as faces are read in them."""

from __future__ import annotations

import functools

import cv2
import numpy as np

from companion.eye.faces.deck import Picture
from companion.eye.faces.flattening import Flattener, shrunk
from companion.eye.faces.likeness import FaceBook, Pose
from companion.eye.faces.naming import Sheet
from companion.eye.faces.searched import Sight, sight
from companion.eye.flat import MM, Window
from companion.eye.mat import Rect
from companion.eye.places import Pose as Place
from companion.eye.view import Frame

NEAR = 4
"""Millimetres that are cut out round a place that alone is looked at."""


class Cut:
    """A window of the mat, the rows and columns (mm) cut out round it, and that cut, as sharp as the camera sees it."""

    def __init__(self, rect: Rect, here: tuple[slice, slice], flat: Picture, px_per_mm: float) -> None:
        self.rect, self.here, self.flat, self._px_per_mm = rect, here, flat, px_per_mm

    @functools.cached_property
    def now(self) -> Picture:
        """The cut at 1 px/mm."""
        rows, columns = self.here
        size = columns.stop - columns.start, rows.stop - rows.start
        small = cv2.resize(shrunk(self.flat, self._px_per_mm), size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)

    @functools.cached_property
    def seen(self) -> Sight:
        """The same, smooth."""
        return sight(self.now, (self.here[1].start, self.here[0].start))

    def sheet(self, faces: FaceBook) -> Sheet:
        """Return it as a deck's faces are read in it."""
        return Sheet(faces, faces.prepared(self.flat, self._px_per_mm))

    def at(self, pose: Place) -> Pose:
        """Return a pose on the mat as one in it (mm, degrees clockwise)."""
        return pose.x - self.here[1].start, pose.y - self.here[0].start, pose.rotation


def cut_window(flattener: Flattener, frame: Frame, window: Window, pad: float) -> Cut:
    """Return a window of the flat picture, cut out of a frame with so much (mm) round it."""
    rect = Rect(
        window[1].start * MM,
        window[0].start * MM,
        (window[1].stop - window[1].start) * MM,
        (window[0].stop - window[0].start) * MM,
    )
    rows, columns = flattener.window(rect, pad)
    r = flattener.px_per_mm
    # Whole millimetres, so that all scales agree where the part begins.
    top, left = int(rows.start / r), int(columns.start / r)
    bottom, right = int(rows.stop / r), int(columns.stop / r)
    rows, columns = slice(round(top * r), round(bottom * r)), slice(round(left * r), round(right * r))
    return Cut(rect, (slice(top, bottom), slice(left, right)), flattener.flat(frame, (rows, columns)), r)
