"""Calls an address on a turn, on a violation and at the end of a match: a POST of JSON with a sentence.

In a thread of its own: nothing is queued or sent again, so that a slow receiver misses what happens meanwhile.
"""

from __future__ import annotations

import http.client
import logging
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import msgspec

from companion.appliance.broker_settings import NAMINGS, Broker, Naming
from companion.appliance.public import PublicTable, snapshot_told
from companion.hall.messages import Snapshot
from companion.referee.steady import Steady
from companion.rules.kernel import View
from companion.text import plain, t

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds that the receiver has for an answer."""
LOOK = 1.0
"""Seconds between two looks at a table at which nothing happens."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What the address is sent: `event` is "turn", "violation" or "end", `text` says it in a sentence."""

    event: str
    text: str
    table: str
    match: str | None
    seat: int | None = None
    name: str = ""
    colour: str = ""


def events(before: Snapshot | None, now: Snapshot, table: str) -> Iterator[Event]:
    """Yield what has happened between two snapshots that anybody is told of; before the first nothing has."""
    if before is None or before.match != now.match:
        return
    named = {one.seat: one for one in now.seats}
    if now.over and not before.over:
        yield Event(event="end", text=now.text, table=table, match=now.match)
    elif now.turn is not None and now.turn != before.turn and not now.over:
        seat = named[now.turn]
        yield Event(
            event="turn",
            text=now.text,
            table=table,
            match=now.match,
            seat=seat.seat,
            name=seat.name,
            colour=seat.colour,
        )
    if now.violation and now.violation != before.violation:
        yield Event(event="violation", text=now.violation, table=table, match=now.match)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: the owner has named one address."""

    def redirect_request(self, *given: object) -> None:
        """Return no further request."""


class Webhooks:
    """Watches a table and calls an address. `start` it, and `close` it."""

    def __init__(self, told: PublicTable, address: str, settings: Broker) -> None:
        self._told, self._address = told, address
        self._naming: Naming = next((one for one in NAMINGS if one == settings.names), "colours")
        self._closed = threading.Event()
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
        self.words = ""
        """What is wrong, in a sentence; "" if nothing is."""
        self.seen = 0
        """Snapshots that were looked at."""
        self._thread = Steady("webhook", self._work, vital=False)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closed.set()
        self._thread.end(PATIENCE + LOOK)

    def _work(self) -> None:
        before: Snapshot | None = None
        seen: tuple[int, tuple[View, ...]] = (-1, ())
        while not self._closed.is_set():
            snapshot = self._told.wait(seen[0], LOOK)
            if (snapshot.version, snapshot.views[:1]) == seen:
                continue
            seen = snapshot.version, snapshot.views[:1]
            now = snapshot_told(snapshot, self._naming, (), self._told.clock())
            for event in events(before, now, self._told.title):
                self._call(event)
            before = now
            self.seen += 1

    def _call(self, event: Event) -> None:
        request = urllib.request.Request(  # noqa: S310  (the settings take http and https only)
            self._address,
            msgspec.json.encode(event, enc_hook=plain),
            {"Content-Type": "application/json", "User-Agent": "companion"},
        )
        try:
            with self._opener.open(request, timeout=PATIENCE):
                self.words = ""
        except urllib.error.HTTPError as error:
            self._fail(t("The webhook answers {code}: look at who receives it.", code=error.code))
        except (OSError, ValueError, http.client.HTTPException):
            self._fail(t("The webhook's address does not answer: check it in the settings."))

    def _fail(self, words: str) -> None:
        if words != self.words:
            log.warning("%s", words)
        self.words = words
