"""Tells a broker (MQTT 5) what is played at the table, from a thread of its own: the match never waits for it.

Nothing is queued while the broker is away: snapshots are made when sent, records read when there is room.
"""

from __future__ import annotations

import logging
import random
import threading
import time

import msgspec
from paho.mqtt.client import MQTTMessageInfo

from companion.appliance.broker_link import Connection, LinkError, version
from companion.appliance.broker_settings import NAMINGS, Broker, Naming
from companion.appliance.cursors import Cursors
from companion.appliance.home_assistant import BUTTONS, discovery, discovery_topic
from companion.appliance.outbox import Outbox
from companion.appliance.public import PublicTable, shortened, snapshot_told
from companion.hall import messages
from companion.hall.messages import Call, Committed, MessageError, Seating, topic
from companion.referee.journal import JournalError, now
from companion.referee.snapshot import Snapshot
from companion.referee.steady import Steady
from companion.server import hall_api
from companion.text import said, t

log = logging.getLogger(__name__)

SNAPSHOTS = 0.5
"""Seconds between two snapshots at least."""
LOOK = 0.25
"""Seconds after which it is looked whether the hall has answered, or somebody pressed a button."""
IDLE = 1.0
"""Seconds after which the connection is looked at, and the journal if it was written to, though nothing happens."""
ANYWAY = 30.0
"""Seconds after which the journal is looked at in any case."""
PAUSE = 0.5, 4.0
"""Seconds until the next try, at random: tables that lost the same broker do not all come back at once."""


class Publisher:
    """Keeps one connection to a broker. `start` it, and `close` it."""

    def __init__(self, told: PublicTable, settings: Broker) -> None:
        self._told, self._settings = told, settings
        self._naming: Naming = next((one for one in NAMINGS if one == settings.names), "colours")
        self._closed = threading.Event()
        self._words = t("The broker has not answered yet.")
        self._thread = Steady("hall", self._work, vital=False)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Send good-bye if the broker is there, and end."""
        self._closed.set()
        self._thread.end()

    @property
    def words(self) -> str:
        """What is wrong, in a sentence; "" if all is well."""
        return self._words

    def _work(self) -> None:
        cursors = Cursors(self._told.folder, f"{self._settings.address} {self._settings.name}")
        try:
            outbox = Outbox(self._told.folder, cursors, self._naming)
            while not self._closed.is_set():
                try:
                    with Connection(self._settings, lambda: self._told.title) as link:
                        self._serve(link, outbox, cursors)
                except LinkError as error:
                    if said(error) != self._words:
                        log.warning("the hall is not told: %s", error)
                    self._words = said(error)
                self._closed.wait(random.uniform(*PAUSE))
        finally:
            cursors.close()

    def _serve(self, link: Connection, outbox: Outbox, cursors: Cursors) -> None:
        """Publish all there is to publish, until this is closed; raise LinkError if the connection has ended."""
        table, told = self._settings.name, self._told
        log.info("the hall is told at %s", self._settings.address)
        outbox.connected()
        shown = _Shown(link, self._settings, self._naming)
        version, named, looked = -1, None, float("-inf")
        usual = LOOK if self._settings.buttons else IDLE
        trouble = ""
        while not self._closed.is_set():
            snapshot = told.wait(version, shown.patience(LOOK if outbox.waits else usual))
            news = snapshot.version != version
            version = snapshot.version
            link.check()
            news = self._hear(link, outbox) or news
            if named not in (None, (snapshot.match, snapshot.names, snapshot.colours)):
                outbox.renamed(snapshot.match)
            named = (snapshot.match, snapshot.names, snapshot.colours)
            shown.show(snapshot, told)
            anyway = trouble or time.monotonic() - looked > ANYWAY
            if news or anyway or outbox.overdue or outbox.journal_changed():
                looked = time.monotonic()
                trouble = ""
                try:
                    for message in outbox.due(snapshot.match):
                        link.send(topic(table, "records"), message)
                except JournalError as error:
                    trouble = t("The journal can't be read for the hall: {error}.", error=error)
                if refused := outbox.refused():
                    trouble = trouble or t(
                        "The hall has not taken all (matches: {refused}); its host sees why.", refused=refused
                    )
            self._words = link.denied or cursors.trouble or trouble

    def _hear(self, link: Connection, outbox: Outbox) -> bool:
        """Take in what has come, return whether anything has; what can't be read is logged, and the next is read."""
        news = False
        while not link.heard.empty():
            news = True
            what, payload = link.heard.get_nowait()
            try:
                if what == "committed":
                    outbox.committed(messages.decode(payload, Committed))
                elif what == "seating":
                    self._told.seated(_seating(payload))
                elif what == "press" and self._settings.buttons and payload.decode("ascii", "replace") in BUTTONS:
                    self._told.press(payload.decode("ascii"))
            except MessageError as error:
                log.warning("what the hall says of %s can't be read: %s", what, error)
        return news


def _seating(payload: bytes) -> hall_api.Seating | None:
    if not payload:
        return None
    said = messages.decode(payload, Seating)
    return hall_api.Seating(said.event, said.round, said.game, said.names)


class _Shown:
    """What was shown last of the table, so that only news is sent, and not too often."""

    def __init__(self, link: Connection, settings: Broker, naming: Naming) -> None:
        self._link, self._settings, self._naming = link, settings, naming
        self._last: object = None
        self._made: tuple[object, messages.Snapshot] | None = None
        """The newest message, and what it was made of."""
        self._at = float("-inf")
        self._on_way: MQTTMessageInfo | None = None
        self._late = False
        self._called: str | None = None
        self._found: bytes | None = None

    def patience(self, usual: float) -> float:
        """Return for how many seconds nothing need be looked at."""
        return max(0.01, min(usual, self._at + SNAPSHOTS - time.monotonic())) if self._late else usual

    def show(self, snapshot: Snapshot, told: PublicTable) -> None:
        """Send the snapshot, the call and what Home Assistant finds, as far as they are new."""
        table = self._settings.name
        of = (snapshot.version, snapshot.match, tuple(told.robots()), snapshot.views[:1])
        if self._made is None or self._made[0] != of or self._late:
            self._made = of, snapshot_told(snapshot, self._naming, of[2], told.clock())
        message = self._made[1]
        # A clock that runs is no news; where it will end is.
        ends = snapshot.timer.ends if snapshot.timer is not None else None
        fresh = (msgspec.structs.replace(message, clock=None), message.clock is None, ends)
        on_way = self._on_way is not None and not self._on_way.is_published()
        self._late = fresh != self._last
        if self._late and not on_way and time.monotonic() - self._at >= SNAPSHOTS:
            message = msgspec.structs.replace(message, at=now())
            self._on_way = self._link.send(topic(table, "snapshot"), message, qos=0, retain=True)
            self._last, self._at, self._late = fresh, time.monotonic(), False
        calls = shortened(told.calls())
        if calls != self._called:
            call = Call(open=bool(calls), text=calls, since=now() if calls else None)
            self._link.send(topic(table, "call"), call, retain=True)
            self._called = calls
        found = b""
        if self._settings.home_assistant:
            found = discovery(table, told.title or table, version(), len(message.seats), self._settings.buttons)
        if found != self._found:
            # Empty: what an earlier start has left there is taken back.
            self._link.send_bytes(discovery_topic(table), found, retain=True)
            self._found = found
