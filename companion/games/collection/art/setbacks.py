"""Pictures of what goes wrong in the analysts' own house, and of quarrels between friends."""

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
from companion.games.collection.art.props import newspaper, satellite
from companion.press.drawing import Item, Shape, arc


def exchange(b: Brush) -> None:
    """A falling chart, and brokers with their hands up."""
    b.box("#1d2f2b", -HALF, -HIGH, WIDE, HIGH)
    for y in (-11, -8.4, -5.8):
        b.line("#365148", 0.25, (-HALF, y), (HALF, y))
    b.line(
        RED,
        1.2,
        (-18, -10.6),
        (-13, -8.6),
        (-9, -11.2),
        (-3.6, -7.4),
        (0.4, -9.2),
        (6.4, -4.6),
        (9, -6.4),
        (14.6, -2.4),
    )
    b.poly(RED, (13.0, -4.4), (17.8, -0.8), (12.2, -0.8))
    for x in (-15, -7.6, 1.6):
        b.line(SKIN, 0.8, (x - 1.8, -1.6), (x - 2.6, -5))
        b.line(SKIN, 0.8, (x + 1.8, -1.6), (x + 2.6, -5))
        b.bust(x, 0, 0.8, NAVY, hat="hair")
    for x, y, turn in ((-11, -6.4, 20), (4, -11, -15), (12.6, -10.4, 30), (17.6, -7, -20)):
        b.paper(x, y, 1.9, 1.4, turn, 2)


def week(b: Brush) -> None:
    """A week of crosses, in the rain."""
    b.box("#77858b", -HALF, -HIGH, WIDE, HIGH)
    for k in range(-20, 22, 4):
        b.line("#a8b6bb", 0.35, (k, -8 - k % 3), (k - 1.4, -4.6 - k % 3))
        b.line("#a8b6bb", 0.35, (k + 1, -3.4), (k - 0.2, -0.6))
    b.box(INK, -14.3, -9.9, 28.6, 9.2, 0.8)
    b.box(PAPER, -14, -9.6, 28, 8.6, 0.6)
    b.box(RED, -14, -9.6, 28, 2.4, 0.6)
    for i in range(7):
        x = -12.3 + 4.1 * i
        b.box("#d9d3c0", x - 1.75, -6.4, 3.5, 4.6, 0.3)
        b.line(RED, 0.75, (x - 1.1, -5.4), (x + 1.1, -2.8))
        b.line(RED, 0.75, (x + 1.1, -5.4), (x - 1.1, -2.8))
        b.box(STEEL, x - 0.3, -10.8, 0.6, 2.2, 0.2)
    for x in (-14, 1, 15):
        b.cloud(x, -10.6, 1.05, "#3e4a50")


def allies(b: Brush) -> None:
    """Two speakers that turn away from each other, and lightning between their flags."""
    b.box("#c9b79a", -HALF, -HIGH, WIDE, HIGH)
    b.box("#6b4a30", -HALF, -1.6, WIDE, 1.6)
    b.flag(-17.4, -1.6, 11.2, BLUE)
    b.flag(17.4, -1.6, 11.2, GREEN, AMBER, -1)
    for side, coat in ((-1, NAVY), (1, DEEP)):
        b.bust(side * 8, -2.4, 1.3, coat, hat="hair")
        b.poly("#8d5a33", (side * 5, -3.4), (side * 11, -3.4), (side * 10.4, -0.4), (side * 5.6, -0.4))
        b.line(INK, 0.35, (side * 9.6, -3.4), (side * 10.4, -5.6))
        b.disc(INK, side * 10.4, -5.8, 0.55)
    b.poly(INK, (1.9, -13), (-3.2, -6.2), (-0.6, -6.2), (-2.4, -0.8), (3.6, -7.8), (1.0, -7.8), (3.6, -13))
    b.poly(AMBER, (1.9, -12.6), (-2.4, -6.6), (0, -6.6), (-1.4, -2.4), (2.8, -7.4), (0.2, -7.4), (2.8, -12.6))


def leak(b: Brush) -> None:
    """A newspaper that drips."""
    b.box("#d7cfba", -HALF, -HIGH, WIDE, HIGH)
    newspaper(b, -2, -7.2, 19, 9.6, -5)
    for x, y in ((-9.6, -2.4), (-3, -2.2), (3.2, -1.6)):
        b.poly(INK, (x - 0.9, y), (x, y - 1.8), (x + 0.9, y), r=0.1)
        b.disc(INK, x, y + 0.2, 0.92)
    b.disc(INK, -3, -0.3, 9.5, 0.5)
    b.line(INK, 1.5, (10.4, -11), (14.8, -11), (14.8, -8.6))
    b.box(INK, 9.4, -12.2, 1.4, 2.4, 0.3)
    b.line(INK, 0.8, (12.6, -11), (12.6, -12.8))
    b.line(RED, 0.8, (10.9, -12.9), (14.3, -12.9))
    b.poly(BLUE, (13.9, -5.8), (14.8, -7.8), (15.7, -5.8), r=0.1)
    b.disc(BLUE, 14.8, -5.6, 0.92)
    b.disc(BLUE, 14.8, -2.2, 0.92)


def closed(b: Brush) -> None:
    """A house with boards across its door and a sign."""
    b.day("#d4dad3", "#b0b9a6", "#6e7669")
    b.box("#8b6b58", -11, -11.6, 18, 10.2)
    b.box("#5e463a", -11.8, -12.4, 19.6, 1.2)
    for x in (-9.2, 2.4):
        b.box("#33413f", x, -9.4, 3.4, 4.6)
        b.line(SAND, 0.8, (x - 0.6, -8.8), (x + 4, -5.6))
        b.line(SAND, 0.8, (x + 4, -8.8), (x - 0.6, -5.6))
    b.box(INK, -4.4, -8.4, 5.0, 7.0)
    b.line(SAND, 1.1, (-5.4, -7.4), (1.6, -5.4))
    b.line(SAND, 1.1, (-5.4, -4.6), (1.6, -2.6))
    b.line(SAND, 1.1, (1.4, -6.6), (-5.2, -3.2))
    b.line(INK, 0.5, (13.4, -1.2), (13.4, -7))
    b.disc(RED, 13.4, -8.6, 3.2)
    b.box(WHITE, 11.2, -9.3, 4.4, 1.4)


def visa(b: Brush) -> None:
    """A passport and a stamp that says no."""
    b.room("#d6d0c0", "#6c4a31")
    b.put(_passport(), -6.5, -6.0, 1.0, -8)
    b.poly(BROWN, (8.2, -5), (8.8, -8.2), (7.6, -10.4), (9.4, -12), (11.8, -10.4), (10.6, -8.2), (11.2, -5), r=0.6)
    b.box(BROWN, 5.6, -5.6, 8.2, 1.8, 0.4)
    b.box(RED, 6.0, -3.8, 7.4, 0.8)
    b.line(RED, 1.1, (1.2, -8.6), (4.6, -5.0))
    b.line(RED, 1.1, (4.6, -8.6), (1.2, -5.0))


def _passport() -> list[Item]:
    b = Brush()
    b.box(NAVY, -9, -5.6, 9, 11, 0.8)
    b.box("#f2ecd8", -8.8, -5.2, 17.6, 10.4, 0.6)
    b.line(GREY, 0.35, (0, -5.2), (0, 5.2))
    b.box(SKY, -7.6, -4, 5.4, 6.6)
    b.bust(-4.9, 2.6, 0.98, DEEP, hat="hair")
    b.line(GREY, 0.5, (-7.6, 3.8), (-1.6, 3.8))
    ring = arc(4.4, -1.8, 2.6, 0, 360)
    b.line(BLUE, 0.45, *ring)
    b.poly(BLUE, (2.8, -1.2), (4.2, -3.4), (6.0, -1.2))
    for i in range(3):
        b.line(GREY, 0.45, (1.4, 2.0 + i * 1.1), (7.4, 2.0 + i * 1.1))
    return b.items


def clouds(b: Brush) -> None:
    """A satellite that sees nothing but clouds."""
    b.box("#243c50", -HALF, -HIGH, WIDE, HIGH)
    b.box("#7fa7b4", -HALF, -4.6, WIDE, 4.6)
    satellite(b, 0, -9.8, 1.0)
    b.line(RED, 0.5, (-1.6, -7.2), (-3.6, -5.0))
    b.line(RED, 0.5, (1.6, -7.2), (3.6, -5.0))
    for x, y, s, colour in (
        (-18, -2.4, 1.3, "#dfe7e8"),
        (-9.4, -2.2, 1.5, WHITE),
        (0, -2.4, 1.6, "#dfe7e8"),
        (9.8, -2.2, 1.5, WHITE),
        (18, -2.4, 1.3, "#dfe7e8"),
        (-14, 0, 1.5, WHITE),
        (-4.6, 0, 1.5, WHITE),
        (5, 0, 1.5, WHITE),
        (14.4, 0, 1.5, WHITE),
    ):
        b.cloud(x, y, s, colour)


def ciphers(b: Brush) -> None:
    """Rotors of a cipher machine, one turned by a step."""
    b.box("#2f3a38", -HALF, -HIGH, WIDE, HIGH)
    b.box("#5f3f27", -17, -12.2, 34, 11, 1.0)
    b.box("#242c2b", -15.6, -11, 31, 8.6, 0.6)
    for i, x in enumerate((-11, -3.8, 3.4, 10.6)):
        b.box("#8a9491", x - 2.5, -11.8, 5, 10.2, 0.8)
        b.box(PAPER, x - 1.9, -11.2, 3.8, 9, 0.4)
        for row in range(3):
            y = -9.6 + 2.9 * row + (1.1 if i == 2 else 0)
            if row == 1:
                b.box(AMBER, x - 1.9, y - 1.3, 3.8, 2.6)
            b.word(x, y, "QXKZRWJVNUMT"[3 * i + row], 2.3, RED if i == 2 else INK)
    b.poly(RED, (16.2, -4.6), (18.6, -4.6), (18.6, -8.4), (20.4, -8.4), (17.4, -11.8), (14.4, -8.4), (16.2, -8.4))


def quiet(b: Brush) -> None:
    """A source in a hat with a finger on the lips."""
    b.night(moon=None)
    b.box("#31444c", -HALF, -HIGH, 9, HIGH)
    b.box("#31444c", HALF - 9, -HIGH, 9, HIGH)
    b.bust(0, 0, 1.95, "#6d5a44", hat="hat")
    b.line("#b7835f", 0.5, (-0.9, -6.5), (0.9, -6.5))
    b.line(SKIN, 1.1, (0.1, -3.4), (0.1, -6.8))
    b.box(SKIN, -1.2, -4.2, 2.6, 2.4, 0.8)
    b.bubble(10.6, -8.6, 8.6, 4.0, (4.0, -6.8), dots=0)
    b.line(RED, 0.8, (8.6, -7.4), (12.6, -9.8))
    b.disc(INK, 9.0, -8.6, 0.42)
    b.disc(INK, 10.6, -8.6, 0.42)
    b.disc(INK, 12.2, -8.6, 0.42)


def archive(b: Brush) -> None:
    """Filing cabinets that stand in water."""
    b.box("#c9c0a8", -HALF, -HIGH, WIDE, HIGH)
    for i, x in enumerate((-17, -9.6, -2.2, 5.2, 12.6)):
        b.box("#3c5b50" if i % 2 else "#4d7263", x, -11.6, 6.6, 12)
        for y in (-10.9, -7.4, -3.9):
            b.box("#6f9483", x + 0.6, y, 5.4, 2.9, 0.3)
            b.box(AMBER, x + 2.2, y + 1.0, 2.2, 0.6)
    b.poly(
        "#8fb6c2",
        (-HALF, -5.2),
        (-16, -4.4),
        (-10, -5.4),
        (-4, -4.4),
        (2, -5.4),
        (8, -4.4),
        (14, -5.4),
        (HALF, -4.6),
        (HALF, 0),
        (-HALF, 0),
    )
    b.poly(
        SEA,
        (-HALF, -3.6),
        (-16, -2.8),
        (-10, -3.8),
        (-4, -2.8),
        (2, -3.8),
        (8, -2.8),
        (14, -3.8),
        (HALF, -3),
        (HALF, 0),
        (-HALF, 0),
    )
    for x, y, turn in ((-13.6, -4.2, 14), (-5, -4.0, -12), (3.8, -4.2, 8), (12, -4, -20)):
        b.paper(x, y, 3.2, 2.2, turn, 3)


def freeze(b: Brush) -> None:
    """Coins and a purse in a block of ice."""
    b.box("#bcd3dc", -HALF, -HIGH, WIDE, HIGH)
    b.box("#8fb1bf", -HALF, -2, WIDE, 2)
    b.poly("#7fb6cc", (-8.6, -10.4), (-5.6, -12.6), (10.6, -12.6), (10.6, -3.4), (7.6, -0.8), (-8.6, -0.8))
    b.poly("#dff1f6", (-8.6, -10.4), (-5.6, -12.6), (10.6, -12.6), (7.6, -10.4))
    b.box("#a9d5e4", -8.6, -10.4, 16.2, 9.6)
    b.bag(-0.6, -1.8, 6.4, 7.6, "#c89b4f")
    b.coin(-0.6, -4.6, 1.5)
    b.coin(4.8, -2.8, 1.2)
    b.coin(-5.8, -2.8, 1.2)
    b.line(WHITE, 0.5, (-7.4, -9.2), (-5, -9.2))
    b.line(WHITE, 0.5, (-7.4, -9.2), (-7.4, -5.4))
    for x, y in ((-16, -7.6), (16, -7.6)):
        for dx, dy in ((3, 0), (1.5, 2.6), (-1.5, 2.6)):
            b.line(WHITE, 0.55, (x - dx, y - dy), (x + dx, y + dy))
        for dx, dy in ((2, 0), (-2, 0), (1, 1.73), (-1, -1.73), (1, -1.73), (-1, 1.73)):
            b.disc(WHITE, x + dx, y + dy, 0.5)


def recalled_staff(b: Brush) -> None:
    """Desks nobody sits at; one carries a box away."""
    b.box("#dbe0d2", -HALF, -HIGH, WIDE, HIGH)
    b.box("#9aa38f", -HALF, -2.4, WIDE, 2.4)
    for x in (-16.4, -5.6):
        b.box(INK, x - 2.6, -9.2, 5.2, 3.8, 0.3)
        b.box("#5f7f86", x - 2.1, -8.8, 4.2, 2.9)
        b.box(INK, x - 0.4, -5.6, 0.8, 1)
        b.box(BROWN, x - 4.6, -4.8, 9.2, 1)
        b.box(BROWN, x - 4.2, -4, 0.8, 3.4)
        b.box(BROWN, x + 3.4, -4, 0.8, 3.4)
        b.box(RED, x - 1.4, -3.4, 2.8, 2.4, 0.4)
    b.box("#54655e", 15.4, -12.2, 6.0, 10.6)
    b.box("#f4e7b6", 16, -11.6, 4.8, 10)
    b.poly(NAVY, (6.4, -0.4), (6.8, -5.6), (9.6, -5.6), (10.8, -0.4), (9.2, -0.4), (8.4, -3), (7.8, -0.4))
    b.bust(8.2, -5, 1.05, NAVY, hat="hair")
    b.box("#c39255", 9.4, -8.0, 4.4, 3.2)
    b.line(SKIN, 0.8, (9.2, -5.9), (12, -5.6))
    b.line(GREEN, 0.5, (11.4, -8), (11.8, -9.8))
    b.disc(GREEN, 11.9, -10, 0.8)


def lost(b: Brush) -> None:
    """A bench under a street lamp, with nothing left on it but a hat."""
    b.night(moon=-15.5)
    b.poly("#6c6a4c", (9.6, -10.8), (-3, 0), (HALF - 0.2, 0), (13, -10.8))
    b.line(INK, 0.8, (15.6, 0), (15.6, -12.2), (11.3, -12.2))
    b.poly(AMBER, (9.6, -10.6), (10.4, -12), (12.2, -12), (13, -10.6))
    for y in (-6.8, -5.4):
        b.box("#8a5a33", -4.4, y, 16.6, 0.95, 0.2)
    b.box("#a06c3f", -5, -3.8, 17.8, 1.2, 0.2)
    for x in (-3, 10):
        b.line(INK, 0.7, (x, -6.8), (x, -0.4))
    b.poly(INK, (1.2, -4.4), (1.8, -7.6), (5.6, -7.6), (6.2, -4.4), r=0.8)
    b.box(RED, 1.2, -5.4, 5, 0.8)
    b.box(INK, -0.6, -4.6, 8.6, 0.8, 0.4)


def cold(b: Brush) -> None:
    """Footprints in snow that end under a magnifying glass."""
    b.box("#e7eff2", -HALF, -HIGH, WIDE, HIGH)
    b.box("#b9cdd6", -HALF, -HIGH, WIDE, 3)
    for x in (-18.0, -10, 12, 19):
        b.poly("#6f8d85", (x - 2, -10), (x, -13), (x + 2, -10))
    for i in range(6):
        x, y = -17.8 + 4.1 * i, (-3.6 if i % 2 else -6.2)
        b.disc("#7c97a6", x, y, 1.15, 0.72)
        b.disc("#7c97a6", x - 1.7, y + 0.1, 0.6, 0.55)
    b.line(BROWN, 1.5, (12.6, -4.0), (16.6, -0.8))
    b.disc(INK, 9.6, -6.6, 4.3)
    b.disc("#d5ecf4", 9.6, -6.6, 3.5)
    for dx, dy in ((2.2, 0), (1.1, 1.9), (-1.1, 1.9)):
        b.line(BLUE, 0.5, (9.6 - dx, -6.6 - dy), (9.6 + dx, -6.6 + dy))


def misplaced(b: Brush) -> None:
    """An open drawer, folders in the air, a question."""
    b.room("#d9d3bf", "#6d5a45")
    b.box("#4d7263", -17.4, -12.4, 10.4, 11.4)
    for y in (-11.8, -4.6):
        b.box("#6f9483", -16.8, y, 9.2, 3.2, 0.3)
        b.box(AMBER, -13.6, y + 1.1, 2.8, 0.7)
    b.box(INK, -16.8, -8.2, 9.2, 3.2)
    b.poly("#6f9483", (-17.6, -6.8), (-6.8, -6.8), (-5.6, -3.4), (-18.8, -3.4))
    b.box(AMBER, -13.6, -5.4, 2.8, 0.7)
    for x, y, turn in ((-1.6, -9.4, -16), (5.0, -5.4, 18), (-1.2, -3.4, 8)):
        folder = Brush()
        folder.poly("#b8862f", (-2.9, -2.2), (-0.8, -2.2), (-0.2, -1.6), (2.9, -1.6), (2.9, 2), (-2.9, 2))
        folder.box(WHITE, -2.4, -1.3, 4.8, 2)
        folder.box("#e0b457", -2.9, -0.8, 5.8, 2.8)
        b.put(folder.items, x, y, 1.0, turn)
    b.line(RED, 1.3, *arc(13.4, -9.2, 2.5, 190, 400), (13.6, -6.2), (13.6, -5.0))
    b.disc(RED, 13.6, -2.9, 0.85)


def memo(b: Brush) -> None:
    """A memo that an arrow takes back."""
    b.room("#d8dccb", "#6d5a45")
    b.paper(-3.4, -6.8, 9.6, 10.4, 3, 5)
    b.poly(RED, (-9.0, -10.2), (2.2, -9.6), (2.1, -8.0), (-9.1, -8.6))
    b.line(BRICK, 1.5, *arc(5.2, -6.8, 5.4, -70, 80))
    b.poly(BRICK, (7.4, -13.2), (7.0, -9.2), (2.8, -11.4))
    for y in (-2.6, -6.4):
        b.paper(15.2, y - 1.0, 6.4, 1.2, 0, 1)
        b.poly(
            "#8b6b4a",
            (10.6, y - 1.6),
            (11.4, y - 0.4),
            (19.2, y - 0.4),
            (20.0, y - 1.6),
            (20.0, y + 0.9),
            (10.6, y + 0.9),
        )
    for x in (10.6, 19.4):
        b.box("#5f4630", x, -8.4, 0.6, 6.0)


def incident(b: Brush) -> None:
    """Two sentry boxes with a broken pole between them."""
    b.dusk()
    for x, colour in ((-17, BLUE), (11.6, GREEN)):
        b.box(colour, x, -10, 5.4, 8.8)
        b.box(INK, x + 1.2, -8.2, 3, 7)
        b.poly(INK, (x - 0.6, -10), (x + 2.7, -12.6), (x + 6, -10))
    for x in (-14.3, 14.3):
        b.bust(x, -2.4, 0.72, "#4a5a37", hat="helmet")
    b.barrier(-9.6, -0.8, 7.6, 16)
    post = Brush()
    post.barrier(0, 0, 7.6, 16)
    b.items += [
        Shape(tuple(tuple((9.6 - x, y - 0.8) for x, y in loop) for loop in item.loops), item.fill)
        for item in post.items
        if isinstance(item, Shape)
    ]
    b.star(RED, 0, -6.4, 4.4, 0.5, 9)
    b.star(AMBER, 0, -6.4, 3.0, 0.5, 9)


def forms(b: Brush) -> None:
    """One form, three times, and the stamp that goes with it."""
    b.room("#dcd9c7", "#6c4a31")
    for x, y, turn, colour in ((-11.6, -6.4, -9, RED), (-4.6, -6.7, -2, BLUE), (2.6, -6.6, 6, GREEN)):
        b.paper(x, y, 7.4, 9.6, turn, 6)
        b.disc(colour, x + 1.6, y + 3.0, 1.4)
        b.disc(WHITE, x + 1.6, y + 3.0, 0.85)
    b.disc(BROWN, 13.4, -10.6, 1.8)
    b.poly(BROWN, (12.4, -9.4), (14.4, -9.4), (15, -5), (11.8, -5))
    b.box(BROWN, 9.6, -5.2, 7.6, 2.0, 0.4)
    b.box(INK, 9.9, -3.3, 7.0, 0.8)


def rumour(b: Brush) -> None:
    """Heads in a row, each with a larger bubble."""
    b.box("#d7c7a6", -HALF, -HIGH, WIDE, HIGH)
    b.box("#a98d63", -HALF, -1.4, WIDE, 1.4)
    for x, coat, hat, w, h in (
        (-17, NAVY, "hat", 4.4, 2.2),
        (-7.6, BRICK, "hair", 5.6, 2.8),
        (2.6, DEEP, "cap", 7.2, 3.4),
        (14.2, BROWN, "hair", 9.6, 4.2),
    ):
        b.bust(x, -0.6, 1.0, coat, hat=hat)
        b.bubble(
            x + 2.0, -9.8 + (4.2 - h) * 0.2, w, h, (x + 0.6, -6.2), WHITE if w < 9 else RED, dots=2 if w < 5 else 3
        )


def fallen_out(b: Brush) -> None:
    """A photograph of two friends, torn between them."""
    b.room("#b9a489", "#4d3523")
    for side, coat, hat in ((-1, NAVY, "hair"), (1, BRICK, "hat")):
        half = Brush()
        rip = [(0.0, -5.4), (0.9, -3.6), (-0.7, -1.8), (0.9, 0.4), (-0.6, 2.4), (0.4, 5.2)]
        edge = [(x * 1.0, y) for x, y in rip]
        half.poly(PAPER, (side * 9.4, -5.4), *edge, (side * 9.4, 5.2))
        near = [(x + side * 0.7, min(max(y, -4.6), 4.0)) for x, y in rip]
        half.poly(SKY, (side * 8.4, -4.6), *near, (side * 8.4, 4.0))
        half.bust(side * 4.6, 4.0, 1.25, coat, hat=hat)
        b.put(half.items, side * 2.0, -6.4, 1.0, side * 8)


def storm(b: Brush) -> None:
    """A town under a thundercloud, for a crisis without a picture of its own."""
    b.dusk()
    for x, h in ((-15, 6), (-9.6, 8), (-4, 5), (2, 7.4), (8, 5.6), (13, 7)):
        b.house(x, -1.6, 4.4, h, "#4f4646", AMBER)
    for x in (-11, -2, 7):
        b.cloud(x, -10.2, 1.6, "#37424a")
    for x in (-6, 5.6):
        b.poly(
            AMBER,
            (x, -10.2),
            (x - 1.8, -6.8),
            (x - 0.4, -6.8),
            (x - 1.4, -3.6),
            (x + 1.6, -7.8),
            (x + 0.2, -7.8),
            (x + 1.4, -10.2),
        )


PICTURES: dict[str, Callable[[Brush], None]] = {
    "exchange": exchange,
    "panic": exchange,
    "week": week,
    "allies": allies,
    "leak": leak,
    "press": leak,
    "station": closed,
    "closed": closed,
    "visa": visa,
    "cloud": clouds,
    "cipher": ciphers,
    "sources": quiet,
    "archive": archive,
    "freeze": freeze,
    "budget": freeze,
    "staff": recalled_staff,
    "asset": lost,
    "lead goes": cold,
    "files": misplaced,
    "memo": memo,
    "incident": incident,
    "border": incident,
    "forms": forms,
    "rumour": rumour,
    "fall out": fallen_out,
    "quarrel": allies,
}
"""Pictures by a word that the title begins a word with."""
