"""A table without a mat: large markers laid anywhere on it, and where they lie, measured in one picture.

Each marker is a square of known side, and all lie in one plane. That fixes the lens, the camera's place, and the place
and turn of each marker, up to where the table's corner is: `measured` puts it round the markers, along the picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from companion.eye.geometry import ALL, ENOUGH, SPREAD, STARTS, USUAL, Matrix, Problem
from companion.eye.markers import MarkerFinder, Points
from companion.eye.mat import Marker, Mat
from companion.eye.view import Gray

DICTIONARY = "DICT_5X5_250"
IDS = tuple(range(244, 250))
"""The markers of the sheet: the last of the dictionary, of which mats use the first."""
SIDE = 60.0
"""Their side (mm)."""
PAPER = 10.0
"""Millimetres of white paper round each: with less, the paper's edge pulls at the corners as they are refined."""
RIM = 14.0
"""Millimetres of table that count round the outermost markers."""
_ASKEW = 20.0
"""Degrees by which the markers' own rectangle may be turned in the picture, and still be the table's edge."""
_TILTS, _WAYS = np.radians([0.0, 6.0, 12.0, 18.0, 24.0, 30.0, 36.0, 42.0]), 16
"""Tilts at which the search for the camera's place begins, and in how many directions."""
_TRIED = 3
"""How many of these beginnings are followed to their end."""
_WORST = 0.04
"""Share of its side by which a marker's corner may be off before the marker counts as not flat, or of another print."""


class Layout(msgspec.Struct, frozen=True):
    """Where loose markers lie: the rectangle round them (mm), and the markers in it.

    `bent` are those that don't look like flat squares of the size that the others have; they are left out.
    """

    w: float
    h: float
    markers: tuple[Marker, ...]
    bent: tuple[int, ...] = ()


class _Loose(Problem):
    """The fit with three more parameters for each marker but the first: its place (m) and turn beside the first's."""

    def __init__(self, around: Points, sides: Points, unit: float, turn: Matrix) -> None:
        super().__init__(around, np.zeros((len(around), 2)), unit, turn, USUAL, np.diag(SPREAD**2))
        self._squares = _SQUARE[None] * sides[:, None, None] / 2000

    def on_table(self, q: Points) -> Points:
        free = np.concatenate([np.zeros(3), q[ALL:]]).reshape(-1, 3)
        c, s = np.cos(free[:, 2]), np.sin(free[:, 2])
        turns = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
        flat = (self._squares @ turns + free[:, None, :2]).reshape(-1, 2)
        return np.column_stack([flat, np.zeros(len(flat))])


_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def measured(seen: Mapping[int, Points], sides: Mapping[int, float], size: tuple[int, int]) -> Layout | None:
    """Return where markers of known `sides` (mm) lie, from their corners (px) in a picture of `size` (w, h).

    None if fewer than four are seen, or no four of them fit together.
    """
    ids = sorted(seen.keys() & sides.keys())
    bent: list[int] = []
    while len(ids) >= ENOUGH:
        flat = _fitted(np.stack([seen[one] for one in ids]), np.array([sides[one] for one in ids]), size)
        if flat is None:
            return None
        squares, off = flat
        worst = int(np.argmax(off))
        if off[worst] <= _WORST:
            return _laid(ids, squares, [sides[one] for one in ids], tuple(bent))
        bent.append(ids.pop(worst))
    return None


def look(gray: Gray, scale: float = 1.0) -> Layout | None:
    """Return where the sheet's markers lie in a picture, if they were printed `scale` times as large as meant."""
    nothing = Mat("", "", 0, 0, DICTIONARY, (), (), (), 0, 0)
    sides = dict.fromkeys(IDS, SIDE * scale)
    return measured(MarkerFinder(nothing).find(gray), sides, (gray.shape[1], gray.shape[0]))


def _fitted(corners: Points, sides: Points, size: tuple[int, int]) -> tuple[Points, Points] | None:
    """Return the markers' corners on the table (mm; the picture's right is x), and by what share each is off."""
    unit = float(np.hypot(*size)) / 2
    around = (corners - (np.array(size) - 1) / 2) / unit
    best: tuple[float, Points, _Loose] | None = None
    for _, k1, focal, turn in _beginnings(around, sides)[:_TRIED]:
        rays = _seen_flat(around, k1, focal, turn)
        high = float(np.median(sides / _side(rays))) / 1000
        places, ways = high * rays.mean(axis=1), rays[:, 1] - rays[:, 0] + rays[:, 2] - rays[:, 3]
        angles = np.arctan2(ways[:, 1], ways[:, 0])
        c, s = math.cos(angles[0]), math.sin(angles[0])
        beside = (places - places[0]) @ np.array([[c, -s], [s, c]])
        # The first marker's own directions are the table's: its centre is the origin, its upper edge x.
        own = turn @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        start = np.concatenate([
            [*USUAL[:2], math.log(focal), k1, *USUAL[4:], 0.0, 0.0, 0.0],
            turn @ np.array([*places[0], high]),
            np.column_stack([beside, angles - angles[0]])[1:].ravel(),
        ])  # fmt: skip
        problem = _Loose(around.reshape(-1, 2), sides, unit, own)
        try:
            q, _, cost = problem.solve(start)
        except np.linalg.LinAlgError:
            continue
        if q[ALL - 1] > 0 and (best is None or cost < best[0]):
            best = cost, q, problem
    if best is None:
        return None
    _, q, problem = best
    right = problem.rotation(q).T @ np.array([1.0, 0.0, 0.0])
    c, s = np.array(right[:2]) / np.linalg.norm(right[:2])
    flat = problem.on_table(q)[:, :2] * 1000 @ np.array([[c, -s], [s, c]])
    scale = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2).mean(axis=1)
    off = np.linalg.norm(problem.away(q), axis=1).reshape(-1, 4).max(axis=1) / scale
    return flat.reshape(-1, 4, 2), off


def _beginnings(around: Points, sides: Points) -> list[tuple[float, float, float, Matrix]]:
    """Return lens (k1, focal length) and turn of the camera that make squares of the markers; the best first."""
    found = []
    for k1, focal in STARTS.items():
        best = (math.inf, k1, focal, np.eye(3))
        for tilt in _TILTS:
            for way in np.arange(_WAYS if tilt else 1) * 2 * math.pi / _WAYS:
                axis = tilt * np.array([math.cos(way), math.sin(way), 0.0])
                turn = np.asarray(cv2.Rodrigues(axis)[0])
                rays = _seen_flat(around, k1, focal, turn)
                lengths = np.log(_lengths(rays) / sides[:, None])
                if (uneven := float(lengths.std())) < best[0]:
                    best = uneven, k1, focal, turn
        found.append(best)
    return sorted(found, key=lambda one: one[0])


def _seen_flat(around: Points, k1: float, focal: float, turn: Matrix) -> Points:
    """Return where the rays through corners, shape (n, 4, 2), meet the table that is a unit away."""
    straight = around * (1 + k1 * (around**2).sum(axis=-1, keepdims=True)) / focal
    rays = np.concatenate([straight, np.ones((*straight.shape[:-1], 1))], axis=-1) @ turn
    flat: Points = rays[..., :2] / np.maximum(rays[..., 2:], 0.05)
    return flat


def _lengths(squares: Points) -> Points:
    """Return sides and diagonals (as sides), shape (n, 6)."""
    sides = np.linalg.norm(squares - np.roll(squares, -1, axis=1), axis=2)
    across = np.linalg.norm(squares[:, :2] - squares[:, 2:], axis=2) / math.sqrt(2)
    return np.concatenate([sides, across], axis=1)


def _side(squares: Points) -> Points:
    return np.asarray(_lengths(squares).mean(axis=1))


def _laid(ids: list[int], squares: Points, sides: list[float], bent: tuple[int, ...]) -> Layout:
    """Return the layout in the directions of the table's edge, as far as markers along it tell them."""
    # By their middles: how each is turned says nothing of the table.
    turned = (cv2.minAreaRect(squares.mean(axis=1).astype(np.float32))[2] + 45) % 90 - 45
    if abs(turned) <= _ASKEW:
        c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
        squares = squares @ np.array([[c, -s], [s, c]])
    low, high = squares.min(axis=(0, 1)) - RIM, squares.max(axis=(0, 1)) + RIM
    markers = []
    for number, square, side in zip(ids, squares, sides, strict=True):
        x, y = square.mean(axis=0) - low
        right = square[1] - square[0]
        turn = math.degrees(math.atan2(right[1], right[0])) % 360
        markers.append(Marker(number, round(float(x), 1), round(float(y), 1), side, round(turn, 2)))
    w, h = high - low
    return Layout(round(float(w), 1), round(float(h), 1), tuple(markers), bent)
