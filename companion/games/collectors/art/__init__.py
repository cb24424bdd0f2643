"""The looks of Collectors: cards of three strips round a picture of the find, bottles, a back and a cover of shelves.

A tucked card shows one strip; each has an icon beside its code, and is known by colour and form: the item's is red with
a scalloped edge, the skill's a green tab, the market's a blue awning.
"""

from __future__ import annotations

import itertools

from companion.games.collectors.art import shelf
from companion.games.collectors.art.bottles import bottle
from companion.games.collectors.art.finds import find
from companion.games.collectors.art.grounds import ground, tones
from companion.games.collectors.art.icons import ITEM, MARKET, SKILL, coin, skill_icon, symbol
from companion.games.collectors.art.pen import INK, block
from companion.press.drawing import (
    CAP,
    LEADING,
    Drawing,
    Loop,
    arc,
    box,
    fitted,
    oval,
    paragraph,
    paragraph_height,
    star,
    text_width,
)
from companion.press.drawing import Shape as Filled
from companion.press.figures import Tint, mix, put
from companion.press.look import INSET, GameArt, Palette, Room
from companion.rules.cards import Card, Deck

__all__ = ["ART", "ITEM", "MARKET", "SKILL", "CollectorsArt", "coin", "skill_icon", "symbol"]

STRIP = 20.0
"""Height (mm) of the strip that shows of a tucked card."""
TITLE = 2.96
"""Size (mm) of a title; its capitals are 2.1 mm high."""
WORDS = 2.4
"""Size (mm) of the skill's sentence; its capitals are 1.7 mm high."""
DARK_RED = "#4a160c"
"""The darker ink of an icon on its seal."""
NAMES = {"penguin": "Penguin", "movie": "Movie", "technology": "Technology", "figures": "Figures", "music": "Music"}


class CollectorsArt(GameArt):
    """Cards of three strips, and bottles."""

    palette = Palette("#2f5f9e", "#1d3f70", "#f7efdc", "#e5a826")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        if {"item", "skill", "market"} <= card.traits.keys():
            (_coded if room.coded else _plain)(sheet, card, room)
        elif card.kind == "bottle":
            bottle(sheet, card, room)
        else:
            super().face(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        shelf.back(sheet, deck, room)

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        shelf.cover(sheet, deck)


ART = CollectorsArt()


def _coded(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a card with codes: icons beside them in the strips, the picture in what is left."""
    w, h = room.shape.w, room.shape.h
    item, skill, market, cash = _traits(card)
    edge, near = INSET, 11.45  # where the white round the upper and lower code begins
    column = near - edge
    for x in (edge, w - near):
        _ticket(sheet, x, column, 13.0 if x == edge else STRIP - 0.4)
        _awning(sheet, x, column, h - STRIP + 0.3, h - INSET)
    _badge(sheet, item, edge + column / 2, 7.9, 4.0)
    put(sheet, coin(cash), w - edge - column / 2, 6.9, 4.0)
    _badge(sheet, item, w - edge - column / 2, 15.1, 3.4)
    tab = column - 0.7  # a little air before the title
    sheet.fill(SKILL.main, block(edge, 13.6, tab, 16, 2.6))
    sheet.fill("#ffffff", oval(edge + tab / 2, 18.4, 3.95))
    put(sheet, skill_icon(skill), edge + tab / 2, 18.4, 3.45)
    foot = tab - 0.4  # the sentence beside it is longer than any title
    sheet.fill(SKILL.main, block(edge, 38, foot, h - STRIP - 38.4, 1.4))
    sheet.text(edge + foot / 2, h - STRIP - 1.1, "SKILL", WORDS, colour="#ffffff", bold=True)
    for x in (edge + column / 2, w - edge - column / 2):
        put(sheet, symbol(market, MARKET), x, h - 6.75, 3.75)

    right, narrow, wide = w - INSET - 0.1, w - INSET - STRIP - 1.2, w - INSET - near - 0.1
    size, lines = _stepped(card.title, TITLE, [wide, narrow], bold=True)
    top = STRIP + 0.62
    sheet.add(paragraph(right, top, lines, size, colour=ITEM.dark, bold=True, align="r"))
    small, words = _stepped(card.text, WORDS, [wide + 0.25, narrow], bold=False, backward=True)
    low = h - STRIP - 1.35  # the last baseline, above the white round the market's code
    first = low - (len(words) - 1) * LEADING * small - CAP * small
    sheet.add(paragraph(right, first, words, small, colour=SKILL.dark, align="r"))
    y0 = top + (len(lines) - 1) * LEADING * size + CAP * size + (0.9 if len(lines) > 1 else 1.0)
    y1 = (first if len(words) > 1 else h - STRIP - 3.5) - 0.8
    _picture(sheet, card, STRIP + 1.0, y0, w - INSET, y1)


def _traits(card: Card) -> tuple[str, str, str, str]:
    return card.traits["item"], card.traits["skill"], card.traits["market"], card.traits.get("cash", "1")


def _stepped(
    words: str, size: float, widths: list[float], *, bold: bool, backward: bool = False
) -> tuple[float, list[str]]:
    """Break words into lines of which the first (with `backward`, the last) may be wider; smaller if five would do.

    The row between two codes reaches further to the left than the others. Of the ways with the fewest lines the one
    with the shortest longest line is taken.
    """
    wide, narrow = widths
    parts = words.split()
    if len(parts) > 12:  # more than any card has: no time for all ways
        return fitted(words, size, narrow, 12.0, bold=bold)
    while parts and size > 1.2:
        for count in range(1, min(4, len(parts)) + 1):
            row = [wide, *[narrow] * (count - 1)]
            row = row[::-1] if backward else row
            fits = []
            for cuts in itertools.combinations(range(1, len(parts)), count - 1):
                lines = _broken(parts, cuts)
                spans = [text_width(line, size, bold) for line in lines]
                if all(span <= space for span, space in zip(spans, row, strict=True)):
                    fits.append((max(spans), lines))
            if fits:
                return size, min(fits)[1]
        size *= 0.95
    return size, [words] if parts else []


def _broken(parts: list[str], cuts: tuple[int, ...]) -> list[str]:
    return [" ".join(parts[a:b]) for a, b in itertools.pairwise((0, *cuts, len(parts)))]


def _plain(sheet: Drawing, card: Card, room: Room) -> None:
    w, h = room.shape.w, room.shape.h
    item, skill, market, cash = _traits(card)
    edge, high, tab = INSET, 15.0, 15.6
    inside = w - 2 * edge
    _ticket(sheet, edge, inside, edge + high - 0.4)
    _awning(sheet, edge, inside, h - edge - high, h - edge)
    put(sheet, coin(cash), edge + 4.3, edge + 4.4, 3.7)
    _badge(sheet, item, edge + 13.2, edge + 6.9, 5.6)
    size = min(
        fitted(name, 4.2, inside - 21.4, 9, bold=True)[0] for name in (*NAMES.values(), _name(item), _name(market))
    )
    sheet.text(edge + 19.8, edge + 6.9 + size * CAP / 2, _name(item), size, colour="#ffffff", bold=True, align="l")
    for x, turn in ((edge + 6.0, 0.0), (w - edge - 6.0, 180.0)):
        put(sheet, symbol(market, MARKET), x, h - edge - 4.7, 4.0, turn)
    sheet.text(w / 2, h - edge - 3.5, _name(market), size, colour=MARKET.dark, bold=True)

    top, low = edge + high + 0.5, h - edge - high - 0.8
    sheet.fill(SKILL.main, block(edge, top, tab, low - top, 3.0))
    sheet.fill(SKILL.main, box(edge, top, 4, low - top))
    sheet.fill("#ffffff", oval(edge + tab / 2, top + 7.7, 6.6, None, 48))
    put(sheet, skill_icon(skill), edge + tab / 2, top + 7.7, 5.5)
    space = low - top - 16.0
    small, words = fitted(card.text, 2.7, tab - 1.2, space)
    first = top + 15.2 + (space - paragraph_height(words, small)) / 2
    sheet.add(paragraph(edge + tab / 2, first, words, small, colour="#ffffff"))

    left = edge + tab + 0.8
    size, lines = fitted(card.title, TITLE, w - edge - left - 0.3, 11, bold=True)
    sheet.add(paragraph(left, top + 0.6, lines, size, colour=ITEM.dark, bold=True, align="l"))
    y0 = top + 0.6 + CAP * size + (len(lines) - 1) * LEADING * size + 1.1
    _picture(sheet, card, left, y0, w - edge, low)


def _name(category: str) -> str:
    return NAMES.get(category, category.replace("-", " ").capitalize())


def _ticket(sheet: Drawing, x: float, wide: float, low: float) -> None:
    sheet.fill(ITEM.main, block(x, INSET, wide, low - INSET - 0.75, 1.2))
    count = round(wide / 1.85)
    step = wide / count
    sheet.fill(ITEM.main, *(_scallop(x + (n + 0.5) * step, low - 0.85, step * 0.46) for n in range(count)))


def _badge(sheet: Drawing, category: str, x: float, y: float, r: float) -> None:
    seal, tone = mix(tones(category)[0], "#ffffff", 0.42), Tint(ITEM.dark, DARK_RED, ITEM.pale)
    put(sheet, [Filled((star(0, 0, 1.0, 0.9, 16),), seal)], x, y, r)
    put(sheet, symbol(category, tone), x, y, r * 0.78)


def _awning(sheet: Drawing, x: float, wide: float, top: float, low: float) -> None:
    sheet.fill(MARKET.pale, block(x, top, wide, low - top, 1.2))
    count = 2 * round(wide / 3.7) + 1
    step = wide / count
    r = step / 2 - 0.1
    for first, tone in ((0, MARKET.main), (1, "#ffffff")):
        stripes = [x + n * step for n in range(first, count, 2)]
        hems = (_scallop(at + step / 2, top + 3.7, step / 2) for at in stripes)
        sheet.fill(
            tone, *(((at, top + 0.8), (at + step, top + 0.8), *hem) for at, hem in zip(stripes, hems, strict=True))
        )
    for n in range(1, count, 2):
        sheet.line(MARKET.main, 0.2, *_scallop(x + (n + 0.5) * step, top + 3.7, r))
    sheet.fill(MARKET.dark, block(x, top, wide, 1.2, 0.5))


def _scallop(x: float, y: float, r: float) -> Loop:
    return arc(x, y, r, 0, 180)[::6]


def _picture(sheet: Drawing, card: Card, x0: float, y0: float, x1: float, y1: float) -> None:
    item = card.traits["item"]
    ground(sheet, item, x0, y0, x1, y1)
    wide, high = x1 - x0 - 1.8, y1 - y0 - 1.9
    if min(wide, high) < 2.0:  # words have taken it all
        return
    picture = find(card.title, item)
    scale = min(wide / picture.wide, high / picture.high)
    foot = y1 - 1.05 - (high - scale * picture.high) * 0.42
    middle, reach = (x0 + x1) / 2, scale * picture.wide / 2
    shadow = mix(tones(item)[1], INK, 0.22)
    sheet.fill(shadow, oval(middle, foot - 0.25, reach, 0.85))
    sheet.add(picture.fitted(middle, foot, wide, high))
