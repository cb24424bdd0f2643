"""The characters: oval portraits on a dark ground, another family than the pictures."""

from __future__ import annotations

import itertools
import math

from companion.games.collectible.art.kit import BONE, GILT, GOLD, INK, Motif, halo, motif
from companion.games.collectible.art.picture import PLAIN_MAN
from companion.press.drawing import (
    Drawing,
    Item,
    Line,
    Loop,
    Point,
    Shape,
    arc,
    bounds,
    box,
    cut,
    fitted,
    moved,
    oval,
    paragraph,
    paragraph_height,
    star,
)
from companion.press.figures import Tint, mix
from companion.press.look import Room, frame
from companion.press.pictures import drawn
from companion.rules.cards import Card

GROUND = Tint(GILT, "#3a2359", "#4a2f73")
"""The violet of the house, edged with gilt."""
_SHADE = "#5b3d88"
_WHO = {
    "coins": ("patron", "#c9a24a"),
    "draw": ("dealer", "#d98a6a"),
    "swap": ("forger", "#9fc0a0"),
    "look": ("critic", "#8fc0c8"),
    "close": ("lawyer", "#c97a7a"),
    "rebate": ("auditor", "#b9a8d8"),
}
"""Who has an effect, and the colour behind the head; the attribute's picture has the effect's name."""


def portrait(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a character: an oval portrait in the upper right, the attribute beside it, name and words below."""
    frame(sheet, room, GROUND)
    inner = room.inner
    _damask(sheet, room)
    effect = card.traits.get("effect", "")
    who, tone = _WHO.get(effect, ("", "#b9a8d8"))
    bust = motif(f"characters/{who}" if who else f"motifs/{PLAIN_MAN}")
    oval_portrait(sheet, bust, tone, (inner.x + 40.0, inner.y + 23.5), 16.0, 20.4)
    thing = drawn("collectible", f"characters/{effect}") if who else [Shape((star(0, 0, 9, 0.42, 5),), GOLD)]
    left, top, right, bottom = bounds(thing)
    scale = min(18.6 / (right - left), 20 / (bottom - top))
    x, y = inner.x + 11.6 - scale * (left + right) / 2, inner.y + 34.6 - scale * (top + bottom) / 2
    sheet.add([*halo(moved(thing, x, y, scale=scale), INK, 0.5), *moved(thing, x, y, scale=scale)])
    _words(sheet, card, room)
    if not room.coded:
        for s, turn in zip(room.codes[:2], (0.0, 180.0), strict=False):
            cx, cy = s.centre
            nudge = 1.2 if turn == 0 else -1.2
            medal: list[Item] = [Shape((oval(0, 0, r),), fill) for r, fill in ((8.8, GILT), (8.2, INK), (7.9, tone))]
            small = moved(
                thing, -0.56 * scale * (left + right) / 2, -0.56 * scale * (top + bottom) / 2, scale=0.56 * scale
            )
            medal += [*halo(small, INK, 0.4), *small]
            sheet.add(moved(medal, cx + nudge, cy + nudge, rotation=turn))


def _damask(sheet: Drawing, room: Room) -> None:
    r = room.inner
    for i in range(8):
        for j in range(7):
            x, y = r.x + 4.2 + 7.6 * i + (3.8 if j % 2 else 0), r.y + 4.4 + 6.8 * j
            hidden = ((x - r.x - 40.0) / 15) ** 2 + ((y - r.y - 23.5) / 19) ** 2 < 1
            if x < r.x + r.w - 2.5 and not hidden:
                sheet.fill(_SHADE, star(x, y, 2.0, 0.4, 4))


def oval_portrait(sheet: Drawing, who: Motif, tone: str, centre: tuple[float, float], rx: float, ry: float) -> None:
    """Draw a bust in an oval gilt frame with a beaded edge."""
    cx, cy = centre
    for grow, fill in ((1.7, INK), (1.4, GILT), (0.7, "#f7dc90"), (0.4, GILT), (0.0, INK), (-0.3, tone)):
        sheet.fill(fill, arc(cx, cy, rx + grow, 0, 360, ry + grow)[:-1])
    sheet.fill(mix(tone, "#ffffff", 0.35), oval(cx, cy - ry * 0.10, rx * 0.74, ry * 0.70))
    scale = ry * 1.64 / 36
    figure = moved(who.items, cx, cy + ry - 0.2, scale=scale * 1.02)
    inside = [item for part in (halo(figure, INK, 0.45), figure) for item in _in_oval(part, cx, cy, rx - 0.3, ry - 0.3)]
    sheet.add(cut(inside, cx - rx, cy - ry, cx + rx, cy + ry))


def _in_oval(items: list[Item], cx: float, cy: float, rx: float, ry: float) -> list[Item]:
    """Move every point outside an ellipse to its edge: good enough for a bust cut by its frame."""

    def pulled(points: Loop, room: float) -> Loop:
        kept: list[Point] = []
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            parts = math.ceil(
                math.dist((ax, ay), (bx, by)) / 3
            )  # no edge is longer than 3 mm, lest it cut the oval short
            kept += [(ax + (bx - ax) * n / parts, ay + (by - ay) * n / parts) for n in range(parts)]
        offs = [(x - cx, y - cy) for x, y in (*kept, points[-1])]
        away = [max(1.0, math.hypot(x / (rx - room), y / (ry - room))) for x, y in offs]
        return tuple((cx + x / far, cy + y / far) for (x, y), far in zip(offs, away, strict=True))

    out: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            out.append(Shape(tuple(pulled((*loop, loop[0]), 0.0)[:-1] for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            out.append(Line(pulled(item.points, item.width / 2), item.width, item.colour))
    return out


def _words(sheet: Drawing, card: Card, room: Room) -> None:
    inner = room.inner
    top = inner.y + 48.2
    ribbon = box(inner.x + 2.2, top, inner.w - 4.4, 8.8, 1.4)
    sheet.fill(INK, box(inner.x + 1.9, top - 0.3, inner.w - 3.8, 9.4, 1.6))
    sheet.fill(GILT, ribbon)
    sheet.line("#f7dc90", 0.3, *box(inner.x + 2.9, top + 0.7, inner.w - 5.8, 7.4, 1.0), closed=True)
    size, lines = fitted(card.title, 6.2, inner.w - 10, 8.0, bold=True)
    y = top + (8.8 - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(room.shape.w / 2, y, lines, size, colour="#2a183f", bold=True))
    size, lines = fitted(card.text, 3.5, 34.4, 23.6)
    y = top + 10.4 + (24 - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(inner.x + 2.4, y, lines, size, align="l", colour=BONE))
