"""Reads the codes in picture files: what `companion read` prints."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.codes import parse
from companion.eye.deck_reader import DeckReader
from companion.eye.geometry import Calibration, MarkerFinder, calibrate
from companion.eye.mat import Mat
from companion.eye.pictures import PictureError, load
from companion.eye.places import CodeBook, Pose, code_poses, find_pieces
from companion.eye.reader import Hints, LibraryReader, libraries, merged, moved, quad, read_zbar
from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Sighting
from companion.untyped import JsonObject

DECK, LIBRARIES, ALL = "deck", "libraries", "all"
READERS = (DECK, "zxing-cpp", "pyzbar", LIBRARIES, ALL)
"""Names of readers: the one that knows the deck, one of the general libraries, both libraries, or all of them."""

SMALLEST, LARGEST = 1.25, 40.0
"""Pixels a module between which codes are looked for in a picture without a mat, as far as they fit in it."""

STEP = 1.2
"""Between two sizes of modules that are looked for: a code a tenth larger or smaller is still found."""

SLANTS = ((1.0, 1.0), (1.0, 0.82), (0.82, 1.0))
"""How much smaller things may look across and upwards there: from straight above, and from 35 degrees off."""

NEAREST, WIDE, PARTS = 3, 4, 5
"""Codes that say how large others near them are; fewest codes across a part read at one slant; most parts of a side."""

ALIKE = 0.05
"""Sizes of modules that differ by less than this share are one."""

FITS = 0.12
"""By what share a code that is read may seem larger or smaller than it is printed."""

BEND = 0.01
"""By what share of its diagonal the middle of a picture's part may lie elsewhere on the mat than without the lens."""

LEAST_PART = 240
"""Pixels along the shorter side of a part of the picture, below which a bent lens is no matter."""


class ReadError(ValueError):
    """A reader that is not there; the message is a sentence that says what to do."""


class Deck(msgspec.Struct, frozen=True):
    """A game's mat and codes, as one print of them has them."""

    mat: Mat
    book: CodeBook


class ImageReader:
    """Reads pictures of one game's table, or of any cards if no deck is known."""

    def __init__(self, decks: Sequence[Deck] = (), reader: str | None = None) -> None:
        """Create it with one of READERS, by default all of them for decks, else the libraries.

        `decks` are the prints of one game that may lie on the table; where the mat shows, code sizes tell which.

        Raises:
            ReadError: if there is no such reader, it is not installed, or it needs a deck.
        """
        self._decks = tuple(decks)
        self._which = reader or (ALL if decks else LIBRARIES)
        if self._which not in READERS:
            raise ReadError(f"there is no reader called {reader}; there are: {', '.join(READERS)}")
        if self._which == DECK and not decks:
            raise ReadError("the deck's reader has to know whose deck it is: name the game with --game")
        if not libraries().get(self._which, True):
            raise ReadError(f"{self._which} is not installed here, or doesn't work; `companion doctor` says more")
        self._letters = decks[0].book.letters if decks else None
        self._deck = DeckReader()
        self._finder = MarkerFinder(decks[0].mat) if decks else None

    def read(self, path: Path | str) -> JsonObject:
        """Return every code of ours in a picture file.

        Returns:
            `{"image", "sightings": [{"code", "piece", "face", "corners": [[x, y] × 4], "reader"}], "ignored", "ms"}`,
            where corners are pixels, top left as the code is printed and then clockwise, and `ignored` counts codes
            that are none of ours (or of another deck). With a deck also `"markers"`, how many of the mat's are seen,
            and, if they suffice, `"pieces": [{"piece", "name", "faces", "zone", "x", "y", "rotation"}]` in mm and
            degrees. Or `{"image", "error"}` with a sentence.
        """
        try:
            gray, _ = load(Path(path))
        except PictureError as error:
            return {"image": str(path), "error": str(error)}
        return self.read_picture(gray, str(path))

    def read_picture(self, gray: Gray, name: str) -> JsonObject:
        """Return every code of ours in a picture called `name`, as `read` does."""
        started = time.perf_counter()
        calibration = self._calibrate(gray)
        kept: list[Sighting] = []
        sightings, ignored = [], 0
        for seen in sorted(self._found(gray, calibration), key=lambda seen: (seen.payload, seen.corners)):
            code = parse(seen.payload)
            if code is None or (self._letters is not None and code.game != self._letters):
                ignored += 1
                continue
            kept.append(seen)
            corners = [[round(x, 2), round(y, 2)] for x, y in seen.corners]
            sightings.append(
                {
                    "code": seen.payload,
                    "piece": code.piece,
                    "face": code.face,
                    "corners": corners,
                    "reader": seen.reader,
                }
            )
        answer: JsonObject = {"image": name, "sightings": sightings}
        if self._decks:
            answer["markers"] = len(calibration.markers) if calibration is not None else 0
        if calibration is not None:
            answer["pieces"] = self._pieces(kept, calibration)
        ms = round((time.perf_counter() - started) * 1000, 1)
        return {**answer, "ignored": ignored, "ms": ms}

    def _calibrate(self, gray: Gray) -> Calibration | None:
        if self._finder is None:
            return None
        return calibrate(self._finder.find(gray), self._decks[0].mat, (gray.shape[1], gray.shape[0]))

    def _found(self, gray: Gray, calibration: Calibration | None) -> list[Sighting]:
        """Return what the chosen readers read; a code that several read is credited to the deck's reader."""
        general: list[Sighting] = []
        if self._which == "pyzbar":
            general = read_zbar(gray)
        elif self._which != DECK:
            general = LibraryReader(zbar=self._which != "zxing-cpp").read(gray, Hints(thorough=True))
        if self._which not in (DECK, ALL):
            return general
        if calibration is not None:
            return merged([*self._on_the_mat(gray, calibration), *general])
        # The libraries tell how large codes are even where they are not asked what the codes say.
        return merged([*self._of_any_size(gray, general or LibraryReader().read(gray)), *general])

    def _on_the_mat(self, gray: Gray, calibration: Calibration) -> list[Sighting]:
        """Read with the deck's reader, told how the camera sees the mat, at one print's code sizes or another's."""
        for deck in self._decks:
            sizes = deck.book.payloads_by_size()
            found: list[Sighting] = []
            for part in _straight(calibration, (0, 0, gray.shape[1], gray.shape[0])):
                left, top, right, low = _grown(part, calibration, max(sizes), gray.shape)
                mm = _homography(calibration, (left, top, right, low))
                crop = gray[top:low, left:right]
                for size, payloads in sizes.items():
                    plane = mm * np.array([[SIDE / size], [SIDE / size], [1.0]])
                    hints = Hints(_module(plane, crop.shape), plane, payloads, thorough=True)
                    found += moved(self._deck.read(crop, hints), left, top)
            if found:
                return merged(found)
        return []

    def _pieces(self, sightings: Sequence[Sighting], calibration: Calibration) -> list[JsonObject]:
        """Return what lies where, by the print whose codes are as large as those that were read."""
        sides = [pose[3] for pose in code_poses(sightings, calibration)]

        def fitting(deck: Deck) -> int:
            sizes = deck.book.payloads_by_size()
            return sum(
                any(seen.payload in payloads and abs(side / size - 1) < FITS for size, payloads in sizes.items())
                for seen, side in zip(sightings, sides, strict=True)
            )

        deck = max(self._decks, key=fitting)

        def upright(piece: str, pose: Pose) -> float:
            zone = deck.mat.zone_at(pose.x, pose.y)
            return zone.rotation if zone is not None else 0.0

        found, _ = find_pieces(sightings, deck.book, calibration, upright)
        return [
            {
                "piece": seen.piece,
                "name": deck.book.words(seen.piece),
                "faces": sorted({deck.book.shapes[seen.piece].codes[index].face for index in seen.codes}),
                "zone": zone.name if (zone := deck.mat.zone_at(seen.lies.x, seen.lies.y)) is not None else None,
                "x": round(seen.lies.x, 1),
                "y": round(seen.lies.y, 1),
                "rotation": round(seen.lies.rotation, 1) % 360,
            }
            for seen in sorted(found, key=lambda seen: (seen.piece, seen.lies.x, seen.lies.y))
        ]

    def _of_any_size(self, gray: Gray, general: Sequence[Sighting]) -> list[Sighting]:
        """Read with the deck's reader where nothing says how large codes are, nor from where the camera looks.

        Codes that others read say it, else sizes and slants are tried; then codes near those found are looked for.
        """
        payloads = frozenset().union(*(deck.book.payloads() for deck in self._decks))
        found = [seen for seen in general if seen.payload in payloads] or self._first(gray, payloads)
        before = 0
        while len(found) > before:
            before = len(found)
            found = merged([*self._among(gray, found), *found])
        return [seen for seen in found if seen.reader == DECK]

    def _first(self, gray: Gray, payloads: frozenset[str]) -> list[Sighting]:
        for squeezed in SLANTS:
            module = SMALLEST
            while module < min(LARGEST, min(gray.shape) / SIDE) * STEP:
                plane = np.diag([1 / module / squeezed[0], 1 / module / squeezed[1], 1.0])
                found = self._deck.read(gray, Hints(module, plane, payloads, thorough=True))
                if found:
                    return found
                module *= STEP
        return []

    def _among(self, gray: Gray, found: Sequence[Sighting]) -> list[Sighting]:
        """Read every part of a picture with the slant of the nearest codes that were found."""
        middles = np.array([quad(seen).mean(axis=0) for seen in found])
        again: list[Sighting] = []
        for part in _parts(gray.shape, _side(found)):
            left, top, right, low = part
            away = np.linalg.norm(middles - ((left + right) / 2, (top + low) / 2), axis=1)
            near = [found[index] for index in np.argsort(away)[:NEAREST]]
            crop, tried = gray[top:low, left:right], list[float]()
            for deck in self._decks:
                slant = _slant(near, deck.book)
                for size, payloads in deck.book.payloads_by_size().items():
                    plane = slant * np.array([[SIDE / size], [SIDE / size], [1.0]])
                    module = _module(plane, crop.shape)
                    if all(abs(module / other - 1) > ALIKE for other in tried):
                        tried.append(module)
                        again += moved(self._deck.read(crop, Hints(module, plane, payloads, thorough=True)), left, top)
        return again


Part = tuple[int, int, int, int]
"""A part of a picture (px): left, top, right and low, the last two excluded."""


def _straight(calibration: Calibration, part: Part) -> Iterator[Part]:
    """Yield parts of a picture so small that the lens bends nothing within them that matters."""
    left, top, right, low = part
    wide, high = right - left, low - top
    corners = calibration.to_mm([(left, top), (right, top), (right, low), (left, low)])
    middle = np.array([[wide / 2, high / 2, 1.0]]) @ _homography(calibration, part).T
    bend = np.linalg.norm(middle[0, :2] / middle[0, 2] - calibration.to_mm([(left + wide / 2, top + high / 2)])[0])
    if bend < BEND * np.linalg.norm(corners[2] - corners[0]) or min(wide, high) < 2 * LEAST_PART:
        yield part
        return
    for x in (left, left + wide // 2):
        for y in (top, top + high // 2):
            yield from _straight(calibration, (x, y, x + (wide + 1) // 2, y + (high + 1) // 2))


def _parts(shape: tuple[int, ...], code: float) -> Iterator[Part]:
    """Yield the parts of a picture without a mat, which overlap by half: each a few codes (px) wide and high."""
    high, wide = shape
    across, down = (min(PARTS, max(1, round(side / (WIDE * code)))) for side in (wide, high))
    for column in range(across):
        for row in range(down):
            left, top = wide * column // (across + 1), high * row // (down + 1)
            yield left, top, wide * (column + 2) // (across + 1), high * (row + 2) // (down + 1)


def _grown(part: Part, calibration: Calibration, size: float, shape: tuple[int, ...]) -> Part:
    """Return a part with so much round it that no code (mm) on its edge is cut."""
    left, top, right, low = part
    x, y = calibration.to_mm([((left + right) / 2, (top + low) / 2)])[0]
    reach = round(1.5 * size * calibration.px_per_mm(float(x), float(y)))
    return max(0, left - reach), max(0, top - reach), min(shape[1], right + reach), min(shape[0], low + reach)


def _homography(calibration: Calibration, part: Part) -> npt.NDArray[np.float64]:
    """Return the homography, shape (3, 3), from a part of the picture to the mat (mm)."""
    left, top, right, low = part
    corners = np.array([(left, top), (right, top), (right, low), (left, low)], dtype=np.float32)
    mm = calibration.to_mm(corners).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners - corners[0], mm), dtype=np.float64)


def _module(plane: npt.NDArray[np.float64], shape: tuple[int, ...]) -> float:
    """Return the side of a module (px) in the middle of a picture that sees the table so (in modules)."""
    far = float(plane[2] @ np.array([shape[1] / 2, shape[0] / 2, 1.0]))
    return float(np.sqrt(abs(far**3 / np.linalg.det(plane))))


def _side(found: Sequence[Sighting]) -> float:
    return float(np.median([np.sqrt(abs(cv2.contourArea(quad(seen).astype(np.float32)))) for seen in found]))


def _slant(found: Sequence[Sighting], book: CodeBook) -> npt.NDArray[np.float64]:
    """Return how a camera sees a table (px to mm, turned anyhow) on which these codes are squares of their size.

    Each code says how long (mm) a pixel is in every direction: as a quadratic form.
    """
    size = {payload: size for size, payloads in book.payloads_by_size().items() for payload in payloads}
    forms = []
    for seen in found:
        a, b, c, d = quad(seen)
        across = np.stack([b - a + c - d, d - a + c - b], axis=1) / 2 / size[seen.payload]
        forms.append(np.linalg.inv(across @ across.T))
    slant = np.eye(3)
    slant[:2, :2] = np.linalg.cholesky(np.median(forms, axis=0)).T
    return slant
