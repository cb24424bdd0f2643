"""The six players' signs: six silhouettes that nobody mixes up, one for every colour."""

from __future__ import annotations

import math
from functools import cache

from companion.press.drawing import Colour, Item, Loop, Shape, arc, bezier, box, circle, moved, ring
from companion.press.figures import tint

ORDER = ("red", "blue", "green", "yellow", "violet", "orange")
"""The seats' colours, 1 to 6."""


def _flat(items: list[Item]) -> tuple[Loop, ...]:
    return tuple(loop for item in items if isinstance(item, Shape) for loop in item.loops)


def _lotus() -> tuple[Loop, ...]:
    """Red: a lotus of three petals."""
    right = bezier((0, 0.84), (0.52, 0.42), (0.52, -0.42), (0, -1.02), 10)
    middle = (*right, *((-x, y) for x, y in reversed(right[1:-1])))
    low = bezier((0.2, 0.92), (0.86, 0.96), (1.2, 0.3), (1.1, -0.5), 10)
    side = (*low, *bezier((1.1, -0.5), (0.66, -0.2), (0.56, 0.44), (0.2, 0.92), 10)[1:-1])
    return middle, side, tuple((-x, y) for x, y in side)


def _ring() -> tuple[Loop, ...]:
    """Blue: a disc in a ring."""
    return ring(circle(0, 0, 0.98), circle(0, 0, 0.62)), circle(0, 0, 0.3)


def _triangle() -> tuple[Loop, ...]:
    """Green: a triangle."""
    return (((0.0, -1.0), (1.08, 0.86), (-1.08, 0.86)),)


def _sun() -> tuple[Loop, ...]:
    """Yellow: a sun with eight rays."""
    turns = [(math.radians(22.5 * i - 90), 1.06 if i % 2 == 0 else 0.55) for i in range(16)]
    return (tuple((r * math.cos(turn), r * math.sin(turn)) for turn, r in turns),)


def _moon() -> tuple[Loop, ...]:
    """Violet: a crescent."""
    horn = math.degrees(math.acos((0.45**2 + 1 - 0.78**2) / 0.9))
    inner = math.degrees(math.acos((math.cos(math.radians(horn)) - 0.45) / 0.78))
    crescent = (*arc(0, 0, 1.0, horn, 360 - horn), *arc(0.45, 0, 0.78, 360 - inner, inner))
    return _flat(moved([Shape((crescent,), "#000000")], 0.1, 0.0, rotation=-25))


def _square() -> tuple[Loop, ...]:
    """Orange: four squares in a square."""
    return tuple(box(x, y, 0.78, 0.78) for x in (-0.88, 0.1) for y in (-0.88, 0.1))


_SIGNS = {"red": _lotus, "blue": _ring, "green": _triangle, "yellow": _sun, "violet": _moon, "orange": _square}


@cache
def _outline(colour: str) -> tuple[Loop, ...]:
    return _SIGNS[colour]() if colour in _SIGNS else (circle(0, 0, 0.7),)


def sign(colour: str, ink: Colour = "") -> list[Item]:
    """Draw the sign of a player's colour, of radius about 1 round the origin, in that colour's dark tone or an ink."""
    return [Shape((loop,), ink or tint(colour).dark) for loop in _outline(colour)]
