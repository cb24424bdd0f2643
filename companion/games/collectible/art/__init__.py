"""The looks of Collectible: pictures composed of their themes, and characters."""

from __future__ import annotations

import re

from companion.eye.mat import Rect
from companion.games.collectible.art.characters import portrait
from companion.games.collectible.art.icons import sign
from companion.games.collectible.art.kit import BONE, BRASS, GILT, GOLD, INK
from companion.games.collectible.art.picture import paint
from companion.games.collectible.art.salon import back, cover
from companion.games.collectible.art.titles import themes, themes_of
from companion.press.drawing import (
    CAP,
    Drawing,
    box,
    clip,
    fitted,
    moved,
    oval,
    paragraph,
    paragraph_height,
    star,
    wrap,
)
from companion.press.figures import Tint
from companion.press.look import AIR, GameArt, Palette, Room, frame
from companion.rules.cards import Card, Deck

WALL = Tint("#5a3487", "#33214f", "#f4ecdd")
"""The museum's wall below a picture: its edge, words on it, and its plaster."""
TITLE = 3.95
"""Size of titles (mm): capitals of 2.8."""
ROW = 3.1
"""Size of the words beside a medal (mm)."""


class CollectibleArt(GameArt):
    """Pictures in frames, as in a gallery."""

    palette = Palette("#8554b8", "#5a3487", "#f3edf9", "#d99a12")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        if card.kind == "character":
            portrait(sheet, card, room)
        else:
            _picture(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        back(sheet, deck, room)

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        cover(sheet, deck)


def points_of(card: Card) -> list[tuple[str, str]]:
    """Return the points of each theme from the card's words, so that an owner's change is shown."""
    found = []
    for theme in themes_of(card.traits.get("themes", "")):
        hit = re.search(rf"\b{re.escape(theme)} (\d+)", card.text)
        found.append((theme, hit[1] if hit else ""))
    return found


def _value(card: Card) -> str:
    hit = re.search(r"\bValue (\d+)", card.text)
    return hit[1] if hit else ""


def _rank(theme: str, points: str) -> int:
    """Return a theme's rarity by its points (or its usual place): 0 common, 1 rare, 2 very rare."""
    worth = int(points) if points else 2 + (themes().index(theme) if theme in themes() else 0)
    return 2 if worth >= 10 else 1 if worth >= 7 else 0


def _picture(sheet: Drawing, card: Card, room: Room) -> None:
    frame(sheet, room, WALL)
    points = points_of(card)
    rank = max((_rank(theme, worth) for theme, worth in points), default=0)
    inner = room.inner
    outer = Rect(inner.x + 1.2, inner.y + 1.2, inner.w - 2.4, inner.h * 0.611)
    edge = Rect(outer.x + 1.4, outer.y + 1.4, outer.w - 2.8, outer.h - 2.8)
    _moulding(sheet, outer, rank)
    paint(sheet, edge, card.title, [theme for theme, _ in points])
    for s in room.codes if room.coded else ():
        _step(sheet, outer, Rect(s.x - AIR, s.y - AIR, s.w + 2 * AIR, s.h + 2 * AIR), rank)
    size, lines = balanced(card.title, inner.w - 3.4)
    top = outer.y + outer.h + 1.15 + max(0.0, (7.5 - paragraph_height(lines, size)) / 2)
    sheet.add(paragraph(room.shape.w / 2, top, lines, size, colour=WALL.dark, bold=True))
    _label(sheet, card, points, Rect(inner.x + 1.4, 65.2, 35.2, 19.8))
    if not room.coded:
        for s, turn in zip(room.codes[:2], (0.0, 180.0), strict=False):
            _plaque(sheet, card, points, s, turn)


def balanced(title: str, width: float) -> tuple[float, list[str]]:
    """Return a title in lines of similar length, at the one size of all titles if it fits."""
    size, lines = fitted(title, TITLE, width, 9.4, bold=True)
    narrow = width
    while len(again := wrap(title, size, narrow - 1.0, bold=True)) == len(lines):
        lines, narrow = again, narrow - 1.0
        if narrow < width / 3:
            break
    return size, lines


def _moulding(sheet: Drawing, r: Rect, rank: int) -> None:
    wood = ("#6d4630", GILT, GILT)[rank]
    sheet.fill(INK, box(r.x - 0.25, r.y - 0.25, r.w + 0.5, r.h + 0.5))
    sheet.fill(wood, box(r.x, r.y, r.w, r.h))
    if rank == 2:
        beads = [(r.x + 0.7 + (r.w - 1.4) * i / 18, r.y + y, i) for i in range(19) for y in (0.7, r.h - 0.7)]
        beads += [(r.x + x, r.y + 0.7 + (r.h - 1.4) * i / 18, i) for i in range(1, 18) for x in (0.7, r.w - 0.7)]
        for x, y, i in beads:
            sheet.fill("#fbe3a0" if i % 2 else BRASS, star(x, y, 0.52, 1.0, 2))
    else:
        slip = ("#a5744a", "#f7dc90")[rank]
        sheet.line(slip, 0.3, *box(r.x + 0.5, r.y + 0.5, r.w - 1.0, r.h - 1.0), closed=True)
    sheet.fill(INK if rank else GILT, box(r.x + 1.1, r.y + 1.1, r.w - 2.2, r.h - 2.2))


def _step(sheet: Drawing, outer: Rect, hole: Rect, rank: int) -> None:
    wood, slip = ("#6d4630", "#a5744a") if rank == 0 else (GILT, "#f7dc90")
    for grow, tone in ((1.5, INK if rank else GILT), (1.2, wood), (0.75, slip), (0.45, wood)):
        step = box(hole.x - grow, hole.y - grow, hole.w + 2 * grow, hole.h + 2 * grow, 2.0 + grow)
        loop = clip(step, outer.x, outer.y, outer.x + outer.w, outer.y + outer.h)
        if len(loop) > 2:
            sheet.fill(tone, loop)


def _label(sheet: Drawing, card: Card, points: list[tuple[str, str]], r: Rect) -> None:
    value = _value(card)
    step = r.h / max(len(points), 3)
    medal = min(step * 0.41, 2.75)
    for i, (theme, worth) in enumerate(points):
        y = r.y + step * (i + 0.5) - 0.2
        sheet.add(moved(sign(theme, _rank(theme, worth)), r.x + 2.8, y, scale=medal))
        base = y + CAP * ROW / 2
        size, _ = fitted(theme, min(ROW, step * 0.55), 13.4, 6)
        sheet.text(r.x + 6.2, base, theme, size, colour=WALL.dark, align="l")
        sheet.text(r.x + 23.3, base, worth, size + 0.3, colour=WALL.dark, align="r", bold=True)
    left = "" if points and value else card.text
    if left:
        size, lines = fitted(left, 3.2, r.w - 1, r.h - 2)
        sheet.add(paragraph(r.x + 0.5, r.y + 1, lines, size, align="l", colour=WALL.dark))
    if value:
        x, y = r.x + r.w - 5.6, r.y + r.h / 2 - 0.2
        sheet.fill("#6b2150", star(x, y, 5.1, 0.92, 18))
        sheet.line(GOLD, 0.35, *oval(x, y, 4.5, None, 24), closed=True)
        sheet.text(x, y - 1.3, "Value", 2.45, colour=BONE)
        sheet.text(x, y + 3.0, value, 5.4, colour=BONE, bold=True)


def _plaque(sheet: Drawing, card: Card, points: list[tuple[str, str]], s: Rect, turn: float) -> None:
    side = Drawing(0, 0)
    half = s.w / 2 - 2.6
    for inset, tone in ((0.0, GILT), (0.5, INK), (0.8, WALL.pale)):
        loop = box(inset - half, inset - half, 2 * (half - inset), 2 * (half - inset), 2.6 - inset)
        side.fill(tone, loop[::3])
    side.text(0, 0.4, _value(card), 9.6, colour=WALL.dark, bold=True)
    for i, (theme, worth) in enumerate(points):
        x = (i - (len(points) - 1) / 2) * 5.2
        side.items += moved(sign(theme, _rank(theme, worth)), x, 4.3, scale=min(2.35, 7.0 / len(points)))
    x, y = s.centre
    nudge = 1.0 if turn == 0 else -1.0
    sheet.add(moved(side.items, x + nudge, y + nudge, rotation=turn))


ART = CollectibleArt()
