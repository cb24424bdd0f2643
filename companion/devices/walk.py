"""`companion doctor --walk`: leads through what only hands, eyes and ears can try, and reports in plain text."""

from __future__ import annotations

import os
import platform
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.codes import parse
from companion.devices import canvas, knob
from companion.devices.buttons import HOLD
from companion.devices.buzzer import PATTERNS
from companion.devices.camera_base import Camera
from companion.devices.device_manager import Devices
from companion.devices.doctor import Finding
from companion.devices.ring import BLUE, RED, Scene
from companion.devices.service import DeviceError, Service, start_all, stop_all
from companion.devices.voice import Utterance, Voice, installed
from companion.devices.wiring import Wiring
from companion.eye.reader import LibraryReader
from companion.eye.view import Frame, Trouble

WELL, WRONG, UNTRIED = "well", "WRONG", "not tried"
PRESSES = 5
CLICKS = 10
OPENS_S = 20.0
"""Seconds that a part may take to open: the pins' child has 15."""
PICTURE_S = 60.0
"""Seconds that a camera's first picture may take: on a cold Pi importing picamera2 is slow."""
_GREEN = (0, 255, 0)
_MOVED_LEVELS, _MOVED_SHARE = 25, 0.02
"""A hand changes so many gray levels, in such a share of the picture; noise and a lamp's flicker change less."""

Ask = Callable[[str], str]
"""Says something and returns the line that is typed then. An EOFError ends the walk."""
Open = Callable[[Callable[[Trouble | None], None]], Camera]
"""Opens the camera. It may raise a `DeviceError`."""


class Step(msgspec.Struct, frozen=True):
    """What came of one step: `state` is "well", "WRONG" or "not tried"."""

    name: str
    state: str
    words: str


class Walk:
    """Tries every part with the help of a person, whom `ask` talks to."""

    def __init__(
        self,
        devices: Devices,
        wiring: Wiring,
        camera: Open | None,
        ask: Ask,
        *,
        voice: Voice | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """Create it for `devices` built from `wiring`, not started; nothing is opened before `steps`.

        `camera` opens the camera, `voice` speaks (None: neither is there), `ask` talks to the person; `chance` chooses
        what only somebody who saw or heard it can answer.
        """
        self._devices = devices
        self._camera = camera
        self._ask = ask
        self._voice = voice
        self._chance = chance or random.Random()
        self._plan = wiring.plan()
        self._has_display = wiring.oled is not None
        self.pressed: list[str] = []
        """What was pressed since the last question."""

    def steps(self) -> Iterator[Step]:
        """Yield what came of each step as soon as it is known; whoever ends the input leaves the rest untried."""
        devices = self._devices
        # Without what follows a match: it would draw its own pages meanwhile.
        parts: list[Service] = [devices.oled, devices.pins, devices.buzzer, devices.lights, devices.buttons]
        parts += [devices.ring] if devices.ring else []
        devices.on_button = self.pressed.append
        start_all(parts)
        ended = False
        try:
            for name, step in self._all():
                if ended:
                    yield Step(name, UNTRIED, "the walk was ended before")
                    continue
                try:
                    yield step(name)
                except EOFError:
                    ended = True
                    yield Step(name, UNTRIED, "the walk was ended here")
                except DeviceError as error:
                    yield Step(name, WRONG, f"{error}")
        finally:
            stop_all(parts)

    def _all(self) -> Iterable[tuple[str, Callable[[str], Step]]]:
        yield "display", self._display
        for name in self._plan.buttons:
            if name not in knob.CONTACTS and name != knob.PRESS:
                yield f"button {name}", self._button
        if "undo" in self._plan.buttons:
            yield "undo held", self._held
        if self._devices.has_knob:
            yield "knob", self._knob
        if "buzzer" in self._plan.outputs:
            yield "buzzer", self._buzzer
        for role in self._plan.outputs:
            if role in self._devices.lights.roles:
                yield f"LED {role}", self._light
        yield "ring", self._ring
        yield "voice", self._speaker
        yield "camera", self._looks

    def _display(self, name: str) -> Step:
        if not self._has_display:
            return Step(name, UNTRIED, "none is wired")
        oled = self._devices.oled
        if not oled.real:
            return Step(name, UNTRIED, "simulated: there is no bus for it")
        self._opened(oled)
        number = f"{self._chance.randrange(100, 1000)}"
        picture = canvas.blank()
        picture[[0, -1], :] = picture[:, [0, -1]] = True
        canvas.put_centred(picture, number, 12, 40, 38)
        oled.show((canvas.to_image(picture),))
        if (said := self._ask("Which number is on the display?")) != number:
            return Step(name, WRONG, f"it shows {number}, {said or 'nothing'} was read")
        whole = self._agrees("Does a thin line run all round it, and is there nothing outside of the line?")
        return Step(name, WELL if whole else WRONG, "the number was read" + ("" if whole else ", its rim is not right"))

    def _light(self, name: str) -> Step:
        if not self._devices.has_buzzer:
            return Step(name, UNTRIED, "simulated: there are no pins")
        self._opened(self._devices.pins)
        role, lights = name.removeprefix("LED "), self._devices.lights
        lights.show({**dict.fromkeys(lights.roles, "off"), role: "slow"})
        blinks = self._agrees(f'Does the LED "{role}" blink, and no other?')
        lights.show(dict.fromkeys(lights.roles, "off"))
        return Step(name, WELL if blinks else WRONG, "it alone blinks" if blinks else "it does not blink alone")

    def _ring(self, name: str) -> Step:
        ring = self._devices.ring
        if ring is None:
            return Step(name, UNTRIED, "none is wired")
        if not ring.real:
            return Step(name, UNTRIED, "simulated: there is no bus for it")
        self._opened(ring)
        ring.light(Scene("over", 3, (1, 2, 3), (RED, _GREEN, BLUE)))
        right = self._agrees("Is the ring a third red, a third green and a third blue, without flicker?")
        ring.light(Scene())
        return Step(name, WELL if right else WRONG, "its colours are right" if right else "its colours are not right")

    def _button(self, name: str) -> Step:
        button = name.removeprefix("button ")
        return self._counted(name, f"Press {button} {PRESSES} times, as you like.", {button: PRESSES})

    def _held(self, name: str) -> Step:
        return self._counted(name, "Hold undo for two seconds, once.", {"undo" + HOLD: 1})

    def _knob(self, name: str) -> Step:
        words = f"Turn the knob by {CLICKS} clicks to the right, then press it once."
        step = self._counted(name, words, {knob.UP: CLICKS, knob.PRESS: 1})
        if step.state != WELL:
            return step
        return self._counted(name, f"Now {CLICKS} clicks to the left.", {knob.DOWN: CLICKS})

    def _counted(self, name: str, words: str, wanted: dict[str, int]) -> Step:
        if not self._devices.has_buzzer:
            return Step(name, UNTRIED, "simulated: there are no pins")
        self._opened(self._devices.pins)
        self.pressed.clear()
        self._ask(f"{words} Then press Enter.")
        seen = Counter(self.pressed)
        told = ", ".join(f"{press} {count} times" for press, count in sorted(seen.items())) or "no press"
        return Step(name, WELL if seen == wanted else WRONG, f"counted: {told}")

    def _buzzer(self, name: str) -> Step:
        if not self._devices.has_buzzer:
            return Step(name, UNTRIED, "simulated: there are no pins")
        self._opened(self._devices.pins)
        sound = self._chance.choice(("turn", "question", "climb", "over"))
        tones, said = str(len(PATTERNS[sound])), "again"
        while said.startswith("a"):
            self._devices.sound(sound)
            said = self._ask('How many tones does the buzzer make? ("again" to hear it again)')
        return Step(name, WELL if said == tones else WRONG, f"of {tones} tones {said or 'none'} heard")

    def _speaker(self, name: str) -> Step:
        if self._voice is None:
            return Step(name, UNTRIED, "espeak-ng is not installed")
        number, said = str(self._chance.randrange(20, 100)), "again"
        while said.startswith("a"):
            self._voice.utter(Utterance(number, "en"))
            said = self._ask('Which number does the loudspeaker say? ("again" to hear it again)')
        return Step(name, WELL if said == number else WRONG, f"it said {number}, {said or 'nothing'} was heard")

    def _looks(self, name: str) -> Step:
        if self._camera is None:
            return Step(name, UNTRIED, "there is none")
        watching = _Watching(self._camera)
        try:
            size = watching.first()
            self._ask("Take your hands out of the camera's view. Then press Enter.")
            watching.compare()
            self._ask("Wave your hand over the table for a few seconds. Then press Enter.")
            share, rate = watching.moved, watching.rate()
            self._ask("Lay a printed card where the camera sees it, and take your hand away. Then press Enter.")
            codes = watching.codes()
        finally:
            watching.close()
        words = f"{size}, {rate:.1f} pictures a second, {share:.0%} of it changed by a hand, codes read: {codes}"
        return Step(name, WELL if share >= _MOVED_SHARE and codes else WRONG, words)

    def _agrees(self, question: str) -> bool:
        while True:
            said = self._ask(f"{question} (y/n)").lower()
            if said[:1] in ("y", "n"):
                return said.startswith("y")

    def _opened(self, part: Service) -> None:
        """Wait until a part is open; raise DeviceError, which says why, if it isn't in time."""
        end = time.monotonic() + OPENS_S
        while not part.running:
            health = part.health
            if health.state == "broken" or (health.words and time.monotonic() >= end):
                raise DeviceError(health.words)
            if time.monotonic() >= end:
                raise DeviceError(f"it was not open after {OPENS_S:.0f} s")
            time.sleep(0.05)


class _Watching:
    """Reads a camera's frames in a thread, and keeps the newest."""

    def __init__(self, open_camera: Open) -> None:
        self._trouble = "it gave no picture"
        self._camera = open_camera(self._tell)
        self._came = threading.Condition()
        self._newest: Frame | None = None
        self._before: np.ndarray | None = None
        self._began, self._count = 0.0, 0
        self.moved = 0.0
        """The largest share of the picture that differed from the one compared with."""
        self._thread = threading.Thread(target=self._read, name="walk-camera", daemon=True)
        self._thread.start()

    def _tell(self, trouble: Trouble | None) -> None:
        if trouble is not None:
            self._trouble = trouble.words

    def _read(self) -> None:
        try:
            for frame in self._camera.frames():
                small = _small(frame)
                with self._came:
                    self._newest, self._count = frame, self._count + 1
                    if self._before is not None:
                        differs = np.abs(small - self._before) > _MOVED_LEVELS
                        self.moved = max(self.moved, float(differs.mean()))
                    self._came.notify_all()
        except DeviceError as error:
            self._trouble = f"{error}"

    def first(self) -> str:
        """Wait for the first picture; return its size. Raises DeviceError if there is none in time."""
        with self._came:
            if not self._came.wait_for(lambda: self._newest is not None, PICTURE_S):
                raise DeviceError(self._trouble)
            assert self._newest is not None  # noqa: S101 (just waited for)
            high, wide = self._newest.gray.shape
            return f"{wide}×{high}"

    def compare(self) -> None:
        """Compare all pictures from now on with the newest, and count them."""
        with self._came:
            if self._newest is not None:
                self._before = _small(self._newest)
            self._began, self._count, self.moved = time.monotonic(), 0, 0.0

    def rate(self) -> float:
        """Return how many pictures came each second since `compare`."""
        return self._count / max(time.monotonic() - self._began, 0.001)

    def codes(self) -> int:
        """Return the number of codes in a picture that begins now; raise DeviceError if none comes any more."""
        with self._came:
            count = self._count
            # The next may have been taken before the hand was gone.
            if not self._came.wait_for(lambda: self._count >= count + 2, PICTURE_S):
                raise DeviceError(self._trouble)
            assert self._newest is not None  # noqa: S101 (just waited for)
            gray = self._newest.gray
        return len({seen.payload for seen in LibraryReader().read(gray) if parse(seen.payload) is not None})

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()
        self._thread.join(5.0)


def _small(frame: Frame) -> np.ndarray:
    return cv2.resize(frame.gray, (160, 90), interpolation=cv2.INTER_AREA).astype(np.int16)


def own_voice() -> Voice | None:
    """Return a voice for the walk; None if this computer can't speak."""
    if not installed():
        return None
    voice = Voice()
    voice.level = 1
    return voice


def report(findings: Iterable[Finding], steps: Iterable[Step], remark: str = "") -> str:
    """Return the report: what this computer is, what was found without help, and what came of each step."""
    signs = {"ok": "well", "warn": "missing", "fail": WRONG}
    lines = [
        f"Companion {version('companion')}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"{_model()}; {platform.platform()}; Python {platform.python_version()}",
        "",
        "Looked at:",
        *(f"  {signs[one.state]:9}  {one.name}: {one.words}" for one in findings),
        "",
        "Tried with hands, eyes and ears:",
        *(f"  {step.state:9}  {step.name}: {step.words}" for step in steps),
    ]
    return "\n".join([*lines, *(["", f"Remark: {remark}"] if remark else [])]) + "\n"


def _model() -> str:
    try:
        return Path("/proc/device-tree/model").read_text(errors="replace").strip("\0 \n")
    except OSError:
        return f"a computer with {os.cpu_count()} processors"
