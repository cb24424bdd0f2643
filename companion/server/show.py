"""Lays out "show me": a drawing of the mat with the pieces that are to be moved, and arrows to where they go."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.codes import BACK
from companion.eye.geometry import Points
from companion.eye.mat import Mat
from companion.referee.snapshot import Box, Pointer, Snapshot

ENDS = ("x1", "y1", "x2", "y2")
BEYOND = 24.0
"""How far over the mat's edge (mm) an arrow points that leads away."""


def show(snapshot: Snapshot, mat: Mat) -> dict[str, Any] | None:
    """Lay out the drawing of what is pointed at; None if nothing is. All lengths are mm on the mat."""
    if not snapshot.pointers:
        return None
    return {
        "w": mat.w,
        "h": mat.h,
        "zones": [{"x": z.rect.x, "y": z.rect.y, "w": z.rect.w, "h": z.rect.h} for z in mat.zones],
        "pointers": [_pointer(one, mat) for one in snapshot.pointers],
    }


def _pointer(one: Pointer, mat: Mat) -> dict[str, Any]:
    ends = arrow_of(one, mat)
    return {
        "words": one.words,
        "piece": one.piece if one.piece not in ("?", BACK) else "",
        "source": _box(one.source) if one.source else None,
        "target": _box(one.target) if one.target else None,
        "arrow": None
        if ends is None
        else dict(zip(("x1", "y1", "x2", "y2"), ends.round(1).ravel().tolist(), strict=True)),
    }


def _box(box: Box) -> dict[str, Any]:
    """Return a box as a drawing has it: its corner before it is turned round its centre."""
    x, y = round(box.x - box.w / 2, 1), round(box.y - box.h / 2, 1)
    return {"x": x, "y": y, "w": box.w, "h": box.h, "turn": (round(box.rotation), round(box.x, 1), round(box.y, 1))}


def arrow_of(one: Pointer, mat: Mat) -> Points | None:
    """Return where the arrow begins and ends (mm, shape (2, 2)): from the piece to its place, or over the mat's edge.

    None if nothing has to be moved.
    """
    box = one.source or one.target
    if not one.words or box is None:
        return None
    if one.source is not None and one.target is not None:
        return np.array([(one.source.x, one.source.y), (one.target.x, one.target.y)])
    edges = [(box.x, -BEYOND), (box.x, mat.h + BEYOND), (-BEYOND, box.y), (mat.w + BEYOND, box.y)]
    beyond = min(edges, key=lambda edge: abs(edge[0] - box.x) + abs(edge[1] - box.y))
    ends = [(box.x, box.y), beyond]
    return np.array(ends if one.source is not None else ends[::-1])
