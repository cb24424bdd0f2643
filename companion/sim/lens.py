"""The simulated camera's optics: from millimetres on and over the mat to pixels, and back for the mat itself.

A pinhole hangs above the mat and looks down at it, a little askew, as people mount cameras. The lens then moves every
point: its distance r from the picture's centre, in half diagonals, is that of the ideal picture divided by 1 + k r².
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Mat

Points = npt.NDArray[np.floating[Any]]
"""Points of shape (n, 2)."""

_UNDO = 12
"""Rounds in which the lens is inverted: it has no closed inverse, and each round brings it a factor 30 nearer."""


class Pose(msgspec.Struct, frozen=True):
    """How the camera hangs: its foot and the point it looks at (mm from the mat's middle), its roll (degrees)."""

    foot_x: float = 12.0
    foot_y: float = 20.0
    aim_x: float = 2.0
    aim_y: float = -1.5
    roll: float = 0.35


STRAIGHT = Pose(0.0, 0.0, 0.0, 0.0, 0.0)
"""Exactly above the middle, exactly upright."""


class Lens:
    """The projection of one camera pose over one mat.

    The mat with a margin of 5 % fills a picture of `size` (width, height); `fov` is the horizontal angle of view in
    degrees, `k` the distortion. `scale` is pixels a millimetre in the middle.
    """

    def __init__(
        self, mat: Mat, size: tuple[int, int], pose: Pose = STRAIGHT, fov: float = 60.0, k: float = 0.0
    ) -> None:
        """Work out the projection."""
        self.size = size
        self.k = k
        self.scale = min(size[0] / (mat.w * 1.05), size[1] / (mat.h * 1.05))
        self._focal = size[0] / 2 / math.tan(math.radians(fov) / 2)
        distance = self._focal / self.scale
        middle = np.array([mat.w / 2, mat.h / 2, 0.0])
        # Depth counts downwards, so that x, y and depth are right-handed; the table is at depth 0.
        self._at = middle + np.array([pose.foot_x, pose.foot_y, -distance])
        forward = middle + np.array([pose.aim_x, pose.aim_y, 0.0]) - self._at
        forward /= np.linalg.norm(forward)
        roll = math.radians(pose.roll)
        right = np.array([math.cos(roll), math.sin(roll), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        self._turn = np.stack([right, np.cross(forward, right), forward])
        self._centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
        self._unit = math.hypot(*size) / 2

    def to_px(self, points: npt.ArrayLike, z: float = 0.0) -> Points:
        """Map points, shape (n, 2), in mm, `z` mm above the mat, to pixels (which may lie outside the picture)."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        seen = (np.column_stack([flat, np.full(len(flat), -z)]) - self._at) @ self._turn.T
        straight = seen[:, :2] / seen[:, 2:3] * self._focal / self._unit
        around = straight.copy()
        if self.k:
            for _ in range(_UNDO):
                around = straight / (1 + self.k * np.minimum((around**2).sum(axis=1, keepdims=True), 4.0))
        pixels: Points = around * self._unit + self._centre
        return pixels

    def enlarged(self, z: float) -> float:
        """Tell how many pixels a millimetre has, `z` mm above the mat."""
        distance = -float(self._at[2])
        return self.scale * distance / max(1.0, distance - z)

    def ground(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Give the point of the mat (x and y in mm, each of the picture's shape) that every pixel shows."""
        u = (np.arange(self.size[0]) - self._centre[0]) / self._unit
        v = (np.arange(self.size[1]) - self._centre[1]) / self._unit
        r2 = (u**2)[None, :] + (v**2)[:, None]
        factor = (1 + self.k * r2) * self._unit / self._focal
        x, y = u[None, :] * factor, v[:, None] * factor
        ray = [x * self._turn[0, i] + y * self._turn[1, i] + self._turn[2, i] for i in range(3)]
        far = -self._at[2] / ray[2]
        return (
            (self._at[0] + ray[0] * far).astype(np.float32),
            (self._at[1] + ray[1] * far).astype(np.float32),
        )
