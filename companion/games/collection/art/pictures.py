"""Which picture a collection card shows: by the words of its title, else by what it does."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable

from companion.games.collection.art import alarms, blows, favours, finds, setbacks
from companion.games.collection.art.brush import HALF, HIGH, Brush
from companion.press.drawing import Item, Line, Loop, Shape, clip

PICTURES: dict[str, Callable[[Brush], None]] = {
    **alarms.PICTURES,
    **blows.PICTURES,
    **setbacks.PICTURES,
    **favours.PICTURES,
    **finds.PICTURES,
}

FALLBACK: dict[str, Callable[[Brush], None]] = {
    "crisis+": setbacks.storm,
    "crisis-": favours.truce,
    "response+": favours.tasking,
    "response-": setbacks.closed,
    "gem+": favours.drop,
    "gem-": setbacks.misplaced,
    "action": finds.overtime,
    "move": finds.courier,
    "die": finds.eyes,
    "skip": setbacks.forms,
    "expand": alarms.riots,
}
"""Pictures by an effect's verb, and its sign where that matters."""


def picture_for(title: str, effect: str) -> Callable[[Brush], None]:
    """Return the picture of a card: the longest phrase that the title has wins."""
    for phrase in sorted(PICTURES, key=len, reverse=True):
        if re.search(rf"\b{phrase}", title.lower()):
            return PICTURES[phrase]
    verb, *rest = effect.split(";")[0].split() or [""]
    sign = "-" if rest and rest[-1].startswith("-") else "+"
    return FALLBACK.get(verb) or FALLBACK.get(f"{verb}{sign}") or setbacks.storm


@functools.cache
def picture(draw: Callable[[Brush], None]) -> tuple[Item, ...]:
    """Draw a picture once."""
    b = Brush()
    draw(b)
    return tuple(kept for item in b.items for kept in _cut(item))


def _cut(item: Item) -> list[Item]:
    """Return a drawing cut to a picture's edge; a stroke leaves only the segments that lie inside."""
    if isinstance(item, Shape):
        loops = tuple(clip(loop, -HALF, -HIGH, HALF, 0) if _outside(loop) else loop for loop in item.loops)
        return [Shape(tuple(loop for loop in loops if loop), item.fill)] if any(loops) else []
    if isinstance(item, Line) and _outside(item.points):
        return [Line(pair, item.width, item.colour) for pair in itertools.pairwise(item.points) if not _outside(pair)]
    return [item]


def _outside(loop: Loop) -> bool:
    return any(abs(x) > HALF or not -HIGH <= y <= 0 for x, y in loop)
