"""Corrections of the host or the table (ruling C8)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.rules.cards import Piece
from companion.rules.layout import Zone
from companion.rules.seats import Seat


class Edit(msgspec.Struct, frozen=True, tag_field="edit", tag=str.lower, forbid_unknown_fields=True):
    """One thing that the host or the table corrects (ruling C8)."""


class Lies(Edit, frozen=True):
    """This piece lies in this zone now (a hand is the zone "hand.2", the deck "deck")."""

    piece: Piece
    zone: Zone


class Counts(Edit, frozen=True):
    """So many cards that nobody has seen are at this place ("deck", "hand.2")."""

    place: str
    count: int


class Turns(Edit, frozen=True):
    """It is this seat's turn."""

    seat: Seat


class Instead(Edit, frozen=True):
    """What was taken for this piece is its copy `other`, with the same printed on it: the two change places."""

    piece: Piece
    other: Piece


class Points(Edit, frozen=True):
    """A seat, and whoever scores with it, has so many points of a round that is closed (from 1)."""

    seat: Seat
    round: int
    points: Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]


AnyEdit = Lies | Counts | Turns | Instead | Points
