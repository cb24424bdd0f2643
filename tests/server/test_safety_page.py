"""Every line of the safety page that claims something names a test, and the test is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "safety.md").read_text(encoding="utf-8").partition("## Tools that look")[0]
LINES = [
    line
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| Who |", "| Fault |"))
]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))


def run_in(file: str) -> set[str]:
    """List the tests of a file that are run: none that is skipped, or may fail."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    marks = {node.name: " ".join(map(ast.unparse, node.decorator_list)) for node in found}
    return {name for name, mark in marks.items() if "skip" not in mark and "xfail" not in mark}


def test_every_line_names_a_test() -> None:
    assert len(LINES) > 40
    for line in LINES:
        assert re.search(r"`tests/[\w/]+\.py::test_\w+` *(, `tests|\|)", line), line


def test_every_line_has_all_its_columns() -> None:
    """Of what is stopped: who, what, by what, shown by; of what breaks: what, how it ends, shown by."""
    stopped, _, broken = TEXT.partition("## When something breaks")
    for part, columns in ((stopped, 4), (broken, 3)):
        lines = [line for line in LINES if line in part]
        assert len(lines) > 20
        assert {line.count("|") - 1 for line in lines} == {columns}
        # Who is named once for several lines; what is tried, and how it ends, is said in each.
        assert all(cell.strip() for line in lines for cell in line.split("|")[2:-1])


def test_each_fault_ends_in_one_of_three_ways() -> None:
    ends = [line.split("|")[2] for line in LINES if line in TEXT.partition("## When something breaks")[2]]
    assert all(re.match(r" (on unharmed|without |stops with a sentence)", end) for end in ends), ends


@pytest.mark.parametrize(("file", "name"), NAMED, ids=lambda text: text[-60:])
def test_the_test_is_there(file: str, name: str) -> None:
    assert name in run_in(file)
