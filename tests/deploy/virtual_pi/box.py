"""What is looked at of the box that is installed in an emulated computer, from outside.

    python -m tests.deploy.virtual_pi.box DISK KERNEL FIRST [--cuts 30] [--only NAME,NAME]

`DISK` is the installed disk, which is copied; `KERNEL` and `FIRST` what the computer starts with. Every check prints a
line: "ok", its name, and what was seen; or "NOT OK", and what was not.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from companion import games
from companion.referee.journal_reader import read_only
from tests.deploy.virtual_pi.machine import PATIENCE, Machine, wait
from tests.deploy.virtual_pi.people import CUT, GAME, People, RefusedError
from tests.deploy.virtual_pi.program import PAGE, TURN, WrongError, picture_in, pictures_of, taken_apart

START = 240.0
"""Seconds that the table may take to start, by the guest's own clock."""
STATE = "/var/lib/companion"
GROUP = "/sys/fs/cgroup/system.slice/companion.service"
LINES = "/sys/devices/platform/gpio-sim.0/gpiochip*/sim_gpio"
ALLOWED = ("gpiochip0", "i2c-1", "spidev0.0", "video0", "null", "urandom")
REFUSED = ("vda", "kmsg", "mem", "watchdog0", "vcs", "ttyS0", "loop-control", "vport0p1", "hpet")
"""Devices that a computer like this has, and the service has no business with."""
UNDER_WAY, EARLY = 1.0, 0.2
"""Seconds that a step is under way when the plug is pulled, at most; the share of cuts while the computer starts."""


class Bench:
    """A machine, the people at its table, and what they do with it."""

    def __init__(self, machine: Machine, folder: Path, quick: bool = False) -> None:
        """Have them; `quick` is as a machine's."""
        self.machine = machine
        self.folder = folder
        self.rng = random.Random(int(os.environ.get("SEED", "5")))
        self.people = People(machine.port, 7)
        self.sat = False
        self.quick = quick

    def table(self) -> None:
        """Wait until the table answers, and knows what it has told.

        Raises:
            WrongError: if it does not, or a record that was told of is gone.
        """
        if not self.people.wait(PATIENCE):
            raise WrongError(f"no page: {self.log()}")
        record = int(str(wait("the table has its match", lambda: self.people.record() + 1))) - 1
        if record < self.people.told:
            raise WrongError(f"record {self.people.told} was told of, and there are {record}")
        self.people.told = record

    def sit(self) -> None:
        """Have people sit down, if they don't sit yet."""
        if not self.sat:
            self.people.sit()
            self.sat = True

    def play(self, steps: int = 1) -> int:
        """Have people play."""
        self.sit()
        for _ in range(steps):
            self.people.play()
        return self.people.told

    def shut_down(self) -> None:
        """Switch the computer off in good order."""
        self.machine.run("(sleep 1; systemctl poweroff) >/dev/null 2>&1 &")
        self.machine.off()

    def log(self) -> str:
        """Return the end of the service's log."""
        return self.machine.tried("journalctl --no-pager -o cat -u companion -n 15")[1]

    def settled(self, camera: str) -> None:
        """Have another camera in the box's settings, and start it with that."""
        named = camera.replace("&", r"\&")
        change = f'sed -i -E \'s/"camera": ?"[^"]*"/"camera":"{named}"/\' {STATE}/box.json'
        self.machine.run(
            f'systemctl stop companion.service && {change} && grep -q \'"camera":"{camera}"\' {STATE}/box.json'
        )
        self.machine.run("systemctl start companion.service", START)

    def sent(self, bus: str) -> list[bytes]:
        """Return what the kernel was given for a bus."""
        said = self.machine.run(f"base64 -w0 /sys/kernel/debug/virtual-pi/{bus}")
        return taken_apart(base64.b64decode(said))

    def shown(self) -> bytes:
        """Return the picture that the table says is on the display; nothing unless it was on it."""
        said = self.people.ask("/oled.png")
        picture = picture_in(said) if said else b""
        # It may have changed again until the kernel is asked: long sentences move.
        return picture if any(picture) and picture in pictures_of(self.sent("i2c")) else b""

    def main(self) -> str:
        """Return the service's main process."""
        return self.machine.run("systemctl show --property MainPID --value companion.service")

    def began(self) -> None:
        """Put the people's match into the box before it is switched on, as if it had been begun there."""
        with tempfile.TemporaryDirectory() as made:
            journal = Path(made) / "began"
            journal.write_bytes(self.people.journal(Path(made)))
            users = self._on_disk("cat /etc/passwd").splitlines()
            user, group = next(line for line in users if line.startswith("companion:")).split(":")[2:4]
            put = Path(made) / "put"
            put.write_text(
                f"cd {STATE}\nwrite {journal} journal.db\nset_inode_field journal.db mode 0100600\n"
                f"set_inode_field journal.db uid {user}\nset_inode_field journal.db gid {group}\n"
            )
            self._on_disk("", "-w", "-f", f"{put}")

    def _on_disk(self, wish: str, *how: str) -> str:
        """Have debugfs do something with the disk while the computer is off; return what it says."""
        command = ["debugfs", *(how or ("-R", wish)), f"{self.machine.image}"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# ------------------------------------------------------------------------------------------------- devices, sandbox


def starts(bench: Bench) -> str:
    """The installed service starts with the computer, and goes on with the match that was not over."""
    began = time.monotonic()
    bench.machine.start(quick=bench.quick)
    bench.table()
    took = time.monotonic() - began
    bench.play(3)
    version = bench.machine.run("systemctl --version | awk 'NR == 1 { print $2 }'")
    user = bench.machine.run(f"stat -c %U /proc/{bench.main()}")
    return f"systemd {version}, as user {user}, after {took:.0f} s; {bench.people.told} records played"


def devices_come_late(bench: Bench) -> str:
    """Camera, display and lights whose modules come after the service has started work all the same."""
    # Small pictures, for the emulated processor's sake.
    bench.settled("find?width=640&height=360")
    bench.table()
    there = bench.machine.tried("ls /dev/gpiochip0 /dev/i2c-1 /dev/spidev0.0 /dev/video0 2>/dev/null")[1]
    if there:
        raise WrongError(f"they are there before: {there}")
    bench.machine.run("systemctl start virtual-pi-header.service", 120)
    wait("the display shows what the table says", bench.shown)
    light = f"cat {LINES}{TURN}/value"
    wait("the turn's light is on", lambda: bench.machine.run(light) == "1")
    first = wait("a picture of the camera comes", lambda: bench.people.ask("/camera.jpg"))
    wait("another picture comes", lambda: bench.people.ask("/camera.jpg") not in (b"", first))
    refused = bench.machine.tried("journalctl --no-pager -o cat -u companion | grep -i 'not permitted'")[1]
    if refused:
        raise WrongError(refused)
    return f"display, light and camera; {len(bench.sent('i2c'))} messages on the bus"


def only_allowed(bench: Bench) -> str:
    """Who is in the service's own group of processes can open its devices, and no other, not even as root."""
    open_them = (
        "import os, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try: os.close(os.open('/dev/' + name, os.O_RDWR | os.O_NONBLOCK)); print(name, 'opened')\n"
        "    except OSError as error: print(name, error.errno)\n"
    )
    names = " ".join((*ALLOWED, *REFUSED))
    look = f'/usr/bin/python3 -c "$(echo {base64.b64encode(open_them.encode()).decode()} | base64 -d)" {names}'
    said = [dict(line.split() for line in text.splitlines()) for text in (
        bench.machine.run(look), bench.machine.run(f"echo $$ >{GROUP}/cgroup.procs && {look}")
    )]  # fmt: skip
    outside, inside = said
    wrong = [name for name in ALLOWED if inside[name] != "opened"]
    # What can't be opened from outside either shows nothing.
    tried = [name for name in REFUSED if outside[name] == "opened"]
    wrong += [name for name in tried if inside[name] != "1"]
    if wrong or len(tried) < 3:
        raise WrongError(f"{wrong}: outside {outside}, inside {inside}")
    return f"{', '.join(ALLOWED[:5])} opened; {', '.join(tried)} not permitted"


def doctor_well(bench: Bench) -> str:
    """`companion doctor` finds the camera, the display and all the rest, and nothing wrong."""
    found = json.loads(bench.machine.run("companion doctor --json", 240))
    ailing = [one for one in found["findings"] if one["state"] != "ok"]
    if ailing or not found["fit"]:
        raise WrongError(f"{ailing}")
    return f"{len(found['findings'])} findings, all well"


def hangs(bench: Bench) -> str:
    """A service that hangs is ended by systemd, comes back, and the match goes on."""
    main = bench.main()
    bench.machine.run(f"kill -STOP $(cat /proc/{main}/task/{main}/children)")
    bench.machine.until("journalctl --no-pager -u companion | grep -i -q 'watchdog timeout'")
    wait("another process has its place", lambda: bench.main() not in ("0", main))
    bench.table()
    bench.play()
    return f"ended by the watchdog, back, record {bench.people.told} played"


def full_disk(bench: Bench) -> str:
    """On a full disk a step is refused in a clear sentence and nothing is lost; with room it is taken."""
    before = bench.people.told
    # At once what there is for everybody, then block by block what is kept for root.
    bench.machine.tried("fallocate -l $(($(stat -f -c '%a * %S' /))) /fill", 240)
    bench.machine.tried("dd if=/dev/zero of=/fill2 bs=4k status=none; sync", 240)
    said = ""
    for _ in range(40):
        # Some room may be left inside the journal's own file.
        try:
            bench.play()
        except RefusedError as error:
            said = f"{error}"
            break
    if "make room" not in said:
        raise WrongError(f"{bench.people.told - before} more records, then: {said!r}")
    if bench.people.record() != bench.people.told:
        raise WrongError(f"{bench.people.told} were told, the table says {bench.people.record()}")
    page = bench.people.ask("/")
    bench.machine.run("rm /fill /fill2; sync", 120)
    if not page:
        raise WrongError("no page on a full disk")
    bench.play()
    bench.machine.run(f"COMPANION_STATE={STATE} companion verify {bench.people.header.id}", 240)
    return f"{said!r}; record {bench.people.told} played when there was room"


def computer_hangs(bench: Bench) -> str:
    """A computer that hangs is started again by its watchdog, and the match goes on."""
    watched = bench.machine.run("systemctl show --property RuntimeWatchdogUSec --value")
    if watched != "15s":
        raise WrongError(f"the watchdog's time is {watched}")
    before = bench.machine.run("cat /proc/sys/kernel/random/boot_id")
    crash = "echo 1 >/proc/sys/kernel/sysrq; (sleep 1; echo c >/proc/sysrq-trigger) >/dev/null 2>&1 &"
    began = time.monotonic()
    bench.machine.restarted(lambda: bench.machine.run(crash))
    took = time.monotonic() - began
    if bench.machine.run("cat /proc/sys/kernel/random/boot_id") == before:
        raise WrongError("it is still the same start")
    bench.table()
    bench.play()
    return f"up again {took:.0f} s after it hung, record {bench.people.told} played"


def held_button(bench: Bench) -> str:
    """Who holds the page button for six seconds switches the computer off; then the match goes on."""
    bench.settled("none")
    bench.machine.run("systemctl start virtual-pi-header.service", 120)
    bench.table()
    # A button's line is high as soon as the program has it.
    wait("the pins are open", lambda: bench.machine.run(f"cat {LINES}{PAGE}/value") == "1")
    line = f"{LINES}{PAGE}/pull"
    bench.machine.run(f"(sleep 1; echo pull-down >$(echo {line}); sleep 20) >/dev/null 2>&1 &")
    bench.machine.off()
    return "off by itself"


# ------------------------------------------------------------------------------------------------- clock, versions


def no_clock(bench: Bench) -> str:
    """Without a clock and a network the match goes on, and the doctor says so; the date may jump under it."""
    # The systemd of both Debians sets a clock that is too old to its own age, as on a Pi.
    bench.machine.start(clock="2001-01-01T00:00:00", quick=bench.quick)
    bench.table()
    bench.play()
    year = bench.machine.run("date +%Y")
    found = json.loads(bench.machine.tried("companion doctor --json", 240)[1])
    said = next(one for one in found["findings"] if one["name"] == "clock")
    if said["state"] != "warn":
        raise WrongError(f"{year}: {said}")
    bench.play()
    bench.machine.run("date -s '2031-05-04 12:00'")
    bench.play(2)
    main = bench.main()
    # Longer than the service's own watchdog, by the guest's clock.
    bench.machine.run("sleep 70", 200)
    if bench.main() != main:
        raise WrongError(f"it was started again: {bench.log()}")
    bench.play()
    return f"{year}, then 2031; the doctor: {said['words']!r}; record {bench.people.told} played"


def there_and_back(bench: Bench) -> str:
    """Going back to the version before, and to the new one again, the match goes on."""
    seen = []
    for _ in range(2):
        bench.machine.run("companion-update --back", 600)
        seen.append(bench.machine.run("companion-update --list | sed -n 's/^runs: //p'"))
        bench.table()
        bench.play()
    if not seen[0].startswith("0.0.9") or seen[1].startswith("0.0.9"):
        raise WrongError(f"{seen}")
    bench.shut_down()
    return f"{' and '.join(seen)}; record {bench.people.told} played"


# ------------------------------------------------------------------------------------------------------- power cuts


BARE = " ".join(
    (
        "fstab=no rw",
        *(f"systemd.mask={name}.service" for name in ("systemd-udev-trigger", "systemd-udevd", "systemd-logind")),
        *(f"systemd.mask={name}.service" for name in ("avahi-daemon", "dbus", "systemd-modules-load")),
        *(f"systemd.mask={name}.socket" for name in ("systemd-udevd-control", "systemd-udevd-kernel", "avahi-daemon")),
        *(f"systemd.mask={name}.service" for name in ("modprobe@configfs", "modprobe@drm", "modprobe@fuse")),
    )
)
"""What the computer starts without while its plug is pulled: all of it costs an emulated processor seconds."""


def power_cuts(bench: Bench, cuts: int) -> str:
    """The plug is pulled at random; file system and journal are whole, nothing that was told is lost, play goes on."""
    at_stake = lost = early = 0
    takes = 60.0
    if bench.machine.is_on():
        bench.shut_down()
    with ThreadPoolExecutor(1) as looking:
        looks: list[Future[int]] = []
        for n in range(1, cuts + 1):
            bench.machine.switch_on(BARE, quick=True)
            if bench.rng.random() < EARLY:
                early += 1
                time.sleep(bench.rng.uniform(0.0, takes))
            else:
                began = time.monotonic()
                bench.table()
                takes = time.monotonic() - began
                left = len(bench.people.steps) - bench.people.told
                _play_on(bench, bench.rng.randint(0, max(0, left // (cuts - n + 2) - 2)))
            told = bench.people.told
            under_way, gone = bench.machine.pull(bench.rng)
            at_stake, lost = at_stake + under_way, lost + gone
            print(f"   cut {n}: {gone} of {under_way} writes lost; {told} records were told of", flush=True)
            # A copy is looked at while the computer starts again: it shall put its card in order by itself.
            copy = bench.folder / f"cut-{n}"
            subprocess.run(["cp", "--sparse=always", bench.machine.image, copy], check=True)
            looks.append(looking.submit(whole, bench, copy, told))
        for n, look in enumerate(looks, start=1):
            try:
                look.result()
            except WrongError as error:
                raise WrongError(f"after cut {n}: {error}") from None
    bench.machine.switch_on()
    bench.table()
    return (
        f"{cuts} cuts, {early} of them while it started; {lost} of {at_stake} writes lost; "
        f"{bench.play()} records, all of them as they were played"
    )


def _play_on(bench: Bench, steps: int) -> None:
    """Play so many steps at people's pace, and another one that is under way when the plug is pulled."""
    bench.sit()
    for _ in range(steps):
        bench.play()
        time.sleep(bench.rng.uniform(0.0, 0.5))

    def last() -> None:
        with contextlib.suppress(*CUT):
            bench.play()

    # Half of the time it goes in the middle of what the card is writing.
    amid, card = bench.rng.random() < 0.5, bench.machine.card
    if amid:
        card.stop_after(bench.rng.randint(1, 6))
    threading.Thread(target=last, daemon=True).start()
    card.stopped.wait(60 if amid else bench.rng.uniform(0.0, UNDER_WAY))


def whole(bench: Bench, copy: Path, told: int) -> int:
    """See whether the file system on a copy is whole, and its journal; return how many records the match has.

    Raises:
        WrongError: if they are not, or the journal has not what was told of, or something else.
    """
    done = subprocess.run(["e2fsck", "-f", "-p", copy], capture_output=True, text=True, check=False)
    # 1 is "put in order", as after every cut: what the file system's own journal has is done.
    if done.returncode not in (0, 1):
        raise WrongError(f"the file system: {done.stdout[-500:]}")
    taken = bench.folder / f"{copy.name}-state"
    taken.mkdir()
    subprocess.run(["debugfs", "-R", f"rdump {STATE} {taken}", copy], capture_output=True, check=True)
    copy.unlink()
    match, state = bench.people.header.id, taken / "companion"
    with sqlite3.connect(state / "journal.db") as db:
        (sound,) = db.execute("PRAGMA integrity_check").fetchone()
    if sound != "ok":
        raise WrongError(f"the journal: {sound}")
    said = subprocess.run(
        [sys.executable, "-m", "companion", "verify", match],
        capture_output=True,
        text=True,
        env={**os.environ, "COMPANION_STATE": str(state)},
        check=False,
    )
    if said.returncode:
        raise WrongError(f"verify: {said.stdout[-300:]}{said.stderr[-300:]}")
    with read_only(state) as reader:
        records = reader.records(match, games.load(GAME).action_type)
    if len(records) < told:
        raise WrongError(f"record {told} was told of, and there are {len(records)}")
    if [(record.action, record.facts) for record in records] != bench.people.steps[: len(records)]:
        raise WrongError("the records are not what was played")
    print(f"   {copy.name}: the file system is whole, and so is the journal: {len(records)} records", flush=True)
    return len(records)


# -------------------------------------------------------------------------------------------------------------- all

CHECKS: tuple[Callable[[Bench], str], ...] = (
    starts,
    devices_come_late,
    only_allowed,
    doctor_well,
    hangs,
    full_disk,
    computer_hangs,
    held_button,
    no_clock,
    there_and_back,
)
"""In this order: each goes on with the computer as the one before has left it."""


def main() -> int:
    """Make the checks; return how many of them are not ok."""
    options = argparse.ArgumentParser()
    for name in ("disk", "kernel", "first"):
        options.add_argument(name, type=Path)
    options.add_argument("--cuts", type=int, default=30)
    options.add_argument("--only", default="")
    options.add_argument("--quick", action="store_true")
    given = options.parse_args()
    only = set(given.only.split(",")) - {""}
    # Who ends this ends the computer with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="companion-box-", dir=given.disk.parent) as folder:
        image = Path(folder) / "disk"
        subprocess.run(["cp", "--sparse=always", given.disk, image], check=True)
        machine = Machine(Path(folder), image, given.kernel, given.first)
        bench = Bench(machine, Path(folder), given.quick)
        bench.began()
        try:
            for check in (*CHECKS, partial(power_cuts, cuts=given.cuts)):
                name = getattr(check, "__name__", "power_cuts")
                if only and name not in only:
                    continue
                began = time.monotonic()
                try:
                    words, good = check(bench), True
                except (WrongError, RefusedError, OSError, ValueError, LookupError) as error:
                    words, good = f"{type(error).__name__}: {error}", False
                failed += not good
                print(f"{'ok' if good else 'NOT OK'}: {name}: {words} ({time.monotonic() - began:.0f} s)", flush=True)
                if not good:
                    print(machine.console.read_text(errors="replace")[-1500:] if machine.is_on() else "it is off")
        finally:
            machine.end()
    return failed


if __name__ == "__main__":
    sys.exit(min(main(), 1))
