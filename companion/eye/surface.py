"""What the table's surface looks like now, and what on it is neither mat nor a known piece.

Everything here is remembered from frame to frame, as flat pictures of the whole mat in the light in which it was
learned, and brought up to date only in the windows in which something changed.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.light import Light
from companion.eye.mat import Mat
from companion.eye.motion import Motion
from companion.eye.pieces import Pieces
from companion.eye.scene import (
    LATTICE,
    MM,
    TILE,
    Flat,
    Floats,
    Mask,
    Scene,
    Window,
    boxes_of,
    flat_window,
    grown,
    joined,
)
from companion.eye.tracks import RING_MM, overlap, within
from companion.eye.view import Gray

STRANGE_MM2 = 80.0
"""So much must be strange to cover a zone; half of it for a tile to be looked at again."""

_SHADOW = 11
"""Flat pixels from a piece's outline that its shadow may reach."""

_EDGE_OFF = 30.0
"""Gray levels by which a card's edge and shadow may be off; its face is off by less."""

_REACH = 3
"""Flat pixels round a window that have a say in what is strange within."""

_DENSE = 0.3
_CODE_PX = 7
"""A code is at least that many flat pixels wide (14 mm), of which at least the share `_DENSE` look like no mat."""

Area = tuple[Window, Mask]
"""A window of the flat picture, and what of it is meant."""

_CREPT = 6.0
"""Gray levels by which a sample must differ from what was last seen there to be seen anew."""

_FIRST = LATTICE // 2

_ENOUGH = 0.05
"""The share of the samples that must be of use to fit the light by them."""

_KERNEL = np.ones((3, 3), dtype=np.uint8)
_FEWEST = round(STRANGE_MM2 / 2 / MM / MM / TILE**2 * 255)


class Surface:
    """The flat picture, where it shows bare mat, and what is strange. All arrays have the flat picture's shape."""

    def __init__(self, flat: Flat, reference: Gray | None, pieces: Pieces, motion: Motion) -> None:
        """Begin with nothing seen."""
        self.scene = Scene(flat, reference)
        self.picture: Floats = np.zeros(flat.shape, dtype=np.float32)
        """In the old light, as of the last time that each window was taken."""
        self.bare: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where it looks like the empty mat."""
        self.strange: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self.tiles: Mask = np.zeros(flat.grid, dtype=np.bool_)
        """Tiles in which enough is strange to look at them again."""
        self.since = np.full(flat.grid, np.inf)
        """When each tile became strange."""
        self.version = 0
        """Grows whenever `strange` may have changed."""
        self._flat, self._pieces, self._motion = flat, pieces, motion
        self._light = Light(flat.shape)
        self._fresh = False
        rows, columns = (len(range(_FIRST, size, LATTICE)) for size in flat.shape)
        self._sampled: Floats = np.zeros((rows, columns), dtype=np.float32)
        self._raw: npt.NDArray[np.uint8] = np.zeros(flat.shape, dtype=np.uint8)
        self._expected: Floats = np.zeros(flat.shape, dtype=np.float32)
        self._known: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self._odd_now: list[tuple[Window, Mask, Mask]] = []
        ys, xs = flat.lattice
        self._lattice_tiles = ys // TILE, xs // TILE
        self._painted: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self._on_piece: Mask = np.zeros(flat.shape, dtype=np.bool_)
        self._ring: Mask = np.zeros(flat.shape, dtype=np.bool_)

    @property
    def whole(self) -> Window:
        """The window that is everything."""
        return slice(0, self._flat.shape[0]), slice(0, self._flat.shape[1])

    def seed(self, gray: Gray, mat: Mat) -> None:
        """Lay the mat's print under what is not known yet, in tones as the camera shows them."""
        self.scene.seed(self._flat.part(gray, self.whole), mat)
        self._fresh = True
        self._expect([self.whole])

    # -- seeing ----------------------------------------------------------------------------------------------------

    def take(self, gray: Gray, glimpse: Gray, windows: Iterable[Window]) -> list[Window]:
        """See windows anew: `gray` is the camera's picture, `glimpse` the same reduced.

        Where the table looks otherwise by now though nothing moved (a shadow that fades) it is seen anew too. Gives all
        windows that were.
        """
        samples = self._fit_light(glimpse)
        self._odd_now = []
        taken = joined([*windows, *map(flat_window, boxes_of(self._stale(samples)))], self._flat.shape)
        for window in taken:
            rows, columns = (slice(-(-max(0, one.start - _FIRST) // LATTICE), -(-max(0, one.stop - _FIRST) // LATTICE))
                             for one in window)  # fmt: skip
            self._sampled[rows, columns] = samples[rows, columns]
            now = self._flat.part(gray, window).astype(np.float32)
            picture = (now - self._light.offset) / self._light.gain[window]
            self.picture[window] = picture
            self.bare[window] = self.scene.is_mat(picture, window)
        return taken

    def _stale(self, samples: Floats) -> Mask:
        """Tell in which tiles a sample is not what it was when they were last seen.

        Noise is told by the steadiest quarter of them: a shadow may lie on half the table.
        """
        off = cv2.absdiff(samples, self._sampled)
        limit = max(_CREPT, 15 * float(np.partition(off.ravel(), off.size // 4)[off.size // 4]))
        result = np.zeros(self._flat.grid, dtype=np.bool_)
        rows, columns = np.nonzero(off > limit)
        result[(rows * LATTICE + _FIRST) // TILE, (columns * LATTICE + _FIRST) // TILE] = True
        return result

    def _fit_light(self, glimpse: Gray) -> Floats:
        """Fit the light if it changed; give the samples of the lattice in the old light, shape (rows, columns)."""
        seen = self._flat.samples(glimpse)
        self._fit_samples(seen)
        gain = self._light.gain[_FIRST::LATTICE, _FIRST::LATTICE]
        return np.asarray((seen.reshape(gain.shape) - self._light.offset) / gain, dtype=np.float32)

    def _fit_samples(self, seen: Floats) -> None:
        ys, xs = self._flat.lattice
        resting = self._known[_FIRST::LATTICE, _FIRST::LATTICE].ravel()
        resting &= self._motion.rest[self._lattice_tiles] >= 1
        # Cards that nobody has read yet must not pass for mat in another light.
        usable = resting & (self.bare | self._painted)[_FIRST::LATTICE, _FIRST::LATTICE].ravel()
        if np.count_nonzero(usable) < _ENOUGH * len(usable):
            usable = resting
        count = np.count_nonzero(usable)
        fresh, self._fresh = self._fresh, False
        if fresh or count < _ENOUGH * len(usable):
            self._light.reset()
            return
        then = self._expected[_FIRST::LATTICE, _FIRST::LATTICE].ravel()
        if count < len(usable):
            ys, xs, now, then = ys[usable], xs[usable], seen[usable], then[usable]
        else:
            now = seen
        if not self._light.fits(now, then, ys, xs):
            self._light.fit(now, then, ys, xs)

    # -- judging ---------------------------------------------------------------------------------------------------

    def judge(self, windows: Iterable[Window], time: float) -> None:
        """Find what is neither mat nor piece (a hand, a mug, something not read yet), anew in some windows.

        Windows in which pieces came or went since the last time are judged anyway.
        """
        changed = joined(self._pieces.changed(), self._flat.shape)
        if changed:
            self._expect(changed)
        anew = joined([*windows, *changed], self._flat.shape)
        for window in anew:
            self._raw[window] = self._odd(window)[1]
        low, right = self._flat.end
        self._raw[low:] = 0
        self._raw[:, right:] = 0
        self._leave_out_shadows(anew)
        self.version += 1
        high, wide = self._flat.grid
        amount = cv2.resize(self.strange.view(np.uint8) * np.uint8(255), (wide, high), interpolation=cv2.INTER_AREA)
        self.tiles = np.asarray(amount >= _FEWEST, dtype=np.bool_)
        self.since = np.where(self.tiles, np.minimum(self.since, time), np.inf)

    def _expect(self, windows: Iterable[Window]) -> None:
        """Work out anew what should be seen in some windows."""
        self._odd_now = []
        for window in windows:
            picture, painted = self._expected[window], self._painted[window]
            picture[:], painted[:] = self.scene.base[window], False
            self._pieces.paint(window, picture, painted)
            self._known[window] = self.scene.known[window] | painted
            on_piece = self._pieces.outlines(window, 0.0)
            self._on_piece[window] = on_piece
            self._ring[window] = self._pieces.outlines(window, RING_MM) & ~on_piece

    def _odd(self, window: Window) -> tuple[Mask, Mask]:
        """Tell where a window looks like neither mat nor piece: pixel by pixel, and without what is thin."""
        for around, seen, thick in self._odd_now:
            if overlap(window, around) == window:
                part = within(window, around)
                return seen[part], thick[part]
        big = grown(window, _REACH, self._flat.shape)
        inner = (
            slice(window[0].start - big[0].start, window[0].stop - big[0].start),
            slice(window[1].start - big[1].start, window[1].stop - big[1].start),
        )
        picture, expected = self.picture[big], self._expected[big]
        low, high = cv2.erode(expected, _KERNEL), cv2.dilate(expected, _KERNEL)
        as_expected = self._on_piece[big] & (picture >= low - _EDGE_OFF) & (picture <= high + _EDGE_OFF)
        odd = ~(self.bare[big] | as_expected | self._ring[big])
        strange = cv2.morphologyEx((odd & self._known[big]).view(np.uint8), cv2.MORPH_OPEN, _KERNEL)
        found = (odd | ~self._known[big])[inner], strange.view(np.bool_)[inner]
        self._odd_now.append((window, *found))
        return found

    def _leave_out_shadows(self, windows: list[Window]) -> None:
        """Make `strange` what is left without the shadows of pieces, where something in some windows changed.

        A shadow is a spot darker than the mat that lies wholly along a card or a deck. A hand reaches further, so it
        stays strange even where it is dark.
        """
        np.logical_and(self.strange, self._raw, out=self.strange)
        left, top, wide, high = cv2.boundingRect(self._raw)
        if not wide:
            return
        cut = self._raw[top : top + high, left : left + wide]
        _, labels, stats, _ = cv2.connectedComponentsWithStats(cut, connectivity=8)
        for number, (x, y, w, h, area) in enumerate(stats[1:].tolist(), start=1):
            window = (slice(top + y, top + y + h), slice(left + x, left + x + w))
            if any(overlap(window, grown(one, _SHADOW, self._flat.shape)) for one in windows):
                part = labels[y : y + h, x : x + w] == number
                np.copyto(self.strange[window], not self._is_shadow(window, part, area), where=part)

    def _is_shadow(self, window: Window, part: Mask, area: int) -> bool:
        soft = part & (self.picture[window] < self.scene.mat()[window])
        return bool(
            np.count_nonzero(soft) >= 0.9 * area
            and np.count_nonzero(soft & self._pieces.outlines(window, MM * _SHADOW)) >= 0.9 * area
        )

    # -- what to read ------------------------------------------------------------------------------------------------

    def unexplained(self, box: Window, explained: Iterable[Area], asked: Iterable[Area]) -> list[Window]:
        """Give the windows of the flat picture, within a window of tiles, in which a code may lie that is not known.

        `explained` is known after all, `asked` has to be read whatever it looks like.
        """
        window = flat_window(box)
        odd = self._odd(window)[0].astype(np.uint8)
        _put(odd, window, explained, 0)
        _put(odd, window, asked, 1)
        return self._dense(odd, window)

    def not_bare(self, window: Window, explained: Iterable[Area]) -> list[Window]:
        """Give the windows within a window in which another code may be: all that is neither bare mat nor explained."""
        odd = (~self.bare[window]).astype(np.uint8)
        _put(odd, window, explained, 0)
        return self._dense(odd, window)

    def _dense(self, odd: npt.NDArray[np.uint8], window: Window) -> list[Window]:
        """Give windows round the parts of a mask in which enough is set for a code; the mask lies at a window."""
        if not odd.any():
            return []
        share = cv2.boxFilter(odd * np.uint8(100), -1, (_CODE_PX, _CODE_PX), borderType=cv2.BORDER_CONSTANT)
        dense = cv2.dilate(odd & (share >= _DENSE * 100).view(np.uint8), np.ones((5, 5), dtype=np.uint8))
        top, left = window[0].start, window[1].start
        # Contours cost a tenth of connected components.
        contours, _ = cv2.findContours(dense, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [
            (slice(top + y, top + y + high), slice(left + x, left + x + wide))
            for x, y, wide, high in map(cv2.boundingRect, contours[::-1])
            if min(wide, high) >= _CODE_PX
        ]

    # -- learning ----------------------------------------------------------------------------------------------------

    def learn(self, window: Window, time: float, used_to: float) -> None:
        """Learn what the mat looks like from the places of a window on which nothing lies, and nothing has moved.

        What has been strange for `used_to` seconds becomes part of the furniture. The window must have been taken.
        """
        y, x = (slice(part.start // TILE, part.stop // TILE) for part in window)
        tile = np.ones((TILE, TILE), dtype=np.bool_)
        picture = self.picture[window]
        free = ~self._pieces.outlines(window, RING_MM) & np.kron(time - self._motion.moved_at[y, x] >= 1.0, tile)
        strange = self.strange[window]
        complete = self.scene.complete
        self.scene.learn(picture, free & ~strange, window)
        old = time - self.since[y, x] >= used_to
        if old.any():
            self.scene.get_used_to(picture, free & np.kron(old, tile) & strange, window)
        if old.any() or not complete:
            self.bare[window] = self.scene.is_mat(picture, window)
        self._expect([window])
        if old.any():
            self.judge([window], time)

    def see_through_light(self, time: float, lit: float) -> None:
        """Take gleams and dark corners, where they grow smoothly from bare mat and what is printed shows, for bare mat.

        Only where nothing has moved since the light was last seen to change (`lit`): a hand that rests may have the
        mat's tone.
        """
        if not self.strange.any():
            return
        tile = np.ones((TILE, TILE), dtype=np.bool_)
        free = ~self._pieces.outlines(self.whole, RING_MM) & np.kron(self._motion.moved_at <= lit, tile)
        gleams = self.scene.grown_bare(self.picture, self.bare, free) & ~self.bare
        if gleams.any():
            self.scene.get_used_to(self.picture, gleams, self.whole)
            self.bare |= gleams
            self.judge([self.whole], time)

    def amount(self, rect: Window) -> float:
        """Give how much of a window is strange (mm²)."""
        return float(np.count_nonzero(self.strange[rect])) * MM * MM


def _put(mask: npt.NDArray[np.uint8], window: Window, areas: Iterable[Area], value: int) -> None:
    """Set areas to a value in a mask that lies at a window."""
    for place, inside in areas:
        common = overlap(window, place)
        if common is not None:
            mask[within(common, window)][inside[within(common, place)]] = value
