"""The pins: gpiozero buttons and outputs. Also a small program of its own, run under the system's Python.

Raspberry Pi OS keeps gpiozero and lgpio for the system's Python only, and an isolated environment can't import them. So
the parent runs this file with `/usr/bin/python3 -I` and they talk in JSON lines: on stdin one line of set-up, then
`{"write": [name, value]}`, `{"settle": n}` and `{"ping": n}`; on stdout `{"ready": factory, "faults": {name: words}}`,
`{"edge": [name, pressed, monotonic seconds]}`, `{"settled": n}`, `{"pong": n}`, and before it gives up
`{"broken": words, "passes": whether another try may work}`.
The end of stdin ends it, and so does SIGTERM; outputs go low first, as a Pi's kernels leave a released line as it was.
So a buzzer never outlives the program that switched it on.

Nothing here may import `companion`: the system's Python doesn't have it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

Edge = Callable[[str, bool, float], None]
"""Told of a button's name, whether it is down now, and when (monotonic seconds, the same clock in every process)."""
Foreign = Any
"""A thing of gpiozero's, which has no types."""


class Pins:
    """Buttons to ground with the Pi's pull-ups, and outputs: "switch" (LED, active buzzer) or "tone" (passive).

    A device that can't be opened is named in `faults` and left out; the others work.
    """

    def __init__(self, buttons: Mapping[str, int], outputs: Mapping[str, tuple[int, str]], edge: Edge) -> None:
        """Open them by gpiozero's factory (`GPIOZERO_PIN_FACTORY`); raise BadPinFactory or ImportError without one."""
        import gpiozero

        gpiozero.Device.ensure_pin_factory()
        self.factory = type(gpiozero.Device.pin_factory).__name__
        self.faults: dict[str, str] = {}
        self._devices: dict[str, Foreign] = {}
        self._outputs = tuple(outputs)
        makers = {"switch": gpiozero.DigitalOutputDevice, "tone": gpiozero.PWMOutputDevice}
        for name, (pin, kind) in outputs.items():
            self._open(name, pin, makers[kind])
        for name, pin in buttons.items():
            # No bounce_time: not every factory keeps it, and the debouncing is done where it can be tested.
            button = self._open(name, pin, gpiozero.Button)
            if button is not None:
                button.when_pressed = self._teller(edge, name, True)
                button.when_released = self._teller(edge, name, False)
                if button.is_pressed:
                    edge(name, True, time.monotonic())

    def write(self, name: str, value: float) -> None:
        """Set an output: 0 is off; a switch is on at anything else, a tone sounds at so many hertz."""
        device = self._devices.get(name)
        if device is None:
            return
        if hasattr(device, "frequency"):
            if value > 0:
                device.frequency = value
                device.value = 0.5
            else:
                device.value = 0
        else:
            device.value = bool(value)

    def close(self) -> None:
        """Switch everything off, then let the pins go."""
        for name in self._outputs:
            self.write(name, 0)
        while self._devices:
            _, device = self._devices.popitem()
            device.close()

    def _open(self, name: str, pin: int, make: Callable[[int], Foreign]) -> Foreign:
        try:
            self._devices[name] = make(pin)
        except Exception as error:  # one bad pin must not take the others along
            self.faults[name] = f"pin {pin} can't be used: {type(error).__name__}: {error}"
            return None
        return self._devices[name]

    @staticmethod
    def _teller(edge: Edge, name: str, pressed: bool) -> Callable[[], None]:
        return lambda: edge(name, pressed, time.monotonic())


def passes(error: Exception) -> bool:
    """Whether pins that can't be opened may be there at another try: the kernel's chip may come late, or its group."""
    if type(error).__module__ == "lgpio" or isinstance(error, OSError):
        return True
    # Unless it is told which factory to take, gpiozero tries all it has, and names no reason.
    named, lgpio = os.environ.get("GPIOZERO_PIN_FACTORY"), importlib.util.find_spec("lgpio")
    return type(error).__name__ == "BadPinFactory" and not named and lgpio is not None


def main() -> int:
    """Speak the protocol until stdin ends; the exit status is 1 if the pins could not be opened at all."""
    lock = threading.Lock()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))

    def say(**message: object) -> None:
        with lock:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    plan = json.loads(sys.stdin.readline())
    try:
        pins = Pins(
            plan["buttons"],
            {name: (pin, kind) for name, (pin, kind) in plan["outputs"].items()},
            lambda name, pressed, at: say(edge=[name, pressed, at]),
        )
    except Exception as error:
        say(broken=f"{type(error).__name__}: {error}", passes=passes(error))
        return 1
    try:
        say(ready=pins.factory, faults=pins.faults)
        for line in sys.stdin:
            message = json.loads(line)
            if "write" in message:
                pins.write(*message["write"])
            if "settle" in message:
                say(settled=message["settle"])
            if "ping" in message:
                say(pong=message["ping"])
    finally:
        pins.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
