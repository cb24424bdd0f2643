"""What the hall's pages need at hand, and who is asking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import current_app, request
from psycopg import OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

from companion.hall.database import Connection
from companion.hall.feed import Cards, Feed
from companion.server.context import HOST_COOKIE, RefusedError
from companion.server.keys import Keys
from companion.server.limits import Limits
from companion.text import t

MOST_STREAMS = 120
GONE = t("The hall's database can't be reached just now: try again in a moment. The tables play on.")


class Hall:
    """The parts of one running hall."""

    def __init__(self, pool: ConnectionPool[Connection], feed: Feed, cards: Cards, keys: Keys) -> None:
        self.pool, self.feed, self.cards, self.keys = pool, feed, cards, keys
        self.limits = Limits()
        self.streams = 0


def hall() -> Hall:
    """Return the hall that handles this request."""
    return cast(Hall, current_app.extensions["hall"])


@contextmanager
def database() -> Iterator[Connection]:
    """Lend a connection and commit at the end, or nothing if something fails; raise RefusedError without a database."""
    try:
        with hall().pool.connection() as connection:
            yield connection
    except (PoolTimeout, OperationalError):
        raise RefusedError(503, GONE) from None


def is_host() -> bool:
    """Return whether this browser has a host's key."""
    return hall().keys.is_host_token(request.cookies.get(HOST_COOKIE))


def host_only() -> None:
    """Check that the host asks; raise RefusedError if it is somebody else."""
    if not is_host():
        raise RefusedError(403, t("That is for the hall's host: enter the password first."))
