"""What games print, drawn once for all tests: cards as an eye knows them by their faces take seconds a game."""

from __future__ import annotations

import hashlib
from functools import cache

from PIL import Image

from companion import games
from companion.eye.faces.deck import TaughtDeck
from companion.eye.mat import Mat
from companion.press.mats import mat_image
from companion.table import factory
from companion.table.factory import face_pictures, printed_faces, with_stickers
from tests.once import once


def _mat(game: str) -> Mat:
    return games.load_mat(game, games.load(game).info.seats[0])


@cache
def printed(game: str) -> tuple[TaughtDeck, ...]:
    """Return a game's cards as they are known from its print without codes, which no number of seats changes."""
    return once(f"printed-{game}", lambda: printed_faces(games.load(game), _mat(game)))


@cache
def stickered(game: str) -> tuple[tuple[TaughtDeck, ...], frozenset[str]]:
    """Return the decks that name no card nobody can tell apart by its face, and the pieces with stickers."""
    pictures = face_pictures(games.load(game).deck, _mat(game))
    return once(f"stickered-{game}", lambda: with_stickers(printed(game), pictures))


def share_mats() -> None:
    """Let simulated tables of all tests look at the same printed mats: one takes a second."""
    factory.mat_image = _mat_once


def _mat_once(mat: Mat, px_per_mm: float, *, spare: bool = False) -> Image.Image:
    name = hashlib.sha256(repr((mat, px_per_mm, spare)).encode()).hexdigest()
    return once(f"mat-{name}", lambda: mat_image(mat, px_per_mm, spare=spare))
