"""The table seen from straight above, small: what each spot should look like, and what looks otherwise.

The flat picture has 2 mm a pixel whatever the camera does, so that a bumped camera or another resolution changes
nothing in what is known about the mat. Light is fitted anew for every comparison: a gain that varies gently over the
table, and an offset; what is remembered is kept in the light of the day it was learned.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.geometry import Calibration, Points
from companion.eye.mat import Mat, Rect
from companion.eye.view import Gray

MM = 2.0
"""Millimetres a pixel of the flat picture."""

TILE = 15
"""Flat pixels along a tile's side (30 mm): the unit in which motion is noted."""

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Window = tuple[slice, slice]

_SURE = 10.0
_ROUGH = 20.0
_SHARE = 0.03
"""How far a spot may be off, in gray levels and by what share of its brightness: where the mat was really seen, and
where only its print file is known.
"""


def reduced(gray: Gray, wide: int = 576) -> tuple[Gray, int]:
    """Give the picture at about `wide` pixels across, each the mean of a square, and the side of that square."""
    factor = max(1, round(gray.shape[1] / wide))
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    cut = gray[: size[1] * factor, : size[0] * factor]
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), factor


def glimpsed(gray: Gray, wide: int = 576) -> Gray:
    """Give the reduced picture at a quarter of the price: each pixel the mean of the four in the middle of its square.

    Good enough to see that something moved; too noisy to judge what lies there.
    """
    factor = max(1, round(gray.shape[1] / wide))
    if factor % 2:
        return reduced(gray, wide)[0]
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    cut = gray[: size[1] * factor, : size[0] * factor]
    # Halfway between pixels, bilinear interpolation is the mean of the four around.
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


class Flat:
    """The grid of the flat picture, and how to get it from a reduced camera picture."""

    def __init__(self, mat: Mat) -> None:
        """Lay the grid over a mat; its size is a whole number of tiles."""
        self.grid = (math.ceil(mat.h / MM / TILE), math.ceil(mat.w / MM / TILE))
        self.shape = (self.grid[0] * TILE, self.grid[1] * TILE)
        self._maps: tuple[Any, Any] | None = None

    def aim(self, calibration: Calibration, factor: int) -> None:
        """Say how the camera sees the mat, and by what factor its pictures are reduced."""
        ys, xs = np.mgrid[: self.shape[0], : self.shape[1]]
        mm = np.stack([(xs.ravel() + 0.5) * MM, (ys.ravel() + 0.5) * MM], axis=1)
        px = ((calibration.to_px(mm) + 0.5) / factor - 0.5).astype(np.float32)
        x, y = px[:, 0].reshape(self.shape), px[:, 1].reshape(self.shape)
        self._maps = cv2.convertMaps(x, y, cv2.CV_16SC2)

    def of(self, small: Gray) -> Gray:
        """Flatten a reduced picture."""
        assert self._maps is not None, "aim first"  # noqa: S101 (a wrong call, not a wrong input)
        flat = cv2.remap(small, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8)

    def tiles(self, mask: Gray) -> Mask:
        """Tell in which tiles more than a few pixels of a flat 0/255 mask are set."""
        size = (self.grid[1], self.grid[0])
        return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA)) >= 4

    def tile_window(self, points: Points, margin: float = 0.0) -> Window:
        """Give the tiles that points (mm) and `margin` mm round them reach into."""
        side = TILE * MM
        low, high = (points.min(axis=0) - margin) / side, (points.max(axis=0) + margin) / side
        x0, y0 = np.maximum(np.floor(low), 0).astype(int)
        x1, y1 = np.floor(high).astype(int) + 1
        return slice(int(y0), max(int(y1), int(y0) + 1)), slice(int(x0), max(int(x1), int(x0) + 1))

    def fill(self, outline: Points, grow: float = 0.0) -> tuple[Window, Mask]:
        """Give the window of the flat picture that an outline (mm) lies in, and the mask of its inside there.

        A pixel is inside if its centre is; `grow` mm are added all round (less than nothing: taken off). An outline
        off the mat gives an empty window.
        """
        middle = outline.mean(axis=0)
        away = outline - middle
        if grow:
            reach = np.linalg.norm(away, axis=1, keepdims=True)
            away = away * np.maximum(0.0, 1 + grow * math.sqrt(2) / np.maximum(reach, 1e-6))
        px = (middle + away) / MM - 0.5
        x0, y0 = np.maximum(np.floor(px.min(axis=0)), 0).astype(int)
        x1 = min(int(np.ceil(px[:, 0].max())) + 1, self.shape[1])
        y1 = min(int(np.ceil(px[:, 1].max())) + 1, self.shape[0])
        if x1 <= x0 or y1 <= y0:
            return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), dtype=np.bool_)
        mask = np.zeros((y1 - y0, x1 - x0), dtype=np.uint8)
        corners = np.round((px - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 1, lineType=cv2.LINE_8, shift=4)
        return (slice(int(y0), y1), slice(int(x0), x1)), mask.astype(np.bool_)

    def window(self, rect: Rect) -> Window:
        """Give the window of the flat picture that a rectangle (mm) lies in."""
        return (
            slice(max(0, round(rect.y / MM)), min(self.shape[0], round((rect.y + rect.h) / MM))),
            slice(max(0, round(rect.x / MM)), min(self.shape[1], round((rect.x + rect.w) / MM))),
        )


def _bounds(layer: Floats) -> tuple[Floats, Floats]:
    """Give the darkest and the brightest value round each pixel: an edge may be half a pixel off."""
    kernel = np.ones((3, 3), dtype=np.uint8)
    return np.asarray(cv2.erode(layer, kernel)), np.asarray(cv2.dilate(layer, kernel))


class Scene:
    """What the empty mat looks like, as far as known: learned from spots where nothing lay, or from its print file."""

    def __init__(self, flat: Flat, reference: Gray | None = None) -> None:
        """Start with nothing known, or with a picture of the whole mat, of any resolution, as it was printed."""
        self.flat = flat
        self.base = np.zeros(flat.shape, dtype=np.float32)
        self.known = np.zeros(flat.shape, dtype=np.bool_)
        self.seen = np.zeros(flat.shape, dtype=np.bool_)
        self._other = np.full(flat.shape, -1000.0, dtype=np.float32)
        self._reference = reference
        self._sure = np.full(flat.shape, _ROUGH, dtype=np.float32)
        self._print: Floats | None = None
        self._filled: Floats | None = None

    def seed(self, flat: Gray, mat: Mat) -> None:
        """Lay the printed picture under what is not known yet, in tones as this camera shows them.

        Printer and camera bend the tones: for each of 24 levels of the print the tone is the median of what the camera
        shows where the print has that level. Pieces on the mat are few pixels of each level.
        """
        if self._reference is None:
            return
        if self._print is None:
            size = (round(mat.w / MM), round(mat.h / MM))
            shrunk = cv2.resize(self._reference, size, interpolation=cv2.INTER_AREA)
            below, right = self.flat.shape[0] - size[1], self.flat.shape[1] - size[0]
            whole = cv2.copyMakeBorder(shrunk, 0, max(0, below), 0, max(0, right), cv2.BORDER_REPLICATE)
            self._print = np.asarray(whole[: self.flat.shape[0], : self.flat.shape[1]], dtype=np.float32)
        now = flat.astype(np.float32)
        toned = self._print
        for _ in range(3):
            gain, offset = fit_light(now, toned, np.ones(self.flat.shape, dtype=np.bool_))
            evened = (now - offset) / gain
            toned = _match_tones(self._print, evened)
        fresh = ~self.seen
        gain, offset = fit_light(now, toned, np.ones(self.flat.shape, dtype=np.bool_))
        self.base[fresh] = (toned * gain + offset)[fresh]
        self.known[:] = True
        self._sure[fresh] = _ROUGH
        self._filled = None

    def in_old_light(self, flat: Gray, expected: Floats, usable: Mask) -> Floats:
        """Give the picture as it would look in the light in which everything was learned.

        `expected` is what should be seen, pieces included; `usable` the pixels whose look is known and at rest.
        """
        now = flat.astype(np.float32)
        if usable.mean() < 0.05:
            return now
        gain, offset = fit_light(now, expected, usable)
        return (now - offset) / gain

    def is_mat(self, picture: Floats, window: Window) -> Mask:
        """Tell where a picture (in the old light) looks like the empty mat, within a window.

        What nobody has seen yet is taken to look like its surroundings.
        """
        y, x = window
        here = picture[y, x]
        big = (slice(max(0, y.start - 1), y.stop + 1), slice(max(0, x.start - 1), x.stop + 1))
        inner = (slice(y.start - big[0].start, None), slice(x.start - big[1].start, None))
        cut = (slice(0, here.shape[0]), slice(0, here.shape[1]))
        result = np.zeros(here.shape, dtype=np.bool_)
        tolerance = self._sure[y, x] + _SHARE * np.abs(here)
        for layer in (self.mat(), self._other):
            low, high = _bounds(layer[big])
            low, high = low[inner][cut], high[inner][cut]
            result |= (here >= low - tolerance) & (here <= high + tolerance)
        return result

    def mat(self) -> Floats:
        """Give the empty mat, in the old light, the unknown spots filled in from round them."""
        if self.known.all():
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

    def learn(self, picture: Floats, where: Mask) -> None:
        """Take what is seen (in the old light) at spots where nothing lies as the mat.

        A known spot moves slowly and only towards what already looks like it; an unknown one is taken as it is.
        """
        whole = (slice(0, self.flat.shape[0]), slice(0, self.flat.shape[1]))
        like = where & self.known & self.is_mat(picture, whole)
        fresh = like & ~self.seen
        self.base[fresh] = picture[fresh]
        again = like & self.seen
        self.base[again] += 0.1 * (picture[again] - self.base[again])
        new = where & ~self.known
        self.base[new] = picture[new]
        self.known |= new
        self.seen |= like | new
        self._sure[self.seen] = _SURE
        self._filled = None

    def get_used_to(self, picture: Floats, where: Mask) -> None:
        """Take something that has lain still for long and has no code (a mug, a coaster) as part of the furniture.

        What was known of the mat there stays known.
        """
        self._other[where] = picture[where]


def _match_tones(printed: Floats, evened: Floats) -> Floats:
    levels = np.linspace(0, 255, 25)
    at, tone = [], []
    number = np.clip(np.digitize(printed, levels) - 1, 0, 23)
    for level in range(24):
        inside = number == level
        if inside.sum() >= 40:
            at.append(float(np.median(printed[inside])))
            tone.append(float(np.median(evened[inside])))
    if len(at) < 2:
        return printed
    return np.interp(printed, at, np.maximum.accumulate(tone)).astype(np.float32)


def fit_light(now: Floats, expected: Floats, usable: Mask) -> tuple[Floats, float]:
    """Fit `now` ≈ gain × `expected` + offset, the gain quadratic over the picture; what doesn't fit counts little.

    Gives the gain for every pixel and the offset.
    """
    ys, xs = np.nonzero(usable[::5, ::5])
    ys, xs = ys * 5, xs * 5
    a, b = expected[ys, xs].astype(np.float64), now[ys, xs].astype(np.float64)
    high, wide = now.shape
    u, v = xs / wide * 2 - 1, ys / high * 2 - 1
    # An offset is told from a gain by dark and bright spots; on a plain mat it is held near nothing.
    shape = _bends(u, v)
    columns = np.concatenate([a[:, None] * shape, np.full((len(a), 1), 60.0)], axis=1)
    hold = np.diag([1e-6, 1.0, 1.0, 2.0, 2.0, 2.0, 4.0]) * max(1.0, float((a**2).mean())) * len(a) * 1e-4
    middle = float(np.median(b[a > 20] / a[a > 20])) if (a > 20).any() else 1.0
    found: npt.NDArray[Any] = np.zeros(7)
    found[0] = np.clip(middle, 0.2, 5.0)
    for _ in range(7):
        left = b - columns @ found
        width = max(4.0, 2.0 * float(np.median(np.abs(left))))
        weight = 1 / (1 + (left / width) ** 2) ** 2
        prior: npt.NDArray[np.float64] = np.zeros(7)
        prior[0] = found[0]
        normal = columns.T @ (columns * weight[:, None]) + hold
        found = np.linalg.solve(normal, columns.T @ (weight * b) + hold @ prior)
    gy, gx = np.meshgrid(np.linspace(-1, 1, 12), np.linspace(-1, 1, 16), indexing="ij")
    coarse = _bends(gx.ravel(), gy.ravel()) @ found[:6]
    gain = cv2.resize(coarse.reshape(12, 16).astype(np.float32), (wide, high), interpolation=cv2.INTER_LINEAR)
    return np.clip(gain, 0.15, 6.0), float(found[6] * 60.0)


def _bends(u: npt.NDArray[Any], v: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Give the shapes that light can have over the table: even, slanted, falling off; shape (n, 6)."""
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)
