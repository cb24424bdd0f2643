"""What the people at a table have to do with its hall: they call for the host, and read who is to play here."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.rules.kernel import TABLE, Seat
from companion.server.hall_api import Seating


class HallDesk:
    """It is a `companion.server.hall_api.HallService`, and empty at a table that tells nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calling: tuple[Seat, ...] = ()
        self.seating: Seating | None = None
        """Who is to play here, if the hall has said so."""
        self.told = False
        """Whether anybody outside is told of this table."""
        self.words: Callable[[], str] = str
        """Gives what is wrong with telling, in a sentence; "" if nothing is."""

    @property
    def calling(self) -> tuple[Seat, ...]:
        """The seats that call for the host, the first to call first."""
        return self._calling

    def call(self, seat: Seat, wanted: bool) -> None:
        """Call for the host, or take the call back; seat 0 takes all calls back."""
        with self._lock:
            others = tuple(one for one in self._calling if seat not in (TABLE, one))
            self._calling = (*others, seat) if wanted and seat != TABLE else others
