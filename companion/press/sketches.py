"""Drawings written as text, a stroke a line, and what cuts them along a straight line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.press.drawing import (
    Colour,
    Item,
    Line,
    Loop,
    Point,
    Shape,
    bezier,
    moved,
)
from companion.press.figures import Tint, mix
from companion.press.suits import GOLD, disc, pip

INKS = {
    "gold": GOLD,
    "deep": "#a8781a",  # gold in the shade
    "ink": "#23292c",
    "lip": "#b8433f",
    "steel": "#c9d3d8",
    "iron": "#8796a0",
    "wood": "#7a4f2c",
    "lute": "#c98a4b",
    "glass": "#e6f2fb",
    "leaf": "#2b9360",
    "stalk": "#1a6642",
    "white": "#ffffff",
}
"""The colours of what is the same for every figure."""


@dataclass(frozen=True)
class Livery:
    """The colours of a figure: its suit's, a second one beside it, its skin, and its hair."""

    tone: Tint
    second: Colour
    skin: Colour
    hair: Colour
    suit: str = ""

    def ink(self, name: str) -> Colour:
        """Return a colour by the name that sketches use."""
        own = {
            "main": self.tone.main,
            "dark": self.tone.dark,
            "pale": self.tone.pale,
            "second": self.second,
            "skin": self.skin,
            "shade": mix(self.skin, "#5a2a10", 0.2),
            "line": mix(self.skin, "#5a2a10", 0.5),
            "hair": self.hair,
            "sheen": mix(self.hair, "#ffffff", 0.24),
        }
        return own.get(name) or INKS[name]


# --------------------------------------------------------------------------------------------------------- sketches


def smooth(points: Sequence[Point]) -> Loop:
    """Return a closed curve through points (Catmull and Rom's spline)."""
    n = len(points)
    curve: list[Point] = []
    for i in range(n):
        (ax, ay), b, c, (dx, dy) = points[i - 1], points[i], points[(i + 1) % n], points[(i + 2) % n]
        one = (b[0] + (c[0] - ax) / 6, b[1] + (c[1] - ay) / 6)
        two = (c[0] - (dx - b[0]) / 6, c[1] - (dy - b[1]) / 6)
        curve += bezier(b, one, two, c, 4)[:-1]
    return tuple(curve)


def sketch(text: str, livery: Livery) -> list[Item]:
    """Draw what lines of text say: a verb, a colour, perhaps a width or radius, and points "x,y".

    polygon, smooth: a filled shape with corners, or with a curve through its points. halves, even: the same, but the
    points are its right half from top to bottom. dots, pips: discs, or the suit's signs, of a radius. line, curve: a
    stroke of a width through points, or along a cubic curve. hand: a fist at the first point, its sleeve from the
    second. A `2` behind a verb: once more, mirrored. `at X,Y TURN SCALE` moves all that follows.
    """
    items: list[Item] = []
    place = (0.0, 0.0, 0.0, 1.0)
    for row in filter(None, map(str.strip, text.splitlines())):
        verb, *words = row.split()
        points = tuple((float(x), float(y)) for x, y in (word.split(",") for word in words if "," in word))
        values = [word for word in words if "," not in word]
        if verb == "at":
            place = (*points[0], float(values[0]), float(values[1]))
            continue
        for side in (1, -1) if verb.endswith("2") else (1,):
            stroke = tuple((side * x, y) for x, y in points)
            drawn = _stroke(verb.removesuffix("2"), livery, values, stroke)
            items += moved(drawn, place[0], place[1], rotation=place[2], scale=place[3])
    return items


def _stroke(verb: str, livery: Livery, values: list[str], points: Loop) -> list[Item]:
    colour, size = livery.ink(values[0]), float(values[1]) if len(values) > 1 else 0.0
    both = (*points, *((-x, y) for x, y in reversed(points) if abs(x) > 1e-9))
    match verb:
        case "polygon":
            return [Shape((points,), colour)]
        case "smooth":
            return [Shape((smooth(points),), colour)]
        case "halves":
            return [Shape((both,), colour)]
        case "even":
            return [Shape((smooth(both),), colour)]
        case "dots":
            return [Shape(tuple(disc(x, y, size, 14 if size < 0.8 else 24) for x, y in points), colour)]
        case "pips":
            return [item for x, y in points for item in moved(pip(livery.suit, colour, 6), x, y, scale=size)]
        case "line":
            return [Line(points, size, colour)]
        case "curve":
            return [Line(bezier(points[0], points[1], points[2], points[3], 8), size, colour)]
        case "hand":
            return _hand(livery, points[0], points[1], colour)
    raise ValueError(f"a sketch has no verb {verb}")


def _hand(livery: Livery, fist: Point, elbow: Point, sleeve: Colour) -> list[Item]:
    """Draw a fist whose sleeve comes from an elbow."""
    x, y = fist
    long = math.hypot(elbow[0] - x, elbow[1] - y)
    ux, uy = (elbow[0] - x) / long, (elbow[1] - y) / long

    def along(far: float, aside: float) -> Point:
        return x + ux * far - uy * aside, y + uy * far + ux * aside

    arm = (along(2.0, 2.2), along(long, 4.0), along(long, -4.0), along(2.0, -2.2))
    palm = ((-1.9, -1.6), (0.6, -2.0), (1.9, -0.8), (1.7, 1.4), (-0.4, 2.0), (-1.9, 1.2))
    fingers = [Line(((x - 1.5, y + i), (x + 0.9, y + i)), 0.24, livery.ink("line")) for i in (-0.75, 0.0, 0.75)]
    return [
        Shape((arm,), sleeve),
        Line((along(2.0, 2.3), along(2.0, -2.3)), 1.4, GOLD),
        Shape((smooth([(x + dx, y + dy) for dx, dy in palm]),), livery.skin),
        *fingers,
    ]


def cut(items: Sequence[Item], corners: Sequence[Point]) -> list[Item]:
    """Return the parts of shapes and lines inside a convex polygon, whose corners go round anticlockwise to the eye."""
    kept: list[Item] = []
    for item in items:
        for i, b in enumerate(corners):
            a = corners[i - 1]
            if isinstance(item, Shape):
                loops = tuple(loop for loop in (_cut_loop(loop, a, b) for loop in item.loops) if len(loop) > 2)
                item = Shape(loops, item.fill)
        if isinstance(item, Shape) and item.loops:
            kept.append(item)
        elif isinstance(item, Line):
            runs = [item.points]
            for i, b in enumerate(corners):
                runs = [run for points in runs for run in _cut_line(points, corners[i - 1], b, item.width / 2)]
            kept += [replace(item, points=run) for run in runs]
    return kept


def _inside(p: Point, a: Point, b: Point, by: float = 0.0) -> float:
    """Return how far a point lies inside the edge from a to b moved inwards by some mm."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return ((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / math.hypot(dx, dy) - by


def _between(p: Point, q: Point, at_p: float, at_q: float) -> Point:
    t = at_p / (at_p - at_q)
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])


def _cut_loop(loop: Loop, a: Point, b: Point) -> Loop:
    kept: list[Point] = []
    for i, q in enumerate(loop):
        p = loop[i - 1]
        at_p, at_q = _inside(p, a, b), _inside(q, a, b)
        if (at_p >= 0) != (at_q >= 0):
            kept.append(_between(p, q, at_p, at_q))
        if at_q >= 0:
            kept.append(q)
    return tuple(kept)


def _cut_line(points: Loop, a: Point, b: Point, by: float) -> list[Loop]:
    runs: list[list[Point]] = [[]]
    for i, q in enumerate(points):
        at_q = _inside(q, a, b, by)
        if i:
            p = points[i - 1]
            at_p = _inside(p, a, b, by)
            if (at_p >= 0) != (at_q >= 0):
                runs[-1].append(_between(p, q, at_p, at_q))
                if at_q < 0:
                    runs.append([])
        if at_q >= 0:
            runs[-1].append(q)
    return [tuple(run) for run in runs if len(run) > 1]
