"""Finds games (entry point `companion.games`) and reads their decks and mats from `card_codes/`."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from typing import Any

import msgspec

from companion.codes import BACK
from companion.eye.mat import Mat, MatError, parse_mat
from companion.eye.places import CodeBook
from companion.paths import data
from companion.rules.cards import Deck
from companion.rules.kernel import Game


class GameError(Exception):
    """A game that is not there, or whose files do not fit. The message says which file and what to do."""


def names() -> list[str]:
    """List the games that are installed."""
    return sorted({point.name for point in entry_points(group="companion.games")})


def _toml(name: str) -> dict[str, Any]:
    try:
        path = data(name)
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise GameError(str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameError(f"{name} is not proper TOML: {error}") from None


def load_deck(name: str) -> Deck:
    """Read a game's deck.

    Raises:
        GameError: if the file is missing or an entry does not fit; the message names it.
    """
    try:
        deck = msgspec.convert(_toml(f"card_codes/{name}/deck.toml"), Deck)
        deck.by_piece()
    except (msgspec.ValidationError, ValueError) as error:
        raise GameError(f"card_codes/{name}/deck.toml: {error}") from None
    return deck


def load_mat(name: str, seats: int) -> Mat:
    """Read a game's mat for a number of seats.

    Raises:
        GameError: if the file is missing or an entry does not fit; the message names it.
    """
    try:
        return parse_mat(_toml(f"card_codes/{name}/mat.toml"), seats)
    except MatError as error:
        raise GameError(f"card_codes/{name}/mat.toml: {error}") from None


def code_book(deck: Deck, mat: Mat) -> CodeBook:
    """Tell the eye which codes can exist, on pieces of which shape, and what people call them."""
    shapes = {card.piece: mat.shape_of(card.kind) for card in deck.cards}
    names = {card.piece: f"the {card.title[:1].lower()}{card.title[1:]}" for card in deck.cards}
    return CodeBook(letters=deck.code, shapes={**shapes, BACK: mat.shape_of("back")}, names=names)


def load(name: str) -> Game[Any]:
    """Find a game by name and build it from its deck.

    Raises:
        GameError: if there is no such game (the message lists those that are there), or its deck does not fit.
    """
    for point in entry_points(group="companion.games"):
        if point.name == name:
            try:
                game: Game[Any] = point.load()(load_deck(name))
            except ValueError as error:
                raise GameError(f"card_codes/{name}/deck.toml: {error}") from None
            return game
    raise GameError(f"there is no game called {name}; there are: {', '.join(names())}")
