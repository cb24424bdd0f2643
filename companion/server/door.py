"""What comes from each network address, and how much of it: nobody's phone may crowd out the others."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

RATE, BURST = 20.0, 80.0
"""Requests that change something: so many a second from one address, so many at once."""
STREAMS = 24
"""Event streams from one address: a phone needs one. Whoever sits at the computer itself has no such bound."""
CONNECTIONS = 64
"""Connections from one address: a browser opens six. The computer itself has no such bound."""
REMEMBERED = 1000
"""Addresses that are remembered."""
WELCOME_LASTS = 12 * 3600.0
"""Seconds: so long a phone that was welcomed is told that all is well with this Wi-Fi."""


class Share:
    """How much of something each address has at the moment. Every method may be called from any thread."""

    def __init__(self, most: int) -> None:
        """Let an address have so much; whoever sits at the computer itself has no such bound."""
        self._most = most
        self._lock = threading.Lock()
        self._taken: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Count one more; refuse it if the address has its share already."""
        with self._lock:
            if self._taken.get(address, 0) >= self._most and not _here(address):
                return False
            self._taken[address] = self._taken.get(address, 0) + 1
            return True

    def leave(self, address: str) -> None:
        """Count one less."""
        with self._lock:
            left = self._taken.get(address, 0) - 1
            if left > 0:
                self._taken[address] = left
            else:
                self._taken.pop(address, None)


class Door:
    """Counts what comes from each address. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nobody known."""
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._streams = Share(STREAMS)
        self._welcomed: OrderedDict[str, float] = OrderedDict()

    def knocks(self, address: str) -> bool:
        """Count a request that changes something; tell whether the address still has a share left.

        Whoever sits at the computer itself has no bound.
        """
        if _here(address):
            return True
        with self._lock:
            now = self._clock()
            left, at = self._buckets.pop(address, (BURST, now))
            left = min(BURST, left + (now - at) * RATE)
            self._buckets[address] = (max(0.0, left - 1.0), now)
            while len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
            return left >= 1.0

    def enter(self, address: str) -> bool:
        """Count a stream; refuse it if the address has its share already."""
        return self._streams.enter(address)

    def leave(self, address: str) -> None:
        """Count a stream less."""
        self._streams.leave(address)

    def welcome(self, address: str) -> None:
        """Remember that whoever has this address knows where the table is."""
        with self._lock:
            self._welcomed[address] = self._clock()
            while len(self._welcomed) > REMEMBERED:
                self._welcomed.popitem(last=False)

    def welcomed(self, address: str) -> bool:
        """Tell whether an address was welcomed today."""
        with self._lock:
            at = self._welcomed.get(address)
            return at is not None and self._clock() - at < WELCOME_LASTS


def _here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
