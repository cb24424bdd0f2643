"""What the dice reader knows of ten-sided dice: their shape, and when a numeral counts as read.

The top is a kite, level with the table. A 0 counts 10. A 6 or a 9 counts only where its mark says which way up it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.eye.dice import ten_sided_nets
from companion.eye.dice.nets import Floats, Found, Pose
from companion.eye.dice.ten_sided_nets import LEANS, LONG, NOTHING, UNTOLD
from companion.eye.view import Unread

Points = npt.NDArray[np.floating]

SURE = 0.92
"""How surely it must be this numeral and nothing else, in the geometric mean of four looks."""

SURE_TURNED = 0.97
"""`SURE` of a top that was seen only in another turn than that in which it was found."""

SURE_KNOWN, AGREED = 0.8, 0.7
"""Less than `SURE` for a die of a known look and size, and how surely it must have been the same before."""

DIM = 0.2
"""How surely a top must be found to be read."""

FINE_ENOUGH = 2.0
"""Pixels a millimetre of the camera's picture below which no numeral is read."""

_BACK = 0.298
"""How far a top's blunt end is from where its numeral stands, in sides."""

_KITE = ((LONG - _BACK, 0.0), (-0.086, 0.438), (-_BACK, 0.0), (-0.086, -0.438))
"""A top's corners from where its numeral stands, in sides: along its axis to its sharp end, and to the right."""

_MIDDLE = 0.26
"""How far the die's middle is from there towards the sharp end, in sides."""

_BELT = ((0.213, 0.709), (-0.213, 0.709), (-0.213, -0.709), (0.213, -0.709))
"""The belt's widest corners from the die's middle, in sides."""


class TenSidedKind:
    """Ten-sided dice, as the dice reader asks for a kind of die."""

    smallest, largest = 9.0, 25.0
    faint = 0.1
    turns = 360.0
    apart = 0.75

    def find(self, flat: Floats, least: float) -> list[tuple[Pose, float]]:
        """Return where tops may be, and how surely, at least `least`."""
        return ten_sided_nets.find(flat, least)

    def look(self, flat: Floats, poses: list[Pose], feet: list[tuple[float, float]], held: bool = False) -> list[Found]:
        """Return what tops show; `feet` says where their feet are seen, in sizes; sizes may be `held`."""
        return ten_sided_nets.look(flat, poses, feet, held)

    def side(self, pose: Pose) -> float:
        """Return a die's side (mm): the distance of its opposite faces."""
        return pose[2] / LONG

    def top(self, pose: Pose) -> Points:
        """Return a top's corners, in the straightened tray (mm)."""
        return _placed(np.array(_KITE), pose[:2], self.side(pose), pose[3])

    def stands(self, top: Points) -> tuple[Points, Points]:
        """Return where the face that a die rests on is, and its widest part, from its top's corners on the mat (mm)."""
        tip = top[0] - top[2]
        side, turn = float(np.hypot(*tip)) / LONG, math.atan2(tip[1], tip[0])
        numeral = top[2] + tip / np.hypot(*tip) * _BACK * side
        middle = numeral + _MIDDLE * side * np.array([math.cos(turn), math.sin(turn)])
        return 2 * middle - top, _placed(np.array(_BELT), (float(middle[0]), float(middle[1])), side, turn)

    def absent(self, found: Found) -> float:
        """Return how surely nothing can be read there."""
        return float(found.shares[:, NOTHING].mean())

    def is_part(self, flat: Floats, found: Found, there: float, foot: Callable[[Pose], tuple[float, float]]) -> bool:
        """Return whether what is read may be a part of a larger die: a numeral is none."""
        return False

    def says(self, found: Found, there: float, px_per_mm: float, slant: float) -> tuple[int | None, Unread | None]:
        """Return the value that a top shows, None if it isn't clear, and then why not, however it is seen."""
        mean = found.shares.mean(axis=0)
        value, surely = _together(found)
        least = SURE_TURNED if found.turned else SURE
        if surely >= least and there >= DIM and px_per_mm >= FINE_ENOUGH:
            return value, None
        if mean[LEANS] > 0.5:
            return None, Unread.LEANS
        return None, Unread.NO_MARK if mean[UNTOLD] > 0.5 else Unread.UNCLEAR

    def says_of_known(self, found: Found, first: Found | None, px_per_mm: float) -> int | None:
        """Return the value of a top whose look is known; `first` is what was seen there before its size was held."""
        value, surely = _together(found)
        before = (0, 0.0) if first is None else _together(first)
        agreed = surely >= SURE_KNOWN and before[0] == value and before[1] >= AGREED
        return value if px_per_mm >= FINE_ENOUGH and (surely >= SURE or agreed) else None


def _together(found: Found) -> tuple[int, float]:
    """Return the numeral that four looks agree on most, and how surely."""
    together = np.exp(np.log(found.shares + 1e-6).mean(axis=0))
    together /= together.sum()
    value = 1 + int(together[1:UNTOLD].argmax())
    return value, float(together[value])


def _placed(shape: npt.NDArray[np.float64], at: tuple[float, float], side: float, turn: float) -> Points:
    c, s = math.cos(turn) * side, math.sin(turn) * side
    return np.asarray(shape @ np.array([[c, s], [-s, c]]) + at, np.float64)
