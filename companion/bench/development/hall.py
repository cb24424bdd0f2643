"""The hall under load and with its parts killed: real broker, database, consumers and publishers, on this computer.

`load`: how long a record takes from a table's publisher to the wall's stream. `soak`: parts are killed at random while
tables play fast, then every record of every journal has to be in the database once. `loud`: one table sends 5,000
messages a second, and what the others feel of it.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion import games
from companion.appliance.broker_settings import Broker
from companion.bench.figures import optional, percentile
from companion.bench.hall_tables import RobotTable, published
from companion.hall.broker import Listener, add_hall, add_table, write_conf
from companion.hall.database import connect, migrate
from companion.hall.local import LocalBroker, LocalDatabase, free_port
from companion.referee.journal_reader import read_only

READY = 300.0
QUIET = 60.0
"""Seconds after which all has to be there, once nobody is killed any more."""


class Ground:
    """A broker, a database, and consumers in processes of their own; each can be killed and started again."""

    def __init__(self, folder: Path, tables: int, consumers: int) -> None:
        """Prepare all of it; `start` begins."""
        folder.chmod(0o755)
        self.folder = folder
        self.database = LocalDatabase(folder / "database")
        rights = folder / "broker"
        rights.mkdir()
        self.password = add_hall(rights)
        self.passwords = {f"table-{n}": add_table(rights, f"table-{n}")[1] for n in range(1, tables + 1)}
        port = free_port()
        self.broker = LocalBroker(write_conf(rights, [Listener(port=port, address="127.0.0.1")]), port)
        self.consumers: list[subprocess.Popen[bytes] | None] = [None] * consumers
        self._config = folder / "hall.toml"

    def start(self) -> None:
        """Start everything."""
        self.database.start()
        with connect(self.database.address) as connection:
            migrate(connection)
        self.broker.start()
        self._config.write_text(
            f'database = "{self.database.address}"\n[broker]\nport = {self.broker.port}\n'
            f'name = "hall"\npassword = "{self.password}"\n'
        )
        for n in range(len(self.consumers)):
            self.start_consumer(n)

    def start_consumer(self, n: int) -> None:
        """Start a consumer."""
        command = [sys.executable, "-m", "companion", "hall", "consume", "--config", str(self._config)]
        with (self.folder / f"consumer-{n}.log").open("ab") as said:
            self.consumers[n] = subprocess.Popen(command, stdout=said, stderr=said, process_group=0)  # noqa: S603

    def kill_consumer(self, n: int) -> None:
        """Kill a consumer."""
        process = self.consumers[n]
        if process is not None:
            process.kill()
            process.wait()

    def settings(self, name: str) -> Broker:
        """Return a table's settings."""
        return Broker(address=f"127.0.0.1:{self.broker.port}", name=name, password=self.passwords[name], names="full")

    def stop(self) -> None:
        """End everything."""
        for process in self.consumers:
            if process is not None:
                process.terminate()
                process.wait()
        self.broker.stop()
        self.database.stop()

    def cost(self) -> dict[str, tuple[float, float]]:
        """Return memory (MB) and processor time (s) of broker, consumers and database so far."""
        psutil = optional("psutil")
        if psutil is None:
            return {}
        groups = {
            "broker": [self.broker.pid],
            "consumers": [one.pid for one in self.consumers if one is not None],
            "database": [self.database.pid],
        }
        found = {}
        for name, pids in groups.items():
            every = [psutil.Process(pid) for pid in pids]
            every += [child for one in every for child in one.children(recursive=True)]
            used = [one.cpu_times() for one in every]
            memory = sum(one.memory_full_info().uss for one in every) / 1e6
            found[name] = (memory, sum(one.user + one.system for one in used))
        return found


@contextmanager
def ground(tables: int, consumers: int = 2) -> Iterator[Ground]:
    """Run broker, database and consumers in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="companion-bench-hall-") as folder:
        made = Ground(Path(folder), tables, consumers)
        try:
            made.start()
            yield made
        finally:
            made.stop()


def _play(made: tuple[str, list[tuple[str, Broker]], float], seconds: float, told: object) -> None:
    """Let some tables play in a process of their own for so long; their journals stay."""
    folder, settings, pace = made
    plays = games.packages()
    running = []
    for n, (name, broker) in enumerate(settings):
        turned = [*plays[n % len(plays) :], *plays[: n % len(plays)]]
        table = RobotTable(Path(folder) / name, name, turned, hash(name) % 10**6, pace)
        publisher = published(table, broker)
        running.append((table, publisher))
    for table, _ in running:
        table.start()
    time.sleep(seconds)
    for table, _ in running:
        table.pause()
    told.put([table.slowest for table, _ in running])  # type: ignore[attr-defined]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    while True:
        time.sleep(1)  # the publishers tell what the hall has not yet


class SoakResult(msgspec.Struct, frozen=True):
    """What came of a soak."""

    tables: int
    seconds: float
    kills: dict[str, int]
    records: int
    missing: int
    wrong: int
    recovered: float
    """Seconds from the last part's return until all was there; -1: it never was."""
    slowest_turn: float


@contextmanager
def playing(here: Ground, pace: float, seconds: float, at_once: int = 20) -> Iterator[tuple[list[float], Path]]:
    """Let all tables play in processes of `at_once` tables; gives the slowest turns once they have stopped."""
    names = list(here.passwords)
    folder = here.folder / "tables"
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    parts = [names[i : i + at_once] for i in range(0, len(names), at_once)]
    processes = [
        context.Process(
            target=_play, args=((str(folder), [(one, here.settings(one)) for one in part], pace), seconds, told)
        )
        for part in parts
    ]
    slowest: list[float] = []

    def gather() -> None:
        for _ in processes:
            slowest.extend(told.get())

    for process in processes:
        process.start()
    waiting = threading.Thread(target=gather, daemon=True)
    waiting.start()
    try:
        yield slowest, folder
    finally:
        for process in processes:
            process.terminate()
            process.join(10)


def soak(tables: int, seconds: float, kills: int, pace: float, seed: int = 1) -> SoakResult:
    """Kill parts at random while tables play, and compare every journal with the database afterwards."""
    rng = random.Random(seed)
    counts = {"broker": 0, "database": 0, "consumer": 0}
    with ground(tables) as here, playing(here, pace, seconds) as (slowest, folder):
        began = time.monotonic()
        for n in range(kills):
            time.sleep(max(0.0, began + (n + rng.random()) * seconds / kills - time.monotonic()))
            what = rng.choice(sorted(counts))
            counts[what] += 1
            away = rng.uniform(0.1, 1.5)
            if what == "broker":
                here.broker.stop(signal.SIGKILL)
                time.sleep(away)
                here.broker.start()
            elif what == "database":
                here.database.stop(rng.choice([signal.SIGINT, signal.SIGQUIT]))
                time.sleep(away)
                here.database.start()
            else:
                one = rng.randrange(len(here.consumers))
                here.kill_consumer(one)
                time.sleep(away)
                here.start_consumer(one)
        back = time.monotonic()
        while len(slowest) < tables:
            time.sleep(0.1)
        stopped = time.monotonic()
        while True:
            records, missing, wrong = compared(here, folder)
            if (not missing and not wrong) or time.monotonic() - stopped > QUIET:
                break
            time.sleep(0.5)
        recovered = -1.0 if missing or wrong else time.monotonic() - max(back, stopped)
        return SoakResult(tables, seconds, counts, records, missing, wrong, recovered, max(slowest))


def compared(here: Ground, folder: Path) -> tuple[int, int, int]:
    """Count the journals' records, those the database lacks, and those it has otherwise or beyond."""
    with connect(here.database.address) as connection:
        there = {
            (table, match, n): line
            for table, match, n, line in connection.execute("SELECT table_name, match, n, line FROM records")
        }
    records = missing = wrong = 0
    for name in here.passwords:
        with read_only(folder / name) as journal:
            for header in journal.matches():
                for n, line in enumerate(journal.lines(header.id), 1):
                    records += 1
                    kept = there.pop((name, header.id, n), None)
                    missing += kept is None
                    wrong += kept is not None and kept != line.decode()
    return records, missing, wrong + len(there)


def ready(here: Ground, tables: int) -> None:
    """Wait until records of so many tables are here: loading the games takes their processes a while."""
    with connect(here.database.address) as connection:
        connection.autocommit = True
        until = time.monotonic() + READY
        while time.monotonic() < until:
            row = connection.execute("SELECT count(DISTINCT table_name) FROM matches WHERE through > 0").fetchone()
            if row is not None and row[0] >= tables:
                return
            time.sleep(0.2)


class LoadResult(msgspec.Struct, frozen=True):
    """What a load cost: each part's memory (MB) at the end and processor seconds meanwhile.

    Milliseconds count from a record's time in the journal until the wall's stream has heard of it.
    """

    tables: int
    records: int
    p50: float
    p99: float
    cost: dict[str, tuple[float, float]]


def load(tables: int, seconds: float, pace: float = 10.0, at_once: int = 20) -> LoadResult:
    """Measure from the moment a record is in the journal to the moment at which a listener has read that it is here."""
    from companion.hall.feed import Feed

    with ground(tables) as here, playing(here, pace, READY + seconds, at_once):
        ready(here, tables)
        feed = Feed(here.database.address)
        feed.start()
        before = here.cost()
        delays: list[float] = []
        until = time.monotonic() + seconds
        version = 0
        known: dict[tuple[str, str], int] = {}
        with connect(here.database.address) as connection:
            connection.autocommit = True
            while time.monotonic() < until:
                version, names = feed.wait(version, 0.5)
                heard = time.time()
                delays += _fresh(connection, sorted(names), known, heard)
        cost = {name: (memory, used - before[name][1]) for name, (memory, used) in here.cost().items()}
        feed.close()
        return LoadResult(
            tables, len(delays), percentile(delays or [0.0], 0.5), percentile(delays or [0.0], 0.99), cost
        )


def _fresh(connection: object, names: list[str], known: dict[tuple[str, str], int], heard: float) -> list[float]:
    """Return how many milliseconds ago those records were made that are new here since this was asked last."""
    from datetime import datetime

    found = []
    rows = connection.execute(  # type: ignore[attr-defined]
        "SELECT m.table_name, m.id, r.n, (r.line::json)->>'at' FROM matches m "
        "JOIN records r ON r.table_name = m.table_name AND r.match = m.id AND r.n > m.through - 20 "
        "WHERE m.table_name = ANY(%s) AND m.changed > now() - interval '3 s'",
        (names,),
    ).fetchall()
    newest = dict(known)
    for table, match, n, at in rows:
        if n > known.get((table, match), 0):
            newest[table, match] = max(newest.get((table, match), 0), n)
            if (table, match) in known:
                found.append((heard - datetime.fromisoformat(at).timestamp()) * 1000)
    known.update(newest)
    return found


class LoudResult(msgspec.Struct, frozen=True):
    """What one loud table does to a calm one: the calm one's delays in ms, and how many messages were dropped."""

    sent: int
    a_second: float
    dropped: int
    calm: int
    p50: float
    p99: float


def loud(seconds: float = 10.0, rate: int = 5000, tables: int = 8) -> LoudResult:
    """Let one table send as much as it likes while others play."""
    from paho.mqtt.client import Client, MQTTv5
    from paho.mqtt.enums import CallbackAPIVersion

    from companion.hall.feed import Feed

    with ground(tables + 1) as here:
        name = list(here.passwords)[-1]
        secret = here.passwords.pop(name)
        with playing(here, 0.5, READY + seconds):
            ready(here, tables)
            feed = Feed(here.database.address)
            feed.start()
            client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
            client.username_pw_set(name, secret)
            client.connect("127.0.0.1", here.broker.port)
            client.loop_start()
            sent = [0]
            began = time.monotonic()

            def shout() -> None:
                while time.monotonic() - began < seconds:
                    for _ in range(rate // 50):
                        client.publish(f"companion/{name}/snapshot", b'{"v":1,"text":"%s"}' % (b"x" * 200), qos=0)
                    sent[0] += rate // 50
                    time.sleep(max(0.0, began + sent[0] / rate - time.monotonic()))

            thread = threading.Thread(target=shout)
            thread.start()
            delays: list[float] = []
            known: dict[tuple[str, str], int] = {}
            version = 0
            with connect(here.database.address) as connection:
                connection.autocommit = True
                while thread.is_alive():
                    version, names = feed.wait(version, 0.5)
                    delays += _fresh(connection, sorted(names - {name}), known, time.time())
                dropped = connection.execute("SELECT dropped FROM tables WHERE name = %s", (name,)).fetchone()
            client.disconnect()
            feed.close()
            delays = delays or [0.0]
            return LoudResult(
                sent[0],
                sent[0] / seconds,
                int(dropped[0]) if dropped else 0,
                len(delays),
                percentile(delays, 0.5),
                percentile(delays, 0.99),
            )


if __name__ == "__main__":
    kind, *numbers = sys.argv[1:]
    what = {"soak": soak, "load": load, "loud": loud}[kind]
    given = [float(one) if "." in one else int(one) for one in numbers]
    print(msgspec.json.encode(what(*given)).decode())  # type: ignore[operator]
