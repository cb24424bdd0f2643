"""Puts the small pictures of the games' cards into web/static/figures.svg: `python -m docs.images.symbols`.

They are drawn by the press, so that a card looks the same on paper and on a phone. What the file has beside them stays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

from companion.games.collectors.art import ITEM, SKILL, skill_icon, symbol
from companion.press.drawing import Item, Line, Loop, Shape, Text, arc, box, circle
from companion.press.figures import PLAIN, Tint
from companion.press.pictures import drawn
from companion.press.suits import pip

FILE = Path(__file__).resolve().parents[2] / "web" / "static" / "figures.svg"
OFF = 0.02
"""How far an outline may be off, of a radius of 1: half a pixel of a thumbnail."""


def _card() -> list[Item]:
    """A card with lines of words on it."""
    lines: list[Item] = [Line(((-0.34, y), (0.34, y)), 0.1, "#ffffff") for y in (-0.35, -0.05, 0.25)]
    edge = box(-0.6, -0.85, 1.2, 1.7, 0.14)
    return [Shape((edge,), PLAIN.main), Line((*edge, edge[0]), 0.09, PLAIN.dark), *lines]


def _globe() -> list[Item]:
    """A globe, for what happens in the world."""
    rim = circle(0, 0, 0.9)
    oval = arc(0, 0, 0.4, 0, 360, 0.9)
    lines: list[Item] = [
        Line(((-x, y), (x, y)), 0.08, PLAIN.dark) for x, y in ((0.9, 0.0), (0.78, -0.45), (0.78, 0.45))
    ]
    return [Shape((rim,), "#ffffff"), *lines, Line(oval, 0.08, PLAIN.dark), Line((*rim, rim[0]), 0.13, PLAIN.main)]


def _bottle() -> list[Item]:
    glass = (
        (-0.2, -1.0),
        (0.2, -1.0),
        (0.2, -0.45),
        (0.46, -0.1),
        (0.46, 0.95),
        (-0.46, 0.95),
        (-0.46, -0.1),
        (-0.2, -0.45),
    )
    label = box(-0.46, 0.15, 0.92, 0.4)
    return [Shape((glass,), PLAIN.main), Shape((label,), "#ffffff"), Line((*glass, glass[0]), 0.09, PLAIN.dark)]


def _person() -> list[Item]:
    surface, edge = drawn("karmic-collections", "pawn", main=PLAIN.main, dark=PLAIN.dark)
    return [surface, Line(edge.points, 0.09, edge.colour) if isinstance(edge, Line) else edge]


def _coin() -> list[Item]:
    """A coin with a rim."""
    edge, rim = circle(0, 0, 0.95), circle(0, 0, 0.66)
    return [Shape((edge,), PLAIN.main), Line((*edge, edge[0]), 0.14, PLAIN.dark), Line((*rim, rim[0]), 0.1, PLAIN.dark)]


def _chit() -> list[Item]:
    """A chit: a square of cardboard with a spot on it."""
    edge, spot = box(-0.8, -0.8, 1.6, 1.6, 0.3), circle(0, 0, 0.3)
    return [Shape((edge,), PLAIN.main), Line((*edge, edge[0]), 0.14, PLAIN.dark), Shape((spot,), "#ffffff")]


def _die() -> list[Item]:
    """A die that shows three."""
    edge = box(-0.85, -0.85, 1.7, 1.7, 0.3)
    pips: list[Item] = [Shape((circle(x, x, 0.19),), PLAIN.dark) for x in (-0.42, 0.0, 0.42)]
    return [Shape((edge,), "#ffffff"), Line((*edge, edge[0]), 0.14, PLAIN.dark), *pips]


def _hand() -> list[Item]:
    """Two cards, fanned."""
    back = ((-0.9, -0.6), (-0.05, -0.9), (0.4, 0.6), (-0.45, 0.9))
    front = ((-0.1, -0.85), (0.8, -0.85), (0.8, 0.75), (-0.1, 0.75))
    found: list[Item] = []
    for card in (back, front):
        found += [Shape((card,), PLAIN.main), Line((*card, card[0]), 0.14, PLAIN.dark)]
    return found


def _deck() -> list[Item]:
    """A pile of cards, seen from the side and above."""
    top = ((-0.9, -0.25), (0.15, -0.75), (0.9, -0.3), (-0.15, 0.25))
    lower = ((-0.9, 0.3), (-0.15, 0.85), (0.9, 0.25))
    middle = ((-0.9, 0.05), (-0.15, 0.55), (0.9, 0.0))
    found: list[Item] = [Shape((top,), PLAIN.main)]
    return [*found, *(Line(line, 0.14, PLAIN.dark) for line in ((*top, top[0]), middle, lower))]


def symbols() -> dict[str, tuple[list[Item], Tint]]:
    """Give the pictures by name, each with the tint whose colours the page chooses."""
    found: dict[str, tuple[list[Item], Tint]] = {
        f"item-{name}": (symbol(name, ITEM), ITEM) for name in ("penguin", "movie", "technology", "figures", "music")
    }
    for name in ("bottle", "work-card", "work-income", "auction-income", "vp-all"):
        found[f"skill-{name}"] = (skill_icon(name), SKILL)
    for suit in ("hearts", "diamonds", "spades", "clubs"):
        found[f"suit-{suit}"] = (pip(suit, PLAIN.main), PLAIN)
    drawn = {"card": _card, "globe": _globe, "bottle": _bottle, "person": _person}
    drawn |= {"coin": _coin, "chit": _chit, "die": _die, "hand": _hand, "deck": _deck}
    return {**found, **{name: (draw(), PLAIN) for name, draw in drawn.items()}}


def svg(name: str, items: Iterable[Item], tone: Tint) -> str:
    """Write one picture as a symbol; colours of the tint become the page's."""
    colours = {tone.main: "var(--main)", tone.dark: "var(--dark)", "#ffffff": "#fff"}
    parts = []
    for item in items:
        if isinstance(item, Shape):
            paths = "".join(_path(loop, closed=True) for loop in item.loops)
            parts.append(f'<path fill="{colours.get(item.fill, item.fill)}" d="{paths}"/>')
        elif isinstance(item, Line):
            closed = len(item.points) > 2 and item.points[0] == item.points[-1]
            colour, path = colours.get(item.colour, item.colour), _path(item.points, closed=closed)
            pen = f'stroke="{colour}" stroke-width="{_number(item.width)}"'
            parts.append(f'<path fill="none" {pen} stroke-linecap="round" stroke-linejoin="round" d="{path}"/>')
        elif isinstance(item, Text):
            parts.append(
                f'<text x="{_number(item.x)}" y="{_number(item.y)}" font-size="{_number(item.size)}" font-weight="700"'
                f' text-anchor="middle" fill="{colours.get(item.colour, item.colour)}">{item.words}</text>'
            )
    return f'<symbol id="{name}" viewBox="-1.25 -1.25 2.5 2.5">{"".join(parts)}</symbol>'


def _path(loop: Loop, *, closed: bool) -> str:
    points = _simple(loop[:-1] if closed and loop[0] == loop[-1] else loop)
    words = [f"{_number(x)} {_number(y)}" for x, y in points]
    return f"M{'L'.join(dict.fromkeys(words))}{'Z' if closed else ''}"


def _simple(points: Loop) -> Loop:
    """Leave out the points that lie on the way between others, as far as a thumbnail shows (Douglas and Peucker)."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    long = math.hypot(bx - ax, by - ay)

    def away(point: tuple[float, float]) -> float:
        x, y = point
        if long < OFF:
            return math.hypot(x - ax, y - ay)
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long

    far = max(range(1, len(points) - 1), key=lambda n: away(points[n]))
    if away(points[far]) <= OFF:
        return points[0], points[-1]
    return (*_simple(points[: far + 1])[:-1], *_simple(points[far:]))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("0.", ".", 1) if abs(value) >= 0.005 else "0"


def main() -> None:
    """Renew the pictures in the file."""
    text = FILE.read_text(encoding="utf-8")
    fresh = {name: svg(name, items, tone) for name, (items, tone) in symbols().items()}
    for name in fresh:
        text = re.sub(rf'<symbol id="{name}".*?</symbol>\n?', "", text, flags=re.S)
    FILE.write_text(text.replace("</svg>", "\n".join(fresh.values()) + "\n</svg>"), encoding="utf-8")


if __name__ == "__main__":
    main()
