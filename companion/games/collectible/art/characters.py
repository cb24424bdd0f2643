"""The characters: oval portraits on a dark ground, another family than the pictures."""

from __future__ import annotations

from collections.abc import Callable

from companion.eye.mat import Rect
from companion.games.collectible.art import people
from companion.games.collectible.art.kit import (
    BLUE,
    BONE,
    BRASS,
    BROWN,
    FOREST,
    GILT,
    GOLD,
    INK,
    NAVY,
    PAPER,
    RED,
    RUST,
    SKY,
    STEEL,
    UMBER,
    WHITE,
    WINE,
    Motif,
    blob,
    block,
    bounds,
    curve,
    flat,
    halo,
    motif,
    oval,
    poly,
    rule,
    star,
)
from companion.games.collectible.art.scenes import cut
from companion.press.drawing import Drawing, Item, arc, box, fitted, moved, paragraph, paragraph_height
from companion.press.figures import Tint
from companion.press.look import Room, frame
from companion.rules.cards import Card

GROUND = Tint(GILT, "#3a2359", "#4a2f73")
"""The violet of the house, edged with gilt."""
_SHADE = "#5b3d88"


def _coin(x: float, y: float, r: float) -> list[Item]:
    return [
        oval(BRASS, x, y + 0.35, r),
        oval(GOLD, x, y, r),
        oval(GILT, x, y, r * 0.68),
        star("#fbe9a8", x, y, r * 0.46),
    ]


def _coins() -> list[Item]:
    """Draw four coins: two stacked, one lying, one in the air."""
    return flat(*(_coin(x, y, 6.2) for x, y in ((-6, 3), (6.2, 3.6), (0, -5.6), (8.4, -8.6))))


def _canvases() -> list[Item]:
    """Draw two rolled canvases, tied."""
    roll = flat(
        block(PAPER, -3.4, -11, 6.8, 22),
        oval("#e4d3ac", 0, -11, 3.4, 1.5),
        oval(UMBER, 0, -11, 1.6, 0.7),
        block("#c9b58a", 1.9, -10.6, 1.5, 21.4),
        block(RED, -3.5, -1.4, 7, 2.6),
    )
    other = flat(
        block("#cfe0e6", -3.4, -11, 6.8, 22),
        oval("#a9c6d0", 0, -11, 3.4, 1.5),
        oval(UMBER, 0, -11, 1.6, 0.7),
        block("#93b3bf", 1.9, -10.6, 1.5, 21.4),
        block(GILT, -3.5, -1.4, 7, 2.6),
    )
    return [*moved(other, 3.6, 0, rotation=24), *moved(roll, -3.6, 0, rotation=-20)]


def _twins() -> list[Item]:
    """Draw the same small picture twice, and two brushes crossed."""
    small = flat(
        block(GILT, -5.4, -6.4, 10.8, 12.8),
        block(SKY, -4.2, -5.2, 8.4, 10.4),
        poly(FOREST, "-4.2,5.2 -4.2,1 -1,-2.4 1.4,0.4 2.8,-1 4.2,0.8 4.2,5.2"),
        oval(GOLD, 2, -2.8, 1.5),
    )
    brush = flat(
        rule(BROWN, 1.2, "0,11 0,-4"),
        block(STEEL, -0.9, -7, 1.8, 3.4),
        blob(INK, "-1.2,-6.8 -1.4,-9 0,-12 1.4,-9 1.2,-6.8"),
    )
    return [
        *moved(small, -6, 1.4, rotation=-5),
        *moved(small, 6, 1.4, rotation=5),
        *moved(brush, -1.6, 0, rotation=38),
        *moved(brush, 1.6, 0, rotation=-38),
    ]


def _lorgnette() -> list[Item]:
    """Draw a lorgnette that looks."""
    return flat(
        rule(GILT, 1.5, "10,0 6.4,11"),
        *(oval(GILT, x, -1.6, 6.2) for x in (-6, 6)),
        *(oval(PAPER, x, -1.6, 4.9) for x in (-6, 6)),
        *(oval("#3f8f86", x + 0.8, -1.2, 2.8) for x in (-6, 6)),
        *(oval(INK, x + 0.9, -1.1, 1.4) for x in (-6, 6)),
        *(oval(WHITE, x + 1.6, -2.2, 0.6) for x in (-6, 6)),
        curve(GILT, 1.3, "-1.2,-2.6 0,-3.4 1.2,-2.6"),
    )


def _lock() -> list[Item]:
    """Draw a padlock, and a wax seal on a ribbon."""
    return flat(
        curve(STEEL, 2.6, "-4.6,-1 -4.6,-7 0,-10.6 4.6,-7 4.6,-1"),
        blob(GILT, "-7.6,-2.6 7.6,-2.6 8,4 6.6,10 -6.6,10 -8,4", 3),
        rule("#f7dc90", 0.7, "-6,-0.8 6,-0.8"),
        oval(INK, 0, 2.6, 1.9),
        poly(INK, "-0.9,3 0.9,3 1.5,7.4 -1.5,7.4"),
        poly(WINE, "7,5 5,13 8,11.4 9.6,14 10.4,6"),
        star(RED, 9, 3.4, 4.6, inner=0.86, tips=10),
        star(WINE, 9, 3.4, 2.4, inner=0.4, tips=5),
    )


def _ledger() -> list[Item]:
    """Draw a ledger of columns, and a coin that comes back."""
    return flat(
        block(FOREST, -10, -10, 19, 20),
        block(PAPER, -8.4, -8.8, 16.2, 17.6),
        *(rule("#8fb0a4", 0.4, f"-8,{y} 7.4,{y}") for y in (-5.4, -2.4, 0.6, 3.6, 6.6)),
        rule(RED, 0.5, "-3.6,-8.4 -3.6,8.4"),
        rule(RED, 0.5, "2.4,-8.4 2.4,8.4"),
        *(rule(INK, 0.8, f"-7.4,{y} -4.6,{y}") for y in (-6.8, -3.8, -0.8, 2.2)),
        *(rule(INK, 0.8, f"-2.4,{y} 1.4,{y}") for y in (-6.8, -3.8, -0.8)),
        _coin(8, 5.4, 5.2),
    )


def _patron() -> Motif:
    lace = [oval(WHITE, x, -17.6 + abs(x) * 0.1, 1.8, 1.5) for x in (-6, -3, 0, 3, 6)]
    return motif(
        people.person("#7d2440", 0, "#d8d3cc", "short", GILT, beard="#d8d3cc"),
        lace,
        rule(GILT, 1.1, "-7,-15 -3,-8.6 0,-7.4 3,-8.6 7,-15"),
        oval(GOLD, 0, -6.6, 2.4),
        blob("#33203f", "-9.6,-28.4 -4,-29.8 4,-29.8 9.6,-28.4 6.4,-32.6 0,-34.6 -6.4,-32.6"),
        blob(WHITE, "4,-31 7,-36 12,-36.6 10,-32 6,-30"),
    )


def _dealer() -> Motif:
    return motif(
        people.person("#2f6f6a", 1, INK, "short", WHITE),
        curve(INK, 1.2, "-3.4,-22.4 -1.6,-22.9 0,-22.4 1.6,-22.9 3.4,-22.4"),
        poly(RED, "-3.4,-17 0,-15.4 3.4,-17 3.4,-13 0,-14.4 -3.4,-13"),
        oval(RED, 0, -15, 1.0),
        oval(WHITE, 6.4, -12, 1.5),
        star(PAPER, 6.4, -12, 2.0, inner=0.5, tips=6),
    )


def _forger() -> Motif:
    return motif(
        people.person("#6a7a86", 3, INK, "long", RUST),
        blob(RUST, "-6,-28 -8.4,-31 -3,-34 4,-33.6 7.6,-30.4 5.6,-28 0,-29.6"),
        rule(UMBER, 0.9, "0,-33.6 0.6,-35.2"),
        *(
            oval(tone, x, y, 1.1)
            for tone, x, y in ((RED, -6, -9), (BLUE, -2, -5), (GOLD, 4, -10), (FOREST, 7, -5), (WHITE, 1, -11))
        ),
        curve(INK, 0.9, "-4,-26.8 -1.8,-27.2 -0.8,-26.4"),
        curve(INK, 0.9, "4,-27.4 1.8,-27.6 0.8,-26.4"),
    )


def _critic() -> Motif:
    return motif(
        people.person("#3d3a57", 0, "#b5482e", "bun", PAPER),
        *(oval(PAPER, x, -17.4, 2.2, 1.6) for x in (-5.4, -1.8, 1.8, 5.4)),
        rule(GILT, 0.6, "2,-20 4,-15 9,-8"),
        oval(GILT, 1.9, -25, 2.2),
        oval("#d9eef2", 1.9, -25, 1.7),
        oval(INK, 1.9, -25, 0.7),
        curve(INK, 0.9, "-3.6,-27.4 -1.8,-28 -0.6,-27"),
    )


def _lawyer() -> Motif:
    curls = [oval("#ece8df", x, y, 2.3) for x in (-5.2, 5.2) for y in (-28, -25, -22, -19)]
    return motif(
        people.person("#26222f", 2, "#ece8df", "short", INK),
        curls,
        blob("#ece8df", "-5.6,-27 -5,-31 0,-33 5,-31 5.6,-27 2,-28.6 -2,-28.6"),
        curve("#c9c3b6", 0.6, "-3.6,-30 0,-31.4 3.6,-30"),
        poly(WHITE, "-2.6,-17 0,-16 2.6,-17 3.4,-9.6 0.4,-10.4 0,-14 -0.4,-10.4 -3.4,-9.6"),
    )


def _auditor() -> Motif:
    return motif(
        people.person("#4d6a8a", 1, "#8a8178", "bald", WHITE),
        *(oval(INK, x, -25, 2.5) for x in (-2.2, 2.2)),
        *(oval("#dff0f0", x, -25, 1.9) for x in (-2.2, 2.2)),
        *(oval(INK, x, -25, 0.7) for x in (-2, 2)),
        poly("#2f8a5a", "-6.6,-28 6.6,-28 8,-26.8 0,-26.6 -8,-26.8"),
        rule("#1f5a41", 1.2, "-5,-29 5,-29"),
        poly(NAVY, "-1,-16 1,-16 1.6,-8 0,-5.6 -1.6,-8"),
        rule(WHITE, 0.6, "-10,-6 -6.4,-4.4"),
    )


_WHO: dict[str, tuple[Callable[[], Motif], Callable[[], list[Item]], str]] = {
    "coins": (_patron, _coins, "#c9a24a"),
    "draw": (_dealer, _canvases, "#d98a6a"),
    "swap": (_forger, _twins, "#9fc0a0"),
    "look": (_critic, _lorgnette, "#8fc0c8"),
    "close": (_lawyer, _lock, "#c97a7a"),
    "rebate": (_auditor, _ledger, "#b9a8d8"),
}
"""Who has an effect: the portrait, the attribute, and the colour behind the head."""


def portrait(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a character: an oval portrait in the upper right, the attribute beside it, name and words below."""
    frame(sheet, room, GROUND)
    inner = room.inner
    _damask(sheet, room)
    who, what, tone = _WHO.get(
        card.traits.get("effect", ""), (people.plain_man, lambda: [star(GOLD, 0, 0, 9)], "#b9a8d8")
    )
    oval_portrait(sheet, who(), tone, (inner.x + 40.0, inner.y + 23.5), 16.0, 20.4)
    thing = what()
    left, top, right, bottom = bounds(thing)
    scale = min(18.6 / (right - left), 20 / (bottom - top))
    x, y = inner.x + 11.6 - scale * (left + right) / 2, inner.y + 34.6 - scale * (top + bottom) / 2
    sheet.add([*halo(moved(thing, x, y, scale=scale), INK, 0.5), *moved(thing, x, y, scale=scale)])
    _words(sheet, card, room)
    if not room.coded:
        for s, turn in zip(room.codes[:2], (0.0, 180.0), strict=False):
            cx, cy = s.centre
            nudge = 1.2 if turn == 0 else -1.2
            medal = flat(oval(GILT, 0, 0, 8.8), oval(INK, 0, 0, 8.2), oval(tone, 0, 0, 7.9))
            small = moved(
                thing, -0.56 * scale * (left + right) / 2, -0.56 * scale * (top + bottom) / 2, scale=0.56 * scale
            )
            medal += [*halo(small, INK, 0.4), *small]
            sheet.add(moved(medal, cx + nudge, cy + nudge, rotation=turn))


def _damask(sheet: Drawing, room: Room) -> None:
    """Draw a wallpaper of small lozenges behind everything."""
    r = room.inner
    for i in range(8):
        for j in range(7):
            x, y = r.x + 4.2 + 7.6 * i + (3.8 if j % 2 else 0), r.y + 4.4 + 6.8 * j
            hidden = ((x - r.x - 40.0) / 15) ** 2 + ((y - r.y - 23.5) / 19) ** 2 < 1
            if x < r.x + r.w - 2.5 and not hidden:
                sheet.items.append(star(_SHADE, x, y, 2.0, inner=0.4, tips=4))


def oval_portrait(sheet: Drawing, who: Motif, tone: str, centre: tuple[float, float], rx: float, ry: float) -> None:
    """Draw a bust in an oval gilt frame with a beaded edge."""
    cx, cy = centre
    for grow, fill in ((1.7, INK), (1.4, GILT), (0.7, "#f7dc90"), (0.4, GILT), (0.0, INK), (-0.3, tone)):
        sheet.fill(fill, arc(cx, cy, rx + grow, 0, 360, ry + grow)[:-1])
    sheet.items.append(oval(_mid(tone), cx, cy - ry * 0.10, rx * 0.74, ry * 0.70))
    scale = ry * 1.64 / 36
    figure = who.placed(cx, cy + ry - 0.2, scale * 1.02)
    edge = Rect(cx - rx, cy - ry, 2 * rx, 2 * ry)
    inside = [
        item
        for part in (halo(figure.items, INK, 0.45), list(figure.items))
        for item in _in_oval(part, cx, cy, rx - 0.3, ry - 0.3)
    ]
    sheet.add(cut(inside, edge))


def _mid(tone: str) -> str:
    from companion.press.figures import mix

    return mix(tone, "#ffffff", 0.35)


def _in_oval(items: list[Item], cx: float, cy: float, rx: float, ry: float) -> list[Item]:
    """Move every point outside an ellipse to its edge: good enough for a bust cut by its frame."""
    from companion.press.drawing import Line, Shape

    def pull(point: tuple[float, float], room: float) -> tuple[float, float]:
        x, y = point[0] - cx, point[1] - cy
        away = ((x / (rx - room)) ** 2 + (y / (ry - room)) ** 2) ** 0.5
        return point if away <= 1 else (cx + x / away, cy + y / away)

    out: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            out.append(Shape(tuple(tuple(pull(p, 0.0) for p in loop) for loop in item.loops), item.fill))
        elif isinstance(item, Line):
            out.append(Line(tuple(pull(p, item.width / 2) for p in item.points), item.width, item.colour))
    return out


def _words(sheet: Drawing, card: Card, room: Room) -> None:
    """Write name and effect: the name on a ribbon below the portrait, the effect at the lower left."""
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
