"""A tray pulled straight: what the camera sees of it, in the plane of the dice's tops."""

from __future__ import annotations

import cv2
import numpy as np

from companion.eye.dice.nets import Floats
from companion.eye.geometry import Calibration
from companion.eye.mat import Rect
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

_SURROUNDINGS = 61
"""Coarse pixels that levels are compared with."""


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
