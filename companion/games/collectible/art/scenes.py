"""Grounds of the pictures: sky and land, rooms, water, and what shines."""

from __future__ import annotations

from dataclasses import dataclass

from companion.eye.mat import Rect
from companion.games.collectible.art.kit import (
    FOREST,
    GILT,
    GOLD,
    INK,
    PAPER,
    RUST,
    UMBER,
    WHITE,
    blob,
    block,
    oval,
    poly,
    rule,
    smooth,
    star,
)
from companion.press.drawing import Colour, Drawing, Item, Line, Shape, cut


@dataclass(frozen=True)
class Ground:
    """Colours of a scene: sky or wall, what is far, what is near, and a light of its own."""

    sky: Colour
    far: Colour
    near: Colour
    light: Colour
    floor: Colour


DAY = (
    Ground("#f3c96b", "#d98f4a", "#7f9a4a", "#fbe6a8", "#5f7d38"),
    Ground("#a9d3d6", "#6fa79a", "#c9b25a", "#f6f0cf", "#a98f3e"),
    Ground("#f2a98c", "#c9706a", "#8fa860", "#fbdcb0", "#6d8a48"),
    Ground("#cfdcae", "#8fb08a", "#d9b36a", "#fbf4d0", "#b98f4a"),
    Ground("#e9d9b0", "#b7a06f", "#8a9f58", "#fffae6", "#6f8544"),
)
NIGHT = (
    Ground("#232a63", "#343d82", "#2b4d5c", "#4a559c", "#1d3a48"),
    Ground("#1f3354", "#2f4f74", "#3a4a72", "#466a90", "#28345a"),
    Ground("#33245c", "#4c3680", "#3c4f78", "#694fa0", "#2a3a60"),
)
DUSK = Ground("#6b3a78", "#a84a6c", "#4a3560", "#f08a4b", "#372a50")
ROOM = (
    Ground("#b9463f", "#a53a38", "#7a4a2b", "#d9775f", "#5f3820"),
    Ground("#3f7f78", "#36706a", "#a9713f", "#63a096", "#8a5a30"),
    Ground("#d9a54a", "#c9933c", "#74442a", "#ecc676", "#5a3420"),
    Ground("#6c7fae", "#5f719e", "#a3663c", "#93a5cc", "#84502d"),
    Ground("#b07a9a", "#a06a8a", "#6d4630", "#d0a4bc", "#563524"),
)
DIM = (
    Ground("#2c2348", "#362b58", "#4a3030", "#54407c", "#382426"),
    Ground("#1f3340", "#273f4e", "#4d3a2c", "#3a5a6c", "#3a2b22"),
)


class Stage:
    """Paints a ground inside the picture's edge; everything is cut to it."""

    def __init__(self, sheet: Drawing, edge: Rect, ground: Ground) -> None:
        """Start with a flat sky."""
        self.sheet, self.edge, self.ground = sheet, edge, ground
        self.put(block(ground.sky, edge.x, edge.y, edge.w, edge.h))

    @property
    def right(self) -> float:
        """The picture's right edge."""
        return self.edge.x + self.edge.w

    @property
    def bottom(self) -> float:
        """The picture's lower edge."""
        return self.edge.y + self.edge.h

    def put(self, *items: Item) -> None:
        """Paint items, cut to the picture."""
        e = self.edge
        self.sheet.add(cut(items, e.x, e.y, e.x + e.w, e.y + e.h))

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point at fractions of the picture's width and height."""
        return self.edge.x + x * self.edge.w, self.edge.y + y * self.edge.h

    def words(self, points: str) -> str:
        """Return points of the sheet for points in hundredths of the picture."""
        pairs = (word.split(",") for word in points.split())
        return " ".join("{:.2f},{:.2f}".format(*self.at(float(x) / 100, float(y) / 100)) for x, y in pairs)

    def shape(self, fill: Colour, points: str) -> None:
        """Draw a smooth shape given in hundredths of the picture."""
        self.put(blob(fill, self.words(points), 3))

    # ------------------------------------------------------------------------------------------------------- grounds

    def hills(self, kind: int) -> None:
        """Draw hills below the sky."""
        g = self.ground
        far = (
            "-10,110 -10,62 10,52 32,60 56,48 80,58 110,50 110,110",
            "-10,110 -10,54 16,60 40,50 66,60 86,50 110,58 110,110",
            "-10,110 -10,58 20,50 46,58 70,54 110,64 110,110",
        )[kind % 3]
        near = (
            "-10,120 -10,72 24,66 60,74 110,66 110,120",
            "-10,120 -10,66 30,73 70,66 110,74 110,120",
            "-10,120 -10,70 40,66 76,74 110,70 110,120",
        )[kind % 3]
        self.shape(g.far, far)
        self.shape(g.near, near)
        self.shape(g.floor, "-10,130 -10,88 30,92 60,87 110,92 110,130")

    def sun(self) -> None:
        """Draw a pale disc with rays in the sky."""
        x, y = self.at(0.84, 0.17)
        self.put(star(self.ground.light, x, y, 9, inner=0.72, tips=16), oval(PAPER, x, y, 5.4))

    def clouds(self, kind: int) -> None:
        """Draw flat clouds and three birds."""
        for x, y, r in ((0.78, 0.13, 5.4), (0.90, 0.16, 4.0), (0.66, 0.165, 3.6), (0.47, 0.30, 3.4), (0.56, 0.31, 2.6)):
            cx, cy = self.at(x - 0.05 * (kind % 2), y)
            self.put(oval(self.ground.light, cx, cy, r * 1.5, r * 0.8))
        for x, y in ((0.50, 0.12), (0.56, 0.07), (0.93, 0.33)):
            cx, cy = self.at(x, y)
            self.put(Line(((cx - 1.7, cy - 0.9), (cx, cy), (cx + 1.7, cy - 0.9)), 0.5, UMBER))

    def room(self, kind: int) -> None:
        """Draw a papered wall and a floor."""
        g, e = self.ground, self.edge
        if kind % 3 == 0:
            for i in range(7):
                self.put(block(g.far, e.x + 8.4 * i + 1.4, e.y, 4.2, e.h))
        elif kind % 3 == 1:
            for i in range(8):
                for j in range(5):
                    x, y = e.x + 8.2 * i + (4.1 if j % 2 else 0), e.y + 3 + 8 * j
                    self.put(poly(g.far, f"{x},{y - 3.4} {x + 2.8},{y} {x},{y + 3.4} {x - 2.8},{y}"))
        else:
            for i in range(8):
                for j in range(5):
                    self.put(
                        star(g.far, e.x + 8.2 * i + (4.1 if j % 2 else 0), e.y + 4 + 8 * j, 2.6, inner=0.4, tips=4)
                    )
        y = e.y + e.h * 0.74
        self.put(block(g.near, e.x, y, e.w, e.h), block(g.light, e.x, y - 1.4, e.w, 1.4))
        for i in range(-3, 9):
            x = e.x + e.w / 2 + (i - 2.5) * 10
            self.put(rule(g.floor, 0.6, f"{x},{y} {x + (i - 2.5) * 5},{self.bottom + 1}"))

    def window(self, dark: bool, *, moon: bool = False, x: float = 0.83, y: float = 0.25) -> None:
        """Draw a window onto the night or the day."""
        cx, cy = self.at(x, y)
        w, h = 13.0, 17.0
        sky = "#232a63" if dark else "#bfe0e6"
        self.put(
            block(UMBER, cx - w / 2 - 1.2, cy - h / 2 - 1.2, w + 2.4, h + 2.4), block(sky, cx - w / 2, cy - h / 2, w, h)
        )
        if moon:
            self.put(oval("#fbe08a", cx, cy - 2, 4.6), oval(sky, cx - 2.0, cy - 3.0, 3.9))

    def bars(self, *, x: float = 0.83, y: float = 0.25) -> None:
        """Draw the bars of the window over what is outside."""
        cx, cy = self.at(x, y)
        self.put(
            rule(UMBER, 0.8, f"{cx},{cy - 8.5} {cx},{cy + 8.5}"),
            rule(UMBER, 0.8, f"{cx - 6.3},{cy} {cx + 6.3},{cy}"),
        )

    def library(self, seed: int) -> None:
        """Draw a wall of books."""
        e = self.edge
        tones = ("#7d3a38", "#33594f", "#9c7638", "#3a4a68", "#5a3f5e", "#8a5636", "#b09a78", "#4d5c36")
        self.put(block("#4a2d22", e.x, e.y, e.w, e.h))
        for row in range(4):
            top = e.y + 1.0 + row * 10.2
            self.put(block("#2f1c18", e.x, top, e.w, 8.6), block("#8a5a38", e.x, top + 8.6, e.w, 1.6))
            x, i = e.x + 0.6, seed + 3 * row
            while x < self.right - 2:
                i += 1
                wide, high = 2.1 + 0.5 * (i * 7 % 4), 5.6 + 0.7 * (i * 5 % 5)
                tone = tones[(i * 3 + i // 5) % 8]
                if i % 9 == 8:
                    y = top + 8.6
                    self.put(poly(tone, f"{x},{y} {x + 3.4},{y - 7} {x + 5.4},{y - 6.2} {x + 2.2},{y}"))
                    x += 6
                    continue
                self.put(block(tone, x, top + 8.6 - high, wide, high))
                if i % 3 == 0:
                    self.put(block("#c9b48a", x + 0.3, top + 8.6 - high * 0.72, wide - 0.6, 0.9))
                x += wide + 0.35
        y = e.y + 42.2
        self.put(block("#6d4630", e.x, y, e.w, e.h), block("#563524", e.x, self.bottom - 3.4, e.w, 4))

    def garden(self) -> None:
        """Draw a trellis with arches in the background."""
        tone = self.ground.light
        for i in range(-2, 9):
            for sign in (-1, 1):
                x, y = self.at(0.13 * i, 0.30)
                self.put(rule(tone, 0.8, f"{x},{y} {x + sign * 20},{y + 20}"))
        x, y = self.at(0, 0.29)
        self.put(rule(tone, 1.6, f"{x},{y} {self.right},{y}"))

    # --------------------------------------------------------------------------------------------------------- water

    def waterfall(self) -> None:
        """Draw a wide waterfall between rocks."""
        rock, dark = "#5a5f78", "#42465c"
        self.shape(dark, "-10,120 -10,44 4,36 20,38 34,33 60,35 84,32 96,36 110,34 110,120")
        x0, y0 = self.at(0.27, 0.345)
        x1, y1 = self.at(0.95, 0.87)
        wide = (x1 - x0) / 9
        for i in range(9):
            tone = ("#4aa0cc", "#8fcbe2", "#2f80b4")[i % 3]
            x, top = x0 + (i + 0.5) * wide, y0 + (0.8 if i % 2 else 0)
            self.put(block(tone, x - wide / 2, top, wide + 0.1, y1 - top))
            self.put(oval("#d6eff6", x, top + 0.4, wide * 0.56, 1.3))
            self.put(Line(((x, top + 4 + i * 5 % 7), (x, top + 12 + i * 13 % 11)), 0.9, WHITE))
        self.shape(rock, "-10,112 -10,50 4,44 18,50 26,64 30,84 32,110")
        self.shape(rock, "112,112 112,46 99,42 93,56 95,72 90,90")
        self.shape("#2f80b4", "-8,112 -8,86 20,83 60,80 110,84 110,112")
        for i in range(8):
            x, y = self.at(0.26 + 0.1 * i, 0.845)
            self.put(oval(WHITE, x, y, 4.0, 2.4))
        self._waves(0.93, "#8fcbe2", 4)

    def lake(self, tone: Colour = "#3a86b4", light: Colour = "#8fc6dc") -> None:
        """Draw still water across the picture."""
        e = self.edge
        y = e.y + 0.60 * e.h
        self.put(block(tone, e.x, y, e.w, e.h))
        for i, part in enumerate((0.64, 0.70, 0.77, 0.85, 0.94)):
            self._waves(part, light if i % 2 else WHITE, i)

    def river(self, tone: Colour = "#3a86b4", light: Colour = "#a9d8e6") -> None:
        """Draw a river behind a bank with reeds."""
        self.shape(tone, "-8,58 12,62 34,56 58,61 82,55 110,60 110,86 84,89 56,84 28,90 -8,84")
        for i, part in enumerate((0.64, 0.69, 0.745, 0.80)):
            self._waves(part, light if i % 2 else WHITE, i + 1)
        for i, x in enumerate((0.03, 0.055, 0.09, 0.93, 0.96, 0.985)):
            (ax, ay), (bx, by) = self.at(x, 0.94), self.at(x - 0.01 + 0.008 * (i % 3), 0.66 + 0.03 * (i % 2))
            self.put(Line(((ax, ay), (bx, by)), 0.7, FOREST), Line(((bx, by), (bx, by + 3)), 1.5, UMBER))

    def rain(self, night: bool) -> None:
        """Draw clouds and slanting rain over everything behind."""
        e = self.edge
        for x, y, r in (
            (0.50, 0.06, 6),
            (0.62, 0.10, 7),
            (0.76, 0.06, 8),
            (0.90, 0.10, 6.4),
            (0.18, 0.04, 6),
            (0.32, 0.05, 6),
        ):
            cx, cy = self.at(x, y)
            self.put(oval(self.ground.light if night else "#dfe7ee", cx, cy, r, r * 0.72))
        for i in range(13):
            for j in range(5):
                x, y = e.x + 5 * i + (2.5 if j % 2 else 0), e.y + 11 + 8.6 * j + (i * 7 % 5)
                self.put(Line(((x, y), (x - 1.7, y + 5.0)), 0.85, "#eaf6fb"))

    def puddles(self) -> None:
        """Draw puddles on the ground."""
        for x, y, r in ((0.30, 0.93, 9), (0.72, 0.955, 11)):
            cx, cy = self.at(x, y)
            self.put(oval("#4a94c0", cx, cy, r, 1.9), oval("#b9e0ee", cx + 1, cy - 0.2, r * 0.55, 0.8))

    def flood(self) -> None:
        """Draw waves in front of everything."""
        e = self.edge
        for part, tone in ((0.80, "#2f78ac"), (0.88, "#4b9cc8"), (0.95, "#2a6a9c")):
            y = e.y + part * e.h
            points = [(e.x + 4.6 * i, y + (1.7 if i % 2 else -1.7)) for i in range(-1, 15)]
            crest = smooth(points, closed=False, steps=3)
            self.put(
                Line(crest, 1.6, WHITE),
                Shape(((*crest, (self.right + 9, self.bottom + 9), (e.x - 9, self.bottom + 9)),), tone),
            )

    def shore(self) -> None:
        """Draw waves in front of a boat."""
        self.shape("#2a6f9f", "-10,120 -10,95 10,93 30,96 50,93 70,96 90,93 110,95 110,120")
        self._waves(0.94, WHITE, 1)

    def _waves(self, part: float, tone: Colour, seed: int) -> None:
        for i in range(4):
            x, y = self.at((0.27 * i + 0.11 * seed) % 1.05 - 0.05, part)
            points = ((x, y), (x + 2, y - 0.9), (x + 4, y), (x + 6, y - 0.9), (x + 8, y))
            self.put(Line(smooth(points, closed=False, steps=3), 0.7, tone))

    # --------------------------------------------------------------------------------------------------------- lights

    def stars(self, seed: int, many: int, low: float = 0.5) -> None:
        """Draw small stars."""
        for i in range(many):
            x, y = self.at(((seed * 37 + i * 61) % 97) / 97, ((seed * 13 + i * 29) % 89) / 89 * low + 0.03)
            self.put(star("#fff1c0", x, y, 0.7 + 0.25 * (i % 3), inner=0.36, tips=4))

    def great_stars(self) -> None:
        """Draw large stars, for a picture that is about them."""
        for x, y, r in (
            (0.85, 0.17, 6.4),
            (0.61, 0.09, 3.8),
            (0.96, 0.40, 3.2),
            (0.46, 0.16, 3.0),
            (0.20, 0.30, 3.4),
            (0.06, 0.46, 2.2),
            (0.72, 0.33, 2.0),
        ):
            cx, cy = self.at(x, y)
            self.put(star(GILT, cx, cy + 0.4, r * 1.1), star(GOLD, cx, cy, r))

    def moon(self, look: str) -> None:
        """Draw the moon: a crescent, a full one, one that rises, or one with a face."""
        x, y = self.at(0.84, 0.18)
        if look == "rise":
            x, y = self.at(0.74, 0.42)
            self.put(
                oval(self.ground.light, x, y, 19), oval("#f7c65c", x, y, 15.6), oval("#fbdc8c", x - 1.6, y - 1.6, 12.6)
            )
        elif look in ("full", "face"):
            self.put(oval(self.ground.light, x, y, 9.6), oval("#fbe9b0", x, y, 7.4))
            if look == "full":
                self.put(
                    oval("#e3cd8a", x - 2.4, y - 1.6, 1.7),
                    oval("#e3cd8a", x + 2, y + 2.6, 2.2),
                    oval("#e3cd8a", x + 3, y - 3, 1.1),
                )
            else:
                for dx, dy, w in ((-2.6, -1.2, 1.5), (2.6, -1.2, 1.5), (0.0, 2.6, 2.2)):
                    arch = ((x + dx - w, y + dy), (x + dx, y + dy + 0.5 * w), (x + dx + w, y + dy))
                    self.put(Line(smooth(arch, closed=False), 0.7, UMBER))
        else:
            disc = "#8a4a80" if self.ground is DUSK else self.ground.light
            self.put(
                oval(disc, x, y, 9.4),
                oval("#fbe08a", x, y, 7.0),
                oval(disc, x - 3.0, y - 1.6, 5.8),
            )

    def dusk(self, low: float) -> None:
        """Draw a setting sun between bands of red cloud."""
        x, y = self.at(0.50, low)
        e = self.edge
        for part, tone in ((0.16, "#8a4076"), (0.28, "#b04e6c"), (0.39, "#d9684f")):
            self.put(block(tone, e.x, e.y + part * e.h, e.w, e.h))
        self.put(oval("#f7a44a", x, y, 13), oval("#fbd06a", x, y, 10))
        self.stars(11, 9, 0.2)

    def eyes(self) -> None:
        """Draw pairs of eyes in the dark."""
        for x, y, r in ((0.10, 0.60, 1.0), (0.62, 0.56, 0.8), (0.92, 0.62, 1.1), (0.34, 0.54, 0.7)):
            cx, cy = self.at(x, y)
            for side in (-1.5, 1.5):
                self.put(
                    oval("#f2e07a", cx + side * r, cy, r, r * 0.75), oval(INK, cx + side * r, cy, r * 0.35, r * 0.7)
                )

    def weave(self) -> None:
        """Draw the threads of a bare canvas."""
        for i in range(1, 12):
            for a, b in (
                (self.at(i / 12, 0.04), self.at(i / 12, 0.96)),
                (self.at(0.04, i / 12), self.at(0.96, i / 12)),
            ):
                self.put(Line((a, b), 0.3, self.ground.far))

    def glow(self, x: float, y: float) -> None:
        """Draw rings of light round a flame."""
        for r, tone in ((19, "#4b3a66"), (14.5, "#6b4a60"), (10.5, "#a0704c")):
            self.put(oval(tone, x, y, r))

    def falling(self) -> None:
        """Draw a falling star."""
        x, y = self.at(0.83, 0.25)
        for dx, tone in ((-3.0, "#f7a44a"), (0.0, "#fbe08a"), (2.6, "#f7c65c")):
            fx, fy = x + 0.9 * dx, y - dx
            far = f"{x - 17 + 2 * dx},{y - 16 - dx}"
            self.put(poly(tone, f"{far} {fx + 1.3},{fy - 1.6} {fx - 1.3},{fy + 1.6}"))
        self.put(star(RUST, x, y, 7.6, turn=-70), star(GOLD, x, y, 6.6, turn=-70), star("#fff3c0", x, y, 3.2, turn=-70))

    def comet(self) -> None:
        """Draw a comet with its tail across the sky."""
        x, y = self.at(0.86, 0.16)
        for spread, long, tone in ((8.5, 0.30, "#6f7cc4"), (5.4, 0.38, "#a9b4e6"), (2.6, 0.44, "#f2f0ff")):
            tx, ty = self.at(0.86 - long * 1.25, 0.16 + long * 0.66)
            a, b = 0.4 * spread, 0.5 * spread
            back = f"{x + 2.6},{y - 2.6} {x - a},{y - b} {tx - a},{ty - 1.2 * b}"
            self.put(blob(tone, f"{back} {tx - 2},{ty + spread} {x + a},{y + b}", 5))
        self.put(star(GOLD, x, y, 6.4, inner=0.62, tips=10), oval("#fff6d0", x, y, 3.4))
