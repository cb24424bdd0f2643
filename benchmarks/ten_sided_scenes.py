"""Trays with ten-sided dice, drawn from a seed: their type faces, colours, marks, and how they lie."""

from __future__ import annotations

import math
from functools import partial

import msgspec
import numpy as np

from benchmarks.dice_scenes import COLOURS, SIZES, Kind, Tray, add_fallen, meet, some_tray
from companion.eye.mat import ZonePlace
from companion.sim.ten_sided import MARKS, TenSided

UNMARKED = 0.1
"""How many sets have no marks, so that a 6 can't be told from a 9."""


def ten_sided(faces: tuple[str, ...]) -> Kind:
    """Return ten-sided dice with numerals of some type faces as a kind."""
    return Kind("ten-sided dice", partial(ten_sided_tray, faces=faces))


def ten_sided_tray(rng: np.random.Generator, number: int, faces: tuple[str, ...]) -> Tray:
    """Return one random scene, at about 2.4 pixels a millimetre; in every second one dice touch as they fell."""
    scene = some_tray(rng, number)
    touching = number % 2 == 1
    like, one_kind = a_set(rng, faces), rng.random() < 0.7
    dice: list[TenSided] = []
    for _ in range(int(rng.integers(1, 8))):
        look = rolled(rng, like if one_kind else a_set(rng, faces))
        add_fallen(dice, partial(fallen, rng, look, scene.zone, dice if touching else []), 60)
    zone = msgspec.structs.replace(scene.zone, sides=10)
    layout = "heap" if touching else "apart"
    return msgspec.structs.replace(scene, zone=zone, dice=tuple(dice), size=SIZES[2.4], layout=layout)


def a_set(rng: np.random.Generator, faces: tuple[str, ...]) -> TenSided:
    """Return a die of a set of random look, not rolled yet."""
    body, ink = COLOURS[int(rng.integers(len(COLOURS)))]
    return TenSided(
        0.0,
        0.0,
        0.0,
        side=float(rng.choice([12.0, 14.0, 16.0, 16.0, 18.0, 19.0])) + float(rng.uniform(-0.2, 0.2)),
        value=1,
        body=float(np.clip(body + rng.normal(0, 6), 15, 245)),
        ink=float(np.clip(ink + rng.normal(0, 6), 10, 250)),
        face=str(rng.choice(faces)),
        mark="" if rng.random() < UNMARKED else MARKS[int(rng.integers(1, 3))],
        tall=round(float(rng.uniform(0.34, 0.46)), 2),
        low=round(float(rng.uniform(-0.03, 0.04)), 2),
        upright=bool(rng.random() < 0.5),
        sharp=round(float(rng.uniform(0.9, 1.12)), 2),
        round=round(float(rng.uniform(0.02, 0.09)), 2),
        swirl=0.0 if rng.random() < 0.7 else float(rng.uniform(2, 10)),
    )


def rolled(rng: np.random.Generator, look: TenSided) -> TenSided:
    """Return a die of the same set that shows something else."""
    return msgspec.structs.replace(look, value=int(rng.integers(1, 11)), ahead=int(rng.integers(4)))


def fallen(rng: np.random.Generator, look: TenSided, zone: ZonePlace, others: list[TenSided]) -> TenSided | None:
    """Return a die at a random place: anywhere in the tray, or moved against another until they touch; None if it
    would lie outside.
    """
    r, edge = zone.rect, look.side * 0.8
    at = msgspec.structs.replace(look, turn=float(rng.uniform(0, 360)))
    if not others:
        x, y = rng.uniform(r.x + edge, r.x + r.w - edge), rng.uniform(r.y + edge, r.y + r.h - edge)
        return msgspec.structs.replace(at, x=float(x), y=float(y))
    to = others[int(rng.integers(len(others)))]
    way, far = float(rng.uniform(0, 2 * math.pi)), (look.side + to.side) * 0.85

    def moved(far: float) -> TenSided:
        return msgspec.structs.replace(at, x=to.x + far * math.cos(way), y=to.y + far * math.sin(way))

    while far > 5 and not any(meet(moved(far - 0.5), other) for other in others):
        far -= 0.5
    die = moved(far)
    return die if r.x + edge < die.x < r.x + r.w - edge and r.y + edge < die.y < r.y + r.h - edge else None
