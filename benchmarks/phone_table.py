"""A table for phones, as a process of its own: a real match in a real journal, without a camera (mode ledger).

`python -m benchmarks.phone_table PORT SEATS` serves until it is told to stop, or until its
parent is gone.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import msgspec
from flask import Flask

from companion import games
from companion.bench.prepared import Step, prepared
from companion.bench.processes import HOST, PARENT
from companion.files import state_dir
from companion.referee.journal import Header, Journal
from companion.rules.kernel import Seat
from companion.server.app import create_app
from companion.server.serve import run
from companion.sim.robots import STRONG, level_of
from companion.sim.world import world_of
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from companion.table.thinking import Thinker

GAME = "five-cards-collector"


def _dealt(seats: int, count: int) -> tuple[Header, list[Step]]:
    """Deal the same match every time, in whichever process."""
    return prepared(games.load(GAME), seats, "phones", count)


def plan(seats: int, count: int) -> list[Step]:
    """Return the first actions of the match as robots play it, set-up included, each with its facts."""
    return _dealt(seats, count)[1]


def table(seats: int) -> Table:
    """Return the table with its match, waiting for the first player."""
    header, _ = _dealt(seats, 0)
    return table_of(header, {seat: f"Player {seat}" for seat in range(1, seats + 1)}, state_dir())


def table_of(header: Header, names: dict[Seat, str], folder: Path, mode: str = "ledger") -> Table:
    """Return a table without a camera, with a journal in a folder, that waits for a match's first record."""
    header = msgspec.structs.replace(header, names=names, mode=mode, bid_seconds=20)
    journal = Journal(folder)
    make = session_maker(games.load(header.game), games.load_mat(header.game, header.seats), journal, NoCamera)
    return Table(make, header, journal, f"HTTP://{HOST}/J")


def _end_with(parent: int) -> None:
    """Exit as soon as the parent process is gone."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


def _think_on(name: str) -> None:
    """Let a robot of another game search all the time, in the process that a table has for that."""
    game, rng = games.load(name), random.Random(1)
    world = world_of(game, 2, {}, rng)
    state = game.setup(2, {}, world.setup())
    world.deal(state)
    while len(actions := world.choices(state)) < 2 or not actions[0].seat:
        after = game.play(state, actions[0], world.facts(state, actions[0]))
        world.apply(state, actions[0], after)
        state = after
    with closing(Thinker(game)) as thinker:
        while True:
            own = [action for action in actions if action.seat == actions[0].seat]
            thinker.think(game, state, world, own, level_of(game, STRONG), rng)


def main(port: int, seats: int, pin: str = "", thinks: str = "") -> None:
    """Serve the table; `pin` is the host's, if it has to be known; robots of the game `thinks` search all the time."""
    if thinks:
        threading.Thread(target=_think_on, args=(thinks,), daemon=True).start()
    threading.Thread(target=_end_with, args=(int(os.environ.get(PARENT, os.getppid())),), daemon=True).start()

    def make_app() -> Flask:
        laid = table(seats)
        laid.host_pin = pin or laid.host_pin
        laid.start()
        return create_app(laid, key_file=state_dir() / "seats.json", close=laid.close)

    run(make_app, HOST, port)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:5])
