"""Random input for so long as COMPANION_FUZZ says (seconds, in all; a few if it says nothing), and at night for longer.

The first seed is the day's, so that what passed in the morning also passes where it lands. A finding names its target
and seed; `COMPANION_FUZZ_SEED=… pytest tests/fuzz -k TARGET` brings it back.
"""

from __future__ import annotations

import os
import random
import resource
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS
from tests.nights import at_night

SECONDS = float(os.environ.get("COMPANION_FUZZ", "3"))
AT_NIGHT = 20.0
"""Seconds that each target has at night."""
SEED = os.environ.get("COMPANION_FUZZ_SEED")
A_DAY = 10**6
"""So many seeds lie between one day's first and the next's."""
AT_LEAST = 4
"""Tries of each target, however slow the computer."""
ROOM = 4 * 1024**3
"""Bytes of addresses that all tries of a target may take beyond what was there: who takes more breaks something."""


@pytest.fixture
def bounded() -> Iterator[None]:
    """Have what takes all memory end with an error that names its seed, and not with the end of the process."""
    low, high = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM, high))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (low, high))


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("seconds", [SECONDS / len(TARGETS), *at_night(AT_NIGHT)], ids=["short", "long"])
def test_nothing_breaks_whatever_comes_in(name: str, seconds: float) -> None:
    first = date.today().toordinal() * A_DAY if SEED is None else int(SEED)
    end = time.process_time() + seconds
    target = TARGETS[name]()
    seed, tries, since = first, 0, first
    try:
        while tries < AT_LEAST or time.process_time() < end:
            try:
                target.once(random.Random(f"{name} {seed}"))
            except Exception as error:
                raise AssertionError(f"{name}: seed {seed} (from {since}): {type(error).__name__}: {error}") from error
            seed, tries = seed + 1, tries + 1
    finally:
        target.close()
    print(f"{name}: {tries} tries from seed {first}")
