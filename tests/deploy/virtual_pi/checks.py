"""What is looked at inside the virtual Pi: the program itself, on devices of a real kernel.

Every check prints a line: "ok", its name, and what was seen; or "NOT OK", and what was not.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

TOP = Path(__file__).parents[3]
sys.path.insert(0, str(TOP))

from companion.devices.oled import RecordingSerial  # noqa: E402

HEADER = Path("/sys/devices/platform/gpio-sim.0")
BUSES = Path("/sys/kernel/debug/virtual-pi")
STATE = Path("/run/state")
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
    data, found, at = (BUSES / bus).read_bytes(), [], 0
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "little")
        found.append(data[at + 2 : at + 2 + size])
        at += 2 + size
    return found


def display() -> bytes:
    """Return the picture on the display, from what the kernel was given."""
    shown = RecordingSerial("ssd1306")
    for message in messages("i2c"):
        # The first byte says what the others are: 0x00 commands, 0x40 pixels.
        shown.command(*message[1:]) if message[0] == 0 else shown.data(message[1:])
    return bytes(shown.picture().tobytes())


# ----------------------------------------------------------------------------------------------------- the program


class Served:
    """`companion serve`, as on a Pi."""

    def __init__(self, *arguments: str) -> None:
        self.log = Path("/run/log")
        environ = {
            **os.environ,
            "COMPANION_STATE": str(STATE),
            "COMPANION_DEVICES": "real",
            "COMPANION_PINS": "child",
            "GPIOZERO_PIN_FACTORY": "lgpio",
            "LG_WD": "/run",
        }
        command = [sys.executable, "-B", "-m", "companion", "serve", *arguments, "--host", "127.0.0.1"]
        with self.log.open("w") as log:
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
        picture = Image.open(io.BytesIO(self.ask("/oled.png")))
        return picture.convert("1").resize((128, 64), Image.Resampling.NEAREST).tobytes()

    def said(self, words: str) -> bool:
        """Whether the log has these words."""
        return words in self.log.read_text(errors="replace")

    def child(self) -> int:
        """Return the process that has the pins; 0 if there is none."""
        found = subprocess.run(["pgrep", "-f", "pins_child.py"], capture_output=True, text=True, check=False)
        return int(found.stdout.split()[0]) if found.stdout else 0

    def end(self) -> None:
        """End it, as systemd does: the main process alone is asked."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SLOW)


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    """Have a table for some checks."""
    served = Served(*arguments)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.end()


# ------------------------------------------------------------------------------------------------------- the checks


def nodes() -> str:
    """The kernel has the devices of a Pi's header."""
    for node in ("gpiochip0", "i2c-1", "spidev0.0"):
        if not Path("/dev", node).exists():
            raise WrongError(f"there is no /dev/{node}")
    return "gpiochip0, i2c-1, spidev0.0"


def edges() -> str:
    """Every edge of a button's line reaches the pins' child, bounces too, and its outputs reach the lines."""
    child = TOP / "companion" / "devices" / "pins_child.py"
    environ = {**os.environ, "GPIOZERO_PIN_FACTORY": "lgpio", "LG_WD": "/run"}
    with subprocess.Popen(
        ["/usr/bin/python3", "-I", str(child)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
    ) as pins:
        assert pins.stdin is not None
        assert pins.stdout is not None
        said = map(json.loads, pins.stdout)
        pins.stdin.write(json.dumps({"buttons": {"next": NEXT}, "outputs": {"buzzer": [BUZZER, "switch"]}}) + "\n")
        pins.stdin.flush()
        ready = next(said)
        if ready.get("faults") != {}:
            raise WrongError(f"{ready}")
        for seconds in (0.15, 0.002, 0.002, 0.002):
            press(NEXT, seconds)
            time.sleep(0.01)
        # The emulated kernel tells of the last edges late.
        time.sleep(2)
        pins.stdin.write('{"write": ["buzzer", 1]}\n{"settle": 1}\n')
        pins.stdin.flush()
        seen = []
        for message in said:
            if "settled" in message:
                break
            seen.append(message["edge"])
        high = level(BUZZER)
        pins.stdin.close()
    # Two edges within a millisecond may be one here: the kernel that tells of them is emulated.
    if not 4 <= len(seen) <= 8 or [pressed for _, pressed, _ in seen] != [True, False] * (len(seen) // 2) or not high:
        raise WrongError(f"{seen}, buzzer {high}")
    return f"{ready['ready']}: {len(seen)} edges, the first press {seen[1][2] - seen[0][2]:.3f} s long"


def display_shows(served: Served) -> str:
    """The display's picture, as the kernel was given it, is the one that the program says."""
    until("something is on the display", lambda: any(display()))
    until("the display shows what the program says", lambda: display() == served.display())
    return f"{len(messages('i2c'))} messages on the bus"


def display_unplugged(served: Served) -> str:
    """A display whose wire was pulled is told of, and shows the page of the moment when it is back."""
    (BUSES / "plugged").write_text("N")
    until("it is told", lambda: served.said("the OLED doesn't answer"))
    (BUSES / "plugged").write_text("Y")
    before = len(messages("i2c"))
    until("the display is set up again", lambda: len(messages("i2c")) > before + 20)
    until("the picture is back", lambda: display() == served.display())
    return "told, and back"


def ring_lit(served: Served) -> str:
    """The ring gets three bytes a bit for each of its lights."""
    until("something is on the bus", lambda: messages("spi"))
    # 16 lights of 24 bits, each bit three on the wire; a pause goes before and after.
    if not any(len(message) >= 16 * 24 * 3 // 8 for message in messages("spi")):
        raise WrongError(f"messages of {sorted({len(message) for message in messages('spi')})} bytes")
    return f"{len(messages('spi'))} messages of {len(messages('spi')[-1])} bytes"


def page_button(served: Served) -> str:
    """The page button turns the display's page: once a press, also if its contact bounces."""
    until("the pins are open", lambda: level(TURN))
    first = display()
    press(PAGE)
    until("the page was turned", lambda: display() != first and display() == served.display())
    second, before = display(), len(messages("i2c"))
    for _ in range(4):
        press(PAGE, 0.002)
        time.sleep(0.002)
    press(PAGE)
    until("a press that bounces turns it", lambda: display() not in (first, second))
    third = display()
    time.sleep(3)
    if display() != third:
        raise WrongError("a press that bounces counted twice")
    return f"three pages, {len(messages('i2c')) - before} messages for the last"


def buttons_command(served: Served) -> str:
    """The light says that somebody is to move; undo takes a step back if it is held, else nothing happens."""
    until("the turn's light is on", lambda: level(TURN))
    records = served.record()
    press(UNDO)
    time.sleep(3)
    if served.record() != records:
        raise WrongError("a short press of undo was taken")
    press(UNDO, 1.5)
    until("undo was taken", lambda: served.state()["can_redo"])
    until("the turn's light is on", lambda: level(TURN))
    return f"a step of {records} taken back"


def two_at_once(served: Served) -> str:
    """Two buttons pressed at once are two presses."""
    first = display()
    records = served.record()
    for pin in (PAGE, UNDO):
        (line(pin) / "pull").write_text("pull-down")
    time.sleep(0.15)
    for pin in (PAGE, UNDO):
        (line(pin) / "pull").write_text("pull-up")
    until("the page was turned", lambda: display() != first)
    if served.record() != records:
        raise WrongError("a short undo was taken")
    return "page turned, short undo ignored"


def child_killed(served: Served) -> str:
    """A killed child of the pins is replaced, and the lights are as they were."""
    until("the turn's light is on", lambda: level(TURN))
    old = served.child()
    os.kill(old, signal.SIGKILL)
    until("another has the pins", lambda: served.child() not in (0, old))
    until("the turn's light is on again", lambda: level(TURN))
    return "replaced, lights back"


def child_ended(served: Served) -> str:
    """A child of the pins that is asked to end has its outputs low before it goes."""
    until("the turn's light is on", lambda: level(TURN))
    old, seen = served.child(), []
    watch = subprocess.Popen(
        [sys.executable, "-c", WATCH, str(line(TURN) / "value"), str(old)], stdout=subprocess.PIPE, text=True
    )
    assert watch.stdout is not None
    watch.stdout.readline()
    os.kill(old, signal.SIGTERM)
    seen = watch.communicate(timeout=SLOW)[0].split()
    if "low-while-alive" not in seen:
        raise WrongError(f"the light was not low before the child was gone: {seen}")
    until("the turn's light is on again", lambda: level(TURN))
    return "low, then gone; replaced, lights back"


WATCH = """
import os, sys
print("watching", flush=True)
while True:
    value = open(sys.argv[1]).read().strip()
    try:
        alive = open(f"/proc/{sys.argv[2]}/stat").read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        alive = False
    if value == "0":
        print("low-while-alive" if alive else "low-when-gone"); break
    if not alive:
        print("high-when-gone"); break
"""


def service_ended(served: Served) -> str:
    """The program that is asked to end switches everything off."""
    until("the turn's light is on", lambda: level(TURN))
    served.end()
    lit = [pin for pin in (BUZZER, TURN, ATTENTION) if level(pin)]
    if lit:
        raise WrongError(f"still on: {lit}")
    if served.child():
        raise WrongError("the pins' child is still there")
    return f"status {served.process.returncode}, all off"


def pins_taken() -> str:
    """A pin that another program has is told of by its name; the others work."""
    hold = (
        "import lgpio as g, time; g.gpio_claim_output(g.gpiochip_open(0), 18); print('held', flush=1); time.sleep(999)"
    )
    with subprocess.Popen(
        ["/run/python3", "-I", "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        until("the pin is held", lambda: other.stdout and "held" in other.stdout.readline())
        try:
            with serving("--resume", "last") as served:
                until("it is told", lambda: served.said("buzzer: pin 18 can't be used"))
                press(NEXT, 1.5)
                until("the turn's light is on", lambda: level(TURN))
        finally:
            other.kill()
    return "buzzer named, light on"


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    shutil.copytree(Path(os.environ["KEPT"]) / "begin" / "state", STATE)
    own = STATE / "data" / "firmware_config"
    own.mkdir(parents=True)
    (own / "wiring.toml").write_text(WIRING)
    failed = 0

    def check(test: Callable[..., str], *with_: object) -> None:
        nonlocal failed
        began = time.monotonic()
        try:
            words, good = test(*with_), True
        except Exception as error:
            words, good = f"{error}" if isinstance(error, WrongError) else f"{type(error).__name__}: {error}", False
        failed += not good
        print(f"{'ok' if good else 'NOT OK'}: {test.__name__}: {words} ({time.monotonic() - began:.0f} s)", flush=True)

    check(nodes)
    check(edges)
    with serving("--resume", "last") as served:
        for test in (display_shows, page_button, buttons_command, ring_lit, two_at_once, display_unplugged):
            check(test, served)
        for test in (child_killed, child_ended, service_ended):
            check(test, served)
        if failed:
            print(json.dumps(served.state())[:1500], flush=True)
            print(served.log.read_text(errors="replace")[-3000:], flush=True)
    check(pins_taken)
    print("all is well" if not failed else f"{failed} NOT OK", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
