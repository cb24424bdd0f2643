"""Tells systemd that the program is ready, alive, stopping, by sd_notify(3); without systemd nothing is sent."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, MutableMapping

log = logging.getLogger(__name__)

FIRST_LISTENED = 3
"""The number of the first socket that systemd hands over (SD_LISTEN_FDS_START)."""


class Notifier:
    """Sends short messages to whoever started the service, if it can; `alive` is due every `watchdog` seconds."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        """Send to a Unix datagram socket: a path, or with "@" in front a name in the abstract name space."""
        self._address = address
        self.watchdog = watchdog if address else None

    @classmethod
    def take(cls, environ: MutableMapping[str, str] = os.environ) -> Notifier:
        """Take the address out of the environment: neither gunicorn nor a child process shall speak for us."""
        address = environ.pop("NOTIFY_SOCKET", "")
        microseconds = environ.pop("WATCHDOG_USEC", "")
        meant = environ.pop("WATCHDOG_PID", "") in ("", str(os.getpid()))
        watchdog = int(microseconds) / 1e6 if meant and microseconds.isdigit() and int(microseconds) else None
        return cls(address, watchdog)

    def __bool__(self) -> bool:
        return bool(self._address)

    def ready(self, words: str) -> None:
        """Report that the service answers from now on; `words` show up in `systemctl status`."""
        self._send(f"READY=1\nSTATUS={words}")

    def alive(self, words: str) -> None:
        """Report that the service still answers."""
        self._send(f"WATCHDOG=1\nSTATUS={words}")

    def status(self, words: str) -> None:
        """Report how the service is, without feeding the watchdog."""
        self._send(f"STATUS={words}")

    def stopping(self) -> None:
        """Report that the service is about to end because it was told to."""
        self._send("STOPPING=1\nSTATUS=Putting the table away")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        name = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
                # A manager that does not read must not hold us up.
                to.settimeout(1.0)
                to.sendto(message.encode(), name)
        except OSError as error:
            log.warning("systemd can't be told %r: %s", message.partition("\n")[0], error)


class Watch:
    """A thread that says "ready" once, then "alive" while `well`, given seconds, answers None; else what is wrong.

    The watchdog gets three chances before its time is up, so that one slow answer restarts nothing.
    """

    def __init__(self, notifier: Notifier, well: Callable[[float], str | None]) -> None:
        self._notifier = notifier
        self._well = well
        self._every = min(15.0, notifier.watchdog / 3) if notifier.watchdog else 15.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start, if anybody listens."""
        if self._notifier:
            self._thread.start()

    def close(self) -> None:
        """Stop feeding."""
        self._ended.set()

    def _run(self) -> None:
        ready = False
        while not self._ended.is_set():
            wrong = self._well(self._every)
            if self._ended.is_set():
                return
            if wrong is not None:
                # Until the first answer it is only starting.
                if ready:
                    log.warning("the watchdog is not fed: %s", wrong)
                    self._notifier.status(f"In trouble: {wrong}")
            elif not ready:
                ready = True
                self._notifier.ready("The table answers")
                self._notifier.alive("The table answers")
            else:
                self._notifier.alive("The table answers")
            self._ended.wait(self._every if ready else 0.2)


def listened(environ: MutableMapping[str, str] = os.environ) -> tuple[str, int] | None:
    """Return host and port of the socket that systemd opened for this process, kept for gunicorn; None if none."""
    if environ.get("LISTEN_PID") != str(os.getpid()) or not environ.get("LISTEN_FDS", "0").isdigit():
        return None
    if int(environ.get("LISTEN_FDS", "0")) < 1:
        return None
    with socket.socket(fileno=os.dup(FIRST_LISTENED)) as there:
        if there.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        address, port = there.getsockname()[:2]
        return str(address), int(port)
