"""An installed box on a bench: the emulated computer, the people at its table, and what they do with it."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.deploy.virtual_pi.machine import PATIENCE, Machine, wait
from tests.deploy.virtual_pi.people import People
from tests.deploy.virtual_pi.program import WrongError, picture_in, pictures_of

START = 240.0
"""Seconds that the table may take to start, by the guest's own clock."""
STATE = "/var/lib/companion"


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

    def table(self, given_up: Callable[[], bool] = lambda: False) -> None:
        """Wait until the table answers, and knows what it has told; no longer than until it is `given_up`.

        Raises:
            WrongError: if it does not, or a record that was told of is gone.
        """
        if not self.people.wait(PATIENCE, given_up):
            raise WrongError(f"no page: {self.machine.last_words() if given_up() else self.log()}")
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
        return self.machine.sent(bus)

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

    def taken(self, path: str) -> bytes:
        """Return a file of the disk while the computer is off."""
        copy = self.folder / "taken"
        copy.unlink(missing_ok=True)
        self._on_disk(f"dump {path} {copy}")
        return copy.read_bytes()

    def _on_disk(self, wish: str, *how: str) -> str:
        """Have debugfs do something with the disk while the computer is off; return what it says."""
        command = ["debugfs", *(how or ("-R", wish)), f"{self.machine.image}"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
