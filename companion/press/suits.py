"""The signs of the four suits, and what all playing cards are drawn with."""

from __future__ import annotations

import math
from functools import cache

from companion.press.drawing import Colour, Item, Loop, Shape, bezier
from companion.press.figures import PLAIN, TINTS, Tint

SUITS = {"clubs": "green", "diamonds": "blue", "hearts": "red", "spades": "black"}
"""Four colours, so that suits are told apart at a glance."""
GOLD = "#e9b53a"
NAME = 4.0
"""Size (mm) of a card's name: along the edge, or on a court's sash."""


def _heart(steps: int) -> Loop:
    right = bezier((0.0, -0.46), (0.16, -1.12), (1.06, -1.06), (0.96, -0.3), steps)
    low = bezier((0.96, -0.3), (0.88, 0.2), (0.3, 0.48), (0.0, 1.0), steps)
    half = (*right, *low[1:])
    return (*half, *((-x, y) for x, y in reversed(half[1:-1])))


def _stem(steps: int) -> Loop:
    left = bezier((-0.08, 0.1), (-0.1, 0.62), (-0.22, 0.9), (-0.46, 1.0), steps // 2)
    return (*left, *((-x, y) for x, y in reversed(left)))


def _diamond(steps: int) -> Loop:
    side = bezier((0.0, -1.06), (0.2, -0.62), (0.46, -0.24), (0.78, 0.0), steps // 2)
    half = (*side, *((x, -y) for x, y in reversed(side[:-1])))
    return (*half, *((-x, y) for x, y in reversed(half[1:-1])))


def disc(x: float, y: float, r: float, steps: int) -> Loop:
    """Return a circle of few points, for what is small."""
    turns = [2 * math.pi * i / steps for i in range(steps)]
    return tuple((x + r * math.cos(turn), y + r * math.sin(turn)) for turn in turns)


@cache
def sign(suit: str, steps: int = 14) -> tuple[Loop, ...]:
    """Return the outline of a suit's sign, of radius about 1 round the origin; a disc for a suit that nobody knows.

    `steps` says how finely curves are drawn.
    """
    if suit == "hearts":
        return (_heart(steps),)
    if suit == "diamonds":
        return (_diamond(steps),)
    if suit == "spades":
        return tuple((x, -y * 0.9 - 0.12) for x, y in _heart(steps)), _stem(steps)
    if suit == "clubs":
        leaves = [disc(x, y, 0.45, 3 * steps) for x, y in ((0.0, -0.54), (-0.5, 0.2), (0.5, 0.2))]
        return *leaves, ((0.0, -0.5), (0.42, 0.12), (0.0, 0.4), (-0.42, 0.12)), _stem(steps)
    return (disc(0.0, 0.0, 0.8, 3 * steps),)


def pip(suit: str, colour: Colour, steps: int = 14) -> list[Item]:
    """Draw a suit's sign of radius about 1 round the origin."""
    return [Shape((loop,), colour) for loop in sign(suit, steps)]


def suit_tint(suit: str) -> Tint:
    """Return the colour of a suit."""
    return TINTS[SUITS[suit]] if suit in SUITS else PLAIN
