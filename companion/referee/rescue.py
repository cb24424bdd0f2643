"""What can be saved of a damaged journal: every match's records up to the first that can't be read. Nothing is thrown
away: the damaged file is kept beside the new one, and damaged records in a table of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

TABLES = ("matches", "records", "names", "colours", "clocks", "secrets", "latest", "evidence")
"""What is copied, what matters most first."""


def sound(path: Path) -> bool:
    """Tell whether a journal's file can be read from end to end; one that isn't there yet is sound."""
    if not path.exists():
        return True
    try:
        db = sqlite3.connect(path, isolation_level=None)
        try:
            return bool(db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        finally:
            db.close()
    except sqlite3.DatabaseError:
        return False


def save(path: Path, schema: str, fault: Callable[[str], None]) -> tuple[Path, int, int] | None:
    """Put what can be read of a damaged journal in its place; None if it was sound.

    Gives the damaged file's new name, the matches and the records that are kept. `schema` makes a journal's tables;
    `fault` is called with a name after each step that is on disk for good. Whatever step is the last before a power
    cut or on a full disk, the damaged journal is there still, or all that could be read of it: the next call goes on.

    Raises:
        sqlite3.Error, OSError: if there is no room, or the folder can't be written.
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
        matches, records = (db.execute(f"SELECT COUNT(*) FROM {one}").fetchone()[0] for one in TABLES[:2])  # noqa: S608  (our own names)
    return aside, matches, records


def _copy(damaged: Path, fresh: Path, schema: str) -> None:
    """Copy what can be read of a damaged journal into a new one, which is whole or not there when this returns."""
    # A copy that was cut short before says nothing.
    for ending in ("", "-journal"):
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(schema)
        try:
            old = sqlite3.connect(f"{damaged.resolve().as_uri()}?mode=ro", uri=True)
        except sqlite3.DatabaseError:
            return
        with closing(old):
            db.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                for row in _rows(old, table):
                    marks = ", ".join("?" * len(row))
                    db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)  # noqa: S608  (our own names)
            db.execute("COMMIT")


def _rows(old: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table that can be read, from both ends: damage in the middle hides neither."""
    seen: set[object] = set()
    keys = "match, n" if table in ("records", "evidence") else "1"
    for order in ("ASC", "DESC"):
        try:
            for row in old.execute(f"SELECT * FROM {table} ORDER BY {keys} {order}"):  # noqa: S608  (our own names)
                if row not in seen:
                    seen.add(row)
                    yield row
        except sqlite3.DatabaseError:
            continue
