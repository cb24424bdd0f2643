"""Shows the eye photographs of tables, and compares its views with the truth."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np

from benchmarks.table_judge import Judge
from benchmarks.table_truth import Show, Shown, Spot, TablePhoto, complete, geometry, gray_of, load_picture, mat_of
from companion import games
from companion.eye.eye import Eye
from companion.eye.faces.deck import TaughtDeck
from companion.eye.mat import Mat
from companion.eye.overlay import draw
from companion.eye.places import Pose
from companion.eye.view import Frame, Gray
from companion.rules.kernel import AnyGame
from companion.table.factory import face_pictures, make_eye, printed_faces, with_stickers

FPS = 10
"""Frames a second that the eye is shown."""
COLD_S, NEXT_S = 8.0, 5.5
"""Seconds for which the first photograph, and a later one of a sequence, is shown: all of them rest for five."""
COLD_LIMIT, LIMIT = 6.0, 3.0
"""Seconds within which a piece has to be placed: by an eye that sees its first picture, and later."""
NOISE = 2.5
"""Gray levels (standard deviation) of the noise that every frame has of its own."""

COLD, NEXT, BUMPED = "cold", "in sequence", "after a bump"

MakeEye = Callable[[AnyGame, Mat], Eye]


def make_taught_eye(game: AnyGame, mat: Mat) -> Eye:
    """Make an eye that was taught the game's own print without codes, but for cards that have to carry stickers."""
    return make_eye(game, mat, stickered(game.info.name)[0])


@functools.cache
def stickered(name: str) -> tuple[tuple[TaughtDeck, ...], frozenset[str]]:
    """Return a game's decks as they are printed without codes, and the pieces that carry stickers, because nobody can
    tell them apart by their faces.
    """
    game = games.load(name)
    mat = games.load_printed_mat(name, game.info.seats[1])
    return with_stickers(printed_faces(game, mat), face_pictures(game.deck, mat))


class PieceSeen(msgspec.Struct, frozen=True):
    """The result of a visible piece. `seconds` is None if it was not placed in the end; `fresh` if it was not known
    there before; `off` how far (mm) the eye put it in the end, None for nowhere.
    Of a card without codes `shown` says what of it the camera sees; `asked` are the names that the eye offers if it
    asks which card lies there, and `misnamed` what it says lies there instead.
    """

    name: str
    zone: str | None
    px: float
    covered: float
    mirrored: float
    seconds: float | None
    limit: float
    fresh: bool = True
    off: float | None = None
    shown: Shown | None = None
    asked: tuple[str, ...] = ()
    misnamed: tuple[str, ...] = ()

    @property
    def placed(self) -> bool:
        """Whether it was placed in time, and stayed."""
        return self.seconds is not None and self.seconds <= self.limit


class Outcome(msgspec.Struct, frozen=True):
    """The result of one photograph: visible pieces, placements of what is not there, zones said to be empty, zones
    called covered; `free` counts those that nothing hides (None: not told). Times are of the processor, in ms: the
    first frame, a frame in the mean, and all frames until the table was first seen at rest.
    """

    name: str
    photo: TablePhoto
    how: str
    pieces: tuple[PieceSeen, ...]
    wrong: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    free: int | None = None
    first_ms: float = 0.0
    frame_ms: float = 0.0
    look_ms: float = 0.0


class Noise:
    """Makes frames of a photograph: the same picture with other noise each time."""

    def __init__(self, pixels: int, seed: int = 1) -> None:
        self._rng = np.random.default_rng(seed)
        self._spare = 1_000_003
        self._levels = np.rint(self._rng.normal(0, NOISE, pixels + self._spare)).astype(np.int16)

    def frames(self, picture: Gray, count: int) -> Iterator[Gray]:
        """Yield a number of frames of a picture, gray or RGB; the noise of RGB is gray, as cameras smooth colour."""
        levels = picture.astype(np.int16)
        size = picture.shape[0] * picture.shape[1]
        for _ in range(count):
            start = int(self._rng.integers(self._spare))
            noise = self._levels[start : start + size].reshape(picture.shape[:2])
            noisy = levels + (noise if picture.ndim == 2 else noise[..., None])
            yield np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def watch(
    show: Show,
    pictures: Path | None = None,
    make: MakeEye | None = None,
    seconds: tuple[float, float] = (COLD_S, NEXT_S),
) -> list[Outcome]:
    """Show photographs to one new eye, the first and the later ones for so many `seconds`, and judge what it says.

    An eye for cards without codes was taught the game's own print. With `pictures`, what it saw is drawn into that
    folder for every photograph with a failure.

    Raises:
        BenchError: if a photograph or its truth is missing, broken, or of no game that is here.
    """
    cv2.setNumThreads(1)  # as the command line has it
    before = show.photos[0]
    mat, game = mat_of(before), games.load(before.game)
    make = make or (make_eye if before.coded else make_taught_eye)
    book, eye = games.code_book(game.deck, mat), make(game, mat)
    outcomes: list[Outcome] = []
    earlier: dict[str, list[Spot]] = {}
    noise: Noise | None = None
    number = 0
    for told in show.photos:
        picture = load_picture(show, told)
        gray = gray_of(picture)
        noise = noise or Noise(gray.size)
        photo = complete(told, mat, book, geometry(gray, mat))
        seen = eye.view if outcomes else None
        judge = Judge(photo, mat, book, seen, earlier, () if photo.coded else stickered(photo.game)[0])
        spent = _shown(eye, noise.frames(picture, round(seconds[bool(outcomes)] * FPS)), number, judge)
        number += len(spent)
        how = COLD if not outcomes else BUMPED if photo.camera != before.camera else NEXT
        outcome = _outcome(f"{show.name}/{photo.image}", photo, how, judge)
        until = len(spent) if judge.settled is None else 1 + round(judge.settled * FPS)
        times = {"first_ms": spent[0], "frame_ms": sum(spent) / len(spent), "look_ms": sum(spent[:until])}
        outcomes.append(msgspec.structs.replace(outcome, **times))
        if pictures is not None:
            _draw(eye, judge, outcome, pictures)
        for piece in photo.pieces or ():
            earlier.setdefault(piece.piece, []).append((piece.x, piece.y))
        before = photo
    return outcomes


def _shown(eye: Eye, frames: Iterable[Gray], number: int, judge: Judge) -> list[float]:
    """Show frames to the eye, numbered on from `number`, and return the processor time (ms) that each took."""
    spent = []
    for tick, picture in enumerate(frames):
        colour = picture if picture.ndim == 3 else None
        frame = Frame(gray_of(picture), (number + tick) / FPS, number + tick, colour)
        began = time.process_time()
        eye.see(frame)
        spent.append((time.process_time() - began) * 1000)
        judge.see(eye.view, tick / FPS)
    judge.doubts = eye.doubts
    judge.done()
    return spent


def _outcome(name: str, photo: TablePhoto, how: str, judge: Judge) -> Outcome:
    pieces = []
    for index, piece in enumerate(judge.pieces):
        side = piece.shown or piece.clearest
        pieces.append(
            PieceSeen(
                f"{piece.piece} {piece.face}",
                piece.zone,
                photo.px_per_mm if isinstance(side, Shown) else side.px,
                side.covered,
                side.mirrored,
                judge.since.get(index),
                COLD_LIMIT if how == COLD else LIMIT,
                index not in judge.held or judge.since.get(index) != 0.0,
                judge.off(piece),
                piece.shown,
                judge.asked(piece),
                judge.misnamed(piece),
            )
        )
    free = judge.free()
    return Outcome(
        name,
        photo,
        how,
        tuple(pieces),
        tuple(judge.wrong),
        tuple(sorted(judge.empty)),
        tuple(sorted(judge.covered & free)) if free is not None else (),
        len(free) if free is not None else None,
    )


def _draw(eye: Eye, judge: Judge, outcome: Outcome, folder: Path) -> None:
    """Draw what the eye saw, with what it missed (red) and what is not there (violet), if there is anything."""
    marks = []
    for piece, seen in zip(judge.pieces, outcome.pieces, strict=True):
        if not seen.placed:
            shape = eye.book.shapes[piece.piece]
            marks.append((Pose(piece.x, piece.y, piece.rotation).outline(shape), f"missed {seen.name}", (255, 60, 60)))
    for name, at in judge.wrong.items():
        outline = Pose(at.x, at.y, at.rotation).outline(eye.book.shapes[at.piece])
        marks.append((outline, f"wrong {name}", (255, 120, 255)))
    if eye.frame is None or not (marks or outcome.empty or outcome.covered):
        return
    picture = draw(eye, width=min(1920, eye.frame.gray.shape[1]), marks=marks)
    if picture is not None:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{outcome.name.rpartition('.')[0].replace('/', '-')}.png"
        cv2.imwrite(str(file), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
