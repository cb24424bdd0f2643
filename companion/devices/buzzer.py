"""Sounds that can be told apart, by rhythm alone (an active buzzer has one pitch) and by pitch too (a passive one)."""

from __future__ import annotations

import queue
from collections.abc import Callable

from companion.devices.pins import PinService
from companion.devices.service import Service
from companion.referee.snapshot import Snapshot

Note = tuple[float, float, int]
"""Seconds of sound, seconds of silence after it, and hertz (for a passive buzzer)."""

PATTERNS: dict[str, tuple[Note, ...]] = {
    # One soft beep: it comes with every turn and must not annoy.
    "turn": ((0.08, 0.0, 1760),),
    # Two long ones going down: stop and look.
    "violation": ((0.35, 0.12, 880), (0.5, 0.0, 587)),
    # Two short ones going up, as a voice does.
    "question": ((0.09, 0.09, 1175), (0.09, 0.0, 1568)),
    # A fanfare: three short, one long.
    "over": ((0.12, 0.08, 1047), (0.12, 0.08, 1319), (0.12, 0.08, 1568), (0.6, 0.0, 2093)),
    # Three going up, each longer: what people fear has come a step nearer.
    "climb": ((0.1, 0.06, 659), (0.18, 0.06, 784), (0.4, 0.0, 988)),
    # A double tick, once in each of the last seconds: time is running out.
    "last-seconds": ((0.03, 0.12, 2349), (0.03, 0.0, 2349)),
    # One long low one: the time is up.
    "time-up": ((1.2, 0.0, 440),),
    # The undo button was pressed but not held: a click says that it is alive.
    "click": ((0.015, 0.0, 1760),),
}
_WAITING = 3
"""Sounds that may wait; more would play long after what they are about."""


class Buzzer(Service):
    """Plays patterns one after another, in its own thread; `mute` silences it at once, `wait` is a test's sleep."""

    def __init__(self, pins: PinService, output: str = "buzzer", wait: Callable[[float], bool] | None = None) -> None:
        super().__init__("buzzer")
        self._pins = pins
        self._output = output
        self._wait = wait or self.stopping.wait
        self._queue: queue.Queue[str] = queue.Queue(_WAITING)
        self.muted = False

    def play(self, name: str) -> None:
        """Play a pattern soon, unless muted or too many wait; raise ValueError if there is no such pattern."""
        if name not in PATTERNS:
            raise ValueError(f'there is no sound "{name}"; there are: {", ".join(PATTERNS)}')
        if not self.muted:
            try:
                self._queue.put_nowait(name)
            except queue.Full:
                return

    def mute(self, muted: bool) -> None:
        """Mute or unmute the buzzer."""
        self.muted = muted
        if muted:
            self._pins.write(self._output, 0, keep=False)

    def setup(self) -> None:
        """Drop the sounds that were queued while it was off."""
        self._queue = queue.Queue(_WAITING)

    def run(self) -> None:
        """Play the queued sounds."""
        while not self.stopping.is_set():
            name = self._queue.get()
            if name:
                self.sound(name)

    def sound(self, name: str) -> None:
        """Play one pattern from beginning to end, unless stopped or muted meanwhile."""
        for on, off, hertz in PATTERNS[name]:
            if self.muted or self.stopping.is_set():
                return
            self._pins.write(self._output, float(hertz), keep=False)
            try:
                self._wait(on)
            finally:
                self._pins.write(self._output, 0, keep=False)
            if off:
                self._wait(off)

    def wake(self) -> None:
        """Wake `run`."""
        try:
            self._queue.put_nowait("")
        except queue.Full:
            return


def heard(before: Snapshot | None, after: Snapshot) -> str | None:
    """Return which sound the change from one snapshot to the next deserves, if any; the most urgent only."""
    if after.phase == "over":
        return "over" if before is not None and before.phase != "over" else None
    if after.violation and (before is None or before.violation != after.violation):
        # People were interrupted less than a minute ago: then they only see it.
        return None if after.violation.quiet else "violation"
    if after.question and (before is None or before.question is None or before.question.id != after.question.id):
        return "question"
    if after.phase != "playing":
        return None
    if before is not None and _time_is_up(before, after):
        return "time-up"
    if before is not None and _climbed(before, after):
        return "climb"
    was = before.views[0].waiting if before is not None and before.phase == "playing" else ()
    return "turn" if set(after.views[0].waiting) - set(was) else None


def _time_is_up(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the clock that is played against has just run out."""
    was, now = before.play_timer, after.play_timer
    return was is not None and now is not None and now.over and not was.over and was.seat == now.seat


def _climbed(before: Snapshot, after: Snapshot) -> bool:
    """Return whether a ladder that may ruin everything stands higher than before."""
    was = {ladder.title: ladder.value for ladder in before.views[0].ladders}
    now = (ladder for ladder in after.views[0].ladders if ladder.alarm is not None)
    return any(ladder.value > was.get(ladder.title, ladder.value) for ladder in now)
