"""Photographs of six-sided dice that others took, with dice and on tables of their own.

Nobody knows how far their cameras were away. They count as seen from straight above, at so many pixels a millimetre
that usual dice have usual sides; a die's truth is its place in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_learning import CLEAR, LEFT_OUT, Learned
from benchmarks.dice_outcomes import Outcome, TrueDie, compared, counted
from benchmarks.dice_photographs import seen_by
from benchmarks.table_scenes import Camera
from companion.bench.figures import BenchError, Row
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.straight import TOP, straightened
from companion.eye.geometry import Calibration, calibrate, corners_mm
from companion.eye.mat import Mat, Rect, parse_mat
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
    gray = _gray(folder, picture)
    mat, calibration = _laid(picture, gray)
    truth = [_true(calibration, picture.px_per_mm, *die) for die in picture.dice]
    seen = DiceReader().read(gray, calibration, mat.zones[0])
    left_out = [die for die in truth if not die.value]
    others = tuple(
        die for die in seen.dice if all(math.dist((die.x, die.y), (no.x, no.y)) > no.side for no in left_out)
    )
    return compared((die for die in truth if die.value), msgspec.structs.replace(seen, dice=others))


def trays_to_learn_from(folder: Path) -> Iterator[tuple[npt.NDArray[np.uint8], tuple[Learned, ...]]]:
    """Yield photographs pulled straight in the plane of tops, and their dice; of those without a value nothing is
    learned.

    Raises:
        BenchError: if there are none, one can't be read, or its dice's turns are missing.
    """
    for picture in load(folder).photographs:
        if len(picture.turns) != len(picture.dice):
            raise BenchError(f"{folder / picture.image}: how each of the {len(picture.dice)} dice is turned is needed")
        gray = _gray(folder, picture)
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
    return Learned(
        float(at[0]),
        float(at[1]),
        size,
        math.atan2(float(tip[1] - at[1]), float(tip[0] - at[0])),
        (float(foot[0]), float(foot[1])),
        value,
        CLEAR if value else LEFT_OUT,
        0.0,
    )


def _gray(folder: Path, picture: Picture) -> Gray:
    gray = cv2.imread(str(folder / picture.image), cv2.IMREAD_GRAYSCALE)
    if gray is None:
        raise BenchError(f"{folder / picture.image} is no picture that can be read")
    return np.asarray(gray, np.uint8)


def _laid(picture: Picture, gray: Gray) -> tuple[Mat, Calibration]:
    """Return a mat that a picture shows, most of it a tray, and how it is seen."""
    size = (gray.shape[1], gray.shape[0])
    w, h = size[0] / picture.px_per_mm, size[1] / picture.px_per_mm
    mat = parse_mat(
        {
            "mat": {"game": "dice", "title": "Dice", "w": max(w, 200.0), "h": max(h, 200.0)},
            "markers": {
                "dictionary": "DICT_5X5_250",
                "first": 0,
                "size": 18.0,
                "margin": 3.0,
                "across": 5,
                "down": 5,
            },
            "shape": {"card": {"w": 63.0, "h": 88.0, "codes": []}},
            "zone": [
                {"name": "tray", "kind": "tray", "x": EDGE, "y": EDGE, "w": w - 2 * EDGE, "h": h - 2 * EDGE},
            ],
            "seating": {"2": []},
        },
        2,
    )
    fov = 2 * math.degrees(math.atan(w / 2 / picture.high))
    camera = Camera("a", (w / 2 + 0.01, h / 2 + 0.01, picture.high), (w / 2, h / 2), 0.0, fov, size)
    found = calibrate(
        {marker.id: seen_by(camera, np.column_stack([corners_mm(marker), np.zeros(4)])) for marker in mat.markers},
        mat,
        size,
    )
    if found is None:
        raise BenchError("the camera can't be worked out")
    return mat, found


def _true(calibration: Calibration, px_per_mm: float, x: float, y: float, side: float, value: int) -> TrueDie:
    high = side / px_per_mm
    at = calibration.to_mm(np.array([(x, y)]), high)[0]
    return TrueDie(float(at[0]), float(at[1]), high, value)
