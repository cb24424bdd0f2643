"""Try faults: put each into a copy of the program, and run its room's tests until one notices it.

    python -m tests.faults                      all sixty
    python -m tests.faults --room eye           one room's
    python -m tests.faults --only "the turn"    those whose names have these words in them

The gate's tests come first, in one process. What they let pass the room's tests of the night get. It ends with 0 if the
gate notices every fault, else with 1.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.faults import ROOMS
from tests.faults.fault import Fault

TOP = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "state", "out", "dist")
GATE, NIGHT = "not night", "night"
LONGEST = 900
"""Seconds after which tests that don't end have noticed something."""
MEMORY = 4 << 30
"""Bytes that a process of the tests may have: a fault that lets a list grow for ever must not take the computer's."""
FAILED, INTERRUPTED, NOTHING = 1, 2, 5
"""How pytest ends if a test failed, if a file could not even be read, and if there was no test to run."""


class Tried(NamedTuple):
    """What came of running tests: the first that failed, "" if all passed."""

    by: str
    seconds: float


def tried(copy: Path, tests: tuple[str, ...], which: str) -> Tried:
    """Run tests of a copy until one fails.

    Raises:
        RuntimeError: if pytest itself could not run.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-m", which, "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no"]
    began = time.monotonic()
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Tried("tests that do not end", time.monotonic() - began)
    took = time.monotonic() - began
    if done.returncode in (0, NOTHING):
        return Tried("", took)
    if done.returncode < 0:
        return Tried(f"tests that signal {-done.returncode} ended", took)
    if done.returncode not in (FAILED, INTERRUPTED):
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout}{done.stderr}")
    named = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return Tried(named[1] if named else "a test", took)


def put(path: Path, text: str, number: int) -> None:
    """Write a file so that Python reads it anew: compiled files are known by size and time, and these come quickly."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (number, number))


def judged(copy: Path, fault: Fault, number: int, tests: tuple[str, ...]) -> tuple[str, str, float]:
    """Try one fault; returns who noticed it ("gate", "night", "nobody", "gone"), which test, and how long it took."""
    path = copy / "companion" / fault.file
    sound = path.read_text(encoding="utf-8") if path.is_file() else ""
    if sound.count(fault.old) != 1:
        return "gone", f"its line is no longer in {fault.file}", 0.0
    put(path, sound.replace(fault.old, fault.new), number)
    try:
        took = 0.0
        for who, which in (("gate", GATE), ("night", NIGHT)):
            found = tried(copy, tests, which)
            took += found.seconds
            if found.by:
                return who, found.by, took
        return "nobody", "", took
    finally:
        put(path, sound, 0)


def main() -> int:
    """Try the faults that were asked for, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--room", choices=ROOMS, action="append", help="this room's faults only")
    parser.add_argument("--only", default="", help="faults whose names have these words in them")
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    told: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(TOP, copy, ignore=LEFT_OUT)
        for room in asked.room or ROOMS:
            faults, tests = ROOMS[room]
            chosen = [fault for fault in faults if asked.only in fault.name]
            sound = tried(copy, tests, GATE) if chosen else Tried("", 0.0)
            if sound.by:
                print(f"{room}: {sound.by} fails without any fault", flush=True)
                return 1
            for number, fault in enumerate(chosen, start=1):
                who, test, took = judged(copy, fault, number, tests)
                told[who] = told.get(who, 0) + 1
                print(f"{room:8} {who:6} {took:5.0f} s  {fault.name}  {test}", flush=True)
    print(", ".join(f"{who}: {count}" for who, count in sorted(told.items())))
    return 0 if set(told) <= {"gate"} else 1


if __name__ == "__main__":
    sys.exit(main())
