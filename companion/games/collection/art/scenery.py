"""The back of COLLECTION!'s cards, contour lines under a radar, and its box cover, the analysts at their table."""

from __future__ import annotations

import math

from companion.games.collection.art.brush import AMBER, DEEP, PAPER, SAGE, WHITE, dot
from companion.press.drawing import CAP, Drawing, Item, Line, Loop, Shape, arc, box, clip, moved, text_width
from companion.press.look import AIR, COVER, INSET, RIM, Room
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


def _inside(points: Loop, x0: float, y0: float, x1: float, y1: float) -> list[Loop]:
    """Return the parts of an open line inside a rectangle, to the nearest point."""
    parts: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if x0 <= x <= x1 and y0 <= y <= y1:
            parts[-1].append((x, y))
        elif parts[-1]:
            parts.append([])
    return [tuple(part) for part in parts if len(part) > 1]


def back(sheet: Drawing, title: str, room: Room) -> None:
    """Draw the back: everything stands on it twice, turned by half round its middle."""
    w, h = room.shape.w, room.shape.h
    r = room.inner
    sheet.fill(DEEP, box(r.x, r.y, r.w, r.h, 3.0))
    edge = (r.x + 1.4, r.y + 1.4, r.x + r.w - 1.4, r.y + r.h - 1.4)
    half: list[Item] = []
    for x, y, phase, count in ((w * 0.74, h * 0.22, 0.6, 6), (w * 0.15, h * 0.2, 2.2, 4)):
        for i in range(count):
            loop = contour(x, y, 2.2 + 2.7 * i, phase + 0.12 * i)
            closed = (*loop, loop[0])
            half += [
                Line(part, 0.42 if i % 3 == 0 else 0.24, LINE if i % 3 == 0 else SOFT)
                for part in _inside(closed, edge[0], edge[1], edge[2], h / 2)
            ]
    for part in (half, moved(half, w, h, rotation=180)):
        sheet.add(part)
    _radar(sheet, w / 2, h / 2, h / 2 - INSET - 1.6)
    inner = box(r.x + 1.0, r.y + 1.0, r.w - 2.0, r.h - 2.0, 2.2)
    sheet.line(SAGE, 0.3, *inner, closed=True)
    if room.coded:
        for s in room.codes:
            gap = AIR + RIM
            notch = box(s.x - gap, s.y - gap, s.w + 2 * gap, s.h + 2 * gap, 2.0 + RIM)
            sheet.fill(SAGE, clip(notch, r.x, r.y, r.x + r.w, r.y + r.h))
    size = 3.1
    wide = text_width(title, size, True)
    for x, y, turn in ((w / 2, h / 2 - 6.6, 0.0), (w / 2, h / 2 + 6.6, 180.0)):
        plate = moved([Shape((box(-wide / 2 - 1.4, -2.2, wide + 2.8, 4.4, 0.8),), PAPER)], x, y, rotation=turn)
        sheet.add(plate)
        down = CAP * size / 2 * (1 if turn == 0 else -1)
        sheet.text(x, y + down, title, size, colour=DEEP, bold=True, rotation=turn)


def _radar(sheet: Drawing, x: float, y: float, r: float) -> None:
    """Draw rings, two opposite sweeps and two opposite echoes."""
    sheet.fill("#173f34", dot(x, y, r))
    for start in (-62.0, 118.0):
        for i in range(4):
            sweep = (*arc(x, y, r, start + 9 * i, start + 9 * i + 9), (x, y))
            sheet.fill(("#1c4b3e", "#24604f", "#2f7962", "#3f9678")[i], sweep)
    for k in (1.0, 0.68, 0.36):
        sheet.line(LINE, 0.3, *arc(x, y, r * k, 0, 360))
    for turn in (0, 90):
        dx, dy = r * math.cos(math.radians(turn)), r * math.sin(math.radians(turn))
        sheet.line(LINE, 0.25, (x - dx, y - dy), (x + dx, y + dy))
    sheet.fill(AMBER, dot(x, y, 1.0))


def cover(sheet: Drawing, title: str) -> None:
    """Draw the box: three ladders on a wall, a radar in a table, analysts round it, the title above."""
    sheet.add(filled(picture("collection", "cover", SHEET), {}, lambda mark: drawn("collection", mark.name)))
    size = min(17.0 * (COVER - 10) / text_width(title, 17.0, True), 21.0)
    y = 14.2 + CAP * size / 2
    sheet.text(COVER / 2 + 0.7, y + 0.8, title, size, colour="#7c1a16", bold=True)
    sheet.text(COVER / 2, y, title, size, colour=WHITE, bold=True)
