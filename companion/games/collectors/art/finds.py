"""Which picture shows a card's item, by the words of its title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from companion.games.collectors.art import beasts, movies, music, penguins, technology, toys
from companion.games.collectors.art.pen import FINDS, Draw, drawn, slim
from companion.press.drawing import Item, Line, Shape, moved

SHELVES: dict[str, tuple[tuple[str, ...], Draw]] = {
    "penguin": ((penguins.__name__,), penguins.any_penguin),
    "movie": ((movies.__name__,), movies.any_movie),
    "technology": ((technology.__name__,), technology.any_technology),
    "figures": ((toys.__name__, beasts.__name__), toys.any_figure),
    "music": ((music.__name__,), music.any_music),
}
"""For each category the modules of its finds, and what stands for a title that none of them is about."""


OFF = 0.025
"""How far (units) a curve may be off, which saves a third of the points: a fiftieth of a millimetre on a card."""


@dataclass(frozen=True)
class Find:
    """A picture and the box (left, top, right, bottom, in units) that it fills."""

    items: tuple[Item, ...]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        """The width, in units."""
        return self.right - self.left

    @property
    def high(self) -> float:
        """The height, in units."""
        return self.bottom - self.top

    def fitted(self, x: float, foot: float, wide: float, high: float) -> list[Item]:
        """Return it as large as fits into `wide` × `high` mm, the middle of its foot at (x, foot)."""
        scale = min(wide / self.wide, high / self.high)
        return moved(self.items, x - scale * (self.left + self.right) / 2, foot - scale * self.bottom, scale=scale)


def chosen(title: str, category: str) -> Draw:
    """Return the drawing for a title: of its own category before others, with as many words in common as possible."""
    words = set(re.findall(r"[\w'-]+", title.lower()))
    home, other = SHELVES.get(category, ((), toys.any_figure))
    fits = [(draw.__module__ in home, len(key), draw) for key, draw in FINDS if key <= words]
    if not fits:
        return other
    return max(fits, key=lambda fit: fit[:2])[2]


@cache
def find(title: str, category: str) -> Find:
    """Return the picture of an item."""
    return measured(chosen(title, category))


@cache
def measured(draw: Draw) -> Find:
    """Return a drawing as a picture with its size."""
    items = [slim(item, OFF) for item in drawn(draw).items]
    spots = [
        (x, y, item.width / 2 if isinstance(item, Line) else 0.0)
        for item in items
        for loop in (item.loops if isinstance(item, Shape) else [item.points] if isinstance(item, Line) else [])
        for x, y in loop
    ]
    return Find(
        tuple(items),
        min(x - w for x, _, w in spots),
        min(y - w for _, y, w in spots),
        max(x + w for x, _, w in spots),
        max(y + w for _, y, w in spots),
    )
