"""The hall's own backup, with the real commands, database and broker: what it lacks the tables send again."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.appliance.publisher import Publisher
from companion.cli.main import cli
from companion.hall.config import Broker
from companion.hall.consumer import Consumer
from companion.hall.database import connect, rows
from companion.hall.local import LocalDatabase
from tests.hall.broker import RealBroker
from tests.hall.standin import StandInTable
from tests.waiting import within

pytestmark = pytest.mark.night


def lines(database: LocalDatabase) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with connect(database.address) as connection:
        for row in rows(connection, "SELECT match, line FROM records ORDER BY match, n"):
            found.setdefault(row["match"], []).append(row["line"])
    return found


@pytest.fixture
def config(tmp_path: Path, broker: RealBroker, database: LocalDatabase) -> Path:
    """A hall's settings, as its commands take them."""
    file = tmp_path / "hall.toml"
    file.write_text(
        f'folder = "{broker.folder}"\ndatabase = "{database.address}"\n[broker]\n'
        f'port = {broker.port}\nname = "hall"\npassword = "{broker.passwords["hall"]}"\n'
    )
    return file


def hall(config: Path, *words: str) -> str:
    done = CliRunner().invoke(cli, ["hall", *words, "--config", f"{config}"])
    return f"{done.exit_code} {done.output}"


def test_a_hall_restored_from_its_backup_gets_what_was_played_since(
    tmp_path: Path, broker: RealBroker, database: LocalDatabase, config: Path
):
    table, dump = StandInTable(tmp_path / "state"), tmp_path / "hall.dump"
    here = Consumer(Broker(port=broker.port, name="hall", password=broker.passwords["hall"]), database.address)
    here.start()
    publisher = Publisher(table, broker.add("t4"))
    publisher.start()
    try:
        table.play(30)
        assert within(20, lambda: lines(database) == table.lines())
        before = lines(database)
        assert hall(config, "backup", f"{dump}").startswith(f"0 {dump}: ")
        assert dump.stat().st_mode & 0o077 == 0, "it holds names: nobody else may read it"
        table.play(20)
        table.begin()
        table.play(10)
        assert within(20, lambda: lines(database) == table.lines())
        publisher.close()
        broker.kill()
        with connect(database.address) as connection:
            connection.execute("DROP TABLE records, matches CASCADE")
            connection.commit()
        assert "Restart the broker" in hall(config, "restore", f"{dump}")
        assert lines(database) == before
        broker.start()
        publisher = Publisher(table, broker.settings("t4"))
        publisher.start()
        assert within(30, lambda: lines(database) == table.lines())
    finally:
        publisher.close()
        here.stop()
        table.journal.close()


def test_a_backup_that_is_torn_changes_nothing(
    tmp_path: Path, broker: RealBroker, database: LocalDatabase, config: Path
):
    dump, torn = tmp_path / "hall.dump", tmp_path / "torn.dump"
    with connect(database.address) as connection:
        connection.execute("INSERT INTO tables (name) VALUES ('t1')")
        connection.commit()
        assert hall(config, "backup", f"{dump}").startswith("0")
        connection.execute("INSERT INTO tables (name) VALUES ('t2')")
        connection.commit()
        torn.write_bytes(dump.read_bytes()[:-2000])
        assert hall(config, "restore", f"{torn}").startswith("2 The backup can't be read, and nothing was")
        assert [row["name"] for row in rows(connection, "SELECT name FROM tables ORDER BY name")] == ["t1", "t2"]
