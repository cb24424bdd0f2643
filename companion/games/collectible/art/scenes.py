"""Grounds of the pictures: sky and land, rooms, water, and what shines, most of them pictures in `scenes`."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from companion.eye.mat import Rect
from companion.games.collectible.art.kit import GROUND
from companion.press.drawing import Colour, Drawing, Item, Shape, box, cut, moved, star
from companion.press.pictures import drawn

WIDE = 53.4
"""Width (mm) that the scenes are drawn for."""


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
_PAPERS = (("stripe", 8.4, 7, 1), ("lozenge", 8.2, 8, 5), ("star", 8.2, 8, 5))
"""What walls are papered with: the picture, its distance (mm), and how often it stands across and down."""
_SPINES = ("#7d3a38", "#33594f", "#9c7638", "#3a4a68", "#5a3f5e", "#8a5636", "#b09a78", "#4d5c36")


class Stage:
    """Paints a ground inside the picture's edge; everything is cut to it."""

    def __init__(self, sheet: Drawing, edge: Rect, ground: Ground) -> None:
        self.sheet, self.edge, self.ground = sheet, edge, ground
        self.block(ground.sky, 0, 0, edge.w, edge.h)

    def put(self, *items: Item) -> None:
        e = self.edge
        self.sheet.add(cut(items, e.x, e.y, e.x + e.w, e.y + e.h))

    def block(self, fill: Colour, x: float, y: float, w: float, h: float) -> None:
        self.put(Shape((box(self.edge.x + x, self.edge.y + y, w, h),), fill))

    def show(self, name: str, x: float = 0.0, y: float = 0.0, **tones: Colour) -> None:
        """Paint a picture of the scenes, shifted by mm, in the ground's colours and others of its own."""
        items = drawn("collectible", f"scenes/{name}", GROUND, **{**asdict(self.ground), **tones})
        self.put(*moved(items, self.edge.x + x, self.edge.y + y, scale=self.edge.w / WIDE))

    def room(self, kind: int) -> None:
        name, step, across, down = _PAPERS[kind % 3]
        for i in range(across):
            for j in range(down):
                self.show(f"paper-{name}", step * (i + j % 2 / 2), 8 * j)
        self.show("floor")

    def library(self, seed: int) -> None:
        e = self.edge
        self.block("#4a2d22", 0, 0, e.w, e.h)
        for row in range(4):
            top = 1.0 + row * 10.2
            self.block("#2f1c18", 0, top, e.w, 8.6)
            self.block("#8a5a38", 0, top + 8.6, e.w, 1.6)
            x, i = 0.6, seed + 3 * row
            while x < e.w - 2:
                i += 1
                wide, high = 2.1 + 0.5 * (i * 7 % 4), 5.6 + 0.7 * (i * 5 % 5)
                tone = _SPINES[(i * 3 + i // 5) % 8]
                if i % 9 == 8:
                    self.show("leaning-book", x, top + 8.6, book=tone)
                    x += 6
                    continue
                self.block(tone, x, top + 8.6 - high, wide, high)
                if i % 3 == 0:
                    self.block("#c9b48a", x + 0.3, top + 8.6 - high * 0.72, wide - 0.6, 0.9)
                x += wide + 0.35
        self.block("#6d4630", 0, 42.2, e.w, e.h)
        self.block("#563524", 0, e.h - 3.4, e.w, 4)

    def stars(self, seed: int, many: int, low: float = 0.5) -> None:
        e = self.edge
        for i in range(many):
            x, y = ((seed * 37 + i * 61) % 97) / 97, ((seed * 13 + i * 29) % 89) / 89 * low + 0.03
            loop = star(e.x + x * e.w, e.y + y * e.h, 0.7 + 0.25 * (i % 3), 0.36, 4)
            self.put(Shape((loop,), "#fff1c0"))
