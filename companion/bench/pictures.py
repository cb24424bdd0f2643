"""Pictures full of codes for the readers to compete on: as many as asked for, of a known size, turned any way."""

from __future__ import annotations

import math

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.codes import BACK, Code
from companion.eye.symbol import SIDE, modules
from companion.eye.view import Gray
from companion.rules.cards import Deck

QUIET, INNER = 4, 10
"""Modules of white beside a code: at the card's edges, as the QR standard asks, and inwards: readers mind them."""
FINE = 8
"""Pixels a module of the drawing from which every code is photographed."""
TURN = 8.0
"""Degrees by which people lay cards askew, at most."""
BLUR, NOISE, JPEG = 0.8, 5.0, 90
"""The middle of design.md's three conditions: sigma of blur (px), of noise (gray levels), quality of the JPEG."""


class Size(msgspec.Struct, frozen=True):
    """One of the sizes at which readers are compared: pixels of the picture, codes in it, pixels a module."""

    wide: int
    high: int
    codes: int
    module: float

    def __str__(self) -> str:
        return f"{self.wide}×{self.high}, {self.codes} codes, {self.module:g} px a module"


class Truth(msgspec.Struct, frozen=True):
    """A code's truth: its payload and its centre in the picture (px)."""

    payload: str
    x: float
    y: float


def payloads(deck: Deck) -> list[str]:
    """Return every payload of a deck: a face for every card, and the back."""
    return [*(str(Code(deck.code, card.piece, "F")) for card in deck.cards), str(Code(deck.code, BACK, "B"))]


def _drawn(payload: str) -> Gray:
    paper = np.where(modules(payload), 0, 255).astype(np.uint8)
    corner = np.pad(paper, (QUIET, INNER), constant_values=255)
    return np.asarray(np.kron(corner, np.ones((FINE, FINE), dtype=np.uint8)))


def table(size: Size, codes: list[str], rng: np.random.Generator) -> tuple[Gray, list[Truth]]:
    """Draw and photograph codes: white card corners on a gray, uneven ground, turned by quarter turns and up to 8°.

    Return the picture, shape (high, wide), and its truth, with payloads repeated if there are too few.

    Raises:
        ValueError: if so many codes have no room there.
    """
    across = max(1, round(math.sqrt(size.codes * size.wide / size.high)))
    down = math.ceil(size.codes / across)
    cell_w, cell_h = size.wide / across, size.high / down
    turned = math.cos(math.radians(TURN)) + math.sin(math.radians(TURN))
    reach = (SIDE + QUIET + INNER) * size.module * turned / 2
    if min(cell_w, cell_h) < 2 * reach:
        raise ValueError(f"{size} have no room: a code needs {2 * reach:.0f} px, a cell is {cell_w:.0f}×{cell_h:.0f}")
    order = [codes[i % len(codes)] for i in rng.permutation(max(size.codes, len(codes)))[: size.codes]]
    picture = _ground(size, rng)
    truth = []
    for place, payload in enumerate(order):
        row, column = divmod(place, across)
        x = (column + 0.5) * cell_w + rng.uniform(-1, 1) * (cell_w / 2 - reach) * 0.9
        y = (row + 0.5) * cell_h + rng.uniform(-1, 1) * (cell_h / 2 - reach) * 0.9
        angle = 90 * int(rng.integers(4)) + rng.uniform(-TURN, TURN)
        _lay(picture, _drawn(payload), x, y, angle, size.module)
        # The code is not in the middle of its piece of card.
        off, turn = (QUIET - INNER) / 2 * size.module, math.radians(angle)
        truth.append(
            Truth(payload, x + off * (math.cos(turn) - math.sin(turn)), y + off * (math.sin(turn) + math.cos(turn)))
        )
    return _photographed(picture, rng), truth


def _ground(size: Size, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A table cloth: gray, brighter on one side, with a coarse weave."""
    weave = rng.normal(0, 12, (size.high // 16 + 2, size.wide // 16 + 2)).astype(np.float32)
    cloth = cv2.resize(weave, (size.wide, size.high), interpolation=cv2.INTER_CUBIC)
    slope = np.linspace(-18, 18, size.wide, dtype=np.float32)
    return np.asarray(cloth + 128 + slope[None, :], dtype=np.float32)


def _lay(picture: npt.NDArray[np.float32], label: Gray, x: float, y: float, angle: float, module: float) -> None:
    """Draw a label on the picture with its centre at (x, y); each pixel gets the mean of what falls on it."""
    side = label.shape[0]
    zoom = module / FINE
    reach = math.ceil(side * zoom * math.sqrt(2) / 2) + 2
    left, top = math.floor(x) - reach, math.floor(y) - reach
    fine = 4
    turn = math.radians(angle)
    c, s = math.cos(turn) * zoom * fine, math.sin(turn) * zoom * fine
    middle = (side - 1) / 2
    # Pixel centres are whole numbers here and in the fine patch, which has `fine` of them a pixel.
    at = ((x - left + 0.5) * fine - 0.5, (y - top + 0.5) * fine - 0.5)
    matrix = np.array([[c, -s, at[0] - c * middle + s * middle], [s, c, at[1] - s * middle - c * middle]])
    patch = (2 * reach * fine, 2 * reach * fine)
    inks = cv2.warpAffine(label, matrix, patch, flags=cv2.INTER_LINEAR, borderValue=0)
    there = cv2.warpAffine(np.full_like(label, 255), matrix, patch, flags=cv2.INTER_LINEAR, borderValue=0)
    small = (2 * reach, 2 * reach)
    ink = cv2.resize(inks, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    share = cv2.resize(there, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    y0, y1 = max(0, top), min(picture.shape[0], top + 2 * reach)
    x0, x1 = max(0, left), min(picture.shape[1], left + 2 * reach)
    cut = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
    # Paper is not the sensor's white, nor ink its black.
    picture[y0:y1, x0:x1] *= 1 - share[cut]
    picture[y0:y1, x0:x1] += 30 * share[cut] + ink[cut] * (200 / 255)


def _photographed(picture: npt.NDArray[np.float32], rng: np.random.Generator) -> Gray:
    blurred = cv2.GaussianBlur(picture, (0, 0), BLUR)
    noisy = blurred + rng.standard_normal(picture.shape, dtype=np.float32) * NOISE
    packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, JPEG])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
