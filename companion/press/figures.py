"""Figures and icons as shapes of radius about 1 round the origin, and the colours they come in."""

from __future__ import annotations

from dataclasses import dataclass

from companion.press.drawing import Colour, Drawing, Item, Line, Shape, hatch, moved
from companion.press.pictures import drawn


@dataclass(frozen=True)
class Tint:
    """One colour of a game: for figures, lines and words on white, panels, and its hatching (degrees; None: none)."""

    main: Colour
    dark: Colour
    pale: Colour
    angle: float | None = None


TINTS: dict[str, Tint] = {
    "red": Tint("#d23c3c", "#9c2226", "#fbeeec", 90.0),
    "blue": Tint("#2f76c4", "#1d4f8c", "#ebf2fa", 0.0),
    "green": Tint("#2b9360", "#1a6642", "#eaf5ef", 45.0),
    "yellow": Tint("#efb61a", "#86620a", "#fdf6e0", None),
    "violet": Tint("#8554b8", "#5a3487", "#f3edf9", 135.0),
    "orange": Tint("#e07b28", "#96490f", "#fcf1e7", 20.0),
    "black": Tint("#3d454a", "#23292c", "#eff1f2", 70.0),
}
PLAIN = Tint("#5b7a8c", "#33505f", "#eef3f5")
"""For everything that has no colour by the rules."""


def tint(name: str | None) -> Tint:
    """Return a colour by the word that the deck uses."""
    return TINTS.get(name or "", PLAIN)


def mix(colour: Colour, other: Colour, part: float) -> Colour:
    """Return a blend of two colours, with `part` of the second."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


FIGURES = ("star", "moon", "leaf", "key", "shell")
ICONS = (
    *("draw-three", "draw-from-hand", "view-hand", "retrieve"),
    *("take-over", "pile-swap", "change-direction", "information"),
)


def art(name: str | None, tone: Tint) -> list[Item]:
    """Draw the figure or icon of that name, hatched in its colour's tint `main`; a fan of cards for an undrawn one."""
    known = name if name in (*FIGURES, *ICONS) else "cards"
    light = mix(tone.main, "#ffffff", 0.6)
    items = drawn("standard", f"signs/{known}", main=tone.main, dark=tone.dark, pale=tone.pale, light=light)
    if known not in FIGURES or tone.angle is None:
        return items
    at = next(n for n, item in enumerate(items) if isinstance(item, Shape))
    surface = items[at]
    assert isinstance(surface, Shape)  # noqa: S101 (so it was chosen)
    soft = mix(tone.main, "#ffffff", 0.26)
    lines = [Line(part, 0.035, soft) for part in hatch(surface.loops[0], tone.angle, 0.135)]
    return [*items[: at + 1], *lines, *items[at + 1 :]]


def put(drawing: Drawing, items: list[Item], x: float, y: float, r: float, rotation: float = 0.0) -> None:
    """Put art of radius `r` mm on a drawing, its middle at (x, y)."""
    drawing.add(moved(items, x, y, scale=r, rotation=rotation))
