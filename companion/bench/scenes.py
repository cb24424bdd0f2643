"""A table to photograph for the readers: cards lying every way on wood or cloth, and other things beside them.

Lengths are in modules; a camera is a (3, 3) matrix from the table to pixels (a pixel's centre at whole numbers).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
import segno
from PIL import Image

from companion.codes import ALPHABET, BACK, Code
from companion.eye.mat import CodePlace, Shape
from companion.eye.symbol import SIDE
from companion.eye.view import Gray
from companion.press.drawing import Drawing, Text
from companion.press.faces import face_image
from companion.press.raster import render
from companion.rules.cards import Deck

WIDE, HIGH = 640, 360
"""Modules of table in a picture: 1280×720 pixels at 2 px a module."""
CODES = 40
"""Codes of the deck in a picture, two on each card; fewer where the camera leaves less room."""
FREE = 3.0
"""Modules round a code that stay uncovered, at least."""
BACKS = 0.1
"""Share of cards that lie face down."""
FINE = 8
"""Pixels a module of the drawings from which things are photographed."""
INK, PAPER = 30.0, 230.0
"""Gray levels of printed black and of white paper in the light that a frame is exposed for."""
_LARGER = 180
"""Modules of table beyond the picture on every side, for a camera that looks aslant."""

Matrix = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


class Seen(msgspec.Struct, frozen=True):
    """A code in a picture: what it says, and its corners (px): top left as printed, then clockwise, shape (4, 2)."""

    payload: str
    corners: Matrix


class Laid(msgspec.Struct, frozen=True):
    """A drawing (gray, `FINE` pixels a module) and where its pixels' corner coordinates go on the table: (3, 3)."""

    drawing: Gray
    matrix: Matrix


class Scene(msgspec.Struct, frozen=True):
    """Things in the order in which they lie, the deck's codes among them, and codes that are none of the deck."""

    ground: Gray
    laid: tuple[Laid, ...]
    cards: tuple[Matrix, ...]
    codes: tuple[tuple[str, Matrix], ...]
    foreign: tuple[tuple[str, Matrix], ...]


def placed(x: float, y: float, degrees: float, wide: float, high: float, scale: float = 1.0) -> Matrix:
    """Return the matrix that turns something of `wide` × `high` about its middle and lays it with that at (x, y)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turn = np.array([[c, -s, x], [s, c, y], [0, 0, 1]])
    return np.asarray(turn @ np.array([[scale, 0, -wide * scale / 2], [0, scale, -high * scale / 2], [0, 0, 1]]))


def through(matrix: Matrix, points: npt.ArrayLike) -> Matrix:
    """Return points, shape (n, 2), mapped by a matrix of shape (3, 3)."""
    flat = np.asarray(points, dtype=np.float64)
    sent = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(sent[:, :2] / sent[:, 2:])


def straight(module: float) -> Matrix:
    """Return a camera that looks straight down, `module` pixels a module."""
    return np.array([[module, 0, -0.5], [0, module, -0.5], [0, 0, 1]])


def aslant(module: float, degrees: float, away: float) -> Matrix:
    """Return a camera tilted by `degrees`, `away` modules from the point that its middle looks at.

    `module` is the size there along the picture's longer side; the other way it is foreshortened by the cosine.
    """
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    middle = np.array([[1, 0, -WIDE / 2], [0, 1, -HIGH / 2], [0, 0, 1]])
    # A point (x, y) of the table lies at (x, y·cos, away − y·sin) before the camera: the upper side is far away.
    before = np.array([[1.0, 0, 0], [0, c, 0], [0, -s, away]])
    lens = np.array(
        [[module * away, 0, module * WIDE / 2 - 0.5], [0, module * away, module * HIGH / 2 - 0.5], [0, 0, 1]]
    )
    return np.asarray(lens @ before @ middle)


_faces: dict[tuple[str, str, str], Gray] = {}


def _face(deck: Deck, shape: Shape, piece: str) -> Gray:
    key = (deck.code, shape.name, piece)
    if key not in _faces:
        card = next((card for card in deck.cards if card.piece == piece), None)
        image = face_image(card, deck, shape, "B" if card is None else "F", FINE * SIDE / shape.codes[0].size)
        _faces[key] = _flat(image)
    return _faces[key]


def _corners(place: CodePlace) -> Matrix:
    half = place.size / 2
    square = [[-half, -half], [half, -half], [half, half], [-half, half]]
    return through(placed(place.x, place.y, place.rotation, 0, 0), square)


def sticker(text: str, quiet: int = 4) -> Gray:
    """Draw any text as a QR code of the smallest version at level H, with `quiet` modules of white round it."""
    made = segno.make_qr(text, error="h", boost_error=False)
    dark = np.array([[bool(cell) for cell in row] for row in made.matrix])
    paper = np.pad(np.where(dark, 0, 255).astype(np.uint8), quiet, constant_values=255)
    return np.asarray(np.kron(paper, np.ones((FINE, FINE), dtype=np.uint8)))


def foreign_code(rng: np.random.Generator, own: str) -> str:
    """Return a random code of another deck than `own`, as its press would print it."""
    letters = ALPHABET[10:]
    while (game := "".join(letters[i] for i in rng.integers(26, size=2))) == own:
        pass
    piece = "".join(ALPHABET[i] for i in rng.integers(36, size=3))
    return str(Code(game, piece, "F"))


def _url(rng: np.random.Generator) -> str:
    word = "".join(ALPHABET[i] for i in rng.integers(10, 36, size=int(rng.integers(4, 18)))).lower()
    return f"https://{word}.example/{rng.integers(10_000)}"


def _marker(rng: np.random.Generator) -> Gray:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    cells = cv2.aruco.generateImageMarker(dictionary, int(rng.integers(100)), 6)
    paper = np.pad(np.asarray(cells), 1, constant_values=255)
    each = int(rng.integers(2, 5)) * FINE  # a cell is two to four modules of our codes
    return np.asarray(np.kron(paper, np.ones((each, each), dtype=np.uint8)))


def _print(rng: np.random.Generator) -> Gray:
    """A leaflet: lines of text in sizes from a headline to small print."""
    wide, high = 110.0, 70.0
    sheet = Drawing(wide, high)
    line, size = 9.0, 7.0
    while line < high - 3:
        words = " ".join(
            "".join(chr(97 + i) for i in rng.integers(26, size=int(rng.integers(2, 9)))) for _ in range(int(80 / size))
        )
        sheet.add([Text(5.0, line, words[: int(150 / size)], size, "#000000")])
        size = float(rng.choice([2.5, 3.0, 4.0]))
        line += size * 1.5
    return np.asarray(_flat(render(sheet, FINE)))


def _flat(image: Image.Image) -> Gray:
    return np.asarray(image.convert("L"))


def _checks(rng: np.random.Generator) -> Gray:
    """A fabric or a game board: squares of one to three modules, dark and light at random."""
    each = int(rng.integers(1, 4)) * FINE
    return np.asarray(np.kron(rng.integers(0, 2, (14, 14)).astype(np.uint8) * 255, np.ones((each, each), np.uint8)))


def _ground(rng: np.random.Generator) -> Gray:
    """Wood with grain and joints, or cloth with a weave; 2 pixels a module, between dark and fairly light."""
    wide, high = 2 * (WIDE + 2 * _LARGER), 2 * (HIGH + 2 * _LARGER)
    level = rng.uniform(60, 160)
    if rng.random() < 0.6:
        long = rng.normal(0, 1, (high, max(2, wide // 120))).astype(np.float32)
        grain = cv2.resize(long, (wide, high), interpolation=cv2.INTER_CUBIC) * 9
        broad = rng.normal(0, 1, (max(2, high // 90), 3)).astype(np.float32)
        grain = grain + cv2.resize(broad, (wide, high), interpolation=cv2.INTER_CUBIC) * 14
        for joint in np.arange(rng.uniform(0, 200), high, rng.uniform(170, 260)):
            grain[int(joint) : int(joint) + 3] -= 35
    else:
        weave = rng.normal(0, 1, (high // 3, wide // 3)).astype(np.float32)
        grain = cv2.resize(weave, (wide, high), interpolation=cv2.INTER_CUBIC) * 8
        grain += 6 * np.sin(np.arange(wide, dtype=np.float32) * 2 * math.pi / 5)[None, :]
    return np.asarray(np.clip(level + grain, 10, 245), dtype=np.uint8)


class _Room:
    """Which parts of the table must stay uncovered, at one pixel a module."""

    def __init__(self, camera: Matrix, size: tuple[int, int]) -> None:
        self._camera, self._size = camera, size
        self._kept = np.zeros((HIGH + 2 * _LARGER, WIDE + 2 * _LARGER), dtype=np.uint8)

    def _mask(self, outline: Matrix) -> npt.NDArray[np.uint8]:
        mask = np.zeros_like(self._kept)
        cv2.fillConvexPoly(mask, np.round((outline + _LARGER) * 16).astype(np.int32), 1, shift=4)
        return mask

    def free(self, outline: Matrix) -> bool:
        """Whether something with this outline would cover nothing that must be seen."""
        return not (self._mask(outline) & self._kept).any()

    def shows(self, outline: Matrix, margin: float) -> bool:
        """Whether it lies wholly in the picture, `margin` pixels from the edge."""
        at = through(self._camera, outline)
        return bool((at > margin).all() and (at < np.array(self._size) - 1 - margin).all())

    def keep(self, outline: Matrix) -> None:
        """Reserve an area: nothing may cover it."""
        grown = cv2.dilate(
            self._mask(outline), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(FREE) + 1,) * 2)
        )
        self._kept |= np.asarray(grown, dtype=np.uint8)


def _outline(drawing: Gray) -> Matrix:
    high, wide = drawing.shape
    return np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float64)


def _spot(camera: Matrix, size: tuple[int, int], rng: np.random.Generator) -> tuple[float, float]:
    """Return a place on the table that the camera sees, every pixel as likely as every other."""
    back = np.asarray(np.linalg.inv(camera), dtype=np.float64)
    [[x, y]] = through(back, [[rng.uniform(0, size[0]), rng.uniform(0, size[1])]])
    return float(x), float(y)


def scene(
    deck: Deck,
    shape: Shape,
    camera: Matrix,
    size: tuple[int, int],
    rng: np.random.Generator,
    codes: int = CODES,
    near: bool = False,
) -> Scene:
    """Return cards of a deck, turned any way, some over others' edges, and things that are no cards beneath them.

    A card covers no code, and all its own codes lie in the picture (`size` px, wide and high). If the camera is `near`,
    one of them is enough (the others count as foreign), and there are no other codes: there is no room.
    """
    room = _Room(camera, size)
    laid: list[Laid] = []
    foreign: list[tuple[str, Matrix]] = []

    def put(drawing: Gray) -> Matrix:
        high, wide = drawing.shape
        matrix = placed(*_spot(camera, size, rng), rng.uniform(0, 360), wide, high, 1 / FINE)
        laid.append(Laid(drawing, matrix))
        return matrix

    others: list[Callable[[np.random.Generator], Gray]] = [_marker, _marker, _marker, _print, _print, _checks]
    for draw in others:
        put(draw(rng))
    for text in [] if near else [foreign_code(rng, deck.code), foreign_code(rng, deck.code), _url(rng), _url(rng)]:
        drawing = sticker(text)
        matrix = put(drawing)
        inner = _outline(drawing) + np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1]]) * (4.0 * FINE)
        foreign.append((text, through(matrix, inner)))
        room.keep(through(matrix, _outline(drawing)))

    mm = SIDE / shape.codes[0].size  # modules a millimetre
    pieces = [card.piece for card in deck.cards]
    cards: list[Matrix] = []
    found: list[tuple[str, Matrix]] = []
    for piece in rng.permutation(np.array(pieces * math.ceil(codes / len(pieces)))):
        piece = BACK if rng.random() < BACKS else str(piece)
        face = "B" if piece == BACK else "F"
        drawing = _face(deck, shape, piece)
        for _ in range(40):
            matrix = placed(*_spot(camera, size, rng), rng.uniform(0, 360), shape.w, shape.h, mm)
            edge = through(
                matrix, np.asarray([[0, 0], [shape.w, 0], [shape.w, shape.h], [0, shape.h]], dtype=np.float64)
            )
            squares = [through(matrix, _corners(place)) for place in shape.codes if place.face == face]
            shown = [room.shows(square, 4.0) for square in squares]
            if (any(shown) if near else all(shown)) and room.free(edge):
                laid.append(
                    Laid(drawing, matrix @ np.diag([shape.w / drawing.shape[1], shape.h / drawing.shape[0], 1]))
                )
                cards.append(edge)
                for square, shows in zip(squares, shown, strict=True):
                    (found if shows else foreign).append((str(Code(deck.code, piece, face)), square))
                    room.keep(square)
                break
        if len(found) >= codes:
            break
    return Scene(_ground(rng), tuple(laid), tuple(cards), tuple(found), tuple(foreign))


def painted(what: Scene, camera: Matrix, size: tuple[int, int]) -> Floats:
    """Return a scene painted in even light by an ideal lens: each pixel the mean of what falls on it, 0 to 255."""
    module = float(
        np.linalg.norm(through(camera, [[WIDE / 2 + 1, HIGH / 2]]) - through(camera, [[WIDE / 2, HIGH / 2]]))
    )
    fine = 2 if module >= 3 else 3 if module >= 1.5 else 4
    # From a pixel's centre at whole numbers to the same in a picture `fine` times as large.
    to_fine = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1]]) @ camera
    canvas_size = (size[0] * fine, size[1] * fine)
    canvas = _warped(what.ground, to_fine @ np.array([[0.5, 0, -_LARGER], [0, 0.5, -_LARGER], [0, 0, 1]]), canvas_size)
    for card in what.laid:
        _paint(canvas, card, to_fine, module * fine)
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def _warped(picture: Gray, matrix: Matrix, size: tuple[int, int]) -> Gray:
    """Return a picture (corner coordinates) mapped by a matrix to one whose pixels' centres are at whole numbers."""
    centres = matrix @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(picture, centres, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    )


def _paint(canvas: Gray, card: Laid, camera: Matrix, module: float) -> None:
    drawing = card.drawing
    high, wide = drawing.shape
    # As fine as the canvas, by means: else linear interpolation would skip pixels of the drawing.
    shrink = min(1.0, module / FINE)
    small = (max(2, round(wide * shrink)), max(2, round(high * shrink)))
    image = np.asarray(cv2.resize(drawing, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    image = np.asarray(INK + image.astype(np.float32) * ((PAPER - INK) / 255)).astype(np.uint8)
    matrix = camera @ card.matrix @ np.diag([wide / small[0], high / small[1], 1])
    outline = through(matrix, _outline(image))
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
    top = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (top <= low).any():
        return
    part = canvas[low[1] : top[1], low[0] : top[0]]
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix
    there = np.zeros(part.shape, dtype=np.uint8)
    cv2.fillConvexPoly(there, np.round((outline - low) * 16).astype(np.int32), 255, shift=4)
    np.copyto(part, _warped(image, moved, (part.shape[1], part.shape[0])), where=there > 0)
