"""Hears from the database what has changed, and tells the browsers: who is slow gets the newest, and skips the rest."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator

import psycopg

from companion.hall.database import CHANNEL, DatabaseError, connect

log = logging.getLogger(__name__)

GATHER = 0.03
"""Seconds in which notifications are gathered before they are told on."""
BEAT = 3.0
"""Seconds after which a stream says that it is still there; the page opens one anew that has been silent for 7 s."""
SLOWEST = 2.0
"""Seconds between tries to reach a database that is gone; they are jittered."""
EVERYTHING = "*"
"""What is said to have changed when notifications may have been missed."""


class Feed:
    """What has changed since when. One thread listens; any may wait."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._changed: dict[str, int] = {}
        self._version = 0
        self._boot = secrets.token_hex(4)
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="hall-feed", daemon=True)
        self.up = False
        """Whether the database can be heard."""

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """End, and let nobody wait any longer."""
        self._stop.set()
        with self._news:
            self._news.notify_all()

    @property
    def closing(self) -> bool:
        """Whether it ends."""
        return self._stop.is_set()

    def stamp(self, version: int | None = None) -> str:
        """Return what names a version, also after a restart."""
        return f"{self._boot}.{self._version if version is None else version}"

    def known(self, stamp: str) -> int:
        """Return the version that a stamp names; -1 if it is none of this run: then all may have changed."""
        boot, _, version = stamp.partition(".")
        return int(version) if boot == self._boot and version.isdecimal() and len(version) < 18 else -1

    def wait(self, since: int, seconds: float = BEAT) -> tuple[int, set[str]]:
        """Wait until something is newer than a version; return the newest and what has changed, nothing if in vain."""
        with self._news:
            if self._version <= since:
                self._news.wait(seconds)
            if since < 0:
                return self._version, {EVERYTHING}
            return self._version, {name for name, at in self._changed.items() if at > since}

    def _tell(self, names: set[str]) -> None:
        with self._news:
            self._version += 1
            for name in names:
                self._changed[name] = self._version
            self._news.notify_all()

    def _listen(self) -> None:
        pause = 0.2
        while not self._stop.is_set():
            try:
                with connect(self._database) as connection:
                    connection.autocommit = True
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.up, pause = True, 0.2
                    self._tell({EVERYTHING})
                    for names in self._heard(connection):
                        self._tell(names)
            except (psycopg.Error, DatabaseError) as error:
                if self.up:
                    log.warning("the database is gone, trying again: %s", f"{error}".strip())
                    self.up = False
                    self._tell({EVERYTHING})
                self._stop.wait(pause * (0.5 + secrets.randbelow(1000) / 1000))
                pause = min(SLOWEST, pause * 2)

    def _heard(self, connection: psycopg.Connection[object]) -> Iterator[set[str]]:
        """Yield what has changed, a moment's notifications at once."""
        while not self._stop.is_set():
            names = {note.payload for note in connection.notifies(timeout=1.0, stop_after=1)}
            if not names:
                continue
            until = time.monotonic() + GATHER
            while (left := until - time.monotonic()) > 0:
                names |= {note.payload for note in connection.notifies(timeout=left)}
            yield names


class Cards:
    """Tables' cards as HTML, each made once for each version and language, however many browsers look."""

    def __init__(self, make: Callable[[list[str] | None, str], dict[str, str]]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, frozenset[str], dict[str, str]]] = {}

    def __call__(self, version: int, names: set[str], language: str) -> dict[str, str]:
        """Return the cards of the tables among some names; all of them if everything has changed."""
        wanted = frozenset(names)
        with self._lock:
            kept = self._kept.get(language)
            if kept is None or kept[0] != version or kept[1] != wanted:
                made = self._make(None if EVERYTHING in names else sorted(names), language)
                kept = self._kept[language] = (version, wanted, made)
            return kept[2]
