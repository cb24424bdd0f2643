"""What a journal says: matches, records, evidence, clocks and secrets; also while another process writes it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from companion.referee import record, rescue
from companion.referee.clock import Kept
from companion.referee.colours import COLOURS
from companion.referee.record import UNREADABLE, Evidence, Header, JournalError, Record
from companion.referee.rolls import commitment
from companion.rules.kernel import ActionType, Seat
from companion.rules.seats import told_apart
from companion.text import plain, t
from companion.untyped import read_json

log = logging.getLogger(__name__)

VERSION = 1
"""Of how matches are kept (SQLite's `user_version`): raise it where an earlier companion would read it wrong."""


class JournalReader:
    """The matches of a journal, to be read; see `read_only`. Damage, which SQLite does not notice, is passed over."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.text_factory = rescue.text
        self.unreadable: set[str] = set()
        """Matches whose headers could not be read when they were last listed; they stay where they are."""

    def evidence(self, match: str, n: int) -> Evidence | None:
        """Find why a record was understood so; None for records that came from a phone."""
        if not 0 < n < 2**31:  # no record; and what SQLite can't hold it would stumble over
            return None
        row = self._db.execute(
            "SELECT before, after, CAST(candidates AS BLOB) FROM evidence WHERE match = ? AND n = ?", (match, n)
        ).fetchone()
        if row is None:
            return None
        return Evidence(row[0], row[1], record.decoded(row[2], tuple[str, ...]) or ())

    def matches(self) -> list[Header]:
        """List the headers of all matches, the first to come first, with the names and colours that people took since.

        The order of their ids can differ: those go by the time of day, which may be wrong on a box without a clock.
        """
        headers = [
            header
            for match, line in self._db.execute("SELECT id, CAST(header AS BLOB) FROM matches ORDER BY rowid")
            if (header := self._header(match, line)) is not None
        ]
        names = self._by_seat("SELECT match, seat, name FROM names ORDER BY rowid")
        colours = (
            self._by_seat("SELECT match, seat, colour FROM colours ORDER BY rowid") if self._has("colours") else {}
        )
        return [
            msgspec.structs.replace(
                one,
                names=told_apart(record.of_seats(one, {**one.names, **names.get(one.id, {})})),
                colours={
                    seat: colour
                    for seat, colour in record.of_seats(one, {**one.colours, **colours.get(one.id, {})}).items()
                    if colour in COLOURS
                },
            )
            for one in headers
        ]

    def _header(self, match: object, line: bytes) -> Header | None:
        """Read a match's header; None if it is damaged, which is logged once."""
        match = f"{match}"  # a changed byte may have made it no text
        try:
            header = read_json(line, Header)
            if header.id == match:
                self.unreadable.discard(match)
                return header
            error: Exception = ValueError(t("it names another match"))
        except UNREADABLE as wrong:
            error = wrong
        if match not in self.unreadable:
            self.unreadable.add(match)
            log.error("the header of match %s is damaged, and left where it is: %s", match, error)
        return None

    def _by_seat(self, sql: str) -> dict[str, dict[Seat, str]]:
        found: dict[str, dict[Seat, str]] = {}
        for match, seat, given in self._db.execute(sql):
            found.setdefault(match, {})[seat] = given
        return found

    def header(self, match: str) -> Header:
        """Find a match by its id, the beginning of it, or as "last"; JournalError if none or several fit."""
        known = self.matches()
        if match == "last":
            latest = self._latest()
            # In a journal of an earlier version it is not written down.
            found = [one for one in known if one.id == latest] or known[-1:]
        else:
            # A match from elsewhere may have a number that goes on where another's ends.
            found = [one for one in known if one.id == match] or [one for one in known if one.id.startswith(match)]
        if len(found) != 1:
            raise JournalError(
                t("no match begins with {match}", match=match)
                if not found
                else t("more than one match begins with {match}", match=match)
            )
        return found[0]

    def _latest(self) -> str:
        if not self._has("latest"):
            return ""
        row = self._db.execute("SELECT match FROM latest").fetchone()
        return "" if row is None else str(row[0])

    def _has(self, table: str) -> bool:
        """Return whether there is a table: a journal of an earlier version that is only read may lack one."""
        return self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None

    def clock(self, match: str) -> Kept | None:
        """Find what a match's bidding clock had left when it was last written; None if it never ran, or is damaged."""
        row = self._db.execute("SELECT CAST(clock AS BLOB) FROM clocks WHERE match = ?", (match,)).fetchone()
        return None if row is None else record.decoded(row[0], Kept)

    def secret(self, match: str, committed: str) -> bytes | None:
        """Find the secret behind a commitment; None if it was made elsewhere, or is damaged."""
        row = self._db.execute(
            "SELECT CAST(secret AS BLOB) FROM secrets WHERE match = ? AND commitment = ?", (match, committed)
        ).fetchone()
        return bytes(row[0]) if row is not None and commitment(row[0]) == committed else None

    def lines(self, match: str) -> Iterator[bytes]:
        """Yield the records of a match as they are stored."""
        for row in self._db.execute("SELECT CAST(record AS BLOB) FROM records WHERE match = ? ORDER BY n", (match,)):
            yield row[0]

    def following(self, match: str, n: int, most: int) -> list[tuple[int, bytes]]:
        """Return at most so many records of a match after number `n`, as they are stored, each with its number."""
        rows = self._db.execute(
            "SELECT n, CAST(record AS BLOB) FROM records WHERE match = ? AND n > ? ORDER BY n LIMIT ?", (match, n, most)
        )
        return [(int(row[0]), row[1]) for row in rows]

    def newest(self, match: str) -> int:
        """Return the number of a match's last record, 0 if it has none."""
        return int(self._db.execute("SELECT MAX(n) FROM records WHERE match = ?", (match,)).fetchone()[0] or 0)

    def ids(self) -> list[str]:
        """List the ids of all matches, the first to come first, their headers unread."""
        return [f"{row[0]}" for row in self._db.execute("SELECT id FROM matches ORDER BY rowid")]

    def count(self, match: str) -> int:
        """Count the records of a match."""
        return int(self._db.execute("SELECT COUNT(*) FROM records WHERE match = ?", (match,)).fetchone()[0])

    def records(self, match: str, action_type: ActionType) -> list[Record]:
        """Read the records of a match."""
        return [record.decode_record(line, action_type) for line in self.lines(match)]

    def export(self, match: str) -> Iterator[bytes]:
        """Yield a match as JSON lines, header first."""
        header = self.header(match)
        yield msgspec.json.encode(header, enc_hook=plain)
        yield from self.lines(header.id)


def check_version(folder: Path, version: int) -> None:
    """Raise JournalError for a journal that a newer companion wrote."""
    if version > VERSION:
        raise JournalError(
            t(
                "the journal in {folder} was written by a newer Companion, and is left as it is; "
                "update this one, or take back a backup from before",
                folder=folder,
            )
        )


@contextmanager
def read_only(folder: Path) -> Iterator[JournalReader]:
    """Open a journal to read while another process may write it; JournalError if it is missing or too new."""
    path = folder / "journal.db"
    if not path.exists():
        raise JournalError(
            t("there is no journal in {folder}; play a match first, or set COMPANION_STATE", folder=folder)
        )
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        check_version(folder, db.execute("PRAGMA user_version").fetchone()[0])
        yield JournalReader(db)
