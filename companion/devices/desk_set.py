"""The set of devices on a table: built from the wiring, real where they are there, simulated where not.

`COMPANION_DEVICES` (or the caller) chooses by name: "real", "simulated", or "auto", which warns of every part that it
has to simulate.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.devices.buttons import HOLD, Buttons, meaning
from companion.devices.buzzer import Buzzer, heard
from companion.devices.lights import ROLES, Lights, states
from companion.devices.oled import Oled, Serial, open_i2c
from companion.devices.pages import Invitation, Occasion, draw, occasion, offered, png
from companion.devices.pins import BOARDS, Board, PinService, SimulatedBoard, find
from companion.devices.service import Clock, Health, PermanentError, Service, start_all, stop_all
from companion.devices.wiring import OledWiring, Wiring, WiringError, load
from companion.referee.clock import LAST
from companion.referee.commands import Command
from companion.referee.snapshot import Snapshot

log = logging.getLogger(__name__)

BEAT = 0.5
"""Seconds between two looks at a running clock."""
GRACE = 0.6
"""A question must have been on the display for so many seconds before the button answers it: a person who presses
"next" to end a turn must not answer what came up that very moment."""


class Devices:
    """Everything on the table but the camera. `show` and `press` return at once; the work is done in other threads.

    `on_button` is called with every press ("next", "page", "undo", each also with ":hold"), in the buttons' thread;
    `command` tells what the press asks of the referee. The page button has turned the page already.
    """

    def __init__(
        self, oled: Oled, board: Board, wiring: Wiring, invitation: Invitation, *, clock: Clock = time.monotonic
    ) -> None:
        """Put the parts together; `start` begins."""
        self.oled = oled
        self.invitation = invitation
        self.on_button: Callable[[str], None] | None = None
        self.board = board
        self.buttons = Buttons(self._pressed, hold=wiring.buttons.hold_seconds)
        plan = wiring.plan()
        self.pins = PinService(board, plan, self.buttons.edge)
        self.buzzer = Buzzer(self.pins)
        roles = tuple(role for role in ROLES if role in plan.outputs)
        self.lights = Lights(self.pins, roles or ROLES)
        self._follower = _Follower(self._follow, self._beat)
        self._services: tuple[Service, ...] = (
            self.oled, self.pins, self.buzzer, self.lights, self._follower, self.buttons,
        )  # fmt: skip
        self._clock = clock
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._page = 0
        self._occasion: Occasion = ("", "")
        self._since = clock()
        self._ticked = 0

    def start(self) -> None:
        """Start every device, in order; one that fails is logged, and the rest run."""
        self._follower.tell(None)
        start_all(self._services)

    def close(self) -> None:
        """Stop every device, in reverse order; the outputs are off afterwards."""
        stop_all(self._services)

    def show(self, snapshot: Snapshot) -> None:
        """Show a match as it is now: page, lights, and the sound that the change deserves."""
        self._follower.tell(snapshot)

    def invite(self, invitation: Invitation) -> None:
        """Change how people get in."""
        self.invitation = invitation
        self._redraw()

    def press(self, button: str) -> None:
        """Press a button from elsewhere, such as a page in the browser.

        Raises:
            ValueError: if there is no such button.
        """
        self.buttons.press(button)

    def command(self, press: str) -> Command | None:
        """Tell what a press asks of the referee, in view of what the OLED shows; None if nothing."""
        with self._lock:
            snapshot, since = self._snapshot, self._since
        asks = snapshot is not None and occasion(snapshot)[0] == "question"
        if asks and press == "next" and self._clock() - since < GRACE:
            return None
        return meaning(press, snapshot)

    def sound(self, name: str) -> None:
        """Play a sound of `buzzer.PATTERNS`."""
        self.buzzer.play(name)

    def mute(self, muted: bool) -> None:
        """Silence the buzzer, or let it sound again."""
        self.buzzer.mute(muted)

    def oled_png(self, scale: int = 1) -> bytes:
        """Give the OLED's picture as a PNG of 128×64 times a whole number."""
        return png(self.oled.picture(), scale)

    def health(self) -> tuple[Health, ...]:
        """Tell how each device is, in order."""
        return tuple(service.health for service in self._services if service is not self._follower)

    # ------------------------------------------------------------------------------------------------- inside

    def _follow(self, snapshot: Snapshot | None) -> None:
        """Bring display, lights and buzzer up to date; in the follower's thread."""
        with self._lock:
            before, self._snapshot = self._snapshot, snapshot
            about = occasion(snapshot)
            if about != self._occasion:
                # Something new matters: whatever page somebody had turned to gives way.
                self._occasion, self._page, self._since = about, 0, self._clock()
        self._redraw()
        self.lights.show(states(snapshot))
        if snapshot is not None:
            same = before if before is not None and before.match == snapshot.match else None
            found = heard(same, snapshot)
            if found:
                self.buzzer.play(found)

    def _beat(self) -> float | None:
        """Let a running clock go on: the display's bar, a tick in each of the last seconds. None: nothing runs."""
        with self._lock:
            timer = self._snapshot.timer if self._snapshot is not None else None
        if timer is None or timer.ends is None:
            return None
        self._redraw()
        second = math.ceil(timer.remaining(self._clock()))
        if 0 < second <= LAST and second != self._ticked:
            self.buzzer.play("last-seconds")
        self._ticked = second
        return BEAT

    def _redraw(self) -> None:
        # The follower and the buttons both come here: a page begun earlier must not be shown over a later one.
        with self._drawing:
            with self._lock:
                snapshot, page = self._snapshot, self._page
            names = offered(snapshot, self.invitation)
            self.oled.show(draw(names[page % len(names)], snapshot, self.invitation, self._clock()))

    def _pressed(self, press: str) -> None:
        if press == "page":
            with self._lock:
                self._page += 1
            self._redraw()
        elif press == "page" + HOLD:
            self.oled.renew()
        elif press == "undo":
            self.buzzer.play("click")
        if self.on_button is not None:
            self.on_button(press)


class _Follower(Service):
    """Takes snapshots from the match's thread and works on the latest in its own: drawing must not hold up a match."""

    def __init__(self, follow: Callable[[Snapshot | None], None], beat: Callable[[], float | None]) -> None:
        super().__init__("desk")
        self._follow = follow
        self._beat = beat
        self._changed = threading.Condition()
        self._latest: Snapshot | None = None
        self._new = False

    def tell(self, snapshot: Snapshot | None) -> None:
        """Take the latest snapshot."""
        with self._changed:
            self._latest, self._new = snapshot, True
            self._changed.notify_all()

    def setup(self) -> None:
        """Nothing to open."""
        return

    def run(self) -> None:
        """Follow every snapshot, or the latest of several that came at once; between them, what runs by itself."""
        pause: float | None = None
        while not self.stopping.is_set():
            with self._changed:
                if not self._new and not self.stopping.is_set():
                    self._changed.wait(pause)
                snapshot, new, self._new = self._latest, self._new, False
            if new and not self.stopping.is_set():
                self._follow(snapshot)
            pause = self._beat()

    def wake(self) -> None:
        """Get `run` out of its wait."""
        with self._changed:
            self._changed.notify_all()


# --------------------------------------------------------------------------------------------------------- building

Opener = Callable[[], Serial] | None
Parts = tuple[Opener, Board]


def _bus_opener(oled: OledWiring) -> Opener:
    return lambda: open_i2c(oled.bus, oled.address)


def _simulated(wiring: Wiring) -> Parts:
    return None, SimulatedBoard()


def _real(wiring: Wiring) -> Parts:
    return (_bus_opener(wiring.oled) if wiring.oled else None), BOARDS[find() or "child"]()


def _auto(wiring: Wiring) -> Parts:
    opener: Opener = None
    if wiring.oled and Path(f"/dev/i2c-{wiring.oled.bus}").exists():
        opener = _bus_opener(wiring.oled)
    else:
        log.warning("no I²C bus for the OLED here: it is simulated, and shown in the browser only")
    name = find()
    if name is None:
        log.warning("no GPIO pins here: buttons, buzzer and lights are simulated")
    return opener, BOARDS[name or "simulated"]()


CHOICES: dict[str, Callable[[Wiring], Parts]] = {"simulated": _simulated, "real": _real, "auto": _auto}


def build(choice: str | None = None, wiring: Wiring | None = None, invitation: Invitation | None = None) -> Devices:
    """Build the set of devices, not started yet. A wiring that can't be is told, and everything simulated.

    Raises:
        ValueError: if there is no such choice.
    """
    choice = choice or os.environ.get("COMPANION_DEVICES") or "auto"
    if choice not in CHOICES:
        raise ValueError(f'COMPANION_DEVICES: there is no choice "{choice}"; there are: {", ".join(CHOICES)}')
    try:
        wiring = wiring or load()
        opener, board = CHOICES[choice](wiring)
    except (WiringError, PermanentError) as error:
        # Playing without lights beats not playing: the table page and `doctor` say what is wrong.
        log.warning("devices are simulated: %s", error)
        wiring = Wiring(oled=OledWiring())
        opener, board = _simulated(wiring)
    display = wiring.oled or OledWiring()
    return Devices(Oled(opener, display.type, display.rotate), board, wiring, invitation or Invitation())
