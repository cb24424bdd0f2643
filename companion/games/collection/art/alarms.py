"""Pictures of crises that grow: what happens in streets, harbours and palaces."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from companion.games.collection.art.brush import (
    AMBER,
    BRICK,
    BROWN,
    DEEP,
    DUSK,
    GREY,
    HALF,
    HIGH,
    INK,
    NAVY,
    PAPER,
    RED,
    SAND,
    SEA,
    WHITE,
    WIDE,
    Brush,
)
from companion.press.drawing import Item, Shape, arc


def bridge(b: Brush) -> None:
    """Soldiers on a bridge of two arches."""
    b.sea(DUSK, "#4c7d8a")
    b.box("#6b5a4c", -HALF, -6.4, WIDE, 5.2)
    for x in (-14.5, 0.0, 14.5):
        b.items.append(Shape(((*arc(x, -1.2, 5.6, 180, 360, 4.2),),), "#4c7d8a"))
    b.box("#8a7763", -HALF, -6.9, WIDE, 1.0)
    for x in (-13, -7.8, -2.6, 2.6, 7.8, 13):
        b.bust(x, -6.9, 0.86, "#4a5a37", hat="helmet")
        b.line(INK, 0.4, (x + 2.0, -6.9), (x + 2.7, -12.2))


def radio(b: Brush) -> None:
    """An old radio whose waves are struck out."""
    b.room("#dcd3bd")
    b.box("#6d3f24", -9, -11, 15, 8.6, 1.4)
    b.box(SAND, -8, -10, 7.6, 6.6, 0.8)
    for i in range(5):
        b.line(BROWN, 0.4, (-7.3, -9 + 1.15 * i), (-1.1, -9 + 1.15 * i))
    b.box("#f3e6b8", 0.3, -9.8, 4.8, 2.6, 0.4)
    b.line(RED, 0.3, (3.6, -9.8), (3.6, -7.2))
    for x in (1.4, 4.0):
        b.disc(INK, x, -5, 1.1)
        b.line(PAPER, 0.25, (x, -5), (x, -5.9))
    for r in (2.2, 3.8, 5.4):
        b.line(GREY, 0.6, *arc(7.6, -7, r, -38, 38))
    b.line(RED, 1.1, (8.4, -10.6), (14.2, -3.6))
    b.line(RED, 1.1, (14.2, -10.6), (8.4, -3.6))


def redrawn(b: Brush) -> None:
    """A map, its border in two versions, and a pencil."""
    b.room("#5f6f5c", "#4a3826")
    b.poly(PAPER, (-15, -12), (-5, -12.7), (5, -12), (15, -12.7), (15, -1.2), (5, -0.6), (-5, -1.2), (-15, -0.6))
    b.poly(
        "#b9d3ac",
        (-15, -12),
        (-5, -12.7),
        (-1, -12.4),
        (1.5, -9.5),
        (-2.5, -6.5),
        (0.5, -3),
        (-1, -0.9),
        (-5, -1.2),
        (-15, -0.6),
    )
    for x in (-5, 5):
        b.line("#d8d0b6", 0.3, (x, -12.4), (x, -0.9))
    b.line("#8a9a84", 0.4, (-1, -12.4), (1.5, -9.5), (-2.5, -6.5), (0.5, -3), (-1, -0.9))
    new = ((3, -12.2), (6.4, -9.4), (2.6, -6.6), (6, -3.4), (4.4, -0.8))
    for (ax, ay), (bx, by) in itertools.pairwise(new):
        for t in (0.05, 0.55):
            b.line(
                RED,
                0.75,
                (ax + (bx - ax) * t, ay + (by - ay) * t),
                (ax + (bx - ax) * (t + 0.28), ay + (by - ay) * (t + 0.28)),
            )
    b.poly(AMBER, (6.4, -4.2), (15.6, -9.6), (16.6, -8), (7.4, -2.6))
    b.poly(SAND, (6.4, -4.2), (7.4, -2.6), (5.0, -2.3))
    b.poly(INK, (5.6, -2.8), (5.9, -2.3), (4.9, -2.25))


def barricades(b: Brush) -> None:
    """A street closed by crates, tyres and beams."""
    b.dusk()
    for x, h in ((-21.9, 10), (-15.5, 7.5), (11.5, 8), (16.9, 11)):
        b.house(x, -2.6, 5.0, h, "#6f5750", "#f3cf8a")
    b.box(BROWN, -9.5, -5.6, 5.6, 4.6)
    b.line(SAND, 0.4, (-9.1, -5.2), (-4.3, -1.4))
    b.box("#8d6640", -3.6, -4.6, 5, 3.6)
    b.line(SAND, 0.4, (-3.2, -4.2), (1.0, -1.4))
    b.box(BROWN, -6.6, -8.6, 4.6, 3.2)
    for x in (3.4, 7.2):
        b.disc(INK, x, -2.6, 1.9)
        b.disc("#6a6157", x, -2.6, 0.8)
    b.disc(INK, 5.3, -5.4, 1.9)
    b.disc("#6a6157", 5.3, -5.4, 0.8)
    for turn in ((-12.5, -0.6, -1.5, -10.6), (12.6, -0.6, 0.2, -9.4), (-11.5, -9.2, 1.5, -2.0)):
        b.line("#3b2a1c", 0.8, (turn[0], turn[1]), (turn[2], turn[3]))
    b.flag(-0.4, -8.0, 4.8, RED, INK)


def envoy(b: Brush) -> None:
    """A man in a hat with his suitcase is shown the way to an aircraft."""
    b.day("#dfd5c3", "#c2bda2", "#7d8781")
    b.plane(12.0, -7.4, 0.78)
    b.box(INK, -15.2, -11.2, 5.2, 8.6)
    b.poly("#7a4a2a", (-10, -11.2), (-8.4, -10.4), (-8.4, -1.6), (-10, -2.6))
    b.disc(AMBER, -9.0, -6, 0.3)
    b.poly(NAVY, (-3.4, -1), (-2.6, -5.4), (0.4, -5.4), (0.8, -1), (-0.6, -1), (-1.1, -3.6), (-1.9, -1))
    b.bust(-1, -5.0, 1.0, NAVY, hat="hat")
    b.line(NAVY, 1.0, (0.9, -6.2), (2.2, -4.0))
    b.box("#8f5a2c", 1.0, -3.9, 3.4, 2.6, 0.3)
    b.line("#5c3717", 0.3, (2.0, -4.4), (3.4, -4.4))
    b.line(RED, 0.9, (4.4, -10.6), (8.2, -10.6))
    b.poly(RED, (7.8, -12), (10.2, -10.6), (7.8, -9.2))


def decree(b: Brush) -> None:
    """A decree with its seal, at midnight."""
    b.night(moon=-16.5)
    b.box(SAND, -7, -11.6, 12.6, 10)
    b.box("#c8ae73", -8, -12.4, 14.6, 1.5, 0.7)
    b.box("#c8ae73", -8, -2.0, 14.6, 1.5, 0.7)
    for i in range(4):
        b.line("#75623a", 0.5, (-5.4, -9.9 + 1.4 * i), ((4.0 if i < 3 else -0.5), -9.9 + 1.4 * i))
    b.poly(BRICK, (1.6, -3.6), (0.8, -0.6), (2.2, -1.3), (2.8, -3.4))
    b.poly(BRICK, (3.6, -3.6), (4.8, -0.8), (3.2, -1.3), (2.6, -3.4))
    b.star(RED, 2.7, -4.4, 1.9, 0.86, 12)
    b.disc(BRICK, 2.7, -4.4, 1.0)
    b.disc(PAPER, 13.2, -7.4, 4.2)
    b.disc(INK, 13.2, -7.4, 3.7)
    b.disc(PAPER, 13.2, -7.4, 3.4)
    b.line(INK, 0.7, (13.2, -7.4), (13.2, -9.2))
    b.line(INK, 0.5, (13.45, -7.4), (13.45, -10.3))


def riots(b: Brush) -> None:
    """A burning town and raised fists."""
    b.dusk()
    for x, w, h in ((-21, 5, 8), (-15.6, 4.6, 10.4), (-6, 4.6, 8.8), (3, 5, 11), (12, 4.6, 8.4), (17, 4.9, 10.4)):
        b.house(x, -1.4, w, h, "#4b3d3d", "#f0a648")
    b.flame(-9, -2, 2.2)
    b.flame(10.1, -2, 2.2)
    b.flame(0.6, -2, 1.6)
    for x in (-17, -12.4, -4, 4.6, 14.6, 19):
        b.bust(x, 0, 0.72, INK, "#2b2626")
    for x, y in ((-14.8, -6.2), (-1.4, -6.6), (7.2, -6.2), (16.8, -6.0)):
        b.line(INK, 1.0, (x, 0), (x, y))
        b.box("#c78a63", x - 0.85, y - 1.5, 1.7, 1.8, 0.5)


def resigns(b: Brush) -> None:
    """A long table whose chairs are empty."""
    b.room("#c9b9a0", "#5f3a22")
    b.box(BRICK, -HALF, -HIGH, 5, 11)
    b.box(BRICK, HALF - 5, -HIGH, 5, 11)
    b.box(PAPER, -4, -12.6, 8, 3.6)
    b.star(AMBER, 0, -10.8, 1.4)
    for i in range(6):
        x = -14.2 + 5.7 * i
        if i == 3:
            b.put(_chair(), x + 1.2, -3.4, 1.0, 24)
        else:
            b.put(_chair(), x, -3.0)
    b.box("#7d4c2b", -16.5, -3.4, 33, 1.7, 0.5)
    for x in (-12.5, -4.5, 1.6, 8.6):
        b.paper(x, -3.9, 2.2, 1.2, -6, 2)


def _chair() -> list[Item]:
    b = Brush()
    b.box("#3d2416", -1.7, -5.8, 3.4, 6, 0.8)
    b.box(RED, -1.15, -5.2, 2.3, 4, 0.6)
    return b.items


def leave(b: Brush) -> None:
    """Freighters sail away from the mole and its lighthouse."""
    b.sea(DUSK, "#4a7c8c")
    b.poly("#6b5a4c", (-HALF, -4.8), (-15, -4.8), (-12.4, -1.6), (-HALF, -1.6))
    b.poly(PAPER, (-19.6, -4.8), (-19, -11), (-17, -11), (-16.4, -4.8))
    b.poly(RED, (-19.3, -7.6), (-19.15, -9.2), (-16.85, -9.2), (-16.7, -7.6))
    b.box(AMBER, -18.8, -12.2, 1.6, 1.3)
    b.ship(-4.0, -2.2, 0.95)
    b.ship(11.5, -3.3, 0.72, NAVY)
    b.line(WHITE, 0.4, (-12.6, -2.4), (-10.2, -2.9))


def airfield(b: Brush) -> None:
    """A control tower, a runway and a plane behind a closed barrier."""
    b.dusk()
    b.poly("#3f4340", (-9, 0), (20, 0), (8, -2.6), (1, -2.6))
    for x, w in ((3.5, 2.0), (4.2, 1.4)):
        b.box(PAPER, x, -1.2 if w == 2.0 else -2.2, w, 0.4)
    b.poly(PAPER, (-17, -2.6), (-16.2, -8.6), (-12.8, -8.6), (-12, -2.6))
    b.poly("#2b4a5c", (-18, -12), (-11, -12), (-12, -8.6), (-17, -8.6))
    b.box(INK, -18, -12.5, 7, 0.7)
    b.line(INK, 0.3, (-14.5, -12.5), (-14.5, -13.2))
    b.plane(3.0, -5.6, 0.92)
    b.truck(15.6, -1.6, 0.9)
    b.barrier(-9.4, -0.4, 18)


def shots(b: Brush) -> None:
    """A watch-tower above wire, and a shot."""
    b.dusk()
    b.line(INK, 0.6, (-15.6, -0.6), (-14.2, -7))
    b.line(INK, 0.6, (-8.4, -0.6), (-9.8, -7))
    b.line(INK, 0.4, (-15, -3), (-9.4, -5.4))
    b.line(INK, 0.4, (-9, -3), (-14.6, -5.4))
    b.box("#4e4030", -16, -8.4, 8, 2.2)
    b.bust(-12, -8.2, 0.66, "#4a5a37", hat="helmet")
    b.poly(INK, (-17, -11.6), (-12, -13.1), (-7, -11.6))
    b.line(INK, 0.35, (-15.6, -11.6), (-15.6, -8))
    b.line(INK, 0.35, (-8.4, -11.6), (-8.4, -8))
    b.line(INK, 0.6, (-11, -9.3), (-6.2, -9.3))
    b.star(AMBER, -3.0, -9.3, 3.2, 0.45, 8)
    b.star("#fdf0b0", -3.0, -9.3, 1.7, 0.45, 8)
    for x in (2.4, 7, 11):
        b.line(RED, 0.5, (x, -9.0 + x * 0.05), (x + 2.4, -8.9 + x * 0.05))
    for x in (-4, 4, 12, 20):
        b.line(INK, 0.5, (x, -0.6), (x, -5))
    for y in (-1.6, -3.0, -4.4):
        b.line(INK, 0.25, (-4, y), (HALF, y))
    for x in (-2, 1, 6, 9, 14, 17):
        b.line(INK, 0.25, (x - 0.4, -5), (x + 0.4, -3.8))
        b.line(INK, 0.25, (x - 0.4, -3.8), (x + 0.4, -5))


def mint(b: Brush) -> None:
    """A mint with its door broken open, and coins all over."""
    b.dusk()
    b.temple(-1, -2, 1.12)
    b.coin(-1, -9.9, 1.0)
    b.poly(INK, (-3.2, -3.6), (-3.4, -8.2), (-2, -7.6), (-1, -8.4), (0.2, -7.7), (1.3, -8.2), (1.0, -3.6))
    b.line(BROWN, 0.9, (-18, -1.4), (-5, -5.2))
    for x in (-16, -11.6):
        b.bust(x, -1.4, 0.8, INK, "#c78a63", hat="helmet")
    b.line(BROWN, 0.4, (6.6, -1.4), (10.4, -10.6))
    b.line(BROWN, 0.4, (9.0, -1.4), (12.4, -10.6))
    for i in range(5):
        b.line(BROWN, 0.35, (7.4 + 0.7 * i, -3 - 1.6 * i), (9.4 + 0.66 * i, -3 - 1.6 * i))
    for x, y in ((-6, -1), (-2, -1.2), (2, -0.9), (6, -1.2), (13, -1.4), (15.5, -1)):
        b.coin(x, y, 0.95)


def coup(b: Brush) -> None:
    """A mask and an officer's cap that is whispered about."""
    b.box("#3a2230", -HALF, -HIGH, WIDE, HIGH)
    for i in range(9):
        b.box("#5c2630", -HALF + 5.2 * i, -HIGH, 2.4, HIGH)
    b.box("#22161c", -HALF, -2.0, WIDE, 2.0)
    b.poly(PAPER, (-13.4, -11.4), (-8.4, -12.2), (-3.4, -11.4), (-3.6, -6.6), (-8.4, -2), (-13.2, -6.6), r=0.8)
    for x in (-10.8, -6.0):
        b.poly(INK, (x - 1.4, -8.8), (x, -9.8), (x + 1.4, -8.8), (x, -8.1))
    b.line(RED, 0.7, *arc(-8.4, -6.2, 2.0, 30, 150))
    b.bust(9.6, -1.2, 1.75, "#42582f", hat="cap")
    b.box("#e0b38d", 6.8, -8.9, 5.6, 1.3, 0.5)
    b.box(INK, 7.2, -8.9, 4.8, 1.2, 0.5)
    for x in (6.2, 13.0):
        b.box(AMBER, x - 0.9, -4.3, 1.8, 0.7, 0.2)
    b.bubble(0.8, -10.4, 5.4, 3.0, (4.6, -8.0))


def strikes(b: Brush) -> None:
    """A factory without smoke, and placards."""
    b.dusk()
    b.box("#54504d", -17, -7.4, 19, 5.8)
    for i in range(4):
        b.poly("#3f3c3a", (-17 + 4.75 * i, -7.4), (-17 + 4.75 * i, -10.2), (-12.25 + 4.75 * i, -7.4))
    for x in (-20.4, 4.0):
        b.poly(BRICK, (x, -1.6), (x + 0.4, -12.4), (x + 2.6, -12.4), (x + 3, -1.6))
    for i in range(4):
        b.box("#26292b", -15.6 + 4.6 * i, -5.6, 2.8, 2.0)
    for x, y, colour in ((-13, -9.2, RED), (-4.8, -10.6, PAPER), (9.6, -9.8, RED), (16.4, -10.8, PAPER)):
        b.line("#6d4a2a", 0.5, (x, -0.6), (x, y))
        b.box(colour, x - 3.1, y - 1.8, 6.2, 3.8, 0.3)
        ink = PAPER if colour == RED else RED
        b.box(ink, x - 0.4, y - 1.3, 0.8, 1.9)
        b.disc(ink, x, y + 1.3, 0.45)
    for x in (-17, -9.6, -1.4, 6.2, 13, 19.6):
        b.bust(x, 0, 0.85, NAVY if x < 0 else DEEP, hat="cap" if x in (-9.6, 13) else "hair")


def dam(b: Brush) -> None:
    """A cracked dam with water behind it."""
    b.day(DUSK, "#b88d70", "#6f7a58")
    b.box(SEA, -HALF, -9.4, 17.5, 9.4)
    for y in (-8.2, -6.6):
        for x in (-20, -14.6, -9.4):
            b.line("#d9ebe8", 0.35, (x, y), (x + 1.2, y - 0.4), (x + 2.4, y))
    b.poly("#b9b4a8", (-6.4, -11.6), (-1.4, -11.6), (6.6, 0), (-6.4, 0))
    b.poly("#938d81", (-1.4, -11.6), (0.4, -11.6), (8.8, 0), (6.6, 0))
    b.line(INK, 0.7, (-2.6, -11.4), (-3.6, -9), (-1.4, -7.4), (-3.2, -4.8), (-0.8, -3.0), (-1.6, -0.6))
    b.line(INK, 0.45, (-1.4, -7.4), (0.6, -6.4))
    b.line(INK, 0.45, (-3.2, -4.8), (-5, -3.8))
    for y, far in ((-8.2, 4.6), (-5.4, 4.2)):
        x = 1.6 + (-8.2 - y) * -0.72
        b.poly(
            "#8cc4d2",
            (x, y - 0.5),
            (x + far, y + 1.2),
            (x + far + 1.8, 0),
            (x + far - 1.6, 0),
            (x + 2, y + 1.6),
            (x, y + 0.6),
        )
    b.box(SEA, 10, -1.2, HALF - 10, 1.2)
    for x in (14.2, 18.4):
        b.house(x, -1.6, 2.8, 3.0, PAPER, NAVY, 1)
        b.poly(BRICK, (x - 0.4, -4.6), (x + 1.4, -6.2), (x + 3.2, -4.6))


def convoys(b: Brush) -> None:
    """Lorries with their lights on, under the moon."""
    b.night(moon=-17)
    b.box("#0f1c22", -HALF, -2.0, WIDE, 2.0)
    for x in (-12.4, 0.4, 13.0):
        b.poly("#7d7a4e", (x + 4.6, -3.0), (x + 8.6, -4.4), (x + 8.6, -1.2), (x + 4.6, -2.2)) if x < 13 else None
        b.truck(x, -1.2, 1.06, "#6e7d52", "#55633f")
        b.disc("#fff1b5", x + 4.8, -2.8, 0.55)
    for x in (-19, -10, -1, 8, 17):
        b.box("#5c6a6e", x, -0.8, 4.2, 0.3)


def bank(b: Brush) -> None:
    """A bank that breaks in two."""
    b.dusk()
    b.items += _half(-1)
    b.items += _half(1)
    b.box("#5a4a3c", -HALF, -1.6, WIDE, 1.6)
    for x, y in ((-2.2, -1.2), (0.8, -0.9), (3.6, -1.3), (-6, -0.8)):
        b.poly(GREY, (x, y), (x + 1.4, y - 0.6), (x + 2, y + 0.4), (x + 0.6, y + 0.8))
    b.poly(RED, (12, -11.6), (15.4, -11.6), (15.4, -6.6), (18, -6.6), (13.7, -1.6), (9.4, -6.6), (12, -6.6))
    b.bust(-14, -0.6, 0.9, NAVY, hat="hat")
    b.bust(-18.4, -0.6, 0.9, BRICK, hat="hair")


def _half(side: int) -> list[Item]:
    """Draw one half of a broken bank, leaning outwards."""
    b = Brush()
    b.box(GREY, 0.3, -0.9, 6.2, 0.9)
    b.box(PAPER, 0.3, -1.7, 5.8, 0.8)
    b.box(DEEP, 0.6, -6.4, 4.9, 4.7)
    for x in (1.1, 4.0):
        b.box(PAPER, x, -6.4, 1.5, 4.7)
    b.poly(GREY, (0.2, -7.3), (6.1, -7.3), (6.1, -6.3), (0.9, -6.3))
    b.poly(PAPER, (-0.5, -7.2), (0.1, -10.3), (6.4, -7.2))
    tall = Brush()
    tall.put(b.items, 0, 0)
    if side < 0:
        tall.items = [
            Shape(tuple(tuple((-x, y) for x, y in loop) for loop in item.loops), item.fill)
            for item in b.items
            if isinstance(item, Shape)
        ]
    out = Brush()
    out.put(tall.items, side * 0.9, -1.2, 1.0, side * 9)
    return out.items


PICTURES: dict[str, Callable[[Brush], None]] = {
    "bridge": bridge,
    "radio": radio,
    "redrawn": redrawn,
    "barricade": barricades,
    "envoy": envoy,
    "expelled": envoy,
    "decree": decree,
    "riot": riots,
    "cabinet": resigns,
    "resign": resigns,
    "ships leave": leave,
    "airfield": airfield,
    "shots": shots,
    "frontier": shots,
    "mint": mint,
    "coup": coup,
    "coup is": coup,
    "strike": strikes,
    "dam": dam,
    "convoy": convoys,
    "bank": bank,
}
"""Pictures by a word that the title begins a word with."""
