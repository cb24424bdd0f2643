"""A brush for what is composed: corners, tokens, signs. A card's picture is WIDE × HIGH mm, (0, 0) amid its foot."""

from __future__ import annotations

from companion.press.drawing import Colour, Item, Shape, Text, box, moved, oval

WIDE, HIGH = 43.84, 13.3
"""Sides (mm) of a picture."""
HALF = WIDE / 2

INK, DEEP, GREEN, SAGE, AMBER = "#16302a", "#1c4b3e", "#3f8064", "#a3c4a6", "#e9a62b"
PAPER, RED, WHITE = "#f8f5e9", "#cc382c", "#ffffff"


class Brush:
    """Collects what is drawn; methods are named after the shapes."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def box(self, colour: Colour, x: float, y: float, w: float, h: float, r: float = 0.0) -> None:
        self.items.append(Shape((box(x, y, w, h, r),), colour))

    def disc(self, colour: Colour, x: float, y: float, r: float, ry: float | None = None) -> None:
        self.items.append(Shape((oval(x, y, r, ry),), colour))

    def put(self, items: list[Item], x: float, y: float, scale: float = 1.0, rotation: float = 0.0) -> None:
        self.items += moved(items, x, y, scale=scale, rotation=rotation)

    def word(self, x: float, y: float, words: str, size: float, colour: Colour) -> None:
        """Write a letter or two, their middle at (x, y)."""
        self.items.append(Text(x, y + 0.355 * size, words, size, colour, bold=True))
