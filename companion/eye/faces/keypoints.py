"""Where cards may lie, by details of their faces: keypoints matched with those of the taught faces.

The scale of a flat picture is known, so one match gives a card's place and turn; where several agree a closer look
follows. The keypoints are SIFT's (D. Lowe, 2004), compared by the roots of their shares (R. Arandjelović, A. Zisserman,
2012).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_MOST = 80
"""Keypoints of a face that are compared: the most distinct."""

_CONTRAST, _EDGE = 0.02, 15.0
"""SIFT's thresholds: lower and higher than usual, as cards are small and lie in little light."""

_ROUND, _WHOLE = 25.0, 32
"""Millimetres round a place that keypoints need, and pixels at whose multiples a part begins, to be reduced alike."""

_ALIKE, _NEIGHBOURS = 0.87, 4
"""How alike (0 to 1) two keypoints have to be to count as matched, and with how many a keypoint is at most."""

_SCALE = 1.25
"""By how much the sizes of two matched keypoints may differ."""

_AT_ONCE = 64
"""Keypoints of about one size that are compared at once."""

_APART_MM, _APART_DEG = 6.0, 12.0
"""Poses nearer than this speak for each other."""


class Keypoints(NamedTuple):
    """Keypoints of a picture: their places (mm), sizes (mm), directions (degrees), and descriptors of length 1."""

    places: Floats
    sizes: Floats
    turns: Floats
    descriptors: Floats

    def only(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Keypoints:
        """Return some of them."""
        return Keypoints(*(values[which] for values in self))


class Guess(NamedTuple):
    """A view of a face that may lie at a pose (middle in mm, degrees clockwise), and how much speaks for it."""

    view: int
    pose: tuple[float, float, float]
    votes: float


def keypoints_in(
    picture: npt.NDArray[np.uint8],
    px_per_mm: float,
    most: int | None = None,
    where: npt.NDArray[np.uint8] | None = None,
) -> Keypoints:
    """Return the keypoints of an RGB picture, the `most` distinct or all, about `where` a mask (1 px/mm) is set."""
    left = top = 0
    inside = np.empty(0, np.uint8)
    if where is not None:
        x, y, wide, high = cv2.boundingRect(where)
        left, top = (max(0, int((at - _ROUND) * px_per_mm)) // _WHOLE * _WHOLE for at in (x, y))
        right, low = (int((at + _ROUND) * px_per_mm) + 1 for at in (x + wide, y + high))
        whole = cv2.resize(cv2.dilate(where, np.ones((5, 5), np.uint8)), picture.shape[1::-1])
        picture, inside = picture[top:low, left:right], np.asarray(whole[top:low, left:right], dtype=np.uint8)
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    sift = cv2.SIFT.create(nfeatures=most or 0, contrastThreshold=_CONTRAST, edgeThreshold=_EDGE)
    points, descriptors = sift.detectAndCompute(gray, inside)
    if not points:
        return Keypoints(np.zeros((0, 2), np.float32), *(np.zeros(0, np.float32),) * 2, np.zeros((0, 128), np.float32))
    shares = descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-6)
    told = np.array([(*point.pt, point.size, point.angle) for point in points], dtype=np.float32)
    places, sizes = (told[:, :2] + (left, top) + 0.5) / px_per_mm, told[:, 2] / px_per_mm
    return Keypoints(places.astype(np.float32), sizes, told[:, 3], np.sqrt(shares).astype(np.float32))


class KnownKeypoints:
    """The keypoints of a deck's faces."""

    def __init__(self, views: Sequence[npt.NDArray[np.uint8]], size: tuple[float, float], px_per_mm: float) -> None:
        found = [keypoints_in(view, px_per_mm, _MOST) for view in views]
        places, sizes, turns, descriptors = (np.concatenate(parts) for parts in zip(*found, strict=True))
        middle = np.array(size, dtype=np.float32) / 2
        order = np.argsort(sizes, kind="stable")
        self._known = Keypoints((places - middle).astype(np.float32), sizes, turns, descriptors).only(order)
        self._views = np.repeat(np.arange(len(found)), [len(one.sizes) for one in found])[order]

    def guesses(self, seen: Keypoints, most: int) -> list[Guess]:
        """Return which views may lie where, for which at least two keypoints speak, the likeliest `most` first."""
        known = self._known
        ours, theirs, scores = self._matched(seen)
        kept = np.lexsort((-scores, ours))
        first = np.searchsorted(ours[kept], ours[kept])
        kept = kept[np.arange(len(kept)) - first < _NEIGHBOURS]
        ours, theirs, scores = ours[kept], theirs[kept], scores[kept]
        if not len(ours):
            return []
        turns = (seen.turns[ours] - known.turns[theirs]) % 360
        middles = seen.places[ours] - _turned(known.places[theirs], turns)
        views = self._views[theirs]
        found: list[Guess] = []
        order = np.argsort(views, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(views[order])) + 1):
            if len(here) < 2:
                continue
            found += _agreeing(int(views[here[0]]), middles[here], turns[here], scores[here] - _ALIKE + 0.05)
        found.sort(key=lambda guess: -guess.votes)
        return found[:most]

    def _matched(self, seen: Keypoints) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]:
        """Return which keypoints of about one size are alike, the likest of each, and how much."""
        known, order = self._known, np.argsort(seen.sizes, kind="stable")
        pairs: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]] = []
        for start in range(0, len(order), _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            reach = seen.sizes[some[0]] / _SCALE, seen.sizes[some[-1]] * _SCALE
            first, end = (int(place) for place in np.searchsorted(known.sizes, reach))
            alike = (seen.descriptors[some] @ known.descriptors[first:end].T).ravel()
            pair = np.flatnonzero(alike >= _ALIKE)
            ours, theirs = np.divmod(pair, end - first)
            fit = np.flatnonzero(_of_one_size(seen.sizes[some][ours], known.sizes[first:end][theirs]))
            ours, theirs, scores = ours[fit], theirs[fit], alike[pair[fit]]
            likest = _likest(ours, scores)
            pairs.append((some[ours[likest]], theirs[likest] + first, scores[likest]))
        if not pairs:
            return np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.float32)
        ours, theirs, scores = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        return ours, theirs, scores


def _likest(ours: npt.NDArray[np.intp], scores: Floats) -> npt.NDArray[np.intp]:
    """Return which pairs, in the order of our keypoints, are the likest of each, equal ones included."""
    ends = np.searchsorted(ours, np.unique(ours), side="right").tolist()
    kept = []
    for start, end in itertools.pairwise([0, *ends]):
        likest = np.arange(start, end)
        if end - start > _NEIGHBOURS:
            least = np.partition(scores[start:end], end - start - _NEIGHBOURS)[end - start - _NEIGHBOURS]
            likest = likest[scores[start:end] >= least]
        kept.append(likest)
    return np.concatenate(kept) if kept else np.zeros(0, np.intp)


def _of_one_size(ours: Floats, theirs: Floats) -> npt.NDArray[np.bool_]:
    """Return which keypoints have sizes that may be of one detail."""
    ratio = ours / theirs
    return (ratio < _SCALE) & (ratio > 1 / _SCALE)


def _agreeing(view: int, middles: Floats, turns: Floats, scores: Floats) -> list[Guess]:
    """Return the poses that speak for each other, each only once."""
    (x, y), across = middles.T, np.abs(turns[:, None] - turns[None])
    right, down = x[:, None] - x[None], y[:, None] - y[None]
    near = right * right + down * down < _APART_MM**2
    near &= (across < _APART_DEG) | (across > 360 - _APART_DEG)
    votes = near @ scores
    found = []
    open_ = near.sum(1) > 1
    while open_.any():
        best = int(np.where(open_, votes, -1.0).argmax())
        group = np.flatnonzero(near[best])
        share = scores[group] / scores[group].sum()
        at = share @ middles[group]
        turn = float(turns[best] + share @ ((turns[group] - turns[best] + 180) % 360 - 180))
        found.append(Guess(view, (float(at[0]), float(at[1]), turn % 360), float(votes[best])))
        open_ &= ~near[best]
    return found


def _turned(places: Floats, degrees: Floats) -> Floats:
    """Return places turned clockwise about the origin, each by an angle of its own."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, y = places[:, 0], places[:, 1]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=1).astype(np.float32)
