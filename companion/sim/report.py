"""What came of matches that robots played before a referee."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.rules.kernel import AnyGame


class DivergenceError(Exception):
    """The referee's records differ from what the robots did."""


class Report(msgspec.Struct):
    """Result of simulated matches, which took `seconds` of simulated time.

    `actions` counts action types; `tapped` and `asked` those that took a tap.
    """

    matches: int = 0
    moves: int = 0
    seconds: float = 0.0
    endings: Counter[str] = msgspec.field(default_factory=Counter)
    actions: Counter[str] = msgspec.field(default_factory=Counter)
    tapped: Counter[str] = msgspec.field(default_factory=Counter)
    asked: Counter[str] = msgspec.field(default_factory=Counter)
    faces: Counter[str] = msgspec.field(default_factory=Counter)
    """Questions about cards without codes, by the class of the move: which card it is, or to lay it again."""
    rolls: Counter[str] = msgspec.field(default_factory=Counter)
    """Throws into the tray: how often all dice were read, one had to be named, or all were typed."""
    assumed: int = 0
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    interruptions: Counter[str] = msgspec.field(default_factory=Counter)
    divergences: list[str] = msgspec.field(default_factory=list)

    def add(self, other: Report) -> None:
        """Add the result of other matches."""
        self.matches += other.matches
        self.moves += other.moves
        self.seconds += other.seconds
        self.assumed += other.assumed
        self.divergences += other.divergences
        for name in ("endings", "actions", "tapped", "asked", "faces", "rolls", "faults", "interruptions"):
            getattr(self, name).update(getattr(other, name))

    def missing(self, game: AnyGame) -> list[str]:
        """Return the action types that never occurred."""
        return [kind.type for kind in game.info.kinds if not self.actions[kind.type]]
