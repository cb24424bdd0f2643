"""What a fault is: a line of the program put otherwise, in a way that a test of its room must notice."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """In `file` (below companion/) `old`, which stands there once, becomes `new`."""

    name: str
    file: str
    old: str
    new: str
