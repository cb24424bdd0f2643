"""A simulated table that is lent for teaching: cleared, and cards without codes laid a dozen at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence

from companion.eye.mat import Mat
from companion.server.camera_api import SightError, TaughtCard
from companion.sim.performance import Performance
from companion.sim.sandbox import SharedTable
from companion.sim.table import Laid
from companion.table.camera_loop import CameraLoop
from companion.text import t

APART = 24.0
"""Millimetres between two cards, and from the markers: the width of a thumb."""
PATIENCE = 30.0
"""Seconds to wait for robots that are about something."""
FRAMES = 60
"""Pictures after which the eye is asked no more whether the table rests."""


class Loan:
    """What the demo lends: it keeps how the match lay, and puts it back. Robots wait, the match sees nothing."""

    def __init__(self, mat: Mat, table: SharedTable, performance: Performance, camera_loop: CameraLoop) -> None:
        """Lend nothing yet."""
        self._mat, self._table, self._performance, self._camera_loop = mat, table, performance, camera_loop
        self._kept: tuple[Laid, ...] | None = None

    @property
    def lent(self) -> bool:
        """Whether the table is lent."""
        return self._kept is not None

    def lay(self, cards: Sequence[TaughtCard], size: tuple[float, float], spare: str) -> None:
        """Clear the mat, and lay cards of this size (mm) in rows from the top left; a back is laid by a `spare` piece.

        Raises:
            SightError: if the robots don't come to an end.
        """
        if self._kept is None:
            self._performance.lent.set()
            until = time.monotonic() + PATIENCE
            while not self._performance.away or self._table.at_hand:
                if time.monotonic() > until:
                    self._performance.lent.clear()
                    raise SightError(t("The robots are still about something: try again in a moment."))
                self._camera_loop.next_frame(0.2)
            self._kept = self._table.pieces()
        self._table.clear()
        edge = self._mat.frame + APART
        across = int((self._mat.w - 2 * edge + APART) // (size[0] + APART))
        for number, card in enumerate(cards):
            down, right = divmod(number, across)
            x, y = edge + right * (size[0] + APART), edge + down * (size[1] + APART)
            piece = spare if card.side == "B" else card.piece
            self._table.put(piece, card.side.lower(), x + size[0] / 2, y + size[1] / 2)
        self._rest()

    def give_back(self) -> None:
        """Lay the match as it lay; nothing happens if nothing is lent."""
        if self._kept is None:
            return
        self._table.clear()
        for one in self._kept:
            self._table.put(one.piece, one.face, one.x, one.y, one.rotation)
        self._rest()
        self._kept = None
        self._performance.lent.clear()

    def _rest(self) -> None:
        for number in range(FRAMES):
            self._camera_loop.next_frame(0.5)
            if number > FRAMES // 6 and self._camera_loop.resting:
                return
