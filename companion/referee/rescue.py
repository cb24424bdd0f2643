"""What can be saved of a damaged journal: every match's records up to the first that can't be read.

Nothing is thrown away: the damaged file is kept beside the new one, damaged records in a table of their own. A journal
that only can't be opened now (another program, rights, a full disk) is not changed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

TABLES = ("matches", "records", "names", "colours", "clocks", "secrets", "latest", "evidence")
"""What is copied, what matters most first."""
KEYS = {"records": ("match", "n"), "clocks": ("match",), "secrets": ("match", "commitment")}
"""What rows are found by, where they have no number (SQLite's rowid)."""

COUNTING = """SELECT COUNT(*) FROM (
    SELECT n, ROW_NUMBER() OVER (PARTITION BY match ORDER BY n) AS place FROM records
    WHERE json_valid(CAST(record AS TEXT)) AND match IN (SELECT id FROM matches)) WHERE n = place"""
"""Counts the records that matches go on with: what lies behind one that is missing or damaged counts no more."""

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""What SQLite calls a file whose bytes are wrong. All its other errors say that it can't be used just now."""
UNREADABLE = sqlite3.SQLITE_IOERR_READ
"""A place that a dying card does not give back: what lies elsewhere is saved, for it won't get better by waiting."""
HELP = {
    sqlite3.SQLITE_BUSY: "another program holds it; close that, then start again",
    sqlite3.SQLITE_LOCKED: "another program holds it; close that, then start again",
    sqlite3.SQLITE_CANTOPEN: "it must be a file that the user who runs the companion may read and write",
    sqlite3.SQLITE_PERM: "it must be a file that the user who runs the companion may read and write",
    sqlite3.SQLITE_READONLY: "it must be a file that the user who runs the companion may read and write",
    sqlite3.SQLITE_FULL: "make room on the disk, then start again",
    sqlite3.SQLITE_IOERR: "the disk is full or the card is failing; make room, or restore a backup to another card",
}
"""What helps if the journal can't be opened, by SQLite's codes."""


def damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged, and not only that it can't be used just now."""
    # Errors that the module itself raises have no code; they are about its use.
    return _damage(getattr(error, "sqlite_errorcode", 0))


def _damage(code: int) -> bool:
    return code & 0xFF in DAMAGE or code == UNREADABLE


def describe(error: sqlite3.Error | OSError) -> str:
    """Return what keeps a journal from being opened, and what helps."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return f"{error} ({HELP[code]})" if code in HELP else f"{error}"


def text(given: bytes) -> str:
    """Read a text of a journal; a byte that is no letter must not keep all the others from being read."""
    return given.decode("utf-8", "replace")


def version(path: Path) -> int:
    """Return the version of a journal's file; 0 if it is missing or too damaged. sqlite3.Error if it can't be used."""
    if not path.exists():
        return 0
    try:
        with closing(_reading(path)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error as error:
        if damage(error):
            return 0
        raise


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def sound(path: Path) -> bool:
    """Return whether a journal's file is sound, or not there yet; sqlite3.Error if it can't be used just now."""
    if not path.exists():
        return True
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        if damage(error):
            return False
        raise
    # A page that it could not get is among its findings, whatever kept it from that.
    code = re.search(r"error code=(\d+)", found)
    if code is not None and not _damage(int(code[1])):
        raise sqlite3.OperationalError(f"it can't be read to its end: {found}")
    return bool(found == "ok")


def save(path: Path, schema: str, fault: Callable[[str], None]) -> tuple[Path, int, int] | None:
    """Put what can be read of a damaged journal in its place; None if it was sound.

    Returns the damaged file's new name, the matches that are kept and the records that count: up to the first that
    can't be read. `schema` makes a journal's tables; `fault` is called after each step that is on disk. Whatever step
    is the last before a power cut, the next call goes on. Raises sqlite3.Error or OSError if there is no room, or the
    journal or its folder can't be used.
    """
    fresh = path.with_name(f"{path.stem}.rescued{path.suffix}")
    if path.exists() or not fresh.exists():
        if sound(path):
            fresh.unlink(missing_ok=True)
            return None
        _copy(path, fresh, schema)
        fault("rescued")
        aside = path.with_name(f"{path.stem}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}{path.suffix}")
        path.rename(aside)
        fault("set-aside")
    else:
        aside = max(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}"), default=path)
    # The damaged journal's own log must be gone before another file has its name, or it would be taken for that one's.
    for ending in ("-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
            fault(f"set-aside{ending}")
    fresh.rename(path)
    with closing(sqlite3.connect(path)) as db:
        matches, records = (db.execute(sql).fetchone()[0] for sql in ("SELECT COUNT(*) FROM matches", COUNTING))
    return aside, matches, records


def _copy(damaged: Path, fresh: Path, schema: str) -> None:
    # A copy that was cut short before says nothing.
    for ending in ("", "-journal"):
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(schema)
        with closing(_reading(damaged)) as old:
            old.text_factory = text
            try:
                there = {row[0] for row in old.execute("SELECT name FROM sqlite_master")}
            except sqlite3.Error as error:
                # Of a journal without a beginning nothing can be found; but a card must give back what is there.
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE:
                    return
                raise
            db.execute("BEGIN IMMEDIATE")
            for table in (one for one in TABLES if one in there):  # an earlier version's may lack some
                known = {row[1] for row in old.execute(f"PRAGMA table_info({table})")}
                columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] in known]
                if table not in KEYS:
                    # Its number says what came first: the last of a seat's names counts.
                    columns.insert(0, "rowid")
                names, marks = ", ".join(columns), ", ".join("?" * len(columns))
                into = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  (our own names)
                for row in _rows(old, table, names):
                    db.execute(into, row)
            db.execute("COMMIT")


def _rows(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """Yield the readable rows of a table from both ends, for damage in the middle hides neither; some come twice."""
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{one} {order}" for one in KEYS.get(table, ("rowid",)))
        try:
            yield from old.execute(f"SELECT {columns} FROM {table} ORDER BY {by}")  # noqa: S608  (our own names)
            return
        except sqlite3.Error as error:
            if not damage(error):
                raise
