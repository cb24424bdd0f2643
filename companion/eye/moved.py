"""Whether the camera was bumped or the mat was pushed, as far as it can be known, and the notice about it."""

from __future__ import annotations

import math

import numpy as np

from companion.eye.geometry import Calibration
from companion.eye.mat import Mat
from companion.eye.view import Trouble
from companion.text import t

SHOWN = 6.0
"""Seconds for which the notice is shown."""

LEAST_MM = 2.0
"""Millimetres below which nothing is reported: a trembling table."""

_RIGID_MM = 0.1
"""A mat that was pushed keeps its shape to this many mm (root mean square), as seen with the old geometry."""

_BREATH = 0.02
"""By what share a lens that focuses anew may show things larger or smaller."""

_FOOT_MM = 25.0
"""A turn about a point this near to the camera's foot may have been the camera's own."""

_WORDS = {
    "camera": t("The camera was moved; it has found the mat again. Nothing on the table has changed."),
    "mat": t("The mat was pushed along the table; the camera has found it again. Nothing on the mat has changed."),
    "either": t("The camera or the mat was moved; the camera has found the mat again. Nothing on the mat has changed."),
}


def what_moved(before: Calibration, after: Calibration, mat: Mat) -> str | None:
    """Return what was moved between two calibrations: "camera", "mat", "either", or None if hardly anything.

    With the old geometry a pushed mat keeps its shape; a knocked camera nearly always leans otherwise, and the mat
    seems stretched. A camera that merely turned about its own foot looks the same as a turned mat. A picture that only
    grew or shrank about its middle is a lens that focused.
    """
    grid = np.array([[x * mat.w, y * mat.h] for x in (0.05, 0.35, 0.65, 0.95) for y in (0.05, 0.5, 0.95)])
    px = after.to_px(grid)
    there = before.to_mm(px)
    middle = np.array(after.size) / 2 - 0.5
    old, new = before.to_px(grid) - middle, px - middle
    grown = float(np.clip((old * new).sum() / (old * old).sum(), 1 - _BREATH, 1 + _BREATH))
    for seen in (there, before.to_mm(middle + new / grown)):
        if float(np.median(np.linalg.norm(seen - grid, axis=1))) < LEAST_MM:
            return None
    # The best rigid motion from one to the other (Kabsch 1976, in the plane).
    a, b = grid - grid.mean(axis=0), there - there.mean(axis=0)
    angle = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    bent = math.sqrt(float(((a @ turn.T - b) ** 2).sum(axis=1).mean()))
    if bent > 2 * _RIGID_MM:
        return "camera"
    camera = before.camera_mm()
    if bent > _RIGID_MM or camera is None:
        return "either"
    foot = np.array(camera[:2])
    slid = float(np.linalg.norm(turn @ (foot - grid.mean(axis=0)) + there.mean(axis=0) - foot))
    return "either" if slid < abs(angle) * _FOOT_MM else "mat"


class Moves:
    """Remembers the geometry, and reports for some seconds that something was moved."""

    def __init__(self, mat: Mat) -> None:
        self._mat = mat
        self._last: Calibration | None = None
        self._base: Calibration | None = None
        self._words = ""
        self._since = -1e9
        self._told = False

    def note(self, calibration: Calibration, time: float) -> None:
        """Record the next calibration, found at a time (seconds)."""
        if self._base is None or self._base.size != calibration.size:
            self._base = calibration
        # Compared with where it was when people were last told, so that many small pushes are one.
        elif (moved := what_moved(self._base, calibration, self._mat)) is not None:
            self._words, self._since = _WORDS[moved], time
            self._base = calibration
        self._last = calibration

    @property
    def last(self) -> Calibration | None:
        """The last calibration: its lens is that of the next one, too."""
        return self._last

    def trouble(self, time: float) -> Trouble | None:
        """Return the notice to show at a time; None if there is none (any more)."""
        self._told = 0 <= time - self._since < SHOWN
        return Trouble("moved", self._words) if self._told else None

    def over(self, time: float) -> bool:
        """Return whether a notice was shown for long enough."""
        return self._told and time - self._since >= SHOWN
