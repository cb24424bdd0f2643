"""The sign of every theme, of radius about 1 round the origin, and its colour."""

from __future__ import annotations

from companion.games.collectible.art.kit import GILT, WHITE
from companion.kept import kept
from companion.press.drawing import Colour, Item, Shape, circle, moved, star
from companion.press.pictures import drawn, pictures

COLOURS: dict[str, Colour] = {
    "Animal": "#a9542a",
    "Hat": "#b3324b",
    "Flower": "#c9497f",
    "Water": "#2371ab",
    "Music": "#b96a10",
    "Food": "#93712a",
    "Night": "#2c2f6e",
    "Book": "#1f6d5f",
    "Monster": "#557d20",
    "Machine": "#53616c",
    "Star": "#3b3f99",
    "Skeleton": "#1f1b26",
}
"""Signature colours: a medal is this colour, and its sign pale or golden on it."""

OTHER = "#6f6580"

SMALL = 1 / 100
"""How far curves of a sign may be off, as a share of its size: it is four millimetres large."""


@kept()
def sign(theme: str, rank: int) -> tuple[Item, ...]:
    """Draw a theme's medal; `rank` 0 to 2 adds gilt to it."""
    items: list[Item] = []
    if rank == 2:
        items.append(Shape((star(0, 0, 1.17, 0.9, 16),), GILT))
    elif rank == 1:
        items.append(Shape((circle(0, 0, 1.12)[::3],), GILT))
    items.append(Shape((circle(0, 0, 0.98)[::3],), COLOURS.get(theme, OTHER)))
    name = f"signs/{theme.lower()}"
    known = name in pictures("collectible", "signs")
    inner = drawn("collectible", name, SMALL) if known else [Shape((star(0, 0, 5, 0.9, 4),), WHITE)]
    return (*items, *moved(inner, 0, 0, scale=0.078))
