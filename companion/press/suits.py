"""The signs of the four suits, and what all playing cards are drawn with."""

from __future__ import annotations

from companion.press.drawing import Colour, Item
from companion.press.figures import PLAIN, TINTS, Tint
from companion.press.pictures import FINE, picture

SUITS = {"clubs": "green", "diamonds": "blue", "hearts": "red", "spades": "black"}
"""Four colours, so that suits are told apart at a glance."""
GOLD = "#e9b53a"
NAME = 4.0
"""Size (mm) of a card's name: along the edge, or on a court's sash."""
SMALL = 1 / 200
"""How far the curves of a small pip may be off, as a share of its size."""


def pip(suit: str, colour: Colour, fine: float = FINE) -> list[Item]:
    """Draw a suit's sign of radius about 1 round the origin; a disc for a suit that nobody knows."""
    return list(picture("standard", f"suits/{suit if suit in SUITS else 'unknown'}", fine).tint({"main": colour}))


def suit_tint(suit: str) -> Tint:
    """Return the colour of a suit."""
    return TINTS[SUITS[suit]] if suit in SUITS else PLAIN
