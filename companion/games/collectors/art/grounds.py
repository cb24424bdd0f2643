"""What lies behind a find: a colour and a pattern for each category, so that a collection is seen across the table."""

from __future__ import annotations

import math

from companion.games.collectors.art.pen import block
from companion.press.drawing import Colour, Drawing, Line, arc, box, clip, cut, oval, rays

TONES: dict[str, tuple[Colour, Colour]] = {
    "penguin": ("#8ed0e6", "#6fbad6"),
    "movie": ("#f0927c", "#dd7660"),
    "technology": ("#a5d08b", "#88b96d"),
    "figures": ("#f8cf5e", "#eab73a"),
    "music": ("#c3a4e0", "#a986cd"),
}
"""A category's colour, and a darker one for its pattern."""
PLAIN = ("#cfd6d3", "#b6c0bc")


def tones(category: str) -> tuple[Colour, Colour]:
    """Return the two colours of a category's ground."""
    return TONES.get(category, PLAIN)


def ground(sheet: Drawing, category: str, x0: float, y0: float, x1: float, y1: float) -> None:
    """Paint a category's ground into a rectangle: ice, film, a pegboard, rays, or a record's grooves."""
    light, deep = tones(category)
    w, h = x1 - x0, y1 - y0
    sheet.fill(light, block(x0, y0, w, h, 1.4))
    middle, low = (x0 + x1) / 2, y1 - 0.3
    if category == "penguin":
        floor = y0 + h * 0.72
        waves = [(x0 + w * n / 36, floor - 0.5 * math.cos(math.pi * n / 6)) for n in range(37)]
        sheet.fill(
            "#eaf7fb",
            (
                *waves,
                *arc(x1 - 1.4, y1 - 1.4, 1.4, 0, 90),
                *arc(x0 + 1.4, y1 - 1.4, 1.4, 90, 180),
            ),
        )
        flakes = ((0.1, 0.14), (0.24, 0.42), (0.08, 0.62), (0.86, 0.1), (0.93, 0.4), (0.76, 0.24), (0.4, 0.08))
        sheet.fill("#eaf7fb", *(oval(x0 + fx * w, y0 + fy * h, 0.42, None, 10) for fx, fy in flakes))
    elif category == "movie":
        for y in (y0, y1 - 1.9):
            sheet.fill(deep, block(x0, y, w, 1.9, 1.2))
            step = w / round(w / 2.6)
            holes = [x0 + (n + 0.5) * step - 0.6 for n in range(round(w / 2.6))]
            sheet.fill("#fbe0d6", *(box(x, y + 0.5, 1.2, 0.9) for x in holes))
    elif category == "technology":
        across, down = round(w / 2.6), round(h / 2.6)
        spots = [(x0 + (n + 0.5) * w / across, y0 + (m + 0.5) * h / down) for n in range(across) for m in range(down)]
        sheet.fill(deep, *(oval(x, y, 0.42, None, 8) for x, y in spots))
    elif category == "figures":
        for ray in rays(middle, y0 + h * 0.55, w + h, 10, 9):
            inside = clip(ray, x0 + 0.3, y0 + 0.3, x1 - 0.3, low)
            if len(inside) > 2:
                sheet.fill(deep, inside)
    elif category == "music":
        for n in range(2, 9):
            r = n * 1.7
            grooves = [Line(arc(middle, y0 + h * 0.52, r, 0, 360)[::2], 0.45, deep)]
            sheet.add(cut(grooves, x0 + 0.4, y0 + 0.4, x1 - 0.4, y1 - 0.4))
