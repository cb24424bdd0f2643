"""Motifs: figures and things of cut paper, each a picture, and the dark edge round what is cut.

A motif stands on y = 0 round x = 0 and looks to the right; its units are free: it is fitted into a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.kept import kept
from companion.press.drawing import Colour, Item, Line, Shape, bounds, lean_loop, within
from companion.press.pictures import picture

INK, BONE, WHITE = "#241d30", "#f6ecd2", "#fffdf7"
GILT, GOLD, BRASS = "#d9a336", "#f3c63f", "#8a6117"

GROUND, COARSE = 1 / 620, 1 / 240
"""How far curves of a scene's ground and of its parts may be off, as a share of their size."""


@dataclass(frozen=True)
class Head:
    """Where a hat sits: the middle of its brim, the width of the head there, and its tilt (degrees)."""

    x: float
    y: float
    w: float
    tilt: float = 0.0


@dataclass(frozen=True)
class Motif:
    """A figure or thing. `heads` are the places for hats, the best first; without one a hat lies on top."""

    items: tuple[Item, ...]
    heads: tuple[Head, ...] = ()

    @property
    def head(self) -> Head:
        if self.heads:
            return self.heads[0]
        left, top, right, _ = bounds(self.items)
        return Head((left + right) / 2, top + 0.3, (right - left) * 0.5)

    def mirrored(self) -> Motif:
        heads = tuple(replace(head, x=-head.x, tilt=-head.tilt) for head in self.heads)
        return Motif(tuple(flipped(self.items)), heads)


@kept()
def motif(name: str) -> Motif:
    """Return a motif by the name of its picture ("motifs/fox"); its marks are the places for hats."""
    found = picture("collectible", name, COARSE)
    return Motif(found.items, tuple(Head(mark.x, mark.y, 2 * mark.r, mark.turn) for mark in found.marks))


def flipped(items: Iterable[Item]) -> list[Item]:
    """Return shapes and lines mirrored left to right."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            out.append(Shape(tuple(tuple((-x, y) for x, y in loop) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            out.append(Line(tuple((-x, y) for x, y in item.points), item.width, item.colour))
    return out


def halo(items: Sequence[Item], colour: Colour, width: float) -> list[Item]:
    """Draw the cut edge round a motif: a stroke `width` wide below all large shapes that may show outside."""
    loops = [loop for item in items if isinstance(item, Shape) for loop in item.loops]
    spans = [bounds([Shape((loop,), INK)]) for loop in loops]
    edge: list[Item] = []
    for i, (loop, (x0, y0, x1, y1)) in enumerate(zip(loops, spans, strict=True)):
        if max(x1 - x0, y1 - y0) < 1.6:
            continue
        around = (
            other
            for j, (other, (a0, b0, a1, b1)) in enumerate(zip(loops, spans, strict=True))
            if i != j and a0 < x0 and b0 < y0 and a1 > x1 and b1 > y1
        )
        if not any(all(within(point, other) for point in loop[::2]) for other in around):
            thin = lean_loop(loop, 0.26 * width)
            edge.append(Line((*thin, thin[0]), 2 * width, colour))
    for item in items:
        # a closed line is another motif's edge already
        if isinstance(item, Line) and item.width > 0.25 and item.points[0] != item.points[-1]:
            edge.append(Line(item.points, item.width + 2 * width, colour))
    return edge
