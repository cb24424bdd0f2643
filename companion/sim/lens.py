"""The simulated camera's optics: from millimetres on and over the mat to pixels, and back for the mat itself.

A pinhole looks down, more or less askew; the lens then divides each point's distance r from its centre, in half
diagonals, by 1 + k r² + k2 r⁴.
"""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Mat

Points = npt.NDArray[np.floating]
"""Points of shape (n, 2)."""

Map = npt.NDArray[np.float32]
"""A number for every pixel of a picture."""

_COARSE = 8
"""Pixels between two places at which it is worked out what the picture shows."""

_UNDO = 8
"""Rounds of Newton's method in which the lens is inverted: it has no closed inverse."""

_ASKEW = 5.0
"""A camera turned or tilted by more degrees hangs as far away as it must for the whole mat to be in the picture."""


class Pose(msgspec.Struct, frozen=True):
    """How the camera hangs: its foot and the point it looks at (mm from where it was mounted), its roll (degrees).

    It was mounted `tilt` degrees (0 to 35) from the vertical, on the side `azimuth` of the mat's middle (0 right, 90
    towards the lower edge). The mat with `room` around it (1.05: 5 % of its size) fills the picture. `push_x`, `push_y`
    (mm) and `push_turn` (degrees) are how far the mat was pushed along the table since.
    """

    foot_x: float = 12.0
    foot_y: float = 20.0
    aim_x: float = 2.0
    aim_y: float = -1.5
    roll: float = 0.35
    tilt: float = 0.0
    azimuth: float = 90.0
    room: float = 1.05
    push_x: float = 0.0
    push_y: float = 0.0
    push_turn: float = 0.0


STRAIGHT = Pose(0.0, 0.0, 0.0, 0.0, 0.0)
"""Exactly above the middle, exactly upright."""


class Glass(msgspec.Struct, frozen=True):
    """A lens: its view along the longer side (degrees), distortion, and centre (px of a 2304-pixel wide picture)."""

    fov: float = 60.0
    k: float = 0.012
    k2: float = 0.0
    off_x: float = 0.0
    off_y: float = 0.0


PLAIN = Glass()
WEBCAM = Glass(78.0, 0.05, 0.01, 9.0, -6.0)
WIDE = Glass(102.0, 0.10, 0.03, -12.0, 8.0)
FISHEYE = Glass(118.0, 0.33, 0.22, 8.0, 10.0)
GLASSES = {"plain": PLAIN, "webcam": WEBCAM, "wide": WIDE, "fisheye": FISHEYE}
"""Lenses by name: a phone's, a cheap webcam's, the Pi's wide camera, an action camera's."""


class Lens:
    """The projection of one camera pose over one mat. `scale` is pixels a millimetre in the mat's middle."""

    def __init__(self, mat: Mat, size: tuple[int, int], pose: Pose = STRAIGHT, glass: Glass = PLAIN) -> None:
        self.size = size
        self._glass = glass
        self._focal = max(size) / 2 / math.tan(math.radians(glass.fov) / 2)
        shift = np.array([glass.off_x, glass.off_y]) * max(size) / 2304
        self._centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) + shift
        self._unit = math.hypot(*size) / 2
        # The angle up to which the lens shows anything: what is further out would come back in.
        self._widest = 1.3 * (1 + glass.k * 1.69 + glass.k2 * 1.69**2)
        turn = math.radians(pose.push_turn)
        self._push = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        self._middle = np.array([mat.w / 2, mat.h / 2])
        self._pushed = np.array([pose.push_x, pose.push_y])
        self._hang(mat, pose)
        self.scale = self.scale_at(mat.w / 2, mat.h / 2)

    def _hang(self, mat: Mat, pose: Pose) -> None:
        upright = min(self.size[0] / mat.w, self.size[1] / mat.h) / pose.room
        if abs(pose.tilt) < 1e-9 and abs(pose.roll) < _ASKEW:
            at, aim = np.array([*self._middle, -self._focal / upright]), self._middle
        else:
            at, aim = self._far_enough(mat, pose)
        self._at = at + np.array([pose.foot_x, pose.foot_y, 0.0])
        self._look(aim + np.array([pose.aim_x, pose.aim_y]), pose.roll)

    def _look(self, aim: Points, roll: float) -> None:
        # Depth counts downwards, so that x, y and depth are right-handed; the table is at depth 0.
        forward = np.array([*aim, 0.0]) - self._at
        forward /= np.linalg.norm(forward)
        right = np.array([math.cos(math.radians(roll)), math.sin(math.radians(roll)), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        self._turn = np.stack([right, np.cross(forward, right), forward])

    def _far_enough(self, mat: Mat, pose: Pose) -> tuple[Points, Points]:
        """Find how near a tilted camera can hang, and where it must look, for the whole mat to be in the picture."""
        tilt, side = math.radians(pose.tilt), math.radians(pose.azimuth)
        way = np.array([math.sin(tilt) * math.cos(side), math.sin(tilt) * math.sin(side), -math.cos(tilt)])
        grid = (np.stack(np.meshgrid([0, 0.5, 1], [0, 0.5, 1]), axis=-1).reshape(-1, 2) - 0.5) * pose.room + 0.5
        edge = grid * (mat.w, mat.h) - self._middle
        low, high = 0.1 * mat.w, 20 * mat.w
        aim = self._middle
        roll = round(pose.roll)  # a bump turns it a little; that must not change the distance
        for last in [False] * 30 + [True]:
            far = high if last else math.sqrt(low * high)
            self._at = np.array([*self._middle, 0.0]) + far * way
            aim = self._middle
            for _ in range(4):
                self._look(aim, roll)
                px = self._seen(np.column_stack([edge + self._middle, np.zeros(len(edge))]))
                off = (px.min(axis=0) + px.max(axis=0)) / 2 - (np.array(self.size) - 1) / 2
                ray = self._turn.T @ np.array([*(off / self._focal), 1.0])
                if ray[2] < 0.1:
                    break
                aim = self._at[:2] - ray[:2] / ray[2] * self._at[2]
            fits = bool((px >= 0).all() and (px <= np.array(self.size) - 1).all())
            low, high = (low, far) if fits else (far, high)
        return self._at, aim

    def to_px(self, points: npt.ArrayLike, z: float | Points = 0.0) -> Points:
        """Map points, shape (n, 2), in mm, `z` mm above the mat (all, or each), to pixels, maybe beyond the picture."""
        flat = (np.asarray(points, dtype=np.float64).reshape(-1, 2) - self._middle) @ self._push.T
        flat = flat + self._middle + self._pushed
        return self._seen(np.column_stack([flat, np.broadcast_to(np.negative(z), len(flat))]))

    def _seen(self, points: Points) -> Points:
        seen = (points - self._at) @ self._turn.T
        straight = seen[:, :2] / np.maximum(seen[:, 2:3], 1.0) * self._focal / self._unit
        goal = np.sqrt((straight**2).sum(axis=1, keepdims=True))
        r = np.minimum(goal, 1.3)
        k, k2 = self._glass.k, self._glass.k2
        for _ in range(_UNDO if k or k2 else 0):
            r2 = r * r
            r = np.clip(r - (r * (1 + k * r2 + k2 * r2**2) - goal) / (1 + 3 * k * r2 + 5 * k2 * r2**2), 0, 1.3)
        bent = np.where(goal > self._widest, 1.3 + goal - self._widest, r) if k or k2 else goal
        pixels: Points = straight * (bent / np.maximum(goal, 1e-12)) * self._unit + self._centre
        return pixels

    def at(self) -> tuple[float, float, float]:
        """Return where the camera hangs: mm on the mat as it was laid out, and mm above it."""
        x, y, depth = self._at.tolist()
        return x, y, -depth

    def scale_at(self, x: float, y: float, z: float = 0.0) -> float:
        """Return how many pixels a millimetre has at a place, `z` mm above the mat: the mean of all directions."""
        right, down = self.scales(x, y, z)
        return float(math.sqrt(abs(right[0] * down[1] - right[1] * down[0])))

    def scales(self, x: float, y: float, z: float = 0.0, turn: float = 0.0) -> Points:
        """Return what a millimetre to the right and one down are in px at a turned place (degrees); shape (2, 2)."""
        c, s = math.cos(math.radians(turn)) / 2, math.sin(math.radians(turn)) / 2
        at = self.to_px([(x - c, y - s), (x + c, y + s), (x + s, y - c), (x - s, y + c)], z)
        both: Points = np.stack([at[1] - at[0], at[3] - at[2]])
        return both

    def scales_of(self, points: npt.ArrayLike, z: Points) -> Points:
        """Return how many pixels a millimetre has at each of some points, shape (n, 2), each so high above the mat."""
        at = np.asarray(points, dtype=np.float64)
        half = 0.5 * np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
        around = self.to_px((at[:, None] + half).reshape(-1, 2), np.repeat(z, 4)).reshape(-1, 4, 2)
        right, down = around[:, 2] - around[:, 0], around[:, 3] - around[:, 1]
        scales: Points = np.sqrt(np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))
        return scales

    def ground(self) -> tuple[Map, Map]:
        """Return each pixel's point of the mat (x and y in mm, of the picture's shape); far above the horizon."""
        return self.on_mat(*self.table())

    def on_mat(self, x: Map, y: Map) -> tuple[Map, Map]:
        """Return points of the table as points of the mat, wherever that was pushed."""
        if not self._pushed.any() and self._push[0, 0] == 1.0:
            return x, y
        (a, b), (c, d) = self._push.astype(np.float32)
        left, top = np.float32(self._middle[0] + self._pushed[0]), np.float32(self._middle[1] + self._pushed[1])
        x, y = x - left, y - top
        middle = self._middle.astype(np.float32)
        return a * x + c * y + middle[0], b * x + d * y + middle[1]

    def table(self) -> tuple[Map, Map]:
        """Return every pixel's point of the table, in the unpushed mat's mm, interpolated between `_COARSE` pixels."""
        wide, high = (-(-side // _COARSE) + 2 for side in self.size)
        few = [(np.arange(count) - 1) * _COARSE + (_COARSE - 1) / 2 for count in (wide, high)]
        u, v = ((places - self._centre[i]) / self._unit for i, places in enumerate(few))
        r2 = (u**2)[None, :] + (v**2)[:, None]
        factor = (1 + self._glass.k * r2 + self._glass.k2 * r2**2) * self._unit / self._focal
        x, y = u[None, :] * factor, v[:, None] * factor
        ray = [x * self._turn[0, i] + y * self._turn[1, i] + self._turn[2, i] for i in range(3)]
        far = -self._at[2] / np.maximum(ray[2], 0.02)
        return self._every(self._at[0] + ray[0] * far), self._every(self._at[1] + ray[1] * far)

    def _every(self, few: Points) -> Map:
        """Return for every pixel what is known at every `_COARSE`-th one, and one more all round."""
        size = few.shape[1] * _COARSE, few.shape[0] * _COARSE
        whole = np.asarray(cv2.resize(few.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), np.float32)
        return whole[_COARSE : _COARSE + self.size[1], _COARSE : _COARSE + self.size[0]]
