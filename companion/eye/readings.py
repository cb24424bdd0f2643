"""Readings that are remembered with the pixels they were made from: while these stay the same, so does the reading.

Light may change; a finger at its edge, another code at the same place, or a card that slid by a pixel is noticed.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.eye.flat import Floats
from companion.eye.reader import FACES, quad
from companion.eye.view import Frame, Gray, Sighting

_ALIKE = 0.9
"""Correlation of two noisy pictures of one code. Two codes of a deck reach .67: level H parts 18 of 26 codewords."""

_CELLS = (7, 7)
_OFF = 0.5
"""How far the mean of a cell of 3 × 3 modules may be off, as a share of the code's contrast."""

_PLAIN = 6.0
"""Gray levels of contrast below which pixels prove nothing."""


_TINT = 10.0
"""Levels by which the tint of a face's place may differ: there are cards that differ in nothing but their colour."""


class _Pixels:
    """The inside of one code, upright, as large as fits into it however it lies."""

    def __init__(self, frame: Frame, sighting: Sighting) -> None:
        corners = quad(sighting)
        x, y = corners.mean(axis=0)
        across, down = corners[1] - corners[0], corners[3] - corners[0]
        half = 0.25 * float(np.hypot(*across) + np.hypot(*down))
        a = float(np.arctan2(across[1], across[0]))
        half /= abs(np.cos(a)) + abs(np.sin(a))
        self.rows = slice(max(0, round(y - half)), max(0, round(y + half) + 1))
        self.columns = slice(max(0, round(x - half)), max(0, round(x + half) + 1))
        self.picture = frame.gray[self.rows, self.columns].copy()
        self.mean, self.contrast = _tone(self.picture) if self.picture.size else (0.0, 0.0)
        self.tint = self._tint(frame) if sighting.reader == FACES else None

    def _tint(self, frame: Frame) -> Floats | None:
        """Return how far red and blue are from green here, in a light as bright as any other."""
        colour = frame.colour
        if colour is None:
            return None
        share = colour.shape[1] / frame.gray.shape[1]
        rows, columns = (
            slice(int(part.start * share), int(part.stop * share) + 1) for part in (self.rows, self.columns)
        )
        here = colour[rows, columns]
        if not here.size:
            return None
        red, green, blue, _ = cv2.mean(here)
        return np.array([red - green, blue - green], np.float32) * 200 / max(green, 20.0)

    def same(self, frame: Frame) -> bool:
        """Return whether a picture still shows the same pixels here."""
        tint = self._tint(frame) if self.tint is not None else None
        if tint is not None and self.tint is not None and np.abs(tint - self.tint).max() > _TINT:
            return False
        now = frame.gray[self.rows, self.columns]
        if now.shape != self.picture.shape or self.contrast < _PLAIN:
            return False
        mean, contrast = _tone(now)
        if contrast < _PLAIN or not 0.2 < contrast / self.contrast < 5:
            return False
        gain = self.contrast / contrast
        off = cv2.absdiff(cv2.convertScaleAbs(now, alpha=gain, beta=self.mean - gain * mean), self.picture)
        error = cv2.norm(off, cv2.NORM_L2SQR) / off.size
        if error > 2 * (1 - _ALIKE) * self.contrast**2:
            return False
        cells = cv2.resize(off, _CELLS, interpolation=cv2.INTER_AREA)
        return float(cells.max()) <= _OFF * self.contrast + 2.0


class Readings:
    """The codes that were read since the camera last moved, with their pixels."""

    def __init__(self) -> None:
        self._pixels: dict[Sighting, _Pixels] = {}

    def forget(self) -> None:
        """Forget all readings: the camera was moved."""
        self._pixels.clear()

    def remember(self, frame: Frame, sightings: Iterable[Sighting]) -> None:
        """Remember the pixels from which codes were just read."""
        for code in sightings:
            self._pixels[code] = _Pixels(frame, code)

    def keep(self, sightings: Iterable[Sighting]) -> None:
        """Forget all readings but these."""
        self._pixels = {code: self._pixels[code] for code in sightings if code in self._pixels}

    def __len__(self) -> int:
        return len(self._pixels)

    def still(self, frame: Frame, sighting: Sighting) -> bool:
        """Return whether the pixels are unchanged since the code was read."""
        pixels = self._pixels.get(sighting)
        return pixels is not None and pixels.same(frame)


def _tone(picture: Gray) -> tuple[float, float]:
    mean, contrast = cv2.meanStdDev(picture)
    return float(mean[0, 0]), float(contrast[0, 0])
