"""A ring of WS2812 LEDs in the middle of the table: every seat has its colour and its part of the ring.

Three SPI bits make one of the LEDs' 1.25 µs (WorldSemi: a one is high 0.8 µs, a zero 0.4 µs; 0.3 ms of silence end).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from companion.devices import spi
from companion.devices.lights import BLINKS
from companion.devices.service import Service
from companion.devices.wiring import RingWiring
from companion.referee.colours import worn
from companion.referee.snapshot import Snapshot
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import TABLE, Seat

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

SHADES: dict[str, Colour] = {
    "blue": (0, 50, 255),
    "orange": (255, 110, 0),
    "green": (0, 210, 50),
    "pink": (255, 60, 170),
    "sky": (0, 190, 255),
    "red": (255, 0, 0),
    "yellow": (255, 220, 0),
    "grey": (190, 190, 190),
    "violet": (140, 0, 255),
    "black": (190, 190, 190),
}
"""The seats' colours (`companion.referee.colours`) as LEDs show them best; grey and black become white."""
RED, WHITE, BLUE, DARK = (255, 0, 0), (255, 220, 180), (0, 60, 255), (0, 0, 0)
HERTZ = 2_400_000
_SILENCE = 96
"""Bytes of zeros after a picture: 0.32 ms."""
_BITS = {"0": "100", "1": "110"}
_THREE = tuple(int("".join(_BITS[bit] for bit in f"{value:08b}"), 2).to_bytes(3, "big") for value in range(256))
BEAT = 5.0
"""Seconds after which a picture is sent again: a ring that lost its power for a moment can't say so."""


class Scene(msgspec.Struct, frozen=True):
    """The ring's state: the seats that are due, or the mood of the whole table.

    `mood` is "off", "turn", "owed", "question", "trouble", "violation" or "over".
    """

    mood: str = "off"
    seats: int = 0
    lit: tuple[Seat, ...] = ()
    worn: tuple[Colour, ...] = ()
    """The colour of every seat."""


def scene(snapshot: Snapshot | None) -> Scene:
    """Return what the ring shows of a match; before one, the colours of those who have sat down."""
    if snapshot is None:
        return Scene()
    chosen = worn(snapshot.colours, snapshot.seats)
    shades = tuple(SHADES.get(chosen[seat], SHADES["grey"]) for seat in range(1, snapshot.seats + 1))
    if snapshot.game == GATHERING:
        return Scene("turn", snapshot.seats, tuple(seat for seat in sorted(snapshot.names) if seat), shades)
    outcome = snapshot.standing.outcome
    if snapshot.phase == "over":
        return Scene("over", snapshot.seats, outcome.winners if outcome else (), shades)
    due = tuple(seat for seat in snapshot.views[0].waiting if seat != TABLE)
    if snapshot.violation:
        return Scene("violation", snapshot.seats)
    if snapshot.question:
        return Scene("question", snapshot.seats, snapshot.question.seats)
    if snapshot.troubles:
        return Scene("trouble", snapshot.seats, due, shades)
    owed = bool(snapshot.owed) or snapshot.phase != "playing"
    return Scene("owed" if owed else "turn", snapshot.seats, due, shades)


PACE = {"violation": "fast", "question": "slow", "owed": "slow", "trouble": "slow"}
"""Moods that blink, and how (`lights.BLINKS`)."""


def part(led: int, seats: int, wiring: RingWiring) -> Seat:
    """Return which seat an LED (from 0) belongs to; 0 for those that stay dark between two seats."""
    round_ = wiring.leds / seats
    place = (led - (wiring.first - 1)) * (1 if wiring.clockwise else -1) % wiring.leds
    nearest = int(place / round_ + 0.5)
    between = abs(place - nearest * round_) > (round_ - 1) / 2 - 0.25 and round_ >= 3
    return 0 if between else nearest % seats + 1


def colours(shown: Scene, wiring: RingWiring, on: bool = True) -> tuple[Colour, ...]:
    """Return the colour of every LED; `on` is the lit half of a blink.

    A turn lights its seat's part, which blinks while something is owed. A violation blinks red all round, a question
    white (the parts of who may answer, or all); at camera trouble it is blue between the seats' colours; winners'
    colours go all round.
    """
    dark = shown.mood in PACE and not on
    if shown.mood == "off" or not shown.seats or (dark and shown.mood != "trouble"):
        return (DARK,) * wiring.leds
    if shown.mood == "violation":
        return (RED,) * wiring.leds
    shades = dict(enumerate(shown.worn, 1))
    if shown.mood == "over":
        won = [shades.get(seat, DARK) for seat in shown.lit] or [DARK]
        return tuple(won[led * len(won) // wiring.leds] for led in range(wiring.leds))
    found = []
    for led in range(wiring.leds):
        seat = part(led, shown.seats, wiring)
        if shown.mood == "question":
            found.append(WHITE if not shown.lit or seat in shown.lit else DARK)
        elif shown.mood == "trouble" and not dark and seat not in shown.lit:
            found.append(BLUE)
        else:
            found.append(shades.get(seat, DARK) if seat in shown.lit else DARK)
    return tuple(found)


def encode(lights: Sequence[Colour], brightness: int = 100) -> bytes:
    """Return colours as bytes for the bus; `brightness` in percent, by which the current shrinks too."""
    wire = bytearray(1)  # the first bit must not be the end of an idle line
    for red, green, blue in lights:
        for value in (green, red, blue):
            # Eyes see the square root of what LEDs give: without the square every mixed colour looks pale.
            wire += _THREE[round(value * value / 255 * brightness / 100)]
    return bytes(wire) + bytes(_SILENCE)


class Bus(Protocol):
    """The SPI bus as the ring uses it."""

    max_speed_hz: int

    def open(self, port: int, device: int) -> None:
        """Open the bus."""

    def writebytes(self, data: Sequence[int]) -> None:
        """Send bytes in one go."""

    def close(self) -> None:
        """Release the bus."""


class Ring(Service):
    """The ring as a service: sent when it changes or blinks, and now and then for one that lost its power."""

    def __init__(self, wiring: RingWiring, make: Callable[[], Bus] | None = spi.SpiBus) -> None:
        """Create it; `make` opens a bus (None: simulated, `sent` keeps the last bytes)."""
        super().__init__("ring")
        self._wiring = wiring
        self._make = make
        self._bus: Bus | None = None
        self._changed = threading.Condition()
        self._scene = Scene()
        self._version = 0
        self.sent = b""

    def show(self, snapshot: Snapshot | None) -> None:
        """Set the match to show, without waiting."""
        self.light(scene(snapshot))

    @property
    def real(self) -> bool:
        """Whether there is a bus to open."""
        return self._make is not None

    def light(self, found: Scene) -> None:
        """Set what to show, without waiting."""
        with self._changed:
            if found != self._scene:
                self._scene = found
                self._version += 1
                self._changed.notify_all()

    def setup(self) -> None:
        """Open the bus."""
        if self._make is None:
            return
        bus = self._make()
        try:
            bus.open(0, 0)
            bus.max_speed_hz = HERTZ
        except OSError as error:
            raise spi.fault(error, "the LED ring") from None
        self._bus = bus

    def run(self) -> None:
        """Send changed colours, and blink."""
        on, version = True, -1
        while not self.stopping.is_set():
            with self._changed:
                shown, on = self._scene, on or self._version != version
                version = self._version
            self.step(shown, on)
            pace = PACE.get(shown.mood)
            with self._changed:
                if self._version == version and not self.stopping.is_set():
                    self._changed.wait(BLINKS[pace][0 if on else 1] if pace else BEAT)
            on = not on if pace else True

    def step(self, shown: Scene, on: bool) -> None:
        """Send one picture."""
        self.sent = encode(colours(shown, self._wiring, on), self._wiring.brightness)
        if self._bus is not None:
            self._bus.writebytes(self.sent)

    def teardown(self) -> None:
        """Switch the ring off and release the bus."""
        bus, self._bus = self._bus, None
        self.sent = encode((DARK,) * self._wiring.leds)
        if bus is not None:
            try:
                bus.writebytes(self.sent)
            finally:
                bus.close()

    def wake(self) -> None:
        """Wake `run`."""
        with self._changed:
            self._changed.notify_all()
