"""What people said about single places: it counts instead of the eye's reading until a hand comes there.

It stands between eye and match: the eye goes on seeing what it sees, and the match gets table views put right.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable

import msgspec

from companion.codes import BACK
from companion.eye.view import BLINDING, Placement, TableView

PLACE_MM = 8.0
"""Readings whose middle is this near to a told place are of what lies there: strips that stick out are 20 mm apart."""
BESIDE_MM = 60.0
"""The same for what arrives beside all zones, where nobody tells which place a hand touched."""


class Correction(msgspec.Struct, frozen=True):
    """What somebody said: at a place (mm) of a zone (None: beside all) lies `what` (None: nothing).

    `known` is the newest arrival when it was said; `armed` is False while the hand that was there then has not gone.
    """

    n: int
    x: float
    y: float
    zone: str | None
    what: Placement | None
    known: int
    armed: bool

    def at(self, x: float, y: float, reach: float = PLACE_MM) -> bool:
        """Return whether a point (mm) is at the corrected place."""
        return math.hypot(x - self.x, y - self.y) <= reach


class Overrides:
    """Corrects table views by what people said. Every method may be called from any thread."""

    def __init__(self, see: Callable[[TableView], None]) -> None:
        self._see = see
        self._lock = threading.Lock()
        self._corrections: tuple[Correction, ...] = ()
        self._count = 0
        self._last: TableView | None = None

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """What was said and still counts, the oldest first."""
        return self._corrections

    @property
    def view(self) -> TableView | None:
        """The last view, corrected; None before the first."""
        last = self._last
        return None if last is None else applied(last, self._corrections)

    def elsewhere(self, piece: str, x: float, y: float) -> Placement | None:
        """Return where the eye itself sees a piece, if that is another place than this one (mm)."""
        last, here = self._last, Correction(0, x, y, None, None, 0, True)
        seen = last.placements if last is not None and piece != BACK else ()
        return next((one for one in seen if one.piece == piece and not here.at(one.x, one.y)), None)

    def see(self, view: TableView) -> None:
        """Take what the eye sees."""
        with self._lock:
            self._corrections = tuple(kept for one in self._corrections if (kept := _after(one, view)) is not None)
            self._last = view
            self._see(applied(view, self._corrections))

    def tell(self, x: float, y: float, zone: str | None, what: Placement | None) -> Correction:
        """Take what lies at a place (mm), instead of anything said of it before; None: nothing lies there."""
        with self._lock:
            view = self._last or TableView(0, 0.0, ())
            self._count += 1
            known = max((one.order for one in view.placements), default=0)
            told = Correction(self._count, x, y, zone, what, known, view.settled or zone not in view.touched)
            piece = what.piece if what is not None and what.piece != BACK else None
            # A card lies at one place: who says where it is has changed their mind about where it was.
            rest = [
                one
                for one in self._corrections
                if not one.at(x, y) and (piece is None or one.what is None or one.what.piece != piece)
            ]
            self._corrections = (*rest, told)
            self._again()
        return told

    def forget(self, n: int) -> bool:
        """Let the eye's own reading count again; False if nothing of that number counts any more."""
        with self._lock:
            rest = tuple(one for one in self._corrections if one.n != n)
            there = len(rest) < len(self._corrections)
            self._corrections = rest
            if there:
                self._again()
        return there

    def _again(self) -> None:
        """Hand the last view on once more; what was touched before it is known already."""
        if self._last is None:
            return
        view = applied(self._last, self._corrections)
        self._see(msgspec.structs.replace(view, touched=frozenset()) if view.settled else view)


def _after(one: Correction, view: TableView) -> Correction | None:
    """Return a correction as it stands after another view; None if it no longer counts."""
    piece = one.what.piece if one.what is not None else BACK
    for placement in view.placements:
        if placement.order > one.known:
            if placement.piece == piece != BACK and not one.at(placement.x, placement.y):
                return None
            if one.zone is None and one.at(placement.x, placement.y, BESIDE_MM):
                return None
    if one.zone in view.touched and one.armed:
        return None
    return msgspec.structs.replace(one, armed=True) if view.settled and not one.armed else one


def applied(view: TableView, told: tuple[Correction, ...]) -> TableView:
    """Correct a view: what was said stands in it, and at those places nothing else."""
    if not told:
        return view
    placements = list(view.placements)
    sure = set()
    for one in told:
        what = one.what
        placements = [
            there
            for there in placements
            if not (there.zone == one.zone and one.at(there.x, there.y))
            and (what is None or what.piece == BACK or there.piece != what.piece)
        ]
        if what is not None:
            placements.append(what)
        if one.zone is not None and (view.settled or one.zone not in view.touched):
            sure.add(one.zone)
    blind = any(trouble.kind in BLINDING for trouble in view.troubles)
    covered = view.covered if blind else view.covered - sure
    return msgspec.structs.replace(view, placements=tuple(placements), covered=covered)
