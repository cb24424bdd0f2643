"""Colours and curves of the shelves: flat enamel within ink, bold outside and fine inside."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from companion.press.drawing import Item, Line, Loop, Point, Shape

INK = "#2b2633"
CREAM = "#fff1d6"
RED = "#d6402f"
GOLD = "#e5a826"
BROWN = "#87522f"
TAN = "#d9a768"

OUTSIDE = 1.3
"""Width of the ink round a find, half of it beyond its edge."""
INSIDE = 0.42
"""Width of the ink between a find's parts."""


def oval(x: float, y: float, rx: float, ry: float | None = None, *, steps: int = 0) -> Loop:
    """Return a full ellipse of `steps` points, or of as many as its size in a find asks for."""
    steps = steps or 10 + math.ceil(2.6 * rx)
    high = rx if ry is None else ry
    turns = [2 * math.pi * n / steps for n in range(steps)]
    return tuple((x + rx * math.cos(turn), y + high * math.sin(turn)) for turn in turns)


def soft(points: Sequence[Point], r: float, steps: int) -> Loop:
    """Return a polygon with rounded corners of `steps` + 1 points each, cutting at most `r` off each side's end."""
    curve: list[Point] = []
    for n, (x, y) in enumerate(points):
        ends = []
        for px, py in (points[n - 1], points[(n + 1) % len(points)]):
            side = math.hypot(px - x, py - y) or 1.0
            cut = min(r / side, 0.45)
            ends.append((x + (px - x) * cut, y + (py - y) * cut))
        (ax, ay), (bx, by) = ends
        for step in range(steps + 1):
            t = step / steps
            s = 1 - t
            curve.append((s * s * ax + 2 * s * t * x + t * t * bx, s * s * ay + 2 * s * t * y + t * t * by))
    return tuple(curve)


def block(x: float, y: float, w: float, h: float, r: float) -> Loop:
    """Return an upright rectangle with rounded corners, of fewer points than print's has."""
    return soft(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), r, 4)


def bow(x: float, y: float, r: float, start: float, end: float, ry: float | None = None) -> Loop:
    """Return points along an arc (degrees clockwise from the right), fewer than print's arcs have."""
    steps = max(3, math.ceil(abs(end - start) / 12))
    turns = [math.radians(start + (end - start) * n / steps) for n in range(steps + 1)]
    high = r if ry is None else ry
    return tuple((x + r * math.cos(turn), y + high * math.sin(turn)) for turn in turns)


def smooth(points: Iterable[Point], *, closed: bool = True, steps: int = 5) -> Loop:
    """Return a curve through points (Catmull and Rom's), closed or open."""
    knots = list(points)
    size = len(knots)
    curve: list[Point] = []
    for n in range(size if closed else size - 1):
        if closed:
            a, b, c, d = (knots[(n + k) % size] for k in (-1, 0, 1, 2))
        else:
            a, b, c, d = (knots[min(max(n + k, 0), size - 1)] for k in (-1, 0, 1, 2))
        for step in range(steps):
            t = step / steps
            curve.append((_between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t)))
    return tuple(curve) if closed else (*curve, knots[-1])


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def slim(item: Item, off: float) -> Item:
    """Return an item without the points of its curves that are not needed to be true to within `off`."""
    if isinstance(item, Shape):
        return Shape(tuple(_slim(loop, off) for loop in item.loops), item.fill)
    return Line(_slim(item.points, off), item.width, item.colour) if isinstance(item, Line) else item


def _slim(points: Loop, off: float) -> Loop:
    kept, passed = [points[0]], list[Point]()
    for here, ahead in itertools.pairwise(points[1:]):
        passed.append(here)
        (ax, ay), (bx, by) = kept[-1], ahead
        long = math.hypot(bx - ax, by - ay) or 1e-9
        if any(abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) > off * long for x, y in passed) or long < off:
            kept.append(here)
            passed.clear()
    return (*kept, *points[-1:]) if len(points) > 1 else points
