"""The expected look of the table: the empty mat with the known pieces on it, as flat pictures of the whole mat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from companion.eye.flat import Flat, Floats, Mask, Window
from companion.eye.scene import Scene

SHADOW = 11
"""Flat pixels from a piece's outline that its shadow may reach."""


class Drawing(NamedTuple):
    """The look of the pieces in a window, and where they lie or may lie; all but `in_shadow` have its shape."""

    picture: Floats
    painted: Mask
    """Where `picture` holds their look."""
    on_piece: Mask
    ring: Mask
    """Where their edges and thin shadows are."""
    wide: Window
    """The window with SHADOW pixels more all round."""
    in_shadow: Mask
    """Where in that their wide shadows may fall."""


class Expected:
    """The expected picture; all arrays have the flat picture's shape."""

    def __init__(self, flat: Flat) -> None:
        self.picture: Floats = np.zeros(flat.shape, dtype=np.float32)
        """Gray levels in the old light."""
        self.known: Mask = np.zeros(flat.shape, dtype=np.bool_)
        """Where that is known."""
        self.painted = self.known.copy()
        """Where it is a piece's look."""
        self.on_piece = self.known.copy()
        """Where a piece lies or may lie."""
        self.ring = self.known.copy()
        """Where such a piece's edge and thin shadow are."""
        self.in_shadow = self.known.copy()
        """Where its wide shadow may fall."""

    def renew(self, window: Window, scene: Scene, pieces: Drawing) -> None:
        """Recompute a window in which the mat is known better or pieces changed."""
        self.picture[window] = np.where(pieces.painted, pieces.picture, scene.base[window])
        self.painted[window] = pieces.painted
        self.known[window] = scene.known[window] | pieces.painted
        self.on_piece[window] = pieces.on_piece
        self.ring[window] = pieces.ring
        self.in_shadow[pieces.wide] = pieces.in_shadow
