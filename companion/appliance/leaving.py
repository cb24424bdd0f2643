"""Empties what a broker keeps of a table that left it; where it has told is remembered in a file until then."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import msgspec

from companion.appliance.broker_settings import Broker
from companion.files import written_whole
from companion.referee.steady import Steady
from companion.text import t

log = logging.getLogger(__name__)

FILE = "told-at"
"""Only its owner may read it: it has passwords. It is no part of a backup, which may come to another box."""
PAUSE, SLOWEST = 2.0, 300.0
"""Seconds until a broker that can't be reached is tried again: twice as long each time, until the slowest."""


def remembered(folder: Path) -> list[Broker]:
    """Return where something of the table may be kept."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=list[Broker])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        log.warning("where the table has told is not readable: %s", error)
        return []


def _remember(folder: Path, told: list[Broker]) -> None:
    try:
        with written_whole(folder / FILE, 0o600) as file:
            file.write(msgspec.json.encode(told))
    except OSError as error:
        log.warning("where the table has told can't be kept: %s", error)


class Leaving:
    """Empties all brokers at which the table has told, but the one that it tells now. `start` it, and `close` it."""

    def __init__(self, folder: Path, now: Broker) -> None:
        self._folder, self._now = folder, now
        self._left = [one for one in remembered(folder) if not now.told or _at(one) != _at(now)]
        kept = [*self._left, now] if now.told else self._left
        if kept != remembered(folder):
            _remember(folder, kept)
        self._closed = threading.Event()
        self._thread = Steady("leaving", self._work, vital=False)

    @property
    def words(self) -> str:
        """What is not emptied yet, in a sentence; "" if all is."""
        for one in self._left:
            return t(
                "What {name} has told the broker at {address} is still kept there; it is taken back as soon as that "
                "broker answers and lets it in.",
                name=one.name,
                address=one.address,
            )
        return ""

    def start(self) -> None:
        """Begin, if there is anything to empty."""
        if self._left:
            self._thread.start()

    def close(self) -> None:
        """End; what is not emptied yet is remembered."""
        self._closed.set()
        self._thread.end()

    def _work(self) -> None:
        from companion.appliance.broker_link import emptied

        pause = PAUSE
        while self._left and not self._closed.is_set():
            for one in self._left[:]:
                # At the same broker by another address the table's own connection is ended, and tells all anew.
                own = self._now if self._now.told and self._now.name == one.name else one
                if not self._closed.is_set() and not emptied(one, own) and not self._closed.is_set():
                    self._left.remove(one)
                    _remember(self._folder, [*self._left, self._now] if self._now.told else self._left)
            self._closed.wait(pause)
            pause = min(SLOWEST, 2 * pause)


def _at(broker: Broker) -> tuple[str, str]:
    return broker.address, broker.name
