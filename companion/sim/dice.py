"""Dice as the simulated camera sees them: cubes with rounded edges, pips on the top and on the sides that show.

Opposite faces add up to seven; light comes from one side. The caller's projection draws them, at any resolution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.dice.pips import PIPS

Points = npt.NDArray[np.floating]
Project = Callable[[Points, float | Points], Points]
"""Maps points on the mat (n, 2) in mm, at a height in mm (one for all, or n), to pixels of the painted patch."""

Patch = npt.NDArray[np.uint8] | npt.NDArray[np.float32]
"""What dice are painted into: gray levels."""

_TEXTURE = 96
"""Pixels along the side of a face's drawing."""


class Die(msgspec.Struct, frozen=True):
    """A die on the mat: its middle (mm), how it is turned (degrees clockwise), its side (mm) and what it shows.

    `body` and `ink` are gray levels; `pip` is a pip's radius and `apart` a corner pip's distance from the middle along
    the sides, `round` the radius of edges and corners, all in sides. `ahead` (0 to 3) says which face is in front.
    `one` is how much larger the pip of a 1 is, `drilled` how much darker (of the body's light) a pip's rim is on the
    lamp's side, and lighter on the other. A cocked die has come to rest on something: it `lean`s by so many
    degrees, and is raised on the side of `uphill` (degrees clockwise from x).
    """

    x: float
    y: float
    turn: float
    side: float
    value: int
    body: float = 225.0
    ink: float = 30.0
    pip: float = 0.10
    apart: float = 0.26
    round: float = 0.12
    ahead: int = 0
    one: float = 1.0
    lean: float = 0.0
    uphill: float = 0.0
    drilled: float = 0.0

    def sides(self) -> tuple[int, int, int, int]:
        """Return the values of the side faces: towards +y, +x, -y and -x of the die."""
        ring = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5)}
        around = ring[self.value] if self.value in ring else ring[7 - self.value][::-1]
        k = self.ahead % 4
        return (*around[k:], *around[:k])  # type: ignore[return-value]

    def corners(self, share: float = 1.0) -> Points:
        """Return the corners of the outline (mm), or of a square `share` as large; shape (4, 2)."""
        turn = math.radians(self.turn)
        matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        half = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * self.side / 2 * share
        placed: Points = half @ matrix.T + (self.x, self.y)
        return placed

    def outline(self) -> Points:
        """Return the outline with its rounded corners (mm), shape (n, 2)."""
        reach = self.side * self.round
        angles = np.radians(np.arange(0, 91, 15))
        arcs = []
        inner = self.corners((self.side - 2 * reach) / self.side)
        for i, centre in enumerate(inner):
            at = angles + math.radians(self.turn + 180 + 90 * i)
            arcs.append(centre + reach * np.stack([np.cos(at), np.sin(at)], axis=1))
        return np.concatenate(arcs)


class Shine(msgspec.Struct, frozen=True):
    """The light on dice: the side it comes from (degrees), how steep shadows are, what the sides get of it, a shine.

    `far` is a shadow's reach in heights, `dark` what it takes away, `even` the light from all around (0 to 1); `gloss`
    adds levels in a spot on every top face, `spot` is its radius in sides.
    """

    way: float = 220.0
    far: float = 0.5
    dark: float = 0.35
    even: float = 0.6
    gloss: float = 0.0
    spot: float = 0.3


def tipped(die: Die, points: Points, z: float | Points) -> tuple[Points, Points]:
    """Return the points (n, 2), at a height on a die, when it leans over its lowest edge, and their heights (mm)."""
    lean, way = math.radians(die.lean), math.radians(die.uphill)
    up, aside = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    middle = np.array([die.x, die.y])
    lowest = float(((die.corners() - middle) @ up).min())
    away = np.asarray(points, np.float64) - middle
    out = away @ up - lowest
    over = out * math.cos(lean) - z * math.sin(lean) + lowest
    high: Points = out * math.sin(lean) + z * math.cos(lean)
    return middle + over[:, None] * up + (away @ aside)[:, None] * aside, high


def paint(patch: Patch, die: Die, project: Project, shine: Shine, seed: int) -> None:
    """Paint a die without its shadow into a gray patch; `seed` says where a lamp is mirrored."""
    if die.lean:
        upright = project
        project = lambda points, z: upright(*tipped(die, points, z))  # noqa: E731
    px = np.concatenate([project(die.outline(), 0.0), project(die.outline(), die.side)])
    low = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, (patch.shape[1], patch.shape[0]))
    if (high <= low).any():
        return
    part = patch[low[1] : high[1], low[0] : high[0]]
    rng = np.random.default_rng(seed)
    whole = _filled(part.shape, [cv2.convexHull((px - low).astype(np.float32))[:, 0]])
    seen = np.full(part.shape, die.body * shine.even * 0.8, np.float32)
    for number in range(4):
        _side(seen, die, number, lambda at, z: project(at, z) - low, shine)
    _over(part, seen, whole)
    face = _face(die, die.value, 1.0)
    if die.drilled:
        face += _hollows(die, shine)
    face += _rim(die, shine)
    face += _gloss(shine, rng)
    top = project(die.corners(), die.side) - low
    drawn = _warped(face, top, part.shape)
    _over(part, drawn, _filled(part.shape, [project(die.outline(), die.side) - low]))


def shade(patch: Patch, die: Die, project: Project, shine: Shine) -> None:
    """Paint a die's shadow: a hard core where it stands, soft where its top's shadow falls."""
    scale = float(np.linalg.norm(np.diff(project(np.array([[die.x, die.y], [die.x + 1, die.y]]), 0.0), axis=0)))
    way = math.radians(shine.way + 180)
    steps: list[tuple[Points, float, int]] = []
    for share, dark in ((0.25, 0.35), (0.6, 0.35), (1.0, 0.3)):
        shift = np.array([math.cos(way), math.sin(way)]) * die.side * shine.far * share
        both = np.concatenate([die.outline(), die.outline() + shift])
        hull: Points = np.asarray(cv2.convexHull(project(both, 0.0).astype(np.float32))[:, 0], np.float32)
        steps.append((hull, shine.dark * dark, int(max(1.0, scale * (0.6 + 2.5 * share * shine.far)))))
    darken(patch, steps)


def darken(patch: Patch, steps: Sequence[tuple[Points, float, int]]) -> None:
    """Darken a patch where shadows fall: of each the outline (pixels), how dark, and how soft its edge is (pixels)."""
    # Only where a shadow falls: a patch is many times larger.
    wide = steps[-1][2] + 2
    at = np.concatenate([hull for hull, _, _ in steps])
    low = np.maximum(np.floor(at.min(axis=0)).astype(int) - wide, 0)
    high = np.minimum(np.ceil(at.max(axis=0)).astype(int) + wide, (patch.shape[1], patch.shape[0]))
    if (high <= low).any():
        return
    part = patch[low[1] : high[1], low[0] : high[0]]
    light: npt.NDArray[np.float32] = np.ones(part.shape, np.float32)
    for hull, dark, soft in steps:
        light *= 1 - dark * cv2.blur(_filled(part.shape, [hull - low]), (2 * soft + 1, 2 * soft + 1))
    part[:] = (part * light).astype(part.dtype)


def _side(seen: npt.NDArray[np.float32], die: Die, number: int, project: Project, shine: Shine) -> None:
    """Draw one of the upright faces, if the camera sees it from outside."""
    turn = math.radians(die.turn + (90, 0, -90, 180)[number])
    out = np.array([math.cos(turn), math.sin(turn)])
    middle = np.array([die.x, die.y]) + out * die.side / 2
    along = np.array([-out[1], out[0]]) * die.side / 2
    lamp = math.radians(shine.way)
    lit = shine.even + (1 - shine.even) * max(0.0, float(out @ (math.cos(lamp), math.sin(lamp)))) * 0.9
    edge = np.array([middle + along, middle - along])
    quad = np.concatenate([project(edge, die.side), project(edge[::-1], 0.0)])
    if cv2.contourArea(quad.astype(np.float32), oriented=True) <= 0:
        return  # seen from behind
    face = _face(die, die.sides()[number], lit * 0.92)
    _over(seen, _warped(face, quad, seen.shape), _filled(seen.shape, [quad]))


def _face(die: Die, value: int, light: float) -> npt.NDArray[np.float32]:
    return light * (die.body + (die.ink - die.body) * _stamp(value, die.pip, die.apart, die.one, die.ahead % 2))


@lru_cache(maxsize=4096)
def _stamp(value: int, pip: float, apart: float, one: float, turned: int) -> npt.NDArray[np.float32]:
    """Return how much ink each place of a face has, 0 to 1; 2, 3 and 6 lie either way."""
    fine = 4
    size = _TEXTURE * fine
    ink: npt.NDArray[np.uint8] = np.zeros((size, size), np.uint8)
    for u, v in PIPS[value]:
        at = (-v, u) if turned else (u, v)
        radius = pip * (one if value == 1 else 1.0)
        middle = [round((0.5 + apart * way) * size * 16) for way in at]
        cv2.circle(ink, (middle[0], middle[1]), round(radius * size * 16), 255, -1, cv2.LINE_AA, 4)
    small = cv2.resize(ink, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / np.float32(255)


def _hollows(die: Die, shine: Shine) -> npt.NDArray[np.float32]:
    """Draw what light does in drilled pips: dark under the rim that is nearer to the lamp, bright beyond."""
    ink = _stamp(die.value, die.pip, die.apart, die.one, die.ahead % 2)
    lamp = math.radians(shine.way - die.turn)
    step = die.pip * 0.5 * _TEXTURE
    x, y = round(step * math.cos(lamp)), round(step * math.sin(lamp))
    lit = np.roll(ink, (y, x), (0, 1)) - np.roll(ink, (-y, -x), (0, 1))
    return np.asarray(-die.drilled * 0.5 * die.body * lit * ink, np.float32)


def _rim(die: Die, shine: Shine) -> npt.NDArray[np.float32]:
    """Draw what the rounded edges add to the top face: brighter towards the lamp, darker on the other side."""
    line = (np.arange(_TEXTURE) + 0.5) / _TEXTURE - 0.5
    u, v = line[None, :], line[:, None]
    wide = max(0.02, die.round * 0.8)
    depth = [np.clip((np.abs(axis) - (0.5 - wide)) / wide, 0, 1) ** 2 * np.sign(axis) for axis in (u, v)]
    lamp = math.radians(shine.way - die.turn)
    toward = depth[0] * math.cos(lamp) + depth[1] * math.sin(lamp)
    falls = np.maximum(np.abs(depth[0]), np.abs(depth[1]))
    rim = die.body * ((1 - shine.even) * 0.5 * toward - 0.22 * falls)
    return np.asarray(rim, np.float32)


def _gloss(shine: Shine, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    line = (np.arange(_TEXTURE) + 0.5) / _TEXTURE - 0.5
    at = rng.uniform(-0.5, 0.5, 2)
    away = ((line[None, :] - at[0]) ** 2 + (line[:, None] - at[1]) ** 2) / max(0.02, shine.spot) ** 2
    return np.asarray(shine.gloss * np.exp(-away / 2), np.float32)


def _warped(face: npt.NDArray[np.float32], quad: Points, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    source = np.array([[0, 0], [_TEXTURE, 0], [_TEXTURE, _TEXTURE], [0, _TEXTURE]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    drawn = cv2.warpPerspective(
        face, matrix, (shape[1], shape[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(drawn, np.float32)


def _filled(shape: tuple[int, ...], loops: list[Points]) -> npt.NDArray[np.float32]:
    """Return how much of every pixel lies in closed loops (pixels), 0 to 1."""
    mask: npt.NDArray[np.uint8] = np.zeros(shape[:2], np.uint8)
    for loop in loops:
        cv2.fillConvexPoly(mask, np.round(loop * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)


def _over(under: Patch, drawn: npt.NDArray[np.float32], mask: npt.NDArray[np.float32]) -> None:
    """Lay a drawing over a picture where a mask (0 to 1) says so."""
    # Levels beyond white are kept where there is room: the camera, not the die, burns them out.
    most = 255.0 if under.dtype == np.uint8 else 1e4
    mixed = under + (np.clip(drawn, 0, most) - under) * mask
    under[:] = mixed.astype(under.dtype)
