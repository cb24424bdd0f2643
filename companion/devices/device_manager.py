"""The devices on a table: built from the wiring, real where present, simulated otherwise.

`COMPANION_DEVICES` (or the caller) chooses "real", "simulated", or "auto", which warns of every simulated part.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.devices import moments, spi
from companion.devices.buttons import HOLD, LONG, NAMES, Buttons, meaning
from companion.devices.buzzer import Buzzer, heard
from companion.devices.canvas import Page, Say, english, png
from companion.devices.display_pages import Invitation, Occasion, draw, occasion, offered, running_timer
from companion.devices.knob import CONTACTS, DOWN, PRESS, UP, Bidding, Turning
from companion.devices.lettering import has
from companion.devices.lights import Lights, states
from companion.devices.oled import I2C_BUS, Oled, Serial, open_i2c
from companion.devices.pins import BOARDS, Board, PinService, SimulatedBoard, find, on_a_pi
from companion.devices.ring import Ring
from companion.devices.service import Clock, Health, PermanentError, Service, start_all, stop_all
from companion.devices.vitals import HealthIssue, Watch, health_issues
from companion.devices.wiring import ROLES, OledWiring, Wiring, WiringError, load
from companion.referee.clock import LAST
from companion.referee.commands import Command
from companion.referee.publishing import legible
from companion.referee.snapshot import Snapshot
from companion.rules.gathering import NAME as GATHERING
from companion.text import t

log = logging.getLogger(__name__)

BEAT = 0.5
"""Seconds between updates of a running clock."""
BRIEFLY = 2.5
"""Seconds for which the display shows what a press did."""
READING = 4.5
"""Seconds for which each picture of a notice is shown."""
AGAIN = 3600.0
"""Seconds after which the display may repeat a health issue of the box."""
GRACE = 0.6
"""Seconds that a question is shown before the button answers it: who ends a turn must not answer what just came up."""


class Devices:
    """Everything on the table but the camera. `show` and `press` return at once; the work is done in other threads.

    `on_button` gets every press ("next", "page", "undo", "knob", each also ":hold", and the knob's clicks), in the
    buttons' thread, after pages, sound and the knob's number; `command` says what it asks of the referee.
    """

    def __init__(
        self,
        oled: Oled,
        board: Board,
        wiring: Wiring,
        invitation: Invitation,
        *,
        ring: Ring | None = None,
        vitals: Callable[[], tuple[HealthIssue, ...]] | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Assemble the devices; `start` starts them. `vitals` reports the health issues of the box itself."""
        self.oled = oled
        self.invitation = invitation
        self.on_button: Callable[[str], None] | None = None
        self.tongue: Callable[[], Say] = lambda: english
        self.board = board
        knob = wiring.knob
        self.has_knob = knob is not None
        self.buttons = Buttons(self._pressed, (*NAMES, PRESS) if knob else NAMES, hold=wiring.buttons.hold_seconds)
        self._turning = Turning(self.buttons.press, knob.reverse, knob.half) if knob else None
        self.bidding = Bidding(GRACE, clock)
        plan = wiring.plan()
        self.pins = PinService(board, plan, self._edge)
        self.buzzer = Buzzer(self.pins)
        roles = tuple(role for role in states(None) if role in plan.outputs)
        self.lights = Lights(self.pins, roles or ROLES)
        self.ring = ring
        self.watch = Watch(vitals, self.tell) if vitals is not None else None
        self._follower = _Follower(self._follow, self._beat)
        self._services: tuple[Service, ...] = (
            self.oled,
            self.pins,
            self.buzzer,
            self.lights,
            *([ring] if ring else []),
            *([self.watch] if self.watch else []),
            self._follower,
            self.buttons,
        )
        self._clock = clock
        self._lock = threading.Lock()
        self._drawing = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._seen: Snapshot | None = None
        self._page = 0
        self._occasion: Occasion = ("", "")
        self._since = clock()
        self._ticked = 0
        self._notice: tuple[Page, float] | None = None
        self._health_issues: tuple[HealthIssue, ...] = ()
        self._told: dict[str, float] = {}

    def start(self) -> None:
        """Start every device, in order; one that fails is logged, and the rest run."""
        self._follower.tell(None)
        start_all(self._services)

    def close(self) -> None:
        """Stop every device, in reverse order; the outputs are off afterwards."""
        stop_all(self._services)

    def show(self, snapshot: Snapshot) -> None:
        """Show the current state of a match: page, lights, and the sound for the change."""
        self._follower.tell(snapshot)

    def invite(self, invitation: Invitation) -> None:
        """Set how people join."""
        self.invitation = invitation
        self._redraw()

    def press(self, button: str) -> None:
        """Press a button on behalf of a caller; raise ValueError if there is no such button."""
        self.buttons.press(button)

    def command(self, press: str) -> Command | None:
        """Return the command that a press means while the OLED shows its current page; None if it means none."""
        if press == PRESS:
            return self.bidding.bid()
        if press == PRESS + HOLD:
            found = self.bidding.leave()
            if not isinstance(found, str):
                return found
            self.notify(moments.notice(t("No pass"), found, say=self._say()))
            self.buzzer.play("violation")
            return None
        with self._lock:
            snapshot, since = self._snapshot, self._since
        asks = snapshot is not None and occasion(snapshot)[0] == "question"
        if asks and press == "next" and self._clock() - since < GRACE:
            return None
        return meaning(press, snapshot)

    def sound(self, name: str) -> None:
        """Play a sound of `buzzer.PATTERNS`."""
        self.buzzer.play(name)

    @property
    def muted(self) -> bool | None:
        """Whether the buzzer was silenced; None where none is to be heard."""
        return self.buzzer.muted if self.has_buzzer else None

    def mute(self, muted: bool) -> None:
        """Mute or unmute the buzzer; the display says so."""
        if muted != self.buzzer.muted:
            self.buzzer.mute(muted)
            self.notify(moments.sound(muted, self._say()), BRIEFLY)
            if not muted:
                self.buzzer.play("click")

    def notify(self, page: Page, seconds: float | None = None) -> None:
        """Show a page for a moment, over the current one; `seconds` each picture, or long enough to be read."""
        with self._lock:
            self._notice = page, self._clock() + (seconds or READING * len(page))
        self._redraw()
        self._follower.wake()

    def tell(self, health_issues: tuple[HealthIssue, ...]) -> None:
        """Record the box's current health issues. A new one is shown on the display once, and not again for an hour."""
        with self._lock:
            self._health_issues, now = health_issues, self._clock()
            new = [issue for issue in health_issues if now - self._told.get(issue.kind, -math.inf) >= AGAIN]
            self._told.update({issue.kind: now for issue in new})
        for issue in new[:1]:
            self.notify(moments.notice(issue.title, issue.words, issue.remedy, self._say()))

    @property
    def health_issues(self) -> tuple[HealthIssue, ...]:
        """The current health issues of the box."""
        return self._health_issues

    def health_sentences(self) -> tuple[str, ...]:
        """Return the current health issues with their remedies, in a sentence or two each."""
        return tuple(
            t("{words} {remedy}", words=issue.words, remedy=issue.remedy).strip() for issue in self._health_issues
        )

    @property
    def page_buttons(self) -> tuple[str, ...]:
        """The buttons that a page offers because there are no real ones."""
        if not isinstance(self.board, SimulatedBoard):
            return ()
        knob = ("knob:down", "knob", "knob:up", "knob:hold") if self.has_knob else ()
        return ("next", "page", "undo", *knob)

    @property
    def has_buzzer(self) -> bool:
        """Whether there is an audible buzzer: a simulated one is not."""
        return not isinstance(self.board, SimulatedBoard)

    def oled_png(self, scale: int = 1) -> bytes:
        """Return the OLED's picture as a PNG of 128×64 times a whole number."""
        return png(self.oled.picture(), scale)

    def health(self) -> tuple[Health, ...]:
        """Return the health of each device, in order."""
        return tuple(service.health for service in self._services if service is not self._follower)

    def _say(self) -> Say:
        """Return the translator into the table's language, for text beside the match."""
        return self.tongue()

    def _follow(self, snapshot: Snapshot | None) -> None:
        """Update display, lights and buzzer; runs in the follower's thread."""
        seen, self._seen = self._seen, snapshot
        who = moments.arrived(seen, snapshot) if snapshot is not None else 0
        if snapshot is not None and who and self._notice is None and occasion(snapshot)[0] not in ("alert", "question"):
            self.notify(moments.seated(snapshot, who, self.tongue()), BRIEFLY)
        if snapshot is not None:
            snapshot = legible(snapshot, snapshot.names, has)
        if self.ring is not None:
            self.ring.show(snapshot)
        if snapshot is not None and snapshot.game == GATHERING:
            # There is no match yet: the display invites, and nothing blinks or sounds.
            snapshot = None
        self.bidding.follow(snapshot)
        with self._lock:
            before, self._snapshot = self._snapshot, snapshot
            about = occasion(snapshot)
            if about != self._occasion:
                # Something new matters: whatever page somebody had turned to gives way, and before what people have to
                # act on a notice does, too.
                self._occasion, self._page, self._since = about, 0, self._clock()
                if about[0] in ("alert", "question"):
                    self._notice = None
            same = before if before is not None and snapshot is not None and before.match == snapshot.match else None
            throw = moments.rolled(same, snapshot) if snapshot is not None else None
            if snapshot is not None and throw is not None and about[0] not in ("alert", "question"):
                page = moments.dice(snapshot, throw, self.tongue())
                self._notice = page, self._clock() + READING * len(page)
        self._redraw()
        self.lights.show(states(snapshot))
        if snapshot is not None:
            found = heard(same, snapshot)
            if found:
                self.buzzer.play(found)

    def _beat(self) -> float | None:
        """Advance a running clock and a notice; return the seconds until the next look, None if nothing runs."""
        with self._lock:
            timer = running_timer(self._snapshot) if self._snapshot is not None else None
            left = None if self._notice is None else self._notice[1] - self._clock()
        if left is not None and left <= 0:
            with self._lock:
                self._notice = left = None
            self._redraw()
        if timer is None or timer.ends is None:
            return left
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
                snapshot, page, notice = self._snapshot, self._page, self._notice
            if notice is not None and self._clock() < notice[1]:
                self.oled.show(notice[0])
                return
            names = offered(snapshot, self.invitation)
            offer = self.bidding.offer if self.has_knob else None
            self.oled.show(
                draw(names[page % len(names)], snapshot, self.invitation, self._clock(), offer, self.tongue())
            )

    def _edge(self, name: str, pressed: bool, at: float) -> None:
        if self._turning is not None and name in CONTACTS:
            self._turning.edge(name, pressed)
        else:
            self.buttons.edge(name, pressed, at)

    def _pressed(self, press: str) -> None:
        if press in (UP, DOWN):
            self._turned(1 if press == UP else -1)
        elif press == "page":
            self._turn_page(1)
            # A display that was unplugged for a moment may be blank without anybody having noticed.
            self.oled.renew()
        elif press == "page" + HOLD:
            self.mute(not self.buzzer.muted)
        elif press == "page" + LONG:
            # The first second of it has switched the sound.
            self.mute(not self.buzzer.muted)
            self._switch_off()
        elif press == "undo":
            self.buzzer.play("click")
        if self.on_button is not None:
            self.on_button(press)

    def _switch_off(self) -> None:
        if wish_power_off():
            words = t("Pull the plug when the Pi's green lamp stays dark.")
            self.notify(moments.notice(t("Switching off"), words, say=self._say()), 60.0)
        else:
            words = t("Switch this computer off as you always do.")
            self.notify(moments.notice(t("Switch off"), words, say=self._say()))

    def _turned(self, step: int) -> None:
        if not self.bidding.turn(step):
            self._turn_page(step)
            return
        with self._lock:
            self._page, self._notice = 0, None
        self._redraw()

    def _turn_page(self, step: int) -> None:
        with self._lock:
            if self._notice is not None:
                self._notice = None
            else:
                self._page += step
        self._redraw()


def wish_power_off() -> bool:
    """Request a power-off by a file that a systemd unit watches; return False where there is no such unit."""
    folder = os.environ.get("RUNTIME_DIRECTORY")
    if not folder:
        return False
    try:
        (Path(folder) / "poweroff").touch()
    except OSError as error:
        log.warning("the wish to switch off could not be laid down: %s", error)
        return False
    return True


class _Follower(Service):
    """Receives snapshots from the match's thread and draws the latest in its own: drawing must not delay a match."""

    def __init__(self, follow: Callable[[Snapshot | None], None], beat: Callable[[], float | None]) -> None:
        super().__init__("desk")
        self._follow = follow
        self._beat = beat
        self._changed = threading.Condition()
        self._latest: Snapshot | None = None
        self._new = False

    def tell(self, snapshot: Snapshot | None) -> None:
        """Set the latest snapshot."""
        with self._changed:
            self._latest, self._new = snapshot, True
            self._changed.notify_all()

    def setup(self) -> None:
        """Nothing to open."""
        return

    def run(self) -> None:
        """Process every snapshot, or the latest of several that came at once; between them, clocks and notices."""
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
        """Wake `run`."""
        with self._changed:
            self._changed.notify_all()


Opener = Callable[[PinService], Serial] | None
Parts = tuple[Opener, Board, bool]
"""How the display is opened, the board, and whether a ring is real."""


def _opener(oled: OledWiring) -> Opener:
    if oled.bus == "spi":
        return lambda pins: spi.open_oled(pins.set_now, oled.reset is not None)
    return lambda pins: open_i2c(I2C_BUS, oled.address)


def _simulated(wiring: Wiring) -> Parts:
    return None, SimulatedBoard(), False


def _real(wiring: Wiring) -> Parts:
    return (_opener(wiring.oled) if wiring.oled else None), BOARDS[find() or "child"](), True


def _auto(wiring: Wiring) -> Parts:
    opener: Opener = None
    bus = wiring.oled.bus if wiring.oled else "i2c"
    # On a Pi it is looked for at every attempt: the bus may be there only when its module is loaded.
    if wiring.oled and (on_a_pi() or Path(spi.DEVICE if bus == "spi" else f"/dev/i2c-{I2C_BUS}").exists()):
        opener = _opener(wiring.oled)
    else:
        log.warning("no %s bus for the OLED here: it is simulated, and shown in the browser only", BUSES[bus])
    name = find()
    if name is None:
        log.warning("no GPIO pins here: buttons, buzzer and lights are simulated")
    ring = wiring.ring is not None and (on_a_pi() or spi.there())
    if wiring.ring and not ring:
        log.warning("no SPI bus for the LED ring here: it is simulated")
    return opener, BOARDS[name or "simulated"](), ring


BUSES = {"i2c": "I²C", "spi": "SPI"}
REFRESH = {"i2c": 30.0, "spi": 5.0}
"""Seconds after which a display is sent everything again: 25 ms on I²C, 1 ms on SPI, on which nothing can be missed."""
CHOICES: dict[str, Callable[[Wiring], Parts]] = {"simulated": _simulated, "real": _real, "auto": _auto}


def build(choice: str | None = None, wiring: Wiring | None = None, invitation: Invitation | None = None) -> Devices:
    """Build the devices, not started, simulated if the wiring is invalid; raise ValueError for an unknown choice."""
    choice = choice or os.environ.get("COMPANION_DEVICES") or "auto"
    if choice not in CHOICES:
        raise ValueError(f'COMPANION_DEVICES: there is no choice "{choice}"; there are: {", ".join(CHOICES)}')
    try:
        wiring = wiring or load()
        opener, board, ring = CHOICES[choice](wiring)
    except (WiringError, PermanentError) as error:
        # Playing without lights beats not playing: the table page and `doctor` say what is wrong.
        log.warning("devices are simulated: %s", error)
        wiring = Wiring(oled=OledWiring())
        opener, board, ring = _simulated(wiring)
    display = wiring.oled or OledWiring()
    oled = Oled(None, display.type, display.rotate)
    made = Devices(
        oled,
        board,
        wiring,
        invitation or Invitation(),
        ring=Ring(wiring.ring, spi.SpiBus if ring else None) if wiring.ring else None,
        vitals=None if choice == "simulated" else health_issues,
    )
    if opener is not None:
        # A display on SPI needs two lines of the board, which is only there now.
        open_it = opener
        oled.open_with(lambda: open_it(made.pins), REFRESH[display.bus])
    return made
