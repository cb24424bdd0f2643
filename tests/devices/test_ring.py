"""The ring of LEDs: whose turn it is, in the seat's colour and place; alerts; and the bits on the wire."""

from __future__ import annotations

import errno
from collections.abc import Sequence

import msgspec
import pytest

from companion.devices import ring
from companion.devices.ring import BLUE, DARK, RED, SHADES, WHITE, Ring, Scene, colours, encode, part, scene
from companion.devices.service import Backoff
from companion.devices.wiring import RingWiring
from companion.eye.view import Trouble
from companion.referee.colours import SHAPES
from companion.referee.snapshot import Choice, Question, Violation
from companion.rules.gathering import NAME as GATHERING
from companion.rules.kernel import Outcome, SeatStanding, Standing

from .snapshots import snapshot
from .test_oled import until

SIXTEEN = RingWiring(leds=16)
QUESTION = Question("q", "which", "Which?", (2,), (Choice("a", "This"),))


def shown(wiring: RingWiring, **more: object) -> tuple[ring.Colour, ...]:
    return colours(scene(snapshot(4, **more)), wiring)  # type: ignore[arg-type]


@pytest.mark.parametrize("leds", [8, 12, 16, 24, 60])
@pytest.mark.parametrize("seats", range(2, 9))
def test_every_seat_has_its_part_and_parts_are_alike(leds: int, seats: int) -> None:
    parts = [part(led, seats, RingWiring(leds=leds)) for led in range(leds)]
    sizes = [parts.count(seat) for seat in range(1, seats + 1)]
    assert min(sizes) >= 1
    assert max(sizes) - min(sizes) <= 1
    assert parts[0] == 1


def test_seats_go_round_clockwise_from_the_first_led_however_the_ring_is_numbered() -> None:
    assert [part(led, 4, SIXTEEN) for led in (0, 4, 8, 12)] == [1, 2, 3, 4]
    assert [part(led, 4, RingWiring(leds=16, first=5)) for led in (4, 8, 12, 0)] == [1, 2, 3, 4]
    assert [part(led, 4, RingWiring(leds=16, first=5, clockwise=False)) for led in (4, 0, 12, 8)] == [1, 2, 3, 4]


def test_every_colour_that_a_seat_can_have_has_a_light() -> None:
    assert set(SHADES) == set(SHAPES)


def test_a_turn_lights_the_seats_part_in_the_seats_colour() -> None:
    blue = shown(SIXTEEN, waiting=(1,))
    assert set(blue) == {DARK, SHADES["blue"]}
    assert blue[0] == SHADES["blue"]
    assert shown(SIXTEEN, waiting=(1,), colours={1: "pink"})[0] == SHADES["pink"]
    both = shown(SIXTEEN, waiting=(1, 3))
    assert (both[0], both[8], both[4]) == (SHADES["blue"], SHADES["green"], DARK)


def test_before_a_match_the_ring_has_the_colours_of_those_who_have_sat_down() -> None:
    gathered = snapshot(4, game=GATHERING, waiting=(), colours={1: "blue", 2: "pink", 3: "green", 4: "violet"})
    found = scene(msgspec.structs.replace(gathered, names={2: "Bo", 4: "Dan"}))
    assert (found.mood, found.lit) == ("turn", (2, 4))
    lights = colours(found, SIXTEEN)
    assert (lights[4], lights[12], lights[0]) == (SHADES["pink"], SHADES["violet"], DARK)


def test_what_needs_attention_is_seen_from_everywhere() -> None:
    assert set(shown(SIXTEEN, violation=Violation("illegal", "F7", "No.", "Back."))) == {RED}
    assert set(colours(Scene("violation", 4), SIXTEEN, on=False)) == {DARK}
    asked = shown(SIXTEEN, question=QUESTION)
    assert (asked[4], asked[0]) == (WHITE, DARK)
    blind = shown(SIXTEEN, waiting=(1,), troubles=(Trouble("dark", "Too dark."),))
    assert (blind[0], blind[8]) == (SHADES["blue"], BLUE)


def test_at_the_end_the_winners_colours_go_all_round_and_without_a_winner_it_is_dark() -> None:
    seats = tuple(SeatStanding(seat, seat) for seat in range(1, 5))
    won = shown(SIXTEEN, phase="over", standing=Standing(seats, Outcome((2, 4), "goal", "F7", "Won.")))
    assert won == (SHADES["orange"],) * 8 + (SHADES["pink"],) * 8
    assert set(shown(SIXTEEN, phase="over", standing=Standing(seats, Outcome((), "stopped", "C8", "")))) == {DARK}
    assert set(colours(scene(None), SIXTEEN)) == {DARK}


def decode(wire: bytes) -> list[tuple[int, int, int]]:
    """Read the LEDs' bits back from the bus's: three of them stand for one."""
    bits = "".join(f"{byte:08b}" for byte in wire[1:])
    threes = [bits[at : at + 3] for at in range(0, len(bits) - 2, 3)]
    ones = [three for three in threes if three != "000"]
    assert set(ones) <= {"100", "110"}
    assert set(threes[len(ones) :]) == {"000"}
    plain = "".join("1" if three == "110" else "0" for three in ones)
    octets = [int(plain[at : at + 8], 2) for at in range(0, len(plain), 8)]
    return [(octets[at + 1], octets[at], octets[at + 2]) for at in range(0, len(octets), 3)]


def test_the_wire_carries_green_red_blue_and_ends_with_silence() -> None:
    wire = encode([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)])
    assert decode(wire) == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    assert wire[0] == 0
    silence = len(wire) - len(wire.rstrip(b"\0"))
    assert silence * 8 / ring.HERTZ >= 300e-6
    assert len(encode([DARK] * 150)) <= 4096


def test_brightness_bounds_the_current() -> None:
    assert decode(encode([(255, 255, 255)], 20)) == [(51, 51, 51)]
    assert max(decode(encode([WHITE], 1))[0]) >= 1


class Bus:
    def __init__(self) -> None:
        self.max_speed_hz = 0
        self.sent: list[bytes] = []
        self.plugged = True
        self.closed = 0

    def open(self, port: int, device: int) -> None:
        if not self.plugged:
            raise OSError(errno.EIO, "Input/output error")

    def writebytes(self, data: Sequence[int]) -> None:
        if not self.plugged:
            raise OSError(errno.EIO, "Input/output error")
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.closed += 1


def test_the_service_sends_changes_blinks_comes_back_and_leaves_the_ring_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ring.BLINKS, "fast", (0.01, 0.01))
    monkeypatch.setattr(ring, "BEAT", 0.01)
    bus = Bus()
    service = Ring(SIXTEEN, lambda: bus)
    service._backoff = Backoff(0.01, 0.02)
    service.show(snapshot(4, violation=Violation("illegal", "F7", "No.", "Back.")))
    service.start()
    try:
        until(lambda: len({bytes(sent) for sent in bus.sent[-9:]}) == 2)
        assert bus.max_speed_hz == ring.HERTZ
        service.show(snapshot(4, waiting=(1,)))
        blue = encode(shown(SIXTEEN, waiting=(1,)), 20)
        until(lambda: bus.sent[-3:] == [blue] * 3)
        bus.plugged = False
        until(lambda: service.health.failures > 1)
        bus.plugged = True
        bus.sent.clear()
        until(lambda: bus.sent[-1:] == [blue])
    finally:
        service.stop()
    assert set(decode(bus.sent[-1])) == {DARK}
    assert bus.closed


def test_simulated_it_keeps_what_it_would_send() -> None:
    service = Ring(SIXTEEN, None)
    service.setup()
    service.step(Scene("violation", 4), True)
    assert set(decode(service.sent)) == {(51, 0, 0)}
    service.teardown()
    assert set(decode(service.sent)) == {DARK}
