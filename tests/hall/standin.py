"""A table and a hall that are made for tests: a real journal without a game, and a hall in its simplest form.

The hall commits late, dies with what it has not committed, and forgets what came after a backup.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage

from companion.hall import messages
from companion.hall.messages import Committed, Records, parsed, topic
from companion.referee.chain import link, root
from companion.referee.journal import Header, Journal, encode_record, new_id, now
from companion.referee.record import Record, decode_record
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import SeatStanding, Standing, View
from companion.server.hall_api import Seating
from tests.hall.broker import RealBroker
from tests.waiting import within

GAME = "five-cards-collector"


class StandInTable:
    """A journal that somebody writes, and snapshots of it; it is a `companion.appliance.publisher.Told`."""

    title = "Table 4"

    def __init__(self, folder: Path, names: dict[int, str] | None = None) -> None:
        self.folder = folder
        self.journal = Journal(folder)
        self.names = names or {1: "Ada Lovelace", 2: "Bo"}
        self.calling = ""
        self.seating: Seating | None = None
        self.pressed: list[str] = []
        self._newer = threading.Condition()
        self._version = 0
        self.begin()

    def begin(self) -> str:
        """Begin a match; return its id."""
        self.header = Header(id=new_id(), at=now(), game=GAME, seats=2, names=self.names)
        self.journal.begin(self.header)
        self.n, self.chain = 0, root(self.header)
        self.tell()
        return self.header.id

    def play(self, count: int, tell: bool = True) -> None:
        """Write records."""
        for _ in range(count):
            self.n += 1
            record = Record(n=self.n, id=new_id(), at=now(), kind="correction", by="host")
            self.chain = link(self.chain, record)
            self.journal.append(self.header.id, msgspec.structs.replace(record, chain=self.chain))
        if tell:
            self.tell()

    def tell(self, **more: object) -> None:
        """Publish a snapshot."""
        with self._newer:
            self._version += 1
            given = {
                "match": self.header.id,
                "version": self._version,
                "game": GAME,
                "title": "Five Cards Collector",
                "seats": 2,
                "names": dict(self.names),
                "mode": "assist",
                "phase": "playing",
                "record": self.n,
                "views": (View(0, f"Record {self.n}: {self.names[1]} is due.", (1,)),),
                "standing": Standing((SeatStanding(1, self.n), SeatStanding(2, 0))),
            }
            self._snapshot = Snapshot(**{**given, **more})  # type: ignore[arg-type]
            self._newer.notify_all()

    def waits_for(self, seat: int, words: str) -> None:
        """Show that somebody is due, without a newer snapshot."""
        with self._newer:
            self._snapshot = msgspec.structs.replace(self._snapshot, views=(View(0, words, (seat,)),))

    def wait(self, version: int, timeout: float) -> Snapshot:
        with self._newer:
            self._newer.wait_for(lambda: self._snapshot.version > version, timeout)
            return self._snapshot

    def clock(self) -> float:
        return time.monotonic()

    def robots(self) -> Collection[int]:
        return {2}

    def calls(self) -> str:
        return self.calling

    def press(self, button: str) -> None:
        self.pressed.append(button)

    def seated(self, seating: Seating | None) -> None:
        self.seating = seating

    def lines(self) -> dict[str, list[str]]:
        """Return all that the hall is to have."""
        return {match: [line.decode() for line in self.journal.lines(match)] for match in self.journal.ids()}


class StandInHall:
    """What a hall does with records, in its simplest form. `kept` is its database, match by match."""

    def __init__(self, broker: RealBroker, late: float = 0.0, seed: int = 1) -> None:
        self.broker, self.late = broker, late
        self.kept: dict[str, list[str]] = {}
        self.heads: dict[str, str] = {}
        self.headers: dict[str, dict[str, object]] = {}
        self.refused: dict[str, str] = {}
        self.presence: dict[str, list[bool]] = {}
        self.snapshots: list[messages.Snapshot] = []
        self.others: dict[str, list[bytes]] = {}
        self._rng = random.Random(seed)
        self._client: Client | None = None

    def start(self) -> None:
        client = self._client = self.broker.client("hall")
        client.on_message = self._on_message
        wanted = [(f"companion/+/{what}", 1) for what in messages.TO_HALL]
        client.on_connect = lambda *_: client.subscribe(wanted)
        client.subscribe(wanted)
        assert within(20, client.is_connected)

    def stop(self) -> None:
        """Die: what was not committed is gone."""
        if self._client is not None:
            self._client.on_message = None
            self._client.disconnect()
            self._client.loop_stop()
            self._client = None

    def _on_message(self, client: Client, data: object, message: MQTTMessage) -> None:
        found = parsed(message.topic)
        assert found is not None
        table, what = found
        self.others.setdefault(what, []).append(message.payload)
        if what == "presence":
            # Empty: the table has gone for good.
            online = bool(message.payload) and messages.decode(message.payload, messages.Presence).online
            self.presence.setdefault(table, []).append(online)
        elif what == "snapshot" and message.payload:
            self.snapshots.append(messages.decode(message.payload, messages.Snapshot))
        elif what == "records":
            given = messages.decode(message.payload, Records)
            time.sleep(self._rng.random() * self.late)
            if self._rng.random() < 0.2 * bool(self.late):
                return  # it died before it had committed
            self.take(given)
            if self._rng.random() < 0.2 * bool(self.late):
                return  # it died after it had committed, before it could say so
            said = Committed(
                match=given.match,
                through=len(self.kept.get(given.match, ())),
                refused=self.refused.get(given.match, ""),
            )
            client.publish(topic(table, "committed"), messages.encode(said), 1)

    def take(self, given: Records) -> None:
        """Commit what fits."""
        kept = self.kept.setdefault(given.match, [])
        for n, line in enumerate(given.lines, given.first):
            if n <= len(kept):
                if kept[n - 1] != line:
                    self.refused[given.match] = f"record {n} is another one"
                continue
            if n > len(kept) + 1:
                return
            record = decode_record(line.encode(), Any)
            hashed = link(self.heads.get(given.match, given.root), record)
            if hashed != record.chain or record.n != n or encode_record(record).decode() != line:
                self.refused[given.match] = f"record {n} does not hang on the one before"
                return
            kept.append(line)
            self.heads[given.match] = hashed
        if given.header is not None:
            self.headers[given.match] = given.header

    def restore(self, before: dict[str, list[str]]) -> None:
        """Take a backup back."""
        self.kept = {match: list(lines) for match, lines in before.items()}
        self.heads = {
            match: decode_record(lines[-1].encode(), Any).chain for match, lines in self.kept.items() if lines
        }
