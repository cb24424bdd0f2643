"""Records hang together, and a damaged journal gives up nothing that can still be read."""

from __future__ import annotations

import sqlite3

import msgspec
import pytest

from companion import games
from companion.referee.chain import broken, link, root
from companion.referee.commands import Correct, End, Name
from companion.referee.journal import Header, Journal, encode_record
from companion.referee.match import Match
from companion.referee.record import Record
from companion.retelling import TellError, verify
from companion.rules.kernel import Turns
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)


def header(match="0190"):
    return Header(id=match, at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")


def some_records(folder, count=6, match="0190"):
    """Have a match with so many records in a journal."""
    journal = Journal(folder)
    played = Match(GAME, MAT, header(match), journal)
    played.start()
    for n in range(count):
        assert played.command(Correct(edits=(Turns(n % 3 + 1),), by="host")).ok
    assert played.command(Name(seat=1, name="Anna")).ok
    played.close()
    return journal


def changed(journal, n, **changes):
    """Write over a record, as somebody might who wants another past."""
    row = journal._db.execute("SELECT record FROM records WHERE n = ?", (n,)).fetchone()
    record = msgspec.json.decode(row[0])
    record.update(changes)
    journal._db.execute("UPDATE records SET record = ? WHERE n = ?", (msgspec.json.encode(record), n))


def test_every_record_hangs_on_the_one_before_and_on_the_header(tmp_path):
    journal = some_records(tmp_path)
    (kept,) = journal.matches()
    records = journal.records(kept.id, GAME.action_type)
    before = root(kept)
    for record in records:
        assert record.chain == link(before, record)
        before = record.chain
    assert broken(kept, records) == 0
    assert broken(msgspec.structs.replace(kept, seats=4), records) == 1
    assert broken(kept, [*records[:2], *records[3:]]) == 4
    assert broken(kept, [*records[:3], msgspec.structs.replace(records[3], at="now"), *records[4:]]) == 4
    assert broken(kept, [*records[:3], msgspec.structs.replace(records[3], chain=""), *records[4:]]) == 4
    journal.close()


def test_a_match_from_before_the_chain_is_gone_on_with():
    old = [Record(n=1, id="1", at=""), Record(n=2, id="2", at="")]
    assert broken(header(), old) == 0
    third = Record(n=3, id="3", at="")
    before = root(header())
    for record in old:
        before = link(before, record)
    assert broken(header(), [*old, msgspec.structs.replace(third, chain=link(before, third))]) == 0


@pytest.mark.parametrize("what", ["changed", "torn", "gone", "against the rules"])
def test_a_damaged_record_and_all_after_it_are_set_aside_and_the_match_goes_on_before_it(tmp_path, what):
    journal = some_records(tmp_path)
    if what == "changed":
        changed(journal, 4, at="1999")
    elif what == "torn":
        journal._db.execute("UPDATE records SET record = ? WHERE n = 4", (b'{"n": 4, "id',))
    elif what == "gone":
        journal._db.execute("DELETE FROM records WHERE n = 4")
    else:
        row = journal._db.execute("SELECT record FROM records WHERE n = 3").fetchone()
        before = msgspec.json.decode(row[0])["chain"]
        bad = Record(n=4, id="4", at="", kind="undo", steps=9)
        bad = msgspec.structs.replace(bad, chain=link(before, bad))
        journal._db.execute("UPDATE records SET record = ? WHERE n = 4", (encode_record(bad),))
    match = Match(GAME, MAT, header(), journal)
    assert match.snapshot.record == 3
    assert "damaged after record 3" in match.snapshot.sentence
    kept = journal._db.execute("SELECT n FROM damaged ORDER BY n").fetchall()
    assert kept == [(n,) for n in (4, 5, 6) if what != "gone" or n != 4]
    match.start()
    assert match.command(End(by="host")).ok
    match.close()
    again = Match(GAME, MAT, header(), journal)
    assert (again.snapshot.record, again.snapshot.names[1]) == (4, "Anna")
    journal.close()


def test_a_journal_with_a_torn_page_is_kept_aside_and_what_can_be_read_goes_on(tmp_path):
    some_records(tmp_path, 60, "0190").close()
    journal = some_records(tmp_path, 60, "0191")
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal.close()
    path = tmp_path / "journal.db"
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    page = sqlite3.connect(path).execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()[0]
    # The last page of the records' tree: some of the second match's records.
    middle = len(data) // size // 2 * size
    spoiled = middle if middle // size != page - 1 else middle + size
    data[spoiled : spoiled + size] = b"\xa5" * size
    path.write_bytes(data)
    journal = Journal(tmp_path)
    assert "damaged" in journal.rescued
    assert list(tmp_path.glob("journal.damaged-*.db"))
    for match in ("0190", "0191"):
        if any(one.id == match for one in journal.matches()):
            played = Match(GAME, MAT, header(match), journal)
            played.start()
            assert played.command(End(by="host")).ok
            played.close()
    journal.close()
    assert Journal(tmp_path).rescued == ""


@pytest.mark.parametrize("spoiled", [b"", b"not a database at all" * 500])
def test_a_journal_that_is_none_any_more_does_not_keep_people_from_playing(tmp_path, spoiled):
    (tmp_path / "journal.db").write_bytes(spoiled)
    journal = Journal(tmp_path)
    assert bool(journal.rescued) == bool(spoiled)
    match = Match(GAME, MAT, header(), journal)
    match.start()
    assert match.command(End(by="host")).ok
    match.close()
    journal.close()


def test_verify_names_the_record_that_was_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    journal = some_records(tmp_path)
    assert list(verify("0190"))[-1] == "All of it is in order."
    changed(journal, 2, at="1999")
    journal.close()
    told = verify("0190")
    assert next(told).startswith("Record 2: it does not hang on the one before")
    next(told)
    with pytest.raises(TellError, match="1 thing is wrong"):
        next(told)
