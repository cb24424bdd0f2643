"""Trays to learn six-sided dice from: the bench's scenes in wider looks, with things in them that are no dice.

A tray is kept as the reader sees it, pulled straight in the plane of the dice's tops, with the truth of every die in
that picture. Seeds are of a family of their own: nothing that the bench measures is among them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from benchmarks.dice_scenes import LAYOUTS, Shot, Tray, decent, laid, meet, photographed, some_tray
from companion.bench.conditions import generator
from companion.eye.dice.nets import Pose
from companion.eye.dice.straight import AROUND, TOP, straightened
from companion.eye.geometry import Calibration
from companion.eye.mat import Rect, ZonePlace
from companion.eye.view import Gray
from companion.sim.dice import Die, tipped
from companion.sim.ten_sided import AnyDie

LEARNING = "learning"
"""The family of seeds."""

LEANS = 16.0
"""Degrees from which a die is learned as leaning; of one that leans less nothing is learned."""

CLEAR, LEANING, SPOILED, LEFT_OUT = range(4)
"""What is learned of a die: its value; that it leans; that no value can be read; nothing."""


class Learned(NamedTuple):
    """A die in a straightened tray: its top's middle, side (mm) and turn (radians), where its foot is seen from there
    (sides), its value, and what is to be learned of it.

    Of a ten-sided die the size is its top kite's length, the turn that of its sharp end; `others` are the other kites
    that show.
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


Made = tuple[npt.NDArray[np.uint8], tuple[Learned, ...]]
"""A tray to learn from: its picture, and its dice."""


def learning_tray(number: int) -> Made:
    """Return a tray to learn from, pulled straight, and its dice."""
    rng = generator(LEARNING, "dice", number)
    scene = chosen(rng, some_tray, 0.35)
    scene = _wider(msgspec.structs.replace(scene, dice=fuller(scene.dice, scene.zone, rng)), rng)
    return learned_from(photographed(scene), scene.dice, scene.zone, rng)


def learned_from(shot: Shot, dice: Sequence[AnyDie], zone: ZonePlace, rng: np.random.Generator) -> Made:
    """Return a picture's tray, pulled straight, and its dice; sometimes something covers them, or lies beside them."""
    return pulled_straight(shot, dice, zone, rng, 0.15, _blots, _learned)


def pulled_straight(
    shot: Shot,
    dice: Sequence[AnyDie],
    zone: ZonePlace,
    rng: np.random.Generator,
    covered: float,
    blots: Callable[[Shot, Sequence[AnyDie], np.random.Generator], dict[int, int]],
    learned: Callable[[AnyDie, int, Calibration, Rect], Learned | None],
) -> Made:
    """Return a picture's tray, pulled straight, and what is `learned` of its dice; with the chance `covered` there are
    `blots` on them, with 0.15 strange things beside them.
    """
    r = zone.rect
    around = Rect(r.x - AROUND, r.y - AROUND, r.w + 2 * AROUND, r.h + 2 * AROUND)
    there: dict[int, int] = {}
    chance = rng.random()
    if chance < covered:
        there = blots(shot, dice, rng)
    elif chance < covered + 0.15:
        put_things(shot, dice, zone, rng)
    flat = straightened(shot.gray, shot.calibration, around)
    seen = (learned(die, there.get(n, CLEAR), shot.calibration, around) for n, die in enumerate(dice))
    return np.clip(np.round(flat), 0, 255).astype(np.uint8), tuple(die for die in seen if die is not None)


def chosen(rng: np.random.Generator, tray: Callable[[np.random.Generator, int], Tray], bad: float) -> Tray:
    """Return a scene: mostly one in decent light, as most tables are; of the others the share `bad` is taken."""
    while True:
        scene = tray(rng, int(rng.integers(8)))
        if decent(scene) or rng.random() < bad:
            return scene


def fuller(dice: Sequence[AnyDie], zone: ZonePlace, rng: np.random.Generator) -> tuple[AnyDie, ...]:
    """Return dice, and more of them where there is room, mostly: every tray then teaches more."""
    more = list(dice)
    for _ in range(int(rng.integers(3))):
        for die in laid(rng, zone, LAYOUTS[int(rng.integers(len(LAYOUTS)))]):
            if not any(meet(die, other) for other in more):
                more.append(die)
    return tuple(more)


def what_of(die: AnyDie, blotted: int) -> int:
    """Return what is to be learned of a die, of which `blotted` says what it is if it does not lean."""
    return blotted if not die.lean else LEANING if die.lean >= LEANS else LEFT_OUT


def foot_of(die: AnyDie, calibration: Calibration, size: float) -> tuple[float, float]:
    """Return where a die's foot is seen from its top, in sizes."""
    flat, base = (calibration.to_mm(calibration.to_px([(die.x, die.y)], z), TOP)[0] for z in (die.side, 0.0))
    x, y = (base - flat) / size
    return float(x), float(y)


def _learned(die: AnyDie, blotted: int, calibration: Calibration, around: Rect) -> Learned | None:
    if not isinstance(die, Die):
        return None
    at, high = tipped(die, np.asarray(die.corners(), np.float64), die.side)
    px = np.concatenate([calibration.to_px(at[i : i + 1], float(high[i])) for i in range(len(at))])
    top = np.asarray(calibration.to_mm(px, TOP) - (around.x, around.y), np.float64)
    x, y = (float(v) for v in top.mean(axis=0))
    side = math.sqrt(max(1.0, float(cv2.contourArea(top.astype(np.float32)))))
    way = top[1] - top[0]
    foot = foot_of(die, calibration, side)
    return Learned(x, y, side, math.atan2(way[1], way[0]), foot, die.value, what_of(die, blotted), die.lean)


def _wider(scene: Tray, rng: np.random.Generator) -> Tray:
    """Return a scene whose dice have any colours and shapes; in every third some of them lean."""
    looks: dict[tuple[float, float], dict[str, float]] = {}
    leaning = rng.random() < 0.3
    dice = []
    for die in scene.dice:
        look = looks.setdefault((die.body, die.ink), _look(rng))
        new = msgspec.structs.replace(die, **look)
        if leaning and rng.random() < 0.4:
            near = [other for other in scene.dice if other is not die]
            way = float(rng.uniform(0, 360))
            if near and rng.random() < 0.5:
                other = min(near, key=lambda other: math.hypot(other.x - die.x, other.y - die.y))
                way = math.degrees(math.atan2(other.y - die.y, other.x - die.x)) % 360
            new = msgspec.structs.replace(new, lean=float(rng.uniform(8, 45)), uphill=way)
        dice.append(new)
    return msgspec.structs.replace(scene, dice=tuple(dice), noise=float(rng.uniform(1.0, 7.0)))


def two_grays(rng: np.random.Generator) -> tuple[float, float]:
    """Return gray levels of a die and of what is on it, that differ enough to be read."""
    while True:
        body, ink = rng.uniform(20, 245), rng.uniform(15, 250)
        if abs(body - ink) > 70:
            return float(body), float(ink)


def _look(rng: np.random.Generator) -> dict[str, float]:
    body, ink = two_grays(rng)
    return {
        "body": body,
        "ink": ink,
        "pip": round(float(rng.uniform(0.078, 0.128)), 2),
        "apart": round(float(rng.uniform(0.225, 0.29)), 2),
        "round": float(rng.uniform(0.03, 0.24)),
        "one": 1.0 if rng.random() < 0.8 else round(float(rng.uniform(1.2, 1.9)), 1),
        "drilled": 0.0 if rng.random() < 0.5 else round(float(rng.uniform(0.05, 0.4)), 2),
    }


def _blots(shot: Shot, dice: Sequence[AnyDie], rng: np.random.Generator) -> dict[int, int]:
    """Cover a part of some dice: a lamp's image or something that lies on them. Return what is learned of them then.

    What covers a place where a pip may be spoils the die; what is clear of all such places does not.
    """
    found = {}
    for number, die in enumerate(dice):
        if die.lean or rng.random() < 0.4 or not isinstance(die, Die):
            continue
        turn = math.radians(die.turn)
        u, v = rng.uniform(-0.45, 0.45, 2)
        at = (
            die.x + die.side * (u * math.cos(turn) - v * math.sin(turn)),
            die.y + die.side * (u * math.sin(turn) + v * math.cos(turn)),
        )
        reach = float(rng.uniform(0.1, 0.32))
        blot(shot, at, die.side, reach * die.side, rng, round_=0.6)
        gap = min(math.hypot(u - die.apart * a, v - die.apart * b) for a in (-1, 0, 1) for b in (-1, 0, 1)) - reach
        found[number] = SPOILED if gap < 0 else LEFT_OUT if gap < die.pip else CLEAR
    return found


def blot(
    shot: Shot, at: tuple[float, float], side: float, reach: float, rng: np.random.Generator, round_: float = 1.0
) -> None:
    """Draw a disc, or a square, on the top of a die of a side (mm), `reach` mm large; the share `round_` are discs."""
    px = shot.calibration.to_px([at, (at[0] + reach, at[1])], side)
    radius = max(1.0, float(np.linalg.norm(px[1] - px[0])))
    level = int(255 if rng.random() < 0.5 else rng.integers(0, 255))
    if round_ == 1 or rng.random() < round_:
        x, y = (round(float(v) * 16) for v in px[0])
        cv2.circle(shot.gray, (x, y), round(radius * 16), level, -1, cv2.LINE_AA, 4)
        return
    angles = np.radians(rng.uniform(0, 90) + np.arange(4) * 90)
    box = px[0] + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    cv2.fillConvexPoly(shot.gray, np.round(box * 16).astype(np.int32), level, cv2.LINE_AA, 4)


def put_things(shot: Shot, dice: Sequence[AnyDie], zone: ZonePlace, rng: np.random.Generator) -> None:
    """Put things into the tray that are no dice: coins, words, cards with codes, dots and squares."""
    r = zone.rect
    for _ in range(int(rng.integers(1, 5))):
        x, y = float(rng.uniform(r.x, r.x + r.w)), float(rng.uniform(r.y, r.y + r.h))
        if any(math.hypot(die.x - x, die.y - y) < 45 for die in dice):
            continue
        _THINGS[int(rng.integers(len(_THINGS)))](shot.gray, shot.calibration, (x, y), rng)


def _coin(gray: Gray, calibration: Calibration, at: tuple[float, float], rng: np.random.Generator) -> None:
    radius = float(rng.uniform(7, 13))
    ring = [(at[0] + radius * math.cos(way), at[1] + radius * math.sin(way)) for way in np.linspace(0, 2 * math.pi, 40)]
    level = int(rng.integers(40, 240))
    cv2.fillConvexPoly(gray, _px(calibration, ring), level, cv2.LINE_AA, 4)
    inner = [((x - at[0]) * 0.85 + at[0], (y - at[1]) * 0.85 + at[1]) for x, y in ring]
    cv2.polylines(gray, [_px(calibration, inner)], True, level * 0.7, 2, cv2.LINE_AA, 4)


def _words(gray: Gray, calibration: Calibration, at: tuple[float, float], rng: np.random.Generator) -> None:
    x, y = calibration.to_px([at], 0.0)[0].astype(int)
    letters = "Roll: 6 dice 8 : o O 0 :: . . i : . • 5"
    cut = int(rng.integers(0, len(letters) - 8))
    size = float(rng.uniform(0.6, 1.6))
    cv2.putText(
        gray,
        letters[cut : cut + 8],
        (int(x), int(y)),
        cv2.FONT_HERSHEY_SIMPLEX,
        size,
        int(rng.integers(0, 255)),
        int(rng.integers(1, 5)),
        cv2.LINE_AA,
    )


def _card(gray: Gray, calibration: Calibration, at: tuple[float, float], rng: np.random.Generator) -> None:
    turn, level = float(rng.uniform(0, math.pi)), int(rng.integers(120, 250))

    def placed(u: float, v: float) -> tuple[float, float]:
        return (at[0] + u * math.cos(turn) - v * math.sin(turn), at[1] + u * math.sin(turn) + v * math.cos(turn))

    box = [placed(u, v) for u, v in ((-15, -15), (32, -15), (32, 40), (-15, 40))]
    cv2.fillConvexPoly(gray, _px(calibration, box), level, cv2.LINE_AA, 4)
    module = float(rng.uniform(0.6, 1.2))
    for i in range(21):
        for j in range(21):
            if rng.random() < 0.5:
                u, v = (i - 10) * module, (j - 10) * module
                cell = [placed(u + a * module, v + b * module) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                cv2.fillConvexPoly(gray, _px(calibration, cell), 20, cv2.LINE_AA, 4)


def _dots(gray: Gray, calibration: Calibration, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw dots on the bare felt, or on a flat square as large as a die: pips without a die."""
    level, size = int(rng.integers(0, 255)), float(rng.uniform(0.8, 2.2))
    for _ in range(int(rng.integers(1, 9))):
        x, y = at[0] + 4.2 * int(rng.integers(-1, 2)), at[1] + 4.2 * int(rng.integers(-1, 2))
        ring = [(x + size * math.cos(way), y + size * math.sin(way)) for way in np.linspace(0, 2 * math.pi, 20)]
        cv2.fillConvexPoly(gray, _px(calibration, ring), level, cv2.LINE_AA, 4)


def _block(gray: Gray, calibration: Calibration, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Draw a square without pips, or with a digit."""
    half, turn = float(rng.uniform(5, 11)), float(rng.uniform(0, math.pi))
    ways = turn + np.arange(4) * math.pi / 2
    box = [(at[0] + half * 1.4 * math.cos(way), at[1] + half * 1.4 * math.sin(way)) for way in ways]
    cv2.fillConvexPoly(gray, _px(calibration, box), int(rng.integers(20, 240)), cv2.LINE_AA, 4)
    if rng.random() < 0.6:
        x, y = calibration.to_px([(at[0] - 4, at[1] + 4)], 0.0)[0].astype(int)
        digit = str(int(rng.integers(0, 10)))
        cv2.putText(
            gray, digit, (int(x), int(y)), cv2.FONT_HERSHEY_DUPLEX, 0.8, int(rng.integers(0, 255)), 2, cv2.LINE_AA
        )


_THINGS = (_coin, _words, _card, _dots, _block)


def _px(calibration: Calibration, points: list[tuple[float, float]]) -> npt.NDArray[np.int32]:
    return np.round(calibration.to_px(points, 0.0) * 16).astype(np.int32)
