"""The paper of a card: its panel with a pattern, the frame round it, and what helps to draw patterns inside it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.eye.mat import Rect
from companion.press.drawing import Colour, Drawing, Item, Loop, arc, box, cut, ring
from companion.press.look import AIR, INSET, RIM, Room, notches

CORNER = 3.0
"""How far (mm) a panel's corners are rounded."""


def panel(sheet: Drawing, room: Room, frame: Colour, fill: Colour, pattern: Iterable[Item] = ()) -> None:
    """Paint a panel with a pattern cut to it, and a frame that steps round every code."""
    r = room.inner
    sheet.fill(fill, box(r.x, r.y, r.w, r.h))
    sheet.add(cut(pattern, r.x, r.y, r.x + r.w, r.y + r.h))
    # the rounded corners come last, because the pattern is cut square
    sheet.fill("#ffffff", ring(box(r.x - 0.1, r.y - 0.1, r.w + 0.2, r.h + 0.2), box(r.x, r.y, r.w, r.h, CORNER)))
    inside = box(r.x + RIM, r.y + RIM, r.w - 2 * RIM, r.h - 2 * RIM, CORNER - RIM)
    sheet.fill(frame, ring(box(r.x, r.y, r.w, r.h, CORNER), inside))
    notches(sheet, room, frame)


def hollowed(x: float, y: float, w: float, h: float, r: float) -> Loop:
    """Return an upright plate whose corners are hollow, by quarters of a circle."""
    corners = ((x, y, 90), (x + w, y, 180), (x + w, y + h, 270), (x, y + h, 360))
    return tuple(point for cx, cy, start in corners for point in arc(cx, cy, r, start, start - 90)[::3])


def inside(items: Iterable[Item], w: float, h: float) -> list[Item]:
    """Return a pattern cut to what lies inside the white rim of a card of w × h mm."""
    return cut(items, INSET, INSET, w - INSET, h - INSET)


def upper(room: Room) -> Rect:
    """Return the room beside the first code, between it and the right edge; the upper part of a face without codes."""
    return _strips(room)[0]


def middle(room: Room) -> Rect:
    """Return the band between the codes, as wide as the face."""
    return _strips(room)[1]


def lower(room: Room) -> Rect:
    """Return the room beside the second code, between the left edge and it."""
    return _strips(room)[2]


def _strips(room: Room) -> tuple[Rect, Rect, Rect]:
    """Divide a face into three: beside the code at the top left, the middle, and beside the code at the bottom right.

    A face with other places for its codes has its largest rectangles for them, so that nothing lies under a code.
    """
    r, edge = room.inner, RIM + AIR
    x0, y0, x1, y1 = r.x + RIM, r.y + RIM, r.x + r.w - RIM, r.y + r.h - RIM
    if len(room.codes) == 2:
        first, second = sorted(room.codes, key=lambda s: s.x + s.y)
        right, bottom = first.x + first.w + edge, first.y + first.h + edge
        left, top = second.x - edge, second.y - edge
        if first.x < x0 and first.y < y0 and second.x + second.w > x1 and second.y + second.h > y1 and bottom < top:
            return (
                Rect(right, y0, x1 - right, bottom - y0),
                Rect(x0, bottom, x1 - x0, top - bottom),
                Rect(x0, top, left - x0, y1 - top),
            )
    largest = room.areas[0]
    third = largest.h / 3
    return (
        Rect(largest.x, largest.y, largest.w, third),
        Rect(largest.x, largest.y + third, largest.w, third),
        Rect(largest.x, largest.y + 2 * third, largest.w, third),
    )
