"""A table that sends far more than it may is shut out for a while: the broker's files, and a real broker."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from companion.hall.broker import PASSWORDS, RIGHTS, BrokerError, add_hall, add_table, let_in, remove_table, shut_out
from companion.hall.broker import tables as tables_of
from companion.hall.config import Broker
from companion.hall.consumer import Consumer
from companion.hall.local import LocalDatabase
from companion.hall.quota import BURST, SHOUTS, Quota
from tests.hall.broker import RealBroker
from tests.waiting import until


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A broker's files with a hall and two tables."""
    add_hall(tmp_path)
    for name in ("loud", "calm"):
        add_table(tmp_path, name)
    return tmp_path


def users(folder: Path) -> dict[str, str]:
    return dict(line.partition(":")[::2] for line in (folder / PASSWORDS).read_text().splitlines())


def test_a_table_that_is_shut_out_comes_again_with_the_password_it_had(folder: Path):
    before, rights = users(folder), (folder / RIGHTS).read_text()
    assert shut_out(folder, "loud", 1000.0)
    assert not shut_out(folder, "loud", 2000.0), "it is out already"
    assert not shut_out(folder, "hall", 1000.0), "the hall is no table"
    assert users(folder) == {name: kept for name, kept in before.items() if name != "loud"}
    assert tables_of(folder) == ["calm", "loud"]
    assert let_in(folder, 999.0) == []
    assert let_in(folder, 1000.0) == ["loud"]
    assert users(folder) == before
    assert (folder / RIGHTS).read_text() == rights
    assert let_in(folder, 5000.0) == []


def test_a_person_decides_over_a_table_that_is_shut_out(folder: Path):
    shut_out(folder, "loud", 1000.0)
    add_table(folder, "other")
    assert "user loud" in (folder / RIGHTS).read_text(), "another table's coming takes nothing from it"
    add_table(folder, "loud")
    fresh = users(folder)["loud"]
    assert let_in(folder, 5000.0) == []
    assert users(folder)["loud"] == fresh, "a new password is not overwritten by the old one"
    shut_out(folder, "loud", 1000.0)
    remove_table(folder, "loud")
    assert let_in(folder, 5000.0) == []
    assert "loud" not in users(folder)
    with pytest.raises(BrokerError, match="there is no table loud"):
        remove_table(folder, "loud")


@pytest.mark.parametrize(("a_second", "loud"), [(5000, True), (150, False)])
def test_who_sends_far_more_than_allowed_shouts_and_who_sends_a_little_more_does_not(a_second: int, loud: bool):
    now = [0.0]
    quota = Quota(lambda: now[0])
    found: list[str] = []
    for second in range(30):
        now[0] = float(second)
        for n in range(a_second):
            now[0] = second + n / a_second
            quota.allow("t1", 100)
        quota.dropped()
        found += quota.shouting()
    assert (found[:1] == ["t1"]) is loud
    assert SHOUTS < BURST


@pytest.mark.night
def test_the_broker_hears_a_shouting_table_no_more_and_the_calm_one_all_the_same(
    broker: RealBroker, database: LocalDatabase
):
    from companion.hall.database import connect, migrate

    with connect(database.address) as connection:
        migrate(connection)
    for name in ("loud", "calm"):
        broker.add(name)
    hall = Broker(port=broker.port, name="hall", password=broker.passwords["hall"])
    one = Consumer(hall, database.address, Quota(), broker.folder)
    one.start()
    until(one._client.is_connected)
    loud, calm = broker.client("loud"), broker.client("calm")

    def shouted() -> bool:
        for _ in range(300):
            loud.publish("companion/loud/snapshot", b"{}", 0)
        return "loud" not in users(broker.folder)

    until(shouted)
    assert broker._process is not None
    os.kill(broker._process.pid, signal.SIGHUP)
    until(lambda: not loud.is_connected(), 10)
    assert calm.is_connected()
    loud.loop_stop()
    calm.disconnect()
    one.stop()
