"""Actions with holes, and the facts that chance or the table adds to them."""

from __future__ import annotations

import functools
from typing import TypeVar

import msgspec

from companion.rules.cards import Piece
from companion.rules.seats import TABLE, Seat


class Hole(msgspec.Struct, frozen=True, tag_field="type", tag="hole"):
    """A card in an action that nobody has seen yet: any of `pieces` (never empty) out of what `owner` holds."""

    owner: Seat
    pieces: frozenset[Piece]
    words: str
    """What may fill it, for people: "a red card or a moon"."""


class Action(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """What a seat does, by the rules; seat `TABLE` is upkeep, which nobody chooses. Every game declares its own.

    An unknown field is refused when it is read: dropping it could change what was meant.
    """

    seat: Seat = TABLE


class Unknown(msgspec.Struct, frozen=True, tag_field="type", tag="unknown"):
    """Stands in a fact for a card that lies there but has not been read yet."""


UNKNOWN = Unknown()


class Fact(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """What chance or the table added to an action, at a place. Facts are found by place, never by order."""

    place: str


class Shown(Fact, frozen=True, tag="shown", kw_only=True):
    """The card that came up at a place."""

    piece: Piece | Unknown


class Opened(Fact, frozen=True, tag="opened", kw_only=True):
    """The cards of a hand laid open at a place, in any order."""

    pieces: tuple[Piece, ...]


class Rolled(Fact, frozen=True, tag="rolled", kw_only=True):
    """The values of dice thrown for a place."""

    values: tuple[int, ...]


AnyFact = Shown | Opened | Rolled
Facts = tuple[AnyFact, ...]


class Need(msgspec.Struct, frozen=True):
    """A fact that an action waits for: which place, which kind ("shown", "opened", "rolled"), what would fit."""

    place: str
    kind: str
    words: str
    pieces: frozenset[Piece] = frozenset()
    """For cards: those that it can be."""
    count: int = 1
    sides: int = 0
    stays: bool = False
    """Whether the card stays at the place where it comes up, so that it is looked for nowhere else."""


def fact_at(facts: Facts, place: str) -> AnyFact | None:
    """Return the fact of a place; None if there is none."""
    for fact in facts:
        if fact.place == place:
            return fact
    return None


def holes(action: Action) -> tuple[tuple[str, Hole], ...]:
    """List the holes of a template as (field, hole)."""
    fields = _fields(type(action))
    if not fields:
        return ()
    # A list first: robots and the referee ask this of every template, and a generator takes half as long again.
    found = [(name, value) for name in fields if isinstance(value := getattr(action, name), Hole)]
    return tuple(found)


@functools.cache
def _fields(kind: type[Action]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name != "seat")


A = TypeVar("A", bound=Action)


def fill(template: A, **pieces: Piece) -> A:
    """Put cards into the holes of a template."""
    return msgspec.structs.replace(template, **pieces)


def fits(template: Action, action: Action) -> bool:
    """Return whether a ground action fills a template."""
    if type(template) is not type(action):
        return False
    for name in template.__struct_fields__:
        wanted, given = getattr(template, name), getattr(action, name)
        if isinstance(wanted, Hole):
            if given not in wanted.pieces:
                return False
        elif wanted != given:
            return False
    return True
