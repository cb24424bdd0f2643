"""Makes the pictures of a turn in each game for docs/games: `python -m docs.images.games` (needs /usr/bin/chromium).

Robots play until something typical is due; the table is laid as the rules expect it and painted by the simulated
camera, and the phone of whoever is due is photographed.
"""

from __future__ import annotations

import io
import logging
import random
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec
from PIL import Image
from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

from companion import games
from companion.app import Table, seated_at
from companion.bench.tables import Dealt, lay
from companion.parts import simulated_camera
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.kernel import Game
from companion.server.app import create_app, shut
from companion.sim.robots import choose
from companion.sim.stage import Books, target_books
from companion.sim.world import world_of
from companion.sitting import NoCamera
from tests.server.phones import join
from tests.web.conftest import ARGS, CHROMIUM, PHONE

HERE = Path(__file__).resolve().parent
NAMES = dict(enumerate(("Ada", "Bo", "Cleo", "Dag", "Eve", "Finn", "Gro"), 1))
Due = Callable[[Game[Any], Any], bool]


def _bid(game: Game[Any], state: Any) -> bool:
    timed = game.timed(state)
    return timed is not None and timed.price > 1


def _kind(name: str) -> Due:
    return lambda game, state: any(str(one.__struct_config__.tag) == name for one in game.legal(state) if one.seat)


MOMENTS: dict[str, tuple[int, int, Due]] = {
    "collectors": (3, 60, _bid),
    "collectible": (4, 30, _bid),
    "collection": (4, 110, _kind("roll")),
    "karmic-collections": (4, 60, _kind("conceal")),
    "five-cards-collector": (4, 60, _kind("add")),
}
"""For each game the seats, the records that make a table worth looking at, and what has to be due then."""


def played(name: str) -> tuple[Table, Books, int]:
    """Play a match by phones to its moment: the table, what lies in which zone, and a seat that is due."""
    seats, records, due = MOMENTS[name]
    game, rng = games.load(name), random.Random(11)
    mat = games.load_mat(name, seats)
    world = world_of(game, seats, {}, rng)
    header = Header(
        id=new_id(), at=now(), game=name, seats=seats, mode="ledger", bid_seconds=90,
        setup=msgspec.to_builtins(world.setup()), names={n: NAMES[n] for n in range(1, seats + 1)},
    )  # fmt: skip
    journal = Journal(Path(tempfile.mkdtemp()))
    table = Table(seated_at(game, mat, journal, NoCamera), header, journal, "HTTP://10.42.0.1/J")
    table.start()
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    books: Books = {}
    while table.snapshot().record < records or not due(game, state):
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        if table.match.state == state and not table.command(Play(seat=action.seat, action=action, facts=facts)).ok:
            raise SystemExit(f"{name}: the referee refused what a robot did")
        state = after
        books = target_books(game.layout(state), world.piles(), books)
    return table, books, next(seat for seat in game.actors(state) if seat)


def keep(image: Image.Image, name: str, width: int) -> None:
    """Keep a picture as a small JPEG."""
    small = image.convert("RGB").resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    small.save(HERE / name, quality=80, optimize=True, progressive=True)


def main(chosen: list[str]) -> None:
    """Make the pictures of the chosen games, or of all."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    for name in chosen or MOMENTS:
        table, books, seat = played(name)
        camera = simulated_camera(table.game, table.mat, lay(table.mat, Dealt(table.match.state, books)))
        camera.show_colour = True
        frame = camera.shoot()
        colour = frame.gray if frame.colour is None else frame.colour
        high = round(colour.shape[0] * 1000 / colour.shape[1])
        keep(Image.fromarray(cv2.resize(colour, (1000, high), interpolation=cv2.INTER_AREA)), f"{name}-table.jpg", 1000)
        app = create_app(table, close=table.close)
        client = app.test_client()
        join(client, seat, NAMES[seat])
        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
            context = browser.new_context(**PHONE)
            cookie = client.get_cookie(f"companion_seat_{seat}")
            if cookie is None:
                raise SystemExit("the phone has no seat")
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": f"http://127.0.0.1:{server.port}"}])
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{server.port}/seat/{seat}")
            page.wait_for_selector('body[data-live="live"]')
            keep(Image.open(io.BytesIO(page.screenshot())), f"{name}-phone.jpg", 390)
            browser.close()
        server.shutdown()
        shut(app)


if __name__ == "__main__":
    main(sys.argv[1:])
