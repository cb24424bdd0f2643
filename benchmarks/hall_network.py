"""A network for the hall's parts on this computer, of Linux's namespaces and a bridge, that can be cut. Needs root."""

from __future__ import annotations

import ctypes
import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

PARTS = ("tables", "broker", "hall", "database")
NET = "10.77.0"
"""The first three numbers of all addresses: the parts are .1 to .4, this program .254."""
CLONE_NEWNET = 0x40000000


class Network:
    """A namespace for each part, all on one bridge; `with` it they are there, and afterwards nothing is left."""

    def __init__(self) -> None:
        """Choose names that no other run has."""
        self._mark = f"ch{os.getpid() % 100_000}"
        self._stack = ExitStack()

    def __enter__(self) -> Network:
        """Lay the cables."""
        self._made(["link", "add", self._mark, "type", "bridge", "forward_delay", "0"], ["link", "del", self._mark])
        _ip("addr", "add", f"{NET}.254/24", "dev", self._mark)
        _ip("link", "set", self._mark, "up")
        for part in PARTS:
            name, port = self.namespace(part), self._port(part)
            self._made(["netns", "add", name], ["netns", "del", name])
            _ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("-n", name, "addr", "add", f"{self.address(part)}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", name, "link", "set", device, "up")
            _ip("link", "set", port, "master", self._mark, "up")
        return self

    def __exit__(self, *_: object) -> None:
        """Take all away."""
        self._stack.close()

    def _made(self, make: list[str], unmake: list[str]) -> None:
        _ip(*make)
        self._stack.callback(_ip, *unmake)

    def _port(self, part: str) -> str:
        return f"{self._mark}-{part[:4]}"

    def namespace(self, part: str) -> str:
        """Return the name of a part's namespace."""
        return f"{self._mark}-{part}"

    def address(self, part: str) -> str:
        """Return a part's address."""
        return f"{NET}.{PARTS.index(part) + 1}"

    def inside(self, part: str) -> list[str]:
        """Return what a command begins with that runs at a part's place."""
        return ["ip", "netns", "exec", self.namespace(part)]

    def cut(self, part: str) -> None:
        """Pull a part's cable at the bridge: neither side is told, what is sent is lost."""
        _ip("link", "set", self._port(part), "nomaster")

    def mend(self, part: str) -> None:
        """Put the cable back."""
        _ip("link", "set", self._port(part), "master", self._mark)


def enter(namespace: str) -> None:
    """Move this thread, and those that it starts, into a namespace.

    Raises:
        OSError: if that can't be done.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    with Path(f"/run/netns/{namespace}").open() as file:
        if libc.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "this process can't be moved into the network's namespace")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S603, S607
