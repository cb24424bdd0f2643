"""What should be seen on the table: the empty mat with the known pieces on it, as flat pictures of the whole mat."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.eye.pieces import Pieces
from companion.eye.scene import MM, Flat, Floats, Mask, Scene, Window, grown
from companion.eye.tracks import RING_MM

SHADOW = 11
"""Flat pixels from a piece's outline that its shadow may reach."""


class Expected:
    """What should be seen; all arrays have the flat picture's shape."""

    def __init__(self, flat: Flat) -> None:
        """Begin with nothing known."""
        self.picture: Floats = np.zeros(flat.shape, dtype=np.float32)
        """Gray levels in the old light."""
        self.known: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where that is known."""
        self.painted: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where it is a piece's look."""
        self.on_piece: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where a piece lies or may lie."""
        self.ring: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where such a piece's edge and thin shadow are."""
        self.in_shadow: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where its wide shadow may fall."""
        self._shape = flat.shape

    def renew(self, windows: Iterable[Window], scene: Scene, pieces: Pieces) -> None:
        """Work out anew what should be seen in some windows, in which the mat is known better or pieces changed."""
        for window in windows:
            picture, painted = self.picture[window], self.painted[window]
            picture[:], painted[:] = scene.base[window], False
            pieces.paint(window, picture, painted)
            self.known[window] = scene.known[window] | painted
            on_piece = pieces.outlines(window, 0.0)
            self.on_piece[window] = on_piece
            self.ring[window] = pieces.outlines(window, RING_MM) & ~on_piece
            wide = grown(window, SHADOW, self._shape)
            self.in_shadow[wide] = pieces.outlines(wide, MM * SHADOW)
