"""The readers that are compared: general libraries in the settings that serve them best, and the companion's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from companion.bench.figures import optional
from companion.bench.scenes import Matrix, Seen
from companion.codes import parse
from companion.eye.deck_reader import DeckReader
from companion.eye.reader import Hints, LibraryReader, sighting
from companion.eye.view import Gray, Sighting
from companion.untyped import Foreign

Found = list[tuple[str, float, float]]
"""What a reader found: payload, and the centre in pixels."""


class Known(msgspec.Struct, frozen=True):
    """What is known of a picture before it is read: px a module, pixels to modules if tilted, and earlier readings."""

    module: float
    plane: Matrix | None = None
    places: tuple[Sighting, ...] = ()


Read = Callable[[Gray, Known], Found]
"""Reads a gray picture."""

OURS, QUICK, PLACED, LIBRARIES = "companion", "companion, first look", "companion, place known", "companion's libraries"
ZXING, ZXING_2, ZBAR = "zxing-cpp", "zxing-cpp on 2×", "pyzbar"
OPENCV, OPENCV_ARUCO, WECHAT = "OpenCV", "OpenCV (ArUco)", "WeChat, cut out"

CUT = 6
"""Modules round a code in the pictures that are cut out for WeChat's reader."""


class Peers(msgspec.Struct, frozen=True):
    """The readers that can be compared here, by their names, and for each that is missing a sentence."""

    readers: dict[str, Read]
    missing: dict[str, str]


def peers(book: Iterable[str]) -> Peers:
    """Return all readers; `book` are the codes that can exist, for the readers that use it."""
    payloads = frozenset(book)
    deck, libraries = DeckReader(LibraryReader()), LibraryReader()

    def hints(known: Known, thorough: bool = False) -> Hints:
        return Hints(module=known.module, plane=known.plane, payloads=payloads, thorough=thorough)

    readers: dict[str, Read] = {
        OURS: lambda gray, known: centres(deck.read(gray, hints(known, thorough=True))),
        QUICK: lambda gray, known: centres(deck.read(gray, hints(known))),
        PLACED: lambda gray, known: centres(deck.read(gray, Hints(payloads=payloads, places=known.places))),
        LIBRARIES: lambda gray, known: centres(libraries.read(gray, hints(known))),
    }
    missing: dict[str, str] = {}
    zxing, zbar = optional("zxingcpp"), optional("pyzbar.pyzbar")
    if zxing is None:
        missing[ZXING] = "zxing-cpp is not installed: without it."
    else:
        readers[ZXING] = lambda gray, _: read_zxing(zxing, gray, 1)
        readers[ZXING_2] = lambda gray, _: read_zxing(zxing, gray, 2)
    if zbar is None:
        missing[ZBAR] = "pyzbar is not installed, or libzbar0 is missing: without it."
    else:
        readers[ZBAR] = lambda gray, _: read_zbar(zbar, gray)
    plain, aruco = cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()
    readers[OPENCV] = lambda gray, _: read_opencv(plain, gray)
    readers[OPENCV_ARUCO] = lambda gray, _: read_opencv(aruco, gray)
    wechat = wechat_reader()
    if wechat is None:
        missing[WECHAT] = (
            "OpenCV has no WeChat reader here: in a virtual environment of its own, install "
            "opencv-contrib-python-headless over opencv-python-headless, in the same version."
        )
    else:
        readers[WECHAT] = lambda gray, known: read_cut_out(wechat, gray, known)
    return Peers(readers, missing)


def wechat_reader() -> Foreign:
    """Return WeChat's reader without its finding network (a download of its own), or None where OpenCV lacks it."""
    module = getattr(cv2, "wechat_qrcode", None)
    return None if module is None else module.WeChatQRCode()


def centres(found: Iterable[Sighting]) -> Found:
    """Return sightings as payloads with centres, which are judged."""
    return [(code.payload, *middle(code.corners)) for code in found]


def middle(corners: npt.ArrayLike) -> tuple[float, float]:
    """Return the mean of points."""
    x, y = np.asarray(corners, dtype=np.float64).reshape(-1, 2).mean(axis=0)
    return float(x), float(y)


OpenCVDetector = cv2.QRCodeDetector | cv2.QRCodeDetectorAruco


def read_zxing(library: Foreign, gray: Gray, scale: int, every_way: bool = False) -> Found:
    """Read with zxing-cpp, enlarged `scale` times: QR only; turned, reduced and inverted pictures with `every_way`."""
    if scale != 1:
        gray = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    found = library.read_barcodes(
        gray,
        formats=library.BarcodeFormat.QRCode,
        try_rotate=every_way,
        try_downscale=every_way,
        try_invert=every_way,
        binarizer=library.Binarizer.LocalAverage,
    )
    result = []
    for code in found:
        at = code.position
        corners = [(p.x / scale, p.y / scale) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        result.append((str(code.text), *middle(corners)))
    return result


def read_zbar(library: Foreign, gray: Gray) -> Found:
    """Read with libzbar, QR only."""
    found = library.decode(gray, symbols=[library.ZBarSymbol.QRCODE])
    return [(code.data.decode("utf-8", "replace"), *middle([(p.x, p.y) for p in code.polygon])) for code in found]


def read_opencv(detector: OpenCVDetector, gray: Gray) -> Found:
    """Read with one of OpenCV's detectors."""
    try:
        _, texts, corners, _ = detector.detectAndDecodeBytesMulti(gray)
    except cv2.error:
        return []  # it gives up on some pictures with an assertion of its own
    if corners is None:
        return []
    return [(text.decode("utf-8", "replace"), *middle(quad)) for text, quad in zip(texts, corners, strict=True) if text]


def read_wechat(reader: Foreign, gray: Gray) -> list[tuple[str, MatLike]]:
    """Read with WeChat's reader: texts and their corners."""
    try:
        texts, corners = reader.detectAndDecode(gray)
    except UnicodeDecodeError:
        return []  # it read something, but what can't be told: the binding takes all bytes for UTF-8
    return [(str(text), quad) for text, quad in zip(texts, corners, strict=True)]


def read_cut_out(reader: Foreign, gray: Gray, known: Known) -> Found:
    """Read with WeChat's reader, one picture a code: without its finding network it takes a picture for one code."""
    found: Found = []
    for place in known.places:
        quad = np.array(place.corners)
        low = np.maximum(np.floor(quad.min(axis=0) - CUT * known.module).astype(int), 0)
        top = np.ceil(quad.max(axis=0) + CUT * known.module).astype(int) + 1
        for text, seen in read_wechat(reader, np.ascontiguousarray(gray[low[1] : top[1], low[0] : top[0]])):
            x, y = middle(seen)
            found.append((text, x + float(low[0]), y + float(low[1])))
    return found


def judged(found: Found, codes: Sequence[Seen], others: Sequence[Seen] = ()) -> tuple[int, int]:
    """Return the number of codes read, and of readings of something that is not there.

    A reading belongs to a code of its payload nearer than half a side. `others`, and texts that are no card's, count
    nothing.
    """
    read: set[int] = set()
    wrong = 0
    places = [middle(code.corners) for code in (*codes, *others)]
    near = [float(np.linalg.norm(code.corners[1] - code.corners[0])) / 2 for code in (*codes, *others)]
    said = [code.payload for code in (*codes, *others)]
    for payload, x, y in found:
        there = [
            i
            for i, (px, py) in enumerate(places)
            if said[i] == payload and abs(px - x) < near[i] and abs(py - y) < near[i]
        ]
        read.update(i for i in there if i < len(codes))
        wrong += not there and parse(payload) is not None
    return len(read), wrong


def remembered(
    codes: Iterable[Seen], rng: np.random.Generator, px: float = 1.5, degrees: float = 1.0
) -> list[Sighting]:
    """Return where codes lay in an earlier frame: moved by up to `px` and turned by up to `degrees` since."""
    places = []
    for code in codes:
        centre = code.corners.mean(axis=0)
        way, far = rng.uniform(0, 2 * np.pi), px * np.sqrt(rng.random())
        turn = np.radians(rng.uniform(-degrees, degrees))
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        corners = (code.corners - centre) @ rotation.T + centre + far * np.array([np.cos(way), np.sin(way)])
        places.append(sighting(code.payload, corners, "earlier"))
    return places
