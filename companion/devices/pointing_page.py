"""The display's picture of what has to be moved: the mat in outline, the piece, and an arrow to where it goes."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import ImageDraw

from companion.devices.canvas import HEIGHT, WIDTH, Page, Say, blank, english, put_word, to_image
from companion.referee.snapshot import Box, Pointer, Snapshot
from companion.text import t

_TITLE = 14
"""Height (px) of the words above the mat."""
_LEAST = 6
"""Pixels that a side of the piece has at least: less can't be told from a spot."""
_BEYOND = 7
"""Pixels by which an arrow reaches over the mat's edge."""
_HEAD = 8
"""Length (px) of an arrow's head."""

Spot = tuple[float, float]


def point(snapshot: Snapshot, say: Say = english) -> Page:
    """Draw what is pointed at first; no picture if nothing is, or nobody knows where."""
    found = next((one for one in snapshot.pointers if one.words and (one.source or one.target)), None)
    wide, high = snapshot.mat
    if found is None or not wide or not high:
        return ()
    picture = blank()
    put_word(picture, _words(found, say), 0, _TITLE - 1, 13)
    image = to_image(picture)
    pen = ImageDraw.Draw(image)
    scale = min((WIDTH - 2 * _BEYOND - 2) / wide, (HEIGHT - _TITLE - 2) / high)
    left, top = (WIDTH - wide * scale) / 2, _TITLE + (HEIGHT - 1 - _TITLE - high * scale) / 2

    def px(x: float, y: float) -> Spot:
        return left + x * scale, top + y * scale

    pen.rectangle((*px(0, 0), *px(wide, high)), outline=1)
    for box, filled in ((found.target, False), (found.source, True)):
        if box is not None:
            corner, other = _corners(box, scale, px(box.x, box.y))
            pen.rectangle((*corner, *other), outline=1, fill=1 if filled else None)
    begin, end = _ends(found, px, (wide, high))
    _arrow(pen, begin, end)
    return (image,)


def _words(found: Pointer, say: Say) -> str:
    if found.source is None:
        return say(t("Put it here"))
    return say(t("Move it")) if found.target is not None else say(t("Take it away"))


def _corners(box: Box, scale: float, middle: Spot) -> tuple[Spot, Spot]:
    """Return the corners of a box on the display; one that is turned by a quarter lies across."""
    w, h = (box.w, box.h) if round(box.rotation / 90) % 2 == 0 else (box.h, box.w)
    across, down = (max(_LEAST, side * scale) / 2 for side in (w, h))
    return (middle[0] - across, middle[1] - down), (middle[0] + across, middle[1] + down)


def _ends(found: Pointer, px: Callable[[float, float], Spot], size: tuple[float, float]) -> tuple[Spot, Spot]:
    """Return where the arrow begins and ends; what comes or goes does so over the mat's left or right edge."""
    box = found.source or found.target
    assert box is not None  # noqa: S101 (the caller has looked)
    if found.source is not None and found.target is not None:
        return px(found.source.x, found.source.y), px(found.target.x, found.target.y)
    near_left = box.x < size[0] / 2
    x, y = px(0 if near_left else size[0], box.y)
    beyond, at = (x - _BEYOND if near_left else x + _BEYOND, y), px(box.x, box.y)
    return (at, beyond) if found.target is None else (beyond, at)


def _arrow(pen: ImageDraw.ImageDraw, begin: Spot, end: Spot) -> None:
    """Draw an arrow, lit with a dark rim so that it shows on a lit piece."""
    way = math.atan2(end[1] - begin[1], end[0] - begin[0])
    sides = [(end[0] - _HEAD * math.cos(way + turn), end[1] - _HEAD * math.sin(way + turn)) for turn in (-0.5, 0.5)]
    neck = (end[0] - _HEAD / 2 * math.cos(way), end[1] - _HEAD / 2 * math.sin(way))
    pen.line((*begin, *neck), fill=0, width=4)
    pen.line((*begin, *neck), fill=1, width=2)
    pen.polygon((end, *sides), fill=1, outline=0)
