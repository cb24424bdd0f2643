"""Takes what tables send from the broker into the database, in batches; several consumers share the load.

Each message goes to one of them (shared subscriptions); tables send again what no consumer has committed.
"""

from __future__ import annotations

import logging
import secrets
import socket
import threading
import time
from pathlib import Path

import paho.mqtt.client as mqtt
import psycopg
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.hall.arrivals import Batch
from companion.hall.broker import BrokerError, shut_out
from companion.hall.config import Broker
from companion.hall.connections import LOST, notice_cuts
from companion.hall.database import Connection, DatabaseError, connect
from companion.hall.ingest import write
from companion.hall.keeper import Keeper
from companion.hall.messages import LARGEST, ROOT, Committed, encode, parsed, topic
from companion.hall.quota import Quota

log = logging.getLogger(__name__)

WAIT = 0.04
"""Seconds that a batch gathers after its first message; more come while the one before is written."""
INFLIGHT = 1000
"""Messages that the broker has under way to a consumer at most: the rest waits there."""
CATCH_UP = 5.0
"""Seconds after which the subscription that brought the retained snapshots is ended."""
SLOWEST = 2.0
"""Seconds between tries to reach a database that is gone; they are jittered."""
SHARED = "$share/hall/"
OUT_FOR = 600
"""Seconds for which a table is shut out that sends far more than it may."""
TOPICS = 20_000
RECEIVED = 64 * 1024
"""Bytes that the system takes in ahead: megabytes of one loud table would lie before the others' messages."""
TAKEN_BACK = {"call": b'{"open":false}', "presence": b'{"online":false}', "snapshot": b"{}"}
"""What an empty message stands for: a table that goes for good empties what the broker keeps of it."""
COUNTED = 1.0
"""Seconds between two times at which it is written how much of whom was dropped."""


class Consumer:
    """One consumer: a client of the broker, and a thread that writes."""

    def __init__(self, broker: Broker, database: str, quota: Quota | None = None, folder: Path | None = None) -> None:
        self._folder = folder
        self._topics: dict[str, tuple[str, str] | None] = {}
        self._broker, self._database = broker, database
        self._quota = quota or Quota()
        self._lock = threading.Condition()
        self._batch = Batch()
        self._acks: list[tuple[int, int, int]] = []
        """What is to be acknowledged once it is written: message, QoS, and the number of the connection it came by."""
        self._connections = 0
        self._counted = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="hall-writer", daemon=True)
        self._connection: Connection | None = None
        self._caught_up = 0.0
        self.received = self.batches = self.records = 0
        self._client = self._make_client()
        self._keeper = Keeper(database, self._retain, folder)

    def start(self) -> None:
        """Begin: connect in the background, and again whenever the broker was gone."""
        self._thread.start()
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = INFLIGHT
        properties.MaximumPacketSize = LARGEST + 4096
        self._client.connect_async(
            self._broker.address, self._broker.port, keepalive=15, clean_start=True, properties=properties
        )
        self._client.loop_start()
        self._keeper.start()

    def stop(self) -> None:
        """Write what has come, and leave."""
        self._keeper.stop()
        self._client.disconnect()
        self._stop.set()
        with self._lock:
            self._lock.notify_all()
        self._thread.join(10)
        self._client.loop_stop()
        if self._connection is not None:
            self._connection.close()

    def _make_client(self) -> mqtt.Client:
        broker = self._broker
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"hall-{secrets.token_hex(4)}",
            protocol=MQTTProtocolVersion.MQTTv5,
            manual_ack=True,
        )
        if broker.name:
            client.username_pw_set(broker.name, broker.password)
        if broker.ca:
            client.tls_set(ca_certs=broker.ca)
        client.connect_timeout = LOST
        client.reconnect_delay_set(min_delay=1, max_delay=2)
        client.on_connect = self._connected
        client.on_message = self._message
        client.on_disconnect = self._disconnected
        client.on_socket_open = _opened
        return client

    def _connected(
        self, client: mqtt.Client, userdata: object, flags: object, reason: ReasonCode, properties: object
    ) -> None:
        if reason.is_failure:
            log.error("the broker refuses the hall: %s", reason)
            return
        log.info("connected to the broker at %s:%d", self._broker.address, self._broker.port)
        with self._lock:
            self._connections += 1
        only_one, all_of_them = SubscribeOptions(qos=1), SubscribeOptions(qos=1, retainAsPublished=True)
        client.subscribe(
            [
                (f"{SHARED}{ROOT}/+/records", only_one),
                (f"{SHARED}{ROOT}/+/snapshot", only_one),
                # Few, and each consumer may miss none: a consumer that dies would take a last will with it.
                (f"{ROOT}/+/presence", all_of_them),
                (f"{ROOT}/+/call", all_of_them),
                # Shared subscriptions bring nothing that was retained: this one does, and is ended soon.
                (f"{ROOT}/+/snapshot", SubscribeOptions(qos=0)),
            ]
        )
        self._caught_up = time.monotonic() + CATCH_UP
        self._keeper.tell_all()

    def _disconnected(
        self, client: mqtt.Client, userdata: object, flags: object, reason: ReasonCode, properties: object
    ) -> None:
        if reason.is_failure:
            log.warning("the broker is gone (%s); trying again", reason)
        self._keeper.broker_gone()

    def _message(self, client: mqtt.Client, userdata: object, message: mqtt.MQTTMessage) -> None:
        self.received += 1
        named = self._named(message.topic)
        if named is None or not self._quota.allow(named[0], len(message.payload)):
            # At once, so that what one table sends too much does not wait in the way of the others; and nobody is
            # woken: how much was dropped is counted each second.
            if message.qos:
                client.ack(message.mid, message.qos)
            return
        with self._lock:
            if message.payload:
                self._batch.add(*named, bytes(message.payload))
            elif named[1] in TAKEN_BACK:
                self._batch.add(*named, TAKEN_BACK[named[1]])
            if message.qos:
                self._acks.append((message.mid, message.qos, self._connections))
            self._lock.notify()

    def _named(self, name: str) -> tuple[str, str] | None:
        """Take a topic apart; those of tables that have sent something are remembered."""
        if name not in self._topics:
            if len(self._topics) > TOPICS:
                self._topics.clear()
            self._topics[name] = parsed(name)
        return self._topics[name]

    def _work(self) -> None:
        while True:
            taken = self._take()
            if taken is None:
                return
            batch, acks = taken
            if not self._written(batch):
                return
            for mid, qos, connection in acks:
                if connection == self._connections:
                    self._client.ack(mid, qos)
            if self._caught_up and time.monotonic() > self._caught_up:
                self._caught_up = 0.0
                self._client.unsubscribe(f"{ROOT}/+/snapshot")

    def _written(self, batch: Batch) -> bool:
        """Write a batch, however long the database is gone; False if the hall stops before that.

        One that can't be written is taken apart, so that no table holds up the others.
        """
        pause = 0.1
        while batch:
            try:
                self._answer(self._write(batch))
                break
            except (psycopg.OperationalError, DatabaseError) as error:
                log.warning("the database is gone, trying again: %s", f"{error}".strip().partition("\n")[0])
                self._drop_connection()
                if self._stop.wait(pause * (0.5 + secrets.randbelow(1000) / 1000)):
                    return False
                pause = min(SLOWEST, pause * 2)
            except (psycopg.Error, ValueError, TypeError, RecursionError) as error:
                self._drop_connection()
                if len(batch.tables()) > 1:
                    return all(self._written(part) for part in batch.split())
                log.error("what table %s sent can't be written, and is left: %s", batch.tables(), error)
                break
        return True

    def _take(self) -> tuple[Batch, list[tuple[int, int, int]]] | None:
        with self._lock:
            while not self._batch and not self._acks:
                if self._stop.is_set():
                    return None
                self._lock.wait(COUNTED)
                if time.monotonic() - self._counted > COUNTED and self._quota.any_dropped:
                    break
        self._stop.wait(WAIT)
        loud: list[str] = []
        with self._lock:
            batch, self._batch = self._batch, Batch()
            acks, self._acks = self._acks, []
            if time.monotonic() - self._counted > COUNTED:
                self._counted = time.monotonic()
                batch.dropped = self._quota.dropped()
                loud = self._quota.shouting()
        for table in loud:
            self._shut_out(table)
        return batch, acks

    def _shut_out(self, table: str) -> None:
        """Let a table that shouts come no longer for a while: then the broker does not even hear it."""
        try:
            if self._folder is not None and shut_out(self._folder, table, time.time() + OUT_FOR):
                log.warning("table %s sends far more than it may, and is shut out for %d s", table, OUT_FOR)
        except BrokerError as error:
            log.warning("table %s sends far more than it may, and can't be shut out: %s", table, error)

    def _write(self, batch: Batch) -> list[tuple[str, Committed]]:
        if self._connection is None:
            self._connection = connect(self._database)
        told = write(self._connection, batch)
        self.batches += 1
        self.records += sum(len(one.lines) for one in batch.matches.values())
        return told

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _retain(self, name: str, what: bytes) -> None:
        self._client.publish(name, what, qos=1, retain=True)

    def _answer(self, told: list[tuple[str, Committed]]) -> None:
        for table, committed in told:
            self._client.publish(topic(table, "committed"), encode(committed), qos=1)


def _opened(client: mqtt.Client, userdata: object, connection: object) -> None:
    notice_cuts(client, userdata, connection)
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
