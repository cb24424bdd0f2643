"""Begins and ends what tells others of a table, as its owner settles it; nothing of it is loaded unless wanted."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from companion.appliance.broker_settings import Broker
from companion.appliance.leaving import Leaving
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Seat
from companion.server.hall_api import Seating
from companion.table.session import SimulatedSession
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.appliance.publisher import Publisher
    from companion.appliance.webhooks import Webhooks

log = logging.getLogger(__name__)


class ReportedTable:
    """A table, as far as anybody outside is told of it: a `companion.appliance.publisher.Told`."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table = table
        self.folder = folder

    @property
    def title(self) -> str:
        """What its owner calls it."""
        return self._table.owner.now.name if self._table.owner is not None else ""

    def wait(self, version: int, timeout: float) -> Snapshot:
        """Wait at most so many seconds for a newer snapshot, or newly choosing seats; return everybody's newest."""
        snapshot = self._table.wait(version, timeout)
        return self._table.session.shown(snapshot)

    def clock(self) -> float:
        """Return the people's time."""
        return self._table.match.clock()

    def robots(self) -> Collection[Seat]:
        """Return the seats that robots play."""
        session = self._table.session
        if isinstance(session, SimulatedSession):
            seats = range(1, session.match.header.seats + 1)
            return [seat for seat in seats if seat not in session.performance.persons]
        return list(self._table.stand_ins.there())

    def calls(self) -> str:
        """Return why the table calls for the host, in a sentence; "" if it does not."""
        if calling := self._table.hall.calling:
            seats = " and ".join(f"{seat}" for seat in calling)
            return f"Seat {seats} calls the host." if len(calling) == 1 else f"Seats {seats} call the host."
        return next(iter(self._table.stopped()), "")

    def press(self, button: str) -> None:
        """Press one of the table's buttons."""
        self._table.press(button)

    def seated(self, seating: Seating | None) -> None:
        """Take in who is to play here."""
        self._table.hall.seating = seating


class Reporter:
    """Tells a broker and a webhook of a table, or nobody. `apply` what is settled, and `close` it in the end."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table = table
        self._told = ReportedTable(table, folder)
        self._lock = threading.Lock()
        self._publisher: Publisher | None = None
        self._webhooks: Webhooks | None = None
        self._leaving: Leaving | None = None
        table.hall.words = lambda: self.words

    @property
    def words(self) -> str:
        """What is wrong, in a sentence; "" if nothing is."""
        parts = self._publisher, self._webhooks, self._leaving
        return next((words for words in (one.words for one in parts if one is not None) if words), "")

    def apply(self, broker: Broker, webhook: str) -> None:
        """Report to whom the settings name from now on."""
        with self._lock:
            self._end()
            self._leaving = Leaving(self._told.folder, broker)
            self._leaving.start()
            if broker.told:
                from companion.appliance.publisher import Publisher

                self._publisher = Publisher(self._told, broker)
                self._publisher.start()
            if webhook:
                from companion.appliance.webhooks import Webhooks

                self._webhooks = Webhooks(self._told, webhook, broker)
                self._webhooks.start()
            self._table.hall.told = broker.told

    def _end(self) -> None:
        for one in (self._publisher, self._webhooks, self._leaving):
            if one is not None:
                one.close()
        self._publisher = self._webhooks = self._leaving = None
        self._table.hall.seating = None

    def close(self) -> None:
        """End all reports."""
        with self._lock:
            self._end()
