"""The emblems of special cards, of radius about 1 round the origin: what the card does, told with the game's cards."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from companion.games.five_cards_collector.art.figures import SMALL, figure
from companion.games.five_cards_collector.art.lean import lean
from companion.press.drawing import Item, Line, Loop, Shape, arc, bezier, box, circle, moved
from companion.press.figures import Tint, art, mix, tint

WINE, GOLD, CREAM = "#a32632", "#f0b92e", "#fbf5e6"
INK = "#123f43"
TEAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")


@cache
def emblem(name: str) -> tuple[Item, ...]:
    """Draw the emblem of an effect; for an unknown one what the press draws for it."""
    return tuple(lean(_EMBLEMS[name](), 0.004) if name in _EMBLEMS else art(name, TEAL))


def _back(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> list[Item]:
    """Draw a card face down: wine red with a gold lozenge, as the game's cards are."""
    edge = box(-0.36, -0.5, 0.72, 1.0, 0.08)
    inner = box(-0.28, -0.42, 0.56, 0.84, 0.04)
    gem = ((0.0, -0.26), (0.17, 0.0), (0.0, 0.26), (-0.17, 0.0))
    items: list[Item] = [
        Shape((edge,), CREAM),
        Line((*edge, edge[0]), 0.05, INK),
        Shape((inner,), WINE),
        Line((*gem, gem[0]), 0.05, GOLD),
        Shape((circle(0, 0, 0.06)[::6],), GOLD),
    ]
    return moved(items, x, y, scale=scale, rotation=turn)


def _face(x: float, y: float, words: str, turn: float = 0.0, scale: float = 1.0) -> list[Item]:
    """Draw a card face up with a symbol: "red star"."""
    colour, name = words.split()
    edge = box(-0.36, -0.5, 0.72, 1.0, 0.08)
    items: list[Item] = [Shape((edge,), "#ffffff"), Line((*edge, edge[0]), 0.05, INK)]
    items += moved(figure(name, tint(colour), SMALL), 0, 0, scale=0.27)
    return moved(items, x, y, scale=scale, rotation=turn)


def _arrow(points: Loop, width: float = 0.15, fill: str = GOLD) -> list[Item]:
    """Draw a gold arrow edged dark along points, its head beyond the last one."""
    (ax, ay), (bx, by) = points[-2], points[-1]
    long = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / long, (by - ay) / long
    wide, reach = width * 1.35, width * 1.9
    head = ((bx - uy * wide, by + ux * wide), (bx + ux * reach, by + uy * reach), (bx + uy * wide, by - ux * wide))
    return [
        Line(points, width + 0.1, INK),
        Line((*head, head[0]), 0.1, INK),
        Shape((head,), fill),
        Line(points, width, fill),
    ]


def _draw_three() -> list[Item]:
    items = [*_back(-0.5, 0.04, -22, 1.16), *_back(0.5, 0.04, 22, 1.16), *_back(0.0, -0.14, 0, 1.24)]
    badge = circle(0, 0, 0.36)
    items += moved([Shape((badge,), GOLD), Line((*badge, badge[0]), 0.06, INK)], 0, 0.62)
    items += [Line(((-0.2, 0.62), (0.2, 0.62)), 0.1, INK), Line(((0, 0.42), (0, 0.82)), 0.1, INK)]
    return items


def _draw_from_hand() -> list[Item]:
    items: list[Item] = []
    for turn in (-42, -21, 0, 21, 42):
        reach = 1.12 if turn else 1.56
        items += _back(reach * math.sin(math.radians(turn)), 1.2 - reach * math.cos(math.radians(turn)), turn, 1.1)
    for side in (-1, 1):
        items += _arrow(((side * 0.68, -0.36), (side * 0.68, -0.7)), 0.15)
    return moved(items, 0, -0.02, scale=0.88)


def _view_hand() -> list[Item]:
    items: list[Item] = []
    for turn, words in ((-34, "red star"), (34, "green leaf"), (0, "blue moon")):
        x, y = 1.0 * math.sin(math.radians(turn)), 1.42 - 1.0 * math.cos(math.radians(turn))
        items += _face(x, y, words, turn, 0.98)
    lid = (
        *bezier((-0.92, 0.0), (-0.45, -0.66), (0.45, -0.66), (0.92, 0.0), 14),
        *bezier((0.92, 0.0), (0.45, 0.56), (-0.45, 0.56), (-0.92, 0.0), 14)[1:-1],
    )
    eye: list[Item] = [
        Line((*lid, lid[0]), 0.2, CREAM),
        Shape((lid,), "#ffffff"),
        Shape((circle(0, -0.02, 0.37),), TEAL.main),
        Line((*circle(0, -0.02, 0.37), (0.37, -0.02)), 0.05, INK),
        Shape((circle(0, -0.02, 0.18)[::2],), INK),
        Shape((circle(0.12, -0.14, 0.08)[::4],), "#ffffff"),
        Line((*lid, lid[0]), 0.08, INK),
    ]
    for turn in (-140, -115, -90, -65, -40):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        eye.append(Line(((0.86 * c, 0.16 + 0.82 * s), (1.02 * c, 0.16 + 1.04 * s)), 0.075, INK))
    return [*items, *moved(eye, 0, -0.3, scale=0.98)]


def _retrieve() -> list[Item]:
    items: list[Item] = []
    for y, turn in ((0.82, 3), (0.68, -4), (0.54, 2)):
        sheet = box(-0.72, -0.16, 1.44, 0.32, 0.08)
        stripe = box(-0.62, -0.06, 1.24, 0.14, 0.03)
        card: list[Item] = [Shape((sheet,), CREAM), Line((*sheet, sheet[0]), 0.05, INK), Shape((stripe,), WINE)]
        items += moved(card, 0, y, rotation=turn)
    items += _face(0, -0.22, "yellow key", 6, 1.26)
    for side in (-1, 1):
        items += _arrow(((side * 0.76, 0.26), (side * 0.76, -0.34)), 0.15)
    return items


def _take_over() -> list[Item]:
    items = [*_face(-0.62, 0.3, "blue shell", -8, 0.86), *_face(0.62, 0.3, "green moon", 8, 0.86)]
    items += _face(0, -0.1, "red star", 0, 1.24)
    items += _arrow(arc(-0.46, -0.44, 0.36, 300, 165)[::3], 0.14)
    items += _arrow(arc(0.46, -0.44, 0.36, 240, 375)[::3], 0.14, CREAM)
    return moved(items, 0, 0.12)


def _pile_swap() -> list[Item]:
    items = [*_back(-0.34, 0.2, -9, 1.04), *_face(0.34, -0.2, "violet shell", -9, 1.04)]
    items += _arrow(arc(0, 0, 0.93, 178, 262), 0.16)
    items += _arrow(arc(0, 0, 0.93, -2, 82), 0.16)
    return items


def _change_direction() -> list[Item]:
    items: list[Item] = []
    for n in range(8):
        x, y = 0.95 * math.cos(math.radians(45 * n + 22.5)), 0.95 * math.sin(math.radians(45 * n + 22.5))
        seat = circle(x, y, 0.11)[::4]
        items += [Shape((seat,), WINE), Line((*seat, seat[0]), 0.045, INK)]
    items += _arrow(arc(0, 0, 0.62, 20, -118), 0.2)
    items += _arrow(arc(0, 0, 0.62, 200, 62), 0.2)
    return [*items, *_back(0, 0, 0, 0.56)]


def _information() -> list[Item]:
    items: list[Item] = []
    left = (
        (0.0, -0.56),
        *bezier((0.0, -0.56), (-0.25, -0.74), (-0.65, -0.74), (-0.95, -0.62), 8)[1:],
        (-0.95, 0.52),
        *bezier((-0.95, 0.52), (-0.65, 0.4), (-0.25, 0.4), (0.0, 0.58), 8)[1:],
    )
    cover = tuple((x * 1.09, y * 1.06 + 0.06) for x, y in left)
    for side in (-1, 1):
        items.append(Shape((tuple((side * x, y) for x, y in cover),), WINE))
        edge = (*((side * x, y) for x, y in cover), (side * cover[0][0], cover[0][1]))
        items.append(Line(edge, 0.05, INK))
    for side in (-1, 1):
        page = tuple((-side * x, y) for x, y in left)
        items += [Shape((page,), "#ffffff"), Line((*page, page[0]), 0.05, INK)]
    for n, words in enumerate(("red star", "blue moon", "green leaf", "yellow key", "violet shell")):
        colour, name = words.split()
        x, y = ((-0.68, -0.4), (-0.28, -0.36), (-0.48, -0.08), (-0.68, 0.2), (-0.28, 0.24))[n]
        items += moved(figure(name, tint(colour), SMALL), x, y, scale=0.16)
    soft = mix(INK, "#ffffff", 0.35)
    items += [Shape((circle(0.48, -0.36, 0.1)[::4],), INK), Line(((0.48, -0.14), (0.48, 0.22)), 0.16, INK)]
    items += [Line(((0.4, -0.14), (0.48, -0.14)), 0.1, INK), Line(((0.38, 0.25), (0.58, 0.25)), 0.1, INK)]
    for y in (-0.4, -0.2, 0.0, 0.2):
        items.append(Line(((0.7, y), (0.84, y - 0.02)), 0.05, soft))
        items.append(Line(((0.12, y + 0.06), (0.26, y + 0.02)), 0.05, soft))
    return moved(items, 0, 0.03, scale=1.1)


_EMBLEMS: dict[str, Callable[[], list[Item]]] = {
    "draw-three": _draw_three,
    "draw-from-hand": _draw_from_hand,
    "view-hand": _view_hand,
    "retrieve": _retrieve,
    "take-over": _take_over,
    "pile-swap": _pile_swap,
    "change-direction": _change_direction,
    "information": _information,
}
NAMES = tuple(_EMBLEMS)
"""The effects that have an emblem."""
