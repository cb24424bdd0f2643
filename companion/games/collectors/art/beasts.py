"""The animals and monsters among the figures."""

from __future__ import annotations

from companion.games.collectors.art.pen import (
    BRASS,
    BROWN,
    CREAM,
    DARK,
    FOREST,
    GOLD,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PINK,
    RED,
    SILVER,
    SKY,
    TAN,
    TEAL,
    WHITE,
    YELLOW,
    Pin,
    bow,
    oval,
    shows,
    smooth,
)


@shows("sea monster", "sea monster soft rubber", "monster")
def _sea_monster(p: Pin) -> None:
    p.rod(TEAL, 3.0, *bow(3.0, 6.8, 2.7, 190, 350))
    p.poly(TEAL, (7.0, 5.0), (10.8, -0.4), (9.4, 5.6), r=0.4)
    p.rod(TEAL, 3.4, *smooth(((-2.4, 8.6), (-6.2, 5.0), (-4.6, -1.0), (-2.8, -4.6)), closed=False))
    for x, y in ((-8.3, 4.4), (-8.1, 1.0), (-6.9, -2.2)):
        p.poly(ORANGE, (x, y - 1.4), (x - 1.8, y), (x, y + 1.4))
    p.blob(
        TEAL, (-5.6, -6.0), (-3.4, -9.2), (0, -9.4), (3.0, -7.4), (5.8, -6.0), (5.4, -3.4), (0.4, -3.0), (-4.0, -2.8)
    )
    p.disc(WHITE, -0.6, -7.2, 1.4)
    p.dots(INK, 0.6, (-0.2, -7.0))
    p.line(0.5, *smooth(((5.4, -4.8), (2.4, -4.3), (0.4, -5.2)), closed=False))
    p.poly(WHITE, (3.8, -4.6), (3.2, -3.0), (2.6, -4.4), flat=True)
    for y in (-0.6, 1.8, 4.2):
        p.line(0.6, *bow(-5.0, y, 1.2, -30, 100), colour="#9be0d2")
    p.loop(
        "#3f6fb0",
        (
            *smooth(
                (
                    (-10.4, 7.6),
                    (-7.8, 6.6),
                    (-5.2, 7.8),
                    (-2.6, 6.6),
                    (0, 7.8),
                    (2.6, 6.6),
                    (5.2, 7.8),
                    (7.8, 6.6),
                    (10.4, 7.6),
                ),
                closed=False,
            ),
            (9.6, 9.8),
            (-9.6, 9.8),
        ),
    )


@shows("space dog", "space dog capsule")
def _space_dog(p: Pin) -> None:
    for side in (-1, 1):
        p.rod(GREY, 0.9, (side * 5.0, 4), (side * 8.6, 9.2))
    p.rod(RED, 0.6, (0, -8), (2.4, -10.2))
    p.dots(RED, 0.8, (2.5, -10.3))
    p.egg(SILVER, (0, -9.4), (4.8, -7.6), (8.0, -1.6), (7.6, 4.6), (4.0, 8.4), (0, 9.0))
    p.disc(SKY, 0, -1.6, 5.8)
    p.egg(TAN, (0, 0.4), (2.6, 0.8), (3.4, 4.0), (0, 4.2))
    p.egg(TAN, (0, -5.4), (2.6, -4.6), (3.0, -1.8), (1.8, 1.0), (0, 1.6))
    for side in (-1, 1):
        p.blob(BROWN, *((side * x, y) for x, y in ((1.8, -5.2), (3.6, -6.0), (4.6, -2.6), (3.2, -1.8))))
    p.egg(CREAM, (0, -1.8), (1.4, -1.0), (1.4, 0.8), (0, 1.3), flat=True)
    p.dots(INK, 0.5, (-1.3, -2.6), (1.3, -2.6))
    p.disc(INK, 0, -1.0, 0.9, 0.6, flat=True)
    p.poly(PINK, (-0.5, 0.3), (0.5, 0.3), (0.5, 1.8), (-0.5, 1.8), r=0.4)
    p.line(0.8, *oval(0, -1.6, 5.8), (5.8, -1.6), colour=GOLD)
    p.shine(*bow(0, -1.6, 4.6, 195, 245))
    p.text(0, 7.5, "MUTTNIK", 1.9, RED)


@shows("dragon", "dragon hand-painted")
def _dragon(p: Pin) -> None:
    p.poly(ORANGE, (1.4, 0.0), (4.4, -8.6), (6.6, -5.2), (9.6, -6.2), (9.0, -2.4), (10.6, 0.4), (4.6, 2.6), r=0.4)
    p.rod(GREEN, 2.0, *smooth(((3, 7.4), (7.4, 8.4), (9.6, 6.0), (8.0, 4.0)), closed=False))
    p.poly(RED, (7.0, 4.6), (7.4, 1.8), (9.8, 3.4), r=0.2)
    p.egg(GREEN, (0, -2.4), (3.2, -0.6), (4.6, 4.0), (4.0, 8.0), (0, 9.3), x=-0.4)
    p.egg(YELLOW, (0, 0.2), (1.8, 1.0), (2.6, 4.6), (2.0, 7.6), (0, 8.6), x=-1.2)
    for y in (2.2, 4.2, 6.2):
        p.line(0.4, (-3.2, y), (0.8, y), colour=ORANGE)
    for x in (-3.4, 2.4):
        p.disc(GREEN, x, 8.8, 2.0, 1.0)
    p.blob(
        GREEN,
        (-9.2, -3.4),
        (-8.6, -5.4),
        (-5.0, -6.2),
        (-3.2, -8.4),
        (0.4, -8.8),
        (2.4, -6.0),
        (1.8, -2.6),
        (-2.0, -0.8),
        (-7.6, -1.6),
    )
    for x, y in ((-1.6, -8.6), (1.2, -8.0)):
        p.poly(CREAM, (x - 0.8, y + 0.3), (x + 1.4, y - 2.4), (x + 0.9, y + 0.8), r=0.2)
    p.disc(WHITE, -2.4, -5.8, 1.3)
    p.dots(INK, 0.55, (-2.8, -5.7), (-8.0, -4.3))
    p.line(0.5, *smooth(((-8.8, -2.8), (-6, -2.5), (-3.0, -3.4)), closed=False))
    p.rod(TAN, 0.8, (-10.4, 9.0), (-6.4, 2.2))
    p.poly(RED, (-5.6, 0.4), (-5.4, 3.2), (-7.4, 2.4), r=0.3)


@shows("elephant", "clockwork elephant")
def _elephant(p: Pin) -> None:
    for x in (-5.0, -1.6, 2.8, 5.8):
        p.box(GREY, x - 1.5, 3.6, 3.0, 6.0, 0.7)
    p.line(0.6, *smooth(((7.4, -0.4), (9.4, 1.6), (9.0, 4.0)), closed=False))
    p.egg(GREY, (0, -5.2), (4.6, -4.2), (6.8, 0.0), (5.8, 4.8), (0, 5.8), x=1.4)
    p.rod(GREY, 2.4, *smooth(((-7.2, -2.0), (-9.2, 1.0), (-8.8, 5.0), (-10.0, 7.2)), closed=False))
    p.egg(GREY, (0, -7.6), (2.8, -6.6), (3.8, -3.2), (2.8, 0.4), (0, 1.4), x=-5.4)
    p.blob(PINK, (-4.6, -6.0), (-1.2, -7.0), (0.4, -3.6), (-0.6, 0.4), (-3.2, 0.6), (-4.4, -2.0))
    p.dots(INK, 0.6, (-6.8, -3.6))
    p.poly(CREAM, (-7.0, 0.2), (-5.8, 0.8), (-7.4, 3.0), r=0.3)
    p.poly(RED, (-0.2, -5.4), (6.0, -4.6), (6.4, 1.4), (0.8, 1.8), r=0.4)
    p.line(0.6, (1.2, 0.6), (6.0, 0.2), colour=YELLOW)
    p.disc(GOLD, 3.2, -1.6, 1.8)
    p.rod(GOLD, 0.9, (3.0, -5.0), (3.0, -7.0))
    for x in (1.5, 4.5):
        p.disc(GOLD, x, -8.2, 1.5)
        p.disc(CREAM, x, -8.2, 0.6)


@shows("minotaur", "bronze minotaur")
def _minotaur(p: Pin) -> None:
    bronze, shade = "#b4733a", "#8a5024"
    p.box(DARK, -6.6, 7.6, 13.2, 2.2, 0.3)
    p.rod(shade, 1.0, (6.8, -7.4), (5.6, 6.0))
    for side in (-1, 1):
        p.blob(
            BRASS,
            *((6.7 + side * x, -6.2 + y) for x, y in ((0.3, -1.4), (2.8, -2.8), (3.2, 0.2), (2.4, 2.6), (0.3, 1.2))),
        )
        p.rod(bronze, 2.4, (side * 1.8, 4), (side * 2.6, 6.8))
    p.rod(bronze, 2.2, (-3.6, -0.4), (-6.0, 2.4), (-4.4, 4.4))
    p.rod(bronze, 2.2, (3.4, -0.4), (6.0, 1.4))
    p.even(bronze, (4.6, -2.0), (4.0, 1.4), (2.8, 4.8), r=1.0)
    p.even(shade, (3.0, 3.6), (3.4, 6.0), r=0.3)
    p.line(0.5, *bow(-1.8, 0.0, 1.6, 20, 150), colour=shade)
    p.line(0.5, *bow(1.8, 0.0, 1.6, 30, 160), colour=shade)
    for side in (-1, 1):
        p.blob(
            CREAM,
            *(
                (side * x, y)
                for x, y in ((1.8, -7.0), (4.6, -7.4), (5.4, -10.2), (6.4, -7.4), (4.8, -5.4), (2.2, -5.2))
            ),
        )
        p.blob(bronze, *((side * x, y) for x, y in ((2.0, -5.2), (4.6, -4.8), (3.8, -3.2), (2.0, -3.8))))
    p.egg(bronze, (0, -8.0), (2.4, -7.4), (2.8, -4.6), (1.8, -1.4), (0, -0.6))
    p.egg("#d69a5a", (0, -2.8), (1.8, -2.2), (1.6, -0.8), (0, -0.3))
    p.dots(INK, 0.5, (-1.2, -5.0), (1.2, -5.0))
    p.dots(INK, 0.3, (-0.7, -1.8), (0.7, -1.8))
    p.shine((-3.6, -1.0), (-3.2, 0.8), width=0.6)


@shows("yeti", "mail-order yeti")
def _yeti(p: Pin) -> None:
    q = Pin()
    q.blob(
        "#f2f7fb",
        (-6.6, 4),
        (-6.8, -1),
        (-5.4, -5.2),
        (-3.0, -8.6),
        (0, -9.4),
        (3.0, -8.6),
        (5.4, -5.2),
        (6.8, -1),
        (6.6, 4),
    )
    for side in (-1, 1):
        q.rod("#f2f7fb", 2.6, (side * 5.0, -1.6), (side * 8.4, -5.6))
        q.disc(SKY, side * 8.6, -6.0, 1.3)
    q.egg(SKY, (0, -6.6), (2.6, -6.4), (3.4, -4.0), (2.2, -1.4), (0, -0.8))
    q.dots(INK, 0.6, (-1.3, -4.6), (1.3, -4.6))
    q.line(0.55, *bow(0, -3.2, 1.6, 20, 160))
    q.poly(WHITE, (-1.1, -2.3), (-0.3, -2.0), (-0.8, -1.2), flat=True)
    q.poly(WHITE, (1.1, -2.3), (0.3, -2.0), (0.8, -1.2), flat=True)
    p.place(q, 0, 0.2)
    p.poly("#e2b679", (-7.6, 2.2), (-10.4, 0.0), (-6.2, 0.8), r=0.2)
    p.poly("#e2b679", (7.6, 2.2), (10.4, 0.0), (6.2, 0.8), r=0.2)
    p.box(TAN, -7.8, 2.0, 15.6, 7.8, 0.3)
    p.box("#f3dcae", -1.4, 2.0, 2.8, 7.8, flat=True)
    p.poly(WHITE, (-6.8, 3.8), (-2.2, 3.8), (-2.2, 7.2), (-6.8, 7.2))
    p.line(0.35, (-6.0, 4.9), (-3.0, 4.9))
    p.line(0.35, (-6.0, 6.0), (-4.0, 6.0))
    p.box(RED, 4.0, 3.4, 2.6, 3.0)
    p.text(4.6, 8.9, "COLD!", 1.8, RED, -6)


@shows("owl general", "owl", "general")
def _owl(p: Pin) -> None:
    p.rod(BROWN, 1.6, (-8.4, 9.0), (8.4, 9.0))
    p.egg("#9a6a3e", (0, -7.4), (3.4, -7.2), (4.8, -4.4), (5.6, 0.6), (4.8, 6.0), (0, 8.6))
    p.even(GREEN, (4.9, -0.8), (5.6, 2.4), (4.8, 6.2), (2.4, 7.6), r=0.4)
    p.poly(CREAM, (-1.8, -0.8), (1.8, -0.8), (0, 3.0), flat=True)
    for side in (-1, 1):
        p.disc(GOLD, side * 5.2, -0.4, 2.0, 1.1)
        p.blob("#7a5230", *((side * x, y) for x, y in ((4.8, 1.0), (6.8, 3.6), (5.8, 7.4), (4.4, 5.4))))
        p.disc(CREAM, side * 2.1, -4.2, 2.3)
        p.dots(INK, 1.0, (side * 2.0, -4.2))
        p.dots(WHITE, 0.35, (side * 2.0 + 0.3, -4.6))
        for x in (1.4, 2.6):
            p.line(0.7, (side * x, 7.8), (side * x, 8.8), colour=ORANGE)
    p.poly(ORANGE, (-0.9, -3.4), (0.9, -3.4), (0, -1.6), r=0.2)
    p.poly(FOREST, (-4.4, -6.4), (-5.2, -9.0), (0, -10.2), (5.2, -9.0), (4.4, -6.4), r=0.8)
    p.poly(INK, (-4.4, -7.0), (4.4, -7.0), (3.6, -5.8), (-3.6, -5.8), r=0.4)
    p.star(GOLD, 0, -8.4, 1.2)
    p.box(RED, 2.0, 2.2, 1.4, 1.2)
    p.box(YELLOW, 3.4, 2.2, 1.2, 1.2)
    p.dots(GOLD, 0.7, (2.7, 4.8))
    p.dots(GOLD, 0.45, (0, 4.4), (0, 6.2))
