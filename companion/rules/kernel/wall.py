"""What a wall shows of a game beside the drawn table: columns of places with their levels, and signs on the table."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.cards import Piece
from companion.rules.layout import Zone
from companion.rules.seats import Seat

Hue = Literal["blue", "red", "green"]
MarkShape = Literal["circle", "triangle", "hexagon"]


class Mark(msgspec.Struct, frozen=True):
    """A number of things that a colour and a shape stand for; `goal` is how many there have to be (0: no such)."""

    name: str
    colour: Hue
    shape: MarkShape
    value: int
    goal: int = 0


class Post(msgspec.Struct, frozen=True):
    """A place of a column: its level up to `high` (None: not on the ladder yet), what lies there, who stands there."""

    label: str
    level: int | None
    high: int
    marks: tuple[Mark, ...] = ()
    seats: tuple[Seat, ...] = ()


class Column(msgspec.Struct, frozen=True):
    """A part of the game that people watch: how far it is (`value` of `goal`), its danger, what it wants, its places.

    The danger is at `level` of 1 to `high`; at `alarm` and above it is high.
    """

    short: str
    title: str
    value: int
    goal: int
    level: int
    high: int
    alarm: int
    wants: tuple[Mark, ...]
    posts: tuple[Post, ...]


class Sign(msgspec.Struct, frozen=True):
    """Words on the drawn table: a "title" over all zones whose names begin so, or a "price" or "count" at one.

    `figure` is the picture that stands there while nothing lies in the zone.
    """

    kind: Literal["title", "price", "count"]
    zone: Zone
    words: str
    figure: str = ""


class Holding(msgspec.Struct, frozen=True):
    """What a seat has before it, in groups that belong together, and what it still wants."""

    seat: Seat
    groups: tuple[tuple[Piece, ...], ...]
    wanted: tuple[Piece, ...] = ()
