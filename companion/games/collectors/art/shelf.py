"""Shelves: the back of the cards and the cover of the box."""

from __future__ import annotations

from dataclasses import replace

from companion.games.collectors.art.finds import measured
from companion.games.collectors.art.icons import BEAK, symbol
from companion.games.collectors.art.pen import GOLD, INK, PAPER, block
from companion.press.drawing import CAP, Colour, Drawing, Item, Line, Loop, Shape, box, fitted, lean, moved
from companion.press.figures import Tint
from companion.press.look import COVER, Room
from companion.press.pictures import SHEET, filled, picture
from companion.rules.cards import Deck

BLUE = "#2f5f9e"
DEEP = "#254d85"
ORDER = ("penguin", "movie", "technology", "figures", "music")


def back(sheet: Drawing, deck: Deck, room: Room) -> None:
    """Draw shelves of small finds and the title; the lower half is the upper one turned by 180°."""
    w, h = room.shape.w, room.shape.h
    r = room.inner
    sheet.fill(BLUE, block(r.x, r.y, r.w, r.h, 2.4))
    sheet.line(PAPER, 0.3, *box(r.x + 0.9, r.y + 0.9, r.w - 1.8, r.h - 1.8), closed=True)
    boards = [15.0, 23.0] if room.coded else [15.6, 24.4, 33.0]
    _twice(sheet, DEEP, *(box(r.x + 1.6, y - 0.1, r.w - 3.2, 0.9) for y in boards))
    _twice(sheet, PAPER, *(box(r.x + 1.6, y - 0.5, r.w - 3.2, 0.65) for y in boards))
    step, high = (r.w - 4.0) / 5, 2.75
    for place, name in enumerate(ORDER):
        spots = []
        for row, y in enumerate(boards):
            x = r.x + 2.0 + ((place - 2 * row) % 5 + 0.5) * step
            spots += [(x, y - 0.6 - high, 0.0), (w - x, h - y + 0.6 + high, 180.0)]
        stencil = _stencil(name)
        copies = [moved(stencil, x, y, scale=high, rotation=turn) for x, y, turn in spots]
        # the same part of all copies is one path: the back is printed as often as there are cards
        for parts in zip(*copies, strict=True):
            shapes = [part for part in parts if isinstance(part, Shape)]
            if shapes:
                sheet.fill(shapes[0].fill, *(loop for shape in shapes for loop in shape.loops))
            else:
                sheet.add(parts)
    _twice(sheet, PAPER, block(w / 2 - 11.5, r.y, 23.0, 5.2, 1.6))
    size, _ = fitted(deck.title, 3.3, 20, 4, bold=True)
    base = r.y + 2.7 + CAP * size / 2
    for x, y, turn in ((w / 2, base, 0.0), (w / 2, h - base, 180.0)):
        sheet.text(x, y, deck.title, size, colour="#1d3f70", bold=True, rotation=turn)


def _twice(sheet: Drawing, colour: Colour, *loops: Loop) -> None:
    turned = (tuple((sheet.w - x, sheet.h - y) for x, y in loop) for loop in loops)
    sheet.fill(colour, *loops, *turned)


def _stencil(name: str) -> list[Item]:
    inks = {"#ffffff": BLUE, BEAK: GOLD}
    found: list[Item] = []
    for item in lean(symbol(name, Tint(PAPER, PAPER, PAPER)), 0.012):  # true to a thirtieth of a millimetre
        if isinstance(item, Shape):
            item = replace(item, fill=inks.get(item.fill, item.fill))
        elif isinstance(item, Line):
            item = replace(item, colour=inks.get(item.colour, item.colour))
        found.append(item)
    return found


def cover(sheet: Drawing, deck: Deck) -> None:
    """Draw a rack of finds below a stall's awning, with a hammer in front."""
    sheet.add(filled(picture("collectors", "cover", SHEET), {}, lambda mark: measured(mark.name).items))
    size, _ = fitted(deck.title, 19.0, COVER - 24, 30, bold=True)
    sheet.text(COVER / 2, 14.8 + CAP * size / 2, deck.title, size, colour=INK, bold=True)
