"""Which picture shows a card's item, by the words of its title (`card_codes/collectors/art/finds.toml`)."""

from __future__ import annotations

import itertools
import re
import tomllib
from dataclasses import dataclass
from functools import cache

from companion.files import data
from companion.games.collectors.art.pen import INK, INSIDE, OUTSIDE
from companion.kept import kept
from companion.press.drawing import Item, Line, Shape, bounds, moved
from companion.press.pictures import drawn

FIGURES = "figures"
"""The category whose first find stands for a category that nobody has drawn yet."""


@dataclass(frozen=True)
class Find:
    """A picture and what it fills: its middle, its foot, its width and its height, in units."""

    items: tuple[Item, ...]
    middle: float
    foot: float
    wide: float
    high: float

    def fitted(self, x: float, foot: float, wide: float, high: float) -> list[Item]:
        scale = min(wide / self.wide, high / self.high)
        return moved(self.items, x - scale * self.middle, foot - scale * self.foot, scale=scale)


@cache
def shelves() -> dict[str, dict[str, list[frozenset[str]]]]:
    """Return the finds of each category, each with the words of a title that ask for it."""
    told = tomllib.loads(data("card_codes/collectors/art/finds.toml").read_text(encoding="utf-8"))
    return {
        category: {name: [frozenset(key.lower().split()) for key in keys] for name, keys in finds.items()}
        for category, finds in told.items()
    }


def chosen(title: str, category: str) -> str:
    """Name the picture for a title: of its own category before others, with as many words in common as possible."""
    words = set(re.findall(r"[\w'-]+", title.lower()))
    fits = [
        (shelf == category, len(key), f"{shelf}/{name}")
        for shelf, finds in shelves().items()
        for name, keys in finds.items()
        for key in keys
        if key <= words
    ]
    if fits:
        return max(fits, key=lambda fit: fit[:2])[2]
    home = category if category in shelves() else FIGURES
    return f"{home}/{next(iter(shelves()[home]))}"


@kept()
def find(title: str, category: str) -> Find:
    """Return the picture of an item."""
    return measured(chosen(title, category))


@kept()
def measured(name: str) -> Find:
    """Return a picture with its size, within the bold ink that is drawn round every find."""
    parts = drawn("collectors", name)
    items = [*outside(parts), *parts]
    left, top, right, bottom = bounds(items)
    return Find(tuple(items), (left + right) / 2, bottom, right - left, bottom - top)


def outside(parts: list[Item]) -> list[Line]:
    """Return the bold outline of a find; lines of one width and ink make one path of a PDF."""
    lines = []
    for below, above in itertools.pairwise(parts):
        if not isinstance(above, Line):
            continue
        if isinstance(below, Shape):
            loop = below.loops[0]
            if above.colour == INK and above.points == (*loop, loop[0]):
                lines.append(Line(above.points, above.width * OUTSIDE / INSIDE, INK))
        elif isinstance(below, Line) and below.colour == INK and below.points == above.points:
            scale = (below.width - above.width) / 2 / INSIDE
            lines.append(Line(above.points, below.width + scale * (OUTSIDE - INSIDE), INK))
    return sorted(lines, key=lambda line: line.width)
