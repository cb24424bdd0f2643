"""The buttons: debouncing, short and long presses, and what each press means.

Debounced here by time, as gpiozero's mock pins ignore it. A press is "next" when let go, "next:hold" once held long
enough.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterable
from math import inf

from companion.devices.knob import DOWN, PRESS, UP
from companion.devices.service import Clock, Service
from companion.referee.commands import Answer, Command, Done, GoOn, Undo
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import TABLE

log = logging.getLogger(__name__)

NAMES = ("next", "page", "undo")
HOLD = ":hold"
"""Suffix of the name of a long press."""
LONG = ":long"
"""Suffix of the name of a press that is held on after it was a long one: `OFF` seconds."""
OFF = 5.0
PRESSES = frozenset((*(name + end for name in (*NAMES, PRESS) for end in ("", HOLD)), "page" + LONG, UP, DOWN))
"""Names of all presses, with those of the knob and its clicks."""


class Button:
    """One button's state: a level counts once still for `settle` seconds, which ignores bounces and spikes."""

    def __init__(self, name: str, settle: float = 0.025, hold: float = 1.0, long: float = inf) -> None:
        self.name = name
        self._settle = settle
        self._level = self._stable = False
        self._changed = 0.0
        self._down = 0.0
        self._stages = tuple((after, name + end) for after, end in ((hold, HOLD), (long, LONG)) if after < inf)
        self._told = 0

    def edge(self, pressed: bool, at: float) -> None:
        """Process a change of level at a monotonic time; call `look` first if it is due by then."""
        if pressed != self._level:
            self._level, self._changed = pressed, at

    def due(self) -> float:
        """Return the time at which `look` may find a press; infinite if only another edge can complete one."""
        if self._level != self._stable:
            return self._changed + self._settle
        return self._down + self._stages[self._told][0] if self._stable and self._told < len(self._stages) else inf

    def look(self, now: float) -> str | None:
        """Return the press that is complete by now, if there is one."""
        if self._level != self._stable and now >= self._changed + self._settle:
            self._stable = self._level
            if self._stable:
                # Held since the contact closed, not since we believed it.
                self._down, self._told = self._changed, 0
            elif not self._told:
                return self.name
        if self._stable and self._told < len(self._stages) and now >= self._down + self._stages[self._told][0]:
            self._told += 1
            return self._stages[self._told - 1][1]
        return None


class Buttons(Service):
    """All buttons as a service: edges in from any thread, presses out (to `emit`, in the service's thread)."""

    def __init__(
        self,
        emit: Callable[[str], None],
        names: Iterable[str] = NAMES,
        *,
        hold: float = 1.0,
        settle: float = 0.025,
        clock: Clock = time.monotonic,
    ) -> None:
        """Create the service; `hold` and `settle` in seconds."""
        super().__init__("buttons", clock=clock)
        self._emit = emit
        self._names = tuple(names)
        self._hold, self._settle = hold, settle
        self._buttons: dict[str, Button] = {}
        self._queue: queue.SimpleQueue[tuple[str, bool | None, float]] = queue.SimpleQueue()

    def edge(self, name: str, pressed: bool, at: float) -> None:
        """Queue a change of a button's level, at a monotonic time in seconds."""
        self._queue.put((name, pressed, at))

    def press(self, name: str) -> None:
        """Press a button as a whole ("next", "page", "undo", "knob", each also ":hold") or turn the knob by a click.

        Raises:
            ValueError: if there is no such button.
        """
        if name not in PRESSES:
            raise ValueError(f'there is no button "{name}"; there are: {", ".join(sorted(PRESSES))}')
        self._queue.put((name, None, self._clock()))

    def setup(self) -> None:
        """Drop incomplete presses of an earlier run."""
        self._buttons = {
            name: Button(name, self._settle, self._hold, OFF + self._hold if name == "page" else inf)
            for name in self._names
        }

    def run(self) -> None:
        """Process edges as they come, and look again when a button is due."""
        while not self.stopping.is_set():
            wait = self.due() - self._clock()
            try:
                name, pressed, at = self._queue.get(timeout=None if wait == inf else max(0.0, wait))
            except queue.Empty:
                self.look(self._clock())
                continue
            self.take(name, pressed, at)

    def due(self) -> float:
        """Return the monotonic time of the next look."""
        return min((button.due() for button in self._buttons.values()), default=inf)

    def look(self, now: float) -> None:
        """Emit every press that is complete by now."""
        for button in self._buttons.values():
            found = button.look(now)
            while found:
                self._tell(found)
                found = button.look(now)

    def take(self, name: str, pressed: bool | None, at: float) -> None:
        """Process one entry of the queue: an edge, a whole press (None), or the empty name that only wakes."""
        # What was due before this edge comes first: edges may arrive late through a pipe, but carry their times.
        self.look(at)
        if pressed is None:
            if name:
                self._tell(name)
        elif name in self._buttons:
            self._buttons[name].edge(pressed, at)

    def wake(self) -> None:
        """Wake `run`."""
        self._queue.put(("", None, self._clock()))

    def _tell(self, press: str) -> None:
        try:
            self._emit(press)
        except Exception:
            log.exception("the button press %s could not be dealt with", press)


def meaning(press: str, snapshot: Snapshot | None) -> Command | None:
    """Return what a press asks of the referee; None for presses that ask nothing (the page button turns pages itself).

    "next" answers the open question with its first choice, as the OLED shows it, else ends the turn; held it goes on
    although something is owed. "undo" has to be held, so that nobody undoes by leaning on it.
    """
    if snapshot is None:
        return None
    if press == "undo" + HOLD:
        return Undo(by="button")
    if snapshot.phase == "over":
        return None
    if press == "next":
        if snapshot.question:
            if not snapshot.question.choices:
                return None
            return Answer(by="button", question=snapshot.question.id, choice=snapshot.question.choices[0].key)
        # A violation is mended on the table: a button that waved it through would be pressed without reading.
        return Done(seat=TABLE, by="button") if snapshot.phase == "playing" and not snapshot.violation else None
    if press == "next" + HOLD and snapshot.phase in ("setting-up", "restoring"):
        return GoOn(by="button")
    return None
