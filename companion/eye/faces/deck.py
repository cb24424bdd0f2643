"""A taught deck: what each card's face looks like, as small upright pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.codes import BACK

Picture = npt.NDArray[np.uint8]
"""A picture in colour, shape (height, width, 3), RGB."""

PX_PER_MM = 2.0
"""Pixels a millimetre of the pictures that are kept: 126 × 176 of a playing card."""

MOST_FACES, MOST_VIEWS = 1000, 12
"""How many faces a deck may have, and a face views."""
MOST_PIXELS = 16_000_000
"""Pixels that all pictures of a deck may have (48 MB): those of 721 playing cards, or two of each of 360."""


class DeckError(ValueError):
    """A deck that can't be as it is asked for; the message is a sentence for people."""


@dataclass(frozen=True)
class TaughtFace:
    """One face and the pieces that look like it.

    `pieces` are identical copies, which nobody can tell apart by sight; a back has the piece `companion.codes.BACK`.
    Without pieces, a face names nothing: what looks like it is no other card.
    `side` is the letter of the face ("F", "B", …). `name` is what people call it. `views` are upright pictures of it,
    (h · PX_PER_MM, w · PX_PER_MM, 3): the first as it was taught, more from corrections.
    """

    name: str
    pieces: tuple[str, ...]
    views: tuple[Picture, ...]
    side: str = "F"

    @property
    def is_back(self) -> bool:
        """Whether this is the back that all cards of the deck share."""
        return BACK in self.pieces


@dataclass(frozen=True)
class TaughtDeck:
    """The faces of one deck, whose cards are all w × h mm. Never changed: each step makes another.

    `name` is its folder's name, `title` what people call it, `game` the game whose pieces it names ("" for none).
    """

    name: str
    title: str
    w: float
    h: float
    faces: tuple[TaughtFace, ...] = ()
    game: str = ""

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of its pictures."""
        return max(8, round(self.w * PX_PER_MM)), max(8, round(self.h * PX_PER_MM))

    @cached_property
    def coloured(self) -> bool:
        """Whether it was taught in colour, at least in part."""
        views = (view for face in self.faces for view in face.views)
        return not all(np.array_equal(view[..., 0], view[..., 1]) for view in views)

    @property
    def most_pictures(self) -> int:
        """How many pictures it may have in all."""
        wide, high = self.size_px
        return MOST_PIXELS // (wide * high)

    @cached_property
    def _by_piece(self) -> dict[tuple[str, str], TaughtFace]:
        return {(piece, face.side): face for face in reversed(self.faces) for piece in face.pieces}

    def face_of(self, piece: str, side: str = "F") -> TaughtFace | None:
        """Return the face that a piece shows, None if it was not taught."""
        return self._by_piece.get((piece, side))

    def missing(self, pieces: Iterable[str]) -> tuple[str, ...]:
        """Return those of some pieces of which no face was taught, in their order."""
        known = {piece for piece, _ in self._by_piece}
        return tuple(piece for piece in pieces if piece not in known)

    def with_face(self, face: TaughtFace) -> TaughtDeck:
        """Return the deck with another face.

        Raises:
            DeckError: if a piece has this side already, a picture lacks or has another size, or there are too many.
        """
        for piece in face.pieces:
            if self.face_of(piece, face.side) is not None:
                raise DeckError(f"{face.name} has been taught already: take it back first to teach it again.")
        if len(self.faces) >= MOST_FACES:
            raise DeckError(f"A deck has at most {MOST_FACES} cards.")
        if sum(len(other.views) for other in (*self.faces, face)) > self.most_pictures:
            raise DeckError(f"A deck of cards of this size has at most {self.most_pictures} pictures.")
        self._check(face.views)
        return replace(self, faces=(*self.faces, face))

    def with_piece(self, like: str, piece: str, side: str = "F") -> TaughtDeck:
        """Return the deck with a piece that looks like `like`; raise DeckError if that has no face, or it has."""
        face = self._named(like, side)
        if self.face_of(piece, side) is not None:
            raise DeckError(f"{piece} has been taught already.")
        return self._exchanged(face, replace(face, pieces=(*face.pieces, piece)))

    def with_view(self, piece: str, view: Picture, side: str = "F") -> TaughtDeck:
        """Return the deck with another picture of a card, which takes its oldest correction's room if need be.

        Raises:
            DeckError: if there is no such face, or the picture has another size.
        """
        face = self._named(piece, side)
        self._check((view,))
        room = self.most_pictures - sum(len(other.views) for other in self.faces)
        most = min(MOST_VIEWS, len(face.views) + max(0, room)) - 1
        corrections = (*face.views[1:], view)[-most:] if most else ()
        return self._exchanged(face, replace(face, views=(face.views[0], *corrections)))

    def renamed(self, piece: str, side: str, name: str, pieces: tuple[str, ...]) -> TaughtDeck:
        """Return the deck with a face given another card's name and pieces, whose own face gets this one's names.

        Raises:
            DeckError: if there is no such face.
        """
        face, other = self._named(piece, side), self.face_of(pieces[0], side)
        deck = self._exchanged(face, replace(face, name=name, pieces=pieces))
        if other is None or other is face:
            return deck
        return deck._exchanged(other, replace(other, name=face.name, pieces=face.pieces))

    def without(self, piece: str, side: str = "F") -> TaughtDeck:
        """Return the deck without a piece; a face stays while it has copies. Raises DeckError if there is none."""
        face = self._named(piece, side)
        left = tuple(other for other in face.pieces if other != piece)
        if left:
            return self._exchanged(face, replace(face, pieces=left))
        return replace(self, faces=tuple(other for other in self.faces if other is not face))

    def _named(self, piece: str, side: str) -> TaughtFace:
        face = self.face_of(piece, side)
        if face is None:
            raise DeckError(f"{piece} has not been taught.")
        return face

    def _exchanged(self, old: TaughtFace, new: TaughtFace) -> TaughtDeck:
        return replace(self, faces=tuple(new if face is old else face for face in self.faces))

    def _check(self, views: tuple[Picture, ...]) -> None:
        wide, high = self.size_px
        if not views or len(views) > MOST_VIEWS:
            raise DeckError(f"A card has one to {MOST_VIEWS} pictures.")
        for view in views:
            if view.shape != (high, wide, 3) or view.dtype != np.uint8:
                raise DeckError(f"A picture of this deck has {wide} × {high} pixels in colour.")
