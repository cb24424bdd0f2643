"""What stands out in the camera's picture on the table page: what came just now, what is wrong, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.eye import overlay
from companion.eye.eye import Eye
from companion.eye.geometry import Points
from companion.eye.places import Pose
from companion.eye.view import Gray
from companion.referee.pointing import arrow_of
from companion.referee.snapshot import Box, Pointer

GLOWS = 5.0
"""Seconds for which a piece that was laid stands out."""
MANY = 6
"""Pieces from which on none stands out: the table was laid, or seen anew."""
WIDTH = 1152
"""Width (px) of the picture."""


class Highlights:
    """Draws the picture. It remembers when each piece came."""

    def __init__(self, pointers: Callable[[], Sequence[Pointer]]) -> None:
        self._pointers = pointers
        self._came: dict[tuple[str, int], float] = {}

    def draw(self, eye: Eye) -> Gray | None:
        """Return the eye's last frame with what stands out; None before the first. Call it from the eye's thread."""
        pointers = self._pointers()
        marks = [(outline, "", overlay.GLOW) for outline in self._new(eye)]
        marks += [(_outline(one.target), "", overlay.GOAL) for one in pointers if one.target]
        marks += [(_outline(one.source), "", overlay.WRONG) for one in pointers if one.source]
        arrows: list[Points] = [np.array(ends) for one in pointers if (ends := arrow_of(one, eye.mat))]
        return overlay.point(eye, marks, arrows, WIDTH)

    def _new(self, eye: Eye) -> list[Points]:
        if eye.view is None or eye.frame is None:
            return []
        now, lying = eye.frame.time, {(one.piece, one.order): one for one in eye.view.placements}
        fresh = [key for key in lying if key not in self._came]
        came = now if len(fresh) < MANY else now - GLOWS
        self._came = {key: self._came.get(key, came) for key in lying}
        return [
            Pose(lying[key].x, lying[key].y, lying[key].rotation).outline(eye.book.shapes[key[0]])
            for key, at in self._came.items()
            if now - at < GLOWS
        ]


def _outline(box: Box) -> Points:
    turn = np.radians(box.rotation)
    across = np.array([np.cos(turn), np.sin(turn)]) * box.w / 2
    down = np.array([-np.sin(turn), np.cos(turn)]) * box.h / 2
    corners: Points = np.array([box.x, box.y]) + np.array([-across - down, across - down, across + down, down - across])
    return corners
