"""Things that more than one picture of COLLECTION! shows."""

from __future__ import annotations

from companion.games.collection.art.brush import AMBER, BLUE, GREY, INK, PAPER, STEEL, WHITE, Brush


def newspaper(b: Brush, x: float, y: float, w: float, h: float, turn: float) -> None:
    """Draw a newspaper's first page round (x, y)."""
    page = Brush()
    page.box(STEEL, -w / 2 - 0.3, -h / 2 - 0.3, w + 0.6, h + 0.6)
    page.box(PAPER, -w / 2, -h / 2, w, h)
    page.box(INK, -w * 0.44, -h * 0.42, w * 0.88, h * 0.16)
    page.box(GREY, -w * 0.44, -h * 0.16, w * 0.4, h * 0.5)
    page.poly(
        STEEL,
        (-w * 0.44, h * 0.34),
        (-w * 0.3, h * 0.02),
        (-w * 0.2, h * 0.2),
        (-w * 0.12, h * 0.1),
        (-w * 0.04, h * 0.34),
    )
    for i in range(5):
        at = -h * 0.12 + i * h * 0.11
        page.line(STEEL, 0.35, (w * 0.03, at), (w * 0.22, at))
        page.line(STEEL, 0.35, (w * 0.26, at), (w * 0.44, at))
    b.put(page.items, x, y, 1.0, turn)


def satellite(b: Brush, x: float, y: float, s: float) -> None:
    """Draw a satellite with two panels, 18 mm wide."""
    for side in (-1, 1):
        left = x + (2.4 if side > 0 else -8.8) * s
        b.line(GREY, 0.5 * s, (x, y), (x + side * 3 * s, y))
        b.box(BLUE, left, y - 1.9 * s, 6.4 * s, 3.8 * s)
        for i in range(1, 4):
            b.line("#9cc3e6", 0.25 * s, (left + 1.6 * i * s, y - 1.9 * s), (left + 1.6 * i * s, y + 1.9 * s))
        b.line("#9cc3e6", 0.25 * s, (left, y), (left + 6.4 * s, y))
    b.box(AMBER, x - 1.7 * s, y - 2 * s, 3.4 * s, 4 * s, 0.4 * s)
    b.poly(
        WHITE,
        (x - 1.6 * s, y + 3.2 * s),
        (x - 0.5 * s, y + 1.6 * s),
        (x + 0.5 * s, y + 1.6 * s),
        (x + 1.6 * s, y + 3.2 * s),
    )
