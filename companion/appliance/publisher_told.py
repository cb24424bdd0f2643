"""What those who tell others of a table need to know of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Protocol

from companion.referee.snapshot import Snapshot
from companion.server.hall_api import Seating


class Told(Protocol):
    """The table, as far as anybody outside is told of it. Every method may be called from any thread."""

    @property
    def folder(self) -> Path:
        """Where its journal lies."""

    @property
    def title(self) -> str:
        """What its owner calls it."""

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Wait at most so many seconds for a newer snapshot, or newly choosing seats; return the newest."""

    def clock(self) -> float:
        """Return the people's time, by which snapshots say when a bid's time is up."""

    def robots(self) -> Collection[int]:
        """Return the seats that robots play."""

    def calls(self) -> str:
        """Return why the table calls for the host, in a sentence; "" if it does not."""

    def press(self, button: str) -> None:
        """Press one of the table's buttons."""

    def seated(self, seating: Seating | None) -> None:
        """Take in who is to play here, as the hall says; None: nobody is named."""
