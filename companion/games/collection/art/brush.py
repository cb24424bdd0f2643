"""A brush for what is composed: corners, tokens, signs. A card's picture is WIDE × HIGH mm, (0, 0) amid its foot."""

from __future__ import annotations

import math

from companion.press.drawing import Colour, Item, Line, Loop, Point, Shape, Text, box, moved, rounded

WIDE, HIGH = 43.84, 13.3
"""Sides (mm) of a picture."""
HALF = WIDE / 2

INK, DEEP, GREEN, SAGE = "#16302a", "#1c4b3e", "#3f8064", "#a3c4a6"
PAPER, SAND, AMBER, BROWN = "#f8f5e9", "#e3cf9f", "#e9a62b", "#7a5233"
RED, BRICK, BLUE, NAVY = "#cc382c", "#8c2a22", "#2b6ca8", "#1b3550"
SKY, DUSK, NIGHT, SEA = "#c4dfe4", "#f0bf92", "#1e3549", "#3d7f95"
WHITE, GREY, STEEL, SKIN = "#ffffff", "#a9b4b0", "#566b6d", "#e3b08a"


class Brush:
    """Collects what is drawn; methods are named after the shapes."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def box(self, colour: Colour, x: float, y: float, w: float, h: float, r: float = 0.0) -> None:
        """Fill an upright rectangle."""
        self.items.append(Shape((soft(x, y, w, h, r),), colour))

    def disc(self, colour: Colour, x: float, y: float, r: float, ry: float | None = None) -> None:
        """Fill a circle or an upright ellipse."""
        self.items.append(Shape((dot(x, y, r, ry),), colour))

    def poly(self, colour: Colour, *points: Point, r: float = 0.0) -> None:
        """Fill a polygon, its corners rounded by r."""
        self.items.append(Shape((rounded(points, r) if r else points,), colour))

    def line(self, colour: Colour, width: float, *points: Point) -> None:
        """Draw a line through points."""
        self.items.append(Line(points, width, colour))

    def put(self, items: list[Item], x: float, y: float, scale: float = 1.0, rotation: float = 0.0) -> None:
        """Add something that is drawn round the origin."""
        self.items += moved(items, x, y, scale=scale, rotation=rotation)

    def word(self, x: float, y: float, words: str, size: float, colour: Colour) -> None:
        """Write a letter or two, their middle at (x, y)."""
        self.items.append(Text(x, y + 0.355 * size, words, size, colour, bold=True))


def dot(x: float, y: float, r: float, ry: float | None = None) -> Loop:
    """Return a circle or ellipse of as many points as its size needs."""
    steps = 16 if r < 0.6 else 28 if r < 2.5 else 44
    high = r if ry is None else ry
    turns = (2 * math.pi * i / steps for i in range(steps))
    return tuple((x + r * math.cos(turn), y + high * math.sin(turn)) for turn in turns)


def soft(x: float, y: float, w: float, h: float, r: float) -> Loop:
    """Return an upright rectangle whose corners are rounded by as many points as their size needs."""
    r = min(r, w / 2, h / 2)
    if r <= 0:
        return box(x, y, w, h)
    steps = 3 if r < 0.5 else 5 if r < 1.2 else 9
    corners = ((x + r, y + r, 180), (x + w - r, y + r, 270), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90))
    turns = [(cx, cy, math.radians(start + 90 * i / steps)) for cx, cy, start in corners for i in range(steps + 1)]
    return tuple((cx + r * math.cos(turn), cy + r * math.sin(turn)) for cx, cy, turn in turns)


def star(x: float, y: float, r: float, inner: float, points: int) -> Loop:
    """Return a star with one point upwards."""
    radii = [(r if i % 2 == 0 else inner, math.pi * i / points - math.pi / 2) for i in range(2 * points)]
    return tuple((x + far * math.cos(turn), y + far * math.sin(turn)) for far, turn in radii)
