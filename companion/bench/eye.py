"""Reading in bad conditions: every reader on the same frames, by condition and size, as a table and as plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion import games
from companion.bench import public
from companion.bench.conditions import CONDITIONS, HELD_OUT, MODULES_PX, NEAR, NEAR_PX, Condition, book
from companion.bench.figures import Section
from companion.bench.readers import peers
from companion.bench.recall import OFTEN, PATIENCE, SMALL, compete, rows
from companion.bench.scenes import CODES

FRAMES = 1
"""Default number of frames for each condition and size."""


def measure(
    frames: int = FRAMES,
    plots: Path | None = None,
    photographs: Path | None = None,
    modules: Sequence[float] = MODULES_PX,
    conditions: Sequence[Condition] = CONDITIONS,
    codes: int = CODES,
    game: str = "five-cards-collector",
    near: Sequence[float] = NEAR_PX,
) -> Section:
    """Measure all readers on `frames` frames a condition and size (px a module), and on any photographs.

    `near` are sizes in a condition of their own. Recall of the others is plotted into the folder `plots`.

    Raises:
        BenchError: if matplotlib is not there for the plots, or no photographs are there.
    """
    if plots is not None:
        from companion.bench.plots import pyplot

        pyplot()  # known to be missing now, not after minutes
    pictures = public.rows(photographs) if photographs is not None else []
    payloads = book(games.load_deck(game))
    competitors = peers(payloads)
    cells = compete(competitors.readers, conditions, modules, HELD_OUT, frames, codes)
    closer = compete(competitors.readers, [NEAR], near, HELD_OUT, frames, codes)
    notes = [
        f"Recall by pixels a module; up to {codes} codes a frame, {frames} × a condition and size ({frames * OFTEN} × "
        f"up to {SMALL:g} px), seeds that no reader was tuned on, a book of {len(payloads)} codes. A reader "
        f"that has had {PATIENCE:g} s gets no more frames of a kind. Wrong: a card's code read where it is not.",
        "; ".join(f"{condition.name}: {condition.words}" for condition in (*conditions, NEAR)) + ".",
        *competitors.missing.values(),
    ]
    if plots is not None:
        from companion.bench.plots import draw_recall

        notes.append(f"Plot: {draw_recall(cells, plots)}.")
    return Section((*rows([*cells, *closer]), *pictures), tuple(notes))
