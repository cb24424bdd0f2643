"""What the pages need of a table's camera and of a game's printed things: a `Sight` and `Prints`.

Words are for people; seats in them are "@2" until somebody's names are put in.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from companion.eye.aiming import Aim
from companion.eye.loose import Layout
from companion.eye.mat import Marker, Rect
from companion.eye.quality import Quality
from companion.rules.cards import Deck, Piece


class SightError(LookupError):
    """Something that can't be done with the camera or the board; the message is a sentence for people."""


class PrintError(LookupError):
    """Something that can't be printed; the message is a sentence for people."""


class Lies(msgspec.Struct, frozen=True):
    """Something that is known to lie on the mat: what, where in words, and its middle (mm).

    `how` is "seen", "covered" (known to lie there) or "told" by somebody; then `n` is the number of what was told.
    """

    title: str
    zone: str
    x: float
    y: float
    how: str
    n: int = 0


class Look(msgspec.Struct, frozen=True):
    """What the camera sees at a moment: how well, what lies where, and zones of which something hides a part.

    `told` is what people told of places where nothing lies; `ignored` counts codes that are none of this deck.
    """

    quality: Quality
    lies: tuple[Lies, ...]
    told: tuple[Lies, ...]
    covered: tuple[str, ...]
    troubles: tuple[str, ...]
    ignored: int


class Doubt(msgspec.Struct, frozen=True):
    """A card that shows and is not sure: its middle (mm), the zone in words, and what it most likely is: pieces with
    their titles, the likeliest first.
    """

    x: float
    y: float
    zone: str
    likely: tuple[tuple[Piece, str], ...]


class Spot(msgspec.Struct, frozen=True):
    """A place that was pointed at (mm): what is believed to lie there (None: nothing), and the zones that are nearest.

    `piece` is empty for a face-down card. `can_flip` says whether it could lie face down.
    """

    x: float
    y: float
    lies: Lies | None
    piece: Piece
    zones: tuple[str, ...]
    can_flip: bool = True


class Read(msgspec.Struct, frozen=True):
    """A card before the camera, and where in the picture in words; how surely it is that one (`sure`: 1 is just enough,
    0 if only a general reader can read it), and how many pixels a module of its code has.
    """

    piece: Piece
    title: str
    where: str
    sure: float
    module: float


class PlanZone(msgspec.Struct, frozen=True):
    """A zone of a board or mat: its name, what people call it (seats as "@2"), its rectangle (mm), and how its cards
    are turned (degrees clockwise).
    """

    name: str
    words: str
    x: float
    y: float
    w: float
    h: float
    rotation: float


class Plan(msgspec.Struct, frozen=True):
    """A board for a number of seats: its size (mm), zones and markers. `own`: it differs from the printed mat.

    `print` names which print lies on the table, as `companion.eye.mat.PRINTS` does.
    """

    game: str
    seats: int
    w: float
    h: float
    zones: tuple[PlanZone, ...]
    markers: tuple[Marker, ...]
    own: bool = False
    print: str = "colours"


class TaughtCard(msgspec.Struct, frozen=True):
    """A card's face, by a piece that shows it, the side of that piece, and what people call it."""

    piece: Piece
    side: str
    name: str


class Told(msgspec.Struct, frozen=True):
    """What became of a card that was shown, in words; `taken`: it has been taught, by the name that the words say."""

    taken: bool
    words: str


class LessonState(msgspec.Struct, frozen=True):
    """What has been taught of a deck, and what is missing, in its order; names of faces that can't be told apart.

    `ready`: the empty mat has been seen, and cards may come. `names`: all faces, taught or not.
    """

    deck: str
    title: str
    taught: tuple[TaughtCard, ...]
    missing: tuple[TaughtCard, ...]
    alike: tuple[tuple[str, ...], ...]
    ready: bool
    names: tuple[TaughtCard, ...] = ()
    broken: tuple[tuple[str, str], ...] = ()
    """Decks that can't be loaded: their names, and why."""
    close: tuple[tuple[str, ...], ...] = ()
    """Pairs of faces that are asked about, and not named, where they don't show plainly in gray."""
    lends: str = ""
    """"may" where a simulated table can lend the cards, "lent" while it does."""


class Teacher(Protocol):
    """Teaches the faces of a game's cards before the table's camera. Every method may be called from any thread, and
    raises a SightError with a sentence for people if it can't be done: the disk is full, the file is damaged.
    """

    def state(self) -> LessonState:
        """Return what has been taught, and what comes next."""

    def show(self, first: str = "") -> tuple[Told, ...]:
        """Take what lies there now: the empty mat at first, then cards, from the piece `first` on."""

    def lend(self, first: str, most: int) -> None:
        """Clear a simulated table, or lay so many missing cards on it, from the piece `first` on."""

    def give_back(self) -> None:
        """Lay its match as it lay."""

    def begin_anew(self) -> None:
        """Ask for the empty mat anew; what was taught stays."""

    def take_back(self, piece: Piece, side: str) -> None:
        """Forget a card's face."""

    def rename(self, piece: Piece, side: str, to: Piece) -> str:
        """Make a taught face another card's, and that one's this card's; return the other card's name."""

    def face(self, piece: Piece, side: str) -> bytes | None:
        """Return the picture of a face that was taught (PNG)."""

    def exported(self) -> bytes:
        """Return the deck as one file."""

    def take_in(self, data: bytes) -> None:
        """Take a deck from a file in the place of what was taught here."""

    def remove(self, deck: str) -> None:
        """Delete a deck by its name."""


class Sight(Protocol):
    """A table's camera and what the eye makes of its pictures. Every method may be called from any thread, and raises a
    SightError if it can't be done: a place is not on the mat, a card can't lie there, a file can't be read or kept.
    """

    teacher: Teacher

    def look(self) -> Look | None:
        """Return what the camera sees and how well; None while it gives no picture."""

    def picture(self) -> bytes | None:
        """Return the camera's picture with what the eye sees drawn in and named (JPEG)."""

    def board(self) -> bytes | None:
        """Return the mat as seen from straight above (JPEG); None while nobody knows where it is."""

    def doubts(self) -> tuple[Doubt, ...]:
        """Return the cards that have to be asked about. Who tells what lies there teaches the card's face, too."""

    def doubt_picture(self, x: float, y: float) -> bytes | None:
        """Return a picture (JPEG) of the card at a place that has to be asked about."""

    def at_picture(self, u: float, v: float) -> Spot:
        """Return what lies at a place of the picture, given as shares (0 to 1) of its width and height."""

    def at(self, x: float, y: float) -> Spot:
        """Return what lies at a place of the mat (mm)."""

    def tell(self, x: float, y: float, what: str, piece: Piece = "") -> str:
        """Take what lies at a place (mm): `what` is "is" (with a piece), "down" or "nothing". Return it in words."""

    def forget(self, n: int) -> bool:
        """Forget what was told under a number; False if it no longer counts."""

    def reads(self) -> tuple[Read, ...] | None:
        """Return which cards are read now, and how surely; None while there is no picture."""

    def plan(self) -> Plan:
        """Return the board as the next match will find it."""

    def printed(self) -> Plan:
        """Return the printed mat."""

    def lay(self, plan: Plan) -> list[tuple[str, str]]:
        """Keep a board for the next match, unless something is wrong: then give the zones and sentences, as
        `companion.games.custom_board.wrong` does.
        """


class BareService(Protocol):
    """A table without a mat. What can't be done raises a SightError; what was done is returned as a sentence."""

    def layout(self) -> tuple[Layout, Rect] | None:
        """Return where the markers lie, and what is free between them; None if there is a mat."""

    def emptied(self) -> bool:
        """Whether there is a picture of the empty table."""

    def measure(self, ruler: float) -> str:
        """Measure where the markers lie; `ruler` is how long (mm) the sheet's line of 100 mm is on paper."""

    def empty(self) -> str:
        """Keep what the table looks like with nothing on it."""

    def forget(self) -> str:
        """Play on printed mats again."""


class AimService(Protocol):
    """The camera while no match looks through it. Every method may be called from any thread."""

    @property
    def bare(self) -> BareService:
        """What measures a table without a mat."""

    def aim(self) -> Aim | None:
        """Return what the camera sees, and how well; None while it gives no picture."""

    def picture(self) -> bytes | None:
        """Return its picture (JPEG) with the outline of the mat or of markers."""


class Paper(msgspec.Struct, frozen=True):
    """What became of printing on one kind of paper: "no", "busy", "done" or "failed", and why; the files that are there
    (name, bytes).
    """

    name: str
    state: str = "no"
    why: str = ""
    files: tuple[tuple[str, int], ...] = ()


class Needs(msgspec.Struct, frozen=True):
    """About what printing a game takes: sheets of its cards (on both sides) and its mat, ml of ink, minutes."""

    cards: int
    mat: int
    cards_ink: float
    mat_ink: float
    minutes: int


WIDTHS = (96, 160, 339)
"""Pixels across a face on the drawn table: on a whole mat, on a part of it, and large."""


class Prints(Protocol):
    """The games' cards as they are printed. Every method may be called from any thread, and raises a PrintError if
    there is no such game, piece, paper or file.
    """

    def games(self) -> tuple[tuple[str, str], ...]:
        """List what has cards to print: name and title."""

    def deck(self, game: str) -> Deck:
        """Return a game's deck."""

    def face(self, game: str, piece: Piece) -> bytes:
        """Return the picture (WebP) of a piece's face; "000" for the back."""

    def small_face(self, game: str, piece: Piece, width: int = 0) -> bytes:
        """Return the picture (WebP) of a face as pages show it, without its code; "000" for the back.

        It is `width` px wide (one of WIDTHS), or (0) as large as `small_size` says.
        """

    def small_size(self, game: str, kind: str) -> tuple[int, int] | None:
        """Return width and height (px) of the small faces of a kind of piece; None if the game has none to print."""

    def cover(self, game: str) -> bytes:
        """Return the picture (WebP) of a game's box, which is square."""

    def papers(self, game: str) -> tuple[Paper, ...]:
        """Return what is printed of a game, for each kind of paper."""

    def needs(self, game: str, paper: str) -> Needs:
        """Return what printing a game takes, before anything is printed."""

    def markers(self, paper: str) -> bytes:
        """Return the one sheet of markers for a table without a mat (PDF)."""

    def order(self, game: str, paper: str) -> None:
        """Begin to print a game's cards, stickers and mat; nothing happens if that is done or under way."""

    def file(self, game: str, paper: str, name: str) -> bytes:
        """Return a printed file (PDF)."""
