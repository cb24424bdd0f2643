"""Public photographs of QR codes whose text or corners are known: the general decoders on what nobody here took.

A folder holds pictures and, beside each, a text file of its name (`1.png`, `1.txt`); a folder of such folders is as
good. The text file holds the text of the picture's only code, which a reader has to give exactly; or the corners of all
its codes as BoofCV's data set has them: comments, `SETS`, and eight numbers (px) a code. Of these a reader has to read
anything within the corners. The reader that knows the deck has no say here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.bench import readers
from companion.bench.figures import BenchError, Figure, Row, Times, optional
from companion.bench.readers import (
    Found,
    OpenCVDetector,
    centres,
    middle,
    read_opencv,
    read_wechat,
    read_zbar,
    read_zxing,
    wechat_reader,
)
from companion.bench.scenes import Matrix
from companion.eye.reader import Hints, LibraryReader
from companion.eye.view import Gray

PICTURES = (".png", ".jpg", ".jpeg")
WECHAT = "WeChat"


class Photograph(msgspec.Struct, frozen=True):
    """A picture and what is known of its codes: the only one's `text`, or the `corners` of each, shape (4, 2)."""

    path: Path
    text: str
    corners: tuple[Matrix, ...] = ()

    def read(self, found: Found) -> set[int]:
        """Return the numbers of the codes that a reader read."""
        if not self.corners:
            return {0} if any(text == self.text for text, _, _ in found) else set()
        squares = [square.astype(np.float32) for square in self.corners]
        return {
            number
            for number, square in enumerate(squares)
            if any(cv2.pointPolygonTest(square, (x, y), False) >= 0 for _, x, y in found)
        }


def _photograph(path: Path, words: str) -> Photograph:
    """Return a picture with its text file, which holds corners if all of its lines but comments are numbers."""
    lines = [line for line in words.splitlines() if not line.startswith("#") and line != "SETS"]
    try:
        numbers = [float(number) for line in lines for number in line.split()]
    except ValueError:
        return Photograph(path, words)
    if not numbers or len(numbers) % 8:
        return Photograph(path, words)
    return Photograph(path, "", tuple(np.reshape(numbers, (-1, 4, 2))))


def photographs(folder: Path) -> dict[str, list[Photograph]]:
    """Return the photographs by folder; raise BenchError if there are none, or a text can't be read."""
    found: dict[str, list[Photograph]] = {}
    try:
        for path in sorted(folder.rglob("*")):
            text = path.with_suffix(".txt")
            if path.suffix.lower() in PICTURES and text.is_file():
                found.setdefault(path.parent.name, []).append(_photograph(path, text.read_bytes().decode("utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"the photographs in {folder} can't be read: {error}") from None
    if not found:
        raise BenchError(
            f"there are no photographs with texts in {folder}; it takes 1.png and 1.txt beside it, and so on"
        )
    return found


def general() -> dict[str, Callable[[Gray], Found]]:
    """Return the general decoders that work here."""
    result: dict[str, Callable[[Gray], Found]] = {}
    zxing, zbar = optional("zxingcpp"), optional("pyzbar.pyzbar")
    libraries = LibraryReader()
    result[readers.LIBRARIES] = lambda gray: centres(libraries.read(gray, Hints(thorough=True)))
    if zxing is not None:
        for name, scale in ((readers.ZXING, 1), (readers.ZXING_2, 2)):
            result[name] = partial(read_zxing, zxing, scale=scale, every_way=True)
    if zbar is not None:
        result[readers.ZBAR] = partial(read_zbar, zbar)
    detectors: dict[str, OpenCVDetector] = {
        readers.OPENCV: cv2.QRCodeDetector(),
        readers.OPENCV_ARUCO: cv2.QRCodeDetectorAruco(),
    }
    for name, detector in detectors.items():
        result[name] = partial(read_opencv, detector)
    wechat = wechat_reader()
    if wechat is not None:
        result[WECHAT] = lambda gray: [(text, *middle(quad)) for text, quad in read_wechat(wechat, gray)]
    return result


def rows(folder: Path) -> list[Row]:
    """Return each general decoder's number of codes read by folder; raise BenchError without photographs.

    `of_zxing` is the share of the codes which zxing-cpp reads as it is that a reader reads too; `other_text` counts the
    pictures in which it read something, but nothing that is there.
    """
    everything = photographs(folder)
    decoders = general()
    right: dict[str, set[tuple[str, Path, int]]] = {name: set() for name in decoders}
    other = dict.fromkeys(decoders, 0)
    times = {name: Times() for name in decoders}
    for kind, shots in everything.items():
        for shot in shots:
            gray = _loaded(shot.path)
            for name, read in decoders.items():
                with times[name].measure():
                    found = read(gray)
                there = shot.read(found)
                right[name] |= {(kind, shot.path, number) for number in there}
                other[name] += bool(found) and not there
    shots = [shot for some in everything.values() for shot in some]
    codes = sum(max(1, len(shot.corners)) for shot in shots)
    peer = right.get(readers.ZXING, set())
    result = []
    for name in decoders:
        figures: dict[str, Figure] = {kind: sum(code[0] == kind for code in right[name]) for kind in everything}
        figures |= {"photographs": len(shots), "codes": codes, "recall": len(right[name]) / codes}
        figures["of_zxing"] = len(right[name] & peer) / len(peer) if peer else None
        figures["other_text"] = other[name]
        result.append(Row(name, {**figures, **times[name].figures()}, table="photographs"))
    return result


def _loaded(path: Path) -> Gray:
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        raise BenchError(f"{path} is no picture that can be read; take it out of the folder")
    return np.asarray(picture, dtype=np.uint8)
