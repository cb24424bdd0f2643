"""The C library's heap, kept from growing: pictures come and go in several threads all day long.

With a heap for each thread, a demo with two pages held 60 MB more after ten minutes than its objects take.
"""

from __future__ import annotations

import ctypes
import threading

from companion.referee.steady import Steady

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Names of what mallopt(3) sets."""
ARENAS = 1
"""Parts of the heap, which all threads share: what is free in one serves no thread that uses another."""
LARGE = 4 << 20
"""Bytes from which a block is given back as soon as it is free (a colour picture); else that rises to 32 MB."""
EVERY = 15.0
"""Seconds from one handing back of free memory to the next: in a minute a hundred megabytes gather."""


def share() -> bool:
    """Let all threads share a small heap; call it before they start. Return False where that can't be set."""
    return _call("mallopt", _ARENA_MAX, ARENAS) and _call("mallopt", _MMAP_THRESHOLD, LARGE)


def give_back() -> bool:
    """Hand what is free back to the system. False where that can't be told: it is no GNU system."""
    return _call("malloc_trim", 0)


def _call(name: str, *numbers: int) -> bool:
    try:
        function = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):
        return False
    function(*numbers)
    return True


class Trimmer:
    """A thread that gives memory back now and then. `start` it, and `close` it."""

    def __init__(self, every: float = EVERY) -> None:
        self._every = every
        self._closed = threading.Event()
        self._thread = Steady("heap", self._run, vital=False)

    def start(self) -> None:
        """Start."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        self._thread.end()

    def _run(self) -> None:
        while not self._closed.wait(self._every) and give_back():
            pass
