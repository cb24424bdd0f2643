"""How many screens high the pages are, in the middle of a match of each game at its largest number of seats.

Robots play into a journal; then the match is resumed before a simulated camera that sees the table laid, and a phone
and a projector look at the pages. `python -m benchmarks.screens FOLDER [GAME…]` also keeps
what they show.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask.testing import FlaskClient
from PIL import Image
from werkzeug.serving import make_server
from werkzeug.test import Cookie

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


def measure(pictures: Path | None = None, *chosen: str) -> Section:
    """Measure the pages of the chosen games, or of all; with a folder `pictures` what was seen is kept there.

    Raises:
        BenchError: if there is no browser here.
    """
    rows: list[Row] = []
    with browser.chromium() as chromium:
        for name in chosen or games.packages():
            rows += _of_game(chromium, name, pictures)
    return Section(tuple(rows), ("Heights are of the whole page, divided by the window's.",))


def _of_game(chromium: Foreign, name: str, out: Path | None) -> Iterator[Row]:
    with table_in_play(name) as (table, seat), served(table) as site:
        for page, path, how, limit in (
            ("table, 1280×720", "/", SCREEN, TABLE_SCREENS),
            ("seat, 390×844", f"/seat/{seat}", PHONE, SEAT_SCREENS),
        ):
            picture, high = look(chromium, site, path, how, seat)
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                picture.save(out / f"{name}-{page.partition(',')[0]}.png")
            title = table.snapshot().title
            row = Row(f"{title}: {page}", {"screens": round(high, 2)}, at_most("screens", high, limit, ""))
            yield row


@contextmanager
def table_in_play(name: str, records: int = RECORDS) -> Iterator[tuple[Table, Seat]]:
    """Yield a table with a match in its middle, everything laid as it should be, and a seat that is due."""
    with laid_in_play(name, records) as (table, seat, _):
        yield table, seat


@contextmanager
def laid_in_play(name: str, records: int = RECORDS) -> Iterator[tuple[Table, Seat, SimTable]]:
    """Yield the same with the table on which everything is laid."""
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
    _CLIENTS[f"http://127.0.0.1:{server.server_port}"] = app.test_client()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        shut(app)
        server.shutdown()


_CLIENTS: dict[str, FlaskClient] = {}


def client_of(site: str) -> FlaskClient:
    """Return the client that sits down at a served table's pages."""
    return _CLIENTS[site]


def cookies_of(client: FlaskClient) -> list[Cookie]:
    """Return the cookies that a client was given."""
    return list((client._cookies or {}).values())


def look(chromium: Foreign, site: str, path: str, how: JsonObject, seat: Seat) -> tuple[Image.Image, float]:
    """Return what a browser that has a seat shows of a page, and how many windows high the whole page is."""
    client = _CLIENTS[site]
    if not any(one.key.startswith("companion_") for one in cookies_of(client)):
        client.post("/join", data={"seat": str(seat), "name": NAMES[seat]})
    context = chromium.new_context(**how, locale="en", reduced_motion="reduce")
    try:
        if path != "/":
            cookies = [{"name": one.key, "value": one.value, "url": site} for one in cookies_of(client)]
            context.add_cookies(cookies)
        page = context.new_page()
        page.goto(site + path)
        page.wait_for_selector('body[data-live="live"]', timeout=30_000)
        page.evaluate("document.querySelectorAll('img[loading=lazy]').forEach(one => { one.loading = 'eager'; })")
        page.wait_for_function("() => [...document.images].every(one => one.complete)", timeout=60_000)
        page.wait_for_timeout(400)
        high = float(page.evaluate(HEIGHT))
        return Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB"), high
    finally:
        context.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Name the folder for the pictures, and games if not all: screens FOLDER [GAME ...]")
    with tempfile.TemporaryDirectory() as state:
        # An owner's settings and files are not to be measured.
        os.environ.update(COMPANION_STATE=state, COMPANION_DEVICES="simulated")
        for row in measure(Path(sys.argv[1]), *sys.argv[2:]).rows:
            print(row.what, row.figures)
