"""The hall under load: real broker, database, consumers, wall and publishers, on this computer.

How long a record takes from a table's journal to a browser that looks at the wall, and what the parts cost:
`python -m benchmarks.hall load TABLES SECONDS PACE AT_ONCE SPREAD`. The parts killed and cut off:
`benchmarks.hall_soak`.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime

import msgspec

from benchmarks.hall_ground import Ground, Plan, ground, playing, ready, wall_events
from companion.bench.figures import percentile
from companion.hall.database import Connection, connect

AT_ONCE = 60
"""Tables of a process: paho waits by `select`, which takes no file number from 1024 on, and a table has ten files."""
SETTLED = 10.0
"""Seconds between the first record of the last table and the beginning of what is measured."""
Cost = dict[str, tuple[float, float]]
NEW = """
    SELECT m.table_name, m.id, r.n, (r.line::json)->>'at' FROM matches m
    JOIN records r ON r.table_name = m.table_name AND r.match = m.id AND r.n > m.through - 20
    WHERE m.table_name = ANY(%s) AND m.changed > now() - interval '5 s'
"""


class LoadResult(msgspec.Struct, frozen=True):
    """What a load cost: each part's memory (MB) at the end and processor seconds meanwhile.

    Milliseconds count from a record's time in the journal until a browser has the table's new card, and a question to
    the database behind it is answered.
    """

    tables: int
    seconds: float
    records: int
    p50: float
    p99: float
    cost: Cost


class Delays:
    """Looks at the wall's stream, and finds out of which age the records are that are new at each of its events."""

    def __init__(self, here: Ground) -> None:
        self._here = here
        self._known: dict[tuple[str, str], int] = {}
        self.found: list[float] = []
        """Milliseconds."""

    def look(self, seconds: float) -> None:
        """Look for so many seconds."""
        until, first = time.monotonic() + seconds, True
        with connect(self._here.database.address) as database:
            database.autocommit = True
            for _, told in wall_events(*self._here.wall_at):
                fresh = self._fresh(database, sorted(name for name in told["changed"] if name != "results"))
                if not first:
                    self.found += fresh
                first = False
                if time.monotonic() > until:
                    break

    def _fresh(self, database: Connection, names: list[str]) -> list[float]:
        rows = database.execute(NEW, (names,)).fetchall()
        now, found = time.time(), []
        newest = dict(self._known)
        for table, match, n, at in rows:
            if n > self._known.get((table, match), 0):
                newest[table, match] = max(newest.get((table, match), 0), n)
                if (table, match) in self._known:
                    found.append((now - datetime.fromisoformat(at).timestamp()) * 1000)
        self._known = newest
        return found


def load(tables: int, seconds: float, pace: float = 10.0, at_once: int = AT_ONCE, spread: float = 90.0) -> LoadResult:
    """Measure how long records take from the journal to the wall, while so many tables play."""
    with ground(tables) as here, playing(here, Plan(pace, at_once, matches=1, spread=spread)):
        here.start_wall()
        ready(here, tables)
        time.sleep(SETTLED)
        before, delays = here.cost(), Delays(here)
        delays.look(seconds)
        cost = {name: (memory, used - before[name][1]) for name, (memory, used) in here.cost().items()}
        found = delays.found or [0.0]
        middle, slow = percentile(found, 0.5), percentile(found, 0.99)
        return LoadResult(tables, seconds, len(delays.found), middle, slow, cost)


if __name__ == "__main__":
    given = [float(one) if "." in one else int(one) for one in sys.argv[2:]]
    print(msgspec.json.encode(load(*given)).decode())  # type: ignore[arg-type]
