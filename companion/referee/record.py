"""The lines of a journal: a match's header, its records, evidence; how they are written, and read again.

A match is its records, and its state is their fold. What is read may be damaged, or from anywhere: every way in which
it can be no line of ours is caught.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from companion.referee.clock import SECONDS
from companion.rules.kernel import TABLE, Action, ActionType, AnyEdit, Facts, Seat, Timing
from companion.text import plain, t
from companion.untyped import Json, read_json

log = logging.getLogger(__name__)
T = TypeVar("T")

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading bytes that are not ours, or not any more, may raise; lists may lie in each other without end."""


class JournalError(Exception):
    """The journal can't be used; the message says why and what to do."""


def unwritten(error: sqlite3.Error) -> JournalError:
    """Return what keeps the journal from being written, and what helps."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(t("the journal can't be written: another program holds it; close that program, then go on"))
    if code == sqlite3.SQLITE_READONLY:
        return JournalError(t("the journal can't be written: its card or folder can only be read; try another card"))
    return JournalError(t("the journal can't be written ({error}); make room on the disk, then go on", error=error))


class Proof(msgspec.Struct, frozen=True):
    """What makes a roll checkable (C6, `rolls`): the `secret` (hex), the `salts` by seat, the `next` commitment."""

    secret: str
    salts: tuple[tuple[Seat, str], ...]
    next: str


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the journal. `n` counts from 1 within a match; `id` is a UUIDv7; `at` is UTC (ISO 8601).

    `kind` is "action" (upkeep too: its seat is `TABLE`), "correction", "end", "undo" or "redo"; `steps` is how many
    records an undo or redo spans; `by` is table, phone, button, host, clock or robot. `proof` is there if the companion
    rolled; `commitment` if one was made anew, because the last secret was lost. By its `chain`, a hash, it hangs on the
    record before (`companion.referee.chain`).
    """

    n: int
    id: str
    at: str
    kind: str = "action"
    seat: Seat = TABLE
    action: Action | None = None
    facts: Facts = ()
    edits: tuple[AnyEdit, ...] = ()
    steps: int = 0
    by: str = "table"
    assumed: bool = False
    proof: Proof | None = None
    commitment: str = ""
    chain: str = ""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed when a match begins. `setup` is the game's own struct of facts as plain values."""

    id: str
    at: str
    game: str
    seats: int
    options: dict[str, int] = {}
    setup: Json = None
    names: dict[Seat, str] = {}
    colours: dict[Seat, str] = {}
    mode: str = "assist"
    bid_seconds: int = SECONDS
    """How long a bid may take; 0 is no clock (ruling C5)."""
    timing: Timing = Timing()
    """The clock that is played against (`companion.referee.play_clock`)."""
    trainer: bool = False
    """Whether a trainer leads: then nobody else takes steps back."""
    commitment: str = ""
    """What the companion has committed to for its first roll (C6, `companion.referee.rolls`)."""


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
    """Return the time in UTC, ISO 8601, in milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Plain(Record, frozen=True, kw_only=True):
    """A record as it is stored: its action is the game's own struct, not decoded yet."""

    action: msgspec.Raw = msgspec.Raw(b"null")  # type: ignore[assignment]


def encode_record(record: Record) -> bytes:
    """Write a record as one line of JSON, always with the same bytes."""
    return msgspec.json.encode(record, order="deterministic", enc_hook=plain)


def decode_record(line: bytes, action_type: ActionType) -> Record:
    """Read a record with its action as one of the game's structs; JournalError if it is no record of this game."""
    try:
        plain = read_json(line, _Plain)
        action = msgspec.json.decode(plain.action, type=action_type | None)  # a part of what was read is no deeper
    except UNREADABLE as error:
        raise JournalError(t("this line is no record: {error}", error=error)) from None
    rest = {name: getattr(plain, name) for name in plain.__struct_fields__ if name != "action"}
    return Record(action=action, **rest)


def read_export(lines: Iterable[bytes]) -> tuple[Header, list[bytes]]:
    """Split an exported match into its header and its record lines; JournalError if the header is missing or wrong."""
    given = [line.strip() for line in lines if line.strip()]
    try:
        header = read_json(given[0], Header)
    except (IndexError, *UNREADABLE) as error:
        raise JournalError(t("this is no exported match: its first line is no header ({error})", error=error)) from None
    if more := unknown(given[0], header):
        raise JournalError(t("this is no exported match: no header says {more}", more=more))
    return header, given[1:]


def unknown(line: bytes, read: msgspec.Struct) -> str:
    """Return the name of something that a line says and nobody has read; "" if all was. No hash is over it."""
    return _more(read_json(line), read_json(msgspec.json.encode(read, enc_hook=plain)))


def _more(said: Json, read: Json) -> str:
    if isinstance(said, dict) and isinstance(read, dict):
        found = (_more(one, read[name]) if name in read else name for name, one in said.items())
    elif isinstance(said, list) and isinstance(read, list):
        found = (_more(one, other) for one, other in zip(said, read, strict=False))
    else:
        return ""
    return next(filter(None, found), "")


def decoded(line: bytes, kind: type[T]) -> T | None:
    """Read something that a match can do without; None if it is damaged."""
    try:
        return read_json(line, kind)
    except UNREADABLE as error:
        log.warning("something in the journal is damaged, and left out: %s", error)
        return None


def of_seats(header: Header, given: dict[Seat, str]) -> dict[Seat, str]:
    """Leave out what is no text, or of no seat of a match: a changed byte may have made it so."""
    # SQLite keeps a value's kind beside it, in bytes that may change too.
    return {
        seat: one
        for seat, one in given.items()
        if isinstance(seat, int) and 1 <= seat <= header.seats and isinstance(one, str)
    }
