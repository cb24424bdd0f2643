"""Dice read by the camera: the share read right, read wrongly and declined, of rendered trays and of photographs.

Rendered trays come from seeds that the reader was not tuned on. A die is right or wrong if it is read where it lies; a
die that is not read, or only seen, is declined; a value where no die is counts as wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.bench.conditions import HELD_OUT
from companion.bench.development.dice_scenes import (
    MIRRORED,
    SIZES,
    Tray,
    cocked,
    decent,
    photographed,
    place,
    tray_mat,
    trays,
)
from companion.bench.development.identities import bound
from companion.bench.figures import BenchError, Figure, Row, Section, Times, at_least, at_most
from companion.eye.dice import DiceReader
from companion.eye.geometry import Calibration, Points, calibrate, corners_mm
from companion.eye.mat import Mat
from companion.eye.view import DiceSeen, Gray
from companion.sim.dice import Die, tipped

READINGS = 300
"""Default number of dice: two minutes. The published figures come from 3,000 and more."""

FIRST = 17_000
"""The first scene that is read: those before were looked at when this reader, or one before it, was made."""

WRONG = 1 / 3000
"""The share of wrong readings that the design allows."""

DECENT = {2.4: 0.97, 1.7: 0.92}
"""The share of dice that should be read in decent light, by pixels a millimetre."""

NEAR = 0.35
"""A die is read where it lies if the middles are not further apart than this, in sides."""

_NOTE = (
    "Declined: a die that was seen and not read, or not seen. Ghosts: values where no die is; they count as wrong. "
    "Short: trays of which the reader was sure though a die in them is missing; the referee, who knows how many "
    "are due, notices. Of a die that leans, right is what lies uppermost, wrong all else; it should be declined. "
    "From, to: the share read right with 95 % confidence (Wilson). Bound: the share of wrong readings with 95 % "
    "confidence, in a million. Times are a tray's."
)


class TrueDie(msgspec.Struct, frozen=True):
    """A die's truth: its middle on the mat (mm), side, value, and where it lies: "in", "edge", "out".

    One that leans (degrees) shows its value uppermost; its middle is that of its top.
    """

    x: float
    y: float
    side: float
    value: int
    place: str = "in"
    lean: float = 0.0


class DicePhotograph(msgspec.Struct, frozen=True):
    """A photograph of a tray: only a part of the camera's picture, whose top left pixel is `offset` in the whole.

    `size` is the whole picture's; the camera, a pinhole whose horizontal angle is `fov` degrees, is at `camera` (mm on
    the mat, z upwards) and looks at `target` on the mat; the mat's lower edge is below. `tray` is the tray's top left
    corner (mm), always 150 × 100.
    """

    image: str
    offset: tuple[int, int]
    size: tuple[int, int]
    camera: tuple[float, float, float]
    target: tuple[float, float]
    fov: float
    tray: tuple[float, float]
    dice: tuple[TrueDie, ...]
    what: str = ""


class _Truth(msgspec.Struct):
    photos: tuple[DicePhotograph, ...]


class Outcome(msgspec.Struct, frozen=True):
    """The result of one tray: for each true die its value and what was read (None: declined); values read where no die
    is; whether the reader said that it was sure of everything though a die in the tray is missing.
    """

    dice: tuple[tuple[TrueDie, int | None], ...]
    ghosts: tuple[int, ...]
    short: bool

    @property
    def wrong(self) -> int:
        """The number of wrong values."""
        return len(self.ghosts) + sum(read is not None and read != die.value for die, read in self.dice)


def compared(truth: Iterable[TrueDie], seen: DiceSeen) -> Outcome:
    """Return the result of comparing a reading with the truth."""
    truth = tuple(truth)
    left = list(seen.dice)
    found: list[tuple[TrueDie, int | None]] = []
    for die in truth:
        near = min(left, key=lambda other: math.hypot(other.x - die.x, other.y - die.y), default=None)
        if near is not None and math.hypot(near.x - die.x, near.y - die.y) < NEAR * die.side:
            left.remove(near)
            found.append((die, near.value))
        else:
            found.append((die, None))
    ghosts = tuple(ghost.value for ghost in left if ghost.value is not None)
    inside = sum(die.place == "in" for die in truth)
    return Outcome(tuple(found), ghosts, seen.certainty == "sure" and len(seen.values) < inside)


def measure(readings: int = READINGS, photographs: Path | None = None) -> Section:
    """Read so many rendered dice, and a folder of photographs with its `truth.json` if one is named.

    Raises:
        BenchError: if there are no such photographs.
    """
    shots = load_photographs(photographs) if photographs is not None else []
    times = Times()
    scenes = trays(HELD_OUT, readings, FIRST)
    outcomes = [rendered(scene, times) for scene in scenes]
    rows = list(_decent(scenes, outcomes))
    rows += [_row(name, [outcomes[i] for i in chosen]) for name, chosen in _kinds(scenes)]
    rows += _leaning([rendered(scene, Times()) for scene in cocked(HELD_OUT, readings // 30, FIRST)])
    every = _row("all rendered", outcomes)
    total = sum(len(outcome.dice) for outcome in outcomes)
    wrong = sum(outcome.wrong for outcome in outcomes)
    rows.append(
        msgspec.structs.replace(
            every,
            figures={**every.figures, "bound_ppm": bound(wrong, total) * 1e6, **times.figures()},
            budget=at_most("wrong readings", wrong / max(1, total), WRONG),
        )
    )
    if photographs is not None:
        read = [compared(shot.dice, read_photograph(photographs, shot)) for shot in shots]
        share = sum(outcome.wrong for outcome in read) / max(1, sum(len(outcome.dice) for outcome in read))
        rows.append(msgspec.structs.replace(_row("photographs", read), budget=at_most("wrong readings", share, WRONG)))
    return Section(tuple(rows), (_NOTE,))


def rendered(scene: Tray, times: Times) -> Outcome:
    """Return the result of rendering a scene and reading it; the reading is timed."""
    shot = photographed(scene)
    mat = tray_mat(scene.zone.rect.x, scene.zone.rect.y)
    reader = DiceReader(mat)
    with times.measure():
        seen = reader.read(shot.gray, shot.calibration, scene.zone)
    return compared((_truth(die, scene) for die in scene.dice), seen)


def _truth(die: Die, scene: Tray) -> TrueDie:
    top, _ = tipped(die, np.array([[die.x, die.y]]), die.side)
    return TrueDie(float(top[0, 0]), float(top[0, 1]), die.side, die.value, place(die, scene.zone), die.lean)


def _leaning(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return rows for leaning dice; values that were read where no die is count with them."""
    rows = []
    for name, low, high in (("leaning 8 to 20°", 0, 20), ("leaning 20 to 32°", 20, 32), ("leaning 32 to 45°", 32, 46)):
        leaning = [(outcome, [pair for pair in outcome.dice if low < pair[0].lean <= high]) for outcome in outcomes]
        rows.append(
            _row(name, [msgspec.structs.replace(outcome, dice=tuple(some)) for outcome, some in leaning if some])
        )
    return rows


def _decent(scenes: Sequence[Tray], outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """Return a row for decent light at each size of picture, and one for the rest."""
    good = [decent(scene) for scene in scenes]
    for fine, least in DECENT.items():
        some = [
            outcome
            for outcome, scene, fits in zip(outcomes, scenes, good, strict=True)
            if fits and scene.size == SIZES[fine]
        ]
        row = _row(f"decent light, {fine:g} px a mm", some)
        share = row.figures["right_share"]
        if isinstance(share, float):
            row = msgspec.structs.replace(row, budget=at_least("dice read", share, least))
        yield row
    yield _row("bad light", [outcome for outcome, fits in zip(outcomes, good, strict=True) if not fits])


def between(right: int, dice: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many (E. B. Wilson, 1927)."""
    share, z = right / dice, 1.96
    middle = (share + z * z / 2 / dice) / (1 + z * z / dice)
    reach = z / (1 + z * z / dice) * math.sqrt(share * (1 - share) / dice + z * z / 4 / dice / dice)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _kinds(scenes: Sequence[Tray]) -> Iterator[tuple[str, list[int]]]:
    """Return kinds of scenes, and the numbers of the scenes of each kind."""
    tests: dict[str, Callable[[Tray], bool]] = {
        "dice apart": lambda tray: tray.layout == "apart",
        "a row, touching": lambda tray: tray.layout == "row",
        "a block, touching": lambda tray: tray.layout == "block",
        "a heap, touching": lambda tray: tray.layout == "heap",
        "2.4 px a mm": lambda tray: tray.size == SIZES[2.4],
        "1.7 px a mm": lambda tray: tray.size == SIZES[1.7],
        "tilt 0 to 5°": lambda tray: tray.tilt < 5,
        "tilt 5 to 20°": lambda tray: 5 <= tray.tilt < 20,
        "tilt 20 to 35°": lambda tray: tray.tilt >= 20,
        "a lamp mirrored": lambda tray: tray.shine.gloss >= MIRRORED,
        "out of focus": lambda tray: tray.disc > 0,
        "a shadow's edge": lambda tray: tray.shadow < 1,
        "dark (under half the light)": lambda tray: tray.gain < 0.5,
    }
    for name, fits in tests.items():
        chosen = [i for i, scene in enumerate(scenes) if fits(scene)]
        if chosen:
            yield name, chosen


def _row(name: str, outcomes: Sequence[Outcome]) -> Row:
    dice = sum(len(outcome.dice) for outcome in outcomes)
    right = sum(read == die.value for outcome in outcomes for die, read in outcome.dice)
    ghosts = sum(len(outcome.ghosts) for outcome in outcomes)
    wrong = sum(outcome.wrong for outcome in outcomes)
    figures: dict[str, Figure] = {
        "trays": len(outcomes),
        "dice": dice,
        "right": right,
        "wrong": wrong,
        "declined": dice - right - (wrong - ghosts),
        "right_share": right / dice if dice else None,
        **({"from": between(right, dice)[0], "to": between(right, dice)[1]} if dice else {}),
        "ghosts": ghosts,
        "short": sum(outcome.short for outcome in outcomes),
    }
    return Row(name, figures)


# --------------------------------------------------------------------------------------------------------- photographs


def load_photographs(folder: Path) -> list[DicePhotograph]:
    """Return the truth of a folder of photographs.

    Raises:
        BenchError: if there is none, or it can't be understood.
    """
    path = folder / "truth.json"
    try:
        return list(msgspec.json.decode(path.read_bytes(), type=_Truth).photos)
    except (OSError, msgspec.MsgspecError) as error:
        raise BenchError(f"{path} can't be read: {error}") from None


def read_photograph(folder: Path, shot: DicePhotograph) -> DiceSeen:
    """Return the dice read in a photograph.

    Raises:
        BenchError: if the picture is missing or broken.
    """
    mat = tray_mat(*shot.tray)
    return DiceReader(mat).read(whole_picture(folder, shot), calibrated(shot, mat), mat.zones[0])


def whole_picture(folder: Path, shot: DicePhotograph) -> Gray:
    """Return the camera's whole picture: the photograph at its place, gray elsewhere.

    Raises:
        BenchError: if the picture is missing or broken.
    """
    part = cv2.imread(str(folder / shot.image), cv2.IMREAD_GRAYSCALE)
    if part is None:
        raise BenchError(f"{folder / shot.image} is no picture that can be read")
    gray: Gray = np.full((shot.size[1], shot.size[0]), 128, np.uint8)
    x, y = shot.offset
    gray[y : y + part.shape[0], x : x + part.shape[1]] = part
    return gray


def calibrated(shot: DicePhotograph, mat: Mat) -> Calibration:
    """Return the calibration of a photograph's camera, from where the mat's markers would be in its picture."""
    at, aim = np.array(shot.camera), np.array([*shot.target, 0.0])
    forward = (aim - at) / np.linalg.norm(aim - at)
    # x to the right, y down on the mat, z up: the picture's right has no height, its lower edge is the mat's.
    right = np.cross(forward, np.array([0.0, -1.0, 0.0]))
    right /= np.linalg.norm(right)
    right *= np.sign(right[0])
    down = np.cross(forward, right)
    down *= np.sign(down[1])
    focal = shot.size[0] / 2 / math.tan(math.radians(shot.fov) / 2)
    seen: dict[int, Points] = {}
    for marker in mat.markers:
        away = np.column_stack([corners_mm(marker), np.zeros(4)]) - at
        depth = away @ forward
        seen[marker.id] = (
            np.stack([away @ right / depth, away @ down / depth], axis=1) * focal + np.array(shot.size) / 2 - 0.5
        )
    found = calibrate(seen, mat, shot.size)
    if found is None:
        raise BenchError(f"the camera of {shot.image} can't be worked out from its truth")
    return found
