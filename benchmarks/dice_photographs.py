"""Photographs of dice trays, their truth, and rows that count what the eye read in them.

A photograph is one frame, not the average of several as at a table. Nobody knows how far the cameras were away of those
that others took, with six-sided dice and on tables of their own: these count as seen from straight above, at so many
pixels a millimetre that usual dice have usual sides; a die's truth is its place in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import msgspec
import numpy as np

from benchmarks.dice_learning import CLEAR, LEFT_OUT, Learned, Made
from benchmarks.dice_outcomes import NUMERALS, Fits, Outcome, TrueDie, by_die, by_size, compared, counted, enough, only
from benchmarks.dice_scenes import tray_mat
from benchmarks.table_scenes import Camera
from companion.bench.figures import BenchError, Row
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.straight import TOP, straightened
from companion.eye.geometry import Calibration, Points, calibrate, corners_mm
from companion.eye.mat import Mat, Rect
from companion.eye.view import DiceSeen, Gray

WRONG, TEN_WRONG = 1 / 3000, 1 / 1000
"""The shares of six- and ten-sided dice that the design allows to be read wrongly."""

TEN_DECENT = 0.9
"""The share of ten-sided dice that should be read in decent light, at 2.4 pixels a millimetre."""

TEN_SIDED = "ten-sided dice, photographs"


class DicePhotograph(msgspec.Struct, frozen=True):
    """A photograph of a tray: only a part of the camera's picture, whose top left pixel is `offset` in the whole.

    `size` is the whole picture's; the camera, a pinhole whose horizontal angle is `fov` degrees, is at `camera` (mm on
    the mat, z upwards) and looks at `target` on the mat; the mat's lower edge is below. `tray` is the tray's top left
    corner (mm), always 150 × 100; `sides` says which dice it is for. `troubles` says what is bad about the picture.
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
    sides: int = 6
    troubles: tuple[str, ...] = ()


class _Truth(msgspec.Struct):
    photos: tuple[DicePhotograph, ...]


def photograph_rows(folder: Path) -> list[Row]:
    """Return rows for a folder of photographs: for six-sided dice up to three, for ten-sided ones a table.

    Raises:
        BenchError: if there are none, or one can't be read.
    """
    shots = load_photographs(folder)
    both = [(shot, compared(shot.dice, read_photograph(folder, shot))) for shot in shots]
    six = [(shot, outcome) for shot, outcome in both if shot.sides != 10]
    rows = [counted("photographs", [outcome for _, outcome in six], WRONG)]
    for light, bad in (("decent", False), ("bad", True)):
        some = [outcome for shot, outcome in six if bool(shot.troubles) == bad]
        if 0 < len(some) < len(six):
            rows.append(counted(f"photographs, {light} light", some))
    ten = [(shot, outcome) for shot, outcome in both if shot.sides == 10]
    if not ten:
        return rows
    return (rows if len(ten) < len(shots) else []) + ten_sided_rows(ten)


def ten_sided_rows(both: Sequence[tuple[DicePhotograph, Outcome]]) -> list[Row]:
    """Return a table for photographs of ten-sided dice and what was read in them."""
    good = [outcome for shot, outcome in both if not shot.troubles]
    bad = [(shot, outcome) for shot, outcome in both if shot.troubles]
    flat = [(shot, only(outcome, lambda die: not die.lean)) for shot, outcome in bad]
    rows = [enough("decent light", good, TEN_DECENT), counted("bad, lying flat", [outcome for _, outcome in flat])]
    for trouble in sorted({trouble for shot, _ in bad for trouble in shot.troubles} - {"lean"}):
        rows.append(counted(f"bad, {trouble}", [outcome for shot, outcome in flat if trouble in shot.troubles]))
    rows.append(counted("leaning", [only(outcome, lambda die: die.lean > 0) for _, outcome in bad]))
    known: dict[str, Fits] = {"a numeral that can be known": lambda die: die.value not in (6, 9) or bool(die.mark)}
    faces = sorted({die.face for shot, _ in both if not shot.troubles for die in shot.dice})
    rows += by_die("decent", good, {**by_size("15 to 19 mm"), **NUMERALS, **known}, faces)
    rows.append(counted("all photographs", [outcome for _, outcome in both], TEN_WRONG))
    return [msgspec.structs.replace(row, table=TEN_SIDED) for row in rows]


def load_photographs(folder: Path) -> list[DicePhotograph]:
    """Return the truth of a folder of photographs; BenchError if there is none, or it can't be understood."""
    return list(_loaded(folder / "truth.json", _Truth).photos)


Told = TypeVar("Told")


def _loaded(path: Path, as_: type[Told]) -> Told:
    try:
        return msgspec.json.decode(path.read_bytes(), type=as_)
    except (OSError, msgspec.MsgspecError) as error:
        raise BenchError(f"{path} can't be read: {error}") from None


def read_photograph(folder: Path, shot: DicePhotograph) -> DiceSeen:
    """Return the dice read in a photograph; BenchError if the picture is missing or broken."""
    mat = tray_mat(*shot.tray)
    zone = msgspec.structs.replace(mat.zones[0], sides=shot.sides)
    return DiceReader(mat).read(whole_picture(folder, shot), calibrated(camera_of(shot), mat, shot.image), zone)


def whole_picture(folder: Path, shot: DicePhotograph) -> Gray:
    """Return the camera's whole picture: the photograph at its place, gray elsewhere.

    Raises:
        BenchError: if the picture is missing or broken.
    """
    part = read_gray(folder / shot.image)
    gray: Gray = np.full((shot.size[1], shot.size[0]), 128, np.uint8)
    x, y = shot.offset
    gray[y : y + part.shape[0], x : x + part.shape[1]] = part
    return gray


def read_gray(path: Path) -> Gray:
    """Return a picture in gray; BenchError if it is missing or broken."""
    gray = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if gray is None:
        raise BenchError(f"{path} is no picture that can be read")
    return np.asarray(gray, np.uint8)


def camera_of(shot: DicePhotograph) -> Camera:
    """Return a photograph's camera."""
    return Camera("a", shot.camera, shot.target, 0.0, shot.fov, shot.size)


def calibrated(camera: Camera, mat: Mat, image: str) -> Calibration:
    """Return the calibration of a camera, from where the mat's markers would be in its picture, the file `image`.

    Raises:
        BenchError: if it can't be worked out.
    """
    seen: dict[int, Points] = {
        marker.id: seen_by(camera, np.column_stack([corners_mm(marker), np.zeros(4)])) for marker in mat.markers
    }
    found = calibrate(seen, mat, camera.size)
    if found is None:
        raise BenchError(f"the camera of {image} can't be worked out from its truth")
    return found


def seen_by(camera: Camera, points: Points) -> Points:
    """Return where a pinhole that is not rolled sees points (mm on the mat, z upwards), in pixels of its picture."""
    at, aim = np.array(camera.at), np.array([*camera.target, 0.0])
    forward = (aim - at) / np.linalg.norm(aim - at)
    # x to the right, y down on the mat, z up: the picture's right stays above the mat's, its lower edge is the mat's.
    right = np.cross(forward, np.array([0.0, -1.0, 0.0]))
    right /= np.linalg.norm(right)
    right *= np.sign(right[0])
    down = np.cross(forward, right)
    down *= np.sign(down[1])
    away = points - at
    depth = away @ forward
    px: Points = np.stack([away @ right / depth, away @ down / depth], axis=1) * camera.focal
    return px + np.array(camera.size) / 2 - 0.5


OTHERS = "others.json"

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


def load_others(folder: Path) -> Others:
    """Return a folder's photographs; BenchError if their truth is missing, or can't be understood."""
    return _loaded(folder / OTHERS, Others)


def rows_of_others(folder: Path) -> list[Row]:
    """Return rows for a folder: all in decent light, all others, and each source.

    Raises:
        BenchError: if there are none, or one can't be read.
    """
    others = load_others(folder)
    both = [(picture, outcome_of(folder, picture)) for picture in others.photographs]

    def row(name: str, fits: Callable[[Picture], bool]) -> Row:
        return counted(name, [outcome for picture, outcome in both if fits(picture)])

    light = [row("by others, decent light", lambda p: p.decent), row("by others, bad light", lambda p: not p.decent)]
    return light + [row(f"by {source}", lambda p, one=source: p.source == one) for source in others.sources]  # type: ignore[misc]


def outcome_of(folder: Path, picture: Picture) -> Outcome:
    """Return what comes of reading a photograph; BenchError if the picture is missing or broken."""
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
    for picture in load_others(folder).photographs:
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
