"""The board of buttons, buzzer and LEDs: in this process, in a child under the system's Python, or simulated."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from companion.devices import pins_child
from companion.devices.service import Backoff, DeviceError, PermanentError, Service
from companion.untyped import JsonObject

log = logging.getLogger(__name__)

Edge = pins_child.Edge
SYSTEM_PYTHON = "/usr/bin/python3"


class Plan(msgspec.Struct, frozen=True):
    """What hangs on which GPIO number: buttons by name, outputs by name with "switch" or "tone"."""

    buttons: dict[str, int] = {}
    outputs: dict[str, tuple[int, str]] = {}


class Board(Protocol):
    """Something with pins."""

    def open(self, plan: Plan, edge: Edge) -> Mapping[str, str]:
        """Open the plan's pins; return what is wrong with single ones, by name. Raises DeviceError without any."""

    def write(self, name: str, value: float) -> None:
        """Set an output: 0 off, else on (a switch) or hertz (a tone)."""

    def settle(self) -> None:
        """Wait until everything written so far is done; raise DeviceError if the board was lost."""

    def watch(self, stopping: threading.Event) -> None:
        """Wait until `stopping` is set; raise DeviceError if the board was lost."""

    def close(self) -> None:
        """Switch everything off."""


class GpiozeroBoard:
    """The pins through gpiozero in this process."""

    def __init__(self) -> None:
        self._pins: pins_child.Pins | None = None

    def open(self, plan: Plan, edge: Edge) -> Mapping[str, str]:
        """Open the pins with gpiozero's own choice of factory."""
        try:
            self._pins = pins_child.Pins(plan.buttons, plan.outputs, edge)
        except Exception as error:
            fault = DeviceError if pins_child.passes(error) else PermanentError
            raise fault(f"gpiozero finds no pins here: {error}") from error
        return self._pins.faults

    def write(self, name: str, value: float) -> None:
        """Set an output."""
        if self._pins is not None:
            self._pins.write(name, value)

    def settle(self) -> None:
        """Do nothing: a write takes effect at once."""

    def watch(self, stopping: threading.Event) -> None:
        """Wait; pins in this process can't be lost."""
        stopping.wait()

    def close(self) -> None:
        """Release the pins."""
        if self._pins is not None:
            self._pins.close()
            self._pins = None


class SimulatedBoard:
    """Pins that only remember: `written` lists (name, value) in order, `levels` are the outputs' current levels."""

    def __init__(self) -> None:
        self.written: list[tuple[str, float]] = []
        self.levels: dict[str, float] = {}

    def open(self, plan: Plan, edge: Edge) -> Mapping[str, str]:
        """Start with everything off."""
        self.levels = dict.fromkeys(plan.outputs, 0.0)
        return {}

    def write(self, name: str, value: float) -> None:
        """Remember it; of a long evening only the last thousand."""
        self.levels[name] = value
        self.written = [*self.written[-999:], (name, value)]

    def settle(self) -> None:
        """Do nothing: a write takes effect at once."""

    def watch(self, stopping: threading.Event) -> None:
        """Wait."""
        stopping.wait()

    def close(self) -> None:
        """Switch everything off."""
        self.levels = dict.fromkeys(self.levels, 0.0)


class ChildBoard:
    """The pins in a small process under the system's Python (see `pins_child`), asked every few seconds if it lives."""

    def __init__(
        self,
        command: tuple[str, ...] = (SYSTEM_PYTHON, "-I", str(Path(pins_child.__file__).resolve())),
        *,
        beat: float = 5.0,
        patience: float = 15.0,
    ) -> None:
        """Create it with the child's command; `patience` is how many seconds it may take to get ready or to answer."""
        self._command = command
        self._beat = beat
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._said: queue.SimpleQueue[JsonObject] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._settling = threading.Lock()
        self._asked = 0

    def open(self, plan: Plan, edge: Edge) -> Mapping[str, str]:
        """Start the child and wait until its pins are open."""
        try:
            process = self._process = subprocess.Popen(  # noqa: S603 - a fixed command, no shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Errors come the same way: the last line that is no JSON is the reason, should it end.
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        except OSError as error:
            raise PermanentError(f"the pins need {self._command[0]}, which can't be started: {error}") from error
        self._said, self._done = queue.SimpleQueue(), queue.SimpleQueue()
        threading.Thread(
            target=self._listen, args=(process, self._said, self._done, edge), name="pins", daemon=True
        ).start()
        self._send(buttons=plan.buttons, outputs=plan.outputs)
        ready = self._next()
        if "broken" in ready:
            fault = DeviceError if ready.get("passes") else PermanentError
            raise fault(
                f"the system's Python finds no pins ({ready['broken']}): install python3-gpiozero and python3-lgpio, "
                "and put the user that runs Companion into the group gpio"
            )
        log.info("pins: open through %s", ready.get("ready"))
        return {str(name): str(words) for name, words in ready.get("faults", {}).items()}

    def write(self, name: str, value: float) -> None:
        """Set an output."""
        self._send(write=[name, value])

    def settle(self) -> None:
        """Wait until the child has processed every write: it answers in the order of its input."""
        with self._settling:
            self._asked += 1
            asked, done = self._asked, self._done
            self._send(settle=asked)
            try:
                while done.get(timeout=self._patience) != asked:
                    pass
            except queue.Empty:
                raise DeviceError(f"the pins' process did not answer for {self._patience:g} s") from None

    def watch(self, stopping: threading.Event) -> None:
        """Ask every few seconds whether the child still answers; notice at once if it ended."""
        number = 0
        while not stopping.is_set():
            number += 1
            self._send(ping=number)
            while self._next().get("pong") != number:
                pass
            # Between two questions nothing is expected but its end, so the wait is on the queue, in short turns so that
            # a stop is not kept waiting either.
            for _ in range(max(1, round(self._beat / 0.5))):
                if stopping.wait(0.0):
                    return
                try:
                    message = self._said.get(timeout=min(0.5, self._beat))
                except queue.Empty:
                    continue
                if "ended" in message:
                    raise DeviceError(str(message["ended"]))

    def close(self) -> None:
        """End the child: by closing its input, else by a signal."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin:
                process.stdin.close()
            process.wait(min(2.0, self._patience))
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()

    def _send(self, **message: object) -> None:
        with self._lock:
            process = self._process
            if process is None or process.stdin is None:
                raise DeviceError("the pins are not open")
            try:
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
            except (OSError, ValueError) as error:
                raise DeviceError(f"the pins' process is gone ({error})") from error

    def _next(self) -> JsonObject:
        try:
            message = self._said.get(timeout=self._patience)
        except queue.Empty:
            raise DeviceError(f"the pins' process did not answer for {self._patience:g} s") from None
        if "ended" in message:
            raise DeviceError(str(message["ended"]))
        return message

    @staticmethod
    def _listen(
        process: subprocess.Popen[str],
        said: queue.SimpleQueue[JsonObject],
        done: queue.SimpleQueue[int],
        edge: Edge,
    ) -> None:
        if process.stdout is None:
            return
        last = ""
        for line in process.stdout:
            try:
                message = json.loads(line)
                if "edge" in message:
                    name, pressed, at = message["edge"]
                    edge(str(name), bool(pressed), float(at))
                elif "settled" in message:
                    done.put(int(message["settled"]))
                else:
                    said.put(message)
            except (ValueError, TypeError):
                last = line.strip() or last
        process.stdout.close()
        said.put({"ended": f"the pins' process ended with status {process.wait()} {last}".strip()})


BOARDS: dict[str, Callable[[], Board]] = {
    "gpiozero": GpiozeroBoard,
    "child": ChildBoard,
    "simulated": SimulatedBoard,
}


def _gpiozero_available() -> bool:
    """Whether gpiozero can have real pins in this process: a factory named by the owner, or lgpio importable."""
    return bool(os.environ.get("GPIOZERO_PIN_FACTORY")) or (on_a_pi() and importlib.util.find_spec("lgpio") is not None)


def on_a_pi() -> bool:
    """Whether this computer is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in Path("/proc/device-tree/model").read_text(errors="replace")
    except OSError:
        return False


ORDER: tuple[tuple[str, Callable[[], bool]], ...] = (
    ("gpiozero", _gpiozero_available),
    ("child", lambda: on_a_pi() and sys.platform == "linux" and Path(SYSTEM_PYTHON).exists()),
)


def find() -> str | None:
    """Return `COMPANION_PINS`, else the first real board there, or None; raise PermanentError if it names none."""
    wanted = os.environ.get("COMPANION_PINS")
    if wanted:
        if wanted not in BOARDS:
            raise PermanentError(f'COMPANION_PINS: there is no board "{wanted}"; there are: {", ".join(BOARDS)}')
        return wanted
    return next((name for name, there in ORDER if there()), None)


class PinService(Service):
    """The board as a service. What was written while it was away is set again when it is back, but for sounds."""

    def __init__(self, board: Board, plan: Plan, edge: Edge, *, backoff: Backoff | None = None) -> None:
        super().__init__("pins", backoff=backoff)
        self.board = board
        self._plan = plan
        self._edge = edge
        self._levels: dict[str, float] = {}
        self._open = False
        self._ready = threading.Event()
        self._lock = threading.Lock()

    def write(self, name: str, value: float, keep: bool = True) -> None:
        """Set an output now, or when the board is back; with `keep` False only now."""
        with self._lock:
            if keep:
                self._levels[name] = value
            if self._open:
                try:
                    self.board.write(name, value)
                except Exception as error:
                    # `run` notices the loss by itself; whoever blinks must not die of it.
                    log.debug("pins: %s not set: %s", name, error)

    def set_now(self, name: str, value: float, patience: float = 5.0) -> None:
        """Set an output and return when it has its level.

        Raises:
            DeviceError: if the board is not open within `patience` seconds, or was lost.
        """
        if not self._ready.wait(patience):
            raise DeviceError("the pins are not open")
        # Not under the lock: the answer may take a moment, and a light that blinks meanwhile does no harm.
        self.board.write(name, value)
        self.board.settle()

    def setup(self) -> None:
        """Open the board; single pins that fail are logged."""
        for name, words in self.board.open(self._plan, self._edge).items():
            log.warning("pins: %s: %s", name, words)
        with self._lock:
            for name, value in self._levels.items():
                self.board.write(name, value)
            self._open = True
        self._ready.set()

    def run(self) -> None:
        """Watch the board until it is lost or the service stops."""
        self.board.watch(self.stopping)

    def teardown(self) -> None:
        """Close it."""
        self._ready.clear()
        with self._lock:
            self._open = False
        self.board.close()
