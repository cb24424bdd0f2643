"""Trays with six-sided dice to be photographed, drawn from a number: dice, camera, lamps, and what is bad about them.

The numbers are 59 to 72, whose conditions are listed here, and any from 101 on. What took the photographs before 59
is not kept.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from benchmarks.dice_scenes import HIGH, LAYOUTS, WIDE, laid, place, tray_mat
from benchmarks.table_scenes import Camera
from companion.bench.conditions import generator
from companion.sim.dice import Die
from companion.sim.table import Hand
from tests.photography.dice_trays import (
    MORE_LIGHTS,
    PATTERNS,
    Look,
    Points,
    Top,
    Tray,
    dyed,
    lit,
    plastic,
    seen_tray,
)
from tests.photography.hands import capsules, hides

NUMBERS = range(59, 73)

TROUBLES: dict[int, tuple[str, ...]] = {
    60: ("hand",),
    62: ("glare",),
    64: ("blur",),
    67: ("dim", "hand"),
    69: ("glare", "tilt"),
    71: ("blur", "shake"),
}
"""What is bad about the photographs 59 to 72; the others of them are in decent light."""

MANY = 101
"""The first number from which on two of five are bad, each in the next of these ways."""

WAYS: tuple[tuple[str, ...], ...] = (
    ("glare",),
    ("blur",),
    ("hand",),
    ("tilt",),
    ("dim",),
    ("shake",),
    ("glare", "tilt"),
    ("blur", "dim"),
)

RIMMED = (61, 66, 68, 71)
"""Trays of 59 to 72 with a rim; from 101 on every sixth has one."""

SIZES = {0: (((2304, 1296), (2.3, 2.6)),), 1: (((1632, 918), (1.65, 1.85)),)}
"""Pictures, and between how many pixels a millimetre the tray has in them: every four take turns."""

COVERED = (0.03, 0.4)
"""Which share of a top the hand hides: of one at least, of every one at most."""

CLEAR = 9.0
"""How far (mm) above the dice fingertips are."""


class Scene(Tray, frozen=True, kw_only=True):
    """A tray with six-sided dice: how deep pips are drilled (sides), hands, and how high the rim is (mm).

    The dice's corners, and edges, end at a `ball` round their middles, of a radius in sides.
    """

    dice: tuple[Die, ...]
    deep: float
    hands: tuple[Hand, ...]
    rim: float
    ball: float = 1.0


def scene(number: int) -> Scene:
    """Return the scene of a number."""
    rng = generator("photographs", "six-sided dice", number)
    troubles = troubles_of(number)
    rimmed = number in RIMMED or (number >= MANY and number % 6 == 0)
    tray, camera = seen_tray(rng, troubles, SIZES[number // len(LAYOUTS) % 2])
    zone = tray_mat(*tray).zones[0]
    while True:
        dice = tuple(_shaped(die) for die in laid(rng, zone, LAYOUTS[number % len(LAYOUTS)]))
        inside = all(place(die, zone) == "in" for die in dice)
        if len(dice) >= 2 and (inside or not rimmed):
            break
    sets: dict[tuple[float, float], Look] = {}
    for die in dice:
        sets.setdefault((die.body, die.ink), dyed(*plastic(rng), 0.0 if rng.random() < 0.7 else rng.uniform(0.03, 0.1)))
    gloss = float(rng.uniform(0.03, 0.14))
    tops = [top(die) for die in dice]
    light = lit(rng, camera, tops, gloss, glare="glare" in troubles, lights=MORE_LIGHTS)
    return Scene(
        number=number,
        tray=tray,
        dice=dice,
        looks=tuple(sets[die.body, die.ink] for die in dice),
        camera=camera,
        light=light,
        felt=float(rng.uniform(25, 215)),
        around=float(rng.uniform(60, 235)),
        grain=float(rng.uniform(1, 6)),
        gloss=gloss,
        deep=float(rng.uniform(0.02, 0.06)),
        hands=(_reaching(rng, camera, tray, dice),) if "hand" in troubles else (),
        rim=float(rng.uniform(8, 15)) if rimmed else 0.0,
        blur=float(rng.uniform(0.45, 1.0)),
        troubles=troubles,
        pattern=PATTERNS[(number + (number // 4 if number >= MANY else 0)) % len(PATTERNS)],
        later=True,
    )


def troubles_of(number: int) -> tuple[str, ...]:
    """Return what is bad about a photograph."""
    if number < MANY:
        return TROUBLES.get(number, ())
    return WAYS[(number - MANY) // 5 * 2 % len(WAYS) + (number % 5 == 0)] if number % 5 in (0, 2) else ()


def top(die: Die) -> Top:
    """Return a die's top without its rounded edges."""
    corners = die.corners(1 - 2 * die.round)
    return Top(np.column_stack([corners, np.full(4, die.side)]), die.side)


def _shaped(die: Die) -> Die:
    """Return a die whose edges are so little rounded that its pips end before the middle of their arcs."""
    reach = die.apart + die.pip
    return msgspec.structs.replace(die, round=min(die.round, 0.5 - reach + 0.05))


def covered(hand: Hand, camera: Camera, die: Die) -> float:
    """Return which share of a die's top a hand hides from the camera."""
    a, b, _, d = top(die).corners
    u, v = (np.stack(np.meshgrid(*[np.linspace(0, 1, 12)] * 2), axis=-1).reshape(-1, 2)).T
    points: Points = a + u[:, None] * (b - a) + v[:, None] * (d - a)
    return float(hides(capsules(hand), points, camera.at).mean())


def _reaching(rng: np.random.Generator, camera: Camera, tray: tuple[float, float], dice: tuple[Die, ...]) -> Hand:
    """Return a hand over the dice that hides a part of one top."""
    while True:
        die = dice[int(rng.integers(len(dice)))]
        way, near = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.3, 1.5)) * die.side
        x, y = die.x + near * math.cos(way), die.y + near * math.sin(way)
        from_x = tray[0] + WIDE / 2 + float(rng.uniform(-250, 250))
        hand = Hand(
            x,
            y,
            from_x,
            tray[1] + HIGH + float(rng.uniform(250, 400)),
            z=max(one.side for one in dice) + CLEAR + float(rng.uniform(0, 15)),
            tone=int(rng.integers(4)),
        )
        shares = [covered(hand, camera, one) for one in dice]
        if COVERED[0] <= max(shares) <= COVERED[1]:
            return hand
