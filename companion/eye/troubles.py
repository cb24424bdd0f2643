"""Troubles with the cards on the mat, in words for people, each with its remedy."""

from __future__ import annotations

from collections.abc import Collection

from companion.eye.places import CodeBook, Stray
from companion.eye.view import Trouble
from companion.text import t


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
