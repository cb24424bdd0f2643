"""How much of the hall a table may have: so that one that sends without end does not drown the rest."""

from __future__ import annotations

import time
from collections.abc import Callable

RATE = 100.0
"""Tokens a second. A table that is played at sends one record in ten seconds, and snapshots twice a second at most."""
BURST = 1500.0
"""Tokens that gather: one that comes back after a week sends 64 kB, 17 tokens, ninety times before it has to wait."""
SHOUTS, FADES = 1000, 0.8
"""Dropped messages, of which a fifth is forgotten each second; a table that catches up has six on their way."""
BYTES = 4096
"""A message costs one token, and another for every so many bytes."""


class Quota:
    """A bucket of tokens for each table. One thread counts, one asks what was dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        self._dropped: dict[str, int] = {}
        self._shouts: dict[str, float] = {}

    def allow(self, table: str, size: int) -> bool:
        """Count a message of so many bytes; return whether the table may send it. One that may not is only counted."""
        now = self._clock()
        left, at = self._left.get(table, (BURST, now))
        left = min(BURST, left + (now - at) * RATE)
        cost = 1 + size // BYTES
        if left < cost:
            self._left[table] = (left, now)
            self._dropped[table] = self._dropped.get(table, 0) + 1
            return False
        self._left[table] = (left - cost, now)
        return True

    @property
    def any_dropped(self) -> bool:
        """Whether something was dropped since `dropped` was asked last."""
        return bool(self._dropped)

    def dropped(self) -> dict[str, int]:
        """Return how many messages of which table were dropped since this was asked last."""
        found, self._dropped = self._dropped, {}
        self._shouts = {
            name: count
            for name in {*self._shouts, *found}
            if (count := self._shouts.get(name, 0.0) * FADES + found.get(name, 0)) >= 1
        }
        return found

    def shouting(self) -> list[str]:
        """Return the tables of which so much was dropped lately that it is no mistake; each once."""
        loud = [name for name, count in self._shouts.items() if count >= SHOUTS]
        for name in loud:
            del self._shouts[name]
        return loud
