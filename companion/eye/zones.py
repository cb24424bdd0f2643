"""Stage 9, part one: which zones are hidden, and which a hand was over."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.eye.flat import MM, Flat, TileSum
from companion.eye.mat import Mat
from companion.eye.motion import Moved
from companion.eye.surface import STRANGE_MM2, Surface
from companion.eye.tracks import COVERED, SEEN, Track

_LINGER = 0.3
"""Seconds that a zone stays covered after the last motion in it."""


_SMALL = 0.04
"""The share of a small zone (a token's) that must be strange to cover it."""


class Zones:
    """The state of the zones of one mat."""

    def __init__(self, mat: Mat, flat: Flat) -> None:
        zones = [mat.zone(name) for name in sorted(mat.coverable)]
        self._windows = {zone.name: flat.window(zone.rect) for zone in zones}
        self._enough = {zone.name: min(STRANGE_MM2, _SMALL * zone.rect.w * zone.rect.h) for zone in zones}
        self._tiles = {name: flat.tile_window_of(window) for name, window in self._windows.items()}
        self._piles = {zone.name for zone in mat.zones if zone.kind == "pile"}
        self._moved_at: dict[str, float] = {}
        self._strange: set[str] = set()
        self._version = 0
        self.touched: set[str] = set()
        """The zones over which something moved since this was last cleared."""

    def note(self, moved: Moved, time: float) -> bool:
        """Record what a hand moved; return whether it is over a zone that was not touched before."""
        if moved.tiles is None:
            return False
        here, before = TileSum(moved.tiles), len(self.touched)
        for name, window in self._windows.items():
            if here.any(self._tiles[name]) and np.count_nonzero(moved.pixels[window]) * MM * MM >= STRANGE_MM2:
                self._moved_at[name] = time
                self.touched.add(name)
        return len(self.touched) > before

    def covered(self, surface: Surface, tracks: Iterable[Track], time: float) -> frozenset[str]:
        """Return the zones of which something hides a part."""
        result = {name for name, moved_at in self._moved_at.items() if time - moved_at < _LINGER}
        if surface.version != self._version:
            self._version = surface.version
            self._strange = {n for n, window in self._windows.items() if surface.amount(window) >= self._enough[n]}
        tracks = list(tracks)
        # Of a pile only the top counts: where that is seen, the pile's sides and its shadow hide nothing.
        tops = {track.zone for track in tracks if track.state == SEEN and track.zone in self._piles}
        result |= self._strange - tops
        result |= {track.zone for track in tracks if track.state == COVERED and track.zone is not None}
        return frozenset(result)
