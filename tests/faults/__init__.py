"""Sixty faults: what the tests of a room must notice. `python -m tests.faults` tries them (docs/tests.md)."""

from tests.faults import eye, referee, rules, server
from tests.faults.fault import Fault

ROOMS: dict[str, tuple[tuple[Fault, ...], tuple[str, ...]]] = {
    "rules": (rules.FAULTS, ("tests/rules", "tests/games")),
    "referee": (referee.FAULTS, ("tests/referee",)),
    "eye": (eye.FAULTS, ("tests/eye",)),
    "server": (server.FAULTS, ("tests/server",)),
}
"""The faults of each room, and where its own tests are."""
