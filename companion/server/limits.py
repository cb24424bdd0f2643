"""What comes from each network address, and how much of it: nobody's phone may crowd out the others."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RATE, BURST = 20.0, 80.0
"""Requests that change something: so many a second from one address, so many at once."""
STREAMS = 24
"""Event streams from one address: a phone needs one. Whoever sits at the computer itself has no such bound."""
CONNECTIONS = 64
"""Connections from one address: a browser opens six. The computer itself has no such bound."""
REMEMBERED = 1000
"""Addresses that are remembered."""
UPLOADS = 2
"""Photographs, and matches likewise, that are taken in at once, from one address one: each may be 12 MB in memory."""
COSTLY = 3
"""Pages, pictures and PDFs that take a second to make and are made at once, for one address one."""
PATIENCE_S = 10.0
"""Seconds that somebody waits for a costly page while others have theirs made."""
UPLOAD_PATIENCE_S = 4.0
"""Seconds that somebody waits with a photograph: a table full of people photographs its hands at the same moment."""
READ_PATIENCE_S = 10.0
"""Seconds that a photograph that has come waits until the one before it is read."""
LINK = "fe80::/10"
"""Addresses of one link only, which every machine on it makes for itself."""
WELCOME_LASTS = 12 * 3600.0
"""Seconds: so long a phone that was welcomed is told that all is well with this Wi-Fi."""


class Share:
    """How much of something each address has at the moment. Every method may be called from any thread.

    Addresses that one machine can give itself count as one (`machine`).
    """

    def __init__(self, most: int) -> None:
        """Let an address have so much; whoever sits at the computer itself has no such bound."""
        self._most = most
        self._lock = threading.Lock()
        self._taken: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Count one more; refuse it if the address has its share already."""
        with self._lock:
            one = machine(address)
            if self._taken.get(one, 0) >= self._most and not _here(address):
                return False
            self._taken[one] = self._taken.get(one, 0) + 1
            return True

    def leave(self, address: str) -> None:
        """Count one less."""
        with self._lock:
            one = machine(address)
            left = self._taken.get(one, 0) - 1
            if left > 0:
                self._taken[one] = left
            else:
                self._taken.pop(one, None)


class ConcurrencyLimit:
    """Something costly that few do at once, and each address once. Every method may be called from any thread."""

    def __init__(self, most: int, patience: float = 0.0) -> None:
        """Let so many do it at once; whoever finds all turns taken waits for one, at most `patience` seconds."""
        self._each = Share(1)
        self._all = threading.BoundedSemaphore(most)
        self._patience = patience

    @contextmanager
    def turn(self, address: str) -> Iterator[bool]:
        """Take a turn for as long as the block lasts; return whether there was one.

        An address that has one already gets no other, and does not wait: it would take the others' threads.
        """
        if not self._each.enter(address):
            yield False
            return
        try:
            if not self._all.acquire(timeout=self._patience):
                yield False
                return
            try:
                yield True
            finally:
                self._all.release()
        finally:
            self._each.leave(address)


class Limits:
    """Counts what comes from each address. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nobody known."""
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._streams = Share(STREAMS)
        self.photographs = ConcurrencyLimit(UPLOADS, UPLOAD_PATIENCE_S)
        self.reading = ConcurrencyLimit(1, READ_PATIENCE_S)
        self.imports = ConcurrencyLimit(UPLOADS, UPLOAD_PATIENCE_S)
        self.costly = ConcurrencyLimit(COSTLY, PATIENCE_S)
        self._welcomed: OrderedDict[str, float] = OrderedDict()

    def allow_request(self, address: str) -> bool:
        """Count a request that changes something; return whether the address still has a share left.

        Whoever sits at the computer itself has no bound.
        """
        if _here(address):
            return True
        with self._lock:
            one, now = machine(address), self._clock()
            left, at = self._buckets.pop(one, (BURST, now))
            left = min(BURST, left + (now - at) * RATE)
            self._buckets[one] = (max(0.0, left - 1.0), now)
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
        """Return whether an address was welcomed today."""
        with self._lock:
            at = self._welcomed.get(address)
            return at is not None and self._clock() - at < WELCOME_LASTS


def machine(address: str) -> str:
    """Return what an address is counted as, so that nobody has more by having more addresses.

    A machine gives itself as many IPv6 addresses as it likes: those of one /64 network are one, and so are all of
    fe80::/10. An IPv4 address that is written as IPv6 (::ffff:10.42.0.9) is itself.
    """
    found = _parsed(address)
    if found is None:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return LINK if found.is_link_local else str(ipaddress.IPv6Network((int(found), 64), strict=False))


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def _here(address: str) -> bool:
    found = _parsed(address)
    return found is not None and found.is_loopback
