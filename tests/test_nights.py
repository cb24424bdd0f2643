"""A test is in the gate or in one slice of the night, and none is in neither."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import SLICES, pytest_collection_modifyitems, slices
from tests.nights import at_night, every

ROOT = Path(__file__).parents[1]
NAMES = [f"tests/a.py::test_{n}[{case}]" for n in range(30) for case in range(7)]


def marked(cases):
    """List the values of cases, each with whether it waits for the night."""
    return [(case.values, True) if hasattr(case, "marks") else (case, False) for case in cases]


def test_cases_are_marked_and_keep_their_values():
    assert marked([1, *at_night(2, (3, "three"))]) == [(1, False), ((2,), True), ((3, "three"), True)]
    assert marked(every(3, "abcdef")) == [
        ("a", False),
        (("b",), True),
        (("c",), True),
        ("d", False),
        (("e",), True),
        (("f",), True),
    ]


class Item(SimpleNamespace):
    def get_closest_marker(self, name):
        return name == "night" and self.night

    def __hash__(self):
        return hash(self.nodeid)


def chosen(wanted, items):
    """Let the tests of a slice be chosen, and give their names; all others must be said to be left out."""
    gone = []
    hook = SimpleNamespace(pytest_deselected=lambda items: gone.extend(items))
    config = SimpleNamespace(getoption=lambda name: wanted, hook=hook)
    kept = list(items)
    pytest_collection_modifyitems(config, kept)
    assert len(kept) + len(gone) == len(items)
    return [item.nodeid for item in kept]


def test_the_slices_together_are_the_night_and_nothing_is_in_two():
    items = [Item(nodeid=name, night=n % 3 != 0) for n, name in enumerate(NAMES)]
    found = [name for number in range(1, SLICES + 1) for name in chosen(number, items)]
    assert sorted(found) == sorted(item.nodeid for item in items if item.night)
    assert chosen(None, items) == NAMES


def test_cases_of_a_test_are_dealt_out_whatever_other_tests_there_are():
    found = slices(NAMES)
    assert all(sorted(found[n : n + 7]) == list(range(1, 8)) for n in range(0, len(NAMES), 7))
    assert slices(NAMES[70:]) == found[70:]


@pytest.mark.parametrize("script", ["deploy/test", ".ci/run"])
def test_the_scripts_are_proper_bash(script):
    assert subprocess.run(["bash", "-n", ROOT / script], check=False).returncode == 0
