"""A journal whose power, disk or clock fails: what was told is there afterwards, and what can't be written is said."""

from __future__ import annotations

import resource
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.bench.prepared import prepared
from companion.referee import rescue
from companion.referee.chain import broken
from companion.referee.commands import Correct, Play
from companion.referee.journal import Header, Journal, JournalError
from companion.referee.match import Match
from companion.rules.kernel import Turns
from tests.nights import at_night
from tests.referee.bidding import until_bidding
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)
HEADER = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")
FRAME = 24
"""Bytes of a frame's head in SQLite's write-ahead log; the log's own is 32."""


def play(match: Match, n: int) -> int:
    reply = match.command(Correct(edits=(Turns(n % 3 + 1),), by="host"))
    assert reply.ok, reply
    return reply.record


def copied(folder: Path, to: Path) -> Path:
    """Take the journal as it lies on the disk at this moment."""
    to.mkdir()
    for one in folder.glob("journal.db*"):
        if not one.name.endswith("-shm"):
            shutil.copy(one, to)
    return to


# ------------------------------------------------------------------------------------------------------- power cut


def test_a_power_cut_at_any_byte_of_the_last_write_loses_nothing_that_was_told(tmp_path):
    """What was synced before is whole on the disk; of what was being written any part may be there."""
    journal = Journal(tmp_path / "whole")
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    for n in range(3):
        told = play(match, n)
    before = (tmp_path / "whole" / "journal.db-wal").stat().st_size
    play(match, 3)
    lies = copied(tmp_path / "whole", tmp_path / "cut")
    match.close()
    journal.close()
    whole = (lies / "journal.db-wal").read_bytes()
    assert len(whole) > before
    page = int.from_bytes((lies / "journal.db").read_bytes()[16:18], "big")
    # Every byte of a frame's head, and of its page each hundredth; and the last bytes before it would have counted.
    frames = range(before, len(whole), FRAME + page)
    cuts = {start + at for start in frames for at in (*range(FRAME + 2), *range(FRAME, FRAME + page, 401))}
    cuts |= set(range(len(whole) - 4, len(whole) + 1))
    kept = {}
    for cut in sorted(cuts):
        if cut > len(whole):
            continue
        for rest in (b"", bytes(len(whole) - cut)):
            folder = tmp_path / "again"
            folder.mkdir()
            shutil.copy(lies / "journal.db", folder / "journal.db")
            (folder / "journal.db-wal").write_bytes(whole[:cut] + rest)
            again = Journal(folder)
            assert again.rescued == ""
            resumed = Match(GAME, MAT, HEADER, again)
            records = resumed.records()
            assert not broken(resumed.header, records)
            kept[cut] = len(records)
            again.close()
            shutil.rmtree(folder)
            assert kept[cut] == told + (whole[:cut] + rest == whole), cut
    assert kept[before] == told
    assert kept[len(whole)] == told + 1


def test_after_a_power_cut_the_match_is_gone_on_with(tmp_path):
    journal = Journal(tmp_path / "whole")
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    for n in range(4):
        play(match, n)
    lies = copied(tmp_path / "whole", tmp_path / "cut")
    match.close()
    journal.close()
    log = lies / "journal.db-wal"
    log.write_bytes(log.read_bytes()[:-7])
    again = Journal(lies)
    resumed = Match(GAME, MAT, HEADER, again)
    resumed.start()
    assert resumed.snapshot.record == 3
    assert play(resumed, 3) == 4
    resumed.close()
    again.close()


@pytest.mark.parametrize(("name", "seats"), [("five-cards-collector", 2), *at_night(("karmic-collections", 6))])
def test_a_power_cut_between_an_action_and_what_follows_by_itself_is_gone_on_with(tmp_path, name, seats):
    """Some actions are followed by one that nobody chooses; the cut may come between the two records."""
    game = games.load(name)
    header, steps = prepared(game, seats, 1, 95)
    mat = games.load_mat(header.game, header.seats)
    journal = Journal(tmp_path)
    match = Match(game, mat, header, journal)
    match.start()
    cuts = 0
    while (done := len(match.records())) < len(steps) and cuts < 2:
        action, facts = steps[done]
        reply = match.command(Play(seat=action.seat, action=action, facts=facts))
        assert reply.ok
        after = len(match.records())
        if after == done + 2:
            cuts += 1
            match.close()
            journal._db.execute("DELETE FROM records WHERE n = ?", (after,))
            match = Match(game, mat, header, journal)
            assert len(match.records()) == after
            assert match.snapshot.record == after
            match.start()
    assert cuts == 2
    match.close()
    journal.close()


# -------------------------------------------------------------------------------------------------------- full disk

FULL = textwrap.dedent(
    """
    import resource, signal, sys
    from pathlib import Path
    from companion import games
    from companion.referee.commands import Correct
    from companion.referee.journal import Header, Journal
    from companion.referee.match import Match
    from companion.rules.kernel import Turns

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    folder = Path(sys.argv[1])
    game, mat = games.load("five-cards-collector"), games.load_mat("five-cards-collector", 3)
    header = Header(id="0190", at="", game=game.info.name, seats=3, mode="ledger")
    match = Match(game, mat, header, Journal(folder))
    match.start()
    told = 0
    refused = ""
    room = (folder / "journal.db-wal").stat().st_size + 70_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    for n in range(400):
        reply = match.command(Correct(edits=(Turns(n % 3 + 1),), by="host"))
        if not reply.ok:
            refused = reply.verdict.reason
            break
        told = reply.record
    assert match.snapshot.record == told, (match.snapshot.record, told)
    assert len(match.records()) == told
    print(told, refused, flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    reply = match.command(Correct(edits=(Turns(1),), by="host"))
    assert reply.ok and reply.record == told + 1, reply
    match.close()
    """
)


def test_a_full_disk_is_said_and_the_match_goes_on_once_there_is_room(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    told, _, refused = done.stdout.strip().partition(" ")
    assert int(told) > 3
    assert "make room on the disk, then go on" in refused
    journal = Journal(tmp_path)
    resumed = Match(GAME, MAT, HEADER, journal)
    assert len(resumed.records()) == int(told) + 1
    assert not broken(resumed.header, resumed.records())
    journal.close()


def test_a_full_disk_while_a_match_begins_or_is_taken_in_leaves_no_half_match(tmp_path):
    journal = Journal(tmp_path)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    header, records = until_bidding(seats=5, bidders=4)
    with pytest.raises(JournalError, match="can't be written"):
        journal.take(header, records * 40)
    assert journal.matches() == []
    journal._db.execute("PRAGMA max_page_count=100000")
    journal.take(header, records)
    assert [one.id for one in journal.matches()] == [header.id]
    journal.close()


# -------------------------------------------------------------------------------------------------------- read-only


def test_a_folder_that_can_not_be_written_is_said_with_its_name(tmp_path):
    blocked = tmp_path / "journal"
    blocked.write_text("a file where the folder should be")
    with pytest.raises(JournalError, match="can't be written") as told:
        Journal(blocked)
    assert str(blocked) in str(told.value)


def test_a_journal_that_can_only_be_read_is_said_and_can_be_read(tmp_path, monkeypatch):
    Journal(tmp_path).close()

    class ReadOnly(sqlite3.Connection):
        """As on a card that the system has mounted to be read only."""

        def execute(self, sql, *values):  # type: ignore[no-untyped-def]
            if sql.startswith(("PRAGMA journal_mode", "INSERT", "CREATE")):
                raise sqlite3.OperationalError("attempt to write a readonly database")
            return super().execute(sql, *values)

    plainly = sqlite3.connect
    monkeypatch.setattr(
        "companion.referee.journal.sqlite3.connect", lambda *how, **more: plainly(*how, **{**more, "factory": ReadOnly})
    )
    with pytest.raises(JournalError, match="can't be opened: attempt to write a readonly database"):
        Journal(tmp_path)
    monkeypatch.undo()
    Journal(tmp_path).close()


def test_a_card_that_turns_read_only_in_a_match_is_said_and_nothing_counts_that_is_not_written(tmp_path):
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    journal._db.execute("PRAGMA query_only=ON")
    reply = match.command(Correct(edits=(Turns(2),), by="host"))
    assert not reply.ok
    assert reply.verdict is not None
    assert "the journal can't be written" in reply.verdict.reason
    assert "make room" not in reply.verdict.reason
    assert match.snapshot.record == 1
    assert "can't be written" in match.snapshot.sentence
    journal._db.execute("PRAGMA query_only=OFF")
    assert play(match, 1) == 2
    match.close()
    journal.close()


def test_while_another_program_holds_the_journal_a_tap_is_answered_soon_and_what_helps_is_said(tmp_path):
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = time.monotonic()
    reply = match.command(Correct(edits=(Turns(2),), by="host"))
    assert time.monotonic() - before < 2
    assert reply.verdict is not None
    assert "close that program, then go on" in reply.verdict.reason
    assert "make room" not in reply.verdict.reason
    other.close()
    assert play(match, 1) == 2
    match.close()
    journal.close()


# ------------------------------------------------------------------------------------------------------------- gone


@pytest.mark.parametrize("what", ["its folder is gone", "it is gone", "it was replaced", "it was moved"])
def test_a_journal_whose_file_goes_in_a_match_is_said_and_nothing_counts_that_nobody_would_find_again(tmp_path, what):
    folder = tmp_path / "state"
    journal = Journal(folder)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    path, away = folder / "journal.db", tmp_path / "away.db"
    path.rename(away)
    if what == "its folder is gone":
        shutil.rmtree(folder)
    elif what == "it was replaced":
        shutil.copy(away, path)
    reply = match.command(Correct(edits=(Turns(2),), by="host"))
    assert not reply.ok
    assert reply.verdict is not None
    assert "is gone or was replaced" in reply.verdict.reason
    assert match.snapshot.record == 1
    with pytest.raises(JournalError, match="is gone or was replaced"):
        journal.take(msgspec.structs.replace(HEADER, id="0191"), [])
    # What was told before can be had for as long as the companion runs.
    assert len(list(journal.export(HEADER.id))) == 2
    if what == "it was moved":
        away.rename(path)
        assert play(match, 1) == 2
    match.close()
    journal.close()


# --------------------------------------------------------------------------------------------- can't be opened just now


def hold(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute("PRAGMA locking_mode=EXCLUSIVE")
    db.execute("BEGIN IMMEDIATE")
    return db


class Failing(sqlite3.Connection):
    """Has SQLite's own error, of a code that is set, for one statement."""

    code = 0
    at = ""

    def execute(self, sql, *values):  # type: ignore[no-untyped-def]
        if self.code and sql.startswith(self.at):
            error = sqlite3.OperationalError(f"no luck ({self.code})")
            error.sqlite_errorcode = self.code
            raise error
        return super().execute(sql, *values)


@pytest.fixture
def connections(monkeypatch):
    """SQLite's connections, which wait for nobody and may fail."""
    monkeypatch.setattr(Failing, "code", 0)
    plainly = sqlite3.connect
    monkeypatch.setattr(
        "companion.referee.rescue.sqlite3.connect",
        lambda *how, **more: plainly(*how, **{"timeout": 0.1, "factory": Failing, **more}),
    )


CODES = {
    "CANTOPEN": "may read and write",
    "BUSY": "another program holds it",
    "PERM": "may read and write",
    "READONLY": "may read and write",
    "NOMEM": "no luck",
    "FULL": "make room",
    "IOERR_FSTAT": "make room",
}


@pytest.mark.parametrize("what", ["held", "a folder", "its log a folder", "no more files", *CODES])
def test_a_journal_that_can_not_be_opened_just_now_is_not_taken_for_a_damaged_one(
    tmp_path, monkeypatch, connections, what
):
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    match.close()
    journal.close()
    path = tmp_path / "journal.db"
    was = path.stat().st_ino
    holder: sqlite3.Connection | None = None
    words = CODES.get(what, "may read and write")
    if what == "held":
        holder, words = hold(path), "another program holds it"
    elif what == "a folder":
        path.rename(tmp_path / "elsewhere")
        path.mkdir()
        was = path.stat().st_ino
    elif what == "its log a folder":
        (tmp_path / "journal.db-wal").mkdir()
    elif what == "no more files":
        usual = resource.getrlimit(resource.RLIMIT_NOFILE)
        taken = [path.open() for _ in range(20)]
        # The lock's file can be opened, and nothing after it.
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1].fileno() + 2, usual[1]))
    else:
        monkeypatch.setattr(Failing, "code", getattr(sqlite3, f"SQLITE_{what}"))
        monkeypatch.setattr(Failing, "at", "PRAGMA quick_check")
    try:
        with pytest.raises(JournalError, match="can't be opened") as said:
            Journal(tmp_path)
    finally:
        if what == "no more files":
            resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert words in str(said.value)
    assert path.stat().st_ino == was
    assert not list(tmp_path.glob("*.damaged-*"))
    if holder is not None:
        holder.close()
    elif what == "a folder":
        path.rmdir()
        (tmp_path / "elsewhere").rename(path)
    elif what == "its log a folder":
        (tmp_path / "journal.db-wal").rmdir()
    Failing.code = 0
    again = Journal(tmp_path)
    assert again.rescued == ""
    assert again.count(HEADER.id) == 1
    again.close()


def test_a_page_that_could_not_be_got_just_now_is_no_damage(tmp_path, monkeypatch, connections):
    """What keeps the check from a page, SQLite counts among its findings."""
    Journal(tmp_path).close()
    for code, damaged in ((sqlite3.SQLITE_NOMEM, False), (sqlite3.SQLITE_IOERR_READ, True)):
        finding = f"Tree 2 page 5: unable to get the page. error code={code}"
        monkeypatch.setattr(
            Failing,
            "execute",
            lambda self, sql, *values, finding=finding: sqlite3.Connection.execute(
                self, *((sql, *values) if "quick_check" not in sql else ("SELECT ?", (finding,)))
            ),
        )
        if damaged:
            assert not rescue.sound(tmp_path / "journal.db")
        else:
            with pytest.raises(JournalError, match="can't be read to its end"):
                Journal(tmp_path)
    assert not list(tmp_path.glob("*.damaged-*"))


def test_of_a_dying_card_what_it_gives_back_is_saved_but_not_if_it_gives_nothing(tmp_path, monkeypatch, connections):
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    match.close()
    journal.close()
    monkeypatch.setattr(rescue, "sound", lambda path: False)
    monkeypatch.setattr(Failing, "code", sqlite3.SQLITE_IOERR_READ)
    monkeypatch.setattr(Failing, "at", "SELECT")
    with pytest.raises(JournalError, match="card is failing"):
        Journal(tmp_path)
    assert not list(tmp_path.glob("*.damaged-*"))
    monkeypatch.setattr(Failing, "at", "SELECT * FROM evidence")
    again = Journal(tmp_path)
    assert "damaged" in again.rescued
    assert again.count(HEADER.id) == 1
    again.close()


def test_records_that_can_not_be_read_just_now_are_not_set_aside(tmp_path, monkeypatch, connections):
    journal = Journal(tmp_path)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    play(match, 0)
    match.close()
    monkeypatch.setattr(Failing, "code", sqlite3.SQLITE_NOMEM)
    monkeypatch.setattr(Failing, "at", "SELECT CAST(record AS BLOB) FROM records")
    with pytest.raises(JournalError, match="can't be read just now"):
        Match(GAME, MAT, HEADER, journal)
    monkeypatch.setattr(Failing, "code", 0)
    assert len(Match(GAME, MAT, HEADER, journal).records()) == 1
    journal.close()


# ------------------------------------------------------------------------------------------------------------ clock
