"""How a card that was named by its face is followed: as if codes had been read at a few places of that face."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.codes import Code
from companion.eye.faces.deck import TaughtDeck
from companion.eye.faces.naming import Named
from companion.eye.geometry import Calibration, Points
from companion.eye.mat import CodePlace, Shape
from companion.eye.places import CodeBook, Found, Pose
from companion.eye.reader import FACES, sighting
from companion.eye.view import Frame, Sighting

_SHOWS, _SHOWS_OF_A_STRIP = 0.7, 0.4
"""Share of a face's place that must show for it to be remembered; and of the best place, if none shows so far."""

_CONTRAST = 8.0
"""Gray levels by which such a place must vary: what is plain is no proof of anything."""


class Card(NamedTuple):
    """A recognised card: what it is, where it lies on the mat, and a mask (1 px/mm, from `corner` on) of what shows."""

    named: Named
    shows: npt.NDArray[np.uint8]
    corner: tuple[int, int]

    def share(self, quad: Points) -> float:
        """Return what share of a square (corners in mm) shows."""
        at = quad - self.corner
        (x0, y0), (x1, y1) = np.maximum(at.min(axis=0) - 1, 0).astype(int), at.max(axis=0).astype(int) + 2
        shows = self.shows[y0 : max(y0, y1), x0 : max(x0, x1)]
        if not shows.size:
            return 0.0
        inside = np.zeros(shows.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round((at - (x0, y0) - 0.5) * 16).astype(np.int32), 1, shift=4)
        return float(shows[inside > 0].mean()) if inside.any() else 0.0

    def within(self, here: tuple[slice, slice]) -> npt.NDArray[np.uint8]:
        """Return the mask of what shows in some rows and columns (mm)."""
        rows, columns = here
        left, top = self.corner
        way = np.array([[1, 0, left - columns.start], [0, 1, top - rows.start]], np.float32)
        size = columns.stop - columns.start, rows.stop - rows.start
        return np.asarray(cv2.warpAffine(self.shows, way, size, flags=cv2.INTER_NEAREST), np.uint8)


def places_on(shape: Shape, side: str) -> tuple[CodePlace, ...]:
    """Return the places of a face by which a card is followed: two by three squares that fill it."""
    across, down = (2, 3) if shape.w <= shape.h else (3, 2)
    size = min(shape.w / across, shape.h / down) - 4
    return tuple(
        CodePlace(side, shape.w * (i + 0.5) / across, shape.h * (j + 0.5) / down, size)
        for j in range(down)
        for i in range(across)
    )


def with_faces(book: CodeBook, decks: Iterable[TaughtDeck]) -> CodeBook:
    """Return a book whose taught pieces have, after their codes, the places by which their faces are followed."""
    shapes = dict(book.shapes)
    made: dict[tuple[str, str], Shape] = {}
    for deck in decks:
        for face in deck.faces:
            for piece in face.pieces:
                if piece not in shapes:
                    continue
                shape = shapes[piece]
                if (shape.name, face.side) not in made:
                    codes = (*shape.codes, *places_on(shape, face.side))
                    made[shape.name, face.side] = msgspec.structs.replace(shape, codes=codes)
                shapes[piece] = made[shape.name, face.side]
    return msgspec.structs.replace(book, shapes=shapes)


def found_as_codes(
    frame: Frame, calibration: Calibration, book: CodeBook, side: str, card: Card, piece: str, pose: Pose
) -> Found:
    """Return a card as if the codes of some places of its face had been read."""
    shape = book.shapes[piece]
    first = len(shape.codes) - len(places_on(shape, side))
    codes: dict[int, Sighting] = {}
    spread: dict[int, float] = {}
    shows: dict[int, float] = {}
    payload = str(Code(book.letters, piece, side))
    quads = [pose.code_quad(place, shape) for place in shape.codes[first:]]
    seen = calibration.to_px(np.concatenate(quads)).reshape(len(quads), 4, 2)
    for index, (quad, px) in enumerate(zip(quads, seen, strict=True), first):
        if not _within(px, frame.gray.shape):
            continue
        shows[index] = card.share(quad)
        codes[index] = sighting(payload, np.asarray(px, dtype=np.float64), FACES)
        x0, y0 = np.floor(px.min(axis=0)).astype(int)
        x1, y1 = np.ceil(px.max(axis=0)).astype(int)
        spread[index] = float(frame.gray[y0:y1, x0:x1].std())
    most = max(shows.values(), default=0.0)
    # Of a strip no place may show so far; the one that does most is better than none.
    least = _SHOWS if most >= _SHOWS else max(most, _SHOWS_OF_A_STRIP)
    codes = {index: code for index, code in codes.items() if shows[index] >= least}
    spread = {index: spread[index] for index in codes}
    telling = {index: code for index, code in codes.items() if spread[index] >= _CONTRAST}
    if not telling:
        # A strip, or a plain face: better one poor place than none.
        telling = {best: codes[best] for best in sorted(spread, key=lambda index: -spread[index])[:1]}
    return Found(piece, pose, telling, 0.0, pose)


def _within(px: Points, shape: tuple[int, ...]) -> bool:
    return bool((px >= 0).all() and (px[:, 0] < shape[1] - 1).all() and (px[:, 1] < shape[0] - 1).all())
