"""Two small networks that find six-sided dice in a straightened tray and read their tops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.eye.dice.nets import (
    CELL,
    FOUND,
    Floats,
    Found,
    Pose,
    answered,
    burnt_out,
    feet_from,
    leveled,
    load_weights,
    mended,
    seen_by,
    tops,
)
from companion.eye.dice.pips import PIPS
from companion.eye.dice.straight import COARSE, FINE, coarse, normal

USUAL, TURNS = 15.0, 4
"""A usual top's side (mm), and in how many turns it looks the same."""

PATCH, SIZE = 44, 1.7
"""A top is read in so many pixels square, which show so many of its sides."""

WEIGHTS = Path(__file__).with_name("six_sided_nets.npz")
"""The networks' weights, as `companion.bench.development.dice_training` has learned them."""

NOTHING, LEANS, CLASSES = 0, 7, 8
"""What a top may show: nothing that can be read, 1 to 6, or that the die leans."""


def patches(flat: Floats, poses: Sequence[Pose]) -> Floats:
    """Return what is seen of tops at poses (x, y, side in mm; turn in radians): shape (poses, 2, PATCH, PATCH).

    The first layer has levels, of the mean 0 and the spread 1; the second says how far a place is burnt out.
    """
    line = (np.arange(PATCH, dtype=np.float32) + 0.5) / PATCH - 0.5
    u, v = np.meshgrid(line, line)
    views = np.empty((len(poses), 2, PATCH, PATCH), np.float32)
    for view, (x, y, side, turn) in zip(views, poses, strict=True):
        c, s = math.cos(turn) * side * SIZE, math.sin(turn) * side * SIZE
        px = (
            ((x + u * c - v * s) * FINE - 0.5).astype(np.float32),
            ((y + u * s + v * c) * FINE - 0.5).astype(np.float32),
        )
        seen = np.asarray(cv2.remap(flat, *px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
        view[0], view[1] = leveled(seen), burnt_out(seen)
    return views


KERNELS = 3
"""How many kernels see a top."""


@lru_cache(maxsize=1)
def _weights() -> dict[str, Floats]:
    return load_weights(WEIGHTS)


def find(flat: Floats, least: float = FOUND) -> list[tuple[Pose, float]]:
    """Return where tops may be in a straightened tray, and how surely."""
    return tops(_weights(), normal(coarse(flat)), CELL / COARSE, _told, least)


def _told(says: Sequence[float]) -> tuple[float, float]:
    size, c, s = says
    return USUAL * math.exp(min(1.0, max(-1.0, size))), math.atan2(s, c) / TURNS


_MENDED = 2
"""How often a pose is mended before its top is read."""


def look(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]], held: bool = False) -> list[Found]:
    """Return what tops show; `feet` says for each how far its foot is seen from its middle, in sides. Their sizes are
    known if they are `held`.
    """
    if not poses:
        return []
    for _ in range(_MENDED):
        _, mend = _looked(flat, poses, feet)
        poses = [mended(pose, by, held) for pose, by in zip(poses, mend.tolist(), strict=True)]
    turned = [(x, y, side, turn + k * math.pi / 2) for x, y, side, turn in poses for k in range(4)]
    shares, mend = _looked(flat, turned, [foot for foot in feet for _ in range(4)])
    by_die, larger = shares.reshape(len(poses), 4, CLASSES), mend[:, 2].reshape(len(poses), 4).mean(axis=1)
    each = zip(poses, mend[::4].tolist(), by_die, larger.tolist(), strict=True)
    found = [(mended(pose, by, held), four, more) for pose, by, four, more in each]
    views = patches(flat, [pose for pose, _, _ in found])
    return [
        Found(*one, wiped(view, 1 + int(one[1].mean(axis=0)[1:LEANS].argmax())))
        for one, view in zip(found, views, strict=True)
    ]


USUAL_BURNT = 25
"""Percentile of how far a top's places are burnt out, clear of the pips that show, that counts as usual: a bright body
may be, nearly all over.
"""

EVEN = 0.7
"""The least share of the plainest pip's contrast to the body that each other pip has in even light."""

_APART, _PIP, _SPOT = 0.26, 0.075, 0.12
"""How far a usual corner pip is from a top's middle along the sides, the radius of a pip, and how far from its middle a
lamp's image may be and look like it, in sides.
"""

_BESIDE_PIP, _WITHIN_RIM = 0.16, 0.4
"""How far from a pip's middle nothing of it is seen any more, and how far from a top's middle, along the sides, nothing
of its rim is seen yet, in sides.
"""

_Place = tuple[int, int]
_Bools = npt.NDArray[np.bool_]

_WAYS: dict[int, tuple[frozenset[_Place], frozenset[_Place]]] = {
    value: (frozenset(pips), frozenset((-j, i) for i, j in pips)) for value, pips in PIPS.items()
}
"""Where pips sit on a face, in both ways in which it may lie: 2, 3 and 6 look different in them."""


def wiped(view: Floats, value: int) -> float:
    """Return how far a mirrored lamp may have changed a value, 0 to 1: it hides pips, and looks like a white one.

    Another value differs by some pips. The result is how much more burnt out than the rest of the top all their places
    are; or, where a lamp has bleached some of the pips that show, how burnt out they are at all. The view is as in
    `patches`.
    """
    levels, burnt = view
    bleached = _bleached(levels, value)
    places = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    mean = {place: float(burnt[_near(place, _PIP)].mean()) for place in places}
    most = {place: float(burnt[_near(place, _SPOT)].max()) for place in places}
    ways = []
    for shown, (more, fewer) in zip(_WAYS[value], _other_pips(value), strict=True):
        usual = 0.0 if bleached else float(np.percentile(burnt[_body(shown)], USUAL_BURNT))
        hidden = [min(mean[place] for place in pips) - usual for pips in more]
        mirrored = [min(most[place] for place in pips) - max(most[place] for place in kept) for pips, kept in fewer]
        ways.append(max([*hidden, *mirrored, 0.0]))
    return min(ways)


def _bleached(levels: Floats, value: int) -> bool:
    """Return whether some pips of a value differ far less from the body than others."""
    seen = max((_contrasts(levels, pips) for pips in _WAYS[value]), key=min)
    return min(seen) < EVEN * max(seen)


def _contrasts(levels: Floats, pips: frozenset[_Place]) -> list[float]:
    """Return how far pips differ from a top's body."""
    body = float(np.median(levels[_body(pips)]))
    return [abs(float(levels[_near(place, _PIP)].mean()) - body) for place in pips]


@cache
def _near(place: _Place, reach: float) -> _Bools:
    """Return the part of a top, as it is seen, that is so near (sides) to where a pip may be."""
    line = _line()
    return np.asarray((line[:, None] - _APART * place[1]) ** 2 + (line - _APART * place[0]) ** 2 <= reach**2)


@cache
def _body(pips: frozenset[_Place]) -> _Bools:
    """Return the part of a top, as it is seen, that is clear of pips and of its rim."""
    line = np.abs(_line()) < _WITHIN_RIM
    clear: _Bools = np.outer(line, line)
    for place in pips:
        clear &= ~_near(place, _BESIDE_PIP)
    return clear


def _line() -> Floats:
    """Return where a patch's rows and columns are from a top's middle, in sides."""
    return np.asarray(((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SIZE, np.float32)


@cache
def _other_pips(value: int) -> list[tuple[list[frozenset[_Place]], list[tuple[frozenset[_Place], frozenset[_Place]]]]]:
    """Return, for both ways in which a value may lie, the pips that other values have besides its own, and those of its
    own that other values lack, with the pips that both have.
    """
    others = {pips for both in _WAYS.values() for pips in both}
    return [
        (
            [other - shown for other in others if shown < other],
            [(shown - other, other) for other in others if other < shown],
        )
        for shown in _WAYS[value]
    ]


def _looked(flat: Floats, poses: Sequence[Pose], feet: Sequence[tuple[float, float]]) -> tuple[Floats, Floats]:
    """Return what poses show, as shares of one, and how far they are off."""
    kept = _weights()
    seen = seen_by(kept, patches(flat, poses), "look", KERNELS)
    return answered(kept, [seen, feet_from(poses, feet)], ("look3", "look4"), CLASSES)
