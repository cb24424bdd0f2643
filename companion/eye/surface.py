"""Stages 4 and 8: what the table looks like now, and what on it is neither mat nor a known piece.

Everything here is remembered from frame to frame, as flat pictures of the whole mat in the light in which it was
learned, and brought up to date only in the windows in which something changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.expected import SHADOW, Expected
from companion.eye.flat import (
    LATTICE,
    MM,
    TILE,
    Area,
    Flat,
    Floats,
    Mask,
    Window,
    boxes_of,
    flat_window,
    grown,
    joined,
    overlap,
    within,
)
from companion.eye.light import Light
from companion.eye.mat import Mat
from companion.eye.motion import Times
from companion.eye.scene import Scene
from companion.eye.view import Gray

STRANGE_MM2 = 80.0
"""Strange area (mm²) that covers a zone; half of it makes a tile be looked at again."""

_EDGE_OFF = 30.0
"""Gray levels by which a card's edge and shadow may be off; its face is off by less."""

_REACH = 3
"""Flat pixels round a window that influence what is strange within."""

_DENSE = 0.3
_CODE_PX = 7
"""A code is at least that many flat pixels wide (14 mm), of which at least the share `_DENSE` look like no mat."""

_CREPT = 6.0
"""Gray levels by which a sample must differ from what was last seen there to be seen anew."""

_FIRST = LATTICE // 2

Samples = npt.NDArray[np.bool_]
"""Which samples of the lattice are meant."""

_AGREES = 12.0
"""Gray levels by which a sample of something unknown may be off in a light that what is known has told."""

_ENOUGH = 0.05
"""The share of the samples that must be of use to fit the light by them."""

_KERNEL = np.ones((3, 3), dtype=np.uint8)
_FEWEST = round(STRANGE_MM2 / 2 / MM / MM / TILE**2 * 255)
_WHOLE_TILE = np.ones((TILE, TILE), dtype=np.bool_)


class Still(NamedTuple):
    """Where nothing moves at a `time`: tiles, and when something last moved in each."""

    time: float
    resting: Mask
    moved_at: Times


class Surface:
    """The flat picture, where it shows bare mat, and what is strange. All arrays have the flat picture's shape."""

    def __init__(self, flat: Flat, reference: Gray | None) -> None:
        """Create it with nothing seen; `reference` is a gray picture of the whole empty mat, as printed, or None."""
        self.scene = Scene(flat, reference)
        self.picture: Floats = np.zeros(flat.shape, dtype=np.float32)
        """The table in the old light, as of the last update of each window."""
        self.bare: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where the picture looks like the empty mat, and is not burnt out."""
        self._burnt_out: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self.strange: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self.tiles: Mask = np.zeros(flat.grid, dtype=np.bool_)
        """Tiles that are strange enough to be looked at again."""
        self.since = np.full(flat.grid, np.inf)
        """The time (seconds) at which each tile became strange."""
        self.version = 0
        """A counter that grows whenever `strange` may have changed."""
        self.whole: Window = (slice(0, flat.shape[0]), slice(0, flat.shape[1]))
        """The window of the whole flat picture."""
        self._flat = flat
        self._light = Light(flat.shape, LATTICE)
        self._fresh = False
        self._noted_at: Times = np.full(flat.grid, -1e9)
        rows, columns = (len(range(_FIRST, size, LATTICE)) for size in flat.shape)
        self._sampled: Floats = np.zeros((rows, columns), dtype=np.float32)
        self._noted: Floats = np.zeros((rows, columns), dtype=np.float32)
        self._raw: npt.NDArray[np.uint8] = np.zeros(flat.shape, dtype=np.uint8)
        ys, xs = flat.lattice
        self._lattice_tiles = ys // TILE, xs // TILE

    def seed(self, gray: Gray, mat: Mat) -> None:
        """Fill what is not known yet with the mat's print, in tones as the camera shows them."""
        self.scene.seed(self._flat.part(gray, self.whole), mat)
        self._fresh = True

    def take(
        self, gray: Gray, glimpse: Gray, windows: Iterable[Window], still: Still, expected: Expected
    ) -> list[Window]:
        """Update windows in which something changed, or looks otherwise though nothing moved; return every updated
        window.

        `glimpse` is the camera's picture reduced; the light is told where all is `still`, or by what is `expected` if
        all moved.
        """
        samples, anew = self._fit_light(glimpse, still, expected)
        # After a change of light everything differs slightly from what the light's model predicts.
        stale = [self.whole] if anew else map(flat_window, boxes_of(self._stale(samples)))
        taken = joined([*windows, *stale], self._flat.shape)
        seen = np.zeros(self._flat.grid, dtype=np.bool_)
        for window in taken:
            rows, columns = (
                slice(-(-max(0, side.start - _FIRST) // LATTICE), -(-max(0, side.stop - _FIRST) // LATTICE))
                for side in window
            )
            self._sampled[rows, columns] = samples[rows, columns]
            seen[tuple(slice(-(-side.start // TILE), side.stop // TILE) for side in window)] = True
            now = self._flat.part(gray, window).astype(np.float32)
            picture = (now - self._light.offset[window]) / self._light.gain[window]
            self.picture[window] = picture
            self._burnt_out[window] = self.scene.burnt_out(now, window)
            self._find_bare(window)
        self._note(samples, seen, still)
        return taken

    def _note(self, samples: Floats, seen: Mask, still: Still) -> None:
        """Record what lies in tiles with motion since the last record; never sooner, or errors would add up."""
        anew = seen & (still.moved_at > self._noted_at)
        self._noted_at[anew] = still.time
        at = anew[self._lattice_tiles].reshape(samples.shape)
        self._noted[at] = samples[at]

    def _stale(self, samples: Floats) -> Mask:
        """Return the tiles in which a sample has changed since they were seen, by the steadiest quarter's noise."""
        off = cv2.absdiff(samples, self._sampled)
        limit = max(_CREPT, 15 * float(np.partition(off.ravel(), off.size // 4)[off.size // 4]))
        result = np.zeros(self._flat.grid, dtype=np.bool_)
        rows, columns = np.nonzero(off > limit)
        result[(rows * LATTICE + _FIRST) // TILE, (columns * LATTICE + _FIRST) // TILE] = True
        return result

    def _fit_light(self, glimpse: Gray, still: Still, expected: Expected) -> tuple[Floats, bool]:
        """Fit the light if it changed; return the lattice's samples in the old light, and whether it changed."""
        seen = self._flat.samples(glimpse)
        fresh, self._fresh, anew = self._fresh, False, False
        sure, usable, then = self._compared(still, expected)
        ys, xs = self._flat.lattice
        if fresh or np.count_nonzero(usable) < _ENOUGH * len(usable):
            self._light.reset()
        elif not self._light.fits(seen[usable], then[usable], ys[usable], xs[usable]):
            if np.count_nonzero(sure) >= _ENOUGH * len(sure):
                self._light.fit(seen[sure], then[sure], ys[sure], xs[sure])
                # What is not known was noted in a light that may have been told wrongly.
                usable = sure | (usable & (self._light.off(seen, then, ys, xs) <= _AGREES))
            self._light.fit(seen[usable], then[usable], ys[usable], xs[usable])
            anew = True
        every = (slice(_FIRST, None, LATTICE), slice(_FIRST, None, LATTICE))
        gain, offset = self._light.gain[every], self._light.offset[every]
        return np.asarray((seen.reshape(gain.shape) - offset) / gain, dtype=np.float32), anew

    def _compared(self, still: Still, expected: Expected) -> tuple[Samples, Samples, Floats]:
        """Return which samples tell the light for sure, which may, and what they would be in the old one.

        Where nothing moved since it was noted that is what lies there; if that is too little (a bumped camera), what is
        expected.
        """
        every = (slice(_FIRST, None, LATTICE), slice(_FIRST, None, LATTICE))
        known, picture = expected.known[every].ravel(), expected.picture[every].ravel()
        # Cards that have not been read yet must not pass for mat in another light.
        sure = known & (self.bare[every] | expected.painted[every]).ravel() & ~self.scene.deviates[every].ravel()
        same = (still.resting & (still.moved_at <= self._noted_at))[self._lattice_tiles]
        if np.count_nonzero(same) >= _ENOUGH * len(same):
            return same & sure, same, np.where(sure, picture, self._noted.ravel()).astype(np.float32)
        resting = still.resting[self._lattice_tiles]
        usable = sure & resting
        if np.count_nonzero(usable) < _ENOUGH * len(usable):
            usable = known & resting
        return usable, usable, picture

    def judge(self, windows: Iterable[Window], expected: Expected, time: float) -> None:
        """Recompute in some windows what is neither mat nor piece: a hand, a mug, something not read yet."""
        anew = joined([*windows], self._flat.shape)
        for window in anew:
            self._raw[window] = self._unfamiliar(window, expected)[1]
        low, right = self._flat.end
        self._raw[low:] = 0
        self._raw[:, right:] = 0
        self._leave_out_shadows(anew, expected.in_shadow)
        self.version += 1
        high, wide = self._flat.grid
        amount = cv2.resize(self.strange.view(np.uint8) * np.uint8(255), (wide, high), interpolation=cv2.INTER_AREA)
        self.tiles = np.asarray(amount >= _FEWEST, dtype=np.bool_)
        self.since = np.where(self.tiles, np.minimum(self.since, time), np.inf)

    def _unfamiliar(self, window: Window, expected: Expected) -> tuple[Mask, Mask]:
        """Return where a window looks like neither mat nor piece: for each pixel, and with thin parts removed."""
        big = grown(window, _REACH, self._flat.shape)
        inner = (
            slice(window[0].start - big[0].start, window[0].stop - big[0].start),
            slice(window[1].start - big[1].start, window[1].stop - big[1].start),
        )
        picture, known = self.picture[big], expected.known[big]
        low, high = cv2.erode(expected.picture[big], _KERNEL), cv2.dilate(expected.picture[big], _KERNEL)
        as_expected = expected.on_piece[big] & (picture >= low - _EDGE_OFF) & (picture <= high + _EDGE_OFF)
        unfamiliar = ~(self.bare[big] | as_expected | expected.ring[big])
        strange = cv2.morphologyEx((unfamiliar & known).view(np.uint8), cv2.MORPH_OPEN, _KERNEL)
        return (unfamiliar | ~known)[inner], strange.view(np.bool_)[inner]

    def _leave_out_shadows(self, windows: list[Window], in_shadow: Mask) -> None:
        """Set `strange` to what remains without the shadows of pieces, near windows that changed.

        A shadow is a spot darker than the mat that lies wholly along a card or a deck; a hand reaches further.
        """
        np.logical_and(self.strange, self._raw, out=self.strange)
        left, top, wide, high = cv2.boundingRect(self._raw)
        if not wide:
            return
        cut = self._raw[top : top + high, left : left + wide]
        _, labels, stats, _ = cv2.connectedComponentsWithStats(cut, connectivity=8)
        for number, (x, y, w, h, area) in enumerate(stats[1:].tolist(), start=1):
            window = (slice(top + y, top + y + h), slice(left + x, left + x + w))
            if any(overlap(window, grown(other, SHADOW, self._flat.shape)) for other in windows):
                part = labels[y : y + h, x : x + w] == number
                np.copyto(self.strange[window], not self._is_shadow(window, part, area, in_shadow), where=part)

    def _is_shadow(self, window: Window, part: Mask, area: int, in_shadow: Mask) -> bool:
        soft = part & (self.picture[window] < self.scene.mat()[window])
        return bool(np.count_nonzero(soft) >= 0.9 * area and np.count_nonzero(soft & in_shadow[window]) >= 0.9 * area)

    def unfamiliar(self, window: Window, expected: Expected) -> Mask:
        """Return where a window looks like neither bare mat nor the pieces that are known to lie there."""
        return self._unfamiliar(window, expected)[0]

    def unexplained(
        self, box: Window, expected: Expected, explained: Iterable[Area], asked: Iterable[Area]
    ) -> list[Window]:
        """Return the flat windows in a window of tiles that may have an unknown code; `asked` areas always may."""
        window = flat_window(box)
        unfamiliar = self._unfamiliar(window, expected)[0].astype(np.uint8)
        _put(unfamiliar, window, explained, 0)
        _put(unfamiliar, window, asked, 1)
        return self._dense(unfamiliar, window)

    def not_bare(self, window: Window, explained: Iterable[Area]) -> list[Window]:
        """Return the windows within one in which another code may be: all that is neither bare mat nor explained."""
        unfamiliar = (~self.bare[window]).astype(np.uint8)
        _put(unfamiliar, window, explained, 0)
        return self._dense(unfamiliar, window)

    def _dense(self, unfamiliar: npt.NDArray[np.uint8], window: Window) -> list[Window]:
        """Return windows round the parts of a mask that are dense enough for a code; the mask covers a window."""
        if not unfamiliar.any():
            return []
        share = cv2.boxFilter(unfamiliar * np.uint8(100), -1, (_CODE_PX, _CODE_PX), borderType=cv2.BORDER_CONSTANT)
        dense = cv2.dilate(unfamiliar & (share >= _DENSE * 100).view(np.uint8), np.ones((5, 5), dtype=np.uint8))
        top, left = window[0].start, window[1].start
        # Contours take a tenth of the time of connected components.
        contours, _ = cv2.findContours(dense, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [
            (slice(top + y, top + y + high), slice(left + x, left + x + wide))
            for x, y, wide, high in map(cv2.boundingRect, contours[::-1])
            if min(wide, high) >= _CODE_PX
        ]

    def learn(self, window: Window, expected: Expected, moved_at: Times, time: float, used_to: float) -> bool:
        """Learn the mat in a taken window where nothing lies nor moved; return whether anything became furniture.

        `moved_at` is by tile; what has been strange for `used_to` seconds becomes part of the furniture.
        """
        tiles = self._flat.tile_window_of(window)
        free = self._free(window, expected) & np.kron(time - moved_at[tiles] >= 1.0, _WHOLE_TILE)
        strange, complete = self.strange[window], self.scene.complete
        self.scene.learn(self.picture[window], free & ~strange, window)
        old = time - self.since[tiles] >= used_to
        if old.any():
            self.scene.get_used_to(self.picture[window], free & np.kron(old, _WHOLE_TILE) & strange, window)
        if old.any() or not complete:
            self._find_bare(window)
        return bool(old.any())

    def see_through_light(self, expected: Expected, still: Mask) -> bool:
        """Accept gleams and dark corners as bare mat where they grow smoothly from it; return whether there are any.

        Only in `still` tiles, in which nothing moved since the light changed: a resting hand may have the mat's tone.
        """
        if not self.strange.any():
            return False
        free = self._free(self.whole, expected) & np.kron(still, _WHOLE_TILE)
        gleams = self.scene.grown_bare(self.picture, self.bare, free) & ~self.bare
        if not gleams.any():
            return False
        self.see_through((self.whole, gleams))
        return True

    def see_through(self, gleam: Area) -> None:
        """Accept what lies on a part of the bare mat as light, until the light changes."""
        window, mask = gleam
        self.scene.see_through(self.picture[window], mask, window)
        self.bare[window] |= mask & ~self._burnt_out[window]

    def _find_bare(self, window: Window) -> None:
        self.bare[window] = self.scene.is_mat(self.picture[window], window) & ~self._burnt_out[window]

    def _free(self, window: Window, expected: Expected) -> Mask:
        """Return where no piece lies, nor its edge, and where the picture is not burnt out."""
        return ~(expected.on_piece[window] | expected.ring[window] | self._burnt_out[window])

    def amount(self, rect: Window) -> float:
        """Return how much of a window is strange (mm²)."""
        return float(np.count_nonzero(self.strange[rect])) * MM * MM


def _put(mask: npt.NDArray[np.uint8], window: Window, areas: Iterable[Area], value: int) -> None:
    for place, inside in areas:
        common = overlap(window, place)
        if common is not None:
            mask[within(common, window)][inside[within(common, place)]] = value
