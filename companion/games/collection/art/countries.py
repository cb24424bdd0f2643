"""Pictures of the scenarios: what each country's story looks like."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.games.collection.art.brush import (
    AMBER,
    BLUE,
    BRICK,
    BROWN,
    DEEP,
    DUSK,
    GREEN,
    GREY,
    HALF,
    HIGH,
    INK,
    NAVY,
    NIGHT,
    PAPER,
    RED,
    SAND,
    SEA,
    SKY,
    STEEL,
    WHITE,
    WIDE,
    Brush,
)
from companion.press.drawing import Shape, arc


def vedania(b: Brush) -> None:
    """The vacant chair of a president, and three hands with a seal each."""
    b.box("#5c2630", -HALF, -HIGH, WIDE, HIGH)
    for x in (-HALF, HALF - 8):
        for i in range(4):
            b.box("#7b3540", x + 2 * i, -HIGH, 1.2, HIGH)
    b.box("#2c4a40", -HALF, -1.8, WIDE, 1.8)
    b.poly("#e7c55f", (-4.4, -1), (-5, -11.4), (-3, -12.4), (0, -13.1), (3, -12.4), (5, -11.4), (4.4, -1))
    b.poly(BRICK, (-3.4, -2), (-3.8, -10.8), (0, -12), (3.8, -10.8), (3.4, -2))
    b.star("#e7c55f", 0, -8.8, 1.8)
    b.box("#e7c55f", -6.4, -5.6, 2.4, 4.6, 0.5)
    b.box("#e7c55f", 4, -5.6, 2.4, 4.6, 0.5)
    b.box(RED, -4.2, -4.6, 8.4, 2.2, 0.6)
    for x, coat, hat in ((-16.6, NAVY, "hair"), (-10.2, "#4a5a37", "cap"), (14.4, DEEP, "hat")):
        b.bust(x, -0.6, 1.15, coat, hat=hat)
        b.star(AMBER, x + 2.7, -2.4, 1.5, 0.85, 12)
        b.disc(BRICK, x + 2.7, -2.4, 0.8)


def ostrovar(b: Brush) -> None:
    """Two forts on hills, and a telephone line that hangs down cut."""
    b.day(DUSK, "#b98a68", "#6b6647")
    for x in (-14.5, 14.5):
        b.poly("#6b6647", (x - 8.5, -2.4), (x - 4, -5.6), (x + 4, -5.6), (x + 8.5, -2.4))
        b.box("#7d7468", x - 5, -10.2, 10, 5)
        for i in range(4):
            b.box("#7d7468", x - 5 + 2.74 * i, -11.4, 1.8, 1.4)
        b.box("#5f574d", x - 1.2, -8.2, 2.4, 3, 0.8)
        b.line(INK, 0.4, (x, -10.4), (x, -13.2))
        b.poly(RED, (x, -13.2), (x + 3.2, -12.5), (x, -11.8))
    for x in (-4.6, 4.6):
        b.line("#3b2a1c", 0.8, (x, -1), (x, -10))
        b.line("#3b2a1c", 0.6, (x - 1.8, -9.2), (x + 1.8, -9.2))
    b.line(INK, 0.4, (-9.5, -9.2), (-6, -8.4), (-4.6, -9.4), (-3.0, -8.2), (-2.2, -5), (-2.6, -2.4))
    b.line(INK, 0.4, (9.5, -9.2), (6, -8.4), (4.6, -9.4), (3.2, -8), (2.6, -5.2), (3.0, -3))
    b.line(RED, 0.8, (-1.2, -12), (1.2, -9.6))
    b.line(RED, 0.8, (1.2, -12), (-1.2, -9.6))


def cantello(b: Brush) -> None:
    """A port full of ships, and a bank with its shutters down."""
    b.sea("#e9dcc0")
    b.temple(-14.6, -4.0, 0.86)
    b.box(GREY, -18.8, -9, 8.4, 3.7)
    for i in range(4):
        b.line(STEEL, 0.25, (-18.8, -8.4 + 0.9 * i), (-10.4, -8.4 + 0.9 * i))
    b.box("#8a8577", -HALF, -4.4, 15, 1.4)
    for x, y, s, colour in (
        (1.6, -3.8, 0.72, NAVY),
        (13.2, -4.0, 0.78, DEEP),
        (-6, -1.8, 0.85, STEEL),
        (8.2, -1.0, 1.05, BRICK),
    ):
        b.ship(x, y, s, colour)
    for x in (-15.4, 18.2):
        b.ship(x, -0.6, 0.72, BROWN)


def maruzia(b: Brush) -> None:
    """Ballot boxes on the hills of a province."""
    b.day("#e6e2c8", "#b9c79b", "#8fa36c")
    for x, y, s in ((-14.0, -3.0, 0.8), (14, -3.0, 0.8), (0, -0.6, 1.25)):
        box = Brush()
        box.paper(0.2, -7.2, 3.4, 3.8, 10, 2)
        box.box(NAVY, -4, -6.2, 8, 6.2, 0.4)
        box.box(BLUE, -4.4, -6.8, 8.8, 1.5, 0.4)
        box.box(INK, -2, -6.4, 4, 0.6)
        box.line(WHITE, 0.75, (-1.8, -2.8), (-0.5, -1.4), (2.0, -4.4))
        b.put(box.items, x, y, s)
    for x in (-7.6, 7.6):
        b.line(RED, 0.8, *arc(x, -5, 3.0, 200, 340))
        b.poly(RED, (x + 1.6, -6.8), (x + 4, -5.8), (x + 3.4, -8.2))


def tolmark(b: Brush) -> None:
    """A railway that ends at midnight."""
    b.night(moon=None)
    b.poly("#39464b", (-4, 0), (14, 0), (7.4, -4.4), (6, -4.4))
    for i, y in enumerate((-0.6, -1.7, -2.6, -3.4)):
        half = 7.4 * (1 + y / 5.2)
        b.line(BROWN, 0.6 - 0.1 * i, (5 - half + 0.3 * i, y), (5 + half + 0.3 * i, y))
    b.line(GREY, 0.45, (0, 0), (6.4, -4.4))
    b.line(GREY, 0.45, (10, 0), (7.0, -4.4))
    b.box(INK, 1.6, -11.2, 10.2, 8.4, 1.2)
    b.box("#3b5f55", 2.2, -10.6, 9, 7.2, 0.8)
    b.box("#f6d675", 3.2, -9.8, 3, 2.4)
    b.box("#f6d675", 7.2, -9.8, 3, 2.4)
    b.disc("#fff1b5", 6.7, -5.6, 1.2)
    b.box(RED, 2.2, -4.4, 9, 0.8)
    b.line(INK, 0.9, (-12.6, 0), (-12.6, -6.4))
    b.disc(AMBER, -12.6, -8.4, 4.6)
    b.disc(PAPER, -12.6, -8.4, 3.9)
    b.line(INK, 0.8, (-12.6, -8.4), (-12.6, -10.4))
    b.line(INK, 0.5, (-12.3, -8.4), (-12.3, -11.6))
    b.line(INK, 0.7, (17.6, 0), (17.6, -8.6))
    b.box(INK, 16.2, -11.6, 2.8, 4.6, 0.6)
    b.disc(RED, 17.6, -10.4, 0.9)
    b.disc("#35453f", 17.6, -8.3, 0.9)


def quessand(b: Brush) -> None:
    """Freighters at night behind a closed boom; fishing boats ashore."""
    b.sea(NIGHT, "#1b3f52")
    b.disc("#f4e3b0", 16.4, -10.4, 1.9)
    b.disc(NIGHT, 17.3, -10.9, 1.6)
    for x in (-18.0, -11, -2, 7):
        b.disc(PAPER, x, -11.6 - x % 2, 0.22)
    b.ship(-8, -3.2, 1.05, "#3a5661")
    b.ship(9.4, -3.0, 1.05, "#5a3b3b")
    for x in (-10.2, 7.2):
        b.disc("#f6d675", x, -9.6, 0.6)
    for i in range(11):
        b.disc(RED if i % 2 else PAPER, -20 + 4 * i, -1.3, 0.95)
    b.line(PAPER, 0.3, (-HALF, -1.3), (HALF, -1.3))


def norvik(b: Brush) -> None:
    """Survey ships in a strait between two rocks, and what they sound."""
    b.sea("#c9d9dc", "#3a7186")
    b.poly("#5a6b6c", (-HALF, -3), (-HALF, -12.4), (-17.6, -10), (-14, -4.2), (-12.6, -2.6))
    b.poly("#5a6b6c", (HALF, -3), (HALF, -11.2), (18, -12.2), (14.6, -6), (12.4, -2.6))
    b.poly(WHITE, (-HALF, -12.4), (-17.6, -10), (-18.6, -9), (-20, -10), (-HALF, -9.4))
    b.poly(WHITE, (HALF, -11.2), (18, -12.2), (16.9, -10.2), (19, -9.8), (HALF, -9))
    for x in (-5.4, 7.4):
        b.ship(x, -3.4, 0.78, PAPER, "guns")
        b.disc(RED, x + 0.1, -9.4, 0.8)
        for r in (1.2, 2.2, 3.2):
            b.line("#bfe0e6", 0.35, *arc(x, -3.2, r, 35, 145))


def pelagia(b: Brush) -> None:
    """Silos, sacks sold twice, and wheat."""
    b.day("#efe2b8", "#d8bf7a", "#b98f3d")
    for x, h in ((-17.5, 9.4), (-12.2, 9.4), (-6.9, 9.4)):
        b.box("#c3cccb", x - 2.4, -1.4 - h, 4.8, h)
        b.box("#9aa8a8", x + 0.9, -1.4 - h, 1.5, h)
        b.items.append(Shape((arc(x, -1.4 - h, 2.4, 180, 360, 1.8),), STEEL))
    for x, y in ((0.6, -0.6), (6.0, -0.6), (3.3, -5.4)):
        b.bag(x, y, 5.0, 5.6, "#dcbf86")
    for x, y, turn in ((12.2, -8.2, -10), (17.2, -6.6, 10)):
        b.paper(x, y, 5.2, 6.6, turn, 4)
        b.star(RED, x + 1.2, y + 1.9, 1.2, 0.85, 10)
    for x in (-20, -15, -10, 10.4, 13.6, 16.8, 20):
        b.line("#8a6516", 0.4, (x, 0), (x, -2.6))
        b.disc("#f3cd62", x, -3, 0.5, 1.2)


def sarrabad(b: Brush) -> None:
    """A refinery on fire, and the price that falls."""
    b.dusk()
    for x, y, r in ((-7, -11.8, 2.1), (-3.6, -12, 2.0), (-11, -11.2, 2.0), (-14.6, -12.0, 1.2)):
        if y - r > -HIGH - 1.0:
            b.disc("#3c3a3d", x, max(y, -HIGH + r), r)
    for x, w, h in ((-17.6, 2.2, 9.4), (-13.6, 1.8, 7.2), (2.6, 2.2, 10.4), (6.0, 1.8, 7.6)):
        b.box("#6f7d80", x, -1.4 - h, w, h)
        b.box("#4c595c", x, -1.4 - h, w, 0.8)
    for x in (-10.6, -3.6):
        b.box("#8a9799", x - 2.8, -5.6, 5.6, 4.2, 0.4)
    b.line("#4c595c", 0.7, (-16.6, -5), (6.4, -5))
    b.flame(-7.4, -3.4, 1.9)
    b.flame(-1.6, -4.4, 1.4)
    b.flame(-12.4, -4.0, 1.1)
    b.box("#1d2f2b", 10.6, -11.8, 10, 8.4, 0.6)
    b.line(RED, 0.95, (11.8, -10.2), (14, -9), (15.4, -9.8), (18.0, -5.6))
    b.poly(RED, (19.2, -6.4), (18.9, -4.0), (16.7, -5.4))
    b.box(INK, 15.1, -3.4, 1, 2.4)


def ithuria(b: Brush) -> None:
    """An airliner that has landed, and a premier on its steps."""
    b.day("#cfe0e4", "#a9c3a6", "#7d8781")
    b.plane(-4.4, -6.2, 1.9, 0, BRICK)
    b.poly(STEEL, (7.0, -1.4), (12.6, -6.6), (15.4, -6.6), (15.4, -1.4))
    for i in range(5):
        b.box(PAPER, 7.6 + 1.1 * i, -2.6 - i, 1.3, 0.5)
    b.poly(NAVY, (12.4, -6.6), (12.7, -9.0), (15.5, -9.0), (15.8, -6.6))
    b.bust(14.1, -8.2, 0.9, NAVY, hat="hat")
    b.line(NAVY, 0.8, (15.6, -9.2), (17.4, -11.2))
    b.disc("#e3b08a", 17.6, -11.5, 0.6)
    b.box(RED, 1.0, -1.4, 13.6, 0.8)


def brennmoor(b: Brush) -> None:
    """A border fence, and the tunnel below it."""
    b.box(NIGHT, -HALF, -HIGH, WIDE, HIGH)
    b.disc("#f4e3b0", -17, -11, 1.5)
    b.box("#6b4c33", -HALF, -7.8, WIDE, 7.8)
    b.box("#55704e", -HALF, -7.8, WIDE, 0.8)
    b.poly("#2b1d14", (-16, -7.8), (-12.4, -7.8), (-10, -4.8), (12, -4.8), (13.8, -3.6), (13.8, -1.2), (-12, -1.2))
    for x in (-9, -3.4, 2.2, 7.8):
        b.line("#b58a55", 0.6, (x, -1.2), (x, -4.8))
    b.line("#b58a55", 0.6, (-10.4, -4.8), (11, -4.8))
    b.bust(10.6, -1.2, 0.62, "#4a5a37", hat="helmet")
    b.line(GREY, 0.5, (12, -1.6), (14.4, -3.4))
    b.disc("#f6d675", 10.6, -4.0, 0.4)
    b.poly(GREY, (-2, -2), (-1.4, -3.2), (3, -3.2), (3.6, -2))
    for x in (-0.9, 2.5):
        b.disc(INK, x, -1.7, 0.55)
    for x in (-1, 3, 7, 11, 15):
        b.line(GREY, 0.4, (x, -7.8), (x, -12.2))
    for y in (-9, -10.4, -11.8):
        b.line(GREY, 0.25, (-1, y), (15, y))
    b.truck(-6.2, -7.6, 0.86, "#8a6a45", "#55653f")
    b.poly("#8a5f3c", (-18.6, -7.8), (-16.6, -10.2), (-14.6, -7.8))


def lake_union(b: Brush) -> None:
    """Five banks beside a lake, under one crown."""
    b.box("#d7e4df", -HALF, -HIGH, WIDE, HIGH)
    b.poly("#9db8b0", (-HALF, -4), (-12, -10.4), (-4, -6), (6, -11), (14, -6.4), (HALF, -9.4), (HALF, -4))
    b.box(SEA, -HALF, -4.4, WIDE, 4.4)
    for i, x in enumerate((-16.6, -8.3, 0, 8.3, 16.6)):
        b.temple(x, -3.4, 0.64)
        b.box("#2f6478", x - 3.4, -3.0 + 0.2 * (i % 2), 6.8, 0.5)
        b.box("#2f6478", x - 2.4, -2.0, 4.8, 0.4)
        b.line(BRICK, 0.35, (x * 0.12, -11.6), (x, -9.4))
    b.disc(AMBER, 0, -11.5, 1.6)
    b.poly("#8f6410", (-1.0, -10.9), (-1.1, -12.4), (-0.5, -11.8), (0, -12.7), (0.5, -11.8), (1.1, -12.4), (1.0, -10.9))
    b.poly(PAPER, (13, -1.2), (15, -1.2), (14.6, -0.5), (13.4, -0.5))


def capital(b: Brush) -> None:
    """A capital with its flag, for a country without a picture of its own."""
    b.day()
    b.temple(0, -1.4, 1.2)
    b.line(INK, 0.4, (0, -12.2), (0, -13.2))
    for x, h in ((-19, 6), (-13.6, 8), (9.4, 7.4), (15, 5.6)):
        b.house(x, -1.4, 4.6, h, SAND, SKY)
    b.box(GREEN, -HALF, -1.6, WIDE, 1.6)


PICTURES: dict[str, Callable[[Brush], None]] = {
    "vedania": vedania,
    "ostrovar": ostrovar,
    "cantello": cantello,
    "maruzia": maruzia,
    "tolmark": tolmark,
    "quessand": quessand,
    "norvik": norvik,
    "pelagia": pelagia,
    "sarrabad": sarrabad,
    "ithuria": ithuria,
    "brennmoor": brennmoor,
    "lake union": lake_union,
    "seal": vedania,
    "president": vedania,
    "garrison": ostrovar,
    "port": cantello,
    "election": maruzia,
    "railway": tolmark,
    "harbour": quessand,
    "strait": norvik,
    "grain": pelagia,
    "refinery": sarrabad,
    "airline": ithuria,
    "tunnel": brennmoor,
    "bank": lake_union,
}
"""Pictures by the country's name, then by a word of its story, should its owner have named it otherwise."""


def country_for(title: str, text: str) -> Callable[[Brush], None]:
    """Return the picture of a scenario."""
    for said in (title.lower(), text.lower()):
        for word, draw in PICTURES.items():
            if re.search(rf"\b{word}", said):
                return draw
    return capital
