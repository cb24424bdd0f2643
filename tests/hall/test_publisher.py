"""What a table tells by a real broker: all of it arrives once, whatever dies; and only what its owner allows."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion.appliance.broker_link import Connection, LinkError
from companion.appliance.broker_settings import Broker
from companion.appliance.publisher import Publisher
from companion.hall import messages
from tests.hall.broker import CERTIFICATES, RealBroker, running
from tests.hall.standin import StandInHall, StandInTable
from tests.waiting import within


def until(what: Callable[[], object]) -> None:
    assert within(20.0, what), "it does not come"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.appliance.publisher.PAUSE", (0.05, 0.1))
    monkeypatch.setattr("companion.appliance.publisher.LOOK", 0.02)
    monkeypatch.setattr("companion.appliance.publisher.IDLE", 0.1)
    monkeypatch.setattr("companion.appliance.outbox.PATIENCE", 0.3)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandInTable]:
    one = StandInTable(tmp_path / "state")
    yield one
    one.journal.close()


class Telling:
    """A publisher that can be ended and begun again."""

    def __init__(self, table: StandInTable, settings: Broker) -> None:
        self.table, self.settings = table, settings
        self.begin()

    def begin(self) -> None:
        self.publisher = Publisher(self.table, self.settings)
        self.publisher.start()

    def __enter__(self) -> Telling:
        return self

    def __exit__(self, *error: object) -> None:
        self.publisher.close()


def test_who_has_to_choose_cards_is_told_though_no_record_says_so(broker: RealBroker, table: StandInTable) -> None:
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")):
        until(lambda: hall.snapshots and hall.snapshots[-1].turn == 1)
        table.waits_for(2, f"{table.names[2]} chooses 2 cards")
        until(lambda: hall.snapshots[-1].turn == 2)
        assert hall.snapshots[-1].text == "Bo chooses 2 cards"
    hall.stop()


def test_all_is_told_once_though_hall_and_broker_die(broker: RealBroker, table: StandInTable) -> None:
    hall = StandInHall(broker, late=0.01)
    hall.start()
    with Telling(table, broker.add("t4")) as telling:
        table.play(30)
        until(lambda: hall.kept.get(table.header.id))
        hall.stop()
        table.play(120)
        hall.start()
        until(lambda: len(hall.kept[table.header.id]) > 60)
        hall.stop()
        broker.kill()
        table.play(20)
        table.begin()
        table.play(3)
        broker.start()
        hall.start()
        until(lambda: hall.kept == table.lines())
        assert not hall.refused
        until(lambda: telling.publisher.words == "")
    until(lambda: hall.presence["t4"][-1] is False)
    assert hall.presence["t4"][0] is True
    hall.stop()


def test_a_connection_that_ends_while_something_is_sent_is_said(broker: RealBroker) -> None:
    with Connection(broker.add("t4"), lambda: "Table 4") as link:
        broker.kill()
        until(lambda: not link._client.is_connected())
        link.check = lambda: None  # type: ignore[method-assign]  # it was still there when it was looked at
        with pytest.raises(LinkError, match="has ended"):
            link.send(messages.topic("t4", "snapshot"), messages.Snapshot(text="Bo's turn."), qos=0)


def test_a_table_says_again_that_it_is_there(
    broker: RealBroker, table: StandInTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.hall.messages.AGAIN", 0.2)
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")):
        until(lambda: len(hall.presence.get("t4", ())) > 3)
        assert set(hall.presence["t4"]) == {True}
    hall.stop()


def test_a_hall_that_was_restored_gets_what_it_lacks(broker: RealBroker, table: StandInTable) -> None:
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")) as telling:
        for _ in range(15):
            table.play(2, tell=False)
            table.begin()
        until(lambda: {match: lines for match, lines in table.lines().items() if lines} == hall.kept)
        matches = list(hall.kept)
        backup = {match: list(hall.kept[match]) for match in matches[:1]}
        hall.stop()
        hall.restore(backup)
        telling.publisher.close()
        hall.start()
        telling.begin()
        until(lambda: {match: lines for match, lines in table.lines().items() if lines} == hall.kept)
    hall.stop()


def test_names_that_come_late_are_told(broker: RealBroker, table: StandInTable) -> None:
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, msgspec.structs.replace(broker.add("t4"), names="initials")):
        table.play(1)
        until(lambda: hall.headers.get(table.header.id, {}).get("names") == {"1": "A. L.", "2": "B."})
        table.names = {1: "Ada Lovelace", 2: "Zoë"}
        table.journal.name(table.header.id, 2, "Zoë")
        table.tell()
        until(lambda: hall.headers[table.header.id]["names"] == {"1": "A. L.", "2": "Z."})
    assert b"Lovelace" not in b"".join(part for parts in hall.others.values() for part in parts)
    hall.stop()


def test_a_record_that_is_another_one_is_refused_and_the_next_match_goes_on(
    broker: RealBroker, table: StandInTable
) -> None:
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")) as telling:
        table.play(3)
        until(lambda: len(hall.kept.get(table.header.id, ())) == 3)
        bad = table.header.id
        hall.kept[bad][2] = "{}"
        hall.heads[bad] = "0" * 64
        table.play(1)
        until(lambda: "not taken all" in telling.publisher.words)
        table.begin()
        table.play(2)
        until(lambda: len(hall.kept.get(table.header.id, ())) == 2)
    hall.stop()


def test_snapshots_calls_seating_and_buttons(broker: RealBroker, table: StandInTable) -> None:
    hall = StandInHall(broker)
    hall.start()
    settings = msgspec.structs.replace(broker.add("t4"), home_assistant=True, buttons=True)
    press = broker.folder / "rights"
    press.write_text(press.read_text().replace("user hall\n", "user hall\ntopic write companion/+/press\n"))
    broker.kill()
    broker.start()
    with Telling(table, settings):
        until(lambda: hall.snapshots)
        for _ in range(40):
            table.play(1)
        until(lambda: hall.snapshots[-1].text == "Record 40: Ada Lovelace is due.")
        assert hall.snapshots[-1].turn == 1
        assert [seat.robot for seat in hall.snapshots[-1].seats] == [False, True]
        table.calling = "Bo calls the host."
        until(lambda: json.loads(hall.others["call"][-1])["open"])
        client = broker.client("hall")
        seating = messages.Seating(event="League", round=2, game="collectors", names=("Ada", "Bo"))
        client.publish("companion/t4/seating", messages.encode(seating), 1, retain=True)
        until(lambda: table.seating and table.seating.names == ("Ada", "Bo"))
        client.publish("companion/t4/seating", b"", 1, retain=True)
        until(lambda: table.seating is None)
        for bad in (b"{", b"\xff", b"[]"):
            client.publish("companion/t4/committed", bad, 1)
            client.publish("companion/t4/press", bad, 1)
        client.publish("companion/t4/press", b"undo", 1)
        until(lambda: table.pressed == ["undo"])
        client.disconnect()
        client.loop_stop()
    hall.stop()


def test_snapshots_wait_for_their_time_and_the_newest_wins_while_records_go_at_once(
    broker: RealBroker, table: StandInTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.appliance.publisher.SNAPSHOTS", 1e6)
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")):
        until(lambda: hall.snapshots)
        for n in range(1, 11):
            table.play(1)
            until(lambda n=n: len(hall.kept.get(table.header.id, ())) == n)
        assert len(hall.snapshots) == 1
        monkeypatch.setattr("companion.appliance.publisher.SNAPSHOTS", 0.0)
        until(lambda: len(hall.snapshots) > 1)
        assert hall.snapshots[1].text.startswith("Record 10:")
    hall.stop()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"password": "wrong"}, "refuses the table's name or its password"),
        ({"address": "127.0.0.1:1"}, "Nothing answers at 127.0.0.1:1"),
        ({"address": "no.such.host.invalid:1883"}, "is not found"),
        ({"tls": True}, "TLS|does not answer"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    broker: RealBroker, table: StandInTable, change: dict[str, object], said: str
) -> None:
    with Telling(table, msgspec.structs.replace(broker.add("t4"), **change)) as telling:
        until(lambda: re.search(said, telling.publisher.words))


def test_what_is_told_is_encrypted_for_a_broker_that_is_vouched_for(tmp_path: Path, table: StandInTable) -> None:
    with running(tmp_path / "broker", encrypted=True) as broker:
        authority = (CERTIFICATES / "authority.pem").read_text()
        settings = msgspec.structs.replace(broker.add("t4"), tls=True)
        for said, ca in (("is not trusted", ""), ("", authority)):
            with Telling(table, msgspec.structs.replace(settings, ca=ca)) as telling:
                until(
                    lambda said=said, telling=telling: (
                        telling.publisher.words == "" if not said else said in telling.publisher.words
                    )
                )


def test_a_full_disk_is_said_and_all_is_told(
    broker: RealBroker, table: StandInTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table.folder / "hall.db").mkdir()
    hall = StandInHall(broker)
    hall.start()
    with Telling(table, broker.add("t4")) as telling:
        table.play(2)
        until(lambda: len(hall.kept.get(table.header.id, ())) == 2)
        until(lambda: "make room on the disk" in telling.publisher.words)
    hall.stop()


def test_nothing_of_it_is_on_the_way_of_the_match(broker: RealBroker, table: StandInTable) -> None:
    with Telling(table, broker.add("t4")):
        until(lambda: any(thread.name == "hall" for thread in threading.enumerate()))
        broker.kill()
        table.play(50)
        assert table.journal.count(table.header.id) == 50


@pytest.mark.night
def test_a_publisher_that_is_killed_at_any_moment_loses_and_doubles_nothing(
    broker: RealBroker, table: StandInTable
) -> None:
    hall, chance = StandInHall(broker, late=0.002), random.Random(7)
    hall.start()
    settings = broker.add("t4")
    command = [sys.executable, "-m", "tests.hall.telling_process", f"{table.folder}", f"{broker.port}", "t4"]
    for turn in range(12):
        process = subprocess.Popen([*command, settings.password])
        ready = len(hall.presence.get("t4", ()))
        until(lambda ready=ready: len(hall.presence.get("t4", ())) > ready)
        for _ in range(chance.randrange(4)):
            table.play(chance.randrange(40), tell=False)
            time.sleep(chance.random() * 0.1)
        if chance.random() < 0.3:
            table.begin()
        if turn < 11:
            process.kill()
            process.wait()
    try:
        until(lambda: {match: lines for match, lines in table.lines().items() if lines} == hall.kept)
        assert not hall.refused
    finally:
        process.kill()
        process.wait()
        hall.stop()
