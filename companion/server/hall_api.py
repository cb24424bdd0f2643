"""What the server needs to know of a hall that its table tells of: whom the table calls, who is to play here."""

from __future__ import annotations

from typing import Protocol

import msgspec

from companion.rules.kernel import Seat


class Seating(msgspec.Struct, frozen=True):
    """Who is to play at this table, in which round of which event."""

    event: str
    round: int
    game: str
    names: tuple[str, ...]


class HallService(Protocol):
    """The hall as its table sees it. Every method may be called from any thread."""

    @property
    def told(self) -> bool:
        """Whether the table tells a hall anything: else nobody would hear a call."""

    @property
    def seating(self) -> Seating | None:
        """Who is to play here, if the hall has said so."""

    @property
    def calling(self) -> tuple[Seat, ...]:
        """The seats that call for the host, the first to call first."""

    def words(self) -> str:
        """Return what is wrong with telling, in a sentence; "" if nothing is."""

    def call(self, seat: Seat, wanted: bool) -> None:
        """Call for the host, or take the call back; seat 0 takes all calls back."""


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
