"""Dice read by the camera: the share read right, read wrongly and declined, of rendered trays and of photographs.

Six-sided ones, and ten-sided ones in a table of their own. Rendered trays come from seeds that the readers were not
tuned on; type faces and sets are others than those that reading was learned from. A die is right or wrong if it is read
where it lies; a die that is not read, or only seen, is declined; a value where no die is counts as wrong. As at a
table, the frames since the dice lie still are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.dice_outcomes import NUMERALS, Outcome, by_die, by_size, counted, enough, leaning, rendered
from benchmarks.dice_photographs import OTHERS, TEN_DECENT, TEN_WRONG, WRONG, photograph_rows, rows_of_others
from benchmarks.dice_scenes import HARSH, MIRRORED, SIX_SIDED, SIZES, Kind, Tray, cocked, decent, ten_sided, trays
from benchmarks.numerals import JUDGING_FACES
from benchmarks.rolled_sets import set_rows
from benchmarks.throws import throw_rows
from companion.bench.conditions import HELD_OUT
from companion.bench.figures import Row, Section, Times
from companion.eye.dice.trays import AVERAGED

READINGS = 300
"""Default number of dice: a minute. The published figures come from 3,000 and more."""

FIRST, FIRST_TEN = 44_400, 27_500
"""The first scenes that are read: those before were looked at when these readers, or ones before them, were made."""

SETS = 150
"""One set that is rolled ten times is read for so many dice."""

THROWN = 300
"""Dice are thrown at one table of each mat for so many that are read."""

DECENT = {2.4: 0.97, 1.7: 0.92}
"""The share of six-sided dice that should be read in decent light, by pixels a millimetre."""

FIRST_HARSH = 1_000
"""The first scene in harsh light that is read; and so is every third die."""

TABLE = "ten-sided dice, 2.4 px a mm"

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
    pictured: list[Row] = []
    if photographs is not None:
        pictured = (rows_of_others if (photographs / OTHERS).exists() else photograph_rows)(photographs)
    harsh = harsh_rows(max(1, readings // 3))
    sets = max(1, readings // SETS)
    rows = [*rendered_rows(SIX_SIDED, readings, FIRST), *harsh, *set_rows(6, sets)]
    ten = [*rendered_rows(ten_sided(JUDGING_FACES), readings, FIRST_TEN), *set_rows(10, sets)]
    rows += [msgspec.structs.replace(row, table=TABLE) for row in ten]
    rows += throw_rows(max(1, readings // THROWN))
    return Section((*rows, *pictured), (_NOTE,))


def rendered_rows(kind: Kind, readings: int, first: int) -> list[Row]:
    """Return rows for so many rendered dice of a kind, from scenes that begin with the first one's number."""
    times, scenes = Times(), trays(HELD_OUT, readings, first, kind)
    both = [(scene, rendered(scene, times, AVERAGED)) for scene in scenes]
    good = [(scene, outcome) for scene, outcome in both if decent(scene)]
    lit = [outcome for _, outcome in good]
    six = kind is SIX_SIDED
    rows = [] if six else [enough("decent light", lit, TEN_DECENT)]
    for fine, least in DECENT.items() if six else ():
        sized = _of(good, lambda tray, fine=fine: tray.size == SIZES[fine])  # type: ignore[misc]
        rows.append(enough(f"decent light, {fine:g} px a mm", sized, least))
    for name, fits in (_SIX_KINDS if six else _TEN_KINDS).items():
        if some := _of(both, fits):
            rows.append(counted(name, some))
    if not six:
        rows += by_die("decent", lit, {**by_size("16 to 19 mm"), **NUMERALS}, JUDGING_FACES)
    rows += leaning([rendered(scene, Times(), AVERAGED) for scene in cocked(HELD_OUT, readings // 30, first, kind)])
    every = counted("all rendered", [outcome for _, outcome in both], WRONG if six else TEN_WRONG)
    return [*rows, msgspec.structs.replace(every, figures={**every.figures, **times.figures()})]


def harsh_rows(readings: int, first: int = FIRST_HARSH) -> list[Row]:
    """Return rows for so many rendered six-sided dice in harsh light, from scenes from a number on."""
    both = [(tray, rendered(tray, Times(), AVERAGED)) for tray in trays(HELD_OUT, readings, first, HARSH)]
    return [counted(name, some) for name, fits in _HARSH_KINDS.items() if (some := _of(both, fits))]


def _of(both: Sequence[tuple[Tray, Outcome]], fits: Callable[[Tray], bool]) -> list[Outcome]:
    return [outcome for scene, outcome in both if fits(scene)]


_KINDS: dict[str, Callable[[Tray], bool]] = {
    "tilt 0 to 5°": lambda tray: tray.tilt < 5,
    "tilt 5 to 20°": lambda tray: 5 <= tray.tilt < 20,
    "tilt 20 to 35°": lambda tray: tray.tilt >= 20,
    "a lamp mirrored": lambda tray: tray.shine.gloss >= MIRRORED,
    "out of focus": lambda tray: tray.disc > 0,
}
_SIX_KINDS: dict[str, Callable[[Tray], bool]] = {
    "bad light": lambda tray: not decent(tray),
    "dice apart": lambda tray: tray.layout == "apart",
    "a row, touching": lambda tray: tray.layout == "row",
    "a block, touching": lambda tray: tray.layout == "block",
    "a heap, touching": lambda tray: tray.layout == "heap",
    "2.4 px a mm": lambda tray: tray.size == SIZES[2.4],
    "1.7 px a mm": lambda tray: tray.size == SIZES[1.7],
    **_KINDS,
    "a shadow's edge": lambda tray: tray.shadow < 1,
    "dark (under half the light)": lambda tray: tray.gain < 0.5,
}
_HARSH_KINDS: dict[str, Callable[[Tray], bool]] = {
    "harsh light, clipped evenly": lambda tray: tray.pool is None and tray.shine.gloss < MIRRORED,
    "harsh light, a burnt-out corner": lambda tray: tray.pool is not None and tray.shine.gloss < MIRRORED,
    "harsh light, a lamp mirrored": lambda tray: tray.shine.gloss >= MIRRORED,
}
_TEN_KINDS: dict[str, Callable[[Tray], bool]] = {
    "bad light": lambda tray: not decent(tray),
    "dice apart": lambda tray: tray.layout == "apart",
    "touching": lambda tray: tray.layout != "apart",
    **_KINDS,
}
