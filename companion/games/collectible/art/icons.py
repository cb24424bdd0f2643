"""The sign of every theme, of radius about 1 round the origin, and its colour."""

from __future__ import annotations

from functools import cache

from companion.games.collectible.art.kit import (
    BONE,
    GOLD,
    INK,
    WHITE,
    blob,
    block,
    curve,
    flat,
    oval,
    poly,
    rule,
    soft,
    star,
)
from companion.press.drawing import Colour, Item, Shape, circle, moved

COLOURS: dict[str, Colour] = {
    "Animal": "#a9542a",
    "Hat": "#b3324b",
    "Flower": "#c9497f",
    "Water": "#2371ab",
    "Music": "#b96a10",
    "Food": "#93712a",
    "Night": "#2c2f6e",
    "Book": "#1f6d5f",
    "Monster": "#557d20",
    "Machine": "#53616c",
    "Star": "#3b3f99",
    "Skeleton": "#1f1b26",
}
"""Signature colours: a medal is this colour, and its sign pale or golden on it."""

OTHER = "#6f6580"


def _paw() -> list[Item]:
    pads = ((-6, -1.6, -20), (-2.4, -5.6, -8), (2.4, -5.6, 8), (6, -1.6, 20))
    return [
        blob(BONE, "0,-0.6 -4.4,3 -4,6.4 0,5.8 4,6.4 4.4,3"),
        *(oval(BONE, x, y, 1.8, 2.5, turn) for x, y, turn in pads),
    ]


def _hat() -> list[Item]:
    return [
        poly(BONE, "-4,4 -4.8,-7 4.8,-7 4,4"),
        block(GOLD, -4.1, 0.4, 8.2, 2.2),
        oval(BONE, 0, 4.6, 8.2, 1.8),
    ]


def _flower() -> list[Item]:
    turns = ((0, -4.6), (4.4, -1.4), (2.7, 3.8), (-2.7, 3.8), (-4.4, -1.4))
    return [*(oval(BONE, x, y, 3.1) for x, y in turns), oval(GOLD, 0, 0, 2.5)]


def _drop() -> list[Item]:
    return [
        blob(BONE, "0,-8 -2.4,-3.4 -5,1.4 -4.4,5.4 0,7.4 4.4,5.4 5,1.4 2.4,-3.4"),
        curve("#2371ab", 1.3, "-2.6,2 -2.2,4.4 0,5.2"),
    ]


def _note() -> list[Item]:
    return [
        rule(BONE, 1.6, "-2.6,5 -2.6,-5.6 5,-7 5,3.6"),
        rule(BONE, 2.6, "-2.6,-4.8 5,-6.2"),
        oval(BONE, -4.6, 5, 2.8, 2.1, -20),
        oval(BONE, 3, 3.6, 2.8, 2.1, -20),
    ]


def _food() -> list[Item]:
    return [
        blob(BONE, "-7.4,3 -6.6,-2 -3.6,-5 0,-5.8 3.6,-5 6.6,-2 7.4,3"),
        oval(BONE, 0, -6.6, 1.5),
        block(GOLD, -8.4, 3.8, 16.8, 1.9),
    ]


def _moon() -> list[Item]:
    return [
        blob(GOLD, "2,-7.4 -3.4,-6 -6.4,-1 -5.4,4.6 -1,7.4 4.6,6.4 7,3.6 2.4,4 -1.2,1.6 -2,-2 -0.6,-5.4"),
        star(BONE, 4.4, -3, 2.4),
    ]


def _book() -> list[Item]:
    return [
        blob(BONE, "-0.5,6 -4,4.4 -8,5 -8,-5 -4,-5.6 -0.5,-4"),
        blob(BONE, "0.5,6 4,4.4 8,5 8,-5 4,-5.6 0.5,-4"),
        *(rule("#1f6d5f", 0.9, f"{x},{y} {x + 3.6},{y}") for x in (-6.4, 2.8) for y in (-2.4, 0.4)),
    ]


def _monster() -> list[Item]:
    return [
        poly(BONE, "-5,-2.6 -8,-8 -1.6,-5"),
        poly(BONE, "5,-2.6 8,-8 1.6,-5"),
        blob(BONE, "-5.8,-1 -3.6,-4.8 3.6,-4.8 5.8,-1 5,4.6 0,7 -5,4.6"),
        oval("#557d20", 0, -0.8, 2.8),
        oval(INK, 0, -0.8, 1.4),
        poly("#557d20", "-3.8,3.2 3.8,3.2 2.4,5.4 1,3.8 0,5.8 -1,3.8 -2.4,5.4"),
    ]


def _gear() -> list[Item]:
    return [
        *(rule(BONE, 2.8, w) for w in ("-7,0 7,0", "0,-7 0,7", "-5,-5 5,5", "-5,5 5,-5")),
        oval(BONE, 0, 0, 5.8),
        oval("#53616c", 0, 0, 2.6),
    ]


def _star() -> list[Item]:
    return [star(GOLD, 0, 0.4, 8, inner=0.44)]


def _skull() -> list[Item]:
    return [
        blob(BONE, "-3,7 -3.2,4.4 -6,2.6 -6.4,-2 -4.2,-6 0,-7.2 4.2,-6 6.4,-2 6,2.6 3.2,4.4 3,7"),
        oval(INK, -2.8, -0.4, 1.9),
        oval(INK, 2.8, -0.4, 1.9),
        poly(INK, "0,1.4 1,3.4 -1,3.4"),
        *(rule(INK, 0.6, f"{x},5 {x},7") for x in (-1, 1)),
    ]


_SIGNS = {
    "Animal": _paw,
    "Hat": _hat,
    "Flower": _flower,
    "Water": _drop,
    "Music": _note,
    "Food": _food,
    "Night": _moon,
    "Book": _book,
    "Monster": _monster,
    "Machine": _gear,
    "Star": _star,
    "Skeleton": _skull,
}


@cache
def sign(theme: str, rank: int) -> tuple[Item, ...]:
    """Draw a theme's medal; `rank` 0 to 2 adds gilt to it."""
    items: list[Item] = []
    if rank == 2:
        items.append(star("#d9a336", 0, 0, 1.17, inner=0.9, tips=16))
    elif rank == 1:
        items.append(Shape((circle(0, 0, 1.12)[::3],), "#d9a336"))
    items.append(Shape((circle(0, 0, 0.98)[::3],), COLOURS.get(theme, OTHER)))
    draw = _SIGNS.get(theme)
    inner: list[Item] = draw() if draw else [star(WHITE, 0, 0, 5, inner=0.9, tips=4)]
    return tuple(flat(items, moved(_coarse(inner), 0, 0, scale=0.078)))


def _coarse(items: list[Item]) -> list[Item]:
    """Return shapes without every other point of the round ones: a medal is 5 mm wide."""
    return [
        Shape(tuple(loop[::2] if len(loop) >= 16 and soft(loop) else loop for loop in item.loops), item.fill)
        if isinstance(item, Shape)
        else item
        for item in items
    ]
