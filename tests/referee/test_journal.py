"""The journal: on disk before anybody is told, one process at a time, and nothing lost by a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading

import msgspec
import pytest

from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.clock import Kept
from companion.referee.journal import (
    SEEN,
    VERSION,
    Evidence,
    Header,
    Journal,
    JournalError,
    decode_record,
    new_id,
    read_export,
)
from companion.referee.journal_reader import read_only
from companion.referee.keeper import RecordKeeper
from companion.referee.record import Record
from tests.nights import at_night
from tests.referee.table import GAME, Table, piece


def header(match="01"):
    return Header(id=match, at="2026-01-01T00:00:00Z", game="five-cards-collector", seats=3)


def record(n):
    return Record(n=n, id=f"0{n}", at="2026-01-01T00:00:00Z", seat=1, action=Nothing(seat=1))


def test_records_come_back_as_they_were_written(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    written = [record(1), record(2)]
    for one in written:
        journal.append("01", one)
    journal.close()
    again = Journal(tmp_path)
    assert again.records("01", GAME.action_type) == written
    assert again.header("0") == header()
    again.close()


def test_records_after_a_missing_one_do_not_count(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    for n in (1, 3):
        journal.append("01", record(n))
    assert journal.sound_records("01", GAME.action_type) == ([record(1)], 2)
    journal.close()


def test_a_record_is_on_the_disk_itself_before_anybody_is_told(tmp_path):
    journal = Journal(tmp_path)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,), "FULL: the file is synced at every commit"
    journal.close()


def test_only_one_process_has_the_journal(tmp_path):
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="another companion is using"):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_journal_can_be_read_while_it_is_written(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal.append("01", record(1))
    with read_only(tmp_path) as shelf:
        assert len(list(shelf.lines("01"))) == 1
    journal.close()


def test_no_journal_is_said_with_a_way_out(tmp_path):
    with pytest.raises(JournalError, match="play a match first"), read_only(tmp_path):
        pass


def test_a_record_number_is_written_once(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal.append("01", record(1))
    with pytest.raises(JournalError):
        journal.append("01", record(1))
    journal.close()


def test_a_full_disk_refuses_the_action_and_loses_nothing(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    full = []

    def sink(one, candidates, zones):
        if full:
            raise JournalError("the journal can't be written (disk full); make room on the disk, then go on")
        journal.append("01", one)

    table = Table(sink=sink, mode="ledger")
    assert table.says(Discard(seat=1, card=piece("Red key"))).ok
    full.append(True)
    reply = table.says(Discard(seat=2, card=piece("Red leaf")))
    assert not reply.ok
    assert "make room on the disk" in reply.verdict.reason
    assert len(table.records) == 1
    full.clear()
    assert table.says(Discard(seat=2, card=piece("Red leaf"))).ok
    assert [one.n for one in journal.records("01", GAME.action_type)] == [1, 2]
    journal.close()


def test_sqlite_itself_full_is_a_journal_error(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")

    def fill():
        for n in range(1, 2000):
            journal.append("01", record(n))

    with pytest.raises(JournalError, match="make room"):
        fill()
    kept = len(list(journal.lines("01")))
    journal._db.execute(f"PRAGMA max_page_count={pages + 100}")
    journal.append("01", record(kept + 1))
    journal.close()


def test_an_import_that_fails_takes_no_record_along_that_was_told_of_meanwhile(tmp_path):
    """A page imports a match while another is played: what the players were told of is not in the import's hands."""
    journal = Journal(tmp_path)
    journal.begin(header())
    told = []

    def play():
        journal.append("01", record(1))
        told.append(1)

    player = threading.Thread(target=play)

    def records():
        yield record(1)
        player.start()
        player.join(0.3)
        assert not told, "a record was told of before it was on disk for good"
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(JournalError, match="full"):
        journal.take(header("02"), records())
    player.join(30)
    assert told == [1]
    assert [len(list(journal.lines(match))) for match in ("01", "02")] == [1, 0]
    assert [one.id for one in journal.matches()] == ["01"]
    journal.close()


def test_what_fails_for_any_reason_leaves_the_journal_open_to_others(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())

    def records():
        yield record(1)
        raise KeyError("no record")

    with pytest.raises(KeyError):
        journal.take(header("02"), records())
    journal.append("01", record(1))
    journal.close()
    again = Journal(tmp_path)
    assert [len(list(again.lines(match))) for match in ("01", "02")] == [1, 0]
    again.close()


def test_evidence_is_kept_beside_the_record(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal.keep("01", 1, Evidence(b"before", b"after", ("@1 adds the red star.",)))
    assert journal.evidence("01", 1) == Evidence(b"before", b"after", ("@1 adds the red star.",))
    assert journal.evidence("01", 2) is None
    journal.close()


def test_an_exported_match_is_read_back(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal.append("01", record(1))
    lines = list(journal.export("01"))
    journal.close()
    head, rest = read_export(lines)
    assert head == header()
    assert [decode_record(line, GAME.action_type).n for line in rest] == [1]
    assert json.loads(lines[1])["action"] == {"type": "nothing", "seat": 1}


@pytest.mark.parametrize("lines", [[], [b"{}"], [b"not json"], [b'{"n": 1}']])
def test_what_is_no_export_is_said(lines):
    with pytest.raises(JournalError, match="no exported match"):
        read_export(lines)


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"n": 1, "id": "x", "at": "y", "action": {"type": "fly"}}'])
def test_what_is_no_record_is_said(line):
    with pytest.raises(JournalError, match="no record"):
        decode_record(line, GAME.action_type)


def test_ids_are_uuid7_and_sort_by_time():
    ids = [new_id() for _ in range(50)]
    assert all(one[14] == "7" and one[19] in "89ab" and len(one) == 36 for one in ids)
    assert len(set(ids)) == 50
    assert [one[:13] for one in ids] == sorted(one[:13] for one in ids)


PLAYER = textwrap.dedent(
    """
    import os, signal, sys
    from pathlib import Path
    from companion import games
    from companion.referee.commands import Play
    from companion.referee.journal import Header, Journal
    from companion.referee.match import Match
    from companion.rules.kernel import Shown

    point, turns = sys.argv[2], int(sys.argv[3])
    commits = 0

    def fault(name):
        global commits
        commits += name == point
        if name == point and commits == turns:
            os.kill(os.getpid(), signal.SIGKILL)

    game = games.load("five-cards-collector")
    mat = games.load_mat("five-cards-collector", 3)
    setup = {"goals": ["001", "002", "003"], "turned_up": ["00V"]}
    header = Header(id="01", at="", game=game.info.name, seats=3, setup=setup, mode="ledger")
    match = Match(game, mat, header, Journal(Path(sys.argv[1]), fault=fault))
    match.start()
    print("resumed", match.snapshot.record, flush=True)
    while True:
        state = match.state
        action = game.tacit(state) or next(iter(game.legal(state)))
        facts = tuple(Shown(place=need.place, piece=min(need.pieces)) for need in game.needs(state, action))
        reply = match.command(Play(seat=action.seat, action=action, facts=facts))
        assert reply.ok, reply
        print(reply.record, flush=True)
    """
)


def play_until_killed(folder, point, turns):
    done = subprocess.run(
        [sys.executable, "-c", PLAYER, str(folder), point, str(turns)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    lines = done.stdout.split("\n")
    return int(lines[0].split()[1]), [int(line) for line in lines[1:] if line]


@pytest.mark.parametrize("point", [*at_night("before-commit"), "after-commit"])
def test_a_killed_process_resumes_at_the_last_record_told(tmp_path, point):
    told = 0
    for turns in (1, 4, 2):
        resumed, numbers = play_until_killed(tmp_path, point, turns)
        assert resumed >= told
        # A record that was committed but not told yet may be there; one that was told must be.
        assert resumed <= told + 1
        assert numbers == list(range(resumed + 1, resumed + 1 + len(numbers)))
        told = numbers[-1] if numbers else resumed
    with read_only(tmp_path) as shelf:
        kept = [json.loads(line)["n"] for line in shelf.lines("01")]
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= told


def test_a_process_killed_at_any_moment_loses_no_record_told(tmp_path):
    """Real kills from outside, at moments that nobody chose."""
    told = 0
    for delay in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(tmp_path), "never", "0"], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        resumed = int(child.stdout.readline().split()[1])
        assert resumed >= told
        for _ in range(5 + 7 * delay):
            told = int(child.stdout.readline())
        os.kill(child.pid, signal.SIGKILL)
        rest = child.stdout.read().split("\n")
        told = max([told, *(int(line) for line in rest[:-1] if line)])
        child.wait()
    with read_only(tmp_path) as shelf:
        assert len(list(shelf.lines("01"))) >= told


def test_names_taken_on_phones_are_there_after_a_restart(tmp_path):
    from companion import games
    from companion.referee.commands import Name
    from companion.referee.match import Match

    mat = games.load_mat("five-cards-collector", 3)
    for name in ("Ada", "Maja"):
        journal = Journal(tmp_path)
        match = Match(GAME, mat, header(), journal)
        match.start()
        assert match.command(Name(seat=2, name=name)).ok
        match.close()
        journal.close()
    with read_only(tmp_path) as shelf:
        assert shelf.header("01").names == {2: "Maja"}


def test_a_journal_from_before_versions_were_written_down_gets_one_and_keeps_its_matches(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal._db.execute("PRAGMA user_version = 0")
    journal.close()
    for _ in range(2):
        journal = Journal(tmp_path)
        assert journal._db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert [one.id for one in journal.matches()] == ["01"]
        journal.close()


def test_a_journal_of_a_newer_companion_is_left_as_it_is_and_that_is_said(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    journal.append("01", record(1))
    journal._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    journal._db.execute("ALTER TABLE records ADD COLUMN mood TEXT")
    journal.close()
    before = (tmp_path / "journal.db").read_bytes()
    for _ in range(2):
        with pytest.raises(JournalError, match="was written by a newer Companion"):
            Journal(tmp_path)
        with pytest.raises(JournalError, match="was written by a newer Companion"), read_only(tmp_path):
            pass
    assert (tmp_path / "journal.db").read_bytes() == before
    assert not list(tmp_path.glob("*.damaged-*"))


def test_a_column_that_a_later_version_adds_is_in_nobodys_way(tmp_path):
    journal = Journal(tmp_path)
    for table in ("matches", "records", "names", "colours", "clocks", "secrets", "latest", "evidence", "damaged"):
        journal._db.execute(f"ALTER TABLE {table} ADD COLUMN mood TEXT DEFAULT 'fine'")
    journal.begin(header())
    journal.append("01", record(1))
    journal.name("01", 1, "Ada")
    journal.colour("01", 1, "blue")
    journal.keep_clock("01", Kept(n=1, left=7.5))
    journal.keep_secret("01", b"secret")
    journal.put_up("01")
    journal.keep("01", 1, Evidence(b"before", None, ("one",)))
    journal.take(header("02"), [record(1)])
    journal.set_aside("02", 1)
    assert journal.header("last").names == {1: "Ada"}
    journal.close()


def test_the_newest_match_is_the_one_that_came_last_whatever_the_time_of_day_was(tmp_path):
    """A box without a clock may begin a match years before the last one."""
    journal = Journal(tmp_path)
    for match in ("0196", "0188", "0192"):
        journal.begin(header(match))
    journal.take(header("0177"), [record(1)])
    assert [one.id for one in journal.matches()] == ["0196", "0188", "0192", "0177"]
    assert journal.header("last").id == "0177"
    journal.close()


def seen_match(journal, match, pictures=1, size=16_000):
    journal.begin(header(match))
    journal.append(match, record(1))
    for n in range(1, pictures + 1):
        journal.keep(match, n, Evidence(bytes(size), bytes(size), ("one",)))


def test_the_picture_before_is_none_from_before_a_step_that_was_said_on_a_phone(tmp_path):
    lies, begun = ["dealt"], [b"empty"]

    def pictures(zones):
        before, begun[0] = begun[0], lies[-1].encode()
        return (before, begun[0]) if zones else (None, None)

    journal = Journal(tmp_path)
    journal.begin(header())
    keeper = RecordKeeper(journal, "01", pictures, None)
    for n, by, there in ((1, "table", "dealt"), (2, "phone", "drawn"), (3, "table", "laid")):
        lies.append(there)
        keeper.keep(msgspec.structs.replace(record(n), by=by), (), frozenset({"discard"}))
    assert journal.evidence("01", 2) is None
    kept = journal.evidence("01", 3)
    assert (kept.before, kept.after) == (b"drawn", b"laid")
    journal.close()


def test_evidence_of_matches_long_past_goes_and_nothing_else_of_them(tmp_path):
    journal = Journal(tmp_path)
    # Their numbers fall: what counts is which came first.
    ids = [f"{99 - n}" for n in range(SEEN + 1)]
    for match in ids[:-1]:
        seen_match(journal, match)
    assert journal.evidence(ids[0], 1) is not None
    seen_match(journal, ids[-1])
    assert journal.evidence(ids[0], 1) is None
    assert all(journal.evidence(match, 1) is not None for match in ids[1:])
    assert [one.id for one in journal.matches()] == ids
    assert all(journal.count(match) == 1 for match in ids)
    journal.close()


def test_a_journal_does_not_grow_by_pictures_without_end(tmp_path):
    sizes = []
    journal = Journal(tmp_path)
    for n in range(4 * SEEN):
        seen_match(journal, f"{n}", 3)
        sizes.append(journal._db.execute("PRAGMA page_count").fetchone()[0])
    assert sizes[SEEN] > 10 * sizes[0]
    assert sizes[-1] < 1.1 * sizes[SEEN]
    journal.close()


def test_pictures_of_years_go_bit_by_bit(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.referee.journal.AT_ONCE", 5)
    journal = Journal(tmp_path)
    seen_match(journal, "old", 12, 10)
    left = []
    for n in range(SEEN + 2):
        journal.begin(header(f"{n}"))
        left.append(journal._db.execute("SELECT COUNT(*) FROM evidence").fetchone()[0])
    assert left[-4:] == [12, 7, 2, 0]
    journal.close()


def test_evidence_that_can_not_be_taken_away_keeps_no_match_from_beginning(tmp_path, caplog):
    journal = Journal(tmp_path)
    journal._db.execute("CREATE TRIGGER stays BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'it stays'); END")
    for n in range(SEEN + 1):
        seen_match(journal, f"{n}")
    assert "old evidence is not taken away" in caplog.text
    assert journal.header("last").id == f"{SEEN}"
    assert journal.evidence("0", 1) is not None
    journal.close()


def test_a_journal_does_not_grow_by_names_without_end(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(header())
    for n in range(30):
        journal.name("01", 1, f"Ada {n % 3}")
        journal.colour("01", 1, ("pink", "blue")[n % 2])
    for count in ("SELECT COUNT(*) FROM names", "SELECT COUNT(*) FROM colours"):
        assert journal._db.execute(count).fetchone() == (1,)
    assert journal.header("01").names == {1: "Ada 2"}
    journal.close()


def test_a_match_is_deleted_with_all_that_is_kept_of_it_and_no_other(tmp_path):
    journal = Journal(tmp_path)
    picture = b"a picture of a table" * 9
    for match in ("0190", "0191"):
        journal.begin(header(match))
        journal.append(match, record(1))
        journal.name(match, 1, "Ada")
        journal.keep(match, 1, Evidence(picture, None, ()))
    journal.delete("0190")
    assert [one.id for one in journal.matches()] == ["0191"]
    assert (journal.count("0190"), journal.evidence("0190", 1)) == (0, None)
    assert (journal.count("0191"), journal.evidence("0191", 1).before) == (1, picture)
    journal.delete("0191")
    assert not any(b"a picture of" in file.read_bytes() for file in tmp_path.iterdir())
    journal.close()


def test_two_of_one_name_in_an_older_match_are_two(tmp_path):
    journal = Journal(tmp_path)
    journal.begin(msgspec.structs.replace(header(), names={1: "Ada", 2: "Bo"}))
    journal.name("01", 2, "ada")
    assert journal.header("01").names == {1: "Ada", 2: "ada 2"}
    journal.close()
