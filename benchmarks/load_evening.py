"""An evening of whole matches in one process, one after another, as fast as it goes.

They are played through a table, its journal and its pages; there is no camera (mode ledger). What is told is of this
process: so its memory is that of the table alone.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
import time
from pathlib import Path

from companion import games
from companion.bench.figures import Figure, Row, median, percentile
from companion.bench.prepared import prepared
from companion.bench.processes import family, memory_mb
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app, shut
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table

LOOKS = 5
"""Actions between two requests of the phones for all pages' parts."""


def held(pid: int) -> dict[str, Figure]:
    """Return what a process and its children hold: memory (MB), threads, file handles; nothing without psutil."""
    every = family(pid)
    if not every:
        return {}
    return {
        "memory_mb": memory_mb(pid),
        "threads": sum(process.num_threads() for process in every),
        "handles": sum(process.num_fds() for process in every),
    }


def evening(matches: int, seed: int, longest: int) -> list[Row]:
    """Play the matches, at most `longest` actions of each; return a row for each: what it took, what is held then."""
    os.environ["COMPANION_DEVICES"] = "simulated"
    rng = random.Random(seed)
    rows = []
    with tempfile.TemporaryDirectory(prefix="companion-load-") as folder:
        journal = Journal(Path(folder))

        def make_session(header: Header, version: int) -> Session:
            return Session(*rules_of(header), header, journal, NoCamera, version=version)

        table = Table(
            make_session, Header(id=new_id(), at=now(), game=GATHERING, seats=MOST), journal, "HTTP://10.42.0.1/J"
        )
        table.start()
        app = create_app(table, close=table.close)
        try:
            names = games.packages()
            for n in range(matches):
                name = names[n % len(names)]
                low, high = games.load(name).info.seats
                header, steps = prepared(games.load(name), rng.randint(low, high), rng.randrange(10**9), longest)
                table.matches.put_up(header)
                began, stamp = time.perf_counter(), ""
                actions, looks = [], []
                client = app.test_client()
                # What follows by itself has been done by then, sometimes several in a row.
                while (done := len(table.match.records())) < len(steps):
                    action, facts = steps[done]
                    at = time.perf_counter()
                    reply = table.session.command(Play(seat=action.seat, action=action, facts=facts))
                    actions.append((time.perf_counter() - at) * 1000)
                    if not reply.ok:
                        raise RuntimeError(f"{name} refused what its robots did: {reply.verdict}")
                    if len(actions) % LOOKS == 1:
                        app.extensions["companion"].feed.refresh()
                        at = time.perf_counter()
                        told = client.get("/parts/public", query_string={"after": stamp}).get_json()
                        looks.append((time.perf_counter() - at) * 1000)
                        stamp = told["stamp"]
                for path in ("/", "/course", "/log", "/matches"):
                    client.get(path)
                seconds = time.perf_counter() - began
                gc.collect()
                figures: dict[str, Figure] = {
                    "records": len(steps),
                    "seconds": seconds,
                    "action_p50_ms": median(actions),
                    "action_p99_ms": percentile(actions, 0.99),
                    "parts_p99_ms": percentile(looks, 0.99),
                    **held(os.getpid()),
                }
                rows.append(Row(f"after match {n + 1}: {name}", figures, table="an evening"))
        finally:
            shut(app)
    return rows
