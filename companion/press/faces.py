"""The faces of cards: one frame for every game, and what is drawn on it by the card's kind and traits."""

from __future__ import annotations

from PIL import Image

from companion.codes import BACK
from companion.eye.mat import Mat, Rect, Shape
from companion.press import collectables, collection_cards, karmic_cards
from companion.press.drawing import (
    CAP,
    Drawing,
    Line,
    box,
    clip,
    fitted,
    hatch,
    moved,
    paragraph,
    paragraph_height,
    text_width,
)
from companion.press.figures import PLAIN, Tint, art, mix, put, tint
from companion.press.marks import face_codes, quiet_side
from companion.press.raster import render
from companion.rules.cards import Card, Deck

INSET = 2.2
"""How far (mm) the frame lies inside the card's edge: what a pair of scissors may miss."""
RIM = 0.7
"""Width (mm) of the frame's line."""
AIR = 0.9
"""White (mm) between a code's quiet zone and the frame."""

SPECIAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")
GOAL = Tint("#a98244", "#6b4d1d", "#f8f3e8")
BACKS = Tint("#3f6f78", "#274a52", "#e3edee")


def face_image(card: Card | None, deck: Deck, shape: Shape, face: str, px_per_mm: float) -> Image.Image:
    """Draw one face of a piece as an RGB image of w · px_per_mm × h · px_per_mm pixels.

    Face "B", or no card, is the back, which every card of the deck shares.
    """
    return render(face_drawing(card, deck, shape, face), px_per_mm)


def face_drawing(card: Card | None, deck: Deck, shape: Shape, face: str) -> Drawing:
    """Design one face of a piece, in mm. Face "B", or no card, is the back."""
    sheet = Drawing(shape.w, shape.h)
    if card is None or face == "B":
        _back(sheet, deck, shape)
        sheet.add(face_codes(deck.code, BACK, "B", shape))
        return sheet
    symbols = [words.split() for words in card.traits.get("symbols", "").split(",") if words.strip()]
    if {"item", "skill", "market"} <= card.traits.keys():
        collectables.collectable(sheet, card, shape)
    elif card.kind == "bottle":
        collectables.bottle(sheet, card, shape)
    elif card.kind in collection_cards.CARDS:
        _frame(sheet, shape, face, collection_cards.tone(card))
        collection_cards.words(sheet, card, free_areas(shape, face))
    elif {"suit", "rank"} <= card.traits.keys():
        _frame(sheet, shape, face, karmic_cards.suit_tint(card))
        karmic_cards.playing_card(sheet, card, shape, _columns(shape, face)[0])
    elif card.kind == "pawn" and "owner" in card.traits:
        karmic_cards.pawn(sheet, card, shape)
    elif card.kind == "partner":
        karmic_cards.partner(sheet, card, shape, face)
    elif card.kind in collection_cards.TOKENS:
        collection_cards.token(sheet, card, shape)
    elif symbols:
        _goal(sheet, card, shape, face, [(words[0], words[-1]) for words in symbols])
    elif "figure" in card.traits:
        _symbol(sheet, card, shape, face)
    else:
        _special(sheet, card, shape, face)
    sheet.add(face_codes(deck.code, card.piece, face, shape))
    return sheet


# --------------------------------------------------------------------------------------------------------- the frame


def code_squares(shape: Shape, face: str) -> list[Rect]:
    """Give the squares of a face that must stay white: each code with its quiet zone."""
    squares = []
    for place in shape.codes:
        if place.on == face:
            side = quiet_side(place)
            if round(place.rotation) % 90:
                side *= 1.42  # turned askew, its corners reach further
            squares.append(Rect(place.x - side / 2, place.y - side / 2, side, side))
    return squares


def free_areas(shape: Shape, face: str) -> list[Rect]:
    """Find the largest upright rectangles inside the frame that touch no code's quiet zone, the largest first."""
    gap = AIR + RIM
    x0, y0, x1, y1 = INSET + RIM, INSET + RIM, shape.w - INSET - RIM, shape.h - INSET - RIM
    taken = [(s.x - gap, s.y - gap, s.x + s.w + gap, s.y + s.h + gap) for s in code_squares(shape, face)]
    xs = sorted({x0, x1, *(x for left, _, right, _ in taken for x in (left, right) if x0 < x < x1)})
    ys = sorted({y0, y1, *(y for _, top, _, bottom in taken for y in (top, bottom) if y0 < y < y1)})
    free = [
        (left, top, right, bottom)
        for i, left in enumerate(xs)
        for right in xs[i + 1 :]
        for j, top in enumerate(ys)
        for bottom in ys[j + 1 :]
        if not any(a < right and left < c and b < bottom and top < d for a, b, c, d in taken)
    ]
    largest = [
        r
        for r in free
        if not any(o != r and o[0] <= r[0] and o[1] <= r[1] and o[2] >= r[2] and o[3] >= r[3] for o in free)
    ]
    rects = [Rect(left, top, right - left, bottom - top) for left, top, right, bottom in largest]
    return sorted(rects, key=lambda r: -r.w * r.h) or [Rect(x0, y0, x1 - x0, y1 - y0)]


def _columns(shape: Shape, face: str) -> tuple[Rect, Rect]:
    """Choose the two areas that words and pictures go to: the largest, and the largest one beside it."""
    areas = free_areas(shape, face)
    first = areas[0]
    beside = [r for r in areas[1:] if r.x >= first.x + first.w - 3 or r.x + r.w <= first.x + 3]
    second = beside[0] if beside else first
    return (first, second) if first.x <= second.x else (second, first)


def _frame(sheet: Drawing, shape: Shape, face: str, tone: Tint) -> None:
    """Paint the tinted panel with its thin frame, stepping round every code."""
    w, h = shape.w, shape.h
    x0, y0, x1, y1 = INSET, INSET, w - INSET, h - INSET
    sheet.fill(tone.main, box(x0, y0, x1 - x0, y1 - y0, 3.0))
    sheet.fill(tone.pale, box(x0 + RIM, y0 + RIM, x1 - x0 - 2 * RIM, y1 - y0 - 2 * RIM, 3.0 - RIM))
    # the white reaches a little beyond the frame, so that no hairline of it is left
    for colour, gap, beyond in ((tone.main, AIR + RIM, 0.0), ("#ffffff", AIR, 0.5)):
        for s in code_squares(shape, face):
            notch = box(s.x - gap, s.y - gap, s.w + 2 * gap, s.h + 2 * gap, 2.0 + gap - AIR)
            sheet.fill(colour, clip(notch, x0 - beyond, y0 - beyond, x1 + beyond, y1 + beyond))


# --------------------------------------------------------------------------------------------------------- the kinds


def _symbol(sheet: Drawing, card: Card, shape: Shape, face: str) -> None:
    """Draw a figure with its name, twice: whoever sits across the table reads it too."""
    tone = tint(card.traits.get("colour"))
    _frame(sheet, shape, face, tone)
    half = Drawing(shape.w, shape.h)
    area = _columns(shape, face)[0]
    words = card.title.split(" ", 1)
    size = 7.4
    for word in words:
        size = min(size, fitted(word, size, area.w - 2, 99, bold=True)[0])
    names = paragraph_height(words, size)
    r = min(area.w / 2 - 1.6, (area.h - names - 8) / 2, 13.5)
    spare = (area.h - 2 * r - names - 3.5) / 2
    x = area.centre[0]
    put(half, art(card.traits["figure"], tone), x, area.y + spare + r, r)
    half.add(paragraph(x, area.y + spare + 2 * r + 3.5, words, size, colour=tone.dark, bold=True))
    sheet.add(half.items)
    sheet.add(moved(half.items, shape.w, shape.h, rotation=180))


def _special(sheet: Drawing, card: Card, shape: Shape, face: str) -> None:
    """Draw an icon with the title in the left column, and the title with the text in the right one."""
    name = card.traits.get("effect") or card.traits.get("figure") or card.kind
    tone = tint(card.traits["colour"]) if "colour" in card.traits else SPECIAL if card.kind == "special" else PLAIN
    _frame(sheet, shape, face, tone)
    left, right = _columns(shape, face)
    r = min(left.w / 2 - 2, 11.5)
    size, lines = fitted(card.title, 5.2, left.w - 3, left.h - 2 * r - 9, bold=True)
    high = paragraph_height(lines, size)
    spare = (left.h - 2 * r - 4 - high) / 2
    put(sheet, art(name, tone), left.centre[0], left.y + spare + r, r)
    sheet.add(paragraph(left.centre[0], left.y + spare + 2 * r + 4, lines, size, colour=tone.dark, bold=True))
    if not card.text or right == left:
        return
    size, lines = fitted(card.text, 4.1, right.w - 4, right.h - 8)
    top = right.y + (right.h - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(right.x + 2.4, top, lines, size, align="l"))


def _goal(sheet: Drawing, card: Card, shape: Shape, face: str, symbols: list[tuple[str, str]]) -> None:
    """Show the symbols to collect with their names: a row across the middle, the rest above and below it."""
    _frame(sheet, shape, face, GOAL)
    right = _columns(shape, face)[1]
    size, lines = fitted(card.title, 4.6, right.w - 3, 9, bold=True)
    sheet.add(paragraph(right.centre[0], right.y + 2.6, lines, size, colour=GOAL.dark, bold=True))
    for (colour, figure), (x, y, r) in zip(symbols, _goal_places(shape, face, len(symbols)), strict=True):
        tone = tint(colour)
        words = f"{colour.capitalize()} {figure}"
        put(sheet, art(figure, tone), x, y, r)
        size = min(3.4, 3.4 * 2.28 * r / text_width(words, 3.4, True))
        sheet.text(x, y + r + 1.2 + size * CAP, words, size, colour=tone.dark, bold=True)


def _goal_places(shape: Shape, face: str, count: int) -> list[tuple[float, float, float]]:
    """Give centre and radius (mm) for each of `count` symbols, in reading order, all of one size."""
    left, right = _columns(shape, face)
    title, name = 7.5, 5.0
    top, low = right.y + title, right.y + right.h
    bands = [a for a in free_areas(shape, face) if a.w > 1.4 * right.w and a.y > top and left.y <= a.y + a.h]
    if count < 3 or not bands:
        # no row across: everything goes down the right column
        pitch = (low - top) / max(1, count)
        r = min((pitch - name) / 2, right.w / 2 - 3)
        return [(right.centre[0], top + (i + 0.5) * pitch - name / 2, r) for i in range(count)]
    band = bands[0]
    above, below = (count - 2) // 2 or 1, (count - 3) // 2 if count > 3 else 0
    across = count - above - below
    r = min(band.w / across / 2.5, (band.h - name) / 2, (band.y - top) / above / 2 - name / 2)
    places = [(right.centre[0], top + (i + 0.5) * (band.y - top) / above - name / 2 + 0.8, r) for i in range(above)]
    places += [(band.x + (i + 0.5) * band.w / across, band.centre[1] - name / 2 + 0.8, r) for i in range(across)]
    start, room = band.y + band.h, left.y + left.h - band.y - band.h
    places += [(left.centre[0], start + (i + 0.5) * room / below - name / 2, r) for i in range(below)]
    return places


def _back(sheet: Drawing, deck: Deck, shape: Shape) -> None:
    """Draw the quiet back that all cards share."""
    tone = BACKS
    _frame(sheet, shape, "B", tone)
    w, h = shape.w, shape.h
    soft = mix(tone.pale, tone.main, 0.22)
    codes = code_squares(shape, "B")
    for area in free_areas(shape, "B"):
        inside = box(area.x, area.y, area.w, area.h, 2.0)
        for angle in (45, -45):
            sheet.add(Line(part, 0.22, soft) for part in hatch(inside, angle, 3.2))
    size, lines = fitted(deck.title, 4.6, w * 0.42, 24, bold=True)
    half = paragraph_height(lines, size) / 2
    x, y = w / 2, h / 2
    if any(s.x < x + w * 0.26 and x - w * 0.26 < s.x + s.w and abs(s.y + s.h / 2 - y) < s.h / 2 for s in codes):
        x, y = free_areas(shape, "B")[0].centre
    seal = box(x - w * 0.26, y - half - 4, w * 0.52, 2 * half + 8, 3.0)
    sheet.fill("#ffffff", seal)
    sheet.line(tone.main, 0.4, *seal, closed=True)
    sheet.add(paragraph(x, y - half, lines, size, colour=tone.dark, bold=True))


def shape_faces(shape: Shape) -> list[str]:
    """List the sides of a shape that carry codes, in the order of the mat file, the back left out."""
    return [side for side in dict.fromkeys(place.on for place in shape.codes) if side != "B"]


def shape_for(mat: Mat, card: Card | None) -> Shape:
    """Find the shape of a card; of the back for None."""
    return mat.shape_of(card.kind if card else "back")
