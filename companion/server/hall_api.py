"""What the server needs to know of a hall that its table tells of: whom the table calls, who is to play here."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from companion.rules.kernel import TABLE, Seat


class Seating(msgspec.Struct, frozen=True):
    """Who is to play at this table, in which round of which event."""

    event: str
    round: int
    game: str
    names: tuple[str, ...]


class HallDesk:
    """The hall as its table sees it. Every method may be called from any thread."""

    def __init__(self) -> None:
        """Begin without a hall."""
        self._lock = threading.Lock()
        self.calling: tuple[Seat, ...] = ()
        """The seats that call for the host, the first to call first."""
        self.seating: Seating | None = None
        """Who is to play here, if the hall has said so."""
        self.told = False
        """Whether anybody outside is told of this table."""
        self.words: Callable[[], str] = str
        """Gives what is wrong with telling, in a sentence; "" if nothing is."""

    def call(self, seat: Seat, wanted: bool) -> None:
        """Call for the host, or take the call back; seat 0 takes all calls back."""
        with self._lock:
            others = tuple(one for one in self.calling if seat not in (TABLE, one))
            self.calling = (*others, seat) if wanted and seat != TABLE else others


class HallChosen(msgspec.Struct, frozen=True, kw_only=True):
    """What the owner chooses of whom the table tells; an empty `password` leaves the one that is kept.

    `names` is how people's names are told: "full", "initials" or "colours".
    """

    address: str = ""
    on: bool = True
    tls: bool = False
    name: str = ""
    password: str = ""
    ca: str = ""
    names: str = "initials"
    home_assistant: bool = False
    buttons: bool = False
    webhook: str = ""
