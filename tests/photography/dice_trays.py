"""What photographed trays of dice share: how camera, colours and lamps are drawn from a number's generator."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_photographs import seen_by
from benchmarks.dice_scenes import HIGH, WIDE
from benchmarks.table_lights import DAY, LIGHTS, MIDDLE, NEUTRAL, WARM, Lamp, Light, facing
from benchmarks.table_scenes import Camera

Points = npt.NDArray[np.float64]
Colour = tuple[float, float, float]
Size = tuple[int, int]

INK_APART = 80.0
"""Gray levels between a body and its numerals or pips at least."""

AROUND = 12.0
"""How much of the mat (mm) round the tray is in the picture."""

PATTERNS = ("plain", "wood", "checks", "leather")
"""What the table round the tray looks like; "leather" is the tray's own."""

LARGE = (((2304, 1296), (2.4, 2.6)), ((2560, 1440), (2.6, 2.9)))
"""Pictures, and between how many pixels a millimetre the tray has in them."""


class Top(NamedTuple):
    """A die's top: its corners (mm) in their order, and how large the die is (mm)."""

    corners: Points
    side: float


class Look(msgspec.Struct, frozen=True):
    """A set's plastic: its colour and that of its marks (linear red, green, blue), and how far the body swirls; the
    colour of `veins` in it, if it is marbled.
    """

    body: Colour
    ink: Colour
    swirl: float
    veins: Colour | None = None


class Tray(msgspec.Struct, frozen=True, kw_only=True):
    """A tray and how it is photographed; `felt` and `around` are gray levels of tray and mat.

    `looks` has one for each die. `gloss` is the roughness of the dice, `blur` the lens's (px). `later` ones are
    rendered without the single white pixels that the first photographs have here and there.
    """

    number: int
    tray: tuple[float, float]
    looks: tuple[Look, ...]
    camera: Camera
    light: Light
    felt: float
    around: float
    grain: float
    gloss: float
    blur: float
    troubles: tuple[str, ...]
    pattern: str = "plain"
    later: bool = False


def crop(camera: Camera, tray: tuple[float, float]) -> tuple[int, int, int, int]:
    """Return which part of a camera's picture is kept: left, top, right, bottom (px)."""
    (x, y), a = tray, AROUND
    base = [(x - a, y - a), (x + WIDE + a, y - a), (x + WIDE + a, y + HIGH + a), (x - a, y + HIGH + a)]
    px = seen_by(camera, np.column_stack([base, np.zeros(4)]))
    low, high = np.floor(px.min(axis=0)).astype(int), np.ceil(px.max(axis=0)).astype(int) + 1
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def seen_tray(
    rng: np.random.Generator, troubles: tuple[str, ...], sizes: Sequence[tuple[Size, tuple[float, float]]] = LARGE
) -> tuple[tuple[float, float], Camera]:
    """Return where a tray is on the mat, and a camera that sees all of it."""
    while True:
        tray = (float(rng.uniform(30, 720)), float(rng.uniform(30, 370)))
        camera = _camera(rng, tray, troubles, sizes)
        box = crop(camera, tray)
        if min(box[:2]) >= 0 and box[2] <= camera.size[0] and box[3] <= camera.size[1]:
            return tray, camera


def _camera(
    rng: np.random.Generator,
    tray: tuple[float, float],
    troubles: tuple[str, ...],
    sizes: Sequence[tuple[Size, tuple[float, float]]],
) -> Camera:
    tilt = float(rng.uniform(5, 20)) if rng.random() < 0.5 else float(rng.uniform(0, 5))
    tilt = float(rng.uniform(21, 35)) if "tilt" in troubles else tilt
    steep, way = math.radians(tilt), float(rng.uniform(0, 2 * math.pi))
    size, (least, most) = sizes[0] if rng.random() < 0.6 else sizes[-1]
    fine = rng.uniform(least, most)
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


# ------------------------------------------------------------------------------------------------------------- colours


def plastic(rng: np.random.Generator) -> tuple[Points, Points]:
    """Return any two colours, of a body and its marks, whose gray levels differ enough."""
    while True:
        pale = rng.random() < 0.5
        body = rng.uniform(0, 1, 3) ** 1.5 * rng.uniform(0.15, 0.85)
        body = np.clip(body + (0.35 if pale else 0.02), 0.015, 0.82)
        ink = np.full(3, rng.choice([0.02, 0.03, 0.75, 0.85])) if rng.random() < 0.7 else rng.uniform(0.02, 0.85, 3)
        if abs(level(body) - level(ink)) > INK_APART:
            return body, ink


def dyed(body: Points, ink: Points, swirl: float) -> Look:
    """Return what a set looks like."""
    red, green, blue = body.tolist()
    return Look((red, green, blue), (float(ink[0]), float(ink[1]), float(ink[2])), swirl)


def level(colour: npt.ArrayLike) -> float:
    """Return a linear colour's gray level."""
    linear = float(np.asarray(colour) @ [0.299, 0.587, 0.114])
    return 255 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055)


# --------------------------------------------------------------------------------------------------------------- lamps


def _room(share: float, colour: Colour) -> Colour:
    return share * colour[0], share * colour[1], share * colour[2]


def _desk(rng: random.Random) -> Light:
    x, y = rng.choice((-1.0, 1.0)) * rng.uniform(300, 600), rng.uniform(-450, 450)
    near = facing(MIDDLE[0] + x, MIDDLE[1] + y, rng.uniform(550, 800), rng.uniform(35, 80), rng.uniform(0.7, 1.6), WARM)
    return Light("desk lamp", (near,), _room(0.4, NEUTRAL))


def _spots(rng: random.Random) -> Light:
    lamps = tuple(
        facing(
            MIDDLE[0] + x + rng.uniform(-150, 150),
            MIDDLE[1] + rng.uniform(-500, 500),
            rng.uniform(1900, 2300),
            rng.uniform(30, 50),
            rng.uniform(0.3, 0.7),
            WARM,
        )
        for x in (-600, 0, 600)
    )
    return Light("spots", lamps, _room(0.35, WARM))


def _lamp_and_window(rng: random.Random) -> Light:
    side = rng.choice((-1.0, 1.0))
    pane = facing(
        MIDDLE[0] - side * 1700,
        MIDDLE[1] + rng.uniform(-500, 500),
        rng.uniform(700, 1100),
        500,
        rng.uniform(0.5, 1.2),
        DAY,
    )
    lamp = facing(
        MIDDLE[0] + side * rng.uniform(300, 800),
        MIDDLE[1] + rng.uniform(-500, 500),
        1500,
        120,
        rng.uniform(0.4, 1.0),
        WARM,
    )
    return Light("lamp and window", (pane, lamp), _room(0.4, NEUTRAL))


MORE_LIGHTS: dict[str, Callable[[random.Random], Light]] = {
    **LIGHTS,
    "desk lamp": _desk,
    "spots": _spots,
    "lamp and window": _lamp_and_window,
}
"""Lights of the later photographs."""


def lit(
    rng: np.random.Generator,
    camera: Camera,
    tops: Sequence[Top],
    gloss: float,
    *,
    glare: bool,
    lights: Mapping[str, Callable[[random.Random], Light]] = LIGHTS,
) -> Light:
    """Return a light that no top mirrors towards the camera, or for `glare` one that a top does mirror."""
    while True:
        draw = random.Random(int(rng.integers(1 << 31)))
        light = lights[draw.choice(list(lights))](draw)
        if glare:
            top = tops[int(rng.integers(len(tops)))]
            at, away = _mirrored_from(camera, top)
            high = float(rng.uniform(900, 1700))
            x, y, z = at + away * high / away[2]
            lamp = facing(
                float(x), float(y), float(z), float(rng.uniform(80, 200)), float(rng.uniform(0.8, 2)), NEUTRAL
            )
            return Light("mirrored lamp", (lamp,), light.ambient)
        if not any(mirrored(camera, top, lamp, gloss) for top in tops for lamp in light.lamps):
            return light


def _mirrored_from(camera: Camera, top: Top) -> tuple[Points, Points]:
    """Return the middle of a die's top, and where from a ray comes that it mirrors into the camera."""
    a, b, c = top.corners[:3]
    at, out = top.corners.mean(axis=0), np.cross(b - a, c - a)
    out = out / np.linalg.norm(out) * np.sign(out[2])
    to = at - np.array(camera.at)
    to = to / np.linalg.norm(to)
    return at, to - 2 * float(to @ out) * out


def mirrored(camera: Camera, top: Top, lamp: Lamp, gloss: float) -> bool:
    """Return whether a die's top mirrors a lamp into the camera: what its middle mirrors is near the lamp."""
    at, away = _mirrored_from(camera, top)
    to = np.array([lamp.x, lamp.y, lamp.z]) - at
    far = float(np.linalg.norm(to))
    angle = math.acos(float(np.clip(to @ away / far, -1, 1)))
    # the lamp's half diagonal, half of the top, and the highlight that the roughness spreads
    return angle < 1.5 * lamp.half / far + 0.5 * top.side / math.dist(camera.at, at.tolist()) + 2 * gloss
