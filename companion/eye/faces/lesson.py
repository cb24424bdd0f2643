"""A deck is taught from pictures of a table: the empty mat first, then a few cards at a time in their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.eye.bearings import Bearings
from companion.eye.faces.capturing import Taken, averaged, double_of, measured_size, take
from companion.eye.faces.deck import DeckError, Picture, TaughtDeck, TaughtFace
from companion.eye.faces.flattening import Flattener
from companion.eye.flat import Flat
from companion.eye.mat import Mat
from companion.eye.view import Frame
from companion.text import said, t


class Wanted(NamedTuple):
    """A face that is to be taught: what people call it, and its pieces, which are copies of each other."""

    name: str
    pieces: tuple[str, ...]
    side: str = "F"


class Remark(NamedTuple):
    """What became of a card, or what is wrong with a picture: `kind` for programs, `words` for people.

    Kinds: "taken", "known" (it was taught before), "over" (nothing is left to be taught), and those of
    `companion.eye.faces.capturing.Fault`. "no-mat": the mat is not seen.
    """

    kind: str
    words: str


class Lesson:
    """Teaches one deck. `deck` grows; it is the caller's to keep it."""

    def __init__(self, deck: TaughtDeck, wanted: Sequence[Wanted], mat: Mat) -> None:
        """Begin, or go on with a deck of which some faces are taught. A width of 0 has the cards measured."""
        self.deck = deck
        self._wanted = tuple(wanted)
        self._mat = mat
        self._bearings = Bearings(mat, Flat(mat))
        self._empty: Picture | None = None
        self._flattener: Flattener | None = None

    def begin_with(self, piece: str) -> None:
        """Ask next for a face that is missing, and those after it; the ones before it come last."""
        at = next((n for n, one in enumerate(self._wanted) if piece in one.pieces), 0)
        self._wanted = (*self._wanted[at:], *self._wanted[:at])

    @property
    def missing(self) -> tuple[Wanted, ...]:
        """The faces that are still to be taught, in their order."""
        return tuple(one for one in self._wanted if self.deck.face_of(one.pieces[0], one.side) is None)

    def rename(self, piece: str, side: str, to: str) -> str:
        """Make a taught face that of the piece `to`, exchanging the two; return its new name.

        Raises:
            DeckError: if nothing was taught of the piece, or `to` is none of the cards that have such a side.
        """
        wanted = next((one for one in self._wanted if to in one.pieces and one.side == side), None)
        if wanted is None:
            raise DeckError(t("There is no such card in this deck."))
        self.deck = self.deck.renamed(piece, side, wanted.name, wanted.pieces)
        return wanted.name

    @property
    def names(self) -> tuple[Wanted, ...]:
        """All faces, taught or not, in the order of the deck."""
        return tuple(sorted(self._wanted, key=lambda one: one.pieces))

    def show(self, frames: Sequence[Frame]) -> tuple[Remark, ...]:
        """Take what one or several pictures of a table at rest show; the first ones have to be of the empty mat."""
        frame = frames[0]
        if self._flattener is None:
            if not self._bearings.find(frame.gray, frame.time) or self._bearings.calibration is None:
                return (Remark("no-mat", t("The mat is not seen: all of its corners have to be in the picture.")),)
            self._flattener = Flattener(self._bearings.calibration, self._mat)
        flattener = self._flattener
        now = averaged([flattener.flat(one) for one in frames])
        if self._empty is None:
            self._empty = now
            return ()
        sized = self.deck if self.deck.w else None
        takings = take(self._empty, now, flattener.px_per_mm, self._mat, sized)
        told = [Remark(fault.kind, fault.words) for fault in takings.faults]
        if sized is None and any(card.usable for card in takings.cards):
            w, h = measured_size(list(takings.cards))
            self.deck = TaughtDeck(self.deck.name, self.deck.title, w, h, (), self.deck.game)
            takings = take(self._empty, now, flattener.px_per_mm, self._mat, self.deck)
        return (*told, *(one for card in takings.cards for one in self._learn(card)))

    def _learn(self, card: Taken) -> list[Remark]:
        """Take one card as the next face that is missing, unless it has been taught."""
        told = [Remark(fault.kind, fault.words) for fault in card.faults]
        if not card.usable:
            return told
        known = double_of(self.deck, card.picture) if self.deck.faces else None
        if known is not None:
            return [*told, Remark("known", t("{name} has been taught already.", name=known.name))]
        wanted = next(iter(self.missing), None)
        if wanted is None:
            return [*told, Remark("over", t("All cards have been taught; this is another one."))]
        try:
            self.deck = self.deck.with_face(TaughtFace(wanted.name, wanted.pieces, (card.picture,), wanted.side))
        except DeckError as error:
            return [*told, Remark("over", said(error))]
        return [Remark("taken", wanted.name), *told]
