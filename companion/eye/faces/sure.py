"""Whether enough speaks for a card that was weighed: at first sight, where it lay, and beside others."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from companion.eye.faces.likeness import Pose
from companion.eye.faces.naming import LIKE, Named, enough

_MARGIN = 0.05
"""What is added to the margin that a card needs: a cold look knows least."""

_ALIKE, _NEEDED = 0.7, ((24.0, 0.35), (18.0, 0.5), (0.0, 0.65))
"""The likeness from which on other margins are enough, and these: from so many blocks on, of 54, the margin."""

_PLAIN = 0.48
"""Margin of a card that is close to another, in gray or coarse: of drawn ones in gray a seventh has less."""

_AS_TAUGHT = 0.85
"""Margin of a card of a deck taught in part: of 24 untaught cards of a standard deck the highest had 0.78."""

_BACK_BLOCKS = 20.0
"""Blocks, of 54, that must show of a back: prints on mats, and the sides of piles, may look like a part of it."""

LIKELY = 0.6
"""Likeness at first sight that a card must have; an expected front needs less (`LIKE`), as little light lowers it."""

_LAY_MARGIN, _LAY_BLOCKS, _LAY_MM = 0.1, 9.0, 4.0
"""Margin over all others, blocks of 54 and distance (mm) that are enough for a card where it lay before."""

_PUSHED_MARGIN, _PUSHED_MM, _PUSHED_DEG = 0.2, 12.0, 6.0
"""Margin, distance (mm) and turn (degrees) of a card pushed with its row; exactly there the margin above is enough."""

_FADED = (0.55, 0.45, 52.0)
"""Margin, likeness and blocks enough for a front that shows wholly, but pale (see `FaceBook.judge`)."""

_ASKED, _ASKED_MARGIN = 18.0, 0.2
"""Blocks, of 54, that must show to ask about a card, and the margin of a whole, faded one: less may be untaught."""

_ONE_MM, _SQUARELY_MM, _SQUARELY_DEG = 10.0, 3.0, 6.0
"""How near (mm) one card may be found twice, and how near and how little turned (degrees) two can't both show."""


class Known(enum.Enum):
    """Why a card may lie at a place: it was found, moved or pushed there, lay there, or is a pile's back."""

    ONCE = enum.auto()
    MOVED = enum.auto()
    LAY = enum.auto()
    PUSHED = enum.auto()
    PILE = enum.auto()


class Place(NamedTuple):
    """Where a card probably lies: face number, pose, why, and how large it looks: larger on a high pile."""

    face: int
    pose: Pose
    known: Known = Known.LAY
    size: float = 1.0


def is_sure(named: Named, is_back: bool, *, expected: bool) -> bool:
    """Return whether enough speaks for a card, which the rules may expect there."""
    margin, like, blocks = named.margin, named.like, named.blocks
    if not is_back and all(np.greater_equal(named[2:5], _FADED)):
        return True
    if like < (LIKE if expected and not is_back else LIKELY) or (is_back and blocks < _BACK_BLOCKS):
        return False
    if enough(margin - _MARGIN, like, blocks, expected):
        return True
    need = next(need for least, need in _NEEDED if blocks >= least)
    return like >= _ALIKE and margin >= need and not is_back


def is_plain(named: Named) -> bool:
    """Return whether enough speaks for a card that is close to another, both of which may lie there."""
    return named.margin >= _PLAIN


def is_as_taught(named: Named) -> bool:
    """Return whether a card looks so much as it was taught that it is none that nobody taught."""
    return named.margin >= _AS_TAUGHT


def is_remembered(named: Named, places: Iterable[Place]) -> bool:
    """Return whether a card is where it lay, moved or was pushed to, and enough speaks for it there."""
    if named.like < LIKE or named.blocks < _LAY_BLOCKS:
        return False
    for face, pose, why, _ in places:
        if face != named.face:
            continue
        far, turned = apart(named.pose, pose), _turned(named.pose, pose)
        if why in (Known.LAY, Known.MOVED) and far < _LAY_MM and named.margin >= _LAY_MARGIN:
            return True
        least = _LAY_MARGIN if far < _LAY_MM else _PUSHED_MARGIN
        if why is Known.PUSHED and far < _PUSHED_MM and turned < _PUSHED_DEG and named.margin >= least:
            return True
    return False


def is_doubtful(named: Named, is_back: bool) -> bool:
    """Return whether a card that is not sure is asked about: enough is like it, or a front shows wholly, faded."""
    least = _ASKED_MARGIN, *_FADED[1:]
    faded = not is_back and all(np.greater_equal(named[2:5], least))
    return faded or (named.like >= LIKELY and named.blocks >= _ASKED)


def in_one_place(one: Named, other: Named) -> bool:
    """Return whether two cards can't both show: they are one, or lie squarely on each other."""
    far = apart(one.pose, other.pose)
    if one.face == other.face:
        return far < _ONE_MM
    return far < _SQUARELY_MM and _turned(one.pose, other.pose) < _SQUARELY_DEG


def apart(one: Pose, other: Pose) -> float:
    """Return how far (mm) the middles of two cards are from each other."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _turned(one: Pose, other: Pose) -> float:
    return abs((one[2] - other[2] + 90) % 180 - 90)
