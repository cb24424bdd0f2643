"""Troubles with the cards on the mat, in words for people, each with its remedy."""

from __future__ import annotations

from collections.abc import Collection

from companion.eye.places import CodeBook, Stray
from companion.eye.view import Trouble


def of_cards(
    book: CodeBook, twice: Collection[str], beside: Collection[str], strays: Collection[Stray]
) -> list[Trouble]:
    """Return the troubles: pieces that lie there `twice`, pieces half `beside` the mat, and codes of no piece."""
    strays = sorted(strays, key=lambda stray: stray.payload)
    found = [
        Trouble(
            "same-code-twice",
            f"Two cards with the code of {book.words(piece)} lie on the table. Take one of them away.",
        )
        for piece in sorted(twice)
    ]
    for piece in sorted(beside):
        found.append(Trouble("off-mat", f"{book.words(piece)} lies half beside the mat. Push it onto its place."))
    for letters in sorted({stray.code.game for stray in strays if stray.code and stray.code.game != book.letters}):
        words = f"A card of another deck ({letters}) lies on the table. It is not counted."
        found.append(Trouble("foreign-code", words))
    for stray in strays:
        if stray.code and stray.code.game == book.letters:
            words = f"The card {stray.code.piece} is not in this deck. It is not counted."
            found.append(Trouble("foreign-code", words))
    return found
