"""The colours of seats: told apart by colour-blind people too, and each with a shape, so that colour is never alone."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.kernel import Seat

COLOURS: dict[str, str] = {
    "blue": "circle",
    "orange": "square",
    "green": "triangle",
    "pink": "diamond",
    "sky": "hexagon",
    "red": "shield",
    "yellow": "octagon",
    "grey": "arch",
}
"""Every colour with the shape of its badge (the colours after Okabe and Ito), in the order in which seats get them."""


def worn(chosen: Mapping[Seat, str], seats: int) -> dict[Seat, str]:
    """Give every seat a colour: the one it chose, else the next that nobody chose."""
    free = [colour for colour in COLOURS if colour not in chosen.values()]
    everybody = list(COLOURS)
    return {
        seat: chosen.get(seat) or (free.pop(0) if free else everybody[(seat - 1) % len(everybody)])
        for seat in range(1, seats + 1)
    }
