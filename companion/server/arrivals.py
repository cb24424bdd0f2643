"""Which cards have just come to a seat: to its hand, as far as the table knows it, and to what lies open before it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.referee.snapshot import LogLine, Snapshot
from companion.rules.cards import Piece
from companion.rules.kernel import Seat

NONE: frozenset[Piece] = frozenset()


def arrived_open(snapshot: Snapshot, seat: Seat) -> frozenset[Piece]:
    """Return the open cards that the seat got by what it did last, or since; not those that it laid there itself."""
    found: frozenset[Piece] = NONE
    for line in reversed(snapshot.log):
        if not line.undone:
            came = (piece for one in line.changes if one.seat == seat for piece in one.came)
            found = found.union(came).difference(line.laid if line.seat == seat else ())
            if line.seat == seat:
                break
    return found


class Arrivals:
    """Compares the hands of one moment with those of the next. Cards are new until their seat has done something."""

    def __init__(self) -> None:
        """Begin without a match."""
        self._match = ""
        self._hands: dict[Seat, frozenset[Piece]] = {}
        self._new: dict[Seat, frozenset[Piece]] = {}
        self._did: dict[Seat, int] = {}

    def follow(self, snapshot: Snapshot, hands: Mapping[Seat, tuple[Piece, ...]]) -> dict[Seat, frozenset[Piece]]:
        """Return which cards of each hand are new. Where all are, as when they are dealt, none is."""
        if snapshot.match != self._match:
            self._match, self._hands, self._new, self._did = snapshot.match, {}, {}, {}
        for seat, hand in hands.items():
            last = _last_of(snapshot, seat)
            self._look(seat, frozenset(hand), last.n if last is not None else 0, _draws(last))
        found = {seat: self._new[seat] for seat in hands}
        return {seat: new for seat, new in found.items() if new and new != self._hands[seat]}

    def _look(self, seat: Seat, hand: frozenset[Piece], did: int, draws: bool) -> None:
        came = hand - self._hands[seat] if seat in self._hands else NONE
        # A card may be in the hand before the eye has understood that it was taken.
        kept = self._new.get(seat, NONE) if self._did.get(seat) == did or draws else NONE
        self._hands[seat], self._did[seat] = hand, did
        self._new[seat] = (kept | came) & hand


def _last_of(snapshot: Snapshot, seat: Seat) -> LogLine | None:
    """Find what a seat did last."""
    return next((line for line in reversed(snapshot.log) if line.seat == seat and not line.undone), None)


def _draws(line: LogLine | None) -> bool:
    """Return whether somebody got cards into the hand by what they did."""
    if line is None:
        return False
    parts = (part for one in line.changes if one.seat == line.seat for part in one.parts)
    return any(part.value > 0 and part.thing == "hand" for part in parts)
