"""Teaches a deck in a composed world, as an owner would: a dozen cards at a time on the empty mat, in an ordinary light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.bench.face_scenes import Card, Light, World
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.eye.faces.taking import averaged, take

_DOZEN = 12


def teach(world: World, pieces: Sequence[str], rng: np.random.Generator) -> TaughtDeck:
    """Return the deck as taught from two pictures of each card, laid in the middle of the mat."""
    faces = world.faces
    deck = TaughtDeck(faces.name, faces.name, faces.w, faces.h)
    columns = int((world.mat.w - 2 * world.mat.frame - 40) // (max(faces.w, faces.h) + 22))
    rows = int((world.mat.h - 2 * world.mat.frame - 20) // (faces.h + 14))
    at_once = min(_DOZEN, columns * rows)
    empty = world.picture([], Light(), rng)
    for first in range(0, len(pieces), at_once):
        some = pieces[first : first + at_once]
        cards = []
        for place, piece in enumerate(some):
            x = world.mat.frame + 20 + (place % columns + 0.5) * (max(faces.w, faces.h) + 22)
            y = world.mat.frame + 10 + (place // columns + 0.5) * (faces.h + 14)
            cards.append(Card(piece, (x, y, float(rng.normal(0, 2)))))
        shots = [take(empty, world.picture(cards, Light(), rng), world.px_per_mm, world.mat, deck) for _ in range(2)]
        for card in cards:
            views = [
                taken.picture
                for shot in shots
                for taken in shot.cards
                if taken.usable and np.hypot(taken.pose[0] - card.pose[0], taken.pose[1] - card.pose[1]) < 5
            ]
            if views:
                deck = deck.with_face(TaughtFace(card.piece, (card.piece,), (averaged(views),)))
    return deck
