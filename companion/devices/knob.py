"""The rotary knob for bids: its contacts decoded without bounces, and what turning and pressing bid."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.devices.service import Clock
from companion.referee.commands import Command, Play
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import Action, Seat, holes
from companion.text import sentence, t

UP, DOWN = "knob:up", "knob:down"
"""Names of the presses that a click of the knob makes; its button's are "knob" and "knob:hold"."""
PRESS = "knob"
CONTACTS = ("knob-a", "knob-b")

_CYCLE = ((False, False), (True, False), (True, True), (False, True))
"""The closed contacts (a, b) in the order of a turn clockwise (a Gray code: one contact changes at a time)."""


class Turning:
    """Follows the knob's contacts; a click is a rest reached from the other side, so bounces add up to nothing."""

    def __init__(self, emit: Callable[[str], None], reverse: bool = False, half: bool = False) -> None:
        """Create it; clicks go to `emit`. `half`: the knob also rests where both contacts are closed."""
        self._emit = emit
        self._signs = (DOWN, UP) if not reverse else (UP, DOWN)
        self._rests = (0, 2) if half else (0,)
        self._enough = 1 if half else 2
        self._levels = [False, False]
        self._at = 0
        self._moved = 0

    def edge(self, name: str, closed: bool) -> None:
        """Process a change of a contact."""
        contact = CONTACTS.index(name)
        if self._levels[contact] == closed:
            return
        self._levels[contact] = closed
        now = _CYCLE.index((self._levels[0], self._levels[1]))
        # One contact changed, so it is a step to a neighbour: forwards, or three forwards, which is one back.
        self._moved += 1 if (now - self._at) % 4 == 1 else -1
        self._at = now
        if now in self._rests:
            # An edge may have been missed: more than half of the way is a click.
            if abs(self._moved) >= self._enough:
                self._emit(self._signs[self._moved > 0])
            self._moved = 0


class Asked:
    """The options of the seat that is asked: its bids by amount, in ascending order, and its pass if it may pass."""

    def __init__(self, seat: Seat, bids: dict[int, Action], leave: Action | None, why_not: str) -> None:
        self.seat = seat
        self.bids = bids
        self.leave = leave
        self.why_not = why_not
        """Why it may not pass."""


def asked(snapshot: Snapshot | None) -> Asked | None:
    """Return what the one asked seat may bid; None if no seat, or several, are asked (who turns it is unknown)."""
    timer = snapshot.timer if snapshot is not None and snapshot.phase == "playing" else None
    if snapshot is None or timer is None or len(timer.seats) != 1:
        return None
    seat = timer.seats[0]
    every = [may for view in snapshot.views if view.seat == seat for may in view.may]
    actions = [action for may in every if may.verdict.ok for action in may.actions if not holes(action)]
    bids = {amount: action for action in actions if isinstance(amount := getattr(action, "amount", None), int)}
    if not bids:
        return None
    others = [action for action in actions if not hasattr(action, "amount")]
    barred = [may.verdict for may in every if not may.verdict.ok and may.name in ("pass", "no-bid")]
    why = sentence(barred[0].reason) if barred else t("A pass does not count now.")
    return Asked(seat, dict(sorted(bids.items())), others[0] if len(others) == 1 else None, why)


class Bidding:
    """The number that a press of the knob would bid. Any thread may call it."""

    def __init__(self, grace: float, clock: Clock = time.monotonic) -> None:
        """Create it; for `grace` seconds after another seat is asked presses are ignored: they were for the last."""
        self._grace = grace
        self._clock = clock
        self._lock = threading.Lock()
        self._asked: Asked | None = None
        self._about: tuple[str, int, Seat] | None = None
        self._amounts: tuple[int, ...] = ()
        self._offer = 0
        self._since = clock()

    @property
    def offer(self) -> int | None:
        """What a press would bid now; None if nobody is asked."""
        with self._lock:
            return self._offer if self._asked else None

    def follow(self, snapshot: Snapshot | None) -> None:
        """Set what is asked now. For another seat the number starts at the lowest bid."""
        found = asked(snapshot)
        with self._lock:
            about = (snapshot.match, snapshot.record, found.seat) if snapshot is not None and found else None
            if about != self._about:
                self._since = self._clock()
                self._offer = next(iter(found.bids)) if found else 0
            elif found and self._offer not in found.bids:
                self._offer = min(found.bids, key=lambda amount: abs(amount - self._offer))
            self._asked, self._about = found, about
            self._amounts = tuple(found.bids) if found else ()

    def turn(self, steps: int) -> bool:
        """Move up or down by this many bids; return False if nobody is asked."""
        with self._lock:
            if not self._amounts:
                return False
            place = self._amounts.index(self._offer) + steps
            self._offer = self._amounts[min(max(place, 0), len(self._amounts) - 1)]
            return True

    def bid(self) -> Command | None:
        """Return the command that bids the number shown; None if nobody is asked, or only just."""
        with self._lock:
            if self._asked is None or self._clock() - self._since < self._grace:
                return None
            return Play(by="button", seat=self._asked.seat, action=self._asked.bids[self._offer])

    def leave(self) -> Command | str | None:
        """Return the command that passes, or why that seat may not; None if nobody is asked."""
        with self._lock:
            if self._asked is None or self._clock() - self._since < self._grace:
                return None
            if self._asked.leave is None:
                return self._asked.why_not
            return Play(by="button", seat=self._asked.seat, action=self._asked.leave)
