"""Two small networks that find dice in a straightened tray and read their tops, in plain array arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.eye.geometry import Calibration
from companion.eye.mat import Rect
from companion.eye.pips import PIPS
from companion.eye.small_nets import (
    FOUND,
    Floats,
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
from companion.eye.view import Gray

FINE = 3.0
"""Pixels a millimetre of the straightened tray."""

TOP = 15.5
"""Height (mm) of the plane that is straightened: the top of a usual die. A 12 mm die is seen 0.4 % smaller there."""

AROUND = 28.0
"""Millimetres round the tray in which fallen dice are looked for."""


def straightened(gray: Gray, calibration: Calibration, rect: Rect, z: float = TOP) -> Floats:
    """Return a rectangle at a height straightened: gray levels at `FINE` pixels a millimetre."""
    wide, high = round(rect.w * FINE), round(rect.h * FINE)
    xs, ys = np.linspace(0, wide - 1, wide // 12 + 2), np.linspace(0, high - 1, high // 12 + 2)
    gx, gy = np.meshgrid((xs + 0.5) / FINE + rect.x, (ys + 0.5) / FINE + rect.y)
    px = calibration.to_px(np.stack([gx.ravel(), gy.ravel()], axis=1), z).astype(np.float32)
    # Between the points of a coarse grid the lens is straight: bilinear, with the grid's ends on the outermost pixels.
    fx, fy = (
        np.arange(wide, dtype=np.float32) / (wide - 1) * (len(xs) - 1),
        np.arange(high, dtype=np.float32) / (high - 1) * (len(ys) - 1),
    )
    maps = [
        cv2.remap(part.reshape(gx.shape), *np.meshgrid(fx, fy), cv2.INTER_LINEAR)
        for part in (px[:, 0].copy(), px[:, 1].copy())
    ]
    return np.asarray(cv2.remap(gray, maps[0], maps[1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float32)


COARSE = 1.5
"""Pixels a millimetre of the picture in which dice are found."""

CELL = 4
"""Side (coarse pixels) of the cells in which a top's middle is looked for."""

_SURROUNDINGS = 61
"""Coarse pixels that levels are compared with."""

PATCH, SIZE = 44, 1.7
"""A top is read in so many pixels square, which show so many of its sides."""

WEIGHTS = Path(__file__).with_name("die_nets.npz")
"""The networks' weights, as `companion.bench.development.dice_training` has learned them."""

NOTHING, LEANS, CLASSES = 0, 7, 8
"""What a top may show: nothing that can be read, 1 to 6, or that the die leans."""


def coarse(flat: Floats) -> Floats:
    """Return a straightened tray at `COARSE` pixels a millimetre."""
    size = (round(flat.shape[1] * COARSE / FINE), round(flat.shape[0] * COARSE / FINE))
    return np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.float32)


def normal(seen: Floats) -> Floats:
    """Return a picture whose levels have, in the surroundings of every place, the mean 0 and the spread 1."""
    around = (_SURROUNDINGS, _SURROUNDINGS)
    mean = cv2.blur(seen, around)
    spread = np.sqrt(np.maximum(cv2.blur(seen * seen, around) - mean * mean, 0))
    return np.asarray(np.clip((seen - mean) / (spread + 5.0), -4, 4), np.float32)


def patches(flat: Floats, poses: Sequence[Pose]) -> Floats:
    """Return what is seen of tops at poses (x, y, side in mm; turn in radians): shape (poses, 2, PATCH, PATCH).

    The first layer has levels, of the mean 0 and the spread 1; the second says how far a place is burnt out.
    """
    line = (np.arange(PATCH, dtype=np.float32) + 0.5) / PATCH - 0.5
    u, v = np.meshgrid(line, line)
    views = np.empty((len(poses), 2, PATCH, PATCH), np.float32)
    for view, (x, y, side, turn) in zip(views, poses, strict=True):
        c, s = math.cos(turn) * side * SIZE, math.sin(turn) * side * SIZE
        px = (
            ((x + u * c - v * s) * FINE - 0.5).astype(np.float32),
            ((y + u * s + v * c) * FINE - 0.5).astype(np.float32),
        )
        seen = np.asarray(cv2.remap(flat, *px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
        view[0], view[1] = leveled(seen), burnt_out(seen)
    return views


KERNELS = 3
"""How many kernels see a top."""


class Found(NamedTuple):
    """What may be a top: its pose, and how surely each of `CLASSES` is what it shows; shape (4 turns, CLASSES).

    If its size was held, `larger` is how much larger (logarithm) than that the top seems to be. `wiped` says how far a
    place where no pip shows may hide one because it is burnt out, 0 to 1.
    """

    pose: Pose
    shares: Floats
    larger: float = 0.0
    wiped: float = 0.0


@lru_cache(maxsize=1)
def _weights() -> dict[str, Floats]:
    return load_weights(WEIGHTS)


def find(flat: Floats, least: float = FOUND) -> list[tuple[Pose, float]]:
    """Return where tops may be in a straightened tray, and how surely."""
    return tops(_weights(), normal(coarse(flat)), CELL / COARSE, _told, least)


def _told(says: Sequence[float]) -> tuple[float, float]:
    size, c, s = says
    return 15 * math.exp(min(1.0, max(-1.0, size))), math.atan2(s, c) / 4


_MENDED = 2
"""How often a pose is mended before its top is read."""


def look(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]], held: bool = False) -> list[Found]:
    """Return what tops show; `feet` says for each how far its foot is seen from its middle, in sides. Their sizes are
    known if they are `held`.
    """
    if not poses:
        return []
    for _ in range(_MENDED):
        _, mend = _looked(flat, poses, feet)
        poses = [mended(pose, by, held) for pose, by in zip(poses, mend.tolist(), strict=True)]
    turned = [(x, y, side, turn + k * math.pi / 2) for x, y, side, turn in poses for k in range(4)]
    shares, mend = _looked(flat, turned, [foot for foot in feet for _ in range(4)])
    by_die, larger = shares.reshape(len(poses), 4, CLASSES), mend[:, 2].reshape(len(poses), 4).mean(axis=1)
    each = zip(poses, mend[::4].tolist(), by_die, larger.tolist(), strict=True)
    found = [(mended(pose, by, held), four, more) for pose, by, four, more in each]
    burnt = patches(flat, [pose for pose, _, _ in found])[:, 1]
    return [
        Found(*one, wiped(view, 1 + int(one[1].mean(axis=0)[1:LEANS].argmax())))
        for one, view in zip(found, burnt, strict=True)
    ]


MOST = 75
"""Percentile of how far a top's places are burnt out that counts as usual: a bright body may be, in many places."""

_APART, _PIP = 0.26, 0.075
"""How far a usual corner pip is from a top's middle along the sides, and what of a pip is looked at, in sides."""


def wiped(burnt: Floats, value: int) -> float:
    """Return how much more burnt out than most of a top a place is where a pip may be and the value has none; 2, 3 and
    6 lie either way.
    """
    line = ((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SIZE
    usual = float(np.percentile(burnt[np.ix_(np.abs(line) < 0.4, np.abs(line) < 0.4)], MOST))
    at = {
        (i, j): float(
            burnt[(line[:, None] - _APART * j) ** 2 + (line[None, :] - _APART * i) ** 2 <= _PIP**2].mean() - usual
        )
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    }
    ways = (PIPS[value], tuple((-j, i) for i, j in PIPS[value]))
    return min(max(more for place, more in at.items() if place not in pips) for pips in ways)


def _looked(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    """Return what poses show, as shares of one, and how far they are off."""
    kept = _weights()
    seen = seen_by(kept, patches(flat, poses), "look", KERNELS)
    return answered(kept, [seen, feet_from(poses, feet)], ("look3", "look4"), CLASSES)
