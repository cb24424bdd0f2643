"""The looks of COLLECTION!: a situation room in deep green, with alarms in red and good news in blue.

Cards lie wide: a title, a picture, a row of signs, the words. With codes, title and picture stand in the upper right,
signs and words in the lower left; without, both grow, and two corners carry the signs.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.eye.mat import Rect
from companion.games.collection.art import emblems, pictures, scenery, strip, tokens
from companion.games.collection.art.brush import AMBER, DEEP, HALF, HIGH, INK, WHITE, WIDE, Brush
from companion.press.drawing import (
    CAP,
    LEADING,
    Colour,
    Drawing,
    Item,
    Line,
    Loop,
    arc,
    box,
    clip,
    fitted,
    hatch,
    moved,
    paragraph,
    paragraph_height,
    text_width,
    wrap,
)
from companion.press.figures import TINTS, Tint, mix
from companion.press.look import AIR, INSET, RIM, GameArt, Palette, Room, notches
from companion.rules.cards import Card, Deck

CARDS = frozenset({"role", "scenario", "collection"})
LABELS = {"red": Tint("#bf3226", "#8c2a22", "#fdf2ec"), "blue": Tint("#23629b", "#174a78", "#eef5fa")}
"""Collection cards by their label."""
PAPERS = Tint(DEEP, "#153a30", "#f7f4e6")
"""Scenarios, and whatever has no colour."""
TITLE = 3.3
"""Size of the title of every card but the longest role's (capitals of 2.3 mm)."""
TEXT = {
    True: {"role": 2.6, "scenario": 2.42, "collection": 2.75},
    False: {"role": 2.5, "scenario": 3.0, "collection": 3.4},
}
"""Size of the words by kind, with codes and without."""
HEADER = 6.6
"""Height (mm) of the title's band."""
BADGE = 10.0
"""Width (mm) of the corners of a face without codes."""
BADGE_HIGH = 15.6
EDGE = INSET + RIM


@dataclass(frozen=True)
class Plan:
    """Where the parts of a card are."""

    header: Rect
    picture: Rect
    body: Rect
    """Signs and words; the words alone on a face without codes."""


def plan(room: Room) -> Plan:
    """Return where a card's parts are: round its codes, or round its badges."""
    w, h = room.shape.w, room.shape.h
    if room.coded and len(room.codes) > 1:
        first, second = sorted(room.codes, key=lambda s: (s.x, s.y))[:2]
        x = first.x + first.w + AIR + RIM
        low = second.x - AIR - RIM
    else:
        x, low = EDGE + BADGE, w - EDGE - BADGE - 0.6
    wide = w - EDGE - x
    picture = Rect(x, EDGE + HEADER, wide, wide * HIGH / WIDE)
    top = picture.y + picture.h + 0.4
    return Plan(Rect(x, EDGE, wide, HEADER), picture, Rect(EDGE, top, low - EDGE, h - EDGE - top))


class CollectionArt(GameArt):
    """Cards that lie wide, and tokens with a name."""

    palette = Palette(DEEP, "#153a30", "#eef2e6", AMBER)

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        if card.kind in CARDS or min(room.shape.w, room.shape.h) > 40:
            _card(sheet, card, room)
        else:
            tokens.draw(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        scenery.back(sheet, deck.title, room)

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        scenery.cover(sheet, deck.title)


ART = CollectionArt()


def tone_of(card: Card) -> Tint:
    """Return a card's colours: of its label, its role, or of paper."""
    if card.kind == "role":
        tone = TINTS.get(card.traits.get("colour", ""))
        return Tint(tone.dark, tone.dark, tone.pale, tone.angle) if tone else PAPERS
    return LABELS.get(card.traits.get("label", ""), PAPERS)


def rows_of(card: Card) -> list[list[strip.Sign]]:
    """Return what a card does or needs, as rows of signs."""
    if card.kind == "role":
        return strip.abilities(card.traits)
    if card.kind == "scenario":
        return strip.reports(card.traits)
    return strip.signs(card.traits.get("effect", ""))


def _card(sheet: Drawing, card: Card, room: Room) -> None:
    tone, where = tone_of(card), plan(room)
    inner = room.inner
    sheet.fill(tone.main, box(inner.x, inner.y, inner.w, inner.h, 3.0))
    sheet.fill(tone.pale, box(EDGE, EDGE, inner.w - 2 * RIM, inner.h - 2 * RIM, 3.0 - RIM))
    p = where.picture
    sheet.add(moved(_picture(card, tone), p.x + p.w / 2, p.y + p.h, scale=p.w / WIDE))
    sheet.fill(tone.main, box(p.x, p.y + p.h, p.w, 0.5))
    if room.coded:
        notches(sheet, room, tone.main)
        # the picture's frame goes on down its left side, and fills the corner that the notch rounds off
        sheet.fill(tone.main, box(p.x - RIM, p.y, RIM, p.h + 0.5))
        for s in room.codes[:1]:
            side = 2.0 + RIM
            sheet.fill(tone.main, box(p.x - side, s.y + s.h + AIR + RIM - side, side, side))
    _header(sheet, card, where.header, tone, coded=room.coded)
    body = where.body
    if room.coded and card.kind != "role":
        high = 5.9 if card.kind == "scenario" else 6.4
        _signs(sheet, card, Rect(body.x, body.y, body.w, high), room, tone)
        body = Rect(body.x, body.y + high, body.w, body.h - high)
    _words(sheet, card, body, room.coded)
    if not room.coded:
        _badges(sheet, card, room, tone)


def _picture(card: Card, tone: Tint) -> list[Item]:
    if card.kind == "role":
        return _analyst(card, tone)
    if card.kind == "scenario":
        return list(pictures.picture(pictures.country_for(card.title, card.text)))
    return list(pictures.picture(pictures.picture_for(card.title, card.traits.get("effect", ""))))


def _analyst(card: Card, tone: Tint) -> list[Item]:
    role = card.traits.get("role", "")
    b = Brush()
    ground = mix(TINTS.get(card.traits.get("colour", ""), PAPERS).main, WHITE, 0.62)
    wall = box(-HALF, -HIGH, 27.0, HIGH)
    b.box(ground, -HALF, -HIGH, WIDE, HIGH)
    if tone.angle is not None:
        b.items += [Line(part, 0.3, mix(ground, WHITE, 0.45)) for part in hatch(wall, tone.angle, 1.7)]
    b.put(pictures.role("analysts", role), -15.4, 0)
    b.box(tone.dark, -9.8, -0.9, 14.9, 0.9)
    b.put(pictures.role("roles", role), -2.8, -0.9, 0.92)
    b.box(tone.dark, 5.1, -HIGH, HALF - 5.1, HIGH)
    b.box("#fbfaf2", 5.6, -HIGH, HALF - 5.6, HIGH)
    rows = strip.abilities(card.traits)
    high = HIGH / max(1, len(rows))
    for i, parts in enumerate(rows):
        y = -HIGH + (i + 0.5) * high
        if i == 2:
            b.box(mix(ground, WHITE, 0.2), 5.6, y - high / 2, HALF - 5.6, high)
        b.items += strip.row(parts, (5.6 + HALF) / 2, y, HALF - 5.6 - 0.8, scale=0.8, gap=0.8)
    return b.items


def _header(sheet: Drawing, card: Card, r: Rect, tone: Tint, *, coded: bool) -> None:
    """Draw the title's band: torn below for bad news, waved for good news, straight for the rest."""
    label = card.traits.get("label", "") if card.kind == "collection" else ""
    low = r.y + r.h
    edge: list[tuple[float, float]] = []
    if label == "red":
        steps = round(r.w / 2.2)
        for i in range(steps + 1):
            edge.append((r.x + r.w * i / steps, low + (1.15 if i % 2 else -0.05)))
    elif label == "blue":
        steps = round(r.w / 7.3)
        for i in range(steps):
            left = r.x + r.w * i / steps
            wide = r.w / steps
            edge += arc(left + wide / 4, low + 0.5, wide / 4, 180, 0, 0.55)[:-1]
            edge += arc(left + wide * 3 / 4, low + 0.5, wide / 4, 180, 360, 0.55)[:-1]
        edge.append((r.x + r.w, low + 0.5))
    else:
        edge = [(r.x, low), (r.x + r.w, low)]
    top: Loop = ((r.x + r.w, r.y + 2.0), *reversed(arc(r.x + r.w - 2.3, r.y + 2.3, 2.3, 270, 360)), (r.x, r.y))
    sheet.fill(tone.main, (*edge, *top))
    if label == "blue":
        line = [(x, y - 0.8) for x, y in edge]
        sheet.add([Line(tuple(line), 0.22, mix(tone.main, WHITE, 0.55))])
    sign = emblems.sign("danger") if label == "red" else emblems.sign("welcome") if label == "blue" else []
    room = r.w - 2.0
    if sign and coded:
        sheet.add(moved(sign, r.x + r.w - 3.0, r.y + r.h / 2 - 0.15, scale=2.15))
        room -= 4.6
    size, lines = (TITLE, [card.title]) if text_width(card.title, TITLE, True) <= room else (0.0, [])
    if card.kind in ("role", "scenario") and not size:
        size, lines = 3.0, wrap(card.title, 3.0, room, True)
    if not size or len(lines) > 2 or any(text_width(line, size, True) > room for line in lines):
        size, lines = fitted(card.title, TITLE, room, r.h - 0.6, bold=True)
    y = r.y + (r.h - paragraph_height(lines, size)) / 2 - 0.1
    sheet.add(paragraph(r.x + 1.2, y, lines, size, colour=WHITE, align="l", bold=True))


def _signs(sheet: Drawing, card: Card, r: Rect, room: Room, tone: Tint) -> None:
    """Draw the band of signs, its ground up to the code above it; bad news begin with a barrier's bars."""
    ground = mix(tone.pale, tone.main, 0.13)
    code = min(room.codes, key=lambda s: (s.x, s.y), default=Rect(r.x, 0, 0, r.y))
    top = min(r.y, code.y + code.h + AIR + RIM)
    high = r.y + r.h - top
    sheet.fill(ground, box(r.x, r.y, r.w, r.h))
    sheet.fill(ground, box(r.x, top, max(0.0, code.x + code.w + AIR - r.x), high))
    x, label = r.x, card.traits.get("label", "") if card.kind == "collection" else ""
    if label == "red":
        _hazard(sheet, Rect(r.x, top, 3.4, high))
        x += 3.4
    elif label == "blue":
        wave = [(r.x + 2.0 + (0.7 if i % 2 else 0.0), top + high * i / 6) for i in range(7)]
        sheet.fill(tone.main, ((r.x, top), *wave, (r.x, r.y + r.h)))
        x += 2.7
    sheet.fill(tone.main, box(r.x, r.y + r.h - 0.25, r.w, 0.25))
    wide = r.x + r.w - x
    rows = rows_of(card)
    if card.kind == "scenario":
        for i, parts in enumerate(rows):
            sheet.add(
                strip.row(parts, x + wide * (i + 0.5) / len(rows), r.y + r.h / 2 - 0.1, wide / len(rows), scale=1.0)
            )
        return
    sheet.add(strip.row(strip.joined(rows), x + wide / 2, r.y + r.h / 2 - 0.1, wide - 1.6, scale=0.98))


def _hazard(sheet: Drawing, r: Rect) -> None:
    sheet.fill("#ffcf3a", box(r.x, r.y, r.w, r.h))
    for i in range(-2, 6):
        y = r.y + i * 2.6
        bar = ((r.x, y + r.w), (r.x + r.w, y), (r.x + r.w, y + 1.3), (r.x, y + r.w + 1.3))
        cut = clip(bar, r.x, r.y, r.x + r.w, r.y + r.h)
        if cut:
            sheet.fill(INK, cut)


def _words(sheet: Drawing, card: Card, r: Rect, coded: bool) -> None:
    if not card.text:
        return
    width, height = r.w - 2.0, r.h - 0.7
    size = TEXT[coded].get(card.kind, 2.6)
    lines = wrap(card.text, size, width)
    if (CAP + LEADING * (len(lines) - 1)) * size > height:
        size, lines = fitted(card.text, size, width, height + 0.2 * size)
    lines = _balanced(card.text, lines, size, width)
    top = r.y + (r.h - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(r.x + 1.3, top, lines, size, colour=INK, align="l"))


def _balanced(words: str, lines: list[str], size: float, width: float) -> list[str]:
    while len(lines) > 1 and text_width(lines[-1], size) < 0.3 * width:
        width -= 0.5
        other = wrap(words, size, width)
        if len(other) > len(lines):
            break
        lines = other
    return lines


def _badges(sheet: Drawing, card: Card, room: Room, tone: Tint) -> None:
    """Put what the card does into two opposite corners, the lower one turned by half."""
    w, h = room.shape.w, room.shape.h
    low = plan(room).picture
    sheet.fill(tone.main, _corner(EDGE, EDGE, BADGE, low.y + low.h + 0.5 - EDGE))
    label = card.traits.get("label", "") if card.kind == "collection" else ""
    sign = emblems.sign("danger") if label == "red" else emblems.sign("welcome") if label == "blue" else _kind(card)
    sheet.add(moved(sign, EDGE + BADGE / 2, low.y + low.h - 3.0, scale=2.3))
    face = _badge(card, tone)
    sheet.add(moved(face, EDGE + BADGE / 2, EDGE + BADGE_HIGH / 2))
    sheet.fill(tone.main, moved_loop(_corner(0, 0, BADGE, BADGE_HIGH), w - EDGE, h - EDGE))
    sheet.add(moved(face, w - EDGE - BADGE / 2, h - EDGE - BADGE_HIGH / 2, rotation=180))


def _kind(card: Card) -> list[Item]:
    if card.kind == "role":
        return emblems.sign("pawn", main=WHITE)
    return emblems.sign("reports", full=AMBER, empty="#8fb3a0")


def _corner(x: float, y: float, w: float, h: float) -> Loop:
    return (*arc(x + 2.3, y + 2.3, 2.3, 180, 270), (x + w, y), (x + w, y + h), (x, y + h))


def moved_loop(loop: Loop, x: float, y: float) -> Loop:
    """Return a polygon turned by 180° round the origin, then shifted by (x, y)."""
    return tuple((x - px, y - py) for px, py in loop)


def _badge(card: Card, tone: Tint) -> list[Item]:
    b = Brush()
    b.box(_plate(tone), -BADGE / 2 + 0.7, -BADGE_HIGH / 2 + 0.7, BADGE - 1.4, BADGE_HIGH - 1.4, 1.4)
    if card.kind == "role":
        b.put(pictures.role("roles", card.traits.get("role", "")), -0.75, 0.9, 0.47)
        rows = rows_of(card)
        if rows:
            gems = list(rows[0][: len(strip.names(card.traits.get("colours", "")))])
            b.items += strip.row(gems, 0, 4.2, BADGE - 2.2, scale=1.0, gap=0.4)
        return b.items
    b.items += strip.stack(rows_of(card), BADGE - 2.0, BADGE_HIGH - 1.8)
    return b.items


def _plate(tone: Tint) -> Colour:
    return mix(tone.pale, WHITE, 0.4)
