"""Teaches a deck in a composed world, as an owner would: a dozen cards at a time on the empty mat, in a plain light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.face_scenes import Card, Light, World
from companion.codes import BACK
from companion.eye.faces.deck import Picture, TaughtDeck, TaughtFace
from companion.eye.faces.taking import averaged, take

_DOZEN = 12
_ROUNDS = 3
"""How often a card is laid that was not taken the first time."""


def teach(world: World, pieces: Sequence[str], rng: np.random.Generator) -> TaughtDeck:
    """Return the deck as taught from two pictures of each card; what is never taken is missing in it."""
    faces = world.faces
    deck = TaughtDeck(faces.name, faces.name, faces.w, faces.h)
    empty = world.picture([], Light(), rng)
    todo = list(pieces)
    for _ in range(_ROUNDS):
        missed: list[str] = []
        for first in range(0, len(todo), _DOZEN):
            deck, left = _dozen(world, deck, todo[first : first + _DOZEN], empty, rng)
            missed += left
        todo = missed
    return deck


def _dozen(
    world: World, deck: TaughtDeck, some: Sequence[str], empty: Picture, rng: np.random.Generator
) -> tuple[TaughtDeck, list[str]]:
    """Return the deck with some more cards, and those that were not taken."""
    mat = world.mat
    wide, high = (mat.w - 2 * mat.frame - 40) / 6, (mat.h - 2 * mat.frame - 20) / 2
    cards = []
    for place, piece in enumerate(some):
        x = mat.frame + 20 + (place % 6 + 0.5) * wide + float(rng.normal(0, 6))
        y = mat.frame + 10 + (place // 6 + 0.5) * high + float(rng.normal(0, 10))
        cards.append(Card(piece, (x, y, float(rng.normal(0, 2)))))
    shots = [take(empty, world.picture(cards, Light(), rng), world.px_per_mm, mat, deck) for _ in range(2)]
    missed = []
    for card in cards:
        views = [
            taken.picture
            for shot in shots
            for taken in shot.cards
            if taken.usable and np.hypot(taken.pose[0] - card.pose[0], taken.pose[1] - card.pose[1]) < 3
        ]
        if views:
            side = "B" if card.piece == BACK else "F"
            deck = deck.with_face(TaughtFace(card.piece, (card.piece,), (averaged(views),), side))
        else:
            missed.append(card.piece)
    return deck, missed
