"""Troubles with the cards on the mat, in words for people, each with its remedy."""

from __future__ import annotations

from collections.abc import Collection

from companion.eye.mat import Mat
from companion.eye.places import CodeBook, Stray
from companion.eye.symbol import SIDE
from companion.eye.view import Trouble
from companion.text import t

FEWEST = 0.75
"""Pixels a module below which no code is read: a picture that can't give them of a whole mat is too small for it."""


def smallest_code(mat: Mat) -> float:
    """Return the side (mm) of the smallest code on a mat's cards."""
    return min((place.size for shape in mat.shapes for place in shape.codes), default=14.0)


def best_module(size: tuple[int, int], mat: Mat) -> float:
    """Return the pixels a module of the smallest code where a mat fills a picture of `size` (px)."""
    share = min(max(size) / max(mat.w, mat.h), min(size) / min(mat.w, mat.h))
    return share * smallest_code(mat) / SIDE


def of_picture(size: tuple[int, int], mat: Mat) -> list[Trouble]:
    """Return the trouble with pictures of `size` (px) that are too small for a mat, however the camera hangs."""
    if size == (0, 0) or best_module(size, mat) >= FEWEST:
        return []
    return [
        Trouble(
            "small-picture",
            t(
                "The camera's pictures have {wide} × {high} pixels: too few to read cards on a mat of this size. Let "
                "it give 1920 × 1080 or more, in its app or in the settings; or use another camera.",
                wide=size[0],
                high=size[1],
            ),
        )
    ]


def of_cards(
    book: CodeBook, twice: Collection[str], beside: Collection[str], strays: Collection[Stray]
) -> list[Trouble]:
    """Return the troubles: pieces that lie there `twice`, pieces half `beside` the mat, and codes of no piece."""
    strays = sorted(strays, key=lambda stray: stray.payload)
    found = [
        Trouble(
            "same-code-twice",
            t("Two cards with the code of {words} lie on the table. Take one of them away.", words=book.words(piece)),
        )
        for piece in sorted(twice)
    ]
    for piece in sorted(beside):
        found.append(
            Trouble("off-mat", t("{words} lies half beside the mat. Push it onto its place.", words=book.words(piece)))
        )
    for letters in sorted({stray.code.game for stray in strays if stray.code and stray.code.game != book.letters}):
        words = t("A card of another deck ({letters}) lies on the table. It is not counted.", letters=letters)
        found.append(Trouble("foreign-code", words))
    for stray in strays:
        if stray.code and stray.code.game == book.letters:
            words = t("The card {piece} is not in this deck. It is not counted.", piece=stray.code.piece)
            found.append(Trouble("foreign-code", words))
    return found
