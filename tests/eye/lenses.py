"""Real lenses and how cameras stand, made independently of the eye's own model: OpenCV's projection is the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.eye.mat import Mat


@dataclass(frozen=True)
class RealCamera:
    """A camera over a mat: Brown's lens model (k1, k2, p1, p2), or a fisheye's; its centre off by some pixels.

    It stands `tilt` degrees from the vertical above the mat's middle, on the side `azimuth` (0: the mat's right, 90:
    its lower edge), `roll` degrees turned round its axis, as near as the mat with 5 % margin allows.
    """

    mat: Mat
    size: tuple[int, int] = (2304, 1296)
    fov: float = 66.0
    tilt: float = 0.0
    azimuth: float = 0.0
    roll: float = 0.0
    bend: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    off: tuple[float, float] = (0.0, 0.0)
    fisheye: bool = False

    @property
    def focal(self) -> float:
        half = math.radians(self.fov) / 2
        return max(self.size) / 2 / (half if self.fisheye else math.tan(half))

    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the camera is (mm; z up) and how it is turned (rows: right, down, forward)."""
        mat = self.mat
        edge = np.array([[x, y] for x in (-0.025, 0.5, 1.025) for y in (-0.025, 0.5, 1.025)]) * (mat.w, mat.h)
        low, high = 50.0, 8000.0
        for _ in range(40):
            distance = math.sqrt(low * high)
            at, turn = self._stand(distance, np.array([mat.w / 2, mat.h / 2]))
            for _ in range(4):  # aim so that the mat is in the middle of the picture, not its middle point
                px = self.project(edge, 0.0, at, turn)
                middle = (px.min(axis=0) + px.max(axis=0)) / 2 - np.array(self.size) / 2
                ray = turn.T @ np.array([*(middle / self.focal), 1.0])
                if ray[2] > -0.05:
                    break
                target = at[:2] - ray[:2] / ray[2] * at[2]
                turn = self._look(at, target)
            px = self.project(edge, 0.0, at, turn)
            fits = (px >= 0).all() and (px <= np.array(self.size)).all()
            low, high = (low, distance) if fits else (distance, high)
        at, turn = self._stand(high, np.array([mat.w / 2, mat.h / 2]))
        for _ in range(4):
            px = self.project(edge, 0.0, at, turn)
            middle = (px.min(axis=0) + px.max(axis=0)) / 2 - np.array(self.size) / 2
            ray = turn.T @ np.array([*(middle / self.focal), 1.0])
            turn = self._look(at, at[:2] - ray[:2] / ray[2] * at[2])
        return at, turn

    def _stand(self, distance: float, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        t, a = math.radians(self.tilt), math.radians(self.azimuth)
        side = np.array([math.cos(a), math.sin(a)]) * math.sin(t) * distance
        at = np.array([*(target + side), math.cos(t) * distance])
        return at, self._look(at, target)

    def _look(self, at: np.ndarray, target: np.ndarray) -> np.ndarray:
        forward = np.array([*target, 0.0]) - at
        forward /= np.linalg.norm(forward)
        r = math.radians(self.roll)
        right = np.array([math.cos(r), math.sin(r), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        # Height counts upwards but y downwards: the mat's directions are left-handed.
        down = -np.cross(forward, right)
        return np.stack([right, down, forward])

    def project(self, mm: np.ndarray, z: float, at: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Where points (mm, shape (n, 2)) at a height show in the picture of a camera that is there, turned so."""
        seen = (np.column_stack([mm, np.full(len(mm), z)]) - at) @ turn.T
        f, (wide, high) = self.focal, self.size
        camera = np.array([[f, 0, (wide - 1) / 2 + self.off[0]], [0, f, (high - 1) / 2 + self.off[1]], [0, 0, 1.0]])
        points = seen.reshape(-1, 1, 3)
        if self.fisheye:
            px, _ = cv2.fisheye.projectPoints(points, np.zeros(3), np.zeros(3), camera, np.array(self.bend))
        else:
            px, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), camera, np.array(self.bend))
        return px.reshape(-1, 2)
