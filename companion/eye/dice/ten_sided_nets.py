"""Two small networks that find the tops of ten-sided dice in a straightened tray and read them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.dice.nets import (
    CELL,
    FOUND,
    Floats,
    Found,
    Pose,
    answered,
    burnt_out,
    feet_from,
    leveled,
    load_weights,
    mended,
    seen_by,
    tops,
)
from companion.eye.dice.straight import COARSE, FINE, coarse, normal

WEIGHTS = Path(__file__).with_name("ten_sided_nets.npz")
"""The networks' weights, as `benchmarks.ten_sided_training` has learned them."""

USUAL = 17.0
"""A usual top kite's length (mm)."""

LONG = 1.11
"""A kite's length, in distances of opposite faces."""

PATCH, SIZE, AHEAD = 46, 1.15, 0.06
"""Pixels of a kite's square, its lengths that they show, and lengths from its numeral towards its sharp end."""

WHOLE, SPAN, MIDDLE = 36, 2.0, 0.23
"""The same for the whole die, by which a top is told from its neighbours."""

NOTHING, UNTOLD, LEANS, CLASSES = 0, 11, 12, 13
"""What a kite may show: nothing that can be read, 1 to 10, a 6 or 9 without a mark, or that the die leans."""


def kites(flat: Floats, poses: Sequence[Pose]) -> Floats:
    """Return kites, sharp ends above: shape (poses, 2, PATCH, PATCH); layers as in `six_sided_nets.patches`."""
    views = np.empty((len(poses), 2, PATCH, PATCH), np.float32)
    for view, seen in zip(views, _turned(flat, FINE, poses, (PATCH, SIZE, AHEAD)), strict=True):
        view[0], view[1] = leveled(seen), burnt_out(seen)
    return views


def wholes(small: Floats, poses: Sequence[Pose]) -> Floats:
    """Return what is seen of whole dice, whose tops' poses these are, in a coarse picture: (poses, 1, WHOLE, WHOLE)."""
    views = np.empty((len(poses), 1, WHOLE, WHOLE), np.float32)
    for view, seen in zip(views, _turned(small, COARSE, poses, (WHOLE, SPAN, MIDDLE)), strict=True):
        view[0] = leveled(seen)
    return views


def _turned(seen: Floats, scale: float, poses: Sequence[Pose], window: tuple[int, float, float]) -> Iterator[Floats]:
    """Yield windows of a picture of so many pixels a millimetre round poses; sharp ends point to -v, above."""
    pixels, size, ahead = window
    line = ((np.arange(pixels, dtype=np.float32) + 0.5) / pixels - 0.5) * size
    u, v = np.meshgrid(line, line - ahead)
    for x, y, long, turn in poses:
        c, s = math.cos(turn) * long, math.sin(turn) * long
        px = (
            ((x - v * c - u * s) * scale - 0.5).astype(np.float32),
            ((y - v * s + u * c) * scale - 0.5).astype(np.float32),
        )
        yield np.asarray(cv2.remap(seen, *px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


KERNELS, KERNELS_WHOLE = 4, 3
"""How many kernels see a kite, and a whole die."""


def packed(name: str, matrix: Floats, bias: Floats) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
    """Yield a layer's arrays as they are kept: whole numbers of -127 to 127, and their steps by channel."""
    axes = tuple(range(matrix.ndim - 1))
    step = np.maximum(np.abs(matrix).max(axis=axes), 1e-9) / 127
    yield name, np.round(matrix / step).astype(np.int8)
    yield name + "s", step.astype(np.float32)
    yield name + "b", bias.astype(np.float32)


@lru_cache(maxsize=1)
def _weights() -> dict[str, Floats]:
    return load_weights(WEIGHTS)


def find(flat: Floats, least: float = FOUND) -> list[tuple[Pose, float]]:
    """Return where top kites may be in a straightened tray, and how surely."""
    return tops(_weights(), normal(coarse(flat)), CELL / COARSE, _told, least)


def _told(says: Sequence[float]) -> tuple[float, float]:
    size, c, s = says
    return USUAL * math.exp(min(1.0, max(-1.0, size))), math.atan2(s, c)


_MENDED = 2
"""How often a pose is mended before its kite is read."""

_LOOKS = ((0.0, 0.0, 0.0, 0.0), (0.02, 0.02, 0.05, 0.09), (-0.02, 0.02, -0.05, -0.09), (0.0, -0.03, 0.02, 0.05))
"""The four looks at a kite, each a little off: along its axes (lengths), larger (logarithm), turned (radians)."""

DOUBTED = 0.25
"""How surely nothing is readable in a pose, at least, to try other turns: a face beside the top may be taken for it."""

_TURNS = tuple(math.radians(degrees) for degrees in range(45, 360, 45))
"""The other turns: a pose is mended from half of such a step."""

_MOST = 8
"""How many poses are looked at in other turns, at most: the surest."""


def look(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]], held: bool = False) -> list[Found]:
    """Return what kites show in four looks; `feet` are their feet's offsets in lengths; lengths are kept if `held`."""
    if not poses:
        return []
    both = flat, coarse(flat)
    straight, seen = _mended(both, poses, feet, held)
    turned = {} if held else _turned_round(both, poses, feet, seen[:, NOTHING].tolist())
    poses = [turned.get(number, pose) for number, pose in enumerate(straight)]
    each = [mended(pose, by) for pose in poses for by in _LOOKS]
    seen, mend = _looked(both, each, [foot for foot in feet for _ in _LOOKS])
    by_die = seen.reshape(len(poses), len(_LOOKS), CLASSES)
    larger = mend[:, 2].reshape(len(poses), len(_LOOKS)).mean(axis=1) + np.mean([by[2] for by in _LOOKS])
    return [
        Found(pose, four, more, turned=number in turned)
        for number, (pose, four, more) in enumerate(zip(poses, by_die, larger.tolist(), strict=True))
    ]


def _mended(
    pictures: tuple[Floats, Floats], poses: Sequence[Pose], feet: Sequence[tuple[float, float]], held: bool
) -> tuple[list[Pose], Floats]:
    """Return mended poses, and what was seen before the last mend, as shares of one."""
    for _ in range(_MENDED):
        seen, mend = _looked(pictures, poses, feet)
        poses = [mended(pose, by, held) for pose, by in zip(poses, mend.tolist(), strict=True)]
    return list(poses), seen


def _turned_round(
    pictures: tuple[Floats, Floats],
    poses: Sequence[Pose],
    feet: Sequence[tuple[float, float]],
    nothing: Sequence[float],
) -> dict[int, Pose]:
    """Return poses, by number, that show more in another turn; `nothing` is how surely each is unreadable."""
    doubted = [number for number, surely in enumerate(nothing) if surely >= DOUBTED][:_MOST]
    if not doubted:
        return {}
    tried = [(*poses[number][:3], poses[number][3] + by) for number in doubted for by in _TURNS]
    seen, _ = _looked(pictures, tried, [feet[number] for number in doubted for _ in _TURNS])
    least = seen[:, NOTHING].reshape(len(doubted), len(_TURNS))
    better = {
        number: tried[row * len(_TURNS) + int(least[row].argmin())]
        for row, number in enumerate(doubted)
        if least[row].min() < nothing[number]
    }
    if not better:
        return {}
    made, _ = _mended(pictures, list(better.values()), [feet[number] for number in better], held=False)
    return dict(zip(better, made, strict=True))


def _looked(
    pictures: tuple[Floats, Floats], poses: Sequence[Pose], feet: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """Return what poses show in a fine and a coarse picture, as shares of one, and how far they are off."""
    kept = _weights()
    seen = (
        seen_by(kept, kites(pictures[0], poses), "read", KERNELS),
        seen_by(kept, wholes(pictures[1], poses), "whole", KERNELS_WHOLE),
        feet_from(poses, feet),
    )
    return answered(kept, seen, ("last0", "last1"), CLASSES)
