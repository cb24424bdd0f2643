"""The emulated computer that a box is installed in: started, asked, and its plug pulled."""

from __future__ import annotations

import base64
import contextlib
import json
import random
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.bench.processes import free_port
from tests.deploy.virtual_pi.card import Card
from tests.deploy.virtual_pi.people import RefusedError
from tests.deploy.virtual_pi.program import WrongError, taken_apart

PATIENCE = 1800.0
"""Seconds for which anything is waited: the processor is emulated, by a computer that may be busy with much else."""
STEADY = (
    *("-accel", "tcg,thread=single", "-icount", "shift=0", "-smp", "1"),
    *("-device", "i6300esb", "-action", "watchdog=reset"),
)
QUICK = "-accel", "tcg,thread=multi", "-smp", "2", "-device", "i6300esb", "-action", "watchdog=reset"
BUS = "/sys/kernel/debug/virtual-pi"
LINES = "/sys/devices/platform/gpio-sim.0/gpiochip*/sim_gpio"
"""Where its kernel keeps the header's lines, each by its number."""
MEMORY_MB = 1024
"""A small Pi 4 has so much."""
PANIC = "Kernel panic - not syncing"
WORDS = (
    "console=ttyS0 loglevel=4 mitigations=off net.ifnames=0 fsck.repair=yes systemd.show_status=0 "
    "systemd.mask=serial-getty@ttyS0.service"
)


class Machine:
    """A computer with a card, a network cable, a watchdog and the header of a Pi."""

    def __init__(self, folder: Path, image: Path, kernel: Path, first: Path, cable: bool = True) -> None:
        """Have it; it is not on yet. `image` is what its card has, which changes from now on."""
        self._cable = cable
        self.port = free_port()
        self.image = image
        self.console = folder / "console"
        self.card = Card(image, folder / "card")
        self._kernel, self._first = kernel, first
        self._door = folder / "checks"
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    def start(self, *, clock: str = "utc", quick: bool = False) -> None:
        """Switch it on, and wait until somebody in it answers; `clock` is what its clock shows then.

        Raises:
            WrongError: if nobody does.
        """
        self.switch_on(clock=clock, quick=quick)
        self._listen()

    def switch_on(self, words: str = "", *, clock: str = "utc", quick: bool = False) -> None:
        """Switch it on; its kernel is told some `words`.

        Its clock goes by what its processor has done (a nanosecond an instruction, about as a Pi 4): however busy this
        computer is, no time limit in there is missed for it. A `quick` one has two processors and this computer's time:
        it is there in half the time, where no limit counts or this computer is idle.
        """
        self._door.unlink(missing_ok=True)
        command = [
            "qemu-system-x86_64",
            *("-M", "q35", "-cpu", "max", "-m", f"{MEMORY_MB}"),
            *(QUICK if quick else STEADY),
            *("-nodefaults", "-display", "none", "-serial", f"file:{self.console}"),
            *("-kernel", f"{self._kernel}", "-initrd", f"{self._first}", "-append", f"{WORDS} {words}"),
            *("-drive", f"file=nbd:unix:{self.card.where},format=raw,if=none,id=card,cache=writeback"),
            *("-device", "virtio-blk-pci,drive=card"),
            *(self._plugged() if self._cable else ()),
            *("-device", "virtio-serial-pci", "-chardev", f"socket,id=checks,path={self._door},server=on,wait=off"),
            *("-device", "virtserialport,chardev=checks,name=checks"),
            *("-rtc", f"base={clock}"),
        ]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def _plugged(self) -> tuple[str, ...]:
        """Return the words for its cable. It is no way out: people outside reach it, it reaches nobody."""
        way = f"user,id=cable,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:80"
        return "-netdev", way, "-device", "virtio-net-pci,netdev=cable"

    def _listen(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._line is None:
                with contextlib.suppress(OSError):
                    line = socket.socket(socket.AF_UNIX)
                    line.connect(str(self._door))
                    self._line = line
            elif self._said(1.0) is not None:
                return
            time.sleep(0.2)
        raise WrongError(f"it did not start: {self.last_words()}")

    def _said(self, seconds: float) -> dict[str, object] | None:
        """Return the next line that was said in it; None if there is none in time."""
        assert self._line is not None
        self._line.settimeout(seconds)
        data = b""
        try:
            while not data.endswith(b"\n"):
                got = self._line.recv(1 << 16)
                if not got:
                    return None
                data += got
        except OSError:
            return None
        return dict(json.loads(data))

    def tried(self, command: str, seconds: float = 60) -> tuple[int, str]:
        """Run a command in it as root; return its status and what it said.

        Raises:
            WrongError: if nobody answers.
        """
        assert self._line is not None
        self._line.sendall(json.dumps({"run": command, "seconds": seconds}).encode() + b"\n")
        answer = self._said(PATIENCE)
        if answer is None:
            raise WrongError(f"nobody answers: {command}")
        return int(str(answer["status"])), str(answer["said"]).strip()

    def run(self, command: str, seconds: float = 60) -> str:
        """Run a command in it as root; return what it said.

        Raises:
            WrongError: if it fails.
        """
        status, said = self.tried(command, seconds)
        if status:
            raise WrongError(f"{command}: status {status}: {said[-500:]}")
        return said

    def until(self, command: str) -> None:
        """Wait until a command in it works.

        Raises:
            WrongError: if it does not in time.
        """
        wait(shlex.quote(command), lambda: self.tried(command)[0] == 0)

    def sent(self, bus: str) -> list[bytes]:
        """Return what its kernel was given for a bus."""
        return taken_apart(base64.b64decode(self.run(f"base64 -w0 {BUS}/{bus}")))

    def restarted(self, do: Callable[[], object]) -> None:
        """Do something after which it starts anew by itself, and wait for that.

        Raises:
            WrongError: if it does not.
        """
        do()
        if self._said(PATIENCE) is None:
            raise WrongError("it did not start again by itself")

    def pull(self, rng: random.Random) -> tuple[int, int]:
        """Pull its plug; return how many writes were under way, and how many of them were lost."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._hang_up()
        return self.card.cut(rng)

    def off(self) -> None:
        """Wait until it is off by itself.

        Raises:
            WrongError: if it is still on.
        """
        assert self._process is not None
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise WrongError("it is still on") from None
        self._hang_up()
        self.card.settle()

    def end(self) -> None:
        """Have it off, however it is."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._hang_up()

    def last_words(self) -> str:
        """Return the end of what its kernel has written since it was switched on."""
        return self.console.read_text(errors="replace")[-3000:]

    def has_crashed(self) -> bool:
        """Whether its kernel has, and has not been started again."""
        return PANIC in self.last_words()

    def is_on(self) -> bool:
        """Whether it is on."""
        return self._process is not None and self._process.poll() is None

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None


def wait(what: str, look: Callable[[], object], seconds: float = PATIENCE) -> object:
    """Return what `look` returns as soon as that is true.

    Raises:
        WrongError: if it is not in time.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if seen := look():
            return seen
        time.sleep(0.5)
    raise WrongError(f"{what}: not within {seconds:.0f} s")


def make_checks(machine: Machine, checks: Mapping[str, Callable[[], str]]) -> int:
    """Make checks, each by its name, and print a line for each; return how many of them are not ok."""
    failed = 0
    for name, check in checks.items():
        began = time.monotonic()
        try:
            words, good = check(), True
        except (WrongError, RefusedError, OSError, ValueError, LookupError) as error:
            words, good = f"{type(error).__name__}: {error}", False
        failed += not good
        print(f"{'ok' if good else 'NOT OK'}: {name}: {words} ({time.monotonic() - began:.0f} s)", flush=True)
        if not good:
            print(machine.last_words() if machine.is_on() else "it is off")
    return failed
