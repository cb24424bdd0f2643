"""Takes the pictures of every page for README and docs: `python -m docs.images.pages [STATION…] [--out FOLDER]`.

It needs Debian's chromium-headless-shell and about ten minutes. Robots play matches of all five games, some on the
simulated table in front of the simulated camera; at moments worth seeing a phone or a screen looks at the pages, as
people would.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from benchmarks.middle import NAMES
from benchmarks.screens import table_in_play
from companion import games
from companion.appliance.settings import owner_for
from companion.bench.prepared import prepared
from companion.referee.chain import link, root
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.rules.gathering import MOST
from companion.rules.gathering import NAME as GATHERING
from companion.server.app import create_app, shut
from companion.sim.table import SimTable
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Demo, DemoTable, Table, session_maker
from docs.images.games import played
from tests.server.phones import join
from tests.web.conftest import ARGS, CHROMIUM, PHONE

HERE = Path(__file__).resolve().parent
SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
SIZES = {"phone": PHONE, "screen": SCREEN, "projector": PROJECTOR}
WIDE = {"phone": 360, "screen": 960, "projector": 640}
"""Pixels across of the pictures that are kept."""
SEEN = 24
"""So many records make a simulated table worth looking at."""
GAME = "five-cards-collector"
FROM_FILES = ("scopa", "hearts")
EVENING = datetime(2026, 11, 14, 18, 30, tzinfo=UTC)
"""The evening before the earlier matches; each began on a day of its own."""
SEEN_ALL = """() => [...document.images].every(one => {
  const box = one.getBoundingClientRect();
  return !one.checkVisibility() || box.top > innerHeight || box.bottom < 0 || (one.complete && one.naturalWidth);
})"""
"""Whether every picture that is in sight is there."""


class Visit:
    """A served table, and browsers that look at it: `take` keeps a picture of a page."""

    def __init__(self, browser: Browser, table: Any, site: str, client: FlaskClient, out: Path) -> None:
        self.table = table
        self.site = site
        self.client = client
        self._browser = browser
        self._out = out

    def sit(self, seat: int) -> None:
        """Take a seat, by its name in the match."""
        join(self.client, seat, NAMES[seat])

    def be_host(self) -> None:
        """Enter the PIN."""
        self.client.post("/host/enter", data={"pin": self.table.host_pin})

    def take(
        self,
        path: str,
        name: str,
        on: str = "phone",
        *,
        dark: bool = False,
        high: int = 0,
        keys: bool = True,
        language: str = "en",
        first: Callable[[Page], None] | None = None,
    ) -> None:
        """Look at a page on a phone or a screen and keep its picture.

        `high` is how much of the page is shown (px), `keys` whether this browser has the keys of seat and host;
        `first` does something with the page before.
        """
        size = dict(SIZES[on])
        if high:
            size["viewport"] = {**size["viewport"], "height": high}
        look = "dark" if dark else "light"
        context = self._browser.new_context(**size, color_scheme=look, locale=language, reduced_motion="reduce")
        if keys:
            context.add_cookies(
                [
                    {"name": one.key, "value": one.value, "url": self.site}
                    for one in self.client._cookies.values()
                    if one.key.startswith("companion_")
                ]
            )
        page = context.new_page()
        answer = page.goto(self.site + path)
        if answer is None or not answer.ok:
            raise SystemExit(f"{path}: there is no such page")
        if page.locator("body[data-audiences]").count():
            page.wait_for_selector('body[data-live="live"]')
        if first is not None:
            first(page)
        page.wait_for_function(SEEN_ALL)
        page.wait_for_timeout(300)  # what unfolds
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        context.close()
        wide = WIDE[on]
        small = picture.resize((wide, round(picture.height * wide / picture.width)), Image.Resampling.LANCZOS)
        small.save(self._out / f"{name}.jpg", quality=76, optimize=True, progressive=True)


@contextmanager
def visit(browser: Browser, table: Any, out: Path) -> Iterator[Visit]:
    """Serve a table that runs already, and take it down afterwards."""
    app = create_app(table, close=table.close)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Visit(browser, table, f"http://127.0.0.1:{server.server_port}", app.test_client(), out)
    finally:
        shut(app)
        server.shutdown()


def seats(browser: Browser, out: Path, name: str) -> None:
    """Show a phone in each game, at a moment that is typical of it."""
    table, _, seat = played(name)
    with visit(browser, table, out) as here:
        here.sit(seat)
        here.take(f"/seat/{seat}", f"{name}-phone")
        if name == "collection":
            here.take(f"/seat/{seat}", "page-seat-dark", dark=True)
        if name == "collectors":
            other = 1 + seat % 3
            here.sit(other)
            here.take(f"/seat/{other}", "page-seat-waits")


def screens(browser: Browser, out: Path, name: str) -> None:
    """Show the table page while robots play before the simulated camera; for one game also all that the eye has."""
    count = 3 if name == "collectors" else 4
    journal = Journal(Path(tempfile.mkdtemp()))
    table = DemoTable(Demo(games.load(name), games.load_mat(name, count), 3, 8.0), journal, "HTTP://10.42.0.1/J")
    table.start()
    wait_for(table, SEEN)
    with visit(browser, table, out) as here:
        here.take("/", f"{name}-screen", "screen", dark=name == "karmic-collections")
        if name != GAME:
            return
        here.take("/", "page-table-phone", keys=False)
        here.take("/overlay", "page-overlay", "screen", keys=False)
        here.be_host()
        here.sit(1)
        table.session.set_speed(8)
        wait_for(table, SEEN, turn=1)
        here.take("/simulated", "page-simulated", "screen")
        here.take("/simulated", "page-simulated-phone")
        here.take("/host/eye", "page-eye", "screen")
        here.take("/host/zones", "page-zones", "screen")
        here.take(f"/cards/{GAME}", "page-cards-game", "screen")
        here.take("/cards/test", "page-cards-test")
        seen = [line.n for line in table.snapshot().log if (kept := table.match.evidence(line.n)) and kept.before]
        here.take(f"/log/{seen[0]}", "page-why")


def largest(browser: Browser, out: Path, name: str) -> None:
    """Show a game at its largest number of seats: whose turn it is, chairs, a card that lies wrong, and the end."""
    with table_in_play(name) as (table, seat, laid), visit(browser, table, out) as here:
        here.take("/join", f"{name}-join", keys=False)
        here.sit(seat)
        here.take(f"/seat/{seat}", f"{name}-most")
        here.take("/", f"{name}-projector", "screen")
        here.take("/", f"{name}-dark", "projector", dark=True, language="de")
        misplace(table, laid)
        here.take(f"/seat/{seat}", f"{name}-show", first=lambda page: page.locator("#show summary").click())
        here.take("/", f"{name}-wrong", "screen")
    journal = Journal(Path(tempfile.mkdtemp()))
    whole(journal, name, games.load(name).info.seats[1], 9)
    header = journal.header("last")
    rules, mat = rules_of(header)
    over = Table(session_maker(rules, mat, journal, NoCamera), header, journal, "HTTP://10.42.0.1/J")
    over.start()
    with visit(browser, over, out) as here:
        here.take("/", f"{name}-end", "screen")


def from_file(browser: Browser, out: Path, name: str) -> None:
    """Show the wall of a game that a score file describes."""
    with table_in_play(name, 12) as (table, _, _), visit(browser, table, out) as here:
        here.take("/", f"{name}-projector", "screen")


def misplace(table: Table, laid: SimTable) -> None:
    """Lay a card where others of its kind lie but it may not, and wait until it is told of."""
    mat = table.session.mat
    open_ = [zone for zone in mat.zones if zone.kind != "pile"]
    for lies in laid.pieces():
        here = mat.zone_at(lies.x, lies.y)
        kind = here.name.partition(".")[0] if here in open_ else ""
        other = next((zone for zone in open_ if zone != here and zone.name.partition(".")[0] == kind), None)
        if other is None:
            continue
        laid.move(lies.piece, other.rect.x + other.rect.w - 35, other.rect.y + other.rect.h / 2, other.rotation)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if table.snapshot().pointers:
                time.sleep(1)
                return
            time.sleep(0.2)
        laid.move(lies.piece, lies.x, lies.y, lies.rotation)
    raise SystemExit("nothing that lies wrong was told of")


def evening(browser: Browser, out: Path) -> None:
    """Show joining, the host's desk, and what an evening leaves."""
    journal = Journal(Path(tempfile.mkdtemp()))
    ended = [whole(journal, *one) for one in ((GAME, 4, 1), ("collectors", 3, 2), ("karmic-collections", 4, 3))]

    def make_session(header: Header, version: int) -> Session:
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    header = Header(id=new_id(), at=now(), game=GATHERING, seats=MOST)
    table = Table(make_session, header, journal, "HTTP://10.42.0.1/J", owner_for=owner_for(True))
    table.start()
    with visit(browser, table, out) as here:
        here.be_host()
        here.client.post("/host/settings", data={"name": "Table 3", "language": "en", "record": "0", "camera": "find"})
        here.take("/", "page-gathering", "screen")
        here.take("/cards", "page-cards", keys=False, high=560)
        here.take("/welcome", "page-welcome", keys=False)
        here.take("/host", "page-pin", keys=False, high=560)
        for seat in (1, 2, 4):
            here.sit(seat)
        here.take("/join", "page-join", keys=False)
        here.take("/host/new", "page-new", high=900)
        here.take("/host/new/collection", "page-new-game", high=1300)
        here.take("/how/collection", "page-how", high=1300)
        here.take("/host/settings", "page-settings", high=1500)
        here.take("/host/settings/hall", "page-settings-hall", high=1500)
        begun = whole(journal, GAME, 4, 5, 24)
        here.client.post(f"/matches/{begun}/resume")
        here.take("/host", "page-host", high=1300)
        here.take("/host", "page-host-screen", "screen", dark=True)
        here.take("/matches", "page-matches", high=1100)
        here.take(f"/matches/{ended[1]}", "page-match", high=1500)
        here.take("/layout", "page-layout")
        here.take("/setting-up", "page-setting-up", high=1050)
        here.take("/host/back/20", "page-back")
        begun = whole(journal, "collection", 4, 6, 120)
        here.client.post(f"/matches/{begun}/resume")
        here.take("/course", "page-course", high=1500)
        here.take("/dice", "page-dice", high=1100)
        here.take("/log", "page-log")


def wait_for(table: DemoTable, records: int, turn: int = 0, most: float = 600.0) -> None:
    """Let the robots play until there is something to see and nothing is in the air, then let them pause.

    With `turn` it is also that seat's turn, and nobody else's.
    """
    until = time.monotonic() + most
    while time.monotonic() < until:
        snapshot = table.snapshot()
        calm = snapshot.question is None and snapshot.phase == "playing" and not snapshot.provisional
        if snapshot.record >= records and calm and (not turn or snapshot.views[0].waiting == (turn,)):
            table.session.set_speed(0)
            time.sleep(3)
            if table.session.camera_loop.resting and not table.snapshot().owed:
                return
            # A hand is over the table: let it finish.
            table.session.set_speed(8)
        time.sleep(0.2)
    raise SystemExit(f"{table.session.game.info.title} came to no good moment")


def whole(journal: Journal, name: str, count: int, seed: int, longest: int = 100_000) -> str:
    """Write a match of robots down, or its first `longest` records; gives its id."""
    game = games.load(name)
    header, steps = prepared(game, count, seed, longest)
    header = msgspec.structs.replace(header, names={seat: NAMES[seat] for seat in range(1, count + 1)})
    match = Match(game, games.load_mat(name, count), header, None)
    match.start()
    for action, facts in steps:
        if not match.command(Play(seat=action.seat, action=action, facts=facts)).ok:
            raise SystemExit(f"{name}: the referee refused what a robot did")
    rng, at, records = random.Random(seed), EVENING + timedelta(days=seed), []
    header = msgspec.structs.replace(header, at=at.isoformat())
    chain = root(header)
    for record in match.records():
        # Robots take no time to think; people at a table do.
        at += timedelta(seconds=rng.randint(3, 40))
        later = msgspec.structs.replace(record, at=at.isoformat())
        chain = link(chain, later)
        records.append(msgspec.structs.replace(later, chain=chain))
    match.close()
    journal.take(header, records)
    return header.id


STATIONS: dict[str, Callable[[Browser, Path], None]] = {
    "evening": evening,
    **{f"seat:{name}": lambda browser, out, name=name: seats(browser, out, name) for name in games.packages()},
    **{f"most:{name}": lambda browser, out, name=name: largest(browser, out, name) for name in games.packages()},
    **{f"file:{name}": lambda browser, out, name=name: from_file(browser, out, name) for name in FROM_FILES},
    **{f"screen:{name}": lambda browser, out, name=name: screens(browser, out, name) for name in games.packages()},
}


def main() -> None:
    """Take the pictures of the chosen stations, or of all."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("stations", nargs="*", metavar="STATION", help=", ".join(STATIONS))
    asked.add_argument("--out", type=Path, default=HERE)
    given = asked.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        # Settings and files of whoever takes the pictures are none of theirs.
        os.environ.update(COMPANION_STATE=state, COMPANION_DEVICES="simulated")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name in given.stations or STATIONS:
            STATIONS[name](browser, given.out)
            print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
