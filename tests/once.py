"""What is dear to make and the same for every test: the first of a run's processes that wants it makes it for all."""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")
FOLDER = "COMPANION_TESTS_ONCE"
"""The variable with the folder of a run, which its processes inherit."""


def begin() -> None:
    """Make the folder of a run, and in it one for what tests leave that name none of their own."""
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="companion-tests-")
    os.environ.setdefault("COMPANION_STATE", f"{os.environ[FOLDER]}/state")


def end() -> None:
    """Remove the folder of a run."""
    shutil.rmtree(os.environ.pop(FOLDER), ignore_errors=True)


@contextmanager
def alone_or_after(name: str) -> Iterator[None]:
    """Do something alone, or else after the process of the run that does it alone."""
    with Path(os.environ[FOLDER], name).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
        yield


def once(name: str, make: Callable[[], Made]) -> Made:
    """Return what `make` makes, or made under this name in another process of the run."""
    with Path(os.environ[FOLDER], name).open("a+b") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)
        kept.seek(0)
        data = kept.read()
        if data:
            return pickle.loads(data)  # noqa: S301 (written by another process of this run)
        made = make()
        kept.write(pickle.dumps(made))
        return made
