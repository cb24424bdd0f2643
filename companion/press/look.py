"""The look of a game's pieces (entry point group `companion.art`, by game), and where on a face it may draw.

What a game does not say is drawn as `GameArt` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

from companion.eye.mat import Rect, Shape
from companion.press.drawing import (
    Colour,
    Drawing,
    Line,
    box,
    clip,
    fitted,
    hatch,
    paragraph,
    paragraph_height,
)
from companion.press.figures import Tint, art, mix, put, tint
from companion.rules.cards import Card, Deck

INSET = 2.2
"""White rim (mm) at a card's edge: what a pair of scissors may miss, and what stands out from the mat."""
RIM = 0.7
"""Width (mm) of a frame's line."""
AIR = 0.9
"""White (mm) between a code's quiet zone and what is drawn on a card."""
COVER = 120.0
"""Side (mm) of a box cover, which is square."""


@dataclass(frozen=True)
class Palette:
    """The colours of a game. The mat's colours stand in its mat file."""

    main: Colour
    """Rims, the back, the box."""
    dark: Colour
    """Words and lines on paper."""
    pale: Colour
    """Panels on cards."""
    accent: Colour
    """Highlights beside `main`."""

    @property
    def tint(self) -> Tint:
        """The same for drawing figures in."""
        return Tint(self.main, self.dark, self.pale)


@dataclass(frozen=True)
class Room:
    """Where on one side of a piece may be drawn. All in mm from the face's top left corner.

    `codes` are the codes' squares with quiet zones, in the mat file's order; with `coded` they are made white last,
    with `AIR` round them, else the face says there what the card is. `areas` are the largest rectangles that touch no
    code, the largest first.
    """

    shape: Shape
    face: str
    coded: bool
    codes: tuple[Rect, ...]
    areas: tuple[Rect, ...]

    @property
    def inner(self) -> Rect:
        """What lies inside the white rim."""
        return Rect(INSET, INSET, self.shape.w - 2 * INSET, self.shape.h - 2 * INSET)

    @property
    def columns(self) -> tuple[Rect, Rect]:
        """The largest area and the largest one beside it, from left to right; one area twice if there is no other."""
        first = self.areas[0]
        beside = [r for r in self.areas[1:] if r.x >= first.x + first.w - 3 or r.x + r.w <= first.x + 3]
        second = beside[0] if beside else first
        return (first, second) if first.x <= second.x else (second, first)


def frame(sheet: Drawing, room: Room, tone: Tint, fill: Colour = "") -> None:
    """Paint a panel (of `fill`, or the tone's pale colour) with a thin frame, stepping round every code."""
    r = room.inner
    sheet.fill(tone.main, box(r.x, r.y, r.w, r.h, 3.0))
    sheet.fill(fill or tone.pale, box(r.x + RIM, r.y + RIM, r.w - 2 * RIM, r.h - 2 * RIM, 3.0 - RIM))
    notches(sheet, room, tone.main)


def notches(sheet: Drawing, room: Room, colour: Colour) -> None:
    """Paint what of a frame steps round the codes; nothing where there are none."""
    r, gap = room.inner, AIR + RIM
    for s in room.codes if room.coded else ():
        notch = box(s.x - gap, s.y - gap, s.w + 2 * gap, s.h + 2 * gap, 2.0 + RIM)
        sheet.fill(colour, clip(notch, r.x, r.y, r.x + r.w, r.y + r.h))


class GameArt:
    """How a game looks. A game's own class overrides what it draws differently."""

    palette = Palette("#3f6f78", "#274a52", "#e3edee", "#d99a12")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a side, `room.face`, without codes: an icon with the title at the left, the text at the right."""
        name = card.traits.get("effect") or card.traits.get("figure") or card.kind
        tone = tint(card.traits["colour"]) if "colour" in card.traits else self.palette.tint
        frame(sheet, room, tone)
        left, right = room.columns
        r = min(left.w / 2 - 2, 11.5)
        size, lines = fitted(card.title, 5.2, left.w - 3, left.h - 2 * r - 9, bold=True)
        high = paragraph_height(lines, size)
        spare = (left.h - 2 * r - 4 - high) / 2
        put(sheet, art(name, tone), left.centre[0], left.y + spare + r, r)
        sheet.add(paragraph(left.centre[0], left.y + spare + 2 * r + 4, lines, size, colour=tone.dark, bold=True))
        if not card.text or right == left:
            return
        size, lines = fitted(card.text, 4.1, right.w - 4, right.h - 8)
        top = right.y + (right.h - paragraph_height(lines, size)) / 2
        sheet.add(paragraph(right.x + 2.4, top, lines, size, align="l"))

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        """Draw the back that all cards of a shape share, without its codes. Here: a lattice and the title."""
        tone = self.palette.tint
        frame(sheet, room, tone)
        w, h = room.shape.w, room.shape.h
        soft = mix(tone.pale, tone.main, 0.22)
        for area in room.areas:
            inside = box(area.x, area.y, area.w, area.h, 2.0)
            for angle in (45, -45):
                sheet.add(Line(part, 0.22, soft) for part in hatch(inside, angle, 3.2))
        size, lines = fitted(deck.title, 4.6, w * 0.42, 24, bold=True)
        half = paragraph_height(lines, size) / 2
        x, y = w / 2, h / 2
        if any(abs(s.centre[0] - x) < s.w / 2 + w * 0.26 and abs(s.centre[1] - y) < s.h / 2 for s in room.codes):
            x, y = room.areas[0].centre
        seal = box(x - w * 0.26, y - half - 4, w * 0.52, 2 * half + 8, 3.0)
        sheet.fill("#ffffff", seal)
        sheet.line(tone.main, 0.4, *seal, closed=True)
        sheet.add(paragraph(x, y - half, lines, size, colour=tone.dark, bold=True))

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        """Draw the box cover on a sheet of COVER × COVER mm. Here: the title on the game's colour."""
        sheet.fill(self.palette.main, box(0, 0, COVER, COVER))
        put(sheet, art(None, self.palette.tint), COVER / 2, 48, 26)
        size, lines = fitted(deck.title, 14, COVER - 16, 34, bold=True)
        sheet.add(paragraph(COVER / 2, 88, lines, size, colour="#ffffff", bold=True))


@cache
def art_of(game: str) -> GameArt:
    """Return the look of a game by its name."""
    for point in entry_points(group="companion.art"):
        if point.name == game:
            found = point.load()
            if not isinstance(found, GameArt):
                raise TypeError(f"the entry point {point.value} (group companion.art) is no GameArt")
            return found
    return GameArt()
