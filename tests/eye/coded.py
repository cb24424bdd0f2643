"""Photographs of codes at given places, for tests: drawn finely, made smaller, and spoilt as cameras do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.codes import Code
from companion.eye.symbol import SIDE, modules
from companion.eye.view import Gray

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _piece(number: int) -> str:
    return _DIGITS[number // 1296] + _DIGITS[number // 36 % 36] + _DIGITS[number % 36]


DECK = sorted(str(Code("CL", _piece(number), face)) for number in range(1, 134) for face in "FGM")
"""The 399 codes of a deck of 133 cards with three codes each, the largest that we have."""
OTHER_DECK = sorted(str(Code("CB", _piece(number), "F")) for number in range(1, 100))

_FINE = 6


class Spot(NamedTuple):
    """A code at a place: its centre (px) and turn (degrees clockwise)."""

    payload: str
    x: float
    y: float
    degrees: float

    def point(self, u: float, v: float, module: float) -> np.ndarray:
        """Return the pixel of a point of the code, u and v in modules from its top left."""
        c, s = math.cos(math.radians(self.degrees)), math.sin(math.radians(self.degrees))
        du, dv = (u - SIDE / 2) * module, (v - SIDE / 2) * module
        return np.array([self.x + du * c - dv * s, self.y + du * s + dv * c])

    def corners(self, module: float) -> np.ndarray:
        """Return the code's corners, top left first, then clockwise."""
        return np.array([self.point(u, v, module) for u, v in ((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE))])


def photograph(
    size: tuple[int, int],
    spots: Iterable[Spot],
    module: float,
    seed: int,
    *,
    blur: float = 0.7,
    noise: float = 4.0,
    contrast: float = 1.0,
    shadow: float = 0.0,
    streak: float = 0.0,
    jpeg: int = 92,
    spacing: float = 1.0,
    squeeze: float = 1.0,
) -> Gray:
    """Take a picture of `size` (width, height): codes with white round them on a gray, uneven ground.

    `spacing` moves the codes apart, `squeeze` shortens what is upright in the picture; `shadow` is the share of light
    in the shadow whose edge runs through every second code's middle.
    """
    wide, high = round(size[0] * spacing), round(size[1] * spacing)
    rng = np.random.default_rng(seed)
    coarse = rng.normal(110, 15, (high // 12 + 2, wide // 12 + 2)).astype(np.float32)
    fine = cv2.resize(coarse, (wide * _FINE, high * _FINE), interpolation=cv2.INTER_CUBIC)
    for spot in spots:
        paper = np.pad(np.where(modules(spot.payload), 30.0, 225.0), 4, constant_values=225.0).astype(np.float32)
        moved = spot._replace(x=spot.x * spacing, y=spot.y * spacing)
        start, right, low = (moved.point(u, v, module) for u, v in ((-4, -4), (SIDE + 4, -4), (-4, SIDE + 4)))
        grid = np.array([[0, 0], [SIDE + 8, 0], [0, SIDE + 8]], dtype=np.float32) - 0.5
        at = (np.array([start, right, low]) + 0.5) * _FINE - 0.5
        matrix = cv2.getAffineTransform(grid, at.astype(np.float32))
        there = cv2.warpAffine(np.ones_like(paper), matrix, (wide * _FINE, high * _FINE), flags=cv2.INTER_NEAREST) > 0
        drawn = cv2.warpAffine(paper, matrix, (wide * _FINE, high * _FINE), flags=cv2.INTER_NEAREST)
        fine[there] = drawn[there]
        if shadow:
            y, x = np.mgrid[: high * _FINE, : wide * _FINE]
            middle = (np.array([moved.x, moved.y]) + 0.5) * _FINE
            dark = there & ((x - middle[0]) * 0.8 + (y - middle[1]) * 0.6 > 0)
            fine[dark] *= shadow
    picture: Any = cv2.resize(fine, (wide, round(high * squeeze)), interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if streak:
        line = np.zeros((9, 9), dtype=np.float32)
        cv2.line(line, (round(4 - streak), 4), (round(4 + streak), 4), 1.0)
        picture = cv2.filter2D(picture, -1, line / line.sum())
    picture = picture * contrast + rng.normal(0, noise, picture.shape)
    packed = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
