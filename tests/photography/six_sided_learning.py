"""Photographs trays to learn six-sided dice from: `python -m tests.photography.six_sided_learning FOLDER --trays A B`.

The trays are kept as `benchmarks.dice_training` has them. Needs mitsuba, and torch (see
tests/fixtures/photos/README.md).
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_learning import LEARNING, Learned, fuller, learned_from
from benchmarks.dice_scenes import LAYOUTS, laid, tray_mat
from companion.bench.conditions import generator
from companion.sim.dice import Die
from tests.photography.dice_learning import SAMPLES, run, some_plastic, some_table, some_view, taken_by_camera
from tests.photography.dice_trays import Look
from tests.photography.six_sided import Scene, top
from tests.photography.six_sided_studio import rendered, truth_of


def learning_scene(number: int) -> Scene:
    """Return a scene to learn from."""
    rng = generator(LEARNING, "photographed six-sided dice", number)
    tray, camera = some_view(rng, 1.6)
    zone = tray_mat(*tray).zones[0]
    ball = float(rng.uniform(0.6, 0.8)) if rng.random() < 0.5 else 1.0
    dice = [die for die in fuller(laid(rng, zone, LAYOUTS[number % len(LAYOUTS)]), zone, rng) if isinstance(die, Die)]
    leaning = rng.random() < 0.2
    shapes: dict[tuple[float, float], dict[str, float]] = {}
    looks: dict[tuple[float, float], Look] = {}
    shaped = []
    for die in dice:
        looks.setdefault((die.body, die.ink), some_plastic(rng))
        new = msgspec.structs.replace(die, **shapes.setdefault((die.body, die.ink), _shape(rng, ball)))
        if leaning and rng.random() < 0.4:
            new = msgspec.structs.replace(new, lean=float(rng.uniform(8, 45)), uphill=float(rng.uniform(0, 360)))
        shaped.append(new)
    return Scene(
        **some_table(rng, number, camera, [top(die) for die in shaped]),
        tray=tray,
        dice=tuple(shaped),
        looks=tuple(looks[die.body, die.ink] for die in dice),
        deep=float(rng.uniform(0.01, 0.1)),
        hands=(),
        rim=float(rng.uniform(6, 20)) if rng.random() < 0.15 else 0.0,
        blur=float(rng.uniform(0.4, 1.1)),
        ball=ball,
    )


def _shape(rng: np.random.Generator, ball: float) -> dict[str, float]:
    """Return a set's shape: what a ball leaves of a face has room for its pips."""
    room = min(0.42, math.sqrt(ball**2 - 0.25) + 0.08)
    pip = float(rng.uniform(0.07, 0.13))
    return {
        "pip": round(pip, 3),
        "apart": round(float(rng.uniform(0.19, max(0.2, min(0.3, (room - 0.5 * pip) / math.sqrt(2) + 0.04)))), 3),
        "round": float(rng.uniform(0.02, 0.26)),
        "one": 1.0 if rng.random() < 0.7 else float(rng.uniform(1.2, 1.9)),
    }


def learning_tray(mitsuba: Any, number: int) -> tuple[npt.NDArray[np.uint8], tuple[Learned, ...]]:
    """Return a photographed tray, pulled straight, and its dice."""
    taken = learning_scene(number)
    rng = generator(LEARNING, "what a camera makes of six-sided dice", number)
    shot = taken_by_camera(taken, truth_of(taken, ""), rendered(mitsuba, taken, SAMPLES), rng)
    return learned_from(shot, taken.dice, tray_mat(*taken.tray).zones[0], rng)


if __name__ == "__main__":
    run(__doc__, "p", learning_tray)
