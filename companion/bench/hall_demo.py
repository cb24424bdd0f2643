"""A whole hall on this computer: a broker, a database, twelve tables where robots play all games, and the wall."""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from companion import games
from companion.appliance.broker_settings import Broker
from companion.appliance.network import front
from companion.bench.hall_tables import RobotTable, published
from companion.hall.broker import Listener, add_hall, add_tables, write_conf
from companion.hall.config import Broker as HallBroker
from companion.hall.consumer import Consumer
from companion.hall.database import connect, migrate
from companion.hall.local import LocalBroker, LocalDatabase, free_port

log = logging.getLogger(__name__)


class DemoHall:
    """Broker, database, one consumer and the tables; `with` it they run, and afterwards nothing is left."""

    def __init__(self, tables: int, pace: float) -> None:
        """Prepare so many tables; a turn takes `pace` seconds on average."""
        self._count, self._pace = tables, pace
        self._stack = ExitStack()
        self.tables: list[RobotTable] = []
        self.database = ""

    def __enter__(self) -> DemoHall:
        """Start everything."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-hall-")))
        folder.chmod(0o755)  # the database may be another user's
        database = LocalDatabase(folder / "database", safe=False)
        database.start()
        self._stack.callback(database.stop)
        self.database = database.address
        with connect(database.address) as connection:
            migrate(connection)
        rights = folder / "broker"
        rights.mkdir()
        password = add_hall(rights)
        names = [f"table-{n}" for n in range(1, self._count + 1)]
        passwords = add_tables(rights, names)
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
            table = RobotTable(folder / name, f"Table {n + 1}", turned, n, self._pace)
            self._stack.callback(table.close)
            settings = Broker(address=f"127.0.0.1:{port}", name=name, password=passwords[name], names="full")
            self._stack.callback(published(table, settings).close)
            table.start()
            self.tables.append(table)
        return self

    def __exit__(self, *_: object) -> None:
        """End everything."""
        self._stack.close()


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
        ended.wait()
        shut(app)
        server.shutdown()
