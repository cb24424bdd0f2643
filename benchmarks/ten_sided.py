"""Ten-sided dice read by the camera: the share read right, read wrongly and declined, of rendered trays.

The type faces, the sets and the scenes are others than those that reading was learned from and its thresholds set with.
As at a table, the frames since the dice lie still are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from benchmarks.dice_outcomes import Outcome, counted, leaning, rendered
from benchmarks.dice_scenes import MIRRORED, Tray, decent
from benchmarks.identities import bound
from benchmarks.ten_sided_scenes import JUDGING_FACES, cocked_ten_sided, ten_sided_trays
from companion.bench.conditions import HELD_OUT
from companion.bench.figures import Row, Times, at_least, at_most
from companion.eye.dice.trays import AVERAGED
from companion.sim.dice import Die
from companion.sim.ten_sided import TenSided

FIRST = 27_500
"""The first scene that is read: those before were looked at when earlier networks were measured."""

DECENT = 0.9
"""The share of dice that should be read in decent light, at 2.4 pixels a millimetre."""

WRONG = 1 / 1000
"""The share of wrong readings that the design allows."""

TABLE = "ten-sided dice, 2.4 px a mm"

KINDS: dict[str, Callable[[Tray], bool]] = {
    "bad light": lambda tray: not decent(tray),
    "dice apart": lambda tray: tray.layout == "apart",
    "touching": lambda tray: tray.layout != "apart",
    "tilt 0 to 5°": lambda tray: tray.tilt < 5,
    "tilt 5 to 20°": lambda tray: 5 <= tray.tilt < 20,
    "tilt 20 to 35°": lambda tray: tray.tilt >= 20,
    "a lamp mirrored": lambda tray: tray.shine.gloss >= MIRRORED,
    "out of focus": lambda tray: tray.disc > 0,
}

DICE: dict[str, Callable[[TenSided], bool]] = {
    "12 to 14 mm": lambda die: die.side < 14.5,
    "16 to 19 mm": lambda die: die.side >= 14.5,
    "a marked 6 or 9": lambda die: die.value in (6, 9) and bool(die.mark),
    "a 6 or 9 without a mark": lambda die: die.value in (6, 9) and not die.mark,
}


def ten_sided_rows(readings: int) -> Iterator[Row]:
    """Return rows for so many rendered ten-sided dice."""
    times = Times()
    scenes = ten_sided_trays(HELD_OUT, readings, FIRST, JUDGING_FACES)
    yield from rows_of(scenes, [rendered(scene, times, AVERAGED) for scene in scenes], times)
    cocked = cocked_ten_sided(HELD_OUT, readings // 30, FIRST, JUDGING_FACES)
    outcomes = [rendered(scene, Times(), AVERAGED) for scene in cocked]
    yield from (msgspec.structs.replace(row, table=TABLE) for row in leaning(outcomes))


def rows_of(scenes: Sequence[Tray], outcomes: Sequence[Outcome], times: Times) -> Iterator[Row]:
    """Return rows for scenes and what came of reading them."""
    both = list(zip(outcomes, scenes, strict=True))
    good = counted("decent light", [outcome for outcome, scene in both if decent(scene)])
    share = good.figures["right_share"]
    if isinstance(share, float):
        good = msgspec.structs.replace(good, budget=at_least("dice read", share, DECENT))
    rows = [good]
    rows += [counted(name, [outcome for outcome, scene in both if fits(scene)]) for name, fits in KINDS.items()]
    lit = [(outcome, scene) for outcome, scene in both if decent(scene)]
    rows += [
        counted(f"decent, {name}", [_only(outcome, scene, fits) for outcome, scene in lit])
        for name, fits in DICE.items()
    ]
    rows += [
        counted(f"decent, {face}", [_only(outcome, scene, _of_face(face)) for outcome, scene in lit])
        for face in JUDGING_FACES
    ]
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
    return (msgspec.structs.replace(row, table=TABLE) for row in rows)


def _only(outcome: Outcome, scene: Tray, fits: Callable[[TenSided], bool]) -> Outcome:
    """Return what came of those dice of a scene that fit; values read where no die is count with none of them."""
    dice = zip(outcome.dice, scene.dice, strict=True)
    some = tuple(pair for pair, die in dice if not isinstance(die, Die) and fits(die))
    return Outcome(some, (), False)


def _of_face(face: str) -> Callable[[TenSided], bool]:
    return lambda die: die.face == face
