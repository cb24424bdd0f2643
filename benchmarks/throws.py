"""Dice thrown on printed mats before a simulated camera, with all that goes wrong: what the referee makes of a throw.

All that a throw needs takes part: mats as they are printed, with the words and lines that run through their trays; the
table's light, lens, glare and bumps; the whole eye; and the referee's tray, which tells a throw from what lay there.
"""

from __future__ import annotations

import random
from collections import Counter

import msgspec

from companion import games
from companion.bench.figures import Row
from companion.eye.mat import Mat
from companion.referee.journal import Header, new_id, now
from companion.referee.tray import Awaited, Tray
from companion.rules.kernel import Action, Need
from companion.sim.camera_stage import CameraStage
from companion.sim.resumable import Resumable
from companion.sim.world import world_of
from companion.table.stages import camera_stages

MATS = (
    ("collectible", 2),
    ("collectible", 3),
    ("karmic-collections", 2),
    ("karmic-collections", 5),
    ("yacht", 3),
    ("collection", 4),
)
"""Games whose mats have trays of each kind: of their own, where nobody sits, on a neutral mat, for ten-sided dice."""

THROWS, DICE = 4, 2
"""Throws at a table, and dice of each."""

RESTS = 3
"""How often the table comes to rest until a throw that was not noticed isn't waited for any longer."""

FIRST_TABLE = 1_000
"""The seed of the first table: others were looked at when this was made."""


def throw_rows(tables: int) -> list[Row]:
    """Return a row for each mat: what came of the throws at so many tables. All dice look as robots' do."""
    rows = []
    for name, seats in MATS:
        ends: Counter[str] = Counter()
        for table in range(FIRST_TABLE, FIRST_TABLE + tables):
            ends.update(_at_table(name, seats, random.Random(f"throws {name} {seats} {table}")))
        figures = {end: ends[end] for end in ("throws", "sure", "asked", "tapped", "typed", "unnoticed", "wrong")}
        rows.append(Row(f"{name}, {seats} players", dict(figures), table="throws"))
    return rows


def _at_table(name: str, seats: int, rng: random.Random) -> Counter[str]:
    """Return what came of the throws at one table."""
    game, mat = games.load(name), games.load_mat(name, seats)
    setup = msgspec.to_builtins(world_of(game, seats, {}, rng).setup())
    header = Header(id=new_id(), at=now(), game=name, seats=seats, options={}, setup=setup)
    stage = camera_stages(game, mat, faults=True)(Resumable(game, mat, header), rng)
    assert isinstance(stage, CameraStage)  # noqa: S101 (stages with a camera are)
    stage.rest()
    ends: Counter[str] = Counter()
    tray = Tray(mat)
    for _ in range(THROWS):
        ends.update(("throws", _throw(stage, tray, mat, rng)))
    return ends


def _throw(stage: CameraStage, tray: Tray, mat: Mat, rng: random.Random) -> str:
    """Throw dice and return what comes of it: the roll counts at once ("sure") or is asked about ("asked"), one die is
    to be tapped, all are to be typed, nobody noticed, or a value is "wrong".
    """
    assert mat.tray is not None  # noqa: S101 (`MATS` have one)
    sides = mat.tray.sides
    values = tuple(sorted(rng.randint(1, sides) for _ in range(DICE)))
    tray.wait(None, stage.eye.view)
    tray.wait(Awaited(Action(seat=1), Need("dice", "rolled", "", count=DICE, sides=sides)), stage.eye.view)
    stage.throw(values)
    end = "unnoticed"
    for _ in range(RESTS):
        stage.rest()
        thrown = None if stage.eye.view is None else tray.look(stage.eye.view)
        if thrown is None:
            continue
        if thrown.words:
            end = "typed"
        elif Counter(thrown.values) - Counter(values):
            return "wrong"
        else:
            return "tapped" if thrown.missing else "sure" if thrown.sure else "asked"
    return end
