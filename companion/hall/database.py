"""The hall's database: PostgreSQL, reached by a connection string; its schema is a row of numbered SQL files."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import psycopg
from psycopg.rows import TupleRow

from companion.hall.connections import LOST

log = logging.getLogger(__name__)

Connection = psycopg.Connection[TupleRow]
Row = dict[str, Any]
"""A row of the database, by its columns' names: of what type they are, the schema says."""
CHANNEL = "hall"
"""What notifications come by: the names of tables, or "event 3", and nothing else."""
LOCK = 0x4A11
"""Held while the schema is brought up to date: of two that start at once the second waits."""


SETTINGS: dict[str, Any] = {  # psycopg's arguments, each of its own type
    "application_name": "companion hall",
    "connect_timeout": LOST,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": LOST * 1000,
    # The same from the database's side: what was cut off in a transaction must not hold its locks for hours.
    "options": f"-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3"
    f" -c tcp_user_timeout={LOST * 1000} -c idle_in_transaction_session_timeout={2 * LOST * 1000}",
}
"""How connections are opened: on both sides a cut in the network is noticed within seconds."""


class DatabaseError(Exception):
    """The database can't be used; the message says why and what to do."""


def connect(address: str) -> Connection:
    """Open a connection without automatic commits; raise DatabaseError if there is none."""
    try:
        return psycopg.connect(address, **SETTINGS)
    except psycopg.OperationalError as error:
        raise DatabaseError(f"the database can't be reached: {told(f'{error}')}") from None
    except psycopg.ProgrammingError:
        raise DatabaseError("the database's address can't be read: mend it in the hall's settings, hall.toml") from None


def told(words: str) -> str:
    """Return what PostgreSQL says without parts of an address that it could not make out: a password may be in them."""
    return re.sub(r"""(["']).*[@=].*\1""", "…", words.strip())


def steps() -> list[tuple[int, str, str]]:
    """List the schema's files in their order: number, name, SQL."""
    folder = files("companion.hall") / "schema"
    found = [one for one in folder.iterdir() if one.name.endswith(".sql")]
    return sorted((int(one.name.partition("_")[0]), one.name, one.read_text(encoding="utf-8")) for one in found)


def migrate(connection: Connection) -> list[str]:
    """Apply the new files, all or none; return their names. Raises DatabaseError if a newer hall was here."""
    known = steps()
    applied: list[str] = []
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute(
            "CREATE TABLE IF NOT EXISTS applied (n integer PRIMARY KEY, name text NOT NULL, "
            "at timestamptz NOT NULL DEFAULT now())"
        )
        there = {row[0] for row in connection.execute("SELECT n FROM applied")}
        newer = there - {n for n, _, _ in known}
        if newer:
            raise DatabaseError(
                f"a newer Companion has used this database (step {max(newer)}): update this one, or restore a backup"
            )
        for n, name, sql in known:
            if n not in there:
                connection.execute(sql.encode())
                connection.execute("INSERT INTO applied (n, name) VALUES (%s, %s)", (n, name))
                applied.append(name)
    connection.commit()
    return applied


def tell(connection: Connection, what: Iterable[str]) -> None:
    """Notify all who listen of what has changed, once this transaction is committed."""
    connection.execute("SELECT pg_notify(%s, name) FROM unnest(%s::text[]) name", (CHANNEL, sorted(set(what))))


def tell_event(connection: Connection, number: int) -> None:
    """Notify all who listen that a tournament has changed."""
    tell(connection, [f"event {number}"])


def setting(connection: Connection, name: str) -> str | None:
    """Return a setting that is kept in the database."""
    row = connection.execute("SELECT value FROM settings WHERE name = %s", (name,)).fetchone()
    return None if row is None else str(row[0])


def set_setting(connection: Connection, name: str, value: str) -> None:
    """Keep a setting."""
    connection.execute(
        "INSERT INTO settings VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
    )


def rows(connection: Connection, sql: str, values: Iterable[object] = ()) -> list[Row]:
    """Return what a query finds, each row by its columns' names."""
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        return cursor.execute(sql.encode(), tuple(values)).fetchall()
