"""The look of the empty mat: from its print file, in tones as the camera shows them, and learned from what is seen.

Light is fitted anew for every comparison (a gain that varies gently, and an offset); memory keeps the light of its day.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.eye.flat import MM, Flat, Floats, Mask, Window, grown
from companion.eye.light import bends
from companion.eye.mat import Mat
from companion.eye.view import Gray

_GLEAM, _GLEAM_STEPS, _GLEAM_OFF = (9, 9), 40, 9.0
"""Flat pixels from which a gleam is guessed, steps by which it is followed, and gray levels by which it may be off."""

_DIM = 0.35
"""The share of its brightness that the mat may lose in a shadow without an edge."""

_COARSE, _REACHES, _HOLD = 8, (12.0, 4.0, 1.5), 0.05
"""Flat pixels to a sample; samples over which the correction is even (Gauss deviations in turn); and how much each is
held to the one before (share of mean weight)."""

_POOL = 2
"""How many of these the pool of a lamp is told by: what a laminated mat mirrors is smaller, and goes with its lamp."""

_DRIFT = 0.05
"""Gray levels by which the seen mat of a window must move on average to correct by it what was not seen."""

_NEVER = -1000.0
"""A gray level that never occurs."""

_SURE = 10.0
_ROUGH = 20.0
_SHARE = 0.03
"""Gray levels and share of brightness by which a spot may be off: where the mat was seen, and where only printed."""

_CLIPPED, _WHITE, _BURNT = 235.0, 0.7, np.ones((9, 9), dtype=np.uint8)
"""From which gray level on a mat is no further from the brightest level of all than it may be off, from which tone on a
print is white, and what must be so bright without a gap (flat pixels) to hide a token."""


def _bounds(layer: Floats) -> tuple[Floats, Floats]:
    """Return the darkest and the brightest value round each pixel: an edge may be half a pixel off."""
    kernel = np.ones((3, 3), dtype=np.uint8)
    return np.asarray(cv2.erode(layer, kernel)), np.asarray(cv2.dilate(layer, kernel))


class Scene:
    """The look of the empty mat as far as known: learned from spots where nothing lay, or from its print file."""

    def __init__(self, flat: Flat, reference: Gray | None = None) -> None:
        """Create it with nothing known, or with a picture of the whole mat, of any resolution, as it was printed."""
        self.flat = flat
        self.base = np.zeros(flat.shape, dtype=np.float32)
        self.known = np.zeros(flat.shape, dtype=np.bool_)
        self.seen = np.zeros(flat.shape, dtype=np.bool_)
        self.deviates = np.zeros(flat.shape, dtype=np.bool_)
        """Where it may differ from its base: gleams, and what has lain there for long."""
        self._gleams = np.zeros(flat.shape, dtype=np.bool_)
        self._other: Floats | None = None
        self._reference = reference
        self._sure = np.full(flat.shape, _ROUGH, dtype=np.float32)
        self._rough = self._sure.copy()
        self._print: Floats | None = None
        self._seeded: Floats | None = None
        self._filled: Floats | None = None
        self._all = False
        self._outdated = False  # whether the seen mat has changed since it last corrected the unseen

    def seed(self, flat: Gray, mat: Mat) -> None:
        """Fill what is not known yet with the printed picture, in tones as this camera shows them.

        The markers, of which paper white and black are known, tell the light all round the table; one curve for the
        whole print then tells what became of the tones between, however much of the mat is hidden by cards.
        """
        if self._reference is None:
            return
        if self._print is None:
            size = (round(mat.w / MM), round(mat.h / MM))
            shrunk = cv2.resize(self._reference, size, interpolation=cv2.INTER_AREA)
            below, right = self.flat.shape[0] - size[1], self.flat.shape[1] - size[0]
            whole = cv2.copyMakeBorder(shrunk, 0, max(0, below), 0, max(0, right), cv2.BORDER_REPLICATE)
            self._print = (whole[: self.flat.shape[0], : self.flat.shape[1]] / 255).astype(np.float32)
        now = flat.astype(np.float32)
        white, black = white_and_black(now, self._print, mat)
        toned = tones(self._print, (now - black) / np.maximum(white - black, 1.0))
        fresh = ~self.seen
        self._seeded = (black + toned * (white - black)).astype(np.float32)
        self.base[fresh] = self._seeded[fresh]
        self.known[:] = self._all = True
        # At half the light, a card differs from the mat by half as much.
        self._rough = np.clip((white - black) * _OF_LIGHT, _LEAST_ROUGH, _ROUGH).astype(np.float32)
        self._sure[fresh] = self._rough[fresh]
        self._filled = None
        self._seed_in_pools(now, fresh)

    def _seed_in_pools(self, now: Floats, fresh: Mask) -> None:
        """Multiply the seed by the light of a lamp's pool: the markers at the rim can't tell it, the mat shows it."""
        assert self._seeded is not None  # noqa: S101 (only called with a seed)
        every, whole = np.ones(now.shape, dtype=np.bool_), (slice(0, now.shape[0]), slice(0, now.shape[1]))
        lit = self.grown_bare(now, self.is_mat(now, whole), every)
        self._seeded *= self._times_seed(now, lit, _REACHES[:_POOL])
        self.base[fresh] = self._seeded[fresh]

    def is_mat(self, picture: Floats, window: Window) -> Mask:
        """Return where a window of the flat picture (old light) looks like the empty mat; unseen spots as around."""
        y, x = window
        big = grown(window, 1, self.flat.shape)
        inner = (slice(y.start - big[0].start, None), slice(x.start - big[1].start, None))
        cut = (slice(0, picture.shape[0]), slice(0, picture.shape[1]))
        result = np.zeros(picture.shape, dtype=np.bool_)
        tolerance = self._sure[window] + _SHARE * np.abs(picture)
        for layer in (self.mat(),) if self._other is None else (self.mat(), self._other):
            low, high = _bounds(layer[big])
            low, high = low[inner][cut], high[inner][cut]
            result |= (picture >= low - tolerance) & (picture <= high + tolerance)
        return result

    def burnt_out(self, now: Floats, window: Window) -> Mask:
        """Return where a window is so bright (gray levels, as seen) that a white card looks like the darker mat."""
        if self._print is None:
            return np.zeros(now.shape, dtype=np.bool_)
        dark = cv2.erode(self._print[window], _BURNT) < _WHITE  # with the white words in it
        clipped = ((now >= _CLIPPED) & dark).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(clipped, cv2.MORPH_OPEN, _BURNT) > 0)

    @property
    def complete(self) -> bool:
        """Whether every spot of the mat is known."""
        return self._all

    def mat(self) -> Floats:
        """Return the empty mat, in the old light, the unknown spots filled in from round them."""
        if self._all:
            if self._outdated:
                self._correct_unseen()
            return self.base
        if self._filled is None:
            weight = self.known.astype(np.float32)
            total, share = self.base * weight, weight
            filled = np.where(self.known, self.base, 0).astype(np.float32)
            have = self.known.copy()
            for reach in (9, 27, 81, 243):
                near = cv2.blur(share, (reach, reach))
                mean = cv2.blur(total, (reach, reach)) / np.maximum(near, 1e-6)
                take = ~have & (near > 0.02)
                filled[take] = mean[take]
                have |= take
            self._filled = filled
        return self._filled

    def _correct_unseen(self) -> None:
        """Multiply the seed, where the mat is unseen, by the ratio of seen mat to seed round about."""
        self._outdated = False
        if self._seeded is None:
            return
        there = self._times_seed(self.base, self.seen, _REACHES)
        changed = np.clip(self._seeded * there, self._seeded - _ROUGH, self._seeded + _ROUGH)
        np.copyto(self.base, changed, where=~self.seen)

    def _times_seed(self, mat: Floats, where: Mask, reaches: Iterable[float]) -> Floats:
        """Return by what factor the mat is brighter than its seed, smoothly, as told by some places."""
        assert self._seeded is not None  # noqa: S101 (only called with a seed)
        high, wide = mat.shape
        small, told = (-(-wide // _COARSE), -(-high // _COARSE)), where.astype(np.float32)
        then, now = (cv2.resize(one * told, small, interpolation=cv2.INTER_AREA) for one in (self._seeded, mat))
        ratio = np.ones((small[1], small[0]), dtype=np.float32)
        for reach in reaches:
            weight = cv2.GaussianBlur(then, (0, 0), reach)
            hold = _HOLD * float(weight.mean()) + 1e-6
            ratio[:] = (cv2.GaussianBlur(now, (0, 0), reach) + hold * ratio) / (weight + hold)
        return np.asarray(cv2.resize(ratio, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    def grown_bare(self, picture: Floats, bare: Mask, free: Mask) -> Mask:
        """Return where a picture is like the empty mat but for light that changes smoothly from where it is bare.

        Mirrored lamps and dark corners show print and have no edge. `free` places have no known piece.
        """
        result = bare & free
        low, high = _bounds(self.mat())
        for _ in range(_GLEAM_STEPS):
            share = cv2.blur(result.astype(np.float32), _GLEAM)
            above = cv2.blur(np.where(result, picture - self.mat(), 0).astype(np.float32), _GLEAM)
            veil = np.maximum(above / np.maximum(share, 1e-3), -_DIM * self.mat())
            left = picture - veil
            more = free & (share > 0.15) & (left >= low - _GLEAM_OFF) & (left <= high + _GLEAM_OFF) & ~result
            if not more.any():
                break
            result |= more
        return result

    def learn(self, picture: Floats, where: Mask, window: Window) -> None:
        """Learn the mat from spots of a window where nothing lies (old light): known ones slowly, to similar looks."""
        base, known, seen = self.base[window], self.known[window], self.seen[window]
        like = where & known & self.is_mat(picture, window)
        fresh = like & ~seen
        # The first look counts half: where a shadow lay then, the mat must still be known without it.
        base += np.where(fresh, 0.5 * (picture - base), 0).astype(np.float32)
        again = like & seen
        step = np.where(again, 0.1 * (picture - base), 0).astype(np.float32)
        base += step
        if self._seeded is not None:
            # Small steps could lead anywhere if the light is fitted wrongly.
            np.clip(base, self._seeded[window] - _ROUGH, self._seeded[window] + _ROUGH, out=base)
        new = where & ~known
        np.copyto(base, picture, where=new)
        known |= new
        moved = abs(float(step.sum())) > _DRIFT * max(int(np.count_nonzero(again)), 1)
        self._outdated = self._outdated or moved or bool(fresh.any())
        seen |= like | new
        np.copyto(self._sure[window], np.minimum(_SURE, self._rough[window]), where=seen)
        if not self._all:
            self._all, self._filled = bool(self.known.all()), None

    def get_used_to(self, picture: Floats, where: Mask, window: Window) -> None:
        """Accept something still for long without a code (a mug) as furniture; the mat known there stays known."""
        if self._other is None:
            self._other = np.full(self.flat.shape, _NEVER, dtype=np.float32)
        np.copyto(self._other[window], picture, where=where)
        self.deviates[window] |= where

    def see_through(self, picture: Floats, gleams: Mask, window: Window) -> None:
        """Accept gleams and dark corners (of a window of the flat picture) as part of the mat, in this light only."""
        self.get_used_to(picture, gleams, window)
        self._gleams[window] |= gleams

    def forget_gleams(self) -> None:
        """Forget the gleams of the earlier light: a lamp was switched."""
        if self._other is not None:
            self._other[self._gleams] = _NEVER
        self.deviates &= ~self._gleams
        self._gleams[:] = False


def white_and_black(now: Floats, printed: Floats, mat: Mat) -> tuple[Floats, Floats]:
    """Return how bright paper and black are everywhere in a flat picture, by the mat's markers.

    `printed` is 0 (black) to 1. Both are even, slanted or bent over the table, as the markers show; without enough
    markers they are the picture's extremes.
    """
    levels, places = [], []
    high, wide = now.shape
    for marker in mat.markers:
        half = marker.size / 2 + marker.size / 7
        rows = slice(max(0, round((marker.y - half) / MM)), min(high, round((marker.y + half) / MM)))
        columns = slice(max(0, round((marker.x - half) / MM)), min(wide, round((marker.x + half) / MM)))
        ink, seen = printed[rows, columns].ravel(), now[rows, columns].ravel()
        if ink.size < _MARKER or np.corrcoef(ink, seen)[0, 1] < _LIKE_MARKER:
            continue
        slope, start = np.polyfit(ink, seen, 1)
        levels.append((start + slope, start))
        places.append((marker.x / MM / wide * 2 - 1, marker.y / MM / high * 2 - 1))
    if len(places) < _FEWEST_MARKERS:
        low, top = np.percentile(now, (1, 99))
        return np.full_like(now, top), np.full_like(now, low)
    u, v = np.array(places).T
    gy, gx = np.meshgrid(np.linspace(-1, 1, high), np.linspace(-1, 1, wide), indexing="ij")
    fields = []
    for at in np.array(levels).T:
        weight = np.ones(len(at))
        for _ in range(4):
            columns_ = bends(u, v) * weight[:, None]
            hold = np.diag(_STIFF) * len(at)
            shift = float(np.median(at))
            found = np.linalg.solve(columns_.T @ columns_ + hold, columns_.T @ ((at - shift) * weight))
            off = np.abs(at - shift - bends(u, v) @ found)
            weight = 1 / (1 + (off / max(4.0, 2 * float(np.median(off)))) ** 2)
        fields.append((shift + bends(gx.ravel(), gy.ravel()) @ found).reshape(now.shape).astype(np.float32))
    return fields[0], fields[1]


_OF_LIGHT, _LEAST_ROUGH = 0.13, 7.0
"""`_ROUGH` as a share of what lies between black and white, where that is little, and its least (gray levels)."""

_MARKER, _LIKE_MARKER, _FEWEST_MARKERS = 40, 0.8, 4
"""Flat pixels that a marker must have, how alike (correlation) it must be to its print, and how many must show."""

_STIFF = (0.0, 0.01, 0.01, 0.05, 0.05, 0.05)
"""How strongly the light is held even where markers don't show a slant or bend."""


def tones(printed: Floats, seen: Floats) -> Floats:
    """Return a print in the tones that are seen; both from 0 (black) to 1 (paper).

    First the power that suits most of the picture, then for each of 24 levels of the print the median of what is near
    it.
    """
    few = (slice(None, None, 3), slice(None, None, 3))
    ink, now = printed[few], seen[few]
    inked = ink < _PAPER
    ink, now = ink[inked], now[inked]
    if ink.size < _FEW_INKED:
        return printed
    power = max(_POWERS, key=lambda power: float((np.abs(now - ink**power) < _NEAR).mean()))
    levels = np.linspace(0, 1, 25)
    at, tone = [0.0], [0.0]
    number = np.clip(np.digitize(ink, levels) - 1, 0, 23)
    for level in range(24):
        here = (number == level) & (np.abs(now - ink**power) < 1.5 * _NEAR)
        if np.count_nonzero(here) >= _FEW_INKED:
            at.append(float(np.median(ink[here])))
            tone.append(float(np.median(now[here])))
    at.append(1.0)
    tone.append(1.0)
    return np.interp(printed, at, np.maximum.accumulate(tone)).astype(np.float32)


_POWERS = tuple(float(power) for power in np.geomspace(0.45, 2.2, 24))
_NEAR, _PAPER, _FEW_INKED = 0.08, 0.97, 30
"""How near a tone must be to count as that of the print; from where on it is bare paper; how many pixels tell."""
