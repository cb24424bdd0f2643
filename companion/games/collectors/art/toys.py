"""The figures among the finds: robots, heroes, soldiers."""

from __future__ import annotations

from companion.games.collectors.art.pen import (
    BLUE,
    BROWN,
    CREAM,
    DARK,
    FOREST,
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
    SKIN,
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


def _face(p: Pin, x: float, y: float, *, mouth: str = "smile", wide: float = 1.4) -> None:
    """Draw two eyes and a mouth round (x, y)."""
    p.dots(INK, 0.55, (x - wide, y), (x + wide, y))
    if mouth == "smile":
        p.line(0.5, *bow(x, y + 0.9, 1.2, 30, 150))
    else:
        p.line(0.5, (x - 0.9, y + 1.9), (x + 0.9, y + 1.9))


def _doll(
    p: Pin, coat: Colour, legs: Colour, skin: Colour = SKIN, *, arms: str = "down", hands: Colour | None = None
) -> None:
    """Draw a figure's body, head and limbs, feet at 9.6 and the head round (0, -4.6)."""
    for side in (-1, 1):
        p.rod(legs, 2.4, (side * 1.7, 4.4), (side * 1.9, 8.2))
        p.box(DARK, side * 2.1 - 1.7, 8.0, 3.4, 1.7, 0.6)
        reach = {"down": (4.9, 3.4), "up": (6.4, -4.4), "out": (7.2, 0.4)}[arms]
        p.rod(coat, 2.0, (side * 2.8, -0.4), (side * reach[0], reach[1]))
        p.disc(hands or skin, side * reach[0], reach[1], 1.2)
    p.even(coat, (3.2, -1.6), (3.6, 5.4), r=0.8)
    p.disc(skin, 0, -4.6, 3.5)


@shows("figure", "robot", "figures")
def any_figure(p: Pin) -> None:
    """Draw a green robot: what every figure is that nobody has drawn yet."""
    _robot(p, "#5fae7d", GOLD)


def _robot(p: Pin, body: Colour, trim: Colour) -> None:
    for side in (-1, 1):
        p.box(body, side * 2.6 - 1.6, 5.6, 3.2, 3.4, 0.2)
        p.box(DARK, side * 2.8 - 2.0, 8.0, 4.0, 1.7, 0.4)
        p.rod(SILVER, 1.7, (side * 4.6, -0.6), (side * 7.4, 1.2), (side * 7.6, 3.4))
        p.loop(trim, (*bow(side * 7.6, 5.0, 1.9, -50, 230), *reversed(bow(side * 7.6, 5.0, 0.8, -50, 230))))
    p.rod(trim, 0.6, (0, -8), (0, -10))
    p.disc(RED, 0, -10.2, 0.9)
    p.box(body, -3.6, -8.2, 7.2, 5.6, 0.7)
    for side in (-1, 1):
        p.box(trim, side * 4.2 - 0.7, -6.4, 1.4, 2.4, 0.3)
        p.disc(YELLOW, side * 1.6, -6.0, 1.1)
        p.dots(INK, 0.45, (side * 1.6, -6.0))
    for x in (-1.4, 0, 1.4):
        p.box(CREAM, x - 0.6, -4.3, 1.2, 0.9, flat=True)
    p.box(body, -5.2, -2.4, 10.4, 8.4, 0.7)
    p.box(CREAM, -3.6, -1.0, 7.2, 3.0, 0.4)
    p.loop(CREAM, (*bow(0, 1.6, 2.2, 180, 360),), flat=True)
    p.line(0.5, (0, 1.7), (1.3, 0.0), colour=RED)
    for n, tone in enumerate((RED, YELLOW, TEAL)):
        p.disc(tone, -2.6 + n * 2.6, 4.0, 0.9)


@shows("tin robot", "tin robot blue")
def _tin_robot(p: Pin) -> None:
    p.rod(GOLD, 0.9, (-5, 1), (-7.0, -4.4))
    p.disc(GOLD, -8.4, -5.2, 1.5)
    p.disc(GOLD, -6.4, -6.4, 1.5)
    _robot(p, "#3f86c6", "#f0b838")
    p.dots(INK, 0.28, (-4.6, -1.8), (4.6, -1.8), (-4.6, 5.4), (4.6, 5.4))


@shows("captain comet", "captain comet boxed", "hero boxed")
def _captain(p: Pin) -> None:
    p.poly("#a83f8c", (5.4, -7.0), (8.0, -9.0), (8.0, 7.8), (5.4, 9.8))
    p.poly("#e27bc4", (-8.0, -7.0), (-5.8, -9.0), (8.0, -9.0), (5.4, -7.0))
    p.box("#c9549f", -8.0, -7.0, 13.4, 16.8)
    p.box(ICE, -6.4, -3.4, 10.2, 12.0, 0.9)
    p.text(-1.3, -4.3, "COMET", 2.7, YELLOW)
    q = Pin()
    _doll(q, BLUE, BLUE, arms="up", hands=YELLOW)
    q.disc(RED, 0, -5.4, 4.0)
    q.egg(SKIN, (0, -6.2), (2.6, -5.2), (2.4, -3.0), (0, -1.6), flat=True)
    _face(q, 0, -4.2)
    q.star(YELLOW, 0, 1.4, 2.4, flat=False)
    q.box(RED, -3.6, 4.2, 7.2, 1.4, 0.2)
    p.place(q, -1.3, 3.4, 0.55)
    p.shine((-5.4, 0.4), (-3.8, -2.0), width=0.7)
    p.star(YELLOW, 6.9, 1.0, 1.1)


@shows("wizard", "wizard loose head")
def _wizard(p: Pin) -> None:
    p.rod(BROWN, 1.0, (7.2, -3.6), (7.2, 9.4))
    p.disc(TEAL, 7.2, -4.8, 1.9)
    p.even(PURPLE, (2.2, 0.4), (6.0, 9.7), r=1.0)
    p.rod(PURPLE, 2.2, (2.2, 2.2), (5.6, 4.2))
    p.disc(SKIN, 6.6, 4.4, 1.2)
    for x, y in ((-2.4, 7.2), (1.4, 5.6), (3.0, 8.2)):
        p.star(YELLOW, x, y, 1.1)
    for n in range(5):
        p.line(0.7, *bow(-0.6, 0.3 - n * 0.55, 1.6, 0, 180, 0.6), colour=GREY)
    q = Pin()
    q.disc(SKIN, 0, 0, 2.9)
    q.egg(WHITE, (0, 0.4), (2.0, 0.6), (3.0, -0.2), (2.4, 3.6), (0, 6.6))
    q.dots(INK, 0.5, (-1.2, -0.6), (1.2, -0.6))
    q.line(0.5, *bow(0, 1.4, 0.9, 200, 340))
    q.poly(PURPLE, (-4.6, -1.4), (-2.4, -2.2), (1.4, -8.6), (2.4, -2.2), (4.6, -1.4), (0, -0.8), r=0.4)
    q.star(YELLOW, 0.4, -4.2, 1.2)
    p.place(q, -2.4, -3.4, 0.95, -20)


@shows("knight", "plastic knight")
def _knight(p: Pin) -> None:
    p.disc("#c9803e", 0, 9.0, 8.0, 1.1)
    p.rod(SILVER, 1.0, (6.8, -9.0), (6.8, 5.6))
    p.rod(GOLD, 0.9, (5.2, 3.0), (8.4, 3.0))
    _doll(p, GREY, GREY, GREY)
    p.rod(GREY, 2.0, (2.8, -0.4), (6.6, 3.8))
    p.disc(SILVER, 6.8, 4.2, 1.3)
    p.even(BLUE, (2.8, -1.2), (3.4, 6.0), r=0.3)
    p.loop(SILVER, (*bow(0, -5.0, 4.0, 180, 360), (3.8, -1.8), (0, -0.6), (-3.8, -1.8)))
    p.line(0.9, (-2.8, -5.0), (2.8, -5.0))
    p.line(0.5, (0, -5), (0, -1.4))
    p.blob(RED, (-0.4, -8.8), (-3.2, -10.6), (-6.6, -8.4), (-5.6, -7.4), (-2.6, -8.2))
    p.even(RED, (3.8, -1.4), (3.8, 3.4), (0, 7.2), r=0.8, x=-5.0)
    p.rod(GOLD, 1.1, (-5.0, -0.4), (-5.0, 5.4))
    p.rod(GOLD, 1.1, (-7.8, 1.6), (-2.2, 1.6))


@shows("ninja", "ninja librarian", "librarian")
def _ninja(p: Pin) -> None:
    p.rod(SILVER, 0.9, (3.4, -3.0), (8.4, -9.4))
    p.rod(BROWN, 1.2, (3.2, -2.8), (4.4, -4.3))
    _doll(p, DARK, DARK, DARK, hands=SKIN)
    p.box(SKIN, -3.2, -6.0, 6.4, 2.6, 0.9)
    p.dots(INK, 0.5, (-1.5, -4.7), (1.5, -4.7))
    p.line(0.4, *oval(-1.5, -4.7, 1.2), (-0.3, -4.7), colour=RED)
    p.line(0.4, *oval(1.5, -4.7, 1.2), (2.7, -4.7), colour=RED)
    p.line(0.4, (-0.3, -4.7), (0.3, -4.7), colour=RED)
    p.poly(RED, (-3.4, -6.6), (3.4, -6.6), (3.5, -5.9), (-3.5, -5.9), flat=True)
    p.poly(RED, (-3.2, -6.6), (-7.4, -8.0), (-6.4, -5.4), r=0.2)
    p.box(RED, -3.6, 3.0, 7.2, 1.2, 0.2)
    for n, tone in enumerate((GREEN, ORANGE, BLUE, YELLOW)):
        x = -8.4 + (n % 2) * 0.5
        p.box(tone, x, 7.6 - n * 2.0, 5.6, 2.0, 0.3)
        p.line(0.4, (x + 1.2, 8.0 - n * 2.0), (x + 1.2, 9.2 - n * 2.0), colour=CREAM)
    p.poly(CREAM, (2.4, 2.4), (7.8, 1.2), (8.8, 5.0), (3.4, 6.2), r=0.3)
    p.text(5.7, 4.6, "SHH", 1.9, RED, -12)


@shows("princess", "princess chainsaw")
def _princess(p: Pin) -> None:
    p.egg(YELLOW, (0, -8.4), (3.4, -7.6), (4.6, -3.6), (4.8, 1.2), (2.4, 1.4))
    p.rod(SKIN, 1.8, (-2.4, 0.4), (-5.0, 3.0))
    p.even(PINK, (1.9, -1.0), (2.0, 2.2), (6.4, 9.7), r=0.6)
    p.line(0.7, *smooth(((-5.6, 8.2), (-2, 7.4), (0, 8.4), (2, 7.4), (5.6, 8.2)), closed=False), colour=WHITE)
    p.disc(SKIN, 0, -4.2, 3.1)
    p.loop(YELLOW, (*bow(0, -4.6, 3.2, 185, 355), (1.2, -5.2), (-1.0, -5.6)))
    _face(p, 0, -4.0)
    p.dots(PINK, 0.6, (-2.0, -2.9), (2.0, -2.9))
    p.poly(GOLD, (-2.4, -10.4), (-1.1, -8.8), (0, -10.8), (1.1, -8.8), (2.4, -10.4), (2.0, -7.2), (-2.0, -7.2), r=0.2)
    p.poly(SILVER, (1.4, 0.6), (9.8, -3.4), (10.8, -2.0), (9.8, -0.6), (2.4, 3.4), r=0.5)
    for n in range(5):
        p.line(0.5, (3.0 + n * 1.5, 0.0 - n * 0.72), (3.3 + n * 1.5, -1.0 - n * 0.72))
    p.poly(RED, (-4.2, 2.0), (0.6, -0.2), (3.2, 4.0), (-1.8, 6.2), r=0.7)
    p.rod(DARK, 0.8, (-4.0, 4.0), (-5.6, 1.8), (-2.6, 0.2))
    p.rod(SKIN, 1.8, (1.8, 0.2), (0.2, 2.6))


@shows("cowboy", "cowboy moon", "cowboy from the moon")
def _cowboy(p: Pin) -> None:
    p.rod(TAN, 0.7, *bow(7.4, -4.6, 2.8, 60, 420))
    p.line(0.5, (7.4, -1.8), (6.6, 0.4), colour=TAN)
    p.loop(SILVER, (*bow(0, 13.6, 8.0, 205, 335), (7.2, 9.9), (-7.2, 9.9)))
    q = Pin()
    _doll(q, WHITE, WHITE, arms="out", hands=ORANGE)
    q.box(ORANGE, -1.8, 0.2, 3.6, 2.4, 0.3)
    q.dots(BLUE, 0.5, (-0.7, 1.4))
    q.dots(RED, 0.5, (0.8, 1.4))
    q.box(BROWN, -3.7, 4.2, 7.4, 1.4, 0.3)
    q.box(GOLD, -0.9, 4.1, 1.8, 1.6, 0.2)
    _face(q, 0, -4.2)
    q.line(0.8, *oval(0, -4.4, 4.2), (4.2, -4.4), colour=SKY)
    q.shine(*bow(0, -4.4, 3.3, 150, 195), width=0.6)
    q.egg(BROWN, (0, -11.0), (2.0, -11.2), (2.8, -8.4), (7.2, -9.2), (4.0, -6.6), (0, -6.4))
    q.line(0.8, (-2.6, -8.0), (2.6, -8.0), colour=RED)
    p.place(q, 0, 0.6, 0.85)
    p.disc(GREY, -4.6, 8.2, 1.1, 0.5, flat=True)
    p.disc(GREY, 3.4, 9.0, 0.9, 0.4, flat=True)
    p.star(YELLOW, -8.4, -6.4, 1.6)


@shows("doll", "haunted doll", "haunted doll smiling")
def _doll_haunted(p: Pin) -> None:
    p.blob("#fdf3ff", (-9.6, -1.0), (-9.4, -5.4), (-6.8, -6.2), (-5.4, -2.0), (-6.4, 1.8), (-7.6, 0.8), (-8.8, 2.0))
    p.dots(INK, 0.4, (-8.4, -3.6), (-7.0, -3.6))
    for side in (-1, 1):
        p.rod(WHITE, 1.8, (side * 1.6, 6), (side * 1.8, 8.4))
        p.disc(INK, side * 2.2, 9.0, 1.7, 0.8)
        p.rod(PURPLE, 1.8, (side * 2.2, 0.6), (side * 5.2, 3.8))
        p.disc(CREAM, side * 5.4, 4.2, 1.0)
        p.egg(INK, (0, -7.4), (1.4, -6.4), (1.8, -1.4), (1.2, 1.6), (0, 1.8), x=side * 4.2)
        p.poly(RED, (side * 3.6, -6.8), (side * 6.4, -8.6), (side * 6.4, -5.6), r=0.4)
    p.even(PURPLE, (1.8, -0.4), (2.0, 2.2), (5.0, 7.6), r=0.6)
    p.even(WHITE, (1.6, -0.2), (2.6, 0.8), (1.0, 1.8), r=0.4)
    p.disc(CREAM, 0, -4.2, 4.1)
    p.loop(INK, (*bow(0, -4.6, 4.2, 180, 360), (2.6, -5.2), (0, -5.8), (-2.6, -5.2)))
    for side in (-1, 1):
        p.disc(WHITE, side * 1.7, -3.6, 1.15, flat=True)
        p.dots(RED, 0.6, (side * 1.7, -3.6))
        p.dots(PINK, 0.6, (side * 2.9, -2.0))
    p.line(0.55, *bow(0, -2.8, 2.0, 15, 165, 1.7))
    for x in (-1.1, 0, 1.1):
        p.line(0.35, (x, -1.7), (x, -0.8))
    p.line(0.4, (2.2, -7.6), (1.4, -6.4), (2.4, -5.6), colour=WHITE)


@shows("zombie", "zombie postman", "postman")
def _zombie(p: Pin) -> None:
    _doll(p, "#3f6a9c", NAVY, "#9cc177", arms="down")
    for side, y in ((-1, 0.6), (1, -0.6)):
        p.rod("#3f6a9c", 2.0, (side * 2.8, 0.2), (side * 7.2, y))
        p.disc("#9cc177", side * 8.0, y, 1.2)
    p.line(0.7, (-2.8, -1.2), (3.2, 4.6), colour=BROWN)
    p.poly(TAN, (1.2, 3.4), (6.4, 2.8), (7.0, 7.4), (1.8, 8.0), r=0.5)
    p.poly("#e9bd7f", (1.2, 3.4), (6.4, 2.8), (4.2, 5.6), r=0.2)
    p.disc(WHITE, -1.4, -4.6, 1.2)
    p.disc(WHITE, 1.5, -4.4, 0.9)
    p.dots(INK, 0.45, (-1.4, -4.6), (1.5, -4.4))
    p.line(0.5, (-1.4, -2.4), (-0.5, -2.0), (0.5, -2.5), (1.5, -2.1))
    p.line(0.45, (2.4, -6.2), (3.2, -3.6))
    p.line(0.4, (2.1, -5.0), (3.4, -5.3))
    p.poly(NAVY, (-3.9, -5.8), (-3.3, -9.2), (3.3, -9.2), (3.9, -5.8), r=0.6)
    p.poly(INK, (-4.0, -6.6), (2.0, -6.6), (3.0, -5.6), (-6.2, -5.4), r=0.3)
    p.dots(GOLD, 0.8, (0, -7.8))
    p.poly(CREAM, (7.0, -3.0), (11.0, -3.8), (11.2, -0.9), (7.4, -0.2))
    p.line(0.4, (7.1, -2.8), (9.3, -1.7), (10.9, -3.6))


def _soldier(p: Pin, x: float, y: float, k: float, coat: Colour) -> None:
    q = Pin()
    q.disc(FOREST, 0, 9.0, 4.6, 1.1)
    for side in (-1, 1):
        q.rod(WHITE, 2.2, (side * 1.4, 4), (side * 1.5, 8.2))
    q.rod(BROWN, 0.9, (4.6, -5.4), (3.6, 5.0))
    for side in (-1, 1):
        q.rod(coat, 1.9, (side * 2.6, -0.6), (side * 3.6, 3.2))
    q.even(coat, (2.8, -1.6), (3.0, 4.8), r=0.5)
    q.line(0.8, (-2.6, -1.2), (2.6, 4.2), colour=WHITE)
    q.line(0.8, (2.6, -1.2), (-2.6, 4.2), colour=WHITE)
    q.disc(SKIN, 0, -3.8, 2.4)
    q.dots(INK, 0.45, (-0.9, -3.6), (0.9, -3.6))
    q.poly(INK, (-2.6, -4.8), (-2.2, -9.4), (2.2, -9.4), (2.6, -4.8), r=0.7)
    q.dots(GOLD, 0.8, (0, -6.6))
    p.place(q, x, y, k)


@shows("miniature army", "miniature army mint", "army", "soldiers")
def _army(p: Pin) -> None:
    for x, y, k in ((-4.6, -3.0, 0.55), (0.2, -3.4, 0.55), (5.0, -3.0, 0.55)):
        _soldier(p, x, y, k, BLUE)
    for x, y, k in ((-6.8, 2.9, 0.72), (0, 2.9, 0.72), (6.8, 2.9, 0.72)):
        _soldier(p, x, y, k, RED)


@shows("gladiator", "golden gladiator")
def _gladiator(p: Pin) -> None:
    gold, shade = "#f0b429", "#c98a1b"
    p.box(MAROON, -6.4, 7.8, 12.8, 2.0, 0.3)
    p.rod(gold, 0.9, (7.2, -8.6), (7.2, 6.8))
    for x in (5.8, 8.6):
        p.rod(gold, 0.6, (x, -9.4), (x, -6.6), (7.2, -5.4))
    for side in (-1, 1):
        p.rod(gold, 2.2, (side * 1.6, 4.4), (side * 1.8, 7.0))
    p.rod(gold, 2.0, (2.6, -0.6), (6.6, 0.6))
    p.disc(gold, 7.2, 0.6, 1.2)
    p.even(gold, (3.4, -2.0), (2.8, 3.0), r=0.8)
    p.even(shade, (2.8, 2.6), (3.8, 6.2), r=0.3)
    for x in (-1.4, 0, 1.4):
        p.line(0.4, (x, 3.0), (x * 1.2, 6.0))
    p.loop(
        gold,
        (*bow(0, -4.6, 3.3, 180, 360), (3.0, -2.2), (1.2, -1.6), (0.7, -4.0), (-0.7, -4.0), (-1.2, -1.6), (-3.0, -2.2)),
    )
    p.box(INK, -2.2, -4.6, 4.4, 1.2, 0.4, flat=True)
    p.loop(RED, (*bow(0, -5.4, 5.0, 190, 350), *reversed(bow(0, -5.4, 3.0, 205, 335))))
    p.disc(gold, -4.6, 2.2, 4.2)
    p.disc(shade, -4.6, 2.2, 2.8)
    p.disc(YELLOW, -4.6, 2.2, 1.2)
    p.sparkle(-8.0, -6.4, 2.0)
    p.sparkle(-6.0, 0.4, 1.1)
    p.sparkle(4.6, 5.0, 1.3)
