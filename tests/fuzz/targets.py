"""What is tried with random input, by name.

A target's `once` does one thing with one generator of chance and raises if anything but a proper answer came of it, so
a name and a seed bring every finding back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from tests.fuzz.eyes import Codes, Pictures
from tests.fuzz.matches import Lines, Resumed, Views
from tests.fuzz.pages import Evening, Routes
from tests.server.hands import HandsDesk
from tests.server.played import GAMES


class Target(Protocol):
    """Something that is tried."""

    def once(self, rng: random.Random) -> None:
        """Try one thing."""

    def close(self) -> None:
        """End it."""


TARGETS: dict[str, Callable[[], Target]] = {
    "evening": Evening,
    "hands": lambda: Routes(HandsDesk),
    **{f"lines-{name}": (lambda name=name: Lines(name)) for name in GAMES},  # type: ignore[misc]
    **{f"views-{name}": (lambda name=name: Views(name)) for name in GAMES},  # type: ignore[misc]
    "resumed": Resumed,
    "pictures": Pictures,
    "codes": Codes,
}
"""What is tried, by name."""
