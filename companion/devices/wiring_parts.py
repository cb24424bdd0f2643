"""The parts of the wiring diagram: the look of each, and the notes about it."""

from __future__ import annotations

import math
from html import escape

import msgspec

from companion.devices.ring import SHADES
from companion.devices.wiring import Wire, Wiring

INK, SOFT, GROUND = "#22302c", "#5d6b66", "#1b1b1b"
LEG = 26.0


class Part(msgspec.Struct):
    """A part of the diagram: its legs (but ground) and how it looks; `top` is where it is drawn."""

    name: str
    legs: tuple[Wire, ...]
    look: str
    top: float = 0.0

    @property
    def first(self) -> float:
        """Distance of its first leg below its top."""
        return 30.0 if len(self.legs) > 1 else self.high / 2

    @property
    def high(self) -> float:
        """Height of the part."""
        least = {"oled": 118.0, "knob": 124.0, "ring": 140.0}.get(self.look.partition(" ")[0], 54.0)
        return max(least, 30.0 + len(self.legs) * LEG) if len(self.legs) > 1 else least

    @property
    def ground(self) -> float:
        """Distance of its ground below its top."""
        return self.high / 2 if len(self.legs) == 1 else self.high - 14

    def leg(self, index: int) -> float:
        """Return the place of a leg in the drawing."""
        return self.top + self.first + index * LEG


def looks(wiring: Wiring, name: str) -> str:
    """Return the look of a part: its kind, and what tells it from others of its kind."""
    if name == "OLED" and wiring.oled:
        return f"oled {wiring.oled.type.upper()}, {'I²C' if wiring.oled.bus == 'i2c' else 'SPI'}"
    if name == "LED ring" and wiring.ring:
        return f"ring {wiring.ring.leds}"
    if name == "buzzer" and wiring.buzzer:
        return f"buzzer {wiring.buzzer.kind}"
    kind, _, rest = name.partition(" ")
    return f"{kind.lower()} {rest}".strip()


def words(
    x: float, y: float, text: str, size: float, colour: str, *, bold: bool = False, anchor: str = "middle"
) -> str:
    """Write a line."""
    heavy = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{heavy}>'
        f"{escape(text, quote=False)}</text>"
    )


def draw(part: Part, x: float, wide: float, left: bool, colours: dict[str, str]) -> str:
    """Draw a part with its legs; `x` is its left edge, `left` whether it stands left of the header."""
    made = [
        f'<rect x="{x:g}" y="{part.top:g}" width="{wide:g}" height="{part.high:g}" rx="9" fill="#f4f7f5" '
        'stroke="#b9c6c0" stroke-width="1.5"/>'
    ]
    inner = x + wide if left else x
    inwards = -1 if left else 1
    for index, wire in enumerate(part.legs):
        y = part.leg(index)
        made.append(f'<circle cx="{inner:g}" cy="{y:g}" r="6" fill="{colours[wire.terminal]}" stroke="#ffffff"/>')
        if len(part.legs) > 1:
            anchor = "end" if left else "start"
            made.append(words(inner + inwards * 12, y + 4.5, wire.terminal, 13, INK, bold=True, anchor=anchor))
    outer = x if left else x + wide
    made.append(f'<circle cx="{outer:g}" cy="{part.top + part.ground:g}" r="6" fill="{GROUND}" stroke="#ffffff"/>')
    kind, _, more = part.look.partition(" ")
    if len(part.legs) > 1:
        made.append(words(x + wide / 2, part.top + 19, _TITLES[kind], 15, INK, bold=True))
        made.append(
            words(
                outer - inwards * 11,
                part.top + part.ground + 4.5,
                "GND",
                13,
                INK,
                bold=True,
                anchor="start" if left else "end",
            )
        )
        # The picture stands where no leg's name does.
        middle = x + wide * (0.4 if left else 0.6)
        if kind != "knob":
            made.append(
                words(x + wide / 2, part.top + 35, more if kind == "oled" else f"WS2812, {more} LEDs", 11.5, SOFT)
            )
        made.append(_PICTURES[kind](middle, part.top + part.high / 2 + (9 if kind == "oled" else 16), more))
    else:
        made.append(_small(part, kind, more, x, wide, left))
    return "\n".join(made)


def _small(part: Part, kind: str, more: str, x: float, wide: float, left: bool) -> str:
    """Draw a part of two legs: its wire runs through it from the header's side to the ground's."""
    y = part.top + part.high / 2
    at = x + wide * (0.19 if left else 0.81)
    made = [f'<path d="M{x:g} {y:g}H{x + wide:g}" stroke="#8b9892" stroke-width="2.5"/>']
    if kind == "led":
        made.append(_resistor(x + wide * (0.82 if left else 0.18), y))
    made.append(_PICTURES[kind](at, y, more))
    name = {"led": f"LED {more}", "button": f"button “{more}”", "buzzer": "buzzer"}[kind]
    note = {"led": "330 Ω", "button": "", "buzzer": more}[kind]
    text = x + wide * (0.62 if left else 0.38)
    made.append(words(text, y - 13, name, 14, INK, bold=True))
    resistor = x + wide * (0.82 if left else 0.18)
    if note:
        made.append(words(resistor if kind == "led" else text, y + 22, note, 12, SOFT))
    if kind != "button":
        # Which leg is which matters here.
        leg, far = ("long leg", 46) if kind == "led" else ("+", 28)
        made.append(words(at + (far if left else -far), y + 19, leg, 12, SOFT))
    return "\n".join(made)


_TITLES = {"oled": "OLED", "knob": "Knob", "ring": "LED ring"}


def _oled(x: float, y: float, more: str) -> str:
    return (
        f'<rect x="{x - 50:g}" y="{y - 27:g}" width="100" height="50" rx="4" fill="#12324f"/>'
        f'<rect x="{x - 45:g}" y="{y - 20:g}" width="90" height="36" rx="2" fill="#04080c"/>'
        + words(x, y + 1, "Ada", 18, "#bfe9ff", bold=True)
        + words(x, y + 12, "draws a card", 8.5, "#bfe9ff")
    )


def _button(x: float, y: float, more: str) -> str:
    return (
        f'<rect x="{x - 17:g}" y="{y - 17:g}" width="34" height="34" rx="4" fill="#3a4246"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="#e9eeec" stroke="#14181a" stroke-width="2"/>'
    )


def _buzzer(x: float, y: float, more: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="19" fill="#20262b"/><circle cx="{x:g}" cy="{y:g}" r="5" fill="#6d777c"/>'


def _led(x: float, y: float, more: str) -> str:
    role, _, seat = more.partition(" ")
    colour = {"turn": "#2fbf5b", "attention": "#ff3b30"}.get(role) or _shade(int(seat))
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="15" fill="{colour}" stroke="#41504a" stroke-width="1.5"/>'
        f'<circle cx="{x - 5:g}" cy="{y - 5:g}" r="4" fill="#ffffff" opacity="0.7"/>'
    )


def _shade(seat: int) -> str:
    red, green, blue = tuple(SHADES.values())[seat - 1]
    return f"#{red:02x}{green:02x}{blue:02x}"


def _resistor(x: float, y: float) -> str:
    """Draw a resistor of 330 Ω with its rings: orange, orange, brown, gold."""
    rings = "".join(
        f'<rect x="{x - 13 + index * 7:g}" y="{y - 7:g}" width="3.4" height="14" fill="{colour}"/>'
        for index, colour in enumerate(("#f08a00", "#f08a00", "#6b4423", "#c9a227"))
    )
    return f'<rect x="{x - 18:g}" y="{y - 7:g}" width="36" height="14" rx="6" fill="#ead9b5" stroke="#b39c68"/>{rings}'


def _knob(x: float, y: float, more: str) -> str:
    grip = "".join(
        f'<path d="M{x + 22 * math.cos(a):.1f} {y + 22 * math.sin(a):.1f}L{x + 27 * math.cos(a):.1f} '
        f'{y + 27 * math.sin(a):.1f}" stroke="#8a9499" stroke-width="3"/>'
        for a in (math.tau * n / 16 for n in range(16))
    )
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="28" fill="#3a4246"/>{grip}<circle cx="{x:g}" cy="{y:g}" r="20" '
        f'fill="#59646a"/><path d="M{x:g} {y - 6:g}V{y - 18:g}" stroke="#ffffff" stroke-width="3.5"/>'
    )


def _ring(x: float, y: float, more: str) -> str:
    count = min(int(more), 24)
    dots = []
    for n in range(count):
        a = math.tau * n / count - math.pi / 2
        dots.append(
            f'<rect x="{x + 28 * math.cos(a) - 3.5:.1f}" y="{y + 28 * math.sin(a) - 3.5:.1f}" width="7" height="7" '
            f'rx="1.5" fill="{_shade(n * 4 // count + 1)}"/>'
        )
    return f'<circle cx="{x:g}" cy="{y:g}" r="28" fill="none" stroke="#20262b" stroke-width="15"/>{"".join(dots)}'


_PICTURES = {"oled": _oled, "button": _button, "buzzer": _buzzer, "led": _led, "knob": _knob, "ring": _ring}


def notes(wiring: Wiring) -> tuple[str, ...]:
    """Return the notes under the drawing, a line each."""
    found = ["Wire with the power off. In the circles: places on the header; GPIO numbers are what wiring.toml says."]
    if wiring.oled:
        found.append("OLED: 3.3 V, never 5 V. Its legs may stand in another order: go by the names printed on it.")
    if any(what.startswith("button") for what, _ in wiring.pins()):
        found.append("Buttons: no resistors. Of a button with four legs, take two that lie diagonally.")
    if any(what.startswith("LED") for what, _ in wiring.pins()):
        found.append("LEDs: each with its own resistor of 330 Ω (orange, orange, brown), the short leg to ground.")
    if wiring.sounds and wiring.buzzer:
        passive = wiring.buzzer.kind == "passive"
        found.append(
            "Buzzer: a passive one, with 100 Ω in the line to +."
            if passive
            else "Buzzer: an active one for 3 V that needs less than 16 mA; more needs a transistor."
        )
    if wiring.knob:
        found.append("Knob: + to 3.3 V, never 5 V. A bare one without a board has no +; its middle leg is ground.")
    if wiring.ring:
        found.append(
            "LED ring: a 1N4001 diode in its 5 V line (stripe towards the ring), so that it understands 3.3 V; "
            "470 Ω in the line to DIN."
        )
    return tuple(found)
