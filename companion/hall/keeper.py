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
from companion.hall.messages import Seating, encode, topic
from companion.hall.settling import settle

log = logging.getLogger(__name__)

EVERY = 1.0
Publish = Callable[[str, bytes], None]
"""Sends a retained message to a topic."""


class Keeper:
    """A thread that looks every second; several consumers may have one each."""

    def __init__(self, database: str, publish: Publish, folder: Path | None = None) -> None:
        """Take the database's address, what sends a retained message, and the broker's folder if it may be written."""
        self._database, self._publish, self._folder = database, publish, folder
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="hall-keeper", daemon=True)
        self._told: dict[str, Seating | None] = {}

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join(10)

    def tell_all(self) -> None:
        """Say all seatings anew: the broker may have forgotten them."""
        self._told = {}

    def _work(self) -> None:
        connection: Connection | None = None
        while not self._stop.wait(EVERY):
            self._let_in()
            try:
                if connection is None or connection.closed:
                    connection = connect(self._database)
                while settle(connection) and not self._stop.is_set():
                    pass
                take_results(connection)
                self._seat(connection)
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

    def _seat(self, connection: Connection) -> None:
        wanted = seatings(connection)
        for table, seating in wanted.items():
            if table not in self._told or self._told[table] != seating:
                self._publish(topic(table, "seating"), b"" if seating is None else encode(seating))
                self._told[table] = seating
