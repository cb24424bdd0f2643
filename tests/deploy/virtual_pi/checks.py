"""What is looked at inside the virtual Pi: the program itself, on devices of a real kernel.

Every check prints a line: "ok", its name, and what was seen; or "NOT OK", and what was not.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

TOP = Path(__file__).parents[3]
sys.path.insert(0, str(TOP))

from tests.deploy.virtual_pi.camera import (  # noqa: E402
    watched,
    webcam_codes,
    webcam_match,
    webcam_read,
    webcam_records,
    webcam_slow,
    webcam_unplugged,
)
from tests.deploy.virtual_pi.program import (  # noqa: E402
    ATTENTION,
    BUSES,
    BUZZER,
    NEXT,
    PAGE,
    SLOW,
    STATE,
    TURN,
    UNDO,
    WIRING,
    Checks,
    Served,
    WrongError,
    display,
    level,
    line,
    messages,
    press,
    serving,
    until,
)

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


def without_groups() -> str:
    """Who is in none of the groups is told of each, and the table is there all the same."""
    devices = [Path("/dev") / node for node in ("gpiochip0", "i2c-1", "spidev0.0")]
    for device in devices:
        # Another's, for whom the kernel makes no exception.
        os.chown(device, 1, 1)
    try:
        with serving(
            "--resume", "last", through=("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
        ) as served:
            for group in ("i2c", "spi", "gpio"):
                until(f"the group {group} is named", partial(served.said, f"into the group {group}"))
            if not served.record():
                raise WrongError("there is no match")
    finally:
        for device in devices:
            os.chown(device, 0, 0)
    return "i2c, spi and gpio named, the match is there"


def header(check: Checks) -> None:
    """Look at what hangs on the header: buttons, display and lights."""
    shutil.copytree(Path(os.environ["KEPT"]) / "begin" / "state", STATE)
    own = STATE / "data" / "firmware_config"
    own.mkdir(parents=True)
    (own / "wiring.toml").write_text(WIRING)
    check(nodes)
    check(edges)
    with serving("--resume", "last") as served:
        for test in (display_shows, page_button, buttons_command, ring_lit, two_at_once, display_unplugged):
            check(test, served)
        for test in (child_killed, child_ended, service_ended):
            check(test, served)
    check(pins_taken)
    check(without_groups)


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    check = Checks()
    parts = os.environ.get("PARTS", "").split(",")
    if "header" in parts:
        header(check)
    if "webcam" in parts:
        with watched(Path(os.environ["KEPT"])) as table:
            for look in (webcam_read, webcam_codes, webcam_slow, webcam_unplugged, webcam_match, webcam_records):
                check(look, table)
    return check.said()


if __name__ == "__main__":
    sys.exit(main())
