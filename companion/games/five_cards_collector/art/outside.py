"""The back that all cards share, and the box's cover: the five figures woven together in wine red and gold."""

from __future__ import annotations

import math

from companion.games.five_cards_collector.art.figures import LARGE, etched, marked
from companion.games.five_cards_collector.art.panel import hollowed, inside, panel
from companion.kept import kept
from companion.press.drawing import (
    Drawing,
    Item,
    Line,
    Loop,
    Shape,
    cut,
    fitted,
    lean,
    moved,
    paragraph,
    paragraph_height,
    text_width,
)
from companion.press.figures import mix
from companion.press.look import COVER, Room
from companion.press.pictures import SHEET, filled, picture
from companion.rules.cards import Deck

WINE, DEEP, GOLD, CREAM = "#9c2430", "#6d1520", "#e9bf55", "#fdf3d6"
COLUMNS, ROWS = 3, 5
"""Eyes of the braids on a back; odd numbers both, so that the title lies in the middle one's place."""

_WOVEN = ("star", "moon", "shell", "leaf", "key", "shell", "star")
"""The figures in the eyes down to the middle one, column by column: no two neighbours alike, turned or not."""
_ROPE = ((1.15, GOLD), (0.3, mix(GOLD, DEEP, 0.5)))
"""Widths and colours of a cord, from outside to inside."""


def back(sheet: Drawing, deck: Deck, room: Room) -> None:
    """Draw three braids of gold cord, with a figure in each of their eyes."""
    w, h = room.shape.w, room.shape.h
    panel(sheet, room, DEEP, WINE, _braids(w, h))
    size, lines = fitted(deck.title, 3.7, w * 0.33, 12, bold=True)
    high = paragraph_height(lines, size)
    x, y = w * 0.17, high / 2 + 3.4
    seal = hollowed(-x, -y, 2 * x, 2 * y, 2.0)
    for grown, fill in ((1.3, DEEP), (0.7, GOLD), (0.0, CREAM)):
        sheet.fill(fill, tuple((w / 2 + x * (1 + grown / 15), h / 2 + y * (1 + grown / 9)) for x, y in seal))
    sheet.add(paragraph(w / 2, h / 2 - high / 2, lines, size, colour=DEEP, bold=True))


@kept()
def _braids(w: float, h: float) -> tuple[Item, ...]:
    """Draw braids of two cords each over a card of w × h mm, up to its white rim."""
    wide, high = (w - 5.8) / COLUMNS, (h - 5.8) / ROWS
    reach, r = wide * 0.462, 0.335 * min(wide, high)
    eyes = [((n - COLUMNS // 2) * wide, (row - ROWS // 2) * high) for n in range(COLUMNS) for row in range(ROWS)]
    lenses = [_cord(x, y, reach, high, 1) + _cord(x, y, reach, high, -1)[-2:0:-1] for x, y in eyes]
    figures: list[Item] = []
    for n, (x, y) in enumerate(eyes):
        # what half a turn round the middle brings to an eye is the same figure upside down
        place, turn = (n, 0) if n <= len(eyes) // 2 else (len(eyes) - 1 - n, 180)
        if place < len(_WOVEN):
            figures += moved(etched(_WOVEN[place], GOLD, DEEP), x, y, scale=r, rotation=turn)
    solid = [loop for item in figures if isinstance(item, Shape) for loop in item.loops]
    lines = sorted((item for item in figures if isinstance(item, Line)), key=lambda line: line.width)
    cords = [_cord(x, y, reach, high, side) for x, y in eyes for side in (-1, 1)]
    crossings = [(x, y + high / 2) for x, y in eyes] + [(x, y - high / 2) for x, y in eyes[::ROWS]]
    # where two cords cross, the one that runs down to the right goes on top
    over = [
        tuple((x + reach * math.sin(math.pi * part), y + high * part) for part in (-0.16, -0.08, 0.0, 0.08, 0.16))
        for x, y in crossings
    ]
    items: list[Item] = [Shape(tuple(lenses), mix(WINE, GOLD, 0.13)), Shape(tuple(solid), GOLD), *lines]
    items += [Line(cord, 1.9, DEEP) for cord in cords]
    for pen, colour in _ROPE:
        items += [Line(cord, pen, colour) for cord in cords]
    items += [Line(cord[1:-1], 2.3, DEEP) for cord in over]
    for pen, colour in _ROPE:
        items += [Line(cord, pen, colour) for cord in over]
    return tuple(inside(moved(lean(items, 0.07), w / 2, h / 2), w, h))


def _cord(x: float, y: float, reach: float, high: float, side: int) -> Loop:
    parts = [step / 14 for step in range(15)]
    return tuple((x + side * reach * math.sin(math.pi * part), y + high * (part - 0.5)) for part in parts)


def cover(sheet: Drawing, deck: Deck) -> None:
    """Draw the five figures on the points of a woven star, above the title."""
    sheet.add(
        cut(
            filled(picture("five-cards-collector", "cover", SHEET), {}, lambda mark: marked(mark, LARGE)),
            0,
            0,
            COVER,
            COVER,
        )
    )
    whole, foot = COVER, 88.6
    words = deck.title.split()
    lines = [" ".join(words[:-1]), words[-1]] if len(words) > 1 else words
    size = 12.0
    while max(text_width(line, size, True) for line in lines) > whole - 14:
        size *= 0.97
    top = foot + (whole - foot - 2.2 - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(whole / 2, top, lines, size, colour=CREAM, bold=True))
