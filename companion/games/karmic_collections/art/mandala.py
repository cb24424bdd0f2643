"""The wheel of karma: a mandala of eight petals, light and dark by turns, for the backs; and the box cover."""

from __future__ import annotations

import math

from companion.eye.mat import Rect
from companion.kept import kept
from companion.press.drawing import (
    CAP,
    Colour,
    Drawing,
    Item,
    Loop,
    Shape,
    Text,
    bezier,
    box,
    circle,
    cut,
    fitted,
    moved,
    oval,
    paragraph,
    paragraph_height,
    text_width,
)
from companion.press.look import COVER
from companion.press.pictures import SHEET, drawn
from companion.rules.cards import Deck

SAFFRON = "#e3a01b"
NIGHT = "#3c1f63"
PAPER = "#fdf6e4"
_DUSK = "#5a3487"
_LILAC = "#b79bd6"
_DAWN = "#f6cf73"
_DEEP = "#2a1447"


@kept()
def petal(wide: float, low: float, high: float) -> Loop:
    """Return a pointed petal that reaches upwards from `low` to `high` above the origin."""
    long = high - low
    right = (*bezier((0, -low), (wide * 0.9, -low - long * 0.1), (wide * 1.15, -low - long * 0.62), (0, -high), 10),)
    return (*right, *((-x, y) for x, y in reversed(right[1:-1])))


def _round(loop: Loop, colours: tuple[Colour, ...], count: int, offset: float = 0.0) -> list[Item]:
    items: list[Item] = []
    for i in range(count):
        items += moved([Shape((loop,), colours[i % len(colours)])], 0, 0, rotation=360 * i / count + offset)
    return items


@kept()
def _mandala() -> tuple[Item, ...]:
    turns = [2 * math.pi * i / 24 for i in range(24)]
    items = _round(petal(0.34, 0.55, 1.52), (_DUSK,), 16, 11.25)
    items += _round(petal(0.24, 0.55, 1.4), (_DEEP,), 16, 11.25)
    items += [Shape((circle(0, 0, 1.08),), SAFFRON), Shape((circle(0, 0, 1.03),), NIGHT)]
    items += [Shape(tuple(oval(math.cos(t) * 0.955, math.sin(t) * 0.955, 0.035, None, 12) for t in turns), _DAWN)]
    items += [Shape((circle(0, 0, 0.88),), SAFFRON), Shape((circle(0, 0, 0.85),), _DEEP)]
    # eight actions, four light and four dark
    items += _round(petal(0.3, 0.24, 0.83), (_DAWN, _LILAC), 8)
    items += _round(petal(0.19, 0.28, 0.72), (SAFFRON, _DUSK), 8)
    items += _round(petal(0.07, 0.4, 0.6), (PAPER, NIGHT), 8)
    items += [Shape((circle(0, 0, 0.37),), SAFFRON), Shape((circle(0, 0, 0.34),), NIGHT)]
    items += _round(petal(0.12, 0.06, 0.29), (_DAWN,), 8, 22.5)
    return (*items, Shape((circle(0, 0, 0.1),), PAPER), Shape((circle(0, 0, 0.06),), SAFFRON))


def wheel(field: Rect, title: str, aside: float) -> list[Item]:
    """Draw the back's pattern on a rectangle: rings of petals, the wheel, and the title `aside` of the middle (mm)."""
    x, y = field.x + field.w / 2, field.y + field.h / 2
    items: list[Item] = [Shape((box(field.x, field.y, field.w, field.h),), _DEEP)]
    far: list[Item] = []
    for r, fill, edge in ((50.0, NIGHT, SAFFRON), (39.5, _DUSK, _DAWN)):
        scallop = petal(5.6, r - 13, r)
        rim = petal(6.0, r - 13, r + 0.6)
        for i in range(24):
            turn = 15.0 * i + (7.5 if r < 45 else 0)
            far += moved([Shape((rim,), edge), Shape((scallop,), fill)], x, y, rotation=turn)
            far += moved([Shape((oval(0, -r + 4.2, 0.75, None, 12),), edge)], x, y, rotation=turn)
    far += [Shape((circle(x, y, 28.6),), SAFFRON), Shape((circle(x, y, 28.0),), _DEEP)]
    items += cut(far, field.x, field.y, field.x + field.w, field.y + field.h)
    items += moved(_mandala(), x, y, scale=17.6)
    size, lines = fitted(title, 3.0, 40, 5, bold=True)
    plate = text_width(lines[0], size, True) / 2 + 1.6
    for turn in (0, 180):
        label: list[Item] = [
            Shape((box(-plate, -2.1, 2 * plate, 4.2, 2.1),), SAFFRON),
            Shape((box(-plate + 0.4, -1.7, 2 * plate - 0.8, 3.4, 1.7),), _DEEP),
            *(Text(0, CAP * size / 2, line, size, PAPER, bold=True) for line in lines[:1]),
        ]
        items += moved(moved(label, aside, -23.4), x, y, rotation=turn)
    return items


def cover_of(sheet: Drawing, deck: Deck) -> None:
    """Draw the wheel half in the light and half in the dark, a lotus in it, dice to both sides, and the title."""
    sheet.add(cut(drawn("karmic-collections", "cover", SHEET), 0, 0, COVER, COVER))
    size, lines = fitted(deck.title, 15.5, COVER - 10, 29, bold=True)
    top = 105.8 - paragraph_height(lines, size) / 2
    sheet.add(paragraph(COVER / 2, top, lines, size, colour="#ffffff", bold=True))
