"""The looks of Five Cards Collector: five figures in five colours, and icons for what special cards do."""

from __future__ import annotations

from companion.press.drawing import CAP, Drawing, fitted, moved, paragraph, paragraph_height, text_width
from companion.press.figures import PLAIN, Tint, art, put, tint
from companion.press.look import GameArt, Palette, Room, frame
from companion.rules.cards import Card

SPECIAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")
GOAL = Tint("#a98244", "#6b4d1d", "#f8f3e8")


class FiveCardsArt(GameArt):
    """Symbol cards show their figure twice, collection cards what is to be collected, special cards an icon."""

    palette = Palette("#b8323c", "#6d1a22", "#fbeeec", "#efb61a")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a card by its traits."""
        symbols = [words.split() for words in card.traits.get("symbols", "").split(",") if words.strip()]
        if symbols:
            _goal(sheet, card, room, [(words[0], words[-1]) for words in symbols])
        elif "figure" in card.traits:
            _symbol(sheet, card, room)
        else:
            _special(sheet, card, room)


ART = FiveCardsArt()


def _symbol(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a figure with its name, twice: whoever sits across the table reads it too."""
    tone = tint(card.traits.get("colour"))
    frame(sheet, room, tone)
    half = Drawing(room.shape.w, room.shape.h)
    area = room.columns[0]
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
    sheet.add(moved(half.items, room.shape.w, room.shape.h, rotation=180))


def _special(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw an icon with the title in the left column, and the title with the text in the right one."""
    name = card.traits.get("effect") or card.traits.get("figure") or card.kind
    tone = tint(card.traits["colour"]) if "colour" in card.traits else SPECIAL if card.kind == "special" else PLAIN
    frame(sheet, room, tone)
    left, right = room.columns
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


def _goal(sheet: Drawing, card: Card, room: Room, symbols: list[tuple[str, str]]) -> None:
    """Show the symbols to collect with their names: a row across the middle, the rest above and below it."""
    frame(sheet, room, GOAL)
    right = room.columns[1]
    size, lines = fitted(card.title, 4.6, right.w - 3, 9, bold=True)
    sheet.add(paragraph(right.centre[0], right.y + 2.6, lines, size, colour=GOAL.dark, bold=True))
    for (colour, figure), (x, y, r) in zip(symbols, _goal_places(room, len(symbols)), strict=True):
        tone = tint(colour)
        words = f"{colour.capitalize()} {figure}"
        put(sheet, art(figure, tone), x, y, r)
        size = min(3.4, 3.4 * 2.28 * r / text_width(words, 3.4, True))
        sheet.text(x, y + r + 1.2 + size * CAP, words, size, colour=tone.dark, bold=True)


def _goal_places(room: Room, count: int) -> list[tuple[float, float, float]]:
    """Give centre and radius (mm) for each of `count` symbols, in reading order, all of one size."""
    left, right = room.columns
    title, name = 7.5, 5.0
    top, low = right.y + title, right.y + right.h
    bands = [a for a in room.areas if a.w > 1.4 * right.w and a.y > top and left.y <= a.y + a.h]
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
    start, high = band.y + band.h, left.y + left.h - band.y - band.h
    places += [(left.centre[0], start + (i + 0.5) * high / below - name / 2, r) for i in range(below)]
    return places
