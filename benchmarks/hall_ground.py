"""Where the hall is measured: a real broker, database, consumers and wall, and tables that play, on this computer.

With a network they are in Linux's namespaces on a bridge, where each can be cut off; that needs root.
"""

from __future__ import annotations

import ctypes
import http.client
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path

import msgspec

from companion import games
from companion.appliance.broker_settings import Broker
from companion.appliance.public import snapshot_told
from companion.bench.figures import optional
from companion.bench.hall_tables import RobotTable, published
from companion.bench.processes import family
from companion.hall.broker import PASSWORDS, Listener, add_hall, add_tables, write_conf
from companion.hall.database import connect, migrate
from companion.hall.local import LIKE, LocalBroker, LocalDatabase, free_port
from companion.hall.messages import Snapshot
from companion.referee.journal_reader import read_only
from companion.untyped import JsonObject

PARTS = ("tables", "broker", "hall", "database")
NET = "10.77.0"
"""The first three numbers of all addresses: the parts are .1 to .4, this program .254."""
CLONE_NEWNET = 0x40000000


class Network:
    """A namespace for each part, all on one bridge; `with` it they are there, and afterwards nothing is left."""

    def __init__(self) -> None:
        self._mark = f"ch{os.getpid() % 100_000}"
        self._stack = ExitStack()

    def __enter__(self) -> Network:
        self._made(["link", "add", self._mark, "type", "bridge", "forward_delay", "0"], ["link", "del", self._mark])
        _ip("addr", "add", f"{NET}.254/24", "dev", self._mark)
        _ip("link", "set", self._mark, "up")
        for part in PARTS:
            name, port = self.namespace(part), self._port(part)
            self._made(["netns", "add", name], ["netns", "del", name])
            _ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("-n", name, "addr", "add", f"{self.address(part)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", name, "link", "set", device, "up")
            _ip("link", "set", port, "master", self._mark, "up")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _made(self, make: list[str], unmake: list[str]) -> None:
        _ip(*make)
        self._stack.callback(_ip, *unmake)

    def _port(self, part: str) -> str:
        return f"{self._mark}-{part[:4]}"

    def namespace(self, part: str) -> str:
        """Return the name of a part's namespace."""
        return f"{self._mark}-{part}"

    def address(self, part: str) -> str:
        """Return a part's address."""
        return f"{NET}.{PARTS.index(part) + 1}"

    def inside(self, part: str) -> list[str]:
        """Return what a command begins with that runs at a part's place."""
        return ["ip", "netns", "exec", self.namespace(part)]

    def cut(self, part: str) -> None:
        """Pull a part's cable at the bridge: neither side is told, what is sent is lost."""
        _ip("link", "set", self._port(part), "nomaster")

    def mend(self, part: str) -> None:
        """Put the cable back."""
        _ip("link", "set", self._port(part), "master", self._mark)


def enter(namespace: str) -> None:
    """Move this thread, and those that it starts, into a namespace; OSError if that can't be done."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path(f"/run/netns/{namespace}").open() as file:
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "this process can't be moved into the network's namespace")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S603, S607


READY = 300.0


class Ground:
    """A broker, a database, a wall, and consumers in processes of their own; each can be killed and started again.

    With a network each is in a namespace of its own, but consumers and wall are in one.
    """

    def __init__(self, folder: Path, tables: int, consumers: int, network: Network | None = None) -> None:
        folder.chmod(0o755)
        self.folder, self.network = folder, network
        self.rights = rights = folder / "broker"
        rights.mkdir()
        self.password = add_hall(rights)
        self.passwords = add_tables(rights, [f"table-{n}" for n in range(1, tables + 1)])
        port = free_port()
        at = "127.0.0.1" if network is None else network.address("broker")
        conf = write_conf(rights, [Listener(port=port, address=at)])
        self.broker = LocalBroker(conf, port, address=at, before=self._inside("broker"))
        self.database = LocalDatabase(
            folder / "database",
            listens="" if network is None else network.address("database"),
            network=f"{NET}.0/24",
            before=[*self._inside("database"), "setpriv", f"--reuid={LIKE}", "--regid=nogroup", "--clear-groups"]
            if network is not None
            else (),
        )
        self.consumers: list[subprocess.Popen[bytes] | None] = [None] * consumers
        self.wall: subprocess.Popen[bytes] | None = None
        self.wall_at = ("127.0.0.1" if network is None else network.address("hall"), free_port())
        self._config = folder / "hall.toml"

    def _inside(self, part: str) -> list[str]:
        return [] if self.network is None else self.network.inside(part)

    def start(self) -> None:
        """Start everything but the wall."""
        self.database.start()
        with connect(self.database.address) as connection:
            migrate(connection)
        self.broker.start()
        self._config.write_text(
            f'folder = "{self.rights}"\ndatabase = "{self.database.over_network}"\n[broker]\n'
            f'address = "{self.broker.address}"\nport = {self.broker.port}\n'
            f'name = "hall"\npassword = "{self.password}"\n'
        )
        for n in range(len(self.consumers)):
            self.start_consumer(n)
        threading.Thread(target=self._reload_broker, daemon=True).start()

    def _reload_broker(self) -> None:
        """Let the broker take in new passwords, as the hall's unit for systemd does."""
        before = (self.rights / PASSWORDS).stat().st_mtime_ns
        while True:
            time.sleep(0.1)
            try:
                now = (self.rights / PASSWORDS).stat().st_mtime_ns
            except FileNotFoundError:
                return  # all is over
            if now != before:
                before = now
                with suppress(OSError):
                    os.kill(self.broker.pid, signal.SIGHUP)

    def _run(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        command = [*self._inside("hall"), sys.executable, "-m", "companion", "hall", *words]
        with (self.folder / f"{name}.log").open("ab") as said:
            return subprocess.Popen(  # noqa: S603
                [*command, "--config", str(self._config)], stdout=said, stderr=said, process_group=0
            )

    def start_consumer(self, n: int) -> None:
        """Start a consumer."""
        self.consumers[n] = self._run(f"consumer-{n}", "consume")

    def start_wall(self) -> None:
        """Start the wall's pages."""
        host, port = self.wall_at
        self.wall = self._run("wall", "serve", "--host", host, "--port", f"{port}")

    def settings(self, name: str) -> Broker:
        """Return a table's settings."""
        address = f"{self.broker.address}:{self.broker.port}"
        return Broker(address=address, name=name, password=self.passwords[name], names="full")

    def stop(self) -> None:
        """End everything."""
        for process in (*self.consumers, self.wall):
            if process is not None:
                process.kill()
                process.wait()
        self.broker.stop()
        self.database.stop()

    def cost(self) -> dict[str, tuple[float, float]]:
        """Return memory (MB) and processor time (s) of broker, database, each consumer and the wall so far."""
        psutil = optional("psutil")
        if psutil is None:
            return {}
        parts = {"broker": self.broker.pid, "database": self.database.pid}
        parts |= {f"consumer {n}": one.pid for n, one in enumerate(self.consumers, 1) if one is not None}
        parts |= {"wall": self.wall.pid} if self.wall is not None else {}
        found = {}
        for name, pid in parts.items():
            memory = used = 0.0
            for one in family(pid):
                with suppress(psutil.NoSuchProcess):  # the database has helpers that come and go
                    times = one.cpu_times()
                    memory += one.memory_full_info().uss / 1e6
                    used += times.user + times.system
            found[name] = (memory, used)
        return found


@contextmanager
def ground(tables: int, consumers: int = 2, *, network: bool = False) -> Iterator[Ground]:
    """Run broker, database and consumers in a temporary folder, with a network of their own or without."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-bench-hall-"))
        made = Ground(Path(folder), tables, consumers, stack.enter_context(Network()) if network else None)
        stack.callback(made.stop)
        made.start()
        yield made


class Evening(msgspec.Struct):
    """What processes that let tables play share with who measures them."""

    folder: Path
    resting: Event
    """While it is set the robots rest, and each process says how it stands at its tables."""
    over: Event
    """Once it is set the robots stop; the publishers go on."""
    told: multiprocessing.Queue[dict[str, tuple[Snapshot, list[float]]]]
    """By table: what everybody may know of it, and the seconds that its turns took."""
    tables: int

    def stands(self, of: Event) -> dict[str, tuple[Snapshot, list[float]]]:
        """Set an event, and return what all tables say then."""
        of.set()
        found: dict[str, tuple[Snapshot, list[float]]] = {}
        while len(found) < self.tables:
            found.update(self.told.get())
        return found


class Plan(msgspec.Struct, frozen=True):
    """How tables play: `pace` and `matches` as a `RobotTable` takes them, and who begins when."""

    pace: float
    at_once: int = 20
    """Tables of a process."""
    matches: int = 0
    spread: float = 0.0
    """Seconds over which a process's tables begin: people do not sit down at a thousand tables in one second."""


def _tables(folder: Path, settings: list[tuple[str, Broker]], plan: Plan, first: int) -> Iterator[RobotTable]:
    """Let some tables begin; `first` is the first one's number: no two tables' robots do the same at once."""
    plays = games.packages()
    for n, (name, broker) in enumerate(settings, first):
        order = [*plays[n % len(plays) :], *plays[: n % len(plays)]]
        table = RobotTable(folder / name, name, order, n, plan.pace, plan.matches)
        published(table, broker)
        table.start()
        time.sleep(plan.spread / len(settings))
        yield table


def _play(made: tuple[str, list[tuple[str, Broker]], Plan, int, str], evening: tuple[Event, Event, object]) -> None:
    """Let some tables play in a process of their own; their journals stay. Ends by being ended."""
    folder, settings, plan, first, namespace = made
    resting, over, told = evening
    if namespace:
        enter(namespace)
    tables = list(_tables(Path(folder), settings, plan, first))

    def rest(on: bool) -> None:
        for table in tables:
            table.rest(on)

    def stand() -> None:
        told.put(  # type: ignore[attr-defined]
            {
                table.title: (snapshot_told(table.wait(-1, 0.0), "full", table.robots(), table.clock()), table.turns)
                for table in tables
            }
        )

    while not over.is_set():
        if resting.is_set():
            rest(True)
            stand()
            while resting.is_set() and not over.is_set():
                time.sleep(0.05)
            rest(over.is_set())
        time.sleep(0.05)
    for table in tables:
        table.pause()
    stand()
    while True:
        time.sleep(1)  # the publishers tell what the hall has not yet


@contextmanager
def playing(here: Ground, plan: Plan) -> Iterator[Evening]:
    """Let all tables play, in several processes."""
    names = list(here.passwords)
    context = multiprocessing.get_context("spawn")
    evening = Evening(here.folder / "tables", context.Event(), context.Event(), context.Queue(), len(names))
    shared = (evening.resting, evening.over, evening.told)
    namespace = here.network.namespace("tables") if here.network is not None else ""
    processes = [
        context.Process(
            target=_play,
            args=((f"{evening.folder}", [(one, here.settings(one)) for one in part], plan, first, namespace), shared),
        )
        for first in range(0, len(names), plan.at_once)
        for part in [names[first : first + plan.at_once]]
    ]
    for process in processes:
        process.start()
    try:
        yield evening
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(10)


def written(here: Ground, folder: Path) -> int:
    """Count the records in all tables' journals."""
    found = 0
    for name in here.passwords:
        with read_only(folder / name) as journal:
            found += sum(journal.newest(match) for match in journal.ids())
    return found


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


def wall_events(host: str, port: int, after: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Yield what the wall's stream says from a stamp on, each with its stamp, until it ends; OSError if it breaks."""
    connection = http.client.HTTPConnection(host, port, timeout=7)
    try:
        connection.request("GET", f"/live?cards=1&after={after}")
        with connection.getresponse() as answer:
            while line := answer.readline():
                if line.startswith(b"id: "):
                    after = line[4:].strip().decode()
                elif line.startswith(b"data: {"):
                    yield after, msgspec.json.decode(line[6:])
    finally:
        connection.close()
