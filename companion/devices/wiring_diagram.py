"""Draws a wiring as SVG: the 40-pin header in the middle, the parts beside it, every wire in a colour of its own."""

from __future__ import annotations

import msgspec

from companion.devices import wiring_parts
from companion.devices.wiring import GROUNDS, HEADER, POWER, Wire, Wiring, wires
from companion.devices.wiring_parts import GROUND, INK, SOFT, Part, words

WIDE = 1180
MIDDLE = WIDE / 2
TOP = 118.0
PITCH = 26.0
PILL = 104.0
"""From the header's middle to the outer end of a pin's label."""
LANE = 11.0
PART = 210.0
EDGE = 54.0
"""From the border of the drawing to the parts; the line of all grounds runs in it."""
SIGNALS = ("#1d78c1", "#e8930c", "#2a9d55", "#8e44ad", "#00959c", "#c2185b", "#7a5230", "#5b6ee1", "#8f9500", "#d95f02")
POWERS = {"3.3 V": "#d62828", "5 V": "#b01030"}
BOARD, BOARD_LINE = "#2f6b4f", "#1f4c38"


class _Run(msgspec.Struct):
    """A wire on its way: its heights at the pin and at the part, whether it crosses the header, and its lane."""

    wire: Wire
    pin: float
    leg: float
    across: bool
    colour: str
    lane: int = 0


def _row(place: int) -> float:
    return TOP + (place - 1) // 2 * PITCH


def _left(place: int) -> bool:
    return place % 2 == 1


def draw(wiring: Wiring) -> str:
    """Return the drawing of a valid wiring (see `wiring.clashes`) as SVG."""
    every = wires(wiring)
    colours = _colours(every)
    sides = _sides(wiring, every)
    ground_at = _grounds(every, sides)
    drawn: list[str] = []
    low = TOP + 19 * PITCH + 70
    lanes: dict[bool, list[_Run]] = {}
    for left, parts in sides.items():
        low = max(low, _stack(parts))
        lanes[left] = _runs(parts, left, colours)
    low += 14
    for left, parts in sides.items():
        if parts:
            drawn += _side(parts, lanes[left], left)
            drawn += _ground(parts, left, ground_at[left], low)
    notes = wiring_parts.notes(wiring)
    high = low + 74 + 24 * len(notes)
    used = {wire.place: colours[wire.part, wire.terminal] for wire in every if wire.place}
    used |= {place: GROUND for left, place in ground_at.items() if sides[left]}
    texts = [words(EDGE, low + 62 + 24 * line, note, 15, INK, anchor="start") for line, note in enumerate(notes)]
    title = "How Companion's parts are wired to the Raspberry Pi"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high:.0f}" width="{WIDE}" '
            f'height="{high:.0f}" font-family="Helvetica, Arial, sans-serif" role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            f'<rect width="{WIDE}" height="{high:.0f}" fill="#ffffff"/>',
            *_board(low),
            *_header(used),
            *drawn,
            *texts,
            "</svg>",
            "",
        ]
    )


def _colours(every: tuple[Wire, ...]) -> dict[tuple[str, str], str]:
    """Return a colour for every wire: red for power, black for ground, the others each its own while they last."""
    found, count = {}, 0
    for wire in every:
        if wire.place in POWER:
            colour = POWERS[POWER[wire.place]]
        elif not wire.place:
            colour = GROUND
        else:
            colour = SIGNALS[count % len(SIGNALS)]
            count += 1
        found[wire.part, wire.terminal] = colour
    return found


def _sides(wiring: Wiring, every: tuple[Wire, ...]) -> dict[bool, list[Part]]:
    """Put each part on the side on which most of its pins are, the sides' parts in the order of their pins."""
    sides: dict[bool, list[Part]] = {True: [], False: []}
    for name in dict.fromkeys(wire.part for wire in every):
        legs = sorted((wire for wire in every if wire.part == name and wire.place), key=lambda wire: wire.place)
        lefts = sum(_left(wire.place) for wire in legs)
        sides[lefts * 2 > len(legs)].append(Part(name, tuple(legs), wiring_parts.looks(wiring, name)))
    for parts in sides.values():
        parts.sort(key=lambda part: sum(_row(wire.place) for wire in part.legs) / len(part.legs))
    return sides


def _grounds(every: tuple[Wire, ...], sides: dict[bool, list[Part]]) -> dict[bool, int]:
    """Choose the ground of the header for each side: the lowest, which is nearest to the common line."""
    return {left: max(place for place in GROUNDS if _left(place) == left) for left in sides}


def _stack(parts: list[Part]) -> float:
    """Place the parts one below the other, near to their pins; return the lowest edge.

    Legs lie between rows of the header and gaps between rows, so that no wire lies on another.
    """
    y = 36.0
    room = sum(part.high + 16 for part in parts)
    spare = max(0.0, TOP + 19 * PITCH + 60 - 36 - room)
    for part in parts:
        wish = sum(_row(wire.place) for wire in part.legs) / len(part.legs) - part.high / 2
        top = min(max(y, wish), y + spare)
        spare -= top - y
        steps = round((top + part.first - TOP) / (PITCH / 2))
        part.top = TOP + steps * PITCH / 2 + PITCH / 4 - part.first
        if part.top < y:
            part.top += PITCH / 2
        y = part.top + part.high + 16
    return y


def _runs(parts: list[Part], left: bool, colours: dict[tuple[str, str], str]) -> list[_Run]:
    """Find the way of each wire: out of its pin, along a lane of its own, into its part."""
    runs = []
    for part in parts:
        for index, wire in enumerate(part.legs):
            across = _left(wire.place) != left
            pin = _row(wire.place) + (PITCH / 2 if across else 0)
            runs.append(_Run(wire, pin, part.leg(index), across, colours[wire.part, wire.terminal]))
    # Of wires that go up, the upper one bends first, of those that go down the lower one: then they don't cross.
    taken: list[list[tuple[float, float]]] = []
    ups = sorted((run for run in runs if run.leg <= run.pin), key=lambda run: run.pin)
    downs = sorted((run for run in runs if run.leg > run.pin), key=lambda run: -run.pin)
    for group in (ups, downs):
        least = 0
        for run in group:
            span = min(run.pin, run.leg) - 6, max(run.pin, run.leg) + 6
            lane = least
            while lane < len(taken) and any(span[0] < high and low < span[1] for low, high in taken[lane]):
                lane += 1
            if lane == len(taken):
                taken.append([])
            taken[lane].append(span)
            run.lane, least = lane, lane + 1
    return runs


def _board(low: float) -> list[str]:
    high = TOP + 19 * PITCH
    x = MIDDLE - PILL - 6
    return [
        f'<rect x="{x}" y="30" width="{2 * PILL + 12}" height="{high + 26}" rx="14" fill="{BOARD}" '
        f'stroke="{BOARD_LINE}" stroke-width="3"/>',
        words(MIDDLE, 58, "Raspberry Pi", 20, "#ffffff", bold=True),
        words(MIDDLE, 80, "↑ the end with the SD card", 13, "#d9efe4"),
        words(MIDDLE, high + 42, "↓ the end with the USB sockets", 13, "#d9efe4"),
    ]


def _header(used: dict[int, str]) -> list[str]:
    """Draw the 40 pins with their numbers, and a label at each that is used."""
    gpio = {place: f"GPIO {pin}" for pin, place in HEADER.items()}
    made = [
        f'<rect x="{MIDDLE - 30}" y="{TOP - 17}" width="60" height="{19 * PITCH + 34}" rx="5" fill="#20262b"/>',
    ]
    for place in range(1, 41):
        x, y = MIDDLE + (-14 if _left(place) else 14), _row(place)
        name = gpio.get(place) or POWER.get(place) or ("GND" if place in GROUNDS else "reserved")
        colour = used.get(place)
        fill = colour or "#c9a94a"
        pin = f'<circle cx="{x}" cy="{y}" r="10" fill="{fill}" stroke="#f1e3b0" stroke-width="1.5"/>'
        if place == 1:
            # Pin 1 is square on the board, too.
            pin = f'<rect x="{x - 10}" y="{y - 10}" width="20" height="20" rx="2" fill="{fill}" stroke="#f1e3b0"/>'
        made += [pin, words(x, y + 4, str(place), 11, "#ffffff" if colour else "#3b3010", bold=bool(colour))]
        at = MIDDLE + (-PILL if _left(place) else 32)
        if colour:
            made.append(
                f'<rect x="{at}" y="{y - 9}" width="{PILL - 32}" height="18" rx="9" fill="#ffffff" stroke="{colour}" '
                'stroke-width="2.5"/>'
            )
            made.append(words(at + (PILL - 32) / 2, y + 4.5, name, 12.5, INK, bold=True))
        else:
            edge = MIDDLE + (-36 if _left(place) else 36)
            anchor = "end" if _left(place) else "start"
            made.append(words(edge, y + 4, name, 10.5, "#b8d6c8", anchor=anchor))
    return made


def _inner(left: bool) -> float:
    """Where the parts of a side end towards the header."""
    return EDGE + PART if left else WIDE - EDGE - PART


def _side(parts: list[Part], runs: list[_Run], left: bool) -> list[str]:
    made = []
    out = -1 if left else 1
    # Halos first: where two wires cross, the upper one then passes over the other like a bridge.
    for run in sorted(runs, key=lambda run: -run.lane):
        lane = MIDDLE + out * (PILL + 32 + run.lane * LANE)
        start = MIDDLE + out * PILL
        begin = f"M{start:g} {run.pin:g}"
        if run.across:
            begin = f"M{MIDDLE - out * 7:g} {run.pin - 6:g}L{MIDDLE - out:g} {run.pin:g}"
        path = f"{begin}{_rounded(lane, run.pin, run.leg, out)}H{_inner(left):g}"
        made.append(f'<path d="{path}" fill="none" stroke="#ffffff" stroke-width="7"/>')
        made.append(f'<path d="{path}" fill="none" stroke="{run.colour}" stroke-width="3.4" stroke-linecap="round"/>')
    for part in parts:
        x = EDGE if left else WIDE - EDGE - PART
        mine = {run.wire.terminal: run.colour for run in runs if run.wire.part == part.name}
        made.append(wiring_parts.draw(part, x, PART, left, mine))
    return made


def _rounded(lane: float, pin: float, leg: float, out: int) -> str:
    if abs(pin - leg) < 1:
        return f"H{lane:g}"
    down = 1 if leg > pin else -1
    r = min(7.0, abs(leg - pin) / 2)
    return (
        f"H{lane - out * r:g}Q{lane:g} {pin:g} {lane:g} {pin + down * r:g}"
        f"V{leg - down * r:g}Q{lane:g} {leg:g} {lane + out * r:g} {leg:g}"
    )


def _ground(parts: list[Part], left: bool, place: int, low: float) -> list[str]:
    """Draw the line of all grounds at the outer side, round the bottom, to a ground of the header."""
    out = -1 if left else 1
    rail = EDGE - 30 if left else WIDE - EDGE + 30
    edge = EDGE if left else WIDE - EDGE
    lane = MIDDLE + out * (PILL + 18)
    top = min(part.top + part.ground for part in parts)
    path = f"M{MIDDLE + out * PILL:g} {_row(place):g}H{lane:g}V{low:g}H{rail:g}V{top:g}"
    made = [
        f'<path d="{path}" fill="none" stroke="{GROUND}" stroke-width="3.4" stroke-linejoin="round"/>',
        words((rail + lane) / 2, low + 19, "all black wires together: ground", 13, SOFT),
    ]
    for part in parts:
        y = part.top + part.ground
        made.append(f'<path d="M{rail:g} {y:g}H{edge:g}" stroke="{GROUND}" stroke-width="3.4" fill="none"/>')
        made.append(f'<circle cx="{rail:g}" cy="{y:g}" r="4.5" fill="{GROUND}"/>')
    return made
