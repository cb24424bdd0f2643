"""Health of the box itself: power, heat, card and clock, read from Linux's own files under a root.

What a computer doesn't say is None, never a guess.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.devices.service import Clock, Service
from companion.text import t

log = logging.getLogger(__name__)

ROOT = Path("/")
UNDERVOLTAGE, HOT_LIMIT = 1, 8
SINCE_START = 16
"""Two bits of the firmware's word (Raspberry Pi documentation, `vcgencmd get_throttled`); 16 up: since the start."""
HOT = 80.0
"""Degrees Celsius at which a Pi begins to slow down (85 is the hard limit)."""
WARM = 72.0
ENOUGH_MILLIAMPERES = 5000
"""What a Pi 5 asks of its supply; with less it gives USB only 600 mA."""


class HealthIssue(msgspec.Struct, frozen=True):
    """Something wrong with the box: `kind` for programs, the rest for people."""

    kind: str
    title: str
    words: str
    remedy: str = ""


def ask(*command: str, timeout: float = 5.0) -> str | None:
    """Return the output of a system program; None if it is missing, fails or hangs."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands, no shell
            command, capture_output=True, text=True, timeout=timeout, check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return None


def throttled(root: Path = ROOT, run: Callable[..., str | None] | None = None) -> int | None:
    """Return the firmware's status bits (power, heat) from the kernel's file, or vcgencmd by `run`; else None."""
    for path in sorted(root.glob("sys/devices/platform/soc*/*firmware/get_throttled")):
        word = _number(_text(path), 16)
        if word is not None:
            return word
    for path in sorted(root.glob("sys/class/hwmon/hwmon*/name")):
        if _text(path) == "rpi_volt":
            alarm = _number(_text(path.with_name("in0_lcrit_alarm")), 10)
            if alarm is not None:
                return UNDERVOLTAGE if alarm else 0
    said = run("vcgencmd", "get_throttled") if run is not None else None
    return _number(said.partition("=")[2], 16) if said else None


def supply(root: Path = ROOT) -> int | None:
    """Return the milliamperes that a Pi 5's supply has promised; None where nothing was promised."""
    try:
        promised = (root / "proc/device-tree/chosen/power/max_current").read_bytes()
    except OSError:
        return None
    return int.from_bytes(promised[:4], "big") or None


def _number(text: str | None, base: int) -> int | None:
    try:
        return int(text, base) if text else None
    except ValueError:
        return None


def temperature(root: Path = ROOT) -> float | None:
    """Return the processor's temperature in degrees Celsius; of several zones the processor's, else the hottest."""
    found: list[tuple[bool, float]] = []
    for zone in sorted(root.glob("sys/class/thermal/thermal_zone*")):
        milli = _number(_text(zone / "temp"), 10)
        kind = _text(zone / "type") or ""
        # A sensor that is switched off says something like -274000.
        if milli is not None and -40_000 < milli < 150_000:
            found.append(("cpu" in kind or "soc" in kind, milli / 1000))
    return max(found)[1] if found else None


class Mount(msgspec.Struct, frozen=True):
    """The file system that a folder lies on: its device ("/dev/mmcblk0p2"), kind, and whether it can be written."""

    device: str
    kind: str
    read_only: bool


def mount_of(folder: Path, root: Path = ROOT) -> Mount | None:
    """Return the file system of a folder."""
    best: tuple[int, Mount] | None = None
    for line in (_text(root / "proc/mounts") or "").splitlines():
        fields = line.split(" ")
        if len(fields) < 4:
            continue
        place = Path(fields[1].replace("\\040", " "))
        if folder.is_relative_to(place):
            mount = Mount(fields[0], fields[2], "ro" in fields[3].split(","))
            if best is None or len(place.parts) >= best[0]:
                best = len(place.parts), mount
    return best[1] if best else None


FORGETFUL = ("overlay", "aufs", "tmpfs", "ramfs")
"""Kinds of file systems that are empty again after a restart: raspi-config's overlay keeps all changes in memory."""


def forgetful(folder: Path, root: Path = ROOT) -> str | None:
    """Return the kind of file system of a folder (which need not be there yet) if it forgets what is kept there."""
    folder = folder.absolute()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    mount = mount_of(folder.resolve(), root)
    return mount.kind if mount is not None and mount.kind in FORGETFUL else None


class Wear(msgspec.Struct, frozen=True):
    """Wear of a card: errors of its file system, GB written to it, percent of its life that is used."""

    errors: int | None = None
    written: float | None = None
    used: int | None = None


def wear(mount: Mount, root: Path = ROOT) -> Wear:
    """Return the wear of a card as far as it is known. SD cards don't say how worn they are; eMMC does, in tenths."""
    name = Path(mount.device).name
    system = root / "sys/fs/ext4" / name
    kilobytes = _number(_text(system / "lifetime_write_kbytes"), 10)
    disk = name.rpartition("p")[0] if name.startswith("mmcblk") and "p" in name[6:] else name
    life = (_text(root / "sys/block" / disk / "device/life_time") or "").split()
    tenths = [number for number in (_number(part, 16) for part in life) if number]
    return Wear(
        errors=_number(_text(system / "errors_count"), 10),
        written=kilobytes / 1e6 if kilobytes is not None else None,
        used=min(100, max(tenths) * 10) if tenths else None,
    )


def synchronised(root: Path = ROOT, run: Callable[..., str | None] = ask) -> bool | None:
    """Return whether the clock was set by a time server since the start; None if nobody knows."""
    said = run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if said in ("yes", "no"):
        return said == "yes"
    return True if (root / "run/systemd/timesync/synchronized").exists() else None


def keeps_time(root: Path = ROOT) -> bool:
    """Return whether there is a clock that goes on without power (a Pi 5 has one, if a battery is connected)."""
    return any((path / "time").exists() for path in root.glob("sys/class/rtc/rtc*"))


def health_issues(root: Path = ROOT) -> tuple[HealthIssue, ...]:
    """Return the current issues of power and heat. Reads a few small files, and starts no program."""
    found = []
    word, degrees = throttled(root) or 0, temperature(root)
    if word & UNDERVOLTAGE:
        found.append(
            HealthIssue(
                "power",
                t("Weak power"),
                t("The Pi gets too little voltage."),
                t("Use its own power supply, no long cable."),
            )
        )
    if word & HOT_LIMIT or (degrees is not None and degrees >= HOT):
        how = (
            t("The Pi is at {degrees:.0f} °C and slows down.", degrees=degrees)
            if degrees is not None
            else t("The Pi is too hot.")
        )
        found.append(HealthIssue("heat", t("Too hot"), how, t("Give it air: out of the sun, lid open, or a fan.")))
    return tuple(found)


class Watch(Service):
    """Looks at the box now and then; `tell` gets changed issues, which pass slowly: flicker is one issue."""

    def __init__(
        self,
        look: Callable[[], tuple[HealthIssue, ...]],
        tell: Callable[[tuple[HealthIssue, ...]], None],
        *,
        every: float = 10.0,
        lasting: float = 60.0,
        clock: Clock = time.monotonic,
    ) -> None:
        """Create it; a check is made `every` seconds, and an issue is over once unseen for `lasting` seconds."""
        super().__init__("vitals", clock=clock)
        self._look = look
        self._tell = tell
        self._every = every
        self._lasting = lasting
        self._seen: dict[str, tuple[HealthIssue, float]] = {}

    def setup(self) -> None:
        """Nothing to open."""
        return

    def run(self) -> None:
        """Check, report and wait, until stopped."""
        while not self.stopping.is_set():
            self.step()
            self.stopping.wait(self._every)

    def step(self) -> None:
        """Check once."""
        now = self._clock()
        before = tuple(self._seen)
        for issue in self._look():
            if issue.kind not in self._seen:
                log.warning("%s %s", issue.words, issue.remedy)
            self._seen[issue.kind] = issue, now
        self._seen = {kind: seen for kind, seen in self._seen.items() if now - seen[1] < self._lasting}
        if tuple(self._seen) != before:
            self._tell(tuple(issue for issue, _ in self._seen.values()))
