"""Trays with ten-sided dice to be photographed, drawn from a number: dice, camera, lamps, and what is bad about them.

Every third is in decent light as docs/benchmarks.md says; every other one has one or two `TROUBLES`.
"""

from __future__ import annotations

import math
import random

import msgspec
import numpy as np
import numpy.typing as npt

from companion.bench.conditions import generator
from companion.bench.development.dice_photographs import seen_by
from companion.bench.development.dice_scenes import HIGH, WIDE, meet, tray_mat
from companion.bench.development.table_lights import LIGHTS, MIDDLE, NEUTRAL, Lamp, Light, facing
from companion.bench.development.table_scenes import Camera
from companion.bench.development.ten_sided_scenes import fallen
from companion.sim.ten_sided import TenSided

Points = npt.NDArray[np.float64]
Colour = tuple[float, float, float]

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

TROUBLES = ("dim", "glare", "blur", "tilt", "lean", "shake")

INK_APART = 80.0
"""Gray levels between a body and its numerals at least."""

UNMARKED = 0.12
"""How many sets have no marks on 6 and 9."""

AROUND = 12.0
"""How much of the mat (mm) round the tray is in the picture."""


class Look(msgspec.Struct, frozen=True):
    """A set's plastic: its colour and that of its numerals (linear red, green, blue), and how far the body swirls."""

    body: Colour
    ink: Colour
    swirl: float


class Chip(msgspec.Struct, frozen=True):
    """A flat thing that a die leans on: its middle (mm), half its length and width, its height, its bearing (rad)."""

    x: float
    y: float
    half: float
    high: float
    way: float


class Scene(msgspec.Struct, frozen=True):
    """A tray, what lies in it, and how it is photographed; `felt` and `around` are gray levels of tray and mat.

    `gloss` is the roughness of the dice, `round` the radius of their edges (sides), `blur` the lens's (px).
    """

    number: int
    tray: tuple[float, float]
    dice: tuple[TenSided, ...]
    looks: tuple[Look, ...]
    chips: tuple[Chip, ...]
    camera: Camera
    light: Light
    felt: float
    around: float
    grain: float
    gloss: float
    round: float
    blur: float
    troubles: tuple[str, ...]


def scene(number: int) -> Scene:
    """Return the scene of a number."""
    rng = generator("photographs", "ten-sided dice", number)
    troubles: tuple[str, ...] = ()
    if number % 3:
        first = TROUBLES[(number // 3 * 2 + number % 3) % len(TROUBLES)]
        second = str(rng.choice(TROUBLES))
        troubles = tuple(sorted({first, second} if rng.random() < 0.3 else {first}))
    while True:
        tray = (float(rng.uniform(30, 720)), float(rng.uniform(30, 370)))
        camera = _camera(rng, tray, troubles)
        box = crop(camera, tray)
        if min(box[:2]) >= 0 and box[2] <= camera.size[0] and box[3] <= camera.size[1]:
            break
    dice, looks, chips = _laid(rng, tray, number, "lean" in troubles)
    gloss = float(rng.uniform(0.03, 0.14))
    light = _light(rng, camera, dice, gloss, glare="glare" in troubles)
    return Scene(
        number,
        tray,
        dice,
        looks,
        chips,
        camera,
        light,
        felt=float(rng.uniform(25, 215)),
        around=float(rng.uniform(60, 235)),
        grain=float(rng.uniform(1, 6)),
        gloss=gloss,
        round=float(rng.uniform(0.02, 0.06)),
        blur=float(rng.uniform(0.45, 1.0)),
        troubles=troubles,
    )


def crop(camera: Camera, tray: tuple[float, float]) -> tuple[int, int, int, int]:
    """Return which part of a camera's picture is kept: left, top, right, bottom (px)."""
    (x, y), a = tray, AROUND
    base = [(x - a, y - a), (x + WIDE + a, y - a), (x + WIDE + a, y + HIGH + a), (x - a, y + HIGH + a)]
    px = seen_by(camera, np.column_stack([base, np.zeros(4)]))
    low, high = np.floor(px.min(axis=0)).astype(int), np.ceil(px.max(axis=0)).astype(int) + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _camera(rng: np.random.Generator, tray: tuple[float, float], troubles: tuple[str, ...]) -> Camera:
    """Return a camera that sees the tray with 2.4 to 2.9 pixels a millimetre."""
    tilt = float(rng.uniform(5, 20)) if rng.random() < 0.5 else float(rng.uniform(0, 5))
    tilt = float(rng.uniform(21, 35)) if "tilt" in troubles else tilt
    steep, way = math.radians(tilt), float(rng.uniform(0, 2 * math.pi))
    size, fine = ((2304, 1296), rng.uniform(2.4, 2.6)) if rng.random() < 0.6 else ((2560, 1440), rng.uniform(2.6, 2.9))
    target = (MIDDLE[0] + float(rng.uniform(-12, 12)), MIDDLE[1] + float(rng.uniform(-12, 12)))
    fov = float(rng.uniform(46, 75))
    side = (tray[0] + WIDE / 2 - target[0]) * math.cos(way) + (tray[1] + HIGH / 2 - target[1]) * math.sin(way)
    far = size[0] / 2 / math.tan(math.radians(fov) / 2) / float(fine) + side * math.sin(steep)
    at = (
        round(target[0] + far * math.sin(steep) * math.cos(way), 2),
        round(target[1] + far * math.sin(steep) * math.sin(way), 2),
        round(far * math.cos(steep), 2),
    )
    dim = "dim" in troubles
    return Camera(
        "a",
        at,
        (round(target[0], 2), round(target[1], 2)),
        0.0,
        round(fov, 4),
        size,
        defocus=float(rng.uniform(1.0, 2.2)) if "blur" in troubles else 0.0,
        shake=(float(rng.uniform(1.5, 4)), float(rng.uniform(0, 180))) if "shake" in troubles else (0.0, 0.0),
        noise=float(rng.uniform(2.5, 5) if dim else rng.uniform(1, 3.5)),
        exposure=float(rng.uniform(-2.5, -1.2) if dim else rng.uniform(-0.8, 0.2)),
        quality=int(rng.integers(78, 93)),
    )


# ---------------------------------------------------------------------------------------------------------------- dice


def _laid(
    rng: np.random.Generator, tray: tuple[float, float], number: int, leaning: bool
) -> tuple[tuple[TenSided, ...], tuple[Look, ...], tuple[Chip, ...]]:
    """Return two to seven dice in the tray, what they look like, and what one of them leans on."""
    zone = tray_mat(*tray).zones[0]
    touching, one_kind = number % 2 == 1, rng.random() < 0.6
    a_kind = _a_set(rng)
    dice: list[TenSided] = []
    looks: list[Look] = []
    chips: list[Chip] = []
    for place in range(int(rng.integers(2, 8))):
        shape, look = a_kind if one_kind else _a_set(rng)
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


def _a_set(rng: np.random.Generator) -> tuple[TenSided, Look]:
    while True:
        pale = rng.random() < 0.5
        body = rng.uniform(0, 1, 3) ** 1.5 * rng.uniform(0.15, 0.85)
        body = np.clip(body + (0.35 if pale else 0.02), 0.015, 0.82)
        ink = np.full(3, rng.choice([0.02, 0.03, 0.75, 0.85])) if rng.random() < 0.7 else rng.uniform(0.02, 0.85, 3)
        if abs(level(body) - level(ink)) > INK_APART:
            break
    shape = TenSided(
        0.0,
        0.0,
        0.0,
        side=float(rng.uniform(12, 19)),
        value=1,
        face=str(rng.choice(list(FONTS))),
        mark="" if rng.random() < UNMARKED else str(rng.choice(["dot", "bar"])),
        tall=float(rng.uniform(0.34, 0.46)),
        low=float(rng.uniform(-0.03, 0.04)),
        upright=bool(rng.random() < 0.5),
        sharp=round(float(rng.uniform(0.9, 1.12)), 2),
    )
    swirl = 0.0 if rng.random() < 0.7 else float(rng.uniform(0.03, 0.12))
    red, green, blue = body.tolist()
    return shape, Look((red, green, blue), (float(ink[0]), float(ink[1]), float(ink[2])), swirl)


def level(colour: npt.ArrayLike) -> float:
    """Return a linear colour's gray level."""
    linear = float(np.asarray(colour) @ [0.299, 0.587, 0.114])
    return 255 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055)


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


# --------------------------------------------------------------------------------------------------------------- lamps


def _light(rng: np.random.Generator, camera: Camera, dice: tuple[TenSided, ...], gloss: float, *, glare: bool) -> Light:
    """Return a light that no top mirrors towards the camera, or for `glare` one that a top does mirror."""
    while True:
        draw = random.Random(int(rng.integers(1 << 31)))
        light = LIGHTS[draw.choice(list(LIGHTS))](draw)
        if glare:
            die = dice[int(rng.integers(len(dice)))]
            at, away = _mirrored_from(camera, die)
            high = float(rng.uniform(900, 1700))
            x, y, z = at + away * high / away[2]
            lamp = facing(
                float(x), float(y), float(z), float(rng.uniform(80, 200)), float(rng.uniform(0.8, 2)), NEUTRAL
            )
            return Light("mirrored lamp", (lamp,), light.ambient)
        if not any(mirrored(camera, die, lamp, gloss) for die in dice for lamp in light.lamps):
            return light


def _mirrored_from(camera: Camera, die: TenSided) -> tuple[Points, Points]:
    """Return the middle of a die's top, and where from a ray comes that it mirrors into the camera."""
    kite = die.kite()
    at, out = kite.mean(axis=0), np.cross(kite[1] - kite[0], kite[2] - kite[0])
    out = out / np.linalg.norm(out) * np.sign(out[2])
    to = at - np.array(camera.at)
    to = to / np.linalg.norm(to)
    return at, to - 2 * float(to @ out) * out


def mirrored(camera: Camera, die: TenSided, lamp: Lamp, gloss: float) -> bool:
    """Return whether a die's top mirrors a lamp into the camera: what its middle mirrors is near the lamp."""
    at, away = _mirrored_from(camera, die)
    to = np.array([lamp.x, lamp.y, lamp.z]) - at
    far = float(np.linalg.norm(to))
    angle = math.acos(float(np.clip(to @ away / far, -1, 1)))
    # the lamp's half diagonal, half of the top, and the highlight that the roughness spreads
    return angle < 1.5 * lamp.half / far + 0.5 * die.side / math.dist(camera.at, at.tolist()) + 2 * gloss
