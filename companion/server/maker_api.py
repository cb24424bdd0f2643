"""What the server needs to make games in a browser: drafts, what is wrong with them, what a round is worth, keeping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from companion.rules.cards import Card, Piece
from companion.rules.kernel import Guide
from companion.rules.layout import Zone
from companion.untyped import TomlTable


class MakerError(Exception):
    """A game that can't be made, kept or taken in; the message is one sentence that says why and what to do."""


class NameTakenError(MakerError):
    """Another game has the name; `own` if it is one of the owner's, which may be written over."""

    def __init__(self, message: str, own: bool) -> None:
        """Keep the message, and whose game has the name."""
        super().__init__(message)
        self.own = own


class PlayedError(MakerError):
    """Matches were played with a game, and are replayed by its rules; `title` is free for the one that was changed."""

    def __init__(self, message: str, title: str) -> None:
        """Keep the message, and the title that is free."""
        super().__init__(message)
        self.title = title


class Draft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that is being made. `name` is the folder of the one that is changed, "" for a new one.

    The deck is the standard one: so many jokers and packs, `without` some ranks. `score` is what `score.toml` holds,
    but for the title.
    """

    title: str = ""
    name: str = ""
    mat: str = "row"
    jokers: int = 0
    packs: int = 1
    without: tuple[str, ...] = ()
    score: TomlTable = {}


class Start(msgspec.Struct, frozen=True):
    """A game that a new one can begin as a copy of; `own` if the owner made it."""

    name: str
    title: str
    words: str
    seats: tuple[int, int]
    own: bool


class ZoneOfMat(msgspec.Struct, frozen=True):
    """A zone of a mat: its name, what people call it, and whether each seat has one."""

    name: Zone
    words: str
    own: bool


class Tried(msgspec.Struct, frozen=True):
    """A round to be scored: cards by zone ("taken.2"), tricks and sweeps by seat, who took the last, what was typed."""

    seats: int
    cards: Mapping[Zone, tuple[Piece, ...]] = {}
    tricks: tuple[int, ...] = ()
    sweeps: tuple[int, ...] = ()
    last: int = 0
    entered: Mapping[str, tuple[int | None, ...]] = {}


class Worth(msgspec.Struct, frozen=True):
    """What a round is worth: each block's value and the points, seat by seat."""

    blocks: Mapping[str, tuple[int, ...]]
    points: tuple[int, ...]


class GameMaker(Protocol):
    """Makes games that are files alone. Every method may be called from any thread.

    They raise a MakerError if there is no such game, or it can't be read, changed, written or deleted; nothing is
    changed then.
    """

    def starts(self) -> tuple[Start, ...]:
        """List the games that a new one can begin as a copy of."""

    def draft(self, name: str) -> Draft:
        """Return a game as a draft."""

    def zones(self, mat: str) -> tuple[ZoneOfMat, ...]:
        """List the zones of such a mat."""

    def cards(self, draft: Draft) -> tuple[Card, ...]:
        """List the cards of a draft's deck; none if it does not fit."""

    def troubles(self, draft: Draft) -> tuple[str, ...]:
        """List what is wrong with a draft, in sentences; nothing if it can be played."""

    def problems(self, draft: Draft) -> tuple[str, ...]:
        """List what is wrong with a draft's file, line by line, as to who writes it."""

    def guide(self, draft: Draft) -> Guide | None:
        """Return how a draft is played, in sentences; None while it does not fit."""

    def text(self, draft: Draft) -> str:
        """Return a draft as the text of one file."""

    def read(self, text: str, draft: Draft) -> Draft:
        """Return the draft of such a text, by the name of another one; MakerError if it can't be read."""

    def worth(self, draft: Draft, tried: Tried) -> Worth | None:
        """Return what a round is worth; None while the draft can't be counted."""

    def seen(self) -> tuple[Piece, ...] | None:
        """List the cards that the camera sees face up; None while none watches, or it watches another deck."""

    def keep(self, draft: Draft, over: bool = False) -> str:
        """Write a game into the owner's folder and return its name; `over` another one of the owner's if need be.

        Raises:
            NameTakenError: if another game has its name.
            PlayedError: if matches of it are kept, which other rules would replay otherwise.
        """

    def export(self, name: str) -> bytes:
        """Return a game as one file."""

    def take_in(self, given: bytes, over: bool = False) -> str:
        """Check an exported game and keep it, by another title if matches of the one it is to replace are kept.

        Returns its name.
        """

    def remove(self, name: str) -> None:
        """Delete a game of the owner's."""
