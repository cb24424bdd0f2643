"""The faults themselves: sixty, each in a line that is there, and each a program still; and what tries them."""

from pathlib import Path

import pytest

import companion
from tests.faults import ROOMS
from tests.faults.__main__ import judged, tried
from tests.faults.fault import Fault

ROOT = Path(companion.__file__).parent
MAY_BE_GONE = 6
FAULTS = [fault for faults, _ in ROOMS.values() for fault in faults]


def test_there_are_sixty_and_each_has_a_name_of_its_own():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) == 60


def test_nearly_every_fault_can_be_put_in():
    """A line may be written anew without its fault at once; but not so many that little is left to try."""
    gone = []
    for fault in FAULTS:
        text = (ROOT / fault.file).read_text(encoding="utf-8") if (ROOT / fault.file).is_file() else ""
        if text.count(fault.old) != 1:
            gone.append(f"{fault.file}: {fault.name}")
        compile(text.replace(fault.old, fault.new), fault.file, "exec")
    assert len(gone) <= MAY_BE_GONE, "\n".join(["put these into what stands there now:", *gone])


def small(folder, test):
    """A program of one line with a test."""
    (folder / "companion").mkdir()
    (folder / "companion" / "__init__.py").write_text("")
    (folder / "companion" / "one.py").write_text("ONE = 1\n")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["night: at night"]\n')
    (folder / "test_one.py").write_text(f"import pytest\nfrom companion.one import ONE\n{test}")
    return folder


TEST = "def test_one():\n    assert ONE == 1\n"
TWO = Fault("one is two", "one.py", "ONE = 1", "ONE = 2")


def test_a_fault_is_noticed_by_the_gate_and_taken_out_again(tmp_path):
    copy = small(tmp_path, TEST)
    assert judged(copy, TWO, 1, ("test_one.py",))[:2] == ("gate", "test_one.py::test_one")
    assert tried(copy, ("test_one.py",), "not night").by == ""


@pytest.mark.night
def test_what_the_gate_lets_pass_the_night_gets_and_what_nobody_notices_is_said(tmp_path):
    copy = small(tmp_path, f"@pytest.mark.night\n{TEST}")
    assert judged(copy, TWO, 1, ("test_one.py",))[:2] == ("night", "test_one.py::test_one")
    other = Fault("a word", "one.py", "ONE = 1", "ONE = 1  # one")
    assert judged(copy, other, 2, ("test_one.py",))[0] == "nobody"
    assert judged(copy, Fault("gone", "one.py", "TWO", "ONE"), 3, ("test_one.py",))[0] == "gone"


@pytest.mark.night
def test_a_program_that_can_not_even_be_read_is_noticed(tmp_path):
    copy = small(tmp_path, TEST)
    assert judged(copy, Fault("no program", "one.py", "ONE = 1", "ONE ="), 1, ("test_one.py",))[0] == "gate"
