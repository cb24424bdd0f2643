"""Hands as capsules: what renders them and what tells which codes they hide work from the same shapes."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from companion.sim.table import Hand

Points = npt.NDArray[np.float64]

FINGERS = ((-27.0, -13.0), (-9.0, 0.0), (9.0, 2.0), (26.0, -10.0))
"""Each finger: how far to the side, and how much further than the fingertips it reaches (mm)."""
PALM = 78.0
"""Distance (mm) of the knuckles from the fingertips."""
CUFF = 190.0


class Capsule(msgspec.Struct, frozen=True):
    """A rounded stick between two points (x, y, z in mm): part of a hand, or of its sleeve."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    radius: float
    sleeve: bool = False


def capsules(hand: Hand) -> list[Capsule]:
    """Return the shapes of a hand that rests on its fingertips, and of its arm."""
    dx, dy = hand.x - hand.from_x, hand.y - hand.from_y
    long = math.hypot(dx, dy) or 1.0
    dx, dy = dx / long, dy / long

    def at(behind: float, across: float, z: float) -> tuple[float, float, float]:
        return hand.x - dx * behind - dy * across, hand.y - dy * behind + dx * across, z

    z = hand.z
    parts = []
    for across, further in FINGERS:
        middle = at(36 - further, across * 1.1, z + 11)
        parts += [
            Capsule(at(-further, across * 1.2, z), middle, 7.5),
            Capsule(middle, at(PALM, across, z + 14), 8.5),
        ]
    parts += [Capsule(at(52, -50, z), at(84, -40, z + 8), 8.5), Capsule(at(84, -40, z + 8), at(112, -20, z + 14), 11.0)]
    parts += [Capsule(at(PALM, across, z + 15), at(118, across * 0.8, z + 18), 14.0) for across in (-22.0, 0.0, 22.0)]
    parts.append(Capsule(at(112, 0, z + 20), at(CUFF, 0, z + 30), 25.0))
    parts.append(Capsule(at(CUFF + 15, 0, z + 32), at(max(CUFF + 20, long), 0, z + 70), 36.0, sleeve=True))
    return parts


def mesh(part: Capsule, around: int = 28, rings: int = 9) -> tuple[Points, npt.NDArray[np.uint32]]:
    """Return a capsule's corners, shape (n, 3), and its triangles, shape (m, 3)."""
    a, b = np.array(part.a), np.array(part.b)
    axis = (b - a) / (np.linalg.norm(b - a) or 1.0)
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    turn = np.linspace(0, 2 * math.pi, around, endpoint=False)
    circle = np.cos(turn)[:, None] * side + np.sin(turn)[:, None] * other
    lean = np.linspace(-math.pi / 2, math.pi / 2, 2 * rings)
    corners = np.concatenate(
        [
            (a if n < rings else b) + part.radius * (math.sin(one) * axis + math.cos(one) * circle)
            for n, one in enumerate(lean)
        ]
    )
    faces = []
    for ring in range(2 * rings - 1):
        for n in range(around):
            p, q = ring * around + n, ring * around + (n + 1) % around
            faces += [(p, q, p + around), (q, q + around, p + around)]
    return corners, np.array(faces, dtype=np.uint32)


def hides(parts: list[Capsule], points: Points, eye: tuple[float, float, float]) -> npt.NDArray[np.bool_]:
    """Tell of points (x, y, z in mm), shape (n, 3), whether a hand is between them and the eye."""
    hidden = np.zeros(len(points), dtype=np.bool_)
    way = np.array(eye) - points
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    for part in parts:
        start = np.array(part.a) - points
        start -= way * (start * way).sum(axis=1, keepdims=True)
        step = np.array(part.b) - np.array(part.a)
        across = step - way * (way @ step)[:, None]
        share = -(start * across).sum(axis=1) / np.maximum((across**2).sum(axis=1), 1e-9)
        nearest = start + np.clip(share, 0, 1)[:, None] * across
        hidden |= (nearest**2).sum(axis=1) < part.radius**2
    return hidden
