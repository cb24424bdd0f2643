"""What printing a game takes, told before it is printed: sheets, ink and time."""

from __future__ import annotations

import math

import numpy as np

from companion.eye.mat import Mat
from companion.press.drawing import Drawing
from companion.press.faces import face_drawing, shape_faces, shape_for
from companion.press.mats import mat_drawing
from companion.press.raster import render
from companion.press.sheets import grid, other_side, tiles
from companion.rules.cards import Deck

INK = 0.4
"""Millilitres of one ink that cover A4 wholly, as household printers' cartridges last by ISO/IEC 24711."""
A4 = 210.0 * 297.0
LOOKED_AT = 5
"""So many faces of a deck stand for all of them."""
SHEET_MINUTES = 3
"""Minutes for a sheet with a knife and a ruler, or to join it to the mat."""


def needs(
    deck: Deck, mat: Mat, paper: tuple[float, float], *, mat_too: bool = True
) -> tuple[int, int, float, float, int]:
    """Return sheets of cards (on both sides) and of the mat, about how many ml of ink each takes, and minutes.

    Without `mat_too` the mat is not printed.

    Raises:
        PressError: if a shape does not fit on the paper.
    """
    sheets, ink = 0, 0.0
    for shape in mat.shapes:
        cards = [card for card in deck.cards if shape_for(mat, card) == shape]
        if not cards:
            continue
        sheets += math.ceil(len(cards) / grid(paper, shape.w, shape.h, 0.0).size)
        some = cards[:: max(1, len(cards) // LOOKED_AT)][:LOOKED_AT]
        front = shape_faces(shape)[0]
        sides = [one for one in (front, other_side(shape, front)) if one]
        ink += (
            sum(_covered(face_drawing(card, deck, shape, one)) for card in some for one in sides)
            * len(cards)
            / len(some)
        )
    joined = sum(map(len, tiles(mat, paper)[1])) if mat_too else 0
    return sheets, joined, ink, _covered(mat_drawing(mat)) if mat_too else 0.0, SHEET_MINUTES * (sheets + joined)


def _covered(drawn: Drawing) -> float:
    """Return how many ml of ink a drawing takes."""
    light = np.asarray(render(drawn, 1.0).convert("RGB"), float) / 255.0
    return float((3.0 - light.sum(axis=2)).mean()) * drawn.w * drawn.h / A4 * INK
