"""An evening of whole matches in one process, one after another, as fast as it goes: a line of JSON after each.

`python -m benchmarks.load_evening MATCHES SEED LONGEST` plays them through a table, its journal and
its pages; there is no camera (mode ledger). What is told is of this process: so its memory is that of the table alone.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec

from companion import games
from companion.bench.figures import optional
from companion.bench.prepared import prepared
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app, shut
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table

LOOKS = 5
"""Actions between two requests of the phones for all pages' parts."""


class Played(msgspec.Struct, frozen=True):
    """A match that was played: what it took, and what the process held after it. Times in ms, memory in MB."""

    game: str
    records: int
    seconds: float
    action_ms: tuple[float, ...]
    parts_ms: tuple[float, ...]
    memory_mb: float | None
    threads: int
    handles: int


def _memory_mb() -> float | None:
    psutil = optional("psutil")
    return None if psutil is None else float(psutil.Process().memory_info().rss) / 1e6


def _handles() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def main(matches: int, seed: int, longest: int) -> None:
    """Play the matches, at most `longest` actions of each, and print a line for each match."""
    rng = random.Random(seed)
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
                told = Played(
                    name,
                    len(steps),
                    seconds,
                    tuple(actions),
                    tuple(looks),
                    _memory_mb(),
                    threading.active_count(),
                    _handles(),
                )
                sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
                sys.stdout.buffer.flush()
        finally:
            shut(app)


if __name__ == "__main__":
    os.environ["COMPANION_DEVICES"] = "simulated"
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
