"""Which code of the deck is it? The 21×21 gray levels of a square against all codes that can exist.

Light comes first: from every module its surroundings' mean is taken away, and what is left is divided by their
contrast, so that a shadow's edge or a lamp's fall-off across a code counts for nothing. What remains is compared by
correlation with every code of the book, drawn with half a module of blur and evened in the same way, on the 208
modules that differ from code to code. docs/eye.md derives how sure an answer is.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.symbol import SIDE, data_cells, modules

Floats = npt.NDArray[np.float32]
Grids = npt.NDArray[np.float32]
"""Gray levels of shape (n, 441), row by row from the code's top left."""

WINDOW = 5
"""Modules along the square that counts as a module's surroundings. Blots of about a module's size, which noise and
shadows make, are told from codes best with 5 (tried: 3, 5, 7, 9, with blurs from 0.35 to 0.7 modules).
"""

BLUR = 0.6
"""Blur (standard deviation in modules) with which the codes of the book are drawn: that of a cheap lens and the pixels
at 1.5 pixels a module.
"""


@functools.cache
def _near() -> Floats:
    """Give the matrix, shape (21, 21), that takes the mean of each row's surroundings inside the code."""
    places = np.arange(SIDE)
    near = (np.abs(places[:, None] - places[None, :]) <= WINDOW // 2).astype(np.float32)
    return np.asarray(near / near.sum(axis=1, keepdims=True), dtype=np.float32)


def _mean_around(squares: Floats) -> Floats:
    """Give each module's surroundings' mean, shape (n, 21, 21): a mean along the columns of means along the rows."""
    return np.asarray(_near() @ (squares @ _near().T))


def evened(grids: Grids) -> Grids:
    """Take the light out of grids: each module in units of its surroundings' contrast, from their mean."""
    squares = grids.reshape(-1, SIDE, SIDE)
    mean = _mean_around(squares)
    spread = np.sqrt(np.maximum(_mean_around(squares * squares) - mean * mean, 0))
    # Where the surroundings are even, noise must not be blown up to look like modules.
    floor = 0.15 * grids.std(axis=1)[:, None, None] + 1
    return np.asarray(((squares - mean) / (spread + floor)).reshape(-1, SIDE * SIDE), dtype=np.float32)


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def _drawn(payload: str) -> Floats:
    """Draw a code as a camera sees it, shape (441,): blurred, with white round it."""
    fine = 4
    paper = np.pad(np.where(modules(payload), 0.0, 255.0), 3, constant_values=255.0)
    picture = cv2.GaussianBlur(np.kron(paper, np.ones((fine, fine))), (0, 0), BLUR * fine)
    small = cv2.resize(picture, paper.shape, interpolation=cv2.INTER_AREA)
    return small[3:-3, 3:-3].reshape(-1).astype(np.float32)


class Answers(msgspec.Struct, frozen=True):
    """What n grids look like: each one's best code (number), how alike it is, and how alike the second best is."""

    best: npt.NDArray[np.intp]
    alike: Floats
    second: Floats

    @property
    def margin(self) -> Floats:
        """How much more alike the best is than the second."""
        return self.alike - self.second


class Signatures:
    """The code book as numbers. Made once for a deck; safe to share between threads."""

    def __init__(self, payloads: Iterable[str]) -> None:
        """Draw every code.

        Raises:
            ValueError: if there is no payload, or one is no code of 21×21 modules.
        """
        self.payloads = tuple(sorted(payloads))
        if not self.payloads:
            raise ValueError("a code book needs a code at least")
        self.numbers = {payload: number for number, payload in enumerate(self.payloads)}
        self._data = data_cells().reshape(-1)
        every = evened(np.stack([_drawn(payload) for payload in self.payloads]))
        self.codes = _unit(every)
        """Every code evened, whole, of length 1: shape (codes, 441)."""
        self._book = np.ascontiguousarray(_unit(every[:, self._data]).T)
        self.fixed = _unit(self.codes.mean(axis=0, keepdims=True) * ~self._data)[0]
        """What all codes have in common, evened, shape (441,): 0 in modules that carry data."""

    def match(self, grids: Grids, evened_already: bool = False) -> Answers:
        """Find the likeliest code of each grid, shape (n, 441)."""
        flat = grids if evened_already else evened(grids)
        alike = _unit(flat[:, self._data]) @ self._book
        best = alike.argmax(axis=1)
        rows = np.arange(len(best))
        top = alike[rows, best].copy()
        alike[rows, best] = -1.0
        second = alike.max(axis=1) if alike.shape[1] > 1 else np.zeros_like(top)
        return Answers(best, top, second)

    def framed(self, flat: Grids) -> Floats:
        """Tell how much evened grids look like any code of this kind at all, by what all have in common: -1 to 1."""
        known = self.fixed != 0
        return np.asarray(_unit(flat[:, known]) @ self.fixed[known], dtype=np.float32)
