"""Bands of light that a flickering lamp lays through the picture: known by their rows, told, and taken out again.

A rolling shutter exposes row after row, so a lamp's hum becomes a wave from top to bottom that stands elsewhere in the
next frame. What differs from a moment ago by such a wave alone, evenly from left to right, again and again, is a lamp.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from companion.eye.view import Frame, Gray, Trouble
from companion.text import t

_ROWS, _STRIPS = 81, 8
"""Rows of the picture that are looked at, and strips side by side: what differs in one of these alone is no lamp."""

_WAVES = np.arange(1.0, 10.0, 0.05)
"""Waves from the picture's top to its bottom: a hum of 100 or 120 Hz while a picture is read out in 10 to 80 ms."""

_TURNS, _BEFORE = (0, 1), 3
"""Frames of every six that are looked at while no lamp flickers, and how many earlier ones each is compared with: of
a lamp of 50 Hz every third of 30 frames a second is alike."""

_FAINT, _PLAIN = 0.012, 0.04
"""Shares of the light: a fainter wave is let be, a plainer one is told."""

_ALIKE = 0.7
"""The share of what differs that a wave has to explain."""

_SURE, _MOST = 5, 12
"""Samples that agree, beyond those that don't, until there are bands; and until they are forgotten again."""

_LEARN, _USUAL = 1 / 12, 1 / 256
"""The weight of a new sample in what is usual: before there are bands, and while they are taken out."""

_STRAY = 0.05
"""Rows that differ by more from the wave count little: an arm over most of the strips."""

_WORDS = t(
    "A lamp flickers: its light runs through the picture in bands. Choose the lamps' 50 or 60 Hz in the settings, or "
    "switch on another lamp."
)

_Floats = npt.NDArray[np.float64]


def _waves(count: _Floats, y: _Floats) -> _Floats:
    """Return sine and cosine of so many waves at heights (0 to 1), shape (waves, 2, heights)."""
    angle = 2 * np.pi * count[:, None] * y
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)


class Bands:
    """Follows the bands from frame to frame. All frames have one size."""

    def __init__(self) -> None:
        y = (np.arange(_ROWS) + 0.5) / _ROWS
        # Light that merely slants or falls off is no wave.
        smooth = np.linalg.qr(np.stack([np.ones(_ROWS), y, y * y], axis=1))[0]
        self._left = np.eye(_ROWS) - smooth @ smooth.T
        bases = np.linalg.qr((_waves(_WAVES, y) @ self._left).transpose(0, 2, 1))[0]
        self._bases = bases.transpose(0, 2, 1).reshape(-1, _ROWS)
        self._y = y
        self._samples: deque[_Floats] = deque(maxlen=_BEFORE)
        self._usual: _Floats | None = None
        self._count = self._hits = 0
        self._strength = np.zeros(len(_WAVES))
        self._depth = 0.0
        self.there = False
        """Whether bands run through the picture."""
        self.trouble: Trouble | None = None
        """The words about bands that are plain, None without."""

    def even(self, frame: Frame, small: Gray) -> tuple[Frame, Gray]:
        """Return a frame and its reduced picture without the bands, or as they are where there are none."""
        self._count += 1
        if not self.there and self._count % 6 not in _TURNS:
            return frame, small
        sample = self._sample(small)
        if self._usual is None:
            self._usual = sample
        if self._samples:
            off = [self._left @ np.median(sample - before, axis=1) for before in self._samples]
            self._judge(max(off, key=lambda rows: float(rows @ rows)))
        self._samples.append(sample)
        wave = self._wave(np.median(sample - self._usual, axis=1)) if self.there else None
        if wave is not None:
            sample = sample - (wave[1] @ _waves(np.array([wave[0]]), self._y)[0])[:, None]
        self._usual = self._usual + (_USUAL if self.there else _LEARN) * (sample - self._usual)
        if wave is None:
            return frame, small
        count, height = wave
        gray = _lit(frame.gray, count, -height)
        less = None if frame.small is None else _lit(frame.small, count, -height)
        colour = (lambda: frame.colour) if frame.coloured else None
        evened = Frame(gray, frame.time, frame.number, colour, less, frame.exposure)
        return evened, _lit(small, count, -height) if less is None else less

    def told(self, troubles: Collection[Trouble]) -> bool:
        """Return whether these troubles say of bands what is to be said now."""
        return {trouble for trouble in troubles if trouble.kind == "bands"} == {self.trouble} - {None}

    def _sample(self, small: Gray) -> _Floats:
        rows = (self._y * small.shape[0]).astype(np.intp)
        wide = small.shape[1] // _STRIPS * _STRIPS
        # Every eighth column will do.
        strips = small[rows, :wide].reshape(_ROWS, _STRIPS, -1)[:, :, ::8]
        return np.asarray(np.log(strips.mean(axis=2) + 4.0))

    def _judge(self, off: _Floats) -> None:
        """Judge by how each row differs (logarithms) from a moment before."""
        found = ((self._bases @ off) ** 2).reshape(-1, 2).sum(axis=1)
        best, whole = float(found.max()), float(off @ off)
        depth = float(np.sqrt(2 * best / _ROWS))
        if depth > _FAINT and best > _ALIKE * whole:
            self._hits = min(self._hits + 1, _MOST)
            self._strength = 0.9 * self._strength + found
            # Two waves apart by chance differ by half as much again as one is high.
            self._depth = max(0.95 * self._depth, depth / 2)
        else:
            self._hits = max(self._hits - 1, 0)
        self.there = self._hits >= (1 if self.there else _SURE)
        if not self.there:
            self._depth = 0.0
        if (self._depth > _PLAIN) != (self.trouble is not None) and not _PLAIN / 2 < self._depth <= _PLAIN:
            self.trouble = Trouble("bands", _WORDS) if self._depth > _PLAIN else None

    def _wave(self, off: _Floats) -> tuple[float, _Floats]:
        """Return how many waves there are, and the heights (logarithms) of their sine and cosine."""
        count = float(_WAVES[int(np.argmax(self._strength))])
        wave = _waves(np.array([count]), self._y)[0]
        shapes = np.stack([np.ones(_ROWS), self._y, self._y**2, *wave], axis=1)
        weights = np.ones(_ROWS)
        for _ in range(3):
            heights = np.linalg.lstsq(shapes * weights[:, None], off * weights, rcond=None)[0]
            weights = 1 / (1 + ((off - shapes @ heights) / _STRAY) ** 2)
        return count, np.asarray(heights[3:], dtype=np.float64)


def _lit(picture: Gray, count: float, heights: _Floats) -> Gray:
    """Return a picture in the light of so many waves from top to bottom."""
    y = (np.arange(picture.shape[0]) + 0.5) / picture.shape[0]
    gain = np.round(128 * np.exp(heights @ _waves(np.array([count]), y)[0])).astype(np.uint16)
    return np.asarray(np.minimum((picture * gain[:, None]) >> 7, 255), dtype=np.uint8)
