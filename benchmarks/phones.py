"""Many phones at one table: how long an action takes from a player's tap to the last of them.

One thread reads all phones' streams, so that measuring takes little from what is measured.
"""

from __future__ import annotations

import http.client
import selectors
import socket
import time
import urllib.parse
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import msgspec

from benchmarks.phone_table import plan
from companion.bench.figures import BenchError, Figure, Row, Section, at_most, median, optional, percentile
from companion.bench.processes import HOST, Running, free_port, memory_mb, serving
from companion.rules.kernel import Action, Facts, Seat
from companion.server.context import seat_cookie


class LoadError(Exception):
    """The phones could not be connected, or did not hear anything; the message says how many."""


class Phones(msgspec.Struct, frozen=True):
    """The measured times: milliseconds from the event until a phone has read it.

    `last` are, for each event, the times of the last phone; `all_` all times of all phones.
    """

    phones: int
    events: int
    last: tuple[float, ...]
    all_: tuple[float, ...]
    bytes_a_phone: float


def phones(
    host: str,
    port: int,
    happen: Callable[[], None],
    *,
    count: int = 200,
    events: int = 10,
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
    lines = ["GET /events/public HTTP/1.1", f"Host: {host}:{port}", "Accept: text/event-stream"]
    asked = ("\r\n".join(lines) + "\r\n\r\n").encode()
    try:
        for _ in range(count):
            phone = socket.create_connection((host, port), timeout=patience)
            open_.append(phone)
            phone.sendall(asked)
            phone.setblocking(False)
            selector.register(phone, selectors.EVENT_READ)
        heard, size = _read_events(selector, count, patience)
        if len(heard) < count:
            raise LoadError(f"only {len(heard)} of {count} phones were let in")
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
        return Phones(count, events, tuple(last), tuple(every), size / count / max(1, events))
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


SEATS = 8
PAUSE = 0.12
"""Seconds between one event's having reached all phones and the next."""
LIMIT_MS, LIMIT_MB, TARGET = 250.0, 250.0, 200
"""design.md, "Budgets": 200 phones on one process."""


class Players:
    """The phones of those who play: they hold all the seats, and send one action after another."""

    def __init__(self, port: int, actions: Sequence[tuple[Action, Facts]], seats: int = SEATS) -> None:
        """Join every seat; `actions` will be sent in this order; BenchError if a seat is refused."""
        self._port = port
        self._actions = list(actions)
        self._sent: http.client.HTTPConnection | None = None
        cookies = []
        for seat in range(1, seats + 1):
            asking = http.client.HTTPConnection(HOST, port, timeout=20)
            form = urllib.parse.urlencode({"name": f"Player {seat}", "seat": seat})
            asking.request("POST", "/join", form, {"Content-Type": "application/x-www-form-urlencoded"})
            answer = asking.getresponse()
            answer.read()
            asking.close()
            if answer.status != 303:
                raise BenchError(f"seat {seat} could not be taken: the server answered {answer.status}")
            cookies += [cookie.split(";")[0] for cookie in answer.headers.get_all("Set-Cookie", [])]
        self._cookies = "; ".join(cookies)

    def cookies(self, seat: Seat) -> list[dict[str, str]]:
        """Return the cookies of one seat's phone, as a browser takes them."""
        pairs = [cookie.split("=", 1) for cookie in self._cookies.split("; ")]
        of_seat = [(name, value) for name, value in pairs if name == seat_cookie(seat)]
        return [{"name": name, "value": value, "url": f"http://{HOST}:{self._port}"} for name, value in of_seat]

    def act(self) -> None:
        """Send the next action without waiting for the answer: the other phones are measured.

        Raises:
            BenchError: if the one before was refused.
        """
        self.finish()
        action, facts = self._actions.pop(0)
        self._send({"do": "play", "seat": action.seat, "action": action, "facts": facts})

    def _send(self, wish: dict[str, object]) -> None:
        self._sent = http.client.HTTPConnection(HOST, self._port, timeout=20)
        headers = {"Cookie": self._cookies, "Content-Type": "application/json", "X-Companion": "1"}
        self._sent.request("POST", "/command", msgspec.json.encode(wish), headers)

    def finish(self) -> None:
        """Read the answer to what was sent last; BenchError if it was refused."""
        if self._sent is None:
            return
        answer = self._sent.getresponse()
        said = answer.read()
        self._sent.close()
        self._sent = None
        if answer.status != 200:
            raise BenchError(f"an action was refused: {said.decode('utf-8', 'replace')[:200]}")


def measure(counts: Sequence[int] = (1, 50, 200), events: int = 100, turns: int = 3) -> Section:
    """Measure a number of phones on one server; and a table's phones in `turns` without and with a thinking robot."""
    rows: list[Row] = []
    notes: list[str] = []
    for count in counts:
        with table_of_phones() as running:
            rows += _rows(running, count, events)
    rows += _beside_a_robot(turns, events) if turns else []
    if optional("psutil") is None:
        notes.append("psutil is not installed (pip install psutil): memory was not measured.")
    notes.append(
        "From the moment a player's phone sends an action until the others have read what it changed: rules, the "
        "journal's fsync and the pages' new parts included. Server and phones share the cores; a new server each row."
    )
    return Section(tuple(rows), tuple(notes))


def _beside_a_robot(turns: int, events: int) -> list[Row]:
    """Return the same phones without a robot and with one whose search never ends, one after the other in turns."""
    times: dict[str, list[float]] = {"": [], "collectors": []}
    for _ in range(turns):
        for thinks, found in times.items():
            with table_of_phones("", thinks) as running:
                players = Players(running.port, plan(SEATS, events))
                found += phones(HOST, running.port, players.act, count=SEATS, events=events, pause=PAUSE).all_
                players.finish()
    alone, beside = (percentile(found, 0.95) for found in times.values())
    figures: dict[str, Figure] = {"p95_ms": beside, "p50_ms": median(times["collectors"])}
    return [
        Row(f"{SEATS} phones, no robot", {"p95_ms": alone, "p50_ms": median(times[""])}),
        Row(
            f"{SEATS} phones, a robot thinks",
            figures,
            at_most("p95 at most 1.1 times that without", beside / alone, 1.1),
        ),
    ]


def table_of_phones(*pin: str) -> AbstractContextManager[Running]:
    """Context manager of a table in a process of its own, with the host's PIN if it has to be known."""
    port = free_port()
    return serving(["-m", "benchmarks.phone_table", str(port), str(SEATS), *pin], port)


def _rows(running: Running, count: int, events: int) -> list[Row]:
    players = Players(running.port, plan(SEATS, events))
    try:
        found = phones(HOST, running.port, players.act, count=count, events=events, pause=PAUSE)
    except LoadError as error:
        raise BenchError(f"{error}") from None
    players.finish()
    used = memory_mb(running.pid)
    slowest = percentile(found.last, 0.99)
    figures: dict[str, Figure] = {
        "p50_ms": percentile(found.all_, 0.5),
        "p99_ms": percentile(found.all_, 0.99),
        "last_p50_ms": median(found.last),
        "last_p99_ms": slowest,
        "memory_mb": used,
        "kb_an_event": found.bytes_a_phone / 1000,
        "events": events,
    }
    words = f"{count} phone{'s' if count > 1 else ''}"
    if count < TARGET:
        return [Row(words, figures)]
    rows = [Row(words, figures, at_most("the last one within 250 ms (p99)", slowest, LIMIT_MS, " ms"))]
    if used is not None:
        limit = at_most("under 250 MB", used, LIMIT_MB, " MB")
        rows.append(Row(f"the server's memory with {words}", {"memory_mb": used}, limit))
    return rows
