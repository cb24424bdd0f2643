"""The journal: every record of every match, append-only, on disk before anybody is told.

SQLite in WAL mode with `synchronous=FULL`; one process holds an exclusive lock on it. A match is exported and imported
as JSON lines: its header, then its records.
"""

from __future__ import annotations

import fcntl
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from companion.referee import rescue
from companion.referee.clock import Kept
from companion.referee.journal_reader import VERSION, JournalReader, check_version
from companion.referee.record import (
    Evidence,
    Header,
    JournalError,
    Record,
    decode_record,
    encode_record,
    new_id,
    now,
    read_export,
    unwritten,
)
from companion.referee.rolls import commitment
from companion.rules.kernel import ActionType, Seat
from companion.text import join, plain, t

__all__ = [
    "Evidence",
    "Header",
    "JournalError",
    "decode_record",
    "encode_record",
    "new_id",
    "now",
    "read_export",
]

log = logging.getLogger(__name__)

SEEN = 20
"""The newest matches whose evidence is kept: 16 kB of pictures a record, in a file that is checked when opened."""
AT_ONCE = 2000
"""Records' evidence that is deleted at once, more than a match has: beginning one must not take long."""
HELD = 0.5
"""Seconds: so long a write waits for another program that holds the journal's file, and whoever has tapped with it."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, header BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS records (
    match TEXT NOT NULL REFERENCES matches(id), n INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY (match, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS names (match TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS colours (match TEXT NOT NULL, seat INTEGER NOT NULL, colour TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS clocks (match TEXT PRIMARY KEY, clock BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secrets (match TEXT NOT NULL, commitment TEXT NOT NULL, secret BLOB NOT NULL,
    PRIMARY KEY (match, commitment)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS damaged (match TEXT NOT NULL, n INTEGER NOT NULL, record BLOB NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS latest (one INTEGER PRIMARY KEY CHECK (one = 1), match TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS evidence (
    match TEXT NOT NULL, n INTEGER NOT NULL, before BLOB, after BLOB, candidates BLOB NOT NULL, PRIMARY KEY (match, n)
);
"""


class Journal(JournalReader):
    """All matches of one table. Open it once a process; `close` gives the lock back."""

    def __init__(self, folder: Path, *, fault: Callable[[str], None] | None = None) -> None:
        """Open, or make, the journal in a folder; tests stop the process in `fault`, called at each commit point.

        Raises JournalError if another process has it, or it or its folder can't be used; then nothing is changed.
        """
        self.folder = folder
        """Where it lies; what belongs to its matches may lie beside it."""
        self._fault = fault or (lambda _: None)
        # A match writes from its own thread, an import from a page's: what the one writes must not lie inside the
        # other's transaction, or it goes when that is rolled back, though it was told of.
        self._writing = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock: IO[str] = (folder / "journal.lock").open("a")
        except OSError as error:
            raise JournalError(
                t("the journal's folder {folder} can't be written: {strerror}", folder=folder, strerror=error.strerror)
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise JournalError(
                t(
                    "another companion is using the journal in {folder}; stop it, or set COMPANION_STATE "
                    "to another folder",
                    folder=folder,
                )
            ) from None
        self.rescued = ""
        """What had to be saved when the journal was opened, as a sentence for the host; empty if it was sound."""
        path = folder / "journal.db"
        try:
            check_version(folder, rescue.version(path))
            saved = rescue.save(path, SCHEMA, self._fault)
            super().__init__(sqlite3.connect(path, timeout=HELD, isolation_level=None, check_same_thread=False))
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(SCHEMA)
            if self._db.execute("PRAGMA user_version").fetchone()[0] < VERSION:
                self._db.execute(f"PRAGMA user_version = {VERSION}")
            if saved is not None:
                aside, matches, records = saved
                self.rescued += t(
                    "The journal was damaged. What could be read is kept (matches: {matches}, records: "
                    "{records}); the damaged file is kept as {name}. ",
                    matches=matches,
                    records=records,
                    name=aside.name,
                )
            self._path = path
            self._file = _which(path)
            self.matches()
            if self.unreadable:
                self.rescued += t(
                    "Matches whose beginning is damaged can't be shown or gone on with (they are kept as "
                    "they are): {unreadables}.",
                    unreadables=join(", ", sorted(self.unreadable)),
                )
            self.rescued = self.rescued.strip()
            if self.rescued:
                log.error("%s", self.rescued)
        except BaseException as error:
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                raise JournalError(
                    t(
                        "the journal in {folder} can't be opened: {describe}",
                        folder=folder,
                        describe=rescue.describe(error),
                    )
                ) from None
            raise

    def close(self) -> None:
        """Close the file and give the lock back."""
        self._db.close()
        self._lock.close()

    def begin(self, header: Header) -> None:
        """Write the header of a new match. Evidence of matches long past goes."""
        self._write(
            "INSERT INTO matches (id, header) VALUES (?, ?)", (header.id, msgspec.json.encode(header, enc_hook=plain))
        )
        try:
            # The room is used again; the file does not become smaller.
            self._write(
                "DELETE FROM evidence WHERE rowid IN (SELECT rowid FROM evidence WHERE match NOT IN "
                "(SELECT id FROM matches ORDER BY rowid DESC LIMIT ?) LIMIT ?)",
                (SEEN, AT_ONCE),
            )
        except JournalError as error:
            log.warning("old evidence is not taken away: %s", error)

    def put_up(self, match: str) -> None:
        """Write down that a match is played from now on: it is the one to go on with after a power cut."""
        self._write("INSERT OR REPLACE INTO latest (one, match) VALUES (1, ?)", (match,))

    def append(self, match: str, record: Record) -> None:
        """Write a record, on disk when this returns; JournalError if it can't be, and then none of it is."""
        self._fault("before-commit")
        self._write("INSERT INTO records (match, n, record) VALUES (?, ?, ?)", (match, record.n, encode_record(record)))
        self._fault("after-commit")

    def sound_records(self, match: str, action_type: ActionType) -> tuple[list[Record], int]:
        """Return the records of a match up to the first that is damaged or missing, and that number (0: all are well).

        Raises JournalError if they can't be read just now, which is no damage.
        """
        records: list[Record] = []
        try:
            for line in self.lines(match):
                record = decode_record(line, action_type)
                if record.n != len(records) + 1:
                    return records, len(records) + 1
                records.append(record)
        except JournalError:
            return records, len(records) + 1
        except sqlite3.Error as error:
            if not rescue.damage(error):
                raise JournalError(
                    t("the records of this match can't be read just now: {error}", error=error)
                ) from None
            return records, len(records) + 1
        return records, 0

    def set_aside(self, match: str, n: int) -> None:
        """Move the records of a match from number `n` on aside, without losing them; JournalError if it fails."""
        try:
            with self._all_or_nothing():
                self._db.execute(
                    "INSERT INTO damaged (match, n, record, at) "
                    "SELECT match, n, record, ? FROM records WHERE match = ? AND n >= ?",
                    (now(), match, n),
                )
                self._db.execute("DELETE FROM records WHERE match = ? AND n >= ?", (match, n))
        except sqlite3.Error as error:
            raise unwritten(error) from None

    def name(self, match: str, seat: Seat, name: str) -> None:
        """Keep what a seat is called from now on, in place of what it was called before."""
        if not self._write("UPDATE names SET name = ? WHERE match = ? AND seat = ?", (name, match, seat)):
            self._write("INSERT INTO names (match, seat, name) VALUES (?, ?, ?)", (match, seat, name))

    def colour(self, match: str, seat: Seat, colour: str) -> None:
        """Keep which colour a seat has from now on, in place of the one before."""
        if not self._write("UPDATE colours SET colour = ? WHERE match = ? AND seat = ?", (colour, match, seat)):
            self._write("INSERT INTO colours (match, seat, colour) VALUES (?, ?, ?)", (match, seat, colour))

    def keep_clock(self, match: str, kept: Kept) -> None:
        """Keep what the bidding clock has left."""
        self._write(
            "INSERT OR REPLACE INTO clocks (match, clock) VALUES (?, ?)",
            (match, msgspec.json.encode(kept, enc_hook=plain)),
        )

    def keep_secret(self, match: str, secret: bytes) -> None:
        """Keep a secret of the dice, before its commitment is told to anybody. No export carries it."""
        self._write(
            "INSERT OR IGNORE INTO secrets (match, commitment, secret) VALUES (?, ?, ?)",
            (match, commitment(secret), secret),
        )

    def _write(self, sql: str, values: tuple[str | int | bytes | None, ...]) -> int:
        try:
            with self._writing:
                self._check_there()
                self._fault("before-write")
                touched = self._db.execute(sql, values).rowcount
                self._fault("after-write")
                return touched
        except sqlite3.Error as error:
            raise unwritten(error) from None

    def _check_there(self) -> None:
        """Raise JournalError if the file is gone: SQLite would go on writing into one that nobody finds again."""
        try:
            there = _which(self._path)
        except OSError:
            there = None
        if there != self._file:
            raise JournalError(
                t(
                    "the journal's file {path} is gone or was replaced, and nothing more can be kept; "
                    "export what you want to keep, then start the companion again",
                    path=self._path,
                )
            )

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Write several things at once, while nobody else writes; nothing of it if one of them fails."""
        with self._writing:
            self._check_there()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._fault("before-all")
                self._db.execute("COMMIT")
                self._fault("after-all")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def delete(self, match: str) -> None:
        """Delete a match with all that is kept of it; JournalError if that fails, and then nothing is deleted."""
        try:
            self._db.execute("PRAGMA secure_delete = ON")  # so that no picture stays in the room that it had
            with self._all_or_nothing():
                # A damaged number may be no text: it is found as it was shown.
                known = self._db.execute("SELECT rowid, id FROM matches").fetchall()
                for row in (row for row, there in known if f"{there}" == match):
                    for table in (*rescue.TABLES[1:], "damaged"):
                        where = "match = (SELECT id FROM matches WHERE rowid = ?)"
                        self._db.execute(f"DELETE FROM {table} WHERE {where}", (row,))  # noqa: S608  (our own names)
                    self._db.execute("DELETE FROM matches WHERE rowid = ?", (row,))
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.unreadable.discard(match)
        except sqlite3.Error as error:
            raise unwritten(error) from None
        finally:
            self._db.execute("PRAGMA secure_delete = OFF")

    def keep(self, match: str, n: int, evidence: Evidence) -> None:
        """Keep why a record was understood so. A loss of this is no loss of the match."""
        self._write(
            "INSERT OR REPLACE INTO evidence (match, n, before, after, candidates) VALUES (?, ?, ?, ?, ?)",
            (match, n, evidence.before, evidence.after, msgspec.json.encode(evidence.candidates, enc_hook=plain)),
        )

    def take(self, header: Header, records: Iterable[Record]) -> None:
        """Write a whole match or nothing of it; JournalError if it is here already or can't be written."""
        if self._db.execute("SELECT 1 FROM matches WHERE id = ?", (header.id,)).fetchone() is not None:
            # What lies under its number may still be read by somebody who knows how.
            if header.id in self.unreadable:
                raise JournalError(
                    t(
                        "match {id} is in the journal already, but its beginning is damaged, and nothing is written "
                        "over it",
                        id=header.id,
                    )
                )
            raise JournalError(t("match {id} is in the journal already", id=header.id))
        try:
            with self._all_or_nothing():
                self._db.execute(
                    "INSERT INTO matches (id, header) VALUES (?, ?)",
                    (header.id, msgspec.json.encode(header, enc_hook=plain)),
                )
                self._db.executemany(
                    "INSERT INTO records (match, n, record) VALUES (?, ?, ?)",
                    ((header.id, record.n, encode_record(record)) for record in records),
                )
        except sqlite3.Error as error:
            raise unwritten(error) from None


def _which(path: Path) -> tuple[int, int]:
    """Return what a file is on this machine, whatever its name: device and inode."""
    found = path.stat()
    return found.st_dev, found.st_ino
