"""Examines what may be the top of a die: whether each of its nine places has a pip, and each side an edge."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.pips import APART, FINE, LARGEST, PATTERNS, SITES, SMALLEST, Floats, Pose, Spot, places_of

_GRID = 31
_REACH = 1.5
"""How far from its middle a face is sampled, in distances of a corner pip along the sides."""

_SOFT = 0.12
"""How soft a pip's rim is, in the same unit."""

_WHITE = 246.0
"""Gray level from which light may have wiped out what was there."""

_SCALES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35)
"""Sizes of a pip that are tried, as shares of its spot's size."""

_SQUEEZES = (0.9, 0.82)
"""Foreshortening of a leaning face along one axis: by 25 degrees, and by 35."""

_NEAR, _FAR, _STEP = 4.6, 11.2, 0.15
_DISTANCES = np.arange(_NEAR, _FAR, _STEP)
_ALONG = np.linspace(-0.33, 0.33, 12)
_SIDES = np.arange(SMALLEST, LARGEST + 0.1, 0.25)
_WINDOWS = np.abs(_DISTANCES[None, :] - _SIDES[:, None] / 2) <= 0.35 + 0.012 * _SIDES[:, None]
"""For each side of a die, the distances from its middle at which its edges may be seen."""
_TURNS = np.radians(np.arange(0, 90, 3.0))
"""Turns that are tried for a die whose pips don't show its turn."""


class Face(NamedTuple):
    """The result of examining a pose.

    `value` is None if its pips make no pattern. `fit` is the share of the face's spread that pips and light explain;
    `weakest` the faintest pip, `stray` the strongest of what are no pips, both in pips; `contrast` a pip's in gray
    levels; `side` (mm) and `edges`, how strong each edge is (gray levels a mm), come from the outline.
    """

    pose: Pose
    value: int | None
    fit: float
    weakest: float
    stray: float
    contrast: float
    side: float
    edges: tuple[float, float, float, float]
    radius: float
    """A pip's radius (mm) as it fits best."""
    burnt: bool
    """Whether a mirrored lamp may have wiped out a pip, or made one."""
    askew: float = 0.0
    """Share of the unexplained rest that is explained if the face is taken as leaning: 0 nothing, 1 all."""


class Faces:
    """Examines faces in one straightened tray."""

    def __init__(self, flat: Floats) -> None:
        """Prepare the tray's slopes."""
        self._flat = flat
        soft = cv2.GaussianBlur(flat, (0, 0), 0.28 * FINE)
        self._gx = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=FINE / 8), np.float32)
        self._gy = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=FINE / 8), np.float32)

    def steep(self) -> Floats:
        """Return the gradient everywhere in the tray (gray levels a mm)."""
        return np.asarray(cv2.magnitude(self._gx, self._gy), np.float32)

    def look(self, pose: Pose) -> Face:
        """Examine a face whose pose is known from its pips."""
        bounds = (pose.apart / APART[1], pose.apart / APART[0])
        _, side, edges = self._outline(pose.x, pose.y, np.array([pose.turn]), bounds)
        return self._judged(pose, side, edges)

    def single(self, spot: Spot) -> Face:
        """Examine what may be a one: its turn and size come from its outline."""
        bounds = (spot.radius / 0.26, spot.radius / 0.07)
        turn, side, edges = self._outline(spot.x, spot.y, _TURNS, bounds)
        return self._judged(Pose(spot.x, spot.y, turn, 0.26 * side, spot.radius, 1), side, edges)

    def askew(self, face: Face) -> float:
        """Return how much of what is left unexplained of a face goes if it is squeezed along a side or a diagonal."""
        pose = face.pose
        plain, least = _explained(self._sampled(pose), pose)[0], math.inf
        for squeeze in _SQUEEZES:
            for wider in (1.0, 1 / math.sqrt(squeeze)):
                same = pose._replace(apart=pose.apart * wider)
                for eighth in range(4):
                    seen = self._sampled(same, eighth * math.pi / 4, squeeze)
                    least = min(least, _explained(seen, same)[0])
        return max(0.0, 1 - least / max(plain, 1e-9))

    def _outline(
        self, x: float, y: float, turns: npt.NDArray[np.float64], bounds: tuple[float, float]
    ) -> tuple[float, float, tuple[float, float, float, float]]:
        """Find the square round a middle whose edges are strongest: its turn, its side, and how strong each edge is."""
        ways = (turns[:, None] + np.arange(4) * math.pi / 2).ravel()
        out = np.stack([np.cos(ways), np.sin(ways)], axis=1)
        across = np.stack([-out[:, 1], out[:, 0]], axis=1)
        # shape (ways, distances, along, 2)
        at = (
            np.array([x, y])
            + out[:, None, None] * _DISTANCES[None, :, None, None]
            + across[:, None, None] * (2 * _DISTANCES[:, None] * _ALONG[None, :])[None, :, :, None]
        )
        px = (at * FINE - 0.5).astype(np.float32).reshape(len(ways) * len(_DISTANCES), len(_ALONG), 2)
        shape = (len(ways), len(_DISTANCES), len(_ALONG))
        gx = cv2.remap(self._gx, px[..., 0], px[..., 1], cv2.INTER_LINEAR).reshape(shape)
        gy = cv2.remap(self._gy, px[..., 0], px[..., 1], cv2.INTER_LINEAR).reshape(shape)
        slope = gx * out[:, 0, None, None] + gy * out[:, 1, None, None]
        aside = gx * across[:, 0, None, None] + gy * across[:, 1, None, None]
        # A neighbour may touch a part of an edge only: a third of it has one sign. What runs aslant is no edge of it.
        thirds = [np.abs(slopes.reshape(*shape[:2], 3, -1).mean(axis=3)) for slopes in (slope, aside)]
        strength = np.maximum(thirds[0] - thirds[1], 0.0).mean(axis=2)
        # shape (turns, four edges, sides)
        edges = np.where(_WINDOWS, strength[:, None], 0.0).max(axis=2).reshape(len(turns), 4, len(_SIDES))
        score = np.sqrt(edges).sum(axis=1) + np.sqrt(edges.min(axis=1))
        score[:, (bounds[0] - 0.13 > _SIDES) | (bounds[1] + 0.13 < _SIDES)] = -1.0
        turn, side = np.unravel_index(int(score.argmax()), score.shape)
        four = edges[turn, :, side]
        return float(turns[turn]), float(_SIDES[side]), (float(four[0]), float(four[1]), float(four[2]), float(four[3]))

    def _sampled(self, pose: Pose, axis: float = 0.0, squeeze: float = 1.0) -> npt.NDArray[np.float64]:
        """Return the gray levels of a face on a grid, one that is squeezed along an axis (radians from a side)."""
        line = np.linspace(-_REACH, _REACH, _GRID) * pose.apart
        u, v = np.meshgrid(line, line)
        less = (squeeze - 1) * (u * math.cos(axis) + v * math.sin(axis))
        u, v = u + less * math.cos(axis), v + less * math.sin(axis)
        c, s = math.cos(pose.turn), math.sin(pose.turn)
        px = (
            ((pose.x + u * c - v * s) * FINE - 0.5).astype(np.float32),
            ((pose.y + u * s + v * c) * FINE - 0.5).astype(np.float32),
        )
        seen = cv2.remap(self._flat, *px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen.ravel(), np.float64)

    def _judged(self, pose: Pose, side: float, edges: tuple[float, float, float, float]) -> Face:
        seen = self._sampled(pose)
        share, pips, radius = _explained(seen, pose)
        main = float(np.median(pips[list(places_of(pose.value))]))
        shares = pips / main if abs(main) > 1e-6 else np.zeros(9)
        there = tuple(int(k) for k in np.flatnonzero(shares > 0.5))
        value = next((v for p, v in PATTERNS.items() if set(p) == set(there)), None)
        absent = [abs(shares[k]) for k in range(9) if k not in there]
        weakest = float(min((shares[k] / shares[list(there)].max() for k in there), default=0.0))
        return Face(
            pose,
            value,
            1 - share,
            weakest,
            float(max(absent, default=0.0)),
            main,
            side,
            edges,
            radius * pose.apart,
            _burnt(seen, there, main),
        )


def _explained(seen: npt.NDArray[np.float64], pose: Pose) -> tuple[float, npt.NDArray[Any], float]:
    """Return what share of a face's spread is left by the pips that fit best, these pips, and their radius."""
    best: tuple[float, npt.NDArray[Any], float] | None = None
    for scale in _SCALES:
        radius = round(min(0.95, max(0.22, pose.radius * scale / pose.apart)) * 25) / 25
        columns, solve = _design(radius, pose.value == 1)
        weights = solve @ seen
        left = float(((seen - columns @ weights) ** 2).sum())
        if best is None or left < best[0]:
            best = left, weights[6:], radius
    assert best is not None  # noqa: S101
    columns, _ = _design(0.4, False)
    plain = float(((seen - columns[:, :6] @ (_light() @ seen)) ** 2).sum())
    return best[0] / max(plain, 1e-9), best[1], best[2]


def _burnt(seen: npt.NDArray[np.float64], there: tuple[int, ...], contrast: float) -> bool:
    """Return whether a place without a dark pip is burnt out, or only some of the bright pips are."""
    line = np.linspace(-_REACH, _REACH, _GRID)
    u, v = (axis.ravel() for axis in np.meshgrid(line, line))
    levels = [float(seen[np.hypot(u - x, v - y) < 0.32].mean()) for x, y in SITES]
    absent = [level for place, level in enumerate(levels) if place not in there]
    present = [levels[place] for place in there] or [0.0]
    if contrast < 0:
        return max(absent, default=0.0) >= _WHITE
    return max(present) >= _WHITE and min(present) < _WHITE - 10


@lru_cache(maxsize=1)
def _light() -> npt.NDArray[np.float64]:
    columns, _ = _design(0.4, False)
    return np.asarray(np.linalg.pinv(columns[:, :6]))


@lru_cache(maxsize=128)
def _design(radius: float, single: bool) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return what a face can look like: light in six shapes, a pip at each of nine places; and what solves for them."""
    line = np.linspace(-_REACH, _REACH, _GRID)
    u, v = (axis.ravel() for axis in np.meshgrid(line, line))
    columns = [np.ones_like(u), u, v, u * u, v * v, u * v]
    for number, (x, y) in enumerate(SITES):
        wide = min(radius, 0.42) if single and number != 4 else radius
        away = np.hypot(u - x, v - y)
        columns.append(0.5 - 0.5 * np.tanh((away - wide) / _SOFT))
    matrix = np.stack(columns, axis=1)
    return matrix, np.asarray(np.linalg.pinv(matrix))
