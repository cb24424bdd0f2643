"""What lies behind a figure on its card: a pattern that belongs to it, in pale tones of its colour."""

from __future__ import annotations

import math

from companion.games.five_cards_collector.art.panel import inside
from companion.kept import kept
from companion.press.drawing import Item, Line, Shape, arc, moved
from companion.press.figures import Tint, mix
from companion.press.pictures import picture, pictures

GAME = "five-cards-collector"
TONES = {"faint": 0.07, "soft": 0.13, "strong": 0.22, "metal": 0.34}
"""How much of the full colour is in a pattern's tones: words stand on the first two, never on the others."""
OFF = 1 / 1600
"""How far curves may be off, as a share of a card's height."""


@kept()
def ground(name: str, tone: Tint, w: float, h: float) -> tuple[Item, ...]:
    """Draw the pattern of a figure round the middle of a card of w × h mm, up to its white rim; waves for a shell."""
    tones = {"pale": tone.pale, **{name: mix(tone.pale, tone.main, part) for name, part in TONES.items()}}
    if name == "shell":
        items = _waves(tones, w, h)
    else:
        known = f"grounds/{name}" if f"grounds/{name}" in pictures(GAME, "grounds") else "grounds/moon"
        items = list(picture(GAME, known, OFF).tint(tones))
    return tuple(inside(moved(items, w / 2, h / 2), w, h))


def _waves(tones: dict[str, str], w: float, h: float) -> list[Item]:
    items: list[Item] = []
    r, step = 10.4, 5.9
    bow = arc(0, 0, r, 180, 360)[::3]
    for row in range(math.ceil((h + r) / step)):
        y = row * step - h / 2 + step
        xs = [(column + row % 2 / 2) * 2 * r for column in range(-3, 4)]
        xs = [x for x in xs if abs(x) <= w / 2 + r - 3]
        for part, name in ((1.0, "soft"), (0.74, "pale"), (0.48, "faint")):
            loops = tuple(tuple((x + px * part, y + py * part) for px, py in bow) for x in xs)
            items.append(Shape(loops, tones[name]))
        items += [Line(tuple((x + px, y + py) for px, py in bow), 0.28, tones["strong"]) for x in xs]
    return items
