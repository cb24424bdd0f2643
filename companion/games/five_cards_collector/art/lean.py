"""Fewer points for the same picture: what no eye can see is left out before it is printed eighty times."""

from __future__ import annotations

import math
from collections.abc import Iterable

from companion.press.drawing import Item, Line, Loop, Shape


def lean(items: Iterable[Item], off: float) -> list[Item]:
    """Return shapes and lines without the points whose absence moves them by no more than `off`."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            kept.append(Shape(tuple(lean_loop(loop, off) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            closed = len(item.points) > 3 and item.points[0] == item.points[-1]
            points = lean_loop(item.points[:-1], off) if closed else _between(item.points, off)
            kept.append(Line((*points, points[0]) if closed else points, item.width, item.colour))
        else:
            kept.append(item)
    return kept


def lean_loop(loop: Loop, off: float) -> Loop:
    """Return a closed polygon so reduced: its first point and the one farthest from it stay."""
    if len(loop) < 4:
        return loop
    far = max(range(len(loop)), key=lambda n: math.dist(loop[0], loop[n]))
    return (*_between(loop[: far + 1], off)[:-1], *_between((*loop[far:], loop[0]), off)[:-1])


def _between(points: Loop, off: float) -> Loop:
    """Return a line so reduced, by the algorithm of Douglas and Peucker."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    long = math.hypot(bx - ax, by - ay)

    def away(point: tuple[float, float]) -> float:
        x, y = point
        if long < off:
            return math.hypot(x - ax, y - ay)
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long

    far = max(range(1, len(points) - 1), key=lambda n: away(points[n]))
    if away(points[far]) <= off:
        return points[0], points[-1]
    return (*_between(points[: far + 1], off)[:-1], *_between(points[far:], off))
