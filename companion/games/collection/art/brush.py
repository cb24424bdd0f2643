"""A brush for little pictures, and the parts that many of them share. Millimetres, the ground's middle at (0, 0).

A picture is WIDE × HIGH mm: x from -WIDE/2 to WIDE/2, y from -HIGH (sky) to 0 (the lower edge).
"""

from __future__ import annotations

import math

from companion.press.drawing import Colour, Item, Line, Loop, Point, Shape, Text, arc, box, clip, moved, rounded

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

    # -------------------------------------------------------------------------------------------------- grounds

    def day(self, sky: Colour = SKY, hill: Colour = SAGE, ground: Colour = GREEN) -> None:
        """Draw a sky, far hills and a ground that ends 2.6 mm up."""
        self.box(sky, -HALF, -HIGH, WIDE, HIGH)
        for x, y, w, h in ((-13, -2.5, 13, 4.2), (12, -2.5, 15, 5.2)):
            hump = clip(arc(x, y, w, 180, 360, h), -HALF, -HIGH, HALF, 0)
            self.items.append(Shape((hump,), hill))
        self.box(ground, -HALF, -2.6, WIDE, 2.6)

    def dusk(self) -> None:
        """Draw a red evening sky."""
        self.day(DUSK, "#cf8f6b", "#5a4a3c")

    def night(self, *, moon: float | None = 16.0) -> None:
        """Draw a night with stars, and a moon at that x."""
        self.day(NIGHT, "#2b4a5c", "#16272f")
        for x, y in ((-18, -11), (-11, -12), (-4, -10.8), (5, -12.1), (11.5, -10.4), (19.6, -8.2), (-15, -8.6)):
            self.disc(PAPER, x, y, 0.2)
        if moon is not None:
            self.disc("#f4e3b0", moon, -10, 1.9)
            self.disc(NIGHT, moon + 0.9, -10.5, 1.6)

    def sea(self, sky: Colour = SKY, water: Colour = SEA) -> None:
        """Draw a sky over water that begins 4.2 mm up, with three rows of waves."""
        self.box(sky, -HALF, -HIGH, WIDE, HIGH)
        self.box(water, -HALF, -4.2, WIDE, 4.2)
        crest = "#e8f1ef" if sky != NIGHT else "#6d93a5"
        for y, start in ((-3.2, -19.0), (-2.0, -16.5), (-0.8, -20.0)):
            x = start
            while x < HALF - 3:
                self.line(crest, 0.28, (x, y), (x + 1.0, y - 0.35), (x + 2.0, y))
                x += 6.2

    def room(self, wall: Colour = "#dfe7d6", desk: Colour = BROWN) -> None:
        """Draw a wall and a table that ends 2.6 mm up."""
        self.box(wall, -HALF, -HIGH, WIDE, HIGH)
        self.box(desk, -HALF, -2.6, WIDE, 2.6)
        self.box("#5f3f27" if desk == BROWN else INK, -HALF, -2.6, WIDE, 0.45)

    # -------------------------------------------------------------------------------------------------- parts

    def cloud(self, x: float, y: float, s: float = 1.0, colour: Colour = WHITE) -> None:
        """Draw a cloud of about 6 × 3 mm, its lower edge at y."""
        self.box(colour, x - 3 * s, y - 1.3 * s, 6 * s, 1.3 * s, 0.65 * s)
        self.disc(colour, x - 0.9 * s, y - 1.5 * s, 1.35 * s)
        self.disc(colour, x + 1.1 * s, y - 1.2 * s, 1.0 * s)

    def bust(self, x: float, y: float, s: float = 1.0, coat: Colour = DEEP, skin: Colour = SKIN, hat: str = "") -> None:
        """Draw head and shoulders, about 4.4 mm wide and 5.6 mm high, the chest's lower edge at y.

        Hats are "hat" (brimmed), "helmet", "cap" (of an officer) and "hair".
        """
        chest = (*arc(x, y - 1.6 * s, 2.2 * s, 180, 360, 1.3 * s), (x + 2.2 * s, y), (x - 2.2 * s, y))
        self.items.append(Shape((chest,), coat))
        self.disc(skin, x, y - 4.1 * s, 1.25 * s, 1.45 * s)
        crown = arc(x, y - 4.5 * s, 1.4 * s, 180, 360, 1.35 * s)
        if hat == "helmet":
            self.items.append(Shape(((*crown, (x + 1.75 * s, y - 4.1 * s), (x - 1.75 * s, y - 4.1 * s)),), "#4d5c3c"))
        elif hat == "hat":
            self.items.append(Shape((arc(x, y - 4.7 * s, 1.2 * s, 180, 360, 1.5 * s),), INK))
            self.box(INK, x - 2.1 * s, y - 5.0 * s, 4.2 * s, 0.55 * s, 0.2 * s)
        elif hat == "cap":
            top = ((x - 1.9, y - 5.9), (x + 1.9, y - 5.9), (x + 1.35, y - 4.8), (x - 1.35, y - 4.8))
            self.poly("#2f4636", *((x + (px - x) * s, y + (py - y) * s) for px, py in top), r=0.2 * s)
            self.box(INK, x - 1.4 * s, y - 4.9 * s, 2.8 * s, 0.5 * s, 0.2 * s)
            self.disc(AMBER, x, y - 5.4 * s, 0.32 * s)
        elif hat == "hair":
            self.items.append(Shape((crown,), "#4a3222"))

    def bubble(
        self, x: float, y: float, w: float, h: float, tail: Point, colour: Colour = WHITE, dots: int = 3
    ) -> None:
        """Draw a speech bubble round (x, y) with a tail to a point."""
        side = 1 if tail[0] > x else -1
        self.poly(colour, (x - 0.2 * side, y), (x + w * 0.3 * side, y + h * 0.2), tail)
        self.box(colour, x - w / 2, y - h / 2, w, h, h * 0.4)
        for i in range(dots):
            self.disc(INK, x + (i - (dots - 1) / 2) * 1.3, y, 0.36)

    def flame(self, x: float, y: float, s: float = 1.0) -> None:
        """Draw a fire about 2.6 mm wide and 4 mm high, its foot at y."""
        for colour, k in ((RED, 1.0), (AMBER, 0.66), ("#fbe9a8", 0.34)):
            f = s * k
            self.poly(
                colour,
                (x - 1.3 * f, y),
                (x - 1.5 * f, y - 1.5 * f),
                (x - 0.5 * f, y - 2.6 * f),
                (x - 0.1 * f, y - 4 * f),
                (x + 0.8 * f, y - 2.6 * f),
                (x + 1.0 * f, y - 3.0 * f),
                (x + 1.5 * f, y - 1.4 * f),
                (x + 1.2 * f, y),
                r=0.5 * f,
            )

    def house(self, x: float, y: float, w: float, h: float, wall: Colour, light: Colour, rows: int = 3) -> None:
        """Draw a block with two columns of windows, its lower left corner at (x, y)."""
        self.box(wall, x, y - h, w, h)
        for row in range(rows):
            for column in range(2):
                self.box(
                    light, x + w * (0.18 + 0.4 * column), y - h + h * (row + 0.3) / rows, w * 0.24, h * 0.36 / rows
                )

    def temple(self, x: float, y: float, s: float = 1.0, stone: Colour = PAPER, shade: Colour = GREY) -> None:
        """Draw a bank: steps, four pillars, a gable; 12 mm wide and 9 mm high, the steps' lower edge at y."""
        self.box(shade, x - 6 * s, y - 0.8 * s, 12 * s, 0.8 * s)
        self.box(stone, x - 5.4 * s, y - 1.5 * s, 10.8 * s, 0.7 * s)
        self.box(DEEP, x - 4.8 * s, y - 5.8 * s, 9.6 * s, 4.3 * s)
        for i in range(4):
            self.box(stone, x + (-4.7 + 2.73 * i) * s, y - 5.8 * s, 1.3 * s, 4.3 * s)
        self.box(shade, x - 5.4 * s, y - 6.5 * s, 10.8 * s, 0.8 * s)
        self.poly(stone, (x - 5.8 * s, y - 6.5 * s), (x, y - 9.2 * s), (x + 5.8 * s, y - 6.5 * s))

    def coin(self, x: float, y: float, r: float) -> None:
        """Draw a coin on its face."""
        self.disc("#8f6410", x, y, r)
        self.disc(AMBER, x, y, r * 0.86)
        self.box("#8f6410", x - r * 0.12, y - r * 0.5, r * 0.24, r)

    def paper(
        self, x: float, y: float, w: float, h: float, turn: float = 0.0, rows: int = 4, ink: Colour = GREY
    ) -> None:
        """Draw a written sheet round (x, y)."""
        sheet = Brush()
        sheet.box(STEEL, -w / 2 - 0.2, -h / 2 - 0.2, w + 0.4, h + 0.4)
        sheet.box(WHITE, -w / 2, -h / 2, w, h)
        for i in range(rows):
            long = w * (0.5 if i == rows - 1 else 0.76)
            at = -h / 2 + h * (i + 0.8) / (rows + 0.6)
            sheet.line(ink, min(0.42, h * 0.06), (-w * 0.38, at), (-w * 0.38 + long, at))
        self.put(sheet.items, x, y, 1.0, turn)

    def bag(self, x: float, y: float, w: float, h: float, cloth: Colour = SAND) -> None:
        """Draw a tied sack, its foot at y."""
        self.poly(
            cloth,
            (x - w * 0.5, y),
            (x - w * 0.56, y - h * 0.4),
            (x - w * 0.2, y - h * 0.78),
            (x - w * 0.34, y - h),
            (x + w * 0.34, y - h),
            (x + w * 0.2, y - h * 0.78),
            (x + w * 0.56, y - h * 0.4),
            (x + w * 0.5, y),
            r=w * 0.16,
        )
        self.line(BROWN, 0.4, (x - w * 0.22, y - h * 0.78), (x + w * 0.22, y - h * 0.78))

    def truck(self, x: float, y: float, s: float = 1.0, load: Colour = "#55653f", cab: Colour = "#3c4a2d") -> None:
        """Draw a lorry that drives to the right, 9 mm long, its wheels on y."""
        self.box(load, x - 4.5 * s, y - 4.4 * s, 5.6 * s, 3.5 * s, 0.5 * s)
        self.poly(
            cab,
            (x + 1.3 * s, y - 0.9 * s),
            (x + 1.3 * s, y - 3.6 * s),
            (x + 3.1 * s, y - 3.6 * s),
            (x + 3.8 * s, y - 2.2 * s),
            (x + 4.6 * s, y - 2.0 * s),
            (x + 4.6 * s, y - 0.9 * s),
            r=0.2 * s,
        )
        self.poly(
            SKY,
            (x + 1.9 * s, y - 3.2 * s),
            (x + 2.9 * s, y - 3.2 * s),
            (x + 3.3 * s, y - 2.2 * s),
            (x + 1.9 * s, y - 2.2 * s),
        )
        self.box(INK, x - 4.5 * s, y - 1.2 * s, 9.1 * s, 0.5 * s)
        for wheel in (-3.2, -0.7, 3.0):
            self.disc(INK, x + wheel * s, y - 0.8 * s, 0.95 * s)
            self.disc(GREY, x + wheel * s, y - 0.8 * s, 0.38 * s)

    def ship(self, x: float, y: float, s: float = 1.0, hull: Colour = BRICK, load: str = "boxes") -> None:
        """Draw a freighter that sails to the right, 13 mm long, its keel below y; load "boxes", "grain" or "guns"."""
        if load == "boxes":
            for i, colour in enumerate((AMBER, SEA, RED, GREEN, AMBER)):
                self.box(colour, x + (-2.6 + 1.5 * (i % 3)) * s, y - (3.3 + 1.2 * (i // 3)) * s, 1.35 * s, 1.1 * s)
        elif load == "grain":
            for i in range(3):
                heap = arc(x + (-1.9 + 2.1 * i) * s, y - 2.1 * s, 1.15 * s, 180, 360, 1.9 * s)
                self.items.append(Shape((heap,), AMBER))
        else:
            self.box(STEEL, x - 1.4 * s, y - 4.2 * s, 3.4 * s, 2 * s, 0.3 * s)
            self.line(INK, 0.5 * s, (x + 2.4 * s, y - 2.9 * s), (x + 4.8 * s, y - 3.7 * s))
            self.line(INK, 0.35 * s, (x, y - 4 * s), (x, y - 7 * s))
        self.box(PAPER, x - 5.2 * s, y - 5 * s, 2.2 * s, 3.2 * s)
        self.box(NAVY, x - 4.9 * s, y - 4.5 * s, 1.6 * s, 0.6 * s)
        self.box(hull, x - 4.6 * s, y - 6.4 * s, 1.0 * s, 1.5 * s)
        self.poly(hull, (x - 6.4 * s, y - 2.3 * s), (x + 6.8 * s, y - 2.3 * s), (x + 5.2 * s, y), (x - 5.6 * s, y))
        self.line(PAPER, 0.25 * s, (x - 6.0 * s, y - 1.7 * s), (x + 6.2 * s, y - 1.7 * s))

    def plane(self, x: float, y: float, s: float = 1.0, turn: float = 0.0, trim: Colour = RED) -> None:
        """Draw an airliner from its side, 13 mm long, its nose on the right."""
        fly = Brush()
        fly.poly(trim, (-5.6, -0.6), (-6.8, -3.6), (-5.4, -3.6), (-3.2, -0.6))
        fly.poly(STEEL, (-0.6, -0.2), (-2.2, -2.6), (-1.3, -2.6), (2.0, -0.2))
        fly.poly(WHITE, (-6.4, -1.0), (4.2, -1.3), (6.6, 0.1), (5.2, 1.0), (-2.0, 1.1), (-5.6, 0.4), r=0.6)
        fly.line(trim, 0.35, (-5.4, 0.15), (5.6, 0.35))
        for i in range(6):
            fly.disc(NAVY, -3.4 + 1.2 * i, -0.45, 0.26)
        fly.poly(STEEL, (-1.0, 0.4), (-3.6, 2.9), (-2.4, 2.9), (2.4, 0.5))
        self.put(fly.items, x, y, s, turn)

    def barrier(self, x: float, y: float, long: float, rise: float = 0.0) -> None:
        """Draw a striped pole on a post at (x, y), turned upwards by `rise` degrees."""
        pole = Brush()
        pole.box(WHITE, -1.2, -0.5, long + 1.2, 1.0, 0.2)
        for i in range(int(long // 2)):
            pole.poly(RED, (2 * i, -0.5), (2 * i + 0.9, -0.5), (2 * i + 1.3, 0.5), (2 * i + 0.4, 0.5))
        self.box(INK, x - 0.6, y - 4.4, 1.2, 4.4)
        self.put(pole.items, x, y - 3.9, 1.0, -rise)

    def star(self, colour: Colour, x: float, y: float, r: float, inner: float = 0.5, points: int = 5) -> None:
        """Draw a star, or a burst of many points."""
        self.items.append(Shape((star(x, y, r, r * inner, points),), colour))

    def flag(self, x: float, y: float, h: float, colour: Colour, bar: Colour = WHITE, side: int = 1) -> None:
        """Draw a flag of two colours on a pole of height h that stands on y."""
        self.line(INK, 0.4, (x, y), (x, y - h))
        a, b = (x, x + 4.2) if side > 0 else (x - 4.2, x)
        self.box(colour, a, y - h, b - a, 2.7)
        self.box(bar, a, y - h + 0.95, b - a, 0.8)

    def book(self, x: float, y: float, w: float, h: float) -> None:
        """Draw an open book round (x, y)."""
        for side in (-1, 1):
            self.poly(
                BRICK,
                (x, y + h * 0.62),
                (x + side * w * 0.54, y + h * 0.5),
                (x + side * w * 0.54, y - h * 0.5),
                (x, y - h * 0.36),
            )
            self.poly(
                WHITE,
                (x, y + h * 0.5),
                (x + side * w * 0.5, y + h * 0.36),
                (x + side * w * 0.5, y - h * 0.6),
                (x, y - h * 0.44),
            )
            for i in range(4):
                at = y - h * 0.3 + i * h * 0.19
                self.line(GREY, 0.35, (x + side * w * 0.08, at), (x + side * w * 0.42, at - h * 0.1))


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
