"""Colours of the shelves: flat enamel within ink, bold outside and fine inside."""

from __future__ import annotations

from companion.press.drawing import Loop, box, rounded

INK, PAPER, GOLD = "#2b2633", "#f7efdc", "#e5a826"

OUTSIDE = 1.3
"""Width of the ink round a find, half of it beyond its edge."""
INSIDE = 0.42
"""Width of the ink between a find's parts."""


def block(x: float, y: float, w: float, h: float, r: float) -> Loop:
    """Return an upright rectangle with softly rounded corners."""
    return rounded(box(x, y, w, h), r)
