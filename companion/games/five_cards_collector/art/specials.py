"""Special cards and the information card: an emblem in a medallion, the title above it, the text below."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from companion.games.five_cards_collector.art.emblems import emblem
from companion.games.five_cards_collector.art.panel import inside, lower, middle, panel, upper
from companion.press.drawing import (
    Colour,
    Drawing,
    Item,
    Line,
    Shape,
    box,
    circle,
    fitted,
    lean,
    moved,
    paragraph,
    paragraph_height,
)
from companion.press.look import RIM, Room
from companion.rules.cards import Card

TITLE, TEXT = 4.9, 3.15
"""Sizes (mm) of titles and texts, at which all of the deck's fit."""
PAPER = "#fbf5e6"


@dataclass(frozen=True)
class Style:
    """How a family of cards that are no symbols is coloured."""

    edge: Colour
    """The frame, and outlines."""
    field: Colour
    ray: Colour
    metal: Colour
    """The sun round the medallion."""
    title: Colour
    sun: bool
    """Whether the medallion has the points of a sun."""


SPECIAL = Style("#123f43", "#1b595d", "#23696d", "#f0b92e", "#fdf3d6", sun=True)
PLAIN = Style("#33505f", "#dfe8ed", "#d2dee5", "#5b7a8c", "#263f4c", sun=False)


def special(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a card by its effect or kind: dark with a sun for special cards, pale with a ring for any other."""
    style = SPECIAL if card.kind == "special" else PLAIN
    name = card.traits.get("effect") or card.kind
    band, above, below = middle(room), upper(room), lower(room)
    x, y = band.centre
    r = min(band.h, band.w) / 2
    panel(sheet, room, style.edge, style.field, _rays(style, x, y, room.shape.w, room.shape.h))
    sheet.add(moved(_medallion(style), x, y, scale=r))
    sheet.add(moved(emblem(name), x, y, scale=0.68 * r))
    if not room.coded:
        tab = _tab(style, name, room)
        sheet.add(tab)
        sheet.add(moved(tab, room.shape.w, room.shape.h, rotation=180))
    size, lines = fitted(card.title, TITLE, above.w - 2.0, above.h - 2.0, bold=True)
    top = above.y + (above.h - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(above.centre[0], top, lines, size, colour=style.title, bold=True))
    if card.text:
        slip = box(below.x + 1.0, below.y + 0.9, below.w - 1.9, below.h - 2.0, 1.8)
        sheet.fill(PAPER, slip)
        sheet.line(style.metal, 0.5, *slip, closed=True)
        size, lines = fitted(card.text, TEXT, below.w - 3.7, below.h - 3.4)
        top = below.y - 0.1 + (below.h - paragraph_height(lines, size)) / 2
        sheet.add(paragraph(below.centre[0], top, lines, size, colour=style.edge))


@cache
def _rays(style: Style, x: float, y: float, w: float, h: float) -> tuple[Item, ...]:
    """Draw broad rays from a point."""
    rays, far = [], w + h
    for n in range(20):
        a, b = math.radians(18 * n - 4.5), math.radians(18 * n + 4.5)
        rays.append(
            ((x, y), (x + far * math.cos(a), y + far * math.sin(a)), (x + far * math.cos(b), y + far * math.sin(b)))
        )
    return tuple(inside([Shape(tuple(rays), style.ray)], w, h))


@cache
def _medallion(style: Style) -> tuple[Item, ...]:
    """Draw a disc of radius about 1 for an emblem, with a sun's points or in a double ring."""
    items: list[Item] = []
    if style.sun:
        # long points and short ones between them
        points = tuple(
            (far * math.cos(math.radians(7.5 * n)), far * math.sin(math.radians(7.5 * n)))
            for n in range(48)
            for far in ((1.08, 0.9, 1.0, 0.9)[n % 4],)
        )
        items += [Shape((points,), style.metal), Line((*points, points[0]), 0.03, style.edge)]
    else:
        items += [Shape((circle(0, 0, 1.0),), style.metal), Line((*circle(0, 0, 0.95), (0.95, 0.0)), 0.025, PAPER)]
    disc = circle(0, 0, 0.87)
    items += [Shape((disc,), PAPER), Line((*disc, disc[0]), 0.035, style.edge)]
    inner = circle(0, 0, 0.82)
    return tuple(lean([*items, Line((*inner, inner[0]), 0.014, style.metal)], 0.002))


def _tab(style: Style, name: str, room: Room) -> list[Item]:
    """Draw the index of a card without codes: its emblem on paper in the corner, edged like the medallion."""
    r, side = room.inner, 20.0
    sheet = Drawing(0, 0)
    sheet.fill(style.edge, box(r.x, r.y, side + 0.5, side + 0.5, 3.0))
    sheet.fill(style.metal, box(r.x + RIM, r.y + RIM, side - RIM, side - RIM, 2.3))
    sheet.fill(PAPER, box(r.x + 1.7, r.y + 1.7, side - 2.7, side - 2.7, 1.4))
    sheet.add(moved(lean(emblem(name), 0.01), r.x + 0.35 + side / 2, r.y + 0.35 + side / 2, scale=7.4))
    return sheet.items
