"""What each reader reads of the same frames: recall and wrong identities by condition and size, and what it takes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import msgspec

from companion.bench.conditions import NEAR_PX, Condition, Shot, generator, shoot
from companion.bench.figures import Budget, Figure, Row, Times, at_least, at_most, median
from companion.bench.readers import OURS, PLACED, Known, Read, judged, remembered

PATIENCE = 3.0
"""Seconds for each reader, condition and size; a slow one reads fewer frames, but at least one."""
SMALL, OFTEN = 2.0, 3
"""Frames of up to 2 px a module are cheap, and it is there that readers differ: they are taken three times as often."""
WASHED = "glare over the code"
"""The condition without a budget: codes in which black is as white as paper."""
INDECENT = ("dark", WASHED)
"""Conditions whose light is not decent."""


class Cell(msgspec.Struct):
    """A reader's result in one condition at one size (px a module): codes there and read, wrong readings, times."""

    reader: str
    condition: str
    module: float
    codes: int = 0
    read: int = 0
    wrong: int = 0
    times: Times = msgspec.field(default_factory=Times)

    @property
    def recall(self) -> float | None:
        """The share of codes that were read; None if there were none."""
        return self.read / self.codes if self.codes else None


def compete(
    readers: dict[str, Read],
    conditions: Iterable[Condition],
    modules: Sequence[float],
    seed: str,
    frames: int,
    codes: int = 40,
) -> list[Cell]:
    """Return all readers' results on the same frames, `frames` (small ones more) a condition and size.

    Codes under glare are counted in cells of their own, without times. From `NEAR_PX` on no reader is told the size.
    """
    cells: list[Cell] = []
    warm = True
    for how in conditions:
        for module in modules:
            here = {name: Cell(name, how.name, module) for name in readers}
            under = {name: Cell(name, WASHED, module) for name in readers} if how.glare else {}
            spent = dict.fromkeys(readers, 0.0)
            for number in range(frames * (OFTEN if module <= SMALL else 1)):
                shot = shoot(how, module, seed, number, codes=codes)
                earlier = remembered((*shot.codes, *shot.washed), generator(seed, "places", how.name, module, number))
                known = Known(module if module < NEAR_PX[0] else 0.0, shot.plane, tuple(earlier))
                if warm:  # libraries set themselves up with their first picture
                    for read in readers.values():
                        read(shot.gray, known)
                    warm = False
                for name, read in readers.items():
                    if spent[name] > PATIENCE:
                        continue
                    began = time.perf_counter()
                    with here[name].times.measure():
                        found = read(shot.gray, known)
                    spent[name] += time.perf_counter() - began
                    _score(found, shot, here[name], under.get(name))
            cells += [*here.values(), *under.values()]
    return cells


def _score(found: list[tuple[str, float, float]], shot: Shot, cell: Cell, under: Cell | None) -> None:
    right, wrong = judged(found, shot.codes, (*shot.washed, *shot.foreign))
    cell.codes += len(shot.codes)
    cell.read += right
    cell.wrong += wrong
    if under is not None:
        under.codes += len(shot.washed)
        under.read += judged(found, shot.washed)[0]


def key(module: float) -> str:
    """Return the figure's name of a size."""
    return f"{module:g}_px"


def rows(cells: Sequence[Cell]) -> list[Row]:
    """Return the rows: recall by condition and reader, times by reader, and the budgets."""
    by_reader = list(dict.fromkeys(cell.reader for cell in cells))
    by_condition = list(dict.fromkeys(cell.condition for cell in cells))
    result: list[Row] = []
    for name in by_condition:
        for reader in by_reader:
            mine = [cell for cell in cells if cell.reader == reader and cell.condition == name]
            recall: dict[str, Figure] = {key(cell.module): cell.recall for cell in mine}
            result.append(
                Row(
                    reader,
                    {**recall, "codes": sum(cell.codes for cell in mine), "wrong": sum(cell.wrong for cell in mine)},
                    table=name,
                )
            )
    times: list[Row] = []
    for reader in by_reader:
        wall: dict[str, Figure] = {}
        cpu: dict[str, Figure] = {}
        for module in dict.fromkeys(cell.module for cell in cells):
            timed = [c.times for c in cells if c.reader == reader and c.module == module]
            wall[key(module)] = median(ms for timing in timed for ms in timing.wall)
            cpu[key(module)] = median(ms for timing in timed for ms in timing.cpu)
        result.append(Row(reader, wall, table="ms a frame"))
        times.append(Row(reader, cpu, table="cpu ms a frame"))
    return result + times + budgets(cells)


def budgets(cells: Sequence[Cell]) -> list[Row]:
    """Return the budgets of the companion's readers, by the condition in which they do worst."""
    found: list[Row] = []
    asked = [
        (OURS, 1.5, 0.99, (WASHED,), "in every condition but glare over the code"),
        (OURS, 1.25, 0.95, INDECENT, "when the light is decent"),
        (PLACED, 1.0, 0.98, (WASHED,), "where the place is known from an earlier frame"),
    ]
    for reader, module, least, but, words in asked:
        mine = [
            cell
            for cell in cells
            if cell.reader == reader and cell.module == module and cell.condition not in but and cell.codes
        ]
        if mine:
            worst = min(mine, key=lambda cell: cell.recall or 0.0)
            told = f"recall at least {least:.0%} at {module:g} px a module {words}"
            held = at_least(told, worst.recall or 0.0, least)
            found.append(_budget_row(f"worst recall, {reader}", {key(module): worst.recall}, held, worst.condition))
    wrong = sum(cell.wrong for cell in cells if cell.reader in (OURS, PLACED))
    if any(cell.reader in (OURS, PLACED) for cell in cells):
        held = at_most("nothing read wrongly", wrong, 0)
        found.append(_budget_row("wrong identities, companion", {"wrong": wrong}, held, "all conditions and sizes"))
    return found


def _budget_row(what: str, figures: dict[str, Figure], held: Budget, note: str) -> Row:
    return Row(what, figures, held, note, "budgets")
