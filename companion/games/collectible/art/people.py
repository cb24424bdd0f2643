"""Clothes: people in pictures are dressed differently in every picture."""

from __future__ import annotations

from companion.games.collectible.art.kit import INK, Motif
from companion.press.drawing import Item, Line, Shape

SKINS = ("#f0c8a0", "#d9a273", "#9b6540", "#6f4530")
_COATS = (
    ("#2f8a86", "#256f6c"),
    ("#7d2f63", "#5f224b"),
    ("#3f7a3f", "#2f6232"),
    ("#8a3f5c", "#6d2f48"),
    ("#2f5fa8", "#244c88"),
    ("#b5562a", "#8f4220"),
    ("#c08a24", "#97691a"),
)
"""Cloth and its shade, as people wear it who may change it."""


def varied(figure: Motif, seed: int) -> Motif:
    """Draw people with another coat, hair and skin in every picture, so that no two readers are alike."""
    swap: dict[str, str] = {}
    for tones, step in ((_COATS, seed % 7), (tuple((tone,) for tone in SKINS), seed // 7 % 4)):
        for i, kinds in enumerate(tones):
            swap |= dict(zip(kinds, tones[(i + step) % len(tones)], strict=True))
    if not any(isinstance(item, Shape) and item.fill in {coat for coat, _ in _COATS} for item in figure.items):
        return figure
    skins = [swap[item.fill] for item in figure.items if isinstance(item, Shape) and item.fill in SKINS]
    if skins and skins[0] in SKINS[2:]:
        swap |= dict.fromkeys(("#8a4a22", "#5a341d", "#3a2a22"), INK)
    items: list[Item] = []
    for item in figure.items:
        if isinstance(item, Shape):
            items.append(Shape(item.loops, swap.get(item.fill, item.fill)))
        elif isinstance(item, Line):
            items.append(Line(item.points, item.width, swap.get(item.colour, item.colour)))
    return Motif(tuple(items), figure.heads)
