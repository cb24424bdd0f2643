"""Trays to learn ten-sided dice from: the bench's scenes in wider looks, with things in them that are no such dice.

As in `dice_learning`, a tray is kept pulled straight in the plane of the dice's tops, with the truth of every die.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_learning import CLEAR, LEANING, LEANS, LEARNING, LEFT_OUT, SPOILED, put_things
from benchmarks.dice_scenes import Shot, Tray, decent, kind, meet, photographed
from benchmarks.ten_sided_scenes import LEARNED_FACES, a_set, fallen, rolled, ten_sided_tray
from companion.bench.conditions import generator
from companion.eye.dice.nets import Pose
from companion.eye.dice.straight import AROUND, TOP, straightened
from companion.eye.dice.ten_sided_nets import UNTOLD
from companion.eye.geometry import Calibration
from companion.eye.mat import Rect, ZonePlace
from companion.sim.dice import Die, Points
from companion.sim.ten_sided import MARKS, AnyDie, TenSided, middle_of

_SHOWS = 12.0
"""Square mm that are seen, at least, of a face that is learned not to be a top."""


class LearnedTen(NamedTuple):
    """A die in a straightened tray: its top kite's middle and length (mm), where its sharp end points (radians), where
    its foot is seen from there (lengths), its value, and what is to be learned of it; and the other kites that show.
    """

    x: float
    y: float
    size: float
    turn: float
    foot: tuple[float, float]
    value: int
    what: int
    lean: float
    others: tuple[Pose, ...] = ()


def ten_sided_learning_tray(
    number: int, faces: tuple[str, ...] = LEARNED_FACES
) -> tuple[npt.NDArray[np.uint8], tuple[LearnedTen, ...]]:
    """Return a tray to learn from, pulled straight, and its ten-sided dice."""
    rng = generator(LEARNING, "ten-sided dice", number)
    scene = _chosen(rng, faces)
    dice = [die for die in scene.dice if isinstance(die, TenSided)]
    more = fuller(dice, scene.zone, scene.layout != "apart", rng, faces)
    scene = _wider(msgspec.structs.replace(scene, dice=more), rng)
    return learned_from(photographed(scene), scene.dice, scene.zone, rng)


def learned_from(
    shot: Shot, dice: Sequence[AnyDie], zone: ZonePlace, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], tuple[LearnedTen, ...]]:
    """Return a picture's tray, pulled straight, and its ten-sided dice; sometimes something covers them, or lies beside
    them.
    """
    r = zone.rect
    around = Rect(r.x - AROUND, r.y - AROUND, r.w + 2 * AROUND, r.h + 2 * AROUND)
    blots: dict[int, int] = {}
    chance = rng.random()
    if chance < 0.12:
        blots = _blots(shot, dice, rng)
    elif chance < 0.27:
        put_things(shot, dice, zone, rng)
    flat = straightened(shot.gray, shot.calibration, around)
    seen = tuple(
        learned(die, blots.get(number, CLEAR), shot.calibration, around)
        for number, die in enumerate(dice)
        if isinstance(die, TenSided)
    )
    return np.clip(np.round(flat), 0, 255).astype(np.uint8), seen


def _chosen(rng: np.random.Generator, faces: tuple[str, ...]) -> Tray:
    """Return a scene; about two of three are in decent light, as most tables are."""
    while True:
        scene = ten_sided_tray(rng, int(rng.integers(8)), faces)
        if decent(scene) or rng.random() < 0.3:
            return scene


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
        for _ in range(20):
            die = fallen(rng, look, zone, dice if touching or rng.random() < 0.3 else [])
            if die is not None and not any(meet(die, other) for other in dice):
                dice.append(die)
                break
    return tuple(dice)


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
    while True:
        body, ink = rng.uniform(20, 245), rng.uniform(15, 250)
        if abs(body - ink) > 70:
            break
    return {
        "body": float(body),
        "ink": float(ink),
        "tall": round(float(rng.uniform(0.31, 0.49)), 2),
        "low": round(float(rng.uniform(-0.05, 0.06)), 2),
        "bold": round(float(rng.choice([-0.01, 0.0, 0.0, 0.01, 0.02])), 2),
        "wide": round(float(rng.uniform(0.8, 1.2)), 1),
        "sharp": round(float(rng.uniform(0.86, 1.16)), 2),
        "round": round(float(rng.uniform(0.02, 0.1)), 2),
        "swirl": 0.0 if rng.random() < 0.6 else float(rng.uniform(2, 14)),
        "mark": str(rng.choice(MARKS)),
    }


def learned(die: TenSided, blotted: int, calibration: Calibration, around: Rect) -> LearnedTen:
    """Return the truth of a die in a straightened tray."""
    points, kites = die.vertices()
    px = np.concatenate([calibration.to_px(corner[None, :2], float(corner[2])) for corner in points])
    seen = calibration.to_mm(px, TOP) - (around.x, around.y)
    top, *others = (seen[list(kite)] for kite in kites)
    x, y, long, turn = _pose(top)
    flat = calibration.to_mm(calibration.to_px([(die.x, die.y)], die.side), TOP)[0]
    base = calibration.to_mm(calibration.to_px([(die.x, die.y)], 0.0), TOP)[0]
    away = (base - flat) / long
    what = blotted if not die.lean else LEANING if die.lean >= LEANS else LEFT_OUT
    return LearnedTen(
        x,
        y,
        long,
        turn,
        (float(away[0]), float(away[1])),
        UNTOLD if die.value in (6, 9) and not die.mark else die.value,
        what,
        die.lean,
        tuple(_pose(kite) for kite in others if cv2.contourArea(kite.astype(np.float32), oriented=True) > _SHOWS),
    )


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
        px = shot.calibration.to_px([tuple(at), (at[0] + reach, at[1])], die.side)
        radius = max(1.0, float(np.linalg.norm(px[1] - px[0])))
        level = int(255 if rng.random() < 0.5 else rng.integers(0, 255))
        cv2.circle(
            shot.gray,
            (round(float(px[0][0]) * 16), round(float(px[0][1]) * 16)),
            round(radius * 16),
            level,
            -1,
            cv2.LINE_AA,
            4,
        )
        gap = (float(np.hypot(*off)) - reach) / die.side
        found[number] = SPOILED if gap < 0.12 else LEFT_OUT if gap < 0.33 else CLEAR
    return found
