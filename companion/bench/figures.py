"""Rows of figures, the budgets they are held against, and how both are shown: a table for people, JSON for programs."""

from __future__ import annotations

import importlib
import math
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from rich.console import Console
from rich.table import Table

from companion.untyped import Foreign, JsonObject

Figure = float | int | None
"""A measured number; None for what could not be measured."""


WIDTH = 100
"""Characters a line of a table has at most: the width of a usual terminal."""


LEAST = 24
"""Least width (characters) of a budget's words."""


class BenchError(Exception):
    """A benchmark that can't be run; the message says why and what to do."""


class Budget(msgspec.Struct, frozen=True):
    """A limit of the design, the measured figure, whether it is met, and in words how far it is missed (`gap`)."""

    words: str
    figure: float
    limit: float
    met: bool
    gap: str = ""


class Row(msgspec.Struct, frozen=True):
    """A measurement of a section's `table`; figures' names end in units ("median_ms"), but counts' and ratios'."""

    what: str
    figures: dict[str, Figure]
    budget: Budget | None = None
    note: str = ""
    table: str = ""


class Section(msgspec.Struct, frozen=True):
    """All rows of one section; `notes` say what is missing, and on what it was measured."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def at_most(words: str, figure: float, limit: float, unit: str = "") -> Budget:
    """Return the budget of a figure with an upper limit."""
    met = figure <= limit
    return Budget(words, figure, limit, met, "" if met else f"missed by {shown(figure - limit)}{unit}")


def at_least(words: str, figure: float, limit: float, unit: str = "") -> Budget:
    """Return the budget of a figure with a lower limit."""
    met = figure >= limit
    return Budget(words, figure, limit, met, "" if met else f"missed by {shown(limit - figure)}{unit}")


def percentile(values: Iterable[float], part: float) -> float:
    """Return the value that `part` (0 to 1) of the values do not exceed: the nearest rank; NaN of nothing."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def median(values: Iterable[float]) -> float:
    """Return the median: of an even number of values the mean of the two in the middle; NaN of nothing."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


class Times:
    """Times (ms) of a repeated operation: by the wall clock, and of the processor for all threads."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Context manager that times its block."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.wall.append((time.perf_counter() - wall) * 1000)
            self.cpu.append((time.process_time() - cpu) * 1000)

    def figures(self) -> dict[str, Figure]:
        """Return the medians."""
        return {"median_ms": median(self.wall), "cpu_ms": median(self.cpu)}


def optional(name: str) -> Foreign:
    """Return an imported peer; None if it is not installed or does not run here."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        return None


def machine() -> str:
    """Return the machine in words, and how busy it is with other things."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan
    return (
        f"{os.cpu_count()} {platform.machine()} cores, Python {platform.python_version()}, "
        f"load {load:.1f} before the run"
    )


def shown(value: Figure) -> str:
    """Return a number with as many digits as are significant."""
    if value is None or math.isnan(value):
        return "–"
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 4
    return f"{value:,.{digits}f}".replace(",", " ") if value else "0"


def verdict(budget: Budget | None) -> str:
    """Return the result of a budget: "met" or "missed by …"."""
    if budget is None:
        return ""
    return f"{budget.words}: {'met' if budget.met else budget.gap}"


def tell(console: Console, name: str, section: Section) -> None:
    """Print a section as one or several tables of at most WIDTH columns: what people compare; JSON has the rest."""
    left_out: list[str] = []
    for part in dict.fromkeys(row.table for row in section.rows):
        rows = [row for row in section.rows if row.table == part]
        columns = list(dict.fromkeys(key for row in rows for key in row.figures))
        room = min(console.width, WIDTH)
        fitting = _fitting(columns, rows, room)
        left_out += [column.replace("_", " ") for column in columns if column not in fitting]
        console.print(_table(f"{name}: {part}" if part else name, rows, fitting, room), width=room)
        for row in rows:
            if row.note:
                console.print(f"  {row.what}: {row.note}", highlight=False, width=room)
    if left_out:
        console.print(
            f"  With --json also: {', '.join(dict.fromkeys(left_out))}.",
            highlight=False,
            width=min(console.width, WIDTH),
        )
    for note in section.notes:
        console.print(f"  {note}", highlight=False, width=min(console.width, WIDTH))
    console.print()


def _fitting(columns: Sequence[str], rows: Sequence[Row], room: int) -> dict[str, int]:
    """Return the columns that fit, with their widths: the first, the ratios, then in their order."""
    left = room - 1 - _first(rows, room) - 3 - (LEAST + 3 if any(row.budget for row in rows) else 0)
    chosen = {}
    for column in sorted(columns, key=lambda column: (column != columns[0], not column.startswith("to_"))):
        cells = [len(shown(row.figures[column])) for row in rows if column in row.figures]
        width = max(*(len(word) for word in column.split("_")), *cells)
        left -= width + 3
        if left < 0:
            break
        chosen[column] = width
    return {column: chosen[column] for column in columns if column in chosen}


def _first(rows: Sequence[Row], room: int) -> int:
    """Return the width of the column that says what was measured."""
    return max(16, min(room * 3 // 10, max(len(row.what) for row in rows)))


def _table(name: str, rows: Sequence[Row], columns: dict[str, int], room: int) -> Table:
    table = Table(title=name, title_justify="left", title_style="bold")
    budget = any(row.budget for row in rows)
    table.add_column("what", width=_first(rows, room))
    for column, width in columns.items():
        table.add_column(column.replace("_", " "), justify="right", width=width)
    if budget:
        left = room - 1 - sum(width + 3 for width in (_first(rows, room), *columns.values())) - 3
        table.add_column("budget", width=min(left, max(len(verdict(row.budget)) for row in rows)))
    for row in rows:
        cells = [row.what, *(shown(row.figures.get(column)) if column in row.figures else "" for column in columns)]
        if budget:
            colour = "" if row.budget is None else "green" if row.budget.met else "red"
            cells.append(f"[{colour}]{verdict(row.budget)}[/]" if colour else "")
        table.add_row(*cells)
    return table


def plain(section: Section) -> JsonObject:
    """Return a section as JSON values; what is not a number (NaN) becomes null."""
    document: JsonObject = msgspec.json.decode(msgspec.json.encode(section))
    return document


Measure = Callable[[], Section]
"""Measures one section."""


def names(sections: Sequence[str]) -> str:
    """Return names as an enumeration for a sentence."""
    return ", ".join(sections)
