"""`doctor --walk`: a person who follows its words, on gpiozero's mock pins and a display that keeps what it is sent."""

from __future__ import annotations

import itertools
import random
import re
import threading
import time
from collections.abc import Callable, Iterator

import gpiozero
import numpy as np
import pytest
import segno
from gpiozero.pins.mock import MockFactory

from companion.codes import Code
from companion.devices import canvas
from companion.devices.camera_base import Camera, Tell
from companion.devices.device_manager import Devices, build
from companion.devices.display_pages import Invitation
from companion.devices.doctor import Finding
from companion.devices.oled import Oled, RecordingSerial
from companion.devices.pins import GpiozeroBoard
from companion.devices.ring import BLUE, RED, Ring, encode
from companion.devices.service import PermanentError
from companion.devices.voice import Utterance, Voice
from companion.devices.walk import Step, Walk, report
from companion.devices.wiring import (
    ButtonWiring,
    BuzzerWiring,
    KnobWiring,
    LedWiring,
    OledWiring,
    RingWiring,
    Wiring,
)
from companion.eye.view import Frame, Trouble

from .test_oled import until

WIRING = Wiring(
    oled=OledWiring(),
    buttons=ButtonWiring(next=17, page=27, undo=22, hold_seconds=0.3),
    knob=KnobWiring(a=5, b=6, press=13),
    buzzer=BuzzerWiring(pin=18, kind="active"),
    leds=LedWiring(turn=23, attention=24),
    ring=RingWiring(leds=12),
)
NAMES = (
    *("display", "button next", "button page", "button undo", "undo held", "knob", "buzzer", "LED turn"),
    *("LED attention", "ring", "voice", "camera"),
)


class Strip:
    """The ring's bus: keeps what was written last."""

    max_speed_hz = 0
    last = b""

    def open(self, port: int, device: int) -> None:
        return

    def writebytes(self, data: bytes) -> None:
        self.last = bytes(data)

    def close(self) -> None:
        return


class Scenery(Camera):
    """A camera over whatever is put before it."""

    def __init__(self) -> None:
        self.seen = np.full((360, 640), 120, np.uint8)
        self.taken = 0
        self._stop = threading.Event()

    def frames(self) -> Iterator[Frame]:
        while not self._stop.wait(0.005):
            yield Frame(self.seen.copy(), self.taken / 100, self.taken)
            self.taken += 1

    def close(self) -> None:
        self._stop.set()


def a_card() -> np.ndarray:
    """Return what the camera sees with a card on the table: one of the game's codes."""
    code = segno.make(str(Code("CO", "001", "F")), error="h", version=1)
    modules = np.array([list(row) for row in code.matrix_iter(scale=4, border=4)], np.uint8)
    seen = np.full((360, 640), 120, np.uint8)
    seen[40 : 40 + len(modules), 40 : 40 + len(modules)] = 255 * (1 - modules)
    return seen


class Person:
    """Does what it is asked to, and answers by what pins, display, bus and camera really have."""

    def __init__(self, factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent, self.strip, self.scenery = RecordingSerial("ssd1306"), Strip(), Scenery()
        board = GpiozeroBoard()
        display = Oled(lambda: self.sent, beat=0.05)
        ring = Ring(RingWiring(leds=12), lambda: self.strip)
        self.devices = Devices(display, board, WIRING, Invitation(), ring=ring)
        self.factory = factory
        self.spoken: list[str] = []
        self.asked: list[str] = []
        self.leaves_at = ""
        self.bounces = ""
        self.crossed = False
        self.walk = Walk(
            self.devices,
            WIRING,
            lambda tell: self.scenery,
            self,
            voice=self.voice(),
            chance=random.Random(3),
        )
        self.sounded = threading.Event()
        sound = self.devices.buzzer.sound

        def heard(name: str) -> None:
            if name == "click":  # undo's own
                return
            self.factory.pin(18).clear_states()
            sound(name)
            self.sounded.set()

        monkeypatch.setattr(self.devices.buzzer, "sound", heard)

    def voice(self) -> Voice:
        """Return a voice that speaks at once."""

        class Spoken:
            def __init__(self, utterance: Utterance) -> None:
                spoken.append(utterance.words)

            def poll(self) -> int:
                return 0

            def kill(self) -> None:
                return

            def wait(self) -> int:
                return 0

        spoken = self.spoken
        voice = Voice(Spoken)
        voice.level = 1
        return voice

    def __call__(self, words: str) -> str:
        """Do as the words say and return the answer."""
        self.asked.append(words)
        if self.leaves_at and self.leaves_at in words:
            raise EOFError
        done = next((do for part, do in DOES.items() if part in words), None)
        assert done is not None, words
        return done(self, words)

    def push(self, pin: int, seconds: float = 0.04) -> None:
        """Push the button of a pin."""
        self.factory.pin(pin).drive_low()
        time.sleep(seconds)
        self.factory.pin(pin).drive_high()
        time.sleep(0.04)

    def presses(self, words: str) -> str:
        """Press a button five times; one that is worn out counts once more."""
        button = words.split()[1]
        for _ in range(6 if button == self.bounces else 5):
            self.push({"next": 17, "page": 27, "undo": 22}[button])
        return self.counted(6 if button == self.bounces else 5)

    def counted(self, presses: int) -> str:
        """Wait until so many presses have arrived; a person's Enter is never that quick."""
        until(lambda: len(self.walk.pressed) >= presses)
        return ""

    def turns(self, words: str) -> str:
        """Turn the knob."""
        turned = ["knob:down"] * 10 if "left" in words else ["knob:up"] * 10 + ["knob"]
        for press in turned:
            self.devices.press(press)
        return self.counted(len(turned))

    def holds(self, words: str) -> str:
        """Hold undo."""
        self.push(22, 0.5)
        return self.counted(1)

    def reads(self, words: str) -> str:
        """Read the number on the display."""
        until(lambda: self.sent.picture().getbbox() is not None)
        shown = self.sent.picture().tobytes()
        for number in range(100, 1000):
            picture = canvas.blank()
            picture[[0, -1], :] = picture[:, [0, -1]] = True
            canvas.put_centred(picture, str(number), 12, 40, 38)
            if canvas.to_image(picture).tobytes() == shown:
                return str(number)
        return ""

    def hears(self, words: str) -> str:
        """Count the buzzer's tones; the first time it was not listening."""
        assert self.sounded.wait(10)
        self.sounded.clear()
        states = self.factory.pin(18).states
        rises = sum(1 for before, after in itertools.pairwise(states) if after.state and not before.state)
        return str(rises) if any("again" in asked for asked in self.asked[:-1]) else "again"

    def sees_led(self, words: str) -> str:
        """Say whether the light that is asked for is the only one that is lit."""
        wanted, other = (23, 24) if '"turn"' in words else (24, 23)
        if self.crossed:
            return "n"
        until(lambda: self.factory.pin(wanted).state)
        return "n" if self.factory.pin(other).state else "y"

    def sees_ring(self, words: str) -> str:
        """Say whether the ring has its three colours; whoever mumbles is asked again."""
        thirds = (RED,) * 4 + ((0, 255, 0),) * 4 + (BLUE,) * 4
        until(lambda: self.strip.last == encode(thirds, 20))
        return "y" if words in self.asked[:-1] else "hm"

    def waves(self, words: str) -> str:
        """Hold a hand before the camera."""
        bare = self.scenery.seen
        hand = bare.copy()
        hand[100:300, 200:400] = 20
        self.scenery.seen = hand
        taken = self.scenery.taken
        until(lambda: self.scenery.taken > taken + 2)
        self.scenery.seen = bare
        return ""

    def lays(self, words: str) -> str:
        """Lay a card."""
        self.scenery.seen = a_card()
        return ""


DOES: dict[str, Callable[[Person, str], str]] = {
    "number is on the display": Person.reads,
    "thin line": lambda person, words: "y",
    "Press ": Person.presses,
    "Hold undo": Person.holds,
    "Turn the knob": Person.turns,
    "to the left": Person.turns,
    "tones": Person.hears,
    "the LED": Person.sees_led,
    "ring": Person.sees_ring,
    "loudspeaker": lambda person, words: person.spoken[-1],
    "hands out": lambda person, words: "",
    "Wave": Person.waves,
    "Lay a printed": Person.lays,
}


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    saved, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, MockFactory()
    yield Person(gpiozero.Device.pin_factory, monkeypatch)
    gpiozero.Device.pin_factory.reset()
    gpiozero.Device.pin_factory = saved


def walked(person: Person) -> dict[str, Step]:
    """Return what came of each step, by name."""
    return {step.name: step for step in person.walk.steps()}


def test_all_is_well_if_every_part_does_what_it_should(person: Person) -> None:
    steps = walked(person)
    assert tuple(steps) == NAMES
    assert {name: step for name, step in steps.items() if step.state != "well"} == {}
    assert steps["button next"].words == "counted: next 5 times"
    assert "codes read: 1" in steps["camera"].words


def test_what_is_not_as_it_should_be_is_told(person: Person) -> None:
    person.bounces, person.crossed = "page", True
    person.spoken.append("")
    steps = walked(person)
    wrong = {name: step.words for name, step in steps.items() if step.state == "WRONG"}
    assert wrong == {
        "button page": "counted: page 6 times",
        "LED turn": "it does not blink alone",
        "LED attention": "it does not blink alone",
    }


def test_a_display_that_shows_something_else_and_a_camera_without_codes_are_wrong(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DOES, "number is on the display", lambda person, words: "88")
    monkeypatch.setitem(DOES, "Wave", lambda person, words: "")
    monkeypatch.setitem(DOES, "Lay a printed", lambda person, words: "")
    steps = walked(person)
    assert re.fullmatch(r"it shows \d\d\d, 88 was read", steps["display"].words)
    assert steps["display"].state == steps["camera"].state == "WRONG"
    assert "0% of it changed by a hand, codes read: 0" in steps["camera"].words


def test_who_ends_the_input_leaves_the_rest_untried(person: Person) -> None:
    person.leaves_at = "Press page"
    steps = walked(person)
    assert [step.state for step in steps.values()] == ["well"] * 2 + ["not tried"] * 10
    assert person.asked[-1].startswith("Press page")


def test_a_part_that_does_not_open_is_wrong_and_the_others_are_tried(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> dict[str, str]:
        raise PermanentError("the pins are held by another")

    def dark(tell: Tell) -> Camera:
        tell(Trouble("camera-lost", "The camera doesn't answer."))
        camera = Scenery()
        camera.close()
        return camera

    monkeypatch.setattr(person.devices.board, "open", broken)
    monkeypatch.setattr(person.walk, "_camera", dark)
    monkeypatch.setattr("companion.devices.walk.PICTURE_S", 0.1)
    steps = walked(person)
    assert steps["button next"] == Step("button next", "WRONG", "the pins are held by another")
    assert steps["camera"] == Step("camera", "WRONG", "The camera doesn't answer.")
    assert steps["display"].state == steps["ring"].state == "well"


def test_simulated_parts_are_not_asked_about() -> None:
    def never(words: str) -> str:
        raise AssertionError(words)

    walk = Walk(build("simulated", WIRING), WIRING, None, never)
    assert {step.state for step in walk.steps()} == {"not tried"}


def test_the_report_says_what_was_found_and_tried() -> None:
    findings = [Finding("power", "fail", "the voltage is too low at this moment", "…")]
    text = report(findings, [Step("buzzer", "well", "of 2 tones 2 heard")], "It hums.")
    assert "WRONG      power: the voltage is too low" in text
    assert "well       buzzer: of 2 tones 2 heard" in text
    assert text.endswith("Remark: It hums.\n")
