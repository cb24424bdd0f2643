"""Pictures of single blows: weather, accidents, and what befalls people."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.collection.art.brush import (
    AMBER,
    BROWN,
    DUSK,
    GREEN,
    GREY,
    HALF,
    HIGH,
    INK,
    NAVY,
    PAPER,
    RED,
    SKIN,
    STEEL,
    WHITE,
    WIDE,
    Brush,
)


def snow(b: Brush) -> None:
    """Peaks, a road that ends in snow, a barrier."""
    b.box("#c3d0d8", -HALF, -HIGH, WIDE, HIGH)
    for x, w, h in ((-13.0, 10.0, 10.5), (11, 11, 12), (0, 7, 7)):
        b.poly("#5f7581", (x - w, -1), (x, -h - 0.6), (x + w, -1))
        b.poly(
            WHITE,
            (x - w * 0.42, -h * 0.62),
            (x, -h - 0.6),
            (x + w * 0.42, -h * 0.62),
            (x + w * 0.16, -h * 0.72),
            (x, -h * 0.55),
            (x - w * 0.2, -h * 0.7),
        )
    b.box(WHITE, -HALF, -3.0, WIDE, 3.0)
    b.poly("#4b5458", (-6, 0), (6, 0), (1.4, -3.6), (-0.8, -3.6))
    b.disc(WHITE, 0.6, -3.4, 4.4, 1.5)
    b.barrier(-8.6, -0.2, 17)
    for x, y in (
        (-19, -8),
        (-8, -11.6),
        (-4, -9.6),
        (3, -11.4),
        (5.6, -8.4),
        (18.6, -10.8),
        (-15, -11.8),
        (19, -5.6),
        (-10.5, -6.8),
    ):
        for dx, dy in ((0.7, 0), (0.35, 0.6), (-0.35, 0.6)):
            b.line(WHITE, 0.28, (x - dx, y - dy), (x + dx, y + dy))


def speech(b: Brush) -> None:
    """A speaker at a desk with microphones, and what comes out."""
    b.box("#3f5a52", -HALF, -HIGH, WIDE, HIGH)
    b.box("#6a2a2a", -HALF, -HIGH, 6, HIGH)
    b.box("#6a2a2a", HALF - 6, -HIGH, 6, HIGH)
    b.bust(-7, -4.6, 1.35, NAVY, hat="hair")
    b.box(RED, -7.4, -6.8, 0.8, 2.4)
    b.poly("#8d5a33", (-12, -5.2), (-2, -5.2), (-3, 0), (-11, 0))
    b.box("#6f4324", -12.6, -5.8, 11.2, 1.2, 0.3)
    for x in (-9.4, -4.8):
        b.line(INK, 0.35, (x, -5.8), (x + (0.9 if x < -7 else -0.9), -7.6))
        b.disc(INK, x + (0.9 if x < -7 else -0.9), -7.8, 0.6)
    b.star(WHITE, 6.4, -8.0, 5.4, 0.66, 11)
    b.poly(WHITE, (2.4, -8.6), (-3.8, -9.4), (2.6, -6.4))
    b.line(RED, 0.9, (4.4, -10.6), (8.8, -5.6))
    b.line(RED, 0.9, (8.8, -10.6), (4.4, -5.6))
    for x in (3, 8.4, 13.6):
        b.bust(x, 0.6, 0.7, INK, "#8b6a54")


def flour(b: Brush) -> None:
    """A flour sack nearly empty, a scoop, one loaf."""
    b.room("#dccdb2")
    b.box("#b79a6c", -HALF, -12.6, 10, 1.0)
    for x in (-20.6, -16.4):
        b.line(GREY, 0.3, (x, -12), (x, -10))
    b.poly("#efe6d2", (-13, -1.6), (-13.6, -5.4), (-11.6, -10.4), (-5.6, -10.4), (-3.4, -5.4), (-4, -1.6), r=1.2)
    b.poly("#d5c49d", (-12.2, -10.8), (-5, -10.8), (-4.4, -9.4), (-12.8, -9.4), r=0.5)
    b.line("#b89a5e", 0.5, (-8.6, -7.8), (-8.6, -3.4))
    for y in (-7.2, -6.0, -4.8):
        b.line("#b89a5e", 0.5, (-8.6, y + 0.9), (-7.2, y))
        b.line("#b89a5e", 0.5, (-8.6, y + 0.9), (-10, y))
    b.poly(WHITE, (-4.6, -1.6), (-1.8, -3.0), (1.4, -1.6))
    b.poly(STEEL, (0.4, -3.8), (4.6, -4.8), (5.4, -3.0), (1.4, -1.8), r=0.6)
    b.line(BROWN, 0.8, (5, -3.9), (8, -5))
    b.poly("#b8743a", (8.4, -1.8), (8.6, -4.4), (10.6, -5.6), (15, -5.6), (16.8, -4.4), (17, -1.8), r=1.2)
    for x in (10.6, 12.6, 14.6):
        b.line("#eac48e", 0.45, (x - 0.5, -4.9), (x + 0.4, -3.8))
    b.poly(RED, (12.2, -12.2), (14.2, -12.2), (14.2, -9.8), (15.9, -9.8), (13.2, -7), (10.5, -9.8), (12.2, -9.8))


def pipeline(b: Brush) -> None:
    """A pipeline that sprays from a joint."""
    b.day("#e3d5b3", "#cdb88b", "#a98f5e")
    for x in (-16.0, -4, 14):
        b.poly("#5d5a52", (x - 1.4, -1), (x - 0.8, -5), (x + 0.8, -5), (x + 1.4, -1))
    b.box("#6f8288", -HALF, -7.6, WIDE, 3.6)
    b.box("#9fb1b4", -HALF, -7.2, WIDE, 0.8)
    for x in (-12.0, 4.6, 18):
        b.box("#47575c", x - 0.9, -8.2, 1.8, 4.8, 0.2)
    b.line(INK, 0.5, (-12, -8.2), (-12, -10.4))
    b.line(RED, 0.8, (-14, -10.6), (-10, -10.6))
    for x, y, r in ((1.6, -10.6, 0.9), (3.4, -12, 0.7), (6.2, -11.6, 0.9), (8, -10, 0.8), (5, -9.4, 0.8)):
        b.disc(INK, x, y, r)
    b.poly(INK, (4, -3.6), (5.2, -3.6), (6.6, -0.8), (2.6, -0.8))
    b.disc("#1c1a17", 4.8, -0.9, 6.2, 0.9)
    b.disc("#4d483e", 3.0, -1.1, 1.6, 0.25)


def minister(b: Brush) -> None:
    """A minister's portrait with a hole in its glass, hung with crape."""
    b.room("#cfc3ae", "#4d3523")
    b.box("#a5792c", -6.2, -12.9, 12.4, 11.2)
    b.box("#e0b457", -5.6, -12.3, 11.2, 10)
    b.box("#8fb0a8", -4.8, -11.5, 9.6, 8.4)
    b.bust(0, -3.1, 1.32, NAVY, hat="hair")
    b.poly(WHITE, (-0.9, -6.2), (0.9, -6.2), (0, -3.4))
    b.poly(INK, (2.4, -12.9), (6.2, -9.1), (6.2, -6.8), (0.2, -12.9))
    b.disc(INK, -2.6, -9.0, 0.75)
    for dx, dy in ((-2.0, -1.6), (1.8, 1.8), (-1.6, 1.9), (2.0, -1.2), (0.2, -2.6), (-2.5, 0.3)):
        b.line(WHITE, 0.32, (-2.6 + dx * 0.36, -9 + dy * 0.36), (-2.6 + dx, -9 + dy))
    b.poly("#c99a3a", (11.2, -2.8), (11.2, -4.6), (15.4, -4.6), (15.4, -2.8))
    b.poly("#8b5a3a", (11.2, -2.8), (9.6, -3.3), (9.0, -3.7), (9.6, -4.1), (11.2, -4.6))
    b.line(BROWN, 0.3, (12, -4.5), (12, -2.9))
    for x in (-15.5, -12.5):
        b.line(GREEN, 0.4, (x, -2.6), (x + 1, -6))
        b.disc(WHITE, x + 1, -6.6, 1.2)
        b.disc(AMBER, x + 1, -6.6, 0.45)


def mutiny(b: Brush) -> None:
    """A warship whose flag hangs upside down, with a crew that does not obey."""
    b.sea(DUSK, "#3f6f80")
    b.poly("#5d6c70", (-14, -4.2), (15.4, -4.2), (12.6, -0.6), (-12, -0.6))
    b.line(RED, 0.5, (-12.6, -1.2), (13, -1.2))
    b.box("#77878a", -5, -7.2, 9.4, 3.2, 0.3)
    b.box("#8c9b9d", -2.6, -9.2, 5, 2.2, 0.3)
    b.line(INK, 0.5, (6, -5), (11, -6.6))
    b.box("#5d6c70", 4.6, -5.8, 2.4, 1.8, 0.4)
    b.line(INK, 0.5, (0, -9.2), (0, -13))
    b.poly(INK, (0, -12.9), (6.4, -12.9), (5.2, -11.4), (6.4, -9.9), (0, -9.9))
    b.line(PAPER, 0.5, (1.4, -12.4), (4.0, -10.4))
    b.line(PAPER, 0.5, (4.0, -12.4), (1.4, -10.4))
    for x in (-11.6, -8.4):
        b.bust(x, -4.2, 0.72, WHITE, hat="helmet")
        b.line(SKIN, 0.6, (x + 1.5, -5), (x + 2, -8))
    b.poly("#5f4a3a", (-21, -1.6), (-15.8, -1.6), (-16.6, -0.4), (-20.2, -0.4))
    b.bust(-18.4, -1.6, 0.8, NAVY, hat="cap")


def blackout(b: Brush) -> None:
    """A dark town, and one candle."""
    b.box("#141d26", -HALF, -HIGH, WIDE, HIGH)
    for i, h in enumerate((7, 10, 6, 11, 8, 5, 9, 11.5, 7, 10)):
        b.house(-HALF + 4.4 * i, 0, 4.2, h, "#26323c", "#19232c")
    b.disc("#5a4a2a", 0, -7.8, 5.3)
    b.disc("#93752f", 0, -7.8, 3.4)
    b.box(PAPER, -1.3, -5.6, 2.6, 4.6, 0.3)
    b.box(AMBER, -2.8, -1.3, 5.6, 1.0, 0.4)
    b.line(INK, 0.3, (0, -5.6), (0, -6.4))
    b.flame(0, -6.0, 0.92)


PICTURES: dict[str, Callable[[Brush], None]] = {
    "snow": snow,
    "pass": snow,
    "speech": speech,
    "flour": flour,
    "bread": flour,
    "pipeline": pipeline,
    "minister": minister,
    "mutiny": mutiny,
    "blackout": blackout,
}
"""Pictures by a word that the title begins a word with."""
