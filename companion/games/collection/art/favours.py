"""Pictures of good luck: what helps the analysts, and what calms a crisis."""

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
    SAGE,
    SAND,
    SEA,
    SKIN,
    SKY,
    STEEL,
    WHITE,
    WIDE,
    Brush,
    star,
)
from companion.games.collection.art.props import newspaper, satellite
from companion.press.drawing import Shape, arc, bezier


def diplomacy(b: Brush) -> None:
    """Two arm-chairs and tea between them."""
    b.room("#d3e0d4", "#86624a")
    b.box("#9cbcc4", -4.6, -12.4, 9.2, 6.6)
    b.box(PAPER, -0.3, -12.4, 0.6, 6.6)
    for side, coat in ((-1, NAVY), (1, BRICK)):
        b.box(DEEP, side * 11 - 4.2, -9.6, 8.4, 8, 1.6)
        b.bust(side * 10.6, -2.6, 1.15, coat, hat="hair")
        b.box("#2f6a55", side * 14.6 - 1.3, -5.2, 2.6, 4.4, 0.8)
        b.box("#2f6a55", side * 7.2 - 1.3, -5.2, 2.6, 4.4, 0.8)
    b.box(BROWN, -4.6, -3.6, 9.2, 0.9)
    b.box(BROWN, -0.5, -2.8, 1, 2.4)
    for x in (-2.6, 2.6):
        b.box(WHITE, x - 1, -5.0, 2, 1.4, 0.5)
        b.line(GREY, 0.3, (x, -5.6), (x + 0.4, -6.4), (x, -7.2))


def truce(b: Brush) -> None:
    """A white flag under the noon sun, and a clasped hand."""
    b.day()
    b.items.append(Shape((star(0, -8.6, 4.4, 3.3, 16),), AMBER))
    b.disc("#ffe49a", 0, -8.6, 2.7)
    for side in (-1, 1):
        b.line(BROWN, 0.6, (side * 12, -0.6), (side * 12, -12.6))
        b.poly(
            WHITE,
            (side * 12, -12.4),
            (side * 17, -11.8),
            (side * 20.4, -12.3),
            (side * 20.0, -7.9),
            (side * 16.6, -7.5),
            (side * 12, -8.0),
        )
        b.bust(side * 8.6, -0.4, 1.0, "#4a5a37" if side < 0 else NAVY, hat="helmet")
    _shake(b, 0, -2.4, 0.55)


def _shake(b: Brush, x: float, y: float, s: float) -> None:
    """Draw two clasped hands."""
    hands = Brush()
    for side, sleeve, skin in ((-1, NAVY, SKIN), (1, BRICK, "#b9805a")):
        hands.poly(sleeve, (side * 14, -3.4), (side * 7.4, -2.4), (side * 7.4, 2.4), (side * 14, 3.4))
        hands.box(WHITE, min(side * 7.4, side * 6.2), -2.6, 1.2, 5.2)
        hands.poly(
            skin,
            (side * 6.3, -2.2),
            (side * 1.4, -2.7),
            (-side * 2.6, -0.9),
            (-side * 2.6, 1.6),
            (side * 1.8, 2.7),
            (side * 6.3, 2.2),
            r=0.9,
        )
    for i in range(4):
        hands.box("#b9805a", -3.6 + 0.35 * i, -1.6 + 0.95 * i, 3.0, 1.05, 0.5)
        hands.line("#8a5a3c", 0.2, (-3.2 + 0.35 * i, -0.65 + 0.95 * i), (-0.8 + 0.35 * i, -0.65 + 0.95 * i))
    hands.poly(SKIN, (-3.2, -2.4), (0.8, -3.1), (2.4, -1.6), (1.2, -0.8), (-2.2, -1.2), r=0.5)
    b.put(hands.items, x, y, s)


def liaison(b: Brush) -> None:
    """A handshake."""
    b.box("#cfe0dc", -HALF, -HIGH, WIDE, HIGH)
    for i in range(12):
        if i % 2:
            b.poly("#bcd3cf", (0, -6.6), *[(30 * c, -6.6 + 30 * s) for c, s in _ray(i)])
    _shake(b, 0, -6.6, 1.4)


def _ray(i: int) -> list[tuple[float, float]]:
    turns = arc(0, 0, 1, 30 * i, 30 * i + 30)
    return [turns[0], turns[-1]]


def grain(b: Brush) -> None:
    """A ship full of grain, and ears of wheat."""
    b.sea()
    b.disc("#ffe9a8", 14, -9.6, 2.0)
    b.ship(-1.6, -1.8, 1.35, BLUE, "grain")
    for x in (14.6, 17.4, 20):
        _ear(b, x, -0.4, 0.9)


def _ear(b: Brush, x: float, y: float, s: float) -> None:
    b.line("#a87b1c", 0.45 * s, (x, y), (x, y - 8 * s))
    for i in range(4):
        for side in (-1, 1):
            b.disc(AMBER, x + side * 0.75 * s, y - (4.2 + 1.3 * i) * s, 0.62 * s, 0.95 * s)
    b.disc(AMBER, x, y - 9.4 * s, 0.6 * s, 1.0 * s)


def channel(b: Brush) -> None:
    """Two telephones on one curled cord, below the table."""
    b.box("#e2dac3", -HALF, -HIGH, WIDE, HIGH)
    b.box(DEEP, -HALF, -2.4, WIDE, 2.4)
    cord = [
        (
            -8 + 16 * i / 48 + 0.8 * (1 if i % 4 < 2 else -1) * (i % 2),
            -2.2 - (2.2 if i % 4 == 1 else 0.4 if i % 4 == 3 else 1.3),
        )
        for i in range(49)
    ]
    b.line(INK, 0.4, *cord)
    for x, colour in ((-12.5, RED), (12.5, BLUE)):
        b.poly(colour, (x - 5, -1.8), (x - 3.2, -7.2), (x + 3.2, -7.2), (x + 5, -1.8), r=0.8)
        b.disc(PAPER, x, -4.4, 2.0)
        b.disc(colour, x, -4.4, 0.8)
        b.box(INK, x - 5.4, -10, 10.8, 1.8, 0.9)
        b.box(INK, x - 6, -10, 3.2, 3.2, 0.8)
        b.box(INK, x + 2.8, -10, 3.2, 3.2, 0.8)
    for r in (2.0, 3.4, 4.8):
        b.line(GREEN, 0.55, *arc(0, -5.6, r, 235, 305))


def dinner(b: Brush) -> None:
    """A table laid for two flags."""
    b.room("#e5d6c0", "#f3efe2")
    for x in (-17, -8.6, 8.6, 17):
        b.box("#c9b393", x - 0.5, -HIGH, 1, HIGH - 2.6)
    b.box(GREY, -HALF, -2.6, WIDE, 0.4)
    b.items.append(Shape((arc(0, -3.4, 6.2, 180, 360, 6.4),), "#aebcc0"))
    b.items.append(Shape((arc(-1.6, -4.4, 3.2, 180, 300, 4.0),), "#dbe5e7"))
    b.disc("#8b9a9f", 0, -10.2, 0.9)
    b.box("#8b9a9f", -7.6, -3.6, 15.2, 0.9, 0.4)
    for x, wine in ((-11, RED), (11, RED)):
        b.poly("#eef5f5", (x - 1.7, -9), (x + 1.7, -9), (x + 1.1, -5.8), (x - 1.1, -5.8), r=0.3)
        b.poly(wine, (x - 1.5, -7.8), (x + 1.5, -7.8), (x + 1.0, -5.9), (x - 1.0, -5.9), r=0.3)
        b.line("#eef5f5", 0.45, (x, -5.8), (x, -2.6))
        b.box("#eef5f5", x - 1.4, -2.9, 2.8, 0.5)
    b.flag(-19.6, -2.0, 8.6, BLUE)
    b.flag(19.6, -2.0, 8.6, RED, WHITE, -1)


def skies(b: Brush) -> None:
    """A satellite in a clear sky that sees the ground."""
    b.day("#9fd0e6", "#8fbf94", "#4d9068")
    b.items.append(Shape((star(-16, -9.4, 3.6, 2.7, 14),), AMBER))
    b.disc("#ffe49a", -16, -9.4, 2.3)
    b.poly("#e6f0c9", (0.4, -8.4), (-4.6, -1.0), (9.4, -1.0), (2.0, -8.4))
    satellite(b, 1.2, -10, 0.92)
    for x in (-2.2, 1.6, 5.4):
        b.house(x, -1.4, 2.2, 2.6, PAPER, NAVY, 1)
    b.disc("#cfe0a0", 2.4, -0.8, 7, 0.4)


def antenna(b: Brush) -> None:
    """A dish with waves, and the neighbour's name tag on it."""
    b.day()
    b.poly(STEEL, (-7, -0.8), (-3.6, -6.4), (-1.6, -6.4), (1.8, -0.8))
    b.box(INK, -8, -1.2, 11, 1.0)
    dish = Brush()
    dish.items.append(Shape((arc(0, 0, 6.4, 0, 180, 4.6),), PAPER))
    dish.items.append(Shape((arc(0, 0, 6.4, 0, 180, 1.5),), GREY))
    dish.line(STEEL, 0.5, (-3.6, 0.6), (0, -4.2), (3.6, 0.6))
    dish.disc(RED, 0, -4.4, 0.9)
    b.put(dish.items, -2, -8.4, 1.0, 38)
    for r in (3, 5, 7):
        b.line(BLUE, 0.7, *arc(4.2, -9.8, r, -72, 8))
    b.line(BROWN, 0.3, (-5, -5.2), (-10.4, -4.4))
    b.poly(AMBER, (-10, -5.6), (-15.6, -4.8), (-15, -1.8), (-9.6, -2.6), (-8.8, -4.2))
    b.line(BROWN, 0.4, (-13.8, -3.9), (-10.8, -4.3))


def friends(b: Brush) -> None:
    """Three people in a chain."""
    b.box("#d9e4d3", -HALF, -HIGH, WIDE, HIGH)
    b.box(SAGE, -HALF, -1.6, WIDE, 1.6)
    b.line(AMBER, 1.0, (-13, -9.6), (13, -9.6))
    for x, coat, hat in ((-13.0, NAVY, "hair"), (0, DEEP, "hat"), (13, BRICK, "hair")):
        b.disc(AMBER, x, -6.6, 5.6)
        b.disc(PAPER, x, -6.6, 5.0)
        b.bust(x, -2.9, 1.15, coat, hat=hat)
    for x in (-6.5, 6.5):
        b.poly(AMBER, (x - 1.4, -11.2), (x + 1.6, -9.6), (x - 1.4, -8.0))


def papers(b: Brush) -> None:
    """Newspapers, spectacles and a cup."""
    b.room("#e7dfc8", "#8a6547")
    newspaper(b, -9, -5.6, 17, 8.6, -7)
    newspaper(b, -4, -6.0, 17, 8.6, 4)
    for x in (8.4, 14.2):
        b.line(INK, 0.6, *arc(x, -7.6, 2.3, 0, 360))
    b.line(INK, 0.6, *arc(11.3, -7.8, 0.8, 200, 340))
    b.line(INK, 0.6, (16.4, -8), (19, -10.2))
    b.box(WHITE, 9.6, -4.0, 5, 2.9, 0.8)
    b.line(WHITE, 0.6, *arc(14.8, -2.8, 1.0, -80, 80))


def tasking(b: Brush) -> None:
    """A clipboard whose first line is ticked, and a target."""
    b.room("#cddbd4", "#7d5a3f")
    b.box(BROWN, -13, -12.6, 11.6, 12, 0.8)
    b.box(WHITE, -12, -11.4, 9.6, 10.2)
    b.box(STEEL, -9.6, -13.0, 4.8, 2.0, 0.5)
    for i in range(3):
        y = -9.2 + 2.8 * i
        b.box(AMBER if i == 0 else "#dfe5e1", -11.4, y - 0.9, 8.4, 2.1)
        b.box(INK, -11, y - 0.6, 1.5, 1.5)
        b.line(INK, 0.45, (-8.8, y + 0.2), (-4, y + 0.2))
    b.line(RED, 0.7, (-11, -9.2), (-10.2, -8.4), (-8.6, -10.6))
    for r, colour in ((5.4, RED), (4.0, WHITE), (2.6, RED), (1.2, WHITE)):
        b.disc(colour, 8, -6.8, r)
    b.line(INK, 0.7, (8, -6.8), (16.6, -11.6))
    b.poly(BLUE, (15.2, -11.8), (18.4, -13), (19.4, -11.2), (16.4, -9.8))


def visit(b: Brush) -> None:
    """Somebody in a hat at a door, with flowers."""
    b.day("#dfe6dc", SAGE, "#8d9a86")
    b.box("#c9a27a", 1, -HIGH, HALF - 1, HIGH - 1.4)
    b.box(PAPER, 4.6, -12.4, 8.6, 11)
    b.box(DEEP, 5.4, -11.6, 7, 10.2)
    b.box("#2f6a55", 6.4, -10.6, 5, 3.4)
    b.box("#2f6a55", 6.4, -6.2, 5, 3.8)
    b.disc(AMBER, 11.4, -6.6, 0.55)
    b.box(SKY, 15.4, -10.6, 4.4, 5)
    b.box(GREY, 3.4, -1.6, 11, 0.9)
    b.poly(BROWN, (-6.6, -0.6), (-6, -5.4), (-2, -5.4), (-1.4, -0.6))
    b.bust(-4, -4.6, 1.3, BROWN, hat="hat")
    b.line(BROWN, 1.1, (-2, -5.6), (1.6, -6.2))
    b.line(GREEN, 0.5, (1.6, -5.4), (1.6, -8.2))
    for x, y in ((0.8, -8.6), (2.4, -8.6), (1.6, -9.6)):
        b.disc(RED, x, y, 0.9)


def group(b: Brush) -> None:
    """Five heads round a table."""
    b.room("#cfdcd6", "#a8b8ad")
    b.box(WHITE, -6.6, -12.6, 13.2, 6)
    b.line(BLUE, 0.6, (-5, -8.2), (-2, -9.8), (1, -9.0), (4.8, -11.4))
    for x, coat, hat in (
        (-14.0, NAVY, "hair"),
        (-7, BRICK, ""),
        (0, DEEP, "hair"),
        (7, BLUE, "hat"),
        (14, BROWN, "hair"),
    ):
        b.bust(x, -2.2, 1.0, coat, skin=SKIN if hat else "#b9805a", hat=hat)
    b.disc(BROWN, 0, -1.2, 19, 1.9)
    b.disc("#a0754f", 0, -1.5, 18.2, 1.4)
    for x in (-11.0, -3.4, 4, 11.6):
        b.paper(x, -1.6, 2.6, 0.9, 0, 2)


def calendar(b: Brush) -> None:
    """A calendar with ticks of three hands."""
    b.box("#d2e0dd", -HALF, -HIGH, WIDE, HIGH)
    _month(b, 0)
    for column, row, colour in ((0, 0, BLUE), (2, 1, RED), (4, 0, GREEN), (3, 2, BLUE), (5, 1, RED), (1, 2, GREEN)):
        x, y = -9.1 + 3.64 * column, -7.0 + 2.5 * row
        b.disc(colour, x, y, 1.0)
    b.bust(-17.6, 0, 0.95, NAVY, hat="hair")
    b.bust(17.6, 0, 0.95, BRICK, hat="hat")


def _month(b: Brush, x: float) -> None:
    b.box(INK, x - 12.2, -12.0, 24.4, 11.4, 0.8)
    b.box(PAPER, x - 11.9, -11.7, 23.8, 10.8, 0.6)
    b.box(BLUE, x - 11.9, -11.7, 23.8, 2.6, 0.6)
    for column in range(6):
        b.box(STEEL, x - 9.4 + 3.64 * column, -12.7, 0.7, 2, 0.3)
        for row in range(3):
            b.box("#dcdfd3", x - 10.7 + 3.64 * column, -8.2 + 2.5 * row, 3.2, 2.1, 0.2)


def free_days(b: Brush) -> None:
    """A calendar with nothing in it, and an arrow that jumps over two days."""
    b.box("#d8e3cd", -HALF, -HIGH, WIDE, HIGH)
    _month(b, 0)
    hop = bezier((-9.1, -4.8), (-7.4, -8.8), (-3.6, -8.8), (-1.9, -5.6), 10)
    again = bezier((-1.9, -4.8), (-0.2, -8.8), (3.6, -8.8), (5.3, -5.6), 10)
    for path in (hop, again):
        b.line(GREEN, 0.9, *path)
        ex, ey = path[-1]
        b.poly(GREEN, (ex - 1.5, ey - 0.6), (ex + 1.3, ey - 1.0), (ex + 0.3, ey + 1.9))
    b.disc(GREEN, -9.1, -4.6, 1.0)


def tip(b: Brush) -> None:
    """Houses of a town, and a letter that comes from it."""
    b.day("#e9e2cb", "#c4cfae", "#7f9a72")
    for x, h, colour in ((-19, 6, BRICK), (-14.4, 8, SAND), (-9.8, 5.4, SEA), (-5.2, 7, "#b9805a")):
        b.house(x, -1.6, 4.2, h, colour, PAPER, 2)
        b.poly(INK, (x - 0.4, -1.6 - h), (x + 2.1, -3.8 - h), (x + 4.6, -1.6 - h))
    for i in range(4):
        b.disc(BLUE, 1.2 + 1.7 * i, -4.4 - 0.5 * i, 0.4)
    envelope(b, 13, -7, 10, 6.4, -8)


def envelope(b: Brush, x: float, y: float, w: float, h: float, turn: float) -> None:
    """Draw a letter in its envelope, sealed."""
    letter = Brush()
    letter.box(STEEL, -w / 2 - 0.3, -h / 2 - 0.3, w + 0.6, h + 0.6)
    letter.box(WHITE, -w / 2, -h / 2, w, h)
    letter.line(GREY, 0.4, (-w / 2, h / 2), (-w * 0.1, 0))
    letter.line(GREY, 0.4, (w / 2, h / 2), (w * 0.1, 0))
    letter.poly("#e7ece9", (-w / 2, -h / 2), (w / 2, -h / 2), (0, h * 0.14))
    letter.line(STEEL, 0.4, (-w / 2, -h / 2), (0, h * 0.14), (w / 2, -h / 2))
    letter.disc(RED, 0, h * 0.1, h * 0.17)
    b.put(letter.items, x, y, 1.0, turn)


def drop(b: Brush) -> None:
    """A letter by itself, for a gem without a picture of its own."""
    b.room("#d7e1da", "#7d5a3f")
    envelope(b, 0, -6.6, 13, 8.2, -5)


PICTURES: dict[str, Callable[[Brush], None]] = {
    "diplomacy": diplomacy,
    "truce": truce,
    "grain": grain,
    "channel": channel,
    "liaison": liaison,
    "dinner": dinner,
    "embassy": dinner,
    "skies": skies,
    "antenna": antenna,
    "friend": friends,
    "papers": papers,
    "tasking": tasking,
    "visit": visit,
    "group": group,
    "shared": calendar,
    "open calendar": free_days,
    "calendar": calendar,
    "tip": tip,
}
"""Pictures by a word that the title begins a word with."""
