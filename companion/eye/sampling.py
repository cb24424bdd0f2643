"""From a pose to the gray levels of a code's modules, and to a better pose."""

from __future__ import annotations

import functools

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.finders import Points, Poses
from companion.eye.signatures import Floats, Grids, evened
from companion.eye.symbol import SIDE
from companion.eye.view import Gray

_SPREAD = 0.2
"""A module's level is the mean of four points so many modules off its middle: less noise, hardly more blur."""

_WIDE = 0.45
"""The same for finding a better pose: a sharp module is even in its middle, and only its edges tell where it lies."""

_STEP = 0.5
"""Modules to both sides over which a slope is measured."""

_CROSS = ((_STEP, 0.0), (-_STEP, 0.0), (0.0, _STEP), (0.0, -_STEP))

_FEW = 12
"""Poses that are sampled at all offsets at once."""

_REMAP_ROWS = 30_000
"""OpenCV's remap takes maps of fewer than 32,767 rows and columns."""


def _middles() -> npt.NDArray[np.float64]:
    line = np.arange(SIDE) + 0.5
    v, u = np.meshgrid(line, line, indexing="ij")
    return np.stack([u.ravel(), v.ravel(), np.ones(SIDE * SIDE)])


_MIDDLES = _middles()
"""The middles of the modules, row by row: shape (3, 441), the third row 1."""


def corners(poses: Poses) -> npt.NDArray[np.float64]:
    """Return the four corners (px) of codes, top left as printed, then clockwise: shape (n, 4, 2)."""
    square = np.array([[0, SIDE, SIDE, 0], [0, 0, SIDE, SIDE], [1, 1, 1, 1]], dtype=np.float64)
    return np.asarray((poses @ square).transpose(0, 2, 1))


def middles(poses: Poses) -> Points:
    """Return the centres (px) of codes, shape (n, 2)."""
    return np.asarray(poses @ np.array([SIDE / 2, SIDE / 2, 1.0]))


def pose_of(quad: npt.NDArray[np.floating]) -> Poses:
    """Return the pose, shape (1, 2, 3), that fits four corners (px, shape (4, 2)) best."""
    return poses_of_corners(quad[None])


def poses_of_corners(quads: npt.NDArray[np.floating]) -> Poses:
    """Return the poses, shape (n, 2, 3), that fit four corners each (px, shape (n, 4, 2)) best."""
    a, b, c, d = quads.transpose(1, 0, 2)
    across, down = (b - a + c - d) / (2 * SIDE), (d - a + c - b) / (2 * SIDE)
    start = (a + b + c + d) / 4 - SIDE / 2 * (across + down)
    return np.stack([across, down, start], axis=2)


def levels(gray: Gray, poses: Poses, spread: float = _SPREAD) -> Grids:
    """Return the gray levels of the 441 modules at these poses, shape (n, 441); outside, the picture's edge repeats."""
    return np.asarray(_at(gray, poses, *_around(spread)).sum(axis=1) / 4, dtype=np.float32)


@functools.cache
def _around(spread: float) -> tuple[tuple[float, float], ...]:
    return tuple((du, dv) for du in (-spread, spread) for dv in (-spread, spread))


@functools.cache
def _grid(offsets: tuple[tuple[float, float], ...]) -> Floats:
    """Return the modules' middles, moved by each of some offsets (modules): shape (3, offsets × 441)."""
    every = [_MIDDLES + np.array([[du], [dv], [0.0]]) for du, dv in offsets]
    return np.concatenate(every, axis=1).astype(np.float32)


def _at(gray: Gray, poses: Poses, *offsets: tuple[float, float]) -> Grids:
    """Return the modules' gray levels at some offsets (modules) from their middles: shape (n, offsets, 441)."""
    found = np.empty((len(poses), len(offsets), SIDE * SIDE), dtype=np.float32)
    # One call for all is fastest while they are few; of many at once the coordinates would not fit into the cache.
    together = len(offsets) if len(poses) < _FEW else 1
    plain = poses.astype(np.float32)
    for first in range(0, len(offsets), together):
        part = found[:, first : first + together]
        grid = _grid(offsets[first : first + together])
        # For many, numpy multiplies pose by pose, which no other thread joins in.
        points = (plain.reshape(-1, 3) @ grid).reshape(-1, 2, grid.shape[1]) if together > 1 else plain @ grid
        x, y = points[:, 0], points[:, 1]
        for i in range(0, len(poses), _REMAP_ROWS):
            rows = slice(i, i + _REMAP_ROWS)
            taken = cv2.remap(gray, x[rows], y[rows], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            part[rows] = taken.reshape(-1, together, SIDE * SIDE)
    return found


def inside(poses: Poses, gray: Gray, margin: float = 3.0) -> npt.NDArray[np.bool_]:
    """Return which codes lie in the picture, but for `margin` pixels."""
    if not len(poses):
        return np.zeros(0, dtype=np.bool_)
    every = corners(poses)
    limit = np.array([gray.shape[1], gray.shape[0]]) - 1 + margin
    return np.asarray(((every > -margin) & (every < limit)).all(axis=(1, 2)))


def refined(gray: Gray, poses: Poses, wanted: Floats, rounds: int = 3) -> Poses:
    """Return poses refined to agree with the `wanted` evened codes, (n, 441), by damped Gauss-Newton."""
    current = poses.copy()
    u = ((_MIDDLES[0] - SIDE / 2) / (SIDE / 2)).astype(np.float32)
    v = ((_MIDDLES[1] - SIDE / 2) / (SIDE / 2)).astype(np.float32)
    damping = np.diag([1.0, 1.0, 4.0, 4.0, 4.0, 4.0]).astype(np.float32)
    for _ in range(rounds):
        samples = _at(gray, current, *_around(_WIDE), *_CROSS)
        grids = samples[:, :4].sum(axis=1) / 4
        flat = evened(grids)
        size = np.maximum(np.sqrt((flat * flat).sum(axis=1, keepdims=True)), 1e-6)
        flat = flat / size
        gu = (samples[:, 4] - samples[:, 5]) / (2 * _STEP)
        gv = (samples[:, 6] - samples[:, 7]) / (2 * _STEP)
        # The slopes in the same units as the evened levels, as far as one factor a code can do that.
        unit = np.maximum(grids.std(axis=1, keepdims=True), 1.0) * size
        gu, gv = gu / unit, gv / unit
        slopes = np.stack([gu, gv, gu * u, gu * v, gv * u, gv * v], axis=1)
        fit = (flat * wanted).sum(axis=1, keepdims=True)
        left = np.maximum(fit, 0.2) * wanted - flat
        normal = slopes @ slopes.transpose(0, 2, 1)
        scale = np.trace(normal, axis1=1, axis2=2)[:, None, None] / 6
        step = np.linalg.solve(normal + 0.05 * scale * damping, slopes @ left[:, :, None])[..., 0]
        step = np.clip(step, -0.6, 0.6)
        # Steps are in modules: (du, dv) at the middle, and what they gain towards the sides.
        change = np.zeros((len(current), 3, 3))
        change[:, 0, 0], change[:, 0, 1] = step[:, 2] / (SIDE / 2), step[:, 3] / (SIDE / 2)
        change[:, 1, 0], change[:, 1, 1] = step[:, 4] / (SIDE / 2), step[:, 5] / (SIDE / 2)
        change[:, 0, 2] = step[:, 0] - step[:, 2] - step[:, 3]
        change[:, 1, 2] = step[:, 1] - step[:, 4] - step[:, 5]
        current = current @ (np.eye(3) + change)
    return current


def nudged(poses: Poses, module: float, reach: float, turn: float) -> Poses:
    """Return poses round each of these, (n × m, 2, 3): half-module steps to `reach` px, turns of 1.5° to `turn`."""
    steps = max(1, round(reach / (0.5 * module)))
    line = np.linspace(-reach, reach, 2 * steps + 1)
    turns = np.linspace(-turn, turn, 2 * round(turn / 1.5) + 1) if turn else np.zeros(1)
    centre = middles(poses)
    every = []
    for degrees in turns:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        rotation = np.array([[c, -s], [s, c]])
        turned = rotation @ poses
        turned[:, :, 2] += centre - centre @ rotation.T
        for dx in line:
            for dy in line:
                shifted = turned.copy()
                shifted[:, :, 2] += (dx, dy)
                every.append(shifted)
    return np.stack(every, axis=1).reshape(-1, 2, 3)
