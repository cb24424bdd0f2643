"""The five figures as large pictures of radius about 1 round the origin: facets, veins and ribs in two tones.

They have the outlines by which players know the figures of `companion.press.figures`, and the same hatching a colour.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from companion.games.five_cards_collector.art.lean import lean, lean_loop
from companion.press.drawing import (
    Colour,
    Item,
    Line,
    Loop,
    Point,
    Shape,
    arc,
    bezier,
    circle,
    hatch,
    moved,
    ring,
    rounded,
)
from companion.press.figures import Tint, art, mix


@dataclass(frozen=True)
class Grain:
    """How coarse a figure is drawn: what is small on the card has fewer and thicker lines. All in radii."""

    gap: float
    """Distance of two hatching lines."""
    hair: float
    """Width of a hatching line."""
    edge: float
    """Width of the outline."""
    off: float
    """How far a curve may be off."""


LARGE = Grain(0.118, 0.036, 0.052, 0.0035)
SMALL = Grain(0.205, 0.062, 0.1, 0.011)

Parts = tuple[Loop, list[Loop], list[Loop], list[Item]]
"""A figure's surface, its edges (of holes, too), its parts in the shade, and the lines upon it."""


def figure(name: str, tone: Tint, grain: Grain = LARGE) -> list[Item]:
    """Draw a figure by its name with a white seam round it; for an unknown name what the press draws for it."""
    return list(_figure(name, tone, grain))


@cache
def _figure(name: str, tone: Tint, grain: Grain) -> tuple[Item, ...]:
    if name not in _FIGURES:
        return tuple(art(name, tone))
    return tuple(lean(_solid(*_FIGURES[name](tone, grain), tone, grain), grain.off))


@cache
def outline(name: str) -> Loop:
    """Return the outline of a figure; a circle for an unknown one."""
    if name not in _FIGURES:
        return circle(0, 0, 1)
    return lean_loop(_FIGURES[name](Tint("#000000", "#000000", "#ffffff"), LARGE)[0], LARGE.off)


@cache
def etched(name: str, main: Colour, line: Colour) -> tuple[Item, ...]:
    """Draw a figure in one colour, with its lines upon it, as on metal."""
    if name not in _FIGURES:
        return (Shape((outline(name),), main),)
    loop, _, _, lines = _FIGURES[name](Tint(main, line, main), SMALL)
    return tuple(lean([Shape((loop,), main), *lines], SMALL.off))


def _solid(loop: Loop, edges: list[Loop], shade: list[Loop], lines: list[Item], tone: Tint, grain: Grain) -> list[Item]:
    """Fill a surface in two tones, hatch it, put its lines on it and edge it dark on a white seam."""
    items: list[Item] = [Line((*edge, edge[0]), grain.edge + 0.13, "#ffffff") for edge in edges]
    items.append(Shape((loop,), tone.main))
    if shade:
        items.append(Shape(tuple(shade), mix(tone.main, tone.dark, 0.42)))
    if tone.angle is not None:
        soft = mix(tone.main, "#ffffff", 0.44)
        items += [Line(part, grain.hair, soft) for part in hatch(loop, tone.angle, grain.gap)]
    return [*items, *lines, *(Line((*edge, edge[0]), grain.edge, tone.dark) for edge in edges)]


def _star(tone: Tint, grain: Grain) -> Parts:
    corners = []
    for i in range(10):
        r = 1.07 if i % 2 == 0 else 0.51
        turn = math.radians(-90 + 36 * i)
        corners.append((r * math.cos(turn), 0.08 + r * math.sin(turn)))
    loop = rounded(corners, 0.1)
    middle = (0.0, 0.08)
    # `rounded` gives six points a corner: a facet goes from the middle of one corner to the middle of the next
    facets = [
        (middle, *(loop[(6 * i + step) % len(loop)] for step in range(3, 9)), loop[(6 * i + 9) % len(loop)])
        for i in range(0, 10, 2)
    ]
    ridges: list[Item] = [Line((middle, corner), grain.edge * 0.55, tone.dark) for corner in loop[2::6]]
    return loop, [loop], facets, ridges


def _moon(tone: Tint, grain: Grain) -> Parts:
    # two circles of radius R and r whose centres are d apart meet where x = (d² + R² − r²) / 2d
    big, small, apart = 1.0, 0.80, 0.50
    x = (apart**2 + big**2 - small**2) / (2 * apart)
    tip = math.degrees(math.acos(x / big))
    inner = math.degrees(math.acos((x - apart) / small))
    face = []
    for x0, y0 in arc(apart, 0, small, 360 - inner, inner):
        # brow, nose and chin of a face in profile
        bump = 0.19 * math.exp(-(((y0 - 0.02) / 0.085) ** 2)) + 0.085 * math.exp(-(((y0 - 0.27) / 0.07) ** 2))
        bump += 0.1 * math.exp(-(((y0 - 0.46) / 0.1) ** 2))
        face.append((x0 + bump, y0))
    outer = arc(0, 0, big, tip, 360 - tip)
    loop = rounded((*outer, *face), 0.015)[::2]
    # its back in the shade, up to a circle that meets the outer one 67 degrees off its middle
    back = (*arc(0, 0, big, 67, 293), *arc(0.2, 0, 0.94, 281.7, 78.3))
    eye = Line(arc(-0.36, -0.18, 0.14, 20, 160), grain.edge * 1.1, tone.dark)
    lash = [
        Line(((-0.36 + 0.14 * c, -0.18 + 0.14 * s), (-0.36 + 0.24 * c, -0.18 + 0.24 * s)), grain.edge * 0.8, tone.dark)
        for c, s in ((math.cos(math.radians(t)), math.sin(math.radians(t))) for t in (40, 90, 140))
    ]
    smile = Line(bezier((-0.2, 0.36), (-0.3, 0.42), (-0.4, 0.38), (-0.43, 0.28), 8), grain.edge * 1.1, tone.dark)
    turned = moved([Shape((loop,), ""), Shape((back,), ""), eye, *lash, smile], 0.14, 0.0, rotation=-24)
    body, rear, *lines = turned
    assert isinstance(body, Shape) and isinstance(rear, Shape)  # noqa: S101, PT018
    return body.loops[0], list(body.loops), list(rear.loops), lines


def _leaf(tone: Tint, grain: Grain) -> Parts:
    def turn(points: Loop) -> Loop:
        c, s = math.cos(math.radians(32)), math.sin(math.radians(32))
        return tuple((-0.02 + x * c - y * s, 0.02 + x * s + y * c) for x, y in points)

    left = bezier((-0.06, 0.74), (-1.0, 0.46), (-0.86, -0.5), (0, -1.12), 24)
    right = bezier((0, -1.12), (0.86, -0.5), (1.0, 0.46), (0.06, 0.74), 24)
    stem = (
        *bezier((0.06, 0.74), (0.06, 0.88), (0.1, 0.96), (0.22, 1.06), 6)[1:],
        *bezier((0.12, 1.16), (-0.02, 1.02), (-0.06, 0.9), (-0.06, 0.74), 6)[:-1],
    )
    lines: list[Item] = [Line(turn(((0, 0.9), (0, -0.92))), grain.edge * 1.2, tone.dark)]
    for y, wide in ((0.5, 0.42), (0.22, 0.54), (-0.07, 0.54), (-0.35, 0.43), (-0.6, 0.22)):
        for side in (-1, 1):
            vein = bezier(
                (0, y), (side * wide * 0.4, y - 0.05), (side * wide * 0.8, y - 0.16), (side * wide, y - 0.3), 6
            )
            lines.append(Line(turn(vein), grain.edge * 0.8, tone.dark))
    loop = turn((*left[:-1], *right, *stem))
    return loop, [loop], [turn((*right, (0.0, 0.74)))], lines


def _trefoil(x: float, y: float, r: float) -> Loop:
    """Return the outline of three lobes to the left, top and right of a point, from its foot round to its foot."""
    reach, lobe = 0.62 * r, 0.5 * r
    points = []
    for degree in range(90, 451, 5):
        turn = math.radians(degree)
        far = 0.62 * r
        for axis in (180, 270, 360):
            away = math.radians(degree - axis)
            across = reach * math.sin(away)
            if math.cos(away) > 0 and abs(across) < lobe:
                far = max(far, reach * math.cos(away) + math.sqrt(lobe**2 - across**2))
        points.append((x + far * math.cos(turn), y + far * math.sin(turn)))
    return tuple(points)


def _key(tone: Tint, grain: Grain) -> Parts:
    bow, half = (0.0, -0.5), 0.135
    head = _trefoil(*bow, 0.62)
    outer: Loop = (
        *head[2:-3],
        (half, -0.02),
        (0.25, -0.02),
        (0.25, 0.13),
        (half, 0.13),
        (half, 0.42),
        (0.55, 0.42),
        (0.55, 0.57),
        (0.40, 0.57),
        (0.40, 0.67),
        (0.55, 0.67),
        (0.55, 0.88),
        (half, 0.88),
        (half, 1.1),
        (-half, 1.1),
        (-half, 0.13),
        (-0.25, 0.13),
        (-0.25, -0.02),
        (-half, -0.02),
    )
    hole = _trefoil(0.0, -0.5, 0.29)
    loop = ring(outer, hole[:-1])
    shade: list[Loop] = [((0.0, -0.1), (half, -0.1), (half, 1.1), (0.0, 1.1)), ((half, 0.42),) + outer[-13:-8]]
    lines: list[Item] = [
        Line(((-half, -0.02), (half, -0.02)), grain.edge * 0.8, tone.dark),
        Line(((-half, 0.13), (half, 0.13)), grain.edge * 0.8, tone.dark),
    ]
    body, dark, *rest = moved(
        [Shape((loop, outer, hole[:-1]), ""), Shape(tuple(shade), ""), *lines], -0.02, 0, rotation=35
    )
    assert isinstance(body, Shape) and isinstance(dark, Shape)  # noqa: S101, PT018
    return body.loops[0], list(body.loops[1:]), list(dark.loops), rest


def _shell(tone: Tint, grain: Grain) -> Parts:
    ribs, hinge = 7, (0.0, 0.70)
    tips = [
        (1.03 * math.cos(turn), 0.31 + 1.2 * math.sin(turn))
        for turn in (math.radians(-166 + 152 * i / ribs) for i in range(ribs + 1))
    ]
    rims = [_scallop(a, b, hinge) for a, b in itertools.pairwise(tips)]
    right = bezier(tips[-1], (0.9, 0.38), (0.36, 0.54), (0.22, 0.70), 8)
    left = tuple((-x, y) for x, y in reversed(right))
    foot = bezier((0.22, 0.70), (0.52, 0.74), (0.5, 0.98), (0.34, 1.0), 6)
    loop = (
        *(point for rim in rims for point in rim[:-1]),
        *right[:-1],
        *foot,
        *((-x, y) for x, y in reversed(foot)),
        *left[:-1],
    )

    def root(tip: Point) -> Point:
        return (tip[0] * 0.17, 0.68)

    shade = [(root(rim[0]), *rim, root(rim[-1])) for rim in rims[1::2]]
    lines: list[Item] = [Line((root(tip), tip), grain.edge, tone.dark) for tip in tips[1:-1]]
    lines.append(Line(((-0.22, 0.70), (0.22, 0.70)), grain.edge, tone.dark))
    return loop, [loop], shade, lines


def _scallop(a: Point, b: Point, hinge: Point) -> Loop:
    """Return the bulging rim of one rib."""
    mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    part = 0.2 / math.hypot(mx - hinge[0], my - hinge[1])
    ox, oy = (mx - hinge[0]) * part, (my - hinge[1]) * part
    return bezier(a, (a[0] + ox, a[1] + oy), (b[0] + ox, b[1] + oy), b, 8)


_FIGURES: dict[str, Callable[[Tint, Grain], Parts]] = {
    "star": _star,
    "moon": _moon,
    "leaf": _leaf,
    "key": _key,
    "shell": _shell,
}
NAMES = tuple(_FIGURES)
"""The figures, in the order in which collection cards name them."""
