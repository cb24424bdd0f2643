"""The signs of COLLECTION!, of radius about 1 round the origin: gems, arrows, dice, pawns, marks of danger.

Each kind of gem has its cut beside its colour: political is a round brilliant, military a shield, economic an emerald.
"""

from __future__ import annotations

import math

from companion.games.collection.art.brush import AMBER, INK, PAPER, RED, WHITE, Brush, dot, star
from companion.press.drawing import Colour, Item, Line, Loop, Shape, rounded
from companion.press.figures import TINTS, Tint, mix

COLOURS = {"political": "blue", "military": "red", "economic": "green"}
"""The kinds of gems and reports, and their colours (2.3)."""


def gem(kind: str) -> list[Item]:
    """Draw a gem or report of a kind; three small ones for one of any kind."""
    if kind not in COLOURS:
        b = Brush()
        for name, x, y in (("political", -0.5, -0.42), ("economic", 0.5, -0.42), ("military", 0.0, 0.5)):
            b.put(gem(name), x, y, 0.52)
        return b.items
    tone = TINTS[COLOURS[kind]]
    return {"political": _brilliant, "military": _shield, "economic": _emerald}[kind](tone)


def _facets(outer: Loop, table: Loop, tone: Tint) -> list[Item]:
    """Draw a cut stone: an outline, a pale table, light from the upper left, edges between their corners."""
    n = len(outer)
    items: list[Item] = [Shape((outer,), tone.main)]
    for i in range(n):
        a, b, c, d = outer[i], outer[(i + 1) % n], table[(i + 1) % n], table[i]
        mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        light = -(mx + my * 1.3) / 1.6
        tint = mix(tone.main, WHITE, 0.42 * light) if light > 0 else mix(tone.main, tone.dark, -0.9 * light)
        items.append(Shape(((a, b, c, d),), tint))
    items.append(Shape((table,), mix(tone.main, WHITE, 0.62)))
    items.append(Line((*outer, outer[0]), 0.13, tone.dark))
    return items


def _brilliant(tone: Tint) -> list[Item]:
    turns = [math.radians(22.5 + 36 * i) for i in range(10)]
    outer = tuple((0.97 * math.cos(t), 0.97 * math.sin(t)) for t in turns)
    return _facets(outer, tuple((0.5 * x, 0.5 * y) for x, y in outer), tone)


def _shield(tone: Tint) -> list[Item]:
    outer = ((-0.98, -0.82), (0.98, -0.82), (0.86, -0.2), (0.0, 1.05), (-0.86, -0.2))
    table = tuple((0.46 * x, 0.46 * y - 0.14) for x, y in outer)
    return _facets(outer, table, tone)


def _emerald(tone: Tint) -> list[Item]:
    c, a = 0.42, 0.9
    outer = ((-c, -a), (c, -a), (a, -c), (a, c), (c, a), (-c, a), (-a, c), (-a, -c))
    items = _facets(outer, tuple((0.62 * x, 0.62 * y) for x, y in outer), tone)
    inner = tuple((0.3 * x, 0.3 * y) for x, y in outer)
    return [*items, Shape((inner,), mix(tone.main, WHITE, 0.25))]


def crisis(letter: str, scale: float = 1.0) -> list[Item]:
    """Draw the large red stone of a crisis, tall with six sides, and its scenario's letter."""
    tone = Tint("#d8402f", "#7c1a16", WHITE)
    outer = ((0, -1.22), (0.92, -0.66), (0.92, 0.62), (0, 1.22), (-0.92, 0.62), (-0.92, -0.66))
    items = _facets(outer, tuple((0.74 * x, 0.72 * y) for x, y in outer), tone)
    items[-2] = Shape((tuple((0.74 * x, 0.72 * y) for x, y in outer),), "#a31f1b")
    b = Brush()
    b.items = items
    if letter:
        b.word(0, 0, letter, 1.35 * scale, WHITE)
    return b.items


def arrow(up: bool, colour: Colour) -> list[Item]:
    """Draw a stout arrow upwards or downwards."""
    s = -1 if up else 1
    points = ((-0.34, -s), (0.34, -s), (0.34, 0.0), (0.86, 0.0), (0, s), (-0.86, 0.0), (-0.34, 0.0))
    return [Shape((points,), colour)]


def die() -> list[Item]:
    """Draw a die of ten sides."""
    outer = ((0, -1.05), (0.98, -0.12), (0.98, 0.2), (0, 1.05), (-0.98, 0.2), (-0.98, -0.12))
    b = Brush()
    b.poly(INK, *outer)
    b.poly("#e9f0ea", (0, -0.93), (0.56, 0.22), (0, 0.5), (-0.56, 0.22))
    b.poly("#8fb3a0", (0.12, -0.86), (0.9, -0.1), (0.9, 0.1), (0.62, 0.18))
    b.poly("#b5cdbd", (-0.12, -0.86), (-0.9, -0.1), (-0.9, 0.1), (-0.62, 0.18))
    b.poly("#5f8f78", (0.07, 0.58), (0.6, 0.32), (0.84, 0.24), (0.07, 0.9))
    b.poly("#7aa48c", (-0.07, 0.58), (-0.6, 0.32), (-0.84, 0.24), (-0.07, 0.9))
    return b.items


def pawn(colour: Colour) -> list[Item]:
    """Draw a pawn's silhouette."""
    body = (
        (-0.3, -0.3),
        (0.3, -0.3),
        (0.38, 0.35),
        (0.66, 0.66),
        (0.66, 1.0),
        (-0.66, 1.0),
        (-0.66, 0.66),
        (-0.38, 0.35),
    )
    return [
        Shape((rounded(body, 0.12),), colour),
        Shape((dot(0, -0.56, 0.44),), colour),
        Shape((rounded(((-0.48, -0.26), (0.48, -0.26), (0.42, -0.04), (-0.42, -0.04)), 0.08),), colour),
    ]


def bolt() -> list[Item]:
    """Draw an extra action: a bolt on a disc."""
    b = Brush()
    b.disc(INK, 0, 0, 1.0)
    b.poly(AMBER, (0.28, -0.8), (-0.5, 0.12), (-0.04, 0.12), (-0.26, 0.82), (0.54, -0.16), (0.06, -0.16))
    return b.items


def step() -> list[Item]:
    """Draw a free move: a pawn and where it goes."""
    b = Brush()
    b.put(pawn(INK), -0.62, 0, 0.95)
    b.line(INK, 0.26, (0.05, 0.3), (0.85, 0.3))
    b.poly(INK, (0.7, -0.2), (1.35, 0.3), (0.7, 0.8))
    return b.items


def barred() -> list[Item]:
    """Draw an action that places nothing: a gem struck out."""
    b = Brush()
    b.items += _facets_plain()
    ring = dot(0, 0, 1.0)
    b.line(RED, 0.24, *ring, ring[0])
    b.line(RED, 0.24, (-0.7, -0.7), (0.7, 0.7))
    return b.items


def _facets_plain() -> list[Item]:
    outer = ((-0.55, -0.42), (-0.28, -0.68), (0.28, -0.68), (0.55, -0.42), (0, 0.62))
    return [Shape((outer,), "#9fb0aa"), Line((*outer, outer[0]), 0.1, INK), Line((outer[0], outer[3]), 0.1, INK)]


def burst() -> list[Item]:
    """Draw what stands behind the stone of a Crisis Expansion."""
    return [Shape((star(0, 0, 1.0, 0.66, 12),), AMBER)]


def danger() -> list[Item]:
    """Draw the sign of red cards: a warning triangle."""
    b = Brush()
    b.poly(INK, (0, -1.02), (1.12, 0.88), (-1.12, 0.88), r=0.2)
    b.poly("#ffcf3a", (0, -0.74), (0.84, 0.7), (-0.84, 0.7), r=0.14)
    b.poly(INK, (-0.16, -0.3), (0.16, -0.3), (0.09, 0.28), (-0.09, 0.28))
    b.disc(INK, 0, 0.46, 0.13)
    return b.items


def welcome() -> list[Item]:
    """Draw the sign of blue cards: a rosette with a tick and two ribbons."""
    b = Brush()
    b.poly(PAPER, (-0.6, 0.2), (-0.1, 0.4), (-0.3, 1.1), (-0.52, 0.86), (-0.82, 0.98))
    b.poly(PAPER, (0.6, 0.2), (0.1, 0.4), (0.3, 1.1), (0.52, 0.86), (0.82, 0.98))
    b.star(WHITE, 0, -0.16, 0.92, 0.82, 12)
    b.line("#1d5a96", 0.24, (-0.38, -0.16), (-0.08, 0.14), (0.42, -0.46))
    return b.items


def coin(face: Colour = "#f3e2b4", edge: Colour = "#8a6412") -> list[Item]:
    """Draw a collector's coin with its milled edge, without a name."""
    b = Brush()
    for i in range(20):
        turn = 2 * math.pi * i / 20
        b.items.append(Shape((dot(0.93 * math.cos(turn), 0.93 * math.sin(turn), 0.13),), edge))
    b.disc(edge, 0, 0, 0.94)
    b.disc(face, 0, 0, 0.78)
    return b.items


def circle_of_reports(full: Colour = INK, empty: Colour = "#9db3a8") -> list[Item]:
    """Draw the circle that reports fill: a ring of small places, three of them filled."""
    b = Brush()
    for i in range(8):
        turn = 2 * math.pi * i / 8 - math.pi / 2
        b.disc(full if i < 3 else empty, 0.76 * math.cos(turn), 0.76 * math.sin(turn), 0.25)
    return b.items


def half() -> list[Item]:
    """Draw a die of which one half is gone."""
    b = Brush()
    b.items = die()
    b.poly(PAPER, (0.04, -1.2), (1.2, -1.2), (1.2, 1.2), (0.04, 1.2))
    outer = ((0.05, -1.05), (0.98, -0.12), (0.98, 0.2), (0.05, 1.05))
    b.line("#8b9b94", 0.1, *outer)
    return b.items
