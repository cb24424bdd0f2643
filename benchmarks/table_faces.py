"""Figures of the eye on photographs of tables whose cards have no codes: named, asked about, missed, misnamed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from benchmarks.table_judge import LEAST_STRIP, NEAR_MM
from benchmarks.table_truth import VISIBLE
from benchmarks.table_watch import Outcome, PieceSeen
from companion.bench.figures import Figure, Row, Section, at_least, at_most, percentile

POSE_MM = 2.0
"""A named card is where it lies if the eye puts it no further from there."""
STRIPS = (LEAST_STRIP, 20.0, 25.0, 30.0, math.inf)
"""Where bands of what shows (mm) of a card begin that is covered in part."""
FINE = (0.0, 1.7, 2.4, math.inf)
"""Where bands of pixels a millimetre begin."""
LEAST_PX = 1.25
"""Pixels a module from which a token's code has to be read."""

WHOLE, STRIP, WRONG = 97.0, 75.0, 0.3
"""Per cent of the cards that show wholly, and of strips of 25 mm, that have to be named, and of wrong names."""

TABLE, SHOWS, MUST = "cards without codes", "by what shows of them", "cards without codes: what must hold"


def summary(outcomes: Sequence[Outcome], labels: Iterable[Callable[[Outcome], str]]) -> Section:
    """Return the results as tables, one row for every label that one of `labels` gives; a line for every failure."""
    rows = [Row(name, _figures(some), table=TABLE) for name, some in groups(outcomes, (*labels, _resolution))]
    rows += [Row(name, _counts(pieces), table=SHOWS) for name, pieces in _bands(outcomes) if pieces]
    rows += must(outcomes)
    return Section(
        tuple(rows),
        (
            f"Cards without codes: whole ones, of which at most {100 * VISIBLE:g} % are covered or mirroring. Named: "
            f"at most {NEAR_MM:g} mm off, in time, until the end. Asked: not named, but asked about; offered: the "
            f"right card among the three names. Wrong: names that any view has where no such card lies, and cards that "
            f"the last one has twice; false: those where nothing lies. Look: until the table is first seen at rest.",
            *itertools.chain.from_iterable(map(failures, outcomes)),
        ),
    )


def whole(piece: PieceSeen) -> bool:
    """Return whether a piece is a card without a code that shows wholly."""
    return piece.shown is not None and piece.shown.covered <= VISIBLE and piece.shown.mirrored <= VISIBLE


def strip(piece: PieceSeen, least: float = LEAST_STRIP) -> bool:
    """Return whether a piece is a card without a code that is covered in part, and of which `least` mm show."""
    return piece.shown is not None and piece.shown.covered > VISIBLE and piece.shown.strip >= least


def groups(
    outcomes: Sequence[Outcome], labels: Iterable[Callable[[Outcome], str]]
) -> Iterator[tuple[str, Sequence[Outcome]]]:
    """Yield all results, and those that have a label in common, for every label that one of `labels` gives."""
    yield "all", outcomes
    for label in labels:
        for kind in sorted({label(outcome) for outcome in outcomes}):
            yield kind, [outcome for outcome in outcomes if label(outcome) == kind]


def _resolution(outcome: Outcome) -> str:
    low, high = next(band for band in itertools.pairwise(FINE) if outcome.photo.px_per_mm < band[1])
    return f"{_band(low, high)} px/mm"


def _band(low: float, high: float) -> str:
    return f"from {low:g}" if high == math.inf else f"{low:g} to {high:g}" if low else f"under {high:g}"


def _bands(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, list[PieceSeen]]]:
    pieces = [piece for outcome in outcomes for piece in outcome.pieces]
    cards = [piece for piece in pieces if piece.shown is not None]
    yield "whole", [piece for piece in cards if whole(piece)]
    for low, high in reversed(list(itertools.pairwise(STRIPS))):
        yield f"strip, {_band(low, high)} mm", [one for one in cards if strip(one, low) and not strip(one, high)]
    yield "whole, under a shine", [piece for piece in cards if not whole(piece) and not strip(piece)]
    coded = [piece for piece in pieces if piece.shown is None]
    yield f"tokens, from {LEAST_PX:g} px", [piece for piece in coded if piece.px >= LEAST_PX]
    yield "smaller tokens", [piece for piece in coded if piece.px < LEAST_PX]


def _counts(pieces: Sequence[PieceSeen]) -> dict[str, Figure]:
    named = sum(piece.placed for piece in pieces)
    asked = [piece for piece in pieces if not piece.placed and piece.asked]
    return {
        "cards": len(pieces),
        "named": named,
        "within_2_mm": sum(piece.placed and piece.off is not None and piece.off <= POSE_MM for piece in pieces),
        "asked": len(asked),
        "offered": sum(piece.name.split()[0] in piece.asked for piece in asked),
        "missed": len(pieces) - named - len(asked),
        "wrong": sum(len(piece.misnamed) for piece in pieces),
    }


def _figures(some: Sequence[Outcome]) -> dict[str, Figure]:
    counts = _counts([piece for outcome in some for piece in outcome.pieces if whole(piece)])
    wrong = sum(len(outcome.wrong) for outcome in some)
    over = sum(len(piece.misnamed) for outcome in some for piece in outcome.pieces)
    return {
        "photos": len(some),
        **{key: counts[key] for key in ("cards", "named", "within_2_mm", "asked", "missed")},
        "wrong": wrong,
        "false": wrong - over,
        "look_ms": percentile([outcome.look_ms for outcome in some], 0.5),
        "p95_ms": percentile([outcome.look_ms for outcome in some], 0.95),
    }


def share_row(what: str, count: int, of: int, limit: float | tuple[float, str], table: str) -> Row:
    """Return a row of a share in per cent; `limit` is the most of it, or the least and what follows it in words."""
    percent = 100 * count / max(1, of)
    if isinstance(limit, tuple):
        budget = at_least(f"at least {limit[0]:g} %{limit[1]}", percent, limit[0], " %")
    else:
        budget = at_most(f"at most {limit:g} %", percent, limit, " %")
    return Row(what, {"percent": percent, "of": of}, budget, table=table)


def must(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return the budgets that an eye has to meet that knows cards by their faces."""
    pieces = [piece for outcome in outcomes for piece in outcome.pieces]
    strips = [piece for piece in pieces if strip(piece, STRIPS[2])]
    named = sum(piece.placed for piece in pieces if piece.shown is not None)
    wrong = sum(len(outcome.wrong) for outcome in outcomes)
    rows = []
    for what, some, least in (
        ("cards that show wholly", [piece for piece in pieces if whole(piece)], WHOLE),
        (f"strips of {STRIPS[2]:g} mm and more", strips, STRIP),
    ):
        if some:
            rows.append(share_row(what, sum(piece.placed for piece in some), len(some), (least, " named"), MUST))
    rows.append(share_row("wrong names", wrong, named + wrong, WRONG, MUST))
    empty = sum(len(outcome.empty) for outcome in outcomes)
    return [*rows, Row("zones said to be empty", {"count": empty}, at_most("none", empty, 0), table=MUST)]


def failures(outcome: Outcome) -> Iterator[str]:
    """Yield a line for every failure of a photograph: pieces whose code, or whole face, shows and that are not placed,
    wrong names, zones said to be empty in which a piece lies, and zones called covered.
    """
    coded = outcome.photo.coded
    for piece in outcome.pieces:
        if piece.placed or not (piece.px >= LEAST_PX if coded else whole(piece)):
            continue
        mirrored = f", {100 * piece.mirrored:.1f} % mirroring" if piece.mirrored else ""
        seen = f"px a module, {100 * piece.covered:.1f} % covered{mirrored}" if coded else "px/mm"
        yield f"missed: {outcome.name} {piece.name} in {piece.zone or '–'}: {piece.px:.2f} {seen}; {_why(piece)}."
    over = {name: piece.name for piece in outcome.pieces for name in piece.misnamed}
    for what in outcome.wrong:
        yield f"wrong: {outcome.name} {what}, {f'near {over[what]}' if what in over else 'where nothing lies'}."
    yield from (f"empty: {outcome.name} {zone}." for zone in outcome.empty)
    if coded and outcome.covered:
        yield f"covered: {outcome.name} {', '.join(outcome.covered)}."


def _why(piece: PieceSeen) -> str:
    if piece.seconds is not None:
        return f"after {piece.seconds:.1f} s"
    if piece.asked:
        return f"asked for {', '.join(piece.asked)}"
    if piece.off is None:
        return "not seen"
    return "another took its place" if piece.off <= NEAR_MM else f"{piece.off:.0f} mm off"
