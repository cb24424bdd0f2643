"""Hats. The brim lies round the origin, 10 wide is the head it fits; everything above is negative y."""

from __future__ import annotations

from companion.games.collectible.art.kit import (
    GILT,
    GOLD,
    INK,
    PAPER,
    RED,
    STEEL,
    UMBER,
    WHITE,
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


def paper() -> list[Item]:
    """Draw a hat folded from a printed sheet."""
    return flat(
        poly(PAPER, "-9.4,1 0,-12 9.4,1"),
        *(rule("#a39a94", 0.55, f"{-w},{y} {w},{y}") for w, y in ((2, -8), (3.6, -6.2), (5, -4.4))),
        poly(WHITE, "-10.4,1.4 -7.6,-3.6 7.6,-3.6 10.4,1.4"),
        rule(INK, 0.7, "-7.4,-3.6 7.4,-3.6"),
        poly("#d9d2c4", "0,-12 9.4,1 7.6,-3.6 6,-3.6"),
        *(rule("#a39a94", 0.55, f"{-w},{y} {w},{y}") for w, y in ((7, -1.8), (8, -0.2))),
    )


def brim() -> list[Item]:
    """Draw a hat with a very wide brim and a feather."""
    return flat(
        blob("#6b2f3f", "-5.4,-0.6 -5.6,-6.6 -3,-9 0,-8.2 3,-9 5.6,-6.6 5.4,-0.6"),
        block(GILT, -5.5, -3.6, 11, 2.2),
        blob("#551f30", "-15,-0.6 -8,-2 0,-1.4 8,-2 15,-0.6 9,1.9 0,2.3 -9,1.9"),
        blob(WHITE, "4,-2.6 6,-8 11,-12 12.4,-10.6 9,-5"),
        rule(STEEL, 0.5, "4.4,-3 11,-10.6"),
    )


def nightcap() -> list[Item]:
    """Draw a striped nightcap whose tip hangs down."""
    return flat(
        blob("#4a78c0", "-5.6,0 -5.4,-5 -2,-10.4 3,-12 8,-9 10.8,-3 9.4,-2.4 6.6,-6 4.8,-5 5.6,0", 4),
        *(
            curve(WHITE, 1.3, w)
            for w in ("-4.4,-6.6 0,-5.4 4.6,-5.8", "-2,-9.8 1.6,-8.4 5,-8.6", "5.2,-11 6,-9 8,-7.6")
        ),
        oval(RED, 10.4, -1.6, 2.2),
        blob(WHITE, "-6.4,1.2 -6.2,-1.8 0,-2.8 6.2,-1.8 6.4,1.2 0,0.4"),
    )


def borrowed() -> list[Item]:
    """Draw a top hat with its owner's label still on it."""
    return flat(
        poly("#33303f", "-5,-0.6 -5.8,-12 5.8,-12 5,-0.6"),
        oval("#4a4658", 0, -12, 5.8, 1.1),
        block(RED, -5.1, -3.6, 10.2, 2.4),
        blob("#33303f", "-8.6,-1.6 0,0 8.6,-1.6 9.2,0 5,1.6 -5,1.6 -9.2,0"),
        rule(UMBER, 0.4, "5,-3 8.4,-4.6"),
        poly(GOLD, "7.6,-6 12.4,-7.6 13.6,-3.8 8.8,-2.2"),
        rule(INK, 0.5, "9,-4.6 12,-5.6"),
    )


def bonnet() -> list[Item]:
    """Draw a frilled bonnet with its ribbon."""
    frill = [
        oval(WHITE, x, y, 2.0)
        for x, y in (
            (-6.8, 4),
            (-7, 0.6),
            (-6, -2.4),
            (-3.4, -4.6),
            (0, -5.4),
            (3.4, -4.6),
            (6, -2.4),
            (7, 0.6),
            (6.8, 4),
        )
    ]
    return flat(
        blob("#e0789a", "-6.4,2 -7.4,-4 -4.6,-10 0,-11.6 4.6,-10 7.4,-4 6.4,2 5,-2.4 0,-4.2 -5,-2.4"),
        frill,
        curve("#c0406c", 1.2, "-6.8,-3.4 -4,-7 0,-8 4,-7 6.8,-3.4"),
        blob("#c0406c", "0,-9.6 -4,-12.4 -4.6,-8.6 0,-9 4.6,-8.6 4,-12.4"),
    )


def mitre() -> list[Item]:
    """Draw a bishop's hat."""
    return flat(
        poly(WHITE, "-5.6,0.8 -7,-7 0,-16 7,-7 5.6,0.8"),
        poly(GILT, "-5.7,0.8 -6,-1.8 6,-1.8 5.7,0.8"),
        poly(GILT, "-1.1,-1.8 -1.1,-13.6 0,-16 1.1,-13.6 1.1,-1.8"),
        block(GILT, -4, -9, 8, 2),
        *(oval(RED, x, -0.5, 0.8) for x in (-3.6, 0, 3.6)),
        rule(GILT, 0.8, "-7,-7 0,-16 7,-7"),
    )


def red_cap() -> list[Item]:
    """Draw a red cap whose tip falls forward."""
    return flat(
        blob("#d8262c", "-6,0.6 -6.4,-5 -3.4,-10 2,-12.4 8,-11.4 10,-7.4 7.4,-6 5.6,-7.6 6,0.6"),
        blob("#f2605a", "-4.6,-4 -2.6,-8.6 1.6,-10.6 -1,-7 -2.4,-3"),
        block("#96161f", -6.4, -1.4, 12.8, 2.6),
        star(GOLD, 3.4, -5, 1.9),
    )


def three() -> list[Item]:
    """Draw three hats on top of each other."""
    return flat(
        brim()[:3],
        motif(borrowed()[:4]).placed(0, -8, 0.74).items,
        motif(red_cap()).placed(0, -16.6, 0.6).items,
    )


def straw() -> list[Item]:
    """Draw a straw hat with a ribbon."""
    return flat(
        blob("#f0c75a", "-5.4,-0.4 -5.2,-6 -2.6,-8.6 2.6,-8.6 5.2,-6 5.4,-0.4"),
        *(rule("#c9923a", 0.5, f"{-w},{y} {w},{y}") for w, y in ((3.6, -7), (4.8, -5.4))),
        block("#2f7fb0", -5.5, -4, 11, 2.5),
        blob("#e8b743", "-12,0.4 -6,-1.8 0,-1.4 6,-1.8 12,0.4 6,2.4 0,2.6 -6,2.4"),
        *(rule("#c9923a", 0.5, w) for w in ("-9.6,0.6 -6,0 0,0.2 6,0 9.6,0.6", "-8,1.4 0,1.4 8,1.4")),
    )
