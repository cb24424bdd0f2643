"""Shows the eye photographs of tables, and compares its views with the truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion import games
from companion.bench.development.table_truth import (
    Show,
    Spot,
    TablePhoto,
    TruePiece,
    complete,
    geometry,
    load_gray,
    mat_of,
    side_of,
    zone_at,
)
from companion.codes import parse
from companion.eye.deck_reader import DeckReader
from companion.eye.eye import Eye
from companion.eye.geometry import Calibration
from companion.eye.mat import Mat
from companion.eye.overlay import draw
from companion.eye.places import CodeBook, Pose
from companion.eye.reader import Hints, LibraryReader, read_zbar
from companion.eye.symbol import SIDE
from companion.eye.view import Frame, Gray, Placement, Sighting, TableView
from companion.rules.kernel import AnyGame
from companion.table.factory import make_eye

FPS = 10
"""Frames a second that the eye is shown."""
COLD_S, NEXT_S = 8.0, 5.5
"""Seconds for which the first photograph, and a later one of a sequence, is shown: all of them rest for five."""
COLD_LIMIT, LIMIT = 6.0, 3.0
"""Seconds within which a piece has to be placed: by an eye that sees its first picture, and later."""
RESTED_S = 5.0
"""Seconds of rest after which no zone that nothing hides may count as covered."""
NOISE = 2.5
"""Gray levels (standard deviation) of the noise that every frame has of its own."""
NEAR_MM = 5.0
"""A piece is placed if the eye puts it no further from where it lies."""
ELSEWHERE_MM = 25.0
"""Beyond this a placement is no inexact one: it says that something lies where it doesn't."""

COLD, NEXT, BUMPED = "cold", "in sequence", "after a bump"
DECK, ZXING, ZBAR = "deck", "zxing-cpp", "pyzbar"

MakeEye = Callable[[AnyGame, Mat], Eye]


class PieceSeen(msgspec.Struct, frozen=True):
    """The result of a visible piece. `seconds` is None if it was not placed in the end; `fresh` if it was not known
    there before; `off` how far (mm) the eye put it in the end, None for nowhere. `read` names readers that found it.
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
    read: frozenset[str] = frozenset()

    @property
    def placed(self) -> bool:
        """Whether it was placed in time, and stayed."""
        return self.seconds is not None and self.seconds <= self.limit


class Outcome(msgspec.Struct, frozen=True):
    """The result of one photograph: visible pieces, placements of what is not there, zones said to be empty, zones
    called covered; `free` counts those that nothing hides (None: not told). Times are of the processor, in ms.
    """

    name: str
    photo: TablePhoto
    how: str
    pieces: tuple[PieceSeen, ...]
    wrong: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    free: int | None = None
    misread: Mapping[str, int] = {}
    first_ms: float = 0.0
    frame_ms: float = 0.0


class Judge:
    """Judges the eye's views while one photograph is shown."""

    def __init__(
        self, photo: TablePhoto, mat: Mat, book: CodeBook, before: TableView | None, earlier: Mapping[str, list[Spot]]
    ) -> None:
        """Create it with the last view `before` this photograph, and where pieces lay earlier in the sequence."""
        self._mat, self._book, self._photo = mat, book, photo
        self._every = photo.pieces or ()
        # Of equal pieces on one place (a deck's backs) the visible one takes the placement.
        self.pieces = [piece for piece in self._every if piece.visible]
        self._earlier = earlier
        self.wrong: dict[str, Placement] = {}
        self.empty: set[str] = set()
        self.covered: set[str] = set()
        self.held = frozenset(self._matched(before.placements)) if before is not None else frozenset()
        self.since: dict[int, float] = dict.fromkeys(self.held, 0.0)
        self._last = before

    def see(self, view: TableView | None, seconds: float) -> None:
        """Process the eye's view, this many seconds after the photograph was first shown."""
        if seconds >= RESTED_S:
            self.covered |= {zone.name for zone in self._mat.zones} if view is None else view.covered
        if view is None or view is self._last:
            return
        self._last = view
        placed = self._matched(view.placements)
        for index in range(len(self.pieces)):
            if index in placed:
                self.since.setdefault(index, seconds)
            else:
                self.since.pop(index, None)
        self._find_wrong(view, settled=view.settled)
        if view.settled:
            self.empty |= self._emptied(view)

    def done(self) -> None:
        """Judge the last view as if it were settled."""
        if self._last is None:
            return
        self._find_wrong(self._last, settled=True)
        self.empty |= self._emptied(self._last)

    def free(self) -> set[str] | None:
        """Return the zones of which nothing is hidden, None if the truth doesn't tell.

        A zone with a piece that shows without a visible code is none of them: the eye can't say what it is.
        """
        hidden = self._photo.hidden
        if hidden is None:
            return None
        unclear = {piece.zone for piece in self._every if piece.peeps}
        return {
            zone.name
            for zone in self._mat.zones
            if zone.kind != "tray" and not hidden.get(zone.name) and zone.name not in unclear
        }

    def off(self, piece: TruePiece) -> float | None:
        """Return how far (mm) the eye's last view puts a piece."""
        placements = self._last.placements if self._last is not None else ()
        return min((piece.off(placement) for placement in placements if self._same(piece, placement)), default=None)

    def _same(self, piece: TruePiece, at: Placement) -> bool:
        if piece.piece != at.piece:
            return False
        shape = self._book.shapes[piece.piece]
        return side_of(shape, piece.face) in {side_of(shape, face) for face in at.faces}

    def _matched(self, placements: Iterable[Placement]) -> set[int]:
        """Return the numbers of the pieces that are placed where they lie; a placement is one piece's only."""
        pairs = sorted(
            (off, index, number)
            for index, piece in enumerate(self.pieces)
            for number, at in enumerate(placements)
            if self._same(piece, at) and (off := piece.off(at)) <= NEAR_MM
        )
        placed: set[int] = set()
        used: set[int] = set()
        for _, index, number in pairs:
            if index not in placed and number not in used:
                placed.add(index)
                used.add(number)
        return placed

    def _find_wrong(self, view: TableView, settled: bool) -> None:
        for at in view.placements:
            if any(self._same(piece, at) and piece.off(at) <= ELSEWHERE_MM for piece in self._every):
                continue
            lay = any(np.hypot(x - at.x, y - at.y) <= ELSEWHERE_MM for x, y in self._earlier.get(at.piece, []))
            # What lay there earlier goes from the view once its place is seen without it.
            if lay and (not settled or at.zone in view.covered):
                continue
            self.wrong.setdefault(f"{at.piece} {'/'.join(sorted(at.faces))} in {at.zone}", at)

    def _emptied(self, view: TableView) -> set[str]:
        """Return the zones in which a view has nothing, not even that something is covered, though a visible piece lies
        well inside.
        """
        taken = {at.zone for at in view.placements} | view.covered
        return {
            piece.zone
            for piece in self.pieces
            if piece.zone is not None and piece.zone not in taken and self._deep(piece)
        }

    def _deep(self, piece: TruePiece) -> bool:
        """Whether a piece lies so far inside its zone that a placement of it can't be beyond the zone's edge."""
        return all(
            zone_at(self._mat, x + dx, y + dy) == piece.zone
            for x, y in piece.spots or ((piece.x, piece.y),)
            for dx in (-NEAR_MM, NEAR_MM)
            for dy in (-NEAR_MM, NEAR_MM)
        )


class Noise:
    """Makes frames of a photograph: the same picture with other noise each time."""

    def __init__(self, pixels: int, seed: int = 1) -> None:
        """Create it for pictures of a size."""
        self._rng = np.random.default_rng(seed)
        self._spare = 1_000_003
        self._levels = np.rint(self._rng.normal(0, NOISE, pixels + self._spare)).astype(np.int16)

    def frames(self, gray: Gray, count: int) -> Iterator[Gray]:
        """Yield a number of frames of a picture."""
        levels = gray.astype(np.int16)
        for _ in range(count):
            start = int(self._rng.integers(self._spare))
            noise = self._levels[start : start + gray.size].reshape(gray.shape)
            yield np.asarray(np.clip(levels + noise, 0, 255), dtype=np.uint8)


def watch(
    show: Show,
    eye_only: bool = False,
    pictures: Path | None = None,
    make: MakeEye = make_eye,
    seconds: tuple[float, float] = (COLD_S, NEXT_S),
) -> list[Outcome]:
    """Show photographs to one new eye, the first and the later ones for so many `seconds`, and judge what it says.

    With `pictures`, what it saw is drawn into that folder for every photograph with a failure.

    Raises:
        BenchError: if a photograph or its truth is missing, broken, or of no game that is here.
    """
    cv2.setNumThreads(1)  # as the command line has it
    before = show.photos[0]
    mat, game = mat_of(before), games.load(before.game)
    book, eye = games.code_book(game.deck, mat), make(game, mat)
    outcomes: list[Outcome] = []
    earlier: dict[str, list[Spot]] = {}
    noise: Noise | None = None
    number = 0
    for told in show.photos:
        gray = load_gray(show, told)
        noise = noise or Noise(gray.size)
        calibration = geometry(gray, mat)
        photo = complete(told, mat, book, calibration)
        judge = Judge(photo, mat, book, eye.view if outcomes else None, earlier)
        spent = _shown(eye, noise.frames(gray, round(seconds[bool(outcomes)] * FPS)), number, judge)
        number += len(spent)
        how = COLD if not outcomes else BUMPED if photo.camera != before.camera else NEXT
        read, misread = ({}, {}) if eye_only else read_alone(gray, photo, mat, book, calibration)
        outcome = _outcome(f"{show.name}/{photo.image}", photo, how, judge, read)
        times = {"first_ms": spent[0], "frame_ms": sum(spent) / len(spent)}
        outcomes.append(msgspec.structs.replace(outcome, misread=misread, **times))
        if pictures is not None:
            _draw(eye, judge, outcome, pictures)
        for piece in photo.pieces or ():
            earlier.setdefault(piece.piece, []).append((piece.x, piece.y))
        before = photo
    return outcomes


def _shown(eye: Eye, frames: Iterable[Gray], number: int, judge: Judge) -> list[float]:
    """Show frames to the eye, numbered on from `number`, and return the processor time (ms) that each took."""
    spent = []
    for tick, gray in enumerate(frames):
        began = time.process_time()
        eye.see(Frame(gray, (number + tick) / FPS, number + tick))
        spent.append((time.process_time() - began) * 1000)
        judge.see(eye.view, tick / FPS)
    judge.done()
    return spent


def _outcome(name: str, photo: TablePhoto, how: str, judge: Judge, read: Mapping[str, Collection[int]]) -> Outcome:
    pieces = []
    for index, piece in enumerate(judge.pieces):
        code = piece.clearest
        pieces.append(
            PieceSeen(
                f"{piece.piece} {piece.face}",
                piece.zone,
                code.px,
                code.covered,
                code.mirrored,
                judge.since.get(index),
                COLD_LIMIT if how == COLD else LIMIT,
                index not in judge.held or judge.since.get(index) != 0.0,
                judge.off(piece),
                frozenset(name for name, found in read.items() if index in found),
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


def read_alone(
    gray: Gray, photo: TablePhoto, mat: Mat, book: CodeBook, calibration: Calibration | None
) -> tuple[dict[str, set[int]], dict[str, int]]:
    """Return what each reader finds in the whole picture, read once.

    That is the visible pieces, by number, and how many codes of this deck it reads where they are not. The
    deck's reader is given the calibration, and reads nothing without.
    """
    found: dict[str, list[Sighting]] = {
        DECK: read_deck(gray, mat, book, calibration) if calibration is not None else [],
        ZXING: LibraryReader(zbar=False).read(gray, Hints(thorough=True)),
        ZBAR: read_zbar(gray),
    }
    every = [(piece, code) for piece in photo.pieces or () for code in piece.codes]
    visible = {id(piece): index for index, piece in enumerate(card for card in photo.pieces or () if card.visible)}
    read: dict[str, set[int]] = {}
    misread: dict[str, int] = {}
    for name, sightings in found.items():
        read[name], misread[name] = set(), 0
        for seen in sightings:
            x, y = np.mean(seen.corners, axis=0)
            there = [
                piece
                for piece, code in every
                if code.payload == seen.payload
                and np.hypot(x - code.middle[0], y - code.middle[1]) < code.module * SIDE / 2
            ]
            read[name] |= {visible[id(piece)] for piece in there if id(piece) in visible}
            code = parse(seen.payload)
            misread[name] += not there and code is not None and code.game == book.letters
    return read, misread


def read_deck(gray: Gray, mat: Mat, book: CodeBook, calibration: Calibration) -> list[Sighting]:
    """Read a whole picture with the reader that knows the deck, thoroughly, once for every size of codes."""
    wide, high = gray.shape[1], gray.shape[0]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float32)
    mm = cv2.getPerspectiveTransform(corners, calibration.to_mm(corners).astype(np.float32))
    reader, found = DeckReader(), []
    for size, payloads in book.payloads_by_size().items():
        side = size / SIDE
        plane = mm.astype(np.float64) * np.array([[1 / side], [1 / side], [1.0]])
        module = calibration.px_per_mm(mat.w / 2, mat.h / 2) * side
        found += reader.read(gray, Hints(module=module, plane=plane, payloads=payloads, thorough=True))
    return found
