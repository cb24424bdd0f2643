"""For the checks inside the virtual Pi: the program, its buttons, and what the kernel was given to show."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from companion.devices.oled import RecordingSerial

TOP = Path(__file__).parents[3]
HEADER = Path("/sys/devices/platform/gpio-sim.0")
BUSES = Path("/sys/kernel/debug/virtual-pi")
STATE = Path("/run/state")
LOG = Path("/run/log")
BUZZER, TURN, ATTENTION, NEXT, PAGE, UNDO = 18, 23, 24, 17, 27, 22
SLOW = 40.0
"""Seconds that anything may take: the guest's processor is emulated."""

WIRING = """
[oled]
type = "ssd1306"
[buttons]
next = 17
page = 27
undo = 22
[buzzer]
pin = 18
kind = "active"
[leds]
turn = 23
attention = 24
[ring]
leds = 16
"""


class WrongError(Exception):
    """Something is not as it should be."""


class Checks:
    """Makes checks: of each a line is said: "ok", its name, and what was seen; or "NOT OK", and what was not."""

    def __init__(self) -> None:
        """Begin with none."""
        self.failed = 0

    def __call__(self, test: Callable[..., str], *with_: object) -> None:
        """Make one."""
        began = time.monotonic()
        try:
            words, good = test(*with_), True
        except Exception as error:
            words, good = f"{error}" if isinstance(error, WrongError) else f"{type(error).__name__}: {error}", False
        self.failed += not good
        print(f"{'ok' if good else 'NOT OK'}: {test.__name__}: {words} ({time.monotonic() - began:.0f} s)", flush=True)

    def said(self) -> int:
        """Say whether all is well; return how many are not ok."""
        if self.failed:
            print(LOG.read_text(errors="replace")[-3000:], flush=True)
        print("all is well" if not self.failed else f"{self.failed} NOT OK", flush=True)
        return self.failed


def until(what: str, look: Callable[[], object], seconds: float = SLOW) -> object:
    """Return what `look` returns as soon as that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if seen := look():
            return seen
        time.sleep(0.1)
    raise WrongError(f"{what}: not within {seconds:.0f} s")


# ------------------------------------------------------------------------------------------------------ the header


def line(pin: int) -> Path:
    """Return the folder of a line of the header."""
    return next(HEADER.glob(f"gpiochip*/sim_gpio{pin}"))


def level(pin: int) -> int:
    """Return a line's level."""
    return int((line(pin) / "value").read_text())


def press(pin: int, seconds: float = 0.15) -> None:
    """Press a button: its line goes to ground."""
    (line(pin) / "pull").write_text("pull-down")
    time.sleep(seconds)
    (line(pin) / "pull").write_text("pull-up")


def messages(bus: str) -> list[bytes]:
    """Return what the kernel was given for a bus, message by message."""
    return taken_apart((BUSES / bus).read_bytes())


def taken_apart(data: bytes) -> list[bytes]:
    """Return the messages of what a bus has kept."""
    found, at = [], 0
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "little")
        found.append(data[at + 2 : at + 2 + size])
        at += 2 + size
    return found


def display() -> bytes:
    """Return the picture on the display, from what the kernel was given."""
    return picture_of(messages("i2c"))


def picture_of(sent: list[bytes]) -> bytes:
    """Return the picture that a display shows that was sent these messages."""
    return pictures_of(sent)[-1]


def pictures_of(sent: list[bytes], last: int = 200) -> list[bytes]:
    """Return the pictures that a display shows one after another that is sent these messages, of the `last` of them."""
    shown = RecordingSerial("ssd1306")
    pictures = [bytes(shown.picture().tobytes())]
    for n, message in enumerate(sent):
        # The first byte says what the others are: 0x00 commands, 0x40 pixels.
        shown.command(*message[1:]) if message[0] == 0 else shown.data(message[1:])
        if n >= len(sent) - last:
            pictures.append(bytes(shown.picture().tobytes()))
    return pictures


def picture_in(png: bytes) -> bytes:
    """Return the picture that the program says is on the display, the same way."""
    picture = Image.open(io.BytesIO(png))
    return picture.convert("1").resize((128, 64), Image.Resampling.NEAREST).tobytes()


# ----------------------------------------------------------------------------------------------------- the program


class Served:
    """`companion serve`, as on a Pi."""

    def __init__(self, *arguments: str, through: tuple[str, ...] = ()) -> None:
        """Start it, by another program if it is to go `through` one."""
        environ = {
            **os.environ,
            "COMPANION_STATE": str(STATE),
            "COMPANION_DEVICES": "real",
            "COMPANION_PINS": "child",
            "GPIOZERO_PIN_FACTORY": "lgpio",
            "LG_WD": str(STATE),
        }
        command = [*through, sys.executable, "-B", "-m", "companion", "serve", *arguments, "--host", "127.0.0.1"]
        with LOG.open("w") as log:
            self.process = subprocess.Popen(command, cwd=TOP, env=environ, stdout=log, stderr=log)
        until("it answers", lambda: self.ask("/health"), 4 * SLOW)

    def ask(self, path: str) -> bytes:
        """Return what a page says; nothing while nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:8080{path}", timeout=30) as answer:
                return bytes(answer.read())
        except OSError:
            return b""

    def state(self) -> dict[str, object]:
        """Return what everybody may know of the match."""
        return dict(json.loads(self.ask("/state/public") or b"{}"))

    def record(self) -> int:
        """Return how many records the match has."""
        return int(str(self.state()["record"]))

    def display(self) -> bytes:
        """Return the picture that the program says is on the display."""
        return picture_in(self.ask("/oled.png"))

    def said(self, words: str) -> bool:
        """Whether the log has these words."""
        return words in LOG.read_text(errors="replace")

    def child(self) -> int:
        """Return the process that has the pins; 0 if there is none."""
        found = subprocess.run(["pgrep", "-f", "pins_child.py"], capture_output=True, text=True, check=False)
        return int(found.stdout.split()[0]) if found.stdout else 0

    def end(self) -> None:
        """End it, as systemd does: the main process alone is asked."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SLOW)


@contextmanager
def serving(*arguments: str, through: tuple[str, ...] = ()) -> Iterator[Served]:
    """Have a table for some checks."""
    served = Served(*arguments, through=through)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.end()
