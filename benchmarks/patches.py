"""Squares to be tempted by: sheets full of what is no code of the deck, or a spoilt one, and the pose of each square.

A sheet is one gray picture with a cell for every square. Each square's pose is off by as much as a finder's may be. A
reader that compares every square with the code book says something about each; nothing of it may be wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
import segno

from companion.bench.scenes import INK, PAPER, foreign_code, sticker
from companion.codes import ALPHABET, check_character, parse
from companion.eye.symbol import SIDE, data_cells, modules
from companion.eye.view import Gray

KINDS = ("noise and textures", "foreign codes", "damaged codes", "neighbours")
"""What lies in the squares: nothing at all; codes of other decks, and web addresses; codes of the deck, covered, torn
or washed out in parts; codes that are not of the deck and differ from one of it in one character.
"""

SMALLEST, LARGEST = 1.25, 2.5
"""Pixels a module."""
ACROSS = 20
"""Cells along each side of a sheet."""
QUIET = 4
FINE = 4
"""Pixels a module of the drawings."""
OFF_PX, OFF_DEGREES, OFF_SIZE = 0.35, 1.0, 0.02
"""Errors of poses: standard deviations of the shift (px), the turn (degrees), and the size (a share of it)."""

Cells = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Rng = np.random.Generator


class Sheet(msgspec.Struct, frozen=True):
    """A picture, the poses of its squares (n, 2, 3), and what each really says: its number in the book, or -1."""

    gray: Gray
    poses: npt.NDArray[np.float64]
    truth: npt.NDArray[np.intp]


class Square(msgspec.Struct, frozen=True):
    """A drawing (gray, ink 0, paper 255) of a square with its surroundings, and what it says (-1: no code of ours).

    `side` is how many of its pixels the square takes up; it is in the middle.
    """

    drawing: Gray
    side: float
    truth: int = -1


class Drawer:
    """Draws squares of every kind. Codes come from pools, since making one takes longer than reading it."""

    def __init__(self, book: Sequence[str], rng: Rng, pool: int) -> None:
        """Fill the pools with a number of codes each; ValueError if a payload of the book is none of our codes."""
        self._book, self._rng = tuple(book), rng
        own = parse(self._book[0])
        if own is None or any(parse(payload) is None for payload in self._book):
            raise ValueError("the book holds what is no code of a deck")
        self._own = [_paper(modules(payload)) for payload in self._book]
        self._foreign = [_paper(modules(foreign_code(rng, own.game))) for _ in range(pool)]
        self._addresses = [_address(rng) for _ in range(pool // 4)]
        self._neighbours = [_paper(cells) for cells in neighbours(self._book, rng, pool)]
        self.of: dict[str, Callable[[], Square]] = dict(
            zip(KINDS, (self.texture, self.foreign, self.damaged, self.neighbour), strict=True)
        )

    def _any(self, pool: Sequence[Gray]) -> Gray:
        return pool[int(self._rng.integers(len(pool)))]

    def foreign(self) -> Square:
        """A code of another deck; one in three is a web address in a larger version, squeezed or only its corner."""
        if self._rng.random() < 2 / 3:
            return Square(self._any(self._foreign), SIDE * FINE)
        drawing = self._any(self._addresses)
        wide = drawing.shape[0] - 2 * QUIET * FINE
        if self._rng.random() < 0.5:
            return Square(drawing, wide)
        # Its top left as if it were a code of ours: one finder pattern fits, and what follows has the right grain.
        end = (SIDE + 2 * QUIET) * FINE
        return Square(np.ascontiguousarray(drawing[:end, :end]), SIDE * FINE)

    def neighbour(self) -> Square:
        """A code that is not of the deck, and differs from one that is in one character."""
        return Square(self._any(self._neighbours), SIDE * FINE)

    def texture(self) -> Square:
        """Noise, checks, stripes, blots; every second in the frame that all codes have, so that it looks like one."""
        rng = self._rng
        side = (SIDE + 2 * QUIET) * FINE
        choice = int(rng.integers(4))
        if choice == 0:  # modules by chance
            dark = rng.random((SIDE + 2 * QUIET,) * 2) < rng.uniform(0.3, 0.7)
            drawing = _scaled(np.where(dark, 0, 255).astype(np.uint8), side)
        elif choice == 1:  # blots of half a module to three
            grain = rng.standard_normal((side, side), dtype=np.float32)
            blots = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 3) * FINE / 2)
            drawing = np.where(blots > 0, 0, 255).astype(np.uint8)
        elif choice == 2:  # stripes crossing
            x = np.arange(side) / FINE
            waves = [np.sin(2 * math.pi * (x / rng.uniform(1.5, 6) + rng.random())) for _ in range(2)]
            drawing = np.where(waves[0][None, :] * waves[1][:, None] > 0, 0, 255).astype(np.uint8)
        else:  # even grain
            drawing = rng.integers(0, 256, (side, side), dtype=np.uint8)
        if rng.random() < 0.5:
            frame = self._any(self._foreign)
            inner = np.kron(data_cells(), np.ones((FINE, FINE), dtype=np.bool_))
            keep = np.pad(~inner, QUIET * FINE, constant_values=True)
            drawing = np.where(keep, frame, drawing).astype(np.uint8)
        return Square(drawing, SIDE * FINE)

    def damaged(self) -> Square:
        """A code of the deck of which something is missing: covered, torn, smeared, or another code lies over it."""
        rng = self._rng
        number = int(rng.integers(len(self._own)))
        drawing = self._own[number].copy()
        side = drawing.shape[0]
        choice = int(rng.integers(4))
        if choice == 3:  # another card over it, its code showing
            self._cover(drawing, np.asarray(cv2.rotate(self._any(self._own), int(rng.integers(3)))))
        elif choice == 2:  # smeared: by a thumb, a scratch, a lens out of focus
            drawing = np.asarray(cv2.GaussianBlur(drawing, (0, 0), rng.uniform(0.5, 1.6) * FINE), dtype=np.uint8)
        elif choice == 1:  # torn: a half plane shows the table
            self._cover(drawing, np.full_like(drawing, int(rng.integers(256))))
        else:  # blots on it
            for _ in range(int(rng.integers(1, 6))):
                middle = rng.integers(0, side, 2)
                axes = rng.uniform(1, 7, 2) * FINE
                cv2.ellipse(
                    drawing,
                    [int(v) for v in middle],
                    [int(v) for v in axes],
                    float(rng.uniform(0, 180)),
                    0,
                    360,
                    int(rng.integers(256)),
                    -1,
                )
        return Square(drawing, SIDE * FINE, number)

    def _cover(self, drawing: Gray, by: Gray) -> None:
        """Cover a half plane with something, up to half of the code."""
        rng = self._rng
        side = drawing.shape[0]
        way = rng.uniform(0, 2 * math.pi)
        line = np.arange(side) - (side - 1) / 2
        far = (line[None, :] * math.cos(way) + line[:, None] * math.sin(way)) > rng.uniform(0, SIDE * FINE / 2)
        shift = rng.integers(-4 * FINE, 4 * FINE + 1, 2)
        np.copyto(drawing, np.roll(by, (int(shift[0]), int(shift[1])), (0, 1)), where=far)


def _scaled(picture: Gray, side: int) -> Gray:
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _paper(dark: Cells) -> Gray:
    paper = np.pad(np.where(dark, 0, 255).astype(np.uint8), QUIET, constant_values=255)
    return np.asarray(np.kron(paper, np.ones((FINE, FINE), dtype=np.uint8)))


def _address(rng: Rng) -> Gray:
    word = "".join(ALPHABET[i] for i in rng.integers(10, 36, size=int(rng.integers(4, 30)))).lower()
    drawing = sticker(f"https://{word}.example", QUIET)
    each = drawing.shape[0] // 8  # drawn with 8 pixels a module there
    return _scaled(drawing, each * FINE)


def neighbours(book: Sequence[str], rng: Rng, count: int) -> Iterator[Cells]:
    """Yield the modules of codes that are not in the book but differ from one of it in one character.

    Half of them are codes of pieces that the deck doesn't have, or of another face, with the check character that
    belongs to it; half are wrong in one character alone. All have their likeness's mask (ISO/IEC 18004, 7.8), which
    brings them nearest: modules that the same data make are the same.
    """
    known = set(book)
    while count:
        payload = book[int(rng.integers(len(book)))]
        place = int(rng.integers(2, 7))
        letters = ALPHABET[10:] if place == 5 else ALPHABET
        other = payload[:place] + letters[int(rng.integers(len(letters)))] + payload[place + 1 :]
        if place != 6 and rng.random() < 0.5:
            other = other[:6] + check_character(other[:6])
        if other in known:
            continue
        count -= 1
        mask = segno.make_qr(payload, version=1, error="h", boost_error=False).mask
        made = segno.make_qr(other, version=1, error="h", boost_error=False, mask=mask)
        yield np.array([[bool(cell) for cell in row] for row in made.matrix])


def sheet(draw: Callable[[], Square], rng: Rng, across: int = ACROSS) -> Sheet:
    """Photograph `across` × `across` squares at one size (1.25 to 2.5 px a module), turned any way, in one light.

    Blur 0.5 to 1.2 px, noise 2 to 9 levels, contrast 0.35 to 1, JPEG 50 to 95, and a shadow's edge across some.
    """
    module = float(rng.uniform(SMALLEST, LARGEST))
    cell = math.ceil((SIDE + 2) * module * math.sqrt(2)) + 4
    fine = 2
    canvas = np.full((across * cell * fine, across * cell * fine), 128, dtype=np.uint8)
    poses, truth = [], []
    for number in range(across * across):
        square = draw()
        left, top = number % across * cell, number // across * cell
        middle = np.array([left, top]) + (cell - 1) / 2 + rng.uniform(-1, 1, 2)
        turn = math.radians(rng.uniform(0, 360))
        _draw(
            canvas[top * fine : (top + cell) * fine, left * fine : (left + cell) * fine],
            square,
            (middle - (left, top) + 0.5) * fine - 0.5,
            turn,
            module * fine,
        )
        poses.append(_pose(middle, turn, module, rng))
        truth.append(square.truth)
    picture = cv2.resize(canvas, (across * cell, across * cell), interpolation=cv2.INTER_AREA).astype(np.float32)
    picture = INK + picture * np.float32((PAPER - INK) / 255)
    return Sheet(_photographed(picture, cell, rng), np.stack(poses), np.array(truth, dtype=np.intp))


def _draw(part: Gray, square: Square, middle: npt.NDArray[np.float64], turn: float, module: float) -> None:
    drawing = square.drawing
    zoom = module * SIDE / square.side
    if zoom < 1:  # by means first, else pixels of the drawing would be skipped
        small = max(2, round(drawing.shape[0] * zoom))
        drawing = np.asarray(cv2.resize(drawing, (small, small), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        zoom *= square.drawing.shape[0] / small
    c, s = math.cos(turn) * zoom, math.sin(turn) * zoom
    half = (drawing.shape[0] - 1) / 2
    matrix = np.array([[c, -s, middle[0] - c * half + s * half], [s, c, middle[1] - s * half - c * half]])
    cv2.warpAffine(
        drawing,
        matrix,
        (part.shape[1], part.shape[0]),
        dst=part,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def _pose(middle: npt.NDArray[np.float64], turn: float, module: float, rng: Rng) -> npt.NDArray[np.float64]:
    turn += math.radians(rng.normal(0, OFF_DEGREES))
    size = module * (1 + rng.normal(0, OFF_SIZE))
    across = size * np.array([math.cos(turn), math.sin(turn)])
    down = size * np.array([-math.sin(turn), math.cos(turn)])
    start = middle + rng.normal(0, OFF_PX, 2) - SIDE / 2 * (across + down)
    return np.stack([across, down, start], axis=1)


def _photographed(picture: Floats, cell: int, rng: Rng) -> Gray:
    high, wide = picture.shape
    x, y = np.arange(wide, dtype=np.float32)[None, :], np.arange(high, dtype=np.float32)[:, None]
    # A shadow with an edge every few cells, and a lamp's fall-off.
    way = rng.uniform(0, math.pi)
    along = (x * math.cos(way) + y * math.sin(way)) / (cell * rng.uniform(2, 6))
    edge = 0.5 + 0.5 * np.tanh(np.sin(along) * rng.uniform(3, 40))
    factor = np.float32(rng.uniform(0.35, 1.0))
    lit = picture * (factor + (1 - factor) * edge) * (0.9 + 0.2 * x / wide)
    seen = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), rng.uniform(0.5, 1.2))
    contrast = rng.uniform(0.35, 1.0)
    noise = rng.standard_normal(seen.shape, dtype=np.float32) * np.float32(rng.uniform(2, 9))
    levels = np.clip(seen * contrast + (1 - contrast) * 25 + noise + 0.5, 0, 255).astype(np.uint8)
    done, packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 96))])
    assert done  # noqa: S101
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
