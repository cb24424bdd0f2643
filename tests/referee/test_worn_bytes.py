"""Single bytes of a journal that have changed, which SQLite does not notice: what can't be read is passed over."""

from __future__ import annotations

import sqlite3

import pytest

from companion import games
from companion.referee.clock import Kept
from companion.referee.journal import Evidence, Header, Journal, JournalError, decode_record, encode_record, read_export
from companion.referee.journal_reader import read_only
from companion.referee.match import Match
from companion.referee.record import Record
from companion.referee.rolls import commitment
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)
DEEP = b"[" * 100_000
"""Lists in each other, deeper than anybody reads."""
HEADERS = {
    "no JSON": lambda line: b"\x7b" + line[2:],
    "no letter": lambda line: line.replace(b"five", b"f\xe9ve"),
    "another kind": lambda line: line.replace(b'"seats":3', b'"seats":"'),
    "a field gone": lambda line: line.replace(b'"game"', b'"gamf"'),
    "another match": lambda line: line.replace(b"0192", b"0193"),
    "nothing": lambda line: b"",
    "deep": lambda line: line.replace(b'"setup":null', b'"setup":' + DEEP),
}


def header(match: str) -> Header:
    return Header(id=match, at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")


@pytest.fixture
def folder(tmp_path):
    """A journal with three matches, the second of which was played last."""
    journal = Journal(tmp_path)
    for match in ("0191", "0192", "0193"):
        journal.begin(header(match))
        journal.append(match, Record(n=1, id="1", at="", kind="end"))
    journal.put_up("0192")
    journal.close()
    return tmp_path


def change(folder, sql: str, *values: object) -> None:
    db = sqlite3.connect(folder / "journal.db")
    assert db.execute(sql, values).rowcount == 1
    db.commit()
    db.close()


@pytest.mark.parametrize("what", [*HEADERS, "its number no letter", "its number no text"])
def test_a_damaged_header_of_one_match_keeps_nobody_from_the_others(folder, caplog, what):
    db = sqlite3.connect(folder / "journal.db")
    (line,) = db.execute("SELECT header FROM matches WHERE id = '0192'").fetchone()
    db.close()
    if what in HEADERS:
        line = HEADERS[what](line)
        change(folder, "UPDATE matches SET header = ? WHERE id = '0192'", line)
    else:
        number = b"01\xb92" if what == "its number no text" else "01\xb92"
        change(folder, "UPDATE matches SET id = ? WHERE id = '0192'", number)
        if what == "its number no letter":
            change(folder, "UPDATE matches SET id = CAST(? AS TEXT) WHERE id = ?", b"01\xb92", number)
    journal = Journal(folder)
    assert [one.id for one in journal.matches()] == ["0191", "0193"]
    assert journal.matches() == journal.matches()
    assert sum("is damaged, and left" in record.message for record in caplog.records) == 1
    assert "beginning is damaged" in journal.rescued
    assert ("0192" in journal.rescued) == (what in HEADERS)
    assert journal.header("last").id == "0193"
    match = Match(GAME, MAT, header("0194"), journal)
    assert "beginning is damaged" in match.snapshot.sentence
    if what in HEADERS:
        with pytest.raises(JournalError, match="in the journal already, but its beginning is damaged"):
            journal.take(header("0192"), [])
    journal.close()
    with read_only(folder) as shelf:
        assert [one.id for one in shelf.matches()] == ["0191", "0193", "0194"]
        assert len(list(shelf.lines("0192"))) == 1
    db = sqlite3.connect(folder / "journal.db")
    kept = db.execute("SELECT header FROM matches WHERE rowid = 2").fetchone()
    db.close()
    assert kept == (line,)


def test_a_damaged_name_or_colour_keeps_nobody_from_playing(folder):
    journal = Journal(folder)
    for seat, name in ((1, "Ada"), (2, "Bo"), (3, "Cy")):
        journal.name("0191", seat, name)
        journal.colour("0191", seat, ("blue", "pink", "grey")[seat - 1])
    journal.close()
    change(folder, "UPDATE names SET name = CAST(? AS TEXT) WHERE seat = 2", b"B\xef")
    change(folder, "UPDATE names SET seat = 3000 WHERE seat = 3")
    change(folder, "UPDATE names SET name = ? WHERE seat = 1", b"Ada")
    change(folder, "UPDATE colours SET colour = 'blud' WHERE seat = 1")
    change(folder, "UPDATE colours SET seat = ? WHERE seat = 3", b"\x03")
    journal = Journal(folder)
    known = journal.matches()[0]
    assert known.names == {2: "B\ufffd"}
    assert known.colours == {2: "pink"}
    journal.close()


def test_what_a_match_can_do_without_is_left_out_if_it_is_damaged(folder):
    journal = Journal(folder)
    journal.keep_clock("0191", Kept(n=1, left=7.5))
    journal.keep("0191", 1, Evidence(b"before", None, ("one",)))
    journal.keep_secret("0191", b"secret")
    journal.close()
    change(folder, "UPDATE clocks SET clock = ?", b'{"n":1,"left":\xf7.5}')
    change(folder, "UPDATE evidence SET candidates = ?", b'["\xefne"]')
    change(folder, "UPDATE secrets SET secret = ?", b"sacret")
    journal = Journal(folder)
    assert journal.rescued == ""
    assert journal.clock("0191") is None
    assert journal.evidence("0191", 1) == Evidence(b"before", None, ())
    assert journal.secret("0191", commitment(b"secret")) is None
    journal.close()


def test_a_record_that_is_kept_as_text_is_read_all_the_same(folder):
    """The kind of a value lies beside it, in a byte that may change."""
    line = encode_record(Record(n=1, id="1", at="", kind="end"))
    change(folder, "UPDATE records SET record = CAST(record AS TEXT) WHERE match = '0191'")
    with read_only(folder) as shelf:
        assert list(shelf.lines("0191")) == [line]


@pytest.mark.parametrize("within", [b"[", b'{"a":'])
@pytest.mark.parametrize("times", [21, 900, 1_000_000])
def test_things_that_lie_in_each_other_without_end_are_no_match(within, times):
    deep = within * times + b"1" + {b"[": b"]"}.get(within, b"}") * times
    start = b'{"id":"0191","at":"","game":"five-cards-collector","seats":3,"setup":'
    with pytest.raises(JournalError, match="no exported match"):
        read_export([start + deep + b"}"])
    if times > 1000:
        for field in (b"action", b"other"):
            with pytest.raises(JournalError, match="no record"):
                decode_record(b'{"n":1,"id":"1","at":"","' + field + b'":' + deep + b"}", GAME.action_type)
    assert read_export([start + b'{"a":[{"b":[1]}]}}'])[0].setup == {"a": [{"b": [1]}]}
