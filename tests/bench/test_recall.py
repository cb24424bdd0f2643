import time
from types import SimpleNamespace

import numpy as np
import pytest

from companion.bench import recall
from companion.bench.conditions import TUNING, condition
from companion.bench.readers import OURS, PLACED
from companion.bench.recall import WASHED, Cell, budgets, compete, rows
from companion.codes import Code


def knowing(shots):
    """A reader that is told the truth, but for every fourth code."""
    return lambda gray, known: [
        (code.payload, *np.mean(code.corners, axis=0)) for number, code in enumerate(known.places) if number % 4
    ]


def liar(gray, known):
    return [(str(Code("XX", "00A", "F")), 10.0, 10.0)]


@pytest.mark.night
def test_all_read_the_same_frames_and_codes_under_glare_are_counted_apart():
    readers = {"knows": knowing(None), "lies": liar}
    cells = compete(readers, [condition("glare")], (1.0,), TUNING, 1)
    by = {(cell.reader, cell.condition): cell for cell in cells}
    assert set(by) == {(name, kind) for name in readers for kind in ("glare", WASHED)}
    knows, lies = by["knows", "glare"], by["lies", "glare"]
    assert knows.codes == lies.codes > 60
    assert by["knows", WASHED].codes > 5
    total = knows.codes + by["knows", WASHED].codes
    assert knows.read + by["knows", WASHED].read == pytest.approx(total * 0.75, abs=3)
    assert (knows.wrong, lies.wrong, lies.read) == (0, 3, 0)
    assert len(knows.times.wall) == 3  # small frames are taken three times as often
    assert not by["knows", WASHED].times.wall


@pytest.mark.night
def test_a_slow_reader_reads_one_frame_and_is_counted_by_what_it_saw(monkeypatch):
    spent = [0.0]
    monkeypatch.setattr(recall, "time", SimpleNamespace(perf_counter=lambda: spent[0], process_time=time.process_time))

    def slow(gray, known):
        spent[0] += recall.PATIENCE + 1
        return []

    cells = compete({"slow": slow, "quick": liar}, [condition("easy")], (1.0,), TUNING, 1, codes=4)
    assert [(cell.reader, cell.codes) for cell in cells] == [("slow", 4), ("quick", 12)]


def cell(reader, name, module, read, codes=100, wrong=0):
    return Cell(reader, name, module, codes, read, wrong)


def test_the_budgets_are_held_against_the_worst_condition_that_counts():
    cells = [
        cell(OURS, "easy", 1.5, 100),
        cell(OURS, "tilt", 1.5, 98),
        cell(OURS, WASHED, 1.5, 10),
        cell(OURS, "easy", 1.25, 96),
        cell(OURS, "dark", 1.25, 20),
        cell(PLACED, "easy", 1.0, 99),
        cell(PLACED, WASHED, 1.0, 1),
        cell("other", "easy", 1.5, 0, wrong=9),
    ]
    found = budgets(cells)
    assert [(row.note, row.budget.met) for row in found] == [
        ("tilt", False),
        ("easy", True),
        ("easy", True),
        ("all conditions and sizes", True),
    ]
    assert [row.figures for row in found[:3]] == [{"1.5_px": 0.98}, {"1.25_px": 0.96}, {"1_px": 0.99}]


def test_one_wrong_reading_of_ours_misses_the_budget():
    assert not budgets([cell(OURS, "easy", 2.0, 99, wrong=1)])[-1].budget.met


def test_each_condition_has_its_table_with_a_column_a_size():
    cells = [cell(name, kind, px, 50) for name in ("a", "b") for kind in ("easy", "dark") for px in (1.0, 2.5)]
    found = rows(cells)
    assert list(dict.fromkeys(row.table for row in found)) == ["easy", "dark", "ms a frame", "cpu ms a frame"]
    assert found[0].what == "a"
    assert found[0].figures == {"1_px": 0.5, "2.5_px": 0.5, "codes": 200, "wrong": 0}
