"""Dice read by the camera: the share read right, read wrongly and declined, of rendered trays and of photographs;
six-sided ones, and ten-sided ones (`ten_sided.py`) in a table of their own.

Rendered trays come from seeds that the reader was not tuned on. A die is right or wrong if it is read where it lies; a
die that is not read, or only seen, is declined; a value where no die is counts as wrong. As at a table, frames are
averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchmarks import dice_of_others
from benchmarks.dice_outcomes import Outcome, counted, leaning, rendered
from benchmarks.dice_photographs import WRONG, photograph_rows
from benchmarks.dice_scenes import (
    MIRRORED,
    SIZES,
    Tray,
    cocked,
    decent,
    trays,
)
from benchmarks.identities import bound
from benchmarks.rolled_sets import set_rows
from benchmarks.ten_sided import TABLE, ten_sided_rows
from benchmarks.throws import throw_rows
from companion.bench.conditions import HELD_OUT
from companion.bench.figures import Row, Section, Times, at_least, at_most
from companion.eye.dice.trays import AVERAGED

READINGS = 300
"""Default number of dice: a minute. The published figures come from 3,000 and more."""

FIRST = 44_400
"""The first scene that is read: those before were looked at when this reader, or one before it, was made."""

SETS = 150
"""One set that is rolled ten times is read for so many dice."""

THROWN = 300
"""Dice are thrown at one table of each mat for so many that are read."""

DECENT = {2.4: 0.97, 1.7: 0.92}
"""The share of dice that should be read in decent light, by pixels a millimetre."""

_NOTE = (
    "Declined: a die that was seen and not read, or not seen. Ghosts: values where no die is; they count as wrong. "
    "Short: trays of which the reader was sure though a die in them is missing; the referee, who knows how many "
    "are due, notices. Of a die that leans, right is what lies uppermost, wrong all else; it should be declined. "
    "Throws: two dice are thrown on a printed mat before the whole eye and the referee; they count at once (sure), are "
    "asked about, one is to be tapped, or all are to be typed. "
    "A set that was rolled before: rolls 4 to 10 of ten, in the same tray and light. "
    "From, to: the share read right with 95 % confidence (Wilson). Bound: the share of wrong readings with 95 % "
    "confidence, in a million. Times are a tray's."
)


def measure(readings: int = READINGS, photographs: Path | None = None) -> Section:
    """Read so many rendered dice, and a folder of photographs with its `truth.json` if one is named.

    Raises:
        BenchError: if there are no such photographs.
    """
    pictured = _pictured(photographs) if photographs is not None else []
    times = Times()
    scenes = trays(HELD_OUT, readings, FIRST)
    outcomes = [rendered(scene, times, AVERAGED) for scene in scenes]
    rows = list(_decent(scenes, outcomes))
    rows += [counted(name, [outcomes[i] for i in chosen]) for name, chosen in _kinds(scenes)]
    rows += leaning([rendered(scene, Times(), AVERAGED) for scene in cocked(HELD_OUT, readings // 30, FIRST)])
    every = counted("all rendered", outcomes)
    total = sum(len(outcome.dice) for outcome in outcomes)
    wrong = sum(outcome.wrong for outcome in outcomes)
    rows.append(
        msgspec.structs.replace(
            every,
            figures={**every.figures, "bound_ppm": bound(wrong, total) * 1e6, **times.figures()},
            budget=at_most("wrong readings", wrong / max(1, total), WRONG),
        )
    )
    sets = max(1, readings // SETS)
    rows += set_rows(6, sets)
    rows += ten_sided_rows(readings)
    rows += [msgspec.structs.replace(row, table=TABLE) for row in set_rows(10, sets)]
    rows += throw_rows(max(1, readings // THROWN))
    rows += pictured
    return Section(tuple(rows), (_NOTE,))


def _pictured(folder: Path) -> list[Row]:
    of_others = (folder / dice_of_others.TRUTH).exists()
    return dice_of_others.rows(folder) if of_others else photograph_rows(folder)


def _decent(scenes: Sequence[Tray], outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """Return a row for decent light at each size of picture, and one for the rest."""
    good = [decent(scene) for scene in scenes]
    for fine, least in DECENT.items():
        some = [
            outcome
            for outcome, scene, fits in zip(outcomes, scenes, good, strict=True)
            if fits and scene.size == SIZES[fine]
        ]
        row = counted(f"decent light, {fine:g} px a mm", some)
        share = row.figures["right_share"]
        if isinstance(share, float):
            row = msgspec.structs.replace(row, budget=at_least("dice read", share, least))
        yield row
    yield counted("bad light", [outcome for outcome, fits in zip(outcomes, good, strict=True) if not fits])


def _kinds(scenes: Sequence[Tray]) -> Iterator[tuple[str, list[int]]]:
    """Return kinds of scenes, and the numbers of the scenes of each kind."""
    tests: dict[str, Callable[[Tray], bool]] = {
        "dice apart": lambda tray: tray.layout == "apart",
        "a row, touching": lambda tray: tray.layout == "row",
        "a block, touching": lambda tray: tray.layout == "block",
        "a heap, touching": lambda tray: tray.layout == "heap",
        "2.4 px a mm": lambda tray: tray.size == SIZES[2.4],
        "1.7 px a mm": lambda tray: tray.size == SIZES[1.7],
        "tilt 0 to 5°": lambda tray: tray.tilt < 5,
        "tilt 5 to 20°": lambda tray: 5 <= tray.tilt < 20,
        "tilt 20 to 35°": lambda tray: tray.tilt >= 20,
        "a lamp mirrored": lambda tray: tray.shine.gloss >= MIRRORED,
        "out of focus": lambda tray: tray.disc > 0,
        "a shadow's edge": lambda tray: tray.shadow < 1,
        "dark (under half the light)": lambda tray: tray.gain < 0.5,
    }
    for name, fits in tests.items():
        chosen = [i for i, scene in enumerate(scenes) if fits(scene)]
        if chosen:
            yield name, chosen
