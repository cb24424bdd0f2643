"""Makes the pictures of a table in each game for docs/games: `python -m docs.images.games`.

Robots play until something typical is due; the table is laid as the rules expect it and painted by the simulated
camera. What phones and screens show then is photographed by `docs.images.pages`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
from PIL import Image

from benchmarks import middle
from benchmarks.middle import Dealt, lay
from companion.referee.journal import Journal
from companion.rules.kernel import AnyGame
from companion.sim.stage import Books
from companion.table.factory import simulated_camera
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker

HERE = Path(__file__).resolve().parent
Due = Callable[[AnyGame, Any], bool]


def _bid(game: AnyGame, state: Any) -> bool:
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
    """Play a match to its moment: a table that goes on by phones, what lies in which zone, and a seat that is due."""
    seats, records, due = MOMENTS[name]
    found = _fitting(name, seats, lambda game, state, n: n >= records and due(game, state))
    journal = Journal(Path(tempfile.mkdtemp()))
    found.keep(journal)
    table = Table(session_maker(found.game, found.mat, journal, NoCamera), found.header, journal, "HTTP://10.42.0.1/J")
    table.start()
    return table, found.dealt.books, found.due[0]


def _fitting(name: str, seats: int, moment: middle.Due) -> middle.Middle:
    """Return the first of some matches in which the moment comes before the end."""
    for seed in range(11, 40):
        with suppress(middle.MiddleError):
            return middle.play_to(name, seats, moment, seed=seed, mode="ledger")
    raise SystemExit(f"{name}: in none of the matches does that moment come")


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
