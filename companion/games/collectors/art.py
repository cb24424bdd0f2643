"""The cards and bottles of Collectors: a strip for the item on top, for the skill on the left, for the market below.

A tucked card shows one strip; each has its icon in the corner that stays visible with it, beside its code.
"""

from __future__ import annotations

import math

from companion.press.drawing import Drawing, Item, Line, box, circle, fitted, paragraph, paragraph_height
from companion.press.drawing import Shape as Filled
from companion.press.figures import Tint, put, tint
from companion.press.look import GameArt, Palette, Room
from companion.rules.cards import Card

STRIP = 20.0
"""Height (mm) of the strip that shows of a tucked card."""

ITEM = Tint("#c8553d", "#7e2a1a", "#fbe9e4")
SKILL = Tint("#3f8f5b", "#1f5c37", "#e6f3ea")
MARKET = Tint("#3a6ea5", "#1f426b", "#e6eef7")


class CollectorsArt(GameArt):
    """Cards of three strips, and bottles."""

    palette = Palette("#2f76c4", "#1d4f8c", "#ebf2fa", "#d99a12")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a card by its traits, or a bottle."""
        if {"item", "skill", "market"} <= card.traits.keys():
            collectable(sheet, card, room)
        elif card.kind == "bottle":
            bottle(sheet, card, room)
        else:
            super().face(sheet, card, room)


ART = CollectorsArt()


def collectable(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a card without its codes: three tinted strips, their icons, the cash value, title, picture and skill."""
    w, h = room.shape.w, room.shape.h
    sheet.fill("#ffffff", box(0, 0, w, h))
    sheet.fill(SKILL.pale, box(1.2, STRIP, STRIP - 1.2, h - 2 * STRIP))
    sheet.fill(ITEM.pale, box(1.2, 1.2, w - 2.4, STRIP - 1.2, 2.0))
    sheet.fill(MARKET.pale, box(1.2, h - STRIP, w - 2.4, STRIP - 1.2, 2.0))
    item, skill, market = (card.traits[name] for name in ("item", "skill", "market"))
    put(sheet, symbol(item, ITEM), 6.7, 6.4, 4.0)
    put(sheet, skill_icon(skill), 6.7, STRIP - 3.9, 3.7)
    for x in (6.7, w - 6.7):
        put(sheet, symbol(market, MARKET), x, h - 7.0, 4.0)
    put(sheet, _coin(card.traits["cash"]), w - 6.7, 7.0, 4.2)
    left, wide = STRIP + 1.0, w - STRIP - 2.4
    put(sheet, symbol(item, ITEM), left + wide / 2, STRIP + 8.0, 6.2)
    size, lines = fitted(card.title, 2.9, wide, 7.5, bold=True)
    sheet.add(paragraph(left + wide / 2, STRIP + 15.4, lines, size, colour=ITEM.dark, bold=True))
    size, small = fitted(card.text, 2.2, wide, 6.0)
    top = h - STRIP - 0.8 - paragraph_height(small, size)
    sheet.add(paragraph(left + wide / 2, top, small, size, colour=SKILL.dark))


def bottle(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a bottle token: a rim of its colour; the code takes the rest."""
    tone = tint(card.traits.get("colour"))
    sheet.fill(tone.main, box(0, 0, room.shape.w, room.shape.h))


# ------------------------------------------------------------------------------------------------------------- icons


def symbol(name: str, tone: Tint) -> list[Item]:
    """Draw the icon of a category of items."""
    return _SYMBOLS[name](tone) if name in _SYMBOLS else [Filled((circle(0, 0, 0.8),), tone.main)]


def skill_icon(skill: str) -> list[Item]:
    """Draw the icon of a skill; a category's skill shows the category with "+1"."""
    if skill in _SKILLS:
        return _SKILLS[skill]()
    return [*_disc(SKILL), *_words("+1", -0.18, 0.62), *_shrunk(symbol(skill.removeprefix("vp-"), SKILL))]


def _shrunk(items: list[Item]) -> list[Item]:
    drawing = Drawing(0, 0)
    put(drawing, items, 0.0, 0.42, 0.42)
    return list(drawing.items)


def _disc(tone: Tint) -> list[Item]:
    ring = circle(0, 0, 0.98)
    return [Filled((ring,), "#ffffff"), Line((*ring, ring[0]), 0.09, tone.main)]


def _words(words: str, y: float, size: float) -> list[Item]:
    drawing = Drawing(0, 0)
    drawing.text(0, y, words, size, colour=SKILL.dark, bold=True)
    return list(drawing.items)


def _penguin(tone: Tint) -> list[Item]:
    body = tuple((0.62 * math.cos(a), 0.05 + 0.95 * math.sin(a)) for a in _round(40))
    belly = tuple((0.38 * math.cos(a), 0.28 + 0.6 * math.sin(a)) for a in _round(40))
    beak = ((-0.14, -0.42), (0.14, -0.42), (0.0, -0.2))
    feet: list[Item] = [Line(((x - 0.18, 0.97), (x + 0.18, 0.97)), 0.14, "#e0922d") for x in (-0.25, 0.25)]
    eyes: list[Item] = [Filled((circle(x, -0.55, 0.09),), "#ffffff") for x in (-0.2, 0.2)]
    wings: list[Item] = [Line(((0.55 * s, -0.15), (0.85 * s, 0.4)), 0.2, tone.dark) for s in (-1, 1)]
    return [*wings, *feet, Filled((body,), tone.dark), Filled((belly,), "#ffffff"), *eyes, Filled((beak,), "#e0922d")]


def _movie(tone: Tint) -> list[Item]:
    board, bar = box(-0.85, -0.25, 1.7, 1.1, 0.1), box(-0.85, -0.72, 1.7, 0.36, 0.06)
    stripes: list[Item] = [
        Filled((((x, -0.72), (x + 0.22, -0.72), (x + 0.08, -0.36), (x - 0.14, -0.36)),), "#ffffff")
        for x in (-0.6, -0.16, 0.28)
    ]
    lines: list[Item] = [Line(((-0.6, y), (0.6, y)), 0.07, "#ffffff") for y in (0.12, 0.45)]
    return [Filled((board,), tone.main), Filled((bar,), tone.dark), *stripes, *lines]


def _technology(tone: Tint) -> list[Item]:
    chip, core = box(-0.55, -0.55, 1.1, 1.1, 0.08), box(-0.25, -0.25, 0.5, 0.5, 0.05)
    legs: list[Item] = []
    for at in (-0.33, 0.0, 0.33):
        for side in (-1, 1):
            legs.append(Line(((at, 0.55 * side), (at, 0.9 * side)), 0.11, tone.dark))
            legs.append(Line(((0.55 * side, at), (0.9 * side, at)), 0.11, tone.dark))
    return [*legs, Filled((chip,), tone.main), Filled((core,), "#ffffff")]


def _figures(tone: Tint) -> list[Item]:
    head, body = box(-0.38, -0.82, 0.76, 0.6, 0.1), box(-0.5, -0.15, 1.0, 0.72, 0.08)
    eyes: list[Item] = [Filled((circle(x, -0.54, 0.1),), "#ffffff") for x in (-0.17, 0.17)]
    limbs: list[Item] = [Line(((0.6 * s, -0.05), (0.75 * s, 0.45)), 0.16, tone.dark) for s in (-1, 1)]
    limbs += [Line(((0.24 * s, 0.6), (0.24 * s, 0.95)), 0.2, tone.dark) for s in (-1, 1)]
    aerial: list[Item] = [Line(((0, -0.82), (0, -1.0)), 0.08, tone.dark), Filled((circle(0, -1.0, 0.09),), tone.dark)]
    return [*limbs, *aerial, Filled((head,), tone.dark), Filled((body,), tone.main), *eyes]


def _music(tone: Tint) -> list[Item]:
    notes: list[Item] = [Filled((circle(x, y, 0.27),), tone.main) for x, y in ((-0.45, 0.6), (0.5, 0.42))]
    stems: list[Item] = [Line(((-0.22, 0.6), (-0.22, -0.65)), 0.12, tone.dark)]
    stems.append(Line(((0.73, 0.42), (0.73, -0.85)), 0.12, tone.dark))
    beam = ((-0.28, -0.7), (0.79, -0.95), (0.79, -0.6), (-0.28, -0.35))
    return [*stems, Filled((beam,), tone.dark), *notes]


def _bottle() -> list[Item]:
    glass = ((-0.16, -0.8), (0.16, -0.8), (0.16, -0.35), (0.36, -0.05), (0.36, 0.78), (-0.36, 0.78), (-0.36, -0.05),
             (-0.16, -0.35))  # fmt: skip
    label = box(-0.36, 0.15, 0.72, 0.34)
    return [*_disc(SKILL), Filled((glass,), SKILL.main), Filled((label,), "#ffffff")]


def _work_card() -> list[Item]:
    card = box(-0.34, -0.5, 0.68, 0.98, 0.1)
    plus: list[Item] = [Line(((-0.18, 0), (0.18, 0)), 0.12, "#ffffff"), Line(((0, -0.18), (0, 0.18)), 0.12, "#ffffff")]
    return [*_disc(SKILL), Filled((card,), SKILL.main), *plus]


def _work_income() -> list[Item]:
    return [*_disc(SKILL), *_words("$2", 0.36, 0.98)]


def _auction_income() -> list[Item]:
    head = ((-0.62, -0.22), (-0.22, -0.62), (0.12, -0.28), (-0.28, 0.12))
    handle = Line(((-0.05, -0.05), (0.55, 0.5)), 0.16, SKILL.dark)
    base = Line(((-0.5, 0.62), (0.25, 0.62)), 0.16, SKILL.dark)
    return [*_disc(SKILL), handle, Filled((head,), SKILL.main), base]


def _vp_all() -> list[Item]:
    return [*_disc(SKILL), *_words("5", 0.42, 1.2)]


def _coin(cash: str) -> list[Item]:
    ring = circle(0, 0, 0.98)
    drawing = Drawing(0, 0)
    drawing.text(0, 0.34, f"${cash}", 0.95, colour="#6b4d1d", bold=True)
    return [Filled((ring,), "#f3d783"), Line((*ring, ring[0]), 0.1, "#a98244"), *drawing.items]


def _round(steps: int) -> list[float]:
    return [2 * math.pi * n / steps for n in range(steps)]


_SYMBOLS = {"penguin": _penguin, "movie": _movie, "technology": _technology, "figures": _figures, "music": _music}
_SKILLS = {
    "bottle": _bottle,
    "work-income": _work_income,
    "work-card": _work_card,
    "auction-income": _auction_income,
    "vp-all": _vp_all,
}
