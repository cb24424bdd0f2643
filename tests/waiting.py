"""Waiting for something that other threads or processes bring about: the machine may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def within(seconds: float, what: Callable[[], Any]) -> Any:
    """Wait for something to become true; gives it, or None if it does not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    return None


def until(what: Callable[[], Any], seconds: float = 90.0) -> Any:
    """Wait for something that has to become true.

    Raises:
        AssertionError: if it does not in so many seconds.
    """
    found = within(seconds, what)
    assert found, f"it did not happen in {seconds:.0f} s"
    return found
