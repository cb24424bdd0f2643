"""What stands out in the camera's picture on the table page: what is wrong, and where it goes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.eye import overlay
from companion.eye.eye import Eye
from companion.eye.geometry import Points
from companion.eye.view import Gray
from companion.referee.pointing import arrow_of
from companion.referee.snapshot import Box, Pointer

WIDTH = 1152
"""Width (px) of the picture."""


def pointed(eye: Eye, pointers: Sequence[Pointer]) -> Gray | None:
    """Return the eye's last frame with what is pointed at; None before the first. Call it from the eye's thread."""
    marks = [(_outline(one.target), "", overlay.GOAL) for one in pointers if one.target]
    marks += [(_outline(one.source), "", overlay.WRONG) for one in pointers if one.source]
    arrows: list[Points] = [np.array(ends) for one in pointers if (ends := arrow_of(one, eye.mat))]
    return overlay.point(eye, marks, arrows, WIDTH)


def _outline(box: Box) -> Points:
    turn = np.radians(box.rotation)
    across = np.array([np.cos(turn), np.sin(turn)]) * box.w / 2
    down = np.array([-np.sin(turn), np.cos(turn)]) * box.h / 2
    corners: Points = np.array([box.x, box.y]) + np.array([-across - down, across - down, across + down, down - across])
    return corners
