"""The five figures as large pictures of radius about 1, with the outlines and hatching of `press.figures`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from companion.kept import kept
from companion.press.drawing import Colour, Item, Line, Loop, Shape, circle, hatch, lean, lean_loop
from companion.press.figures import Tint, art, mix, tint
from companion.press.pictures import Mark, picture

NAMES = ("star", "moon", "leaf", "key", "shell")
"""The figures, in the order in which collection cards name them."""


@dataclass(frozen=True)
class Grain:
    """How coarse a figure is drawn: what is small on the card has fewer and thicker lines. All in radii."""

    gap: float
    """Distance of two hatching lines."""
    hair: float
    """Width of a hatching line."""
    edge: float
    """Width of the outline; the lines within grow with it."""
    off: float
    """How far a curve may be off."""


LARGE = Grain(0.118, 0.036, 0.052, 0.0035)
SMALL = Grain(0.205, 0.062, 0.1, 0.011)


@dataclass(frozen=True)
class _Parts:
    """A figure's file: its surface with the edges (of holes, too), its parts in the shade, the lines on it."""

    surface: Loop
    edges: tuple[Loop, ...]
    shade: tuple[Loop, ...]
    lines: tuple[Line, ...]


@kept()
def _parts(name: str) -> _Parts:
    """Return the parts of a figure: its file has the surface first, drawn with its edge."""
    surface, *rest = picture("five-cards-collector", f"figures/{name}").items
    edges = [item for item in takewhile(lambda item: isinstance(item, Line), rest) if isinstance(item, Line)]
    edges = [line for line in edges if line.points[0] == line.points[-1]]
    others = rest[len(edges) :]
    shade = tuple(loop for item in others if isinstance(item, Shape) for loop in item.loops)
    lines = tuple(item for item in others if isinstance(item, Line))
    loops = surface.loops if isinstance(surface, Shape) else ()
    return _Parts(loops[0], tuple(line.points[:-1] for line in edges), shade, lines)


def figure(name: str, tone: Tint, grain: Grain = LARGE) -> list[Item]:
    """Draw a figure by its name with a white seam round it; for an unknown name what the press draws for it."""
    return list(_figure(name, tone, grain))


@kept()
def _figure(name: str, tone: Tint, grain: Grain) -> tuple[Item, ...]:
    if name not in NAMES:
        return tuple(art(name, tone))
    parts = _parts(name)
    items: list[Item] = [Line((*edge, edge[0]), grain.edge + 0.13, "#ffffff") for edge in parts.edges]
    items.append(Shape((parts.surface,), tone.main))
    if parts.shade:
        items.append(Shape(parts.shade, mix(tone.main, tone.dark, 0.42)))
    if tone.angle is not None:
        soft = mix(tone.main, "#ffffff", 0.44)
        items += [Line(part, grain.hair, soft) for part in hatch(parts.surface, tone.angle, grain.gap)]
    items += _lines(parts, tone.dark, grain)
    items += [Line((*edge, edge[0]), grain.edge, tone.dark) for edge in parts.edges]
    return tuple(lean(items, grain.off))


def _lines(parts: _Parts, colour: Colour, grain: Grain) -> list[Line]:
    return [Line(line.points, line.width * grain.edge / LARGE.edge, colour) for line in parts.lines]


def marked(mark: Mark, grain: Grain) -> list[Item]:
    """Draw the symbol that a mark of a picture names, "red-star"."""
    colour, _, name = mark.name.partition("-")
    return figure(name, tint(colour), grain)


@kept()
def outline(name: str) -> Loop:
    """Return the outline of a figure; a circle for an unknown one."""
    return lean_loop(_parts(name).surface, LARGE.off) if name in NAMES else circle(0, 0, 1)


@kept()
def etched(name: str, main: Colour, line: Colour) -> tuple[Item, ...]:
    """Draw a figure in one colour, with its lines upon it, as on metal."""
    if name not in NAMES:
        return (Shape((outline(name),), main),)
    parts = _parts(name)
    return tuple(lean([Shape((parts.surface,), main), *_lines(parts, line, SMALL)], SMALL.off))
