"""What comes of reading trays: each die right, wrong or declined, and rows that count them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice

import msgspec
import numpy as np

from benchmarks.dice_scenes import Shot, Tray, photographs_of, place, tray_mat
from benchmarks.identities import bound
from companion.bench.figures import Figure, Row, Times, at_least, at_most
from companion.eye.dice.reader import DiceReader
from companion.eye.dice.sets import DiceSet
from companion.eye.view import DiceSeen
from companion.sim.dice import Die, tipped
from companion.sim.ten_sided import TenSided

NEAR = 0.35
"""A die is read where it lies if the middles are not further apart than this, in sides."""

AS_HIGH = 5.0
"""Degrees by which two faces of a leaning die may differ to lie as high as each other: then either counts."""


class TrueDie(msgspec.Struct, frozen=True):
    """A die's truth: its middle on the mat (mm), side, value, and where it lies: "in", "edge", "out".

    One that leans (degrees) shows its value uppermost; its middle is that of its top. Of ten-sided ones `face` names
    the numerals' type face, and `mark` what says which way up a 6 and a 9 are; `other` is what a second face shows that
    lies as high.
    """

    x: float
    y: float
    side: float
    value: int
    place: str = "in"
    lean: float = 0.0
    face: str = ""
    mark: str = ""
    other: int | None = None

    def shows(self, value: int | None) -> bool:
        """Return whether a value is right."""
        return value is not None and value in (self.value, self.other)


class Outcome(msgspec.Struct, frozen=True):
    """The result of one tray: for each true die its value and what was read (None: declined); values read where no die
    is; whether the reader said that it was sure of everything though a die in the tray is missing.
    """

    dice: tuple[tuple[TrueDie, int | None], ...]
    ghosts: tuple[int, ...]
    short: bool

    @property
    def wrong(self) -> int:
        """The number of wrong values."""
        return len(self.ghosts) + sum(read is not None and not die.shows(read) for die, read in self.dice)


def compared(truth: Iterable[TrueDie], seen: DiceSeen) -> Outcome:
    """Return the result of comparing a reading with the truth."""
    truth = tuple(truth)
    left = list(seen.dice)
    found: list[tuple[TrueDie, int | None]] = []
    for die in truth:
        near = min(left, key=lambda other: math.hypot(other.x - die.x, other.y - die.y), default=None)
        if near is not None and math.hypot(near.x - die.x, near.y - die.y) < NEAR * die.side:
            left.remove(near)
            found.append((die, near.value))
        else:
            found.append((die, None))
    ghosts = tuple(ghost.value for ghost in left if ghost.value is not None)
    inside = sum(die.place == "in" for die in truth)
    return Outcome(tuple(found), ghosts, seen.certainty == "sure" and len(seen.values) < inside)


def rendered(scene: Tray, times: Times, frames: int = 1) -> Outcome:
    """Return the result of rendering a scene and reading it in so many frames of it; the reading is timed."""
    shots = list(islice(photographs_of(scene), frames))
    return outcome_of(scene, shots, times)


def outcome_of(scene: Tray, shots: Sequence[Shot], times: Times, known: DiceSet | None = None) -> Outcome:
    """Return the result of reading pictures of a scene; what is known of the dice may be given."""
    reader = DiceReader(tray_mat(scene.zone.rect.x, scene.zone.rect.y))
    with times.measure():
        seen = reader.read([shot.gray for shot in shots], shots[0].calibration, scene.zone, known)
    return compared((truth_of(die, scene) for die in scene.dice), seen)


def uppermost(die: TenSided, within: float) -> tuple[int, ...]:
    """Return what the most level face shows, 1 to 10, and those `within` so many degrees (`value` if flat)."""
    points, kites = die.vertices()
    up = []
    for kite in kites:
        at = points[list(kite)]
        out = np.cross(at[1] - at[0], at[2] - at[1])
        up.append(math.degrees(math.acos(float(np.clip(out[2] / np.linalg.norm(out), -1, 1)))))
    shown = sorted(zip(up, die.numerals(), strict=True))
    return tuple(numeral or 10 for aslant, numeral in shown if aslant <= shown[0][0] + within)


def true_ten_sided(die: TenSided, at: str) -> TrueDie:
    """Return the truth of a ten-sided die, drawn or photographed, that lies `at` "in", "edge" or "out"."""
    value, *others = uppermost(die, AS_HIGH)
    return TrueDie(die.x, die.y, die.side, value, at, die.lean, die.face, die.mark, others[0] if others else None)


def truth_of(die: Die | TenSided, scene: Tray) -> TrueDie:
    """Return a drawn die's truth."""
    if isinstance(die, TenSided):
        return true_ten_sided(die, place(die, scene.zone))
    top, _ = tipped(die, np.array([[die.x, die.y]]), die.side)
    return TrueDie(float(top[0, 0]), float(top[0, 1]), die.side, die.value, place(die, scene.zone), die.lean)


def between(right: float, dice: int, z: float = 1.96) -> tuple[float, float]:
    """Return the interval of a share of so many (E. B. Wilson, 1927); at `z` standard deviations, 95 % of all."""
    share = right / dice
    middle = (share + z * z / 2 / dice) / (1 + z * z / dice)
    reach = z / (1 + z * z / dice) * math.sqrt(share * (1 - share) / dice + z * z / 4 / dice / dice)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def counted(name: str, outcomes: Sequence[Outcome], allowed: float | None = None) -> Row:
    """Return a row that counts outcomes; `allowed` is the share of wrong values that they are held against."""
    dice = sum(len(outcome.dice) for outcome in outcomes)
    right = sum(die.shows(read) for outcome in outcomes for die, read in outcome.dice)
    ghosts = sum(len(outcome.ghosts) for outcome in outcomes)
    wrong = sum(outcome.wrong for outcome in outcomes)
    figures: dict[str, Figure] = {
        "trays": len(outcomes),
        "dice": dice,
        "right": right,
        "wrong": wrong,
        "declined": dice - right - (wrong - ghosts),
        "right_share": right / dice if dice else None,
        **({"from": between(right, dice)[0], "to": between(right, dice)[1]} if dice else {}),
        "ghosts": ghosts,
        "short": sum(outcome.short for outcome in outcomes),
    }
    if allowed is None:
        return Row(name, figures)
    figures["bound_ppm"] = bound(wrong, max(1, dice)) * 1e6
    return Row(name, figures, at_most("wrong readings", wrong / max(1, dice), allowed))


def enough(name: str, outcomes: Sequence[Outcome], least: float) -> Row:
    """Return a row that counts outcomes, and holds the share of dice that were read right against the least."""
    row = counted(name, outcomes)
    share = row.figures["right_share"]
    budget = at_least("dice read", share, least) if isinstance(share, float) else None
    return msgspec.structs.replace(row, budget=budget)


Fits = Callable[[TrueDie], bool]
NUMERALS: dict[str, Fits] = {
    "a marked 6 or 9": lambda die: die.value in (6, 9) and bool(die.mark),
    "a 6 or 9 without a mark": lambda die: die.value in (6, 9) and not die.mark,
}


def by_size(name: str) -> dict[str, Fits]:
    """Return what tells small dice from large ones, which have this name."""
    return {"12 to 14 mm": lambda die: die.side < 14.5, name: lambda die: die.side >= 14.5}


def by_die(words: str, outcomes: Sequence[Outcome], kinds: Mapping[str, Fits], faces: Iterable[str]) -> list[Row]:
    """Return a row for each kind of dice, and for those of each type face."""
    every: dict[str, Fits] = {**kinds, **{face: partial(_of_face, face) for face in faces}}
    return [counted(f"{words}, {name}", [only(outcome, fits) for outcome in outcomes]) for name, fits in every.items()]


def _of_face(face: str, die: TrueDie) -> bool:
    return die.face == face


def only(outcome: Outcome, fits: Fits) -> Outcome:
    """Return what came of those dice that fit; values read where no die is count with none of them."""
    return Outcome(tuple(pair for pair in outcome.dice if fits(pair[0])), (), False)


def leaning(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return rows for leaning dice; values that were read where no die is count with them."""
    rows = []
    for name, low, high in (("leaning 8 to 20°", 0, 20), ("leaning 20 to 32°", 20, 32), ("leaning 32 to 45°", 32, 46)):
        leaning = [(outcome, [pair for pair in outcome.dice if low < pair[0].lean <= high]) for outcome in outcomes]
        rows.append(
            counted(name, [msgspec.structs.replace(outcome, dice=tuple(some)) for outcome, some in leaning if some])
        )
    return rows
