"""What the rules expect to lie where, in zones and pieces: millimetres belong to the mat, pixels to the eye."""

from __future__ import annotations

import msgspec

from companion.rules.cards import Piece
from companion.rules.seats import TABLE, Seat, numbered

Zone = str
"""A named area of the mat, as in mat.toml: "deck", "discard", "collection.3" (the part after the dot is a seat)."""


def owner_of(zone: Zone) -> Seat:
    """Return the seat that a zone belongs to: 3 of "collection.3"; TABLE if it is everybody's."""
    return numbered(zone.partition(".")[2]) or TABLE


class Expect(msgspec.Struct, frozen=True, tag_field="expect", tag=str.lower):
    """What one place should show."""


class Exactly(Expect, frozen=True):
    """This piece, this face up."""

    piece: Piece
    face: str = "F"


class OneOf(Expect, frozen=True):
    """Any one of these pieces: bottles and coins of a colour are alike."""

    pieces: frozenset[Piece]


class Back(Expect, frozen=True):
    """A card back: a card lies face down, or a deck has cards left."""


class UnknownFace(Expect, frozen=True):
    """A card lies face up there that nobody has read yet; reading it decides which it is."""


class Empty(Expect, frozen=True):
    """Nothing."""


class Anything(Expect, frozen=True):
    """Whatever lies there is ignored."""


class AnythingBut(Anything, frozen=True):
    """Whatever lies there is ignored, except these pieces, which should be elsewhere."""

    pieces: frozenset[Piece]


class Area(msgspec.Struct, frozen=True, tag_field="area", tag=str.lower):
    """What one zone should show."""


class Pile(Area, frozen=True):
    """Cards on top of each other: only the top counts, those in `below` may peep out."""

    top: Expect
    below: frozenset[Piece] = frozenset()


def open_pile(pieces: tuple[Piece, ...]) -> Pile:
    """Return a pile of cards face up, of which the last lies on top."""
    return Pile(Exactly(pieces[-1]), frozenset(pieces[:-1])) if pieces else Pile(Empty())


class Slots(Area, frozen=True):
    """Places in a row, numbered from 0."""

    places: tuple[Expect, ...]


class Strips(Area, frozen=True):
    """Cards tucked under a board, of which a strip with one code shows; numbered from 0 at the first position."""

    places: tuple[Expect, ...]


class Loose(Area, frozen=True):
    """An unordered collection: these pieces face up, so many backs, so many faces nobody has read yet."""

    pieces: frozenset[Piece] = frozenset()
    backs: int = 0
    unknown: int = 0


class Open(Loose, frozen=True):
    """A collection in which people lay as they like: only a piece that came is unexpected, not one that left."""


class OpenSlots(Slots, frozen=True):
    """Places in which people lay as they like, as in `Open`."""


class Preparing(msgspec.Struct, frozen=True):
    """A step of setting up: a sentence, its zones ("goal": everybody's; "goal.3": one's); `seats` need it (0: all)."""

    words: str
    zones: tuple[Zone, ...] = ()
    seats: int = 0

    def about(self, zone: Zone) -> bool:
        """Return whether it is about a zone."""
        return any(zone == one or zone.startswith((f"{one}.", f"{one}-")) for one in self.zones)


class Layout(msgspec.Struct, frozen=True):
    """What every zone should show; a zone that is not named should be empty. The mapping is never changed."""

    zones: dict[Zone, Area]
