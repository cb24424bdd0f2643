"""A whole hall on this computer: a broker, a database, twelve tables where robots play all games, and the wall."""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

from companion import games
from companion.appliance.broker_settings import Broker
from companion.appliance.network import front
from companion.bench.hall_tables import NAMES, RobotTable, published
from companion.hall.broker import Listener, add_hall, add_tables, write_conf
from companion.hall.config import Broker as HallBroker
from companion.hall.consumer import Consumer
from companion.hall.database import Connection, connect, migrate
from companion.hall.events import EventError, enter, next_round, open_event, seatings
from companion.hall.local import LocalBroker, LocalDatabase, free_port
from companion.server.hall_api import Seating

log = logging.getLogger(__name__)

CUP_TABLES, CUP_POD = 3, 4
"""Tables that play the tournament, at most, and players at each."""
BETWEEN_ROUNDS = 10.0
"""Seconds between two looks whether its round is over."""


class DemoHall:
    """Broker, database, one consumer and the tables; `with` it they run, and afterwards nothing is left."""

    def __init__(self, tables: int, pace: float) -> None:
        """Prepare so many tables; a turn takes `pace` seconds on average."""
        self._count, self._pace = tables, pace
        self._stack = ExitStack()
        self.tables: list[RobotTable] = []
        self.database = ""
        self._cup = 0

    def __enter__(self) -> DemoHall:
        """Start everything."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-hall-")))
        folder.chmod(0o755)  # the database may be another user's
        database = LocalDatabase(folder / "database", safe=False)
        database.start()
        self._stack.callback(database.stop)
        self.database = database.address
        rights = folder / "broker"
        rights.mkdir()
        password = add_hall(rights)
        names = [f"table-{n}" for n in range(1, self._count + 1)]
        passwords = add_tables(rights, names)
        with connect(database.address) as connection:
            migrate(connection)
            connection.execute("INSERT INTO tables (name) SELECT unnest(%s::text[])", (names,))
            self._cup = _cup(connection, names[-CUP_TABLES:])
            seated = seatings(connection)
        port = free_port()
        conf = write_conf(rights, [Listener(port=port, address="127.0.0.1")])
        broker = LocalBroker(conf, port)
        broker.start()
        self._stack.callback(broker.stop)
        consumer = Consumer(HallBroker(port=port, name="hall", password=password), database.address)
        consumer.start()
        self._stack.callback(consumer.stop)
        plays = games.packages()
        for n, name in enumerate(names):
            turned = [*plays[n % len(plays) :], *plays[: n % len(plays)]]
            here = seated[name]
            seating = None if here is None else Seating(here.event, here.round, here.game, here.names)
            table = RobotTable(folder / name, f"Table {n + 1}", turned, n, self._pace, seating=seating)
            self._stack.callback(table.close)
            settings = Broker(address=f"127.0.0.1:{port}", name=name, password=passwords[name], names="full")
            self._stack.callback(published(table, settings).close)
            table.start()
            self.tables.append(table)
        return self

    def go_on(self) -> None:
        """Pair the tournament's next round if all results of this one are there."""
        with connect(self.database) as connection, suppress(EventError):
            next_round(connection, self._cup)

    def __exit__(self, *_: object) -> None:
        """End everything."""
        self._stack.close()


def _cup(connection: Connection, tables: list[str]) -> int:
    """Begin a tournament at some tables, with its first round; return its number."""
    number = open_event(connection, "Evening cup", "collectors", CUP_POD, (2, 4), tables)
    for name in NAMES[: CUP_POD * len(tables)]:
        enter(connection, number, name)
    next_round(connection, number)
    return number


def serve(tables: int, pace: float, host: str, port: int, password: str) -> None:
    """Run the demo until Ctrl-C."""
    from werkzeug.serving import make_server

    from companion.hall.app import create_app
    from companion.server.app import shut
    from companion.server.keys import kept_pin

    ended = threading.Event()
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, lambda *_: ended.set())
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    with DemoHall(tables, pace) as hall:
        app = create_app(hall.database, kept_pin(password))
        server = make_server(host, port, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        print(f"The wall: {front(host, port)} (host's password: {password})", flush=True)
        while not ended.wait(BETWEEN_ROUNDS):
            hall.go_on()
        shut(app)
        server.shutdown()
