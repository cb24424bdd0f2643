"""Photographs trays to learn ten-sided dice from: `python -m tests.photography.ten_sided_learning FOLDER --trays A B`.

In the type faces of simulated trays to learn from. The trays are kept as `ten_sided_training` has them. Needs mitsuba,
and torch (see tests/fixtures/photos/README.md).
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_learning import LEARNING
from benchmarks.dice_scenes import meet, tray_mat
from benchmarks.numerals import LEARNED_FACES
from benchmarks.ten_sided_learning import fuller, learned_from, some_look
from companion.bench.conditions import generator
from companion.eye.dice.ten_sided_nets import find
from companion.sim.ten_sided import TenSided
from tests.photography.dice_learning import SAMPLES, run, some_plastic, some_table, some_view, taken_by_camera
from tests.photography.dice_trays import Look
from tests.photography.ten_sided import Scene, top
from tests.photography.ten_sided_studio import rendered, truth_of

SHAPE = ("tall", "low", "wide", "bold", "sharp", "mark")
"""What is drawn by chance of a set's shape; its colours are `some_plastic`'s."""


def learning_scene(number: int) -> Scene:
    """Return a scene to learn from."""
    rng = generator(LEARNING, "photographed ten-sided dice", number)
    tray, camera = some_view(rng, 2.0)
    zone = tray_mat(*tray).zones[0]
    shapes: dict[tuple[float, float], dict[str, float | str]] = {}
    looks: dict[tuple[float, float], Look] = {}
    leaning = rng.random() < 0.2
    dice: list[TenSided] = []
    kept: list[Look] = []
    more: tuple[TenSided, ...] = ()
    while len(more) < 3:
        more = fuller(more, zone, number % 2 == 1, rng, LEARNED_FACES)
    for die in more:
        key = (die.body, die.ink)
        some = some_look(rng)
        shape = shapes.setdefault(key, {name: some[name] for name in SHAPE})
        new = msgspec.structs.replace(die, **shape)
        if leaning and rng.random() < 0.4:
            new = msgspec.structs.replace(new, lean=float(rng.uniform(8, 45)), uphill=float(rng.uniform(0, 360)))
        if not any(meet(new, other) for other in dice):
            dice.append(new)
            kept.append(looks.setdefault(key, some_plastic(rng)))
    return Scene(
        **some_table(rng, number, camera, [top(die) for die in dice]),
        tray=tray,
        dice=tuple(dice),
        looks=tuple(kept),
        chips=(),
        round=float(rng.uniform(0.015, 0.09)),
        blur=float(rng.uniform(0.4, 1.1)),
    )


def learning_tray(mitsuba: Any, number: int) -> tuple[npt.NDArray[np.uint8], tuple[...]]:
    """Return a photographed tray, pulled straight, and its dice."""
    taken = learning_scene(number)
    rng = generator(LEARNING, "what a camera makes of ten-sided dice", number)
    shot = taken_by_camera(taken, truth_of(taken, ""), rendered(mitsuba, taken, SAMPLES), rng)
    return learned_from(shot, taken.dice, tray_mat(*taken.tray).zones[0], rng)


if __name__ == "__main__":
    run(__doc__, "ten-p", learning_tray, find)
