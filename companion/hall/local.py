"""A database and a broker of one's own, in a folder, for the demo, measurements and tests; not run as root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psycopg

PATIENCE = 20.0
"""Seconds until what was started has to answer."""
LIKE = "nobody"


class LocalError(Exception):
    """Something can't be started; the message says what to do."""


def free_port() -> int:
    """Return a port of this computer that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def program(name: str) -> str:
    """Find a program where Debian puts it; raise LocalError if it is not installed."""
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = str(newest[-1]) if newest else shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        package = "mosquitto" if name == "mosquitto" else "postgresql"
        raise LocalError(f"{name} is not installed: sudo apt-get install {package}")
    return found


class _Process:
    """A program that runs until it is stopped."""

    _process: subprocess.Popen[bytes] | None = None
    _end: int = signal.SIGTERM

    def stop(self, how: int = 0) -> None:
        """Stop it; with SIGQUIT (the database) or SIGKILL (the broker) as if the power had gone."""
        if self._process is not None:
            self._process.send_signal(how or self._end)
            self._process.wait(PATIENCE)
            self._process = None

    @property
    def pid(self) -> int:
        """Its first process; 0 if it is not running."""
        return self._process.pid if self._process else 0


class LocalDatabase(_Process):
    """A database in a folder, reached by a socket in it; `address` is what it is connected with."""

    _end = signal.SIGINT  # SIGTERM would wait for clients

    def __init__(
        self,
        folder: Path,
        *,
        safe: bool = True,
        listens: str = "",
        network: str = "",
        before: Sequence[str] = (),
    ) -> None:
        """Make it, without starting it; unless `safe` it does not wait for the disk, and may lose all.

        At the address `listens` all of `network` ("10.0.0.0/24") may come without a password. `before` begins its
        command, which for root has to become `LIKE`.
        """
        self.folder, self._safe = folder, safe
        self.address = f"host={folder} dbname=postgres user=hall"
        self.over_network = f"host={listens} dbname=postgres user=hall" if listens else self.address
        self._listens, self._before = listens, list(before)
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            account = pwd.getpwnam(LIKE)
            os.chown(folder, account.pw_uid, account.pw_gid)
        if not (folder / "data").exists():
            made = self._run(
                "initdb", "-D", str(folder / "data"), "-U", "hall", "--no-sync", "-A", "trust", "-E", "UTF8"
            )
            if made.returncode:
                raise LocalError(f"the database can't be made: {made.stderr.decode()[-400:]}")
            if listens:
                with (folder / "data" / "pg_hba.conf").open("a") as rights:
                    rights.write(f"host all all {network} trust\n")

    def _like(self) -> str | None:
        return LIKE if os.geteuid() == 0 else None

    def _run(self, name: str, *more: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603  (found where Debian puts it)
            [program(name), *more], user=self._like(), capture_output=True, check=False, cwd=self.folder
        )

    def start(self) -> None:
        """Start it, and wait until it answers; raise LocalError if it does not."""
        quick = [] if self._safe else ["-c", "fsync=off", "-c", "full_page_writes=off"]
        command = [
            *self._before,
            program("postgres"),
            "-D",
            str(self.folder / "data"),
            "-k",
            str(self.folder),
            "-c",
            f"listen_addresses={self._listens}",
        ]
        with (self.folder / "log").open("ab") as said:
            self._process = subprocess.Popen(  # noqa: S603
                [*command, *quick],
                user=None if self._before else self._like(),
                stdout=said,
                stderr=said,
                cwd=self.folder,
                process_group=0,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise LocalError(f"the database does not start: see {self.folder / 'log'}")


class LocalBroker(_Process):
    """A broker on a port of this computer; who may do what is for the lines of its configuration."""

    def __init__(self, conf: Path, port: int, *, address: str = "127.0.0.1", before: Sequence[str] = ()) -> None:
        """Take a configuration that `companion.hall.broker.write_conf` wrote; `before` begins the command."""
        self.port, self.address, self._before = port, address, list(before)
        self.file = conf.with_name("run.conf")
        # Root's Mosquitto becomes another user, who can't read the folder, unless it is told to stay root.
        self.file.write_text(conf.read_text() + ("user root\n" if os.geteuid() == 0 else "") + "log_type error\n")

    def start(self, *, wait: bool = True) -> None:
        """Start it, and wait until it answers, unless nobody can reach it just now; raise LocalError if it does not."""
        with self.file.with_name("log").open("ab") as said:
            self._process = subprocess.Popen(  # noqa: S603
                [*self._before, program("mosquitto"), "-c", str(self.file)], stdout=said, stderr=said, process_group=0
            )
        until = time.monotonic() + PATIENCE
        while wait and time.monotonic() < until:
            try:
                socket.create_connection((self.address, self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        if wait:
            raise LocalError("the broker does not start")
