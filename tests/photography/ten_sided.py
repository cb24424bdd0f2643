"""Trays with ten-sided dice to be photographed, drawn from a number: dice, camera, lamps, and what is bad about them.

Of 1 to 72 every third is in decent light; every other one has one or two `TROUBLES`. From
101 on all are in decent light, in type faces and some lamps and tables of their own.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from benchmarks.dice_scenes import fallen, meet, tray_mat
from benchmarks.table_lights import LIGHTS
from companion.bench.conditions import generator
from companion.sim.ten_sided import TenSided
from tests.photography.dice_trays import MORE_LIGHTS, PATTERNS, Look, Top, Tray, dyed, lit, plastic, seen_tray

FONTS = {
    "open-sans": "fonts/truetype/open-sans/OpenSans-Bold.ttf",
    "palatino": "texmf/fonts/opentype/public/tex-gyre/texgyrepagella-bold.otf",
    "cabin": "fonts/opentype/cabin/Cabin-Bold.otf",
    "open-sans-condensed": "fonts/truetype/open-sans/OpenSans-CondBold.ttf",
    "universalis": "fonts/truetype/adf/UniversalisADFStd-Bold.otf",
    "accanthis": "fonts/truetype/adf/AccanthisADFStdNo3-Bold.otf",
    "okolaks": "fonts/truetype/okolaks/okolaksBold.ttf",
    "ubuntu-title": "fonts/truetype/ubuntu-title/Ubuntu-Title.ttf",
}
"""The type faces of the numerals, under /usr/share: the three that judge, and five that no simulated die has."""

LATER_FONTS = {
    "play": "fonts/truetype/play/Play-Bold.ttf",
    "karla": "fonts/truetype/karla/Karla-Bold.otf",
    "roboto-slab": "fonts/opentype/roboto/slab/RobotoSlab-Bold.otf",
    "league-spartan": "fonts/opentype/league-spartan/LeagueSpartan-Bold.otf",
}
"""Four that neither a simulated die has nor one of the photographs before."""

LATER = 101
"""The number of the first later photograph."""

TROUBLES = ("dim", "glare", "blur", "tilt", "lean", "shake")

UNMARKED = 0.12
"""How many sets have no marks on 6 and 9."""


class Chip(msgspec.Struct, frozen=True):
    """A flat thing that a die leans on: its middle (mm), half its length and width, its height, its bearing (rad)."""

    x: float
    y: float
    half: float
    high: float
    way: float


class Scene(Tray, frozen=True, kw_only=True):
    """A tray with ten-sided dice; `round` is the radius of their edges (sides), `chips` what one leans on."""

    dice: tuple[TenSided, ...]
    chips: tuple[Chip, ...]
    round: float


def scene(number: int) -> Scene:
    """Return the scene of a number."""
    rng = generator("photographs", "ten-sided dice", number)
    later = number >= LATER
    troubles: tuple[str, ...] = ()
    if number % 3 and not later:
        first = TROUBLES[(number // 3 * 2 + number % 3) % len(TROUBLES)]
        second = str(rng.choice(TROUBLES))
        troubles = tuple(sorted({first, second} if rng.random() < 0.3 else {first}))
    tray, camera = seen_tray(rng, troubles)
    dice, looks, chips = _laid(rng, tray, number, "lean" in troubles)
    gloss = float(rng.uniform(0.03, 0.14))
    lights = MORE_LIGHTS if later else LIGHTS
    light = lit(rng, camera, [top(die) for die in dice], gloss, glare="glare" in troubles, lights=lights)
    return Scene(
        number=number,
        tray=tray,
        dice=dice,
        looks=looks,
        chips=chips,
        camera=camera,
        light=light,
        felt=float(rng.uniform(25, 215)),
        around=float(rng.uniform(60, 235)),
        grain=float(rng.uniform(1, 6)),
        gloss=gloss,
        round=float(rng.uniform(0.02, 0.06)),
        blur=float(rng.uniform(0.45, 1.0)),
        troubles=troubles,
        pattern=PATTERNS[number % len(PATTERNS)] if later else "plain",
        later=later,
    )


def top(die: TenSided) -> Top:
    """Return a die's top."""
    return Top(die.kite(), die.side)


# ---------------------------------------------------------------------------------------------------------------- dice


def _laid(
    rng: np.random.Generator, tray: tuple[float, float], number: int, leaning: bool
) -> tuple[tuple[TenSided, ...], tuple[Look, ...], tuple[Chip, ...]]:
    """Return two to seven dice in the tray (later four to six), what they look like, and what one of them leans on."""
    zone = tray_mat(*tray).zones[0]
    touching, one_kind = number % 2 == 1, rng.random() < 0.6
    faces = list(LATER_FONTS if number >= LATER else FONTS)
    a_kind = _a_set(rng, faces)
    dice: list[TenSided] = []
    looks: list[Look] = []
    chips: list[Chip] = []
    for place in range(int(rng.integers(4, 7) if number >= LATER else rng.integers(2, 8))):
        shape, look = a_kind if one_kind else _a_set(rng, faces)
        shape = msgspec.structs.replace(shape, value=int(rng.integers(1, 11)), ahead=int(rng.integers(4)))
        for _ in range(80):
            die = fallen(rng, shape, zone, dice if touching and not leaning else [])
            if die is None:
                continue
            chip = None
            if leaning and place == 0:
                die = msgspec.structs.replace(die, lean=float(rng.uniform(8, 35)), uphill=float(rng.uniform(0, 360)))
                chip = _under(die)
            clear = all(math.hypot(die.x - one.x, die.y - one.y) > 1.5 * one.half + die.side for one in chips)
            if clear and not any(meet(die, other) for other in dice):
                dice.append(die)
                looks.append(look)
                chips += [chip] if chip is not None else []
                break
    return tuple(dice), tuple(looks), tuple(chips)


def _a_set(rng: np.random.Generator, faces: list[str]) -> tuple[TenSided, Look]:
    body, ink = plastic(rng)
    shape = TenSided(
        0.0,
        0.0,
        0.0,
        side=float(rng.uniform(12, 19)),
        value=1,
        face=str(rng.choice(faces)),
        mark="" if rng.random() < UNMARKED else str(rng.choice(["dot", "bar"])),
        tall=float(rng.uniform(0.34, 0.46)),
        low=float(rng.uniform(-0.03, 0.04)),
        upright=bool(rng.random() < 0.5),
        sharp=round(float(rng.uniform(0.9, 1.12)), 2),
    )
    swirl = 0.0 if rng.random() < 0.7 else float(rng.uniform(0.03, 0.12))
    return shape, dyed(body, ink, swirl)


def _under(die: TenSided) -> Chip:
    """Return what a die leans on: it ends below the face that would be on the mat, and touches it."""
    points, kites = die.vertices()
    below = points[list(kites[5])]
    out = np.cross(below[1] - below[0], below[2] - below[0])
    uphill = -out[:2] / out[2]
    uphill /= np.linalg.norm(uphill)
    lowest = points[np.argmin(points[:, 2])]
    along = (below[:, :2] - lowest[:2]) @ uphill
    reach = 0.7 * float(along.max())
    half = 9.0
    x, y = lowest[:2] + uphill * (reach + half)
    return Chip(
        float(x),
        float(y),
        half,
        reach * math.tan(math.radians(die.lean)),
        math.atan2(float(uphill[1]), float(uphill[0])),
    )
