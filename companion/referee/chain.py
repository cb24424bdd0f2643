"""Records hang together: each carries a hash over the one before and itself, back to the match's header.

So a record that was changed, lost or put in between shows, in the journal and in an exported match. It keeps honest
people sure; who can write to the journal can also write a whole new chain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from companion.referee.journal import Header, encode_record
from companion.referee.record import Record


def root(header: Header) -> str:
    """Give what the first record hangs on: a hash over what is fixed when a match begins (names may change)."""
    fixed = msgspec.structs.replace(header, names={}, colours={})
    return hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(fixed), order="sorted")).hexdigest()


def link(before: str, record: Record) -> str:
    """Give the hash that a record carries: SHA-256 over the one before and the record's line without its own."""
    line = encode_record(msgspec.structs.replace(record, chain=""))
    return hashlib.sha256(before.encode() + line).hexdigest()


def broken(header: Header, records: Iterable[Record]) -> int:
    """Find the first record that does not hang on the one before; 0 if all do.

    Matches from before there was a chain have records without a hash at their beginning; later on none may lack it.
    """
    before, begun = root(header), False
    for record in records:
        hashed = link(before, record)
        if record.chain != hashed and (record.chain or begun):
            return record.n
        begun = begun or bool(record.chain)
        before = hashed
    return 0
