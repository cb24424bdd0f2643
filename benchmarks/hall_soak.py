"""The hall's parts are killed, stopped and cut off at random while tables play fast; afterwards nothing may be missing.

Every record of every journal has to be in the database once, and the wall right as a browser has it. That is looked at
again and again: everything comes back, the robots rest, and it is counted how long the hall takes.
"""

from __future__ import annotations

import html
import http.client
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from benchmarks.hall_ground import PARTS, Evening, Ground, Plan, compared, ground, playing, ready, wall_events, written
from companion.bench.figures import optional, percentile
from companion.bench.processes import family
from companion.hall.database import DatabaseError, connect
from companion.hall.local import LocalError
from companion.hall.messages import Snapshot
from companion.untyped import Foreign

QUIET = 60.0
"""Seconds after which all has to be there, once everything is back."""
LOOKS = 50
"""Faults between two times at which it is looked whether all is right."""
STOPPING = 10.0
"""Seconds that a process may take to stop, as its unit's TimeoutStopSec says."""
LONG = 0.3
"""The share of faults that last 3 to 12 s; the others last 0.3 to 3 s."""


class Viewer:
    """A browser that looks at the wall: it reads the stream, and opens it anew when it ends, as the page does."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port, self._stamp = host, port, ""
        self._cards: dict[str, str] = {}
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while True:
            with suppress(OSError, http.client.HTTPException):
                for self._stamp, told in wall_events(self._host, self._port, self._stamp):  # noqa: B020
                    self._cards.update(told.get("cards", {}))
            time.sleep(2)  # the stream says `retry: 2000`

    def wrong(self, stands: dict[str, tuple[Snapshot, list[float]]]) -> list[str]:
        """Return the tables that it does not show as they stand."""
        return [name for name, (snapshot, _) in stands.items() if not shows(self._cards.get(name, ""), snapshot)]


def shows(card: str, snapshot: Snapshot) -> bool:
    """Return whether a card of the wall shows what a table says: names and scores in their order, and the sentence."""
    card = " ".join(card.split())
    lines = re.findall(r'<span class="name">(.*?)</span>(.*?)</li>', card)
    seats = [(html.unescape(name), re.findall(r"<b>(-?\d+)</b>", rest)) for name, rest in lines]
    wanted = [(one.name, [] if one.score is None else [f"{one.score}"]) for one in snapshot.seats]
    said = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", card)).split())
    return seats == wanted and " ".join((snapshot.violation or snapshot.text).split()) in said


class SoakResult(msgspec.Struct, frozen=True):
    """What came of a soak."""

    tables: int
    seconds: float
    faults: dict[str, int]
    """How often each part was treated how."""
    records: int
    missing: int
    wrong: int
    recovered: tuple[float, ...]
    """Each time that was looked: seconds from the last part's return until all was there and right; -1: never."""
    turns: dict[str, float]
    """Milliseconds until a turn was in the table's journal: of all, of the slowest hundredth and thousandth, the worst.
    Without faults (`faults` 0) they say what a table feels of the hall otherwise."""


class Parts:
    """What can be broken: each is broken in some way, and comes back in time."""

    def __init__(self, here: Ground, rng: random.Random) -> None:
        self._here, self._rng = here, rng
        self.faults: dict[str, int] = {}
        self._away: dict[str, tuple[float, Callable[[], None]]] = {}

    def break_one(self) -> None:
        """Break a part that is whole, for a while."""
        rng = self._rng
        names = ["broker", "database", "wall", *(f"consumer {n}" for n in range(len(self._here.consumers)))]
        if self._here.network is not None:
            names += [f"network of {part}" for part in PARTS]
        whole = [name for name in names if name not in self._away]
        if not whole:
            return
        name = rng.choice(whole)
        cut = name.startswith("network")
        how = "cut" if cut else rng.choice(["killed", "stopped", "frozen"])
        lasts = rng.uniform(3, 12) if rng.random() < LONG else rng.uniform(0.3, 3)
        kind = f"{name.split()[0] if not cut else name} {how}"
        self.faults[kind] = self.faults.get(kind, 0) + 1
        self._away[name] = (time.monotonic() + lasts, self._broken(name, how))

    def mend(self, at: float) -> None:
        """Bring back what is to be back by then, and what has ended by itself, as systemd does."""
        for name, (until, back) in list(self._away.items()):
            if until <= at:
                back()
                del self._away[name]
        for n, process in enumerate(self._here.consumers):
            if f"consumer {n}" not in self._away and process is not None and process.poll() is not None:
                self._here.start_consumer(n)
        wall = self._here.wall
        if "wall" not in self._away and wall is not None and wall.poll() is not None:
            self._here.start_wall()

    def _broken(self, name: str, how: str) -> Callable[[], None]:
        """Break a part, and return what brings it back."""
        here, network = self._here, self._here.network
        if network is not None and how == "cut":
            part = name.removeprefix("network of ")
            network.cut(part)
            return lambda: network.mend(part)
        if name == "broker":
            return _treated(here.broker.pid, how, here.broker.stop, lambda: here.broker.start(wait=False))
        if name == "database":
            return _treated(here.database.pid, how, here.database.stop, lambda: _again(here.database.start))
        if name == "wall":
            return _process(here.wall, how, here.start_wall)
        n = int(name.split()[1])
        return _process(here.consumers[n], how, lambda: here.start_consumer(n))


def _again(start: Callable[[], None]) -> None:
    """Start a database that was killed: its last processes may still be on their way out."""
    for _ in range(20):
        try:
            start()
            return
        except LocalError:
            time.sleep(0.5)
    raise LocalError("the database does not come back")


def _process(process: subprocess.Popen[bytes] | None, how: str, start: Callable[[], None]) -> Callable[[], None]:
    def stop(kind: int) -> None:
        if process is None:
            return
        process.send_signal(kind)
        try:
            process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            # As systemd does: one that waits for a database that is frozen just now does not end before it goes on.
            process.kill()
            process.wait()

    return _treated(process.pid if process is not None else 0, how, stop, start)


def _treated(pid: int, how: str, stop: Callable[[int], None], start: Callable[[], None]) -> Callable[[], None]:
    """Kill, stop or freeze a process and those that it has started; return what brings it back."""
    every = family(pid)
    if not every:
        return start  # it has ended by itself
    if how == "frozen":
        _each(every, "suspend")
        return lambda: _each(every, "resume")
    if how == "killed":
        _each(every[1:], "kill")
        stop(signal.SIGKILL)
    else:
        stop(signal.SIGINT)
    return start


def _each(processes: list[Foreign], what: str) -> None:
    for one in processes:
        with suppress(optional("psutil").NoSuchProcess):
            getattr(one, what)()


def soak(
    tables: int, seconds: float, faults: int, pace: float, records: int = 0, seed: int = 1, network: bool = True
) -> SoakResult:
    """Break parts at random while tables play, and compare every journal with the database afterwards.

    So many faults come in about so many seconds; it goes on until the journals have so many records, too.
    """
    rng = random.Random(seed)
    recovered: list[float] = []
    with ground(tables, network=network) as here, playing(here, Plan(pace)) as evening:
        here.start_wall()
        ready(here, tables)
        viewer = Viewer(*here.wall_at)
        parts = Parts(here, rng)
        began = time.monotonic()
        for n in range(faults):
            until = time.monotonic() + rng.expovariate(faults / seconds)
            while (now := time.monotonic()) < until:
                parts.mend(now)
                time.sleep(min(0.05, until - now))
            parts.break_one()
            if n % LOOKS == LOOKS - 1:
                recovered.append(_look(here, evening, parts, viewer))
                evening.resting.clear()
                print(f"{n + 1} faults, {written(here, evening.folder)} records, all right {recovered[-1]:.1f} s after")
        while written(here, evening.folder) < records:
            parts.mend(float("inf"))
            time.sleep(1)
        recovered.append(_look(here, evening, parts, viewer, last=True))
        took = [turn * 1000 for _, turns in evening.stands(evening.over).values() for turn in turns]
        turns = {"p50": percentile(took, 0.5), "p99": percentile(took, 0.99), "p99.9": percentile(took, 0.999)}
        turns["worst"] = max(took)
        lasted = time.monotonic() - began
        return SoakResult(tables, lasted, parts.faults, *compared(here, evening.folder), tuple(recovered), turns)


def _look(here: Ground, evening: Evening, parts: Parts, viewer: Viewer, last: bool = False) -> float:
    """Bring everything back, and return after how many seconds the database has all and the wall is right."""
    parts.mend(float("inf"))
    back = time.monotonic()
    stands = evening.stands(evening.resting)
    wrong: list[str] = []
    while time.monotonic() - back < QUIET:
        parts.mend(float("inf"))
        try:
            with connect(here.database.address) as connection:
                row = connection.execute("SELECT count(*) FROM records").fetchone()
        except DatabaseError:
            row = None
        wrong = viewer.wrong(stands)
        if row is not None and row[0] == written(here, evening.folder) and not wrong:
            return time.monotonic() - back
        time.sleep(0.1)
    print(f"not right after {QUIET:.0f} s: {row} records, wrong on the wall: {wrong}", file=sys.stderr)
    return -1.0


if __name__ == "__main__":
    given = [float(one) if "." in one else int(one) for one in sys.argv[1:]]
    print(msgspec.json.encode(soak(*given)).decode())  # type: ignore[arg-type]
