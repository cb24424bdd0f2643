"""What the server needs to know of a table's settings: what is settled, and that it be kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from companion.server.hall_api import HallChosen


class SettingsError(Exception):
    """Settings that don't fit; the message is one sentence that says what to do, `field` the one it is about."""

    def __init__(self, message: str, field: str = "") -> None:
        """Create it with the reason."""
        super().__init__(message)
        self.field = field


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What is settled of any table. `record` is in minutes (0: none); `bid_seconds` None: as in the match before.

    `language` is the table's: of the little screen, of printed pages, of phones that ask for none of ours (empty:
    English). `voice` is how much the box says aloud, as `companion.referee.aloud.Line.level` counts; 0: nothing.
    """

    name: str = ""
    language: str = ""
    muted: bool = False
    voice: int = 0
    bid_seconds: int | None = None
    record: int = 0


class Chosen(Settled, frozen=True, kw_only=True):
    """What the owner chooses.

    `camera` is its kind ("find", "named", "none", "simulated"), where it is, its size ("1280x720") and the frequency of
    the lamps ("50", "60", "0"); empty is as usual. None where the command line names it.
    """

    camera: tuple[str, str, str, str] | None = None
    upside_down: bool = False


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What is settled, and what there is to settle: a buzzer, a display; `boxed`: camera and PIN are kept.

    `speaks`: the box has a program that speaks.
    """

    chosen: Chosen
    buzzer: bool
    display: bool
    boxed: bool
    speaks: bool


class Owner(Protocol):
    """One table's settings. Every method may be called from any thread.

    What does not fit or can't be kept raises a SettingsError, and nothing is changed then.
    """

    recording: float
    """How many of the last minutes of the camera's pictures are kept at this moment; 0: none."""

    @property
    def now(self) -> Settled:
        """What is settled at this moment."""

    def view(self) -> View:
        """Show what is settled."""

    def keep(self, chosen: Chosen) -> bool:
        """Check and keep what was chosen; return whether some of it counts from the next start on."""

    def hall(self) -> HallChosen:
        """Show whom the table tells what it plays, without the password."""

    def keep_hall(self, chosen: HallChosen) -> None:
        """Check and keep whom the table tells; it counts at once."""

    def keep_pin(self, pin: str, checked: Callable[[], None] = lambda: None) -> str:
        """Check and keep a new PIN, and call `checked` in between; return what `Keys.change_pin` is to know."""
