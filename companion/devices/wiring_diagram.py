"""Fills in the drawing of the parts: which pin each leg goes to, and the wires, each in a colour and a lane of its own.

Parts, header and notes are drawn in `firmware_config/wiring.svg`, to be changed in an editor; its <desc> says how what
is filled in finds its place. Legs stand between two rows of pins and two gaps between rows, so that no wire ever lies
on another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec

from companion.devices.wiring import POWER, Wire, Wiring, WiringError, wires
from companion.files import data
from companion.text import t

DRAWING = "firmware_config/wiring.svg"
SVG = "http://www.w3.org/2000/svg"
PILL = 90.0
"""From a pin's middle to the outer end of its label."""
LANE = 11.0
SIGNALS = ("#1d78c1", "#e8930c", "#2a9d55", "#8e44ad", "#00959c", "#c2185b", "#7a5230", "#5b6ee1", "#8f9500", "#d95f02")
POWERS = {"3.3 V": "#d62828", "5 V": "#b01030"}
_MOVES = re.compile(r"translate\(\s*([-\d.e]+)(?:[\s,]+([-\d.e]+))?\s*\)")

Element = ElementTree.Element
Spot = tuple[float, float]


class _Run(msgspec.Struct):
    """A wire on its way: from the pin to the leg, whether it crosses the header, and its lane."""

    wire: Wire
    pin: Spot
    leg: Spot
    colour: str
    lane: int = 0

    @property
    def out(self) -> int:
        """The side of its part: -1 left of the header, 1 right of it."""
        return -1 if self.leg[0] < self.pin[0] else 1

    @property
    def across(self) -> bool:
        """Whether its pin is on the header's other side."""
        return (self.wire.place % 2 == 0) != (self.out == 1)

    @property
    def high(self) -> float:
        """The height at which it leaves the header: its pin's, or that of the gap below."""
        return self.pin[1] + (13.0 if self.across else 0.0)


def draw(wiring: Wiring) -> str:
    """Return the drawing of a valid wiring (see `wiring.clashes`) as SVG.

    Raises:
        WiringError: if the drawing to be filled in is no SVG, or lacks a part or a pin.
    """
    ElementTree.register_namespace("", SVG)
    try:
        root = ElementTree.fromstring(data(DRAWING).read_bytes())  # noqa: S314 - the owner's file, or ours
    except ElementTree.ParseError as error:
        raise WiringError(t("{file} is no SVG: {reason}.", file=DRAWING, reason=str(error))) from None
    every = wires(wiring)
    parts = {wire.part for wire in every}
    says = _says(wiring)
    _keep(root, "data-part", parts)
    _keep(root, "data-wire", {f"{wire.part}: {wire.terminal}" for wire in every})
    kinds = {part if part == "LED ring" else part.partition(" ")[0] for part in parts}
    lines = [note.get("y", "0") for note in _notes(root)]
    _keep(root, "data-note", {"", *kinds, f"buzzer {says['buzzer']}" if "buzzer" in kinds else ""})
    for note, y in zip(_notes(root), lines, strict=False):
        note.set("y", y)
    runs = [_run(root, wire, colour) for wire, colour in _coloured(every)]
    for left in (-1, 1):
        _spread([run for run in runs if run.out == left])
    for element in root.iter():
        if (told := element.get("data-says")) in says:
            element.text = says[told]
    group = _found(root, "id", "wires")
    # Halos first: where two wires cross, the upper one then passes over the other like a bridge.
    for run in sorted(runs, key=lambda run: -run.lane):
        for kind in ("halo", "wire"):
            look = {"class": kind, "style": f"color:{run.colour}", "d": _way(run)}
            ElementTree.SubElement(group, f"{{{SVG}}}path", look)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _says(wiring: Wiring) -> dict[str, str]:
    """Return what is written into the parts."""
    oled, ring, buzzer = wiring.oled, wiring.ring, wiring.buzzer
    return {
        "OLED": f"{oled.type.upper()}, {'I²C' if oled.bus == 'i2c' else 'SPI'}" if oled else "",
        "LED ring": f"WS2812, {ring.leds} LEDs" if ring else "",
        "buzzer": buzzer.kind if buzzer else "",
    }


def _keep(root: Element, key: str, names: set[str]) -> None:
    """Leave out what has a name that is not among these."""
    for parent in list(root.iter()):
        for child in list(parent):
            if key in child.keys() and child.get(key) not in names:  # noqa: SIM118 - an element is no mapping
                parent.remove(child)


def _notes(root: Element) -> list[Element]:
    """Return the notes that are there, which stand below each other."""
    return [one for one in root.iter() if one.get("data-note") is not None]


def _found(root: Element, key: str, name: str) -> Element:
    for element in root.iter():
        if element.get(key) == name:
            return element
    raise WiringError(t('{file} has no {key}="{name}": put it back.', file=DRAWING, key=key, name=name))


def _coloured(every: tuple[Wire, ...]) -> Iterator[tuple[Wire, str]]:
    """Yield every wire but grounds with a colour: red for power, the others each its own while they last."""
    count = 0
    for wire in every:
        if wire.place in POWER:
            yield wire, POWERS[POWER[wire.place]]
        elif wire.place:
            yield wire, SIGNALS[count % len(SIGNALS)]
            count += 1


def _run(root: Element, wire: Wire, colour: str) -> _Run:
    """Put a wire's pin and leg into its colour, and say at the leg where it goes."""
    pin = _found(root, "data-pin", str(wire.place))
    pin.set("class", "used")
    leg = _found(root, "data-wire", f"{wire.part}: {wire.terminal}")
    for element in (pin, leg):
        element.set("style", f"color:{colour}")
    for text in leg.iterfind(f"{{{SVG}}}text[@class='goes']"):
        text.text = f"{wire.there} ({wire.place})"
    return _Run(wire, _spot(root, pin), _spot(root, leg), colour)


def _spot(root: Element, named: Element) -> Spot:
    """Return the middle of the first circle or square in what is named, where editors may have moved it to."""
    above = {child: parent for parent in root.iter() for child in parent}
    mark = next((one for one in named.iter() if one.get("cx") or one.get("width")), named)
    x, y, wide, high = (float(mark.get(key, 0)) for key in ("x", "y", "width", "height"))
    x, y = float(mark.get("cx", x + wide / 2)), float(mark.get("cy", y + high / 2))
    one: Element | None = mark
    while one is not None:
        for dx, dy in _MOVES.findall(one.get("transform", "")):
            x, y = x + float(dx), y + float(dy or 0)
        one = above.get(one)
    return x, y


def _spread(runs: list[_Run]) -> None:
    """Assign to each wire of a side a lane in which it goes up or down beside no other."""
    # Of wires that go up, the upper one bends first, of those that go down the lower one: then they don't cross.
    taken: list[list[Spot]] = []
    ups = sorted((run for run in runs if run.leg[1] <= run.high), key=lambda run: run.high)
    downs = sorted((run for run in runs if run.leg[1] > run.high), key=lambda run: -run.high)
    for group in (ups, downs):
        least = 0
        for run in group:
            span = min(run.high, run.leg[1]) - 6, max(run.high, run.leg[1]) + 6
            lane = least
            while lane < len(taken) and any(span[0] < high and low < span[1] for low, high in taken[lane]):
                lane += 1
            if lane == len(taken):
                taken.append([])
            taken[lane].append(span)
            run.lane, least = lane, lane + 1


def _way(run: _Run) -> str:
    """Return the path out of a pin, along its lane up or down with round corners, and to the leg."""
    (x, y), (end, leg), out, pin = run.pin, run.leg, run.out, run.high
    begin = f"M{x:g} {y + 7:g}L{x + out * 6:g} {pin:g}" if run.across else f"M{x + out * PILL:g} {pin:g}"
    lane = x + out * (PILL + (28 if run.across else 0) + 32 + run.lane * LANE)
    if abs(pin - leg) < 1:
        return f"{begin}H{end:g}"
    down = 1 if leg > pin else -1
    r = min(7.0, abs(leg - pin) / 2)
    return (
        f"{begin}H{lane - out * r:g}Q{lane:g} {pin:g} {lane:g} {pin + down * r:g}"
        f"V{leg - down * r:g}Q{lane:g} {leg:g} {lane + out * r:g} {leg:g}H{end:g}"
    )
