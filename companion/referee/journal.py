"""The journal: every record of every match, append-only, on disk before anybody is told.

SQLite in WAL mode with `synchronous=FULL`; one process holds an exclusive lock on it. A match can be exported and
imported as JSON lines: the first line is its header, each further line a record.
"""

from __future__ import annotations

import fcntl
import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec

from companion.referee import rescue
from companion.referee.clock import SECONDS, Kept
from companion.referee.dice import commitment
from companion.referee.record import Proof, Record
from companion.rules.kernel import AnyEdit, Facts, Seat

log = logging.getLogger(__name__)

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


class JournalError(Exception):
    """The journal can't be used; the message says why and what to do."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed when a match begins. `setup` is the game's own struct of facts as plain values."""

    id: str
    at: str
    game: str
    seats: int
    options: dict[str, int] = {}
    setup: Any = None
    names: dict[Seat, str] = {}
    colours: dict[Seat, str] = {}
    mode: str = "assist"
    bid_seconds: int = SECONDS
    """How long a bid may take; 0 is no clock (ruling C5)."""
    trainer: bool = False
    """Whether a trainer leads: then nobody else takes steps back."""
    commitment: str = ""
    """What the companion has committed to for its first roll (C6, `companion.referee.dice`)."""


class Evidence(msgspec.Struct, frozen=True):
    """Why the referee thought so: pictures (JPEG) before and after, and the candidates in words, the chosen first."""

    before: bytes | None
    after: bytes | None
    candidates: tuple[str, ...]


def new_id() -> str:
    """Make a UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits, so that ids sort by time."""
    value = (int(time.time() * 1000) & ((1 << 48) - 1)) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def now() -> str:
    """Give the time in UTC, ISO 8601, in milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Plain(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it is stored: its action is the game's own struct, not decoded yet."""

    n: int
    id: str
    at: str
    kind: str = "action"
    seat: Seat = 0
    action: msgspec.Raw = msgspec.Raw(b"null")
    facts: Facts = ()
    edits: tuple[AnyEdit, ...] = ()
    steps: int = 0
    by: str = "table"
    assumed: bool = False
    proof: Proof | None = None
    commitment: str = ""
    chain: str = ""


_plain = msgspec.json.Decoder(_Plain)


def encode_record(record: Record) -> bytes:
    """Write a record as one line of JSON, always with the same bytes."""
    return msgspec.json.encode(record, order="deterministic")


def decode_record(line: bytes, action_type: Any) -> Record:
    """Read a record; its action becomes one of the game's structs.

    Raises:
        JournalError: if the line is no record of this game.
    """
    try:
        plain = _plain.decode(line)
        action = msgspec.json.decode(plain.action, type=action_type | None)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JournalError(f"this line is no record: {error}") from None
    rest = {name: getattr(plain, name) for name in plain.__struct_fields__ if name != "action"}
    return Record(action=action, **rest)


class Shelf:
    """The matches of a journal, to be read; see `read_only`."""

    _db: sqlite3.Connection

    def evidence(self, match: str, n: int) -> Evidence | None:
        """Find why a record was understood so; None for records that came from a phone."""
        if not 0 < n < 2**31:  # no record; and what SQLite can't hold it would stumble over
            return None
        row = self._db.execute(
            "SELECT before, after, candidates FROM evidence WHERE match = ? AND n = ?", (match, n)
        ).fetchone()
        return None if row is None else Evidence(row[0], row[1], msgspec.json.decode(row[2], type=tuple[str, ...]))

    def matches(self) -> list[Header]:
        """List the headers of all matches, oldest first, with the names and colours that people took since."""
        rows = self._db.execute("SELECT header FROM matches ORDER BY id")
        headers = [msgspec.json.decode(row[0], type=Header) for row in rows]
        taken: dict[str, dict[Seat, str]] = {}
        for match, seat, name in self._db.execute("SELECT match, seat, name FROM names ORDER BY rowid"):
            taken.setdefault(match, {})[seat] = name
        worn: dict[str, dict[Seat, str]] = {}
        if self._has("colours"):
            for match, seat, colour in self._db.execute("SELECT match, seat, colour FROM colours ORDER BY rowid"):
                worn.setdefault(match, {})[seat] = colour
        return [
            msgspec.structs.replace(
                one, names={**one.names, **taken.get(one.id, {})}, colours={**one.colours, **worn.get(one.id, {})}
            )
            for one in headers
        ]

    def header(self, match: str) -> Header:
        """Find a match by its id, by the beginning of it, or as "last" the one that was played last.

        Raises:
            JournalError: if there is none, or more than one.
        """
        known = self.matches()
        if match == "last":
            latest = self._latest()
            # In a journal of an earlier version it is not written down; ids sort by time.
            found = [one for one in known if one.id == latest] or known[-1:]
        else:
            # A match from elsewhere may have a number that goes on where another's ends.
            found = [one for one in known if one.id == match] or [one for one in known if one.id.startswith(match)]
        if len(found) != 1:
            raise JournalError(f"{'no' if not found else 'more than one'} match begins with {match}")
        return found[0]

    def _latest(self) -> str:
        if not self._has("latest"):
            return ""
        row = self._db.execute("SELECT match FROM latest").fetchone()
        return "" if row is None else str(row[0])

    def _has(self, table: str) -> bool:
        """Tell whether there is a table: a journal of an earlier version that is only read may lack one."""
        return self._db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone() is not None

    def clock(self, match: str) -> Kept | None:
        """Find what a match's bidding clock had left when it was last written; None if it never ran."""
        row = self._db.execute("SELECT clock FROM clocks WHERE match = ?", (match,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=Kept)

    def secret(self, match: str, committed: str) -> bytes | None:
        """Find the secret behind a commitment; None if it was made elsewhere."""
        row = self._db.execute(
            "SELECT secret FROM secrets WHERE match = ? AND commitment = ?", (match, committed)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def lines(self, match: str) -> Iterator[bytes]:
        """Yield the records of a match as they are stored."""
        for row in self._db.execute("SELECT record FROM records WHERE match = ? ORDER BY n", (match,)):
            yield row[0]

    def count(self, match: str) -> int:
        """Count the records of a match."""
        return int(self._db.execute("SELECT COUNT(*) FROM records WHERE match = ?", (match,)).fetchone()[0])

    def records(self, match: str, action_type: Any) -> list[Record]:
        """Read the records of a match."""
        return [decode_record(line, action_type) for line in self.lines(match)]

    def export(self, match: str) -> Iterator[bytes]:
        """Yield a match as JSON lines, header first."""
        header = self.header(match)
        yield msgspec.json.encode(header)
        yield from self.lines(header.id)


class Journal(Shelf):
    """All matches of one table. Open it once a process; `close` gives the lock back."""

    def __init__(self, folder: Path, *, fault: Callable[[str], None] | None = None) -> None:
        """Open, or make, the journal in a folder.

        `fault` is called with a name at each commit point; tests use it to stop the process there.

        Raises:
            JournalError: if another process has it, or it or its folder can't be used just now. Nothing is changed
                then, and the lock is given back.
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
            raise JournalError(f"the journal's folder {folder} can't be written: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise JournalError(
                f"another companion is using the journal in {folder}; stop it, or set COMPANION_STATE to another folder"
            ) from None
        self.rescued = ""
        """What had to be saved when the journal was opened, as a sentence for the host; empty if it was sound."""
        path = folder / "journal.db"
        try:
            saved = rescue.save(path, SCHEMA, self._fault)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(SCHEMA)
            if saved is not None:
                aside, matches, records = saved
                self.rescued = (
                    f"The journal was damaged. What could be read is kept (matches: {matches}, records: {records}); "
                    f"the damaged file is kept as {aside.name}."
                )
                log.error("%s", self.rescued)
        except BaseException as error:
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                raise JournalError(f"the journal in {folder} can't be opened: {rescue.told(error)}") from None
            raise

    def close(self) -> None:
        """Close the file and give the lock back."""
        self._db.close()
        self._lock.close()

    def begin(self, header: Header) -> None:
        """Write the header of a new match."""
        self._write("INSERT INTO matches VALUES (?, ?)", (header.id, msgspec.json.encode(header)))

    def put_up(self, match: str) -> None:
        """Write down that a match is played from now on: it is the one to go on with after a power cut."""
        self._write("INSERT OR REPLACE INTO latest VALUES (1, ?)", (match,))

    def append(self, match: str, record: Record) -> None:
        """Write a record. When this returns it is on disk.

        Raises:
            JournalError: if it can't be written (a full disk); nothing is half written.
        """
        self._fault("before-commit")
        self._write("INSERT INTO records VALUES (?, ?, ?)", (match, record.n, encode_record(record)))
        self._fault("after-commit")

    def sound_records(self, match: str, action_type: Any) -> tuple[list[Record], int]:
        """Read the records of a match up to the first that can't be read, or is missing; give them, and that number
        (0: all are well).

        Raises:
            JournalError: if they can't be read just now, which is no damage.
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
                raise JournalError(f"the records of this match can't be read just now: {error}") from None
            return records, len(records) + 1
        return records, 0

    def set_aside(self, match: str, n: int) -> None:
        """Take the records of a match from number `n` on out of the way, without throwing them away.

        Raises:
            JournalError: if that can't be written; nothing is changed then.
        """
        try:
            with self._all_or_nothing():
                self._db.execute(
                    "INSERT INTO damaged SELECT match, n, record, ? FROM records WHERE match = ? AND n >= ?",
                    (now(), match, n),
                )
                self._db.execute("DELETE FROM records WHERE match = ? AND n >= ?", (match, n))
        except sqlite3.Error as error:
            raise JournalError(f"the damaged records can't be set aside ({error}); make room on the disk") from None

    def name(self, match: str, seat: Seat, name: str) -> None:
        """Keep what a seat is called from now on."""
        self._write("INSERT INTO names VALUES (?, ?, ?)", (match, seat, name))

    def colour(self, match: str, seat: Seat, colour: str) -> None:
        """Keep which colour a seat has from now on."""
        self._write("INSERT INTO colours VALUES (?, ?, ?)", (match, seat, colour))

    def keep_clock(self, match: str, kept: Kept) -> None:
        """Keep what the bidding clock has left."""
        self._write("INSERT OR REPLACE INTO clocks VALUES (?, ?)", (match, msgspec.json.encode(kept)))

    def keep_secret(self, match: str, secret: bytes) -> None:
        """Keep a secret of the dice, before its commitment is told to anybody. No export carries it."""
        self._write("INSERT OR IGNORE INTO secrets VALUES (?, ?, ?)", (match, commitment(secret), secret))

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        try:
            with self._writing:
                self._fault("before-write")
                self._db.execute(sql, values)
                self._fault("after-write")
        except sqlite3.Error as error:
            raise JournalError(f"the journal can't be written ({error}); make room on the disk, then go on") from None

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Write several things at once, while nobody else writes; nothing of it if one of them fails."""
        with self._writing:
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

    def keep(self, match: str, n: int, evidence: Evidence) -> None:
        """Keep why a record was understood so. A loss of this is no loss of the match."""
        self._write(
            "INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?)",
            (match, n, evidence.before, evidence.after, msgspec.json.encode(evidence.candidates)),
        )

    def take(self, header: Header, records: Iterable[Record]) -> None:
        """Write a whole match at once, or nothing of it.

        Raises:
            JournalError: if the match is here already or can't be written.
        """
        if any(known.id == header.id for known in self.matches()):
            raise JournalError(f"match {header.id} is in the journal already")
        try:
            with self._all_or_nothing():
                self._db.execute("INSERT INTO matches VALUES (?, ?)", (header.id, msgspec.json.encode(header)))
                self._db.executemany(
                    "INSERT INTO records VALUES (?, ?, ?)",
                    ((header.id, record.n, encode_record(record)) for record in records),
                )
        except sqlite3.Error as error:
            raise JournalError(f"the match can't be written: {error}") from None


@contextmanager
def read_only(folder: Path) -> Iterator[Shelf]:
    """Open a journal to read, while another process may be writing it.

    Raises:
        JournalError: if there is none.
    """
    path = folder / "journal.db"
    if not path.exists():
        raise JournalError(f"there is no journal in {folder}; play a match first, or set COMPANION_STATE")
    shelf = Shelf()
    shelf._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        yield shelf
    finally:
        shelf._db.close()


def read_export(lines: Iterable[bytes]) -> tuple[Header, list[bytes]]:
    """Split an exported match into its header and its record lines.

    Raises:
        JournalError: if there is no header.
    """
    given = [line.strip() for line in lines if line.strip()]
    try:
        return msgspec.json.decode(given[0], type=Header), given[1:]
    except (IndexError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JournalError(f"this is no exported match: its first line is no header ({error})") from None
