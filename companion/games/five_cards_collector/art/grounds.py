"""What lies behind a figure on its card: a pattern that belongs to it, in pale tones of its colour."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache

from companion.games.five_cards_collector.art.figures import outline
from companion.games.five_cards_collector.art.panel import inside
from companion.press.drawing import Item, Line, Loop, Point, Shape, arc, bezier, box, circle, lean, moved
from companion.press.figures import Tint, mix

FAINT, SOFT, STRONG = 0.07, 0.13, 0.22
"""How much of the full colour is in a pattern: words stand on the first two, never on the third."""


@cache
def ground(name: str, tone: Tint, w: float, h: float) -> tuple[Item, ...]:
    """Draw the pattern of a figure round the middle of a card of w × h mm, up to its white rim."""
    draw = _GROUNDS.get(name, _halo)
    return tuple(inside(moved(lean(draw(tone, w, h), 0.05), w / 2, h / 2), w, h))


def _shades(tone: Tint) -> tuple[str, str, str]:
    return mix(tone.pale, tone.main, FAINT), mix(tone.pale, tone.main, SOFT), mix(tone.pale, tone.main, STRONG)


def _scatter(w: float, h: float, count: int) -> Iterator[Point]:
    """Yield places spread evenly over a card, the same when it is turned by 180°."""
    for i in range(count // 2):
        # the golden angle, as seeds in a sunflower
        turn, far = math.radians(137.508 * i + 20), math.sqrt((i + 9) / (count // 2 + 8))
        x, y = far * w * 0.66 * math.cos(turn), far * h * 0.6 * math.sin(turn)
        yield x, y
        yield -x, -y


def _echo(tone: Tint, w: float, h: float) -> list[Item]:
    """The night sky: a star that shines in ever larger stars, with sparks between them."""
    faint, soft, strong = _shades(tone)
    loop = outline("star")
    items: list[Item] = [
        Shape((tuple((x * r, (y - 0.08) * r + 1.4) for x, y in loop),), (tone.pale, soft, faint)[n % 3])
        for n, r in enumerate((74.0, 62.0, 52.0, 43.0, 35.0, 28.0))
    ]
    sparks: list[Loop] = []
    for n, (x, y) in enumerate(_scatter(w, h, 44)):
        r = (0.42, 0.42, 1.5, 0.6)[n // 2 % 4]
        if math.hypot(x, y) >= 20:
            sparks.append(spark(x, y, r) if r > 1 else circle(x, y, r)[::6])
    return [*items, Shape(tuple(sparks), strong)]


def spark(x: float, y: float, r: float) -> Loop:
    """Return a star of four points."""
    return tuple(
        (x + far * math.cos(math.radians(45 * i)), y + far * math.sin(math.radians(45 * i)))
        for i, far in ((i, r if i % 2 == 0 else r * 0.3) for i in range(8))
    )


def _halo(tone: Tint, w: float, h: float) -> list[Item]:
    """The moon's halo: rings of light, the widest of them beaded."""
    faint, soft, strong = _shades(tone)
    far = math.hypot(w, h) / 2
    rings = [r for r in (58.0, 51.0, 44.5, 38.5, 33.0, 28.0, 23.5) if r - 8 < far]
    items: list[Item] = [
        Shape((circle(0, 0, r)[:: 2 if r < 40 else 1],), (tone.pale, soft, faint)[n % 3]) for n, r in enumerate(rings)
    ]
    beads = [
        circle(r * math.cos(turn), r * math.sin(turn), 0.5)[::10]
        for r, count in ((25.7, 32), (35.7, 44), (47.7, 60))
        for turn in (math.radians(360 * (i + 0.5) / count) for i in range(count))
    ]
    return [*items, Shape(tuple(beads), strong)]


def _veins(tone: Tint, w: float, h: float) -> list[Item]:
    """One leaf as large as the card: a midrib aslant, veins from it to both sides, the fields between them in turns."""
    faint, soft, strong = _shades(tone)
    items: list[Item] = []
    veins: list[Item] = []
    step = 9.5
    for side in (-1, 1):
        edges = []
        for i in range(-8, 8):
            y = i * step + (step / 2 if side > 0 else 0)
            edges.append(bezier((0, y), (side * 10, y - 2), (side * 30, y - 14), (side * 44, y - 42), 8))
        fields = [(*low, *reversed(high)) for low, high in itertools.pairwise(edges)]
        items += [Shape(tuple(fields[::2]), soft), Shape(tuple(fields[1::2]), faint)]
        items += [Line(low, 0.45, strong) for low in edges]
        for low in edges:
            for part in (1, 3, 5):
                # small veins branch off, ever more upwards
                x, y = low[part]
                twig = bezier((x, y), (x + side * 2, y + 0.6), (x + side * 4.2, y), (x + side * 6, y - 2.2), 4)
                veins.append(Line(twig, 0.3, strong))
    items += veins
    items.append(Shape((((-0.25, -h * 0.6), (0.25, -h * 0.6), (1.0, h * 0.6), (-1.0, h * 0.6)),), strong))
    return moved(items, 0, 0, rotation=32)


def _plate(tone: Tint, w: float, h: float) -> list[Item]:
    """A lock plate with studs on a lattice of keyholes."""
    faint, soft, strong = _shades(tone)
    metal = mix(tone.pale, tone.main, 0.34)
    across, down = 11.4, 13.4
    items: list[Item] = [Shape((box(-w / 2, -h / 2, w, h),), soft)]
    for n in range(-9, 10):
        for side in (-1, 1):
            y, rise = (n + 0.5) * down, side * w / 2 * down / across
            items.append(Line(((-w / 2, y - rise), (w / 2, y + rise)), 0.42, tone.pale))
    places = [((column + row % 2 / 2) * across, row * down / 2) for row in range(-7, 8) for column in range(-3, 4)]
    holes = [_keyhole(x, y, 1.6) for x, y in places if math.hypot(x, y) > 19 and abs(x) < w / 2 and abs(y) < h / 2]
    items.append(Shape(tuple(holes), strong))
    items += [Shape((_scutcheon(r),), fill) for r, fill in ((21.6, metal), (20.7, tone.pale), (19.2, faint))]
    for turn in (45, 135, 225, 315):
        x, y = 16.2 * math.cos(math.radians(turn)), 16.2 * math.sin(math.radians(turn))
        items += [Shape((circle(x, y, 1.5)[::3],), metal), Shape((circle(x, y, 0.7)[::6],), tone.pale)]
    return items


def _keyhole(x: float, y: float, r: float) -> Loop:
    bow = arc(x, y - 0.55 * r, 0.62 * r, 125, 415)[::8]
    return (*bow, (x + 0.62 * r, y + r), (x - 0.62 * r, y + r))


def _scutcheon(r: float) -> Loop:
    """Return a plate of eight bows, of radius r."""
    edge: list[Point] = []
    for i in range(8):
        turn = math.radians(45 * i)
        x, y = 0.7 * r * math.cos(turn), 0.7 * r * math.sin(turn)
        edge += arc(x, y, 0.3 * r, 45 * i - 62, 45 * i + 62)[::3]
    return tuple(edge)


def _waves(tone: Tint, w: float, h: float) -> list[Item]:
    """Waves of the sea, row upon row."""
    faint, soft, strong = _shades(tone)
    items: list[Item] = []
    r, step = 10.4, 5.9
    bow = arc(0, 0, r, 180, 360)[::3]
    for row in range(math.ceil((h + r) / step)):
        y = row * step - h / 2 + step
        xs = [(column + row % 2 / 2) * 2 * r for column in range(-3, 4)]
        xs = [x for x in xs if abs(x) <= w / 2 + r - 3]
        for part, fill in ((1.0, soft), (0.74, tone.pale), (0.48, faint)):
            items.append(Shape(tuple(tuple((x + px * part, y + py * part) for px, py in bow) for x in xs), fill))
        items += [Line(tuple((x + px, y + py) for px, py in bow), 0.28, strong) for x in xs]
    return items


_GROUNDS: dict[str, Callable[[Tint, float, float], list[Item]]] = {
    "star": _echo,
    "moon": _halo,
    "leaf": _veins,
    "key": _plate,
    "shell": _waves,
}
