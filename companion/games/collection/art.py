"""The cards and tokens of COLLECTION!: cards that lie wide, and tokens with their name in a strip above the code."""

from __future__ import annotations

from companion.press.drawing import CAP, Drawing, box, circle, fitted, paragraph, paragraph_height
from companion.press.drawing import Shape as Filled
from companion.press.figures import PLAIN, TINTS, Tint, tint
from companion.press.look import GameArt, Palette, Room, frame
from companion.rules.cards import Card

CARDS = frozenset({"role", "scenario", "collection"})
TOKENS = frozenset({"pawn", "coin", "gem"})
KINDS = CARDS | TOKENS
"""The kinds of pieces that are drawn here."""

GEMS = {"political": "blue", "military": "red", "economic": "green"}
"""The colours of gems and reports (2.3)."""


class CollectionArt(GameArt):
    """Cards that lie wide, and tokens with a name."""

    palette = Palette("#2b9360", "#1a6642", "#eaf5ef", "#d23c3c")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        """Draw a card or a token by its kind."""
        if card.kind in CARDS:
            frame(sheet, room, tone(card))
            words(sheet, card, room)
        else:
            token(sheet, card, room)


ART = CollectionArt()


def tone(card: Card) -> Tint:
    """Give a card's colour: of its label, of its role, or of paper."""
    return tint(card.traits.get("label") or card.traits.get("colour"))


def words(sheet: Drawing, card: Card, room: Room) -> None:
    """Write the title into the upper of the two wide areas beside the codes, what the card says into the lower one.

    A scenario shows the reports that it needs as gems, too.
    """
    colour = tone(card)
    above = max((area for area in room.areas if area.y < sheet.h / 4), key=lambda area: area.w)
    below = max((area for area in room.areas if area.y + area.h > 3 * sheet.h / 4), key=lambda area: area.w)
    gems = [name for name in GEMS for _ in range(int(card.traits.get(name, "0") if card.kind == "scenario" else 0))]
    high = above.h - (7.0 if gems else 2.0)
    size, lines = fitted(card.title, 5.2, above.w - 3, high, bold=True)
    top = above.y + 1.0 + (high - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(above.centre[0], top, lines, size, colour=colour.dark, bold=True))
    for i, name in enumerate(gems):
        x = above.centre[0] + (i - (len(gems) - 1) / 2) * 4.0
        sheet.fill(TINTS[GEMS[name]].main, circle(x, above.y + above.h - 3.6, 1.6))
    size, lines = fitted(card.text, 3.4, below.w - 3, below.h - 3)
    top = below.y + (below.h - paragraph_height(lines, size)) / 2
    sheet.add(paragraph(below.x + 1.6, top, lines, size, align="l"))


def token(sheet: Drawing, card: Card, room: Room) -> None:
    """Fill a token with its colour, a coin with those of the reports it has an affinity for; write its name on top."""
    shape = room.shape
    names = [name.strip() for name in card.traits.get("affinity", "").split(",") if name.strip()]
    tones = [TINTS[GEMS[name]] for name in names] or [tint(card.traits.get("colour"))]
    wide = shape.w / len(tones)
    for i, one in enumerate(tones):
        sheet.add([Filled((box(i * wide, 0, wide, shape.h),), one.dark if one is not PLAIN else PLAIN.dark)])
    name = card.traits.get("short") or " ".join(
        word for word in (card.traits.get("collector", "Crisis"), card.traits.get("scenario", "")) if word
    )
    strip = shape.h - shape.w
    size, _ = fitted(name, 3.6, shape.w - 2, strip + 1.2, bold=True)
    sheet.text(shape.w / 2, (strip + 1.2 + CAP * size) / 2, name, size, colour="#ffffff", bold=True)
