"""The pieces known to lie on the mat, one over another, and what of them the camera should see."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.eye.expected import SHADOW, Drawing
from companion.eye.flat import MM, Flat, Floats, Mask, TileSum, Window, grown, overlap, within
from companion.eye.tracks import RING_MM, Candidate, Lying, Near, Track


class Layers:
    """Known pieces, and those that were read once only (candidates), by where they lie on the flat picture."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.tracks: list[Track] = []
        self.candidates: list[Candidate] = []
        self._changed: list[Window] = []
        self._near: Near | None = None

    def remove(self, track: Track) -> None:
        """Take a piece away."""
        self.tracks.remove(track)
        self.touch(track.place)

    def touch(self, place: Lying) -> None:
        """Record that something came to a place, or left it."""
        self._changed.append(place.fill(RING_MM)[0])
        self._near = None

    def redraw(self, window: Window) -> None:
        """Record that the look of the pieces in a window changed."""
        self._changed.append(window)

    def changed(self) -> list[Window]:
        """Return the windows of the flat picture whose expected look changed since the last call."""
        windows, self._changed = self._changed, []
        return windows

    def drawing(self, window: Window) -> Drawing:
        """Return the expected look of the pieces in a window."""
        shape = (window[0].stop - window[0].start, window[1].stop - window[1].start)
        picture, painted = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.bool_)
        self.paint(window, picture, painted)
        on_piece = self.outlines(window, 0.0)
        wide = grown(window, SHADOW, self.flat.shape)
        ring = self.outlines(window, RING_MM) & ~on_piece
        return Drawing(picture, painted, on_piece, ring, wide, self.outlines(wide, MM * SHADOW))

    def paint(self, window: Window, picture: Floats, sure: Mask) -> None:
        """Draw the pieces over a window of the mat: the expected picture, and where it is known."""
        here = [(track, overlap(window, track.window)) for track in self.tracks_near(window) if track.patch.size]
        for track, common in sorted(here, key=lambda entry: entry[0].order):
            if common is not None:
                own, to = within(common, track.window), within(common, window)
                np.copyto(picture[to], track.patch[own], where=track.mask[own])
                sure[to] |= track.mask[own]

    def outlines(self, window: Window, grow: float, of: Callable[[Track | Candidate], bool] = lambda _: True) -> Mask:
        """Return the flat pixels of a window on which a piece (`of` them) lies or may lie, with `grow` mm round it."""
        result = np.zeros((window[0].stop - window[0].start, window[1].stop - window[1].start), dtype=np.bool_)
        for entry in filter(of, self.near(window)):
            own, mask = entry.place.fill(grow)
            common = overlap(window, own)
            if common is not None:
                result[within(common, window)] |= mask[within(common, own)]
        return result

    def reaching(self, tiles: TileSum) -> list[Track | Candidate]:
        """Return what reaches into some tiles."""
        return self._lying().reaching(tiles)

    def near(self, window: Window) -> list[Track | Candidate]:
        """Return what reaches into a window, or nearly."""
        return self._lying().to(window)

    def tracks_near(self, window: Window) -> list[Track]:
        """Return the known pieces that reach into a window, or nearly."""
        return [entry for entry in self.near(window) if isinstance(entry, Track)]

    def _lying(self) -> Near:
        if self._near is None:
            self._near = Near((*self.tracks, *self.candidates))
        return self._near
