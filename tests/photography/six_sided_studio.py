"""Photographs trays with six-sided dice: `python -m tests.photography.six_sided_studio FOLDER --numbers 59 72`.

Needs mitsuba (see tests/fixtures/photos/README.md).
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.dice_outcomes import TrueDie
from benchmarks.dice_photographs import DicePhotograph
from benchmarks.dice_scenes import HIGH, WIDE, place, tray_mat
from companion.eye.dice.pips import PIPS
from companion.sim.dice import Die, tipped
from companion.sim.table import Hand
from tests.photography import dice_studio
from tests.photography.develop import Floats
from tests.photography.dice_studio import Solid
from tests.photography.dice_trays import Points
from tests.photography.hands import capsules, mesh
from tests.photography.six_sided import Scene, scene
from tests.photography.studio import SKIN, SLEEVES

CELL = 192
"""Pixels of a face's drawing."""
GRID = 40
"""Squares along a face of which its surface is made."""
WALL = 4.0
"""How thick (mm) a tray's rim is."""
BEECH = (0.45, 0.3, 0.17)

FACES: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = (
    ((1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 1, 0)),
)
"""Along which axes of the die a face's drawing runs: of the top, the sides as `Die.sides` has them, the bottom."""
OUT = ((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, -1, 0), (-1, 0, 0), (0, 0, -1))


def values(die: Die) -> tuple[int, ...]:
    """Return what the faces show: the top, the sides, the bottom."""
    return die.value, *die.sides(), 7 - die.value


def spots(die: Die, face: int) -> tuple[list[tuple[float, float]], float]:
    """Return where a face's pips are (in sides from its middle), and their radius."""
    value = values(die)[face]
    turned = (die.ahead + face) % 2
    at = [(-v, u) if turned else (u, v) for u, v in PIPS[value]]
    return [(die.apart * u, die.apart * v) for u, v in at], die.pip * (die.one if value == 1 else 1.0)


def printed(die: Die, face: int) -> Floats:
    """Return how much ink each place of a face has, 0 to 1."""
    fine = 4
    ink = np.zeros((CELL * fine, CELL * fine), np.uint8)
    at, radius = spots(die, face)
    for spot in at:
        middle = [round((0.5 + way) * CELL * fine * 16) for way in spot]
        cv2.circle(ink, (middle[0], middle[1]), round(radius * CELL * fine * 16), 255, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(ink, (CELL, CELL), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def add_die(solid: Solid, die: Die, row: int, rows: int, deep: float, ball: float = 1.0) -> None:
    """Add a cube with rounded edges, cut by a `ball`, and pips drilled `deep` sides into it; its faces are in a row of
    the sheet.
    """
    turn = math.radians(die.turn)
    about = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    line = np.linspace(-0.5, 0.5, GRID + 1)
    u, v = (axis.ravel() for axis in np.meshgrid(line, line))
    corner = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1)
    a, b, c, d = corner[:-1, :-1].ravel(), corner[:-1, 1:].ravel(), corner[1:, 1:].ravel(), corner[1:, :-1].ravel()
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    for face, ((along, across), outwards) in enumerate(zip(FACES, OUT, strict=True)):
        x, y, out = (np.array(axis, np.float64) for axis in (along, across, outwards))
        cube = u[:, None] * x + v[:, None] * y + 0.5 * out
        inner = np.clip(cube, die.round - 0.5, 0.5 - die.round)
        normal = cube - inner
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        depth, slope_u, slope_v = _drilled(die, face, deep, u, v)
        at = inner + die.round * normal - depth[:, None] * normal
        normal = normal + slope_u[:, None] * x + slope_v[:, None] * y
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        far = np.linalg.norm(at, axis=1, keepdims=True)
        normal = np.where(far > ball, at / far, normal)
        at = at * np.minimum(1, ball / far)
        placed, normal = _leaning(die, (at + [0, 0, 0.5]) * die.side @ about.T + [die.x, die.y, 0], normal @ about.T)
        where = np.stack([(face + 0.5 + 0.99 * u) / len(FACES), (row + 0.5 + 0.99 * v) / rows], axis=1)
        solid.add_all(placed[triangles], normal[triangles], where[triangles])


def _leaning(die: Die, at: Points, normal: Points) -> tuple[Points, Points]:
    """Return where a die's points are, and their normals, when it leans."""
    if not die.lean:
        return at, normal
    placed, tip = (
        np.column_stack(tipped(die, np.asarray(some[:, :2], np.float64), np.asarray(some[:, 2], np.float64)))
        for some in (at, at + normal)
    )
    return placed, tip - placed


def _drilled(die: Die, face: int, deep: float, u: Points, v: Points) -> tuple[Points, Points, Points]:
    """Return how deep (sides) places of a face are drilled, and how that rises along both of its axes."""
    depth, slope_u, slope_v = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    at, radius = spots(die, face)
    ball = (radius**2 + deep**2) / (2 * deep)
    for x, y in at:
        far = np.hypot(u - x, v - y)
        inside = far < radius
        height = np.sqrt(ball**2 - np.minimum(far, radius) ** 2)
        depth = np.where(inside, height - (ball - deep), depth)
        slope_u = np.where(inside, -(u - x) / height, slope_u)
        slope_v = np.where(inside, -(v - y) / height, slope_v)
    return depth, slope_u, slope_v


def rendered(mitsuba: Any, taken: Scene, samples: int) -> Floats:
    """Return the light of the part of a scene's picture that is kept, linear red, green, blue."""
    solid = Solid()
    for row, die in enumerate(taken.dice):
        add_die(solid, die, row, len(taken.dice), taken.deep, taken.ball)
    inks = [np.concatenate([printed(die, face) for face in range(len(FACES))], axis=1) for die in taken.dice]
    sheet = dice_studio.sheet(taken.looks, inks, taken.number)
    things = {"dice": dice_studio.plastic(mitsuba, solid, *sheet, taken.gloss)}
    for number, hand in enumerate(taken.hands):
        things |= _hand(mitsuba, hand, number)
    if taken.rim:
        things |= _rim(mitsuba, taken)
    return dice_studio.rendered(mitsuba, taken, things, samples)


def _hand(mitsuba: Any, hand: Hand, number: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for finger, part in enumerate(capsules(hand)):
        corners, faces = mesh(part)
        solid = Solid()
        three = corners[faces.astype(np.int64)]
        axis = np.array(part.b) - np.array(part.a)
        along = np.clip((three - part.a) @ axis / max(1e-9, float(axis @ axis)), 0, 1)
        normals = three - (part.a + along[..., None] * axis)
        normals /= np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-9)
        solid.add_all(three, normals, np.zeros((*three.shape[:2], 2)))
        colour = (SLEEVES if part.sleeve else SKIN)[hand.tone % 4]
        looks = {"type": "diffuse", "reflectance": {"type": "rgb", "value": list(colour)}}
        made[f"hand{number}-{finger}"] = dice_studio.mesh(mitsuba, f"hand{number}-{finger}", solid, looks)
    return made


def _rim(mitsuba: Any, taken: Scene) -> dict[str, Any]:
    (x, y), high, wall = taken.tray, taken.rim / 2, WALL / 2
    long = np.array([WIDE / 2 + WALL, wall, high])
    short = np.array([wall, HIGH / 2, high])
    walls = (
        ((x + WIDE / 2, y - wall), long),
        ((x + WIDE / 2, y + HIGH + wall), long),
        ((x - wall, y + HIGH / 2), short),
        ((x + WIDE + wall, y + HIGH / 2), short),
    )
    return {
        f"rim{number}": dice_studio.block(mitsuba, np.array([*at, high]), halves, 0.0, BEECH)
        for number, (at, halves) in enumerate(walls)
    }


def truth_of(taken: Scene, image: str) -> DicePhotograph:
    """Return a photograph's truth."""
    zone = tray_mat(*taken.tray).zones[0]
    dice = tuple(
        TrueDie(round(die.x, 2), round(die.y, 2), round(die.side, 2), die.value, place(die, zone)) for die in taken.dice
    )
    return dice_studio.truth(taken, image, dice, 6, what="with a rim" if taken.rim else "")


def photograph(mitsuba: Any, number: int, folder: Path, samples: int) -> None:
    """Photograph a number's scene into a folder, and enter it into the folder's truth.json."""
    taken = scene(number)
    shot = truth_of(taken, f"{number:02}.jpg")
    dice_studio.keep(shot, taken, rendered(mitsuba, taken, samples), folder)


if __name__ == "__main__":
    dice_studio.run("tests.photography.six_sided_studio", __doc__, photograph)
