"""The pen that the finds are drawn with: flat enamel colours within ink, bold outside and fine inside.

A find stands in a field of 22 × 20 units, the origin in its middle, x right, y down; its foot is near y = 9.6.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.press.drawing import Colour, Item, Line, Loop, Point, Shape, Text, moved, plain

INK = "#2b2633"
CREAM = "#fff1d6"
WHITE = "#ffffff"
RED = "#d6402f"
MAROON = "#8f2a2c"
ORANGE = "#ee8434"
YELLOW = "#f8c63d"
GOLD = "#e5a826"
BRASS = "#b5852f"
GREEN = "#4d9c66"
FOREST = "#2c6a4a"
TEAL = "#35a7a2"
BLUE = "#2f6fb4"
SKY = "#a9daee"
ICE = "#def3fa"
NAVY = "#2b4272"
PURPLE = "#7a529f"
PINK = "#f2a3b3"
SKIN = "#f3c49b"
BROWN = "#87522f"
TAN = "#d9a768"
GREY = "#99a2ab"
SILVER = "#d3dae0"
DARK = "#48455a"

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


def mirrored(items: Iterable[Item]) -> list[Item]:
    """Return items seen in a mirror; words stay readable."""
    turned: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            turned.append(Shape(tuple(tuple((-x, y) for x, y in loop) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            turned.append(Line(tuple((-x, y) for x, y in item.points), item.width, item.colour))
        else:
            turned.append(replace(item, x=-item.x))
    return turned


class Pin:
    """A find in the making: its outside line below, its parts above in the order in which they are drawn.

    What is `flat` has no ink round it: shine, pattern, marks.
    """

    def __init__(self) -> None:
        self.hull: list[Line] = []
        self.parts: list[Item] = []

    @property
    def items(self) -> list[Item]:
        """The whole find. Its outside is all of one ink: lines of one width together make one path of a PDF."""
        return [*sorted(self.hull, key=lambda line: line.width), *self.parts]

    def loop(self, colour: Colour, points: Loop, *, flat: bool = False) -> None:
        """Fill a polygon."""
        self.parts.append(Shape((points,), colour))
        if not flat:
            self.hull.append(Line((*points, points[0]), OUTSIDE, INK))
            self.parts.append(Line((*points, points[0]), INSIDE, INK))

    def box(
        self, colour: Colour, x: float, y: float, w: float, h: float, r: float = 0.0, *, flat: bool = False
    ) -> None:
        """Fill an upright rectangle from its top left corner."""
        self.poly(colour, (x, y), (x + w, y), (x + w, y + h), (x, y + h), r=r, flat=flat)

    def poly(self, colour: Colour, *points: Point, r: float = 0.0, flat: bool = False) -> None:
        """Fill a polygon with rounded corners."""
        self.loop(colour, soft(points, r, 2 if r <= 0.4 else 3 if r < 1 else 5) if r else points, flat=flat)

    def even(self, colour: Colour, *points: Point, r: float = 0.0, x: float = 0.0, flat: bool = False) -> None:
        """Fill a polygon given by its right half, seen from an upright axis at `x`."""
        right = [(x + px, y) for px, y in points]
        left = [(x - px, y) for px, y in reversed(points) if px]
        self.poly(colour, *right, *left, r=r, flat=flat)

    def disc(
        self, colour: Colour, x: float, y: float, r: float, ry: float | None = None, *, flat: bool = False
    ) -> None:
        """Fill a circle or an ellipse."""
        self.loop(colour, oval(x, y, r, ry), flat=flat)

    def blob(self, colour: Colour, *points: Point, flat: bool = False) -> None:
        """Fill a smooth shape through points."""
        self.loop(colour, smooth(points), flat=flat)

    def egg(self, colour: Colour, *points: Point, x: float = 0.0, flat: bool = False) -> None:
        """Fill a smooth shape given by its right half, from top to bottom."""
        right = [(x + px, y) for px, y in points]
        self.blob(colour, *right, *((x - px, y) for px, y in reversed(points) if px), flat=flat)

    def rod(self, colour: Colour, width: float, *points: Point) -> None:
        """Draw a thick line with ink on both sides: a limb, a pole, a cable."""
        self.hull.append(Line(points, width + OUTSIDE, INK))
        self.parts += [Line(points, width + INSIDE, INK), Line(points, width - INSIDE, colour)]

    def line(self, width: float, *points: Point, colour: Colour = INK) -> None:
        """Draw a line that is a mark, not a part."""
        self.parts.append(Line(points, width, colour))

    def dots(self, colour: Colour, r: float, *points: Point) -> None:
        """Draw small dots: eyes, rivets, buttons, lights."""
        self.parts.append(Shape(tuple(oval(x, y, r) for x, y in points), colour))

    def text(self, x: float, y: float, words: str, size: float, colour: Colour = INK, rotation: float = 0.0) -> None:
        """Write on a find."""
        self.parts.append(Text(x, y, plain(words), size, colour, bold=True, rotation=rotation))

    def shine(self, *points: Point, width: float = 0.7) -> None:
        """Draw a highlight."""
        self.line(width, *points, colour=WHITE)

    def star(self, colour: Colour, x: float, y: float, r: float, *, flat: bool = True, rays: int = 5) -> None:
        """Draw a star."""
        turns = [math.pi * n / rays - math.pi / 2 for n in range(2 * rays)]
        reach = [r if n % 2 == 0 else r * 0.45 for n in range(2 * rays)]
        points = [(x + k * math.cos(t), y + k * math.sin(t)) for t, k in zip(turns, reach, strict=True)]
        self.poly(colour, *points, flat=flat)

    def sparkle(self, x: float, y: float, r: float) -> None:
        """Draw a twinkle, as of gold or glass."""
        self.star(WHITE, x, y, r, rays=4)

    def note(self, x: float, y: float, size: float = 1.0, colour: Colour = INK) -> None:
        """Draw a quaver that hangs in the air, its head at (x, y)."""
        self.parts.append(Shape((oval(x, y, 1.1 * size, 0.85 * size),), colour))
        top = y - 4.2 * size
        self.line(0.5 * size, (x + 0.9 * size, y), (x + 0.9 * size, top), colour=colour)
        self.line(0.8 * size, (x + 0.9 * size, top), (x + 2.4 * size, top + 1.5 * size), colour=colour)

    def place(
        self, other: Pin, x: float, y: float, scale: float = 1.0, rotation: float = 0.0, *, flip: bool = False
    ) -> None:
        """Put another find on this one."""
        hull, parts = (mirrored(new) if flip else new for new in (other.hull, other.parts))
        lines = moved(hull, x, y, scale=scale, rotation=rotation)
        self.hull += [line for line in lines if isinstance(line, Line)]
        self.parts += moved(parts, x, y, scale=scale, rotation=rotation)


Draw = Callable[[Pin], None]
FINDS: list[tuple[frozenset[str], Draw]] = []
"""Every find with the words of a title that ask for it."""


def shows(*keys: str) -> Callable[[Draw], Draw]:
    """Register a drawing for titles that have all the words of one of the keys."""

    def keep(draw: Draw) -> Draw:
        FINDS.extend((frozenset(key.lower().split()), draw) for key in keys)
        return draw

    return keep


def drawn(draw: Draw) -> Pin:
    """Return a drawing as a find to place on another."""
    pin = Pin()
    draw(pin)
    return pin
