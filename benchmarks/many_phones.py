"""Plays many phones: opens event streams, makes something happen, and measures when the last phone hears of it.

Used by `python -m benchmarks phones`. One thread reads all streams, so that measuring takes little from what is
measured.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable

import msgspec


class LoadError(Exception):
    """The phones could not be connected, or did not hear anything; the message says how many."""


class Phones(msgspec.Struct, frozen=True):
    """The measured times: milliseconds from the event until a phone has read it.

    `last` are, for each event, the times of the last phone; `all_` all times of all phones.
    """

    phones: int
    events: int
    connect_ms: float
    last: tuple[float, ...]
    all_: tuple[float, ...]
    bytes_a_phone: float

    def percentile(self, part: float) -> float:
        """Return a percentile of all times (ms)."""
        times = sorted(self.all_)
        return times[min(len(times) - 1, int(part * len(times)))]


def phones(
    host: str,
    port: int,
    happen: Callable[[], None],
    *,
    count: int = 200,
    events: int = 10,
    audience: str = "public",
    cookie: str = "",
    pause: float = 0.25,
    period: float = 0.0,
    patience: float = 10.0,
) -> Phones:
    """Connect phones to a running server, call `happen` to change the match, and return the times.

    `pause` seconds lie between one event's having reached all and the next; with a `period` it is so many seconds from
    event to event instead, and what came late is caught up with. Every connection is closed at the end, however it
    ends. `happen` must change what the audience sees.

    Raises:
        LoadError: if not all phones connect, or one does not hear of an event within `patience` seconds.
    """
    selector = selectors.DefaultSelector()
    open_: list[socket.socket] = []
    lines = [f"GET /events/{audience} HTTP/1.1", f"Host: {host}:{port}", "Accept: text/event-stream"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    asked = ("\r\n".join(lines) + "\r\n\r\n").encode()
    try:
        began = time.perf_counter()
        for _ in range(count):
            phone = socket.create_connection((host, port), timeout=patience)
            open_.append(phone)
            phone.sendall(asked)
            phone.setblocking(False)
            selector.register(phone, selectors.EVENT_READ)
        heard, size = _read_events(selector, count, patience)
        if len(heard) < count:
            raise LoadError(f"only {len(heard)} of {count} phones were let in")
        connected = (max(heard.values()) - began) * 1000
        last: list[float] = []
        every: list[float] = []
        size = 0
        begun = time.perf_counter()
        for n in range(events):
            time.sleep(max(0.0, begun + n * period - time.perf_counter()) if period else pause)
            at = time.perf_counter()
            happen()
            heard, read = _read_events(selector, count, patience)
            if len(heard) < count:
                raise LoadError(f"{count - len(heard)} of {count} phones heard nothing for {patience:g} seconds")
            size += read
            every += [(then - at) * 1000 for then in heard.values()]
            last.append((max(heard.values()) - at) * 1000)
        return Phones(count, events, connected, tuple(last), tuple(every), size / count / max(1, events))
    finally:
        selector.close()
        for phone in open_:
            phone.close()


def _read_events(selector: selectors.BaseSelector, count: int, patience: float) -> tuple[dict[int, float], int]:
    """Read until every stream has a whole event; return when each had (by file number), and the bytes read."""
    heard: dict[int, float] = {}
    tails: dict[int, bytes] = {}
    size = 0
    end = time.perf_counter() + patience
    while len(heard) < count and (left := end - time.perf_counter()) > 0:
        for key, _ in selector.select(left):
            try:
                chunk = key.fileobj.recv(65536)  # type: ignore[union-attr]
            except BlockingIOError:
                continue
            if not chunk:
                selector.unregister(key.fileobj)
                continue
            size += len(chunk)
            # Chunked encoding puts a line break after each event's own two.
            tail = tails[key.fd] = (tails.get(key.fd, b"") + chunk)[-65536:]
            if b"event: parts" in tail and tail.endswith(b"\n\n\r\n"):
                heard.setdefault(key.fd, time.perf_counter())
    return heard, size
