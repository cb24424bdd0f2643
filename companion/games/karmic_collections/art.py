"""The deck, the pawns and the partner tokens of Karmic Collections: plain cards in four colours, rims in the seats'."""

from __future__ import annotations

import math

from companion.press.drawing import (
    CAP,
    Colour,
    Drawing,
    Item,
    Line,
    Loop,
    arc,
    bezier,
    box,
    circle,
    moved,
    text_width,
)
from companion.press.drawing import Shape as Filled
from companion.press.figures import TINTS, Tint, put, tint
from companion.press.look import GameArt, Palette, Room, frame
from companion.rules.cards import Card

SUITS = {"clubs": "green", "diamonds": "blue", "hearts": "red", "spades": "black"}
"""Four colours, so that suits are told apart at a glance; the rules don't ask for them."""
LETTERS = {"1": "A", "11": "J", "12": "Q", "13": "K"}
INDEX = 3.4
"""Size (mm) of the rank beside the code: it shows when only that corner of a fanned card does."""
DOWN = Tint("#a9b3b0", "#6f7a77", "#eef1f0")
"""The back of a partner token, when it is turned down."""


class KarmicArt(GameArt):
    """Playing cards, pawns and partner tokens."""

    palette = Palette("#d99a12", "#86620a", "#fdf6e0", "#8554b8")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a card or a token by its kind."""
        if {"suit", "rank"} <= card.traits.keys():
            frame(sheet, room, suit_tint(card))
            playing_card(sheet, card, room)
        elif card.kind == "pawn":
            pawn(sheet, card, room)
        elif card.kind == "partner":
            partner(sheet, card, room)
        else:
            super().face(sheet, card, room)


ART = KarmicArt()


def suit_tint(card: Card) -> Tint:
    """Give the colour of a card's suit."""
    return TINTS[SUITS.get(card.traits["suit"], "black")]


def playing_card(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw rank and suit below the code, small at the corner and large, and the same again for who sits opposite."""
    shape, left = room.shape, room.columns[0]
    tone, rank = suit_tint(card), LETTERS.get(card.traits["rank"], card.traits["rank"])
    half = Drawing(shape.w, shape.h)
    top, x = left.y + 0.4, left.x + 1.2
    half.text(x, top + CAP * INDEX, rank, INDEX, colour=tone.dark, align="l", bold=True)
    put(half, pip(card.traits["suit"], tone.main), x + text_width(rank, INDEX, True) + 2.0, top + 1.25, 1.3)
    middle, size = left.centre[0], 17.0
    start = top + 4.6
    high = left.y + left.h - start
    r = min(left.w / 2 - 3.0, 9.0)
    spare = (high - CAP * size - 2 * r - 4.0) / 2
    half.text(middle, start + spare + CAP * size, rank, size, colour=tone.dark, bold=True)
    put(half, pip(card.traits["suit"], tone.main), middle, start + spare + CAP * size + 4.0 + r, r)
    sheet.add(half.items)
    sheet.add(moved(half.items, shape.w, shape.h, rotation=180))


def pawn(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a pawn's token: a rim of its player's colour with a small pawn in every corner; the code takes the rest."""
    tone, w, h = tint(card.traits.get("colour")), room.shape.w, room.shape.h
    sheet.fill(tone.main, box(0, 0, w, h))
    sheet.line(tone.dark, 0.5, *box(0.6, 0.6, w - 1.2, h - 1.2), closed=True)
    for corner in range(4):
        put(sheet, [Filled((_pawn(),), tone.pale)], *_corner(corner, w, h, 2.6), 1.5, 90.0 * corner)


def partner(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a partner token: the partner's colour, a line in its owner's; grey where it is turned down."""
    tone, w, h = tint(card.traits.get("colour")) if room.face == "F" else DOWN, room.shape.w, room.shape.h
    sheet.fill(tone.main, box(0, 0, w, h))
    own = tint(card.traits.get("rim"))
    sheet.line(own.main if room.face == "F" else own.dark, 0.7, *box(0.7, 0.7, w - 1.4, h - 1.4), closed=True)


def _corner(number: int, w: float, h: float, inset: float) -> tuple[float, float]:
    return (inset if number in (0, 3) else w - inset), (inset if number in (0, 1) else h - inset)


# ------------------------------------------------------------------------------------------------------------- pips


def pip(suit: str, colour: Colour) -> list[Item]:
    """Draw a suit's sign of radius about 1 round the origin."""
    return [Filled((loop,), colour) if isinstance(loop, tuple) else loop for loop in _PIPS[suit](colour)]


def _diamond(colour: Colour) -> list[Loop | Item]:
    return [((0.0, -1.0), (0.72, 0.0), (0.0, 1.0), (-0.72, 0.0))]


def _heart(colour: Colour) -> list[Loop | Item]:
    right = bezier((0.0, -0.42), (0.18, -1.1), (1.05, -1.02), (0.92, -0.28), 14)
    low = bezier((0.92, -0.28), (0.84, 0.22), (0.3, 0.5), (0.0, 0.95), 14)
    half = (*right, *low[1:])
    return [(*half, *((-x, y) for x, y in reversed(half[1:-1])))]


def _spade(colour: Colour) -> list[Loop | Item]:
    (leaf,) = _heart(colour)
    assert isinstance(leaf, tuple)  # noqa: S101  (a heart is one polygon)
    return [tuple((x, -y * 0.92 - 0.1) for x, y in leaf), _stem(0.1)]


def _club(colour: Colour) -> list[Loop | Item]:
    leaves = [circle(0.0, -0.5, 0.44), circle(-0.47, 0.16, 0.44), circle(0.47, 0.16, 0.44)]
    return [*leaves, Line(((0.0, -0.3), (0.0, 0.3)), 0.3, colour), _stem(0.1)]


def _stem(top: float) -> Loop:
    return ((-0.08, top), (0.08, top), (0.14, 0.65), (0.4, 0.98), (-0.4, 0.98), (-0.14, 0.65))


def _pawn() -> Loop:
    """A pawn as one outline: a head on a cloak."""
    lean = math.degrees(math.asin(0.18 / 0.38))
    head = arc(0.0, -0.55, 0.38, 90 + lean, 450 - lean)
    return (*head, (0.62, 0.75), (0.62, 0.98), (-0.62, 0.98), (-0.62, 0.75))


_PIPS = {"clubs": _club, "diamonds": _diamond, "hearts": _heart, "spades": _spade}
