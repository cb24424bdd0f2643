"""From pixels to millimetres and back: the mat's ArUco markers, a homography, and the lens.

The model: a pixel, measured from the picture's centre in units of half its diagonal, is moved outwards or inwards by
the factor 1 + k1 r² + k2 r⁴ (r its distance from the centre); then a homography maps it to the mat. The factor takes
the distortion of the lens away; k1 and k2 are estimated from the markers themselves when there are enough.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Marker, Mat
from companion.eye.view import Gray, Trouble

Points = npt.NDArray[np.floating[Any]]
"""Points of shape (n, 2)."""

ENOUGH = 4
"""Markers that must be seen."""

_WRONG_MM = 12.0
"""A marker this far from where the others put it (before the lens is known) is not believed."""


class Calibration:
    """How the camera sees the mat at one moment. Made by `calibrate`; never changed.

    `size` is the picture's (width, height); `error` the root mean square distance, in pixels, between where the markers
    are seen and where the model puts them; `markers` the ids it rests on.
    """

    def __init__(
        self, size: tuple[int, int], homography: npt.NDArray[np.floating[Any]], k: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Take the homography from straightened, centred, unit-free pixels to mm, and the two lens coefficients."""
        self.size = size
        self.k = k
        self.error = 0.0
        self.markers: frozenset[int] = frozenset()
        self._homography = homography / homography[2, 2]
        self._inverse = np.linalg.inv(homography)
        self._centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
        self._unit = float(np.hypot(*size)) / 2

    def to_mm(self, points: npt.ArrayLike) -> Points:
        """Map pixels, shape (n, 2), to mm on the mat."""
        around = (np.asarray(points, dtype=np.float64).reshape(-1, 2) - self._centre) / self._unit
        return _project(self._homography, _straightened(around, self.k))

    def to_px(self, points: npt.ArrayLike) -> Points:
        """Map mm on the mat, shape (n, 2), to pixels (which may lie outside the picture)."""
        straight = _project(self._inverse, np.asarray(points, dtype=np.float64).reshape(-1, 2))
        around = straight.copy()
        if self.k != (0.0, 0.0):
            # The lens model has no closed inverse; the iteration contracts fast because the distortion is small.
            for _ in range(12):
                r2 = np.minimum((around**2).sum(axis=1, keepdims=True), 2.0)
                around = straight / (1 + self.k[0] * r2 + self.k[1] * r2**2)
        pixels: Points = around * self._unit + self._centre
        return pixels

    def px_per_mm(self, x: float, y: float) -> float:
        """Tell how many pixels a millimetre has at a place on the mat."""
        at = self.to_px([(x, y), (x + 1, y), (x, y + 1)])
        (ax, ay), (bx, by) = at[1] - at[0], at[2] - at[0]
        return float(np.sqrt(abs(ax * by - ay * bx)))

    def off_by(self, seen: dict[int, Points], mat: Mat) -> float:
        """Tell by how many pixels (median) markers seen now are away from where this calibration expects them."""
        known = {marker.id: marker for marker in mat.markers}
        away = [
            np.linalg.norm(self.to_px(corners_mm(known[one])) - corners, axis=1)
            for one, corners in seen.items()
            if one in known
        ]
        return float(np.median(np.concatenate(away))) if away else 0.0


def _project(matrix: npt.NDArray[np.floating[Any]], points: Points) -> Points:
    around = points @ matrix[:, :2].T + matrix[:, 2]
    flat: Points = around[:, :2] / around[:, 2:3]
    return flat


def _straightened(around: Points, k: tuple[float, float]) -> Points:
    r2 = (around**2).sum(axis=1, keepdims=True)
    straight: Points = around * (1 + k[0] * r2 + k[1] * r2**2)
    return straight


def corners_mm(marker: Marker) -> Points:
    """Give a marker's four corners (mm), clockwise from its top left."""
    half = marker.size / 2
    square: Points = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    square += np.array([marker.x, marker.y])
    return square


class MarkerFinder:
    """Finds the ArUco markers of one mat's dictionary: on a reduced picture, its corners refined on the full one."""

    def __init__(self, mat: Mat, work_width: int = 1152) -> None:
        """Prepare for a mat; pictures wider than `work_width` are searched at about that width."""
        names = {name: value for name, value in vars(cv2.aruco).items() if name.startswith("DICT_")}
        dictionary = cv2.aruco.getPredefinedDictionary(names[mat.dictionary])
        self._mat = mat
        self._width = work_width
        self._detector = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters())

    def find(self, gray: Gray) -> dict[int, Points]:
        """Give the corners (pixels, shape (4, 2)) of every marker seen, by id, those of other mats too.

        An id that is seen twice is left out: nobody can tell which of the two is the mat's.
        """
        factor = max(1, gray.shape[1] // self._width)
        seen = self._search(gray, factor)
        ours = sum(marker.id in seen for marker in self._mat.markers)
        if ours < len(self._mat.markers) // 2 and factor > 1:
            whole = self._search(gray, 1)
            if len(whole) > len(seen):
                seen = whole
        return seen

    def _search(self, gray: Gray, factor: int) -> dict[int, Points]:
        small: Gray = gray
        if factor > 1:
            size = (gray.shape[1] // factor, gray.shape[0] // factor)
            small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        quads, ids, _ = self._detector.detectMarkers(small)
        if ids is None:
            return {}
        seen: dict[int, Points] = {}
        twice: set[int] = set()
        ratio = gray.shape[1] / small.shape[1]
        for number, corners in zip(ids.ravel(), quads, strict=True):
            one = int(number)
            if one in seen:
                twice.add(one)
            full = (corners.reshape(4, 2).astype(np.float64) + 0.5) * ratio - 0.5
            seen[one] = self._refined(gray, full)
        return {one: corners for one, corners in seen.items() if one not in twice}

    @staticmethod
    def _refined(gray: Gray, corners: Points) -> Points:
        """Move corners to the exact place; one that wanders off (a glare at the edge) stays where it was found."""
        side = float(np.linalg.norm(corners[1] - corners[0]))
        # The window must not reach the marker's own inner squares, a seventh of its side.
        window = int(np.clip(side / 9, 2, 7))
        start = corners.astype(np.float32).reshape(-1, 1, 2)
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
        fine = cv2.cornerSubPix(gray, start.copy(), (window, window), (-1, -1), stop).reshape(4, 2)
        near = np.linalg.norm(fine - corners, axis=1, keepdims=True) < window
        return np.where(near, fine, corners).astype(np.float64)


def _fit_homography(around: Points, mm: Points, weight: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.floating[Any]]:
    """Fit the homography around → mm by weighted least squares on the algebraic error, well conditioned."""
    scale = float(np.abs(mm).max())
    target = mm / scale
    x, y = around[:, 0], around[:, 1]
    one, none = np.ones_like(x), np.zeros_like(x)
    u, v = target[:, 0], target[:, 1]
    top = np.stack([x, y, one, none, none, none, -u * x, -u * y, -u], axis=1)
    low = np.stack([none, none, none, x, y, one, -v * x, -v * y, -v], axis=1)
    rows = np.concatenate([top * weight[:, None], low * weight[:, None]])
    # The least singular vector, from the 9 × 9 normal matrix: all numbers are near one, so nothing is lost by squaring.
    matrix = np.linalg.eigh(rows.T @ rows)[1][:, 0].reshape(3, 3)
    fitted: npt.NDArray[np.floating[Any]] = np.diag([scale, scale, 1.0]) @ matrix
    return fitted


def _fit_lens(around: Points, mm: Points, terms: int) -> tuple[npt.NDArray[np.floating[Any]], tuple[float, float]]:
    """Fit homography and `terms` (0 to 2) lens coefficients by Gauss-Newton on the coefficients, wrong points weighed
    down by Huber's rule.
    """
    k = np.zeros(2)
    weight = np.ones(len(around))

    def residual(
        at: npt.NDArray[np.floating[Any]],
    ) -> tuple[npt.NDArray[np.floating[Any]], npt.NDArray[np.floating[Any]]]:
        straight = _straightened(around, (float(at[0]), float(at[1])))
        matrix = _fit_homography(straight, mm, weight)
        return (_project(matrix, straight) - mm).ravel(), matrix

    for _ in range(8):
        left, matrix = residual(k)
        if terms:
            step = 1e-4
            slopes = np.stack([(residual(k + step * np.eye(2)[i])[0] - left) / step for i in range(terms)], axis=1)
            both = np.repeat(weight, 2)
            change = np.linalg.lstsq(slopes * both[:, None], -left * both, rcond=None)[0]
            k[:terms] = np.clip(k[:terms] + change, -0.6, 0.6)
            left, matrix = residual(k)
        away = np.linalg.norm(left.reshape(-1, 2), axis=1)
        limit = max(0.05, 2.5 * float(np.median(away)))
        weight = np.sqrt(np.minimum(1.0, limit / np.maximum(away, 1e-9)))
    return matrix, (float(k[0]), float(k[1]))


def calibrate(seen: dict[int, Points], mat: Mat, size: tuple[int, int]) -> Calibration | None:
    """Work out the geometry from the markers seen, in a picture of `size` (width, height).

    One lens coefficient is estimated from 6 markers on, two from 10 on. A marker that doesn't fit the others is left
    out. None if fewer than four of the mat's own markers agree.
    """
    known = {marker.id: marker for marker in mat.markers}
    ids = sorted(one for one in seen if one in known)
    if len(ids) < ENOUGH:
        return None
    centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    unit = float(np.hypot(*size)) / 2
    around = {one: (seen[one] - centre) / unit for one in ids}
    mm = {one: corners_mm(known[one]) for one in ids}
    flat = np.concatenate([around[one] for one in ids]), np.concatenate([mm[one] for one in ids])
    matrix, inliers = cv2.findHomography(flat[0], flat[1], cv2.RANSAC, _WRONG_MM, maxIters=2000, confidence=0.999)
    if matrix is None:
        return None
    believed = inliers.reshape(-1, 4).sum(axis=1) >= 3
    good = [one for one, right in zip(ids, believed, strict=True) if right]
    best: Calibration | None = None
    # The second round takes back markers that only the lens had put aside, and drops what still doesn't fit.
    for _ in range(2):
        if len(good) < ENOUGH:
            return None
        terms = 0 if len(good) < 6 else 1 if len(good) < 10 else 2
        fitted, k = _fit_lens(np.concatenate([around[o] for o in good]), np.concatenate([mm[o] for o in good]), terms)
        best = Calibration(size, fitted, k)
        away = {one: float(np.linalg.norm(best.to_px(mm[one]) - seen[one], axis=1).mean()) for one in ids}
        limit = max(2.0, 4 * float(np.median([away[one] for one in good])))
        good = [one for one in ids if away[one] <= limit]
    if best is None or len(good) < ENOUGH:
        return None
    best.error = float(np.sqrt(np.mean([away[one] ** 2 for one in good])))
    best.markers = frozenset(good)
    return best


def marker_trouble(seen: dict[int, Points], mat: Mat) -> Trouble:
    """Say why the markers seen don't suffice, and what to do."""
    ours = sum(marker.id in seen for marker in mat.markers)
    others = len(seen) - ours
    if others > ours and others >= 3:
        return Trouble(
            "other-mat",
            f"This is another game's mat: {others} of its markers are seen, {ours} of {mat.title}. "
            f"Lay out the mat of {mat.title}, or start the game that this mat belongs to.",
        )
    seen_words = (
        "No marker of the mat is" if ours == 0 else f"Only {ours} of the mat's markers {'is' if ours == 1 else 'are'}"
    )
    return Trouble(
        "no-markers",
        f"{seen_words} seen; {ENOUGH} are needed. Move the camera so that it sees the mat's whole edge, "
        "take away what lies on the markers, and make more light.",
    )
