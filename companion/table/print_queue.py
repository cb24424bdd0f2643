"""The games' cards as they are printed, for pages: pictures of faces, and sheets to print that are made aside."""

from __future__ import annotations

import io
import logging
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from PIL import Image

from companion import games
from companion.codes import BACK
from companion.eye.mat import Mat, Shape
from companion.press import PressError
from companion.press.faces import face_image, shape_faces
from companion.press.job import Order, press_markers
from companion.press.needs import needs
from companion.press.pages import cover_drawing
from companion.press.raster import render
from companion.press.sheets import PAPERS
from companion.press.thumbnails import kept_thumbnail, thumbnail_size
from companion.rules.cards import Card, Deck, Piece
from companion.server.camera_api import Needs, Paper, PrintError
from companion.text import join, said, t

log = logging.getLogger(__name__)

FACE_SCALE = 3.0
"""Pixels a millimetre of a face's picture."""
PATIENCE = 900.0
"""Seconds that printing may take."""
COVER_SCALE = 4.0
"""The same of a box cover."""
BOX = "box"
"""Stands for the box among the pieces of a game."""
MOST = 1000
"""Pictures of faces that are kept: some kilobytes each."""


def _size(paper: str) -> tuple[float, float]:
    """Return a paper's width and height (mm); raise PrintError if there is none of that name."""
    if paper not in PAPERS:
        raise PrintError(
            t("There is no paper called {paper}: choose {papers}.", paper=paper[:20], papers=join(" or ", PAPERS))
        )
    return PAPERS[paper]


def _webp(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=72)
    return out.getvalue()


class Printed:
    """Prints installed games, one thing at a time, into a temporary folder: a `companion.server.camera_api.Prints`."""

    def __init__(self, kept: Path | None = None) -> None:
        """Print nothing yet. Small faces are kept in the folder `kept`; without one as long as the program runs."""
        self._kept = kept
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()
        self._press = threading.Lock()
        self._papers: dict[tuple[str, str], Paper] = {}
        self._decks: dict[str, Deck] = {}
        self._faces: dict[tuple[str, Piece], bytes] = {}
        self._small: dict[tuple[str, Piece, int], bytes] = {}
        self._mats: dict[str, Mat] = {}
        self._sizes: dict[tuple[str, str], tuple[int, int] | None] = {}
        self._needs: dict[tuple[str, str], Needs] = {}
        self._drawing = threading.Lock()

    def games(self) -> tuple[tuple[str, str], ...]:
        """List what has cards to print, name and title: games with cards of their own, and the standard deck."""
        standard = self.deck(games.STANDARD).by_piece().keys()
        own = [name for name in games.names() if not standard >= self._pieces(name)]
        return tuple((name, self.deck(name).title) for name in (*own, games.STANDARD))

    def _pieces(self, game: str) -> frozenset[Piece]:
        """Return the pieces of a game; none if an owner's file does not fit."""
        try:
            return frozenset(self.deck(game).by_piece())
        except PrintError:
            if game in games.packages():
                raise
            return frozenset()

    def forget(self, game: str) -> None:
        """Read a game's files and draw its faces anew the next time: its owner has changed it."""
        with self._drawing:
            self._decks.pop(game, None)
            self._mats.pop(game, None)
            self._faces = {key: face for key, face in self._faces.items() if key[0] != game}
            self._small = {key: face for key, face in self._small.items() if key[0] != game}
            self._sizes = {key: size for key, size in self._sizes.items() if key[0] != game}
            self._needs = {key: one for key, one in self._needs.items() if key[0] != game}

    def deck(self, game: str) -> Deck:
        """Return a game's deck."""
        # Read once, like the faces: a page asks for all games' decks, which take longer to read than all else on it.
        if (known := self._decks.get(game)) is not None:
            return known
        if game not in (*games.names(), games.STANDARD):
            raise PrintError(t("There is no such game here."))
        try:
            self._decks[game] = games.load_deck(game)
            return self._decks[game]
        except games.GameError as error:
            raise PrintError(said(error)) from None

    def face(self, game: str, piece: Piece) -> bytes:
        """Return the picture (WebP) of a piece's face; BACK for the back."""
        with self._drawing:
            if (game, piece) not in self._faces:
                if len(self._faces) >= MOST:
                    self._faces.clear()
                self._faces[game, piece] = self._drawn(game, piece)
            return self._faces[game, piece]

    def _drawn(self, game: str, piece: Piece) -> bytes:
        deck = self.deck(game)
        if piece == BOX:
            return _webp(render(cover_drawing(deck), COVER_SCALE))
        card = self._card(game, piece)
        shape = self._shape(game, card.kind if card else "back")
        face = "B" if card is None else shape_faces(shape)[0]
        return _webp(face_image(card, deck, shape, face, FACE_SCALE))

    def _card(self, game: str, piece: Piece) -> Card | None:
        """Return a card of a game; None for the back."""
        card = self.deck(game).by_piece().get(piece)
        if card is None and piece != BACK:
            raise PrintError(t("There is no such piece in this game."))
        return card

    def _mat(self, game: str) -> Mat:
        if game not in self._mats:
            if game == games.STANDARD:
                self._mats[game] = games.load_neutral_mat(games.neutral_mats()[0], 2)
            else:
                self._mats[game] = games.load_printed_mat(game, games.load(game).info.seats[1])
        return self._mats[game]

    def _shape(self, game: str, kind: str) -> Shape:
        return self._mat(game).shape_of(kind)

    def small_face(self, game: str, piece: Piece, width: int = 0) -> bytes:
        """Return the picture (WebP) of a face as pages show it, without its code; BACK for the back."""
        key = (game, piece, width)
        kept = self._small.get(key)
        if kept is None:
            with self._drawing:
                card = self._card(game, piece)
                shape = self._shape(game, card.kind if card else "back")
                kept = kept_thumbnail(self._small_folder(), card, self.deck(game), shape, width)
                if len(self._small) >= MOST:
                    self._small.clear()
                self._small[key] = kept
        return kept

    def small_size(self, game: str, kind: str) -> tuple[int, int] | None:
        """Return width and height (px) of the small faces of a kind of piece; None if the game has none to print."""
        key = (game, kind)
        if key not in self._sizes:
            try:
                self.deck(game)
                self._sizes[key] = thumbnail_size(self._shape(game, kind))
            except (PrintError, games.GameError, KeyError):
                self._sizes[key] = None
        return self._sizes[key]

    def _small_folder(self) -> Path:
        with self._lock:
            return self._kept or self._temporary() / "small"

    def cover(self, game: str) -> bytes:
        """Return the picture (WebP) of a game's box."""
        return self.face(game, BOX)

    def papers(self, game: str) -> tuple[Paper, ...]:
        """Return what is printed of a game, for each kind of paper."""
        self.deck(game)
        with self._lock:
            return tuple(self._papers.get((game, paper), Paper(paper)) for paper in PAPERS)

    def needs(self, game: str, paper: str) -> Needs:
        """Return what printing a game takes, before anything is printed."""
        with self._drawing:
            if (game, paper) not in self._needs:
                try:
                    takes = needs(self.deck(game), self._mat(game), _size(paper), mat_too=game != games.STANDARD)
                    self._needs[game, paper] = Needs(*takes)
                except (PressError, games.GameError) as error:
                    raise PrintError(said(error)) from None
            return self._needs[game, paper]

    def markers(self, paper: str) -> bytes:
        """Return the one sheet of markers for a table without a mat (PDF)."""
        _size(paper)
        with self._press:
            (made,) = press_markers(self._out("markers", paper), Order(paper=paper))
            return made.read_bytes()

    def order(self, game: str, paper: str) -> None:
        """Begin to print a game's cards, stickers and mat."""
        _size(paper)
        self.deck(game)
        with self._lock:
            if self._papers.get((game, paper), Paper(paper)).state in ("busy", "done"):
                return
            self._papers[game, paper] = Paper(paper, "busy")
        threading.Thread(target=self._work, args=(game, paper), name="press", daemon=True).start()

    def _work(self, game: str, paper: str) -> None:
        """Print in a process of its own: a match that is going on must not wait for it."""
        with self._press:
            try:
                out = self._out(game, paper)
                command = [sys.executable, "-m", "companion", "press", game, "--out", str(out), "--paper", paper]
                if (nice := shutil.which("nice")) is not None:
                    command = [nice, "-n", "10", *command]
                for kind in ("--stickers", "--quick"):
                    asked = [*command, kind]
                    done = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=False)  # noqa: S603
                    if done.returncode:
                        break
                why = done.stderr.strip().rpartition("\n")[2] if done.returncode else ""
                files = () if why else tuple((file.name, file.stat().st_size) for file in sorted(out.glob("*.pdf")))
                made = Paper(paper, "failed" if done.returncode else "done", why, files)
            except (OSError, subprocess.TimeoutExpired) as error:
                made = Paper(paper, "failed", said(error))
        if made.state == "failed":
            log.warning("printing %s on %s failed: %s", game, paper, made.why)
        with self._lock:
            self._papers[game, paper] = made

    def _out(self, game: str, paper: str) -> Path:
        with self._lock:
            return self._temporary() / game / paper

    def _temporary(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="companion-print-")
        return Path(self._folder.name)

    def file(self, game: str, paper: str, name: str) -> bytes:
        """Return a printed file (PDF)."""
        with self._lock:
            made = self._papers.get((game, paper))
        if made is None or made.state != "done" or name not in dict(made.files):
            raise PrintError(t("That is not printed yet: have it made on the page with the cards."))
        return (self._out(game, paper) / name).read_bytes()
