"""The sizes and tones of the dice that were read surely in a tray: less has to show of dice of a known look.

Dice of another set are read as if no set were known.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

KEPT = 40
"""How many dice are remembered, the latest: a set that is no longer rolled is forgotten after some rolls."""

LEAST = 3
"""How many dice of a look must have been read for it to be known."""

ALIKE = 0.05
"""By how much (logarithm) the size of dice of the same set may differ: twice what measuring varies by."""

SAME_TONE = 0.25
"""By how much (logarithm) a die's tone may differ from that of its set: shadows are deeper, and give no set."""

MOST_SIZES = 3
"""How many sizes of dice are known at most, those of most dice."""


class Look(NamedTuple):
    """A die's look: its top's size (mm), tone (logarithm of its brightness over the tray's), place (mm) and value."""

    size: float
    tone: float
    x: float
    y: float
    value: int


class DiceSet:
    """The dice of one tray, as they were read surely."""

    def __init__(self) -> None:
        """Know nothing."""
        self._kept: deque[Look] = deque(maxlen=KEPT)
        self._last: tuple[Look, ...] = ()

    def learn(self, looks: Iterable[Look]) -> None:
        """Remember dice that were read; one that still lies where it did counts once."""
        now = tuple(looks)
        self._kept.extend(look for look in now if not any(_unmoved(look, before) for before in self._last))
        self._last = now

    def sizes(self) -> list[float]:
        """Return the sizes of dice that are known, the most usual one first."""
        left = [look.size for look in self._kept]
        found: list[float] = []
        while len(left) >= LEAST and len(found) < MOST_SIZES:
            groups = [[size for size in left if _apart(size, one) <= ALIKE] for one in left]
            most = max(groups, key=len)
            if len(most) < LEAST:
                break
            found.append(float(np.median(most)))
            left = [size for size in left if _apart(size, found[-1]) > 1.5 * ALIKE]
        return found

    def knows(self, size: float, tone: float) -> bool:
        """Return whether dice of such a size and tone were read."""
        alike = (_apart(look.size, size) <= ALIKE and abs(look.tone - tone) <= SAME_TONE for look in self._kept)
        return sum(alike) >= LEAST


def _apart(size: float, other: float) -> float:
    return abs(math.log(size / other))


def _unmoved(one: Look, other: Look) -> bool:
    return one.value == other.value and math.hypot(one.x - other.x, one.y - other.y) < 1.0
