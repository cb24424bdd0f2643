"""Records are chained: each carries a hash over the one before and itself, back to the match's header.

So a record that was changed, lost or put in between shows. Who can write to the journal can also write a new chain, or
take records away from its end; the number of records and the last hash, noted elsewhere, show that.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache

import msgspec

from companion.referee.journal import Header, encode_record
from companion.referee.record import Record

_CARRIED = re.compile(rb',"chain":"([0-9a-f]{64})"\}\Z')
"""A record's hash is the last of its fields."""
HASHED = frozenset(
    (
        "id",
        "at",
        "game",
        "seats",
        "options",
        "setup",
        "names",
        "colours",
        "mode",
        "bid_seconds",
        "trainer",
        "commitment",
    )
)
"""The header's fields that always count; one of a later version counts only where it is not its default."""


@cache
def _later_fields(kind: type[Header]) -> tuple[tuple[str, str, object], ...]:
    """Return the fields of a header that do not always count: name, name in JSON, and default."""
    return tuple(
        (
            field.name,
            field.encode_name,
            field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory(),
        )
        for field in msgspec.structs.fields(kind)
        if field.name not in HASHED
    )


def root(header: Header) -> str:
    """Return what the first record hangs on: a hash over what is fixed when a match begins (names may change)."""
    fixed = msgspec.structs.replace(header, names={}, colours={})
    plain = msgspec.to_builtins(fixed)
    for name, encoded, left_out in _later_fields(type(header)):
        if getattr(fixed, name) == left_out:
            del plain[encoded]
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()


def link(before: str, record: Record) -> str:
    """Return the hash that a record carries: SHA-256 over the one before and the record's line without its own.

    A line leaves out what has its default, so a field of a later version changes no hash from before. Actions, facts,
    edits and proofs are written whole: a field that one of them gets must be left out here.
    """
    line = encode_record(msgspec.structs.replace(record, chain=""))
    return hashlib.sha256(before.encode() + line).hexdigest()


def carried(line: bytes) -> tuple[bytes, str]:
    """Take a record's line, as a journal has it, apart: what is hashed of it, and the hash that it carries or ""."""
    found = _CARRIED.search(line)
    return (line, "") if found is None else (line[: found.start()] + b"}", found[1].decode())


def link_line(before: str, line: bytes) -> str:
    """Return what `link` does, for a record's line without its hash: nobody needs to know the game."""
    return hashlib.sha256(before.encode() + line).hexdigest()


def broken(header: Header, records: Iterable[Record]) -> int:
    """Return the first record that does not hang on the one before, 0 if all do; only the oldest may lack a hash."""
    before, begun = root(header), False
    for record in records:
        hashed = link(before, record)
        if record.chain != hashed and (record.chain or begun):
            return record.n
        begun = begun or bool(record.chain)
        before = hashed
    return 0


def head(header: Header, records: Iterable[Record]) -> str:
    """Compute the hash of the last record, whether it carries one or not; of none, what the first would hang on."""
    before = root(header)
    for record in records:
        before = link(before, record)
    return before


def short(hashed: str) -> str:
    """Shorten a hash to what people note down: 80 bits in groups of four digits."""
    return "-".join(hashed[i : i + 4] for i in range(0, 20, 4))
