"""Playing cards: suits, indices and pips, and the looks of the standard deck, which is for any card game.

Codes take the upper left and lower right corners; shifted columns of pips, or a court's heads, fill the Z that is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from fontTools.pens.svgPathPen import SVGPathPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from companion.eye.mat import Rect
from companion.eye.mat import Shape as Outline
from companion.kept import kept
from companion.letters import aileron
from companion.press.courts import court, jester
from companion.press.drawing import (
    CAP,
    Colour,
    Drawing,
    Item,
    Line,
    Loop,
    Shape,
    Text,
    box,
    clip,
    fitted,
    hatch,
    moved,
    paragraph,
    paragraph_height,
    rays,
)
from companion.press.figures import TINTS, Tint, mix, put
from companion.press.look import AIR, COVER, RIM, GameArt, Palette, Room, frame
from companion.press.pictures import drawn, outlines
from companion.press.suits import GOLD, NAME, pip, suit_tint
from companion.rules.cards import Card, Deck

LETTERS = {"1": "A", "11": "J", "12": "Q", "13": "K"}


@dataclass(frozen=True)
class Style:
    """What decks of one drawing differ in: `paper` is the ground, of courts with a part of the suit's pale `ground`."""

    paper: Colour = "#ffffff"
    ground: float = 0.9


STANDARD = Style()


def letter_of(rank: str) -> str:
    """Return what stands in the corner for a rank."""
    return LETTERS.get(rank, rank)


@kept()
def _glyph(letter: str) -> tuple[Loop, ...]:
    """Return a letter's contours in em, its ink from x = 0 on, the baseline at 0, y down."""
    font = TTFont(BytesIO(aileron()))
    glyphs, em = font.getGlyphSet(), font["head"].unitsPerEm
    pen = SVGPathPen(glyphs)
    glyphs[font.getBestCmap().get(ord(letter), ".notdef")].draw(pen)
    loops = [loop for loop, _ in outlines(pen.getCommands(), em / 1000)]
    left = min((x for loop in loops for x, _ in loop), default=0.0)
    return tuple(tuple(((x - left) / em, -y / em) for x, y in loop) for loop in loops)


def _joined(loops: Sequence[Loop]) -> Loop:
    """Return contours joined to one polygon by seams where they come closest, which is where nothing is cut but ink."""
    whole = list(loops[0])
    for hole in loops[1:]:
        i, j = min(
            ((i, j) for i in range(len(whole)) for j in range(len(hole))),
            key=lambda at: math.dist(whole[at[0]], hole[at[1]]),
        )
        whole = [*whole[: i + 1], *hole[j:], *hole[: j + 1], *whole[i:]]
    return tuple(whole)


@kept()
def ranked(rank: str, colour: Colour, high: float, wide: float) -> tuple[Item, ...]:
    """Draw a rank in heavy letters `high` mm tall, its top middle at the origin, squeezed into `wide` mm if need be."""
    parts = [_glyph(letter) for letter in letter_of(rank)]
    # how much broader (em) strokes are made than the font's: less where two letters share the room
    weight = 0.07 if len(parts) < 2 else 0.045
    em = high / (CAP + weight)
    inks = [max((x for loop in part for x, _ in loop), default=0.4) for part in parts]
    gap = 0.1 + weight
    total = sum(inks) + gap * (len(parts) - 1)
    squeeze = min(1.0, (wide - weight * em) / (total * em)) if parts else 1.0
    items: list[Item] = []
    start = -total / 2
    for part, ink in zip(parts, inks, strict=True):
        loops = [tuple(((start + x) * em * squeeze, (y + CAP + weight / 2) * em) for x, y in loop) for loop in part]
        if loops:
            items.append(Shape((_joined(loops),), colour))
        items += [Line((*loop, loop[0]), weight * em, colour) for loop in loops]
        start += ink + gap
    return tuple(items)


_PATTERNS: dict[int, tuple[tuple[int, float], ...]] = {
    2: ((1, -0.62), (-1, 0.62)),
    3: ((1, -0.72), (0, 0), (-1, 0.72)),
    4: ((1, -0.9), (-1, -0.9), (1, 0.9), (-1, 0.9)),
    5: ((1, -0.9), (-1, -0.9), (0, 0), (1, 0.9), (-1, 0.9)),
    6: ((1, -0.95), (-1, -0.95), (1, 0), (-1, 0), (1, 0.95), (-1, 0.95)),
    7: ((1, -0.95), (-1, -0.95), (1, 0), (0, 0), (-1, 0), (1, 0.95), (-1, 0.95)),
    8: ((1, -0.95), (-1, -0.95), (0, -0.5), (1, 0), (-1, 0), (0, 0.5), (1, 0.95), (-1, 0.95)),
}
_UPRIGHT: dict[int, tuple[tuple[int, float], ...]] = {
    2: ((0, -0.76), (0, 0.76)),
    3: ((0, -0.86), (0, 0.0), (0, 0.86)),
    7: ((1, -1.0), (-1, -1.0), (0, -0.5), (1, 0), (-1, 0), (1, 1.0), (-1, 1.0)),
}
"""What stands otherwise where columns are not shifted."""
_FOURS = (-1.0, -1 / 3, 1 / 3, 1.0)
_PATTERNS[9] = (*((side, v) for side in (1, -1) for v in _FOURS), (0, 0.0))
_PATTERNS[10] = (*((side, v) for side in (1, -1) for v in _FOURS), (0, -0.5), (0, 0.5))
_UPRIGHT[10] = (*_PATTERNS[10][:8], (0, -2 / 3), (0, 2 / 3))
"""Where pips stand, by their number: in the left, the middle or the right column, and from its top (-1) to its end."""


def pips(sheet: Drawing, suit: str, count: int, room: Room) -> None:
    """Put a number card's pips on it: in columns, which on a coded card are shifted to fill the Z between its codes."""
    w, h = room.shape.w, room.shape.h
    apart, reach, shift = (w * 0.24, h * 0.275, h * 0.116) if room.coded else (w * 0.175, h * 0.3, 0.0)
    r = (7.0 if count < 4 else 6.0 if count < 7 and room.coded else 5.3) * w / 63
    for column, v in (_PATTERNS if room.coded else {**_PATTERNS, **_UPRIGHT})[count]:
        turn = 180.0 if v > 0.01 else 0.0
        x, y = w / 2 + column * apart, h / 2 + v * reach - column * shift
        put(sheet, pip(suit, suit_tint(suit).main), x, y, r, turn)


def ace(sheet: Drawing, suit: str, room: Room) -> None:
    """Draw an ace: one large pip with a flower in it, and a sprig of leaves at either end."""
    tone, x, y = suit_tint(suit), room.shape.w / 2, room.shape.h / 2
    r = 17.0 * room.shape.w / 63
    tones = {"main": tone.main, "dark": tone.dark, "pale": tone.pale}
    branch = moved(drawn("standard", "ornaments/sprig", **tones), 0.62 * r, -0.86 * r, scale=r * 0.62, rotation=28)
    for turn in (0, 180):
        sheet.add(moved(branch, x, y, rotation=turn))
    put(sheet, pip(suit, tone.dark), x, y, r)
    put(sheet, pip(suit, tone.main), x, y, r * 0.9)
    middle = {"spades": -0.12, "hearts": -0.14, "clubs": -0.02}.get(suit, 0.0) * r
    put(sheet, drawn("standard", "ornaments/flower", **tones), x, y + middle, r * 0.5)


def playing_card(sheet: Drawing, card: Card, room: Room, style: Style = STANDARD) -> None:
    """Draw a card with a suit and a rank: its frame, what fills it, and the indices."""
    suit, rank = card.traits.get("suit", ""), card.traits.get("rank", "")
    tone = suit_tint(suit)
    figure = court(suit, letter_of(rank), card.title, room)
    frame(sheet, room, tone, mix(style.paper, tone.pale, style.ground) if figure else style.paper)
    if figure:
        sheet.add(figure)
    elif rank == "1":
        ace(sheet, suit, room)
    elif rank.isdecimal() and int(rank) in _PATTERNS:
        pips(sheet, suit, int(rank), room)
    else:
        put(sheet, pip(suit, tone.main), room.shape.w / 2, room.shape.h / 2, 15.0)
    index(sheet, suit, rank, room)
    if not figure:
        name(sheet, card.title, tone.dark, room)


def index(sheet: Drawing, suit: str, rank: str, room: Room) -> None:
    """Put rank and suit in the upper left, and upside-down in the lower right: beside the codes, or in the corners."""
    tone = suit_tint(suit)
    colour = mix(tone.main, tone.dark, 0.5)
    x, y, wide, high = corner(room)
    items = moved(ranked(rank, colour, high, wide), x, y)
    r = wide * (0.44 if room.coded else 0.4)
    items += moved(pip(suit, colour), x, y + high + 1.6 + r, scale=r)
    turned(sheet, items, room)


def corner(room: Room) -> tuple[float, float, float, float]:
    """Return where an index stands: the middle of its top, its greatest width, and the rank's height (mm)."""
    if room.coded and room.codes and room.codes[0].x < room.shape.w / 4:
        left = room.codes[0].x + room.codes[0].w + 2.4
        return left + 4.1, 4.4, 8.2, 9.2
    return 8.2, 5.2, 9.0, 10.0


def turned(sheet: Drawing, items: list[Item], room: Room) -> None:
    """Put items on a card, and once more for who sits opposite."""
    sheet.add(items)
    sheet.add(moved(items, room.shape.w, room.shape.h, rotation=180))


def name(sheet: Drawing, title: str, colour: Colour, room: Room) -> None:
    """Write a card's name along its edges, read from the right and from the left."""
    inner = room.inner
    size, _ = fitted(title, NAME, 58, 9)
    x = inner.x + inner.w - RIM - 1.5
    words = Text(x - CAP * size, inner.y + RIM + 3.2, title, size, colour, "l", rotation=90)
    turned(sheet, [words], room)


def joker(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a joker: its jester, and the word JOKER with a star or a moon as its index."""
    colour = card.traits["joker"]
    tone = TINTS.get(colour, TINTS["black"])
    frame(sheet, room, tone, tone.pale)
    sheet.add(jester(colour, card.title, room))
    x, y, wide, high = corner(room)
    r = 0.42 * wide
    sign = "ornaments/joker-star" if colour == "red" else "ornaments/joker-moon"
    items = moved(drawn("standard", sign, main=tone.main), x, y + r - 0.8, scale=r)
    for i, letter in enumerate("JOKER"):
        items += moved(ranked(letter, tone.dark, 0.25 * high, 3.0), x, y + 2 * r + (0.05 + 0.3 * i) * high)
    turned(sheet, items, room)


class StandardArt(GameArt):
    """The standard deck."""

    palette = Palette("#1f3f7a", "#142a52", "#eef2f9", GOLD)

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a card of a suit, or a joker."""
        if "suit" in card.traits or "rank" in card.traits:
            playing_card(sheet, card, room)
        elif "joker" in card.traits:
            joker(sheet, card, room)
        else:
            super().face(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        """Draw a lattice of fine lines with a rosette in the middle."""
        tone, w, h = self.palette.tint, room.shape.w, room.shape.h
        light = mix(tone.main, "#ffffff", 0.7)
        border(sheet, room, tone.main, light, lambda r: lattice(r, mix(tone.main, "#ffffff", 0.4), light))
        sheet.add(moved(rosette(deck.title, tone, light), w / 2, h / 2))

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        """Draw a hand of cards, fanned, under the title."""
        tone = self.palette.tint
        sheet.fill(tone.main, box(0, 0, COVER, COVER))
        soft = mix(tone.main, tone.dark, 0.5)
        for ray in rays(60, 84, COVER * 1.3, 24, 15 / 4):
            sheet.fill(soft, clip(ray, 0, 0, COVER, COVER))
        hand = [("spades", "1"), ("diamonds", "13"), ("clubs", "11"), ("hearts", "12")]
        for i, (suit, rank) in enumerate(hand):
            leaf = Drawing(63, 88)
            room = Room(Outline("card", 63, 88, ()), "F", False, (), ())
            leaf.fill(tone.dark, box(-0.9, -0.9, 64.8, 89.8, 4.4))
            leaf.fill("#ffffff", box(0, 0, 63, 88, 3.6))
            called = next((card.title for card in deck.cards if card.traits == {"suit": suit, "rank": rank}), "")
            playing_card(leaf, Card("000", "card", called, {"suit": suit, "rank": rank}), room)
            sheet.add(moved(moved(leaf.items, -31.5, -118), COVER * 0.52, 104, scale=0.73, rotation=-31 + 20 * i))
        sheet.fill(tone.dark, box(0, 98, COVER, 22))
        sheet.fill(GOLD, box(0, 97.2, COVER, 0.8))
        size, lines = fitted(deck.title, 15.5, COVER - 12, 20, bold=True)
        sheet.add(
            paragraph(COVER / 2, 109 - paragraph_height(lines, size) / 2, lines, size, colour="#ffffff", bold=True)
        )


ART = StandardArt()


def border(sheet: Drawing, room: Room, fill: Colour, line: Colour, pattern: Callable[[Rect], list[Item]]) -> None:
    """Paint a back: a margin of one colour along the rim and round the codes, a fine line, and a pattern inside."""
    r, edge, wide = room.inner, 1.6, 0.35
    sheet.fill(fill, box(r.x, r.y, r.w, r.h, 3.0))
    field = Rect(r.x + edge, r.y + edge, r.w - 2 * edge, r.h - 2 * edge)
    sheet.add(pattern(field))
    sheet.line(line, wide, *box(field.x, field.y, field.w, field.h), closed=True)
    for s in room.codes if room.coded else ():
        for gap, colour, limit in ((AIR + edge + wide, line, field), (AIR + edge, fill, r)):
            notch = box(s.x - gap, s.y - gap, s.w + 2 * gap, s.h + 2 * gap)
            x1, y1 = limit.x + limit.w, limit.y + limit.h
            sheet.fill(colour, clip(notch, limit.x, limit.y, x1, y1))


def lattice(field: Rect, line: Colour, dot: Colour, gap: float = 3.4) -> list[Item]:
    """Rule crossing lines on a rectangle, with a lozenge in every other mesh; alike when turned by 180°."""
    w, h = field.w / 2, field.h / 2
    plane = box(-w, -h, 2 * w, 2 * h)
    items: list[Item] = [Line(part, 0.2, line) for angle in (45, -45) for part in hatch(plane, angle, gap)]
    step, r = gap / math.sqrt(2), gap * 0.24
    reach = range(-math.ceil(h / step), math.ceil(h / step) + 1)
    places = [(i * step, j * step) for i in reach for j in reach if (i + j) % 2 == 0]
    inside = [(x, y) for x, y in places if abs(x) < w - r and abs(y) < h - r]
    loops = tuple(((x, y - r), (x + 0.7 * r, y), (x, y + r), (x - 0.7 * r, y)) for x, y in inside)
    return moved([*items, Shape(loops, dot)], field.x + w, field.y + h)


def rosette(title: str, tone: Tint, light: Colour) -> list[Item]:
    """Draw a guilloche round a seal with the title, which can be read from both sides."""
    items = drawn("standard", "ornaments/rosette", main=tone.main, dark=tone.dark, light=light)
    size, lines = fitted(title, 3.4, 15, 5.4, bold=True)
    for turn in (0, 180):
        items += moved(paragraph(0, -9.0, lines, size, colour="#ffffff", bold=True), 0, 0, rotation=turn)
    return items
