"""Readers on whole frames: the companion's own, and the libraries it could have been."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np

from companion import games
from companion.bench.figures import Budget, Row, Section, Times, at_least, at_most, median, optional
from companion.bench.pictures import Size, Truth, payloads, table
from companion.eye.reader import Hints, LibraryReader
from companion.eye.symbol import SIDE as MODULES
from companion.eye.view import Gray

SIZES = (Size(1280, 720, 40, 2.0), Size(2304, 1296, 90, 3.0), Size(4608, 2592, 90, 4.0))
"""The three sizes of design.md, "Reading"."""

Found = list[tuple[str, float, float]]
"""What a reader found: payload, and the centre in pixels."""
Read = Callable[[Gray, Size], Found]

COLD = "all read, in at most 1.2 × zxing-cpp's time"
"""design.md, "Budgets": 90 cards cold on 12 MP at 4 px a module."""

PATIENCE = 4.0
"""Seconds that a reader gets a size; a slow one reads fewer pictures, but one at least."""


class Score(msgspec.Struct):
    """How a reader did at one size."""

    times: Times = msgspec.field(default_factory=Times)
    codes: int = 0
    read: int = 0
    wrong: int = 0


def measure(
    sizes: Sequence[Size] = SIZES, pictures: int = 3, repeats: int = 7, game: str = "five-cards-collector"
) -> Section:
    """Let all readers read the same pictures in turn; each picture `repeats` times."""
    codes = payloads(games.load_deck(game))
    readers, missing = _readers(frozenset(codes))
    rows: list[Row] = []
    for size in sizes:
        rng = np.random.default_rng(20260714)
        shots = [table(size, codes, rng) for _ in range(pictures)]
        rows += _rows(size, _compete(readers, shots, size, repeats))
    note = (
        f"Each of {pictures} pictures a size read up to {repeats} times, readers in turn (slow ones less often); "
        "blur 0.8 px, noise 5, JPEG 90; wrong: a text that is not where it was read."
    )
    return Section(tuple(rows), (note, *missing))


def _compete(
    readers: dict[str, Read], shots: list[tuple[Gray, list[Truth]]], size: Size, repeats: int
) -> dict[str, Score]:
    scores = {name: Score() for name in readers}
    spent = dict.fromkeys(readers, 0.0)
    for again in range(repeats):
        for gray, truth in shots:
            for name, read in readers.items():
                if spent[name] > PATIENCE:
                    continue
                began = time.perf_counter()
                with scores[name].times.measure():
                    found = read(gray, size)
                spent[name] += time.perf_counter() - began
                if not again:
                    right, wrong = judged(found, truth, size)
                    scores[name].codes += len(truth)
                    scores[name].read += right
                    scores[name].wrong += wrong
    return scores


def judged(found: Found, truth: list[Truth], size: Size) -> tuple[int, int]:
    """Count the codes that were read, and the readings of something that is not there."""
    near = MODULES * size.module / 2
    read: set[int] = set()
    wrong = 0
    for payload, x, y in found:
        there = [
            i for i, one in enumerate(truth)
            if one.payload == payload and abs(one.x - x) < near and abs(one.y - y) < near
        ]  # fmt: skip
        read.update(there)
        wrong += not there
    return len(read), wrong


def _rows(size: Size, scores: dict[str, Score]) -> list[Row]:
    peer = scores.get("zxing-cpp")
    base = median(peer.times.wall) if peer else None
    rows = []
    for name, score in scores.items():
        ms = median(score.times.wall)
        ratio = ms / base if base else None
        recall = score.read / score.codes
        rows.append(
            Row(
                f"{size}: {name}",
                {
                    "recall": recall,
                    "wrong": score.wrong,
                    **score.times.figures(),
                    "to_zxing": ratio,
                    "runs": len(score.times.wall),
                },
                _budget(size, name, recall, ratio),
            )
        )
    return rows


def _budget(size: Size, name: str, recall: float, ratio: float | None) -> Budget | None:
    if name != OURS or size.wide < 4000 or ratio is None:
        return None
    return at_least(COLD, recall, 1.0) if recall < 1 else at_most(COLD, ratio, 1.2, " × zxing-cpp's time")


# ------------------------------------------------------------------------------------------------------ the readers

OURS = "companion"


def _readers(codes: frozenset[str]) -> tuple[dict[str, Read], tuple[str, ...]]:
    """Give the readers that are there, ours first, and a sentence for each that is not."""
    own = LibraryReader()

    def ours(gray: Gray, size: Size) -> Found:
        found = own.read(gray, Hints(module=size.module, payloads=codes))
        return [(one.payload, *_middle(np.array(one.corners))) for one in found]

    readers: dict[str, Read] = {OURS: ours}
    missing = []
    zxing, zbar = optional("zxingcpp"), optional("pyzbar.pyzbar")
    if zxing is None:
        missing.append("zxing-cpp is not installed: nothing to compare with.")
    else:
        readers["zxing-cpp"] = lambda gray, size: read_zxing(zxing, gray, 1)
        readers["zxing-cpp on 2×"] = lambda gray, size: read_zxing(zxing, gray, 2)
    if zbar is None:
        missing.append("pyzbar is not installed, or libzbar0 is missing: not compared.")
    else:
        readers["pyzbar"] = lambda gray, size: read_zbar(zbar, gray)
    detector = cv2.QRCodeDetector()
    readers["OpenCV"] = lambda gray, size: read_opencv(detector, gray)
    return readers, tuple(missing)


def _middle(corners: Any) -> tuple[float, float]:
    x, y = np.asarray(corners, dtype=np.float64).reshape(-1, 2).mean(axis=0)
    return float(x), float(y)


def read_zxing(library: Any, gray: Gray, scale: int) -> Found:
    """Read with zxing-cpp on a picture enlarged `scale` times.

    The settings are those that serve it best on a table: QR only, without the tries that only cost time.
    """
    if scale != 1:
        gray = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    found = library.read_barcodes(
        gray,
        formats=library.BarcodeFormat.QRCode,
        try_rotate=False,
        try_downscale=False,
        try_invert=False,
        binarizer=library.Binarizer.LocalAverage,
    )
    result = []
    for one in found:
        at = one.position
        corners = [(p.x / scale, p.y / scale) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        result.append((str(one.text), *_middle(corners)))
    return result


def read_zbar(library: Any, gray: Gray) -> Found:
    """Read with libzbar, QR only."""
    found = library.decode(gray, symbols=[library.ZBarSymbol.QRCODE])
    return [(one.data.decode("utf-8", "replace"), *_middle([(p.x, p.y) for p in one.polygon])) for one in found]


def read_opencv(detector: Any, gray: Gray) -> Found:
    """Read with OpenCV's detector."""
    try:
        _, texts, corners, _ = detector.detectAndDecodeMulti(gray)
    except cv2.error:
        return []  # it gives up on some pictures with an assertion of its own
    if corners is None:
        return []
    return [(text, *_middle(quad)) for text, quad in zip(texts, corners, strict=True) if text]
