"""Checks camera, display, pins, readers, power, card, network and clock, and suggests fixes.

A check that can't be made is a finding, never a crash. "fail" is what a match can't do without, "warn" what it can.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion.devices import spi, vitals
from companion.devices.found_camera import takes_pictures, video_devices
from companion.devices.oled import I2C_BUS
from companion.devices.pins import SYSTEM_PYTHON, ChildBoard, find, on_a_pi
from companion.devices.service import DeviceError
from companion.devices.voice import installed
from companion.devices.wiring import OledWiring, WiringError, load
from companion.files import data, state_dir

OK, WARN, FAIL = "ok", "warn", "fail"


class Finding(msgspec.Struct, frozen=True):
    """The result of one check: `state` is "ok", "warn" or "fail"; `remedy` says what to do ("" if nothing)."""

    name: str
    state: str
    words: str
    remedy: str = ""


def _missing(optional: bool = True) -> str:
    """Return the state of a missing device: a failure only if real devices were asked for."""
    return FAIL if not optional or os.environ.get("COMPANION_DEVICES") == "real" else WARN


def python() -> Finding:
    """Check that this Python version is a tested one."""
    words = f"Python {sys.version.split()[0]}"
    if (3, 11) <= sys.version_info[:2] <= (3, 14):
        return Finding("python", OK, words)
    return Finding("python", WARN, f"{words} was not tried", "Use Python 3.11 to 3.14 if something is odd.")


def camera() -> Finding:
    """Check for a camera: one that Linux knows, or one of the Pi's own through picamera2."""
    found = [f"{video} ({name})" for video, name in video_devices().items() if takes_pictures(video, name)]
    own = _picamera() if on_a_pi() else ""
    if own.startswith("picamera2 "):
        found.append(own)
    if found:
        return Finding("camera", OK, ", ".join(dict.fromkeys(found)))
    return Finding(
        "camera",
        _missing(),
        f"no camera found{f' ({own})' if own else ''}",
        "Connect a USB webcam; or, on a Pi, plug in the camera's ribbon with the Pi off and install python3-picamera2. "
        "Without one the simulated table and games kept by phone still work.",
    )


def _picamera() -> str:
    """Return which cameras picamera2 knows, by the system's Python: "picamera2 N camera(s)", else what is wrong."""
    ask = "from picamera2 import Picamera2; print(len(Picamera2.global_camera_info()))"
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            [SYSTEM_PYTHON, "-I", "-c", ask], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"picamera2 can't be asked: {type(error).__name__}"
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode == 0 and last.isdigit():
        return f"picamera2 {last} camera(s)" if int(last) else "picamera2 works, but sees no camera"
    return (done.stderr.strip().splitlines() or ["picamera2 gave no answer"])[-1]


def wiring() -> Finding:
    """Check wiring.toml."""
    try:
        found = load()
    except WiringError as error:
        return Finding("wiring", FAIL, str(error), "Correct the file; until then everything is simulated.")
    parts = [f"{len(found.pins())} pins", "an OLED" if found.oled else "no OLED"]
    if found.ring:
        parts.append(f"a ring of {found.ring.leds} LEDs")
    return Finding("wiring", OK, f"{', '.join(parts)}, no clashes")


def oled() -> Finding:
    """Check that the display's I²C bus exists and something answers at its address."""
    try:
        display = load().oled
    except WiringError:
        return Finding("oled", WARN, "not looked for, as the wiring does not fit", "Mend the wiring first.")
    if display is None:
        return Finding("oled", OK, "none wired: its pages are shown in the browser")
    return _on_spi("oled", "the OLED") if display.bus == "spi" else _on_i2c(display)


def _on_i2c(display: OledWiring) -> Finding:
    device = Path(f"/dev/i2c-{I2C_BUS}")
    where = f"at 0x{display.address:02X} on bus {I2C_BUS}"
    if not device.exists():
        return Finding(
            "oled",
            _missing(),
            f"there is no I²C bus {I2C_BUS}; the OLED is shown in the browser only",
            "On a Pi: add the lines of firmware_config/config.txt, load the module i2c-dev, restart.",
        )
    try:
        from smbus2 import SMBus

        with SMBus(I2C_BUS) as bus:
            bus.read_byte(display.address)
    except PermissionError:
        return Finding("oled", _missing(), f"{device} may not be opened", "Put this user into the group i2c.")
    except OSError as error:
        return Finding(
            "oled",
            _missing(),
            f"nothing answers {where} ({error})",
            "Check power, ground, SDA and SCL, and whether the address is 0x3C or 0x3D.",
        )
    return Finding("oled", OK, f"a {display.type} answers {where}")


def _on_spi(name: str, whose: str) -> Finding:
    device = Path(spi.DEVICE)
    if not device.exists():
        return Finding(
            name,
            _missing(),
            f"there is no SPI bus for {whose}; it is simulated",
            "On a Pi: put the lines that `companion wiring --config` prints into config.txt, restart.",
        )
    if not os.access(device, os.R_OK | os.W_OK):
        return Finding(name, _missing(), f"{device} may not be opened", "Put this user into the group spi.")
    return Finding(name, OK, f"the SPI bus of {whose} is there (whether anything hangs on it can't be asked)")


def ring() -> Finding:
    """Check for the bus of the LED ring."""
    try:
        wired = load().ring
    except WiringError:
        return Finding("ring", WARN, "not looked for, as the wiring does not fit", "Mend the wiring first.")
    return Finding("ring", OK, "none wired") if wired is None else _on_spi("ring", "the LED ring")


def pins() -> Finding:
    """Check that buttons, buzzer and LEDs can use their pins."""
    try:
        name, plan = find(), load().plan()
        if name is None:
            return Finding(
                "pins", _missing(), "no GPIO pins here; buttons, buzzer and lights are simulated", "Use a Raspberry Pi."
            )
        if service_runs():
            return Finding("pins", OK, "held by Companion, which is running as a service")
        if name == "child":
            board = ChildBoard()
            try:
                faults = board.open(plan, lambda name, pressed, at: None)
            finally:
                board.close()
            if faults:
                words = "; ".join(f"{part}: {why}" for part, why in faults.items())
                return Finding("pins", WARN, words, "End the program that holds them, then start Companion again.")
    except (DeviceError, WiringError) as error:
        return Finding("pins", _missing(), str(error), "Do as it says, then start Companion again.")
    return Finding("pins", OK, f"through the board {name}")


def service_runs() -> bool:
    """Whether the installed service runs, and so holds the pins itself."""
    return (vitals.ask("systemctl", "is-active", "companion.service") or "").strip() == "active"


def zxing() -> Finding:
    """Check for the main reader."""
    return _library("zxing-cpp", "zxingcpp", "the reader", FAIL if not _zbar_loads() else WARN)


def zbar() -> Finding:
    """Check for the second reader: pyzbar, and the library zbar that it needs."""
    if importlib.util.find_spec("pyzbar") is None:
        return Finding("zbar", WARN, "pyzbar is not installed", "Reading works without; it is a second opinion.")
    if _zbar_loads():
        return Finding("zbar", OK, "pyzbar with libzbar")
    return Finding("zbar", WARN, "pyzbar finds no libzbar", "apt install libzbar0 (reading works without).")


def _zbar_loads() -> bool:
    try:
        from pyzbar import pyzbar
    except (ImportError, OSError):
        return False
    return bool(pyzbar)


def _library(package: str, module: str, words: str, bad: str) -> Finding:
    try:
        __import__(module)
        return Finding(package, OK, f"{words}, version {importlib.metadata.version(package)}")
    except (ImportError, OSError, importlib.metadata.PackageNotFoundError) as error:
        return Finding(package, bad, f"{words} can't be loaded: {error}", f"pip install {package}")


def disk() -> Finding:
    """Check that matches can be saved: a writable state folder with free space."""
    folder = state_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"companion")
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding(
            "state folder",
            FAIL,
            f"{folder} can't be written: {error.strerror or error}",
            "Set COMPANION_STATE to another.",
        )
    words = f"{folder}, {free / 1e9:.1f} GB free"
    if free < 50e6:
        return Finding("state folder", FAIL, words, "Make room: below 50 MB a match might not be kept.")
    return Finding("state folder", WARN if free < 500e6 else OK, words, "Make room soon." if free < 500e6 else "")


def files() -> Finding:
    """Check for the program's own data."""
    for name in ("card_codes", "web", "firmware_config"):
        try:
            data(name)
        except FileNotFoundError as error:
            return Finding("files", FAIL, str(error), "Install again: a part of the program is missing.")
    return Finding("files", OK, f"cards, pages and settings in {data('card_codes').parent}")


def own_address() -> str | None:
    """Return this computer's address in its network; None without one.

    Nothing is sent: a UDP connect only asks for a route (192.0.2.1 is kept for examples, RFC 5737).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            address = str(asked.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


def network() -> Finding:
    """Check that phones can reach this computer."""
    address = own_address()
    spot = hotspot()
    if address is None and not spot:
        return Finding(
            "network", WARN, "no network: phones can't join", "Join a Wi-Fi, plug in a cable, or switch the hotspot on."
        )
    words = [f'its own Wi-Fi "{spot}" is on'] if spot else []
    if address is not None and not address.startswith("169.254."):
        words.append(f"phones reach this computer at {address}")
    elif not spot:
        return Finding("network", WARN, f"{address} was made up: no router answered", "Check the cable or the Wi-Fi.")
    return Finding("network", OK, ", ".join(words))


def hotspot(run: Callable[..., str | None] = vitals.ask) -> str | None:
    """Return the name of this computer's own hotspot; None if it has none, or NetworkManager is missing."""
    for line in (run("nmcli", "--terse", "--fields", "UUID,TYPE", "connection", "show", "--active") or "").splitlines():
        uuid, _, kind = line.partition(":")
        if kind != "802-11-wireless":
            continue
        fields = "802-11-wireless.mode,802-11-wireless.ssid"
        told = (run("nmcli", "--get-values", fields, "connection", "show", uuid) or "").splitlines()
        if len(told) == 2 and told[0] == "ap":
            # nmcli puts a backslash before its own separator.
            return told[1].replace("\\:", ":").replace("\\\\", "\\")
    return None


def clock() -> Finding:
    """Check the date: most Pis have no clock of their own and start in the past without a network."""
    now = datetime.now(UTC)
    built = datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)
    words = f"{now:%Y-%m-%d %H:%M} UTC"
    # A day's grace, for a program that was unpacked in another time zone's yesterday.
    if now.timestamp() < built.timestamp() - 86400:
        return Finding("clock", WARN, f"{words} is before this program was installed", "Connect once to a network.")
    if time.get_clock_info("monotonic").adjustable:
        return Finding("clock", WARN, "the steady clock can be turned back", "Use another system: timers need it.")
    if vitals.synchronised() is False:
        kept = "kept by a clock of its own, and not compared" if vitals.keeps_time() else "not compared"
        return Finding(
            "clock",
            OK if vitals.keeps_time() else WARN,
            f"{words}, {kept} with a time server since the start",
            "Matches carry this date. Connect it to the internet once, or set it: sudo date -s '2026-12-24 18:00'.",
        )
    return Finding("clock", OK, words)


def power() -> Finding:
    """Check the power supply: a Pi with too little voltage loses USB devices and corrupts data."""
    word, promised = vitals.throttled(run=vitals.ask), vitals.supply()
    remedy = "Use the supply made for this Pi (27 W for a Pi 5, 15 W for a Pi 4), and no long thin cable."
    if word is None:
        return Finding("power", OK, "this computer doesn't say how its supply does")
    if word & vitals.UNDERVOLTAGE:
        return Finding("power", FAIL, "the voltage is too low at this moment", remedy)
    if word & vitals.UNDERVOLTAGE << vitals.SINCE_START:
        return Finding("power", WARN, "the voltage was too low at least once since the start", remedy)
    if promised is not None and promised < vitals.ENOUGH_MILLIAMPERES:
        return Finding("power", WARN, f"the supply promises {promised / 1000:g} A; a Pi 5 wants 5 A", remedy)
    return Finding("power", OK, "the voltage was never too low")


def heat() -> Finding:
    """Check whether the processor is throttled by heat."""
    degrees, word = vitals.temperature(), vitals.throttled(run=vitals.ask) or 0
    remedy = "Take it out of the sun, open its case, or give it a fan."
    if degrees is None:
        return Finding("heat", OK, "this computer doesn't say how warm it is")
    words = f"the processor is at {degrees:.0f} °C"
    if degrees >= vitals.HOT or word & vitals.HOT_LIMIT:
        return Finding("heat", FAIL, f"{words} and slows down", remedy)
    if word & vitals.HOT_LIMIT << vitals.SINCE_START:
        return Finding("heat", WARN, f"{words}, and was so hot since the start that it slowed down", remedy)
    return Finding("heat", WARN if degrees >= vitals.WARM else OK, words, remedy if degrees >= vitals.WARM else "")


ON_A_CARD = (
    "Switch the overlay off (sudo raspi-config, Performance Options), or set COMPANION_STATE to a folder on a card or "
    "disk that keeps it."
)


def card() -> Finding:
    """Check the card (or disk) under the state folder: writable, without errors, not worn out."""
    folder = state_dir()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    mount = vitals.mount_of(folder.resolve())
    if mount is None:
        return Finding("card", OK, "this computer doesn't say what its folders lie on")
    change = "Copy the matches off (companion export, or a backup), and change the card."
    if mount.kind in vitals.FORGETFUL:
        return Finding("card", FAIL, f"{folder} lies on {mount.kind}: a restart forgets every match", ON_A_CARD)
    if mount.read_only:
        return Finding("card", FAIL, f"{mount.device} has become read-only: nothing can be kept", change)
    worn = vitals.wear(mount)
    words = f"{mount.device} ({mount.kind})"
    if worn.written is not None:
        words += f", {worn.written:.0f} GB written in its life"
    if worn.errors:
        return Finding("card", FAIL, f"{words}, {worn.errors} errors", change)
    if worn.used is not None:
        return Finding(
            "card", WARN if worn.used >= 90 else OK, f"{words}, {worn.used} % worn", change if worn.used >= 90 else ""
        )
    return Finding("card", OK, f"{words}{', no errors' if worn.errors is not None else ''}")


def voice(wanted: bool) -> Finding:
    """Check whether the box can speak, if that is `wanted`."""
    if not wanted:
        return Finding("voice", OK, "switched off at /host/settings")
    if installed():
        return Finding("voice", OK, "espeak-ng; switched on at /host/settings")
    return Finding("voice", WARN, "espeak-ng is not installed: the box can't speak", "sudo apt install espeak-ng")


CHECKS: tuple[Callable[[], Finding], ...] = (
    python,
    files,
    disk,
    card,
    zxing,
    zbar,
    camera,
    wiring,
    oled,
    ring,
    pins,
    power,
    heat,
    network,
    clock,
)


def run_checks(checks: tuple[Callable[[], Finding], ...] = CHECKS) -> list[Finding]:
    """Run every check, in order; one that crashes is a finding too."""
    found = []
    for check in checks:
        try:
            found.append(check())
        except Exception as error:
            words = f"could not be looked at: {type(error).__name__}: {error}"
            found.append(Finding(check.__name__, WARN, words, "Please report this."))
    return found


def fit(findings: list[Finding]) -> bool:
    """Return whether nothing that is needed failed; `companion doctor` exits with 1 if not."""
    return all(finding.state != FAIL for finding in findings)
