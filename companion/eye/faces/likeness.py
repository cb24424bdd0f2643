"""How alike what the camera sees is to each taught face, block by block, where the card shows.

A small canvas in gray and two colour differences, without the surroundings' mean (light, shadows), is cut into blocks
of 8 × 8 of even contrast. Likeness is their scalar product: 1 for the same pattern, 0 for another.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.faces.deck import PX_PER_MM, Picture, TaughtDeck
from companion.eye.faces.distinctive import Distinctive, Odds
from companion.eye.faces.flattening import resized
from companion.eye.faces.keypoints import KnownKeypoints

BLOCK = 8
"""Canvas pixels along a block's side."""

_LONG, _LONG_FINE = 72, 96
"""Canvas pixels along a card's longer side; the larger for decks whose faces differ in little."""

_FLOOR, _FLOOR_FINE = 12.0, 25.0
"""Contrast (gray levels) below which a block counts for less: what is nearly plain shows noise."""

_OVERSAMPLED = 1.7
"""Pixels of a prepared picture for one of the canvas: crops taken from it skip nothing."""

_BETWEEN = 0.8
"""How much smaller interpolation (see `resized`) may make a picture: with more, cards in pale print were mistaken."""

_DIFFERS = 4.0
"""How far (see `apart`) the nearest two faces of a deck must be from each other not to need the fine canvas."""

_OF, _CLOSE = 54, 5.0
"""Blocks' worth, of so many, by which faces differ that are close: a suit in gray, or one pip."""

_TINTED = 1.8
"""How much brighter one channel of paper is than another under a coloured lamp, beyond a tungsten one."""

_BRIGHT = 200.0
"""The level that the brightest of a crop is brought to: contrast in half the light must not be half of it."""

_LAYERS = np.array([[0.299, 0.587, 0.114], [1, -1, 0], [0, -1, 1]], dtype=np.float32)
_GRAY = _LAYERS * np.array([[1], [0], [0]], dtype=np.float32)
"""What a canvas is taken apart into: gray and two colour differences; the same of a camera that gives only gray."""

_TRIM = 1 / 3
"""The share of the blocks that may be spoilt by glare, a finger, a die."""

_PALEST, _SHOWN = 0.6, 0.95
"""Share of contrast that pale print or haze may take everywhere, and share of the card that must show for that."""

_DULLEST = 0.3
"""The least difference (blocks' worth) between two faces that a margin is told by, however little of a card shows."""

_KEPT = 10_000_000
"""Numbers kept of how alike views are to all others: those of 400 views, in 40 MB."""

_LIKEST = 24
"""Views of which the worst blocks are left out to find the likest: those that are likest with all blocks."""

_LOST = 0.002
"""The share of all contrast of a deck that comparing leaves out: what is left takes half as long."""

_BESIDE = 2.0
"""Canvas pixels by which a card may look moved upside down, at most."""

_GATE = 0.25
"""A block in which neither of two faces is recognised says nothing of which it is."""

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Pose = tuple[float, float, float]
"""A card's middle (mm) and its turn (degrees clockwise)."""


class Judged(NamedTuple):
    """How surely a crop shows a face: the `margin` over every other taught face (1: exactly as taught; 0: halfway to
    another), the face's number, its likeness (1: as taught), and which of the crops it was.
    """

    margin: float
    face: int
    like: float
    crop: int


class FaceBook:
    """A taught deck, prepared for comparing."""

    def __init__(self, deck: TaughtDeck, colour: bool = True, fine: bool | None = None) -> None:
        """Prepare a deck; not `colour` for a gray camera, `fine` to sample faces finely (None: if they are alike).

        What was taught in gray is compared in gray.
        """
        self.deck = deck
        self.colour = colour
        self._layers = _LAYERS if colour and deck.coloured else _GRAY
        self.fine = False
        self._shape_canvas()
        self._take_faces()
        if fine or (fine is None and self.nearest() < _DIFFERS):
            self.fine = True
            self._shape_canvas()
            self._take_faces()

    def _shape_canvas(self) -> None:
        deck = self.deck
        long = _LONG_FINE if self.fine else _LONG
        short = max(2, round(long * min(deck.w, deck.h) / max(deck.w, deck.h) / BLOCK)) * BLOCK
        self.wide, self.high = (short, long) if deck.w <= deck.h else (long, short)
        self.grid = self.high // BLOCK, self.wide // BLOCK
        self.px_per_mm = _OVERSAMPLED * max(self.wide / deck.w, self.high / deck.h)
        """Pixels a millimetre of the pictures that crops are taken from (`prepared`)."""
        self._floor = (_FLOOR_FINE if self.fine else _FLOOR) * BLOCK

    def _take_faces(self) -> None:
        views = [(number, view) for number, face in enumerate(self.deck.faces) for view in face.views]
        self.owner = np.array([number for number, _ in views], dtype=np.int64)
        """Which face each view shows."""
        self.canvases = [self._view_canvas(view) for _, view in views]
        """What each view looks like on the canvas, RGB."""
        count, size = self.grid[0] * self.grid[1], BLOCK * BLOCK * 3
        refs = np.stack([self.blocks(canvas) for canvas in self.canvases]) if views else np.zeros((0, count, size))
        self.refs = refs.astype(np.float32)
        """Blocks of each view, shape (views, blocks, values)."""
        self._basis = _basis_of(self.refs.reshape(-1, size))
        self._by_block = np.ascontiguousarray((self.refs @ self._basis).transpose(1, 2, 0))
        self.power = np.ascontiguousarray((self.refs * self.refs).sum(2).T)
        """How much there is to see in each block of each view, shape (blocks, views): 0 plain, 1 full contrast."""
        self._views_between: dict[int, Floats] = {}
        self._most_kept = max(1, _KEPT // max(1, self.power.size))

    def __len__(self) -> int:
        return len(self.deck.faces)

    @functools.cached_property
    def keypoints(self) -> KnownKeypoints:
        """The keypoints of all views, as they show in prepared pictures."""
        views = [self.prepared(view, PX_PER_MM) for face in self.deck.faces for view in face.views]
        return KnownKeypoints(views, (self.deck.w, self.deck.h), self.px_per_mm)

    @functools.cached_property
    def distinctive(self) -> Distinctive:
        """What tells the fronts apart."""
        faces = [self.deck.faces[number] for number in self.owner]
        fronts = [canvas for canvas, face in zip(self.canvases, faces, strict=True) if not face.is_back]
        # Where only backs were taught so far there are no fronts, and nobody asks what tells them apart.
        return Distinctive(np.stack([self.cut(self.layers(canvas)) for canvas in fronts or self.canvases]))

    @functools.cached_property
    def close(self) -> Mask:
        """Which two faces are so near that light or few pixels may make one of the other; shape (faces, faces)."""
        far = self.distances() * _OF / (self.grid[0] * self.grid[1])
        np.fill_diagonal(far, np.inf)
        return np.asarray(far < _CLOSE, dtype=np.bool_)

    def is_tinted(self, canvas: Picture) -> bool:
        """Return whether the light on a card has such a colour that its own can't be told: even its paper has it."""
        paper = np.quantile(canvas.reshape(-1, 3), 0.9, axis=0)
        return self.colour and bool(paper.max() > _TINTED * max(float(paper.min()), 1.0))

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """The number of the face of each piece, the first one of several."""
        return {piece: number for number, face in reversed([*enumerate(self.deck.faces)]) for piece in face.pieces}

    @functools.cached_property
    def symmetric(self) -> list[bool]:
        """Which faces look the same upside down."""
        found = [False] * len(self)
        for view, canvas in enumerate(self.canvases):
            off = float(((self.refs[view] - self.blocks(_turned(canvas))) ** 2).sum()) / 2
            found[int(self.owner[view])] |= off < TOO_ALIKE
        return found

    def complete(self) -> FaceBook:
        """Return it with all prepared that otherwise is when it is first needed."""
        _ = self.keypoints, self.distinctive, self.symmetric, self.close
        for view in range(min(self._most_kept, len(self.owner))):
            self._between(view)
        return self

    def prepared(self, picture: Picture, px_per_mm: float) -> Picture:
        """Return a flat picture as crops are taken from it, `self.px_per_mm` fine."""
        return resized(picture, self.px_per_mm / px_per_mm, _BETWEEN)

    def crop(self, prepared: npt.NDArray[np.uint8], pose: Pose, px_per_mm: float | None = None) -> Picture:
        """Return the canvas of a card at a pose, out of a prepared picture or one (a mask) that is as fine as said."""
        fine = self.px_per_mm if px_per_mm is None else px_per_mm
        turn, across, down = np.radians(pose[2]), fine * self.deck.w / self.wide, fine * self.deck.h / self.high
        cos, sin = float(np.cos(turn)), float(np.sin(turn))
        # A canvas pixel (i, j) lies i - i0 across and j - j0 down the card from its middle.
        i0, j0 = (self.wide - 1) / 2, (self.high - 1) / 2
        x, y = pose[0] * fine - 0.5, pose[1] * fine - 0.5
        matrix = np.array(
            [
                [across * cos, -down * sin, x - i0 * across * cos + j0 * down * sin],
                [across * sin, down * cos, y - i0 * across * sin - j0 * down * cos],
            ]
        )
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(prepared, matrix, (self.wide, self.high), flags=how), dtype=np.uint8)

    def _view_canvas(self, view: Picture) -> Picture:
        padded = cv2.copyMakeBorder(view, 8, 8, 8, 8, cv2.BORDER_REPLICATE)
        prepared = self.prepared(np.asarray(padded, dtype=np.uint8), PX_PER_MM)
        margin = 8 / PX_PER_MM
        return self.crop(prepared, (self.deck.w / 2 + margin, self.deck.h / 2 + margin, 0.0))

    def blocks(self, canvas: Picture) -> Floats:
        """Return the blocks of a canvas, shape (blocks, values)."""
        cut = self.cut(self.layers(canvas)).reshape(-1, BLOCK * BLOCK * 3)
        cut -= cut.sum(1, keepdims=True) / cut.shape[1]
        contrast = np.sqrt(np.einsum("ij,ij->i", cut, cut))
        cut /= np.maximum(contrast, self._floor)[:, None]
        return cut

    def layers(self, canvas: Picture) -> Floats:
        """Return a canvas's gray and two colour differences in one light: shape (height, width, 3)."""
        layers = cv2.transform(canvas.astype(np.float32), self._layers)
        gray = layers[..., 0].ravel()
        bright = gray.size - -(-gray.size // 10)
        gain = _BRIGHT / max(float(np.partition(gray, bright)[bright]), 25.0)
        side = 2 * (min(self.wide, self.high) // 8) + 1
        around = cv2.blur(cv2.blur(layers, (side, side)), (side, side))
        return np.asarray(cv2.subtract(layers, around) * np.float32(gain), dtype=np.float32)

    def odds(self, seen: Picture, face: int, show: Mask) -> Odds:
        """Return what speaks least against a front in a canvas of which some blocks `show`."""
        now = self.cut(self.layers(seen))
        views = [self.cut(self.layers(self.canvases[view])) for view in np.flatnonzero(self.owner == face)]
        return min(self.distinctive.odds(now, view, show) for view in views)

    def cut(self, layers: Floats) -> Floats:
        """Return layers cut into blocks, shape (blocks, places, 3)."""
        rows, columns = self.grid
        cut = layers.reshape(rows, BLOCK, columns, BLOCK, 3).transpose(0, 2, 1, 3, 4)
        return np.ascontiguousarray(cut.reshape(rows * columns, BLOCK * BLOCK, 3))

    def showing(self, mask: npt.NDArray[np.uint8]) -> Mask:
        """Return which blocks show of a card: `mask` is a canvas, 255 where something lies over it."""
        rows, columns = self.grid
        hidden = cv2.resize((mask >= 128).astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(hidden.ravel() < 0.2)

    def coarse(self, crops: Sequence[Floats], shows: Mask) -> Floats:
        """Return the likeness of crops (their blocks) to each view, the worst blocks left out: shape (crops, views).

        `shows` says which blocks of each crop show, shape (crops, blocks).
        """
        every = np.asarray(shows.any(0))
        products = self._products(crops, every)
        found = np.empty((len(crops), len(self.owner)), dtype=np.float32)
        for number, show in enumerate(shows):
            found[number] = _trimmed(products[show[every], number] - self.power[show] / 2)
        return found

    def _products(self, crops: Sequence[Floats], show: Mask) -> Floats:
        """Return the scalar products of the blocks that show with those of each view, shape (blocks, crops, views)."""
        blocks = np.flatnonzero(show)
        seen = np.stack([crop[blocks] for crop in crops], axis=1) @ self._basis
        products = np.empty((len(blocks), len(crops), len(self.owner)), dtype=np.float32)
        # Block by block, as taking some blocks of all views together copies megabytes.
        for number, block in enumerate(blocks):
            np.matmul(seen[number], self._by_block[block], out=products[number])
        return products

    def _between(self, view: int) -> Floats:
        """Return the scalar products of a view's blocks with those of each view, shape (blocks, views)."""
        if view not in self._views_between:
            while len(self._views_between) >= self._most_kept:
                del self._views_between[next(iter(self._views_between))]
            self._views_between[view] = np.matmul((self.refs[view] @ self._basis)[:, None, :], self._by_block)[:, 0]
        return self._views_between[view]

    def judge(
        self, crops: Sequence[Floats], show: Mask, only: npt.NDArray[np.int64] | None = None, top: int = 5
    ) -> list[Judged]:
        """Return the likeliest faces of a card, the surest first, at most `top`.

        `crops` are the card's blocks at poses that differ a little; `show` which blocks show; `only` the faces that may
        be the answer, with which all others compete nevertheless.
        """
        if not len(self.owner) or not show.any():
            return []
        power = self.power[show]
        every = self._products(crops, show)
        among = np.arange(len(self.owner)) if only is None else np.flatnonzero(np.isin(self.owner, only))
        scores = _trimmed(np.asarray(every - power[:, None, :] / 2, dtype=np.float32)[..., among])
        share, found = float(show.mean()), []
        for place in np.argsort(-scores.max(0))[:top]:
            view = among[place]
            face, crop = int(self.owner[view]), int(scores[:, place].argmax())
            like = every[:, crop]
            mine, own = like[:, view : view + 1], power[:, view : view + 1]
            whole = float(mine.sum() / max(float(own.sum()), 0.5))
            # Pale ink and haze take as much from all of a face; without that a plainer one would seem nearer. Of a part
            # of a card, which was chosen by its looks, nothing is known of its paleness.
            pale = min(max(whole, _PALEST), 1.0) if share >= _SHOWN else 1.0
            mine, like = mine / pale, like / pale
            tells = (np.maximum(mine, like) > _GATE * np.minimum(1, 2 * np.sqrt(own))) | (np.maximum(own, power) < 0.2)
            nearer = (tells * (mine - like - (own - power) / 2)).sum(0)
            far = ((own + power) / 2 - self._between(int(view))[show]).sum(0)
            # What differs less than one card does in two lights tells nothing, however well it fits.
            margins = nearer / np.maximum(far, max(_DULLEST, TOO_ALIKE * share))
            margins[self.owner == face] = np.inf
            margin = float(min(margins.min(), 1.5))
            found.append(Judged(margin, face, whole, crop))
        found.sort(key=lambda judged: -judged.margin)
        # Each is measured at its own paleness: what speaks for another face as well speaks against the first.
        other = max((judged.margin for judged in found if judged.face != found[0].face), default=0.0)
        if other > 0:
            found[0] = found[0]._replace(margin=found[0].margin - other)
        return found

    def alike(self, seen: Floats, view: int) -> Mask:
        """Return which blocks of a crop look like a view's."""
        ref = self.refs[view]
        own, now, both = (ref * ref).sum(1), (seen * seen).sum(1), (seen * ref).sum(1)
        same = np.where(own < 0.12, now < 0.3, both > 0.45 * np.sqrt(own * np.maximum(now, 0.15)))
        return np.asarray(same, dtype=np.bool_)

    def distances(self) -> Floats:
        """Return faces' differences in blocks, either way up: 0 for equal, usually half of them; (faces, faces)."""
        count = len(self)
        nearest = np.full((count, count), np.inf, dtype=np.float32)
        if not count:
            return nearest
        turned = np.stack([self.blocks(np.ascontiguousarray(c[::-1, ::-1])) for c in self.canvases])
        power = self.power.sum(0)
        for other in (self.refs, turned):
            both = np.tensordot(self.refs, other, axes=((1, 2), (1, 2)))
            far = (power[:, None] + power[None, :]) / 2 - both
            np.minimum.at(nearest, (self.owner[:, None], self.owner[None, :]), far)
        return np.minimum(nearest, nearest.T)

    def nearest(self) -> float:
        """Return how far the two faces that are most alike are from each other."""
        far = self.distances()
        np.fill_diagonal(far, np.inf)
        return float(far.min()) if len(far) > 1 else float("inf")


def _turned(canvas: Picture) -> Picture:
    turned = np.ascontiguousarray(canvas[::-1, ::-1])
    then, now = (cv2.cvtColor(one, cv2.COLOR_RGB2GRAY).astype(np.float32) for one in (turned, canvas))
    away, _ = cv2.phaseCorrelate(then, now, cv2.createHanningWindow(then.shape[::-1], cv2.CV_32F))
    if math.hypot(*away) > _BESIDE:
        return turned
    way = np.array([[1, 0, away[0]], [0, 1, away[1]]])
    return np.asarray(cv2.warpAffine(turned, way, then.shape[::-1], borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def _trimmed(like: Floats) -> Floats:
    """Return the mean likeness to each view (last axis) over all blocks (first) but the worst.

    For speed only the likest views' worst blocks are left out; the other means are too low, and stay behind.
    """
    drop, means = int(len(like) * _TRIM), np.asarray(like.mean(0), dtype=np.float32)
    if not drop or not means.size:
        return means
    few = min(_LIKEST, means.shape[-1])
    likest = np.argpartition(means, -few)[..., -few:]
    kept = np.take_along_axis(like, likest[None], axis=-1)
    np.put_along_axis(means, likest, np.partition(kept, drop, axis=0)[drop:].mean(0), axis=-1)
    return means


def _basis_of(blocks: Floats) -> Floats:
    """Return the directions in which blocks have all but `_LOST` of their contrast, shape (values, directions)."""
    if not len(blocks):
        return np.eye(blocks.shape[1], dtype=np.float32)
    power, directions = np.linalg.eigh(np.asarray(blocks.T @ blocks, dtype=np.float64))
    lost = np.searchsorted(np.cumsum(power), _LOST * power.sum())
    return np.ascontiguousarray(directions[:, lost:], dtype=np.float32)


def upside_down(blocks: Floats) -> Floats:
    """Return the blocks of a canvas as they are of the same canvas turned by half a turn."""
    return np.ascontiguousarray(blocks.reshape(len(blocks), BLOCK * BLOCK, 3)[::-1, ::-1]).reshape(blocks.shape)


def corners_of(pose: Pose, w: float, h: float) -> npt.NDArray[np.float64]:
    """Return the corners (mm) of a card of w × h mm at a pose, shape (4, 2): top left as printed, then clockwise."""
    turn = np.radians(pose[2])
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return np.asarray(half @ matrix.T + np.array(pose[:2]))


def moved(pose: Pose, right: float, down: float, turn: float = 0.0) -> Pose:
    """Return a pose moved along the card's own axes (mm) and turned (degrees)."""
    a = np.radians(pose[2])
    return (
        float(pose[0] + right * np.cos(a) - down * np.sin(a)),
        float(pose[1] + right * np.sin(a) + down * np.cos(a)),
        pose[2] + turn,
    )


class Alike(NamedTuple):
    """Faces, by their numbers, that can't be told apart surely, and whether not at all ("the same picture")."""

    faces: tuple[int, ...]
    same: bool


TOO_ALIKE = 3.4
"""Faces nearer than this (see `FaceBook.distances`) are hardly told apart: one card in two lights is at 1.2 to 4.5."""
SAME = 2.2
"""Faces nearer than this are the same picture, as far as a camera can tell."""


def too_alike(deck: TaughtDeck | FaceBook) -> tuple[Alike, ...]:
    """Return the groups of faces that can't be told apart; backs are no group with fronts unless they look like one."""
    book = deck if isinstance(deck, FaceBook) and not deck.fine else FaceBook(_deck_of(deck), fine=False)
    far = book.distances()
    left = set(range(len(book)))
    groups = []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            face = edge.pop()
            group.add(face)
            near = {other for other in left if far[face, other] < TOO_ALIKE}
            left -= near
            edge |= near
        if len(group) > 1:
            members = tuple(sorted(group))
            nearest = far[np.ix_(members, members)][~np.eye(len(members), dtype=bool)]
            groups.append(Alike(members, bool((nearest < SAME).all())))
    return tuple(sorted(groups))


def _deck_of(deck: TaughtDeck | FaceBook) -> TaughtDeck:
    return deck.deck if isinstance(deck, FaceBook) else deck
