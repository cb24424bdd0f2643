"""Aims a camera before anything is played: which mat, or which loose markers, it sees, and how well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import msgspec
import numpy as np

from companion.eye.geometry import MarkerFinder, calibrate
from companion.eye.mat import Mat
from companion.eye.overlay import MARKER
from companion.eye.quality import NEED, Quality, assess, assess_loose
from companion.eye.troubles import best_module
from companion.eye.view import Gray

LOOSE_MM = 60.0
"""The side of a marker that belongs to no mat, unless it is told: those of the sheet with markers alone."""
OUTLINE, OUTSIDE = (126, 231, 196), (255, 140, 130)
WIDE = 960
"""Width (px) of the picture."""


class Aim(msgspec.Struct, frozen=True):
    """What a camera sees: of which `mat` it speaks ("": any, by loose markers), how well, and whether a picture of
    this size can show a mat well at all.
    """

    mat: str
    quality: Quality
    able: bool
    picture: Gray


class Aimer:
    """Looks at one picture after another. For one thread."""

    def __init__(self, mats: Sequence[Mat], loose: Mapping[int, float] | None = None) -> None:
        """Look for `mats`, and for `loose` markers, by number with their sides (mm)."""
        self._mats = {frozenset(marker.id for marker in mat.markers): mat for mat in mats}
        self._loose = dict(loose or {})
        self._mat = mats[0]
        self._finder = MarkerFinder(self._mat)

    def look(self, gray: Gray, colour: Gray | None = None) -> Aim:
        """Return how well a picture shows the mat that lies there."""
        found = self._finder.find(gray)
        ids = max(self._mats, key=lambda one: len(one & found.keys()))
        lies = len(ids & found.keys()) >= 3
        if lies and self._mats[ids] is not self._mat:
            self._mat = self._mats[ids]
            self._finder = MarkerFinder(self._mat)
            found = self._finder.find(gray)
        size = gray.shape[1], gray.shape[0]
        known = calibrate(found, self._mat, size, None) if lies else None
        source = gray if colour is None else colour
        small = cv2.resize(source, (WIDE, round(WIDE * size[1] / size[0])), interpolation=cv2.INTER_AREA)
        picture: Gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2RGB) if small.ndim == 2 else small, np.uint8)
        share = WIDE / size[0]
        for corners in found.values():
            cv2.polylines(picture, [np.round(corners * share).astype(np.int32)], True, MARKER, 2, cv2.LINE_AA)
        if known is not None:
            w, h = self._mat.w, self._mat.h
            edge = known.to_px(np.array([(0, 0), (w, 0), (w, h), (0, h)])) * share
            cv2.polylines(picture, [np.round(edge).astype(np.int32)], True, (0, 0, 0), 7, cv2.LINE_AA)
            cv2.polylines(picture, [np.round(edge).astype(np.int32)], True, OUTLINE, 3, cv2.LINE_AA)
            high = picture.shape[0]
            for beyond, band in (
                (edge[:, 0].min() < 0, np.s_[:, :12]),
                (edge[:, 0].max() > WIDE - 1, np.s_[:, -12:]),
                (edge[:, 1].min() < 0, np.s_[:12, :]),
                (edge[:, 1].max() > high - 1, np.s_[-12:, :]),
            ):
                if beyond:
                    picture[band] = OUTSIDE
        sides = self._loose or dict.fromkeys(found, LOOSE_MM)
        quality = (
            assess(gray, self._mat, known, found)
            if lies
            else assess_loose(gray, sides, {number: found[number] for number in found if number in sides}, self._mat)
        )
        return Aim(self._mat.title if lies else "", quality, best_module(size, self._mat) >= NEED, picture)
