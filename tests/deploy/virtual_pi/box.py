"""What is looked at of the box that is installed in an emulated computer, from outside.

    python -m tests.deploy.virtual_pi.box DISK KERNEL FIRST [--cuts 30] [--only NAME,NAME]

`DISK` is the installed disk, which is copied; `KERNEL` and `FIRST` what the computer starts with. Every check prints a
line: "ok", its name, and what was seen; or "NOT OK", and what was not.
"""

from __future__ import annotations

import argparse
import base64
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.devices import moments
from tests.deploy.virtual_pi.bench import STATE, Bench
from tests.deploy.virtual_pi.cuts import power_cuts
from tests.deploy.virtual_pi.machine import BUS, LINES, Machine, make_checks, wait
from tests.deploy.virtual_pi.people import RefusedError
from tests.deploy.virtual_pi.program import PAGE, TURN, WrongError, pictures_of, taken_apart

GROUP = "/sys/fs/cgroup/system.slice/companion.service"
ALLOWED = ("gpiochip0", "i2c-1", "spidev0.0", "video0", "null", "urandom")
REFUSED = ("vda", "kmsg", "mem", "watchdog0", "vcs", "ttyS0", "loop-control", "vport0p1", "hpet")
"""Devices that a computer like this has, and the service has no business with."""
DARK = b"\x00\xae"
"""The message that switches a display off."""


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
    """Who holds the page button for six seconds switches the computer off, and the display says so and goes dark."""
    bench.settled("none")
    bench.machine.run("systemctl start virtual-pi-header.service", 120)
    bench.table()
    # A button's line is high as soon as the program has it.
    wait("the pins are open", lambda: bench.machine.run(f"cat {LINES}{PAGE}/value") == "1")
    wait("the display shows what the table says", bench.shown)
    # What the display is sent until the end is kept on the disk: nobody can be asked then.
    keep = f"while sleep 0.3; do cat {BUS}/i2c >/sent.part; mv /sent.part /sent; done"
    line = f"{LINES}{PAGE}/pull"
    bench.machine.run(f"({keep}) >/dev/null 2>&1 &")
    bench.machine.run(f"(sleep 1; echo pull-down >$(echo {line}); sleep 20) >/dev/null 2>&1 &")
    bench.machine.off()
    sent = taken_apart(bench.taken("/sent"))
    (notice,) = moments.notice("Switching off", "Pull the plug when the Pi's green lamp stays dark.")
    if notice.tobytes() not in pictures_of(sent):
        raise WrongError(f"off by itself, but the display does not say so in {len(sent)} messages")
    if sent[-1] != DARK:
        raise WrongError(f"off by itself, but the display's last message is {sent[-1][:9].hex()}")
    return "off by itself; the display said so, and was dark then"


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
    if unknown := only - {check.__name__ for check in CHECKS} - {"power_cuts"}:
        options.error(f"there are no checks {', '.join(sorted(unknown))}")
    # Who ends this ends the computer with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="companion-box-", dir=given.disk.parent) as folder:
        image = Path(folder) / "disk"
        subprocess.run(["cp", "--sparse=always", given.disk, image], check=True)
        machine = Machine(Path(folder), image, given.kernel, given.first)
        bench = Bench(machine, Path(folder), given.quick)
        bench.began()
        try:
            checks = {check.__name__: partial(check, bench) for check in CHECKS}
            checks["power_cuts"] = partial(power_cuts, bench, cuts=given.cuts)
            return make_checks(machine, {name: check for name, check in checks.items() if not only or name in only})
        finally:
            machine.end()


if __name__ == "__main__":
    sys.exit(min(main(), 1))
