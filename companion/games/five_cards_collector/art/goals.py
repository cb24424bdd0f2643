"""Collection cards: a cabinet with a niche for each symbol to collect, its name on the shelf below it."""

from __future__ import annotations

import math

from companion.eye.mat import Rect
from companion.games.five_cards_collector.art.figures import NAMES, Grain, etched, figure
from companion.games.five_cards_collector.art.panel import hollowed, lower, middle, panel, upper
from companion.kept import kept
from companion.press.drawing import (
    CAP,
    Drawing,
    Item,
    Line,
    Shape,
    arc,
    box,
    circle,
    fitted,
    lean,
    moved,
    paragraph,
    paragraph_height,
    text_width,
)
from companion.press.figures import mix, tint
from companion.press.look import RIM, Room
from companion.rules.cards import Card

WOOD, SHELF, BRASS, PAPER, INK = "#7a5523", "#5a3c14", "#e3bd62", "#f8f0dc", "#4c330f"
LABEL = 2.97
"""Size (mm) of the names under the symbols."""
TITLE, NOTE = 4.3, 3.6
_GRAIN = Grain(0.18, 0.053, 0.078, 0.009)

Symbol = tuple[str, str]
"""Colour and figure."""


def symbols_of(card: Card) -> list[Symbol]:
    """List the symbols that a card's trait names: "red star, blue moon"."""
    named = [words.split() for words in card.traits.get("symbols", "").split(",") if words.strip()]
    return [(words[0], words[-1]) for words in named]


def goal(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a collection card: its title on a brass plate, the cabinet, and what it asks for."""
    r = room.inner
    boards = [Line(((r.x + RIM, y), (r.x + r.w - RIM, y)), 0.25, mix(WOOD, SHELF, 0.55)) for y in _steps(r, 5.4)]
    panel(sheet, room, INK, WOOD, boards)
    sheet.add(_plate(upper(room), card.title))
    sheet.add(_cabinet(middle(room), tuple(symbols_of(card))))
    if card.text:
        sheet.add(_note(lower(room), card.text))
    if not room.coded:
        tab = _number(card.title, room)
        sheet.add(tab)
        sheet.add(moved(tab, room.shape.w, room.shape.h, rotation=180))


def _steps(r: Rect, step: float) -> list[float]:
    return [r.y + step * i for i in range(1, math.ceil(r.h / step))]


def _plate(area: Rect, title: str) -> list[Item]:
    x, y, w, h = area.x + 1.4, area.y + 2.6, area.w - 3.0, area.h - 5.2
    edge = hollowed(x, y, w, h, 2.2)
    sheet = Drawing(0, 0)
    sheet.fill(BRASS, edge)
    sheet.line(INK, 0.45, *edge, closed=True)
    inner = box(x + 2.6, y + 1.1, w - 5.2, h - 2.2)
    sheet.line(mix(BRASS, INK, 0.35), 0.3, *inner, closed=True)
    # a title keeps to one line where it can, so that it is found in a file, too
    size, lines = fitted(title, TITLE, w - 4.6, h - 7.0, bold=True)
    high, gap, r = paragraph_height(lines, size), 1.9, 1.75
    top = y + (h - high - gap - 2 * r) / 2
    sheet.add(paragraph(x + w / 2, top, lines, size, colour=INK, bold=True))
    for n, name in enumerate(NAMES):
        place = (x + w / 2 + (n - len(NAMES) // 2) * 4.6, top + high + gap + r)
        sheet.add(moved(etched(name, mix(BRASS, INK, 0.62), BRASS), *place, scale=r))
    return sheet.items


def _note(area: Rect, text: str) -> list[Item]:
    x, y, w, h = area.x + 1.4, area.y + 2.0, area.w - 2.8, area.h - 4.4
    sheet = Drawing(0, 0)
    sheet.fill(INK, box(x + 0.5, y + 0.6, w, h, 0.8))
    sheet.fill(PAPER, box(x, y, w, h, 0.8))
    # its upper right corner is folded down
    sheet.fill(WOOD, ((x + w - 3.2, y), (x + w + 0.1, y - 0.1), (x + w, y + 3.2)))
    sheet.fill(mix(PAPER, INK, 0.18), ((x + w - 3.2, y), (x + w, y + 3.2), (x + w - 3.2, y + 3.2)))
    size, lines = fitted(text, NOTE, w - 3, h - 2)
    top = y + (h - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(x + w / 2, top, lines, size, colour=INK))
    return sheet.items


@kept()
def _cabinet(area: Rect, symbols: tuple[Symbol, ...]) -> tuple[Item, ...]:
    sheet = Drawing(0, 0)
    x, y, w, h = area.x + 0.2, area.y + 0.3, area.w - 0.4, area.h - 0.6
    sheet.fill(INK, box(x, y, w, h, 1.6))
    sheet.fill(SHELF, box(x + 0.45, y + 0.45, w - 0.9, h - 0.9, 1.2))
    rows = 1 if len(symbols) < 3 else 2
    across = max(1, math.ceil(len(symbols) / rows))
    wide, high = (w - 1.8) / across, (h - 1.8) / rows
    for row in range(rows):
        here = symbols[row * across : (row + 1) * across]
        spare = (across - len(here)) * wide / 2
        top = y + 0.9 + row * high
        for n, symbol in enumerate(here):
            sheet.add(_niche(Rect(x + 0.9 + spare + n * wide, top, wide, high), *symbol))
        for side in (x + 0.9, x + w - 0.9 - spare) if spare else ():
            for n in range(3):
                sheet.add(_drawer(Rect(side, top + n * high / 3, spare, high / 3)))
    return tuple(lean(sheet.items, 0.04))


def _niche(cell: Rect, colour: str, name: str) -> list[Item]:
    tone = tint(colour)
    x, y, w, h = cell.x + 0.35, cell.y + 0.35, cell.w - 0.7, cell.h - 0.7
    foot = LABEL * CAP + 2.2
    sheet = Drawing(0, 0)
    rise = min(4.0, w / 4)
    arch = (*arc(x + w / 2, y + rise, w / 2, 180, 360, rise), (x + w, y + h - foot), (x, y + h - foot))
    sheet.fill(tone.pale, arch)
    sheet.fill(PAPER, box(x, y + h - foot + 0.25, w, foot - 0.25, 0.5))
    words = f"{colour.capitalize()} {name}"
    size = min(LABEL, LABEL * (w - 0.2) / text_width(words, LABEL, True))
    sheet.text(x + w / 2, y + h - foot / 2 + size * CAP / 2 - 0.05, words, size, colour=tone.dark, bold=True)
    r = min((h - foot) / 2 - 0.35, w / 2 - 0.6)
    sheet.add(moved(figure(name, tone, _GRAIN), x + w / 2, y + (h - foot) / 2 + 0.05, scale=r))
    return sheet.items


def _drawer(cell: Rect) -> list[Item]:
    front = box(cell.x + 0.35, cell.y + 0.35, cell.w - 0.7, cell.h - 0.7, 0.5)
    return [
        Shape((front,), WOOD),
        Line((*front, front[0]), 0.25, INK),
        Shape((circle(*cell.centre, 0.95)[::4],), INK),
        Shape((circle(*cell.centre, 0.65)[::4],), BRASS),
    ]


def _number(title: str, room: Room) -> list[Item]:
    last = title.split()[-1] if title.split() else ""
    sign = last if last.isdigit() and len(last) < 3 else title[:1].upper()
    r = room.inner
    wide, high = 19.0, 19.0
    sheet = Drawing(0, 0)
    sheet.fill(INK, box(r.x, r.y, wide, high, 3.0))
    sheet.fill(PAPER, box(r.x + 0.8, r.y + 0.8, wide - 1.6, high - 1.6, 2.2))
    sheet.line(BRASS, 0.7, *box(r.x + 2.0, r.y + 2.0, wide - 4, high - 4, 1.4), closed=True)
    sheet.text(
        r.x + wide / 2, r.y + high / 2 + 12 * CAP / 2, sign, 12.0 if len(sign) < 2 else 10.5, colour=INK, bold=True
    )
    if sign in ("6", "9"):
        # turned by half a turn, one would be taken for the other
        foot = r.y + high - 3.6
        sheet.line(INK, 0.8, (r.x + wide / 2 - 2.6, foot), (r.x + wide / 2 + 2.6, foot))
    return sheet.items
