"""Small faces without codes, as pages show cards; drawn once, then kept in a folder."""

from __future__ import annotations

import hashlib
import io
import logging
from importlib.metadata import version
from pathlib import Path

import msgspec

from companion.codes import BACK
from companion.eye.mat import Shape
from companion.files import written_whole
from companion.press.faces import face_image, is_token, shape_faces
from companion.rules.cards import Card, Deck

log = logging.getLogger(__name__)

LONG_SIDE, TOKEN_SIDE = 220, 112
"""Pixels of the longer side of a card and of a token: twice what a phone shows, for its fine screen."""
QUALITY = 50


def thumbnail_size(shape: Shape) -> tuple[int, int]:
    """Return width and height (px) of the small picture of a shape."""
    scale = (TOKEN_SIDE if is_token(shape) else LONG_SIDE) / max(shape.w, shape.h)
    return round(shape.w * scale), round(shape.h * scale)


def draw_thumbnail(card: Card | None, deck: Deck, shape: Shape, width: int = 0) -> bytes:
    """Draw a card's face, or the deck's back for None, as a small WebP, `width` px wide (0: `thumbnail_size`)."""
    side = "B" if card is None else shape_faces(shape)[0]
    scale = width / shape.w if width else max(thumbnail_size(shape)) / max(shape.w, shape.h)
    image = face_image(card, deck, shape, side, scale, codes=False)
    out = io.BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=6)
    return out.getvalue()


def kept_thumbnail(folder: Path, card: Card | None, deck: Deck, shape: Shape, width: int = 0) -> bytes:
    """Return the small picture of a card (None: the back), from the folder or drawn and, if possible, put there.

    Its name changes with the card, the shape and the program's version, so that edits are drawn anew.
    """
    size = width or (LONG_SIDE, TOKEN_SIDE)
    depends = msgspec.json.encode((card, shape, deck.title, version("companion"), size, QUALITY))
    name = f"{card.piece if card else BACK}-{hashlib.blake2s(depends, digest_size=6).hexdigest()}.webp"
    file = folder / deck.game / name
    try:
        return file.read_bytes()
    except OSError:
        picture = draw_thumbnail(card, deck, shape, width)
    try:
        with written_whole(file) as out:
            out.write(picture)
    except OSError as error:
        log.warning("the small picture %s can't be kept: %s", file, error)
    return picture
