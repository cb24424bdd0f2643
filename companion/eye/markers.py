"""The mat's ArUco markers in the picture: found small, looked for again where they should be, their corners exact."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.mat import Marker, Mat
from companion.eye.pictures import means
from companion.eye.view import Gray, Trouble
from companion.text import t

Points = npt.NDArray[np.floating]
"""Points of shape (n, 2)."""

ENOUGH = 4
"""Markers that must be seen."""

_SIDE = 63
"""Pixels along a marker's side when a single one is looked at, pulled straight: nine for each of its seven squares."""

_ROOM = 0.45
"""How far round its expected place (in sides of the marker) a single one is looked for."""

_CONTRAST = 20
"""Gray levels by which all round a marker its white margin is lighter than its border."""


def corners_mm(marker: Marker) -> Points:
    """Return a marker's four corners (mm), clockwise from its top left."""
    half = marker.size / 2
    square: Points = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    if marker.rotation:
        c, s = math.cos(math.radians(marker.rotation)), math.sin(math.radians(marker.rotation))
        square @= np.array([[c, s], [-s, c]])
    square += np.array([marker.x, marker.y])
    return square


class MarkerFinder:
    """Finds the ArUco markers of one mat's dictionary: on a reduced picture, its corners refined on the full one."""

    def __init__(self, mat: Mat, work_width: int = 1152) -> None:
        """Create it for a mat; pictures longer than `work_width` (px) are searched at about that length."""
        names = {name: value for name, value in vars(cv2.aruco).items() if name.startswith("DICT_")}
        dictionary = cv2.aruco.getPredefinedDictionary(names[mat.dictionary])
        self._mat = mat
        self._width = work_width
        wide = cv2.aruco.DetectorParameters()
        # A marker at the far edge of a tilted picture has a perimeter of a fiftieth of the picture's length.
        wide.minMarkerPerimeterRate = 0.015
        self._detector = cv2.aruco.ArucoDetector(dictionary, wide)
        single = cv2.aruco.DetectorParameters()
        single.minMarkerPerimeterRate = 1.0
        single.adaptiveThreshWinSizeMin, single.adaptiveThreshWinSizeMax = 23, 63
        single.adaptiveThreshWinSizeStep = 40
        self._single = cv2.aruco.ArucoDetector(dictionary, single)

    def find(self, gray: Gray) -> dict[int, Points]:
        """Return the corners (pixels, shape (4, 2)) of every marker seen once, by id, those of other mats too."""
        factor = max(1, max(gray.shape) // self._width)
        seen, twice = self._search(gray, factor)
        ours = [marker for marker in self._mat.markers if marker.id in seen]
        if len(ours) < len(self._mat.markers) // 2 and factor > 1:
            whole, double = self._search(gray, 1)
            if len(whole) > len(seen):
                seen, twice = whole, double
                ours = [marker for marker in self._mat.markers if marker.id in seen]
        if ENOUGH <= len(ours) < len(self._mat.markers):
            self._look_closer(gray, seen, twice)
        return {number: corners for number, corners in seen.items() if number not in twice}

    def moved_by(self, gray: Gray, expected: Mapping[int, Points]) -> float | None:
        """Return the median distance (px) of the mat's markers from their `expected` corners, (4, 2) each.

        Each is sought in a window of its own, in a tenth of a search's time. None if fewer than half are seen.
        """
        away = [distance for corners in expected.values() if (distance := _away(gray, corners)) is not None]
        enough = max(ENOUGH, len(self._mat.markers) / 2)
        return float(np.median(np.concatenate(away))) if len(away) >= enough else None

    def mirrored(self, gray: Gray) -> bool:
        """Return whether the picture shows this mat in a mirror, as a phone's front camera does."""
        factor = max(1, max(gray.shape) // self._width)
        seen, _ = self._search(np.ascontiguousarray(gray[:, ::-1]), factor)
        return sum(marker.id in seen for marker in self._mat.markers) >= ENOUGH

    def _search(self, gray: Gray, factor: int) -> tuple[dict[int, Points], set[int]]:
        small = means(gray, factor)
        quads, ids, _ = self._detector.detectMarkers(small)
        seen: dict[int, Points] = {}
        twice: set[int] = set()
        if ids is None:
            return seen, twice
        ratio = gray.shape[1] / small.shape[1]
        for number, corners in zip(ids.ravel(), quads, strict=True):
            one = int(number)
            if one in seen:
                twice.add(one)
            full = (corners.reshape(4, 2).astype(np.float64) + 0.5) * ratio - 0.5
            seen[one] = _refined(gray, full)
        return seen, twice

    def _look_closer(self, gray: Gray, seen: dict[int, Points], twice: set[int]) -> None:
        """Search for every missing marker where its four nearest neighbours say, enlarged and straightened."""
        have = {m.id: m for m in self._mat.markers if m.id in seen and m.id not in twice}
        missing = [m for m in self._mat.markers if m.id not in seen]
        reach = _SIDE * (1 + 2 * _ROOM)
        flat = np.array([[0, 0], [reach, 0], [reach, reach], [0, reach]]) - 0.5
        if len(have) < ENOUGH:
            return
        for marker in missing:
            near = sorted(have.values(), key=lambda m: (m.x - marker.x) ** 2 + (m.y - marker.y) ** 2)[:ENOUGH]
            mm = np.concatenate([corners_mm(m) for m in near])
            px = np.concatenate([seen[m.id] for m in near])
            matrix, _ = cv2.findHomography(mm, px)
            if matrix is None:
                continue
            grown = (corners_mm(marker) - (marker.x, marker.y)) * (1 + 2 * _ROOM) + (marker.x, marker.y)
            around = cv2.perspectiveTransform(grown.reshape(1, -1, 2), matrix)[0]
            inner = around.mean(axis=0)
            if not (0 <= inner[0] < gray.shape[1] and 0 <= inner[1] < gray.shape[0]):
                continue
            if cv2.contourArea(around.astype(np.float32)) < (10 * (1 + 2 * _ROOM)) ** 2:
                continue
            pull = cv2.getPerspectiveTransform(around.astype(np.float32), flat.astype(np.float32))
            side = round(reach)
            close = cv2.warpPerspective(gray, pull, (side, side), flags=cv2.INTER_LINEAR, borderValue=128)
            quads, ids, _ = self._single.detectMarkers(close)
            if ids is None or int(ids.ravel()[0]) != marker.id:
                continue
            corners = quads[0].reshape(1, 4, 2).astype(np.float64)
            back = cv2.perspectiveTransform(corners, np.linalg.inv(pull))[0]
            if (back >= 1).all() and (back <= np.array(gray.shape[::-1]) - 2).all():
                seen[marker.id] = _refined(gray, back)


def _refined(gray: Gray, corners: Points) -> Points:
    """Return corners refined to subpixels; one that wanders off (a glare at the edge) stays where it was found."""
    side = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).min())
    # The window must not reach the marker's own inner squares, a seventh of its side.
    window = int(np.clip(side / 9, 2, 7))
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    fine = cv2.cornerSubPix(gray, start.copy(), (window, window), (-1, -1), stop).reshape(4, 2)
    near = np.linalg.norm(fine - corners, axis=1, keepdims=True) < window
    return np.where(near, fine, corners).astype(np.float64)


def _away(gray: Gray, corners: Points) -> Points | None:
    """Return how far (px, shape (4,)) a marker's corners are from here; None if no dark square is here."""
    high, wide = gray.shape
    middle = corners.mean(axis=0)
    # A marker of 5 × 5 squares has a border of one square, and about as much white around it.
    rings = [middle + (corners - middle) * scale for scale in (1 - 1 / 7, 1 + 1 / 7)]
    sides = [np.concatenate([ring, (ring + np.roll(ring, -1, axis=0)) / 2]).round().astype(int) for ring in rings]
    if any((ring < 0).any() or (ring >= (wide, high)).any() for ring in sides):
        return None
    dark, light = (gray[ring[:, 1], ring[:, 0]].astype(int) for ring in sides)
    if int(light.min()) - int(dark.max()) < _CONTRAST:
        return None
    return np.asarray(np.linalg.norm(_refined(gray, corners) - corners, axis=1))


def marker_trouble(seen: dict[int, Points], mat: Mat, mirrored: bool = False) -> Trouble:
    """Return why the markers seen don't suffice, and the remedy; `mirrored` as `MarkerFinder.mirrored` returned it."""
    if mirrored:
        return Trouble(
            "mirrored",
            t(
                "The picture is mirrored: no code can be read in it. Switch mirroring off in the "
                "camera's app, or use the phone's back camera instead of the front one."
            ),
        )
    ours = sum(marker.id in seen for marker in mat.markers)
    others = len(seen) - ours
    if others > ours and others >= 3:
        return Trouble(
            "other-mat",
            t(
                "This is another game's mat: {others} of its markers are seen, {ours} of {title}. "
                "Lay out the mat of {title}, or start the game that this mat belongs to.",
                others=others,
                ours=ours,
                title=mat.title,
            ),
        )
    seen_words = (
        t("No marker of the mat is")
        if ours == 0
        else (
            t("Only {ours} of the mat's markers is", ours=ours)
            if ours == 1
            else t("Only {ours} of the mat's markers are", ours=ours)
        )
    )
    return Trouble(
        "no-markers",
        t(
            "{seen_words} seen; {enough} are needed. Move the camera so that it sees the mat's "
            "whole edge, take away what lies on the markers, and make more light.",
            seen_words=seen_words,
            enough=ENOUGH,
        ),
    )
