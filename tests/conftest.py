"""Which tests are run: the gate leaves out those marked `night`, `--slice` takes a seventh of them (docs/tests.md)."""

from __future__ import annotations

import gc
import os
import time
import zlib
from collections import Counter
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests import once

# A busy machine is slow, not wrong: no test ends because an example took long.
settings.register_profile("companion", deadline=None)
settings.load_profile("companion")

# What the package sets too, but a test may import numpy before it; and OpenCV has one thread as at the command line. A
# second thread only waits in a loop for the cores that the other tests' processes want.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# Nothing that is made while tests are collected goes away again.
gc.disable()

SLICES = 7


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a part of the night be chosen."""
    parser.addoption(
        "--slice",
        type=int,
        choices=range(1, SLICES + 1),
        metavar=f"1-{SLICES}",
        help="run a part of the tests that are marked night, and no others",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make a folder for what is made once a run."""
    if not hasattr(config, "workerinput"):
        once.begin()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove it."""
    if not hasattr(config, "workerinput"):
        once.end()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one of the processes collect alone first: it compiles what all of them import."""
    with once.alone_or_after("collected"):
        return (yield)


def slices(names: list[str]) -> list[int]:
    """Return which slice each test is in, by its name.

    That does not depend on other tests, so that none is left out for a week because others come and go; but the cases
    of one test are dealt out in turn, for they take about equally long.
    """
    cases: Counter[str] = Counter()
    found = []
    for name in names:
        test = name.partition("[")[0]
        found.append((zlib.crc32(test.encode()) + cases[test]) % SLICES + 1)
        cases[test] += 1
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not in the slice that was asked for."""
    wanted = config.getoption("--slice")
    if wanted is None:
        return
    night = [item for item in items if item.get_closest_marker("night")]
    kept = [item for item, one in zip(night, slices([item.nodeid for item in night]), strict=True) if one == wanted]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.fixture(scope="session", autouse=True)
def _what_is_dear_is_shared() -> None:
    from tests.printed import share

    share()


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests themselves: it went through them again and again."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be where clocks are 14 hours ahead of UTC: it is the next day for most of the day."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "LINT-14")
        time.tzset()
        yield
    time.tzset()
