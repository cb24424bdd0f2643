"""A table for `tests/deploy/hall`: robots play so many turns more, and the hall is told until it has all of them.

    python hall_table.py STATE ADDRESS CERTIFICATE TURNS

`ADDRESS` is a file with what `companion-hall add-table` prints. Prints how many records the table has; ends with 1 if
the hall has not said within a minute that it has them.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

from companion import games
from companion.appliance.broker_settings import Broker
from companion.appliance.cursors import Cursors
from companion.bench.hall_tables import RobotTable, published

PATIENCE = 60.0
SURE = 15.0
"""Seconds for which all has to be told: a hall that was restored takes back what it had said."""


def main(folder: Path, address: Path, certificate: Path, turns: int) -> int:
    """Play, tell, and wait."""
    found = urlsplit(address.read_text().strip())
    settings = Broker(
        address=f"{found.hostname}:{found.port}",
        name=unquote(found.username or ""),
        password=unquote(found.password or ""),
        tls=True,
        ca=certificate.read_text(),
        names="full",
    )
    seed = sum(1 for _ in folder.glob("*")) + turns
    table = RobotTable(folder, "Table 1", games.packages(), seed, 0.01)
    table.start()
    publisher = published(table, settings)
    until = time.monotonic() + PATIENCE
    while table.written < turns and time.monotonic() < until:
        time.sleep(0.02)
    table.pause()
    wanted = {match: len(lines) for match, lines in table.lines().items()}
    told, since = {}, time.monotonic()
    while time.monotonic() < until:
        cursors = Cursors(folder, f"{settings.address} {settings.name}")
        told = {match: cursors[match].through for match in wanted}
        cursors.close()
        if told != wanted:
            since = time.monotonic()
        elif time.monotonic() - since > SURE:
            break
        time.sleep(0.3)
    publisher.close()
    table.close()
    print(sum(wanted.values()))
    return int(told != wanted or table.written < turns)


if __name__ == "__main__":
    state, *files, count = sys.argv[1:]
    sys.exit(main(Path(state), Path(files[0]), Path(files[1]), int(count)))
