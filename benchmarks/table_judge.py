"""Compares the eye's views of one photograph with what is true of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from benchmarks.table_truth import Spot, TablePhoto, TruePiece, side_of, zone_at
from companion.eye.faces.asking import Doubt
from companion.eye.faces.deck import TaughtDeck
from companion.eye.mat import Mat
from companion.eye.places import CodeBook
from companion.eye.view import Placement, TableView

RESTED_S = 5.0
"""Seconds of rest after which no zone that nothing hides may count as covered."""
NEAR_MM = 5.0
"""A piece is placed if the eye puts it no further from where it lies."""
ELSEWHERE_MM = 25.0
"""Beyond this a placement is no inexact one: it says that something lies where it doesn't."""
LEAST_STRIP = 12.0
"""Width (mm) from which on what shows of a card without codes is counted."""


class Judge:
    """Judges the eye's views while one photograph is shown."""

    def __init__(
        self,
        photo: TablePhoto,
        mat: Mat,
        book: CodeBook,
        before: TableView | None,
        earlier: Mapping[str, list[Spot]],
        decks: Iterable[TaughtDeck] = (),
    ) -> None:
        """Create it with the last view `before` this photograph, and where pieces lay earlier in the sequence; of the
        taught `decks` it takes which pieces are copies of one face.
        """
        self._copies = {piece: face.pieces[0] for deck in decks for face in deck.faces for piece in face.pieces}
        self._mat, self._book, self._photo = mat, book, photo
        self._every = photo.pieces or ()
        # Of equal pieces on one place (a deck's backs) the visible one takes the placement.
        self.pieces = [piece for piece in self._every if self._counts(piece)]
        self._earlier = earlier
        self.wrong: dict[str, Placement] = {}
        self.empty: set[str] = set()
        self.covered: set[str] = set()
        self.held = frozenset(self._matched(before.placements)) if before is not None else frozenset()
        self.since: dict[int, float] = dict.fromkeys(self.held, 0.0)
        self._last = before
        self.settled: float | None = None
        """When (seconds) the table was first seen at rest."""
        self.doubts: Sequence[Doubt] = ()
        """What the eye asks in the end."""

    def _counts(self, piece: TruePiece) -> bool:
        return piece.visible if piece.shown is None else piece.shown.strip >= LEAST_STRIP

    def see(self, view: TableView | None, seconds: float) -> None:
        """Process the eye's view, this many seconds after the photograph was first shown."""
        if seconds >= RESTED_S:
            self.covered |= {zone.name for zone in self._mat.zones} if view is None else view.covered
        if view is None or view is self._last:
            return
        self._last = view
        if view.settled and self.settled is None:
            self.settled = seconds
        placed = self._matched(view.placements)
        for index in range(len(self.pieces)):
            if index in placed:
                self.since.setdefault(index, seconds)
            else:
                self.since.pop(index, None)
        self._find_wrong(view, settled=view.settled)
        if view.settled:
            self.empty |= self._emptied(view)

    def done(self) -> None:
        """Judge the last view as if it were settled; a card without a code that it has twice is wrong once."""
        if self._last is None:
            return
        self._find_wrong(self._last, settled=True)
        self.empty |= self._emptied(self._last)
        if not self._photo.coded:
            placements = self._last.placements
            pairs, near = self._pairs(self._every, placements, ELSEWHERE_MM)
            for number in near - {number for _, number in pairs}:
                at = placements[number]
                self.wrong[f"{at.piece} {'/'.join(sorted(at.faces))} in {at.zone} a second time"] = at

    def free(self) -> set[str] | None:
        """Return the zones of which nothing is hidden, None if the truth doesn't tell.

        A zone with a piece that shows without a visible code is none of them: the eye can't say what it is.
        """
        hidden = self._photo.hidden
        if hidden is None:
            return None
        unclear = {piece.zone for piece in self._every if piece.peeps}
        return {
            zone.name
            for zone in self._mat.zones
            if zone.kind != "tray" and not hidden.get(zone.name) and zone.name not in unclear
        }

    def off(self, piece: TruePiece) -> float | None:
        """Return how far (mm) the eye's last view puts a piece."""
        placements = self._last.placements if self._last is not None else ()
        return min((piece.off(placement) for placement in placements if self._same(piece, placement)), default=None)

    def _alike(self, piece: str, other: str) -> bool:
        return self._copies.get(piece, piece) == self._copies.get(other, other)

    def _same(self, piece: TruePiece, at: Placement) -> bool:
        shape = self._book.shapes[at.piece]
        sides = {side_of(shape, face) for face in at.faces}
        return self._alike(piece.piece, at.piece) and side_of(shape, piece.face) in sides

    def _matched(self, placements: Iterable[Placement]) -> set[int]:
        """Return the numbers of the pieces that are placed where they lie; a placement is one piece's only."""
        return {index for index, _ in self._pairs(self.pieces, placements, NEAR_MM)[0]}

    def _pairs(
        self, pieces: Sequence[TruePiece], placements: Iterable[Placement], within: float
    ) -> tuple[set[tuple[int, int]], set[int]]:
        """Return the numbers of pieces and their placements, each once, and of all placements near to a piece."""
        near = sorted(
            (off, index, number)
            for index, piece in enumerate(pieces)
            for number, at in enumerate(placements)
            if self._same(piece, at) and (off := piece.off(at)) <= within
        )
        pairs: dict[int, int] = {}
        for _, index, number in near:
            if index not in pairs and number not in pairs.values():
                pairs[index] = number
        return set(pairs.items()), {number for _, _, number in near}

    def _find_wrong(self, view: TableView, settled: bool) -> None:
        for at in view.placements:
            if any(self._same(piece, at) and piece.off(at) <= ELSEWHERE_MM for piece in self._every):
                continue
            lay = any(np.hypot(x - at.x, y - at.y) <= ELSEWHERE_MM for x, y in self._earlier.get(at.piece, []))
            # What lay there earlier goes from the view once its place is seen without it.
            if lay and (not settled or at.zone in view.covered):
                continue
            self.wrong.setdefault(f"{at.piece} {'/'.join(sorted(at.faces))} in {at.zone}", at)

    def _emptied(self, view: TableView) -> set[str]:
        """Return the zones in which a view has nothing, not even that something is covered, though a visible piece lies
        well inside.
        """
        taken = {at.zone for at in view.placements} | view.covered
        return {
            piece.zone
            for piece in self.pieces
            if piece.zone is not None and piece.zone not in taken and self._deep(piece)
        }

    def _deep(self, piece: TruePiece) -> bool:
        """Whether a piece lies so far inside its zone that a placement of it can't be beyond the zone's edge."""
        return all(
            zone_at(self._mat, x + dx, y + dy) == piece.zone
            for x, y in piece.spots or ((piece.x, piece.y),)
            for dx in (-NEAR_MM, NEAR_MM)
            for dy in (-NEAR_MM, NEAR_MM)
        )

    def asked(self, piece: TruePiece) -> tuple[str, ...]:
        """Return the names that the eye offers if it asks which piece this is."""
        here = (doubt.pieces for doubt in self.doubts if self._nearest(doubt.pose.x, doubt.pose.y) is piece)
        return tuple(piece.piece if self._alike(name, piece.piece) else name for name in next(here, ()))

    def misnamed(self, piece: TruePiece) -> tuple[str, ...]:
        """Return what any view said that lies there instead of a piece."""
        return tuple(name for name, at in self.wrong.items() if self._nearest(at.x, at.y) is piece)

    def _nearest(self, x: float, y: float) -> TruePiece | None:
        """Return the piece that shows and lies nearest to a place (mm), if one lies there."""
        near = ((math.dist((piece.x, piece.y), (x, y)), index) for index, piece in enumerate(self.pieces))
        off, index = min(near, default=(math.inf, -1))
        return self.pieces[index] if off <= ELSEWHERE_MM else None
