"""Figures and icons as shapes of radius about 1 round the origin, and the colours they come in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.press.drawing import (
    Colour,
    Drawing,
    Item,
    Line,
    Loop,
    Shape,
    arc,
    bezier,
    box,
    circle,
    hatch,
    moved,
    ring,
    rounded,
)


@dataclass(frozen=True)
class Tint:
    """One colour of a game: for figures, for lines and words on white, for a panel, and how it is hatched.

    The hatching (angle in degrees, None for none) tells colours apart without colour vision, beside the printed name.
    """

    main: Colour
    dark: Colour
    pale: Colour
    angle: float | None = None


TINTS: dict[str, Tint] = {
    "red": Tint("#d23c3c", "#9c2226", "#fbeeec", 90.0),
    "blue": Tint("#2f76c4", "#1d4f8c", "#ebf2fa", 0.0),
    "green": Tint("#2b9360", "#1a6642", "#eaf5ef", 45.0),
    "yellow": Tint("#efb61a", "#86620a", "#fdf6e0", None),
    "violet": Tint("#8554b8", "#5a3487", "#f3edf9", 135.0),
    "orange": Tint("#e07b28", "#96490f", "#fcf1e7", 20.0),
    "black": Tint("#3d454a", "#23292c", "#eff1f2", 70.0),
}
PLAIN = Tint("#5b7a8c", "#33505f", "#eef3f5")
"""For everything that has no colour by the rules."""

Art = Callable[[Tint], list[Item]]


def tint(name: str | None) -> Tint:
    """Return a colour by the word that the deck uses."""
    return TINTS.get(name or "", PLAIN)


def _solid(loop: Loop, tone: Tint) -> list[Item]:
    """Fill a figure, hatch it with fine pale lines, and outline it dark."""
    items: list[Item] = [Shape((loop,), tone.main)]
    if tone.angle is not None:
        soft = mix(tone.main, "#ffffff", 0.26)
        items += [Line(part, 0.035, soft) for part in hatch(loop, tone.angle, 0.135)]
    items.append(Line((*loop, loop[0]), 0.07, tone.dark))
    return items


def mix(colour: Colour, other: Colour, part: float) -> Colour:
    """Return a blend of two colours, with `part` of the second."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def _star(tone: Tint) -> list[Item]:
    points = []
    for i in range(10):
        r = 1.04 if i % 2 == 0 else 0.50
        turn = math.radians(-90 + 36 * i)
        points.append((r * math.cos(turn), 0.07 + r * math.sin(turn)))
    return _solid(rounded(points, 0.16), tone)


def _moon(tone: Tint) -> list[Item]:
    # two circles of radius R and r whose centres are d apart meet where x = (d² + R² − r²) / 2d
    big, small, apart = 0.97, 0.80, 0.50
    x = (apart**2 + big**2 - small**2) / (2 * apart)
    tip = math.degrees(math.acos(x / big))
    inner = math.degrees(math.acos((x - apart) / small))
    crescent = (*arc(0, 0, big, tip, 360 - tip), *arc(apart, 0, small, 360 - inner, inner))
    loop = rounded(crescent, 0.02)
    items = _solid(loop, tone)
    return moved(items, 0.14, 0.0, rotation=-28)


def _leaf(tone: Tint) -> list[Item]:
    left = bezier((0, 0.72), (-0.78, 0.42), (-0.72, -0.52), (0, -1.08), 24)
    right = bezier((0, -1.08), (0.72, -0.52), (0.78, 0.42), (0, 0.72), 24)
    stem = Line(bezier((0, 0.7), (0.0, 0.85), (0.04, 0.95), (0.14, 1.08)), 0.11, tone.dark)
    items: list[Item] = [stem, *_solid((*left, *right[1:-1]), tone)]
    items.append(Line(((0, 0.7), (0, -0.78)), 0.06, tone.dark))
    for y, wide in ((0.42, 0.36), (0.12, 0.44), (-0.18, 0.40), (-0.46, 0.27)):
        for side in (-1, 1):
            vein = bezier(
                (0, y), (side * wide * 0.4, y - 0.06), (side * wide * 0.8, y - 0.18), (side * wide, y - 0.32), 8
            )
            items.append(Line(vein, 0.05, tone.dark))
    return moved(items, -0.02, 0.02, rotation=32)


def _key(tone: Tint) -> list[Item]:
    bow = (0.0, -0.56)
    shaft = 0.115
    half = math.degrees(math.asin(shaft / 0.50))
    outline = [
        *arc(*bow, 0.50, 90 + half, 450 - half),
        (shaft, 0.42),
        (0.46, 0.42),
        (0.46, 0.62),
        (shaft, 0.62),
        (shaft, 0.76),
        (0.38, 0.76),
        (0.38, 0.97),
        (shaft, 0.97),
        (shaft, 1.05),
        (-shaft, 1.05),
    ]
    hole = circle(*bow, 0.24)
    items = _solid(ring(tuple(outline), hole), tone)
    items.pop()
    items += [
        Line((*outline, outline[0]), 0.07, tone.dark),
        Line((*hole, hole[0]), 0.07, tone.dark),
        Line(arc(*bow, 0.37, 190, 290), 0.05, mix(tone.main, "#ffffff", 0.6)),
    ]
    return moved(items, 0.0, 0.0, rotation=35)


def _shell(tone: Tint) -> list[Item]:
    ribs, hinge = 7, (0.0, 0.74)
    tips = []
    for i in range(ribs + 1):
        turn = math.radians(-164 + 148 * i / ribs)
        tips.append((1.02 * math.cos(turn) * 0.98, 0.36 + 1.18 * math.sin(turn)))
    edge: list[tuple[float, float]] = []
    for a, b in itertools.pairwise(tips):
        mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        away = math.hypot(mx - hinge[0], my - hinge[1])
        bulge = 0.17
        ox, oy = (mx - hinge[0]) / away * bulge, (my - hinge[1]) / away * bulge
        edge += bezier(a, (a[0] + ox, a[1] + oy), (b[0] + ox, b[1] + oy), b, 8)[:-1]
    edge.append(tips[-1])
    body = (
        *edge,
        *bezier(tips[-1], (0.86, 0.42), (0.36, 0.58), (0.20, 0.74), 10)[1:],
        *bezier((0.20, 0.74), (0.46, 0.78), (0.44, 0.98), (0.30, 1.0), 6)[1:],
        *bezier((-0.30, 1.0), (-0.44, 0.98), (-0.46, 0.78), (-0.20, 0.74), 6),
        *bezier((-0.20, 0.74), (-0.36, 0.58), (-0.86, 0.42), tips[0], 10)[1:-1],
    )
    items = _solid(body, tone)
    for tip in tips[1:-1]:
        start = (tip[0] * 0.16, 0.70)
        items.append(Line((start, (tip[0] * 0.985, tip[1] + 0.02)), 0.06, tone.dark))
    items.append(Line(((-0.2, 0.75), (0.2, 0.75)), 0.06, tone.dark))
    return moved(items, 0, -0.07)


# ------------------------------------------------------------------------------------------------------------- icons


def _card(x: float, y: float, turn: float, tone: Tint, *, face: bool = True, scale: float = 1.0) -> list[Item]:
    """Draw a little playing card round (x, y)."""
    loop = box(-0.34, -0.48, 0.68, 0.96, 0.09)
    items: list[Item] = [
        Shape((loop,), "#ffffff" if face else tone.main),
        Line((*loop, loop[0]), 0.07, tone.dark),
    ]
    if not face:
        inner = box(-0.22, -0.36, 0.44, 0.72, 0.05)
        items.append(Line((*inner, inner[0]), 0.045, mix(tone.main, "#ffffff", 0.6)))
    return moved(items, x, y, scale=scale, rotation=turn)


def _arrow(points: Loop, tone: Tint, *, width: float = 0.13, head: float = 0.25) -> list[Item]:
    """Draw an arrow along points, its head at the last one."""
    (ax, ay), (bx, by) = points[-2], points[-1]
    long = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / long, (by - ay) / long
    tip = (bx + ux * head, by + uy * head)
    wide = head * 0.85
    triangle = ((bx - uy * wide, by + ux * wide), tip, (bx + uy * wide, by - ux * wide))
    return [Line(points, width, tone.dark), Shape((rounded(triangle, 0.04),), tone.dark)]


def _draw_three(tone: Tint) -> list[Item]:
    cards = [*_card(-0.52, 0.1, -20, tone, face=False, scale=1.25), *_card(0.0, -0.06, 0, tone, face=False, scale=1.25)]
    cards += _card(0.52, 0.1, 20, tone, face=False, scale=1.25)
    plus = (
        Line(((0, -0.26), (0, 0.14)), 0.15, "#ffffff"),
        Line(((-0.2, -0.06), (0.2, -0.06)), 0.15, "#ffffff"),
    )
    return [*cards, *plus]


def _fan(tone: Tint, *, face: bool) -> list[Item]:
    items: list[Item] = []
    for turn in (-36, -12, 12, 36):
        x, y = 0.95 * math.sin(math.radians(turn)), 1.0 - 0.95 * math.cos(math.radians(turn))
        items += _card(x, y, turn, tone, face=face)
    return items


def _draw_from_hand(tone: Tint) -> list[Item]:
    items: list[Item] = []
    for i, turn in enumerate((-39, -13, 13, 39)):
        reach = 1.3 if i == 2 else 0.86
        x, y = reach * math.sin(math.radians(turn)), 1.1 - reach * math.cos(math.radians(turn))
        items += _card(x, y, turn, tone, face=False)
    items += _arrow(((0.62, -0.42), (0.72, -0.74)), tone)
    return moved(items, -0.1, 0.05)


def _eye(tone: Tint) -> list[Item]:
    lid = (
        *bezier((-1.0, 0.0), (-0.5, -0.78), (0.5, -0.78), (1.0, 0.0), 20),
        *bezier((1.0, 0.0), (0.5, 0.78), (-0.5, 0.78), (-1.0, 0.0), 20)[1:-1],
    )
    items: list[Item] = [Shape((lid,), "#ffffff"), Line((*lid, lid[0]), 0.11, tone.dark)]
    items += [
        Shape((circle(0, 0, 0.42),), tone.main),
        Shape((circle(0, 0, 0.21),), tone.dark),
        Shape((circle(0.11, -0.12, 0.08),), "#ffffff"),
    ]
    for turn in (-130, -110, -90, -70, -50):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        items.append(Line(((0.95 * c, 0.28 + 1.08 * s), (1.08 * c, 0.28 + 1.3 * s)), 0.09, tone.dark))
    return moved(items, 0, 0.12)


def _retrieve(tone: Tint) -> list[Item]:
    items: list[Item] = []
    for y, turn in ((0.5, -4), (0.36, 3), (0.22, -2)):
        sheet = box(-0.62, -0.2, 1.24, 0.4, 0.1)
        items += moved(
            [Shape((sheet,), tone.main), Line((*sheet, sheet[0]), 0.07, tone.dark)], 0, y + 0.2, rotation=turn
        )
    items += _card(0, -0.28, 0, tone, scale=0.95)
    items += _arrow(((0, -0.06), (0, -0.42)), tone)
    return moved(items, 0, 0, scale=1.2)


def _take_over(tone: Tint) -> list[Item]:
    items = _card(0, 0, 0, tone, face=False, scale=1.15)
    items += _arrow((*bezier((-0.5, 0.0), (-0.86, 0.0), (-0.86, -0.2), (-0.86, -0.52), 10),), tone)
    items += _arrow((*bezier((0.5, 0.0), (0.86, 0.0), (0.86, 0.2), (0.86, 0.52), 10),), tone)
    return moved(items, 0, 0, scale=1.08)


def _pile_swap(tone: Tint) -> list[Item]:
    items = [*_card(-0.3, -0.18, -8, tone, face=False, scale=1.05), *_card(0.3, 0.18, 8, tone, scale=1.05)]
    items += _arrow((*arc(0.0, 0.0, 0.92, 215, 305),), tone)
    items += _arrow((*arc(0.0, 0.0, 0.92, 35, 125),), tone)
    return items


def _turn_round(tone: Tint) -> list[Item]:
    items = _arrow((*arc(0, 0, 0.78, 20, 140),), tone, width=0.2, head=0.36)
    items += _arrow((*arc(0, 0, 0.78, 340, 220),), tone, width=0.2, head=0.36)
    inner = circle(0, 0, 0.3)
    return [*items, Shape((inner,), tone.main), Line((*inner, inner[0]), 0.07, tone.dark)]


def _info(tone: Tint) -> list[Item]:
    disc = circle(0, 0, 0.95)
    return [
        Shape((disc,), tone.main),
        Line((*disc, disc[0]), 0.08, tone.dark),
        Shape((circle(0, -0.44, 0.13),), "#ffffff"),
        Line(((0, -0.1), (0, 0.5)), 0.22, "#ffffff"),
    ]


def _blank(tone: Tint) -> list[Item]:
    return moved(_fan(tone, face=False), 0, 0.1)


FIGURES: dict[str, Art] = {"star": _star, "moon": _moon, "leaf": _leaf, "key": _key, "shell": _shell}
ICONS: dict[str, Art] = {
    "draw-three": _draw_three,
    "draw-from-hand": _draw_from_hand,
    "view-hand": _eye,
    "retrieve": _retrieve,
    "take-over": _take_over,
    "pile-swap": _pile_swap,
    "change-direction": _turn_round,
    "information": _info,
}


def art(name: str | None, tone: Tint) -> list[Item]:
    """Draw the figure or icon of that name; a fan of cards for a name that nobody has drawn yet."""
    draw = FIGURES.get(name or "") or ICONS.get(name or "") or _blank
    return draw(tone)


def put(drawing: Drawing, items: list[Item], x: float, y: float, r: float, rotation: float = 0.0) -> None:
    """Put art of radius `r` mm on a drawing, its middle at (x, y)."""
    drawing.add(moved(items, x, y, scale=r, rotation=rotation))
