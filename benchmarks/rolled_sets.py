"""Sets of dice that are rolled ten times, under a fixed camera and in the same light: what it helps to know the set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

import msgspec
import numpy as np

from benchmarks.dice_outcomes import Outcome, counted, outcome_of
from benchmarks.dice_scenes import SIZES, Tray, a_set, add_fallen, fallen, kind, photographs_of, rolled, some_tray
from benchmarks.numerals import JUDGING_FACES
from companion.bench.conditions import HELD_OUT, generator
from companion.bench.figures import Row, Times
from companion.eye.dice.sets import DiceSet
from companion.eye.dice.trays import AVERAGED
from companion.eye.mat import ZonePlace
from companion.sim.ten_sided import AnyDie

ROLLS = 10
"""How often a set is rolled."""

ONE_KIND = 0.7
"""How many sets are of dice that look alike; the others' dice all differ."""

KNOWN_FROM = 4
"""The roll from which a set counts as one that was rolled before."""


def set_rows(sides: int, sets: int) -> Iterator[Row]:
    """Return rows for rolls of so many sets: the first, and those from `KNOWN_FROM` on, with what was learned of the
    set and without.
    """
    first: list[Outcome] = []
    later: dict[bool, list[Outcome]] = {True: [], False: []}
    times = Times()
    for rolls in rolls_of_sets(HELD_OUT, sides, range(sets), JUDGING_FACES):
        for number, (knowing, plain) in enumerate(read_rolls(rolls, times), 1):
            first += [knowing] if number == 1 else []
            if number >= KNOWN_FROM:
                later[True].append(knowing)
                later[False].append(plain)
    yield counted("a set's first roll", first)
    row = counted("a set that was rolled before", later[True])
    yield msgspec.structs.replace(row, figures={**row.figures, **times.figures()})
    yield counted("the same, nothing learned", later[False])


def read_rolls(rolls: tuple[Tray, ...], times: Times) -> Iterator[tuple[Outcome, Outcome]]:
    """Yield what comes of reading one roll after the other: with what was learned from those before, and without."""
    known = DiceSet()
    for scene in rolls:
        shots = list(islice(photographs_of(scene), AVERAGED))
        yield outcome_of(scene, shots, times, known), outcome_of(scene, shots, Times())


def rolls_of_sets(seed: str, sides: int, numbers: range, faces: tuple[str, ...] = ()) -> list[tuple[Tray, ...]]:
    """Return sets of dice of so many sides, each rolled `ROLLS` times; `faces` are the type faces of ten-sided ones."""
    return [_rolls(generator(seed, f"a set of {sides}-sided dice", number), number, sides, faces) for number in numbers]


def changed(one: tuple[Tray, ...], other: tuple[Tray, ...]) -> tuple[Tray, ...]:
    """Return the first half of a set's rolls and then another set's, in the tray and the light of the first."""
    half = len(one) // 2
    return *one[:half], *(_in_place_of(scene, new) for scene, new in zip(one[half:], other[half:], strict=True))


def _in_place_of(scene: Tray, new: Tray) -> Tray:
    """Return a scene with another's dice, at the same places in the tray."""
    across, down = scene.zone.rect.x - new.zone.rect.x, scene.zone.rect.y - new.zone.rect.y
    dice = tuple(msgspec.structs.replace(die, x=die.x + across, y=die.y + down) for die in new.dice)
    return msgspec.structs.replace(scene, dice=dice, layout=new.layout)


def _rolls(rng: np.random.Generator, number: int, sides: int, faces: tuple[str, ...]) -> tuple[Tray, ...]:
    scene = some_tray(rng, number)
    zone = msgspec.structs.replace(scene.zone, sides=sides)
    scene = msgspec.structs.replace(scene, zone=zone, size=scene.size if sides == 6 else SIZES[2.4])
    one_kind, like, count = rng.random() < ONE_KIND, _a_die(rng, sides, faces), int(rng.integers(1, 8))
    looks = [like if one_kind else _a_die(rng, sides, faces) for _ in range(count)]
    return tuple(_rolled(rng, scene, looks, roll) for roll in range(1, ROLLS + 1))


def _a_die(rng: np.random.Generator, sides: int, faces: tuple[str, ...]) -> AnyDie:
    return kind(rng) if sides == 6 else a_set(rng, faces)


def _rolled(rng: np.random.Generator, scene: Tray, looks: list[AnyDie], roll: int) -> Tray:
    """Return a roll of a set: its dice lie apart, or touch as they fell."""
    touching = rng.random() < 0.5
    dice: list[AnyDie] = []
    for look in looks:
        add_fallen(dice, partial(_fallen, rng, look, scene.zone, dice if touching else []), 60)
    return msgspec.structs.replace(scene, dice=tuple(dice), layout="heap" if touching else "apart", roll=roll)


def _fallen(rng: np.random.Generator, look: AnyDie, zone: ZonePlace, others: list[AnyDie]) -> AnyDie | None:
    return fallen(rng, rolled(rng, look), zone, others)
