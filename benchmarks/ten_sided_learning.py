"""Trays to learn ten-sided dice from: the bench's scenes in wider looks, with things in them that are no such dice.

As in `dice_learning`, a tray is kept pulled straight in the plane of the dice's tops, with the truth of every die.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import cv2
import msgspec
import numpy as np

from benchmarks.dice_learning import (
    CLEAR,
    LEARNING,
    LEFT_OUT,
    SPOILED,
    Learned,
    Made,
    blot,
    chosen,
    foot_of,
    pulled_straight,
    two_grays,
    what_of,
)
from benchmarks.dice_scenes import (
    Shot,
    Tray,
    a_set,
    add_fallen,
    fallen,
    kind,
    meet,
    photographed,
    rolled,
    ten_sided_tray,
)
from benchmarks.numerals import LEARNED_FACES
from companion.bench.conditions import generator
from companion.eye.dice.nets import Pose
from companion.eye.dice.straight import TOP
from companion.eye.dice.ten_sided_nets import UNTOLD
from companion.eye.geometry import Calibration
from companion.eye.mat import Rect, ZonePlace
from companion.sim.dice import Die, Points
from companion.sim.ten_sided import MARKS, AnyDie, TenSided, middle_of

_SHOWS = 12.0
"""Square mm that are seen, at least, of a face that is learned not to be a top."""


def ten_sided_learning_tray(number: int, faces: tuple[str, ...] = LEARNED_FACES) -> Made:
    """Return a tray to learn from, pulled straight, and its ten-sided dice."""
    rng = generator(LEARNING, "ten-sided dice", number)
    scene = chosen(rng, partial(ten_sided_tray, faces=faces), 0.3)
    dice = [die for die in scene.dice if isinstance(die, TenSided)]
    more = fuller(dice, scene.zone, scene.layout != "apart", rng, faces)
    scene = _wider(msgspec.structs.replace(scene, dice=more), rng)
    return learned_from(photographed(scene), scene.dice, scene.zone, rng)


def learned_from(shot: Shot, dice: Sequence[AnyDie], zone: ZonePlace, rng: np.random.Generator) -> Made:
    """Return a picture's tray, pulled straight, and its ten-sided dice; sometimes something covers them, or lies
    beside them.
    """
    return pulled_straight(shot, dice, zone, rng, 0.12, _blots, _learned)


def fuller(
    dice: Sequence[TenSided], zone: ZonePlace, touching: bool, rng: np.random.Generator, faces: tuple[str, ...]
) -> tuple[TenSided, ...]:
    """Return dice, and more of them where there is room: every tray then teaches more. A 6 or a 9 lies there more often
    than others: they are told apart by their marks alone.
    """
    dice = list(dice)
    for _ in range(int(rng.integers(8))):
        like = dice[int(rng.integers(len(dice)))] if dice and rng.random() < 0.4 else a_set(rng, faces)
        look = rolled(rng, like)
        if rng.random() < 0.15:
            look = msgspec.structs.replace(look, value=int(rng.choice([6, 9])))
        add_fallen(dice, partial(_falling, rng, look, zone, dice, touching), 20)
    return tuple(dice)


def _falling(
    rng: np.random.Generator, look: TenSided, zone: ZonePlace, dice: list[TenSided], touching: bool
) -> TenSided | None:
    return fallen(rng, look, zone, dice if touching or rng.random() < 0.3 else [])


def _wider(scene: Tray, rng: np.random.Generator) -> Tray:
    """Return a scene whose dice have any colours and shapes; in some of them dice lean, or six-sided ones lie."""
    looks: dict[tuple[float, float], dict[str, float | str]] = {}
    leaning = rng.random() < 0.25
    dice: list[TenSided] = []
    for die in scene.dice:
        assert isinstance(die, TenSided)  # noqa: S101 (so they were made)
        new = msgspec.structs.replace(die, **looks.setdefault((die.body, die.ink), some_look(rng)))
        if leaning and rng.random() < 0.4:
            new = msgspec.structs.replace(new, lean=float(rng.uniform(8, 45)), uphill=float(rng.uniform(0, 360)))
        if not any(meet(new, other) for other in dice):
            dice.append(new)
    strange: list[Die] = []
    if rng.random() < 0.1:
        r = scene.zone.rect
        for _ in range(int(rng.integers(1, 4))):
            x, y = float(rng.uniform(r.x + 12, r.x + r.w - 12)), float(rng.uniform(r.y + 12, r.y + r.h - 12))
            cube = msgspec.structs.replace(kind(rng), x=x, y=y, turn=float(rng.uniform(0, 360)))
            if not any(meet(cube, other) for other in dice) and not any(meet(cube, other) for other in strange):
                strange.append(cube)
    return msgspec.structs.replace(scene, dice=(*dice, *strange), noise=float(rng.uniform(1.0, 7.0)))


def some_look(rng: np.random.Generator) -> dict[str, float | str]:
    """Return what the dice of a set have in common: any colours, marks, and shapes of bodies and numerals."""
    body, ink = two_grays(rng)
    return {
        "body": body,
        "ink": ink,
        "tall": round(float(rng.uniform(0.31, 0.49)), 2),
        "low": round(float(rng.uniform(-0.05, 0.06)), 2),
        "bold": round(float(rng.choice([-0.01, 0.0, 0.0, 0.01, 0.02])), 2),
        "wide": round(float(rng.uniform(0.8, 1.2)), 1),
        "sharp": round(float(rng.uniform(0.86, 1.16)), 2),
        "round": round(float(rng.uniform(0.02, 0.1)), 2),
        "swirl": 0.0 if rng.random() < 0.6 else float(rng.uniform(2, 14)),
        "mark": str(rng.choice(MARKS)),
    }


def _learned(die: AnyDie, blotted: int, calibration: Calibration, around: Rect) -> Learned | None:
    """Return the truth of a die in a straightened tray; None of one that is not ten-sided."""
    if not isinstance(die, TenSided):
        return None
    points, kites = die.vertices()
    px = np.concatenate([calibration.to_px(corner[None, :2], float(corner[2])) for corner in points])
    seen = calibration.to_mm(px, TOP) - (around.x, around.y)
    top, *others = (seen[list(kite)] for kite in kites)
    x, y, long, turn = _pose(top)
    foot, what = foot_of(die, calibration, long), what_of(die, blotted)
    shown = [_pose(kite) for kite in others if cv2.contourArea(kite.astype(np.float32), oriented=True) > _SHOWS]
    value = UNTOLD if die.value in (6, 9) and not die.mark else die.value
    return Learned(x, y, long, turn, foot, value, what, die.lean, tuple(shown))


def _pose(kite: Points) -> Pose:
    """Return a kite's place, length and turn."""
    middle, tip = middle_of(kite), kite[0] - kite[2]
    return float(middle[0]), float(middle[1]), float(np.hypot(*tip)), math.atan2(tip[1], tip[0])


def _blots(shot: Shot, dice: Sequence[AnyDie], rng: np.random.Generator) -> dict[int, int]:
    """Cover a part of some tops, by a lamp's image or something that lies there. Return what is learned of them then.

    What covers a part of a numeral or its mark spoils the die; what is well clear of both does not.
    """
    found = {}
    for number, die in enumerate(dice):
        if die.lean or rng.random() < 0.4 or not isinstance(die, TenSided):
            continue
        middle = middle_of(die.kite()[:, :2])
        off = rng.uniform(-0.5, 0.5, 2) * die.side
        reach = float(rng.uniform(0.1, 0.3)) * die.side
        at = middle + off
        blot(shot, (float(at[0]), float(at[1])), die.side, reach, rng)
        gap = (float(np.hypot(*off)) - reach) / die.side
        found[number] = SPOILED if gap < 0.12 else LEFT_OUT if gap < 0.33 else CLEAR
    return found
