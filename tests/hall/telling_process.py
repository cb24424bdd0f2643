"""A process that tells a broker of a journal which another process writes; tests kill it.

python -m tests.hall.telling_process FOLDER PORT NAME PASSWORD
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from companion.appliance import outbox, publisher
from companion.appliance.broker_settings import Broker
from companion.referee.journal_reader import read_only
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Standing, View
from tests.hall.standin import GAME, StandInTable


class ReadTable(StandInTable):
    """A table whose matches somebody else plays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calling = ""
        self._version = 0

    def wait(self, version: int, timeout: float) -> Snapshot:
        time.sleep(timeout)
        self._version += 1
        with read_only(self.folder) as reader:
            match = reader.ids()[-1]
        return Snapshot(
            match=match,
            version=self._version,
            game=GAME,
            title="",
            seats=2,
            names={},
            mode="assist",
            phase="playing",
            record=0,
            views=(View(0, "", ()),),
            standing=Standing(()),
        )


if __name__ == "__main__":
    folder, port, name, password = sys.argv[1:]
    publisher.PAUSE, publisher.LOOK, publisher.IDLE, outbox.PATIENCE = (0.01, 0.05), 0.01, 0.05, 0.2
    told = Broker(address=f"127.0.0.1:{port}", name=name, password=password)
    publisher.Publisher(ReadTable(Path(folder)), told).start()
    threading.Event().wait()
