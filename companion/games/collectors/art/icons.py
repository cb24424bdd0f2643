"""The icons of categories and skills, each with an outline of its own, in a radius of about 1; and coins."""

from __future__ import annotations

import math
from functools import cache

from companion.games.collectors.art.pen import block, oval, slim, smooth
from companion.press.drawing import Drawing, Item, Line, Point, box, moved, rounded
from companion.press.drawing import Shape as Filled
from companion.press.figures import Tint

ITEM = Tint("#c7432b", "#7e2a1a", "#fbe9e4")
SKILL = Tint("#2f7f4c", "#1f5c37", "#e6f3ea")
MARKET = Tint("#3a6ea5", "#1f426b", "#e6eef7")

BEAK = "#ee9a2b"
_WHITE = "#ffffff"


def symbol(name: str, tone: Tint) -> list[Item]:
    """Return the icon of a category of items; a star for one that nobody has drawn yet."""
    return list(_symbol(name, tone))


def skill_icon(skill: str) -> list[Item]:
    """Return the icon of a skill; a category's skill shows the category on a rosette with "+1"."""
    return list(_skill(skill))


@cache
def _symbol(name: str, tone: Tint) -> tuple[Item, ...]:
    items = _SYMBOLS[name](tone) if name in _SYMBOLS else [Filled((burst(0.95, 0.5, 5),), tone.main)]
    return tuple(slim(item, 0.005) for item in items)


@cache
def _skill(skill: str) -> tuple[Item, ...]:
    items = _SKILLS[skill]() if skill in _SKILLS else _vp_category(skill.removeprefix("vp-"))
    return tuple(slim(item, 0.005) for item in items)


def burst(outer: float, inner: float, rays: int, r: float = 0.0) -> tuple[Point, ...]:
    """Return a star with so many rays, the first one upward, its corners rounded by `r`."""
    points = []
    for n in range(2 * rays):
        turn, reach = math.pi * n / rays - math.pi / 2, inner if n % 2 else outer
        points.append((reach * math.cos(turn), reach * math.sin(turn)))
    return rounded(points, r) if r else tuple(points)


def _words(x: float, y: float, words: str, size: float, colour: str) -> list[Item]:
    drawing = Drawing(0, 0)
    drawing.text(x, y, words, size, colour=colour, bold=True)
    return list(drawing.items)


def _even(*points: Point) -> tuple[Point, ...]:
    return (*points, *((-x, y) for x, y in reversed(points) if x))


# -------------------------------------------------------------------------------------------------------- categories


def _penguin(tone: Tint) -> list[Item]:
    body = smooth(_even((0, -1.0), (0.36, -0.88), (0.5, -0.5), (0.64, 0.1), (0.62, 0.58), (0.36, 0.88), (0, 0.93)))
    belly = smooth(_even((0, -0.42), (0.17, -0.66), (0.36, -0.52), (0.38, -0.2), (0.48, 0.3), (0.38, 0.66), (0, 0.78)))
    items: list[Item] = []
    for side in (-1, 1):
        wing = smooth([(side * x, y) for x, y in ((0.44, -0.3), (0.74, 0.0), (1.0, 0.4), (0.76, 0.42), (0.5, 0.3))])
        items += [Filled((oval(side * 0.3, 0.93, 0.28, 0.13, steps=16),), BEAK), Filled((wing,), tone.dark)]
    items += [Filled((body,), tone.dark), Filled((belly,), _WHITE)]
    items += [Filled((oval(x, -0.42, 0.085),), tone.dark) for x in (-0.2, 0.2)]
    return [*items, Filled((rounded(((-0.17, -0.32), (0.17, -0.32), (0, -0.06)), 0.05),), BEAK)]


def _movie(tone: Tint) -> list[Item]:
    arm: list[Item] = [Filled((block(0, -0.36, 1.64, 0.36, 0.07),), tone.dark)]
    for x in (0.3, 0.76, 1.22):
        arm.append(Filled((((x, -0.36), (x + 0.23, -0.36), (x + 0.11, 0), (x - 0.12, 0)),), _WHITE))
    lines: list[Item] = [Line(((-0.52, y), (x, y)), 0.11, _WHITE) for y, x in ((0.2, 0.52), (0.5, 0.14))]
    return [
        *moved(arm, -0.82, -0.26, rotation=-20),
        Filled((block(-0.84, -0.2, 1.68, 1.0, 0.12),), tone.main),
        Filled((box(-0.84, -0.2, 1.68, 0.2),), tone.dark),
        *lines,
    ]


def _technology(tone: Tint) -> list[Item]:
    legs: list[Item] = []
    for at in (-0.36, 0.0, 0.36):
        for side in (-1, 1):
            legs.append(Line(((at, 0.5 * side), (at, 0.9 * side)), 0.16, tone.dark))
            legs.append(Line(((0.5 * side, at), (0.9 * side, at)), 0.16, tone.dark))
    return [
        *legs,
        Filled((block(-0.66, -0.66, 1.32, 1.32, 0.14),), tone.dark),
        Filled((block(-0.42, -0.42, 0.84, 0.84, 0.08),), _WHITE),
        Filled((block(-0.25, -0.25, 0.5, 0.5, 0.06),), tone.main),
    ]


def _figures(tone: Tint) -> list[Item]:
    items: list[Item] = []
    for side in (-1, 1):
        items.append(Line(((side * 0.46, 0.12), (side * 0.78, 0.0), (side * 0.84, -0.4)), 0.17, tone.dark))
        items.append(Line(((side * 0.74, -0.6), (side * 0.84, -0.42), (side * 0.98, -0.58)), 0.11, tone.dark))
        items.append(Filled((block(side * 0.27 - 0.2, 0.56, 0.4, 0.42, 0.08),), tone.dark))
    items += [
        Line(((0, -0.7), (0, -0.95)), 0.09, tone.dark),
        Filled((oval(0, -0.97, 0.12),), tone.main),
        Filled((block(-0.4, -0.82, 0.8, 0.62, 0.14),), tone.dark),
        Filled((block(-0.54, -0.13, 1.08, 0.8, 0.12),), tone.main),
        Filled((block(-0.3, 0.08, 0.6, 0.3, 0.08),), _WHITE),
    ]
    return [*items, *(Filled((oval(x, -0.52, 0.12),), _WHITE) for x in (-0.18, 0.18))]


def _music(tone: Tint) -> list[Item]:
    items: list[Item] = [
        Line(((-0.24, 0.6), (-0.24, -0.66)), 0.15, tone.dark),
        Line(((0.76, 0.4), (0.76, -0.86)), 0.15, tone.dark),
        Filled((rounded(((-0.315, -0.64), (0.835, -0.94), (0.835, -0.5), (-0.315, -0.2)), 0.05),), tone.dark),
    ]
    for x, y in ((-0.5, 0.62), (0.5, 0.42)):
        items += moved([Filled((oval(0, 0, 0.36, 0.27, steps=22),), tone.main)], x, y, rotation=-18)
    return items


# ------------------------------------------------------------------------------------------------------------ skills


def _bottle() -> list[Item]:
    glass = _even((0.18, -0.74), (0.18, -0.4), (0.56, 0.0), (0.56, 0.98))
    return [
        Filled((block(-0.16, -1.02, 0.32, 0.34, 0.06),), "#b9814a"),
        Filled((rounded(glass, 0.14),), SKILL.main),
        Filled((block(-0.27, -0.76, 0.54, 0.17, 0.05),), SKILL.dark),
        Filled((block(-0.4, 0.08, 0.8, 0.7, 0.08),), _WHITE),
        Line(((-0.22, 0.43), (0.22, 0.43)), 0.16, SKILL.dark),
        Line(((0, 0.21), (0, 0.65)), 0.16, SKILL.dark),
    ]


def _case(low: float) -> list[Item]:
    """Draw a briefcase, its upper edge at y = `low`: work."""
    return [
        Line(((-0.26, low), (-0.26, low - 0.2), (0.26, low - 0.2), (0.26, low)), 0.14, SKILL.dark),
        Filled((block(-0.88, low, 1.76, 0.76 - low, 0.16),), SKILL.main),
        Filled((box(-0.88, low + 0.1, 1.76, 0.13),), SKILL.dark),
    ]


def _work_income() -> list[Item]:
    return [*_case(-0.5), *_words(0, 0.62, "$2", 1.08, _WHITE)]


def _work_card() -> list[Item]:
    card = Filled((block(-0.46, -0.68, 0.92, 1.3, 0.14),), SKILL.dark)
    plus: list[Item] = [Line(((-0.24, 0), (0.24, 0)), 0.18, _WHITE), Line(((0, -0.24), (0, 0.24)), 0.18, _WHITE)]
    front = [Filled((block(-0.52, -0.74, 1.04, 1.42, 0.18),), _WHITE), Filled(card.loops, SKILL.main), *plus]
    case = [
        Filled((block(-1.1, -0.86, 2.2, 1.86, 0.26),), _WHITE),
        *_case(-0.5),
        Line(((-0.14, 0.0), (0.14, 0.0)), 0.2, _WHITE),
    ]
    return [
        *moved([card], -0.34, -0.2, scale=0.92, rotation=-16),
        *moved(front, 0.1, -0.22, scale=0.94, rotation=6),
        *moved(case, 0.46, 0.52, scale=0.48),
    ]


def _auction_income() -> list[Item]:
    head: list[Item] = [
        Line(((0, 0.1), (0, 1.16)), 0.2, SKILL.dark),
        Filled((block(-0.46, -0.3, 0.92, 0.56, 0.06),), SKILL.main),
        Filled((block(-0.62, -0.38, 0.22, 0.72, 0.07),), SKILL.dark),
        Filled((block(0.4, -0.38, 0.22, 0.72, 0.07),), SKILL.dark),
    ]
    coin = oval(-0.42, 0.5, 0.46, steps=32)
    return [
        *moved(head, -0.1, -0.46, scale=0.93, rotation=-48),
        Filled((coin,), "#f3d783"),
        Line((*coin, coin[0]), 0.1, "#8a6420"),
        *_words(-0.42, 0.68, "$1", 0.52, "#5b3f12"),
    ]


def _rosette(fill: str) -> list[Item]:
    disc: list[Item] = [Filled((burst(0.88, 0.74, 14, 0.08),), SKILL.main), Filled((oval(0, 0, 0.62, steps=32),), fill)]
    tails: list[Item] = []
    for side in (-1, 1):
        tail = ((side * 0.06, 0.4), (side * 0.5, 0.3), (side * 0.74, 1.02), (side * 0.44, 0.9), (side * 0.26, 1.08))
        tails.append(Filled((tail,), SKILL.dark))
    return [*tails, *moved(disc, 0, -0.16)]


def _vp_all() -> list[Item]:
    return [*_rosette("#f3d783"), *_words(0, 0.2, "5", 1.02, SKILL.dark)]


def _vp_category(category: str) -> list[Item]:
    return [
        *moved(_rosette(_WHITE), 0, -0.1),
        *moved(symbol(category, SKILL), 0, -0.3, scale=0.5),
        Filled((block(-0.62, 0.4, 1.24, 0.62, 0.14),), SKILL.dark),
        *_words(0, 0.89, "+1", 0.58, _WHITE),
    ]


# ------------------------------------------------------------------------------------------------------------- coins


def coin(cash: str) -> list[Item]:
    """Return what a card is worth in an auction: a copper coin; from $2 on two golden ones with a milled edge."""
    if cash == "1":
        rim = oval(0, 0, 0.92, steps=32)
        return [
            Filled((rim,), "#e2a06a"),
            Line((*rim, rim[0]), 0.13, "#6d3813"),
            Line((*oval(0, 0, 0.72, steps=32), (0.72, 0)), 0.06, "#a8623a"),
            *_words(0, 0.34, f"${cash}", 0.92, "#55270a"),
        ]
    disc = burst(0.92, 0.82, 20)
    gold: list[Item] = [Filled((disc,), "#f6ca45"), Line((*disc, disc[0]), 0.11, "#6b4d1d")]
    front = [
        *gold,
        Line((*oval(0, 0, 0.64, steps=32), (0.64, 0)), 0.06, "#b5852f"),
        *_words(0, 0.33, f"${cash}", 0.86, "#4f370c"),
    ]
    return [*moved(gold, 0.24, -0.14, scale=0.86), *moved(front, -0.14, 0.1, scale=0.92)]


_SYMBOLS = {"penguin": _penguin, "movie": _movie, "technology": _technology, "figures": _figures, "music": _music}
_SKILLS = {
    "bottle": _bottle,
    "work-income": _work_income,
    "work-card": _work_card,
    "auction-income": _auction_income,
    "vp-all": _vp_all,
}
