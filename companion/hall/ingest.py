"""Writes a batch into the database in one transaction, and says what of each match is there afterwards.

Records are taken in order, each hanging on the one before. Early ones wait; with one that does not fit the match is
refused until a host looks at it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from companion.hall.arrivals import Batch, MatchLines, moment, storable
from companion.hall.database import Connection, tell
from companion.hall.forgetting import Forgotten
from companion.hall.messages import Committed
from companion.referee.chain import carried, link_line, root
from companion.referee.record import Header
from companion.rules.seats import clean_name
from companion.text import plain
from companion.untyped import read_json

AHEAD = 5000
"""Records beyond the first that is missing: so many wait for it; later ones the table sends again."""
ASIDE = 200
"""Misfits of a table that are kept, the newest."""
NEWEST = 50
"""Matches of which a table that comes back is told how far they are here: all that are unfinished are among them."""
RACE = 10.0
"""Seconds: a snapshot so much older than the present one was overtaken; one still older follows a corrected clock."""
# `%b`: a list goes over binary; as text each quotation mark of each record would have to be escaped, one by one.
_WRITE_SNAPSHOT = """
    UPDATE tables SET snapshot = s.snapshot, snapshot_at = s.at, playing = s.playing, over = s.over
    FROM unnest(%b::text[], %b::text[], %s::timestamptz[], %b::text[], %s::boolean[])
      AS s (name, snapshot, at, playing, over)
    WHERE tables.name = s.name
      AND (tables.snapshot_at IS NULL OR s.at IS NULL OR s.at >= tables.snapshot_at
           OR s.at < tables.snapshot_at - make_interval(secs => %s))
"""
_RENAME = """
    UPDATE matches SET header = h.header, names = '{}', settled = 0, due = over
    FROM (SELECT %s::text AS header) h
    WHERE table_name = %s AND id = %s AND root = %s AND matches.header <> h.header
"""
"""A header that comes again brings other names, and nothing else: it has the same root."""
_WRITE_NAMES = """
    UPDATE matches m SET names = s.names::jsonb
    FROM unnest(%b::text[], %b::text[], %b::text[]) AS s (table_name, id, names)
    WHERE m.table_name = s.table_name AND m.id = s.id AND m.names <> s.names::jsonb
"""
_DUE = """
    UPDATE matches m SET due = true FROM tables t
    WHERE t.name = m.table_name AND t.name = ANY(%s) AND m.settled < m.through AND NOT m.due
      AND (t.playing IS DISTINCT FROM m.id OR t.over)
"""
_KNOWN = """
    SELECT table_name, id, root, through, head, chained, refused FROM matches
    WHERE (table_name, id) IN (SELECT * FROM unnest(%b::text[], %b::text[]))
"""
_WAITING = """
    SELECT table_name, match, n, line FROM waiting
    WHERE (table_name, match) IN (SELECT * FROM unnest(%b::text[], %b::text[]))
"""


_WRITE_RECORDS = """
    INSERT INTO records (table_name, match, n, line)
    SELECT * FROM unnest(%b::text[], %b::text[], %s::integer[], %b::text[])
"""
_WRITE_MATCHES = """
    UPDATE matches m
    SET through = s.through, head = s.head, chained = s.chained, refused = s.refused, due = m.due OR s.ends,
        changed = now()
    FROM unnest(%b::text[], %b::text[], %s::integer[], %b::text[], %s::boolean[], %b::text[], %s::boolean[])
      AS s (table_name, id, through, head, chained, refused, ends)
    WHERE m.table_name = s.table_name AND m.id = s.id
"""
_NO_LONGER_WAITING = """
    DELETE FROM waiting w
    USING unnest(%b::text[], %b::text[], %s::integer[]) AS s (table_name, match, through)
    WHERE w.table_name = s.table_name AND w.match = s.match AND w.n <= s.through
"""


class _Changes(msgspec.Struct):
    """What a batch changes of matches, as rows: written with one statement each, however many matches it has."""

    records: list[tuple[str, str, int, str]] = []
    matches: list[tuple[str, str, int, str, bool, str, bool]] = []
    no_longer_waiting: list[tuple[str, str, int]] = []

    def write(self, connection: Connection) -> None:
        """Write them."""
        for sql, rows in (
            (_WRITE_RECORDS, self.records),
            (_WRITE_MATCHES, self.matches),
            (_NO_LONGER_WAITING, self.no_longer_waiting),
        ):
            if rows:
                connection.execute(sql, [list(column) for column in zip(*rows, strict=True)])


class _Known(msgspec.Struct):
    """A match as the database has it."""

    root: str
    through: int
    head: str
    chained: bool
    refused: str


def write(connection: Connection, batch: Batch) -> list[tuple[str, Committed]]:
    """Write a batch and commit; return what each table is to be told then, and not before."""
    # In pipeline mode what asks for nothing costs no way to the database and back: there are five a batch.
    with connection.pipeline(), connection.transaction():
        forgotten = Forgotten(connection)
        keys = sorted(_lock(table, match) for table, match in batch.matches)
        connection.execute("SELECT pg_advisory_xact_lock(k) FROM unnest(%s::bigint[]) k", (keys,))
        tables = batch.tables()
        connection.execute(
            "INSERT INTO tables (name) SELECT unnest(%b::text[]) ON CONFLICT (name) DO NOTHING", (tables,)
        )
        connection.execute("SELECT 1 FROM tables WHERE name = ANY(%s) ORDER BY name FOR UPDATE", (tables,))
        _tables(connection, batch, forgotten)
        told = _matches(connection, batch, forgotten)
        for table in batch.presence:
            if batch.presence[table].online:
                told += _newest(connection, table)
        _misfits(connection, batch, forgotten)
        connection.execute(_DUE, (tables,))
        tell(connection, tables)
    connection.commit()
    return told


def _lock(table: str, match: str) -> int:
    """Return the number under which a match is locked: two consumers may have something of it at once."""
    return int.from_bytes(hashlib.sha256(f"{table}/{match}".encode()).digest()[:8], "big", signed=True)


def _tables(connection: Connection, batch: Batch, forgotten: Forgotten) -> None:
    connection.execute("UPDATE tables SET heard = now() WHERE name = ANY(%s)", (batch.tables(),))
    cursor = connection.cursor()
    if batch.presence:
        cursor.executemany(
            "UPDATE tables SET title = CASE WHEN %(title)s <> '' THEN %(title)s ELSE title END, "
            "version = CASE WHEN %(version)s <> '' THEN %(version)s ELSE version END, "
            "since = CASE WHEN online = %(online)s THEN since ELSE now() END, online = %(online)s "
            "WHERE name = %(name)s",
            [
                {
                    "name": name,
                    "title": forgotten.without(one.title),
                    "version": forgotten.without(one.version),
                    "online": one.online,
                }
                for name, one in batch.presence.items()
            ],
        )
    if batch.calls:
        cursor.executemany(
            "UPDATE tables SET call_open = %s, call_text = %s, call_since = %s WHERE name = %s",
            [
                (one.open, forgotten.without(one.text), moment(one.since) or datetime.now(UTC), name)
                for name, one in batch.calls.items()
            ],
        )
    if batch.dropped:
        cursor.executemany(
            "UPDATE tables SET dropped = dropped + %s, dropped_at = now() WHERE name = %s",
            [(count, name) for name, count in batch.dropped.items()],
        )
    if batch.snapshots:
        shown = {name: (forgotten.snapshot(one), at) for name, (one, at) in batch.snapshots.items()}
        connection.execute(
            _WRITE_SNAPSHOT,
            (
                list(shown),
                [msgspec.json.encode(one, enc_hook=plain).decode() for one, _ in shown.values()],
                [at for _, at in shown.values()],
                [one.match for one, _ in shown.values()],
                [one.over for one, _ in shown.values()],
                RACE,
            ),
        )
        named = {name: one for name, (one, _) in shown.items() if one.match and one.seats}
        connection.execute(
            _WRITE_NAMES,
            (
                list(named),
                [one.match for one in named.values()],
                [json.dumps({seat.seat: seat.name for seat in one.seats}) for one in named.values()],
            ),
        )


def _matches(connection: Connection, batch: Batch, forgotten: Forgotten) -> list[tuple[str, Committed]]:
    if not batch.matches:
        return []
    _begin(connection, batch, forgotten)
    wanted = list(batch.matches)
    names = [table for table, _ in wanted], [match for _, match in wanted]
    known = {(row[0], row[1]): _Known(*row[2:]) for row in connection.execute(_KNOWN, names)}
    waiting: dict[tuple[str, str], dict[int, str]] = {}
    for table, match, n, line in connection.execute(_WAITING, names):
        waiting.setdefault((table, match), {})[n] = line
    told = []
    changes = _Changes()
    for key, arrived in sorted(batch.matches.items()):
        there = known.get(key)
        if there is None:
            told.append((key[0], _headless(connection, batch, key, arrived)))
        else:
            told.append((key[0], _take(connection, batch, changes, key, there, waiting.get(key, {}))))
    changes.write(connection)
    return told


def _begin(connection: Connection, batch: Batch, forgotten: Forgotten) -> None:
    for (table, match), arrived in sorted(batch.matches.items()):
        if arrived.header is None:
            continue
        try:
            header = read_json(arrived.header, Header)
            wrong = header.id != match or root(header) != arrived.root or not 1 <= header.seats <= 16
        except (msgspec.MsgspecError, UnicodeError, OverflowError):
            wrong = True
        if wrong:
            batch.misfit(table, match, 1, arrived.header, "the header is none of this match")
            continue
        names = {seat: clean_name(name, 80) for seat, name in header.names.items() if 1 <= seat <= header.seats}
        kept = forgotten.header(
            msgspec.structs.replace(header, names={seat: name for seat, name in names.items() if name})
        )
        begun = moment(header.at) or datetime.now(UTC)
        text = storable(msgspec.json.encode(kept, enc_hook=plain).decode())
        connection.execute(
            "INSERT INTO matches (table_name, id, root, header, head, game, at) VALUES (%s, %s, %s, %s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            (table, match, arrived.root, text, arrived.root, clean_name(kept.game, 80), begun),
        )
        # In pipeline mode nobody knows yet whether the match was new; if it was, this changes nothing.
        connection.execute(_RENAME, (text, table, match, arrived.root))


def _headless(connection: Connection, batch: Batch, key: tuple[str, str], arrived: MatchLines) -> Committed:
    """Let records wait whose header has not come; refuse them if it should have."""
    if 1 in arrived.lines:
        if arrived.header is None:
            line = arrived.lines[1].encode()
            batch.misfit(*key, 1, line, "the first record came without the match's header")
        return Committed(match=key[1], through=0, refused="its header does not fit, or did not come")
    _wait(connection, key, 0, arrived.lines)
    return Committed(match=key[1], through=0)


def _take(
    connection: Connection,
    batch: Batch,
    changes: _Changes,
    key: tuple[str, str],
    there: _Known,
    waiting: dict[int, str],
) -> Committed:
    """Take in what goes on from what is there, and let the rest wait."""
    arrived = batch.matches[key]
    if there.refused:
        return Committed(match=key[1], through=there.through, refused=there.refused)
    refused = ""
    if arrived.root != there.root:
        first = min(arrived.lines)
        batch.misfit(*key, first, arrived.lines[first].encode(), "it hangs on another header")
        refused = "another match with this number is here already"
    else:
        refused = _again(connection, batch, key, there, arrived)
    through, head, chained = there.through, there.head, there.chained
    pool = {**waiting, **arrived.lines}
    while not refused and (line := pool.pop(through + 1, None)) is not None:
        bare, carries = carried(line.encode())
        hashed = link_line(head, bare)
        if carries != hashed and (carries or chained):
            batch.misfit(*key, through + 1, line.encode(), "it does not hang on the record before")
            refused = f"record {through + 1} does not hang on the one before"
            break
        through, head, chained = through + 1, hashed, chained or bool(carries)
        changes.records.append((*key, through, line))
    if through > there.through or refused:
        changes.matches.append((*key, through, head, chained, refused, arrived.ends))
    if waiting:
        changes.no_longer_waiting.append((*key, 2**31 - 1 if refused else through))
    if not refused:
        _wait(connection, key, through, {n: line for n, line in pool.items() if n not in waiting})
    return Committed(match=key[1], through=through, refused=refused)


def _again(connection: Connection, batch: Batch, key: tuple[str, str], there: _Known, arrived: MatchLines) -> str:
    """Compare what came again with what is there; return why not to go on, or ""."""
    old = {n: line for n, line in arrived.lines.items() if n <= there.through}
    if not old:
        return ""
    found = connection.execute(
        "SELECT n, line FROM records WHERE table_name = %s AND match = %s AND n = ANY(%s)", (*key, list(old))
    )
    for n, line in found:
        if line != old[n]:
            batch.misfit(*key, n, old[n].encode(), "another record with this number is here already")
            return f"record {n} is here already, and is another"
    return ""


def _wait(connection: Connection, key: tuple[str, str], through: int, lines: dict[int, str]) -> None:
    """Keep records until those before them are here; of such that come later than that, nothing."""
    near = {n: line for n, line in lines.items() if through < n <= through + AHEAD}
    if near:
        connection.execute(
            "INSERT INTO waiting (table_name, match, n, line) SELECT %s, %s, * FROM unnest(%s::integer[], %b::text[]) "
            "ON CONFLICT (table_name, match, n) DO UPDATE SET line = excluded.line",
            (*key, list(near), list(near.values())),
        )
        connection.execute("DELETE FROM waiting WHERE table_name = %s AND at < now() - interval '1 day'", (key[0],))


def _newest(connection: Connection, table: str) -> Iterable[tuple[str, Committed]]:
    """Return how far a table's matches are here: it may believe more, if the database was restored from a backup."""
    found = connection.execute(
        "SELECT id, through, refused FROM matches WHERE table_name = %s ORDER BY over, at DESC LIMIT %s",
        (table, NEWEST),
    )
    return [(table, Committed(match=row[0], through=row[1], refused=row[2])) for row in found]


def _misfits(connection: Connection, batch: Batch, forgotten: Forgotten) -> None:
    if not batch.misfits:
        return
    values = [
        (one.table, one.match, one.n, forgotten.raw(one.what), forgotten.raw(one.why)) for one in batch.misfits[-1000:]
    ]
    cursor = connection.cursor()
    cursor.executemany("INSERT INTO aside (table_name, match, n, what, why) VALUES (%s, %s, %s, %s, %s)", values)
    for table in {one.table for one in batch.misfits}:
        connection.execute(
            "DELETE FROM aside WHERE table_name = %s AND id <= "
            "(SELECT id FROM aside WHERE table_name = %s ORDER BY id DESC OFFSET %s LIMIT 1)",
            (table, table, ASIDE),
        )
