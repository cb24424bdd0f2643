"""Reads `firmware_config/wiring.toml`: what hangs on which pin, checked for clashes before anything is switched on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from companion.devices.pins import Plan
from companion.files import data
from companion.text import t
from companion.untyped import read_toml

FILE = "firmware_config/wiring.toml"

HEADER: dict[int, int] = {
    2: 3,
    3: 5,
    4: 7,
    5: 29,
    6: 31,
    7: 26,
    8: 24,
    9: 21,
    10: 19,
    11: 23,
    12: 32,
    13: 33,
    14: 8,
    15: 10,
    16: 36,
    17: 11,
    18: 12,
    19: 35,
    20: 38,
    21: 40,
    22: 15,
    23: 16,
    24: 18,
    25: 22,
    26: 37,
    27: 13,
}
"""GPIO numbers that may be used, with their places on the 40-pin header (Pi 2 to 5, Zero; 0 and 1 are for HATs)."""
POWER: dict[int, str] = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
"""Places on the header that give power."""
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""Places on the header that are ground."""

I2C = {2: "data", 3: "clock"}
"""The pins of I²C bus 1, which `dtparam=i2c_arm=on` takes."""
SPI = {10: "data", 11: "clock", 8: "chip select 0", 7: "chip select 1", 9: "data in"}
"""The pins of SPI bus 0, all of which `dtparam=spi=on` takes, whether anything hangs on them or not."""
_SERIAL = (14, 15)
"""Not offered as free: by default a console listens there."""
BUTTONS = ("next", "page", "undo")
ROLES = ("turn", "attention")
MOST_SEATS = 8

Share = Annotated[int, msgspec.Meta(ge=1, le=100)]


class WiringError(Exception):
    """Invalid wiring; the message lists every conflict, a sentence each."""


class OledWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The display. `rotate` in quarter turns; `address` on I²C; `dc` and `reset` are GPIO numbers, on SPI."""

    type: Literal["ssd1306", "ssd1309", "sh1106"] = "ssd1306"
    bus: Literal["i2c", "spi"] = "i2c"
    address: Annotated[int, msgspec.Meta(ge=0x03, le=0x77)] = 0x3C
    dc: int | None = None
    reset: int | None = None
    rotate: Literal[0, 2] = 0


class ButtonWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buttons' pins."""

    next: int | None = None
    page: int | None = None
    undo: int | None = None
    hold_seconds: Annotated[float, msgspec.Meta(ge=0.3, le=10)] = 1.0


class KnobWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rotary knob's pins: its two contacts and its push button.

    `reverse` if it counts the wrong way round, `half` if it has two clicks for each turn of its contacts.
    """

    a: int
    b: int
    press: int
    reverse: bool = False
    half: bool = False


class BuzzerWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buzzer's pin and kind."""

    pin: int | None = None
    kind: Literal["active", "passive", "none"] = "active"


class LedWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The LEDs' pins: two for the table, and one for each seat, from seat 1 on."""

    turn: int | None = None
    attention: int | None = None
    seats: Annotated[tuple[int, ...], msgspec.Meta(max_length=MOST_SEATS)] = ()


class RingWiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ring of WS2812 LEDs on the data line of SPI bus 0; LED `first` (from 1, `brightness` in %) faces seat 1."""

    leds: Annotated[int, msgspec.Meta(ge=1, le=150)]
    first: Annotated[int, msgspec.Meta(ge=1, le=150)] = 1
    clockwise: bool = True
    brightness: Share = 20


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is connected to the Pi; None stands for a missing part."""

    oled: OledWiring | None = None
    buttons: ButtonWiring = ButtonWiring()
    knob: KnobWiring | None = None
    buzzer: BuzzerWiring | None = None
    leds: LedWiring = LedWiring()
    ring: RingWiring | None = None

    @property
    def sounds(self) -> bool:
        """Whether there is a buzzer."""
        return self.buzzer is not None and self.buzzer.kind != "none"

    @property
    def buses(self) -> dict[int, str]:
        """The GPIO numbers that a bus takes, with what each is there: "the data line of the OLED's I²C bus"."""
        found: dict[int, str] = {}
        if self.oled and self.oled.bus == "i2c":
            found |= {pin: f"the {line} line of the OLED's I²C bus" for pin, line in I2C.items()}
        if self.ring or (self.oled and self.oled.bus == "spi"):
            whose = "the LED ring's" if self.ring else "the OLED's"
            found |= {pin: f"the {line} line of {whose} SPI bus" for pin, line in SPI.items()}
        return found

    def pins(self) -> tuple[tuple[str, int], ...]:
        """Return (what, GPIO number) of everything but the buses, in the file's order."""
        found: list[tuple[str, int | None]] = []
        if self.oled and self.oled.bus == "spi":
            found += [("OLED DC", self.oled.dc), ("OLED reset", self.oled.reset)]
        found += [(f"button {name}", getattr(self.buttons, name)) for name in BUTTONS]
        if self.knob:
            found += [("knob A", self.knob.a), ("knob B", self.knob.b), ("knob press", self.knob.press)]
        found.append(("buzzer", self.buzzer.pin if self.buzzer and self.sounds else None))
        found += [(f"LED {name}", getattr(self.leds, name)) for name in ROLES]
        found += [(f"LED seat {seat}", pin) for seat, pin in enumerate(self.leds.seats, 1)]
        return tuple((what, pin) for what, pin in found if pin is not None)

    def plan(self) -> Plan:
        """Return what the board has to open.

        Inputs: the buttons by name, "knob-a", "knob-b", "knob"; outputs: "buzzer", the LEDs' roles, "seat-1" and so on,
        "oled-dc" and "oled-reset".
        """
        inputs: dict[str, int] = {}
        outputs: dict[str, tuple[int, str]] = {}
        for what, pin in self.pins():
            kind, _, name = what.partition(" ")
            if kind == "button":
                inputs[name] = pin
            elif kind == "knob":
                inputs["knob" if name == "press" else f"knob-{name.lower()}"] = pin
            elif kind == "buzzer":
                outputs["buzzer"] = (pin, "tone" if self.buzzer and self.buzzer.kind == "passive" else "switch")
            elif kind == "OLED":
                outputs[f"oled-{name.lower()}"] = (pin, "switch")
            else:
                outputs[name.replace(" ", "-")] = (pin, "switch")
        return Plan(inputs, outputs)


def clashes(wiring: Wiring) -> tuple[str, ...]:
    """Return every conflict, a sentence each: not a pin, used twice, taken by a bus, a part without its pin."""
    found = list(_incomplete(wiring))
    buses = wiring.buses
    used: dict[int, str] = {}
    wrong = False
    for what, pin in wiring.pins():
        why = ""
        if pin in (0, 1):
            why = f"The {what} can't use GPIO {pin}: it is kept for the memory of add-on boards."
        elif pin not in HEADER:
            why = f"The {what} can't use GPIO {pin}: the header has GPIO 2 to 27 only."
        elif pin in buses:
            why = f"The {what} can't use GPIO {pin}: it is {buses[pin]}."
        elif pin in used:
            why = f"The {what} and the {used[pin]} can't both use GPIO {pin}."
        if why:
            found.append(why)
            wrong = True
        used.setdefault(pin, what)
    if wrong:
        free = [pin for pin in sorted(HEADER) if pin not in used and pin not in buses and pin not in _SERIAL]
        listed = (
            f"free ones are {', '.join(str(pin) for pin in free)}" if free else "but none is free: leave a part out"
        )
        found.append(f"Choose another pin in wiring.toml; {listed}.")
    return tuple(found)


def _incomplete(wiring: Wiring) -> Iterator[str]:
    """Yield conflicts of parts that lack a pin, and of parts that exclude each other."""
    oled, ring, leds = wiring.oled, wiring.ring, wiring.leds
    if oled and oled.bus == "spi" and oled.dc is None:
        yield (
            'The OLED on SPI needs its DC line (also "D/C" or "A0"): say dc = and a GPIO number, such as dc = 25, '
            "in [oled]."
        )
    if oled and oled.bus == "i2c" and not (oled.dc is None and oled.reset is None):
        yield 'The OLED has dc or reset, which belong to SPI: say bus = "spi", or leave them out.'
    if oled and oled.bus == "spi" and ring:
        yield (
            "The LED ring and the OLED can't share the data line of the SPI bus: take an OLED by I²C, or LEDs of their "
            "own for the seats."
        )
    if ring and leds.seats:
        yield "The seats have LEDs of their own and a ring: leave out seats in [leds], or [ring]."
    if ring and ring.first > ring.leds:
        yield f"The LED ring has {ring.leds} LEDs, so its first can't be number {ring.first}."
    if wiring.buzzer and wiring.sounds and wiring.buzzer.pin is None:
        yield 'The buzzer needs its pin: say pin = 18 in [buzzer], or kind = "none" if there is no buzzer.'


def parse(text: str, name: str = FILE) -> Wiring:
    """Parse a wiring.toml that errors call `name`; raise WiringError if an entry does not fit, or pins clash."""
    try:
        wiring = msgspec.convert(read_toml(text), Wiring)
    except msgspec.ValidationError as error:
        raise WiringError(f"{name}: {_plain(str(error))}") from None
    except ValueError as error:
        raise WiringError(t("{file} is not proper TOML: {error}.", file=name, error=error)) from None
    found = clashes(wiring)
    if found:
        raise WiringError(" ".join(found))
    return wiring


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": 'a word in quotes ("…")',
    "bool": "true or false",
    "object": "a section",
    "array": "a list of numbers ([5, 6, 13])",
}
_CHOICES = {
    "type": '"ssd1306", "ssd1309" or "sh1106"',
    "bus": '"i2c" or "spi"',
    "kind": '"active", "passive" or "none"',
    "rotate": "0 or 2 (upside down)",
}


def _plain(error: str) -> str:
    """Return msgspec's message about an invalid entry in words for the owner."""
    said, _, where = error.partition(" - at ")
    path = where.strip("`").removeprefix("$").strip(".").split(".") if where else []
    section = path[0] if path and path[0] else ""
    entry = re.sub(r"\[\.\.\.\]|\[\d+\]", "", path[1]) if len(path) > 1 else ""
    place = f"in [{section}], {entry}" if entry else f"in [{section}]" if section else "in the file"
    if (unknown := re.search(r"unknown field `([^`]+)`", said)) is not None:
        there = _fields(section)
        return f"{place} there is no {unknown[1]}; there are: {', '.join(there)}."
    if (missing := re.search(r"missing required field `([^`]+)`", said)) is not None:
        return f"{place} the line {missing[1]} = … is missing."
    if entry in _CHOICES:
        return f"{place} can be {_CHOICES[entry]}."
    if (wanted := re.search(r"Expected `([^`]+)`(?:, got `([^`]+)`)?", said)) is not None:
        kinds = [_KINDS.get(kind.strip(), kind) for kind in wanted[1].split("|") if kind.strip() != "null"]
        bound = re.search(r"(of length )?(>=|<=) ([\d.]+)", said)
        if bound is not None:
            many = "have" if bound[1] else "be"
            limit = f"at {'least' if bound[2] == '>=' else 'most'} {bound[3].removesuffix('.0')}"
            return f"{place} must {many} {limit}{' entries' if bound[1] else ''}."
        return f"{place} must be {' or '.join(kinds)}."
    return f"{place}: {said}."


def _fields(section: str) -> tuple[str, ...]:
    sections = {
        "oled": OledWiring,
        "buttons": ButtonWiring,
        "knob": KnobWiring,
        "buzzer": BuzzerWiring,
        "leds": LedWiring,
        "ring": RingWiring,
        "": Wiring,
    }
    return tuple(getattr(sections.get(section, Wiring), "__struct_fields__", ()))


def with_rotation(text: str, rotate: int) -> str:
    """Return the text of a wiring.toml with the display's `rotate` (0 or 2), everything else as it was.

    Raises:
        WiringError: if there is no section [oled] on lines of its own, or the text does not fit.
    """
    section = re.search(r"^\[oled\][^\n]*(?:\n|$)(?:(?!\[)[^\n]*(?:\n|$))*?(?=\[|\Z)", text, re.MULTILINE)
    if section is None:
        raise WiringError(t("there is no section [oled] whose rotate could be changed."))
    turned, found = re.subn(r"^(\s*rotate\s*=\s*)\d+", rf"\g<1>{rotate}", section[0], count=1, flags=re.MULTILINE)
    if not found:
        head, _, rest = section[0].partition("\n")
        turned = f"{head}\nrotate = {rotate}\n{rest}"
    changed = text[: section.start()] + turned + text[section.end() :]
    oled = parse(changed).oled
    if oled is None or oled.rotate != rotate:
        raise WiringError(t("the display's rotate could not be changed; change it in the file."))
    return changed


def read(path: Path) -> Wiring:
    """Read a wiring.toml; raise WiringError if it can't be read or does not fit."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WiringError(t("{file} can't be read: {error}", file=f"{path}", error=error)) from None
    return parse(text, str(path))


def load() -> Wiring:
    """Read the owner's wiring, else the default; raise WiringError if it is missing or does not fit."""
    try:
        text = data(FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WiringError(t("{file} can't be read: {error}", file=FILE, error=error)) from None
    return parse(text)


class Wire(msgspec.Struct, frozen=True):
    """One wire: from a part's `terminal` (as printed, "SDA") to a place on the header (0: the common ground)."""

    part: str
    terminal: str
    place: int
    there: str


def wires(wiring: Wiring) -> tuple[Wire, ...]:
    """Return every wire, part by part; grounds go to one common line."""
    parts = (_oled_wires, _button_wires, _knob_wires, _buzzer_wires, _led_wires, _ring_wires)
    return tuple(wire for part in parts for wire in part(wiring))


def _to_pin(part: str, terminal: str, pin: int) -> Wire:
    return Wire(part, terminal, HEADER[pin], f"GPIO {pin}")


def _to_power(part: str, terminal: str, place: int) -> Wire:
    return Wire(part, terminal, place, POWER[place])


def _to_ground(part: str, terminal: str = "GND") -> Wire:
    return Wire(part, terminal, 0, "ground")


def _oled_wires(wiring: Wiring) -> Iterator[Wire]:
    if not wiring.oled:
        return
    yield _to_power("OLED", "VCC", 1)
    if wiring.oled.bus == "i2c":
        yield _to_pin("OLED", "SDA", 2)
        yield _to_pin("OLED", "SCL", 3)
    else:
        yield _to_pin("OLED", "D1 (MOSI)", 10)
        yield _to_pin("OLED", "D0 (CLK)", 11)
        yield _to_pin("OLED", "CS", 8)
        for terminal, pin in (("DC", wiring.oled.dc), ("RES", wiring.oled.reset)):
            if pin is not None:
                yield _to_pin("OLED", terminal, pin)
    yield _to_ground("OLED")


def _button_wires(wiring: Wiring) -> Iterator[Wire]:
    for name in BUTTONS:
        pin = getattr(wiring.buttons, name)
        if pin is not None:
            yield _to_pin(f"button {name}", "one leg", pin)
            yield _to_ground(f"button {name}", "other leg")


def _knob_wires(wiring: Wiring) -> Iterator[Wire]:
    if wiring.knob:
        yield _to_power("knob", "+", 17)
        for terminal, pin in (("CLK (A)", wiring.knob.a), ("DT (B)", wiring.knob.b), ("SW", wiring.knob.press)):
            yield _to_pin("knob", terminal, pin)
        yield _to_ground("knob")


def _buzzer_wires(wiring: Wiring) -> Iterator[Wire]:
    if wiring.buzzer and wiring.sounds and wiring.buzzer.pin is not None:
        yield _to_pin("buzzer", "+", wiring.buzzer.pin)
        yield _to_ground("buzzer", "−")


def _led_wires(wiring: Wiring) -> Iterator[Wire]:
    leds = [(f"LED {role}", getattr(wiring.leds, role)) for role in ROLES]
    leds += [(f"LED seat {seat}", pin) for seat, pin in enumerate(wiring.leds.seats, 1)]
    for part, pin in leds:
        if pin is not None:
            yield _to_pin(part, "long leg, 330 Ω", pin)
            yield _to_ground(part, "short leg")


def _ring_wires(wiring: Wiring) -> Iterator[Wire]:
    if wiring.ring:
        yield _to_power("LED ring", "5 V", 4)
        yield _to_pin("LED ring", "DIN", 10)
        yield _to_ground("LED ring")


def table(wiring: Wiring) -> tuple[tuple[str, str, str], ...]:
    """Return every wire as (part and terminal, where it goes, place on the header), for people."""
    grounds = ", ".join(str(place) for place in GROUNDS[:-1]) + f" or {GROUNDS[-1]}"
    return tuple(
        (f"{wire.part}: {wire.terminal}", wire.there, str(wire.place) if wire.place else grounds)
        for wire in wires(wiring)
    )


def config_txt(wiring: Wiring) -> str:
    """Return the lines of /boot/firmware/config.txt for a wiring; a comment above each line says what it is for."""
    lines = ["# Companion's lines of /boot/firmware/config.txt; a comment above each line says what it is for.", ""]

    def add(setting: str, *words: str) -> None:
        lines.extend([*(f"# {line}" for line in words), setting])

    if wiring.oled and wiring.oled.bus == "i2c":
        add("dtparam=i2c_arm=on", "The I²C bus that the OLED hangs on (GPIO 2 and 3).")
        add(
            "dtparam=i2c_arm_baudrate=400000",
            "Four times the usual clock: a picture of 1,024 bytes takes 25 ms instead of 100.",
        )
    if wiring.ring or (wiring.oled and wiring.oled.bus == "spi"):
        whose = "the LED ring" if wiring.ring else "the OLED"
        add("dtparam=spi=on", f"The SPI bus that {whose} hangs on (GPIO 7 to 11).")
    if wiring.ring:
        add(
            "core_freq_min=500",
            "Pi 4: the SPI clock is made of this one. If it changed with the load, the ring would flicker.",
            "Other models ignore it.",
        )
    add("camera_auto_detect=1", "Finds an official camera (Camera Module 3, HQ) by itself.")
    add(
        "dtparam=strict_gpiod",
        "A pin that a program lets go, or that it held when it was killed, drives nothing any more.",
    )
    plan = wiring.plan()
    if plan.buttons:
        add(
            f"gpio={','.join(str(pin) for pin in sorted(plan.buttons.values()))}=ip,pu",
            'Pull-ups on the buttons from the moment of power-on, so that they read "not pressed" before the program'
            " runs.",
        )
    if "buzzer" in plan.outputs:
        add(
            f"gpio={plan.outputs['buzzer'][0]}=op,dl",
            "The buzzer's pin is an output and low from power-on: it stays silent while the Pi starts.",
        )
    return "\n".join(lines) + "\n"
