"""Pictures of what the analysts find out, and of how they keep going."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.collection.art.brush import (
    AMBER,
    BLUE,
    BRICK,
    BROWN,
    DEEP,
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
    SKIN,
    SKY,
    STEEL,
    WHITE,
    WIDE,
    Brush,
)
from companion.games.collection.art.favours import envelope
from companion.press.drawing import Shape, arc, bezier


def gossip(b: Brush) -> None:
    """A tent and two soldiers who talk."""
    b.day()
    b.poly("#7d8a55", (-20, -1.2), (-12.4, -11.6), (-1.4, -11.6), (-6, -1.2))
    b.poly("#5d6a3c", (-20, -1.2), (-12.4, -11.6), (-6, -1.2))
    b.poly(INK, (-14.6, -1.2), (-12.4, -7.6), (-10.4, -1.2))
    for x in (3.2, 14.6):
        b.bust(x, -0.4, 1.2, "#4a5a37", hat="helmet")
    b.bubble(6.4, -10.6, 7.6, 3.4, (4.4, -7.2))
    b.bubble(16.4, -10.6, 6.4, 3.4, (15.2, -7.2), SAND, 2)


def receipts(b: Brush) -> None:
    """A crane, crates on the quay, and a receipt."""
    b.sea()
    b.box("#8a8577", -HALF, -2.4, 29, 2.4)
    b.line(BRICK, 1.0, (-16.4, -2.4), (-16.4, -12.4), (1.2, -12.4))
    b.line(BRICK, 0.6, (-16.4, -8.4), (-10.6, -12.4))
    b.line(BRICK, 0.6, (-19.6, -2.4), (-16.4, -8))
    b.line(INK, 0.35, (-2, -12.4), (-2, -8.8))
    b.box("#c39255", -4.6, -8.8, 5.2, 3.8)
    b.line(BROWN, 0.4, (-4.6, -8.8), (0.6, -5))
    for x, y in ((-12.4, -2.4), (-7, -2.4)):
        b.box("#b07f45", x, y - 3.8, 5, 3.8)
        b.line(BROWN, 0.4, (x, y - 3.8), (x + 5, y))
    b.poly(
        WHITE,
        (9.4, -12.6),
        (17.6, -12.6),
        (17.6, -1.6),
        (16.2, -0.7),
        (14.9, -1.6),
        (13.5, -0.7),
        (12.1, -1.6),
        (10.8, -0.7),
        (9.4, -1.6),
    )
    for i in range(4):
        b.line(STEEL, 0.45, (10.6, -10.8 + 1.7 * i), (14, -10.8 + 1.7 * i))
        b.line(GREEN, 0.6, (15.2, -10.8 + 1.7 * i), (16.6, -10.8 + 1.7 * i))
    b.line(INK, 0.7, (10.6, -3.6), (16.6, -3.6))


def taxi(b: Brush) -> None:
    """A taxi whose driver talks."""
    b.day("#d9e1e4", "#b4bfc0", "#5b625f")
    for x, h in ((-20, 8), (-14, 6), (11, 7), (16.6, 9.6)):
        b.house(x, -2.6, 5, h, "#9fb0b3", WHITE)
    b.poly(
        AMBER, (-10, -1.8), (-10, -4.6), (-6.6, -5.2), (-4, -8.4), (4, -8.4), (6.8, -5.2), (10, -4.6), (10, -1.8), r=0.8
    )
    b.poly(SKY, (-5.4, -5.2), (-3.4, -7.6), (-0.4, -7.6), (-0.4, -5.2))
    b.poly(SKY, (0.5, -5.2), (0.5, -7.6), (3.6, -7.6), (5.4, -5.2))
    b.bust(2.4, -5.2, 0.5, NAVY, hat="cap")
    for i in range(10):
        b.box(INK if i % 2 else WHITE, -10 + 2 * i, -4.4, 2, 0.8)
        b.box(WHITE if i % 2 else INK, -10 + 2 * i, -3.6, 2, 0.8)
    b.box(WHITE, -2.2, -9.8, 4.4, 1.4, 0.3)
    for x in (-6, 6):
        b.disc(INK, x, -1.8, 1.7)
        b.disc(GREY, x, -1.8, 0.7)
    b.bubble(10.6, -10.4, 8, 3.6, (3.6, -7.2))


def photographs(b: Brush) -> None:
    """A print that shows a lorry, a second one, and the camera."""
    b.room("#c8d3cb", "#7d5a3f")
    b.put(_print(NAVY), -9.6, -6.2, 1.0, -9)
    b.put(_print("#55653f"), -4.6, -6.4, 1.0, 4)
    b.box(INK, 7.4, -9, 12, 7.4, 1.0)
    b.box(STEEL, 7.4, -7.4, 12, 1.2)
    b.box(INK, 10.4, -10.8, 5, 2.4, 0.4)
    b.disc(GREY, 13.2, -5.2, 3.0)
    b.disc(INK, 13.2, -5.2, 2.4)
    b.disc(SEA, 13.2, -5.2, 1.5)
    b.disc(WHITE, 12.6, -5.8, 0.5)
    b.disc(RED, 17.6, -8.2, 0.6)


def _print(load: str) -> list:  # type: ignore[type-arg]
    b = Brush()
    b.box(STEEL, -6.5, -5.1, 13, 10.2)
    b.box(WHITE, -6.2, -4.8, 12.4, 9.6)
    b.box("#cfdad2", -5.4, -4.0, 10.8, 6.8)
    b.box("#97a595", -5.4, 1.0, 10.8, 1.8)
    b.truck(-0.1, 2.2, 1.0, load)
    return b.items


def customs(b: Brush) -> None:
    """An open book with a stamp in it."""
    b.room("#d9d9c8", "#7d5a3f")
    b.book(-3, -5.8, 22, 9.6)
    b.line(RED, 0.6, *arc(2.8, -6.4, 2.2, 0, 360))
    b.line(RED, 0.6, (1.2, -6), (4.4, -7.0))
    b.line(NAVY, 0.8, (13.4, -3), (17.4, -11.4))
    b.poly(AMBER, (13.4, -3), (12.9, -1.4), (14.2, -2.5))
    b.coin(17.4, -2.6, 1.3)
    b.coin(15.6, -1.9, 1.3)


def choir(b: Brush) -> None:
    """Singers in two rows, and what they sing."""
    b.box("#23444a", -HALF, -HIGH, WIDE, HIGH)
    b.box(BROWN, -HALF, -1.4, WIDE, 1.4)
    for y, s, xs in ((-3.6, 0.9, (-9.6, -3.2, 3.2, 9.6)), (-0.6, 1.0, (-12.8, -6.4, 0, 6.4, 12.8))):
        for i, x in enumerate(xs):
            b.bust(x, y, s, "#7d2b3a", skin=SKIN if i % 2 else "#b9805a", hat="hair")
            b.poly(WHITE, (x - 1.1 * s, y - 2.7 * s), (x + 1.1 * s, y - 2.7 * s), (x, y - 1.2 * s))
            b.disc(BRICK, x, y - 3.4 * s, 0.42 * s, 0.5 * s)
    for x, y in ((-17.8, -7), (17.2, -7.8), (-14.6, -10.6), (14, -11)):
        b.disc(AMBER, x, y, 0.95, 0.72)
        b.line(AMBER, 0.4, (x + 0.8, y), (x + 0.8, y - 2.6), (x + 1.9, y - 2.0))


def boots(b: Brush) -> None:
    """A pair of boots and a pile of blankets."""
    b.room("#d6dccb", "#7d6a4f")
    for x in (-14.4, -8.2):
        b.poly(
            "#33261b",
            (x - 1.8, -12),
            (x + 2.0, -12),
            (x + 2.2, -6),
            (x + 5.4, -4.4),
            (x + 5.6, -2.2),
            (x - 2, -2.2),
            r=0.6,
        )
        b.box(INK, x - 2.1, -2.4, 7.8, 1.1, 0.3)
        for i in range(3):
            b.line(SAND, 0.35, (x + 0.6, -9.8 + 1.5 * i), (x + 2.1, -9.4 + 1.5 * i))
    for i, colour in enumerate((BLUE, "#6f7d4a", BRICK, "#6f7d4a")):
        y = -3.8 - 2.3 * i
        b.box(colour, 2.4, y, 14.4, 2.4, 1.1)
        b.line(PAPER, 0.35, (4.4, y + 0.5), (4.4, y + 1.9))
        b.line(PAPER, 0.35, (14.8, y + 0.5), (14.8, y + 1.9))
        b.line(INK, 0.25, (3.2, y + 1.2), (16.4, y + 1.2))


def salt(b: Brush) -> None:
    """Scales with salt on one side and coins on the other."""
    b.room("#e2dcc6", "#7d5a3f")
    b.box(INK, -0.45, -11.6, 0.9, 9.6)
    b.box(INK, -4, -2.4, 8, 1.0, 0.3)
    b.disc(AMBER, 0, -11.8, 0.9)
    b.line(INK, 0.7, (-11, -9.2), (11, -12.4))
    for x, y in ((-11.0, -9.2), (11, -12.4)):
        b.line(STEEL, 0.3, (x, y), (x - 4.2, y + 5.6))
        b.line(STEEL, 0.3, (x, y), (x + 4.2, y + 5.6))
        b.items.append(Shape((arc(x, y + 5.5, 5, 0, 180, 1.5),), STEEL))
    b.poly(WHITE, (-15, -3.7), (-12.6, -6.4), (-11, -7.4), (-9.2, -6.2), (-7, -3.7))
    for x, y in ((9.2, -7.8), (12.8, -7.8), (11, -9.2)):
        b.coin(x, y, 1.2)
    b.bag(-18.4, -1.8, 4.4, 5.4, WHITE)
    b.bag(17.8, -1.8, 4.4, 5.4, SAND)


def overtime(b: Brush) -> None:
    """A desk lamp, and a clock well past the hour."""
    b.room("#2f4650", "#5a3d28")
    b.poly("#55604a", (-8.6, -8.6), (-18, -2.6), (-0.4, -2.6), (-5.4, -8.6))
    b.line(GREY, 0.7, (-12.6, -2.6), (-14.6, -7.4), (-9, -10.6))
    b.poly(GREEN, (-10.4, -11.6), (-6.2, -11.4), (-4.6, -8.2), (-9.6, -8.2))
    b.box(INK, -15.2, -3.0, 5.2, 0.7)
    for i in range(4):
        b.paper(-4.4, -3.2 - 0.55 * i, 6.4, 0.8, 2 * (i % 2) - 1, 1)
    b.disc(AMBER, 10, -7.2, 5.2)
    b.disc(PAPER, 10, -7.2, 4.5)
    b.poly("#f1c5a5", (10, -7.2), *arc(10, -7.2, 4.2, -90, 30))
    for i in range(12):
        x, y = arc(10, -7.2, 3.8, 30 * i, 30 * i + 5)[0]
        b.disc(INK, x, y, 0.28)
    b.line(INK, 0.7, (10, -7.2), (12.2, -6))
    b.line(INK, 0.5, (10, -7.2), (10, -10.6))


def coffee(b: Brush) -> None:
    """A large cup that steams, and the empty one before it."""
    b.room("#e6d9c2", "#8a6547")
    b.box("#c7d1c9", -17.6, -6.2, 6.6, 4.4, 1.2)
    b.line("#c7d1c9", 0.8, *arc(-11, -4.2, 1.4, -80, 80))
    b.box("#c7d1c9", -18.6, -2.0, 8.8, 0.8, 0.4)
    b.poly(DEEP, (-6.2, -8.6), (6.2, -8.6), (4.8, -2.2), (-4.8, -2.2), r=1.0)
    b.disc("#2f7259", 0, -8.6, 6.2, 1.2)
    b.disc("#4a2c17", 0, -8.5, 5.3, 0.85)
    b.line(DEEP, 1.2, *arc(6, -5.8, 2.2, -80, 80))
    b.disc(PAPER, 0, -1.6, 9, 0.9)
    for x in (-2.6, 0, 2.6):
        b.line(WHITE, 0.6, *bezier((x, -9.6), (x - 1.4, -10.8), (x + 1.4, -11.6), (x, -12.8), 8))
    b.poly("#b8743a", (11, -1.8), (12.6, -4.4), (16, -5.2), (19, -4), (20, -1.8), (17.6, -2.8), (13.4, -2.8), r=0.7)


def eyes(b: Brush) -> None:
    """Two wide eyes behind a pair of spectacles."""
    b.box("#cfe0da", -HALF, -HIGH, WIDE, HIGH)
    for x in (-8, 8):
        b.disc(INK, x, -6.4, 6.2)
        b.disc(WHITE, x, -6.4, 5.4)
        b.disc(BLUE, x + 0.6, -6.4, 3.2)
        b.disc(INK, x + 0.6, -6.4, 1.6)
        b.disc(WHITE, x + 1.6, -7.6, 0.9)
    b.line(INK, 0.9, *arc(0, -6.6, 2.2, 210, 330))
    for side in (-1, 1):
        b.line(INK, 0.9, (side * 14, -7.6), (side * 19.6, -9.6))
        b.line(AMBER, 0.7, (side * 17, -4.6), (side * 20.4, -4.2))
        b.line(AMBER, 0.7, (side * 16.2, -2.4), (side * 19, -1.2))


def shift(b: Brush) -> None:
    """A dark house with one row of lit windows."""
    b.night(moon=-14.6)
    b.box("#30434b", -6, -12.2, 20, 11)
    for row in range(3):
        for column in range(5):
            lit = row == 1 or (row, column) == (0, 3)
            b.box("#f6d675" if lit else "#1c2b33", -4.6 + 3.7 * column, -11 + 3.4 * row, 2.6, 2.3)
    b.bust(1.0, -5.3, 0.38, INK, INK)
    b.bust(8.4, -5.3, 0.38, INK, INK)
    b.box("#16272f", -HALF, -1.4, WIDE, 1.4)


def courier(b: Brush) -> None:
    """An aircraft with a letter in tow."""
    b.box(SKY, -HALF, -HIGH, WIDE, HIGH)
    for x, y, s in ((-17, -2, 1.0), (-2, -0.6, 1.3), (16.6, -1.4, 1.2), (-8, -10.6, 0.8)):
        b.cloud(x, y, s)
    b.plane(6.4, -7.6, 1.45, -10, BLUE)
    b.line(INK, 0.35, (-3.4, -5.8), (-9.4, -5))
    envelope(b, -13.4, -4.8, 8, 5, -6)


def bus(b: Brush) -> None:
    """A bus on its round."""
    b.day()
    b.box(RED, -12.6, -11, 24, 9, 1.6)
    b.box(PAPER, -12.6, -5.4, 24, 1.0)
    for i in range(5):
        b.box(SKY, -11.4 + 4.2 * i, -9.6, 3.5, 3.4, 0.4)
    for i, hat in ((0, "hat"), (2, "hair"), (3, "")):
        b.bust(-9.6 + 4.2 * i, -6.2, 0.5, NAVY, hat=hat)
    b.box(NAVY, 9.4, -9.6, 1.7, 6.4, 0.3)
    for x in (-7.4, 6):
        b.disc(INK, x, -2, 1.9)
        b.disc(GREY, x, -2, 0.8)
    b.line(INK, 0.5, (17, -1), (17, -9))
    b.disc(AMBER, 17, -10, 2.1)
    b.box(INK, 16, -10.6, 2, 1.3, 0.2)


def review(b: Brush) -> None:
    """A paper under two magnifying glasses, ticked."""
    b.room("#d3deda", "#7d5a3f")
    b.paper(0, -6.6, 10.6, 11.4, 0, 6)
    b.line(GREEN, 1.2, (-2.2, -5.6), (-0.4, -3.6), (3.6, -8.8))
    for side in (-1, 1):
        b.line(BROWN, 1.5, (side * 11.4, -5.4), (side * 16, -1.6))
        b.line(INK, 0.9, *arc(side * 8.6, -8, 3.6, 0, 360))
        b.line(WHITE, 0.5, *arc(side * 8.6, -8, 2.6, 190, 250))


def red_team(b: Brush) -> None:
    """A chess board: a red knight against the green ones."""
    b.box("#d5dccb", -HALF, -HIGH, WIDE, HIGH)
    for row in range(2):
        for i in range(12):
            b.box(DEEP if (i + row) % 2 else PAPER, -HALF + 3.653 * i, -2.6 + 1.3 * row, 3.654, 1.3)
    b.put(_knight(RED, BRICK), 8, -2.2, 1.15)
    mirrored = _knight(GREEN, DEEP)
    b.items += [
        Shape(tuple(tuple((-8 - 1.15 * x, -2.2 + 1.15 * y) for x, y in loop) for loop in item.loops), item.fill)
        for item in mirrored
        if isinstance(item, Shape)
    ]
    for x in (-17.4, -0.2, 17.2):
        colour = RED if x > 10 else GREEN
        b.poly(colour, (x - 1.6, -2), (x - 0.7, -5.4), (x + 0.7, -5.4), (x + 1.6, -2))
        b.disc(colour, x, -6, 1.3)


def _knight(colour: str, dark: str) -> list:  # type: ignore[type-arg]
    b = Brush()
    b.poly(
        colour,
        (3, -1.4),
        (3.2, -5),
        (1.6, -8),
        (-0.4, -9.2),
        (-1, -8.2),
        (-3.6, -5.8),
        (-3.4, -4.6),
        (-2.2, -4.4),
        (-0.4, -5.2),
        (-2.2, -3),
        (-2.6, -1.4),
        r=0.3,
    )
    b.box(dark, -3.4, -1.5, 7, 1.5, 0.4)
    b.disc(dark, -0.9, -7, 0.4)
    b.poly(dark, (1.6, -8), (3.2, -5), (3, -1.6), (2.2, -1.6), (2.2, -5))
    return b.items


def experience(b: Brush) -> None:
    """An old analyst with a beard, his medal, and an hour-glass."""
    b.room("#d2d9c9", "#6c4a31")
    b.box("#8a6547", -HALF, -12.4, 13, 0.8)
    for i, colour in enumerate((BRICK, DEEP, NAVY, AMBER, BRICK, DEEP)):
        b.box(colour, -21.2 + 1.9 * i, -12.4 + 0.8 - 0.8, 1.6, 0.01)
        b.box(colour, -21.2 + 1.9 * i, -11.4, 1.6, 5)
    b.box("#8a6547", -HALF, -6.4, 13, 0.8)
    b.bust(0, -1.4, 1.85, NAVY)
    b.poly(WHITE, (-2.3, -9), (2.3, -9), (1.9, -5.6), (0, -3.6), (-1.9, -5.6), r=0.8)
    b.disc(SKIN, 0, -9.6, 2.0, 1.6)
    b.line(INK, 0.35, *arc(-1, -9.6, 0.85, 0, 360))
    b.line(INK, 0.35, *arc(1, -9.6, 0.85, 0, 360))
    b.poly(BLUE, (-3.0, -4.2), (-1.8, -4.2), (-2.4, -2.8))
    b.star(AMBER, -2.4, -2.2, 1.0)
    for y in (-12, -2.6):
        b.box(BROWN, 10, y, 8, 1.0, 0.3)
    b.poly("#e6f0ee", (10.8, -11), (17.2, -11), (14.4, -6.8), (17.2, -2.6), (10.8, -2.6), (13.6, -6.8))
    b.poly(AMBER, (12, -9), (16, -9), (14, -6.8))
    b.poly(AMBER, (11.2, -2.6), (14, -5), (16.8, -2.6))


def sleep(b: Brush) -> None:
    """A bed under a window with the moon in it."""
    b.room("#35506a", "#5a3d28")
    b.box(PAPER, -18.4, -12.4, 9.6, 8)
    b.box(NIGHT, -17.8, -11.8, 8.4, 6.8)
    b.disc("#f4e3b0", -13.4, -8.6, 2.1)
    b.disc(NIGHT, -12.4, -9.1, 1.8)
    b.box(BROWN, -6, -8.4, 1.4, 7.6, 0.4)
    b.box(BROWN, 17.6, -6, 1.4, 5.2, 0.4)
    b.box(PAPER, -5, -4.4, 23, 2.6)
    b.box(WHITE, -4.4, -6, 6.4, 2.2, 1.0)
    b.disc(SKIN, 0.2, -6.4, 1.6)
    b.items.append(Shape((arc(-0.3, -6.6, 1.7, 130, 320),), "#4a3222"))
    b.poly(BLUE, (2, -2), (2.4, -6), (6, -7.2), (13, -6.6), (17.6, -4.6), (17.6, -2), r=0.9)
    for x, y, s in ((3.6, -8.8, 0.9), (7.0, -9.6, 1.2), (11.4, -10.3, 1.45)):
        b.line(
            PAPER,
            0.5,
            (x - s, y - s * 0.7),
            (x + s * 0.7, y - s * 0.7),
            (x - s, y + s * 0.8),
            (x + s * 0.7, y + s * 0.8),
        )


PICTURES: dict[str, Callable[[Brush], None]] = {
    "gossip": gossip,
    "barracks": gossip,
    "receipts": receipts,
    "dock": receipts,
    "taxi": taxi,
    "photograph": photographs,
    "customs": customs,
    "choir": choir,
    "boots": boots,
    "salt": salt,
    "price": salt,
    "overtime": overtime,
    "coffee": coffee,
    "eyes": eyes,
    "sleep": sleep,
    "shift": shift,
    "courier": courier,
    "flight": courier,
    "bus": bus,
    "shuttle": bus,
    "review": review,
    "red team": red_team,
    "experience": experience,
}
"""Pictures by a word that the title begins a word with."""
