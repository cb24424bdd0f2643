"""Public photographs of single QR codes whose text is known: the general decoders on what nobody here took.

A folder holds pictures and, beside each, a text file of its name (`1.png`, `1.txt`); a folder of such folders is as
good. Whether a reader gives exactly that text is all that counts. The reader that knows the deck has no say here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.bench import readers
from companion.bench.figures import BenchError, Figure, Row, Times, optional
from companion.bench.readers import OpenCVDetector, read_opencv, read_wechat, read_zbar, read_zxing, wechat_reader
from companion.eye.reader import Hints, LibraryReader
from companion.eye.view import Gray
from companion.untyped import Foreign

PICTURES = (".png", ".jpg", ".jpeg")
WECHAT = "WeChat"

Texts = Callable[[Gray], list[str]]
"""Reads a gray picture, and gives every text in it."""


def photographs(folder: Path) -> dict[str, list[tuple[Path, str]]]:
    """Return pictures and texts by folder; raise BenchError if there are none, or a text can't be read."""
    found: dict[str, list[tuple[Path, str]]] = {}
    try:
        for path in sorted(folder.rglob("*")):
            text = path.with_suffix(".txt")
            if path.suffix.lower() in PICTURES and text.is_file():
                found.setdefault(path.parent.name, []).append((path, text.read_bytes().decode("utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"the photographs in {folder} can't be read: {error}") from None
    if not found:
        raise BenchError(
            f"there are no photographs with texts in {folder}; it takes 1.png and 1.txt beside it, and so on"
        )
    return found


def general() -> dict[str, Texts]:
    """Return the general decoders that work here."""
    result: dict[str, Texts] = {}
    zxing, zbar = optional("zxingcpp"), optional("pyzbar.pyzbar")
    libraries = LibraryReader()
    result[readers.LIBRARIES] = lambda gray: [code.payload for code in libraries.read(gray, Hints(thorough=True))]
    if zxing is not None:
        for name, scale in ((readers.ZXING, 1), (readers.ZXING_2, 2)):
            result[name] = partial(_read_zxing, zxing, scale)
    if zbar is not None:
        result[readers.ZBAR] = lambda gray: [text for text, *_ in read_zbar(zbar, gray)]
    for name, detector in ((readers.OPENCV, cv2.QRCodeDetector()), (readers.OPENCV_ARUCO, cv2.QRCodeDetectorAruco())):
        result[name] = partial(_read_opencv, detector)
    wechat = wechat_reader()
    if wechat is not None:
        result[WECHAT] = lambda gray: [text for text, _ in read_wechat(wechat, gray)]
    return result


def _read_zxing(library: Foreign, scale: int, gray: Gray) -> list[str]:
    return [text for text, *_ in read_zxing(library, gray, scale, every_way=True)]


def _read_opencv(detector: OpenCVDetector, gray: Gray) -> list[str]:
    return [text for text, *_ in read_opencv(detector, gray)]


def rows(folder: Path) -> list[Row]:
    """Return each general decoder's number of exact texts by folder; raise BenchError without photographs."""
    everything = photographs(folder)
    decoders = general()
    right = {name: dict.fromkeys(everything, 0) for name in decoders}
    other = dict.fromkeys(decoders, 0)
    times = {name: Times() for name in decoders}
    for kind, shots in everything.items():
        for path, text in shots:
            gray = _loaded(path)
            for name, read in decoders.items():
                with times[name].measure():
                    texts = read(gray)
                right[name][kind] += text in texts
                other[name] += text not in texts and bool(texts)
    count = sum(map(len, everything.values()))
    found = []
    for name in decoders:
        figures: dict[str, Figure] = {kind: right[name][kind] for kind in everything}
        figures["photographs"] = count
        figures["recall"] = sum(right[name].values()) / count
        figures["other_text"] = other[name]
        found.append(Row(name, {**figures, **times[name].figures()}, table="photographs"))
    return found


def _loaded(path: Path) -> Gray:
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if picture is None:
        raise BenchError(f"{path} is no picture that can be read; take it out of the folder")
    return np.asarray(picture, dtype=np.uint8)
