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
from companion.hall.database import connect

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


def delays(here: Ground, seconds: float) -> list[float]:
    """Look at the wall's stream for so long; return how old (ms) the records are that are new at each of its events."""
    known: dict[tuple[str, str], int] = {}
    found = []
    until = time.monotonic() + seconds
    with connect(here.database.address) as database:
        database.autocommit = True
        for _, told in wall_events(*here.wall_at):
            names, before = sorted(name for name in told["changed"] if name != "results"), dict(known)
            rows = database.execute(NEW, (names,)).fetchall()
            now = time.time()
            for table, match, n, at in rows:
                if n > before.get((table, match), 0):
                    known[table, match] = max(known.get((table, match), 0), n)
                    if (table, match) in before:
                        found.append((now - datetime.fromisoformat(at).timestamp()) * 1000)
            if time.monotonic() > until:
                break
    return found


def load(tables: int, seconds: float, pace: float = 10.0, at_once: int = AT_ONCE, spread: float = 90.0) -> LoadResult:
    """Measure how long records take from the journal to the wall, while so many tables play."""
    with ground(tables) as here, playing(here, Plan(pace, at_once, matches=1, spread=spread)):
        here.start_wall()
        ready(here, tables)
        time.sleep(SETTLED)
        before = here.cost()
        found = delays(here, seconds)
        cost = {name: (memory, used - before[name][1]) for name, (memory, used) in here.cost().items()}
        return LoadResult(tables, seconds, len(found), percentile(found, 0.5), percentile(found, 0.99), cost)


if __name__ == "__main__":
    given = [float(one) if "." in one else int(one) for one in sys.argv[2:]]
    print(msgspec.json.encode(load(*given)).decode())  # type: ignore[arg-type]
