"""What games print, drawn once for all tests: cards as an eye knows them by their faces take seconds a game."""

from __future__ import annotations

import hashlib
from functools import cache

from PIL import Image

from companion import games
from companion.eye.faces import watching
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.likeness import FaceBook
from companion.eye.mat import Mat
from companion.press.mats import mat_image
from companion.table import factory
from companion.table.factory import face_pictures, printed_faces, with_stickers
from tests.once import once


def _mat(game: str) -> Mat:
    return games.load_mat(game, games.load(game).info.seats[0])


_printed: list[tuple[TaughtDeck, ...]] = []
"""The decks that this process keeps."""


@cache
def printed(game: str) -> tuple[TaughtDeck, ...]:
    """Return a game's cards as they are known from its print without codes, which no number of seats changes."""
    _printed.append(once(f"printed-{game}", lambda: printed_faces(games.load(game), _mat(game))))
    return _printed[-1]


@cache
def stickered(game: str) -> tuple[tuple[TaughtDeck, ...], frozenset[str]]:
    """Return the decks that name no card nobody can tell apart by its face, and the pieces with stickers."""
    pictures = face_pictures(games.load(game).deck, _mat(game))
    decks, pieces = once(f"stickered-{game}", lambda: with_stickers(printed(game), pictures))
    _printed.append(decks)
    return decks, pieces


def share() -> None:
    """Let simulated tables of all tests look at the same printed mats, and their eyes know decks by the same books:
    a mat takes a second, a book half of one.
    """
    factory.mat_image = _mat_once
    watching.FaceBook = _book_once  # type: ignore[misc]


_books: dict[int, FaceBook] = {}


def _book_once(deck: TaughtDeck, colour: bool = True) -> FaceBook:
    """Return a printed deck's book, made once; any other deck has one of its own."""
    shared = any(deck is one for kept in _printed for one in kept)
    if not (colour and shared):
        return FaceBook(deck, colour)
    if id(deck) not in _books:
        _books[id(deck)] = FaceBook(deck)
    return _books[id(deck)]


def _mat_once(mat: Mat, px_per_mm: float, *, spare: bool = False) -> Image.Image:
    name = hashlib.sha256(repr((mat, px_per_mm, spare)).encode()).hexdigest()
    return once(f"mat-{name}", lambda: mat_image(mat, px_per_mm, spare=spare))
