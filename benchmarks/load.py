"""A crowded table and a long evening: 200 phones while something happens five times a second, then many whole matches
one after another in one process; how long things take, and whether memory, threads and file handles stay as they are.
"""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor

from benchmarks.load_evening import evening, held
from benchmarks.phone_table import plan
from benchmarks.phones import LIMIT_MS, SEATS, LoadError, Players, phones, table_of_phones
from companion.bench.figures import BenchError, Figure, Row, Section, at_most, optional, percentile
from companion.bench.processes import HOST, Running

PHONES, EVENTS_A_SECOND = 200, 5.0
WARM = 15
"""Matches after which every game was played three times, and what is cached is full: from then on little may grow."""
STEADY = 1000
"""Events of a crowd's run whose first half is enough to play the match to its end and fill what is cached."""
HELD = ("memory_mb", "threads", "handles")
GROWTH_MB = 10.0
"""Growth of memory (MB) allowed after that, or in a crowd's second half: a journal's own cache, and names."""


class _Busy(Players):
    """Players who never stop: when their match is over they go on changing their names."""

    def __init__(self, running: Running, events: int) -> None:
        super().__init__(running.port, plan(SEATS, events))
        self._count = 0
        self._acted, self._half, self._running = 0, events // 2, running
        self.halfway: dict[str, Figure] = {}
        """What the server holds when half of the events are over: from then on nothing is new to it."""

    def act(self) -> None:
        """Perform the next action, or change a name."""
        self._acted += 1
        if self._acted == self._half:
            self.halfway = held(self._running.pid)
        if self._actions:
            super().act()
            return
        self.finish()
        self._count += 1
        seat = self._count % SEATS + 1
        self._send({"do": "name", "seat": seat, "name": f"Player {self._count}"})


def measure(seconds: float = 20.0, readings: int = 5, count: int = PHONES, longest: int = 100_000) -> Section:
    """Measure a number of seconds with a number of phones, then `readings` matches; 32 are about a day of play.

    A match is left after `longest` actions.
    """
    rows = [*_crowd(seconds, count), *_evening(readings, longest)]
    notes = () if optional("psutil") else ("psutil is not installed (pip install psutil): memory was not measured.",)
    return Section(tuple(rows), notes)


def _crowd(seconds: float, count: int) -> list[Row]:
    events = max(1, int(seconds * EVENTS_A_SECOND))
    with table_of_phones() as running:
        starting = min(events, 10)
        players = _Busy(running, starting + events)
        try:
            # The first round starts the threads: what they take is no growth.
            phones(HOST, running.port, players.act, count=count, events=starting, pause=0.1)
            time.sleep(1.0)
            before = held(running.pid)
            began = time.perf_counter()
            found = phones(HOST, running.port, players.act, count=count, events=events, period=1 / EVENTS_A_SECOND)
            took = time.perf_counter() - began
        except LoadError as error:
            raise BenchError(f"{error}") from None
        players.finish()
        time.sleep(1.0)
        after = held(running.pid)
    figures: dict[str, Figure] = {
        "events": events,
        "events_a_s": events / took,
        "p50_ms": percentile(found.all_, 0.5),
        "p99_ms": percentile(found.all_, 0.99),
        "last_p99_ms": percentile(found.last, 0.99),
    }
    limit = at_most("the last one within 250 ms (p99)", percentile(found.last, 0.99), LIMIT_MS, " ms")
    rows = [Row(f"{count} phones, {took:.0f} s", figures, limit, table="a crowd")]
    holds = {"before": before, "half way": players.halfway, "after": after}
    rows += [Row(what, held, table="what the server holds") for what, held in holds.items()]
    if after and events >= STEADY:
        growth = float(after["memory_mb"] or 0) - float(players.halfway["memory_mb"] or 0)
        grown = at_most(f"grows by {GROWTH_MB:.0f} MB at most", growth, GROWTH_MB, " MB")
        rows.append(Row("memory since half way", {"events": events // 2}, grown, table="what the server holds"))
    return rows


def _evening(matches: int, longest: int) -> list[Row]:
    # In a process of its own, of which nothing else is measured.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        played = alone.submit(evening, matches, 1, longest).result()
    rows = [row for n, row in enumerate(played, 1) if n <= WARM or n == len(played) or n % 10 == 0]
    last, warm = ({key: float(row.figures.get(key) or 0) for key in HELD} for row in (played[-1], played[:WARM][-1]))
    if len(played) > WARM and optional("psutil"):
        since: dict[str, Figure] = {"matches": len(played) - WARM}
        grown = last["memory_mb"] - warm["memory_mb"]
        limit = at_most(f"grows by {GROWTH_MB:.0f} MB at most", grown, GROWTH_MB, " MB")
        rows.append(Row("memory since all games were played", since, limit, table="an evening"))
        more = last["handles"] + last["threads"] - warm["handles"] - warm["threads"]
        rows.append(Row("handles and threads since then", since, at_most("not one more", more, 0), table="an evening"))
    return rows
