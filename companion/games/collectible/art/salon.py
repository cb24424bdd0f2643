"""The back, a wall hung with empty frames, and the cover, a salon with the auctioneer's hammer."""

from __future__ import annotations

from companion.eye.mat import Rect
from companion.games.collectible.art.kit import GILT, GOLD, INK, halo
from companion.games.collectible.art.picture import paint
from companion.press.drawing import Drawing, box, fitted, moved, paragraph, paragraph_height
from companion.press.figures import Tint
from companion.press.look import COVER, Room, frame, notches
from companion.press.pictures import drawn
from companion.rules.cards import Deck

VIOLET = Tint(GILT, "#33214f", "#5a3487")


def back(sheet: Drawing, deck: Deck, room: Room) -> None:
    """Draw a violet wall hung with gilt frames, alike when turned by half, with the title on a plate."""
    frame(sheet, room, VIOLET)
    w, h = room.shape.w, room.shape.h
    inner = room.inner
    for i in range(1, 17, 2):
        x = inner.x + 0.7 + (i + 0.5) * (inner.w - 1.4) / 17
        sheet.fill("#633c93", box(x - 1.6, inner.y + 3, 3.2, inner.h - 6))
    notches(sheet, room, VIOLET.main)
    hung = drawn("collectible", "frames") + ([] if room.coded else drawn("collectible", "frames-corner"))
    sheet.add([*hung, *moved(hung, w, h, rotation=180)])
    x, y = w / 2, h / 2
    sheet.fill(INK, box(x - 21.4, y - 5.3, 42.8, 10.6, 2.3)[::3])
    sheet.fill(GILT, box(x - 21, y - 4.9, 42, 9.8, 2.0)[::3])
    sheet.line("#fbe3a0", 0.35, *box(x - 20.2, y - 4.1, 40.4, 8.2, 1.4)[::3], closed=True)
    size, lines = fitted(deck.title, 5.2, 38, 8.0, bold=True)
    sheet.add(paragraph(x, y - paragraph_height(lines, size) / 2, lines, size, colour="#2a183f", bold=True))


_WALL = (
    (3.5, 4, 36, "Fox at the Fountain with a Carnation", ["Animal", "Flower", "Water"]),
    (42, 3, 36, "Dragon with Two Mice and the Falling Star", ["Animal", "Monster", "Star"]),
    (80.5, 4, 36, "Gorgon with Sunflowers and a Violin", ["Flower", "Music", "Monster"]),
    (3.5, 42, 30, "Skeleton on the Lake in a Red Cap", ["Hat", "Water", "Skeleton"]),
    (86.5, 42, 30, "White Horse in the Dark and the Clock", ["Animal", "Night", "Machine"]),
)
"""Pictures on the cover's wall: left, top, width, and what they show."""


def cover(sheet: Drawing, deck: Deck) -> None:
    """Draw a salon wall full of pictures, the hammer before them, and the title below."""
    sheet.fill("#4a2b74", box(0, 0, COVER, COVER))
    for i in range(0, 15, 2):
        sheet.fill("#553384", box(i * 8, 0, 8, COVER))
    for x, y, w, title, themes in _WALL:
        _hang(sheet, x, y, w, title, themes)
    sheet.fill("#2a183f", box(0, 86, COVER, 34))
    sheet.fill(GILT, box(0, 85, COVER, 1.6))
    strike = moved(drawn("collectible", "hammer"), 57, 57, scale=1.1, rotation=-40)
    for part in (drawn("collectible", "block"), strike):
        sheet.add([*halo(part, INK, 0.9), *part])
    size, lines = fitted(deck.title, 21, COVER - 10, 26, bold=True)
    top = 94.5 + (17 - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(COVER / 2, top, lines, size, colour=GOLD, bold=True))


def _hang(sheet: Drawing, x: float, y: float, wide: float, title: str, themes: list[str]) -> None:
    scale = (wide - 4.4) / EDGE.w
    high = EDGE.h * scale + 4.4
    sheet.fill(INK, box(x - 0.5, y + 0.4, wide + 1.6, high + 1.2))
    sheet.fill(GILT, box(x, y, wide, high))
    sheet.line("#fbe3a0", 0.5, *box(x + 0.9, y + 0.9, wide - 1.8, high - 1.8), closed=True)
    sheet.fill(INK, box(x + 1.8, y + 1.8, wide - 3.6, high - 3.6))
    picture = Drawing(0, 0)
    paint(picture, EDGE, title, themes)
    sheet.add(moved(picture.items, x + 2.2, y + 2.2, scale=scale))


EDGE = Rect(0.0, 0.0, 53.4, 48.3)
"""The size that pictures are composed for: a card's."""
