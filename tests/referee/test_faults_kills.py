"""A process killed at every point at which something is on disk for good, of everything that a journal writes."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.referee.chain import broken
from companion.referee.clock import Kept
from companion.referee.commands import Correct, End, Name
from companion.referee.journal import Evidence, Header, Journal
from companion.referee.match import Match
from companion.rules.kernel import Turns
from tests.referee.bidding import GAME as BIDS
from tests.referee.bidding import until_bidding
from tests.referee.table import GAME

MAT = games.load_mat(GAME.info.name, 3)
HEADER = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")
_PLAYED, PLAYED = until_bidding(seats=5, bidders=4)
OTHER = msgspec.structs.replace(_PLAYED, id="0191")
"""A match from elsewhere."""


Tell = Callable[[str], None]


def killed_at(point: int, work: Callable[[Tell, Tell], object]) -> tuple[list[str], str]:
    """Do some work in a process of its own, which is killed at its `point`-th commit point (counted from 0).

    `work` gets what is to be called at each point, and what tells somebody of something. Gives what was told, and the
    name of the point; "" if there are not so many.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            left = point

            def fault(name: str) -> None:
                nonlocal left
                if left == 0:
                    os.write(write, f"killed {name}\n".encode())
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

            work(fault, lambda what: os.write(write, f"{what}\n".encode()) and None)
            os._exit(0)
        os._exit(1)
    os.close(write)
    with os.fdopen(read) as pipe:
        told = pipe.read().split("\n")[:-1]
    _, status = os.waitpid(child, 0)
    if told and told[-1].startswith("killed "):
        assert os.WIFSIGNALED(status)
        return told[:-1], told[-1].removeprefix("killed ")
    assert status == 0, "the work itself failed"
    return told, ""


def everything(folder: Path, fault: Tell, tell: Tell) -> None:
    """Write everything that there is to write, and tell of it once it is said to count."""
    journal = Journal(folder, fault=fault)
    match = Match(GAME, MAT, HEADER, journal)
    tell("begun")
    match.start()
    for n in range(2):
        assert match.command(Correct(edits=(Turns(n % 3 + 1),), by="host")).ok
        tell(f"record {n + 1}")
    assert match.command(Name(seat=2, name="Maja", colour="green")).ok
    tell("name")
    journal.keep(HEADER.id, 1, Evidence(b"before", b"after", ("one",)))
    tell("evidence")
    journal.keep_clock(HEADER.id, Kept(n=2, left=7.5))
    tell("clock")
    journal.take(OTHER, PLAYED)
    tell("import")
    journal.set_aside(OTHER.id, len(PLAYED))
    tell("set aside")
    assert match.command(End(by="host")).ok
    tell("record 3")
    match.close()
    journal.close()


@pytest.mark.night
def test_killed_at_every_commit_point_nothing_that_was_told_is_lost_and_nothing_is_there_by_half(
    tmp_path: Path,
) -> None:
    points: list[str] = []
    while True:
        folder = tmp_path / str(len(points))
        told, name = killed_at(len(points), partial(everything, folder))
        journal = Journal(folder)
        assert journal.rescued == ""
        known = {one.id: one for one in journal.matches()}
        records = journal.records(HEADER.id, GAME.action_type)
        assert HEADER.id in known or (not told and not records)
        assert len(records) >= sum(one.startswith("record ") for one in told)
        if HEADER.id in known:
            assert not broken(known[HEADER.id], records)
        assert "name" not in told or known[HEADER.id].names == {2: "Maja"}
        assert "evidence" not in told or journal.evidence(HEADER.id, 1) == Evidence(b"before", b"after", ("one",))
        assert "clock" not in told or journal.clock(HEADER.id) == Kept(n=2, left=7.5)
        # The other match is there with all its records or not at all; what is set aside is in one place or the other.
        kept = journal.records(OTHER.id, BIDS.action_type)
        aside = journal._db.execute("SELECT COUNT(*) FROM damaged").fetchone()[0]
        assert len(kept) + aside == (len(PLAYED) if OTHER.id in known else 0)
        assert kept == PLAYED[: len(kept)]
        assert "import" not in told or OTHER.id in known
        assert "set aside" not in told or aside == 1
        match = Match(GAME, MAT, HEADER, journal)
        assert match.snapshot.record == len(records)
        match.start()
        if match.snapshot.phase != "over":
            assert match.command(Correct(edits=(Turns(2),), by="host")).ok
        match.close()
        journal.close()
        if not name:
            break
        points.append(name)
    assert len(points) > 20
    assert {"before-commit", "after-commit", "before-write", "after-write", "before-all", "after-all"} <= set(points)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A journal with a match of forty records, one page of it torn, and what was written last still in its log."""
    folder = tmp_path / "damaged"
    journal = Journal(folder)
    match = Match(GAME, MAT, HEADER, journal)
    match.start()
    for n in range(40):
        assert match.command(Correct(edits=(Turns(n % 3 + 1),), by="host")).ok
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert match.command(Correct(edits=(Turns(2),), by="host")).ok
    lies = tmp_path / "lies"
    lies.mkdir()
    for name in ("journal.db", "journal.db-wal"):
        shutil.copy(folder / name, lies / name)
    match.close()
    journal.close()
    path = lies / "journal.db"
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'journal.db'}?mode=ro", uri=True)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'names'").fetchone()[0]
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(data)
    return lies


def opened(folder: Path, fault: Tell, tell: Tell) -> None:
    """Open a journal, which saves what can be read of a damaged one."""
    Journal(folder, fault=fault).close()


def test_a_damaged_journal_that_is_saved_is_saved_though_the_power_goes_again_meanwhile(
    tmp_path: Path, damaged: Path
) -> None:
    points: list[str] = []
    while True:
        folder = tmp_path / f"again {len(points)}"
        shutil.copytree(damaged, folder)
        _, name = killed_at(len(points), partial(opened, folder))
        journal = Journal(folder)
        assert ("damaged" in journal.rescued) == bool(name)
        records = journal.records(HEADER.id, GAME.action_type)
        assert len(records) == 41, name
        assert not broken(journal.matches()[0], records)
        assert len(list(folder.glob("journal.damaged-*.db"))) == 1
        assert not (folder / "journal.rescued.db").exists()
        match = Match(GAME, MAT, HEADER, journal)
        match.start()
        assert match.command(End(by="host")).ok
        match.close()
        journal.close()
        assert Journal(folder).rescued == ""
        if not name:
            break
        points.append(name)
    assert points == ["rescued", "set-aside", "set-aside-wal", "set-aside-shm"]


def test_a_damaged_journal_on_a_full_disk_is_still_there_once_there_is_room(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.referee import rescue
    from companion.referee.journal import JournalError

    plainly = rescue._rows

    def full(old: sqlite3.Connection, table: str, columns: str) -> object:
        if table == "records":
            raise sqlite3.OperationalError("database or disk is full")
        return plainly(old, table, columns)

    monkeypatch.setattr(rescue, "_rows", full)
    with pytest.raises(JournalError, match="can't be opened: database or disk is full"):
        Journal(damaged)
    monkeypatch.undo()
    journal = Journal(damaged)
    assert "damaged" in journal.rescued
    assert len(journal.records(HEADER.id, GAME.action_type)) == 41
    journal.close()
