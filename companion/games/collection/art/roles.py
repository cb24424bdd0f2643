"""Pictures of the seven roles: an analyst before what the role looks at."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.collection.art.brush import (
    AMBER,
    BLUE,
    BRICK,
    BROWN,
    GREEN,
    GREY,
    INK,
    NAVY,
    PAPER,
    RED,
    SAND,
    SKIN,
    STEEL,
    WHITE,
    Brush,
)
from companion.press.drawing import Item, Line, Shape, arc


def political(b: Brush) -> None:
    """A ballot that falls into its box, and a gavel."""
    b.paper(-1.6, -6.6, 4.2, 4.8, 8, 3)
    b.box(NAVY, -5.6, -5.6, 8.4, 5.6, 0.4)
    b.box(BLUE, -6.1, -6.2, 9.4, 1.4, 0.4)
    b.line(WHITE, 0.8, (-3.2, -2.6), (-1.9, -1.2), (0.6, -4.0))
    gavel = Brush()
    gavel.box(BROWN, -0.5, -1, 1, 6.4, 0.4)
    gavel.box("#a5723f", -2.8, -2.6, 5.6, 2.8, 0.5)
    gavel.box(AMBER, -3.2, -2.8, 0.8, 3.2, 0.3)
    gavel.box(AMBER, 2.4, -2.8, 0.8, 3.2, 0.3)
    b.put(gavel.items, 5.2, -6.2, 0.9, 38)


def military(b: Brush) -> None:
    """A medal on its ribbon, and chevrons."""
    b.poly(RED, (-5.2, -10.8), (-2.4, -10.8), (-1.4, -5), (-3, -5))
    b.poly(NAVY, (0.2, -10.8), (-2.4, -10.8), (-3.6, -5), (-2, -5))
    b.star("#b3801b", -2.5, -3.0, 3.2, 0.5, 5)
    b.star("#f4cf66", -2.5, -3.0, 2.4, 0.5, 5)
    b.poly("#3c4a2d", (2.2, -11), (8, -11), (8, -1.4), (5.1, 0), (2.2, -1.4))
    for i in range(3):
        b.line("#f4cf66", 0.9, (3.1, -3.4 - 2.1 * i), (5.1, -5.2 - 2.1 * i), (7.1, -3.4 - 2.1 * i))


def economic(b: Brush) -> None:
    """Coins in piles under a chart."""
    for i, h in enumerate((2, 3, 5)):
        for k in range(h):
            b.box("#8f6410", -6 + 4.1 * i, -1.1 * (k + 1), 3.6, 1.1, 0.4)
            b.box(AMBER, -5.8 + 4.1 * i, -1.1 * (k + 1), 3.2, 0.75, 0.3)
    b.line(GREEN, 0.9, (-5.6, -5.2), (-2.6, -7.0), (-0.2, -6.0), (4.6, -10.2))
    b.poly(GREEN, (3.2, -10.9), (6.4, -11.6), (5.4, -8.6))
    b.coin(7.6, -2.4, 2.0)


def collection(b: Brush) -> None:
    """A dish above a heap of folders."""
    dish = Brush()
    dish.items.append(Shape((arc(0, 0, 4.6, 0, 180, 3.4),), PAPER))
    dish.items.append(Shape((arc(0, 0, 4.6, 0, 180, 1.1),), GREY))
    dish.line(STEEL, 0.45, (-2.6, 0.4), (0, -3), (2.6, 0.4))
    dish.disc(RED, 0, -3.1, 0.7)
    b.poly(STEEL, (-4.8, 0), (-3, -4), (-1.6, -4), (0.2, 0))
    b.put(dish.items, -2.4, -6.4, 1.0, 34)
    for i, colour in enumerate((BLUE, RED, GREEN)):
        y = -1.9 * (i + 1)
        b.poly(colour, (2.0, y + 1.7), (2.0, y - 0.2), (3.8, y - 0.2), (4.4, y + 0.3), (9, y + 0.3), (9, y + 1.7))
        b.line(WHITE, 0.4, (2.8, y + 1.0), (8.2, y + 1.0))


def leadership(b: Brush) -> None:
    """A podium with microphones."""
    b.poly("#8d5a33", (-5.4, -5.6), (5.4, -5.6), (4.2, 0), (-4.2, 0))
    b.box("#5f3f27", -6.2, -6.4, 12.4, 1.4, 0.4)
    b.star("#f4cf66", 0, -2.6, 1.8)
    for x, lean in ((-2.6, -1.2), (0, 0), (2.6, 1.2)):
        b.line(INK, 0.4, (x, -6.4), (x + lean, -9.2))
        b.box(INK, x + lean - 0.75, -11.4, 1.5, 2.5, 0.7)
        b.line(GREY, 0.3, (x + lean - 0.6, -10.2), (x + lean + 0.6, -10.2))


def weapons(b: Brush) -> None:
    """An atom, and a missile through it."""
    for turn in (0, 60, 120):
        loop: list[Item] = [Line(arc(0, 0, 5.6, 0, 360, 2.1), 0.5, NAVY)]
        b.put(loop, -1.6, -5.8, 1.0, turn)
    b.disc(AMBER, -1.6, -5.8, 1.2)
    rocket = Brush()
    rocket.poly(RED, (-1.3, -3), (0, -6.2), (1.3, -3), r=0.4)
    rocket.box("#c3ced2", -1.3, -3.2, 2.6, 6)
    rocket.poly(
        BRICK, (-1.3, 0.6), (-2.8, 3.6), (-1.3, 2.8), (1.3, 2.8), (2.8, 3.6), (1.3, 0.6), (1.3, 2.8), (-1.3, 2.8)
    )
    rocket.disc(NAVY, 0, -1.4, 0.7)
    rocket.poly(AMBER, (-0.9, 2.9), (0, 5.4), (0.9, 2.9))
    b.put(rocket.items, 6.4, -5.6, 0.95, 14)


def targeting(b: Brush) -> None:
    """A map with cross-hairs."""
    b.poly(
        PAPER,
        (-6.6, -10.6),
        (-2.2, -11.4),
        (2.2, -10.6),
        (6.6, -11.4),
        (6.6, -1.0),
        (2.2, -0.2),
        (-2.2, -1.0),
        (-6.6, -0.2),
    )
    b.poly("#b9d3ac", (-6.6, -10.6), (-2.2, -11.4), (-1.0, -8), (-3.6, -5), (-2.2, -1), (-6.6, -0.2))
    b.poly("#a9cdd8", (2.2, -10.6), (6.6, -11.4), (6.6, -6.2), (3.4, -7.4))
    b.line(INK, 0.7, *arc(1.0, -5.6, 3.6, 0, 360))
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        b.line(INK, 0.7, (1 + dx * 1.6, -5.6 + dy * 1.6), (1 + dx * 5.2, -5.6 + dy * 5.2))
    b.disc(RED, 1.0, -5.6, 0.9)


def anyone(b: Brush) -> None:
    """Folders and a lamp, for a role without an emblem of its own."""
    collection(b)


EMBLEMS: dict[str, Callable[[Brush], None]] = {
    "political": political,
    "military": military,
    "economic": economic,
    "collection": collection,
    "leadership": leadership,
    "weapons": weapons,
    "targeting": targeting,
}
"""What stands beside the analyst, about 15 mm wide and 12 mm high on y = 0, by role."""

LOOKS = {
    "political": (NAVY, SKIN, "#4a3222", "glasses"),
    "military": ("#4a5a37", "#b9805a", INK, "cap"),
    "economic": (GREEN, SKIN, "#a4642a", "long"),
    "collection": ("#8a6516", "#8d5f42", INK, "phones"),
    "leadership": ("#5a3487", SKIN, "#c4c4c4", "bob"),
    "weapons": (WHITE, "#b9805a", "#2d2320", "goggles"),
    "targeting": (INK, SKIN, "#6b4a2a", "beard"),
}
"""Coat, skin, hair and mark of each analyst."""


def portrait(role: str) -> list[Item]:
    """Draw an analyst from the chest up, about 10 mm wide and 12.4 mm high on y = 0."""
    coat, skin, hair, mark = LOOKS.get(role, (STEEL, SKIN, BROWN, ""))
    b = Brush()
    if mark == "long":
        b.box(hair, -3.1, -11.6, 6.2, 8.4, 2.8)
    if mark == "bob":
        b.box(hair, -3.3, -11.5, 6.6, 6.0, 2.6)
        b.disc(AMBER, -2.9, -5.6, 0.4)
        b.disc(AMBER, 2.9, -5.6, 0.4)
    chest = (*arc(0, -2.6, 5.0, 180, 360, 2.2), (5.0, 0), (-5.0, 0))
    b.box(skin, -1.0, -6, 2, 2.6)
    b.items.append(Shape((chest,), coat))
    shirt = SAND if coat == WHITE else PAPER
    b.poly(shirt, (-1.6, -4.6), (1.6, -4.6), (0, -0.6))
    tie = {"political": BLUE, "leadership": AMBER, "targeting": RED, "military": INK}.get(role)
    if tie:
        b.poly(tie, (-0.6, -4.4), (0.6, -4.4), (0.5, -1.8), (0, -0.9), (-0.5, -1.8))
    b.poly(shirt, (-1.7, -5.0), (0, -4.2), (-0.9, -3.2))
    b.poly(shirt, (1.7, -5.0), (0, -4.2), (0.9, -3.2))
    b.disc(skin, 0, -8.0, 2.5, 2.9)
    crown = (*arc(0, -8.7, 2.75, 180, 360, 2.9), (2.3, -8.8), (0.8, -9.9), (-1.4, -9.6), (-2.3, -8.4))
    b.items.append(Shape((crown,), hair))
    if mark == "cap":
        b.poly("#2f4636", (-3.9, -12.1), (0, -12.8), (3.9, -12.1), (2.9, -9.9), (-2.9, -9.9), r=0.4)
        b.box(INK, -3.0, -10.2, 6, 0.9, 0.3)
        b.star(AMBER, 0, -11.2, 0.8)
        for side in (-1, 1):
            b.box(AMBER, side * 3.9 - 1.0, -4.5, 2.0, 0.8, 0.2)
    for side in (-1, 1):
        b.disc(INK, side * 0.95, -8.0, 0.28)
        if mark in ("glasses", "bob"):
            b.line(INK, 0.25, *arc(side * 1.0, -8.0, 0.85, 0, 360))
    if mark == "phones":
        b.line(INK, 0.7, *arc(0, -8.2, 2.9, 185, 355))
        for side in (-1, 1):
            b.box(INK, side * 2.7 - 0.6, -8.9, 1.2, 2.2, 0.5)
        b.line(INK, 0.3, (-2.7, -7), (-2.2, -6.0), (-0.9, -5.9))
    if mark == "goggles":
        b.disc(hair, 0, -11.6, 1.2, 0.9)
        b.line(AMBER, 0.5, *arc(0, -7.6, 2.75, 200, 340, 3.2))
        for side in (-1, 1):
            b.disc(AMBER, side * 1.05, -9.9, 0.95, 0.8)
            b.disc("#bfe0e6", side * 1.05, -9.9, 0.65, 0.52)
    if mark == "beard":
        b.poly(hair, (-2.5, -7.6), (-1.2, -6.9), (1.2, -6.9), (2.5, -7.6), (1.9, -5.6), (0, -4.9), (-1.9, -5.6), r=0.4)
    b.line("#9c5b45", 0.3, *arc(0, -7.0, 0.8, 25, 155))
    return b.items
