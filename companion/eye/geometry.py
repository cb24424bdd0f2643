"""From pixels to millimetres and back: the lens, the camera's place above the mat, and the effect of height.

The model: a pixel, measured from the lens's centre in units of half the picture's diagonal, is moved outwards or
inwards by the factor 1 + k1 r² + k2 r⁴ + k3 r⁶ + k4 r⁸ (r its distance from there), and a little sideways (p1, p2, as
in Brown's model) if the lens sits askew. That takes the distortion away; what is left is a pinhole of focal length f
(same unit) at some place above the mat, turned somehow. `calibrate` estimates all of it from the markers. What they
leave open (the focal length, when the camera looks straight down) is filled in with what lenses are like, and the
doubt that remains is known.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.markers import ENOUGH, MarkerFinder, Points, corners_mm, marker_trouble
from companion.eye.mat import Mat

__all__ = ["ENOUGH", "Calibration", "MarkerFinder", "Points", "calibrate", "corners_mm", "marker_trouble"]

Matrix = npt.NDArray[np.floating]

LENS = 9
"""Parameters that belong to the lens: its centre (x, y), the logarithm of the focal length, k1 to k4, p1, p2."""

ALL = LENS + 6

USUAL = np.array([0.0, 0.0, math.log(1.3), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
SPREAD = np.array([0.02, 0.02, 0.6, 0.45, 0.3, 0.12, 0.05, 0.003, 0.003])
"""What lenses are like: 60 to 120 degrees wide, centred to a hundredth of the picture, barrel or cushion."""

STARTS = {0.0: 1.3, 0.15: 0.85, 0.35: 0.65, 0.65: 0.55, -0.12: 1.6}
"""Values of k1 from which the search begins, with the focal length of such a lens: plain, wide ones, fisheye, long."""

_WRONG_MM = 12.0
"""A marker this far from where the others put it (before the lens is known) is not believed."""

_NOISE = 0.15
"""Least error of a marker's corner in pixels, whatever the fit says."""

_HONEST = 3.0
"""A lens is no polynomial: what the corners' scatter alone says of the camera's place is too good by this factor."""

_FAR = 1e6
_STEP = 1e-6


class Calibration:
    """How the camera sees the mat at one moment. Made by `calibrate`; never changed.

    `size` is the picture's (width, height); `error` the root mean square distance, in pixels, between where the markers
    are seen and where the model puts them; `markers` the ids it rests on.
    """

    def __init__(
        self,
        size: tuple[int, int],
        homography: Matrix,
        k: tuple[float, ...] = (),
        centre: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Take the homography from straightened, centred, unit-free pixels to mm, and what is known of the lens.

        `k` is (k1, k2, k3, k4, p1, p2) or fewer; `centre` is the lens's, in half diagonals from the picture's middle.
        """
        self.size = size
        self.k = (*k, *[0.0] * 6)[:6]
        self.error = 0.0
        self.markers: frozenset[int] = frozenset()
        self._homography = homography / homography[2, 2]
        self._inverse = np.linalg.inv(homography)
        self._unit = float(np.hypot(*size)) / 2
        self._centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) + self._unit * np.array(centre)
        # The sign that points before the camera have: those behind it are nowhere in the picture.
        self._ahead = float(np.sign(np.linalg.det(self._inverse[:2, :2])) or 1.0)
        middle = _homogeneous(self._homography, np.zeros((1, 2)))[0]
        self._ahead = float(np.sign((self._inverse @ np.array([*(middle[:2] / middle[2]), 1.0]))[2]) or 1.0)
        self._limit = _limit(self.k)
        self._camera: Points | None = None
        self._camera_error: Points | None = None
        self._turn: Matrix = np.eye(3)
        self._lens: tuple[Points, Matrix] | None = None

    def to_mm(self, points: npt.ArrayLike, z: float = 0.0) -> Points:
        """Map pixels, shape (n, 2), to mm on the mat, or `z` mm above it, which needs `camera_mm` to have an effect."""
        around = (np.asarray(points, dtype=np.float64).reshape(-1, 2) - self._centre) / self._unit
        flat = _project(self._homography, _straightened(around, self.k, self._limit))
        if z and self._camera is not None:
            flat = flat + (self._camera[:2] - flat) * (z / self._camera[2])
        return flat

    def to_px(self, points: npt.ArrayLike, z: float = 0.0) -> Points:
        """Map mm on the mat (or `z` mm above it), shape (n, 2), to pixels, which may lie outside the picture."""
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        if z and self._camera is not None:
            flat = flat + (flat - self._camera[:2]) * (z / max(1.0, self._camera[2] - z))
        there = _homogeneous(self._inverse, flat)
        depth = np.maximum(there[:, 2:3] * self._ahead, 1e-9)
        straight = np.clip(there[:, :2] * self._ahead / depth, -_FAR, _FAR)
        pixels: Points = _bent(straight, self.k, self._limit) * self._unit + self._centre
        return pixels

    def px_per_mm(self, x: float, y: float) -> float:
        """Return how many pixels a millimetre has at a place on the mat: the geometric mean of all directions."""
        return float(np.sqrt(abs(np.linalg.det(self._slopes(x, y)))))

    def module_px(self, x: float, y: float, size_mm: float, z: float = 0.0) -> tuple[float, float]:
        """Return a version-1 module (a 21st of `size_mm`) in px: in its most foreshortened direction, and across."""
        low, high = sorted(np.linalg.svd(self._slopes(x, y, z), compute_uv=False) * size_mm / 21)
        return float(low), float(high)

    def _slopes(self, x: float, y: float, z: float = 0.0) -> Matrix:
        at = self.to_px([(x - 0.5, y), (x + 0.5, y), (x, y - 0.5), (x, y + 0.5)], z)
        slopes: Matrix = np.stack([at[1] - at[0], at[3] - at[2]], axis=1)
        return slopes

    def camera_mm(self) -> tuple[float, float, float] | None:
        """Return where the camera is: x and y on the mat, z its height above it (mm). None if that is not known."""
        if self._camera is None:
            return None
        x, y, z = self._camera
        return float(x), float(y), float(z)

    def camera_error_mm(self) -> tuple[float, float, float] | None:
        """Return the standard deviations of `camera_mm`; from straight above the height is uncertain."""
        if self._camera_error is None:
            return None
        x, y, z = self._camera_error
        return float(x), float(y), float(z)

    def tilt(self) -> float:
        """Return the angle (degrees) between the camera's axis and the vertical; 0 if it is not known."""
        return math.degrees(math.acos(min(1.0, abs(float(self._turn[2, 2])))))

    def off_by(self, seen: dict[int, Points], mat: Mat) -> float:
        """Return the median distance (px) of markers seen now from where this calibration expects them."""
        away = [
            np.linalg.norm(expected - seen[number], axis=1)
            for number, expected in self.marker_corners(mat).items()
            if number in seen
        ]
        return float(np.median(np.concatenate(away))) if away else 0.0

    def marker_corners(self, mat: Mat) -> dict[int, Points]:
        """Return where it expects the corners (px, shape (4, 2)) of each of a mat's markers."""
        corners = self.to_px(np.concatenate([corners_mm(marker) for marker in mat.markers])).reshape(-1, 4, 2)
        return {marker.id: square for marker, square in zip(mat.markers, corners, strict=True)}


def _homogeneous(matrix: Matrix, points: Points) -> Points:
    around: Points = points @ matrix[:, :2].T + matrix[:, 2]
    return around


def _project(matrix: Matrix, points: Points) -> Points:
    around = _homogeneous(matrix, points)
    flat: Points = around[:, :2] / around[:, 2:3]
    return flat


def _factor(r2: Points, k: tuple[float, ...]) -> Points:
    grown: Points = 1 + r2 * (k[0] + r2 * (k[1] + r2 * (k[2] + r2 * k[3])))
    return grown


def _slope(r2: Points, k: tuple[float, ...]) -> Points:
    """Return the derivative of the straightened distance by the distance."""
    grown: Points = 1 + r2 * (3 * k[0] + r2 * (5 * k[1] + r2 * (7 * k[2] + r2 * 9 * k[3])))
    return grown


def _sideways(around: Points, r2: Points, k: tuple[float, ...]) -> Points:
    p1, p2 = k[4], k[5]
    both = 2 * np.minimum(np.maximum(around[:, :1] * around[:, 1:], -1), 1)
    aside: Points = np.array([[p1, p2]]) * both
    aside += np.array([[p2, p1]]) * (np.minimum(r2, 1.7) + 2 * np.minimum(around * around, 1.7))
    return aside


def _limit(k: tuple[float, ...]) -> float:
    """Return the distance up to which the polynomial is believed; then it goes straight on, to have an inverse."""
    r = np.linspace(0, 1.3, 66)
    steep = np.nonzero(_slope(r**2, k) < 0.2)[0]
    return float(r[max(1, int(steep[0]) - 1)]) if len(steep) else 1.3


def _straightened(around: Points, k: tuple[float, ...], limit: float) -> Points:
    r2 = (around**2).sum(axis=1, keepdims=True)
    straight: Points = around * _factor(r2, k)
    if (beyond := (r2 > limit**2)[:, 0]).any():
        r = np.sqrt(r2[beyond])
        edge = np.array(limit**2)
        straight[beyond] = around[beyond] / r * (limit * _factor(edge, k) + (r - limit) * _slope(edge, k))
    return straight + _sideways(around, r2, k) if k[4] or k[5] else straight


def _bent(straight: Points, k: tuple[float, ...], limit: float) -> Points:
    """Return points with the lens's distortion: the inverse of `_straightened`, by Newton's method on the distance."""
    if not any(k):
        return straight
    bent = _outwards(straight, k, limit)
    if k[4] or k[5]:
        # What the lens does sideways is so small that three rounds bring it below a thousandth of a pixel.
        for _ in range(3):
            bent = _outwards(straight - _sideways(bent, (bent**2).sum(axis=1, keepdims=True), k), k, limit)
    return bent


def _outwards(straight: Points, k: tuple[float, ...], limit: float) -> Points:
    goal = np.sqrt((straight**2).sum(axis=1, keepdims=True))
    edge = np.array(limit**2)
    last, slope = limit * float(_factor(edge, k)), float(_slope(edge, k))
    r = np.minimum(goal, limit)
    for _ in range(7):
        r2 = r * r
        r = np.clip(r - (r * _factor(r2, k) - goal) / np.maximum(_slope(r2, k), 0.1), 0, limit)
    r = np.where(goal > last, limit + (goal - last) / slope, r)
    bent: Points = straight * (r / np.maximum(goal, 1e-12))
    return bent


class Problem:
    """The markers believed, as numbers; parameters: nine of the lens, three of rotation from `turn`, three of place."""

    def __init__(self, around: Points, mm: Points, unit: float, turn: Matrix, usual: Points, doubt: Matrix) -> None:
        self.around, self.unit, self.turn = around, unit, turn
        self.flat = np.column_stack([mm / 1000, np.zeros(len(mm))])
        self.usual = usual
        self.root = np.linalg.cholesky(np.linalg.inv(doubt)).T

    def rotation(self, q: Points) -> Matrix:
        turned: Matrix = np.asarray(cv2.Rodrigues(q[LENS : LENS + 3])[0]) @ self.turn
        return turned

    def on_table(self, q: Points) -> Points:
        """Return where the corners lie, shape (n, 3), in metres; loose markers have parameters of their own."""
        return self.flat

    def away(self, q: Points) -> Points:
        """Return the residual (px) of each corner, shape (n, 2)."""
        there = self.on_table(q) @ self.rotation(q).T + q[LENS + 3 : ALL]
        ideal = there[:, :2] / np.maximum(there[:, 2:3], 1e-3) * math.exp(min(3.0, q[2]))
        d = self.around - q[:2]
        r2 = (d**2).sum(axis=1, keepdims=True)
        k = tuple(q[3:LENS])
        # The lens is undone on the side of the picture; divided by its slope the difference is one in pixels again.
        slope = np.maximum((_slope(r2, k) + _factor(r2, k)) / 2, 0.2)
        off: Points = (d * _factor(r2, k) + _sideways(d, r2, k) - ideal) / slope * self.unit
        return off

    def slopes(self, q: Points, now: Points) -> Matrix:
        columns = []
        for i in range(len(q)):
            there = q.copy()
            there[i] += _STEP
            columns.append((self.away(there) - now).ravel() / _STEP)
        return np.stack(columns, axis=1)

    def solve(self, q: Points, rounds: int = 30) -> tuple[Points, Matrix, float]:
        """Return parameters, their covariance and the cost, by Levenberg-Marquardt with Huber's weights."""
        damp = 1e-6
        now = self.away(q)
        noise = self._noise(now)
        for _ in range(rounds):
            cost = self._cost(q, now, noise)
            normal, pull = self._normal(q, now, noise)
            better = False
            for _ in range(6):
                step = np.linalg.solve(normal + damp * np.diag(np.diag(normal)), pull)
                there = q + step
                then = self.away(there)
                if self._cost(there, then, noise) < cost:
                    better = True
                    break
                damp *= 8
            if not better:
                break
            gain = cost - self._cost(there, then, noise)
            q, now, damp = there, then, max(damp / 6, 1e-9)
            sharper = self._noise(now)
            if gain < 1e-5 * cost and abs(sharper - noise) < 0.02 * noise:
                break
            noise = sharper
        normal, _ = self._normal(q, now, noise)
        return q, np.linalg.inv(normal), self._cost(q, now, _NOISE)

    @staticmethod
    def _noise(now: Points) -> float:
        """Return the corners' scatter (px), by the median, so that a few wrong ones don't count."""
        return max(_NOISE, float(np.median(np.linalg.norm(now, axis=1))) / 1.18)

    def _weights(self, now: Points, noise: float) -> Points:
        reach = np.linalg.norm(now, axis=1, keepdims=True) / noise
        weights: Points = np.repeat(np.minimum(1.0, 2.5 / np.maximum(reach, 1e-9)), 2)
        return weights

    def _cost(self, q: Points, now: Points, noise: float) -> float:
        reach = np.linalg.norm(now, axis=1) / noise
        huber = np.where(reach < 2.5, reach**2, 5 * reach - 6.25)
        return float(huber.sum() + ((self.root @ (q[:LENS] - self.usual)) ** 2).sum())

    def _normal(self, q: Points, now: Points, noise: float) -> tuple[Matrix, Points]:
        weight = self._weights(now, noise) / noise**2
        slopes = self.slopes(q, now)
        normal: Matrix = slopes.T @ (slopes * weight[:, None])
        pull: Points = -slopes.T @ (now.ravel() * weight)
        normal[:LENS, :LENS] += self.root.T @ self.root
        pull[:LENS] -= self.root.T @ (self.root @ (q[:LENS] - self.usual))
        return normal, pull


def _focal(matrix: Matrix) -> float | None:
    """Return the focal length that makes a homography (mm to pixels) one of a pinhole, None if it says nothing.

    Zhang, "A flexible new technique for camera calibration" (2000): the axes' images are orthogonal and equally long.
    """
    a, b = matrix[:, 0], matrix[:, 1]
    across = (a[2] * b[2], -(a[0] * b[0] + a[1] * b[1]))
    along = (a[2] ** 2 - b[2] ** 2, b[0] ** 2 + b[1] ** 2 - a[0] ** 2 - a[1] ** 2)
    below = across[0] ** 2 + along[0] ** 2
    squared = (across[0] * across[1] + along[0] * along[1]) / below if below > 1e-12 else 0.0
    return math.sqrt(squared) if 0.16 < squared < 9 else None


def _begin(matrix: Matrix, focal: float) -> tuple[Matrix, Points] | None:
    """Return rotation and place (metres) of a camera of that focal length that sees the mat as the homography does."""
    scaled = np.diag([1 / focal, 1 / focal, 1.0]) @ matrix
    scaled = scaled / ((np.linalg.norm(scaled[:, 0]) + np.linalg.norm(scaled[:, 1])) / 2)
    if scaled[2, 2] < 0:
        scaled = -scaled
    u, _, v = np.linalg.svd(np.column_stack([scaled[:, 0], scaled[:, 1], np.cross(scaled[:, 0], scaled[:, 1])]))
    turn = u @ v
    return None if turn[2, 2] <= 0 or np.linalg.det(turn) < 0 else (turn, scaled[:, 2] / 1000)


def _rough(around: Points, mm: Points) -> list[tuple[int, float, float, Matrix, npt.NDArray[np.bool_]]]:
    """Return a homography for each plausible lens, with the corners that fit it; best first."""
    fits = []
    for k1 in STARTS:
        straight = around * (1 + k1 * (around**2).sum(axis=1, keepdims=True))
        matrix, inliers = cv2.findHomography(straight, mm, cv2.RANSAC, _WRONG_MM, maxIters=500, confidence=0.999)
        if matrix is None or abs(np.linalg.det(matrix)) < 1e-12:
            continue
        fit = inliers.ravel().astype(np.bool_)
        fitted: Matrix = np.asarray(matrix, dtype=np.float64)
        off = float(np.median(np.linalg.norm(_project(fitted, straight) - mm, axis=1)))
        fits.append((int(fit.sum()), off, k1, fitted, fit))
        if fit.all() and off < 1.0:
            break
    return sorted(fits, key=lambda fit: (-fit[0], fit[1]))


def calibrate(
    seen: dict[int, Points], mat: Mat, size: tuple[int, int], before: Calibration | None = None
) -> Calibration | None:
    """Return the calibration from markers in a picture of `size` (w, h); None if fewer than four of the mat's agree.

    Of loose ones, which are large and lie far apart, three are enough once the lens is known. Markers that don't fit
    the others are left out. An earlier calibration, `before`, gives the lens of the same camera.
    """
    known = {marker.id: marker for marker in mat.markers}
    ids = sorted(number for number in seen if number in known)
    if len(ids) < ENOUGH - 1:
        return None
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    unit = float(np.hypot(*size)) / 2
    around = {number: (seen[number] - middle) / unit for number in ids}
    mm = {number: corners_mm(known[number]) for number in ids}
    usual, doubt, enough = USUAL, np.diag(SPREAD**2), ENOUGH
    if before is not None and before.size == size and before._lens is not None:
        enough -= mat.loose
        # The focus may have changed a little, and with it everything.
        usual, doubt = before._lens[0], before._lens[1] + np.diag((0.02 * SPREAD) ** 2)
    for _, _, k1, matrix, fit in _rough(*joined(ids, around, mm))[:2]:
        good = [number for number, right in zip(ids, fit.reshape(-1, 4).sum(axis=1) >= 3, strict=True) if right]
        if len(good) < enough:
            continue
        found = _settle(ids, good, around, mm, (size, unit), (k1, np.linalg.inv(matrix)), (usual, doubt, enough))
        if found is not None:
            return found
    return None


def joined(ids: list[int], around: dict[int, Points], mm: dict[int, Points]) -> tuple[Points, Points]:
    return np.concatenate([around[number] for number in ids]), np.concatenate([mm[number] for number in ids])


def _settle(
    ids: list[int],
    good: list[int],
    around: dict[int, Points],
    mm: dict[int, Points],
    picture: tuple[tuple[int, int], float],
    start: tuple[float, Matrix],
    prior: tuple[Points, Matrix, int],
) -> Calibration | None:
    """Fit all parameters; readmit markers that only the lens's distortion excluded, and drop those that don't fit."""
    size, unit = picture
    usual = math.exp(float(prior[0][2]))
    focals = [usual]
    if prior[0] is USUAL:
        # The valley is long and bent: for a wide lens the search begins at both of its ends.
        focals = [_focal(start[1]) or usual, *([STARTS[start[0]]] if start[0] > 0 else [])]
    fits = []
    for focal in focals:
        if (begin := _begin(start[1], focal)) is None:
            continue
        problem = Problem(*joined(good, around, mm), unit, begin[0], *prior[:2])
        q = np.concatenate([prior[0], np.zeros(3), begin[1]])
        if prior[0] is USUAL:
            q[2:4] = math.log(focal), start[0]
        q, doubt, cost = problem.solve(q)
        fits.append((cost, q, doubt, problem))
    if not fits:
        return None
    _, q, doubt, problem = min(fits, key=lambda fit: fit[0])
    turn = problem.turn
    for again in range(3):
        if again:
            problem = Problem(*joined(good, around, mm), unit, turn, *prior[:2])
            q, doubt, _ = problem.solve(q)
        every = Problem(*joined(ids, around, mm), unit, turn, *prior[:2])
        away = np.linalg.norm(every.away(q), axis=1).reshape(-1, 4).mean(axis=1)
        off = dict(zip(ids, away, strict=True))
        limit = max(2.0, 4 * float(np.median([off[number] for number in good])))
        believed = [number for number in ids if off[number] <= limit]
        if len(believed) < prior[2]:
            return None
        if believed == good:
            break
        good = believed
    found = calibration_of(size, q, doubt, problem)
    if found is not None:
        found.error = float(np.sqrt(np.mean([off[number] ** 2 for number in good])))
        found.markers = frozenset(good)
    return found


def calibration_of(size: tuple[int, int], q: Points, doubt: Matrix, problem: Problem) -> Calibration | None:
    turn, focal = problem.rotation(q), math.exp(q[2])
    to_picture = np.diag([focal, focal, 1.0]) @ np.column_stack([turn[:, 0], turn[:, 1], q[LENS + 3 : ALL] * 1000])
    if abs(np.linalg.det(to_picture)) < 1e-12 or q[ALL - 1] <= 0:
        return None
    found = Calibration(size, np.linalg.inv(to_picture), tuple(map(float, q[3:LENS])), (float(q[0]), float(q[1])))

    def stands(at: Points) -> Points:
        # Depth counts downwards from the camera, so a height above the mat is negative in the mat's directions.
        x, y, z = -problem.rotation(at).T @ at[LENS + 3 : ALL] * 1000
        return np.array([x, y, -z])

    slopes = np.stack([(stands(q + _STEP * np.eye(ALL)[i]) - stands(q)) / _STEP for i in range(ALL)], axis=1)
    found._camera = stands(q)
    found._camera_error = _HONEST * np.sqrt(np.maximum(np.diag(slopes @ doubt @ slopes.T), 0))
    found._turn = turn
    found._lens = q[:LENS].copy(), doubt[:LENS, :LENS].copy()
    return found
