"""What is looked at inside an emulated Raspberry Pi 3: its own pin controller, and a display on its own bus."""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import sys
import time
from pathlib import Path

from companion.devices.pins import on_a_pi
from tests.deploy.virtual_pi.program import SLOW, STATE, TURN, Checks, Served, WrongError, serving, until

WIRING = """
[oled]
type = "sh1106"
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
"""
CHIP_INFO = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL."""
LINES = Path("/sys/kernel/debug/gpio")
PATIENT = 4 * SLOW


def pi_known() -> str:
    """The program knows that it is on a Pi, and the pins are those of its own controller."""
    model = Path("/proc/device-tree/model").read_text().rstrip("\0")
    if not on_a_pi():
        raise WrongError(f"{model} is no Pi")
    chip = bytearray(68)
    node = os.open("/dev/gpiochip0", os.O_RDWR)
    fcntl.ioctl(node, CHIP_INFO, chip)
    os.close(node)
    label, (lines,) = chip[32:64].split(b"\0")[0].decode(), struct.unpack_from("<I", chip, 64)
    if (label, lines) != ("pinctrl-bcm2835", 54):
        raise WrongError(f"{label}, {lines} lines")
    return f"{model}: {label}, {lines} lines"


def pi_display(served: Served) -> str:
    """The pixels of the display, as the computer outside sees them, are those of the picture that the program says."""
    for _ in range(10):
        until("the program has a picture", lambda: any(served.display()), PATIENT)
        print(f"PICTURE {served.display().hex()}", flush=True)
        if (said := sys.stdin.readline().strip()).startswith("same"):
            return said
        time.sleep(3)
    raise WrongError(f"it shows something else: {said}")


def lit(pin: int) -> bool:
    """Whether the controller has an output high, as its driver says."""
    return any(f"gpio-{512 + pin} " in line and "out hi" in line for line in LINES.read_text().splitlines())


def pi_light(served: Served) -> str:
    """The light of who is to move is lit through lgpio and the pin controller, and off when the program has ended."""
    until("the turn's light is on", lambda: lit(TURN), PATIENT)
    served.process.terminate()
    served.process.wait(PATIENT)
    if lit(TURN):
        raise WrongError("the light is still on")
    return "lit, and off after the end"


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    check = Checks()
    shutil.copytree("/kept/begin/state", STATE)
    own = STATE / "data" / "firmware_config"
    own.mkdir(parents=True)
    (own / "wiring.toml").write_text(WIRING)
    check(pi_known)
    with serving("--resume", "last") as served:
        check(pi_display, served)
        check(pi_light, served)
    return check.said()


if __name__ == "__main__":
    sys.exit(main())
