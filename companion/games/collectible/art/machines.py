"""Machines, and what stands in water and shines at night: things that are built."""

from __future__ import annotations

from companion.games.collectible.art.kit import (
    BLUE,
    BONE,
    BRASS,
    BROWN,
    GILT,
    GOLD,
    INK,
    IRON,
    PAPER,
    RED,
    RUST,
    SKY,
    STEEL,
    UMBER,
    WHITE,
    WINE,
    Head,
    Motif,
    blob,
    block,
    curve,
    flat,
    motif,
    oval,
    poly,
    rule,
    star,
)
from companion.press.drawing import Item


def gear(fill: str, x: float, y: float, r: float, tips: int = 10, hole: str = INK) -> list[Item]:
    """Draw a toothed wheel."""
    return [star(fill, x, y, r, inner=0.78, tips=tips), oval(fill, x, y, r * 0.84), oval(hole, x, y, r * 0.36)]


def loom() -> Motif:
    """Draw a loom with cloth on it."""
    wood = "#9c5f33"
    stripes = (RED, GOLD, BLUE, PAPER, RED)
    return motif(
        block(UMBER, -9.6, -26, 19.2, 24),
        *(rule(BONE, 0.5, f"{x},-24 {x},-10") for x in (-8, -6, -4, -2, 0, 2, 4, 6, 8)),
        *(block(tone, -9, -14 + 2.4 * i, 18, 2.4) for i, tone in enumerate(stripes)),
        *(poly(PAPER, f"{x},-6.8 {x + 1.6},-8.2 {x},-9.2 {x - 1.6},-8.2") for x in (-6, -2, 2, 6)),
        block(wood, -12.6, -30, 3.4, 30),
        block(wood, 9.2, -30, 3.4, 30),
        block(wood, -13.6, -29, 27.2, 3.6),
        block(wood, -12.6, -18.4, 25.2, 2.2),
        block(wood, -12.6, -3, 25.2, 2.4),
        poly(GILT, "-5,-16 -1.6,-17.6 5,-17.6 8,-16 5,-14.6 -1.6,-14.6"),
        *gear(BRASS, 12, -7, 4.2, 9),
        heads=[Head(0, -28.6, 14)],
    )


def printing_press() -> Motif:
    """Draw a printing press: a screw, its lever, and a printed sheet."""
    wood, dark = "#8a5a34", "#5f3a20"
    return motif(
        block(wood, -12, -28, 4, 28),
        block(wood, 6, -28, 4, 28),
        block(dark, -14, -31, 26, 4.4),
        block(dark, -13, -2.4, 24, 2.4),
        block(STEEL, -3, -27, 4, 12),
        *(rule(INK, 0.6, f"-3,{y} 1,{y + 1.4}") for y in (-26, -23.4, -20.8)),
        rule(IRON, 1.5, "-1,-18.6 14.6,-22"),
        oval(RED, 14.8, -22, 1.9),
        block(IRON, -7.4, -15.6, 13, 3.6),
        block(dark, -13.6, -8, 26, 3),
        poly(WHITE, "-6.6,-12 5.4,-12 12,-4.6 12,0.4 4.6,0.4 4.6,-8 -6.6,-8"),
        block(WHITE, 3, -9, 9.6, 9),
        rule(INK, 1.2, "4.6,-7 11,-7"),
        *(rule("#6b6470", 0.6, f"4.6,{y} 11,{y}") for y in (-5, -3.4, -1.8)),
        heads=[Head(-1, -30.6, 13)],
    )


def clock() -> Motif:
    """Draw a tall clock."""
    case, dark = "#7d3b2a", "#51241b"
    ticks = flat(*(oval(INK, 5.4 * x, -23 + 5.4 * y, 0.5) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))))
    return motif(
        poly(case, "-9,-30 0,-35.4 9,-30"),
        block(case, -8.4, -31, 16.8, 16),
        poly(case, "-5.6,-16 5.6,-16 5.6,-4 8,-4 8,0 -8,0 -8,-4 -5.6,-4"),
        block(dark, -4, -14.4, 8, 10.4),
        oval(GILT, 0, -23, 7.4),
        oval(PAPER, 0, -23, 6.4),
        ticks,
        *(oval(INK, 4.7 * x, -23 + 2.7 * y, 0.35) for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1))),
        rule(INK, 1.0, "0,-23 0,-27.8"),
        rule(INK, 1.0, "0,-23 3.4,-21"),
        oval(RED, 0, -23, 0.9),
        rule(GILT, 0.7, "0,-14 1.6,-8"),
        oval(GOLD, 1.8, -7.4, 2.2),
        oval(GILT, 0, -35.6, 1.4),
        heads=[Head(0, -33.4, 9)],
    )


def clockwork() -> Motif:
    """Draw a clockwork man with a key in his back."""
    tin, dark = "#b9c3c6", IRON
    return motif(
        rule(BRASS, 1.6, "-9,-13 -14,-13"),
        oval(GILT, -15, -15.2, 2.6),
        oval(GILT, -15, -10.8, 2.6),
        oval(INK, -15, -15.2, 1.1),
        oval(INK, -15, -10.8, 1.1),
        block(dark, -6, -5, 3.6, 5),
        block(dark, 2.4, -5, 3.6, 5),
        block(INK, -7.4, -1.4, 5.6, 1.4),
        block(INK, 1.8, -1.4, 5.6, 1.4),
        block("#4a8c9c", -9, -20, 18, 15.4),
        oval(INK, 0, -12.4, 6),
        gear(GOLD, -2, -13.6, 3.4, 9),
        gear(RUST, 2.8, -10.6, 2.5, 8),
        *(rule(tin, 2.4, w) for w in ("9,-18 13,-14 11,-9", "-9,-18 -12,-14.6 -12.4,-8")),
        block(dark, -2, -22, 4, 2.4),
        blob(tin, "-6,-21.6 -6.4,-29 -4,-31.4 4,-31.4 6.4,-29 6,-21.6", 3),
        oval(GOLD, -2.6, -27, 1.7),
        oval(GOLD, 2.6, -27, 1.7),
        oval(INK, -2.6, -27, 0.8),
        oval(INK, 2.6, -27, 0.8),
        block(INK, -3.6, -24.2, 7.2, 1.5),
        *(rule(tin, 0.4, f"{x},-24.2 {x},-22.8") for x in (-2, 0, 2)),
        heads=[Head(0, -30.6, 11)],
    )


def steam_engine() -> Motif:
    """Draw a steam engine on wheels."""
    boiler, dark = "#3c6f6a", "#234643"
    spokes = flat(*(rule(GOLD, 0.5, f"{x - 3},-4.4 {x + 3},-4.4 {x},-4.4 {x},-7.4 {x},-1.4") for x in (-8.4, 0.8)))
    return motif(
        *(oval(WHITE, x, y, r) for x, y, r in ((10.4, -26.6, 2.2), (7.4, -30, 3.0), (2.4, -32.6, 3.4))),
        block(RED, -15, -22, 9, 14),
        block(SKY, -13, -19.6, 5, 5),
        block(dark, -16.4, -24, 12, 2.4),
        block(boiler, -6.4, -17, 18, 9.6),
        oval(boiler, 11.4, -12.2, 2.8, 4.8),
        *(block(GILT, x, -17, 1.1, 9.6) for x in (-3, 2.4, 7.8)),
        poly(dark, "7.4,-17 11.4,-17 12.8,-24.4 6,-24.4"),
        oval(GILT, 1, -17.6, 2.4, 2.4),
        block(dark, -16, -8, 30, 2.4),
        poly(RED, "13,-8 18.4,-1 12,-1"),
        *(oval(INK, x, -4.4, 4.4) for x in (-8.4, 0.8)),
        *(oval(RED, x, -4.4, 3.3) for x in (-8.4, 0.8)),
        spokes,
        oval(INK, 9.4, -2.9, 2.9),
        oval(RED, 9.4, -2.9, 1.8),
        rule(STEEL, 1.2, "-8.4,-3.4 2,-3.4"),
        oval(GOLD, 14, -13.8, 1.7),
        heads=[Head(9.4, -23.8, 9)],
    )


def machine() -> Motif:
    """Draw the machine: nobody knows what it does."""
    return motif(
        block(IRON, -12, -14, 24, 12),
        block(INK, -13, -2.4, 26, 2.4),
        poly(STEEL, "-11,-14 -4,-14 -5.4,-20 -9.6,-20"),
        block(RUST, -8.9, -27, 2.8, 7.4),
        oval(WHITE, -5, -29, 2.2),
        oval(WHITE, -1.4, -31, 2.8),
        gear(GOLD, 4.6, -17, 7.4, 12),
        gear(RED, 4.6, -17, 4.2, 8, GOLD),
        gear(STEEL, -5, -9, 4.6, 10),
        gear(BRASS, 1.8, -6.6, 3, 8),
        rule(STEEL, 1.1, "4.6,-17 13,-21 13,-8"),
        oval(RED, 13, -21, 1.4),
        oval(PAPER, 7.6, -7, 2.9),
        rule(RED, 0.7, "7.6,-7 9,-8.8"),
        curve(BRASS, 1.3, "12,-5 15,-5.6 15,-12 12,-12"),
        heads=[Head(4.6, -23.6, 12)],
    )


# --------------------------------------------------------------------------------------------------- water and light


def fountain() -> Motif:
    """Draw a fountain of two basins."""
    stone, shade = "#d8d3c4", "#a39e94"
    return motif(
        *(curve(WHITE, 1.3, w) for w in ("0,-22 -3,-29 -8,-27 -9.4,-17", "0,-22 3,-29 8,-27 9.4,-17")),
        *(curve(SKY, 1.1, w) for w in ("0,-22 -1.4,-28 -4.4,-27 -5.4,-18", "0,-22 1.4,-28 4.4,-27 5.4,-18")),
        rule(WHITE, 1.4, "0,-18 0,-30"),
        *(rule(SKY, 0.9, f"{x},-15 {x * 1.15},-5") for x in (-8.4, -5.4, 5.4, 8.4)),
        poly(shade, "-1.8,-15 1.8,-15 2.6,-4 -2.6,-4"),
        blob(stone, "-9,-17 9,-17 6,-13.6 0,-12.6 -6,-13.6", 3),
        oval(BLUE, 0, -17, 8.4, 1.5),
        poly(stone, "-14,-7 14,-7 12.4,0 -12.4,0"),
        block(shade, -12.8, -2, 25.6, 2),
        oval(stone, 0, -7, 14, 2.2),
        oval(BLUE, 0, -7, 12.6, 1.6),
        heads=[Head(0, -28, 9)],
    )


def well() -> Motif:
    """Draw a well with roof and bucket."""
    return motif(
        block(BROWN, -9.6, -24, 2.2, 16),
        block(BROWN, 7.4, -24, 2.2, 16),
        poly(RED, "-13,-22 0,-31.4 13,-22"),
        *(rule(WINE, 0.6, f"{-x},{y} {x},{y}") for x, y in ((9.6, -24.6), (6, -27.2))),
        rule(UMBER, 1.6, "-10,-18.6 10,-18.6"),
        rule(BONE, 0.7, "1,-18 1,-13.6"),
        poly(UMBER, "-1.6,-13.6 3.6,-13.6 2.8,-9.4 -0.8,-9.4"),
        block("#a9a59b", -11, -9, 22, 9),
        *(block("#7f7b76", x, y, 4.6, 2.2) for x, y in ((-10.4, -6), (-3.6, -6), (4, -6), (-7, -3), (0, -3), (6, -3))),
        oval("#c9c4b6", 0, -9, 11.6, 2.2),
        oval(BLUE, 0, -9, 10, 1.5),
        heads=[Head(0, -29.6, 12)],
    )


def boat(half: float) -> list[Item]:
    """Draw a rowing boat from the side, of a given half length; its rim is 6 mm above its keel."""
    return flat(
        poly(RUST, f"{-half},-8.6 {-half + 4},-6 {half - 4},-6 {half},-8.6 {half - 5},1 {5 - half},1"),
        rule(BONE, 1.0, f"{-half + 0.4},-8 {-half + 4},-5.2 {half - 4},-5.2 {half - 0.4},-8"),
        rule(UMBER, 0.6, f"{-half + 4},-2.4 {half - 4},-2.4"),
    )


def ship() -> Motif:
    """Draw a ship in harbour."""
    return motif(
        rule(UMBER, 1.2, "0,-5 0,-31"),
        poly(PAPER, "-1,-29 -1,-9 -11,-9"),
        poly("#ead6ae", "1,-27 11.4,-9 1,-9"),
        poly(RED, "0,-31 6,-29.4 0,-27.8"),
        poly(RUST, "-13,-7.4 14,-7.4 10.4,0 -9.6,0"),
        rule(BONE, 0.8, "-12.4,-6 13.2,-6"),
        curve(SKY, 1.2, "-15,0 -11,-1.4 -7,0.4 -2,-1.2 3,0.4 8,-1.2 14,0.2"),
    )


def candle() -> Motif:
    """Draw a burning candle."""
    return motif(
        star("#f7d774", 0, -25, 8.6, inner=0.7, tips=14),
        star("#fbe9a8", 0, -25, 5.6, inner=0.7, tips=12),
        blob("#f08a24", "0,-31 -2.4,-26 -1.6,-22.6 0,-21.6 1.6,-22.6 2.4,-26"),
        blob(WHITE, "0,-27 -1,-24.6 0,-22.6 1,-24.6"),
        block(PAPER, -3, -21, 6, 17),
        blob(WHITE, "-3,-21 3,-21 3,-15 2,-13.4 1.4,-17 0,-18.4 -1.6,-16 -3,-17.6"),
        poly(BRASS, "-8,-5 8,-5 5,0 -5,0"),
        curve(GILT, 1.3, "7,-4.6 11,-5 11,-1 6,-1"),
        rule(GILT, 1.2, "-8.4,-5 8.4,-5"),
    )


def lamp() -> Motif:
    """Draw a street lamp with its light round it."""
    return motif(
        star("#f4d069", 0, -26, 10.6, inner=0.74, tips=16),
        star("#fae9ae", 0, -26, 7.4, inner=0.76, tips=14),
        block(INK, -1.1, -20, 2.2, 20),
        poly(INK, "-5,0 5,0 2.4,-3 -2.4,-3"),
        poly(INK, "-4.6,-30.6 4.6,-30.6 3,-20.6 -3,-20.6"),
        poly("#fff3c4", "-3.4,-29.6 3.4,-29.6 2.2,-21.6 -2.2,-21.6"),
        blob("#f08a24", "0,-28.6 -1.4,-25 0,-22.4 1.4,-25"),
        poly(INK, "-5.6,-30.4 5.6,-30.4 0,-34.4"),
        heads=[Head(0, -32.8, 10)],
    )
