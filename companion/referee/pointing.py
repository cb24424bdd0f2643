"""Points at what has to be moved on the table: where a piece lies, and where it goes."""

from __future__ import annotations

from companion.codes import BACK
from companion.eye.mat import Mat, Shape
from companion.eye.view import Point, TableView
from companion.referee.difference import BESIDE, FACE, Mismatch, Mismatches
from companion.referee.snapshot import Box, Pointer
from companion.referee.words import Shift, Words
from companion.rules.cards import Piece
from companion.rules.kernel import AnyGame

MOST = 6
"""Pointers that are given: more at once nobody can follow."""
BEYOND = 24.0
"""How far over the mat's edge (mm) an arrow reaches that leads away or comes from beside it."""

Ends = tuple[Point, Point]


class Pointing:
    """Finds the places on one game's mat."""

    def __init__(self, game: AnyGame, mat: Mat, words: Words) -> None:
        self._mat = mat
        self.size = (mat.w, mat.h)
        self.words = words
        self._shapes = {card.piece: mat.shape_of(card.kind) for card in game.deck.cards}

    def shifts(self, wrong: Mismatches, view: TableView | None, under: Mismatches) -> tuple[Pointer, ...]:
        """Point at what has to be moved so that nothing is `wrong` any more, in the order in which it is said."""
        # What only has to show again is nothing to carry: whatever lies on it is pointed at itself.
        shifts = [one for one in self.words.shifts(wrong, under) if one.target or (one.source and one.source.extra)]
        return tuple(self._pointer(shift, view) for shift in shifts[:MOST])

    def asked_about(self, wrong: Mismatches, view: TableView | None) -> tuple[Pointer, ...]:
        """Point at what lies there and is not expected, without saying that it has to go."""
        extra = sorted(item for item in wrong if item.extra)
        return tuple(Pointer("", item.piece, self._source(item, view)) for item in extra[:MOST])

    def _pointer(self, shift: Shift, view: TableView | None) -> Pointer:
        source = self._source(shift.source, view) if shift.source is not None else None
        if shift.source is not None and shift.target is not None and shift.source.zone == shift.target.zone:
            return Pointer(shift.words, shift.piece, source, source)
        return Pointer(shift.words, shift.piece, source, self.target(shift.target) if shift.target else None)

    def _shape(self, piece: Piece) -> Shape:
        return self._shapes.get(piece) or self._mat.shape_of("back")

    def _source(self, item: Mismatch, view: TableView | None) -> Box | None:
        zone = None if item.zone == BESIDE else item.zone
        for one in reversed(sorted(view.placements, key=lambda one: one.order) if view is not None else ()):
            if one.piece == item.piece and one.zone == zone:
                shape = self._shape(item.piece)
                return Box(one.x, one.y, shape.w, shape.h, one.rotation)
        return self._whole(item)

    def target(self, item: Mismatch) -> Box | None:
        """Return where a missing piece is to lie; None if the mat has no such place."""
        known = next((zone for zone in self._mat.zones if zone.name == item.zone), None)
        if known is None or known.kind == "loose" or (known.kind in ("slots", "strips") and item.slot < 0):
            return self._whole(item)
        shape = self._mat.shape_in(known) if item.piece in (BACK, FACE) else self._shape(item.piece)
        x, y = known.spot(max(0, item.slot), shape.w, shape.h)
        return Box(x, y, shape.w, shape.h, known.rotation)

    def _whole(self, item: Mismatch) -> Box | None:
        for zone in self._mat.zones:
            if zone.name == item.zone:
                return Box(*zone.rect.centre, zone.rect.w, zone.rect.h)
        return None


def arrow_of(one: Pointer, mat: Mat) -> Ends | None:
    """Return the ends of the arrow (mm) from a piece to its place, or over the nearest edge; None if it needs none."""
    box = one.source or one.target
    if not one.words or box is None or one.source == one.target:
        return None
    if one.source is not None and one.target is not None:
        return (one.source.x, one.source.y), (one.target.x, one.target.y)
    edges = [(box.x, -BEYOND), (box.x, mat.h + BEYOND), (-BEYOND, box.y), (mat.w + BEYOND, box.y)]
    beyond = min(edges, key=lambda edge: abs(edge[0] - box.x) + abs(edge[1] - box.y))
    return ((box.x, box.y), beyond) if one.source is not None else (beyond, (box.x, box.y))
