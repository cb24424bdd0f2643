"""Whether a lamp that is mirrored in a six-sided die's top may have changed what it shows."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from companion.eye.dice.nets import Floats, burnt_out
from companion.eye.dice.pips import PATCH, PIPS, SIZE

USUAL_BURNT = 25
"""Percentile of how burnt out a top is, clear of pips, that counts as usual: a bright body may be nearly all over."""

EVEN, PLAINEST = 0.85, 90
"""The least share of the plainest pip's contrast to the body that each other pip has in even light; and of which
percentile: a hollow that is drilled has a glint, which leaves the rest of it as dark as the others are."""

PLAIN = 150.0
"""How far (gray levels) the darkest pip must differ from the body to be one that no lamp brightens."""

TELLS, CLIPPED = 0.15, 0.6
"""How far a lamp must brighten a dark pip, from the darkest one's level to the body's, to tell how it fades; and at
most, as what is clipped in part looks flatter than it is."""

DARKER = 60.0
"""By how much (gray levels) a pip must be darker than the body to be no image of a lamp."""

_APART, _PIP, _SPOT = 0.26, 0.075, 0.12
"""In sides: how far a corner pip is from a top's middle, a pip's radius, and how far from it a lamp's image may be."""

GLOWS = 0.3
"""How much brighter it may be round a pip than round others, as a share of their contrast to the body."""

_CLEAR, _ROUND = 0.13, 0.18
"""From where to where round a pip's middle (sides) nothing of it is seen, but the glow of a lamp is."""

_BESIDE_PIP, _WITHIN_RIM = 0.16, 0.4
"""In sides: how far from a pip nothing of it is seen, and how far from a top's middle nothing of its rim."""

_ACROSS = np.tile(np.arange(-1, 2, dtype=np.float32) / 6, (3, 1))
"""Weights that give how levels grow from column to column of three by three places."""

_Place = tuple[int, int]
_Bools = npt.NDArray[np.bool_]

_WAYS: dict[int, tuple[frozenset[_Place], frozenset[_Place]]] = {
    value: (frozenset(pips), frozenset((-j, i) for i, j in pips)) for value, pips in PIPS.items()
}
"""Where pips sit on a face, in both ways in which it may lie: 2, 3 and 6 look different in them."""


def wiped(seen: Floats, value: int) -> float:
    """Return how far a mirrored lamp may have changed a value, 0 to 1: it hides pips, and looks like a white one.

    `seen` are gray levels, shape (PATCH, PATCH). The result is how much more burnt out than the rest the places of
    other values' pips are; or how burnt out at all, where a lamp has bleached pips that show.
    """
    burnt, bleached = burnt_out(seen), _bleached(seen, value)
    places = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    mean = {place: float(burnt[_near(place, _PIP)].mean()) for place in places}
    most = {place: float(burnt[_near(place, _SPOT)].max()) for place in places}
    ways = []
    for shown, (more, fewer) in zip(_WAYS[value], _other_pips(value), strict=True):
        usual, lit = float(np.percentile(burnt[_body(shown)], USUAL_BURNT)), _Lit(seen, shown)
        hidden = [
            min(mean[place] for place in pips) - (0.0 if bleached and all(map(lit.may_hide, pips)) else usual)
            for pips in more
        ]
        mirrored = [
            min(most[place] for place in pips) - max(most[place] for place in kept)
            for pips, kept in fewer
            if not all(_darker(seen, place, shown) for place in pips)
        ]
        ways.append(max([*hidden, *mirrored, 0.0]))
    return 1.0 if _glows(seen, value) else min(ways)


def _darker(seen: Floats, place: _Place, pips: frozenset[_Place]) -> bool:
    """Return whether a pip is darker than the body: then no lamp that is mirrored looks like it."""
    return float(seen[_near(place, _PIP)].mean()) < float(np.median(seen[_body(pips)])) - DARKER


def _bleached(seen: Floats, value: int) -> bool:
    """Return whether some pips of a value differ less from the body than others."""
    pips = _WAYS[value][_way(seen, value)]
    body = np.median(seen[_body(pips)])
    each = [float(np.percentile(np.abs(seen[_near(place, _PIP)] - body), PLAINEST)) for place in pips]
    return min(each) < EVEN * max(each)


def _way(seen: Floats, value: int) -> int:
    return max((0, 1), key=lambda way: min(_contrasts(seen, _WAYS[value][way])))


def _contrasts(seen: Floats, pips: frozenset[_Place]) -> list[float]:
    body = float(np.median(seen[_body(pips)]))
    return [abs(float(seen[_near(place, _PIP)].mean()) - body) for place in pips]


def _glows(seen: Floats, value: int) -> bool:
    """Return whether white pips that other values lack may be a lamp's image: it glows round about, a pip does not."""
    way = _way(seen, value)
    shown = _WAYS[value][way]
    body = float(np.median(seen[_body(shown)]))
    pips = [float(seen[_near(place, _PIP)].mean()) - body for place in shown]
    if min(pips) <= 0:
        return False
    # A lamp glows on all sides; a pip that is a little aside of its place reaches into a part of what is round it.
    glow = {place: float(np.median(seen[_round(place)])) for place in shown}
    others = _other_pips(value)[way][1]
    return any(
        min(glow[place] for place in lacking) - max(glow[place] for place in kept) > GLOWS * float(np.median(pips))
        for lacking, kept in others
    )


class _Lit:
    """How bright a lamp's image can be on a pale top, by how it fades across the dark pips that show.

    The logarithm of its brightness is concave, so it lies nowhere above a tangent. The brightness goes from 0, at the
    darkest pip, to 1 where a pip is as bright as the body.
    """

    def __init__(self, seen: Floats, pips: frozenset[_Place]) -> None:
        body = float(np.median(seen[_body(pips)]))
        at = [_middle(body - seen, place) for place in pips]
        parts = [(x, y, body - seen[y - 1 : y + 2, x - 1 : x + 2]) for x, y in at]
        plainest = max(float(dark.mean()) for _, _, dark in parts)
        self._tangents: list[tuple[int, int, float, float, float]] = []
        if plainest < PLAIN:
            return
        for x, y, dark in parts:
            light = 1 - dark / plainest
            bright = float(light.mean())
            if TELLS < bright < CLIPPED:
                across, down = float((light * _ACROSS).sum()), float((light * _ACROSS.T).sum())
                self._tangents.append((x, y, bright, across / bright, down / bright))

    def may_hide(self, place: _Place) -> bool:
        """Return whether a lamp may make a pip there as bright as the body; where no pip tells, it may."""
        to_x, to_y = (_pixel(part) for part in place)
        return all(
            math.log(bright) + across * (to_x - x) + down * (to_y - y) > 0
            for x, y, bright, across, down in self._tangents
        )


def _middle(dark: Floats, place: _Place) -> tuple[int, int]:
    """Return the column and row of a pip's middle near its place; `dark` is how much darker a top is than its body."""
    x, y = (round(_pixel(part)) for part in place)
    pip = np.maximum(dark[y - 4 : y + 5, x - 4 : x + 5], 1e-3)
    steps = np.arange(-4, 5)
    across, down = float((pip.sum(axis=0) * steps).sum()), float((pip.sum(axis=1) * steps).sum())
    return x + round(across / float(pip.sum())), y + round(down / float(pip.sum()))


def _pixel(part: int) -> float:
    return (0.5 + _APART * part / SIZE) * PATCH - 0.5


@cache
def _near(place: _Place, reach: float) -> _Bools:
    line = _line()
    return np.asarray((line[:, None] - _APART * place[1]) ** 2 + (line - _APART * place[0]) ** 2 <= reach**2)


@cache
def _round(place: _Place) -> _Bools:
    return _near(place, _ROUND) & ~_near(place, _CLEAR)


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
    """Return, for both ways of a value, other values' further pips, and its own that they lack with the rest."""
    others = {pips for both in _WAYS.values() for pips in both}
    return [
        (
            [other - shown for other in others if shown < other],
            [(shown - other, other) for other in others if other < shown],
        )
        for shown in _WAYS[value]
    ]
