"""How rare a wrong identity is: millions of squares, most no code of the deck, shown to the reader that knows it.

A reading is one square at one pose, compared with the whole code book, as the reader does where it suspects a code. It
counts as wrong if it is accepted and the square says something else. None should be; how near they came tells more:
how sure the reader was of wrong answers, over all readings, has a tail that is drawn and continued to the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.patches import ACROSS, KINDS, Drawer, sheet
from benchmarks.tally import LEVELS, STEP, TAIL, Tally
from companion import games
from companion.bench import plots as plotting
from companion.bench.conditions import HELD_OUT, book, generator
from companion.bench.figures import Figure, Row, Section, at_most
from companion.eye.deck_reader import name_refined
from companion.eye.signatures import book_of

READINGS = 40_000
"""Default number of readings: under a minute. The published figures come from 3,000,000."""


def measure(readings: int = READINGS, plots: Path | None = None, game: str = "five-cards-collector") -> Section:
    """Count the readings of squares, equally many of each kind. With `plots` the curves are drawn into that folder."""
    payloads = book(games.load_deck(game))
    tallies = tempt(payloads, readings)
    if plots is not None:
        draw(tallies, plots)
    return Section(tuple(rows(tallies)), notes(len(payloads)))


def tempt(payloads: Iterable[str], readings: int, seed: str = HELD_OUT) -> dict[str, Tally]:
    """Return the counts by kind of `readings` squares shown to the reader (rounded up to whole sheets)."""
    known = book_of(frozenset(payloads))
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
    """Return the meaning of the columns."""
    return (
        f"{ACROSS}×{ACROSS} squares a sheet at 1.25 to 2.5 px a module, compared with a book of {codes} codes. Nearest "
        "wrong: how far from being accepted the surest wrong answer was that nothing else kept out, in standard "
        "deviations of what no code reaches. Fitted: how many in a million the fitted tail leaves beyond the threshold "
        f"(– if fewer than {TAIL} came so far).",
        "Wrong remembered: the same squares where another code of the deck is thought to lie still, with the lower "
        "threshold of a known place. Bound: 95 % confidence; three million readings without a wrong one give 1.",
    )


def draw(tallies: dict[str, Tally], folder: Path) -> Path:
    """Draw, for each kind of squares, the share of readings whose wrong answer is so sure, into `identities.png`.

    Raises:
        BenchError: if matplotlib is not installed.
    """
    plt = plotting.pyplot()
    looks = (("#e69f00", "-"), ("#d55e00", "--"), ("#009e73", "-."), ("#0072b2", "-"))
    with plt.rc_context(plotting.SETTINGS):
        figure, panel = plt.subplots(figsize=(6.2, 3.6), layout="constrained")
        for (kind, tally), (colour, dash) in zip(tallies.items(), looks, strict=False):
            for counts, width, label in ((tally.near, 0.7, None), (tally.only, 1.9, kind)):
                share = tally.survival(counts)
                shown = share > 0
                panel.plot(LEVELS[shown], share[shown], color=colour, ls=dash, lw=width, label=label)
            fitted = tally.tail()
            if fitted is not None:
                level, start, mean = fitted
                beyond = np.linspace(level, max(0.0, level) + 1.0, 40)
                panel.plot(beyond, start * np.exp(-(beyond - level) / mean), color=colour, ls=":", lw=1.2)
        panel.axvline(0, color="#000000", lw=1)
        panel.text(0.1, 0.5, "accepted", fontsize=8)
        panel.axhline(1e-6, color="#bbbbbb", lw=0.7)
        panel.set_yscale("log")
        panel.set_ylim(1e-9, 1.5)
        panel.set_xlim(-14, 2)
        panel.set_xlabel("how sure the wrong answer is, against how sure it would have to be (standard deviations)")
        panel.set_ylabel("share of readings at least so sure")
        panel.legend(frameon=False, loc="lower left")
        return plotting.saved(plt, figure, folder, "identities.png")
