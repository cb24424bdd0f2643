"""How high a camera hangs: from its field of view, and from the mat that it has to see.

A camera straight above the middle sees 2 h tan(a / 2) of the table, where h is its height and a the angle of view.
"""

from __future__ import annotations

import math

import msgspec

from companion.eye.mat import Mat
from companion.eye.quality import LEAST, NEED
from companion.eye.symbol import SIDE
from companion.eye.troubles import smallest_code

MARGIN = 1.06
"""How much more than the mat the picture shows: nobody hangs a camera to the millimetre."""


class Lens(msgspec.Struct, frozen=True):
    """A camera as it is sold: its picture (px) and the angles of view (degrees) of that picture's two sides."""

    name: str
    size: tuple[int, int]
    angles: tuple[float, float]


LENSES = (
    Lens("Camera Module 3", (2304, 1296), (66.0, 41.0)),
    Lens("Camera Module 3 Wide", (2304, 1296), (102.0, 67.0)),
    Lens("Camera Module 2", (1640, 1232), (62.2, 48.8)),
    Lens("webcam, 1080p", (1920, 1080), (70.4, 43.3)),
    Lens("phone, 4:3", (2560, 1920), (66.0, 52.0)),
)
"""Fields of view as the makers give them; of a webcam and a phone, usual ones: measure yours."""


class Mounting(msgspec.Struct, frozen=True):
    """Where a camera hangs: its height above the table (mm), pixels a module there, and whether that reads codes
    "well", "in good light" or "not".
    """

    height: float
    module: float
    reads: str


def of_picture(size: tuple[int, int], across: float) -> tuple[float, float]:
    """Return both angles of view (degrees) of a picture of `size` (px) of which the longer side's is known."""
    short = 2 * math.atan(math.tan(math.radians(across) / 2) * min(size) / max(size))
    return across, math.degrees(short)


def mounting(mat: Mat, lens: Lens) -> Mounting:
    """Return the least height from which a camera straight above sees the whole mat, and how it reads from there."""
    long, short = (2 * math.tan(math.radians(angle) / 2) for angle in lens.angles)
    height = MARGIN * max(max(mat.w, mat.h) / long, min(mat.w, mat.h) / short)
    module = max(lens.size) / (height * long) * smallest_code(mat) / SIDE
    return Mounting(height, module, "well" if module >= NEED else "in good light" if module >= LEAST else "not")
