"""Two small networks that find six-sided dice in a straightened tray and read their tops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.eye.dice.lamps import wiped
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
from companion.eye.dice.pips import PATCH, SIZE
from companion.eye.dice.straight import COARSE, FINE, coarse, normal

USUAL, TURNS = 15.0, 4
"""A usual top's side (mm), and in how many turns it looks the same."""

WEIGHTS = Path(__file__).with_name("six_sided_nets.npz")
"""The networks' weights, as `benchmarks.dice_training` has learned them."""

NOTHING, LEANS, CLASSES = 0, 7, 8
"""What a top may show: nothing that can be read, 1 to 6, or that the die leans."""


def patches(flat: Floats, poses: Sequence[Pose]) -> Floats:
    """Return what is seen of tops at poses (x, y, side in mm; turn in radians): shape (poses, 2, PATCH, PATCH).

    The first layer has levels, of the mean 0 and the spread 1; the second says how far a place is burnt out.
    """
    views = np.empty((len(poses), 2, PATCH, PATCH), np.float32)
    for view, pose in zip(views, poses, strict=True):
        seen = _patch(flat, pose)
        view[0], view[1] = leveled(seen), burnt_out(seen)
    return views


def _patch(flat: Floats, pose: Pose) -> Floats:
    x, y, side, turn = pose
    line = (np.arange(PATCH, dtype=np.float32) + 0.5) / PATCH - 0.5
    u, v = np.meshgrid(line, line)
    c, s = math.cos(turn) * side * SIZE, math.sin(turn) * side * SIZE
    px = (
        ((x + u * c - v * s) * FINE - 0.5).astype(np.float32),
        ((y + u * s + v * c) * FINE - 0.5).astype(np.float32),
    )
    return np.asarray(cv2.remap(flat, *px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


KERNELS = 3
"""How many kernels see a top."""


@lru_cache(maxsize=1)
def _weights() -> dict[str, Floats]:
    return load_weights(WEIGHTS)


def find(flat: Floats, least: float = FOUND) -> list[tuple[Pose, float]]:
    """Return where tops may be in a straightened tray, and how surely."""
    return tops(_weights(), normal(coarse(flat)), CELL / COARSE, _told, least)


def _told(says: Sequence[float]) -> tuple[float, float]:
    size, c, s = says
    return USUAL * math.exp(min(1.0, max(-1.0, size))), math.atan2(s, c) / TURNS


_MENDED = 2
"""How often a pose is mended before its top is read."""


def look(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]], held: bool = False) -> list[Found]:
    """Return what tops show; `feet` are their feet's offsets from their middles in sides; sizes are kept if `held`."""
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
    return [
        Found(pose, four, more, wiped(_patch(flat, pose), 1 + int(four.mean(axis=0)[1:LEANS].argmax())))
        for pose, four, more in found
    ]


def _looked(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    """Return what poses show, as shares of one, and how far they are off."""
    kept = _weights()
    seen = seen_by(kept, patches(flat, poses), "look", KERNELS)
    return answered(kept, [seen, feet_from(poses, feet)], ("look3", "look4"), CLASSES)
