"""A table that gets another name or broker, or tells nobody any more, leaves nothing of it with the broker it told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.appliance import leaving
from companion.appliance.broker_settings import Broker
from companion.appliance.leaving import Leaving, remembered
from companion.appliance.publisher import Publisher
from companion.hall.config import Broker as HallBroker
from companion.hall.consumer import Consumer
from companion.hall.database import connect, rows
from companion.hall.local import LocalDatabase
from tests.hall.broker import RealBroker, running
from tests.hall.standin import StandInTable
from tests.waiting import until

KEPT = {"companion/t4/presence", "companion/t4/snapshot", "companion/t4/call"}
DISCOVERY = "homeassistant/device/companion-{}/config"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "PAUSE", 0.1)
    monkeypatch.setattr("companion.appliance.publisher.PAUSE", (0.05, 0.1))
    monkeypatch.setattr("companion.appliance.publisher.IDLE", 0.05)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandInTable]:
    one = StandInTable(tmp_path / "state")
    one.calling = "Ada Lovelace calls the host."
    yield one
    one.journal.close()


class Telling:
    """What a box runs by its settings."""

    def __init__(self, table: StandInTable, told: Broker) -> None:
        self.leaving = Leaving(table.folder, told)
        self._publisher = Publisher(table, told) if told.told else None

    def __enter__(self) -> Telling:
        self.leaving.start()
        if self._publisher is not None:
            self._publisher.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.leaving.close()
        if self._publisher is not None:
            self._publisher.close()


def shared(broker: RealBroker, *names: str) -> list[Broker]:
    """Let tables come that Home Assistant finds; the hall may read what it is told."""
    found = [msgspec.structs.replace(broker.add(name), home_assistant=True) for name in names]
    rights = broker.folder / "rights"
    rights.write_text(rights.read_text().replace("user hall\n", "user hall\ntopic read homeassistant/#\n"))
    broker.kill()
    broker.start()
    return found


def kept(broker: RealBroker) -> set[str]:
    """Return the topics of which the broker keeps a message: it sends them all, and then what is asked for last."""
    got: list[str] = []
    client = broker.client("hall")
    client.on_message = lambda client, data, message: got.append(message.topic)
    client.subscribe([("companion/+/snapshot", 1), ("companion/+/call", 1), ("companion/+/presence", 1)])
    client.subscribe("homeassistant/#", 1)
    client.publish("companion/probe/presence", b"", 1)
    until(lambda: "companion/probe/presence" in got)
    client.disconnect()
    client.loop_stop()
    return {topic for topic in got if topic != "companion/probe/presence"}


def test_a_table_with_another_name_leaves_nothing_under_the_old(broker: RealBroker, table: StandInTable) -> None:
    old, new = shared(broker, "t4", "t5")
    with Telling(table, old):
        until(lambda: kept(broker) == {*KEPT, DISCOVERY.format("t4")})
    with Telling(table, new):
        until(lambda: kept(broker) == {topic.replace("t4", "t5") for topic in KEPT} | {DISCOVERY.format("t5")})
    assert remembered(table.folder) == [new]


@pytest.mark.parametrize("change", [{"address": ""}, {"on": False}])
def test_a_table_that_tells_nobody_any_more_leaves_nothing(
    broker: RealBroker, table: StandInTable, change: dict[str, object]
) -> None:
    (told,) = shared(broker, "t4")
    with Telling(table, told):
        until(lambda: kept(broker) == {*KEPT, DISCOVERY.format("t4")})
    with Telling(table, msgspec.structs.replace(told, **change)) as telling:
        until(lambda: kept(broker) == set())
        until(lambda: telling.leaving.words == "")
    assert remembered(table.folder) == []


def test_a_broker_that_is_away_is_emptied_when_it_is_back_also_after_a_restart(
    broker: RealBroker, table: StandInTable, tmp_path: Path
) -> None:
    (told,) = shared(broker, "t4")
    with Telling(table, told):
        until(lambda: kept(broker) == {*KEPT, DISCOVERY.format("t4")})
    with running(tmp_path / "other") as other:
        new = other.add("t4")
        lost = msgspec.structs.replace(told, address="127.0.0.1:1")
        leaving._remember(table.folder, [lost, told])
        for _ in range(2):
            with Telling(table, new) as telling:
                until(lambda: kept(broker) == set())
                until(lambda: kept(other) == KEPT)
                assert "127.0.0.1:1" in telling.leaving.words
                until(lambda: remembered(table.folder) == [lost, new])
    assert (table.folder / leaving.FILE).stat().st_mode & 0o777 == 0o600


def test_the_same_broker_by_another_address_keeps_what_is_told_now(broker: RealBroker, table: StandInTable) -> None:
    (told,) = shared(broker, "t4")
    with Telling(table, told):
        until(lambda: kept(broker) == {*KEPT, DISCOVERY.format("t4")})
    now = msgspec.structs.replace(told, address=told.address.replace("127.0.0.1", "localhost"))
    with Telling(table, now) as telling:
        until(lambda: telling.leaving.words == "")
        until(lambda: kept(broker) == {*KEPT, DISCOVERY.format("t4")})


def test_a_title_that_is_changed_is_told_at_once(broker: RealBroker, table: StandInTable) -> None:
    titles: list[bytes] = []
    client = broker.client("hall")
    client.on_message = lambda client, data, message: titles.append(message.payload)
    client.subscribe("companion/+/presence", 1)
    with Telling(table, broker.add("t4")):
        until(lambda: titles and b'"Table 4"' in titles[-1])
        table.title = "The window"
        until(lambda: b'"The window"' in titles[-1])
    until(lambda: b'"online":false' in titles[-1])
    assert b"Table 4" not in titles[-1]
    client.disconnect()
    client.loop_stop()


def test_the_wall_shows_no_names_of_a_table_that_has_left(
    broker: RealBroker, table: StandInTable, database: LocalDatabase
) -> None:
    (told,) = shared(broker, "t4")
    here = HallBroker(address="127.0.0.1", port=broker.port, name="hall", password=broker.passwords["hall"])
    consumer = Consumer(here, database.address)
    consumer.start()

    def row() -> dict[str, object]:
        with connect(database.address) as connection:
            found = rows(connection, "SELECT online, call_open, snapshot FROM tables WHERE name = 't4'")
        return found[0] if found else {}

    try:
        with Telling(table, told):
            until(lambda: row().get("call_open") and "Lovelace" in f"{row()['snapshot']}")
        with Telling(table, Broker()):
            until(lambda: not row()["call_open"] and not row()["online"] and "Lovelace" not in f"{row()['snapshot']}")
    finally:
        consumer.stop()
