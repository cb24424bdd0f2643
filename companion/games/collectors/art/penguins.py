"""The penguins among the finds."""

from __future__ import annotations

from companion.games.collectors.art.pen import (
    BLUE,
    BRASS,
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
    RED,
    SILVER,
    SKY,
    TAN,
    WHITE,
    YELLOW,
    Pin,
    bow,
    oval,
    shows,
    smooth,
)
from companion.press.drawing import Colour

COAT = "#343b57"


def penguin(
    coat: Colour = COAT, belly: Colour = CREAM, beak: Colour = ORANGE, wings: str = "out", *, eyes: bool = True
) -> Pin:
    """Return a penguin, its head's top at y = -9.2 and its feet at 9.6; wings "out", "down" or "up"."""
    p = Pin()
    for side in (-1, 1):
        p.disc(beak, side * 2.4, 8.9, 2.3, 1.0)
        tips = {
            "out": ((4.2, -2.6), (6.6, 0.2), (8.4, 3.2), (6.6, 3.6), (4.4, 2.2)),
            "down": ((4.0, -2.6), (5.8, 0.6), (6.2, 4.8), (4.8, 5.0), (4.0, 2.0)),
            "up": ((4.0, -0.6), (6.6, -3.2), (8.6, -6.4), (6.6, -6.0), (3.8, -3.4)),
        }[wings]
        p.blob(coat, *((side * x, y) for x, y in tips))
    p.egg(coat, (0, -9.2), (3.0, -8.3), (4.2, -5.4), (4.7, -2.2), (5.6, 2.0), (5.4, 6.0), (3.6, 8.6), (0, 9.1))
    p.egg(belly, (0, -5.2), (1.4, -6.9), (3.0, -6.2), (3.3, -3.8), (3.6, -0.6), (4.3, 3.0), (3.6, 6.8), (0, 8.2))
    if eyes:
        p.dots(INK, 0.72, (-1.6, -5.2), (1.6, -5.2))
        p.dots(WHITE, 0.24, (-1.4, -5.45), (1.8, -5.45))
    p.poly(beak, (-1.3, -4.1), (1.3, -4.1), (0, -2.2), r=0.4)
    return p


@shows("penguin")
def any_penguin(p: Pin) -> None:
    """Draw a penguin with a red scarf: what every penguin is that nobody has drawn yet."""
    p.place(penguin(), 0, 0)
    p.blob(RED, (-4.6, -2.2), (0, -1.0), (4.6, -2.2), (4.8, -0.6), (0, 0.7), (-4.8, -0.6))
    p.poly(RED, (1.4, 0.0), (3.6, -0.4), (4.2, 4.6), (2.0, 5.0), r=0.4)


def _top_hat(p: Pin, x: float, y: float) -> None:
    p.disc(DARK, x, y, 4.4, 1.0)
    p.poly(DARK, (x - 2.9, y - 5.2), (x + 2.9, y - 5.2), (x + 2.6, y - 0.1), (x - 2.6, y - 0.1), r=0.4)
    p.poly(RED, (x - 2.65, y - 1.9), (x + 2.65, y - 1.9), (x + 2.6, y - 0.1), (x - 2.6, y - 0.1))


@shows("penguin top hat")
def _hatted(p: Pin) -> None:
    p.rod(TAN, 0.9, (7.4, 2.6), (7.4, 9.6))
    p.place(penguin(), 0, 2.2, 0.8)
    _top_hat(p, 0, -4.3)
    p.poly(RED, (0, -0.1), (2.0, -1.1), (2.0, 1.0), r=0.3)
    p.poly(RED, (0, -0.1), (-2.0, -1.1), (-2.0, 1.0), r=0.3)
    p.line(0.35, *oval(1.3, -2.0, 1.2), (2.5, -2.0), colour=GOLD)


@shows("snow globe", "snow globe penguin")
def _snow_globe(p: Pin) -> None:
    p.disc(SKY, 0, -1.6, 8.0)
    p.loop(
        WHITE,
        (*bow(0, -1.6, 7.6, 25, 155), *smooth(((-6.9, 1.6), (-2, 0.8), (3, 2.4), (6.9, 1.6)), closed=False)),
        flat=True,
    )
    p.place(penguin(), 0, -0.6, 0.55)
    p.dots(WHITE, 0.5, (-4.6, -4.2), (4.4, -5.6), (5.6, -1.4), (-2.4, -7.6), (-6.0, -0.8), (1.6, -7.8), (3.8, 2.0))
    p.shine(*bow(0, -1.6, 6.6, 195, 245), width=0.9)
    p.poly(MAROON, (-5.8, 5.2), (5.8, 5.2), (7.2, 9.6), (-7.2, 9.6), r=0.8)
    p.box(GOLD, -3.0, 6.6, 6.0, 1.6, 0.4)


@shows("knitted penguin", "knitted", "woollen")
def _knitted(p: Pin) -> None:
    p.place(penguin(RED, CREAM, YELLOW, "down"), -1.2, 0)
    for y in (-7.6, -0.2, 2.4, 5.0):
        for x in (-1.8, 0, 1.8):
            p.line(0.5, (x - 1.9, y), (x - 1.2, y + 0.9), (x - 0.5, y), colour=RED if y > -6 else MAROON)
    for x in (-2.8, 0.4):
        p.disc(NAVY, x, -5.2, 0.95)
        p.dots(WHITE, 0.2, (x - 0.3, -5.2), (x + 0.3, -5.2))
    for turn in ((4.2, 1.0), (9.6, 2.0)):
        p.rod(TAN, 0.7, (7.0, 7.0), turn)
        p.disc(BLUE, *turn, 0.7)
    p.disc(BLUE, 7.0, 6.6, 3.1)
    for k in (-0.9, 0.0, 0.9):
        p.line(0.35, *bow(7.0 + k, 6.6 - k, 2.6, 130, 300), colour=SKY)


def _plinth(p: Pin, colour: Colour, words: str = "") -> None:
    p.box(colour, -5.6, 7.4, 11.2, 2.4, 0.4)
    if words:
        p.text(0, 9.2, words, 1.7, CREAM)


@shows("brass penguin", "brass")
def _brass(p: Pin) -> None:
    _plinth(p, BROWN)
    p.place(penguin(BRASS, "#d8b25e", "#8a6420", "down"), 0, -1.2, 0.9)
    p.shine((-3.3, -5.4), (-3.9, -1.8), width=0.8)
    p.shine((-4.3, 1.0), (-4.4, 2.4), width=0.8)
    p.box(GOLD, -2.4, 8.0, 4.8, 1.2)


def _key(p: Pin, x: float, y: float, colour: Colour = GOLD) -> None:
    """Draw a winding key that sticks out to the right of (x, y)."""
    p.rod(colour, 1.1, (x, y), (x + 3.0, y))
    for side in (-1, 1):
        p.disc(colour, x + 3.6, y + side * 1.9, 1.9)
        p.disc(CREAM, x + 3.6, y + side * 1.9, 0.8)


@shows("wind-up penguin", "wind-up", "clockwork penguin")
def _wind_up(p: Pin) -> None:
    _key(p, 3.4, 1.6)
    p.place(penguin("#2f7fb8", CREAM, YELLOW, "out"), -1.6, 0.4, 0.92, -8)
    p.line(0.5, *bow(7.6, 1.6, 4.8, -50, 5))
    p.line(0.5, *bow(-2, 1.0, 8.6, 120, 140))
    p.line(0.5, *bow(-2, 1.0, 8.6, 165, 185))
    p.dots(GOLD, 0.6, (-1.6, 2.2), (-1.3, 4.6))


@shows("penguin tea set", "tea set", "teapot")
def _tea_set(p: Pin) -> None:
    p.rod(ORANGE, 1.8, *smooth(((2, 3.6), (5.2, 2.6), (6.0, -0.6), (7.6, -1.6)), closed=False))
    p.rod(COAT, 1.3, *bow(-6.2, 1.2, 3.2, 80, 300))
    p.egg(COAT, (0, -6.2), (3.2, -5.4), (4.4, -2.6), (6.0, 1.4), (6.0, 5.6), (4.2, 8.6), (0, 9.2), x=-2.2)
    p.egg(CREAM, (0, -2.8), (1.4, -4.0), (3.0, -3.0), (3.4, 0.2), (4.4, 4.0), (3.2, 7.4), (0, 8.2), x=-2.2)
    p.dots(INK, 0.65, (-3.8, -2.5), (-0.6, -2.5))
    p.poly(ORANGE, (-3.3, -1.5), (-1.1, -1.5), (-2.2, 0.1), r=0.3)
    p.disc(COAT, -2.2, -5.6, 3.4, 0.9)
    p.disc(RED, -2.2, -7.2, 1.3)
    p.rod(CREAM, 0.9, *bow(9.0, 6.4, 1.5, -90, 90))
    p.poly(CREAM, (3.8, 4.6), (9.2, 4.6), (8.4, 8.4), (4.6, 8.4), r=0.9)
    p.disc(CREAM, 6.5, 9.0, 3.8, 0.7)
    p.line(0.8, (4.4, 6.2), (8.6, 6.2), colour=COAT)
    for x in (5.6, 7.4):
        p.line(0.45, *smooth(((x, 3.6), (x + 0.7, 2.6), (x - 0.3, 1.6), (x + 0.4, 0.5)), closed=False), colour=WHITE)


@shows("penguin skis", "skis")
def _skis(p: Pin) -> None:
    p.loop(WHITE, smooth(((-11, 4.2), (-4, 6.8), (4, 8.6), (11, 9.8), (11, 10.2), (-11, 10.2))), flat=True)
    for x in (-6.6, 6.2):
        p.rod(BROWN, 0.6, (x, -2.6 + x * 0.15), (x + 1.6, 8.0 + x * 0.2))
        p.disc(SILVER, x + 1.3, 6.4 + x * 0.2, 1.2, 0.5)
    for y in (0.0, 1.5):
        p.rod(RED, 1.0, (-9.0, 5.2 + y), (7.6, 8.2 + y), (9.8, 7.4 + y))
    p.place(penguin(wings="out"), -0.4, -1.2, 0.8, 10)
    p.poly(YELLOW, (-1.9, -7.4), (4.6, -6.4), (4.1, -3.6), (-2.4, -4.6), r=0.9)
    p.poly(SKY, (-1.0, -6.6), (3.8, -5.8), (3.4, -4.4), (-1.5, -5.2), r=0.6)
    p.loop(RED, (*bow(1.6, -6.9, 3.6, 188, 368),))
    p.disc(WHITE, 2.1, -10.0, 1.0)


@shows("glass penguin", "glass")
def _glass(p: Pin) -> None:
    p.place(penguin("#9fd6e8", ICE, "#6fb9d6", "down", eyes=False), 0, 0)
    p.dots(NAVY, 0.6, (-1.6, -5.2), (1.6, -5.2))
    p.shine((-3.2, -7.0), (-3.8, -4.0), width=0.9)
    p.shine((-4.6, 1.4), (-4.4, 5.6), width=0.9)
    p.shine((1.6, 0.0), (2.8, 4.6), width=0.7)
    p.shine((0.4, 1.4), (1.2, 4.4), width=0.4)
    p.sparkle(6.8, -6.4, 2.4)
    p.sparkle(-7.6, 6.4, 1.6)


@shows("penguin chess set", "chess set", "chess")
def _chess(p: Pin) -> None:
    p.poly(BROWN, (-10.4, 9.8), (-7.6, 4.2), (7.6, 4.2), (10.4, 9.8), r=0.4)
    for row in range(3):
        y0, y1 = 4.8 + row * 1.5, 6.3 + row * 1.5
        w0, w1 = 7.4 + (y0 - 4.2) / 2, 7.4 + (y1 - 4.2) / 2
        for n in range(6):
            a, b = (n - 3) / 3, (n - 2) / 3
            tone = CREAM if (n + row) % 2 else TAN
            p.poly(tone, (w0 * a, y0), (w0 * b, y0), (w1 * b, y1), (w1 * a, y1), flat=True)
    for x, coat, belly, y, k in ((-5.0, CREAM, WHITE, 0.4, 0.68), (4.8, COAT, GREY, 0.4, 0.68)):
        p.disc(coat, x, y + 6.6, 4.2, 1.2)
        p.place(penguin(coat, belly, GOLD, "down"), x, y, k)
        if x < 0:
            p.poly(
                GOLD,
                (x - 2.6, -9.6),
                (x - 1.3, -8.0),
                (x, -9.9),
                (x + 1.3, -8.0),
                (x + 2.6, -9.6),
                (x + 2.1, -5.7),
                (x - 2.1, -5.7),
            )
        else:
            p.disc(GOLD, x, -6.8, 1.3)
            p.box(GOLD, x - 1.9, -6.1, 3.8, 0.9, 0.3)


@shows("penguin weather vane", "weather vane")
def _weather_vane(p: Pin) -> None:
    p.poly(MAROON, (-8.6, 9.9), (0, 6.4), (8.6, 9.9))
    p.rod(DARK, 0.9, (0, 7.6), (0, -1.4))
    p.rod(DARK, 0.7, (-6.0, 4.4), (6.0, 4.4))
    for x, words in ((-7.8, "W"), (7.8, "E")):
        p.disc(GOLD, x, 4.4, 1.8)
        p.text(x, 5.3, words, 2.5)
    p.rod(GOLD, 1.0, (-8.4, 0.6), (7.4, 0.6))
    p.poly(GOLD, (7.0, -1.4), (10.6, 0.6), (7.0, 2.6), r=0.2)
    p.poly(GOLD, (-10.2, -1.6), (-7.0, -1.6), (-5.6, 0.6), (-7.0, 2.8), (-10.2, 2.8), (-8.8, 0.6))
    p.place(penguin(COAT, CREAM, ORANGE, "out"), 0, -5.0, 0.53)


@shows("penguin night light", "night light", "lamp penguin")
def _night_light(p: Pin) -> None:
    p.disc("#ffe690", 0, -0.6, 9.6, flat=True)
    p.disc("#fff4c4", 0, -0.6, 7.4, flat=True)
    p.rod(DARK, 0.8, *smooth(((3, 9), (7, 9.4), (9.4, 7.6), (10.8, 8.6)), closed=False))
    p.box(CREAM, -4.6, 7.6, 9.2, 2.2, 0.7)
    p.place(penguin("#f6a93b", "#fff6c8", "#d96b1f", "down", eyes=False), 0, -0.8, 0.88)
    for x in (-1.5, 1.5):
        p.line(0.5, *bow(x, -5.6, 0.9, 20, 160))
    p.star(YELLOW, -8.0, -6.4, 1.8, flat=False)
    p.star(YELLOW, 8.4, -1.8, 1.4, flat=False)
    p.loop(YELLOW, (*bow(7.0, -7.0, 2.6, 60, 300), *reversed(bow(8.4, -7.0, 2.3, 80, 280))))


@shows("origami penguin", "origami", "paper penguin")
def _origami(p: Pin) -> None:
    p.poly(ORANGE, (-3.6, 9.7), (0.6, 9.7), (-1.2, 7.4))
    p.poly(ORANGE, (1.2, 9.7), (5.2, 9.7), (2.6, 7.4))
    p.poly(COAT, (-3.0, -8.8), (3.4, -7.0), (1.0, -1.2), (-4.4, -2.4))
    p.poly(ORANGE, (3.4, -7.0), (7.4, -4.6), (2.2, -4.0))
    p.poly("#5a658c", (-3.0, -8.8), (3.4, -7.0), (-1.2, -4.6))
    p.poly(COAT, (-4.4, -2.4), (1.0, -1.2), (-0.6, 8.8), (-6.6, 6.0))
    p.poly(WHITE, (1.0, -1.2), (5.6, 3.4), (4.0, 8.8), (-0.6, 8.8))
    p.poly("#dfe5ee", (1.0, -1.2), (1.8, 5.0), (-0.6, 8.8))
    p.poly("#5a658c", (-4.4, -2.4), (-1.6, 2.4), (-7.8, 4.0))
    p.poly("#222941", (-4.4, -2.4), (1.0, -1.2), (-1.6, 2.4))
    p.dots(WHITE, 0.75, (0.8, -5.4))
    p.dots(INK, 0.35, (0.9, -5.4))


@shows("penguin choir bell", "choir bell", "bell")
def _bell(p: Pin) -> None:
    p.disc(BRASS, 0, 8.6, 1.7)
    p.even(GOLD, (2.6, -1.4), (3.8, 1.2), (4.6, 4.8), (7.0, 7.4), (7.0, 8.4), r=1.0)
    p.line(0.5, (-5.0, 5.4), (5.0, 5.4))
    p.shine((-2.6, 0.6), (-3.4, 4.0), width=0.9)
    p.place(penguin(wings="up"), 0, -4.6, 0.52)
    p.disc(INK, 0, -5.8, 0.5, 0.6)
    p.note(-8.6, 1.0, 1.0)
    p.note(7.4, -1.0, 1.1)
    p.line(0.5, *bow(0, 6, 9.0, 20, 45))
    p.line(0.5, *bow(0, 6, 9.0, 135, 160))


@shows("penguin cuckoo clock", "cuckoo clock", "clock")
def _cuckoo(p: Pin) -> None:
    for x in (-2.4, 2.4):
        p.line(0.4, (x, 4), (x, 8), colour=BRASS)
        p.disc(BROWN, x, 8.4, 1.0, 1.5)
    p.box(BROWN, -5.6, -4.4, 11.2, 10.2, 0.3)
    p.poly(MAROON, (0, -10.0), (8.6, -3.2), (7.2, -1.6), (0, -7.2), (-7.2, -1.6), (-8.6, -3.2), r=0.3)
    p.disc(CREAM, 0, 2.2, 3.2)
    for n in range(12):
        (x, y) = bow(0, 2.2, 2.6, n * 30, n * 30 + 1)[0]
        p.dots(INK, 0.22, (x, y))
    p.line(0.5, (0, 2.2), (0, 0.2))
    p.line(0.5, (0, 2.2), (1.4, 2.8))
    p.loop(INK, (*bow(0, -3.6, 2.3, 180, 360), (2.3, -1.4), (-2.3, -1.4)))
    p.place(penguin(wings="down"), 0.4, -3.4, 0.27)
    for side in (-1, 1):
        p.poly(GREEN, (side * 2.3, -5.2), (side * 4.4, -4.4), (side * 4.4, -0.8), (side * 2.3, -1.4))
        p.blob(GREEN, (side * 6.4, 0.2), (side * 8.2, 2.0), (side * 6.4, 4.6), (side * 5.4, 2.4))
    p.disc(FOREST, 0, -9.2, 1.5)


@shows("penguin admiral", "admiral")
def _admiral(p: Pin) -> None:
    p.place(penguin(NAVY, CREAM, ORANGE, "down"), 0, 1.4, 0.86)
    p.poly(NAVY, (-4.3, -0.6), (0, 2.4), (4.3, -0.6), (4.9, 6.2), (1.2, 6.8), (0, 3.4), (-1.2, 6.8), (-4.9, 6.2), r=0.4)
    for side in (-1, 1):
        p.disc(GOLD, side * 4.6, -0.8, 2.2, 1.1)
        p.line(0.4, (side * 3.6, 0.2), (side * 3.5, 1.6), colour=GOLD)
        p.line(0.4, (side * 5.4, 0.2), (side * 5.7, 1.6), colour=GOLD)
    p.poly(RED, (-3.6, 1.6), (-2.0, 1.6), (-2.0, 3.2), (-3.6, 3.2))
    p.star(GOLD, -2.8, 4.4, 1.4, flat=False)
    p.dots(GOLD, 0.5, (2.6, 3.0), (2.8, 4.8))
    p.egg(NAVY, (0, -10.0), (2.8, -8.8), (7.2, -4.4), (5.6, -4.4), (0, -5.6))
    p.line(0.7, *smooth(((-6.6, -4.6), (0, -5.9), (6.6, -4.6)), closed=False), colour=GOLD)
    p.disc(RED, 0, -7.6, 1.1)
    p.dots(WHITE, 0.5, (0, -7.6))


@shows("penguin tin tray", "tray", "tin tray")
def _tray(p: Pin) -> None:
    p.disc(RED, 0, 0, 10.2, 8.6)
    p.disc(GOLD, 0, 0, 9.0, 7.5)
    p.disc("#3f97b5", 0, 0, 8.2, 6.8)
    p.loop(ICE, (*bow(0, 0, 7.9, 35, 145, 6.5), (-6.2, 2.6), (-2, 3.6), (3, 2.4)), flat=True)
    p.place(penguin(wings="out"), 0, -0.3, 0.56)
    for turn in range(0, 360, 30):
        p.dots(CREAM, 0.4, bow(0, 0, 9.6, turn, turn + 1, 8.05)[0])
    p.shine(*bow(0, 0, 9.6, 200, 235, 8.05), width=0.6)


@shows("penguin door stop", "door stop", "doorstop")
def _door_stop(p: Pin) -> None:
    p.poly("#a9663a", (-10.2, -9.8), (-2.0, -8.4), (-2.0, 9.0), (-10.2, 9.9))
    for y0, y1 in ((-7.4, -0.8), (1.2, 7.2)):
        p.poly(BROWN, (-8.6, y0), (-3.6, y0 + 0.8), (-3.6, y1), (-8.6, y1 + 0.3))
    p.disc(GOLD, -3.0, 0.2, 0.9)
    p.poly(TAN, (-3.4, 9.7), (9.8, 9.7), (9.8, 7.6), (-3.4, 9.2), r=0.2)
    p.place(penguin(DARK, SILVER, ORANGE, "down"), 4.0, 0.5, 0.84)
    p.line(0.6, (1.0, 4.6), (7.0, 4.6), colour=DARK)
    p.text(4.0, 3.9, "5 KG", 2.1)


@shows("golden penguin")
def _golden(p: Pin) -> None:
    p.egg(RED, (0, 6.6), (6, 6.4), (9.2, 7.0), (8.8, 9.6), (4, 9.3), (0, 9.8))
    for side in (-1, 1):
        p.disc(GOLD, side * 9.0, 9.2, 0.9)
    p.place(penguin("#eeb021", "#ffe183", "#c9861a", "out"), 0, -0.6, 0.88)
    p.poly(YELLOW, (-3.0, -11.0), (-1.5, -9.2), (0, -11.4), (1.5, -9.2), (3.0, -11.0), (2.5, -7.4), (-2.5, -7.4), r=0.2)
    p.dots(RED, 0.45, (0, -8.4), (-1.5, -8.2), (1.5, -8.2))
    p.sparkle(-7.4, -5.4, 2.2)
    p.sparkle(7.6, -2.2, 1.7)
    p.shine((-3.4, -4.8), (-3.8, -2.4), width=0.7)
    p.sparkle(2.4, 3.4, 1.3)
