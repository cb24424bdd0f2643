"""Teaching a deck at a table: the lesson takes its pictures from the camera that watches the match."""

from __future__ import annotations

import threading
import time

import numpy as np

from companion.codes import BACK
from companion.eye.eye import Eye
from companion.eye.faces import storing
from companion.eye.faces.deck import DeckError, TaughtDeck
from companion.eye.faces.lesson import Lesson, Wanted
from companion.eye.faces.likeness import FaceBook, too_alike
from companion.eye.mat import Mat
from companion.eye.tracks import SEEN
from companion.eye.view import Frame
from companion.press.faces import is_token
from companion.rules.kernel import AnyGame
from companion.server.camera_api import LessonState, SightError, TaughtCard, Told
from companion.table.camera_loop import CameraLoop
from companion.table.loan import Loan
from companion.text import plural, said, t

_Groups = tuple[tuple[str, ...], ...]

PICTURES = 5
"""So many pictures of a camera are averaged."""
PATIENCE = 3.0
"""Seconds for which they are waited for."""


def wanted_of(game: AnyGame, mat: Mat) -> list[Wanted]:
    """Return what is to be taught of a game: the back, and every card once; copies come with it. Tokens keep codes."""
    copies: dict[object, Wanted] = {}
    for card in game.deck.cards:
        if not is_token(mat.shape_of(card.kind)):
            key = card.kind, card.title, tuple(sorted(card.traits.items()))
            pieces = copies[key].pieces if key in copies else ()
            copies[key] = Wanted(card.title, (*pieces, card.piece))
    return [Wanted("the back", (BACK,), "B"), *copies.values()]


def empty_deck(game: AnyGame, mat: Mat, name: str) -> TaughtDeck:
    """Return a deck of a game of which nothing has been taught."""
    shape = mat.shape_of("back")
    return TaughtDeck(name, game.deck.title, shape.w, shape.h, (), game.info.name)


class Teaching:
    """The lesson at one table, kept after each step. It is a `companion.server.camera_api.Teacher`."""

    def __init__(self, game: AnyGame, mat: Mat, camera_loop: CameraLoop) -> None:
        """Teach the game's own cards; nothing is read from the disk before somebody asks."""
        self._game, self._mat, self._camera_loop = game, mat, camera_loop
        self._lock = threading.Lock()
        self._lesson: Lesson | None = None
        self._empty = False
        self.loan: Loan | None = None
        """What lends cards to be taught; None at a real table."""
        self._broken: list[tuple[str, str]] = []
        self._alike: tuple[TaughtDeck | None, tuple[_Groups, _Groups]] = None, ((), ())
        """The deck that was looked through last, and what `_told_apart` says of it."""

    def state(self) -> LessonState:
        """Return what has been taught, and what comes next."""
        with self._lock:
            lesson = self._here()
            deck = lesson.deck
            cards = tuple(TaughtCard(face.pieces[0], face.side, face.name) for face in deck.faces)
            missing = tuple(TaughtCard(one.pieces[0], one.side, one.name) for one in lesson.missing)
            names = tuple(TaughtCard(one.pieces[0], one.side, one.name) for one in lesson.names)
            ready, broken = self._empty, tuple(self._broken)
        # It takes seconds of a large deck: what else is asked of the lesson does not wait for it.
        alike, close = self._told_apart(deck)
        lends = "" if self.loan is None else "lent" if self.loan.lent else "may"
        return LessonState(deck.name, deck.title, cards, missing, alike, ready, names, broken, close, lends)

    def show(self, first: str = "") -> tuple[Told, ...]:
        """Take what lies there now: the empty mat at first, then cards, from the piece `first` on."""
        frames = self._pictures()
        with self._lock:
            lesson = self._here()
            if not self._empty and (lying := self._camera_loop.ask(_lying)):
                raise SightError(
                    plural(
                        "{count} piece with a code lies there: take it away first.",
                        "{count} pieces with codes lie there: take them away first.",
                        count=lying,
                    )
                )
            if first:
                lesson.begin_with(first)
            before = len(lesson.deck.faces)
            shown = lesson.show(frames)
            # Cards that were taken a moment ago may go on lying there, unless nothing else does.
            news = [one for one in shown if one.kind != "known"] or shown
            told = tuple(Told(one.kind == "taken", one.words) for one in news)
            self._empty = self._empty or not told
            if len(lesson.deck.faces) > before:
                self._keep(lesson.deck)
            return told

    def lend(self, first: str, most: int) -> None:
        """Clear the demo's mat, or once it is known lay so many missing cards, from the piece `first` on.

        Raises:
            SightError: if its robots don't come to an end.
        """
        with self._lock:
            lesson = self._here()
            if self.loan is None:
                return
            if first:
                lesson.begin_with(first)
            cards = [TaughtCard(one.pieces[0], one.side, one.name) for one in lesson.missing[:most] if self._empty]
            spare = next(card.piece for card in self._game.deck.cards if card.piece not in {one.piece for one in cards})
            self.loan.lay(cards, (lesson.deck.w, lesson.deck.h), spare)

    def give_back(self) -> None:
        """Lay the demo's match as it lay."""
        with self._lock:
            if self.loan is not None:
                self.loan.give_back()

    def begin_anew(self) -> None:
        """Ask for the empty mat anew: camera, mat or lamp were moved. What was taught stays."""
        with self._lock:
            self._lesson, self._empty = None, False

    def take_back(self, piece: str, side: str) -> None:
        """Forget a card's face."""
        with self._lock:
            lesson = self._here()
            face = lesson.deck.face_of(piece, side)
            if face is None:
                raise SightError(t("That card has not been taught."))
            for one in face.pieces:
                lesson.deck = lesson.deck.without(one, side)
            self._keep(lesson.deck)

    def rename(self, piece: str, side: str, to: str) -> str:
        """Make a taught face another card's; return that card's name."""
        with self._lock:
            lesson = self._here()
            if lesson.deck.face_of(piece, side) is None:
                raise SightError(t("That card has not been taught."))
            try:
                name = lesson.rename(piece, side, to)
            except DeckError as error:
                raise SightError(said(error)) from None
            self._keep(lesson.deck)
            return name

    def face(self, piece: str, side: str) -> bytes | None:
        """Return the picture of a face that was taught (PNG)."""
        with self._lock:
            found = self._here().deck.face_of(piece, side)
            return None if found is None else storing.png(found.views[0])

    def exported(self) -> bytes:
        """Return the deck as one file."""
        with self._lock:
            return storing.exported(self._here().deck)

    def take_in(self, data: bytes) -> None:
        """Take a deck from a file in the place of what was taught here."""
        with self._lock:
            try:
                deck = storing.imported(data, self._here().deck.name)
            except DeckError as error:
                raise SightError(said(error)) from None
            if deck.game != self._game.info.name:
                raise SightError(
                    t("That deck was taught for another game ({game}): begin a match of it first.", game=deck.game)
                )
            self._keep(deck)
            self._lesson, self._empty = None, False

    def remove(self, deck: str) -> None:
        """Delete a deck by its name."""
        with self._lock:
            try:
                storing.remove(deck)
            except DeckError as error:
                raise SightError(said(error)) from None
            self._lesson, self._empty = None, False

    def _here(self) -> Lesson:
        """Return the lesson; it goes on with what was taught of this game before."""
        if self._lesson is None:
            self._lesson = Lesson(self._deck(), wanted_of(self._game, self._mat), self._mat)
        return self._lesson

    def _deck(self) -> TaughtDeck:
        name = self._game.info.name
        self._broken = []
        # The game's own name first: that is what this page makes.
        for one in sorted(storing.taught(), key=lambda taught: (taught != name, taught)):
            try:
                deck = storing.load(one)
            except DeckError as error:
                self._broken.append((one, said(error)))
                continue
            if deck.game == name:
                return deck
        return empty_deck(self._game, self._mat, name)

    def _told_apart(self, deck: TaughtDeck) -> tuple[_Groups, _Groups]:
        """Return the names of faces that can't be told apart, and of pairs that are hard to tell apart in gray.

        Each is compared with each, so a deck is looked through once.
        """
        if self._alike[0] is not deck:
            name = [face.name for face in deck.faces]
            groups = too_alike(deck) if len(deck.faces) > 1 else ()
            alike = tuple(tuple(name[face] for face in group.faces) for group in groups)
            pairs = np.argwhere(np.triu(FaceBook(deck, colour=False).close)) if len(deck.faces) > 1 else ()
            close = tuple((name[one], name[other]) for one, other in pairs)
            self._alike = deck, (alike, tuple(pair for pair in close if not any(set(pair) <= set(g) for g in alike)))
        return self._alike[1]

    def _keep(self, deck: TaughtDeck) -> None:
        if deck.name in dict(self._broken):
            raise SightError(t("A deck lies in its place that can't be loaded: delete that one first."))
        try:
            storing.save(deck)
        except DeckError as error:
            raise SightError(said(error)) from None

    def _pictures(self) -> list[Frame]:
        found: list[Frame] = []
        until = time.monotonic() + PATIENCE
        while len(found) < PICTURES and time.monotonic() < until:
            frame = self._camera_loop.ask(lambda eye: eye.frame)
            if frame is not None and (not found or frame is not found[-1]):
                found.append(frame)
            elif found and not self._camera_loop.thread.is_alive():
                break  # photographs that do not change
            else:
                time.sleep(0.02)
        if not found:
            raise SightError(t("There is no camera picture yet."))
        return found


def _lying(eye: Eye) -> int:
    return sum(track.state == SEEN for track in eye.tracks)
