"""Consumers at the real broker, with the real database: shared, killed, and beside a table that sends without end."""

from __future__ import annotations

import time

import pytest

from companion.hall.config import Broker
from companion.hall.consumer import Consumer
from companion.hall.database import connect, rows
from companion.hall.local import LocalDatabase
from companion.hall.messages import Presence, Snapshot, encode, topic
from companion.hall.quota import BURST, Quota
from tests.hall.broker import RealBroker
from tests.hall.lines import kept, made, part
from tests.waiting import until, within

pytestmark = pytest.mark.night


def consumer(broker: RealBroker, database: LocalDatabase) -> Consumer:
    one = Consumer(Broker(port=broker.port, name="hall", password=broker.passwords["hall"]), database.address)
    one.start()
    return one


def there(database: LocalDatabase, match) -> int:
    with connect(database.address) as connection:
        return len(kept(connection, match))


def test_two_consumers_share_and_what_one_dies_with_comes_again(broker: RealBroker, database: LocalDatabase):
    tables = {name: made(60) for name in ("t1", "t2", "t3", "t4")}
    for name in tables:
        broker.add(name)
    two = [consumer(broker, database), consumer(broker, database)]
    until(lambda: all(one._client.is_connected() for one in two))
    time.sleep(0.3)  # subscriptions are not answered in a way that can be waited for here
    clients = {name: broker.client(name) for name in tables}
    for n in range(1, 31):
        for name, match in tables.items():
            clients[name].publish(topic(name, "records"), encode(part(match, n, n)), qos=1)
    until(lambda: all(there(database, match) == 30 for match in tables.values()))
    assert min(one.records for one in two) >= 50, "evenly: 120 in all"
    # Killed: it neither writes nor acknowledges any more.
    two[0]._written = lambda batch: False

    def send() -> None:
        for n in range(31, 61):
            for name, match in tables.items():
                clients[name].publish(topic(name, "records"), encode(part(match, n, n)), qos=1)

    def all_there() -> bool:
        return all(there(database, match) == 60 for match in tables.values())

    send()
    two[0]._client.loop_stop()
    two[0]._client.disconnect()
    for _ in range(10):  # a table sends again what it hears nothing of, until it hears of it
        send()
        if within(2, all_there):
            break
    assert all_there()
    with connect(database.address) as connection:
        for match in tables.values():
            assert kept(connection, match) == list(match.lines)
    for one in two:
        one.stop()


def test_a_table_that_sends_without_end_does_not_hold_up_the_others(broker: RealBroker, database: LocalDatabase):
    one = consumer(broker, database)
    for name in ("loud", "calm"):
        broker.add(name)
    loud, calm = broker.client("loud"), broker.client("calm")
    until(one._client.is_connected)
    time.sleep(0.3)
    match = made(20)
    for _n in range(1, 21):
        for _ in range(500):
            loud.publish(topic("loud", "snapshot"), encode(Snapshot(text="x" * 300)), qos=0)
        time.sleep(0.05)

    def told() -> bool:
        # What the broker dropped in the crowd comes again, as a table sends it again.
        done = there(database, match)
        for n in range(done + 1, 21):
            calm.publish(topic("calm", "records"), encode(part(match, n, n)), qos=1)
        time.sleep(0.5)
        return done == 20

    until(told, 30)
    one.stop()
    with connect(database.address) as connection:
        (row,) = rows(connection, "SELECT dropped FROM tables WHERE name = 'loud'")
    assert row["dropped"] > 1000


def test_what_was_retained_before_the_hall_came_is_on_the_wall(broker: RealBroker, database: LocalDatabase):
    broker.add("t1")
    table = broker.client("t1")
    table.publish(topic("t1", "presence"), encode(Presence(online=True, title="Table 1")), qos=1, retain=True)
    table.publish(topic("t1", "snapshot"), encode(Snapshot(match="m", text="It is Bo's turn.")), qos=1, retain=True)
    time.sleep(0.3)
    one = consumer(broker, database)

    def shown():
        with connect(database.address) as connection:
            return rows(connection, "SELECT 1 FROM tables WHERE online AND title = 'Table 1' AND playing = 'm'")

    until(shown)
    one.stop()


def test_a_table_that_died_together_with_the_broker_is_offline(
    broker: RealBroker, database: LocalDatabase, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("companion.hall.keeper.SILENT", 0.5)
    broker.add("t1")
    # Retained by the broker, and nobody there who has left a last will.
    broker.client("t1").publish(topic("t1", "presence"), encode(Presence(online=True)), qos=1, retain=True)
    one = consumer(broker, database)

    def offline():
        with connect(database.address) as connection:
            return rows(connection, "SELECT 1 FROM tables WHERE name = 't1' AND NOT online")

    until(offline)
    one.stop()


@pytest.mark.parametrize("size", [100, 60_000])
def test_a_bucket_of_tokens_runs_dry_and_fills_again(size):
    now = [0.0]
    quota = Quota(lambda: now[0])
    taken = sum(quota.allow("t1", size) for _ in range(3000))
    assert taken == int(BURST) // (1 + size // 4096)
    assert quota.allow("t2", size), "another table has its own"
    assert quota.dropped() == {"t1": 3000 - taken}
    now[0] += 1.0
    assert quota.allow("t1", size)
