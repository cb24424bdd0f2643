"""What lies on a photographed table as pictures: the pressed mat, and all faces on one sheet, toned as printers do."""

from __future__ import annotations

import functools

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.table_lights import Surface
from benchmarks.table_scenes import Tones
from companion import games
from companion.codes import BACK
from companion.eye.mat import Mat
from companion.press.faces import face_image, is_token
from companion.press.mats import mat_image
from companion.rules.kernel import AnyGame
from tests.photography.truth import Table

Picture = npt.NDArray[np.uint8]

MAT_SCALE = 4.0
CARD_SCALE = 5.0
"""Pixels a millimetre of the pictures: two or three for each of the photograph's."""
WIDE = 6144
GAP = 4
"""Pixels between the faces on the sheet: their edge goes on there, so that nothing else shows at an edge."""
GRUBBY, RIM_MM = (0.62, 0.54, 0.42), 4.0
"""Of worn cards: the shares of red, green and blue that the dirtiest rim still sends back, and how broad it is."""
SCRATCHES, RUBBED, PAPER = 7, 0.55, 238.0
"""Their scratches at most, the share of the ink that is gone there, and the gray of what shows then."""
GRAIN = 0.3
"""Pixels a millimetre of a table's grain."""


def toned(picture: Picture, tones: Tones) -> Picture:
    """Return a picture as a printer printed it."""
    levels = (np.arange(256) / 255) ** tones.gamma
    levels = tones.black + (1 - tones.black) * levels
    table = np.stack([levels * white * 255 for white in tones.white], axis=-1)[None]
    return np.asarray(cv2.LUT(picture, np.clip(np.rint(table), 0, 255).astype(np.uint8)), np.uint8)


@functools.lru_cache(maxsize=2)
def printed_mat(game: str, seats: int, spare: bool) -> Picture:
    """Return a mat as its file has it."""
    return np.asarray(mat_image(games.load_printed_mat(game, seats), MAT_SCALE, spare=spare))


@functools.lru_cache(maxsize=512)
def printed_face(name: str, piece: str, face: str, coded: bool = True) -> Picture:
    """Return one side of a piece as its file has it, `coded` or without codes."""
    game: AnyGame = _game(name)
    mat: Mat = games.load_printed_mat(name, game.info.seats[1])
    card = None if piece == BACK or face == "B" else game.deck.by_piece()[piece]
    shape = mat.shape_of(card.kind if card else "back")
    return np.asarray(face_image(card, game.deck, shape, face, CARD_SCALE, codes=coded))


@functools.lru_cache(maxsize=8)
def _game(name: str) -> AnyGame:
    return games.load(name)


def worn(face: Picture, wear: float, rng: np.random.Generator) -> Picture:
    """Return a card's side, new (`wear` 0) to much used (1): with a grubby rim, scratches, a creased corner."""
    if not wear:
        return face
    high, wide = face.shape[:2]
    xs, ys = np.minimum(np.arange(wide), np.arange(wide)[::-1]), np.minimum(np.arange(high), np.arange(high)[::-1])
    dx, dy = np.meshgrid(xs / CARD_SCALE, ys / CARD_SCALE)
    patches = cv2.resize(rng.random((9, 7)).astype(np.float32), (wide, high), interpolation=cv2.INTER_CUBIC)
    dirt = wear * np.clip(patches, 0, 1) * np.clip(1 - np.minimum(dx, dy) / RIM_MM, 0, 1)
    soiled = face * (1 - dirt[..., None] * (1 - np.array(GRUBBY)))

    lines = np.zeros((high, wide), np.uint8)
    for _ in range(rng.binomial(SCRATCHES, wear)):
        a, way, long = rng.uniform((0, 0), (wide, high)), rng.uniform(0, 2 * np.pi), rng.uniform(5, 40) * CARD_SCALE
        b = a + long * np.array([np.cos(way), np.sin(way)])
        cv2.line(lines, a.astype(int).tolist(), b.astype(int).tolist(), 255, int(rng.integers(1, 3)), cv2.LINE_AA)
    if rng.random() < wear / 3:
        corner, fold = rng.integers(0, 2, 2) * [wide, high], rng.uniform(6, 16, 2) * CARD_SCALE
        ends = np.abs(corner - [[fold[0], 0], [0, fold[1]]]).astype(int).tolist()
        cv2.line(lines, ends[0], ends[1], 255, 3, cv2.LINE_AA)
    gone = RUBBED * (lines / 255)[..., None]
    return np.asarray(np.rint(soiled + gone * (PAPER - soiled)), np.uint8)


def sheet_of(table: Table) -> tuple[Picture, list[tuple[float, float, float, float]]]:
    """Lay all faces of a scene out on one picture; return it, and each piece's left, top, right, bottom in pixels.

    The last place is a patch of plain paper, for the sides of piles.
    """
    rng, wear = np.random.default_rng(table.scene.seed), table.scene.print.wear
    faces = [
        worn(
            printed_face(table.scene.game, piece.piece, piece.face, table.coded(number)),
            0.0 if is_token(table.shapes[number]) else wear,
            rng,
        )
        for number, piece in enumerate(table.scene.pieces)
    ]
    faces.append(np.full((16, 16, 3), 225, np.uint8))
    places: list[tuple[int, int]] = []
    x = y = row = 0
    for face in faces:
        high, wide = face.shape[0] + 2 * GAP, face.shape[1] + 2 * GAP
        if x + wide > WIDE:
            x, y, row = 0, y + row, 0
        places.append((x, y))
        x, row = x + wide, max(row, high)
    sheet = np.full((y + row, WIDE, 3), 255, np.uint8)
    areas = []
    for face, (left, top) in zip(faces, places, strict=True):
        framed = cv2.copyMakeBorder(face, GAP, GAP, GAP, GAP, cv2.BORDER_REPLICATE)
        sheet[top : top + framed.shape[0], left : left + framed.shape[1]] = framed
        areas.append((left + GAP, top + GAP, left + GAP + face.shape[1], top + GAP + face.shape[0]))
    return sheet, [(float(a), float(b), float(c), float(d)) for a, b, c, d in areas]


def table_top(surface: Surface, seed: int, side: float) -> npt.NDArray[np.float32]:
    """Return a table's top as linear colours: planks with a grain, or cloth with folds; `side` mm wide and high."""
    rng, px = np.random.default_rng(seed), int(side * GRAIN)
    if surface.cloth:
        weave = rng.normal(0, 1, (px, px)).astype(np.float32)
        folds = cv2.resize(rng.normal(0, 1, (7, 7)).astype(np.float32), (px, px), interpolation=cv2.INTER_CUBIC)
        grain = 0.8 * weave + 0.6 * folds
    else:
        long = cv2.resize(rng.normal(0, 1, (px, px // 80)).astype(np.float32), (px, px), interpolation=cv2.INTER_CUBIC)
        broad = cv2.resize(rng.normal(0, 1, (px // 40, 4)).astype(np.float32), (px, px), interpolation=cv2.INTER_CUBIC)
        grain = long + broad
        for joint in np.arange(rng.uniform(0, 60), px, rng.uniform(55, 90)):
            grain[int(joint)] -= 3.0
    shade = np.clip(1 + surface.grain * grain, 0.2, 1.8)
    return np.asarray(np.clip(shade[..., None] * np.array(surface.colour), 0, 1), np.float32)
