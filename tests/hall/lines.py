"""Records without a game, chained as a journal's: for what is not about rules."""

from __future__ import annotations

import json

import msgspec

from benchmarks.hall_paper import PlayedMatch
from companion.hall.arrivals import Batch
from companion.hall.database import Connection, rows
from companion.hall.ingest import write
from companion.hall.messages import Records, encode
from companion.referee.chain import link, root
from companion.referee.journal import Header, encode_record, new_id, now
from companion.referee.record import Record


def made(count: int, names: tuple[str, ...] = ("Ada", "Bo")) -> PlayedMatch:
    """Return a match of so many corrections that correct nothing."""
    header = Header(id=new_id(), at=now(), game="five-cards-collector", seats=2, names=dict(enumerate(names, 1)))
    before, lines = root(header), []
    for n in range(1, count + 1):
        record = Record(n=n, id=new_id(), at=now(), kind="correction", by="host")
        before = link(before, record)
        lines.append(encode_record(msgspec.structs.replace(record, chain=before)).decode())
    return PlayedMatch(header, tuple(lines))


def part(match: PlayedMatch, first: int, last: int, **more: object) -> Records:
    """Return a message with some records of a match."""
    given = {
        "match": match.header.id,
        "root": root(match.header),
        "first": first,
        "lines": match.lines[first - 1 : last],
        "header": json.loads(msgspec.json.encode(match.header)) if first == 1 else None,
    }
    return Records(**{**given, **more})  # type: ignore[arg-type]


def sent(connection: Connection, *messages: Records | bytes, table: str = "t1", what: str = "records"):
    """Write messages as one batch; return what the table is told."""
    batch = Batch()
    for one in messages:
        batch.add(table, what, one if isinstance(one, bytes) else encode(one))
    return [answer for name, answer in write(connection, batch) if name == table]


def kept(connection: Connection, match: PlayedMatch) -> list[str]:
    """Return the lines that the database has of a match, in order."""
    found = rows(connection, "SELECT line FROM records WHERE match = %s ORDER BY n", (match.header.id,))
    return [row["line"] for row in found]
