"""Photographs of six-sided dice that others took, with dice and on tables of their own.

Nobody knows how far their cameras were away. They count as seen from straight above, at so many pixels a millimetre
that usual dice have usual sides; a die's truth is its place in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.dice_learning import CLEAR, LEFT_OUT, Learned, Made
from benchmarks.dice_outcomes import Outcome, TrueDie, compared, counted
from benchmarks.dice_photographs import calibrated, read_gray
from benchmarks.dice_scenes import tray_mat
from benchmarks.table_scenes import Camera
from companion.bench.figures import BenchError, Row
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.straight import TOP, straightened
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat, Rect
from companion.eye.view import Gray

TRUTH = "others.json"

EDGE = 8.0
"""How far (mm) the tray's edge is from the picture's."""


class Picture(msgspec.Struct, frozen=True):
    """A photograph: who took it, at about how many pixels a millimetre, and its dice: x, y, side (px), value.

    A value of 0 is that of a die which nobody can read or which is cut off: it doesn't count. `decent`: in focus, no
    lamp mirrored in a top, a tilt of 20 degrees at most. The camera is taken to be `high` (mm). `turns` says how tops
    are turned (degrees), where dice are learned from.
    """

    image: str
    source: str
    px_per_mm: float
    decent: bool
    dice: tuple[tuple[float, float, float, int], ...]
    high: float = 700.0
    turns: tuple[float, ...] = ()


class Others(msgspec.Struct, frozen=True):
    """Photographs, and the licence of each source."""

    sources: dict[str, str]
    photographs: tuple[Picture, ...]


def load(folder: Path) -> Others:
    """Return a folder's photographs.

    Raises:
        BenchError: if their truth is missing, or can't be understood.
    """
    path = folder / TRUTH
    try:
        return msgspec.json.decode(path.read_bytes(), type=Others)
    except (OSError, msgspec.MsgspecError) as error:
        raise BenchError(f"{path} can't be read: {error}") from None


def rows(folder: Path) -> list[Row]:
    """Return rows for a folder: all in decent light, all others, and each source.

    Raises:
        BenchError: if there are none, or one can't be read.
    """
    others = load(folder)
    both = [(picture, outcome_of(folder, picture)) for picture in others.photographs]

    def row(name: str, some: Sequence[tuple[Picture, Outcome]]) -> Row:
        return counted(name, [outcome for _, outcome in some])

    light = [
        row(f"by others, {name} light", [(p, o) for p, o in both if p.decent == decent]) for name, decent in _LIGHT
    ]
    return light + [row(f"by {source}", [(p, o) for p, o in both if p.source == source]) for source in others.sources]


_LIGHT = (("decent", True), ("bad", False))


def outcome_of(folder: Path, picture: Picture) -> Outcome:
    """Return what comes of reading a photograph.

    Raises:
        BenchError: if the picture is missing or broken.
    """
    gray = read_gray(folder / picture.image)
    mat, calibration = _laid(picture, gray)
    truth = [_true(calibration, picture.px_per_mm, *die) for die in picture.dice]
    seen = DiceReader().read(gray, calibration, mat.zones[0])
    left_out = [die for die in truth if not die.value]
    others = tuple(
        die for die in seen.dice if all(math.dist((die.x, die.y), (no.x, no.y)) > no.side for no in left_out)
    )
    return compared((die for die in truth if die.value), msgspec.structs.replace(seen, dice=others))


def trays_to_learn_from(folder: Path) -> Iterator[Made]:
    """Yield photographs pulled straight in the plane of tops, and their dice; of those without a value nothing is
    learned.

    Raises:
        BenchError: if there are none, one can't be read, or its dice's turns are missing.
    """
    for picture in load(folder).photographs:
        if len(picture.turns) != len(picture.dice):
            raise BenchError(f"{folder / picture.image}: how each of the {len(picture.dice)} dice is turned is needed")
        gray = read_gray(folder / picture.image)
        _, calibration = _laid(picture, gray)
        whole = Rect(0.0, 0.0, gray.shape[1] / picture.px_per_mm, gray.shape[0] / picture.px_per_mm)
        flat = straightened(gray, calibration, whole)
        dice = tuple(_learned(calibration, die, turn) for die, turn in zip(picture.dice, picture.turns, strict=True))
        yield np.clip(np.round(flat), 0, 255).astype(np.uint8), dice


def _learned(calibration: Calibration, die: tuple[float, float, float, int], turn: float) -> Learned:
    x, y, side, value = die
    way = math.radians(turn)
    ends = np.array([(x, y), (x + side * math.cos(way), y + side * math.sin(way))])
    at, tip = calibration.to_mm(ends, TOP)
    size = float(np.hypot(*(tip - at)))
    foot = (calibration.to_mm(calibration.to_px(calibration.to_mm(ends[:1], size), 0.0), TOP)[0] - at) / size
    x, y, way = float(at[0]), float(at[1]), tip - at
    turned, what = math.atan2(float(way[1]), float(way[0])), CLEAR if value else LEFT_OUT
    return Learned(x, y, size, turned, (float(foot[0]), float(foot[1])), value, what, 0.0)


def _laid(picture: Picture, gray: Gray) -> tuple[Mat, Calibration]:
    """Return a mat that a picture shows, most of it a tray, and how it is seen."""
    size = (gray.shape[1], gray.shape[0])
    w, h = size[0] / picture.px_per_mm, size[1] / picture.px_per_mm
    mat = tray_mat(EDGE, EDGE, (w - 2 * EDGE, h - 2 * EDGE), (max(w, 200.0), max(h, 200.0)), across=5)
    fov = 2 * math.degrees(math.atan(w / 2 / picture.high))
    camera = Camera("a", (w / 2 + 0.01, h / 2 + 0.01, picture.high), (w / 2, h / 2), 0.0, fov, size)
    return mat, calibrated(camera, mat, picture.image)


def _true(calibration: Calibration, px_per_mm: float, x: float, y: float, side: float, value: int) -> TrueDie:
    high = side / px_per_mm
    at = calibration.to_mm(np.array([(x, y)]), high)[0]
    return TrueDie(float(at[0]), float(at[1]), high, value)
