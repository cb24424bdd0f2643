"""The address at which phones find this computer, also when it changes: a Wi-Fi comes late, a hotspot opens."""

from __future__ import annotations

import fcntl
import socket
import struct
import threading
from collections.abc import Callable

from companion.devices.doctor import own_address
from companion.referee.steady import Steady

EVERY = 10.0
"""Seconds between two looks."""
_SIOCGIFADDR = 0x8915
"""Asks Linux for an interface's IPv4 address (netdevice(7))."""


def address() -> str | None:
    """Return the address for phones in the same network, asking interfaces if no route leads out; or None."""
    return own_address() or next(iter(interface_addresses()), None)


def front(host: str, port: int) -> str:
    """Return the address of the first page of a server that listens on `host`, as people reach it and may type it."""
    here = (address() or "127.0.0.1") if host in ("0.0.0.0", "::") else host  # noqa: S104
    here = f"[{here}]" if ":" in here else here
    return f"http://{here}/" if port == 80 else f"http://{here}:{port}/"


def names(host: str) -> list[str]:
    """List the addresses and names by which phones find a server that listens on `host`, the best first."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        return [host]
    own = socket.gethostname().partition(".")[0].lower()
    found = [address() or "127.0.0.1", *interface_addresses(), f"{own}.local", own, "localhost", "127.0.0.1"]
    return list(dict.fromkeys(found))


def interface_addresses() -> list[str]:
    """List the IPv4 addresses of the network interfaces, without the loopback."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asked, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return [one for one in found if not one.startswith("127.")]


class AddressMonitor:
    """A thread that looks up this computer's address now and then, and reports a change."""

    def __init__(self, where: Callable[[], str], moved: Callable[[str], None], every: float = EVERY) -> None:
        """`moved` gets each new answer of `where`, which is asked every so many seconds."""
        self._where = where
        self._moved = moved
        self._every = every
        self._ended = threading.Event()
        self._thread = Steady("address", self._run, vital=False)
        self._last = where()

    def start(self) -> None:
        """Start looking."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking; afterwards nobody is told any more."""
        self._ended.set()
        self._thread.end()

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            here = self._where()
            if here != self._last:
                self._last = here
                self._moved(here)
