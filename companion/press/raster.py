"""Renders a drawing as an image: drawn large, band by band, and averaged down."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PIL import Image, ImageDraw

from companion.letters import font, laid
from companion.press.drawing import BOLD, Drawing, Item, Line, Point, Shape, Text, text_width

_BAND = 3_000_000
"""Pixels of the large picture drawn at a time, so that a whole mat does not need half a gigabyte."""


def render(drawing: Drawing, px_per_mm: float) -> Image.Image:
    """Paint a drawing as an RGB image of round(w · px_per_mm) × round(h · px_per_mm) pixels."""
    width, height = max(1, round(drawing.w * px_per_mm)), max(1, round(drawing.h * px_per_mm))
    # edges fall on a grid of 1/18 mm or finer, so that modules are true to 0.03 mm
    fold = min(8, max(2, math.ceil(18 / px_per_mm)))
    scale = px_per_mm * fold
    image = Image.new("RGB", (width, height))
    rows = max(8, _BAND // (width * fold * fold))
    strokes = [stroke for item in drawing.items for stroke in _strokes(item)]
    for top in range(0, height, rows):
        high = min(rows, height - top)
        band = Image.new("RGB", (width * fold, high * fold), "white")
        first, last = top / px_per_mm, (top + high) / px_per_mm
        _Pen(band, scale, top * fold).paint(line for line, low, end in strokes if low <= last and end >= first)
        image.paste(band.reduce(fold), (0, top))
    return image


def _strokes(item: Item) -> list[tuple[Item, float, float]]:
    """Return what an item consists of, each with its least and greatest y (mm)."""
    if isinstance(item, Shape):
        return [(Shape((loop,), item.fill), min(y for _, y in loop), max(y for _, y in loop)) for loop in item.loops]
    if isinstance(item, Line):
        ys = [y for _, y in item.points]
        return [(item, min(ys) - item.width, max(ys) + item.width)]
    reach = text_width(item.words, item.size, item.bold) + 2 * item.size
    return [(item, item.y - reach, item.y + reach)]


class _Pen:
    def __init__(self, band: Image.Image, scale: float, top: int) -> None:
        self.band, self.scale, self.top = band, scale, top
        self.draw = ImageDraw.Draw(band)

    def paint(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Shape):
                for loop in item.loops:
                    self.polygon(loop, item.fill)
            elif isinstance(item, Line):
                self.line(item)
            else:
                self.text(item)

    def at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale - self.top

    def polygon(self, loop: tuple[Point, ...], fill: str) -> None:
        points = [self.at(point) for point in loop]
        ys = [y for _, y in points]
        if len(points) == 4 and all(
            points[i][0] == points[i - 1][0] or points[i][1] == points[i - 1][1] for i in range(4)
        ):
            # Pillow paints the last row and column too: a rectangle must not, or modules would grow
            xs = [x for x, _ in points]
            left, right, upper, lower = round(min(xs)), round(max(xs)) - 1, round(min(ys)), round(max(ys)) - 1
            if right >= left and lower >= upper:
                self.draw.rectangle((left, upper, right, lower), fill=fill)
            return
        self.draw.polygon(points, fill=fill)

    def line(self, line: Line) -> None:
        width = max(1, round(line.width * self.scale))
        points = [self.at(point) for point in line.points]
        self.draw.line(points, fill=line.colour, width=width)
        if width > 2:
            r = (width - 1) / 2
            for x, y in (points[0], *_corners(points), points[-1]):
                self.draw.ellipse((x - r, y - r, x + r, y + r), fill=line.colour)

    def text(self, text: Text) -> None:
        size = text.size * self.scale
        x, y = self.at((text.x, text.y))
        words = laid(text.words)
        if size < 1 or not words:
            return
        long = text_width(text.words, size, text.bold) + size
        letters = font(round(size, 2), words)
        stroke = text.size * self.scale * BOLD / 2 if text.bold else 0
        anchor = {"l": "ls", "m": "ms", "r": "rs"}[text.align]
        if text.rotation % 360 == 0:
            self.draw.text((x, y), words, text.colour, letters, anchor, stroke_width=stroke)
            return
        half = math.ceil(long + size)
        quarter = _QUARTERS.get(round(text.rotation % 360, 6))
        mask = Image.new("L", (2 * half, 2 * half if quarter is None else 2 * math.ceil(1.2 * size)))
        middle = (mask.width // 2, mask.height // 2)
        ImageDraw.Draw(mask).text(middle, words, 255, letters, anchor, stroke_width=stroke)
        turn = mask.rotate(-text.rotation, Image.Resampling.BICUBIC) if quarter is None else mask.transpose(quarter)
        self.band.paste(text.colour, (round(x) - turn.width // 2, round(y) - turn.height // 2), turn)


def _corners(points: list[Point]) -> list[Point]:
    """Return where a stroke turns so much that it needs a round joint; Pillow's own are drawn slowly, one by one."""
    found = []
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        if abs(ux * vy - uy * vx) > _STRAIGHT * abs(ux * vx + uy * vy) or ux * vx + uy * vy < 0:
            found.append((bx, by))
    return found


_STRAIGHT = 0.12
"""The tangent of an angle so small that a stroke needs no joint there."""

_QUARTERS = {
    90.0: Image.Transpose.ROTATE_270,
    180.0: Image.Transpose.ROTATE_180,
    270.0: Image.Transpose.ROTATE_90,
}
