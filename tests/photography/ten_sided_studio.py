"""Photographs trays with ten-sided dice: `python -m tests.photography.ten_sided_studio FOLDER --numbers 1 66`.

Needs mitsuba (see tests/fixtures/photos/README.md) and the fonts that `benchmarks.numerals` names,
fonts-adf-universalis, fonts-adf-accanthis, fonts-okolaks, fonts-ubuntu-title, fonts-play, fonts-karla,
fonts-roboto-slab and fonts-league-spartan besides.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_outcomes import true_ten_sided
from benchmarks.dice_photographs import DicePhotograph
from benchmarks.dice_scenes import place, tray_mat
from benchmarks.numerals import FONTS as FONTS_AT
from benchmarks.numerals import drawn
from companion.sim.ten_sided import TALL, TenSided, middle_of, numeral_of
from tests.photography import dice_studio
from tests.photography.develop import Floats
from tests.photography.dice_studio import Solid
from tests.photography.dice_trays import Points
from tests.photography.ten_sided import FONTS, LATER_FONTS, Scene, scene

CELL = 192
"""Pixels of a face's drawing, which shows `SPAN` sides."""
SPAN = 1.5
ARC = 3
"""Strips that a rounded edge is made of."""
WOOD = (0.35, 0.22, 0.12)


@lru_cache(maxsize=64)
def _glyphs(face: str) -> list[npt.NDArray[np.bool_]]:
    fonts = FONTS | LATER_FONTS
    return drawn(FONTS_AT / fonts[face]) if face in fonts else [numeral_of(face, digit) for digit in range(10)]


def fitted(die: TenSided, edge: float) -> TenSided:
    """Return a die whose numerals are so far up and so small that a 6 and a 9 with their marks end before its edges."""
    points, kites = die.vertices()
    at = points[list(kites[0])]
    up, right = at[0] - at[2], at[1] - at[3]
    away = (at - middle_of(at)) / (SPAN * die.side)
    corners = 0.5 + np.stack([away @ right / np.linalg.norm(right), -away @ up / np.linalg.norm(up)], axis=1)
    face: npt.NDArray[np.uint8] = np.zeros((CELL, CELL), np.uint8)
    cv2.fillConvexPoly(face, np.round(corners * CELL).astype(np.int32), 1)
    flat = cv2.distanceTransform(face, cv2.DIST_L2, 5) > edge * CELL / SPAN
    while True:
        for moved in (0.0, 0.03, 0.06, 0.09, 0.12):
            moved_die = msgspec.structs.replace(die, low=die.low - moved)
            if not any(printed(moved_die, numeral)[~flat].any() for numeral in (6, 9)):
                return moved_die
        die = msgspec.structs.replace(die, tall=die.tall * 0.97)


def printed(die: TenSided, numeral: int) -> Floats:
    """Return how much ink each place of a face has, 0 to 1: its sharp end is above, its broad part in the middle."""
    fine = 2
    unit = CELL * fine / SPAN
    glyph = _glyphs(die.face)[numeral].astype(np.float32)
    scale = die.tall * unit / TALL
    size = (max(1, round(glyph.shape[1] * scale)), max(1, round(glyph.shape[0] * scale)))
    glyph = np.asarray(cv2.resize(glyph, size, interpolation=cv2.INTER_AREA), np.float32)
    sheet: Floats = np.zeros((CELL * fine, CELL * fine), np.float32)
    high, broad = glyph.shape
    bar = die.mark == "bar" and numeral in (6, 9)
    left = CELL * fine // 2 - broad // 2
    top = CELL * fine // 2 - high // 2 + round(die.low * unit) * (1 if die.upright else -1) - bar * round(0.05 * unit)
    sheet[top : top + high, left : left + broad] = glyph
    if bar:
        y = top + high + round(0.05 * unit)
        cv2.rectangle(sheet, (left, y), (left + broad, y + round(0.055 * unit)), 1.0, -1)
    elif die.mark == "dot" and numeral in (6, 9):
        radius = round(0.045 * unit)
        cv2.circle(sheet, (left + broad + round(0.07 * unit), top + high - radius), radius, 1.0, -1)
    sheet = sheet if die.upright else sheet[::-1, ::-1]
    return np.asarray(cv2.resize(sheet, (CELL, CELL), interpolation=cv2.INTER_AREA), np.float32)


def sheets(taken: Scene) -> tuple[Floats, Floats]:
    """Return the colours of all faces, and where ink is: a row of ten cells for each die."""
    dice = [fitted(die, taken.round) for die in taken.dice]
    inks = [np.concatenate([printed(die, numeral) for numeral in die.numerals()], axis=1) for die in dice]
    return dice_studio.sheet(taken.looks, inks, taken.number)


def add_die(solid: Solid, die: TenSided, row: int, rows: int, edge: float) -> None:
    """Add a die whose edges are rounded with a radius of `edge` sides; its faces are in a row of the sheet."""
    points, kites = die.vertices()
    middle = points.mean(axis=0)
    radius = edge * die.side
    inner = middle + (points - middle) * (1 - 2 * radius / die.side)
    plain = np.array([0.02 / 10, (row + 0.02) / rows])
    outs: list[Points] = []
    for number, kite in enumerate(kites):
        at = points[list(kite)]
        out = np.cross(at[1] - at[0], at[2] - at[1])
        out *= np.sign(out @ (at.mean(axis=0) - middle)) / np.linalg.norm(out)
        outs.append(out)
        up = at[0] - at[2]
        up = up / np.linalg.norm(up)
        right = at[1] - at[3]
        right = right / np.linalg.norm(right)
        shown = inner[list(kite)] + radius * out
        away = (shown - middle_of(at)) / (SPAN * die.side)
        u, v = 0.5 + away @ right, 0.5 - away @ up
        where = np.stack([(number + u) / 10, (row + v) / rows], axis=1)
        for i, j, k in ((0, 1, 2), (0, 2, 3)):
            solid.add([shown[i], shown[j], shown[k]], [out] * 3, [where[i], where[j], where[k]])
    for a in range(len(points)):
        mine = [number for number, kite in enumerate(kites) if a in kite]
        tip = sum(outs[number] for number in mine)
        tip = tip / np.linalg.norm(tip)
        for b in range(len(points)):
            both = [number for number in mine if b in kites[number]]
            if a == b or len(both) != 2 or not any(_beside(kites[number], a, b) for number in both):
                continue
            arc = [outs[both[0]] * (1 - t) + outs[both[1]] * t for t in np.linspace(0, 1, ARC + 1)]
            arc = [one / np.linalg.norm(one) for one in arc]
            for p, q in pairwise(arc):
                ends = [inner[a] + radius * p, inner[a] + radius * q, inner[b] + radius * q, inner[b] + radius * p]
                solid.add([ends[0], ends[1], inner[a] + radius * tip], [p, q, tip], [plain] * 3)
                if a < b:
                    solid.add([ends[0], ends[1], ends[2]], [p, q, q], [plain] * 3)
                    solid.add([ends[0], ends[2], ends[3]], [p, q, p], [plain] * 3)


def _beside(kite: tuple[int, ...], a: int, b: int) -> bool:
    return abs(kite.index(a) - kite.index(b)) in (1, 3)


def rendered(mitsuba: Any, taken: Scene, samples: int) -> Floats:
    """Return the light of the part of a scene's picture that is kept, linear red, green, blue."""
    solid = Solid()
    for row, die in enumerate(taken.dice):
        add_die(solid, die, row, len(taken.dice), taken.round)
    things = {"dice": dice_studio.plastic(mitsuba, solid, *sheets(taken), taken.gloss)}
    for number, chip in enumerate(taken.chips):
        at, halves = np.array([chip.x, chip.y, chip.high / 2]), np.array([chip.half, chip.half, chip.high / 2])
        things[f"chip{number}"] = dice_studio.block(mitsuba, at, halves, chip.way, WOOD)
    return dice_studio.rendered(mitsuba, taken, things, samples)


def truth_of(taken: Scene, image: str) -> DicePhotograph:
    """Return a photograph's truth."""
    zone = tray_mat(*taken.tray).zones[0]
    dice = []
    for die in taken.dice:
        x, y, side, lean = round(die.x, 2), round(die.y, 2), round(die.side, 2), round(die.lean, 1)
        true = true_ten_sided(die, place(die, zone))
        dice.append(msgspec.structs.replace(true, x=x, y=y, side=side, lean=lean))
    return dice_studio.truth(taken, image, tuple(dice), 10)


def photograph(mitsuba: Any, number: int, folder: Path, samples: int) -> None:
    """Photograph a number's scene into a folder, and enter it into the folder's truth.json."""
    taken = scene(number)
    shot = truth_of(taken, f"{number:02}.jpg")
    dice_studio.keep(shot, taken, rendered(mitsuba, taken, samples), folder)


if __name__ == "__main__":
    dice_studio.run("tests.photography.ten_sided_studio", __doc__, photograph)
