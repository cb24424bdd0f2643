"""What the movies left behind, among the finds."""

from __future__ import annotations

from companion.games.collectors.art.pen import (
    BRASS,
    BROWN,
    CREAM,
    DARK,
    GOLD,
    GREEN,
    GREY,
    ICE,
    INK,
    MAROON,
    NAVY,
    ORANGE,
    PINK,
    PURPLE,
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
from companion.press.drawing import Colour


def _strip(p: Pin, x: float, y: float, w: float, h: float, frames: int) -> None:
    """Draw a length of film, lying."""
    p.box(DARK, x, y, w, h, 0.3)
    step = w / frames
    for n in range(frames):
        p.box(SKY, x + n * step + 0.3, y + h * 0.26, step - 0.6, h * 0.48, flat=True)
        for k in (0.25, 0.75):
            for top in (0.07, 0.82):
                p.box(CREAM, x + (n + k) * step - 0.35, y + h * top, 0.7, h * 0.12, flat=True)


@shows("movie", "film", "film projector", "camera")
def any_movie(p: Pin) -> None:
    """Draw a film camera on its stand: what every movie find is that nobody has drawn yet."""
    for x in (-6.0, -0.6, 4.6):
        p.rod(BROWN, 1.1, (-0.6, 3.6), (x, 9.4))
    p.disc(DARK, -4.6, -5.2, 3.6)
    p.disc(DARK, 2.6, -5.6, 3.2)
    p.disc(GREY, -4.6, -5.2, 1.3)
    p.disc(GREY, 2.6, -5.6, 1.2)
    p.box(RED, -7.2, -2.4, 12.6, 6.4, 0.9)
    p.poly(DARK, (5.4, -0.6), (10.0, -2.4), (10.0, 4.0), (5.4, 2.2), r=0.3)
    p.disc(CREAM, -3.6, 0.8, 1.6)
    p.line(0.7, (-0.6, -0.4), (3.6, -0.4), colour=CREAM)


@shows("ticket", "ticket opening night")
def _ticket(p: Pin) -> None:
    for turn, tone, x in ((10, MAROON, 1.4), (-8, GOLD, -0.6)):
        q = Pin()
        q.loop(tone, (*bow(-9, 0, 1.8, 90, -90), (-9, -5), (9, -5), *bow(9, 0, 1.8, 270, 90), (9, 5), (-9, 5)))
        if tone == GOLD:
            q.line(0.45, (-6.4, -3.6), (-6.4, 3.6))
            q.line(0.45, (6.4, -3.6), (6.4, 3.6))
            q.text(0, -1.6, "OPENING", 2.4, MAROON)
            q.star(RED, 0, 0.6, 1.7)
            q.text(0, 4.2, "ADMIT ONE", 1.9, MAROON)
        p.place(q, x, 0.4 if tone == GOLD else -1.0, 1.0, turn)


@shows("poster", "poster lamp", "poster ninth lamp")
def _poster(p: Pin) -> None:
    p.box(NAVY, -7.2, -9.6, 14.4, 19.2, 0.3)
    p.poly(YELLOW, (0, -1.0), (-6.6, -9.0), (6.6, -9.0), flat=True)
    p.poly("#fbe39a", (0, -1.0), (-3.0, -9.0), (3.0, -9.0), flat=True)
    p.text(0, -4.7, "9", 5.4, RED)
    p.rod(GOLD, 0.9, *bow(-4.2, 1.6, 1.7, 60, 290))
    p.poly(GOLD, (-4.4, 0.2), (3.0, 0.2), (6.2, -1.6), (5.6, 0.8), (2.2, 3.6), (-2.4, 3.6), r=0.7)
    p.disc(GOLD, -0.6, -0.2, 2.0, 0.8)
    p.poly(GOLD, (-1.4, 3.6), (0.6, 3.6), (1.8, 5.2), (-2.6, 5.2), r=0.2)
    p.text(0, 8.4, "THE NINTH LAMP", 1.65, CREAM)
    p.dots(SILVER, 0.5, (-6.4, -8.9), (6.4, -8.9), (-6.4, 8.9), (6.4, 8.9))


@shows("clapper", "clapper board", "clapper board take 31")
def _clapper(p: Pin) -> None:
    q = Pin()
    q.box(CREAM, 0, -2.6, 18.0, 2.6, 0.3)
    for n in range(4):
        x = 0.8 + n * 4.5
        q.poly(INK, (x, -2.6), (x + 2.2, -2.6), (x + 1.2, 0), (x - 1.0 + 0.2, 0), flat=True)
    p.place(q, -9.0, -2.6, 1, -17)
    p.box(DARK, -9.0, -2.2, 18, 11.6, 0.5)
    for n in range(4):
        x = -8.2 + n * 4.5
        p.poly(CREAM, (x, -2.0), (x + 2.2, -2.0), (x + 3.2, 0.4), (x + 1.0, 0.4), flat=True)
    p.line(0.4, (-8, 4.4), (8, 4.4), colour=CREAM)
    p.line(0.4, (1.2, 1.2), (1.2, 4.4), colour=CREAM)
    p.text(-3.4, 3.5, "SCENE 9", 2.0, CREAM)
    p.text(4.8, 3.5, "ROLL 2", 2.0, CREAM)
    p.text(0, 8.2, "TAKE 31", 3.6, YELLOW)
    p.disc(SILVER, -8.0, -2.0, 0.8)


@shows("hat", "hat midnight express lane")
def _hat(p: Pin) -> None:
    p.poly(BROWN, (-6.0, 7.2), (6.0, 7.2), (7.2, 9.8), (-7.2, 9.8), r=0.4)
    p.rod(BROWN, 1.6, (0, 7.0), (0, 2.0))
    p.blob("#4f5b78", (-10.4, 1.0), (-6, 2.8), (0, 3.6), (6, 3.0), (10.4, 0.0), (7, -0.6), (0, 0.2), (-7, -0.4))
    p.blob(
        "#4f5b78", (-5.8, 0.6), (-5.2, -5.6), (-2.8, -8.2), (0.2, -6.8), (3.2, -8.4), (5.4, -5.4), (6.0, 0.4), (0, 1.4)
    )
    p.poly(INK, (-5.8, -2.6), (0, -1.6), (5.8, -2.8), (6.0, 0.3), (0, 1.5), (-5.9, 0.5), flat=True)
    p.line(0.5, *smooth(((-2.6, -7.4), (-0.2, -5.6), (2.8, -7.6)), closed=False))
    p.poly(RED, (3.6, -1.0), (8.2, -8.6), (6.4, -2.4), (5.0, 0.2), r=0.4)
    p.star(YELLOW, -8.2, -6.8, 1.5)
    p.loop(YELLOW, (*bow(8.6, 6.0, 0, 0, 1),), flat=True)


@shows("reel", "film reel", "reel lost ending")
def _reel(p: Pin) -> None:
    p.poly(DARK, (2, 6.0), (10.6, 7.0), (10.6, 9.8), (-1, 9.6))
    for n in range(4):
        p.box(CREAM, 2.4 + n * 2.1, 7.6 + n * 0.1, 1.2, 1.2, 0.1, flat=True)
    p.disc(SILVER, -0.8, -0.6, 9.2)
    p.disc(GREY, -0.8, -0.6, 7.9)
    for turn in range(5):
        x, y = bow(-0.8, -0.6, 4.9, turn * 72 - 90, turn * 72 - 89)[0]
        p.disc(DARK, x, y, 2.2)
    p.disc(SILVER, -0.8, -0.6, 1.6)
    p.dots(INK, 0.5, (-0.8, -0.6))
    p.shine(*bow(-0.8, -0.6, 8.5, 200, 240))


@shows("chair", "director's chair", "director's folding chair")
def _chair(p: Pin) -> None:
    p.rod(TAN, 1.1, (-6.2, 2.6), (6.6, 9.4))
    p.rod(TAN, 1.1, (6.2, 2.6), (-6.6, 9.4))
    for x in (-6.6, 6.6):
        p.rod(TAN, 1.3, (x, -9.2), (x, 2.4))
        p.rod(BROWN, 1.3, (x - 1.6, -2.0), (x + 1.6, -2.0))
    p.box(RED, -7.4, -8.8, 14.8, 4.8, 0.5)
    p.text(0, -5.5, "DIRECTOR", 2.5, CREAM)
    p.poly(RED, (-7.2, 1.4), (7.2, 1.4), (6.6, 4.2), (-6.6, 4.2), r=0.5)


@shows("lobby card set", "lobby cards")
def _lobby(p: Pin) -> None:
    scenes: tuple[tuple[float, float, float, Colour], ...] = (
        (-3.2, -2.6, -12, TEAL),
        (3.4, -2.0, 11, PURPLE),
        (0, 2.4, -2, ORANGE),
    )
    for n, (x, y, turn, tone) in enumerate(scenes):
        q = Pin()
        q.box(CREAM, -6.6, -5.2, 13.2, 10.4, 0.3)
        q.box(tone, -5.8, -4.4, 11.6, 7.0, flat=True)
        if n == 2:
            q.disc(YELLOW, 0, -0.4, 2.6, flat=True)
            q.loop(NAVY, (*bow(-2.0, 1.4, 1.3, 180, 360), (-0.7, 2.6), (-3.3, 2.6)), flat=True)
            q.disc(NAVY, -2.0, -0.9, 1.0, flat=True)
            q.loop(MAROON, (*bow(1.8, 1.4, 1.3, 180, 360), (3.1, 2.6), (0.5, 2.6)), flat=True)
            q.disc(MAROON, 1.8, -0.9, 1.0, flat=True)
            q.text(0, 4.5, "THE KISS AT DAWN", 1.35)
        p.place(q, x, y, 1, turn)


@shows("storyboard", "hand-drawn storyboard")
def _storyboard(p: Pin) -> None:
    p.box(CREAM, -9.4, -8.8, 17.4, 17.8, 0.4)
    for n, (x, y) in enumerate(((-8.2, -7.6), (0, -7.6), (-8.2, 0.8), (0, 0.8))):
        p.box(WHITE, x, y, 6.8, 4.8)
        p.line(0.4, (x + 0.4, y + 5.9), (x + 6.2, y + 5.9), colour=GREY)
        p.line(0.4, (x + 0.4, y + 6.9), (x + 4.2, y + 6.9), colour=GREY)
        if n == 0:
            p.line(0.5, (x, y + 3.6), (x + 2.4, y + 1.4), (x + 4.4, y + 3.4), (x + 6.8, y + 2.4))
        elif n == 1:
            p.line(0.5, *oval(x + 3.4, y + 1.6, 1.0))
            p.line(0.5, (x + 1.4, y + 4.6), (x + 2.4, y + 3.0), (x + 4.4, y + 3.0), (x + 5.4, y + 4.6))
        elif n == 2:
            p.star(RED, x + 3.4, y + 2.5, 2.2)
        else:
            p.line(0.5, (x + 1, y + 1), (x + 5.6, y + 3.6))
    p.rod(YELLOW, 1.6, (9.6, -4.4), (4.4, 4.6))
    p.poly(TAN, (5.2, 5.0), (3.6, 4.1), (3.4, 6.6), r=0.1)
    p.rod(PINK, 1.6, (9.9, -5.0), (9.5, -4.3))


@shows("compass", "prop compass")
def _compass(p: Pin) -> None:
    p.rod(BRASS, 0.9, *oval(0, -8.0, 1.6))
    p.box(BRASS, -1.3, -7.4, 2.6, 2.4, 0.4)
    p.disc(GOLD, 0, 1.6, 8.0)
    p.disc(CREAM, 0, 1.6, 6.4)
    for x, y, words in ((0, -1.9, "N"), (0, 7.3, "S"), (-4.9, 2.5, "W"), (4.9, 2.5, "E")):
        p.text(x, y, words, 2.3)
    q = Pin()
    q.poly(RED, (-1.3, 0), (0, -4.8), (1.3, 0))
    q.poly(NAVY, (-1.3, 0), (0, 4.8), (1.3, 0))
    q.disc(GOLD, 0, 0, 0.7)
    p.place(q, 0, 1.6, 1, 38)
    p.shine(*bow(0, 1.6, 7.2, 195, 235))


@shows("torch", "usherette torch", "signed usherette torch", "flashlight")
def _torch(p: Pin) -> None:
    p.poly("#fff0a8", (1.4, -5.6), (10.8, -9.8), (10.8, 6.0), (1.4, 1.4), flat=True)
    p.poly("#fff8d6", (1.4, -3.8), (10.8, -5.0), (10.8, 1.6), (1.4, -0.4), flat=True)
    p.box(RED, -10.2, -4.2, 8.6, 4.4, 0.7)
    p.poly(SILVER, (-1.8, -4.4), (1.6, -6.4), (1.6, 2.4), (-1.8, 0.4), r=0.3)
    p.box(SILVER, 1.2, -6.8, 1.6, 9.6, 0.4)
    p.box(YELLOW, -6.6, -5.0, 2.6, 1.2, 0.3)
    p.line(
        0.5,
        *smooth(((-9.2, -1.2), (-8, -3), (-7.4, -1), (-6.2, -2.6), (-5.2, -1.2), (-3.2, -2.4)), closed=False),
        colour=CREAM,
    )
    p.line(0.5, (-8.6, -0.4), (-3.0, -0.9), colour=CREAM)
    p.loop(
        MAROON,
        (*bow(-4.6, 7.4, 1.2, 90, -90), (-4.6, 5.2), (5.2, 5.2), *bow(5.2, 7.4, 1.2, 270, 90), (5.2, 9.6), (-4.6, 9.6)),
    )
    p.text(0.3, 8.3, "ROW F", 2.3, CREAM)


@shows("alien mask", "alien picnic mask", "mask")
def _alien(p: Pin) -> None:
    p.rod(DARK, 0.5, (-7.2, 0), (-10.4, 2.4))
    p.rod(DARK, 0.5, (7.2, 0), (10.4, 2.4))
    for side in (-1, 1):
        p.rod(GREEN, 0.9, (side * 2.6, -6.8), (side * 4.6, -9.8))
        p.disc(YELLOW, side * 4.8, -10.0, 1.2)
    p.egg("#8cc152", (0, -8.0), (4.6, -7.2), (8.0, -3.2), (7.4, 1.4), (4.4, 5.6), (2.4, 8.8), (0, 9.6))
    for side in (-1, 1):
        p.blob(INK, *((side * x, y) for x, y in ((1.2, 0.6), (2.2, -2.8), (5.6, -4.0), (6.4, -1.6), (4.0, 1.6))))
        p.disc(WHITE, side * 4.8 - 0.4, -2.4, 0.8, flat=True)
    p.dots(INK, 0.35, (-0.7, 3.4), (0.7, 3.4))
    p.line(0.6, *bow(0, 4.6, 2.4, 30, 150, 1.8))
    p.dots(GREEN, 0.6, (-4.6, -5.2), (0.4, -6.0), (3.6, 4.0))


@shows("3-d glasses", "cardboard 3-d glasses")
def _glasses(p: Pin) -> None:
    for side in (-1, 1):
        p.poly(WHITE, (side * 9.0, -4.6), (side * 10.8, -8.2), (side * 10.8, -6.0), (side * 9.6, -2.6))
    p.poly(
        WHITE,
        (-10.0, -5.0),
        (10.0, -5.0),
        (10.0, 4.6),
        (2.4, 4.6),
        (1.2, 2.0),
        (-1.2, 2.0),
        (-2.4, 4.6),
        (-10.0, 4.6),
        r=0.8,
    )
    p.box("#e23b3b", -8.4, -3.4, 6.4, 6.4, 0.8)
    p.box("#2d8fd8", 2.0, -3.4, 6.4, 6.4, 0.8)
    for x in (-7.4, 3.0):
        p.shine((x, 0.2), (x + 2.4, -2.2), width=0.8)
    p.text(0, -5.9, "", 2)
    p.text(0, 0.4, "3D", 1.6)
    p.line(0.5, (-9.0, 4.0), (-3.0, 4.0), colour=RED)
    p.line(0.5, (3.0, 4.0), (9.0, 4.0), colour=RED)


@shows("script", "script coffee rings")
def _script(p: Pin) -> None:
    for turn, tone in ((8, SILVER), (3, WHITE)):
        q = Pin()
        q.box(tone, -6.8, -9.0, 13.6, 18.2, 0.2)
        p.place(q, -1.2, 0, 1, turn)
    q = Pin()
    q.box(CREAM, -6.8, -9.0, 13.6, 18.2, 0.2)
    q.text(0, -4.2, "SCRIPT", 2.9)
    q.line(0.4, (-3.6, -2.8), (3.6, -2.8))
    for n, wide in enumerate((4.6, 3.4, 5.0, 2.6, 4.4)):
        q.line(0.45, (-wide, 0.2 + n * 1.6), (wide, 0.2 + n * 1.6), colour=GREY)
    q.line(0.7, *bow(2.6, 4.6, 3.0, 0, 330), colour="#a8703c")
    q.line(0.5, *bow(-3.6, -5.2, 2.4, 40, 300), colour="#c79a66")
    q.dots(BRASS, 0.6, (-5.8, -7.8), (-5.8, 0), (-5.8, 7.8))
    p.place(q, -1.8, 0, 1, -4)
    p.rod(CREAM, 1.0, *bow(9.0, 6.0, 1.4, -90, 90))
    p.poly(RED, (4.0, 3.6), (9.2, 3.6), (8.8, 9.4), (4.4, 9.4), r=0.6)
    p.disc(BROWN, 6.6, 3.8, 2.6, 0.7)


@shows("shark fin", "shark", "rubber shark fin")
def _shark(p: Pin) -> None:
    p.poly(DARK, (-9.8, 3.6), (-6.4, 2.6), (7.4, 2.6), (10.2, 3.6), (9.4, 6.4), (-9.0, 6.4), r=0.6)
    p.blob(
        "#7c8fa6", (-5.6, 3.4), (-3.8, -2.4), (1.4, -8.2), (6.6, -9.8), (5.0, -6.0), (4.8, -1.0), (6.6, 3.4), (0, 4.2)
    )
    p.shine((-2.6, -1.6), (1.6, -6.0), width=0.8)
    for y in (-3.6, -1.6, 0.4):
        p.line(0.5, (2.4, y), (4.0, y + 0.4))
    p.box(GOLD, 6.4, 3.2, 2.2, 2.6, 0.3)
    p.loop(
        "#3f97b5",
        (
            *smooth(
                (
                    (-10.8, 6.6),
                    (-8, 5.4),
                    (-5.4, 6.8),
                    (-2.7, 5.4),
                    (0, 6.8),
                    (2.7, 5.4),
                    (5.4, 6.8),
                    (8, 5.4),
                    (10.8, 6.6),
                ),
                closed=False,
            ),
            (10.2, 9.6),
            (-10.2, 9.6),
        ),
    )
    p.line(0.5, *smooth(((-7, 8.3), (-5.4, 7.7), (-3.8, 8.3), (-2.2, 7.7)), closed=False), colour=ICE)
    p.line(0.5, *smooth(((2, 8.5), (3.6, 7.9), (5.2, 8.5), (6.8, 7.9)), closed=False), colour=ICE)


@shows("tassel", "curtain tassel", "velvet curtain tassel")
def _tassel(p: Pin) -> None:
    p.poly(MAROON, (-10.4, -9.8), (-1.6, -9.8), (-4.6, -2.4), (-6.2, 1.2), (-5.0, 9.6), (-10.4, 9.6), r=0.4)
    for points in (((-8.4, -8.8), (-8.6, -2), (-8.8, 8.8)), ((-5.6, -8.8), (-6.8, -3.4), (-7.8, 0.6), (-7.2, 8.8))):
        p.line(0.5, *smooth(points, closed=False), colour="#5c1519")
    p.rod(
        GOLD, 1.4, *smooth(((-9.6, 1.6), (-6, 1.0), (-1.6, -2.4), (2.0, -6.6), (5.2, -7.0), (5.0, -4.4)), closed=False)
    )
    p.even(GOLD, (1.2, -1.4), (2.6, -0.2), (4.6, 9.6), x=4.4, r=0.5)
    for x in (2.0, 3.6, 5.2, 6.8):
        p.line(0.4, (4.4 + (x - 4.4) * 0.5, 1.2), (x, 9.2), colour=BRASS)
    p.disc(RED, 4.4, -3.4, 2.4, 2.0)
    p.box(BRASS, 2.0, -1.8, 4.8, 1.6, 0.5)
    p.shine(*bow(4.4, -3.4, 1.6, 190, 250), width=0.5)


@shows("neon sign", "neon box-office sign", "box-office sign")
def _neon(p: Pin) -> None:
    p.rod(DARK, 1.0, (-2, 4), (-2, 9.6))
    p.rod(DARK, 1.0, (3, 4), (3, 9.6))
    p.poly(NAVY, (-10.4, -8.6), (4.4, -8.6), (4.4, -9.8), (10.8, -2.2), (4.4, 5.4), (4.4, 4.2), (-10.4, 4.2), r=0.5)
    p.line(
        1.0,
        (-9.2, -7.4),
        (5.2, -7.4),
        (5.2, -7.8),
        (9.4, -2.2),
        (5.2, 3.4),
        (5.2, 3.0),
        (-9.2, 3.0),
        (-9.2, -7.4),
        colour="#ff5fa2",
    )
    p.line(
        0.35,
        (-9.2, -7.4),
        (5.2, -7.4),
        (5.2, -7.8),
        (9.4, -2.2),
        (5.2, 3.4),
        (5.2, 3.0),
        (-9.2, 3.0),
        (-9.2, -7.4),
        colour="#ffd7e8",
    )
    p.text(-1.6, -2.8, "BOX", 3.8, "#7df0e8")
    p.text(-1.6, 1.5, "OFFICE", 3.6, YELLOW)


@shows("nitrate film", "trailer nitrate film", "trailer")
def _nitrate(p: Pin) -> None:
    _strip(p, -10.4, -8.2, 13.6, 5.4, 4)
    p.disc(SILVER, 1.6, 3.2, 8.6, 6.4)
    p.disc(GREY, 1.6, 2.4, 7.0, 4.9)
    p.poly(YELLOW, (1.6, -1.6), (6.6, 5.8), (-3.4, 5.8), r=0.5)
    p.egg(RED, (0, 0.4), (1.0, 1.8), (1.8, 3.6), (1.0, 5.1), (0, 5.3), x=1.6)
    p.egg(ORANGE, (0, 2.6), (0.8, 3.8), (0.5, 5.0), x=1.6, flat=True)
    p.shine(*bow(1.6, 3.2, 7.8, 195, 230, 5.6))


@shows("popcorn", "popcorn bowl", "silver popcorn bowl")
def _popcorn(p: Pin) -> None:
    for x, y in (
        (-4.6, -3.2),
        (4.8, -3.4),
        (-1.6, -5.0),
        (2.0, -5.4),
        (0.2, -7.6),
        (-7.0, -1.6),
        (7.0, -1.6),
        (0.2, -2.8),
    ):
        p.blob("#fff6de", (x - 1.7, y - 0.8), (x, y - 1.9), (x + 1.8, y - 0.6), (x + 1.2, y + 1.4), (x - 1.3, y + 1.3))
        p.dots(YELLOW, 0.6, (x + 0.2, y + 0.2))
    for side in (-1, 1):
        p.rod(SILVER, 1.0, *bow(side * 8.4, 0.8, 1.9, -90 if side > 0 else 90, 90 if side > 0 else 270))
    p.even(GREY, (0.9, 5.4), (1.2, 7.4), (4.4, 9.0), (4.4, 9.7), r=0.4)
    p.even(SILVER, (8.8, -1.4), (8.0, 2.6), (4.6, 5.6), (1.4, 6.2), r=1.2)
    p.box(SILVER, -9.2, -2.0, 18.4, 1.6, 0.6)
    p.shine((-6.2, 1.0), (-4.4, 3.4), width=0.9)
    p.sparkle(6.4, 2.0, 1.8)
    p.sparkle(9.0, -6.4, 1.8)
