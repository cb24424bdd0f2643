"""Windows of a frame, cut out as faces are read in them."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.eye.faces.deck import Picture
from companion.eye.faces.flattening import Flattener, shrunk
from companion.eye.faces.likeness import FaceBook, Pose
from companion.eye.faces.naming import Sheet
from companion.eye.faces.vain import Sight, sight
from companion.eye.flat import MM, Window
from companion.eye.mat import Rect
from companion.eye.places import Pose as Place
from companion.eye.view import Frame

NEAR = 4
"""Millimetres that are cut out round a place that alone is looked at."""


class Cut(NamedTuple):
    """A window, cut out with what may reach into it: the window on the mat, where the cut lies (rows and columns, mm),
    and the cut itself as sharp as the camera sees it, at 1 px/mm, and smooth.
    """

    rect: Rect
    here: tuple[slice, slice]
    flat: Picture
    px_per_mm: float
    now: Picture
    seen: Sight

    def sheet(self, faces: FaceBook) -> Sheet:
        """Return it as a deck's faces are read in it."""
        return Sheet(faces, faces.prepared(self.flat, self.px_per_mm))

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
    flat = flattener.flat(frame, (rows, columns))
    small = cv2.resize(shrunk(flat, r), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    now = np.asarray(small, dtype=np.uint8)
    return Cut(rect, (slice(top, bottom), slice(left, right)), flat, r, now, sight(now, (left, top)))
