"""Pictures as files: `card_codes/GAME/art/NAME.svg`, read into the items that everything printed is made of.

A picture uses a small part of SVG 1.1: `g`, `path`, `circle`, `ellipse`, `rect`, `text`, with `transform`, `fill`,
`stroke` and `stroke-width` (as attributes or in `style`). Ends and joints of strokes are round. A colour is written
"#rrggbb", or "var(--main, #rrggbb)": then whoever draws the picture may give it another (a tint). A circle of class
"mark NAME" is not drawn: it says where something goes. What an editor adds (metadata, guides) is passed over.

An owner's own file of the same name in the data folder lies over the program's. It is read within bounds, and one that
can't be used is told in a sentence, once; then the program's own picture serves.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.parsers import expat

from companion.files import everywhere
from companion.kept import kept
from companion.press.drawing import Colour, Item, Line, Loop, Point, Shape, Text, moved, ring, within

log = logging.getLogger(__name__)

FINE = 1 / 1000
"""How far a curve may be off, as a share of the picture's longer side: a hundredth of a millimetre on a card."""
SIGN = 1 / 350
"""The same for what is a few millimetres large."""
SHEET = 1 / 6000
"""The same for a picture as large as a box's cover."""
LARGEST, MOST_ELEMENTS, MOST_POINTS, DEEPEST = 400_000, 4_000, 60_000, 24
"""Bounds of a file: bytes, elements, points of all its curves, and how deep groups may nest."""

_NAMESPACE = "http://www.w3.org/2000/svg"
_PASSED_OVER = {"defs", "desc", "metadata", "title"}
_DRAWN = {"svg", "g", "path", "circle", "ellipse", "rect", "text"}
_LEAST = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COLOUR = re.compile(r"(?:var\(\s*--([\w-]+)\s*,\s*)?(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}|white|black|none)\)?")
_ALIGN = {"start": "l", "middle": "m", "end": "r"}

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of SVG: x' = a·x + c·y + e, y' = b·x + d·y + f."""
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class PictureError(ValueError):
    """A file that can't be used as a picture; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Mark:
    """Where something goes: a circle "mark NAME", its middle, radius and turn (degrees clockwise), and its order."""

    name: str
    x: float
    y: float
    r: float
    turn: float
    after: int


@dataclass(frozen=True)
class Picture:
    """What a file shows, in its own units; `box` is its left, top, width and height."""

    items: tuple[Item, ...]
    box: tuple[float, float, float, float]
    marks: tuple[Mark, ...] = ()
    tinted: tuple[tuple[int, str], ...] = ()
    """Items (by number) that take a named tint."""

    def tint(self, tones: Mapping[str, Colour]) -> tuple[Item, ...]:
        """Return the items with other colours where the file names a tint."""
        items = list(self.items)
        for number, name in self.tinted:
            if name in tones:
                items[number] = _coloured(items[number], tones[name])
        return tuple(items)


def _coloured(item: Item, colour: Colour) -> Item:
    if isinstance(item, Shape):
        return Shape(item.loops, colour)
    if isinstance(item, Line):
        return Line(item.points, item.width, colour)
    return Text(item.x, item.y, item.words, item.size, colour, item.align, item.bold, item.rotation)


_told: set[tuple[Path, str]] = set()
"""What was said of owners' pictures: how finely they are read makes no difference to that."""


@kept(96)  # a megabyte for twelve of them
def picture(game: str, name: str, fine: float = FINE) -> Picture:
    """Return a picture of a game, or of "standard" (the playing cards), by its name; `fine` as for `FINE`.

    Raises:
        FileNotFoundError: if the program has none of that name.
        PictureError: if the program's own can't be used.
    """
    found = everywhere(f"card_codes/{game}/art", f"{name}.svg")
    for n, path in enumerate(found):
        try:
            if path.stat().st_size > LARGEST:
                raise PictureError(f"it has more than {LARGEST // 1000} kB")
            return read(path.read_bytes(), fine)
        except (PictureError, OSError) as error:
            why = (error.strerror or "it can't be read") if isinstance(error, OSError) else str(error)
            if n == len(found) - 1:
                raise PictureError(f"the picture {path} can't be used: {why}") from None
            if (path, why) not in _told:
                log.warning("The picture %s is not used: %s. The program's own is shown.", path, why)
                _told.add((path, why))
    raise FileNotFoundError(f"there is no picture {name} in card_codes/{game}/art")


@cache
def pictures(game: str, folder: str = "") -> tuple[str, ...]:
    """List the names of a game's pictures, of one folder of them if it is named."""
    inside = f"/{folder}" if folder else ""
    names = {path.stem for path in everywhere(f"card_codes/{game}/art{inside}", "*.svg")}
    return tuple(f"{folder}/{name}" if folder else name for name in sorted(names))


def drawn(game: str, name: str, fine: float = FINE, /, **tones: Colour) -> list[Item]:
    """Return the items of a picture, in tints by their names in the file."""
    return list(picture(game, name, fine).tint(tones))


def filled(found: Picture, tones: Mapping[str, Colour], put: Callable[[Mark], Iterable[Item]]) -> list[Item]:
    """Return the items of a picture with what `put` draws, of radius 1 round the origin, in the place of each mark."""
    items = found.tint(tones)
    parts: list[Item] = []
    done = 0
    for mark in found.marks:
        parts += items[done : mark.after]
        parts += moved(put(mark), mark.x, mark.y, scale=mark.r, rotation=mark.turn)
        done = mark.after
    return [*parts, *items[done:]]


def read(data: bytes, fine: float = FINE) -> Picture:
    """Read an SVG file; raise PictureError if it is none, uses more than is drawn, or exceeds the bounds above."""
    reader = _Reader(fine)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.words
    parser.StartDoctypeDeclHandler = reader.doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise PictureError(f"it is no SVG file ({error})") from None
    if reader.box is None:
        raise PictureError("it is no SVG file: its outermost element has to be svg, with a viewBox")
    return Picture(tuple(reader.items), reader.box, tuple(reader.marks), tuple(reader.tinted))


@dataclass
class _Layer:
    """What an element hands on to those within it."""

    matrix: Matrix = _SAME
    how: dict[str, str] = field(default_factory=lambda: {"fill": "#000000", "stroke": "none", "stroke-width": "1"})


class _Reader:
    def __init__(self, fine: float) -> None:
        self.fine = fine
        self.items: list[Item] = []
        self.marks: list[Mark] = []
        self.tinted: list[tuple[int, str]] = []
        self.box: tuple[float, float, float, float] | None = None
        self.layers = [_Layer()]
        self.passing = self.elements = self.points = 0
        self.text: tuple[dict[str, str], _Layer, list[str]] | None = None

    def doctype(self, *_: object) -> None:
        raise PictureError("it has a DOCTYPE: save it as plain SVG")

    def start(self, tag: str, given: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        if self.passing or name in _PASSED_OVER or (namespace and namespace != _NAMESPACE):
            self.passing += 1
            return
        given |= dict(_pairs(given.pop("style", "")))
        if given.get("display") == "none":
            self.passing += 1
            return
        self.check(name, given)
        above = self.layers[-1]
        matrix = _times(above.matrix, _matrix(given.get("transform", "")))
        here = _Layer(matrix, {**above.how, **{key: value for key, value in given.items() if key in _HANDED_ON}})
        self.layers.append(here)
        if name == "svg":
            box = [float(word) for word in _LEAST.findall(given.get("viewBox", ""))]
            if len(box) != 4 or min(box[2:]) <= 0 or self.box is not None:
                raise PictureError("its svg element needs a viewBox of four numbers, the last two above 0")
            self.box = (box[0], box[1], box[2], box[3])
        elif self.box is None:
            raise PictureError("it is no SVG file: its outermost element has to be svg, with a viewBox")
        elif name == "text":
            self.text = (given, here, [])
        elif name != "g":
            self.shape(name, given, here)

    def check(self, name: str, given: Mapping[str, str]) -> None:
        """Refuse what is not drawn, what comes from elsewhere, and what is too much."""
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            raise PictureError(f"it has more than {MOST_ELEMENTS} parts")
        if name not in _DRAWN:
            raise PictureError(f"it has <{name}>, which is not drawn: use paths, circles, ellipses, rectangles, text")
        for key in given:
            bare = key.rpartition(" ")[2]
            if bare == "href" or bare.startswith("on"):
                raise PictureError(f"it has {bare}: a picture has no scripts, and nothing from elsewhere")
        if any(given.get(key, "1") not in ("1", "1.0", "100%") for key in _SOLID):
            raise PictureError("it is see-through in parts: paint with full colours")
        if len(self.layers) > DEEPEST:
            raise PictureError(f"its groups nest deeper than {DEEPEST}")

    def words(self, words: str) -> None:
        if self.text is not None and not self.passing:
            self.text[2].append(words)

    def end(self, tag: str) -> None:
        if self.passing:
            self.passing -= 1
            return
        self.layers.pop()
        if tag.endswith(" text") and self.text is not None:
            given, here, parts = self.text
            self.text = None
            m = here.matrix
            x, y = _at(m, (_number(given, "x"), _number(given, "y")))
            bold = here.how.get("font-weight", "") in ("bold", "700")
            align = _ALIGN.get(here.how.get("text-anchor", "start"), "l")
            size = float((_LEAST.findall(here.how.get("font-size", "")) or ["1"])[0]) * _scale(m)
            turn = math.degrees(math.atan2(m[1], m[0]))
            words = " ".join("".join(parts).split())
            self.put(here.how["fill"], lambda colour: Text(x, y, words, size, colour, align, bold, turn))

    def shape(self, name: str, given: dict[str, str], here: _Layer) -> None:
        box = self.box or (0.0, 0.0, 1.0, 1.0)
        off = max(box[2], box[3]) * self.fine / max(1e-9, _scale(here.matrix))
        kind, _, called = given.get("class", "").partition(" ")
        if kind == "mark":
            x, y = _at(here.matrix, (_number(given, "cx"), _number(given, "cy")))
            turn = math.degrees(math.atan2(here.matrix[1], here.matrix[0]))
            r = _number(given, "r") * _scale(here.matrix)
            self.marks.append(Mark(called, x, y, r, turn, len(self.items)))
            return
        lines: list[tuple[Loop, bool]]
        if name == "path":
            lines = outlines(given.get("d", ""), off, MOST_POINTS - self.points)
        elif name == "rect":
            x, y, w, h = (_number(given, key) for key in ("x", "y", "width", "height"))
            r = min(_number(given, "rx") or _number(given, "ry"), w / 2, h / 2)
            lines = [(_rectangle(x, y, w, h, r, off), True)]
        else:
            rx, ry = (_number(given, "r"),) * 2 if name == "circle" else (_number(given, "rx"), _number(given, "ry"))
            lines = [(_round(_number(given, "cx"), _number(given, "cy"), rx, ry, off), True)]
        lines = [(tuple(_at(here.matrix, point) for point in loop), closed) for loop, closed in lines if loop]
        self.points += sum(len(loop) for loop, _ in lines)
        if self.points > MOST_POINTS:
            raise PictureError(f"its curves have more than {MOST_POINTS} points")
        loops = tuple(loop for loop, _ in lines if len(loop) > 2)
        if loops:
            solid = _solid(loops, here.how.get("fill-rule") == "evenodd")
            self.put(here.how["fill"], lambda colour: Shape(solid, colour))
        width = float((_LEAST.findall(here.how["stroke-width"]) or ["1"])[0]) * _scale(here.matrix)
        for loop, closed in lines:
            points = (*loop, loop[0]) if closed else loop
            self.put(here.how["stroke"], lambda colour, points=points: Line(points, width, colour))

    def put(self, paint: str, made: object) -> None:
        """Add what `made` makes of a colour, unless the paint is none."""
        found = _COLOUR.fullmatch(paint.strip())
        if found is None:
            raise PictureError(f"it is painted with {paint[:40]!r}: fill each shape with one colour, as #d23c3c")
        tint, colour = found.groups()
        if colour == "none":
            return
        colour = {"white": "#ffffff", "black": "#000000"}.get(colour, colour.lower())
        if len(colour) == 4:
            colour = "#" + "".join(2 * letter for letter in colour[1:])
        if tint:
            self.tinted.append((len(self.items), tint))
        self.items.append(made(colour))  # type: ignore[operator]


_SOLID = ("opacity", "fill-opacity", "stroke-opacity")
_HANDED_ON = {"fill", "stroke", "stroke-width", "fill-rule", "font-size", "font-weight", "text-anchor"}


def _pairs(style: str) -> Iterator[tuple[str, str]]:
    for part in style.split(";"):
        key, colon, value = part.partition(":")
        if colon:
            yield key.strip(), value.strip()


def _number(given: Mapping[str, str], key: str) -> float:
    words = given.get(key, "0").removesuffix("px")
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise PictureError(f"{key} is {words[:20]!r}, and has to be a number")
    return value


def _matrix(words: str) -> Matrix:
    matrix = _SAME
    for name, inside in re.findall(r"(\w+)\s*\(([^)]*)\)", words):
        v = [float(number) for number in _LEAST.findall(inside)]
        if name == "matrix" and len(v) == 6:
            step: Matrix = (v[0], v[1], v[2], v[3], v[4], v[5])
        elif name == "translate" and len(v) in (1, 2):
            step = (1.0, 0.0, 0.0, 1.0, v[0], v[1] if len(v) == 2 else 0.0)
        elif name == "scale" and len(v) in (1, 2):
            step = (v[0], 0.0, 0.0, v[-1], 0.0, 0.0)
        elif name == "rotate" and len(v) in (1, 3):
            c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            x, y = v[1:] if len(v) == 3 else (0.0, 0.0)
            step = (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)
        else:
            raise PictureError(f"the transform {name}({inside[:30]}) is unknown: use translate, scale, rotate, matrix")
        matrix = _times(matrix, step)
    return matrix


def _times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def _at(m: Matrix, point: Point) -> Point:
    return m[0] * point[0] + m[2] * point[1] + m[4], m[1] * point[0] + m[3] * point[1] + m[5]


def _scale(m: Matrix) -> float:
    return math.sqrt(abs(m[0] * m[3] - m[1] * m[2]))


def _round(x: float, y: float, rx: float, ry: float, off: float) -> Loop:
    r = max(rx, ry)
    if min(rx, ry) <= 0:
        raise PictureError("a circle or an ellipse has a radius of 0 or less")
    steps = min(720, max(8, math.ceil(math.pi / math.acos(max(0.0, 1 - off / r)))))
    turns = (2 * math.pi * n / steps for n in range(steps))
    return tuple((x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns)


def _rectangle(x: float, y: float, w: float, h: float, r: float, off: float) -> Loop:
    if r <= 0:
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    steps = max(2, math.ceil(math.pi / 4 / math.acos(max(0.0, 1 - off / r))))
    corners = ((x + r, y + r, 180), (x + w - r, y + r, 270), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90))
    turns = [(cx, cy, math.radians(start + 90 * n / steps)) for cx, cy, start in corners for n in range(steps + 1)]
    return tuple((cx + r * math.cos(turn), cy + r * math.sin(turn)) for cx, cy, turn in turns)


def outlines(words: str, off: float, room: int = MOST_POINTS) -> list[tuple[Loop, bool]]:
    """Return the lines of a path, each with whether it is closed; curves as points, true to within `off`."""
    from fontTools.svgLib.path import parse_path  # type: ignore[import-untyped]

    pen = _Pen(off, room)
    try:
        parse_path(words, pen)
    except (ValueError, IndexError, TypeError, AssertionError, OverflowError) as error:
        if isinstance(error, PictureError):
            raise
        raise PictureError(f"the path {words[:40]!r} can't be read") from None
    pen.endPath()
    return pen.lines


class _Pen:
    """Takes a path as fontTools tells it (its pen protocol), and keeps points."""

    def __init__(self, off: float, room: int) -> None:
        self.off, self.room = off, room
        self.lines: list[tuple[Loop, bool]] = []
        self.points: list[Point] = []

    def moveTo(self, point: Point) -> None:  # noqa: N802
        self.endPath()
        self.points = [point]

    def lineTo(self, point: Point) -> None:  # noqa: N802
        self.points.append(point)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        a, (b, c, d) = self.points[-1], points
        bend = max(
            math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]),
            math.hypot(b[0] - 2 * c[0] + d[0], b[1] - 2 * c[1] + d[1]),
        )
        # a chord of a cubic curve is off by an eighth of its second derivative at most
        steps = max(1, math.ceil(math.sqrt(0.75 * bend / self.off)))
        if len(self.points) + steps > self.room:
            raise PictureError(f"its curves have more than {MOST_POINTS} points")
        for n in range(1, steps + 1):
            t = n / steps
            s = 1 - t
            k = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            self.points.append(
                (
                    k[0] * a[0] + k[1] * b[0] + k[2] * c[0] + k[3] * d[0],
                    k[0] * a[1] + k[1] * b[1] + k[2] * c[1] + k[3] * d[1],
                )
            )

    def qCurveTo(self, *points: Point) -> None:  # noqa: N802
        a, (b, c) = self.points[-1], points
        third = [(p[0] + 2 * (b[0] - p[0]) / 3, p[1] + 2 * (b[1] - p[1]) / 3) for p in (a, c)]
        self.curveTo(*third, c)

    def closePath(self) -> None:  # noqa: N802
        if len(self.points) > 1 and math.dist(self.points[0], self.points[-1]) < 1e-9:
            self.points.pop()
        self.lines.append((tuple(self.points), True))
        self.points = []

    def endPath(self) -> None:  # noqa: N802
        if len(self.points) > 1:
            self.lines.append((tuple(self.points), False))
        self.points = []


def _solid(loops: tuple[Loop, ...], even: bool) -> tuple[Loop, ...]:
    """Return polygons in which a hole is a seam: a line within another, and turned the other way or `even`, is one."""
    solid: list[Loop] = []
    for loop in sorted(loops, key=lambda loop: -abs(_area(loop))):
        for n, outer in enumerate(solid):
            if within(loop[0], outer) and (even or _area(loop) * _area(outer) < 0):
                inner = loop if _area(loop) * _area(outer) > 0 else tuple(reversed(loop))
                solid[n] = ring(outer, inner)
                break
        else:
            solid.append(loop)
    return tuple(solid) if len(solid) < len(loops) else loops


def _area(loop: Loop) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)) / 2
