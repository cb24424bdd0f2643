"""Every line of the safety page that claims something names a test, and the test is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "safety.md").read_text(encoding="utf-8")
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
    # In what is told to be stopped, somebody is named first.
    assert all(line.count("|") in (4, 5) for line in LINES)


@pytest.mark.parametrize(("file", "name"), NAMED, ids=lambda text: text[-60:])
def test_the_test_is_there(file: str, name: str) -> None:
    assert name in run_in(file)
