"""A service owns one piece of hardware: set it up, run it, tear it down, and try again with growing pauses.

A fault never leaves it: a *passing* one is tried again, at a *permanent* one it stops and says what a person has to do.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from math import inf

import msgspec

from companion.text import said

log = logging.getLogger(__name__)

Clock = Callable[[], float]
"""Monotonic seconds."""


class DeviceError(Exception):
    """A fault that may pass by itself. The message is one sentence for people."""


class PermanentError(DeviceError):
    """A fault that a person has to fix; the message says how."""


class Backoff:
    """Pauses between attempts: `first` seconds, doubled each time, at most `most`."""

    def __init__(self, first: float = 0.5, most: float = 30.0, proven: float = 10.0) -> None:
        self.first = first
        self.most = most
        self.proven = proven
        self.failures = 0
        self._since: float | None = None

    def next(self) -> float:
        """Count one more failure and return the pause after it, in seconds."""
        # The exponent is bounded because a display may stay unplugged for years and 2.0 ** 1024 overflows.
        pause = min(self.first * 2.0 ** min(self.failures, 30), self.most)
        self.failures += 1
        self._since = None
        return float(pause)

    def worked(self) -> None:
        """Note that it works now; only when it has for `proven` seconds do the pauses start small again.

        What gives one picture at each attempt would otherwise be lost twice a second for good.
        """
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if now - self._since >= self.proven:
            self.failures = 0

    def reset(self) -> None:
        """Start again at the shortest pause."""
        self.failures = 0


class Health(msgspec.Struct, frozen=True):
    """A service's health: `state` is "off", "running", "waiting" (for the next try) or "broken" (needs a person)."""

    name: str
    state: str
    words: str = ""
    failures: int = 0


class Service(ABC):
    """One piece of hardware with a thread of its own.

    Descendants *must* override `setup` (open it, or raise a `DeviceError`) and `run` (work until `stopping` is set);
    they *may* override `teardown` (close it: called after every setup, also a failed one).
    """

    def __init__(
        self, name: str, *, clock: Clock = time.monotonic, backoff: Backoff | None = None, proven: float = 10.0
    ) -> None:
        """Create it. `proven` is how many seconds a run must last before the pauses start small again."""
        self.name = name
        self.stopping = threading.Event()
        self._clock = clock
        self._backoff = backoff or Backoff()
        self._proven = proven
        self._thread: threading.Thread | None = None
        self._health = Health(name, "off")
        self._told = ""
        self._recovered = ""

    @abstractmethod
    def setup(self) -> None:
        """Open the hardware; raise DeviceError if it can't be now, PermanentError if it never will without help."""

    @abstractmethod
    def run(self) -> None:
        """Work until `stopping` is set; raise DeviceError if the hardware was lost."""

    def teardown(self) -> None:
        """Close whatever is open; called after every attempt."""
        return

    @property
    def health(self) -> Health:
        """The current health."""
        return self._health

    @property
    def running(self) -> bool:
        """Whether the hardware is open."""
        return self._health.state == "running"

    def attempt(self) -> float:
        """Set up, run and tear down once; return the seconds to wait before the next attempt (infinite: don't)."""
        started = self._clock()
        try:
            self.setup()
            self._become("running", "")
            started = self._clock()
            self.run()
        except PermanentError as fault:
            self._become("broken", said(fault))
            return inf
        except Exception as error:  # whatever a driver raises, the match goes on without this device
            if self._health.state == "running" and self._clock() - started >= self._proven:
                self._backoff.reset()
                self._told = self._recovered = ""
            pause = self._backoff.next()
            words = said(error) if isinstance(error, DeviceError) else f"{type(error).__name__}: {error}"
            self._become("waiting", words, unexpected=not isinstance(error, DeviceError))
            return pause
        else:
            self._become("off", "")
            return self._backoff.first
        finally:
            try:
                self.teardown()
            except Exception:
                log.debug("%s: could not be closed properly", self.name, exc_info=True)

    def start(self) -> None:
        """Start it in a thread of its own. Starting a running service does nothing; a broken one tries again."""
        if self._thread is not None and self._thread.is_alive():
            return
        self.stopping.clear()
        self._backoff.reset()
        self._thread = threading.Thread(target=self._loop, name=f"device-{self.name}", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End the run and wait for it, at most `timeout` seconds."""
        self.stopping.set()
        self.wake()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)
            if self._thread.is_alive():
                log.warning("%s: did not stop in time", self.name)

    def wake(self) -> None:
        """Wake `run` from whatever it waits for; override together with `run` if it waits for more than `stopping`."""
        return

    def _loop(self) -> None:
        while not self.stopping.is_set():
            pause = self.attempt()
            if pause == inf:
                return
            self.stopping.wait(pause)
        self._become("off", "")

    def _become(self, state: str, words: str, unexpected: bool = False) -> None:
        self._health = Health(self.name, state, words, self._backoff.failures)
        # The same fault is told once, not at every attempt, and so is its end, until it really worked for a while: an
        # SD card must not fill up with a display that has a loose wire.
        if state == "running" and self._told and self._recovered != self._told:
            log.info("%s: works again", self.name)
            self._recovered = self._told
        elif words and words != self._told:
            log.warning("%s: %s", self.name, words, exc_info=unexpected)
            self._told = words


def start_all(services: Iterable[Service]) -> None:
    """Start services in order; one that can't even start is logged, and the rest run."""
    for service in services:
        try:
            service.start()
        except Exception:
            log.exception("%s: could not be started", service.name)


def stop_all(services: Iterable[Service]) -> None:
    """Stop services in reverse order."""
    for service in reversed(tuple(services)):
        try:
            service.stop()
        except Exception:
            log.exception("%s: could not be stopped", service.name)
