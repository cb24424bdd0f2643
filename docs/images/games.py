"""Makes the pictures of a table in each game for docs/games: `python -m docs.images.games`.

Robots play until something typical is due; the table is laid as the rules expect it and painted by the simulated
camera. What phones and screens show then is photographed by `docs.images.pages`.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec
from PIL import Image

from companion import games
from companion.bench.tables import Dealt, lay
from companion.referee.commands import Play
from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.kernel import Game
from companion.sim.robots import choose
from companion.sim.stage import Books, target_books
from companion.sim.world import world_of
from companion.table.factory import simulated_camera
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker

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
        id=new_id(),
        at=now(),
        game=name,
        seats=seats,
        mode="ledger",
        bid_seconds=90,
        setup=msgspec.to_builtins(world.setup()),
        names={n: NAMES[n] for n in range(1, seats + 1)},
    )
    journal = Journal(Path(tempfile.mkdtemp()))
    table = Table(session_maker(game, mat, journal, NoCamera), header, journal, "HTTP://10.42.0.1/J")
    table.start()
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    books: Books = {}
    while table.snapshot().record < records or not due(game, state):
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        if (
            table.match.state == state
            and not table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
        ):
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
    for name in chosen or MOMENTS:
        table, books, _ = played(name)
        camera = simulated_camera(
            table.session.game, table.session.mat, lay(table.session.mat, Dealt(table.match.state, books))
        )
        camera.show_colour = True
        frame = camera.shoot()
        colour = frame.gray if frame.colour is None else frame.colour
        high = round(colour.shape[0] * 1000 / colour.shape[1])
        keep(Image.fromarray(cv2.resize(colour, (1000, high), interpolation=cv2.INTER_AREA)), f"{name}-table.jpg", 1000)
        table.close()


if __name__ == "__main__":
    main(sys.argv[1:])
