"""Technology of yesterday, among the finds."""

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
    RED,
    SILVER,
    SKY,
    TAN,
    WHITE,
    YELLOW,
    Pin,
    bow,
    shows,
    smooth,
)

BEIGE = "#e6d8b8"
LCD = "#b9cf9a"
GLOW = "#6df28e"


@shows("television", "computer", "technology")
def any_technology(p: Pin) -> None:
    """Draw a portable television: what every piece of technology is that nobody has drawn yet."""
    p.rod(SILVER, 0.6, (0, -6), (-5, -10))
    p.rod(SILVER, 0.6, (0, -6), (5, -10))
    for x in (-5.6, 5.6):
        p.rod(BROWN, 1.2, (x, 7), (x * 1.2, 9.4))
    p.box(ORANGE, -9.4, -6.4, 18.8, 14, 1.8)
    p.box(SKY, -7.8, -4.8, 11.4, 10.8, 2.2)
    p.shine((-5.8, -0.6), (-3.0, -3.2), width=0.9)
    p.disc(CREAM, 6.6, -2.6, 1.5)
    p.disc(CREAM, 6.6, 1.4, 1.5)


@shows("calculator", "pocket calculator", "pocket calculator walnut")
def _calculator(p: Pin) -> None:
    p.box(BROWN, -6.4, -9.8, 12.8, 19.6, 1.4)
    for x in (-5.6, 5.4):
        p.line(0.35, *smooth(((x, -8), (x + 0.2, -2), (x - 0.1, 3), (x + 0.1, 8.4)), closed=False), colour="#5e3519")
    p.box(CREAM, -4.8, -8.2, 9.6, 16.6, 0.8)
    p.box(INK, -3.9, -7.2, 7.8, 3.8, 0.4)
    p.text(0.2, -4.4, "1975", 2.7, "#ff5a4a")
    for row in range(4):
        for col in range(3):
            tone = ORANGE if col == 2 else RED if (row, col) == (0, 0) else DARK
            p.box(tone, -3.9 + col * 2.8, -2.2 + row * 2.5, 2.1, 1.8, 0.4)


@shows("vacuum", "robot vacuum", "first robot vacuum")
def _vacuum(p: Pin) -> None:
    p.disc(GREY, 0, 5.2, 10.2, 4.4)
    p.disc(SILVER, 0, 2.4, 10.2, 5.2)
    p.disc(CREAM, 0, 2.0, 7.4, 3.5)
    p.box(DARK, -6.0, 6.4, 12.0, 1.2, 0.4)
    p.disc(DARK, -2.2, 1.6, 1.1, 1.0)
    p.disc(DARK, 2.2, 1.6, 1.1, 1.0)
    p.dots("#7df0e8", 0.5, (-2.0, 1.3), (2.4, 1.3))
    p.line(0.5, *bow(0, 2.2, 1.5, 40, 140))
    p.rod(RED, 0.6, (5.6, -0.6), (7.8, -6.4))
    p.disc(RED, 7.9, -6.8, 1.0)
    for n in (-1.4, 0, 1.4):
        p.line(0.5, (-8.6, 8.2), (-10.4 + n * 0.3, 8.6 + n), colour=DARK)
    p.dots(BROWN, 0.4, (9.0, 9.4), (10.4, 8.8), (7.6, 9.7))


@shows("radio", "transistor radio", "transistor radio turquoise")
def _radio(p: Pin) -> None:
    p.rod(SILVER, 0.6, (6.4, -4), (9.8, -10))
    p.dots(RED, 0.7, (9.8, -10))
    p.rod(BROWN, 1.0, *bow(-1.4, -4.6, 4.6, 190, 350, 3.6))
    p.box("#36b5ad", -10.0, -4.8, 20.0, 14.2, 1.8)
    p.box(CREAM, -8.6, -3.4, 10.4, 11.4, 0.8)
    for row in range(6):
        p.line(0.6, (-7.6, -2.0 + row * 1.75), (0.8, -2.0 + row * 1.75), colour=BRASS)
    p.disc(CREAM, 6.0, 0.6, 3.0)
    p.disc(GOLD, 6.0, 0.6, 1.5)
    for turn in range(150, 400, 40):
        (x, y) = bow(6.0, 0.6, 2.3, turn, turn + 1)[0]
        p.dots(INK, 0.22, (x, y))
    p.line(0.5, (6.0, 0.6), (7.2, -1.0), colour=RED)
    p.box(GOLD, 3.4, 5.2, 5.2, 2.2, 0.4)
    p.text(6.0, 6.9, "AM", 1.7)


@shows("home computer", "home computer 4 kb")
def _home_computer(p: Pin) -> None:
    p.box(BEIGE, -8.0, -9.8, 13.6, 11.4, 1.2)
    p.box(INK, -6.6, -8.6, 9.0, 8.6, 1.0)
    for y, words in (
        (-5.9, "READY."),
        (-3.4, "4 KB"),
    ):
        p.text(-2.2, y, words, 2.1, GLOW)
    p.box(GLOW, -5.4, -2.2, 1.3, 1.5, flat=True)
    p.disc(DARK, 4.0, -7.4, 0.7)
    p.disc(RED, 4.0, -5.2, 0.7)
    p.poly(BEIGE, (-9.6, 2.6), (8.6, 2.6), (10.6, 9.6), (-10.6, 9.6), r=0.8)
    for row in range(3):
        for col in range(8 - row % 2):
            p.box(BROWN, -8.4 + row * 0.1 + col * 2.1 + (row % 2), 3.8 + row * 1.6, 1.5, 1.1, 0.2, flat=True)
    p.box(BROWN, -4.6, 8.3, 9.2, 0.8, 0.2, flat=True)
    for n, tone in enumerate((RED, ORANGE, YELLOW, GREEN)):
        p.line(0.45, (8.3, 4.2 + n * 0.7), (9.4, 4.2 + n * 0.7), colour=tone)


@shows("keyboard", "clicking keyboard")
def _keyboard(p: Pin) -> None:
    p.rod(DARK, 0.7, *smooth(((-7, -1), (-8, -4.6), (-4, -6.2), (-5, -9.4)), closed=False))
    p.poly(BEIGE, (-9.8, -1.2), (9.8, -1.2), (10.8, 9.2), (-10.8, 9.2), r=0.9)
    for row in range(3):
        for col in range(8):
            tone = GREY if col in (0, 7) else CREAM
            p.box(tone, -9.3 - row * 0.2 + col * (2.36 + row * 0.05), -0.2 + row * 2.35, 1.95, 1.9, 0.3)
    p.box(CREAM, -5.4, 6.9, 10.8, 1.6, 0.3)
    p.box(RED, -9.5, 6.9, 2.6, 1.6, 0.3)
    p.text(2.6, -5.2, "CLICK!", 4.0, RED, -8)
    for a, b in (((-2.0, -3.0), (-2.8, -4.4)), ((8.4, -2.6), (9.2, -3.8))):
        p.line(0.5, a, b)


@shows("telephone", "rotary telephone", "phone")
def _telephone(p: Pin) -> None:
    p.rod(DARK, 0.6, *smooth(((-8.6, 1), (-10.4, 3), (-8.8, 5), (-10.4, 7), (-9.0, 9)), closed=False))
    p.even(RED, (3.6, -4.6), (4.4, -2.0), (7.4, 3.0), (8.4, 9.4), r=1.4)
    p.blob(
        RED,
        (-10.2, -3.4),
        (-9.8, -7.0),
        (-6, -8.8),
        (0, -9.4),
        (6, -8.8),
        (9.8, -7.0),
        (10.2, -3.4),
        (6.4, -3.0),
        (5.8, -5.4),
        (0, -6.2),
        (-5.8, -5.4),
        (-6.4, -3.0),
    )
    p.disc(CREAM, 0, 3.4, 4.8)
    for n in range(10):
        (x, y) = bow(0, 3.4, 3.5, 60 - n * 30, 61 - n * 30)[0]
        p.dots(INK, 0.66, (x, y))
    p.disc(RED, 0, 3.4, 1.7)
    p.shine((-5.4, -7.4), (-1.0, -8.2), width=0.7)
    p.shine((-6.6, 4.0), (-7.0, 7.4), width=0.7)


@shows("tape drive", "tape drive size of fridge", "mainframe")
def _tape_drive(p: Pin) -> None:
    p.box(SILVER, -6.0, -9.8, 12.0, 19.4, 0.5)
    p.box(NAVY, -5.0, -8.8, 10.0, 9.2, 0.4)
    for x in (-2.4, 2.4):
        p.disc(CREAM, x, -5.6, 2.1)
        p.disc(BROWN, x, -5.6, 1.3)
        p.dots(WHITE, 0.5, (x, -5.6))
    p.line(0.45, (-4.3, -5), (-3.2, -1.0), (3.2, -1.0), (4.3, -5), colour=TAN)
    p.box(GREY, -1.2, -1.8, 2.4, 1.6, 0.2)
    for n in range(4):
        p.dots((RED, YELLOW, GREEN, SKY)[n], 0.5, (-3.6 + n * 1.6, 2.0))
    p.box(GREY, -5.0, 3.6, 10.0, 5.0, 0.3)
    p.box(CREAM, 2.6, 4.6, 1.0, 3.0, 0.3)
    p.egg(INK, (0, 3.8), (0.9, 4.4), (0.9, 5.6), (0, 6.2), x=8.4)
    p.rod(RED, 1.3, (8.4, 6.6), (8.4, 8.0))
    p.rod(NAVY, 0.7, (8.0, 8.4), (7.9, 9.6))
    p.rod(NAVY, 0.7, (8.8, 8.4), (8.9, 9.6))


@shows("mouse", "prototype mouse")
def _mouse(p: Pin) -> None:
    p.rod(DARK, 0.8, *smooth(((-5, -1.8), (-8.6, -4.6), (-6.4, -8.4), (-1.6, -7.4), (1.0, -9.8)), closed=False))
    p.disc(DARK, -4.6, 8.2, 1.8)
    p.disc(DARK, 5.0, 8.2, 1.8)
    p.poly(TAN, (-8.4, -0.6), (6.6, -2.6), (10.0, 1.0), (10.0, 7.6), (-8.4, 7.6), r=1.0)
    p.poly("#e6bd83", (-8.4, -0.6), (6.6, -2.6), (10.0, 1.0), (-6.2, 3.2), r=0.5)
    p.line(0.4, (-4.6, 5.4), (2, 5.0), (8.6, 5.6), colour=BROWN)
    p.line(0.4, (-5.6, 6.6), (-1, 6.4), colour=BROWN)
    p.poly(RED, (-4.8, -1.0), (-2.4, -1.4), (-1.4, 0.6), (-4.0, 1.0), r=0.4)
    p.text(4.6, 4.8, "No. 1", 2.2, BROWN, -4)


@shows("floppy disk", "floppy disk 8 inches", "diskette")
def _floppy(p: Pin) -> None:
    p.poly(CREAM, (-9.8, -6.8), (6.0, -10.0), (9.6, 6.0), (-6.4, 9.6), r=0.3)
    p.box(DARK, -7.4, -8.2, 17.0, 17.4, 0.5)
    p.box(CREAM, -6.0, -7.2, 10.8, 4.0, 0.3)
    p.text(-0.6, -4.2, "BACKUP 3", 2.0)
    p.disc(GREY, 1.1, 2.0, 3.0)
    p.disc(CREAM, 1.1, 2.0, 1.7)
    p.box(GREY, 0.2, 5.8, 1.8, 3.0, 0.8)
    p.dots(CREAM, 0.5, (4.8, 2.0))
    p.text(-4.6, 8.2, '8"', 3.4, YELLOW)


@shows("amplifier", "valve amplifier")
def _amplifier(p: Pin) -> None:
    for x in (-7.2, -3.0, 1.2):
        p.disc("#ffd27a", x, -4.2, 2.9, 4.6, flat=True)
        p.loop(ICE, (*bow(x, -5.8, 1.6, 180, 360), (x + 1.6, -0.6), (x - 1.6, -0.6)))
        p.rod(ORANGE, 0.9, (x, -1.4), (x, -4.6))
        p.box(DARK, x - 1.9, -1.0, 3.8, 1.6, 0.3)
        p.shine((x - 0.9, -5.8), (x - 0.9, -4.4), width=0.4)
    p.box(DARK, 4.2, -6.4, 5.8, 7.0, 0.5)
    for y in (-4.8, -3.0, -1.2):
        p.line(0.5, (5.2, y), (9.0, y), colour=GREY)
    p.box(BROWN, -10.4, 0.2, 20.8, 8.4, 0.6)
    p.box(GOLD, -9.2, 1.4, 18.4, 6.0, 0.4)
    for x in (-6.4, -1.8):
        p.disc(DARK, x, 4.4, 1.7)
        p.line(0.5, (x, 4.4), (x + 0.7, 3.2), colour=CREAM)
    p.loop(CREAM, (*bow(4.8, 6.2, 3.6, 180, 360),))
    p.line(0.5, (4.8, 6.2), (6.6, 3.8), colour=RED)
    for x in (-8, 8):
        p.box(DARK, x - 1.2, 8.6, 2.4, 1.1, 0.2)


@shows("spelling toy", "talking spelling toy")
def _spelling(p: Pin) -> None:
    p.rod(YELLOW, 1.6, *bow(0, -6.4, 3.6, 180, 360, 3.0))
    p.box("#e4572e", -9.0, -6.6, 18.0, 16.0, 1.8)
    p.box(INK, -7.4, -5.0, 11.4, 4.4, 0.5)
    p.text(-1.7, -1.6, "OWL?", 3.6, GLOW)
    for y in (-4.4, -3.2, -2.0, -0.8):
        p.line(0.55, (5.2, y), (7.8, y), colour=MAROON)
    for row in range(3):
        for col in range(5):
            tone = YELLOW if (row + col) % 3 else SKY
            p.box(tone, -7.4 + col * 3.05, 1.0 + row * 2.7, 2.5, 2.1, 0.4)
            p.text(-6.15 + col * 3.05, 2.6 + row * 2.7, "ABCDEFGHIJKLMNO"[row * 5 + col], 1.6)


@shows("watch", "digital watch", "digital watch red digits")
def _watch(p: Pin) -> None:
    for side in (-1, 1):
        p.poly(GREY, (-3.4, side * 4), (3.4, side * 4), (2.8, side * 9.9), (-2.8, side * 9.9), r=0.4)
        for y in (6.2, 8.2):
            p.line(0.45, (-3.0, side * y), (3.0, side * y))
    p.box(GOLD, 6.4, -1.2, 1.6, 2.4, 0.4)
    p.poly(
        SILVER,
        (-4.4, -5.6),
        (4.4, -5.6),
        (7.2, -3.0),
        (7.2, 3.0),
        (4.4, 5.6),
        (-4.4, 5.6),
        (-7.2, 3.0),
        (-7.2, -3.0),
        r=0.8,
    )
    p.box("#3a0d12", -5.6, -3.4, 11.2, 6.8, 1.0)
    p.text(0, 1.7, "12:04", 4.2, "#ff3b30")
    p.shine((-4.6, -4.6), (3.6, -4.6), width=0.6)


@shows("modem", "modem cups")
def _modem(p: Pin) -> None:
    p.rod(DARK, 0.7, *smooth(((8.6, 6), (10.4, 3), (9.2, 0), (10.6, -4)), closed=False))
    p.poly(BEIGE, (-9.0, -0.4), (8.0, -0.4), (9.6, 4.2), (9.6, 9.4), (-10.4, 9.4), (-10.4, 4.2), r=0.8)
    p.line(0.4, (-10.2, 4.2), (9.4, 4.2))
    for n in range(3):
        p.dots((RED, YELLOW, GREEN)[n], 0.6, (-8.4 + n * 1.8, 7.0))
    p.text(4.0, 7.8, "300 BAUD", 1.9)
    for x in (-5.6, 4.6):
        p.disc(DARK, x, 1.4, 3.5, 2.1)
        p.disc(INK, x, 0.8, 2.6, 1.3)
    p.blob(
        RED,
        (-9.4, -1.0),
        (-8.6, -5.2),
        (-4.6, -7.8),
        (-0.5, -8.4),
        (3.6, -7.8),
        (7.6, -5.2),
        (8.4, -1.0),
        (4.6, 0.0),
        (1.8, -1.4),
        (2.6, -4.2),
        (-0.5, -5.4),
        (-3.6, -4.2),
        (-2.8, -1.4),
        (-5.6, 0.0),
    )
    p.shine((-6.2, -5.6), (-2.6, -7.2), width=0.7)


@shows("slide rule", "solar slide rule")
def _slide_rule(p: Pin) -> None:
    q = Pin()
    q.box(CREAM, -11.2, -3.2, 21.0, 6.4, 0.4)
    q.box("#f6e3a8", -8.4, -1.2, 21.0, 2.4)
    for n in range(14):
        q.line(0.3, (-9.8 + n * 1.4, -3.0), (-9.8 + n * 1.4, -1.9 if n % 3 else -1.5))
        q.line(0.3, (-9.8 + n * 1.3, 3.0), (-9.8 + n * 1.3, 2.1 if n % 4 else 1.6))
        q.line(0.3, (-7.2 + n * 1.4, -1.0), (-7.2 + n * 1.4, -0.2 if n % 3 else 0.2))
    q.box(ICE, -1.6, -4.0, 4.6, 8.0, 0.5)
    q.line(0.4, (0.7, -3.6), (0.7, 3.6), colour=RED)
    q.box(NAVY, -9.4, -7.6, 8.0, 4.0, 0.3)
    for x in (-7.4, -5.4, -3.4):
        q.line(0.35, (x, -7.4), (x, -3.8), colour=SKY)
    q.line(0.35, (-9.2, -5.6), (-1.6, -5.6), colour=SKY)
    p.disc(YELLOW, 6.6, -5.8, 2.8)
    for turn in range(0, 360, 45):
        p.line(0.6, *(bow(6.6, -5.8, r, turn, turn + 1)[0] for r in (3.8, 4.8)), colour=YELLOW)
    p.place(q, -0.8, 3.6, 0.98, -16)


@shows("pager", "pager leather case")
def _pager(p: Pin) -> None:
    p.box(DARK, -8.2, -7.6, 16.4, 8.6, 1.4)
    p.box(LCD, -6.4, -5.9, 9.6, 4.2, 0.4)
    p.text(-1.6, -2.9, "CALL 42", 2.2)
    p.disc(RED, 5.7, -5.0, 1.0)
    p.disc(GREEN, 5.7, -2.5, 1.0)
    p.poly("#a4642f", (-9.4, -0.4), (9.4, -0.4), (8.8, 9.4), (-8.8, 9.4), r=1.4)
    p.line(0.4, (-8.0, 0.9), (-7.6, 8.2), (7.6, 8.2), (8.0, 0.9), colour=TAN)
    p.poly(BROWN, (-2.4, -0.9), (2.4, -0.9), (2.8, 4.0), (0, 5.2), (-2.8, 4.0), r=0.6)
    p.disc(GOLD, 0, 2.8, 1.2)
    p.line(0.5, *bow(8.2, -8.2, 2.2, -100, 10))
    p.line(0.5, *bow(8.2, -8.2, 1.0, -100, 10))


@shows("arcade", "vector arcade screen", "arcade screen")
def _arcade(p: Pin) -> None:
    p.poly(
        NAVY,
        (-7.4, -6.0),
        (7.4, -6.0),
        (7.0, 3.0),
        (8.8, 5.4),
        (8.8, 9.7),
        (-8.8, 9.7),
        (-8.8, 5.4),
        (-7.0, 3.0),
        r=0.4,
    )
    p.box(YELLOW, -7.8, -9.8, 15.6, 4.0, 0.5)
    p.text(0, -6.9, "VECTOR", 2.7, RED)
    p.box(INK, -5.8, -4.8, 11.6, 7.8, 0.6)
    p.line(0.5, (-1.0, 1.8), (0, -1.0), (1.0, 1.8), (0, 1.1), (-1.0, 1.8), colour=GLOW)
    p.line(0.45, (-4.6, -2.2), (-3.4, -4.0), (-2.0, -3.4), (-2.2, -1.8), (-3.6, -1.2), (-4.6, -2.2), colour=GLOW)
    p.line(0.45, (2.8, -0.4), (3.6, -2.4), (5.0, -1.8), (4.6, 0.2), (2.8, -0.4), colour=GLOW)
    p.dots(GLOW, 0.3, (0, -2.0), (0, -3.2), (0, -4.2))
    p.poly(RED, (-7.2, 3.4), (7.2, 3.4), (8.6, 5.8), (-8.6, 5.8), r=0.2)
    p.rod(DARK, 0.6, (-4.2, 5.0), (-4.6, 3.2))
    p.disc(YELLOW, -4.6, 2.8, 1.0)
    for x in (1.6, 4.0):
        p.disc(SKY, x, 4.6, 0.9, 0.6)
    p.box(DARK, -2.2, 7.0, 4.4, 2.0, 0.2)
    p.dots(GOLD, 0.45, (-1.0, 8.0), (1.0, 8.0))


@shows("joystick", "wooden joystick")
def _joystick(p: Pin) -> None:
    p.rod(DARK, 0.8, *smooth(((6, 6), (9.6, 5.4), (10.2, 1.8), (8.4, -1.6)), closed=False))
    p.poly(TAN, (-8.0, 2.6), (6.8, 2.6), (8.0, 9.6), (-9.2, 9.6), r=0.8)
    for y, a, b in ((5.8, -6, 0), (7.2, -7, 5), (8.4, -4, 6)):
        p.line(0.4, *smooth(((a, y), ((a + b) / 2, y + 0.4), (b, y - 0.1)), closed=False), colour=BROWN)
    p.disc(DARK, -0.6, 3.0, 4.4, 1.5)
    p.rod(BROWN, 2.2, (-0.6, 2.4), (-2.4, -5.2))
    p.disc("#c8823f", -2.6, -6.4, 3.2)
    p.shine(*bow(-2.6, -6.4, 2.1, 190, 260), width=0.7)
    p.disc(RED, -6.6, 3.6, 1.4, 0.9)
    for turn in (150, 30):
        p.line(0.5, *bow(-2.6, -6.4, 5.4, turn + 150, turn + 180))


@shows("microchip", "golden microchip", "chip")
def _chip(p: Pin) -> None:
    for n in range(5):
        at = -5.6 + n * 2.8
        for side in (-1, 1):
            p.rod(SILVER, 1.0, (at, side * 6.6), (at, side * 9.2))
            p.rod(SILVER, 1.0, (side * 6.6, at), (side * 9.2, at))
    p.box(GOLD, -7.4, -7.4, 14.8, 14.8, 0.8)
    p.poly("#ffe08a", (-7.1, -7.1), (2.4, -7.1), (-7.1, 2.4), flat=True)
    p.box(DARK, -4.2, -4.2, 8.4, 8.4, 0.5)
    for side in (-1, 1):
        p.line(0.5, (side * 4.4, side * 2.0), (side * 5.6, side * 2.0), (side * 6.4, side * 3.2), colour=BRASS)
        p.line(0.5, (side * 2.0, side * -4.4), (side * 2.0, side * -5.6), (side * 3.2, side * -6.4), colour=BRASS)
    p.star(YELLOW, 0, 0, 2.6, flat=False)
    p.dots(BRASS, 0.8, (-5.8, -5.8))
    p.sparkle(6.6, -7.2, 2.4)
    p.sparkle(-6.2, 5.4, 1.6)
