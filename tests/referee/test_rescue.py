"""What is saved of a damaged journal: everything that can be read, in its order, and without much memory."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from companion.referee.clock import Kept
from companion.referee.journal import Evidence, Header, Journal
from companion.referee.record import Record
from companion.referee.rolls import commitment
from tests.referee.table import GAME


def header(match: str) -> Header:
    return Header(id=match, at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")


def filled(folder: Path) -> None:
    """Write matches whose numbers are not in the order in which they came."""
    journal = Journal(folder)
    for match in ("0196", "0188", "0192"):
        journal.begin(header(match))
        for n in range(1, 4):
            journal.append(match, Record(n=n, id=f"{n}", at="", kind="end"))
        journal.keep_clock(match, Kept(n=1, left=7.5))
        journal.keep_secret(match, b"secret")
        journal.keep(match, 1, Evidence(b"before", None, ("one",)))
    for name, colour in (("Ada", "blue"), ("Bo", "pink"), ("Ada", "blue")):
        journal.name("0188", 1, name)
        journal.colour("0188", 1, colour)
    journal.put_up("0188")
    journal.close()


def spoil(folder: Path, table: str, page: int = 0) -> None:
    """Write over the first page of a table, or over another."""
    path = folder / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        page = page or db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(data)


def check(journal: Journal) -> None:
    assert "damaged" in journal.rescued
    assert [one.id for one in journal.matches()] == ["0196", "0188", "0192"]
    assert journal.header("last").id == "0188"
    known = journal.header("0188")
    assert known.names == {1: "Ada"}
    assert known.colours == {1: "blue"}
    for match in ("0196", "0188", "0192"):
        assert journal.count(match) == 3
        assert journal.clock(match) == Kept(n=1, left=7.5)
        assert journal.secret(match, commitment(b"secret")) == b"secret"


def test_what_is_saved_keeps_its_order_and_a_name_that_was_changed_back(tmp_path):
    filled(tmp_path)
    spoil(tmp_path, "evidence")
    journal = Journal(tmp_path)
    check(journal)
    assert journal.evidence("0188", 1) is None
    journal.begin(header("0150"))
    assert journal.matches()[-1].id == "0150"
    journal.close()
    assert Journal(tmp_path).rescued == ""


@pytest.mark.parametrize(
    "change",
    ["DROP TABLE latest", "ALTER TABLE colours DROP COLUMN colour", "ALTER TABLE records ADD COLUMN mood TEXT"],
)
def test_what_an_earlier_or_later_version_kept_otherwise_is_no_reason_to_lose_the_rest(tmp_path, change):
    filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute(change)
        db.commit()
    spoil(tmp_path, "evidence")
    journal = Journal(tmp_path)
    assert journal.header("0188").names == {1: "Ada"}
    assert journal.count("0188") == 3
    journal.close()


def test_records_are_counted_up_to_the_first_that_is_missing_or_damaged(tmp_path):
    filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute("DELETE FROM records WHERE match = '0196' AND n = 2")
        db.execute("UPDATE records SET record = 'none' WHERE match = '0188' AND n = 1")
        db.commit()
    spoil(tmp_path, "evidence")
    journal = Journal(tmp_path)
    assert "(matches: 3, records: 4)" in journal.rescued
    journal.close()


def test_a_letter_that_is_none_any_more_does_not_keep_a_journal_from_being_saved(tmp_path):
    filled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.execute("INSERT INTO names (match, seat, name) VALUES ('0188', 2, CAST(? AS TEXT))", (b"B\xef",))
        db.commit()
    spoil(tmp_path, "evidence")
    journal = Journal(tmp_path)
    assert journal.header("0188").names == {1: "Ada", 2: "B\ufffd"}
    journal.close()


def test_damage_in_the_middle_hides_neither_what_comes_before_it_nor_what_comes_after(tmp_path):
    filled(tmp_path)
    journal = Journal(tmp_path)
    for n in range(600):  # journals from before have a row for each name that a seat had
        journal._db.execute("INSERT INTO names VALUES ('0196', ?, ?)", (n % 3 + 1, f"name {n}"))
    journal.close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'names'").fetchone()[0]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    # The page's own list of where its cells begin, each cell with the number of a page below in front.
    page = (tmp_path / "journal.db").read_bytes()[(root - 1) * size : root * size]
    below = int.from_bytes(page[3:5], "big")
    assert page[0] == 5
    assert below >= 3
    cell = int.from_bytes(page[12 + 2 * (below // 2) :][:2], "big")
    spoil(tmp_path, "names", int.from_bytes(page[cell : cell + 4], "big"))
    journal = Journal(tmp_path)
    check(journal)
    assert journal.header("0196").names == {seat: f"name {596 + seat}" for seat in (1, 2, 3)}
    kept = journal._db.execute("SELECT COUNT(*) FROM names").fetchone()[0]
    assert 200 < kept < 603
    journal.close()


def test_saving_a_journal_takes_no_memory_for_what_is_in_it(tmp_path):
    filled(tmp_path)
    journal = Journal(tmp_path)
    for n in range(2, 302):
        journal.keep("0196", n, Evidence(bytes(50_000), None, ("one",)))
    journal.close()
    spoil(tmp_path, "names")
    tracemalloc.start()
    try:
        journal = Journal(tmp_path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "damaged" in journal.rescued
    assert journal.evidence("0196", 301) is not None
    assert most < 2_000_000
    journal.close()
