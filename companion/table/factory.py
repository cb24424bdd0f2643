"""Parts of a table that several packages have to make together: printed things for the eye and the simulated camera."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Unpack

import cv2
import numpy as np
import numpy.typing as npt

from companion import games
from companion.codes import BACK
from companion.eye.eye import Eye
from companion.eye.faces import storing
from companion.eye.faces.deck import DeckError, TaughtDeck, TaughtFace
from companion.eye.faces.likeness import too_alike
from companion.eye.mat import Mat
from companion.games import bare_table as bare
from companion.games import custom_board as board
from companion.press.faces import face_image, is_token
from companion.press.mats import mat_image
from companion.referee.expecting import plausible
from companion.referee.lying import stack_sizes
from companion.rules.cards import Deck
from companion.rules.kernel import TABLE, AnyGame
from companion.sim.camera import CameraOptions, SimulatedCamera
from companion.sim.table import SimTable
from companion.table.camera_loop import Hints

log = logging.getLogger(__name__)

CARD_SCALE = 4.0
"""Pixels a millimetre of the card pictures that the simulated camera photographs."""
MAT_SCALE = 3.0
"""The same for the mat."""

BARE_SCALE = 1.5
"""The same for the picture from which the eye learns what bare mat looks like."""

Picture = npt.NDArray[np.uint8]


def face_pictures(
    deck: Deck, mat: Mat, *, codes: bool = True, stickers: Collection[str] = ()
) -> Callable[[str, str], Picture]:
    """Print faces for the simulated camera when needed; without `codes` only on tokens and pieces with `stickers`.

    Faces in small letters ("f", "b") have none in any case: cards that are lent to be taught.
    """
    cards = deck.by_piece()

    @cache
    def picture(piece: str, face: str) -> Picture:
        card = None if piece == BACK or face in "Bb" else cards[piece]
        shape = mat.shape_of(card.kind if card else "back")
        coded = (codes and face.isupper()) or is_token(shape) or (card is not None and piece in stickers)
        return np.asarray(face_image(card, deck, shape, face.upper(), CARD_SCALE, codes=coded))

    return picture


def printed_faces(game: AnyGame, mat: Mat) -> tuple[TaughtDeck, ...]:
    """Return a game's decks (one a size) as if taught from its print without codes; equal faces are copies."""
    pictures = face_pictures(game.deck, mat, codes=False)
    decks: dict[str, TaughtDeck] = {}
    for card in (None, *game.deck.cards):
        piece, side = (BACK, "B") if card is None else (card.piece, "F")
        shape = mat.shape_of("back" if card is None else card.kind)
        if is_token(shape):
            continue
        deck = decks.get(shape.name) or TaughtDeck(
            f"{game.info.name}-{shape.name}", game.deck.title, shape.w, shape.h, (), game.info.name
        )
        view = _view(pictures(piece, side), deck)
        like = next((face for face in deck.faces if np.array_equal(face.views[0], view)), None)
        title = "the back" if card is None else card.title
        decks[shape.name] = (
            deck.with_face(TaughtFace(title, (piece,), (view,), side))
            if like is None
            else deck.with_piece(like.pieces[0], piece, side)
        )
    return tuple(decks.values())


def with_stickers(
    decks: Iterable[TaughtDeck], coded: Callable[[str, str], Picture]
) -> tuple[tuple[TaughtDeck, ...], frozenset[str]]:
    """Return decks without the cards that look too much alike, and the pieces that therefore carry stickers.

    Their looks with codes (as `face_pictures` has them) stay known as one face without pieces.
    """
    left: list[TaughtDeck] = []
    stickers: set[str] = set()
    for deck in decks:
        alike = [[deck.faces[number] for number in group.faces] for group in too_alike(deck)]
        for group in alike:
            pieces = [piece for face in group for piece in face.pieces]
            views = tuple(_view(coded(piece, group[0].side), deck) for piece in pieces)
            others = tuple(face for face in deck.faces if face not in group)
            deck = replace(deck, faces=(*others, TaughtFace(group[0].name, (), views, group[0].side)))
            stickers.update(pieces)
        left.append(deck)
    return tuple(left), frozenset(stickers)


def alike_in(decks: Iterable[TaughtDeck]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of pieces that are copies of one face."""
    return tuple(face.pieces for deck in decks for face in deck.faces if face.pieces[1:])


def _view(picture: Picture, deck: TaughtDeck) -> Picture:
    return np.asarray(cv2.resize(picture, deck.size_px, interpolation=cv2.INTER_AREA), np.uint8)


def printed_mat(game: str, *, spare: bool = False) -> Picture:
    """Print the mat of all seats, or an owner's board, at MAT_SCALE in RGB; with `spare` as outlines on white."""
    return _printed(_whole_mat(game), spare)


def _printed(mat: Mat, spare: bool) -> Picture:
    found = _drawn.get((mat, spare))
    if found is None:
        found = np.asarray(mat_image(mat, MAT_SCALE, spare=spare))
        # Twelve megabytes: the last match's is not kept.
        _drawn.clear()
        _drawn[mat, spare] = found
    return found


_drawn: dict[tuple[Mat, bool], Picture] = {}


def _whole_mat(game: str) -> Mat:
    return games.load_mat(game, games.load(game).info.seats[1])


@lru_cache(maxsize=2)  # one megabyte each
def _bare(mat: Mat, spare: bool) -> Picture:
    """Return the printed mat in gray at BARE_SCALE; only a simulated camera needs it larger and in colours."""
    printed = _drawn.get((mat, spare))
    gray = cv2.cvtColor(
        np.asarray(mat_image(mat, MAT_SCALE, spare=spare)) if printed is None else printed, cv2.COLOR_RGB2GRAY
    )
    share = BARE_SCALE / MAT_SCALE
    return np.asarray(cv2.resize(gray, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def simulated_camera(
    game: AnyGame,
    mat: Mat,
    table: SimTable,
    *,
    codes: bool = True,
    stickers: Collection[str] = (),
    **how: Unpack[CameraOptions],
) -> SimulatedCamera:
    """Hang a simulated camera over a table of this game, looking at the printed cards and mat.

    Without `codes` only cards with `stickers` have them, and pictures are in colour, for an eye that knows faces.
    """
    faces = face_pictures(game.deck, mat, codes=codes, stickers=stickers)
    # A table without a mat shows only its markers, however many play.
    ground = _printed(mat, False) if mat.loose else printed_mat(game.info.name)
    camera = SimulatedCamera(table, mat, faces, ground, CARD_SCALE, **how)
    camera.show_colour = not codes
    return camera


def hints(game: AnyGame, state: object) -> Hints:
    """Return what a state tells the eye; what is plausible is found only for an eye that asks for it."""
    sizes = stack_sizes(game.layout(state), game.view(state, TABLE))
    return Hints(sizes, partial(plausible, game, state))


def make_eye(game: AnyGame, mat: Mat, decks: Sequence[TaughtDeck] = ()) -> Eye:
    """Make an eye that knows the game's codes, the bare mat (or the empty table), and taught `decks` by their faces."""
    book = games.code_book(game.deck, mat)
    if mat.loose:
        return Eye(mat, book, reference=bare.read_empty(), decks=decks)
    if mat.print == "first" or not board.is_printed(games.load_printed_mat(game.info.name, mat.seats), mat):
        return Eye(mat, book, decks=decks)
    return Eye(mat, book, reference=_bare(_whole_mat(game.info.name), mat.print == "outlines"), decks=decks)


def taught_decks(game: str) -> tuple[TaughtDeck, ...]:
    """Return the decks whose cards were taught as pieces of a game. One that can't be read is said in the log."""
    decks = []
    for name in storing.taught():
        try:
            deck = storing.load(name)
        except DeckError as error:
            log.warning("the taught deck %s is left out: %s", name, error)
            continue
        if deck.game == game:
            decks.append(deck)
    return tuple(decks)


def wifi() -> tuple[str, str]:
    """Return name and password of the table's own Wi-Fi, as the installer has left them in the environment."""
    return os.environ.get("COMPANION_WIFI", ""), os.environ.get("COMPANION_WIFI_PASSWORD", "")
