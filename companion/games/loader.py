"""Finds games and reads their decks and mats.

A game is a package (entry point `companion.games`), or a folder of `card_codes/` with a `score.toml`, ours or the
owner's (`companion.games.from_file`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints
from importlib.util import find_spec
from pathlib import Path

import msgspec

from companion.codes import BACK
from companion.eye.mat import Mat, MatError, ZonePlace, parse_mat
from companion.eye.places import CodeBook
from companion.files import data, everywhere, owner_dir
from companion.games import bare_table as bare
from companion.games import custom_board as board
from companion.games.from_file import FromFile, Place, ScoreError
from companion.games.from_file.decks import extended
from companion.rules.cards import CardError, Deck
from companion.rules.kernel import AnyGame, any_game
from companion.untyped import Json, TomlTable, read_json, read_toml


class GameError(Exception):
    """A game is not installed, or its files do not fit; the message says which file and what to do."""


@cache
def entry_points(group: str) -> EntryPoints:
    """Return what is installed in a group. Asked once: every answer reads the files of all installed packages."""
    return metadata.entry_points(group=group)


def names() -> list[str]:
    """List the games that there are."""
    return sorted({*packages(), *from_files()})


def packages() -> list[str]:
    """List the games that are packages, with rules of their own."""
    return sorted({point.name for point in entry_points(group="companion.games")})


def from_files() -> list[str]:
    """List the games that are files alone; where a package has the name, that is the game."""
    found = {path.parent.name for path in everywhere("card_codes", f"*/{SCORE}")}
    return sorted(found.difference(packages()))


def owned() -> list[str]:
    """List the games that are only files of the owner's, not edits of a game that came with the program."""
    home = owner_dir() / "card_codes"
    found: dict[str, bool] = {}
    for path in everywhere("card_codes", f"*/{SCORE}"):
        found[path.parent.name] = found.get(path.parent.name, True) and path.is_relative_to(home)
    return sorted(name for name, own in found.items() if own and name not in packages())


SCORE = "score.toml"


def _point(name: str) -> EntryPoint | None:
    return next((point for point in entry_points(group="companion.games") if point.name == name), None)


def contents(game: str, file: str) -> TomlTable:
    """Read a game's file: the owner's, ours, or the one beside its module; GameError if it is missing or no TOML."""
    name = f"card_codes/{game}/{file}"
    try:
        return _parsed(_text(game, file))
    except ValueError as error:
        raise GameError(f"{name} is not proper TOML: {error}") from None


@lru_cache(maxsize=128)
def _parsed(text: str) -> TomlTable:
    return read_toml(text)


def _text(game: str, file: str) -> str:
    try:
        return _found(game, file)
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise GameError(str(error)) from None


def _found(game: str, file: str) -> str:
    try:
        return data(f"card_codes/{game}/{file}").read_text(encoding="utf-8")
    except FileNotFoundError:
        point = _point(game)
        spec = find_spec(point.module) if point is not None else None
        if spec is None or spec.origin is None or not Path(spec.origin).with_name(file).is_file():
            raise
        return Path(spec.origin).with_name(file).read_text(encoding="utf-8")


def load_deck(name: str) -> Deck:
    """Read a game's deck; GameError if the file is missing or an entry does not fit."""
    try:
        return _deck(_text(name, "deck.toml"), name)
    except ValueError as error:
        raise GameError(f"card_codes/{name}/deck.toml: {error}") from None


@lru_cache(maxsize=64)
def _deck(text: str, name: str) -> Deck:
    contents = _parsed(text)
    if "extends" in contents:
        base = str(contents["extends"])
        if base != STANDARD:
            raise ValueError(f"a deck extends the deck {STANDARD!r}, there is none called {base!r}")
        return extended(load_deck(base), name, contents)
    deck = msgspec.convert(contents, Deck)
    deck.by_piece()
    return deck


def load_printed_mat(name: str, seats: int) -> Mat:
    """Read a game's printed mat for so many seats; GameError if the file is missing or an entry does not fit."""
    said = contents(name, "mat.toml")
    if "neutral" in said:
        neutral = load_neutral_mat(str(said["neutral"]), seats)
        return msgspec.structs.replace(neutral, game=name, zones=_for_dice(neutral.zones, name))
    try:
        return _mat(_text(name, "mat.toml"), seats)
    except MatError as error:
        raise GameError(f"card_codes/{name}/mat.toml: {error}") from None


def _for_dice(zones: tuple[ZonePlace, ...], name: str) -> tuple[ZonePlace, ...]:
    """Return a neutral mat's zones with a tray for the dice that a game from files rolls."""
    dice = contents(name, SCORE).get("dice") if name in from_files() else None
    sides = dice.get("sides", 6) if isinstance(dice, dict) else 6
    return tuple(msgspec.structs.replace(zone, sides=sides) if zone.kind == "tray" else zone for zone in zones)


@lru_cache(maxsize=256)
def _mat(text: str, seats: int) -> Mat:
    return parse_mat(_parsed(text), seats)


STANDARD = "standard"
"""The deck of playing cards that any game may use: it has codes of its own, and no rules."""


def neutral_mats() -> list[str]:
    """List the mats for any card game, by name."""
    return sorted(path.stem for path in data("card_codes/neutral").glob("*.toml"))


def load_neutral_mat(name: str, seats: int) -> Mat:
    """Read a mat for any card game; GameError if there is none of that name, or an entry does not fit."""
    if name not in neutral_mats():
        raise GameError(f"there is no neutral mat called {name}; there are: {', '.join(neutral_mats())}")
    file = f"card_codes/neutral/{name}.toml"
    try:
        return _mat(data(file).read_text(encoding="utf-8"), seats)
    except (MatError, ValueError) as error:
        raise GameError(f"{file}: {error}") from None


def load_mat(name: str, seats: int) -> Mat:
    """Read a game's mat with its zones on the owner's own board, or on the table without a mat, if there is one.

    The latter is for games from files alone. GameError if it does not fit.
    """
    printed = load_printed_mat(name, seats)
    try:
        own, layout = board.read(name), bare.read()
        if layout is not None and own == board.Own() and name in from_files():
            game: object = _from_file(name)
            return bare.laid_out(printed, layout, game.components.laid if isinstance(game, FromFile) else ())
        return board.laid_over(printed, own)
    except (board.BoardError, bare.TableError) as error:
        raise GameError(f"{error}") from None


def code_book(deck: Deck, mat: Mat) -> CodeBook:
    """Return the codes that can exist, with the shape of their pieces and what people call them."""
    shapes = {card.piece: mat.shape_of(card.kind) for card in deck.cards}
    return CodeBook(letters=deck.code, shapes={**shapes, BACK: mat.shape_of("back")}, names=deck.called())


def load(name: str) -> AnyGame:
    """Build a game from its deck; GameError if there is none of that name (the message lists all) or it doesn't fit."""
    point = _point(name)
    if point is None and name in from_files():
        return _from_file(name)
    if point is None:
        raise GameError(f"there is no game called {name}; there are: {', '.join(names())}")
    deck = load_deck(name)
    try:
        game: AnyGame = point.load()(deck)
    except CardError as error:
        raise GameError(f"card_codes/{name}/deck.toml, line {_line(name, error.piece)}: {error}") from None
    except ValueError as error:
        raise GameError(f"card_codes/{name}/deck.toml: {error}") from None
    return game


def _from_file(name: str) -> AnyGame:
    try:
        return _made(_text(name, SCORE), msgspec.json.encode(load_deck(name)), tuple(places(name).items()))
    except ScoreError as error:
        problems = "; ".join(map(str, error.problems))
        raise GameError(f"card_codes/{name}/{SCORE}, {problems}") from None


@lru_cache(maxsize=32)
def _made(text: str, deck: bytes, zones: tuple[tuple[str, Place], ...]) -> AnyGame:
    game = FromFile(read_json(deck, Deck), text, dict(zones))
    for seats in range(game.info.seats[0], game.info.seats[1] + 1):
        load_printed_mat(game.info.name, seats)
    return any_game(game)


def places(name: str) -> Mapping[str, Place]:
    """Return the zones of a game's mat as score files name them; GameError if it is missing or does not fit."""
    return mat_places(contents(name, "mat.toml"))


def mat_places(contents: Mapping[str, Json]) -> Mapping[str, Place]:
    """Return the zones of a mat file as score files name them; GameError if it does not fit."""
    if "neutral" in contents:
        neutral = str(contents["neutral"])
        load_neutral_mat(neutral, 2)
        contents = _parsed(data(f"card_codes/neutral/{neutral}.toml").read_text(encoding="utf-8"))
    try:
        return {
            str(zone["name"]): Place(str(zone.get("kind", "pile")), key == "seat_zone", _slots(zone))
            for key in ("zone", "seat_zone")
            for zone in contents.get(key, [])
        }
    except (KeyError, TypeError, ValueError) as error:
        raise GameError(f"a zone of the mat does not fit: {error}") from None


def _slots(zone: Mapping[str, Json]) -> int:
    """Return how many places a zone has, in all the rows for which it has room."""
    rows = max(1, int((float(zone["h"]) + 1) // float(zone.get("row", 91.0))))
    return int(zone.get("slots", 1)) * rows if zone.get("kind") == "slots" else 0


def _line(game: str, piece: str) -> int:
    lines = _text(game, "deck.toml").splitlines()
    return next((n for n, line in enumerate(lines, 1) if f'piece = "{piece}"' in line), 1)
