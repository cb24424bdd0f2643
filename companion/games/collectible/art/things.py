"""Instruments, food and books."""

from __future__ import annotations

from companion.games.collectible.art.kit import (
    BONE,
    BRASS,
    BROWN,
    FOREST,
    GILT,
    GOLD,
    GREEN,
    INK,
    ORANGE,
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

# -------------------------------------------------------------------------------------------------------------- music


def violin_items() -> list[Item]:
    """Draw a violin upright, 26 high, with its bow."""
    wood = "#c8682a"
    return flat(
        blob(wood, "-5.4,-3 -6,-6.4 -3.6,-9 -4.6,-12.6 -2.4,-15 2.4,-15 4.6,-12.6 3.6,-9 6,-6.4 5.4,-3 3,-0.2 -3,-0.2"),
        blob("#e39a4c", "-3.6,-3 -4.2,-6 -2.2,-9 -3,-12.4 -1,-13.8 1,-13.8 0.6,-2 -1.4,-1.6"),
        block(INK, -0.9, -22.6, 1.8, 14),
        blob(BROWN, "-1.6,-22.4 -1.2,-25 0.6,-26 1.8,-24.6 1.6,-22.4"),
        rule(INK, 0.8, "-2.6,-24 2.6,-24"),
        rule(INK, 0.8, "-2.4,-22.6 2.4,-22.6"),
        block(UMBER, -1.8, -5.8, 3.6, 1.0),
        poly(INK, "-1.2,-4.6 1.2,-4.6 0.7,-1 -0.7,-1"),
        curve(INK, 0.6, "-2.6,-9 -3.2,-7.6 -2.4,-6"),
        curve(INK, 0.6, "2.6,-9 3.2,-7.6 2.4,-6"),
        rule(PAPER, 0.25, "-0.3,-22 -0.4,-5"),
        rule(PAPER, 0.25, "0.3,-22 0.4,-5"),
    )


def violin() -> Motif:
    """Draw a violin and its bow."""
    bow = flat(rule(UMBER, 0.9, "8,-25 11.6,-1"), rule(PAPER, 0.5, "8.6,-23.6 10,-2"), block(INK, 10, -3.4, 1.6, 2))
    return motif(bow, violin_items(), heads=[Head(0, -25, 6)])


def lute_items() -> list[Item]:
    """Draw a lute upright, 26 high."""
    return flat(
        blob("#b8742e", "0,0 -5.6,-1.6 -7.4,-6.4 -5,-11.6 -1.6,-15.4 1.6,-15.4 5,-11.6 7.4,-6.4 5.6,-1.6"),
        blob("#e8b665", "0,-1 -4.4,-2.4 -6,-6.4 -4,-10.8 -1,-14 1,-14 4,-10.8 6,-6.4 4.4,-2.4"),
        oval(UMBER, 0, -8, 2.5),
        star("#e8b665", 0, -8, 2.0, inner=0.45, tips=6),
        block(UMBER, -1.1, -23, 2.2, 10.4),
        blob(UMBER, "-1.2,-22 1.2,-22 5.4,-26 4.2,-27.4 -1,-24.4"),
        rule(GILT, 0.7, "1.4,-22.6 3,-20.8"),
        rule(GILT, 0.7, "3,-24 4.6,-22.2"),
        block(UMBER, -2.8, -3.6, 5.6, 1.0),
        rule(PAPER, 0.25, "-0.5,-22 -0.8,-3.4"),
        rule(PAPER, 0.25, "0.5,-22 0.8,-3.4"),
    )


def lute() -> Motif:
    """Draw a lute."""
    return motif(lute_items())


def harp() -> Motif:
    """Draw a harp whose strings are broken."""
    gilt, dark = GILT, BRASS
    return motif(
        blob(dark, "-9,0 9,0 8,-2.4 -8,-2.4"),
        *(rule(BONE, 0.45, f"{x},{y} {x},-3") for x, y in ((-5.6, -23), (-3, -21.6), (-0.4, -21), (6.4, -22))),
        curve(BONE, 0.5, "2,-20.6 2.6,-16 6,-15 4,-12 7,-10"),
        curve(BONE, 0.5, "4.4,-20.8 3.4,-17 0.6,-16.6 1.4,-13"),
        curve(BONE, 0.5, "1,-3 2,-6 0,-8 2.6,-9.4"),
        curve(BONE, 0.5, "4,-3 3.4,-6 5.6,-7.4"),
        curve(gilt, 2.6, "-8.4,-1.6 -9,-12 -8.4,-26"),
        curve(gilt, 2.4, "-8.6,-26.4 -4,-27.4 0,-22.6 5,-22.2 9.4,-25.6"),
        curve(dark, 2.6, "9.6,-25 7.4,-14 2,-6 -3,-1.8"),
        oval(gilt, -8.6, -27.4, 2.4),
        oval(dark, -8.6, -27.4, 1.1),
        oval(gilt, 9.6, -25.8, 1.8),
    )


def harpsichord() -> Motif:
    """Draw a harpsichord with its lid up."""
    case, lid, dark = "#2f7a6c", "#d9603a", "#1c4f47"
    return motif(
        block(GILT, -12.6, -9, 1.8, 9),
        block(GILT, 10.4, -9, 1.8, 9),
        block(GILT, -1.6, -9, 1.8, 9),
        blob(lid, "-10,-16 -9.6,-27.4 -6,-28.6 2,-25.6 7,-20.6 13,-19 12.6,-15.6", 5),
        blob("#f2c98a", "-8,-16.4 -7.8,-25.6 -5.4,-26.4 1,-24 6,-19 10.6,-17.6 10,-16"),
        star(lid, -3.4, -20.6, 3.0, inner=0.4, tips=8),
        block(UMBER, 5.6, -20, 0.8, 6),
        block(case, -14, -16, 27.6, 7.4),
        block(dark, -14, -10, 27.6, 1.4),
        block(PAPER, -12.6, -13.6, 16, 3.0),
        *(block(INK, -11.6 + 2.1 * i, -13.6, 1.1, 1.8) for i in range(7)),
        rule(GILT, 0.6, "5.4,-14.6 12,-14.6 12,-11.4 5.4,-11.4 5.4,-14.6"),
    )


def flutes() -> Motif:
    """Draw a set of pan pipes and two crossed flutes."""
    return motif(
        rule("#e7b65e", 2.2, "-10,-1.6 9,-25"),
        rule("#c9863a", 2.2, "10,-1.6 -9,-25"),
        *(oval(INK, -10 + 19 * t, -1.6 - 23.4 * t, 0.6) for t in (0.2, 0.32, 0.66, 0.76, 0.86)),
        *(oval(INK, 10 - 19 * t, -1.6 - 23.4 * t, 0.6) for t in (0.2, 0.32, 0.66, 0.76, 0.86)),
        *(block("#d99a45" if i % 2 else "#f0c878", -6 + 2.0 * i, -19, 1.9, 14 - 1.7 * i) for i in range(6)),
        *(oval(INK, -5.05 + 2.0 * i, -18.6, 0.7, 0.5) for i in range(6)),
        rule(RED, 1.4, "-6.4,-14 6.4,-14"),
    )


def drum() -> Motif:
    """Draw a drum and two sticks."""
    return motif(
        block(RED, -9, -13, 18, 12.4),
        oval(RED, 0, -1.6, 9, 2.4),
        *(rule(BONE, 0.6, f"{x},-12 {x + 3},-2 {x + 6},-12") for x in (-9, -3, 3)),
        curve(GILT, 1.6, "-9,-2 -5,0 0,0.6 5,0 9,-2"),
        oval(GILT, 0, -13, 9.6, 3.4),
        oval(PAPER, 0, -13.3, 8.2, 2.6),
        rule(UMBER, 1.3, "-8,-23 1,-14.4"),
        rule(UMBER, 1.3, "10,-22 3,-13.6"),
        oval(UMBER, 1, -14.6, 1.3),
        oval(UMBER, 3, -13.8, 1.3),
    )


def organ() -> Motif:
    """Draw an organ."""
    tall = (15, 18, 21, 24, 21, 18, 15)
    return motif(
        *(block(GILT if i % 2 else GOLD, -11.4 + 3.3 * i, -8 - h, 2.9, h) for i, h in enumerate(tall)),
        *(poly(INK, f"{-10.6 + 3.3 * i},-12 {-9.4 + 3.3 * i},-12 {-10 + 3.3 * i},-9.6") for i in range(7)),
        block(WINE, -13, -9, 26, 9),
        block(PAPER, -10, -7, 20, 2.6),
        *(block(INK, -9 + 2.4 * i, -7, 1.1, 1.5) for i in range(8)),
        rule(GILT, 0.7, "-11,-2 11,-2"),
    )


# --------------------------------------------------------------------------------------------------------------- food


def _table(cloth: str, head: Head, *food: Item | list[Item]) -> Motif:
    return motif(
        *food,
        poly(cloth, "-12,-11 12,-11 13,0 -13,0"),
        *(poly("#d9c7a4", f"{x},-9.4 {x + 1.6},-9.4 {x + 2},0 {x - 0.6},0") for x in (-8, -1, 6)),
        oval(cloth, 0, -11, 12.4, 2.0),
        heads=[head],
    )


def pie() -> Motif:
    """Draw the last pie, one slice cut."""
    crust = "#d9913f"
    return _table(
        PAPER,
        Head(0, -21.4, 10),
        blob("#bcd0d8", "-11,-12.6 11,-12.6 8,-10.6 -8,-10.6"),
        blob(crust, "-10,-16 -8,-12 8,-12 10,-16 6,-18 -6,-18"),
        blob("#efb65c", "-10.4,-16 -8,-20.4 0,-22.4 8,-20.4 10.4,-16 5,-14.8 -5,-14.8"),
        poly(WINE, "0,-17 7.6,-20.4 10.2,-16 6,-14.6 4,-12 2,-12"),
        rule(UMBER, 0.7, "-6,-18.6 -4.4,-16.6"),
        rule(UMBER, 0.7, "-2.4,-20 -1.4,-18"),
        curve(WHITE, 0.9, "-4,-23.6 -5.4,-25.6 -3,-27 -4.6,-29.4"),
        curve(WHITE, 0.9, "1,-24 -0.4,-26 2,-27.6 0.4,-30"),
    )


def breakfast() -> Motif:
    """Draw a coffee pot, an egg in its cup, and bread."""
    pot = "#4b8fb0"
    return _table(
        PAPER,
        Head(-6.2, -23.4, 7),
        curve(pot, 1.4, "-10.6,-20 -13.4,-19 -13,-15 -10,-14.6"),
        blob(pot, "-10.4,-12 -10.6,-17 -8.6,-22 -3.8,-22 -2,-17 -2.2,-12"),
        poly(pot, "-3,-15 1.4,-20.6 2.6,-19.6 -2.4,-12.6"),
        poly(INK, "-9,-22 -3.6,-22 -5.4,-24 -7,-24"),
        oval(GOLD, -6.2, -24.8, 1.0),
        blob(WHITE, "1.6,-15.6 2,-19.4 4.2,-21.6 6.4,-19.4 6.8,-15.6"),
        poly(RED, "1.2,-16.4 7.2,-16.4 5.4,-13.6 6.6,-11.6 1.8,-11.6 3,-13.6"),
        blob("#d99545", "6.4,-11.6 6.6,-14.4 9,-15.8 11.8,-14 11.6,-11.4"),
        rule(UMBER, 0.5, "8,-15 8.6,-13"),
        rule(UMBER, 0.5, "10,-15 10.4,-13"),
    )


def oranges() -> Motif:
    """Draw a bowl of oranges."""
    fruit = (
        oval(ORANGE, x, y, 3.5) for x, y in ((-5, -17), (0, -16.6), (5, -17), (-2.5, -21.4), (2.6, -21.6), (0, -25.6))
    )
    return _table(
        PAPER,
        Head(0, -26.6, 7),
        *fruit,
        *(
            oval("#f7b46a", x - 1, y - 1, 1.0)
            for x, y in ((-5, -17), (5, -17), (-2.5, -21.4), (2.6, -21.6), (0, -25.6))
        ),
        blob(GREEN, "0.4,-28.8 3,-31 5.6,-29.8 3,-28"),
        poly("#3d6fa8", "-9.4,-17 9.4,-17 6,-12 3,-11 -3,-11 -6,-12"),
        rule(WHITE, 0.8, "-8,-15.2 8,-15.2"),
    )


def pancakes() -> Motif:
    """Draw a stack of pancakes."""
    layers = flat(
        *(
            [
                oval("#b5732f", 0.4 * (-1) ** i, -13.4 - 2.3 * i, 7.6, 2.0),
                oval("#efbd6b", 0.4 * (-1) ** i, -14.2 - 2.3 * i, 7.6, 1.8),
            ]
            for i in range(5)
        )
    )
    return _table(
        "#f3d7cf",
        Head(0, -25, 10),
        oval("#bcd0d8", 0, -12, 10.4, 1.8),
        layers,
        blob("#a04a24", "-5,-24 0,-25 5,-24 6,-20 5,-17.6 4.2,-21 1,-22.6 0,-19.6 -1.4,-22 -4,-21.6"),
        poly(GOLD, "-2,-26.4 1.6,-26.8 2.4,-24.4 -1.6,-23.8"),
    )


def banquet() -> Motif:
    """Draw a roast, a goblet and a candle."""
    return _table(
        "#ead9ee",
        Head(0.4, -19.6, 8),
        block(PAPER, -10.6, -24, 2.2, 11),
        blob(GOLD, "-9.6,-29 -11,-26 -9.5,-24.2 -8.2,-26"),
        block(GILT, -11.6, -13.6, 4.2, 1.8),
        oval(STEEL, 0.6, -12, 8.4, 1.6),
        blob("#b8602a", "-5.6,-13 -5,-18 0,-20.4 5,-18.6 6,-13"),
        rule(BONE, 1.2, "5,-16 9,-18.6"),
        oval(BONE, 9.4, -18.8, 1.1),
        rule("#e09a55", 0.8, "-2.6,-17.6 1,-18.8"),
        poly(
            WINE, "8,-24.4 13,-24.4 12.2,-20.6 10.9,-19.6 10.9,-15.6 12.6,-12 8.4,-12 10.1,-15.6 10.1,-19.6 8.8,-20.6"
        ),
    )


def supper() -> Motif:
    """Draw a long table laid for supper: fish, wine, bread and candles."""
    return motif(
        *(block(PAPER, x, -19, 1.6, 8) for x in (-9.6, 8)),
        *(blob(GOLD, f"{x},-23.4 {x - 1.2},-20.6 {x},-19 {x + 1.2},-20.6") for x in (-8.8, 8.8)),
        oval(SKY, -1, -11, 6.6, 1.5),
        blob(STEEL, "-7,-12.6 -3,-15 2,-14 4.4,-12.6 7,-14.8 6.4,-10.4 4,-11.8 -3,-10.8"),
        oval(INK, -5, -12.9, 0.5),
        poly(WINE, "-14.6,-20 -12.6,-20 -12.6,-17 -11.6,-15 -11.6,-10 -15.6,-10 -15.6,-15 -14.6,-17"),
        blob("#d99545", "10.4,-10 10.6,-13 13.4,-14.4 16,-13 16,-10"),
        poly(PAPER, "-18,-10.6 18,-10.6 19,0 -19,0"),
        *(poly("#d9c7a4", f"{x},-9 {x + 1.6},-9 {x + 2},0 {x - 0.6},0") for x in (-13, -5, 3, 11)),
        block("#e9dcc0", -18, -11, 36, 1.4),
        heads=[Head(0, -14, 9)],
    )


# -------------------------------------------------------------------------------------------------------------- books


def open_book(cover: str = WINE, *, lines: bool = True) -> list[Item]:
    """Draw an open book, 20 wide and 13 high."""
    items = flat(
        blob(cover, "-10.6,-0.6 -10.8,-11.6 -5,-13.4 0,-11.4 5,-13.4 10.8,-11.6 10.6,-0.6 5,-1.6 0,0.6 -5,-1.6"),
        blob(PAPER, "-9.4,-2.4 -9.6,-12 -5,-13.2 0,-11 0,-1 -5,-3.4"),
        blob(WHITE, "9.4,-2.4 9.6,-12 5,-13.2 0,-11 0,-1 5,-3.4"),
        rule(cover, 0.6, "0,-11 0,-1"),
    )
    if lines:
        for y in (-10.4, -8.4, -6.4, -4.6):
            items += [
                rule("#8a7f86", 0.5, f"-8,{y} -2,{y + 0.8}"),
                rule("#8a7f86", 0.5, f"8,{y} 2,{y + 0.8}"),
            ]
    return items


def book() -> Motif:
    """Draw a large open book on a stand."""
    stand = flat(poly(UMBER, "-1.4,-10 1.4,-10 1.8,-2 -1.8,-2"), poly(UMBER, "-7,0 7,0 3,-3 -3,-3"))
    return motif(stand, motif(open_book()).placed(0, -9, 1.15).items, heads=[Head(0, -23.6, 10)])


def missing_page() -> Motif:
    """Draw an open book from which a page flies, torn."""
    page = flat(
        poly(WHITE, "-5,-9 5,-9 5,6 3,4.4 1,6.4 -1,4.6 -3,6.2 -5,4.6"),
        *(rule("#8a7f86", 0.6, f"-3.4,{y} 3.4,{y}") for y in (-6.4, -4, -1.6, 0.8)),
    )
    gap = poly(UMBER, "0.4,-11 3,-11.8 2,-9.4 3.4,-7.4 2,-5.4 3.2,-3 0.4,-1.4")
    return motif(
        motif([*open_book(RED), gap]).placed(0, -0.4, 1.1).items,
        motif(page).placed(4, -22.6, 0.92, 16).items,
        curve(BONE, 0.6, "-4,-15 -3,-18 -5,-20"),
        curve(BONE, 0.6, "-1,-14.6 0.4,-16.6 -1,-19"),
        heads=[Head(5, -31, 8, 16)],
    )


def psalter() -> Motif:
    """Draw a psalter: clasped, with a golden cross and corners."""
    return motif(
        block(PAPER, -8, -24, 18, 23),
        block(WINE, -9, -25, 17, 25),
        block("#5c1830", -9, -25, 3, 25),
        *(
            poly(GILT, w)
            for w in ("8,-25 3.6,-25 8,-20.6", "8,0 3.6,0 8,-4.4", "-6,-25 -1.6,-25 -6,-20.6", "-6,0 -1.6,0 -6,-4.4")
        ),
        block(GOLD, -0.1, -20, 2.2, 15),
        block(GOLD, -3.4, -16, 8.8, 2.2),
        block(GILT, 6.6, -15, 4.4, 1.8),
        block(GILT, 6.6, -9.4, 4.4, 1.8),
    )


def atlas() -> Motif:
    """Draw an open atlas with two half worlds, and a globe above."""
    land = "#5f9a56"
    pages = flat(
        open_book(FOREST, lines=False),
        oval(SKY, -4.8, -7.6, 4.1, 4.2),
        oval(SKY, 4.8, -7.6, 4.1, 4.2),
        blob(land, "-7,-9.6 -5,-11 -3,-9.6 -4,-7 -4.4,-4.6 -6,-6.6"),
        blob(land, "3,-10 6,-11 8,-9 6.6,-7 7,-5 5,-5.4 4.6,-8"),
    )
    return motif(
        rule(BRASS, 1.0, "0,-15 0,-13"),
        oval("#3d86b8", 0, -22, 6.4),
        blob(land, "-4,-25.6 0,-27.6 2,-25 -0.6,-22.6 -1,-19 -4,-21"),
        blob(land, "2,-22 5.4,-23 5.4,-19.6 3,-18"),
        curve(BRASS, 0.9, "-5.4,-27.6 -7.6,-22 -4.6,-16.4 0,-15 4,-16"),
        motif(pages).placed(0, -0.6, 1.2).items,
        heads=[Head(0, -26.8, 10)],
    )


def volumes() -> Motif:
    """Draw nine volumes in a leaning stack."""
    tones = (WINE, FOREST, "#3d6fa8", GILT, RUST, "#5a3f7f", RED, "#2f7a6c", BROWN)
    items: list[Item] = []
    for i, tone in enumerate(tones):
        x, w = (0, 1.2, -1, 0.4, -0.8, 1, -0.4, 0.6, -0.6)[i], (19, 17, 18, 15, 17, 14, 16, 13, 12)[i]
        y = -2.9 * (i + 1)
        items += [block(tone, x - w / 2, y, w, 2.8), block(PAPER, x + w / 2 - 1.6, y + 0.5, 1.6, 1.8)]
        items.append(rule(GOLD, 0.5, f"{x - w / 2 + 2},{y + 0.2} {x - w / 2 + 2},{y + 2.6}"))
    return motif(items, heads=[Head(-0.6, -26, 10)])


def letter() -> Motif:
    """Draw a sealed letter, unread, standing on edge."""
    return motif(
        poly(PAPER, "-11,-1 -12,-17 11,-19 12,-3"),
        rule("#b5a583", 0.7, "-11,-1 -1.6,-11 12,-3"),
        poly("#efe0bd", "-12,-17 11,-19 0,-7.6"),
        rule("#b5a583", 0.7, "-12,-17 0,-7.6 11,-19"),
        star(RED, 0, -9, 4.0, inner=0.84, tips=9),
        star(WINE, 0, -9, 2.0, inner=0.4, tips=5),
    )
