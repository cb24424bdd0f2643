"""Which code of the deck is it? The 21×21 gray levels of a square against all codes that can exist.

Each module loses its surroundings' mean and is divided by their contrast, so that shadows count for nothing; then it is
correlated with every code, blurred and evened alike, on the 208 modules that differ. Both are whitened first:
neighbours resemble each other in blots and shadows too, which must not count twice. Sureness is in standard deviations
from what no code reaches: docs/eye.md.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye import kept_books
from companion.eye.symbol import SIDE, data_cells, modules

Floats = npt.NDArray[np.float32]
Grids = npt.NDArray[np.float32]
"""Gray levels of shape (n, 441), row by row from the code's top left."""

WINDOW = 5
"""Modules along a module's surroundings: 5 tells blots from codes best (tried: 3, 5, 7, 9; blurs 0.35 to 0.7)."""


class Blur(NamedTuple):
    """How blurred a picture is: a bell of so many modules (standard deviation), and a disc of so many (radius)."""

    bell: float
    disc: float = 0.0


SHARP = Blur(0.6)
"""A cheap lens and the pixels at 1.5 pixels a module."""

SOFT = (Blur(0.35, 1.4), Blur(0.35, 1.8), Blur(0.35, 2.2))
"""Lenses out of focus: a point becomes a disc, and only a book drawn alike can read such pictures."""

WHITE = 0.1
"""Share of the strongest common pattern's strength from which patterns are left as weak as they are: they are noise."""

_FINE = 4
_BLOTS = (0.5, 0.8, 1.2, 1.8)
_TRIALS = 1500


@functools.cache
def _near() -> Floats:
    """Return the matrix, shape (21, 21), that takes the mean of each row's surroundings inside the code."""
    places = np.arange(SIDE)
    near = (np.abs(places[:, None] - places[None, :]) <= WINDOW // 2).astype(np.float32)
    return np.asarray(near / near.sum(axis=1, keepdims=True), dtype=np.float32)


def _mean_around(squares: Floats) -> Floats:
    """Return each module's surroundings' mean, shape (n, 21, 21): a mean along the columns of means along the rows."""
    return np.asarray(_near() @ (squares @ _near().T))


def evened(grids: Grids) -> Grids:
    """Return grids without the light: each module relative to its surroundings' mean, in units of their contrast."""
    squares = grids.reshape(-1, SIDE, SIDE)
    mean = _mean_around(squares)
    spread = np.sqrt(np.maximum(_mean_around(squares * squares) - mean * mean, 0))
    # Where the surroundings are even, noise must not be amplified until it looks like modules.
    floor = 0.15 * grids.std(axis=1)[:, None, None] + 1
    return np.asarray(((squares - mean) / (spread + floor)).reshape(-1, SIDE * SIDE), dtype=np.float32)


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), dtype=np.float32)


@functools.cache
def _seen(blur: Blur) -> Floats:
    """Return what each module takes off the white of each, (441, 441): what a camera does to a picture is linear."""
    around = 6
    paper = np.full((2 * around + 1, 2 * around + 1), 0.0)
    paper[around, around] = 255.0
    picture = np.kron(paper, np.ones((_FINE, _FINE)))
    if blur.disc:
        reach = int(np.ceil(blur.disc * _FINE)) + 1
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        disc = np.clip(blur.disc * _FINE + 0.5 - np.hypot(x, y), 0, 1)
        picture = cv2.filter2D(picture, cv2.CV_64F, disc / disc.sum())
    picture = cv2.GaussianBlur(picture, (0, 0), blur.bell * _FINE)
    spot = np.zeros((2 * SIDE - 1, 2 * SIDE - 1))
    spot[SIDE - 1 - around : SIDE + around, SIDE - 1 - around : SIDE + around] = cv2.resize(
        picture, paper.shape, interpolation=cv2.INTER_AREA
    )
    off = np.arange(SIDE)[:, None] - np.arange(SIDE) + SIDE - 1
    every = spot[off[:, None, :, None], off[None, :, None, :]].reshape(SIDE**2, SIDE**2)
    return np.asarray(every, dtype=np.float32)


def _drawn(payloads: Iterable[str], blur: Blur) -> Grids:
    """Return codes as a camera sees them, shape (n, 441): blurred, with white round them."""
    dark = np.stack([modules(payload).reshape(-1) for payload in payloads]).astype(np.float32)
    return np.asarray(255 - dark @ _seen(blur).T, dtype=np.float32)


@functools.cache
def _blots() -> Grids:
    """Return evened squares that are no code, shape (n, 441): blots of several sizes about that of a module."""
    rng = np.random.default_rng(0)
    every: list[Floats] = []
    for size in _BLOTS:
        noise = rng.standard_normal((_TRIALS, SIDE + 8, SIDE + 8)).astype(np.float32)
        bell = cv2.GaussianBlur(np.eye(SIDE + 8, dtype=np.float32), (1, 0), sigmaX=1e-3, sigmaY=size)[4:-4]
        every.append(np.asarray(bell @ noise @ bell.T * 100, dtype=np.float32))
    return evened(np.concatenate(every).reshape(-1, SIDE * SIDE))


class Answers(msgspec.Struct, frozen=True):
    """What n grids look like: each one's best code (number), how alike it is, how alike the second best is, and the
    best's likeness in standard deviations from what no code reaches.
    """

    best: npt.NDArray[np.intp]
    alike: Floats
    second: Floats
    surely: Floats

    @property
    def margin(self) -> Floats:
        """How much more alike the best is than the second."""
        return self.alike - self.second


class Signatures:
    """The code book as numbers, for one blur. Safe to share between threads."""

    def __init__(self, payloads: tuple[str, ...], blur: Blur = SHARP) -> None:
        """Draw every code, or take it from disk; raise ValueError if a payload is no code of 21×21 modules."""
        self._data = data_cells().reshape(-1)
        name, cells = kept_books.name_of(*payloads, f"{blur}"), int(self._data.sum())
        kept = kept_books.load(name, ((len(payloads), SIDE**2), (cells, cells), (2,)))
        if kept is None:
            every = evened(_drawn(payloads, blur))
            kept = _unit(every), _whitening(every[:, self._data]), np.array([0, 1], np.float32)
        self.codes, self._white, usual = kept
        """Every code evened, whole, of length 1, shape (codes, 441), and the matrix that whitens its data."""
        self._fixed = _unit(self.codes.mean(axis=0, keepdims=True)[:, ~self._data])[0]
        self._book = np.ascontiguousarray(_unit(self.codes[:, self._data] @ self._white).T)
        self._usual = float(usual[0]), float(usual[1])
        if self._usual == (0.0, 1.0):
            blots = self.match(_blots()).alike.reshape(len(_BLOTS), -1)
            highest = int((blots.mean(axis=1) + 6 * blots.std(axis=1)).argmax())
            self._usual = (float(blots[highest].mean()), float(blots[highest].std()))
            kept_books.save(name, (self.codes, self._white, np.array(self._usual, np.float32)))

    def match(self, flat: Grids) -> Answers:
        """Return the likeliest code of each evened grid, shape (n, 441)."""
        alike = _unit(_unit(flat[:, self._data]) @ self._white) @ self._book
        best = alike.argmax(axis=1)
        rows = np.arange(len(best))
        top = alike[rows, best].copy()
        alike[rows, best] = -1.0
        second = alike.max(axis=1) if alike.shape[1] > 1 else np.zeros_like(top)
        mean, spread = self._usual
        return Answers(best, top, second, (top - mean) / spread)

    def likeness(self, flat: Grids, code: int) -> Floats:
        """Return how alike evened grids are to one code, by all its modules: -1 to 1."""
        return np.asarray(_unit(flat) @ self.codes[code], dtype=np.float32)

    def framed(self, flat: Grids) -> Floats:
        """Return how much evened grids look like any code of this kind at all, by what all have in common: -1 to 1."""
        return np.asarray(_unit(flat[:, ~self._data]) @ self._fixed, dtype=np.float32)


def _whitening(codes: Floats) -> Floats:
    """Return the matrix, shape (208, 208), after which all patterns that codes have in common are equally strong."""
    strength, patterns = np.linalg.eigh(codes.T.astype(np.float64) @ codes / len(codes))
    strength = np.maximum(strength, 0)
    return np.asarray((patterns / np.sqrt(strength + WHITE * strength.max())) @ patterns.T, dtype=np.float32)


class Book:
    """All codes of a deck, drawn at every blur that is tried. Made once for a deck (`book_of`)."""

    def __init__(self, payloads: Iterable[str]) -> None:
        """Draw every code; raise ValueError if there is no payload, or one is no code of 21×21 modules."""
        self.payloads = tuple(sorted(payloads))
        if not self.payloads:
            raise ValueError("a code book needs a code at least")
        self.numbers = {payload: number for number, payload in enumerate(self.payloads)}
        self.sharp = Signatures(self.payloads)

    @functools.cached_property
    def soft(self) -> tuple[Signatures, ...]:
        """The same codes out of focus; drawn when they are first needed."""
        return tuple(Signatures(self.payloads, blur) for blur in SOFT)


_drawing = threading.Lock()


def book_of(payloads: frozenset[str]) -> Book:
    """Return a deck's book, kept for all; raise ValueError without payloads, or if one is no 21×21 code."""
    with _drawing:
        return _drawn_once(payloads)


@functools.lru_cache(maxsize=2)  # three to twelve megabytes each
def _drawn_once(payloads: frozenset[str]) -> Book:
    return Book(payloads)
