"""What differs between the rules' table and the eye's; undo, resume, set-up help and refusals read this one set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.codes import BACK
from companion.eye.view import TableView
from companion.rules.cards import Piece
from companion.rules.kernel import PIECE_FIELDS, TABLE, Action
from companion.rules.layout import (
    Anything,
    AnythingBut,
    Area,
    Back,
    Empty,
    Exactly,
    Expect,
    Layout,
    Loose,
    OneOf,
    Open,
    OpenSlots,
    Pile,
    Slots,
    Strips,
    UnknownFace,
    Zone,
)

BESIDE = "beside"
"""The zone of a piece that lies on the mat but in no zone."""

FACE = "?"
"""Stands for the piece where a card should lie face up that nobody has read yet."""


class Mismatch(NamedTuple):
    """One thing that is not as expected: a piece (`BACK`, `FACE`) too many (`extra`) or missing; `slot` -1: any."""

    zone: Zone
    piece: Piece
    extra: bool
    slot: int = -1


Mismatches = frozenset[Mismatch]


class Seen:
    """A table view sorted by zone, made once a view and compared with many layouts.

    `faces[zone]` are the face-up pieces of a zone, lowest first, as (piece, slot); `backs[zone]` counts cards face
    down; `covered` zones prove nothing. `under` is what other pieces were laid over; `order[zone, piece]` grows from
    the piece that came first to the newest.
    """

    __slots__ = ("backs", "covered", "faces", "order", "under", "zones")

    def __init__(self, view: TableView) -> None:
        self.faces: dict[Zone, list[tuple[Piece, int]]] = {}
        self.backs: dict[Zone, int] = {}
        self.covered = view.covered
        self.under: Mismatches = frozenset(Mismatch(one.zone, one.piece, False) for one in view.under if one.zone)
        self.order: dict[tuple[Zone, Piece], int] = {}
        for placement in sorted(view.placements, key=lambda one: one.order):
            zone = placement.zone or BESIDE
            self.order[zone, placement.piece] = placement.order
            if placement.piece == BACK:
                self.backs[zone] = self.backs.get(zone, 0) + 1
            else:
                slot = -1 if placement.slot is None else placement.slot
                self.faces.setdefault(zone, []).append((placement.piece, slot))
        self.zones = self.faces.keys() | self.backs.keys()

    def pieces(self, zone: Zone) -> tuple[Piece, ...]:
        """Return the pieces that lie face up in a zone, lowest first."""
        return tuple(piece for piece, _ in self.faces.get(zone, ()))


def mismatches(layout: Layout, seen: Seen) -> Mismatches:
    """Compare a layout with what is seen; in a covered zone only what is seen counts, not what is missing."""
    found = last_mismatches(layout, seen)
    if seen.covered:
        return frozenset(item for item in found if item.zone not in seen.covered or (item.extra and item.piece != BACK))
    return found


def last_mismatches(layout: Layout, seen: Seen) -> Mismatches:
    """Compare a layout with what is seen and, in covered zones, with what was seen there last."""
    found: list[Mismatch] = []
    zones = layout.zones
    for zone, area in zones.items():
        _compare(zone, area, seen, found)
    for zone in seen.zones:
        if zone not in zones:
            found.extend(Mismatch(zone, piece, True) for piece, _ in seen.faces.get(zone, ()))
            if seen.backs.get(zone):
                found.append(Mismatch(zone, BACK, True))
    return frozenset(found)


def _compare(zone: Zone, area: Area, seen: Seen, found: list[Mismatch]) -> None:
    faces, backs = seen.faces.get(zone, ()), seen.backs.get(zone, 0)
    if isinstance(area, Pile):
        _compare_pile(zone, area, faces, backs, found)
    elif isinstance(area, Slots | Strips):
        if isinstance(area, OpenSlots):
            _compare_free_places(zone, area.places, faces, found)
        else:
            _compare_places(zone, area.places, faces, backs, found)
    elif isinstance(area, Loose):
        _compare_loose(zone, area, faces, backs, found)


def _compare_pile(
    zone: Zone, area: Pile, faces: Iterable[tuple[Piece, int]], backs: int, found: list[Mismatch]
) -> None:
    """Compare a pile: only the top counts; what lies below may peep out."""
    top = area.top
    there = {piece for piece, _ in faces}
    if isinstance(top, Anything):
        elsewhere = top.pieces if isinstance(top, AnythingBut) else frozenset()
        found.extend(Mismatch(zone, piece, True) for piece in there & elsewhere)
        return
    strange = there - area.below
    if isinstance(top, Exactly):
        strange.discard(top.piece)
        if top.piece not in there:
            found.append(Mismatch(zone, top.piece, False))
    elif isinstance(top, OneOf):
        if not there & top.pieces:
            found.append(Mismatch(zone, min(top.pieces), False))
        strange -= top.pieces
    elif isinstance(top, UnknownFace):
        if not strange:
            found.append(Mismatch(zone, FACE, False))
        strange = set()
    elif isinstance(top, Back) and not backs:
        found.append(Mismatch(zone, BACK, False))
    if backs and not isinstance(top, Back):
        found.append(Mismatch(zone, BACK, True))
    found.extend(Mismatch(zone, piece, True) for piece in strange)


def _compare_places(
    zone: Zone, places: tuple[Expect, ...], faces: Iterable[tuple[Piece, int]], backs: int, found: list[Mismatch]
) -> None:
    """Compare slots and strips: every place has its own expectation; a zone of one place needs no slot numbers."""
    single = len(places) == 1
    at_slot: dict[int, list[Piece]] = {}
    for piece, slot in faces:
        at_slot.setdefault(0 if single else slot, []).append(piece)
    backs_wanted = 0
    for slot, expect in enumerate(places):
        here = at_slot.pop(slot, [])
        if isinstance(expect, Anything):
            continue
        label = -1 if single else slot
        if isinstance(expect, UnknownFace):
            if not here:
                found.append(Mismatch(zone, FACE, False, label))
            continue
        wanted = _named(expect)
        backs_wanted += isinstance(expect, Back)
        if wanted and not wanted.intersection(here):
            found.append(Mismatch(zone, min(wanted), False, label))
        found.extend(Mismatch(zone, piece, True, label) for piece in here if piece not in wanted)
    found.extend(Mismatch(zone, piece, True, slot) for slot, here in at_slot.items() for piece in here)
    _compare_backs(zone, backs_wanted, backs, found)


def _compare_free_places(
    zone: Zone, places: tuple[Expect, ...], faces: Iterable[tuple[Piece, int]], found: list[Mismatch]
) -> None:
    """Compare slots between which pieces move freely: only a piece at a new place is unexpected."""
    for piece, slot in faces:
        if not 0 <= slot < len(places) or piece not in _named(places[slot]):
            found.append(Mismatch(zone, piece, True, slot))


def _compare_loose(
    zone: Zone, area: Loose, faces: Iterable[tuple[Piece, int]], backs: int, found: list[Mismatch]
) -> None:
    there = {piece for piece, _ in faces}
    if isinstance(area, Open):
        found.extend(Mismatch(zone, piece, True) for piece in there - area.pieces)
        return
    found.extend(Mismatch(zone, piece, False) for piece in area.pieces - there)
    strange = there - area.pieces
    if len(strange) < area.unknown:
        found.append(Mismatch(zone, FACE, False))
    elif not area.unknown:
        found.extend(Mismatch(zone, piece, True) for piece in strange)
    _compare_backs(zone, area.backs, backs, found)


def _compare_backs(zone: Zone, wanted: int, backs: int, found: list[Mismatch]) -> None:
    if backs != wanted:
        found.append(Mismatch(zone, BACK, backs > wanted))


def done_late(item: Mismatch, layout: Layout) -> Mismatches:
    """Return what it looks like when hands do what a layout demanded that no longer holds."""
    area = layout.zones.get(item.zone)
    any_of = area.top.pieces if isinstance(area, Pile) and isinstance(area.top, OneOf) else frozenset()
    return frozenset(item._replace(piece=piece, extra=not item.extra) for piece in any_of | {item.piece})


def laid_over(layout: Layout, seen: Seen) -> Mismatches:
    """Return what is missing only because pieces that lie in no order were laid over it: it may be there."""
    if not seen.under:
        return frozenset()
    missed = seen.under & mismatches(layout, seen)
    return frozenset(item for item in missed if isinstance(layout.zones.get(item.zone), Loose))


EMPTY_AREA = Pile(Empty())


def visibly_differ(before: Layout, after: Layout, zones: Iterable[Zone] | None = None) -> bool:
    """Return whether the way from one layout to another can be seen (in these zones), not only deep in a pile."""
    for zone in before.zones.keys() | after.zones.keys() if zones is None else zones:
        was, then = before.zones.get(zone, EMPTY_AREA), after.zones.get(zone, EMPTY_AREA)
        if was != then and not (isinstance(was, Pile) and isinstance(then, Pile) and was.top == then.top):
            return True
    return False


def laid_from_hand(before: Layout, action: Action | None) -> tuple[Piece, ...]:
    """List the pieces that an action names and that `before` shows nowhere, so that they can only come from a hand."""
    if action is None or action.seat == TABLE:
        return ()
    named = [value for name in PIECE_FIELDS if isinstance(value := getattr(action, name, None), str) and value]
    return tuple(piece for piece in named if not any(piece in pieces_of(area) for area in before.zones.values()))


def pieces_of(area: Area) -> frozenset[Piece]:
    """Return the pieces that an area expects face up."""
    match area:
        case Pile(top=top, below=below):
            return below | _named(top)
        case Slots(places=places) | Strips(places=places):
            return frozenset().union(*map(_named, places))
        case Loose(pieces=pieces):
            return pieces
    return frozenset()


def _named(place: Expect) -> frozenset[Piece]:
    if isinstance(place, OneOf):
        return place.pieces
    return frozenset((place.piece,)) if isinstance(place, Exactly) else frozenset()
