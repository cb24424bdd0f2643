"""Finds and reads codes in a picture. A reader is anything with `read`; several are tried in order.

Points are pixels of the picture handed in, a pixel's centre at whole numbers, as in OpenCV.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Protocol

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.eye.symbol import SIDE
from companion.eye.view import Gray, Sighting
from companion.untyped import Foreign

zxingcpp: Foreign
try:
    zxingcpp = importlib.import_module("zxingcpp")
except ImportError:  # a computer for which it has no wheel: pyzbar reads alone
    zxingcpp = None


FACES = "faces"
"""What sightings name as their reader that are no codes but places of a card's face."""


@cache
def pyzbar() -> Foreign:
    """Return pyzbar, loaded on first use; None where it or libzbar0 is missing. For trusted pictures only."""
    try:
        return importlib.import_module("pyzbar.pyzbar")
    except (ImportError, OSError):
        return None


Quad = npt.NDArray[np.float64]
"""Four corners, shape (4, 2): top left as the code is printed, then clockwise."""


class Hints(msgspec.Struct, frozen=True):
    """What is known before reading, for readers that can use it.

    `module` is a module's size in px (0: unknown); `plane`, if the camera looks from the side, the homography (3, 3)
    from pixels to the table in modules; `payloads` the codes that can exist (empty: any); `thorough` asks for more
    effort; `places` are codes of earlier frames that should lie there to a pixel and a half; `known` ones have
    unchanged pixels and need not be read.
    """

    module: float = 0.0
    plane: npt.NDArray[np.float64] | None = None
    payloads: frozenset[str] = frozenset()
    thorough: bool = False
    places: tuple[Sighting, ...] = ()
    known: tuple[Sighting, ...] = ()


NO_HINTS = Hints()


class Reader(Protocol):
    """Reads every code that it finds in a gray picture (height, width). Safe to call from several threads."""

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Return the codes in a picture, an empty list if there are none. Never raises because of its content."""
        ...


def quad(sighting: Sighting) -> Quad:
    """Return a sighting's corners as an array of shape (4, 2)."""
    return np.array(sighting.corners, dtype=np.float64)


def sighting(payload: str, corners: Quad, reader: str) -> Sighting:
    """Return a sighting from corners given as an array of shape (4, 2)."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return Sighting(payload, (a, b, c, d), reader)


def moved(found: Iterable[Sighting], dx: float, dy: float) -> list[Sighting]:
    """Return sightings of a crop, whose top left pixel is (dx, dy), in pixels of the full picture."""
    result = []
    for seen in found:
        a, b, c, d = ((x + dx, y + dy) for x, y in seen.corners)
        result.append(Sighting(seen.payload, (a, b, c, d), seen.reader))
    return result


def merged(found: Iterable[Sighting]) -> list[Sighting]:
    """Return sightings without those that repeat an earlier one: same payload, centres closer than half a side."""
    kept: list[Sighting] = []
    places: dict[str, list[tuple[float, float, float]]] = {}
    for seen in found:
        x, y = sum(at for at, _ in seen.corners) / 4, sum(at for _, at in seen.corners) / 4
        side = math.dist(seen.corners[0], seen.corners[1])
        others = places.setdefault(seen.payload, [])
        if all(math.hypot(u - x, v - y) > 0.5 * max(side, other) for u, v, other in others):
            kept.append(seen)
            others.append((x, y, side))
    return kept


def _enlarged(gray: Gray, scale: float) -> Gray:
    if scale == 1:
        return np.ascontiguousarray(gray)
    wide, high = round(gray.shape[1] * scale), round(gray.shape[0] * scale)
    return np.asarray(cv2.resize(gray, (wide, high), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def upright(gray: Gray, corners: Quad) -> Quad:
    """Return a QR code's corners, clockwise, rotated to start at its top left: the bottom right has no finder pattern.

    libzbar gives the shape of a code, and its direction only to 45 degrees.
    """
    side = 4 * SIDE
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    flat = cv2.warpPerspective(
        gray, cv2.getPerspectiveTransform(corners.astype(np.float32), square), (side, side), flags=cv2.INTER_AREA
    ).astype(np.float64)
    ring = np.ones((7, 7))
    ring[1:-1, 1:-1] = -1
    ring[2:-2, 2:-2] = 1
    ring = -(ring - ring.mean())
    fit = []
    for turn in range(4):
        modules = np.rot90(flat, turn)[: 7 * 4, : 7 * 4].reshape(7, 4, 7, 4).mean(axis=(1, 3))
        spread = float(modules.std()) or 1.0
        fit.append(float((modules * ring).sum()) / spread)
    # rot90 by `turn` brings corner number `turn` to the top left.
    missing = int(np.argmin(fit))
    return np.roll(corners, -(missing + 2), axis=0)


def _clockwise(corners: Quad) -> Quad:
    x, y = corners[:, 0], corners[:, 1]
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return corners if area > 0 else corners[::-1].copy()


def read_zxing(gray: Gray, scale: float = 2.0, even_light: bool = False, any_size: bool = False) -> list[Sighting]:
    """Return what zxing-cpp reads enlarged `scale` times; `even_light` sets one threshold for the whole picture.

    With `any_size` it tries as hard as it can: also reduced (it sees no codes larger than 350 px else) and inverted.
    """
    if zxingcpp is None or min(gray.shape) < SIDE:
        return []
    found = zxingcpp.read_barcodes(
        _enlarged(gray, scale),
        formats=zxingcpp.BarcodeFormat.QRCode,
        try_rotate=any_size,
        try_downscale=any_size,
        try_invert=any_size,
        binarizer=zxingcpp.Binarizer.GlobalHistogram if even_light else zxingcpp.Binarizer.LocalAverage,
    )
    result = []
    for code in found:
        at = code.position
        # zxing-cpp counts from a pixel's edge, OpenCV from its centre.
        a, b, c, d = (
            (p.x / scale - 0.5, p.y / scale - 0.5) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        )
        result.append(Sighting(code.text, (a, b, c, d), "zxing-cpp"))
    return result


def read_zbar(gray: Gray, scale: float = 2.0) -> list[Sighting]:
    """Return what libzbar reads in a picture enlarged `scale` times."""
    zbar = pyzbar()
    if zbar is None or min(gray.shape) < SIDE:
        return []
    big = _enlarged(gray, scale)
    result = []
    for code in zbar.decode(big, symbols=[zbar.ZBarSymbol.QRCODE]):
        if len(code.polygon) != 4:
            continue
        corners = _clockwise(np.array([[p.x, p.y] for p in code.polygon], dtype=np.float64))
        text = code.data.decode("utf-8", "replace")
        result.append(sighting(text, upright(big, corners) / scale - (1 - 1 / scale) / 2, "pyzbar"))
    return result


def in_strips(
    gray: Gray, read: Callable[[Gray], list[Sighting]], pool: ThreadPoolExecutor, strips: int = 2, overlap: int = 160
) -> list[Sighting]:
    """Read a picture as strips in threads (the library frees Python's lock); `overlap` px exceeds a code's height."""
    high = gray.shape[0]
    if high < strips * overlap * 2:
        return read(gray)
    edges = [round(i * high / strips) for i in range(strips + 1)]
    bounds = [(max(0, top - overlap // 2), min(high, end + overlap // 2)) for top, end in pairwise(edges)]
    parts = pool.map(lambda bound: moved(read(gray[bound[0] : bound[1]]), 0, bound[0]), bounds)
    return merged(seen for part in parts for seen in part)


class LibraryReader:
    """Reads QR codes with zxing-cpp on the enlarged picture; pyzbar gives a second opinion, or reads alone."""

    def __init__(
        self, scale: float = 2.0, threads: int = 2, second_opinion_below: int = 600_000, zbar: bool = True
    ) -> None:
        """Create it to enlarge `scale` times (1: faster, reads less) and read large pictures in so many `threads`.

        With `zbar`, pyzbar is asked too in thorough looks at fewer pixels than `second_opinion_below` (it is slow).
        """
        self._scale = scale
        self._threads = threads
        self._below = second_opinion_below
        self._zbar = zbar
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="reader") if threads > 1 else None

    def _first(self, gray: Gray, scale: float) -> list[Sighting]:
        return read_zxing(gray, scale) if zxingcpp is not None or not self._zbar else read_zbar(gray, scale)

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        """Return the codes in a picture; with `hints.thorough` more methods are tried and their results merged.

        Where no size is known, the whole picture is read at several scales too: a code may be larger than a strip.
        """
        found = read_zxing(gray, 1.0, any_size=True) if hints.module == 0 else []
        # From four pixels a module on, enlarging gains nothing (measured) and costs four times the pixels.
        large = hints.module >= 4 or (hints.module >= 2.8 and gray.size > 1_000_000 and not hints.thorough)
        large |= hints.module == 0 and gray.size > 6_000_000
        scale = 1.0 if large else self._scale
        if found and scale == 1:
            pass  # all there is at this scale
        elif self._pool is not None and gray.size > 1_000_000:
            # A code with its white round it, lying on its corner.
            overlap = round(1.5 * (SIDE + 2) * hints.module) if hints.module else 160
            found += in_strips(gray, lambda part: self._first(part, scale), self._pool, self._threads, overlap)
        else:
            found += self._first(gray, scale)
        if hints.thorough:
            if gray.size < self._below:
                found += read_zxing(gray, 3.0) + read_zxing(gray, 2.0, even_light=True)
                found += read_zbar(gray, self._scale) if self._zbar else []
            else:
                found += read_zxing(gray, 2.0 if scale == 1 else 1.0)
        return merged(found)


def libraries() -> dict[str, bool]:
    """Return which decoders work here: {"zxing-cpp": bool, "pyzbar": bool}, for `companion doctor`."""
    return {"zxing-cpp": zxingcpp is not None, "pyzbar": pyzbar() is not None}
