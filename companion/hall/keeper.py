"""What is done besides taking in: matches that are over are folded, pods get their results, tables their seatings."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from companion.hall.broker import BrokerError, let_in
from companion.hall.database import Connection, DatabaseError, connect
from companion.hall.events import seatings, take_results
from companion.hall.messages import AGAIN, Presence, Seating, encode, topic
from companion.hall.settling import settle

log = logging.getLogger(__name__)

EVERY = 1.0
SILENT = 2.5 * AGAIN
"""Seconds without a word after which a table is not there any more, though the broker still says so."""
Publish = Callable[[str, bytes], None]
"""Sends a retained message to a topic."""


class Keeper:
    """A thread that looks every second; several consumers may have one each."""

    def __init__(self, database: str, publish: Publish, folder: Path | None = None) -> None:
        self._database, self._publish, self._folder = database, publish, folder
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="hall-keeper", daemon=True)
        self._told: dict[str, Seating | None] = {}
        self._hears: float | None = None
        """Since when the broker and the database can be heard; None: they can't."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join(10)

    def tell_all(self) -> None:
        """Publish all seatings anew: the broker is there again, and may have forgotten them."""
        self._told = {}
        self._hears = time.monotonic()

    def broker_gone(self) -> None:
        """Judge no table by its silence as long as none can be heard."""
        self._hears = None

    def _work(self) -> None:
        connection: Connection | None = None
        while not self._stop.wait(EVERY):
            self._let_in()
            try:
                if connection is None or connection.closed:
                    connection = connect(self._database)
                    if self._hears is not None:
                        self._hears = time.monotonic()
                while settle(connection) and not self._stop.is_set():
                    pass
                take_results(connection)
                self._seat(connection)
                self._miss(connection)
            except (psycopg.OperationalError, DatabaseError):
                # The writer says so; here it is only tried again.
                connection = None
            except Exception:
                log.exception("results can't be worked out just now")
                if connection is not None:
                    connection.close()
                    connection = None
        if connection is not None:
            connection.close()

    def _let_in(self) -> None:
        if self._folder is not None:
            try:
                for name in let_in(self._folder, time.time()):
                    log.info("table %s may come again", name)
            except BrokerError as error:
                log.warning("nobody can be let in again: %s", error)

    def _miss(self, connection: Connection) -> None:
        """Publish for silent tables what the broker lost: it died with them, before their last will was told."""
        if self._hears is None or time.monotonic() - self._hears < SILENT:
            return
        gone = connection.execute(
            "SELECT name FROM tables WHERE online AND heard < now() - make_interval(secs => %s)", (SILENT,)
        ).fetchall()
        for (name,) in gone:
            self._publish(topic(name, "presence"), encode(Presence(online=False)))

    def _seat(self, connection: Connection) -> None:
        wanted = seatings(connection)
        for table, seating in wanted.items():
            if table not in self._told or self._told[table] != seating:
                self._publish(topic(table, "seating"), b"" if seating is None else encode(seating))
                self._told[table] = seating
