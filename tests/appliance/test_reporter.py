"""A real table tells a real broker what its settings say, at once when they change; and nobody where none is named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.appliance.broker_settings import Broker
from companion.appliance.reporter import Reporter
from companion.appliance.settings import Owner, check_hall, owner_for
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.hall_api import HallChosen
from companion.server.match_api import Plan
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.hall.broker import running
from tests.hall.standin import StandInHall
from tests.waiting import until


def test_a_table_tells_whom_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv("COMPANION_STATE", f"{tmp_path}")
    journal = Journal(tmp_path)
    header = Header(id=new_id(), at=now(), game=GATHERING, seats=MOST)

    def make(header: Header, version: int) -> Session:
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    table = Table(make, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(True))
    table.start()
    reporter = Reporter(table, tmp_path)
    owner = table.owner
    assert isinstance(owner, Owner)
    owner.tells(reporter.apply)
    assert (table.hall.told, reporter.words, check_hall().words) == (
        False,
        "",
        "nobody is told of this table's matches",
    )
    with running(tmp_path / "broker") as broker:
        hall = StandInHall(broker)
        hall.start()
        told = broker.add("t4")
        try:
            owner.keep_hall(chosen(owner, told))
            until(lambda: hall.snapshots and hall.presence["t4"][-1])
            assert hall.snapshots[-1].phase == "gathering"
            assert check_hall().state == "ok"
            begin(table)
            until(lambda: hall.snapshots[-1].game == "five-cards-collector")
            table.hall.call(2, True)
            until(lambda: b"Seat 2 calls the host." in hall.others["call"][-1])
            until(lambda: reporter.words == "")
            owner.keep_hall(msgspec.structs.replace(chosen(owner, told), on=False))
            until(lambda: not hall.presence["t4"][-1])
            assert not table.hall.told
            owner.keep_hall(msgspec.structs.replace(chosen(owner, told), password="no"))  # noqa: S106
            until(lambda: "password" in table.hall.words())
            assert (check_hall().state, "password" in check_hall().words) == ("warn", True)
        finally:
            hall.stop()
            reporter.close()
            table.close()


def chosen(owner: Owner, told: Broker) -> HallChosen:
    fields = {name: getattr(told, name) for name in told.__struct_fields__}
    return msgspec.structs.replace(owner.hall(), **fields)


def begin(table: Table) -> None:
    """Begin a match, as the host does."""
    table.matches.begin(Plan(game="five-cards-collector", seats=2, mode="ledger"))
