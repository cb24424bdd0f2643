"""The back of COLLECTION!'s cards, contour lines under a radar, and its box cover, the analysts at their table."""

from __future__ import annotations

import math

from companion.games.collection.art.brush import DEEP, PAPER, SAGE, WHITE
from companion.press.drawing import CAP, Drawing, Item, Line, Loop, Shape, box, cut, moved, text_width
from companion.press.look import COVER, Room, notches
from companion.press.pictures import SHEET, drawn, filled, picture

LINE, SOFT = "#4f8c76", "#2c6553"


def contour(x: float, y: float, r: float, phase: float) -> Loop:
    """Return a closed line of one height round a hill's top."""
    points = []
    for i in range(48):
        turn = 2 * math.pi * i / 48
        far = r * (1 + 0.14 * math.sin(2 * turn + phase) + 0.09 * math.sin(3 * turn - phase * 1.7))
        points.append((x + far * 1.25 * math.cos(turn), y + far * math.sin(turn)))
    return tuple(points)


def back(sheet: Drawing, title: str, room: Room) -> None:
    """Draw the back: everything stands on it twice, turned by half round its middle."""
    w, h = room.shape.w, room.shape.h
    r = room.inner
    sheet.fill(DEEP, box(r.x, r.y, r.w, r.h, 3.0))
    half: list[Item] = []
    for x, y, phase, count in ((w * 0.74, h * 0.22, 0.6, 6), (w * 0.15, h * 0.2, 2.2, 4)):
        for i in range(count):
            loop = contour(x, y, 2.2 + 2.7 * i, phase + 0.12 * i)
            half.append(Line((*loop, loop[0]), *((0.42, LINE) if i % 3 == 0 else (0.24, SOFT))))
    half = cut(half, r.x + 1.4, r.y + 1.4, r.x + r.w - 1.4, h / 2)
    for part in (half, moved(half, w, h, rotation=180)):
        sheet.add(part)
    sheet.add(moved(drawn("collection", "radar"), w / 2, h / 2))
    inner = box(r.x + 1.0, r.y + 1.0, r.w - 2.0, r.h - 2.0, 2.2)
    sheet.line(SAGE, 0.3, *inner, closed=True)
    notches(sheet, room, SAGE)
    size = 3.1
    wide = text_width(title, size, True)
    for x, y, turn in ((w / 2, h / 2 - 6.6, 0.0), (w / 2, h / 2 + 6.6, 180.0)):
        plate = moved([Shape((box(-wide / 2 - 1.4, -2.2, wide + 2.8, 4.4, 0.8),), PAPER)], x, y, rotation=turn)
        sheet.add(plate)
        down = CAP * size / 2 * (1 if turn == 0 else -1)
        sheet.text(x, y + down, title, size, colour=DEEP, bold=True, rotation=turn)


def cover(sheet: Drawing, title: str) -> None:
    """Draw the box: three ladders on a wall, a radar in a table, analysts round it, the title above."""
    sheet.add(filled(picture("collection", "cover", SHEET), {}, lambda mark: drawn("collection", mark.name)))
    size = min(17.0 * (COVER - 10) / text_width(title, 17.0, True), 21.0)
    y = 14.2 + CAP * size / 2
    sheet.text(COVER / 2 + 0.7, y + 0.8, title, size, colour="#7c1a16", bold=True)
    sheet.text(COVER / 2, y, title, size, colour=WHITE, bold=True)
