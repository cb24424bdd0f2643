"""The colours of seats: told apart by colour-blind people too, and each with a shape, so that colour is never alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
"""Every colour (Okabe and Ito's, except the red) with its badge's shape, in the order in which seats get them."""

SHAPES = {**COLOURS, "violet": "diamond", "black": "arch"}
"""Every colour that a badge can have: also those that only a game's pieces give, never beside their shape's other."""

CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "triangle": ((0, -1.05), (1.1, 0.85), (-1.1, 0.85)),
    "diamond": ((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0)),
    "hexagon": ((-0.5, -0.9), (0.5, -0.9), (1, 0), (0.5, 0.9), (-0.5, 0.9), (-1, 0)),
    "shield": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.2), (0, 1.05), (-0.9, 0.2)),
    "octagon": ((-0.4, -1), (0.4, -1), (1, -0.4), (1, 0.4), (0.4, 1), (-0.4, 1), (-1, 0.4), (-1, -0.4)),
}
"""A badge's corners, in halves of its width from its middle; a circle and an arch are round."""


def worn(chosen: Mapping[Seat, str], seats: int, pieces: Mapping[Seat, str] | None = None) -> dict[Seat, str]:
    """Return every seat's colour: the one it chose, else that of its `pieces`, its number's, or a free one.

    No two seats have the same shape; a colour changes only if pieces are given out or another seat takes it.
    """
    names = list(COLOURS)
    given = {seat: chosen.get(seat, "") for seat in range(1, seats + 1)}
    own = {seat: names[(seat - 1) % len(names)] for seat in given}
    for offered in (pieces or {}, own):
        for seat in given:
            colour = offered.get(seat, "")
            if not given[seat] and colour in SHAPES and SHAPES[colour] not in _shapes(given.values()):
                given[seat] = colour
    free = [colour for colour in names if COLOURS[colour] not in _shapes(given.values())]
    return {seat: colour or (free.pop(0) if free else own[seat]) for seat, colour in given.items()}


def _shapes(colours: Iterable[str]) -> set[str]:
    return {SHAPES[colour] for colour in colours if colour in SHAPES}
