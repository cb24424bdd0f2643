"""Music that can be held, among the finds."""

from __future__ import annotations

from companion.games.collectors.art.pen import (
    BLUE,
    BRASS,
    BROWN,
    CREAM,
    DARK,
    GOLD,
    GREEN,
    GREY,
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


def _record(
    p: Pin, x: float, y: float, r: float, vinyl: Colour, label: Colour, groove: Colour = GREY, *, shine: bool = True
) -> None:
    """Draw a record with its label, and a gleam on its grooves."""
    p.disc(vinyl, x, y, r)
    for k in (0.88, 0.74, 0.6):
        p.line(0.25, *oval(x, y, r * k), (x + r * k, y), colour=groove)
    if shine:
        for turn in (200, 20):
            p.line(0.6, *bow(x, y, r * 0.8, turn, turn + 35), colour=WHITE)
    p.disc(label, x, y, r * 0.4)
    p.dots(INK, r * 0.06 + 0.1, (x, y))


@shows("music", "record", "album", "vinyl")
def any_music(p: Pin) -> None:
    """Draw a record out of its sleeve: what every piece of music is that nobody has drawn yet."""
    _record(p, 3.4, 0, 7.4, DARK, RED)
    p.box(ORANGE, -10.0, -8.4, 13.6, 16.8, 0.3)
    p.disc(YELLOW, -3.2, -1.2, 4.4)
    p.note(-3.8, 1.6, 1.3)


@shows("white label single", "single")
def _single(p: Pin) -> None:
    _record(p, 0, 0, 9.6, DARK, WHITE)
    p.disc(DARK, 0, 0, 1.5)
    p.text(0, -2.0, "?", 1.9)
    p.line(0.3, (-2.2, 2.4), (2.2, 2.4), colour=GREY)


@shows("ukulele", "left-handed ukulele", "guitar")
def _ukulele(p: Pin) -> None:
    q = Pin()
    q.box(BROWN, -1.1, -8.0, 2.2, 10, 0.2)
    q.poly(MAROON, (-1.3, -7.6), (-1.9, -11.4), (1.9, -11.4), (1.3, -7.6), r=0.3)
    for y in (-10.6, -8.9):
        for side in (-1, 1):
            q.disc(CREAM, side * 2.4, y, 0.7)
    q.egg("#d98a3d", (0, -1.4), (3.0, -0.8), (3.9, 1.4), (3.2, 3.6), (5.0, 6.0), (4.8, 9.2), (2.4, 11.2), (0, 11.6))
    q.disc(INK, 0, 3.8, 1.7, flat=True)
    q.box(BROWN, -2.2, 7.8, 4.4, 1.1, 0.3)
    q.box(BROWN, -1.1, -6, 2.2, 7.2, flat=True)
    for y in (-5.6, -4.0, -2.4, -0.8):
        q.line(0.3, (-1.0, y), (1.0, y), colour=TAN)
    for x in (-0.6, 0, 0.6):
        q.line(0.2, (x, -7.4), (x, 8.2), colour=CREAM)
    q.shine((-3.4, 7.0), (-2.8, 9.4), width=0.6)
    p.place(q, -0.4, -0.2, 0.94, -42)
    p.poly(RED, (-10.4, 6.2), (-7.8, 3.8), (-7.8, 5.2), (-3.6, 5.2), (-3.6, 7.2), (-7.8, 7.2), (-7.8, 8.6), r=0.2)
    p.note(4.4, -4.4, 1.1)
    p.note(7.6, -6.4, 0.9, MAROON)


@shows("cassette", "cassette three songs", "tape")
def _cassette(p: Pin) -> None:
    p.box("#e9694c", -10.4, -6.8, 20.8, 14.0, 1.0)
    p.box(CREAM, -9.0, -5.6, 18.0, 9.4, 0.6)
    for n in range(3):
        p.text(-7.8, -3.2 + n * 0, "" if n else "A", 2.2, RED)
    for n, wide in enumerate((5.8, 3.8, 7.2)):
        p.line(0.5, (-6.2, -4.6 + n * 1.15), (-6.2 + wide * 1.6, -4.6 + n * 1.15), colour=NAVY)
    p.box(DARK, -6.2, -1.0, 12.4, 4.0, 1.6)
    for x in (-3.8, 3.8):
        p.disc(WHITE, x, 1.0, 1.5)
        for turn in range(0, 360, 60):
            p.dots(INK, 0.25, bow(x, 1.0, 1.05, turn, turn + 1)[0])
    p.box(BROWN, -1.6, -0.2, 3.2, 2.4, 0.2, flat=True)
    p.poly(MAROON, (-6.0, 7.2), (-5.0, 4.4), (5.0, 4.4), (6.0, 7.2))
    p.dots(CREAM, 0.5, (-3.2, 6.0), (3.2, 6.0), (-9.4, 6.2), (9.4, 6.2))


@shows("drum", "drum skin", "drum skin last tour")
def _drum(p: Pin) -> None:
    p.rod(TAN, 0.9, (-10.2, 7.2), (5.4, 9.2))
    p.rod(TAN, 0.9, (10.2, 6.6), (-5.4, 9.6))
    p.disc(CREAM, -10.2, 7.2, 1.0)
    p.disc(CREAM, 10.2, 6.6, 1.0)
    p.disc(SILVER, 0, -1.2, 8.8)
    p.disc("#fffaf0", 0, -1.2, 7.6)
    for turn in range(15, 375, 45):
        p.dots(INK, 0.45, bow(0, -1.2, 8.2, turn, turn + 1)[0])
    p.star(RED, 0, -3.4, 3.0)
    p.text(0, 2.2, "LAST TOUR", 2.3)
    p.line(
        0.5,
        *smooth(((-4.4, 3.9), (-2.8, 3.0), (-1.8, 4.4), (-0.4, 3.2), (0.8, 4.2), (3.4, 3.2)), closed=False),
        colour=BLUE,
    )
    p.disc(SKY, -4.6, -4.0, 1.3, flat=True)
    p.line(0.4, (3.8, -6.6), (5.0, -4.8), (4.6, -3.4), colour=GREY)


@shows("guitar string", "broken guitar string", "broken guitar string framed")
def _string(p: Pin) -> None:
    p.line(0.4, (-4, -7.4), (0, -10.2), (4, -7.4), colour=DARK)
    p.dots(DARK, 0.6, (0, -10.2))
    p.box(GOLD, -9.6, -7.6, 19.2, 17.0, 0.4)
    p.box(BRASS, -8.4, -6.4, 16.8, 14.6, 0.2)
    p.box(CREAM, -7.4, -5.4, 14.8, 12.6)
    p.line(
        0.55, *smooth(((-5.8, -3.8), (-2.8, -1.0), (-3.6, 1.8), (-0.9, 1.0), (-1.6, -1.6)), closed=False), colour=INK
    )
    p.line(
        0.55,
        *smooth(((5.6, 3.0), (3.0, 2.4), (1.2, -0.6), (2.8, -3.2), (4.4, -1.4), (2.2, 0.6)), closed=False),
        colour=INK,
    )
    p.dots(BRASS, 0.8, (-5.9, -3.9), (5.8, 3.1))
    p.star(RED, 0.0, -3.0, 1.3, rays=4)
    p.box(GOLD, -3.2, 4.4, 6.4, 2.0, 0.2)
    p.text(0, 6.0, "TWANG", 1.6)


@shows("blue vinyl", "blue vinyl first pressing")
def _blue_vinyl(p: Pin) -> None:
    _record(p, 3.0, 0.4, 7.6, "#2f7fd0", YELLOW, "#8cc2f2")
    p.box(CREAM, -10.4, -8.0, 12.6, 16.8, 0.3)
    for n, tone in enumerate((NAVY, BLUE, "#5da6e4", SKY)):
        p.loop(tone, (*bow(-4.1, 8.4, 6.0 - n * 1.4, 180, 360),), flat=True)
    p.text(-4.1, -4.6, "BLUE", 3.2, NAVY)
    p.disc(RED, -0.2, -1.4, 1.8)
    p.text(-0.2, -0.7, "1st", 1.6, WHITE)


@shows("tambourine", "tambourine opener")
def _tambourine(p: Pin) -> None:
    p.disc(RED, 0, 0, 9.4)
    p.disc("#fff4de", 0, 0, 7.2)
    for turn in range(0, 360, 45):
        x, y = bow(0, 0, 8.4, turn + 22, turn + 23)[0]
        p.disc(GOLD, x, y, 1.5)
        p.dots(BRASS, 0.5, (x, y))
    p.star(PURPLE, 0, 0, 3.8)
    for k, turn in ((11.0, 200), (11.0, -20)):
        p.line(0.5, *bow(0, 0, k, turn - 12, turn + 12))


@shows("set list", "set list napkin", "napkin")
def _set_list(p: Pin) -> None:
    q = Pin()
    q.poly("#fffaf2", (-8.2, -8.0), (8.2, -8.0), (8.2, 8.0), (-8.2, 8.0), r=0.4)
    for at in (-7.0, 7.0):
        q.line(0.5, (at, -7.2), (at, 7.2), colour=PINK)
        q.line(0.5, (-7.2, at), (7.2, at), colour=PINK)
    for n, (words, wide) in enumerate((("1", 5.0), ("2", 3.4), ("3", 5.8), ("4", 4.0))):
        y = -3.6 + n * 2.7
        q.text(-5.2, y + 0.6, words, 2.4, NAVY)
        knots = [(-3.4 + k * wide / 4 * 1.5, y - (0.6 if k % 2 else -0.2)) for k in range(5)]
        q.line(0.55, *smooth(knots, closed=False, steps=4), colour=NAVY)
    q.line(0.7, (-3.6, 1.8), (4.6, 1.4), colour=RED)
    q.line(0.7, *bow(4.0, 4.6, 2.4, 20, 330), colour=TAN)
    p.place(q, -0.8, 0, 1.0, -7)
    p.rod(NAVY, 1.3, (9.8, -2.6), (6.6, 7.0))
    p.poly(SILVER, (5.9, 6.8), (7.3, 7.2), (6.0, 9.2))


@shows("kazoo", "gold kazoo")
def _kazoo(p: Pin) -> None:
    q = Pin()
    q.poly(
        GOLD,
        (-10.4, -1.4),
        (-6.0, -2.4),
        (3.4, -2.6),
        (8.6, -1.6),
        (10.8, -0.9),
        (10.8, 0.9),
        (8.6, 1.6),
        (3.4, 2.6),
        (-6.0, 2.4),
        (-10.4, 1.4),
        r=0.7,
    )
    q.disc(GOLD, 0.6, -3.2, 3.4, 1.5)
    q.box(GOLD, -2.4, -4.8, 6.0, 2.4, 0.4)
    q.disc("#ffe08a", 0.6, -4.8, 3.0, 1.0)
    q.dots(BRASS, 0.35, (-0.8, -4.8), (0.6, -4.8), (2.0, -4.8))
    q.shine((-7.0, -0.9), (2.6, -1.2), width=0.7)
    q.line(0.4, (-5.6, -2.0), (-5.6, 2.0), colour=BRASS)
    p.place(q, 0, 3.2, 0.95, -18)
    p.note(-7.0, -3.0, 1.2)
    p.note(-2.6, -5.0, 1.0, MAROON)
    p.sparkle(6.6, 5.8, 2.0)
    p.sparkle(8.4, -6.8, 1.6)


@shows("shirt", "concert shirt", "concert shirt size xxs")
def _shirt(p: Pin) -> None:
    p.poly(
        DARK,
        (-2.8, -8.8),
        (-5.6, -8.6),
        (-10.0, -3.6),
        (-7.0, -0.2),
        (-5.4, -1.8),
        (-5.4, 9.4),
        (5.4, 9.4),
        (5.4, -1.8),
        (7.0, -0.2),
        (10.0, -3.6),
        (5.6, -8.6),
        (2.8, -8.8),
        (1.6, -7.0),
        (-1.6, -7.0),
        r=0.6,
    )
    p.poly(YELLOW, (1.4, -4.6), (-3.2, 1.4), (-0.4, 1.4), (-1.8, 6.0), (3.4, -0.6), (0.4, -0.6))
    p.text(0, 8.4, "ON TOUR", 1.9, CREAM)
    p.box(CREAM, -1.6, -7.2, 3.2, 1.7, 0.2)
    p.text(0, -5.9, "XXS", 1.35, RED)


@shows("piano roll", "piano")
def _piano_roll(p: Pin) -> None:
    p.poly("#fff6e2", (-6.8, -5.4), (6.8, -5.4), (6.8, 5.0), (-6.8, 5.0))
    for x, y, high in (
        (-5.6, -2, 2.2),
        (-4.2, 0.6, 1.4),
        (-4.2, -3.0, 1.6),
        (-2.8, -1.6, 3.2),
        (-1.2, 1.4, 1.8),
        (-1.2, -3.0, 1.2),
        (0.4, -1.0, 1.6),
        (0.4, 2.6, 1.0),
        (2.0, -2.8, 3.4),
        (3.6, 0.0, 1.2),
        (3.6, 2.2, 1.6),
        (5.2, -1.8, 2.6),
    ):
        p.line(0.7, (x, y), (x, y + high * 0.8))
    for y, r in ((-6.8, 2.2), (6.6, 2.8)):
        p.rod(BROWN, 1.2, (-9.8, y), (9.8, y))
        p.box(CREAM, -7.4, y - r, 14.8, 2 * r, 0.9)
        p.line(0.35, (-6.8, y + r * 0.4), (6.8, y + r * 0.4), colour=TAN)
        for side in (-1, 1):
            p.box(MAROON, side * 8.0 - 0.9, y - r - 0.5, 1.8, 2 * r + 1.0, 0.4)


@shows("postcard", "whistling postcard")
def _postcard(p: Pin) -> None:
    q = Pin()
    q.box(CREAM, -9.0, -6.2, 18.0, 12.4, 0.3)
    q.box(SKY, -8.2, -5.4, 9.8, 10.8)
    q.disc(YELLOW, -1.0, -2.8, 1.6, flat=True)
    q.poly(GREEN, (-8.0, 5.2), (-8.0, 1.2), (-5.0, -2.2), (-1.8, 1.6), (0.2, 0.2), (1.4, 1.8), (1.4, 5.2), flat=True)
    q.box(RED, 5.4, -5.0, 2.6, 3.2)
    for y in (0.6, 2.2, 3.8):
        q.line(0.4, (2.8, y), (7.8, y), colour=GREY)
    q.line(0.5, *bow(4.4, -3.4, 1.6, 0, 360), colour=DARK)
    q.line(0.4, *oval(-3.4, 0.4, 3.2), (-0.2, 0.4), colour=DARK)
    q.line(0.4, *oval(-3.4, 0.4, 2.0), (-1.4, 0.4), colour=DARK)
    q.dots(DARK, 0.4, (-3.4, 0.4))
    p.place(q, -0.6, 2.4, 1.0, -7)
    p.note(-4.8, -6.0, 0.95)
    p.note(1.4, -6.2, 1.05, RED)
    p.note(7.4, -5.6, 0.9)


@shows("jukebox", "jukebox title strips")
def _jukebox(p: Pin) -> None:
    p.loop(RED, (*bow(0, -1.4, 8.2, 180, 360), (8.2, 9.7), (-8.2, 9.7)))
    p.loop(YELLOW, (*bow(0, -1.4, 6.6, 180, 360), (6.6, 8.6), (-6.6, 8.6)))
    p.loop(NAVY, (*bow(0, -1.4, 5.2, 180, 360), (5.2, -0.6), (-5.2, -0.6)))
    _record(p, 0, -2.4, 2.7, DARK, ORANGE, shine=False)
    for row in range(3):
        for x in (-5.0, 0.3):
            p.box("#fff6e2", x, 0.4 + row * 2.0, 4.7, 1.5, 0.1)
            p.box(RED if row % 2 else TEAL, x + 0.3, 0.65 + row * 2.0, 0.9, 1.0, flat=True)
            p.line(0.35, (x + 1.8, 1.15 + row * 2.0), (x + 4.2, 1.15 + row * 2.0))
    for n in range(5):
        p.disc(CREAM, -3.6 + n * 1.8, 7.3, 0.55)
    p.line(0.6, *bow(0, -1.4, 7.4, 200, 250), colour=PINK)
    p.line(0.6, *bow(0, -1.4, 7.4, 290, 340), colour=PINK)


@shows("gramophone", "portable gramophone")
def _gramophone(p: Pin) -> None:
    p.blob(
        GOLD,
        (-10.0, -5.6),
        (-7.6, -9.2),
        (-2.6, -9.6),
        (0.2, -6.6),
        (1.6, -1.8),
        (4.4, 1.6),
        (2.8, 3.0),
        (-1.4, 0.6),
        (-5.4, -0.6),
        (-9.0, -2.0),
    )
    p.blob(BRASS, (-9.0, -5.2), (-6.8, -8.0), (-3.6, -7.6), (-3.6, -5.0), (-5.6, -2.6), (-8.2, -2.8))
    p.line(0.4, (-2.4, -8.8), (-2.2, -5.0), (-4.0, -1.4), colour=BRASS)
    p.rod(DARK, 0.8, (9.2, 6.4), (10.6, 6.4), (10.6, 3.4))
    p.box(BROWN, -6.8, 4.4, 16.0, 5.2, 0.5)
    p.box(TAN, -5.6, 5.8, 13.6, 2.4, 0.3)
    p.disc(DARK, 1.2, 4.0, 6.8, 1.5)
    p.disc(RED, 1.2, 3.8, 2.2, 0.6)
    p.rod(SILVER, 0.9, (4.0, 1.8), (6.4, 1.2), (5.0, 3.4))
    p.rod(BROWN, 0.9, *bow(1.2, 8.2, 2.4, 20, 160, 1.4))


@shows("sheet music", "sheet music misprinted")
def _sheet_music(p: Pin) -> None:
    q = Pin()
    q.box("#e9ddc4", -7.4, -9.4, 14.8, 18.8, 0.2)
    p.place(q, 1.2, 0.4, 0.98, 6)
    q = Pin()
    q.box("#fff8ea", -7.4, -9.4, 14.8, 18.8, 0.2)
    q.text(0, -6.3, "OOPS WALTZ", 2.0)
    for top in (-4.4, 3.4):
        for n in range(5):
            q.line(0.28, (-6.2, top + n * 1.1), (6.2, top + n * 1.1), colour=GREY)
    for x, y, tone in (
        (-4.4, -1.2, INK),
        (-1.6, -2.4, INK),
        (1.4, -0.4, INK),
        (4.2, 1.2, RED),
        (-4.2, 6.4, INK),
        (2.4, 7.0, INK),
    ):
        q.note(x, y, 0.8, tone)
    q.note(5.0, 2.0, 0.8, TEAL)
    q.note(-0.6, 11.0 - 1.6, 0.8, RED)
    q.line(0.6, *oval(4.9, 0.2, 2.9, 3.8), (7.8, 0.2), colour=RED)
    p.place(q, -0.8, 0, 0.98, -3)
    p.text(8.4, -5.0, "?!", 4.0, RED, 8)


@shows("backstage pass", "pass")
def _pass(p: Pin) -> None:
    p.rod(PURPLE, 1.0, *smooth(((-0.6, -5.2), (-4.4, -8.0), (-7.4, -9.8)), closed=False))
    p.rod(PURPLE, 1.0, *smooth(((0.6, -5.2), (4.4, -8.0), (7.4, -9.8)), closed=False))
    p.box(SILVER, -1.0, -6.4, 2.0, 2.6, 0.4)
    p.box(YELLOW, -6.6, -4.4, 13.2, 14.2, 1.0)
    p.box(INK, -2.0, -3.6, 4.0, 1.1, 0.5, flat=True)
    p.box(INK, -6.4, 3.2, 12.8, 3.4, flat=True)
    p.text(0, 5.7, "BACKSTAGE", 2.15, YELLOW)
    p.star(RED, 0, 0.6, 2.6)
    p.text(0, 9.0, "ALL AREAS", 1.7)


@shows("accordion", "accordion pearl keys")
def _accordion(p: Pin) -> None:
    folds = [(-2.6 + n * 1.1, -6.6 - (0.9 if n % 2 else 0)) for n in range(6)]
    p.poly(MAROON, (-3.2, -7.0), *folds, (3.6, -7.0), (3.6, 7.0), *((x, -y) for x, y in reversed(folds)), (-3.2, 7.0))
    for x, _ in folds:
        p.line(0.4, (x, -6.6), (x, 6.6), colour="#5c1519")
    p.poly(RED, (-9.8, -7.6), (-3.0, -8.2), (-3.0, 8.2), (-9.8, 7.6), r=0.8)
    p.poly(RED, (3.4, -8.2), (9.8, -7.6), (9.8, 7.6), (3.4, 8.2), r=0.8)
    for n in range(7):
        p.box("#fffdf6", -9.2, -6.4 + n * 1.86, 3.8, 1.75, 0.2)
        if n not in (2, 6):
            p.box(INK, -9.2, -5.0 + n * 1.86, 2.2, 0.8, flat=True)
    for row in range(5):
        for x in (5.4, 7.6):
            p.disc("#f6eefb", x, -5.0 + row * 2.5, 0.85)
    p.shine((-4.2, -6.6), (-4.2, -1.0), width=0.5)
    p.dots(GOLD, 0.5, (-4.2, 6.4), (4.4, 7.0), (4.4, -7.0))


@shows("silent record")
def _silent(p: Pin) -> None:
    _record(p, 0, 0, 9.6, "#3a3646", PURPLE, "#565069", shine=False)
    p.sparkle(-6.2, -4.6, 1.8)
    p.poly(WHITE, (-2.4, -0.9), (-1.0, -0.9), (0.4, -2.2), (0.4, 2.2), (-1.0, 0.9), (-2.4, 0.9))
    p.line(0.6, (1.2, -1.0), (2.8, 1.0), colour=WHITE)
    p.line(0.6, (2.8, -1.0), (1.2, 1.0), colour=WHITE)
    p.poly(CREAM, (2.6, 5.4), (10.6, 4.2), (11.0, 7.6), (3.0, 8.8), r=0.3)
    p.text(6.9, 7.5, "0:00", 2.6, RED, -8)
