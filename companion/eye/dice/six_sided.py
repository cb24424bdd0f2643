"""What the dice reader knows of six-sided dice: their shape, and when a value counts as read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.eye.dice.nets import FOUND, Floats, Found, Pose
from companion.eye.dice.six_sided_nets import LEANS, NOTHING, find, look
from companion.eye.view import Unread

Points = npt.NDArray[np.floating]

SMALLEST, LARGEST = 11.0, 23.0
"""Sides of six-sided dice (mm) as gauged: of 12 to 19 mm; a body as gray as the felt seems up to a sixth longer."""

SURE = 0.995
"""How surely it must be this value and no other, in each of four turns."""

HIDDEN, UNREAD = 0.15, 0.3
"""How surely, at most, in the mean of the turns, nothing can be read there; and that, or that the die leans."""

DIM = 0.2
"""How surely a top must be found to be read."""

SEEN_COARSELY = 1.9
"""Pixels a millimetre of the camera's picture below which more is asked: `SURE_COARSE` and `DIM_UNPLAIN`."""

SURE_COARSE = 0.999
"""`SURE` in a coarse picture, and of what is faintly found."""

FAINT = 0.6
"""A top that is found less surely is faintly found: it may be made up of two dice."""

STEEP = 0.36
"""How far aslant dice are seen (the angle's tangent) where `DIM_UNPLAIN` is asked: sides that show look like tops."""

DIM_UNPLAIN = 0.4
"""`DIM` in a coarse picture, and of what is seen far aslant."""

WIPED = 0.7
"""How far a mirrored lamp may have changed a value, at most (`lamps.wiped`)."""

AGREED, HIDDEN_BEFORE = 0.95, 0.25
"""Of a die of a known look: how surely it must have been the same value before its size was held, and `HIDDEN` then."""

TIPPED_KNOWN = 0.3
"""How surely a die of a known look leans, at most."""

HIDDEN_ONE = 0.05
"""`HIDDEN` of a 1 of a known look, then and now: any dot looks like one, a pip on a side among them."""

FAINT_ONE, PART = 0.65, 0.6
"""A 1 that is found less surely may be one pip of a larger die: how surely, at least, another value is seen there."""

LARGER, CORNER, WAYS = 1.25, 0.35, 8
"""By how much that die is larger at first, how far (sides) its middle is from a corner pip, and the ways tried."""

OFF_PIP = 0.2
"""How far (sides) its middle is from the pip, at least, once its pose is mended: nearer, and it is the 1 again."""


class SixSidedKind:
    """Six-sided dice: cubes with pips."""

    smallest, largest = SMALLEST, LARGEST
    faint = FOUND  # what wasn't looked at before its size was held can't agree with what it showed then
    turns = 90.0
    apart = 0.0

    def find(self, flat: Floats, least: float) -> list[tuple[Pose, float]]:
        """Return where tops may be, and how surely, at least `least`."""
        return find(flat, least)

    def look(self, flat: Floats, poses: list[Pose], feet: list[tuple[float, float]], held: bool = False) -> list[Found]:
        """Return what tops show; `feet` says where their feet are seen, in sides; sizes may be `held`."""
        return look(flat, poses, feet, held)

    def side(self, pose: Pose) -> float:
        """Return a die's side (mm)."""
        return pose[2]

    def top(self, pose: Pose) -> Points:
        """Return a top's corners, in the straightened tray (mm)."""
        x, y, side, turn = pose
        c, s = math.cos(turn) * side / 2, math.sin(turn) * side / 2
        return np.array([(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)]) + (x, y)

    def stands(self, top: Points) -> tuple[Points, Points]:
        """Return the face that it rests on, which is just below its top, and no wider part."""
        return top, top[:0]

    def absent(self, found: Found) -> float:
        """Return how surely nothing can be read there."""
        return float(found.shares[:, NOTHING].mean())

    def is_part(self, flat: Floats, found: Found, there: float, foot: Callable[[Pose], tuple[float, float]]) -> bool:
        """Return whether what is read may be a part of a larger die: of a dark one on dark felt pips alone show."""
        x, y, side, _ = found.pose
        side *= LARGER
        if _shown(found).value != 1 or there >= FAINT_ONE or side > LARGEST:
            return False
        ways = [(math.cos(turn), math.sin(turn), turn) for turn in np.arange(WAYS) * 2 * math.pi / WAYS]
        away = CORNER * side
        poses = [(x + away * c, y + away * s, side, turn + math.pi / 4) for c, s, turn in ways]
        return any(
            math.dist(one.pose[:2], (x, y)) >= OFF_PIP * one.pose[2] and _shows_more(one)
            for one in look(flat, poses, [foot(pose) for pose in poses])
        )

    def says(self, found: Found, there: float, px_per_mm: float, slant: float) -> tuple[int | None, Unread | None]:
        """Return the value that a top shows, None if it isn't clear, and then why not."""
        return _says(found, there, px_per_mm < SEEN_COARSELY, slant >= STEEP)

    def says_of_known(self, found: Found, first: Found | None, px_per_mm: float) -> int | None:
        """Return the value of a top whose look is known; `first` is what was seen there before its size was held."""
        shown, before = _shown(found), None if first is None else _shown(first)
        if before is None or before.value != shown.value or before.tipped > 0.5:
            return None
        hidden, was = (HIDDEN_ONE, HIDDEN_ONE) if shown.value == 1 else (HIDDEN, HIDDEN_BEFORE)
        seen = shown.alone >= SURE and shown.hidden <= hidden and shown.tipped <= TIPPED_KNOWN and shown.wiped <= WIPED
        return shown.value if seen and before.alone >= AGREED and before.hidden <= was else None


class _Shown(NamedTuple):
    """What a six-sided die's top shows, how surely, how surely it is unreadable or leans, and how far it is `wiped`."""

    value: int
    alone: float
    hidden: float
    tipped: float
    wiped: float


def _shown(found: Found) -> _Shown:
    mean = found.shares.mean(axis=0)
    value = 1 + int(mean[1:LEANS].argmax())
    alone = float((found.shares[:, value] / found.shares[:, 1:LEANS].sum(axis=1)).min())
    return _Shown(value, alone, float(mean[NOTHING]), float(mean[LEANS]), found.wiped)


def _shows_more(found: Found) -> bool:
    shown = _shown(found)
    return shown.value > 1 and shown.alone * (1 - shown.hidden - shown.tipped) >= PART


def _says(found: Found, there: float, coarse: bool, steep: bool) -> tuple[int | None, Unread | None]:
    """Return the value of a top, or None and why not; `coarse`: in a coarse picture, `steep`: seen far aslant."""
    shown = _shown(found)
    sure = SURE_COARSE if coarse or there < FAINT else SURE
    dim = DIM_UNPLAIN if coarse or steep else DIM
    clear = shown.hidden <= HIDDEN and shown.hidden + shown.tipped <= UNREAD and shown.wiped <= WIPED
    if clear and shown.alone >= sure and there >= dim:
        return shown.value, None
    return None, Unread.LEANS if shown.tipped > 0.5 else Unread.UNCLEAR
