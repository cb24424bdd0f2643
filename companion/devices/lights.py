"""LEDs: one says that somebody is to move, one that the table needs attention (or one both), one is at each seat."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from itertools import count

from companion.devices.pins import PinService
from companion.devices.service import Service
from companion.devices.wiring import MOST_SEATS, ROLES
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Seat

BLINKS: dict[str, tuple[float, float]] = {"slow": (0.8, 0.8), "fast": (0.15, 0.15)}
"""Seconds on and off."""
_STEADY = {"off": 0.0, "on": 1.0}


def states(snapshot: Snapshot | None) -> dict[str, str]:
    """Return how each LED should be, by role and by seat ("seat-1"): "off", "on", "slow" or "fast" (blinking).

    Turn: on while somebody is to move, slow while something is owed. Attention: fast at a violation, on for a question,
    slow while the eye has trouble. A seat: on while it is to move, fast at a violation, slow for a question that it may
    answer, and for the winner.
    """
    if snapshot is None:
        return {"turn": "off", "attention": "off", **{seat_role(seat): "off" for seat in range(1, MOST_SEATS + 1)}}
    seats = {seat_role(seat): _seat(snapshot, seat) for seat in range(1, MOST_SEATS + 1)}
    if snapshot.phase == "over":
        return {"turn": "off", "attention": "off", **seats}
    turn = "slow" if snapshot.owed or snapshot.phase != "playing" else "on" if any(snapshot.views[0].waiting) else "off"
    attention = "off"
    if snapshot.violation:
        attention = "fast"
    elif snapshot.question:
        attention = "on"
    elif snapshot.troubles:
        attention = "slow"
    return {"turn": turn, "attention": attention, **seats}


def seat_role(seat: Seat) -> str:
    """Return the role of a seat's LED."""
    return f"seat-{seat}"


def _seat(snapshot: Snapshot, seat: Seat) -> str:
    if seat > snapshot.seats:
        return "off"
    outcome = snapshot.standing.outcome
    if snapshot.phase == "over":
        return "slow" if outcome is not None and seat in outcome.winners else "off"
    if snapshot.violation:
        return "fast"
    if snapshot.question:
        return "slow" if seat in (snapshot.question.seats or (seat,)) else "off"
    return "on" if seat in snapshot.views[0].waiting else "off"


class Lights(Service):
    """The LEDs as a service: wakes only to blink. A single LED shows attention if there is any, else the turn."""

    def __init__(self, pins: PinService, roles: Iterable[str] = ROLES) -> None:
        super().__init__("lights")
        self._pins = pins
        self.roles = tuple(roles)
        self._changed = threading.Condition()
        self._states: dict[str, str] = {}
        self._version = 0

    def show(self, wanted: dict[str, str]) -> None:
        """Set the LEDs' states by role, without waiting."""
        table = [role for role in self.roles if role in ROLES]
        if len(table) == 1:
            both = wanted["attention"] if wanted["attention"] != "off" else wanted["turn"]
            wanted = {**wanted, table[0]: both}
        with self._changed:
            kept = {role: state for role, state in wanted.items() if role in self.roles}
            if kept != self._states:
                self._states = kept
                self._version += 1
                self._changed.notify_all()

    def setup(self) -> None:
        """Nothing to open: the pins are a service of their own."""
        return

    def run(self) -> None:
        """Write changed states, and blink."""
        while not self.stopping.is_set():
            with self._changed:
                states, version = dict(self._states), self._version
            for on in count():
                # They blink together, in the quicker rhythm if there are two: a violation makes everything hurry.
                pause = self.step(states, on % 2 == 0)
                with self._changed:
                    if self._version == version and not self.stopping.is_set():
                        self._changed.wait(pause)
                    if self._version != version or self.stopping.is_set():
                        break

    def step(self, states: dict[str, str], on: bool) -> float | None:
        """Write one half of a blink; return the seconds until the other half (None if nothing blinks)."""
        pauses = []
        for role, state in states.items():
            level = _STEADY.get(state)
            self._pins.write(role, (1.0 if on else 0.0) if level is None else level)
            if level is None:
                pauses.append(BLINKS[state][0 if on else 1])
        return min(pauses, default=None)

    def teardown(self) -> None:
        """Switch them off."""
        for role in self.roles:
            self._pins.write(role, 0.0)

    def wake(self) -> None:
        """Wake `run`."""
        with self._changed:
            self._changed.notify_all()
