"""Reads `firmware_config/wiring.toml`: what hangs on which pin, checked for clashes before anything is switched on."""

from __future__ import annotations

import tomllib
from typing import Annotated, Literal

import msgspec

from companion.devices.pins import Plan
from companion.paths import data

FILE = "firmware_config/wiring.toml"

HEADER: dict[int, int] = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36, 17: 11,
    18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""GPIO numbers that may be used, with their places on the 40-pin header (Pi 2 to 5, Zero; 0 and 1 are for HATs)."""

_BUS_PINS = {1: ((2, "data"), (3, "clock"))}
_REMEDY = "Choose another pin in wiring.toml; free ones are"


class WiringError(Exception):
    """The wiring can't be. The message says every clash, a sentence each."""


class OledWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The display. `rotate` in quarter turns."""

    type: Literal["ssd1306", "sh1106"] = "ssd1306"
    bus: Annotated[int, msgspec.Meta(ge=0, le=99)] = 1
    address: Annotated[int, msgspec.Meta(ge=0x03, le=0x77)] = 0x3C
    rotate: Literal[0, 2] = 0


class ButtonWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buttons' pins."""

    next: int | None = None
    page: int | None = None
    undo: int | None = None
    hold_seconds: Annotated[float, msgspec.Meta(ge=0.3, le=10)] = 1.0


class BuzzerWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buzzer's pin and kind."""

    pin: int
    kind: Literal["active", "passive"] = "active"


class LedWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The LEDs' pins."""

    turn: int | None = None
    attention: int | None = None


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that hangs on the Pi; a part that is left out isn't there."""

    oled: OledWiring | None = None
    buttons: ButtonWiring = ButtonWiring()
    buzzer: BuzzerWiring | None = None
    leds: LedWiring = LedWiring()

    def pins(self) -> tuple[tuple[str, int], ...]:
        """List (what, GPIO number) of everything but the display, in the file's order."""
        found = [(f"button {name}", getattr(self.buttons, name)) for name in ("next", "page", "undo")]
        found.append(("buzzer", self.buzzer.pin if self.buzzer else None))
        found += [(f"LED {name}", getattr(self.leds, name)) for name in ("turn", "attention")]
        return tuple((what, pin) for what, pin in found if pin is not None)

    def plan(self) -> Plan:
        """Give what the board has to open; outputs are "buzzer" and the LEDs' roles."""
        outputs: dict[str, tuple[int, str]] = {}
        for what, pin in self.pins():
            kind, _, name = what.partition(" ")
            if kind == "LED":
                outputs[name] = (pin, "switch")
            elif self.buzzer and kind == "buzzer":
                outputs["buzzer"] = (pin, "tone" if self.buzzer.kind == "passive" else "switch")
        return Plan({what.split()[1]: pin for what, pin in self.pins() if what.startswith("button")}, outputs)


def clashes(wiring: Wiring) -> tuple[str, ...]:
    """Name everything that can't be, a sentence each: not a pin, used twice, taken by the display's I²C bus."""
    found = []
    bus = dict(_BUS_PINS.get(wiring.oled.bus, ())) if wiring.oled else {}
    used: dict[int, str] = {}
    for what, pin in wiring.pins():
        if pin in (0, 1):
            found.append(f"The {what} can't use GPIO {pin}: it is kept for the memory of add-on boards.")
        elif pin not in HEADER:
            found.append(f"The {what} can't use GPIO {pin}: the header has GPIO 2 to 27 only.")
        elif pin in bus:
            found.append(f"The {what} can't use GPIO {pin}: it is the {bus[pin]} line of the OLED's I²C bus.")
        elif pin in used:
            found.append(f"The {what} and the {used[pin]} can't both use GPIO {pin}.")
        used.setdefault(pin, what)
    if found:
        free = [pin for pin in HEADER if pin not in used and pin not in bus and pin not in (14, 15)]
        found.append(f"{_REMEDY} {', '.join(str(pin) for pin in free)}.")
    return tuple(found)


def parse(text: str) -> Wiring:
    """Read the text of a wiring.toml.

    Raises:
        WiringError: if it is not TOML, an entry does not fit, or pins clash.
    """
    try:
        wiring = msgspec.convert(tomllib.loads(text), Wiring)
    except tomllib.TOMLDecodeError as error:
        raise WiringError(f"{FILE} is not proper TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise WiringError(f"{FILE}: {error}") from None
    found = clashes(wiring)
    if found:
        raise WiringError(" ".join(found))
    return wiring


def load() -> Wiring:
    """Read the wiring: the owner's own file, else the one that comes along.

    Raises:
        WiringError: if it is missing or does not fit.
    """
    try:
        return parse(data(FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise WiringError(f"{FILE} can't be read: {error}") from None


def table(wiring: Wiring) -> tuple[tuple[str, str, str], ...]:
    """List every wire as (part, where it goes, place on the header), for people."""
    rows: list[tuple[str, str, str]] = []
    if wiring.oled:
        rows += [("OLED VCC", "3.3 V", "1"), ("OLED GND", "ground", "9")]
        lines = (("SDA", "data"), ("SCL", "clock"))
        for (name, _), (pin, _) in zip(lines, _BUS_PINS.get(wiring.oled.bus, ()), strict=False):
            rows.append((f"OLED {name}", f"GPIO {pin}", str(HEADER[pin])))
    rows += [(what, f"GPIO {pin}", str(HEADER[pin])) for what, pin in wiring.pins()]
    rows.append(("other leg of buttons, buzzer and LEDs", "ground", "6, 14, 20, 25, 30, 34 or 39"))
    return tuple(rows)
