"""Finds what may be the pips of dice: round spots in a tray that is pulled straight, and the patterns they make."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.geometry import Calibration
from companion.eye.mat import Rect
from companion.eye.view import Gray

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.floating[Any]]

FINE = 4.0
"""Pixels a millimetre of the straightened tray."""

TOP = 15.5
"""Height (mm) of the plane that is straightened: the top of a usual die. A 12 mm die is seen 0.4 % smaller there."""

SMALLEST, LARGEST = 11.3, 20.0
"""Sides of dice (mm)."""

APART = (0.215, 0.31)
"""Distance of a corner pip from the face's middle along its sides, in sides."""

RADII = (0.95, 1.15, 1.4, 1.7, 2.05, 2.5, 3.0)
"""Radii of pips (mm) that are looked for."""

SPOT = 0.62
"""A spot's likeness to a disc in a ring."""

FAINT = 8.0
"""Least contrast of a spot with its surroundings (gray levels)."""

SITES = ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))
"""The places of pips: corners, the middle, the middles of the sides."""

PATTERNS = {
    (4,): 1,
    (0, 2): 2,
    (1, 3): 2,
    (0, 2, 4): 3,
    (1, 3, 4): 3,
    (0, 1, 2, 3): 4,
    (0, 1, 2, 3, 4): 5,
    (0, 1, 2, 3, 6, 8): 6,
    (0, 1, 2, 3, 5, 7): 6,
}
"""The places that have a pip (indices of `SITES`), and the value that they show."""


_OFF = 0.28
"""How far a spot may lie from where the others expect it, in distances of a corner pip along the sides."""


class Spot(NamedTuple):
    """A round spot: its middle (mm in the straightened tray), radius (mm), likeness, and contrast (gray levels;
    negative: darker than what is round it).
    """

    x: float
    y: float
    radius: float
    like: float
    contrast: float


class Pose(NamedTuple):
    """A face: its middle (mm), how it is turned (radians), a corner pip's distance along the sides (mm), its pips'
    radius (mm), and what the spots that led to it say.
    """

    x: float
    y: float
    turn: float
    apart: float
    radius: float
    value: int


def flattened(gray: Gray, calibration: Calibration, rect: Rect, z: float = TOP) -> Floats:
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


def find_spots(flat: Floats, noise: float) -> list[Spot]:
    """Return the round spots, dark or bright, of the sizes of pips."""
    best: list[Spot] = []
    for radius in RADII:
        like, contrast = _likeness(flat, radius)
        strong = np.abs(like)
        peak = (
            (strong >= SPOT)
            & (strong == cv2.dilate(strong, np.ones((5, 5), np.uint8)))
            & (np.abs(contrast) > max(FAINT, 3 * noise))
        )
        for y, x in np.argwhere(peak):
            best.append(Spot((x + 0.5) / FINE, (y + 0.5) / FINE, radius, float(strong[y, x]), float(contrast[y, x])))
    best.sort(key=lambda spot: -spot.like)
    kept: list[Spot] = []
    for spot in best:
        if not any(
            math.hypot(spot.x - other.x, spot.y - other.y) < 0.9 * max(spot.radius, other.radius) for other in kept
        ):
            kept.append(spot)
    return kept


def _likeness(flat: Floats, radius: float) -> tuple[Floats, Floats]:
    reach = radius * 1.5 * FINE
    half = math.ceil(reach)
    away = np.hypot(*np.mgrid[-half : half + 1, -half : half + 1])
    disc = np.clip(radius * FINE + 0.5 - away, 0, 1)
    whole = np.clip(reach + 0.5 - away, 0, 1)
    ring = whole - disc
    whole /= whole.sum()
    pattern = disc / disc.sum() - ring / ring.sum()
    contrast = cv2.filter2D(flat, cv2.CV_32F, pattern)
    mean = cv2.filter2D(flat, cv2.CV_32F, whole)
    square = cv2.filter2D(flat * flat, cv2.CV_32F, whole)
    spread = np.sqrt(np.maximum(square - mean * mean, 4.0))
    share = float((whole * (pattern > 0)).sum())
    # The pattern's own spread is sqrt(share × (1 − share)) for a contrast of one.
    like = np.asarray(contrast * math.sqrt(share * (1 - share)) / spread, np.float32)
    return like, np.asarray(contrast, np.float32)


_LEADS = {2: (0, 2), 3: (0, 2), 4: (0, 1), 5: (0, 2), 6: (0, 3)}
"""For each value the two places whose spots give a pose; the first pattern of a value has both."""


def find_poses(spots: list[Spot]) -> list[Pose]:
    """Return the faces that spots may be pips of: two spots give a pose, and the others must agree with it."""
    if not spots:
        return []
    at = np.array([(spot.x, spot.y) for spot in spots])
    low, high = SMALLEST * APART[0], LARGEST * APART[1]
    found: dict[tuple[int, ...], Pose] = {}
    long = np.linalg.norm(at[:, None] - at[None], axis=2)
    for i, j in np.argwhere((long > 2 * low) & (long < math.sqrt(8) * high)):
        a, b = spots[i], spots[j]
        if not (0.45 < a.contrast / b.contrast < 2.2 and 0.6 < a.radius / b.radius < 1.67):
            continue
        near = np.flatnonzero(
            (long[i] < 4 * high) & (np.sign([spot.contrast for spot in spots]) == np.sign(a.contrast))
        )
        for value, lead in _LEADS.items():
            apart = float(long[i, j]) / math.dist(SITES[lead[0]], SITES[lead[1]])
            if low <= apart <= high:
                pose, members = _led(spots, at, near, (int(i), int(j)), value, apart)
                if pose is not None:
                    found.setdefault((value, *sorted(members)), pose)
    return list(found.values())


def places_of(value: int) -> tuple[int, ...]:
    """Return the first of the ways in which pips of a value lie: the one in which poses are found."""
    return next(places for places, says in PATTERNS.items() if says == value)


def _led(
    spots: list[Spot], at: Points, near: npt.NDArray[np.intp], pair: tuple[int, int], value: int, apart: float
) -> tuple[Pose | None, tuple[int, ...]]:
    """Return the pose and the spots of the face that two spots lead to, if any."""
    model = np.array([SITES[place] for place in places_of(value)], dtype=np.float64)
    first, second = (np.array(SITES[place], dtype=np.float64) for place in _LEADS[value])
    step, way = at[pair[1]] - at[pair[0]], second - first
    turn = math.atan2(step[1], step[0]) - math.atan2(way[1], way[0])
    matrix = apart * _rotation(turn)
    expected = (model - first) @ matrix.T + at[pair[0]]
    away = np.linalg.norm(expected[:, None] - at[near][None], axis=2)
    if (away.min(axis=1) > _OFF * apart).any():
        return None, ()
    members = tuple(int(near[k]) for k in away.argmin(axis=1))
    lead = spots[pair[0]]
    if len(set(members)) < len(model) or any(not 0.4 < spots[k].contrast / lead.contrast < 2.5 for k in members):
        return None, ()
    x, y, turn, apart = _similarity(model, at[list(members)])
    radius = float(np.median([spots[k].radius for k in members]))
    if not 0.26 < radius / apart < 0.6:
        return None, ()
    return Pose(x, y, turn, apart, radius, value), members


def _rotation(turn: float) -> Points:
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def _similarity(model: Points, seen: Points) -> tuple[float, float, float, float]:
    """Fit a similarity: shift, turn and size."""
    m, s = model - model.mean(axis=0), seen - seen.mean(axis=0)
    real = float((m * s).sum())
    imag = float((m[:, 0] * s[:, 1] - m[:, 1] * s[:, 0]).sum())
    scale = math.hypot(real, imag) / float((m * m).sum())
    turn = math.atan2(imag, real)
    middle = seen.mean(axis=0) - scale * _rotation(turn) @ model.mean(axis=0)
    return float(middle[0]), float(middle[1]), turn, scale
