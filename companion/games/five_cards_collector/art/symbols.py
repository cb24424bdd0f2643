"""Symbol cards: a large figure on the ground that belongs to it, and twice an index with its colour and name."""

from __future__ import annotations

from companion.games.five_cards_collector.art.figures import SMALL, figure
from companion.games.five_cards_collector.art.grounds import ground
from companion.games.five_cards_collector.art.panel import middle, panel, upper
from companion.kept import kept
from companion.press.drawing import CAP, LEADING, Drawing, Item, Text, box, moved, text_width, wrap
from companion.press.figures import Tint, tint
from companion.press.look import Room
from companion.rules.cards import Card

BIG = 19.0
"""Radius (mm) of the large figure."""
BESIDE_TABS = 15.8
"""The same on a card without codes, whose tabs reach further than codes do."""
NAME = 6.6
"""Size (mm) of the figure's name in the index, where it fits."""
_LETTERS = {"black": "K", "white": "W", "grey": "A"}
"""Letters of colours whose first letter is another colour's."""


def symbol(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a symbol card: the figure once, large; the index twice, for whoever sits across the table."""
    name, colour = card.traits["figure"], card.traits.get("colour", "")
    tone = tint(colour)
    panel(sheet, room, tone.main, tone.pale, ground(name, tone, room.shape.w, room.shape.h))
    band = middle(room)
    r = min(BIG if room.coded else BESIDE_TABS, band.h / 2 - 0.6, band.w / 2 - 1)
    sheet.add(moved(figure(name, tone), *band.centre, scale=r))
    index = _index(card.title, name, tone, room) if room.coded else _corner(card.title, name, colour, tone, room)
    sheet.add(index)
    sheet.add(moved(index, room.shape.w, room.shape.h, rotation=180))


@kept()
def _index(title: str, name: str, tone: Tint, room: Room) -> tuple[Item, ...]:
    area = upper(room)
    r = min(5.4, area.w / 5)
    x, y = area.x + r + 0.8, area.centre[1] - 0.7
    items = moved(figure(name, tone, SMALL), x, y, scale=r)
    left = x + r + 1.9
    return (*items, *_name(title, left, y, area.x + area.w - 1.0 - left, area.h, tone))


@kept()
def _corner(title: str, name: str, colour: str, tone: Tint, room: Room) -> tuple[Item, ...]:
    r, area = room.inner, upper(room)
    wide, high, foot = 18.8, 27.2, 9.2
    tab = box(r.x, r.y, wide, high, 3.0)
    items: list[Item] = []
    sheet = Drawing(room.shape.w, room.shape.h, items)
    sheet.fill(tone.dark, tab)
    sheet.fill("#ffffff", box(r.x + 0.7, r.y + 0.7, wide - 1.4, high - foot - 0.7, 2.3))
    middle_x, middle_y = r.x + wide / 2, r.y + 0.7 + (high - foot - 0.7) / 2
    items += moved(figure(name, tone, SMALL), middle_x, middle_y, scale=7.8)
    letter = _LETTERS.get(colour, colour[:1].upper())
    sheet.text(middle_x, r.y + high - foot / 2 + 8.4 * CAP / 2, letter, 8.4, colour="#ffffff", bold=True)
    left = r.x + wide + 2.4
    return (*items, *_name(title, left, r.y + high / 2 - 4.5, area.x + area.w - 1.0 - left, high, tone))


def _name(title: str, x: float, y: float, wide: float, high: float, tone: Tint) -> list[Item]:
    """Write a card's title, a word a line, to the right of x and round y, on a soft label."""
    size, words = NAME, title.split()
    if not words:
        return []
    while size > 3.2 and (
        max(text_width(word, size, True) for word in words) > wide or LEADING * size * len(words) > high - 2
    ):
        size *= 0.97
    if max(text_width(word, size, True) for word in words) > wide:
        words = wrap(title, size, wide, True)
    top = y - (CAP + LEADING * (len(words) - 1)) * size / 2
    return [Text(x, top + (CAP + LEADING * i) * size, word, size, tone.dark, "l", True) for i, word in enumerate(words)]
