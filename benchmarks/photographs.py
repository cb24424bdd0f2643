"""Readers on photographs whose truth is known: what each of them reads, misses, and misreads.

A folder of photographs holds pictures and a `truth.json` (tests/fixtures/photos/README.md tells the format). A reader
is any function that is given the gray picture and about how many pixels a module has, and gives what it read.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.bench.figures import BenchError, Figure, Row
from companion.eye.symbol import SIDE

Gray = npt.NDArray[np.uint8]
Found = list[tuple[str, float, float]]
"""What a reader found: payload, and the centre in pixels."""
Read = Callable[[Gray, float], Found]
"""Reads a gray picture; the number is about how many pixels a module has."""

VISIBLE = 0.03
"""A code counts as visible if at most this share of it is covered, and at most this share mirrors a lamp.

Error correction H mends 30 % of the codewords, but a finder pattern that is lost can't be mended: 3 % is less than a
third of one.
"""
BANDS = (1.25, 1.5, 1.75, 2.0)
"""Pixels a module at which the bands of `by_module` begin; what is smaller than the first is a band of its own."""

Corner = tuple[float, float]


class SeenCode(msgspec.Struct, frozen=True):
    """A code in a photograph: its corners (px, top left as printed first, then clockwise).

    `covered` is the share of it (0 to 1) that cards, hands or the picture's edge hide, `mirrored` the share that is
    lost in a lamp's mirror image.
    """

    payload: str
    corners: tuple[Corner, Corner, Corner, Corner]
    covered: float
    mirrored: float = 0.0

    @property
    def visible(self) -> bool:
        """Whether readers are expected to read it."""
        return self.covered <= VISIBLE and self.mirrored <= VISIBLE

    @property
    def middle(self) -> Corner:
        """Return the mean of its corners (px)."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    @property
    def module(self) -> float:
        """Return the side of a module (px): of a square that is as large as the code in the picture."""
        return math.sqrt(abs(cv2.contourArea(np.array(self.corners, np.float32)))) / SIDE


class ForeignThing(msgspec.Struct, frozen=True):
    """Something with a code that is not this game's: what the code says, and the thing's outline (px)."""

    payload: str
    corners: tuple[Corner, Corner, Corner, Corner]


class Photograph(msgspec.Struct, frozen=True):
    """A photograph's truth: file name, size (px), what it shows, under which conditions, and all codes in it."""

    image: str
    size: tuple[int, int]
    codes: tuple[SeenCode, ...]
    what: str = ""
    conditions: tuple[str, ...] = ()
    foreign: tuple[ForeignThing, ...] = ()

    @property
    def module(self) -> float:
        """Return the median side of a visible code's modules (px), of any code's if none is visible."""
        sides = [code.module for code in self.codes if code.visible] or [code.module for code in self.codes]
        return float(np.median(sides)) if sides else 0.0


class _Truth(msgspec.Struct):
    photos: tuple[Photograph, ...]


class Result(msgspec.Struct, frozen=True):
    """A reader's result on a photograph: the codes read (by number), the wrong readings, and the time."""

    photo: Photograph
    reader: str
    read: frozenset[int]
    wrong: tuple[str, ...]
    ms: float = 0.0

    @property
    def missed(self) -> tuple[str, ...]:
        """Return the visible codes that were not read."""
        return tuple(
            code.payload for number, code in enumerate(self.photo.codes) if code.visible and number not in self.read
        )


def load_photographs(folder: Path) -> list[Photograph]:
    """Read a folder's truth.

    Raises:
        BenchError: if there is none, or it can't be understood.
    """
    path = folder / "truth.json"
    try:
        return list(msgspec.json.decode(path.read_bytes(), type=_Truth).photos)
    except OSError as error:
        raise BenchError(f"{path} can't be read ({error}): give a folder of photographs with their truth.") from error
    except msgspec.DecodeError as error:
        raise BenchError(f"{path} is not the truth of photographs: {error}.") from error


def judge(found: Iterable[tuple[str, float, float]], photo: Photograph) -> tuple[frozenset[int], tuple[str, ...]]:
    """Return which codes of a photograph were read, by number, and which readings are wrong.

    A reading is right if a code of its payload lies there, that is, its middle is less than half a code away. Of
    several such codes (the backs of a deck) the least covered one is read. To read a code twice is no fault, nor is
    reading what a foreign thing says. Anything else is a wrong identity.
    """
    read: set[int] = set()
    wrong: list[str] = []
    for payload, x, y in found:
        there = [
            number
            for number, code in enumerate(photo.codes)
            if code.payload == payload and math.dist((x, y), code.middle) < code.module * SIDE / 2
        ]
        if there:
            read.add(min(there, key=lambda number: photo.codes[number].covered))
        elif not any(thing.payload == payload and _inside(thing.corners, x, y) for thing in photo.foreign):
            wrong.append(payload)
    return frozenset(read), tuple(wrong)


def judge_photographs(folder: Path, readers: Mapping[str, Read]) -> list[Result]:
    """Yield the results of all readers on all photographs of a folder, in the truth's order.

    Raises:
        BenchError: if the truth or a picture is missing, or is of another size than the truth says.
    """
    results = []
    for photo in load_photographs(folder):
        gray = cv2.imread(str(folder / photo.image), cv2.IMREAD_GRAYSCALE)
        if gray is None:
            raise BenchError(f"{folder / photo.image} is missing or broken, but truth.json tells of it.")
        if (gray.shape[1], gray.shape[0]) != photo.size:
            raise BenchError(f"{folder / photo.image} is {gray.shape[1]}×{gray.shape[0]}, not as truth.json says.")
        picture = np.asarray(gray, dtype=np.uint8)
        for name, read in readers.items():
            began = time.perf_counter()
            found = read(picture, photo.module)
            ms = (time.perf_counter() - began) * 1000
            results.append(Result(photo, name, *judge(found, photo), ms))
    return results


def measure_photographs(folder: Path, readers: Mapping[str, Read], say: Callable[[str], None] = print) -> list[Row]:
    """Measure readers on a folder of photographs: a row for every photograph and reader, then one a reader for all.

    Every photograph is told of in a line as well: what was read of it, and of the first reader what it missed.

    Raises:
        BenchError: as `judge_photographs`.
    """
    results = judge_photographs(folder, readers)
    rows = []
    for start in range(0, len(results), max(1, len(readers))):
        shot = results[start : start + len(readers)]
        say(_line(shot))
        rows += [
            Row(f"{result.photo.image}: {result.reader}", figures([result]), note=", ".join(result.photo.conditions))
            for result in shot
        ]
    return rows + [
        Row(f"all: {name}", figures([result for result in results if result.reader == name])) for name in readers
    ]


def figures(results: Sequence[Result]) -> dict[str, Figure]:
    """Return the sums of results, which should be of one reader.

    `recall` is of the visible codes, None if there are none; a code that mirrors a lamp counts as `mirrored`, the
    others that are not visible as `partly` covered.
    """
    visible = read = partly = partly_read = mirrored = mirrored_read = wrong = 0
    for result in results:
        wrong += len(result.wrong)
        for number, code in enumerate(result.photo.codes):
            hit = number in result.read
            if code.visible:
                visible, read = visible + 1, read + hit
            elif code.covered > VISIBLE:
                partly, partly_read = partly + 1, partly_read + hit
            else:
                mirrored, mirrored_read = mirrored + 1, mirrored_read + hit
    return {
        "visible": visible,
        "read": read,
        "recall": read / visible if visible else None,
        "partly": partly,
        "partly_read": partly_read,
        "mirrored": mirrored,
        "mirrored_read": mirrored_read,
        "wrong": wrong,
        "ms": sum(result.ms for result in results) / len(results) if results else None,
    }


def by_condition(results: Sequence[Result]) -> list[Row]:
    """Return a row for every condition and reader; a photograph counts for each of its conditions."""
    conditions = sorted({word for result in results for word in result.photo.conditions})
    return [
        Row(
            f"{word}: {reader}",
            figures([result for result in results if result.reader == reader and word in result.photo.conditions]),
        )
        for word in conditions
        for reader in _readers(results)
    ]


def by_module(results: Sequence[Result], bands: Sequence[float] = BANDS) -> list[Row]:
    """Return a row for every band of code sizes (pixels a module) and reader: each code's own size, not its picture's.

    Bands without a visible code are left out. Wrong readings have no size, and are not among the figures.
    """
    edges = (0.0, *bands, math.inf)
    rows = []
    for low, high in itertools.pairwise(edges):
        words = f"under {high:g}" if not low else f"{low:g} and more" if high == math.inf else f"{low:g} to {high:g}"
        for reader in _readers(results):
            hits = [
                number in result.read
                for result in results
                if result.reader == reader
                for number, code in enumerate(result.photo.codes)
                if code.visible and low <= code.module < high
            ]
            if hits:
                recall = sum(hits) / len(hits)
                rows.append(Row(f"{words}: {reader}", {"visible": len(hits), "read": sum(hits), "recall": recall}))
    return rows


def _readers(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.reader for result in results))


def _inside(corners: Sequence[Corner], x: float, y: float) -> bool:
    return cv2.pointPolygonTest(np.array(corners, np.float32), (x, y), False) >= 0


def _line(shot: Sequence[Result]) -> str:
    """Return a line with the results of all readers on one photograph."""
    photo = shot[0].photo
    parts = []
    for result in shot:
        sums = figures([result])
        wrong = f", wrong: {' '.join(result.wrong)}" if result.wrong else ""
        parts.append(
            f"{result.reader} {sums['read']} of {sums['visible']} (+{sums['partly_read']} partly covered){wrong}"
        )
    missed = f"; missed: {' '.join(shot[0].missed)}" if shot[0].missed else ""
    return f"{photo.image} {photo.module:.2f} px a module [{', '.join(photo.conditions)}] {'; '.join(parts)}{missed}"
