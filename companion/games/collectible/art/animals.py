"""The animals of the pictures."""

from __future__ import annotations

from companion.games.collectible.art.kit import (
    BLUE,
    BROWN,
    GOLD,
    GREEN,
    INK,
    ORANGE,
    PINK,
    RED,
    STEEL,
    UMBER,
    WHITE,
    Head,
    Motif,
    blob,
    block,
    curve,
    eye,
    flat,
    halo,
    motif,
    oval,
    poly,
    rule,
    star,
)
from companion.press.drawing import Item


def dog() -> Motif:
    """Draw a spotted dog that sits."""
    coat, patch = "#efdcb6", BROWN
    return motif(
        curve(patch, 1.8, "-6,-2 -10,-4 -11,-9"),
        blob(coat, "-7,0 -8,-5 -6,-11 -2,-16 3,-17 5,-12 5,-5 6,0"),
        blob(patch, "-7,-1 -8,-5 -6,-11 -3,-13 -1,-8 -3,-2"),
        blob(coat, "-6,0 -5,-5 -1,-6 1,-3 1,0"),
        blob(coat, "2,0 2,-10 6,-11 6,-4 7.5,0"),
        blob(coat, "-2,-20 0,-24.5 5,-25 7,-22 12,-20.5 12.5,-18 9,-16.5 4,-15.5 0,-16"),
        oval(INK, 12, -19.9, 1.2, 1.0),
        eye(6, -21.3, 0.8),
        blob(patch, "1.5,-24.5 -2,-24.5 -4,-19 -3,-14.5 0,-15 1.5,-19"),
        curve(RED, 1.5, "-2.5,-15 1,-14 5,-14.8"),
        oval(GOLD, 3.5, -13.3, 0.9),
        rule(INK, 0.5, "9,-17.6 11.4,-18"),
        heads=[Head(3, -24.2, 9, 4)],
    )


def hare() -> Motif:
    """Draw a hare on its haunches, ears up."""
    coat, light = "#b98552", "#f0d9b0"
    return motif(
        oval(WHITE, -8, -3, 2.4),
        blob(coat, "-8,0 -9,-6 -6,-12 -1,-15 4,-14 6,-8 5,0"),
        blob(light, "2,-13 5.5,-12 6,-6 4,-2 2,-6"),
        blob(coat, "-7,0 -6,-6 -1,-7 2,-3 3,0 6,0"),
        blob("#8f5f36", "-6,-1 -4.5,-5 -1,-5 0,-2 -2,-0.6"),
        blob(coat, "3,0 3.5,-9 6,-9 6,-2 8,0"),
        blob("#8f5f36", "0,-20 -4,-25 -5,-32 -2.5,-33 1,-27 2.4,-21"),
        blob(coat, "1.5,-20 -0.5,-26 0.8,-33.5 3.5,-33.5 4.6,-26 4,-20.5"),
        blob(PINK, "2,-22 1.2,-27 2,-31.5 3.2,-30 3.2,-25"),
        blob(coat, "-1,-15 -1,-20 3,-22.5 7,-21 10.5,-17.5 9,-14.6 4,-13"),
        eye(5.6, -18.6, 0.9),
        oval(INK, 10, -17.2, 0.7),
        rule(INK, 0.3, "8.4,-16 13,-17.6"),
        rule(INK, 0.3, "8.4,-15.6 13,-15.2"),
        heads=[Head(3, -21.5, 8, 8)],
    )


def _magpie() -> Motif:
    coat = "#2c3358"
    return motif(
        poly(coat, "-4,-5 -13,-0.5 -12.5,-3 -3,-8"),
        blob(coat, "-5,-4 -4,-8 0,-11 3,-14 6,-14 8,-11.6 6.4,-6 3,-2.6 -1,-2.2"),
        blob(WHITE, "-1,-2.4 -0.6,-5.6 3,-9 6.4,-7.6 5,-3.6 2,-1.8"),
        blob("#4b93d0", "-6,-4.4 -3.4,-8.6 1,-9.8 1.8,-7.4 -1.6,-4.6"),
        poly(GOLD, "7.4,-13.2 11.4,-11.4 7.4,-10.8"),
        oval(WHITE, 5.9, -12.2, 0.95),
        oval(INK, 6.1, -12.2, 0.5),
        rule(UMBER, 0.6, "1.4,-2 1.4,0"),
        rule(UMBER, 0.6, "3,-2.4 3,0"),
        heads=[Head(5, -13.6, 5.4, 6)],
    )


def magpies() -> Motif:
    """Draw seven magpies: one in front, six on two branches."""
    bird = _magpie()
    items = flat(
        curve(UMBER, 1.3, "-19,-23 -8,-22 4,-24 17,-22.4"), curve(UMBER, 1.1, "-17,-35 -6,-34 4,-35.4 16,-34.6")
    )
    for x, y, turned in ((-14, -22.2, 0), (12.5, -22.4, 1), (-10.5, -34.4, 0), (0.5, -34.6, 0), (11.5, -34.8, 1)):
        one = bird.mirrored() if turned else bird
        items += one.placed(x, y, 0.66).items
    items += bird.placed(-12.5, -0.4, 0.95).items
    first = bird.mirrored().placed(9.5, 0, 1.2)
    return Motif((*items, *halo(first.items, INK, 0.4), *first.items), first.heads)


def heron() -> Motif:
    """Draw a heron on one leg."""
    coat, dark = "#8fa6b8", "#41566b"
    return motif(
        rule("#caa04a", 0.9, "0,-12 0,0 2.6,0"),
        rule("#caa04a", 0.9, "1,-12 5,-8 1.2,-5.6"),
        poly(dark, "-10,-9 -4,-16 0,-11"),
        blob(coat, "-8,-11 -5,-17 2,-20 6,-17 5,-12 0,-9.6"),
        blob(dark, "-8.4,-10.6 -5,-15.4 1,-16.4 1.6,-12.4 -2,-10.2"),
        curve(coat, 2.8, "4.6,-16 7,-20 3,-24 2.4,-29 5.4,-32"),
        blob(WHITE, "3,-32 5,-35 8.4,-34 9.4,-32 6,-30.6"),
        curve(INK, 0.9, "7,-34 3,-34.4 -1.4,-31.6"),
        poly(ORANGE, "8.4,-33.6 18,-30.6 8.6,-31.2"),
        eye(7.2, -32.8, 0.55),
        curve(WHITE, 0.5, "5.4,-17 5,-14 6,-12"),
        heads=[Head(5.6, -34.3, 5.6, 8)],
    )


def owl() -> Motif:
    """Draw an owl on a branch, from the front."""
    coat, light = "#8a5a33", "#e8cf9c"
    items = flat(
        blob(coat, "-8,-3 -9,-12 -8.5,-21 -9,-25 -5,-23.4 0,-23.8 5,-23.4 9,-25 8.5,-21 9,-12 8,-3 4,-1 -4,-1"),
        blob(light, "-4.6,-3 -5.4,-9 -3,-13 3,-13 5.4,-9 4.6,-3 0,-1.8"),
        blob(UMBER, "-8,-4 -9.2,-12 -7,-15 -5.6,-9"),
        blob(UMBER, "8,-4 9.2,-12 7,-15 5.6,-9"),
        oval(light, -3.9, -18, 4.2),
        oval(light, 3.9, -18, 4.2),
        oval(GOLD, -3.7, -18, 2.7),
        oval(GOLD, 3.7, -18, 2.7),
        oval(INK, -3.4, -18, 1.5),
        oval(INK, 3.4, -18, 1.5),
        poly(ORANGE, "-1.3,-16.8 1.3,-16.8 0,-13.4"),
    )
    items += [
        curve(coat, 0.6, f"{x - 1},{y} {x},{y + 1} {x + 1},{y}")
        for x, y in ((-2.4, -10), (0, -10.6), (2.4, -10), (-1.3, -7.4), (1.3, -7.4), (-2.4, -5), (0, -4.6), (2.4, -5))
    ]
    items += flat(
        curve(UMBER, 2.2, "-14,-0.6 -4,-1.2 5,-0.6 14,-1.6"),
        rule(ORANGE, 1.2, "-3.4,-2 -3.4,-0.4"),
        rule(ORANGE, 1.2, "3.4,-2 3.4,-0.4"),
    )
    return Motif(tuple(items), (Head(0, -22.6, 11),))


def geese() -> Motif:
    """Draw three geese."""
    one = flat(
        rule(ORANGE, 0.9, "-1,-3 -1,0 1,0"),
        rule(ORANGE, 0.9, "2,-3 2,0 4,0"),
        blob(WHITE, "-10,-10 -6,-9 0,-10 4,-13 4,-18 4,-21.6 7,-23 9,-21 7.6,-18.6 8,-12 7,-6 2,-2.4 -4,-3 -8,-6"),
        blob("#ccd6dc", "-8,-8.6 -3,-8.6 2,-7.6 0,-4.4 -4,-4"),
        poly(ORANGE, "8.4,-22 12.4,-20 8.2,-19.4"),
        eye(7, -21, 0.6),
    )
    goose = motif(one, heads=[Head(6.4, -22.6, 6, 8)])
    back, side = goose.placed(-8, -3, 0.8), goose.mirrored().placed(11, -1.2, 0.72)
    return Motif((*back.items, *halo(side.items, INK, 0.4), *side.items, *halo(one, INK, 0.4), *one), goose.heads)


def donkey() -> Motif:
    """Draw a donkey, patient."""
    coat, dark, light = "#8d8794", "#5b5566", "#e6ddd3"
    return motif(
        curve(dark, 1.2, "-12,-15 -14.4,-11 -13.6,-6"),
        oval(INK, -13.6, -5, 1.2, 1.9),
        blob(coat, "-12,-10 -11.6,-16 -6,-17.6 2,-16.6 8,-18 9,-10 4,-7 -6,-7"),
        *(_leg(x, coat, dark) for x in (-10.4, -6.6, 3.4, 6.8)),
        blob(coat, "3,-11 5,-19 9,-25 13,-25.6 16,-19 18,-14.4 16.4,-12 13,-13 11,-17 9.4,-11"),
        blob(light, "14.6,-16.6 17.6,-16 18.4,-13.4 16,-11.4 13.6,-13"),
        blob(dark, "8.4,-24 5,-29 5.4,-34 8.4,-31 10.6,-25"),
        blob(coat, "10.4,-25 9.4,-30 11.4,-35 13.4,-31 12.8,-25"),
        blob(PINK, "11,-27 10.8,-30 11.6,-32.4 12.2,-29"),
        curve(INK, 1.4, "7.6,-24 5,-20 3.4,-15.6"),
        eye(13.2, -21, 0.8),
        oval(INK, 16.8, -14.6, 0.6),
        heads=[Head(11, -25, 8, 14)],
    )


def _leg(x: float, coat: str, hoof: str) -> list[Item]:
    return [block(coat, x, -9, 2.6, 9), block(hoof, x, -1.6, 2.6, 1.6)]


def lion() -> Motif:
    """Draw a lion cub."""
    coat, mane, light = "#e3a445", "#9c5420", "#f7dfa8"
    return motif(
        curve(coat, 1.5, "7,-3 12,-3 13,-8 10.6,-11"),
        oval(mane, 10.4, -11.6, 2.2),
        blob(coat, "-8,0 -8,-6 -5,-12 5,-12 8,-6 8,0 3,0 2,-4 -2,-4 -3,0"),
        blob(light, "-3,-4 -3,-10 3,-10 3,-4 0,-2.4"),
        *(oval(light, x, -1, 2.6, 1.3) for x in (-5, 5)),
        star(mane, 0, -18, 11, inner=0.84, tips=13),
        oval(coat, -5.4, -24, 2.6),
        oval(coat, 5.4, -24, 2.6),
        oval(coat, 0, -17.6, 7.4, 7),
        oval(light, 0, -14.8, 3.9, 3.2),
        blob(UMBER, "-1.8,-17.2 1.8,-17.2 0,-15"),
        curve(UMBER, 0.5, "-2.4,-13.6 -1,-13 0,-14.6 1,-13 2.4,-13.6"),
        eye(-3.4, -19.4, 1.0),
        eye(3.4, -19.4, 1.0),
        heads=[Head(0, -23.4, 12)],
    )


def _mouse() -> Motif:
    coat = "#9a8f9c"
    return motif(
        curve(PINK, 0.9, "-6,-1.4 -10,-0.8 -13,-3 -11.6,-6"),
        blob(coat, "-7,0 -8,-4 -5,-8.4 0,-9.4 4,-9.4 9,-6 11.6,-3 9,-1.2 5,0"),
        blob("#cfc6cc", "-2,0 1,-3.4 6,-3 9,-1.2 5,0"),
        oval(coat, 3.2, -10.4, 3.4),
        oval(PINK, 3.4, -10.2, 2.2),
        oval(coat, 6, -9.6, 2.5),
        eye(7.4, -5.6, 0.8),
        oval(PINK, 11.6, -3.2, 0.9),
        rule(INK, 0.25, "9.6,-2.6 13,-5.4"),
        rule(INK, 0.25, "9.6,-2.2 13.4,-2"),
        heads=[Head(4.6, -11.6, 7, 10)],
    )


def mice() -> Motif:
    """Draw two mice, one on the other's back."""
    low, high = _mouse(), _mouse().mirrored().placed(-0.6, -9.4, 0.82, -6)
    return Motif((*high.items, *halo(low.items, INK, 0.4), *low.items), high.heads)


def fox() -> Motif:
    """Draw a fox that sits."""
    coat, dark, light = "#d9622b", UMBER, "#f7e6c8"
    return motif(
        blob(coat, "-5,-2 -11,-1 -15,-6 -14,-13 -10.6,-17 -10,-11 -7,-7"),
        blob(light, "-14.4,-11 -14,-14.6 -10.4,-17.6 -10,-12"),
        blob(coat, "-7,0 -7.4,-6 -4,-13 1,-17 5,-15 6,-8 6,0"),
        blob(light, "1.6,-15 5.4,-14 5.6,-8 3.4,-4 1.6,-8"),
        block(dark, 2.4, -6, 3.2, 6),
        blob(coat, "-6.6,0 -5,-5 -1,-6 1.6,-2 1,0"),
        oval(dark, 5, -0.7, 2.1, 1.0),
        poly(coat, "-3.6,-20 -4.6,-28.6 1,-24.6 5,-24.6 9,-28.6 9.4,-20"),
        poly(dark, "-3.4,-23.4 -3.6,-26.8 -0.8,-24.4"),
        poly(dark, "8.2,-23.4 8,-26.8 5.6,-24.4"),
        blob(coat, "-4.6,-19.6 -2,-24 3,-25 8,-24 10.4,-19.6 6,-16 3.4,-13 1,-15.6"),
        poly(light, "-4.6,-19 0.8,-18.6 3.2,-13.4 0.6,-15"),
        poly(light, "10.4,-19 5.4,-18.6 3.2,-13.4 6,-15"),
        oval(INK, 3.3, -14, 1.2, 1.0),
        eye(0.4, -20.4, 0.9),
        eye(6, -20.4, 0.9),
        heads=[Head(2.6, -24, 9)],
    )


def bear() -> Motif:
    """Draw a bear that stands upright."""
    coat, light, dark = "#7b4a2a", "#d3a367", "#52301c"
    return motif(
        blob(coat, "-9,0 -10,-8 -9,-16 -6,-21 6,-21 9,-16 10,-8 9,0 2,-1 -2,-1"),
        blob(light, "-5,-4 -5.4,-11 -3,-16 3,-16 5.4,-11 5,-4 0,-2.4"),
        blob(dark, "-7,-20 -12,-15 -13,-8 -10,-6 -8.4,-10 -6.4,-15"),
        blob(dark, "7,-20 12,-15 13,-8 10,-6 8.4,-10 6.4,-15"),
        oval(dark, -6, -1.2, 4.4, 2),
        oval(dark, 6, -1.2, 4.4, 2),
        oval(coat, -5.6, -30, 2.9),
        oval(coat, 5.6, -30, 2.9),
        oval(light, -5.6, -30, 1.5),
        oval(light, 5.6, -30, 1.5),
        oval(coat, 0, -25.4, 7.6, 6.8),
        oval(light, 0, -22.6, 3.8, 3.2),
        oval(INK, 0, -24.2, 1.8, 1.2),
        curve(INK, 0.5, "-1.8,-21 0,-20.6 0,-23 0,-20.6 1.8,-21"),
        eye(-3.4, -27, 0.9),
        eye(3.4, -27, 0.9),
        heads=[Head(0, -31, 11)],
    )


def parrot() -> Motif:
    """Draw a parrot on its perch."""
    return motif(
        block(BROWN, -0.8, -9, 1.8, 9),
        block(BROWN, -6, -1.4, 12, 1.4),
        rule(BROWN, 1.6, "-9,-9 9,-9"),
        poly(BLUE, "-4,-11 -9,-1.4 -5.6,-2 -1,-9"),
        poly(RED, "-3,-11 -6,-0.6 -3,-2 1,-9"),
        blob(RED, "-5,-9 -6,-16 -4,-23 1,-27 6,-26 8,-22 6.6,-15 3,-9 -1,-7.6"),
        blob(GREEN, "-6,-9 -6.6,-16 -3,-20 0.6,-17 0,-11 -3.4,-6"),
        blob(GOLD, "-5,-13.6 -4,-17 0,-18 0.8,-15 -1,-12"),
        blob(WHITE, "3,-24.6 7,-24.4 7.4,-21 4,-20.6"),
        blob(INK, "6.6,-24.4 10,-23 10.6,-19 9,-17.4 8.4,-20 6.4,-20.6"),
        eye(4.8, -22.8, 0.8),
        rule(STEEL, 1.0, "-1.6,-9.6 -1.6,-7.4"),
        rule(STEEL, 1.0, "1.6,-9.6 1.6,-7.4"),
        heads=[Head(3.4, -26.4, 7.6, 6)],
    )


def horse() -> Motif:
    """Draw the head and neck of a white horse."""
    coat, shade, mane = "#fbf7ef", "#d5d3dc", "#a9a7ba"
    return motif(
        blob(coat, "-11,0 -11,-9 -7,-20 -2,-27 4,-29.6 7,-26 10,-21 14,-16.4 14.6,-13 12,-10.6 8,-12 4,-15 3,-9 6,0"),
        blob(shade, "3,-15 0,-9 1,0 6,0 3,-9"),
        poly(coat, "0.6,-27 2,-34 5.4,-28.6"),
        poly(PINK, "2,-28.4 2.6,-31.8 4,-28.6"),
        blob(mane, "2,-31 -4,-29 -9,-22 -13.4,-10 -13.4,0 -9,0 -8,-10 -4,-20 1,-26"),
        curve(shade, 0.7, "-9,-18 -11,-10 -11,-2"),
        eye(6.4, -23, 1.0),
        oval(INK, 12.8, -14.4, 0.8, 0.6),
        rule(INK, 0.4, "13.6,-11.6 10.4,-12.6"),
        rule(RED, 0.9, "3,-26.4 9.4,-17.4 6.6,-13"),
        rule(RED, 0.9, "9.4,-17.4 12,-17.6"),
        heads=[Head(3, -28, 9, 20)],
    )


def _sheep() -> Motif:
    wool, face = "#f6f0e2", "#3c3543"
    puffs = ((-7, -7), (-6, -12), (-1, -14), (4, -12.6), (6.4, -8.6), (1, -6), (-3, -6))
    return motif(
        *(block(face, x, -5, 1.6, 5) for x in (-6, -3, 2, 4.6)),
        *(oval(wool, x, y, 4.6) for x, y in puffs),
        curve("#d8cfbd", 0.6, "-6,-9 -4,-7.4 -2.4,-9 -1,-7.4"),
        curve("#d8cfbd", 0.6, "-1,-12 1,-10.4 2.6,-12"),
        blob(face, "5,-16 9,-18 12,-15.6 12.6,-11 10.6,-8.6 8,-10"),
        blob(face, "4,-15 1.6,-13.6 2.6,-12.4 6,-13.6"),
        oval(wool, 7.4, -17, 3.0, 2.4),
        oval(WHITE, 9.6, -13.8, 0.9),
        oval(INK, 9.9, -13.8, 0.5),
        heads=[Head(7.6, -18.4, 7, 8)],
    )


def sheep() -> Motif:
    """Draw three sheep."""
    one = _sheep()
    back, side = one.mirrored().placed(-6, -10, 0.72), one.placed(8, -11.6, 0.7)
    return Motif(
        (*back.items, *halo(side.items, INK, 0.4), *side.items, *halo(one.items, INK, 0.4), *one.items), one.heads
    )
