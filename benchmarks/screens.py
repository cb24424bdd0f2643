"""How many screens high the pages are, in the middle of a match of each game at its largest number of seats.

Robots play into a journal; then the match is resumed before a simulated camera that sees the table laid, and a phone
and a projector look at the pages.
"""

from __future__ import annotations

import logging
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from werkzeug.serving import make_server

from benchmarks import browser
from benchmarks.middle import NAMES, lay, play_to
from benchmarks.pages import PHONE
from companion import games
from companion.bench.figures import BenchError, Row, Section, at_most
from companion.referee.journal import Journal
from companion.rules.kernel import Seat
from companion.server.app import create_app, shut
from companion.sim.table import SimTable
from companion.table.factory import simulated_camera
from companion.table.table import Table, session_maker
from companion.untyped import Foreign, JsonObject

RECORDS = 40
"""Records after which a match is in its middle: everybody has had a turn, and the shortest is not over."""
SCREEN: JsonObject = {"viewport": {"width": 1280, "height": 720}}
TABLE_SCREENS, SEAT_SCREENS = 1.0, 2.0
"""The limits."""
PATIENCE = 90.0
"""Seconds until the eye has found the table in order."""
HEIGHT = "() => document.documentElement.scrollHeight / innerHeight"


def measure() -> Section:
    """Measure the pages of all games; BenchError if there is no browser here."""
    with browser.chromium() as chromium:
        rows = [row for name in games.packages() for row in _of_game(chromium, name)]
    return Section(tuple(rows), ("Heights are of the whole page, divided by the window's.",))


def _of_game(chromium: Foreign, name: str) -> Iterator[Row]:
    with table_in_play(name) as (table, seat, _), served(table) as site:
        for page, path, how, limit in (
            ("seat, 390×844", f"/seat/{seat}", PHONE, SEAT_SCREENS),
            ("table, 1280×720", "/", SCREEN, TABLE_SCREENS),
        ):
            high = _screens(chromium, site, path, how, seat)
            title = table.snapshot().title
            yield Row(f"{title}: {page}", {"screens": round(high, 2)}, at_most("screens", high, limit, ""))


@contextmanager
def table_in_play(name: str, records: int = RECORDS) -> Iterator[tuple[Table, Seat, SimTable]]:
    """Yield a table with a match in its middle, a seat that is due, and where everything is laid as it should be."""
    most = games.load(name).info.seats[1]
    found = play_to(name, most, lambda game, state, n: n >= records and not game.timed(state), seed=7)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        found.keep(journal)
        laid = lay(found.mat, found.dealt)
        table = Table(
            session_maker(found.game, found.mat, journal, lambda: simulated_camera(found.game, found.mat, laid)),
            found.header,
            journal,
            "HTTP://10.42.0.1/J",
        )
        table.start()
        try:
            _settled(table)
            yield table, found.due[0], laid
        finally:
            table.close()


def _settled(table: Table) -> None:
    """Wait until the eye has found everything where it should lie."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        snapshot = table.snapshot()
        if snapshot.phase == "playing" and not snapshot.owed and table.session.camera_loop.resting:
            return
        time.sleep(0.2)
    last = table.snapshot()
    raise BenchError(f"{last.title}: the table was not found in order: {last.phase}, {last.owed}, {last.troubles}")


@contextmanager
def served(table: Table) -> Iterator[str]:
    """Yield the address of a table's pages."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app = create_app(table)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        shut(app)
        server.shutdown()


def _screens(chromium: Foreign, site: str, path: str, how: JsonObject, seat: Seat) -> float:
    """Return how many windows high a page is for a browser that has taken a seat, if the page is the seat's."""
    with browser.page(chromium, {**how, "locale": "en", "reduced_motion": "reduce"}) as page:
        if path != "/":
            page.context.request.post(f"{site}/join", form={"seat": str(seat), "name": NAMES[seat]})
        page.goto(site + path)
        page.wait_for_selector('body[data-live="live"]', timeout=30_000)
        page.evaluate("document.querySelectorAll('img[loading=lazy]').forEach(one => { one.loading = 'eager'; })")
        page.wait_for_function("() => [...document.images].every(one => one.complete)", timeout=60_000)
        page.wait_for_timeout(400)
        return float(page.evaluate(HEIGHT))
