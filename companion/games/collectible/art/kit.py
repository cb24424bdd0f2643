"""Paper-cut parts: smooth and angular shapes written as short strings of points, and motifs made of them.

A motif stands on the line y = 0 round x = 0 and looks to the right; its units are free: it is fitted into a place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from companion.press.drawing import Colour, Item, Line, Loop, Point, Shape, moved
from companion.press.pictures import picture

INK = "#241d30"
BONE = "#f6ecd2"
PAPER = "#fbf4e4"
GILT = "#d9a336"
GOLD = "#f3c63f"
BRASS = "#8a6117"
RED = "#c4343c"
WINE = "#7d2440"
BLUE = "#2d78b4"
SKY = "#9fd0e6"
NAVY = "#22295c"
GREEN = "#3f8a4a"
FOREST = "#1f5a41"
ORANGE = "#e07f2a"
RUST = "#b5562a"
BROWN = "#74442a"
UMBER = "#46291f"
PINK = "#e58aa8"
VIOLET = "#7a4bb0"
STEEL = "#7e8f9b"
IRON = "#46535e"
WHITE = "#fffdf7"


def path(words: str) -> Loop:
    """Return the points written as "x,y x,y …"."""
    return tuple((float(x), float(y)) for x, y in (word.split(",") for word in words.split()))


def smooth(points: Sequence[Point], *, closed: bool = True, steps: int = 4) -> Loop:
    """Return a Catmull-Rom curve through points."""
    n = len(points)
    out: list[Point] = []
    for i in range(n if closed else n - 1):
        if closed:
            a, b, c, d = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        else:
            a, b, c, d = points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, n - 1)]
        for step in range(steps):
            t = step / steps
            out.append(
                (
                    _spline(a[0], b[0], c[0], d[0], t),
                    _spline(a[1], b[1], c[1], d[1], t),
                )
            )
    return tuple(out) if closed else (*out, points[-1])


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def blob(fill: Colour, words: str, steps: int = 3) -> Shape:
    """Return a shape with round corners."""
    return Shape((smooth(path(words), steps=steps),), fill)


def poly(fill: Colour, words: str) -> Shape:
    """Return a shape with sharp corners."""
    return Shape((path(words),), fill)


def oval(fill: Colour, x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0) -> Shape:
    """Return an ellipse, turned clockwise by degrees."""
    high = rx if ry is None else ry
    reach = max(rx, high)
    n = 8 if reach < 0.8 else 12 if reach < 1.7 else 16 if reach < 3.2 else 22 if reach < 7 else 36
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    ring = [(rx * math.cos(2 * math.pi * i / n), high * math.sin(2 * math.pi * i / n)) for i in range(n)]
    return Shape((tuple((x + u * c - v * s, y + u * s + v * c) for u, v in ring),), fill)


def block(fill: Colour, x: float, y: float, w: float, h: float) -> Shape:
    """Return an upright rectangle from its top left corner."""
    return Shape((((x, y), (x + w, y), (x + w, y + h), (x, y + h)),), fill)


def curve(colour: Colour, width: float, words: str, steps: int = 3) -> Line:
    """Draw a smooth stroke."""
    return Line(smooth(path(words), closed=False, steps=steps), width, colour)


def rule(colour: Colour, width: float, words: str) -> Line:
    """Draw a stroke with corners."""
    return Line(path(words), width, colour)


def star(
    fill: Colour, x: float, y: float, r: float, *, inner: float = 0.42, tips: int = 5, turn: float = -90.0
) -> Shape:
    """Return a star."""
    points = []
    for i in range(2 * tips):
        reach = r if i % 2 == 0 else r * inner
        angle = math.radians(turn + 180 * i / tips)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return Shape((tuple(points),), fill)


def eye(x: float, y: float, r: float = 0.6, white: bool = False) -> list[Item]:
    """Draw an eye."""
    if not white:
        return [oval(INK, x, y, r)]
    return [oval(WHITE, x, y, r * 1.7), oval(INK, x + 0.2 * r, y, r)]


@dataclass(frozen=True)
class Head:
    """Where a hat sits: the middle of its brim, the width of the head there, and its tilt (degrees)."""

    x: float
    y: float
    w: float
    tilt: float = 0.0


@dataclass(frozen=True)
class Motif:
    """A figure or thing. `heads` are the places for hats, the best first; without one a hat lies on top."""

    items: tuple[Item, ...]
    heads: tuple[Head, ...] = ()

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom."""
        return bounds(self.items)

    @property
    def head(self) -> Head:
        """Where the hat goes."""
        if self.heads:
            return self.heads[0]
        left, top, right, _ = self.bounds
        return Head((left + right) / 2, top + 0.3, (right - left) * 0.5)

    def mirrored(self) -> Motif:
        """Return the motif mirrored."""
        heads = tuple(replace(head, x=-head.x, tilt=-head.tilt) for head in self.heads)
        return Motif(tuple(flipped(self.items)), heads)

    def placed(self, x: float, y: float, scale: float = 1.0, rotation: float = 0.0) -> Motif:
        """Return the motif scaled, turned and shifted."""
        c, s = math.cos(math.radians(rotation)) * scale, math.sin(math.radians(rotation)) * scale
        heads = tuple(
            Head(x + h.x * c - h.y * s, y + h.x * s + h.y * c, h.w * scale, h.tilt + rotation) for h in self.heads
        )
        return Motif(tuple(moved(self.items, x, y, scale=scale, rotation=rotation)), heads)


@cache
def motif(name: str) -> Motif:
    """Return a motif by the name of its picture ("motifs/fox"); its marks are the places for hats."""
    found = picture("collectible", name, 1 / 650)  # a scene has thousands of points: true to 0.06 mm
    return Motif(found.items, tuple(Head(mark.x, mark.y, 2 * mark.r, mark.turn) for mark in found.marks))


def flat(*parts: Item | Iterable[Item]) -> list[Item]:
    """Return items and lists of items as one list."""
    items: list[Item] = []
    for part in parts:
        if isinstance(part, Shape | Line):
            items.append(part)
        elif isinstance(part, Iterable):
            items.extend(part)
    return items


def flipped(items: Iterable[Item]) -> list[Item]:
    """Return shapes and lines mirrored left to right."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            out.append(Shape(tuple(tuple((-x, y) for x, y in loop) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            out.append(Line(tuple((-x, y) for x, y in item.points), item.width, item.colour))
    return out


def bounds(items: Iterable[Item]) -> tuple[float, float, float, float]:
    """Return what shapes and lines cover: left, top, right and bottom."""
    xs: list[float] = []
    ys: list[float] = []
    for item in items:
        half = item.width / 2 if isinstance(item, Line) else 0.0
        loops = item.loops if isinstance(item, Shape) else (item.points,) if isinstance(item, Line) else ()
        for loop in loops:
            for x, y in loop:
                xs += (x - half, x + half)
                ys += (y - half, y + half)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def halo(items: Sequence[Item], colour: Colour, width: float) -> list[Item]:
    """Draw the cut edge round a motif: a stroke `width` wide below all that may show outside.

    What lies within another shape, and what is tiny, needs none.
    """
    loops = [loop for item in items if isinstance(item, Shape) for loop in item.loops]
    spans = [_span(loop) for loop in loops]
    edge: list[Item] = []
    for i, (loop, (x0, y0, x1, y1)) in enumerate(zip(loops, spans, strict=True)):
        if max(x1 - x0, y1 - y0) < 1.6:
            continue
        around = (
            other
            for j, (other, (a0, b0, a1, b1)) in enumerate(zip(loops, spans, strict=True))
            if i != j and a0 < x0 and b0 < y0 and a1 > x1 and b1 > y1
        )
        if not any(all(_within(point, other) for point in loop[::2]) for other in around):
            round_about = loop[::2] if len(loop) >= 14 and soft(loop) else loop
            edge.append(Line((*round_about, round_about[0]), 2 * width, colour))
    for item in items:
        # a closed line is another motif's edge already
        if isinstance(item, Line) and item.width > 0.25 and item.points[0] != item.points[-1]:
            edge.append(Line(item.points, item.width + 2 * width, colour))
    return edge


def soft(loop: Loop) -> bool:
    """Return whether a polygon is a curve, with hardly a corner: its edge may then be drawn with half the points."""
    sharp = 0
    for i, (x, y) in enumerate(loop):
        (ax, ay), (bx, by) = loop[i - 1], loop[(i + 1) % len(loop)]
        u, v, p, q = x - ax, y - ay, bx - x, by - y
        sharp += u * p + v * q < 0.64 * math.hypot(u, v) * math.hypot(p, q)
    return sharp <= 4


def _span(loop: Loop) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in loop], [y for _, y in loop]
    return min(xs), min(ys), max(xs), max(ys)


def _within(point: Point, loop: Loop) -> bool:
    """Return whether a point lies in a polygon, by the crossings of a ray to the left."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(loop, (*loop[1:], loop[0]), strict=True):
        if (ay > y) != (by > y) and x > ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd
