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

CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "triangle": ((0, -1.05), (1.1, 0.85), (-1.1, 0.85)),
    "diamond": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "hexagon": ((-0.5, -0.9), (0.5, -0.9), (1, 0), (0.5, 0.9), (-0.5, 0.9), (-1, 0)),
    "shield": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.2), (0, 1.05), (-0.9, 0.2)),
    "octagon": ((-0.4, -1), (0.4, -1), (1, -0.4), (1, 0.4), (0.4, 1), (-0.4, 1), (-1, 0.4), (-1, -0.4)),
}
"""A badge's corners, in halves of its width from its middle; a circle and an arch are round."""


def worn(chosen: Mapping[Seat, str], seats: int) -> dict[Seat, str]:
    """Return every seat a colour: the one it chose, else its own by number, else, if another chose that, a free one.

    So a seat's colour changes only if another chooses just that.
    """
    names = list(COLOURS)
    own = {seat: names[(seat - 1) % len(names)] for seat in range(1, seats + 1)}
    given = {
        seat: chosen.get(seat) or (colour if colour not in chosen.values() else "") for seat, colour in own.items()
    }
    free = [colour for colour in names if colour not in given.values()]
    return {seat: colour or (free.pop(0) if free else own[seat]) for seat, colour in given.items()}
