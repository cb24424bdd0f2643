"""The whole eye on photographs of laid tables: frames in, placements out.

Every photograph is shown to a new eye, or one after another to the same eye if they are a sequence, as a camera would
show it: ten frames a second, each with noise of its own, for some seconds of a simulated clock.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks import table_faces
from benchmarks.table_faces import LEAST_PX
from benchmarks.table_judge import NEAR_MM, RESTED_S
from benchmarks.table_truth import find_folders, load_shows
from benchmarks.table_watch import (
    COLD_LIMIT,
    COLD_S,
    FPS,
    LIMIT,
    NEXT_S,
    NOISE,
    Outcome,
    PieceSeen,
    watch,
)
from companion.bench.figures import Figure, Row, Section, at_most, percentile

SURE_PX = 1.6
"""Pixels a module from which every visible piece has to be placed; from LEAST_PX on it is reported."""
PX = (0.0, LEAST_PX, SURE_PX, 2.0, math.inf)
TILTS = (0.0, 10.0, 20.0, 30.0, math.inf)
"""Where the bands of pixels a module and of the camera's tilt (degrees) begin."""

PLACED, COVERED = 99.7, 1.0
"""Per cent of the pieces that have to be placed in time, and of the zones that may be called covered for nothing."""

COST, MUST = "what a frame costs", "what must hold"
UNKNOWN = "–"
NAME = 20
"""Letters of a row's name, so that all columns that one compares fit beside it."""


def measure(folders: Sequence[Path] = (), pictures: Path | None = None) -> Section:
    """Show the photographs of some folders to the eye; those of the checkout if none is named.

    With `pictures`, photographs with a failure are drawn into that folder as the eye saw them.

    Raises:
        BenchError: if there are no such photographs, or they don't fit their truth.
    """
    shows = [show for folder in find_folders(folders) for show in load_shows(folder)]
    # Eyes for the same game one after another: its print is drawn once.
    shows.sort(key=lambda show: (show.photos[0].game, show.photos[0].print))
    watched = (watch(show, pictures=pictures) for show in shows)
    outcomes = sorted(itertools.chain.from_iterable(watched), key=lambda outcome: outcome.name)
    return summary(outcomes)


def summary(outcomes: Sequence[Outcome]) -> Section:
    """Return the results of photographs as tables, with a line for every failure."""
    coded = [outcome for outcome in outcomes if outcome.photo.coded]
    bare = [outcome for outcome in outcomes if not outcome.photo.coded]
    sections = [_coded(coded)] if coded else []
    sections += [table_faces.summary(bare, (_game, _light, _tilt, _print))] if bare else []
    rows, notes = (
        [*itertools.chain(*parts)] for parts in zip(*((one.rows, one.notes) for one in sections), strict=True)
    )
    return Section(tuple(rows), tuple(notes))


def _coded(outcomes: Sequence[Outcome]) -> Section:
    groups = list(_groups(outcomes))
    rows = [Row(name, _figures(some, pieces, whole)) for name, some, pieces, whole in groups]
    rows += [Row(name, _cost(some), table=COST) for name, some, _, _ in groups]
    rows += must(outcomes)
    return Section(
        tuple(rows),
        (
            f"Pieces: those of which a code is visible (at most 3 % covered or mirroring), from {LEAST_PX:g} px a "
            f"module on, and smaller ones in a row of their own. Placed: no more than {NEAR_MM:g} mm off, within "
            f"{LIMIT:g} s ({COLD_LIMIT:g} s by an eye that starts), until the end. Wrong: placements of what is not "
            f"there. Empty: zones with nothing in them, by a settled or the last view, though a visible piece lies "
            f"there. Covered: zones called covered after {RESTED_S:g} s of rest though nothing hides them.",
            f"Each photograph at {FPS} frames a second with noise of {NOISE:g} levels, for {COLD_S:g} s by a new eye, "
            f"{NEXT_S:g} s as a later one of a sequence. Seconds: of pieces that were not known before.",
            *itertools.chain.from_iterable(map(table_faces.failures, outcomes)),
        ),
    )


Group = tuple[str, Sequence[Outcome], list[PieceSeen], bool]
"""A row's name, its photographs, its pieces, and whether these are all pieces of those photographs."""


def _groups(outcomes: Sequence[Outcome]) -> Iterator[Group]:
    def group(name: str, some: Iterable[Outcome]) -> Group:
        some = list(some)
        return name, some, [piece for outcome in some for piece in outcome.pieces if piece.px >= LEAST_PX], True

    labels = (_game, _light, _tilt, _print, lambda outcome: outcome.how, _folder)
    yield from (group(name, some) for name, some in table_faces.groups(outcomes, labels))
    for low, high in itertools.pairwise(PX):
        some = [outcome for outcome in outcomes if any(low <= piece.px < high for piece in outcome.pieces)]
        pieces = [piece for outcome in some for piece in outcome.pieces if low <= piece.px < high]
        if pieces:
            yield _band(low, high, " px"), some, pieces, False


def _game(outcome: Outcome) -> str:
    return outcome.photo.game


def _folder(outcome: Outcome) -> str:
    name = outcome.name.rpartition("/")[0]
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


def _light(outcome: Outcome) -> str:
    return f"light: {outcome.photo.light or UNKNOWN}"


def _tilt(outcome: Outcome) -> str:
    if outcome.photo.tilt is None:
        return f"tilt: {UNKNOWN}"
    low, high = next(
        (low, high) for low, high in itertools.pairwise(TILTS) if low <= (outcome.photo.tilt or 0.0) < high
    )
    return f"tilt: {_band(low, high, '°')}"


def _print(outcome: Outcome) -> str:
    return f"print: {outcome.photo.print or UNKNOWN}"


def _band(low: float, high: float, unit: str) -> str:
    if high == math.inf:
        return f"{low:g}{unit} and more"
    return f"{low:g} to {high:g}{unit}" if low else f"under {high:g}{unit}"


def _figures(some: Sequence[Outcome], pieces: Sequence[PieceSeen], whole: bool) -> dict[str, Figure]:
    placed = sum(piece.placed for piece in pieces)
    seconds = [piece.seconds for piece in pieces if piece.seconds is not None and piece.fresh]
    figures: dict[str, Figure] = {
        "photos": len(some),
        "pieces": len(pieces),
        "placed": placed,
        "missed": len(pieces) - placed,
    }
    free = [outcome.free for outcome in some if outcome.free is not None]
    if whole:
        figures |= {
            "wrong": sum(len(outcome.wrong) for outcome in some),
            "empty": sum(len(outcome.empty) for outcome in some),
            "covered": sum(len(outcome.covered) for outcome in some) if free else None,
        }
    figures |= {"p50_s": percentile(seconds, 0.5), "p99_s": percentile(seconds, 0.99)}
    figures["late"] = sum(piece.seconds is not None and not piece.placed for piece in pieces)
    if whole:
        figures["free_zones"] = sum(free) if free else None
    return figures


def _cost(some: Sequence[Outcome]) -> dict[str, Figure]:
    return {
        "cpu_ms a_frame": sum(outcome.frame_ms for outcome in some) / len(some) if some else None,
        "first_frame cpu_ms": sum(outcome.first_ms for outcome in some) / len(some) if some else None,
    }


def must(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return the budgets that the eye has to meet."""
    pieces = [piece for outcome in outcomes for piece in outcome.pieces if piece.px >= SURE_PX]
    wrong, empty = sum(len(outcome.wrong) for outcome in outcomes), sum(len(outcome.empty) for outcome in outcomes)
    free = sum(outcome.free or 0 for outcome in outcomes)
    rows = []
    if pieces:
        placed = sum(piece.placed for piece in pieces)
        rows.append(
            table_faces.share_row(f"placed in time, {SURE_PX:g} px up", placed, len(pieces), (PLACED, ""), MUST)
        )
    if free:
        covered = sum(len(outcome.covered) for outcome in outcomes)
        rows.append(table_faces.share_row("free zones called covered", covered, free, COVERED, MUST))
    rows.append(Row("wrong identities", {"count": wrong}, at_most("none", wrong, 0), table=MUST))
    rows.append(Row("zones said to be empty", {"count": empty}, at_most("none", empty, 0), table=MUST))
    return rows
