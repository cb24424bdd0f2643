"""Special cards and the information card: an emblem in a medallion, the title above it, the text below."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.five_cards_collector.art.figures import SMALL, marked
from companion.games.five_cards_collector.art.panel import inside, lower, middle, panel, upper
from companion.kept import kept
from companion.press.drawing import (
    Colour,
    Drawing,
    Item,
    Shape,
    box,
    fitted,
    lean,
    moved,
    paragraph,
    paragraph_height,
    rays,
)
from companion.press.figures import Tint, art
from companion.press.look import RIM, Room
from companion.press.pictures import drawn, filled, picture, pictures
from companion.rules.cards import Card

TITLE, TEXT = 4.9, 3.15
"""Sizes (mm) of titles and texts, at which all of the deck's fit."""
PAPER = "#fbf5e6"
TEAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")


@kept()
def emblem(name: str) -> tuple[Item, ...]:
    """Draw the emblem of an effect; for an unknown one what the press draws for it."""
    if f"emblems/{name}" not in pictures("five-cards-collector", "emblems"):
        return tuple(art(name, TEAL))
    return tuple(
        lean(filled(picture("five-cards-collector", f"emblems/{name}"), {}, lambda mark: marked(mark, SMALL)), 0.004)
    )


@dataclass(frozen=True)
class Style:
    """How a family of cards that are no symbols is coloured."""

    edge: Colour
    """The frame, and outlines."""
    field: Colour
    ray: Colour
    metal: Colour
    """The edge of the index."""
    title: Colour
    medallion: str
    """The picture of what the emblem lies on."""


SPECIAL = Style("#123f43", "#1b595d", "#23696d", "#f0b92e", "#fdf3d6", "special")
PLAIN = Style("#33505f", "#dfe8ed", "#d2dee5", "#5b7a8c", "#263f4c", "plain")


def special(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a card by its effect or kind: dark with a sun for special cards, pale with a ring for any other."""
    style = SPECIAL if card.kind == "special" else PLAIN
    name = card.traits.get("effect") or card.kind
    band, above, below = middle(room), upper(room), lower(room)
    x, y = band.centre
    r = min(band.h, band.w) / 2
    panel(sheet, room, style.edge, style.field, _rays(style, x, y, room.shape.w, room.shape.h))
    sheet.add(moved(drawn("five-cards-collector", f"medallions/{style.medallion}"), x, y, scale=r))
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


@kept()
def _rays(style: Style, x: float, y: float, w: float, h: float) -> tuple[Item, ...]:
    return tuple(inside([Shape(tuple(rays(x, y, w + h, 20)), style.ray)], w, h))


def _tab(style: Style, name: str, room: Room) -> list[Item]:
    """Draw the index of a card without codes: its emblem on paper in the corner, edged like the medallion."""
    r, side = room.inner, 20.0
    sheet = Drawing(0, 0)
    sheet.fill(style.edge, box(r.x, r.y, side + 0.5, side + 0.5, 3.0))
    sheet.fill(style.metal, box(r.x + RIM, r.y + RIM, side - RIM, side - RIM, 2.3))
    sheet.fill(PAPER, box(r.x + 1.7, r.y + 1.7, side - 2.7, side - 2.7, 1.4))
    sheet.add(moved(lean(emblem(name), 0.01), r.x + 0.35 + side / 2, r.y + 0.35 + side / 2, scale=7.4))
    return sheet.items
