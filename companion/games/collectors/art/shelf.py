"""Shelves: the back of the cards and the cover of the box."""

from __future__ import annotations

from dataclasses import replace

from companion.games.collectors.art.finds import find, outside
from companion.games.collectors.art.icons import BEAK, symbol
from companion.games.collectors.art.pen import BROWN, CREAM, GOLD, INK, RED, TAN, block, slim
from companion.press.drawing import CAP, Colour, Drawing, Item, Line, Loop, Shape, box, circle, fitted, moved
from companion.press.figures import Tint, put
from companion.press.look import COVER, Room
from companion.press.pictures import drawn
from companion.rules.cards import Deck

BLUE = "#2f5f9e"
DEEP = "#254d85"
PAPER = "#f7efdc"
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
    """Paint polygons and their copies turned by 180° round the sheet's middle."""
    turned = (tuple((sheet.w - x, sheet.h - y) for x, y in loop) for loop in loops)
    sheet.fill(colour, *loops, *turned)


def _stencil(name: str) -> list[Item]:
    """Return a category's icon in cream, what is white in it cut out down to the blue wall."""
    inks = {"#ffffff": BLUE, BEAK: GOLD}
    found: list[Item] = []
    for item in symbol(name, Tint(PAPER, PAPER, PAPER)):
        item = slim(item, 0.012)  # a thirtieth of a millimetre
        if isinstance(item, Shape):
            item = replace(item, fill=inks.get(item.fill, item.fill))
        elif isinstance(item, Line):
            item = replace(item, colour=inks.get(item.colour, item.colour))
        found.append(item)
    return found


# ------------------------------------------------------------------------------------------------------------- cover

SHOWN: tuple[tuple[float, tuple[tuple[str, str, float, float, float], ...]], ...] = (
    (
        59.0,
        (
            ("Poster of The Ninth Lamp", "movie", 11.5, 20.0, 22.5),
            ("Snow globe with a penguin", "penguin", 99.0, 17.0, 20.0),
            ("Blue vinyl first pressing", "music", 68.5, 22.0, 19.0),
            ("Transistor radio, turquoise", "technology", 30.0, 23.0, 21.0),
            ("Tin robot, blue", "figures", 84.5, 19.0, 21.5),
            ("Penguin with a top hat", "penguin", 50.0, 19.0, 23.0),
            ("Wooden joystick", "technology", 113.0, 17.0, 15.0),
        ),
    ),
    (
        86.5,
        (
            ("Reel of a lost ending", "movie", 12.5, 22.0, 20.5),
            ("Sheet music, misprinted", "music", 68.5, 16.0, 21.0),
            ("Portable gramophone", "music", 49.5, 24.0, 22.5),
            ("Owl general", "figures", 30.5, 18.0, 22.0),
            ("Home computer with 4 kB", "technology", 81.5, 21.0, 20.5),
            ("Wind-up penguin", "penguin", 98.0, 19.0, 22.5),
            ("Rotary telephone", "technology", 111.5, 18.0, 16.0),
        ),
    ),
    (
        114.0,
        (
            ("The golden penguin", "penguin", 12.5, 24.0, 24.0),
            ("Accordion with pearl keys", "music", 50.0, 18.0, 18.5),
            ("Cowboy from the moon", "figures", 30.0, 20.0, 22.0),
            ("Clapper board, take 31", "movie", 65.0, 17.5, 16.5),
        ),
    ),
)
"""The boards' height on the cover, and what stands on each: title, category, middle, width and height in mm."""


def cover(sheet: Drawing, deck: Deck) -> None:
    """Draw a rack of finds below a stall's awning, with a hammer in front."""
    sheet.fill("#6fa3cf", box(0, 0, COVER, COVER))
    for n in range(15):
        sheet.fill("#6095c3", box(n * 8.0 + 2, 0, 4.0, COVER))
    for y, row in SHOWN:
        sheet.fill("#4a7cab", box(0, y + 2.4, COVER, 2.4))
        sheet.fill(INK, box(0, y - 0.5, COVER, 4.0))
        sheet.fill(TAN, box(0, y, COVER, 1.7))
        sheet.fill(BROWN, box(0, y + 1.7, COVER, 1.3))
        for title, category, x, wide, high in row:
            sheet.add(find(title, category).fitted(x, y + 0.6, wide, high))
    _sign(sheet, deck.title)
    _hammer(sheet, 93.0, 97.5, 1.6)


def _sign(sheet: Drawing, title: str) -> None:
    """Draw the awning with the title."""
    count, step, low = 10, COVER / 10, 27.5
    sheet.fill(INK, box(0, 0, COVER, low))
    for n in range(count):
        sheet.fill(INK, circle((n + 0.5) * step, low, step / 2 + 0.6))
    for n in range(count):
        tone = RED if n % 2 == 0 else CREAM
        sheet.fill(tone, box(n * step, 0, step, low))
        sheet.fill(tone, circle((n + 0.5) * step, low, step / 2 - 0.1))
    plate = box(7, 4.6, COVER - 14, 20.4, 4.0)
    sheet.line(INK, 1.6, *plate, closed=True)
    sheet.fill(PAPER, plate)
    sheet.line(RED, 0.7, *box(8.6, 6.2, COVER - 17.2, 17.2, 2.8), closed=True)
    size, _ = fitted(title, 19.0, COVER - 24, 30, bold=True)
    sheet.text(COVER / 2, 14.8 + CAP * size / 2, title, size, colour=INK, bold=True)


def _hammer(sheet: Drawing, x: float, y: float, scale: float) -> None:
    """Draw an auction hammer about to fall on its block."""
    parts = drawn("collectors", "hammer")
    put(sheet, [*outside(parts), *parts], x, y, scale)
