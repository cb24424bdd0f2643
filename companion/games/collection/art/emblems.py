"""The signs of COLLECTION!, of radius about 1 round the origin: gems, arrows, dice, pawns, marks of danger.

Each kind of gem has its own cut: political is a round brilliant, military a shield, economic an emerald.
"""

from __future__ import annotations

from companion.games.collection.art.brush import AMBER, WHITE, Brush
from companion.press.drawing import Colour, Item, Shape, star
from companion.press.pictures import drawn

COLOURS = {"political": "blue", "military": "red", "economic": "green"}
"""The kinds of gems and reports, and their colours (2.3)."""


def sign(name: str, **tones: Colour) -> list[Item]:
    """Draw a sign by the name of its picture; "pawn" in a tint `main`, "reports" in `full` and `empty`."""
    return drawn("collection", f"signs/{name}", **tones)


def gem(kind: str) -> list[Item]:
    """Draw a gem or report of a kind; three small ones for one of any kind."""
    return sign(f"gem-{kind if kind in COLOURS else 'any'}")


def crisis(letter: str, scale: float = 1.0) -> list[Item]:
    """Draw the large red stone of a crisis, tall with six sides, and its scenario's letter."""
    b = Brush()
    b.items = sign("crisis")
    if letter:
        b.word(0, 0, letter, 1.35 * scale, WHITE)
    return b.items


def arrow(up: bool, colour: Colour) -> list[Item]:
    """Draw a stout arrow upwards or downwards."""
    s = -1 if up else 1
    points = ((-0.34, -s), (0.34, -s), (0.34, 0.0), (0.86, 0.0), (0, s), (-0.86, 0.0), (-0.34, 0.0))
    return [Shape((points,), colour)]


def burst() -> list[Item]:
    """Draw what stands behind the stone of a Crisis Expansion."""
    return [Shape((star(0, 0, 1.0, 0.66, 12),), AMBER)]
