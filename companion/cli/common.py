"""What several commands share: kinds of options, the game that was named, and how a command fails."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import msgspec
import typer

from companion import games
from companion.rules.kernel import AnyGame
from companion.text import capital_of, plain

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="One of the installed games: " + ", ".join(games.names()))
]
Seats = Annotated[int, typer.Option(help="How many players.")]
OptionList = Annotated[list[str] | None, typer.Option("--option", help="A house rule: name=number.")]

Recording = Annotated[
    float | None, typer.Option("--record", min=0.1, help="Keep the last so many minutes of the camera's pictures.")
]


class Format(StrEnum):
    """What the press makes."""

    pdf = "pdf"
    png = "png"


class Print(StrEnum):
    """A print of cards and mat."""

    colours = "colours"
    outlines = "outlines"
    first = "first"


class Paper(StrEnum):
    """The sheets in the printer."""

    a4 = "a4"
    letter = "letter"


def fail(sentence: str) -> typer.Exit:
    """Write what is wrong to standard error; raise what this returns."""
    typer.echo(capital_of(sentence), err=True)
    return typer.Exit(2)


@contextmanager
def said(logger: str) -> Iterator[None]:
    """Context manager that writes what a module warns of to standard error, each warning as its sentence alone."""
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: typer.echo(record.getMessage(), err=True)  # type: ignore[method-assign]
    log = logging.getLogger(logger)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


NEUTRAL_SEATS = 6
"""The most players that a neutral mat has places for."""


def load_game(name: str, seats: int | None = None) -> AnyGame:
    """Load a game for this number of players; a game that is not there, or not for so many, ends the command."""
    try:
        game = games.load(name)
    except games.GameError as error:
        raise fail(str(error)) from None
    if seats is not None and not game.info.seats[0] <= seats <= game.info.seats[1]:
        raise fail(f"{game.info.title} is for {game.info.seats[0]} to {game.info.seats[1]} players, not {seats}")
    return game


def house_rules(game: AnyGame, given: list[str] | None) -> dict[str, int]:
    """Read `--option name=number`, as often as it was given."""
    chosen: dict[str, int] = {}
    known = {option.name: option for option in game.info.options}
    for pair in given or []:
        name, _, value = pair.partition("=")
        if name not in known:
            raise fail(f"there is no option {name}; there {'is' if len(known) == 1 else 'are'} {', '.join(known)}")
        try:
            chosen[name] = int(value)
        except ValueError:
            raise fail(f"the option {name} takes a whole number, not {value!r}") from None
    return chosen


def print_json(document: object) -> None:
    """Print one line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(document, order="deterministic", enc_hook=plain) + b"\n")
    sys.stdout.buffer.flush()
