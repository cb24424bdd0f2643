"""Bottle tokens: a band of the owner's colour and pattern round the code, and on screens a bottle."""

from __future__ import annotations

from companion.games.collectors.art.pen import INK
from companion.press.drawing import Colour, Drawing, Point, box, circle, moved, rounded
from companion.press.figures import Tint, mix, tint
from companion.press.look import Room
from companion.rules.cards import Card

RIM = 0.45
"""White (mm) at a token's edge."""
BAND = 0.88
"""Width (mm) of the coloured band between the rim and the code's quiet zone."""
PATTERNS = ("solid", "dashed", "beaded", "double")
"""How the bands and labels of the first, second, … owner differ, colour apart."""


def bottle(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a token: with a code, the band round it; without, a large bottle."""
    tone = tint(card.traits.get("colour"))
    owner = card.traits.get("owner", "1")
    pattern = PATTERNS[(int(owner) - 1) % len(PATTERNS)] if owner.isdecimal() else PATTERNS[0]
    w, h = room.shape.w, room.shape.h
    sheet.fill("#ffffff", box(0, 0, w, h))
    _band(sheet, tone, pattern, w, h)
    if room.coded:
        return
    inner = RIM + BAND
    sheet.fill(mix(tone.pale, tone.main, 0.16), box(inner, inner, w - 2 * inner, h - 2 * inner, 1.2))
    drawing = Drawing(0, 0)
    _big_bottle(drawing, tone, pattern)
    sheet.add(moved(drawing.items, w / 2, h / 2, scale=min(w, h) / 22))


def _band(sheet: Drawing, tone: Tint, pattern: str, w: float, h: float) -> None:
    """Paint the band: solid, in dashes, with white beads, or of two lines."""
    inner = RIM + BAND
    sheet.fill(tone.main, box(RIM, RIM, w - 2 * RIM, h - 2 * RIM, 0.8))
    if pattern == "dashed":
        for n in range(6):
            at = RIM + (n + 0.5) * (w - 2 * RIM) / 6 - 0.5
            for x, y, a, b in (
                (at, 0, 1.0, inner),
                (at, h - inner, 1.0, inner),
                (0, at, inner, 1.0),
                (w - inner, at, inner, 1.0),
            ):
                sheet.fill("#ffffff", box(x, y, a, b))
    elif pattern == "beaded":
        count = 13
        middle = RIM + BAND / 2
        for n in range(count):
            at = middle + n * (w - 2 * middle) / (count - 1)
            for x, y in ((at, middle), (at, h - middle), (middle, at), (w - middle, at)):
                sheet.fill("#ffffff", circle(x, y, 0.3)[::3])
    elif pattern == "double":
        gap = RIM + 0.42
        sheet.fill(tone.dark, box(gap, gap, w - 2 * gap, h - 2 * gap, 0.4))
    sheet.fill("#ffffff", box(inner, inner, w - 2 * inner, h - 2 * inner))


def _big_bottle(sheet: Drawing, tone: Tint, pattern: str) -> None:
    """Draw a bottle 18 mm high round the origin, its label of the owner's pattern."""
    right: list[Point] = [(1.5, -6.4), (1.5, -3.6), (4.5, 0.2), (4.5, 8.8)]
    glass = rounded((*right, *((-x, y) for x, y in reversed(right))), 1.3)
    cork = box(-1.3, -9.0, 2.6, 3.0, 0.5)
    for loop in (cork, glass):
        sheet.line(INK, 0.9, *loop, closed=True)
    sheet.fill("#c98f55", cork)
    sheet.fill(tone.main, glass)
    sheet.fill(tone.dark, box(-2.0, -6.5, 4.0, 1.3, 0.4))
    sheet.line(mix(tone.main, "#ffffff", 0.55), 0.7, (-3.2, 0.6), (-1.5, -2.0))
    sheet.fill("#fff8e8", box(-4.45, 1.2, 8.9, 5.6))
    for y in (1.2, 6.8):
        sheet.line(INK, 0.35, (-4.45, y), (4.45, y))
    _label(sheet, tone.dark, pattern)


def _label(sheet: Drawing, dark: Colour, pattern: str) -> None:
    if pattern == "solid":
        sheet.fill(dark, box(-4.45, 2.6, 8.9, 2.8))
    elif pattern == "dashed":
        for n in range(3):
            sheet.fill(dark, box(-4.0 + n * 2.9, 2.6, 2.2, 2.8))
    elif pattern == "beaded":
        for x in (-2.8, 0.0, 2.8):
            sheet.fill(dark, circle(x, 4.0, 1.15))
    else:
        for y in (2.4, 4.6):
            sheet.fill(dark, box(-4.45, y, 8.9, 1.1))
