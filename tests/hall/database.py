"""A real PostgreSQL in a temporary folder, made by initdb; its schema is the hall's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.hall.database import Connection, connect, migrate
from companion.hall.local import LocalDatabase


@contextmanager
def running_database(folder: Path) -> Iterator[LocalDatabase]:
    """Run a database with the hall's schema. Root's is another user's, who must be able to come here."""
    for one in (folder, *list(folder.parents)[:-2]):
        one.chmod(one.stat().st_mode | 0o011)
    database = LocalDatabase(folder, safe=False)
    database.start()
    try:
        with connect(database.address) as connection:
            migrate(connection)
        yield database
    finally:
        database.stop()


EMPTY = "TRUNCATE tables, matches, records, waiting, aside, results, settings, forgotten, leagues, events CASCADE"


def emptied(database: LocalDatabase) -> Connection:
    """Return a connection to the database, with nothing in it."""
    connection = connect(database.address)
    connection.execute(EMPTY)
    connection.commit()
    return connection
