"""Ten-sided dice as the simulated camera sees them: ten kites, with the numerals 0 to 9 in a type face.

A pentagonal trapezohedron rests on a kite; the opposite one is level on top, and both add up to nine. A 6 and a 9 may
have a mark that says which way up they are.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.sim import dice
from companion.sim.dice import Die, Patch, Points, Project, Shine, darken

NUMERALS = Path(__file__).with_name("numerals.npz")
"""Pictures of the numerals of type faces, as `benchmarks.numerals` has drawn them."""

TALL = 120
"""Pixels of an 8 in those pictures."""

MARKS = ("", "dot", "bar")
"""What says which way up a 6 and a 9 are: nothing, a dot behind them, a bar beneath them."""

_TEXTURE = 112
"""Pixels along the side of a face's drawing."""

_KITES = 10


class TenSided(msgspec.Struct, frozen=True):
    """A ten-sided die on the mat: its middle (mm), how it is turned, its size (mm) and what it shows, 1 to 10.

    `turn` (degrees clockwise from x) is where the top kite's sharp end points; `side` is the distance of opposite
    faces, as for a cube. A 0 counts 10. `body` and `ink` are gray levels; `face` is the numerals' type face, `tall` how
    high they are, in sides, `low` how far their middle is from the kite's towards its blunt end, `bold` how much
    broader their strokes are (sides), `wide` how much wider they are. `upright`: their heads point to the sharp end.
    `sharp` is the height of the body's tips, in radii of its belt. `ahead` says which numerals are next to each other,
    `swirl` how much the body's colour varies (gray levels). A cocked die leans as `Die` does.
    """

    x: float
    y: float
    turn: float
    side: float
    value: int
    body: float = 225.0
    ink: float = 30.0
    face: str = "liberation-sans"
    mark: str = "dot"
    tall: float = 0.42
    low: float = 0.0
    bold: float = 0.0
    wide: float = 1.0
    upright: bool = True
    sharp: float = 1.0
    round: float = 0.05
    ahead: int = 0
    swirl: float = 0.0
    lean: float = 0.0
    uphill: float = 0.0

    def vertices(self) -> tuple[Points, tuple[tuple[int, ...], ...]]:
        """Return the corners (mm, shape (12, 3)) and the corners of every kite, the top first.

        A kite's corners begin at its sharp end, clockwise from outside.
        """
        unit, kites = _body(self.sharp)
        way = math.radians(self.turn)
        turned = unit * self.side @ _about_z(way).T
        if self.lean:
            uphill = math.radians(self.uphill)
            axis = np.array([-math.sin(uphill), math.cos(uphill), 0.0])
            rotation, _ = cv2.Rodrigues(axis * -math.radians(self.lean))
            turned = turned @ rotation.T
        turned = turned - (0.0, 0.0, float(turned[:, 2].min())) + (self.x, self.y, 0.0)
        return turned, kites

    def corners(self) -> Points:
        """Return the outline as seen from above (mm), for who asks whether dice meet; shape (n, 2)."""
        points, _ = self.vertices()
        hull: Points = np.asarray(cv2.convexHull(points[:, :2].astype(np.float32))[:, 0], np.float64)
        return hull

    def outline(self) -> Points:
        """Return the outline as seen from above (mm)."""
        return self.corners()

    def kite(self) -> Points:
        """Return the top kite's corners, from its sharp end on, on the mat and above it (mm); shape (4, 3)."""
        points, kites = self.vertices()
        return points[list(kites[0])]

    def numerals(self) -> tuple[int, ...]:
        """Return what every kite shows, 0 to 9; the top is the first, the one it rests on the sixth."""
        top = self.value % 10
        others = [digit for digit in range(top % 2, 10, 2) if digit != top]
        k = self.ahead % 4
        half = [top, *others[k:], *others[:k]]
        return (*half, *(9 - digit for digit in half))


AnyDie = Die | TenSided


def paint_die(patch: Patch, die: AnyDie, project: Project, shine: Shine, seed: int) -> None:
    """Paint a die of either kind without its shadow; `seed` says where a lamp is mirrored."""
    if isinstance(die, TenSided):
        paint(patch, die, project, shine, seed)
    else:
        dice.paint(patch, die, project, shine, seed)


def shade_die(patch: Patch, die: AnyDie, project: Project, shine: Shine) -> None:
    """Paint the shadow of a die of either kind."""
    if isinstance(die, TenSided):
        shade(patch, die, project, shine)
    else:
        dice.shade(patch, die, project, shine)


def _about_z(angle: float) -> npt.NDArray[np.float64]:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


@lru_cache(maxsize=64)
def _body(sharp: float) -> tuple[npt.NDArray[np.float64], tuple[tuple[int, ...], ...]]:
    fifth = math.radians(36)
    belt = sharp * (1 - math.cos(fifth)) / (1 + math.cos(fifth))
    ring = [(math.cos(k * fifth), math.sin(k * fifth), belt if k % 2 == 0 else -belt) for k in range(_KITES)]
    points = np.array([*ring, (0, 0, sharp), (0, 0, -sharp)])
    upper = [(10, 2 * k % 10, (2 * k + 1) % 10, (2 * k + 2) % 10) for k in range(5)]
    # The kite through the middle from an upper one has the belt's opposite corners.
    lower = [(11, *((corner + 5) % 10 for corner in kite[:0:-1])) for kite in upper]
    lower = [(one[0], one[3], one[2], one[1]) for one in lower]
    first = points[list(upper[0])]
    out = np.cross(first[1] - first[0], first[2] - first[0])
    out /= np.linalg.norm(out)
    out *= np.sign(out @ first.mean(axis=0))
    tip = first[0] - first[2]
    tip /= np.linalg.norm(tip)
    frame = np.stack([tip, np.cross(out, tip), out])
    apart = 2 * float(out @ first[0])
    return points @ frame.T / apart, tuple(_clockwise(kite, points) for kite in (*upper, *lower))


def _clockwise(kite: tuple[int, ...], points: npt.NDArray[np.float64]) -> tuple[int, ...]:
    """Return a kite's corners from its sharp end, clockwise from outside: y points down and z up."""
    at = points[list(kite)]
    out = np.cross(at[1] - at[0], at[2] - at[1])
    return kite if float(out @ at.mean(axis=0)) > 0 else (kite[0], kite[3], kite[2], kite[1])


def paint(patch: Patch, die: TenSided, project: Project, shine: Shine, seed: int) -> None:
    """Paint a die without its shadow into a gray patch; `seed` says where a lamp is mirrored."""
    points, kites = die.vertices()
    px = project(points[:, :2], points[:, 2])
    low = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, (patch.shape[1], patch.shape[0]))
    if (high <= low).any():
        return
    part = patch[low[1] : high[1], low[0] : high[0]]
    rng = np.random.default_rng(seed)
    way, steep = math.radians(shine.way), 1 / max(0.1, shine.far)
    lamp = np.array([math.cos(way), math.sin(way), steep]) / math.hypot(1, steep)
    seen = np.zeros(part.shape, np.float32)
    whole = _filled(part.shape, np.asarray(cv2.convexHull((px - low).astype(np.float32))[:, 0], np.float64))
    for number, (kite, numeral) in enumerate(zip(kites, die.numerals(), strict=True)):
        quad = (px[list(kite)] - low).astype(np.float32)
        if cv2.contourArea(quad, oriented=True) <= 0:
            continue  # seen from behind
        at = points[list(kite)]
        out = np.cross(at[1] - at[0], at[2] - at[1])
        out /= np.linalg.norm(out)
        light = shine.even + (1 - shine.even) * max(0.0, float(out @ lamp)) / max(0.3, float(lamp[2]))
        drawn = min(light, 1.25) * _face(die, numeral, number, seed)
        if number == 0:
            drawn = drawn + _gloss(shine, rng)
        matrix = cv2.getPerspectiveTransform(_on_face(die.sharp), quad)
        laid = cv2.warpPerspective(
            drawn, matrix, (part.shape[1], part.shape[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = _filled(part.shape, cv2.convexHull(quad)[:, 0].astype(np.float64), grow=True)
        seen += (np.asarray(laid, np.float32) - seen) * mask
    most = 255.0 if part.dtype == np.uint8 else 1e4
    part[:] = (part + (np.clip(seen, 0, most) - part) * whole).astype(part.dtype)


def shade(patch: Patch, die: TenSided, project: Project, shine: Shine) -> None:
    """Paint a die's shadow: a hard core where it stands, soft where its top's shadow falls."""
    scale = float(np.linalg.norm(np.diff(project(np.array([[die.x, die.y], [die.x + 1, die.y]]), 0.0), axis=0)))
    way = np.array([math.cos(math.radians(shine.way + 180)), math.sin(math.radians(shine.way + 180))])
    points, _ = die.vertices()
    steps: list[tuple[Points, float, int]] = []
    for share, dark in ((0.25, 0.35), (0.6, 0.35), (1.0, 0.3)):
        falls = points[:, :2] + way * points[:, 2:] * shine.far * share
        both = np.concatenate([falls, points[points[:, 2] < 0.2 * die.side][:, :2]])
        hull = np.asarray(cv2.convexHull(project(both, 0.0).astype(np.float32))[:, 0], np.float64)
        steps.append((hull, shine.dark * dark, int(max(1.0, scale * (0.6 + 2.5 * share * shine.far)))))
    darken(patch, steps)


@lru_cache(maxsize=64)
def _on_face(sharp: float) -> npt.NDArray[np.float32]:
    """Return a kite's corners in its drawing (pixels): the sharp end above, the middle of the drawing its middle."""
    return ((_flat(sharp) / _SPAN + 0.5) * _TEXTURE - 0.5).astype(np.float32)


_SPAN = 1.5
"""How much of a face its drawing shows, in sides."""


@lru_cache(maxsize=64)
def _flat(sharp: float) -> npt.NDArray[np.float64]:
    """Return a kite's corners in its own plane, in sides: its sharp end first, then to the right."""
    points, kites = _body(sharp)
    top = points[list(kites[0])][:, :2]
    away = np.stack([top[:, 1], -top[:, 0]], axis=1)
    return away - middle_of(away)


def middle_of(kite: Points) -> Points:
    """Return the middle of a kite's broad part, where its numeral stands: between its blunt corners and its centre."""
    return np.asarray(0.5 * kite.mean(axis=0) + 0.25 * (kite[1] + kite[3]), np.float64)


def _face(die: TenSided, numeral: int, number: int, seed: int) -> npt.NDArray[np.float32]:
    mark = die.mark if numeral in (6, 9) else ""
    ink = _stamp(die.face, numeral, mark, die.tall, die.low, die.bold, die.wide, die.upright)
    body = np.full((_TEXTURE, _TEXTURE), die.body, np.float32)
    if die.swirl:
        rough = np.random.default_rng((seed, number)).standard_normal((7, 7)).astype(np.float32)
        body += die.swirl * cv2.resize(rough, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(body + (die.ink - body) * ink - die.body * _edge(die.sharp, die.round), np.float32)


@lru_cache(maxsize=256)
def _edge(sharp: float, reach: float) -> npt.NDArray[np.float32]:
    """Return how much darker a face is near its rounded edges, as a share of its light."""
    inside = np.zeros((_TEXTURE, _TEXTURE), np.uint8)
    cv2.fillConvexPoly(inside, np.round(_on_face(sharp)).astype(np.int32), 1)
    away = cv2.distanceTransform(inside, cv2.DIST_L2, 5) / (_TEXTURE / _SPAN)
    return np.asarray(0.2 * np.clip(1 - away / max(0.01, reach), 0, 1), np.float32)


@lru_cache(maxsize=4096)
def _stamp(
    face: str, numeral: int, mark: str, tall: float, low: float, bold: float, wide: float, upright: bool
) -> npt.NDArray[np.float32]:
    """Return how much ink each place of a face has, 0 to 1."""
    fine = 4
    unit = _TEXTURE * fine / _SPAN
    glyph = numeral_of(face, numeral).astype(np.uint8) * 255
    scale = tall * unit / TALL
    size = (max(1, round(glyph.shape[1] * scale * wide)), max(1, round(glyph.shape[0] * scale)))
    glyph = np.asarray(cv2.resize(glyph, size, interpolation=cv2.INTER_AREA), np.uint8)
    sheet: npt.NDArray[np.uint8] = np.zeros((_TEXTURE * fine, _TEXTURE * fine), np.uint8)
    high, broad = glyph.shape
    middle = _TEXTURE * fine // 2
    down = round(low * unit) * (1 if upright else -1)
    top, left = middle - high // 2 + down, middle - broad // 2
    if mark == "bar":
        top -= round(0.05 * unit)
    sheet[top : top + high, left : left + broad] = glyph
    if mark == "bar":
        y = top + high + round(0.05 * unit)
        cv2.rectangle(sheet, (left, y), (left + broad, y + round(0.055 * unit)), 255, -1)
    elif mark == "dot":
        radius = round(0.045 * unit)
        cv2.circle(sheet, (left + broad + round(0.07 * unit), top + high - radius), radius, 255, -1)
    reach = round(abs(bold) * unit)
    if reach:
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        sheet = np.asarray(cv2.dilate(sheet, brush) if bold > 0 else cv2.erode(sheet, brush), np.uint8)
    if not upright:
        sheet = sheet[::-1, ::-1]
    small = cv2.resize(sheet, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


@lru_cache(maxsize=512)
def numeral_of(face: str, numeral: int) -> npt.NDArray[np.bool_]:
    """Return a numeral of a type face."""
    packed = _faces()[f"{face}.{numeral}"]
    wide, rows = int(packed[0]), packed[1:]
    return np.unpackbits(rows.reshape(-1, (wide + 7) // 8), axis=1)[:, :wide].astype(bool)


@lru_cache(maxsize=1)
def _faces() -> dict[str, npt.NDArray[np.uint8]]:
    with np.load(NUMERALS) as kept:
        return {name: np.asarray(kept[name], np.uint8) for name in kept.files}


def _gloss(shine: Shine, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    line = ((np.arange(_TEXTURE) + 0.5) / _TEXTURE - 0.5) * _SPAN
    at = rng.uniform(-0.5, 0.5, 2)
    away = ((line[None, :] - at[0]) ** 2 + (line[:, None] - at[1]) ** 2) / max(0.02, shine.spot) ** 2
    return np.asarray(shine.gloss * np.exp(-away / 2), np.float32)


def _filled(shape: tuple[int, ...], loop: Points, grow: bool = False) -> npt.NDArray[np.float32]:
    """Return how much of every pixel lies in a closed convex loop (pixels), 0 to 1."""
    mask: npt.NDArray[np.uint8] = np.zeros(shape[:2], np.uint8)
    at = np.round(loop * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, at, 255, cv2.LINE_AA, 4)
    if grow:
        cv2.polylines(mask, [at], True, 255, 1, cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)
