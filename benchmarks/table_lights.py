"""Lights and tables for scenes of laid tables. Millimetres from the mat's top left corner, z upwards."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import msgspec

CASTS = ((1.25, 1.0, 0.62), (0.8, 0.98, 1.22), (1.12, 0.78, 1.2))
"""Red, green, blue of tungsten, of blue shade and of purple LEDs before a camera that does not balance them."""
MIDDLE = (450.0, 253.0, 0.0)
"""The middle of a mat of 900 × 506 mm, which lamps face."""


class Lamp(msgspec.Struct, frozen=True):
    """A square that shines towards the mat's middle: its middle, half its side (mm), its radiance as red, green, blue.

    Radiances count in what a sheet of white paper sends back under a sky of radiance 1.
    """

    x: float
    y: float
    z: float
    half: float
    radiance: tuple[float, float, float]


class Light(msgspec.Struct, frozen=True):
    """What lights a table: lamps, and the radiance of the room all round."""

    name: str
    lamps: tuple[Lamp, ...]
    ambient: tuple[float, float, float]

    @property
    def level(self) -> float:
        """What white paper in the mat's middle sends back, in green."""
        lit = ((one, math.dist((one.x, one.y, one.z), MIDDLE)) for one in self.lamps)
        return self.ambient[1] + sum(
            one.radiance[1] * (2 * one.half) ** 2 * one.z / away**3 / math.pi for one, away in lit
        )


class Surface(msgspec.Struct, frozen=True):
    """A table's top: its colour (linear red, green, blue), how strong its grain is, and whether it is cloth or wood."""

    name: str
    colour: tuple[float, float, float]
    grain: float
    cloth: bool = False


TABLES = {
    surface.name: surface
    for surface in (
        Surface("white", (0.72, 0.71, 0.69), 0.01),
        Surface("black", (0.03, 0.03, 0.035), 0.05),
        Surface("oak", (0.42, 0.28, 0.15), 0.14),
        Surface("pine", (0.6, 0.42, 0.23), 0.09),
        Surface("walnut", (0.16, 0.09, 0.05), 0.18),
        Surface("gray", (0.25, 0.26, 0.27), 0.03),
        Surface("green felt", (0.05, 0.16, 0.08), 0.06, cloth=True),
        Surface("linen", (0.5, 0.46, 0.38), 0.08, cloth=True),
    )
}
WARM, NEUTRAL, DAY = (1.12, 1.0, 0.82), (1.03, 1.0, 0.95), (0.96, 1.0, 1.06)
"""Colours of light as a camera that has nearly balanced them sees them."""


def lamp(rng: random.Random, share: float, colour: tuple[float, float, float], side: float = 0.0) -> Lamp:
    """Return a lamp under the ceiling that gives the mat's middle `share` times the light of a room of radiance 1.

    `side` (-1 or 1) says to which side of the mat it hangs; 0 for anywhere.
    """
    x = MIDDLE[0] + (side * rng.uniform(350, 900) if side else rng.uniform(-800, 800))
    return facing(x, MIDDLE[1] + rng.uniform(-700, 700), rng.uniform(1400, 2000), rng.uniform(70, 240), share, colour)


def facing(x: float, y: float, z: float, half: float, share: float, colour: tuple[float, float, float]) -> Lamp:
    """Return a lamp at a place that gives the mat's middle `share` times what a room of radiance 1 gives."""
    away = math.dist((x, y, z), MIDDLE)
    radiance = share * math.pi * away**2 / ((2 * half) ** 2 * z / away)
    red, green, blue = (round(radiance * part, 2) for part in colour)
    return Lamp(round(x), round(y), round(z), round(half), (red, green, blue))


def room(level: float, colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the radiance of a room all round, in a colour."""
    return round(level * colour[0], 3), round(level * colour[1], 3), round(level * colour[2], 3)


def _one(rng: random.Random) -> Light:
    return Light("lamp", (lamp(rng, rng.uniform(0.8, 2.5), NEUTRAL),), room(0.5, NEUTRAL))


def _two(rng: random.Random) -> Light:
    lamps = (lamp(rng, rng.uniform(0.8, 1.6), NEUTRAL, -1), lamp(rng, rng.uniform(0.5, 1.4), WARM, 1))
    return Light("two lamps", lamps, room(0.4, NEUTRAL))


def _window(rng: random.Random) -> Light:
    side, colour = rng.choice((-1.0, 1.0)), DAY
    where = rng.choice(((side * 1700.0, rng.uniform(-500, 500)), (rng.uniform(-600, 600), -1600.0)))
    pane = facing(
        MIDDLE[0] + where[0],
        MIDDLE[1] + where[1],
        rng.uniform(650, 1100),
        rng.uniform(450, 600),
        rng.uniform(1.0, 2.5),
        colour,
    )
    return Light("window", (pane,), room(0.4, colour))


def _evening(rng: random.Random) -> Light:
    near = facing(
        MIDDLE[0] + rng.uniform(-550, 550),
        MIDDLE[1] + rng.choice((-1.0, 1.0)) * rng.uniform(250, 600),
        rng.uniform(900, 1500),
        rng.uniform(60, 130),
        rng.uniform(1.0, 2.2),
        WARM,
    )
    return Light("evening", (near,), room(0.22, WARM))


def _overcast(rng: random.Random) -> Light:
    return Light("ceiling", (lamp(rng, rng.uniform(0.2, 0.6), NEUTRAL),), room(1.0, NEUTRAL))


LIGHTS: dict[str, Callable[[random.Random], Light]] = {
    "lamp": _one,
    "two lamps": _two,
    "window": _window,
    "evening": _evening,
    "ceiling": _overcast,
}
"""Lights by name, each drawn anew: "ceiling" is a bright, even room."""


def harsh(rng: random.Random) -> Light:
    """Return a light in a lamp's colour, half of the time with another lamp that hangs low and burns a corner out."""
    share = rng.uniform(0.3, 1)
    red, green, blue = (1 + share * (part - 1) for part in rng.choice(CASTS))
    lamps = [lamp(rng, rng.uniform(0.8, 2.5), (red, green, blue))]
    if rng.random() < 0.5:
        x, y = (MIDDLE[axis] * (1 + rng.choice((-1, 1)) * rng.uniform(0.7, 1.1)) for axis in (0, 1))
        lamps.append(facing(x, y, rng.uniform(450, 700), 60.0, rng.uniform(0.15, 0.4), (red, green, blue)))
    return Light("harsh, a corner" if len(lamps) > 1 else "harsh", tuple(lamps), room(0.4, (red, green, blue)))
