"""What can be saved of a damaged journal: every match's records up to the first that can't be read. Nothing is thrown
away: the damaged file is kept beside the new one, and damaged records in a table of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

TABLES = ("matches", "records", "names", "colours", "clocks", "secrets", "evidence")
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


def set_aside(path: Path) -> Path:
    """Give a damaged journal another name, with what belongs to it; give that name.

    Raises:
        OSError: if the folder can't be written.
    """
    aside = path.with_name(f"{path.stem}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}{path.suffix}")
    for ending in ("-wal", "-shm", ""):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


def copy(damaged: Path, db: sqlite3.Connection) -> tuple[int, int]:
    """Copy what can be read of a damaged journal into a new one; give the numbers of matches and of records."""
    try:
        old = sqlite3.connect(f"{damaged.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.DatabaseError:
        return 0, 0
    counts = dict.fromkeys(TABLES, 0)
    try:
        db.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            for row in _rows(old, table):
                marks = ", ".join("?" * len(row))
                counts[table] += db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row).rowcount  # noqa: S608  (our own names)
        db.execute("COMMIT")
    finally:
        old.close()
    return counts["matches"], counts["records"]


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
