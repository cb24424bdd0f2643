"""What is printed, as values: filled shapes, lines and text in millimetres, origin top left, x right, y down.

Shapes are polygons (curves are flattened finely enough for 600 dpi), so that both back ends draw the same.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.letters import font, laid

Point = tuple[float, float]
Loop = tuple[Point, ...]
"""A closed polygon; the last point joins the first by itself."""
Colour = str
"""A colour as "#rrggbb"."""


@dataclass(frozen=True)
class Shape:
    """Polygons filled with one colour. They do not overlap; a hole is a seam within one polygon (`ring`)."""

    loops: tuple[Loop, ...]
    fill: Colour


@dataclass(frozen=True)
class Line:
    """A stroke through points with round joints."""

    points: Loop
    width: float
    colour: Colour


@dataclass(frozen=True)
class Text:
    """One line of text: `x` is its left end, middle or right end by `align` ("l", "m", "r"), `y` its baseline.

    `size` is the height of the em square (mm); `rotation` turns it clockwise round (x, y), in degrees.
    """

    x: float
    y: float
    words: str
    size: float
    colour: Colour = "#22302c"
    align: str = "m"
    bold: bool = False
    rotation: float = 0.0


Item = Shape | Line | Text

BOLD = 0.045
"""Width of bold text's outline as a share of the em square: the font has no bold cut."""
CAP = 0.71
"""Height of a capital, in em."""


@dataclass
class Drawing:
    """A sheet of w × h mm on white, painted in the order of its items."""

    w: float
    h: float
    items: list[Item] = field(default_factory=list)

    def fill(self, colour: Colour, *loops: Loop) -> None:
        """Paint polygons."""
        self.items.append(Shape(loops, colour))

    def line(self, colour: Colour, width: float, *points: Point, closed: bool = False) -> None:
        """Paint a stroke."""
        self.items.append(Line((*points, points[0]) if closed else points, width, colour))

    def text(self, x: float, y: float, words: str, size: float, **how: object) -> None:
        """Write one line."""
        self.items.append(Text(x, y, words, size, **how))  # type: ignore[arg-type]

    def add(self, items: Iterable[Item]) -> None:
        """Put items on top."""
        self.items.extend(items)


# -------------------------------------------------------------------------------------------------------------- text


def text_width(words: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text (mm for a size in mm)."""
    return (_ems(words) + (BOLD if bold else 0.0)) * size


@functools.lru_cache(maxsize=4096)
def _ems(words: str) -> float:
    """Return the width of a line of text in em."""
    return font(200.0, laid(words)).getlength(laid(words)) / 200.0


def wrap(words: str, size: float, width: float, bold: bool = False) -> list[str]:
    """Return words in lines no wider than `width` mm; a single word may be wider."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fitted(words: str, size: float, width: float, height: float, *, bold: bool = False) -> tuple[float, list[str]]:
    """Return the size, `size` or smaller, at which words fit into width × height mm, and their lines."""
    while True:
        lines = wrap(words, size, width, bold)
        widest = max((text_width(line, size, bold) for line in lines), default=0.0)
        if size < 1.2 or (widest <= width and len(lines) * size * LEADING <= height):
            return size, lines
        size *= 0.94


LEADING = 1.18
"""Distance of two lines, in em."""


def paragraph(x: float, top: float, lines: Sequence[str], size: float, **how: object) -> list[Text]:
    """Set lines below each other; the capitals of the first begin at `top`."""
    y = top + CAP * size
    return [
        Text(x, y + i * LEADING * size, line, size, **how)  # type: ignore[arg-type]
        for i, line in enumerate(lines)
    ]


def paragraph_height(lines: Sequence[str], size: float) -> float:
    """Return the height of a `paragraph`, from the first line's capitals to the last baseline."""
    return (CAP + LEADING * (len(lines) - 1)) * size if lines else 0.0


# ------------------------------------------------------------------------------------------------------------ shapes


def arc(cx: float, cy: float, r: float, start: float, end: float, ry: float | None = None) -> Loop:
    """Return points along an arc from angle to angle (degrees clockwise from the right)."""
    steps = max(2, math.ceil(abs(end - start) / 5))
    turns = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    high = r if ry is None else ry
    return tuple((cx + r * math.cos(turn), cy + high * math.sin(turn)) for turn in turns)


def circle(cx: float, cy: float, r: float) -> Loop:
    """Return a full circle."""
    return arc(cx, cy, r, 0, 360)[:-1]


def oval(x: float, y: float, rx: float, ry: float | None = None, steps: int = 36) -> Loop:
    """Return a full ellipse of so many points: fewer than a circle's where it is small."""
    high = rx if ry is None else ry
    turns = (2 * math.pi * n / steps for n in range(steps))
    return tuple((x + rx * math.cos(turn), y + high * math.sin(turn)) for turn in turns)


def star(x: float, y: float, r: float, inner: float, tips: int, turn: float = -90.0) -> Loop:
    """Return a star, its first tip at `turn` degrees; `inner` is the notches' radius as a share of the tips'."""
    corners = [(r if n % 2 == 0 else r * inner, math.radians(turn + 180 * n / tips)) for n in range(2 * tips)]
    return tuple((x + far * math.cos(angle), y + far * math.sin(angle)) for far, angle in corners)


def rays(x: float, y: float, far: float, count: int, start: float = 0.0) -> list[Loop]:
    """Return rays from a point, `far` long and as wide as the gaps between them, the first round `start` degrees."""
    half = 90 / count
    turns = [
        (math.radians(at - half), math.radians(at + half)) for at in (start + 360 * n / count for n in range(count))
    ]
    return [((x, y), *((x + far * math.cos(turn), y + far * math.sin(turn)) for turn in pair)) for pair in turns]


def ring(outer: Loop, inner: Loop) -> Loop:
    """Return a polygon with a hole, joined by a seam."""
    return (*outer, outer[0], inner[0], *reversed(inner))


def box(x: float, y: float, w: float, h: float, r: float = 0.0) -> Loop:
    """Return an upright rectangle, its corners rounded by r."""
    if r <= 0:
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    r = min(r, w / 2, h / 2)
    return (
        *arc(x + r, y + r, r, 180, 270),
        *arc(x + w - r, y + r, r, 270, 360),
        *arc(x + w - r, y + h - r, r, 0, 90),
        *arc(x + r, y + h - r, r, 90, 180),
    )


def bezier(a: Point, b: Point, c: Point, d: Point, steps: int = 16) -> Loop:
    """Return points along a cubic curve from a to d."""
    curve = []
    for i in range(steps + 1):
        t = i / steps
        s = 1 - t
        k = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        curve.append(
            (
                k[0] * a[0] + k[1] * b[0] + k[2] * c[0] + k[3] * d[0],
                k[0] * a[1] + k[1] * b[1] + k[2] * c[1] + k[3] * d[1],
            )
        )
    return tuple(curve)


def rounded(points: Sequence[Point], r: float) -> Loop:
    """Return a polygon with rounded corners, cutting at most r off each side's end."""
    smooth: list[Point] = []
    for i, (x, y) in enumerate(points):
        ends = []
        for px, py in (points[i - 1], points[(i + 1) % len(points)]):
            side = math.hypot(px - x, py - y) or 1.0
            cut = min(r, side * 0.45)
            ends.append((x + (px - x) / side * cut, y + (py - y) / side * cut))
        (ax, ay), (bx, by) = ends
        for step in range(6):
            t = step / 5
            s = 1 - t
            smooth.append((s * s * ax + 2 * s * t * x + t * t * bx, s * s * ay + 2 * s * t * y + t * t * by))
    return tuple(smooth)


def clip(loop: Loop, x0: float, y0: float, x1: float, y1: float) -> Loop:
    """Return a convex polygon clipped to an upright rectangle (Sutherland and Hodgman's algorithm)."""
    for axis, limit, sign in ((0, x0, 1), (0, x1, -1), (1, y0, 1), (1, y1, -1)):
        kept: list[Point] = []
        for i, end in enumerate(loop):
            start = loop[i - 1]
            inside, was = sign * (end[axis] - limit) >= 0, sign * (start[axis] - limit) >= 0
            if inside != was:
                t = (limit - start[axis]) / (end[axis] - start[axis])
                kept.append((start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])))
            if inside:
                kept.append(end)
        loop = tuple(kept)
    return loop


def cut(items: Iterable[Item], x0: float, y0: float, x1: float, y1: float) -> list[Item]:
    """Cut shapes, which are convex or not far out of it, and lines to an upright rectangle; words stay as they are."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            loops = tuple(loop for loop in (_cut_loop(loop, x0, y0, x1, y1) for loop in item.loops) if len(loop) > 2)
            if loops:
                kept.append(Shape(loops, item.fill))
        elif isinstance(item, Line):
            half = item.width / 2
            parts = _cut_line(item.points, x0 + half, y0 + half, x1 - half, y1 - half)
            kept += [Line(part, item.width, item.colour) for part in parts]
        else:
            kept.append(item)
    return kept


def _cut_loop(loop: Loop, x0: float, y0: float, x1: float, y1: float) -> Loop:
    if all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in loop):
        return loop
    return clip(loop, x0, y0, x1, y1)


def _cut_line(points: Loop, x0: float, y0: float, x1: float, y1: float) -> list[Loop]:
    """Return the parts of a line inside a rectangle (Liang and Barsky's algorithm)."""
    parts: list[list[Point]] = []
    for a, b in itertools.pairwise(points):
        low, high = 0.0, 1.0
        dx, dy = b[0] - a[0], b[1] - a[1]
        for way, room in ((-dx, a[0] - x0), (dx, x1 - a[0]), (-dy, a[1] - y0), (dy, y1 - a[1])):
            if way == 0:
                if room < 0:
                    high = -1.0
            elif way < 0:
                low = max(low, room / way)
            else:
                high = min(high, room / way)
        if low > high:
            continue
        start, end = (a[0] + low * dx, a[1] + low * dy), (a[0] + high * dx, a[1] + high * dy)
        if parts and math.dist(parts[-1][-1], start) < 1e-6:
            parts[-1].append(end)
        else:
            parts.append([start, end])
    return [tuple(part) for part in parts]


def hatch(loop: Loop, angle: float, gap: float) -> list[tuple[Point, Point]]:
    """Return parallel lines `gap` mm apart, clipped to a polygon."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = [(x * cos + y * sin, -x * sin + y * cos) for x, y in loop]
    low, high = min(v for _, v in turned), max(v for _, v in turned)
    parts = []
    # half a step off the grid, so that no line runs exactly along an edge
    for i in range(math.floor(low / gap), math.ceil(high / gap) + 1):
        v = (i + 0.5) * gap
        cuts = []
        for j, (bu, bv) in enumerate(turned):
            au, av = turned[j - 1]
            if (av <= v) != (bv <= v):
                cuts.append(au + (v - av) / (bv - av) * (bu - au))
        cuts.sort()
        for left, right in zip(cuts[::2], cuts[1::2], strict=True):
            parts.append(((left * cos - v * sin, left * sin + v * cos), (right * cos - v * sin, right * sin + v * cos)))
    return parts


def within(point: Point, loop: Loop) -> bool:
    """Whether a point lies in a polygon, by the crossings of a ray to the left."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(loop, (*loop[1:], loop[0]), strict=True):
        if (ay > y) != (by > y) and x > ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def bounds(items: Iterable[Item]) -> tuple[float, float, float, float]:
    """Return what shapes and lines cover: left, top, right and bottom."""
    spots: list[tuple[float, float, float]] = []
    for item in items:
        if isinstance(item, Shape):
            spots += [(x, y, 0.0) for loop in item.loops for x, y in loop]
        elif isinstance(item, Line):
            spots += [(x, y, item.width / 2) for x, y in item.points]
    xs, ys, halves = zip(*spots, strict=True) if spots else ((0.0,), (0.0,), (0.0,))
    left, top = (min(v - half for v, half in zip(vs, halves, strict=True)) for vs in (xs, ys))
    right, bottom = (max(v + half for v, half in zip(vs, halves, strict=True)) for vs in (xs, ys))
    return left, top, right, bottom


def lean(items: Iterable[Item], off: float) -> list[Item]:
    """Return shapes and lines without the points whose absence moves them by no more than `off`: less to print."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            kept.append(Shape(tuple(lean_loop(loop, off) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            closed = len(item.points) > 3 and item.points[0] == item.points[-1]
            points = lean_loop(item.points[:-1], off) if closed else _leaner(item.points, off)
            kept.append(Line((*points, points[0]) if closed else points, item.width, item.colour))
        else:
            kept.append(item)
    return kept


def lean_loop(loop: Loop, off: float) -> Loop:
    """Return a closed polygon so reduced: its first point and the one farthest from it stay."""
    if len(loop) < 4:
        return loop
    far = max(range(len(loop)), key=lambda n: math.dist(loop[0], loop[n]))
    return (*_leaner(loop[: far + 1], off)[:-1], *_leaner((*loop[far:], loop[0]), off)[:-1])


def _leaner(points: Loop, off: float) -> Loop:
    """Return a line so reduced, by the algorithm of Douglas and Peucker."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    long = math.hypot(bx - ax, by - ay)

    def away(point: Point) -> float:
        x, y = point
        if long < off:
            return math.hypot(x - ax, y - ay)
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long

    far = max(range(1, len(points) - 1), key=lambda n: away(points[n]))
    if away(points[far]) <= off:
        return points[0], points[-1]
    return (*_leaner(points[: far + 1], off)[:-1], *_leaner(points[far:], off))


def moved(items: Iterable[Item], x: float, y: float, *, scale: float = 1.0, rotation: float = 0.0) -> list[Item]:
    """Return items scaled round the origin, turned clockwise by `rotation` degrees, then shifted by (x, y)."""
    cos, sin = math.cos(math.radians(rotation)) * scale, math.sin(math.radians(rotation)) * scale

    def at(point: Point) -> Point:
        return x + point[0] * cos - point[1] * sin, y + point[0] * sin + point[1] * cos

    return [_mapped(item, at, scale, rotation) for item in items]


def _mapped(item: Item, at: Callable[[Point], Point], scale: float, rotation: float) -> Item:
    if isinstance(item, Shape):
        return Shape(tuple(tuple(at(point) for point in loop) for loop in item.loops), item.fill)
    if isinstance(item, Line):
        return Line(tuple(at(point) for point in item.points), item.width * scale, item.colour)
    x, y = at((item.x, item.y))
    return replace(item, x=x, y=y, size=item.size * scale, rotation=item.rotation + rotation)
