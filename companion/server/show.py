"""Lays out "show me": a drawing of the mat with the pieces that are to be moved, and arrows to where they go."""

from __future__ import annotations

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.referee.pointing import arrow_of
from companion.referee.snapshot import Box, Pointer, Snapshot
from companion.server.places import Document

ENDS = ("x1", "y1", "x2", "y2")


def show(snapshot: Snapshot, mat: Mat) -> Document | None:
    """Lay out the drawing of what is pointed at; None if nothing is. All lengths are mm on the mat."""
    if not snapshot.pointers:
        return None
    return {
        "w": mat.w,
        "h": mat.h,
        "zones": [{"x": z.rect.x, "y": z.rect.y, "w": z.rect.w, "h": z.rect.h} for z in mat.zones],
        "pointers": [_pointer(one, mat) for one in snapshot.pointers],
    }


def _pointer(one: Pointer, mat: Mat) -> Document:
    ends = arrow_of(one, mat)
    return {
        "words": one.words,
        "piece": one.piece if one.piece not in ("?", BACK) else "",
        "source": boxed(one.source) if one.source else None,
        "target": boxed(one.target) if one.target else None,
        "turn": one.source is not None and one.source == one.target,
        "arrow": None if ends is None else dict(zip(ENDS, (side for end in ends for side in end), strict=True)),
    }


def boxed(box: Box) -> Document:
    """Return a box as a drawing has it: its corner before it is turned round its centre."""
    x, y = round(box.x - box.w / 2, 1), round(box.y - box.h / 2, 1)
    return {"x": x, "y": y, "w": box.w, "h": box.h, "turn": (round(box.rotation), round(box.x, 1), round(box.y, 1))}
