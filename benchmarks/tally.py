"""Counts of readings: how many were right and wrong, and how near the wrong ones came to being accepted."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.deck_reader import Named

LOWEST, HIGHEST, STEP = -15.0, 10.0, 0.05
"""The histograms' range and the width of their bins, in standard deviations; what lies outside goes to the last bin."""
LEVELS = np.arange(LOWEST, HIGHEST, STEP)
"""Where the bins begin. From 0 on an answer is accepted."""
TAIL = 50
"""Readings that a fitted tail rests on, at least."""

Counts = npt.NDArray[np.int64]


class Tally(msgspec.Struct):
    """The counts of one kind of squares.

    `remembered` counts the wrong ones where another code lay before. `near` is the histogram of how sure wrong answers
    are, against how sure they would have to be; `only` that of those which nothing else kept out.
    """

    readings: int = 0
    accepted: int = 0
    right: int = 0
    wrong: int = 0
    remembered: int = 0
    near: Counts = msgspec.field(default_factory=lambda: np.zeros(len(LEVELS), dtype=np.int64))
    only: Counts = msgspec.field(default_factory=lambda: np.zeros(len(LEVELS), dtype=np.int64))

    def add(self, named: Named, truth: npt.NDArray[np.intp], before: npt.NDArray[np.intp]) -> None:
        """Count readings: what was read, what is there (-1: no code of ours), and what lay there before."""
        good = named.code == truth
        sure = named.sure
        self.readings += len(truth)
        self.accepted += int(sure.sum())
        self.right += int((sure & good).sum())
        self.wrong += int((sure & ~good).sum())
        for pose in np.flatnonzero(~good & (named.code == before)):
            self.remembered += int(named.only(np.array([pose])).still(int(before[pose])).sum())
        short = named.surely - named.enough
        # Would it count if it were only sure enough? Then that alone keeps it out.
        otherwise = msgspec.structs.replace(named, surely=named.enough + 1).sure
        for counts, chosen in ((self.near, ~good), (self.only, ~good & otherwise)):
            bins = np.clip(((short[chosen] - LOWEST) / STEP).astype(int), 0, len(counts) - 1)
            counts += np.bincount(bins, minlength=len(counts))

    def survival(self, counts: Counts) -> npt.NDArray[np.float64]:
        """Return the share of readings with a wrong answer of a histogram at least as sure as each of `LEVELS`"""
        return np.asarray(np.cumsum(counts[::-1])[::-1] / max(1, self.readings))

    def tail(self) -> tuple[float, float, float] | None:
        """Return the fitted upper tail: a level, the share of readings beyond it, and their mean excess.

        Excesses over a high level are taken to fall off exponentially (a generalised Pareto distribution with shape 0,
        Pickands 1975). Likeness is a bounded sum of many modules and falls off faster: the fit is on the safe side.
        The level is the one that a thousandth of the readings exceed, or `TAIL` of them. None without so many.
        """
        wanted = max(TAIL, self.readings // 1000)
        beyond = np.cumsum(self.only[::-1])[::-1]
        if beyond[0] < wanted:
            return None
        start = int(np.flatnonzero(beyond >= wanted)[-1])
        excess = LEVELS[start:] - LEVELS[start] + STEP / 2
        mean = float((self.only[start:] * excess).sum() / beyond[start])
        return float(LEVELS[start]), float(beyond[start]) / self.readings, mean

    def probability(self) -> float | None:
        """Return the probability of a wrong answer in one reading: the tail continued to 0; None without a fit."""
        fitted = self.tail()
        if fitted is None:
            return None
        level, share, mean = fitted
        return share * math.exp(min(0.0, level) / mean)
