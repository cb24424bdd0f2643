"""How rare a wrong identity is: millions of squares, most no code of the deck, shown to the reader that knows it.

A reading is one square at one pose, compared with the whole code book, as the reader does where it suspects a code. It
counts as wrong if it is accepted and the square says something else. None should be; how near they came tells more:
how sure the reader was of wrong answers, over all readings, has a tail that is drawn and continued to the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from companion import games
from companion.bench.conditions import HELD_OUT, book, generator
from companion.bench.figures import Figure, Row, Section, at_most
from companion.bench.patches import ACROSS, KINDS, Drawer, sheet
from companion.eye.deck_reader import Named, name_refined
from companion.eye.signatures import Book

READINGS = 40_000
"""Readings where nobody says how many: under a minute. The published figures come from 3,000,000."""
LOWEST, HIGHEST, STEP = -15.0, 10.0, 0.05
"""The histograms' range and the width of their bins, in standard deviations; what lies outside goes to the last bin."""
LEVELS = np.arange(LOWEST, HIGHEST, STEP)
"""Where the bins begin. From 0 on an answer is accepted."""
TAIL = 50
"""Readings that a fitted tail rests on, at least."""

Counts = npt.NDArray[np.int64]


class Tally(msgspec.Struct):
    """What was counted for one kind of squares.

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
        for one in np.flatnonzero(~good & (named.code == before)):
            self.remembered += int(named.only(np.array([one])).still(int(before[one])).sum())
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
        """Fit the upper tail: a level, the share of readings beyond it, and by how much they exceed it on average.

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
        """Continue the tail to 0: how probable is a wrong answer in one reading? None without a fit."""
        fitted = self.tail()
        if fitted is None:
            return None
        level, share, mean = fitted
        return share * math.exp(min(0.0, level) / mean)


def measure(readings: int = READINGS, plots: Path | None = None, game: str = "five-cards-collector") -> Section:
    """Read so many squares, as many of each kind, and count. With `plots` the curves are drawn into that folder."""
    payloads = book(games.load_deck(game))
    tallies = tempt(payloads, readings)
    if plots is not None:
        from companion.bench.plots import draw_identities

        draw_identities(tallies, plots)
    return Section(tuple(rows(tallies)), notes(len(payloads)))


def tempt(payloads: Iterable[str], readings: int, seed: str = HELD_OUT) -> dict[str, Tally]:
    """Show the reader squares of all kinds, `readings` in all (rounded up to whole sheets)."""
    known = Book(payloads)
    rng = generator(seed, "identities")
    drawer = Drawer(known.payloads, rng, min(12_000, max(200, readings // 50)))
    tallies = {}
    for kind in KINDS:
        tally = tallies[kind] = Tally()
        while tally.readings * len(KINDS) < readings:
            squares = sheet(drawer.of[kind], rng)
            named = name_refined(squares.gray, squares.poses, known)
            # Another code than the one that is there lay here before, or is thought to have.
            before = rng.integers(len(known.payloads) - 1, size=len(squares.truth))
            before += (before >= squares.truth) & (squares.truth >= 0)
            tally.add(named, squares.truth, before)
    return tallies


def rows(tallies: dict[str, Tally]) -> list[Row]:
    """Return a row a kind, and one for all."""
    found = []
    for kind, tally in tallies.items():
        probability = tally.probability()
        figures: dict[str, Figure] = _counted(tally)
        highest = np.flatnonzero(tally.only)
        figures["nearest_wrong"] = float(LEVELS[highest[-1]] + STEP) if len(highest) else None
        figures["fitted_ppm"] = None if probability is None else probability * 1e6
        found.append(Row(kind, figures))
    every = Tally()
    for tally in tallies.values():
        every.readings += tally.readings
        every.accepted += tally.accepted
        every.right += tally.right
        every.wrong += tally.wrong
        every.remembered += tally.remembered
    figures = _counted(every)
    figures["bound_ppm"] = bound(every.wrong, every.readings) * 1e6
    found.append(Row("all", figures, at_most("nothing read wrongly", every.wrong + every.remembered, 0)))
    return found


def _counted(tally: Tally) -> dict[str, Figure]:
    return {
        "readings": tally.readings,
        "accepted": tally.accepted,
        "right": tally.right,
        "wrong": tally.wrong,
        "wrong_remembered": tally.remembered,
    }


def bound(wrong: int, readings: int) -> float:
    """Return the upper end of the one-sided 95 % interval of a probability: 3 / N of N readings without a wrong one.

    With wrong ones Poisson's distribution is solved for the mean that makes so few of them a 5 % chance.
    """
    low, high = 0.0, 10.0 + 3.0 * wrong
    for _ in range(60):
        mean = (low + high) / 2
        chance = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(wrong + 1)) if mean else 1
        low, high = (mean, high) if chance > 0.05 else (low, mean)
    return high / readings if readings else math.nan


def notes(codes: int) -> tuple[str, ...]:
    """Say what the columns mean."""
    return (
        f"{ACROSS}×{ACROSS} squares a sheet at 1.25 to 2.5 px a module, compared with a book of {codes} codes. Nearest "
        "wrong: how far from being accepted the surest wrong answer was that nothing else kept out, in standard "
        "deviations of what no code reaches. Fitted: how many in a million the fitted tail leaves beyond the threshold "
        f"(– if fewer than {TAIL} came so far).",
        "Wrong remembered: the same squares where another code of the deck is thought to lie still, with the lower "
        "threshold of a known place. Bound: 95 % confidence; three million readings without a wrong one give 1.",
    )
