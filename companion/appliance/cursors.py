"""How far the hall has each match: a small file beside the journal, which only speed depends on.

A damaged file is thrown away, and a full disk only said: what is lost is told again.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.text import t

log = logging.getLogger(__name__)

FILE = "hall.db"
SCHEMA = """
CREATE TABLE IF NOT EXISTS hall (one INTEGER PRIMARY KEY CHECK (one = 1), whose TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cursors (match TEXT PRIMARY KEY, through INTEGER NOT NULL, chain TEXT NOT NULL,
    named TEXT NOT NULL, refused TEXT NOT NULL) WITHOUT ROWID;
"""


class Cursor(msgspec.Struct, frozen=True):
    """The hall has a match up to record `through`, of hash `chain`, with names as `named`; once `refused` no more."""

    through: int = 0
    chain: str = ""
    named: str = ""
    refused: str = ""


class Cursors:
    """The cursors of all matches, for one hall. Only the thread that opened them may use them."""

    def __init__(self, folder: Path, whose: str) -> None:
        """Read what is kept, or begin anew if it was for another hall (`whose`: address and name) or is damaged."""
        self.trouble = ""
        """Why they can't be kept, in a sentence; "" if they are."""
        self._path = folder / FILE
        self._db: sqlite3.Connection | None = None
        self._now: dict[str, Cursor] = {}
        for _ in range(2):
            try:
                self._open(whose)
                return
            except sqlite3.DatabaseError as error:
                self.close()
                self._now = {}
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                    self._failed(error)
                    return
                log.warning("what the hall has is not readable (%s): all is told again", error)
                for end in ("", "-wal", "-shm"):
                    with suppress(OSError):
                        self._path.with_name(FILE + end).unlink()

    def _open(self, whose: str) -> None:
        self._db = db = sqlite3.connect(self._path, timeout=0.5, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.executescript(SCHEMA)
        row = db.execute("SELECT whose FROM hall").fetchone()
        if row is None or row[0] != whose:
            with db:
                db.execute("DELETE FROM cursors")
                db.execute("INSERT OR REPLACE INTO hall (one, whose) VALUES (1, ?)", (whose,))
        for match, *rest in db.execute("SELECT match, through, chain, named, refused FROM cursors"):
            self._now[f"{match}"] = Cursor(int(rest[0]), f"{rest[1]}", f"{rest[2]}", f"{rest[3]}")

    def __getitem__(self, match: str) -> Cursor:
        return self._now.get(match, Cursor())

    def __setitem__(self, match: str, cursor: Cursor) -> None:
        self._now[match] = cursor
        self._write(
            "INSERT OR REPLACE INTO cursors (match, through, chain, named, refused) VALUES (?, ?, ?, ?, ?)",
            (match, cursor.through, cursor.chain, cursor.named, cursor.refused),
        )

    def keep_only(self, matches: set[str]) -> None:
        """Forget matches that the journal does not have any more."""
        for match in [one for one in self._now if one not in matches]:
            del self._now[match]
            self._write("DELETE FROM cursors WHERE match = ?", (match,))

    def _write(self, sql: str, values: tuple[str | int, ...]) -> None:
        if self._db is None:
            return
        try:
            self._db.execute(sql, values)
            self.trouble = ""
        except sqlite3.Error as error:
            self._failed(error)

    def _failed(self, error: sqlite3.Error) -> None:
        if not self.trouble:
            log.warning("how far the hall has the matches can't be kept: %s", error)
        self.trouble = t("How far the hall has the matches can't be kept: make room on the disk.")

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
