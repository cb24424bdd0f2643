"""Cold whole frames: ninety cards at once, and how long each reader takes for all of them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import numpy as np

from companion import games
from companion.bench import readers
from companion.bench.conditions import book
from companion.bench.figures import Budget, Row, Section, Times, at_least, at_most, median
from companion.bench.pictures import Size, Truth, payloads, table
from companion.bench.readers import LIBRARIES, OPENCV, OURS, QUICK, ZBAR, ZXING, ZXING_2, Known, Read, judged
from companion.bench.scenes import Seen
from companion.eye.symbol import SIDE
from companion.eye.view import Gray

SIZES = (Size(2304, 1296, 90, 1.6), Size(2304, 1296, 90, 2.0), Size(2304, 1296, 90, 3.0), Size(4608, 2592, 90, 4.0))
"""The two sizes of the Pi's camera; on the smaller one also where the libraries begin to fail."""

SHOWN = (QUICK, OURS, LIBRARIES, ZXING, ZXING_2, ZBAR, OPENCV)
"""The readers that are compared: `QUICK` is what a sweep takes, `OURS` the thorough look."""

COLD = "all read, in at most 1.2 × zxing-cpp's time"
SWEEP = "all read where zxing-cpp does not, within pyzbar's time"

PATIENCE = 4.0
"""Seconds for each reader and size; a slow one reads fewer pictures, but at least one."""


class Score(msgspec.Struct):
    """A reader's result at one size."""

    times: Times = msgspec.field(default_factory=Times)
    codes: int = 0
    read: int = 0
    wrong: int = 0

    @property
    def recall(self) -> float:
        """The share of codes that were read."""
        return self.read / self.codes


def measure(
    sizes: Sequence[Size] = SIZES, pictures: int = 3, repeats: int = 7, game: str = "five-cards-collector"
) -> Section:
    """Measure all readers in turn on the same pictures, each picture `repeats` times."""
    deck = games.load_deck(game)
    known, peers = book(deck), readers.peers(book(deck))
    competitors = {name: peers.readers[name] for name in SHOWN if name in peers.readers}
    rows: list[Row] = []
    for size in sizes:
        rng = np.random.default_rng(20260714)
        shots = [table(size, payloads(deck), rng) for _ in range(pictures)]
        rows += _rows(size, _compete(competitors, shots, size, repeats))
    note = (
        f"Each of {pictures} pictures a size read up to {repeats} times, readers in turn (slow ones less often); blur "
        f"0.8 px, noise 5, JPEG 90; a book of {len(known)} codes; wrong: a card's code that is not where it was read."
    )
    return Section(tuple(rows), (note, *(words for name, words in peers.missing.items() if name in SHOWN)))


def seen(truth: Sequence[Truth], size: Size) -> list[Seen]:
    """Return codes with corners: for judging only, so they need not be turned as they lie."""
    half = SIDE * size.module / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return [Seen(code.payload, square + np.array([code.x, code.y])) for code in truth]


def _compete(
    competitors: dict[str, Read], shots: list[tuple[Gray, list[Truth]]], size: Size, repeats: int
) -> dict[str, Score]:
    scores = {name: Score() for name in competitors}
    spent = dict.fromkeys(competitors, 0.0)
    for read in competitors.values():  # libraries set themselves up with their first picture
        read(shots[0][0][: size.high // 4, : size.wide // 4], Known(size.module))
    for again in range(repeats):
        for gray, truth in shots:
            for name, read in competitors.items():
                if spent[name] > PATIENCE:
                    continue
                began = time.perf_counter()
                with scores[name].times.measure():
                    found = read(gray, Known(size.module))
                spent[name] += time.perf_counter() - began
                if not again:
                    right, wrong = judged(found, seen(truth, size))
                    scores[name].codes += len(truth)
                    scores[name].read += right
                    scores[name].wrong += wrong
    return scores


def _rows(size: Size, scores: dict[str, Score]) -> list[Row]:
    base = {name: median(scores[name].times.wall) for name in (ZXING, ZBAR) if name in scores}
    rows = []
    for name, score in scores.items():
        ms = median(score.times.wall)
        rows.append(
            Row(
                name,
                {
                    "recall": score.recall,
                    "wrong": score.wrong,
                    **score.times.figures(),
                    "to_zxing": ms / base[ZXING] if ZXING in base else None,
                    "to_pyzbar": ms / base[ZBAR] if ZBAR in base else None,
                    "runs": len(score.times.wall),
                },
                _budget(scores) if name == QUICK else None,
                table=str(size),
            )
        )
    return rows


def _budget(scores: dict[str, Score]) -> Budget | None:
    """Return the budget of a sweep against zxing-cpp where that reads all codes, else against pyzbar."""
    ours, zxing, zbar = scores[QUICK], scores.get(ZXING), scores.get(ZBAR)
    peer, words, most = (zxing, COLD, 1.2) if zxing is not None and zxing.recall == 1 else (zbar, SWEEP, 1.0)
    if peer is None:
        return None
    if ours.recall < 1:
        return at_least(words, ours.recall, 1.0)
    ratio = median(ours.times.wall) / median(peer.times.wall)
    return at_most(words, ratio, most, " × its time")
