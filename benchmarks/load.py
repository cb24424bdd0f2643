"""A crowded table and a long evening: 200 phones while something happens five times a second, then many whole matches
one after another in one process; how long things take, and whether memory, threads and file handles stay as they are.
"""

from __future__ import annotations

import subprocess
import sys
import time

import msgspec

from benchmarks.load_evening import Played
from benchmarks.phones import LIMIT_MS, SEATS, LoadError, Players, _plan, phones, table_of_phones
from companion.bench.figures import BenchError, Figure, Row, Section, at_most, median, optional, percentile
from companion.bench.processes import HOST, Running, memory_mb

PHONES, EVENTS_A_SECOND = 200, 5.0
WARM = 15
"""Matches after which every game was played three times, and what is cached is full: from then on little may grow."""
STEADY = 1000
"""Events of a crowd's run whose first half is enough to play the match to its end and fill what is cached."""
GROWTH_MB = 10.0
"""Growth of memory (MB) allowed after that, or in a crowd's second half: a journal's own cache, and names."""


class _Busy(Players):
    """Players who never stop: when their match is over they go on changing their names."""

    def __init__(self, running: Running, events: int) -> None:
        super().__init__(running.port, _plan(events))
        self._count = 0
        self._acted, self._half, self._running = 0, events // 2, running
        self.halfway: dict[str, Figure] = {}
        """What the server holds when half of the events are over: from then on nothing is new to it."""

    def act(self) -> None:
        """Perform the next action, or change a name."""
        self._acted += 1
        if self._acted == self._half:
            self.halfway = _held(self._running)
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


def _held(running: Running) -> dict[str, Figure]:
    psutil = optional("psutil")
    if psutil is None:
        return {}
    family = [psutil.Process(running.pid), *psutil.Process(running.pid).children(recursive=True)]
    return {
        "memory_mb": memory_mb(running.pid),
        "threads": sum(process.num_threads() for process in family),
        "handles": sum(process.num_fds() for process in family),
    }


def _crowd(seconds: float, count: int) -> list[Row]:
    events = max(1, int(seconds * EVENTS_A_SECOND))
    with table_of_phones() as running:
        starting = min(events, 10)
        players = _Busy(running, starting + events)
        try:
            # The first round starts the threads: what they take is no growth.
            phones(HOST, running.port, players.act, count=count, events=starting, pause=0.1)
            time.sleep(1.0)
            before = _held(running)
            began = time.perf_counter()
            found = phones(HOST, running.port, players.act, count=count, events=events, period=1 / EVENTS_A_SECOND)
            took = time.perf_counter() - began
        except LoadError as error:
            raise BenchError(f"{error}") from None
        players.finish()
        time.sleep(1.0)
        after = _held(running)
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
    half, end = players.halfway.get("memory_mb"), after.get("memory_mb")
    if half is not None and end is not None and events >= STEADY:
        grown = at_most(f"grows by {GROWTH_MB:.0f} MB at most", end - half, GROWTH_MB, " MB")
        rows.append(Row("memory since half way", {"events": events // 2}, grown, table="what the server holds"))
    return rows


def _evening(matches: int, longest: int) -> list[Row]:
    command = [sys.executable, "-m", "benchmarks.load_evening", str(matches), "1", str(longest)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (our own program)
    if done.returncode:
        raise BenchError(f"the matches could not be played: {done.stderr.decode()[-300:].strip()}")
    played = [msgspec.json.decode(line, type=Played) for line in done.stdout.splitlines()]
    rows = []
    for n, match in enumerate(played, start=1):
        if n <= WARM or n == len(played) or n % 10 == 0:
            rows.append(Row(f"after match {n}: {match.game}", _figures(match), table="an evening"))
    last, warm = played[-1], played[min(WARM, len(played)) - 1]
    if len(played) > WARM and last.memory_mb is not None and warm.memory_mb is not None:
        grown = at_most(f"grows by {GROWTH_MB:.0f} MB at most", last.memory_mb - warm.memory_mb, GROWTH_MB, " MB")
        rows.append(Row("memory since all games were played", {"matches": len(played) - WARM}, grown, "", "an evening"))
        more = at_most("not one more", last.handles + last.threads - warm.handles - warm.threads, 0)
        rows.append(Row("handles and threads since then", {"matches": len(played) - WARM}, more, "", "an evening"))
    return rows


def _figures(match: Played) -> dict[str, Figure]:
    return {
        "records": match.records,
        "seconds": match.seconds,
        "action_p50_ms": median(match.action_ms),
        "action_p99_ms": percentile(match.action_ms, 0.99),
        "parts_p99_ms": percentile(match.parts_ms, 0.99),
        "memory_mb": match.memory_mb,
        "threads": match.threads,
        "handles": match.handles,
    }
