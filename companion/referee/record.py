"""A record: one line of the journal. A match is its records, and its state is their fold."""

from __future__ import annotations

import msgspec

from companion.rules.kernel import TABLE, Action, AnyEdit, Facts, Seat


class Proof(msgspec.Struct, frozen=True):
    """What makes a roll of the companion checkable (C6; `companion.referee.rolls`).

    `secret` (hex) is what was committed to, `salts` what players threw in, by seat, `next` the next commitment.
    """

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
