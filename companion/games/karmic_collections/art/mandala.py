"""The wheel of karma: a mandala of eight petals, light and dark by turns, and the box cover round it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

from companion.eye.mat import Rect
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
    clip,
    fitted,
    moved,
    paragraph,
    paragraph_height,
    text_width,
)
from companion.press.figures import mix
from companion.press.look import COVER
from companion.press.suits import disc
from companion.rules.cards import Deck

SAFFRON = "#e3a01b"
NIGHT = "#3c1f63"
PAPER = "#fdf6e4"
_DUSK = "#5a3487"
_LILAC = "#b79bd6"
_DAWN = "#f6cf73"
_DEEP = "#2a1447"
_ROSE = "#d9577f"


@cache
def petal(wide: float, low: float, high: float) -> Loop:
    """Return a pointed petal that reaches upwards from `low` to `high` above the origin."""
    long = high - low
    right = (*bezier((0, -low), (wide * 0.9, -low - long * 0.1), (wide * 1.15, -low - long * 0.62), (0, -high), 10),)
    return (*right, *((-x, y) for x, y in reversed(right[1:-1])))


def _round(loop: Loop, colours: tuple[Colour, ...], count: int, offset: float = 0.0) -> list[Item]:
    """Set a loop round the origin, its colours by turns."""
    items: list[Item] = []
    for i in range(count):
        items += moved([Shape((loop,), colours[i % len(colours)])], 0, 0, rotation=360 * i / count + offset)
    return items


@cache
def _mandala() -> tuple[Item, ...]:
    """The wheel, of radius 1 without its outer petals, which reach to 1.5."""
    items: list[Item] = []
    items += _round(petal(0.34, 0.55, 1.52), (_DUSK,), 16, 11.25)
    items += _round(petal(0.24, 0.55, 1.4), (_DEEP,), 16, 11.25)
    items += [Shape((circle(0, 0, 1.08),), SAFFRON), Shape((circle(0, 0, 1.03),), NIGHT)]
    items += [Shape(tuple(disc(math.cos(t) * 0.955, math.sin(t) * 0.955, 0.035, 12) for t in _turns(24)), _DAWN)]
    items += [Shape((circle(0, 0, 0.88),), SAFFRON), Shape((circle(0, 0, 0.85),), _DEEP)]
    # eight actions, four light and four dark
    items += _round(petal(0.3, 0.24, 0.83), (_DAWN, _LILAC), 8)
    items += _round(petal(0.19, 0.28, 0.72), (SAFFRON, _DUSK), 8)
    items += _round(petal(0.07, 0.4, 0.6), (PAPER, NIGHT), 8)
    items += [Shape((circle(0, 0, 0.37),), SAFFRON), Shape((circle(0, 0, 0.34),), NIGHT)]
    items += _round(petal(0.12, 0.06, 0.29), (_DAWN,), 8, 22.5)
    return (*items, Shape((circle(0, 0, 0.1),), PAPER), Shape((circle(0, 0, 0.06),), SAFFRON))


def _turns(count: int) -> list[float]:
    return [2 * math.pi * i / count for i in range(count)]


def _inside(items: list[Item], r: Rect) -> Iterator[Item]:
    """Cut shapes to a rectangle."""
    for item in items:
        if isinstance(item, Shape):
            loops = tuple(loop for loop in (clip(loop, r.x, r.y, r.x + r.w, r.y + r.h) for loop in item.loops) if loop)
            if loops:
                yield Shape(loops, item.fill)
        else:
            yield item


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
            far += moved([Shape((disc(0, -r + 4.2, 0.75, 12),), edge)], x, y, rotation=turn)
    far += [Shape((circle(x, y, 28.6),), SAFFRON), Shape((circle(x, y, 28.0),), _DEEP)]
    items += _inside(far, field)
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


# ------------------------------------------------------------------------------------------------------------- cover


def _half(items: list[Item], left: bool) -> list[Item]:
    """Keep one half of shapes round the origin."""
    return list(_inside(items, Rect(-200, -200, 200, 400) if left else Rect(0, -200, 200, 400)))


def _side(light: bool) -> list[Item]:
    """Draw the light or the dark half of the cover's wheel, of radius 1, and the petals round it."""
    ground, rim, one, two, core = (
        (PAPER, SAFFRON, SAFFRON, _DAWN, "#c9770f") if light else (_DEEP, _LILAC, _DUSK, _LILAC, "#e6daf3")
    )
    items: list[Item] = _round(petal(0.3, 0.7, 1.36), (rim,), 16, 11.25)
    items += _round(petal(0.25, 0.7, 1.3), (mix(ground, rim, 0.35),), 16, 11.25)
    items += [Shape((circle(0, 0, 1.06),), rim), Shape((circle(0, 0, 1.02),), ground)]
    items += [Shape((disc(math.cos(t) * 0.955, math.sin(t) * 0.955, 0.03, 16),), rim) for t in _turns(24)]
    items += [Shape((circle(0, 0, 0.89),), rim), Shape((circle(0, 0, 0.86),), ground)]
    items += _round(petal(0.32, 0.3, 0.84), (one,), 8, 22.5)
    items += _round(petal(0.21, 0.34, 0.74), (two,), 8, 22.5)
    return items + _round(petal(0.08, 0.46, 0.64), (core,), 8, 22.5)


def lotus() -> list[Item]:
    """Draw a lotus about 2 wide, its foot at the origin: the left half in the light, the right one in the dark."""
    items: list[Item] = []
    for turn, wide, high, tone in (
        (78, 0.26, 0.95, 0.45),
        (52, 0.3, 1.08, 0.25),
        (26, 0.34, 1.16, 0.1),
        (0, 0.4, 1.22, 0.0),
    ):
        for side in (-1, 1) if turn else (1,):
            outer, inner = (PAPER, mix(_ROSE, "#ffffff", 0.5 - tone)) if side < 0 else (_DAWN, mix(_ROSE, NIGHT, tone))
            flower: list[Item] = [
                Shape((petal(wide, 0, high),), outer),
                Shape((petal(wide * 0.82, 0.04, high - 0.07),), inner),
            ]
            items += moved(flower, 0, 0, rotation=side * turn)
    middle = petal(0.34, 0.04, 1.15)
    items += [
        Shape((clip(middle, -1, -2, 0, 1),), mix(_ROSE, "#ffffff", 0.5)),
        Shape((clip(middle, 0, -2, 1, 1),), _ROSE),
    ]
    return items


def die(face: Colour, pips: Colour, count: int) -> list[Item]:
    """Draw a die's face, 2 mm wide, round the origin."""
    spots = {
        3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
        5: ((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5)),
    }[count]
    return [
        Shape((box(-1.08, -1.08, 2.16, 2.16, 0.42),), pips),
        Shape((box(-1, -1, 2, 2, 0.36),), face),
        Shape(tuple(circle(x, y, 0.2) for x, y in spots), pips),
    ]


def cover_of(sheet: Drawing, deck: Deck) -> None:
    """Draw the wheel half in the light and half in the dark, a lotus in it, dice to both sides, and the title."""
    half, x, y, r = COVER / 2, COVER / 2, 47.0, 36.0
    sheet.fill(_DAWN, box(0, 0, half, COVER))
    sheet.fill(NIGHT, box(half, 0, half, COVER))
    for light in (True, False):
        sheet.add(_inside(moved(_half(_side(light), light), x, y, scale=r), Rect(0, 0, COVER, COVER)))
    sheet.fill(PAPER, circle(x, y, 15.0))
    sheet.add(_inside([Shape((circle(x, y, 15.0),), _DEEP)], Rect(x, 0, 60, 90)))
    sheet.line(SAFFRON, 0.9, *circle(x, y, 15.0), closed=True)
    sheet.add(moved(lotus(), x, y + 8.2, scale=13.4))
    sheet.add(moved(die(PAPER, NIGHT, 5), 13.5, 77.0, scale=7.6, rotation=-14))
    sheet.add(moved(die(_LILAC, _DEEP, 3), COVER - 13.5, 77.0, scale=7.6, rotation=14))
    sheet.fill(_DEEP, box(0, 91, COVER, 29))
    sheet.fill(SAFFRON, box(0, 90, COVER, 1.0))
    size, lines = fitted(deck.title, 15.5, COVER - 10, 29, bold=True)
    top = 105.8 - paragraph_height(lines, size) / 2
    sheet.add(paragraph(half, top, lines, size, colour="#ffffff", bold=True))
