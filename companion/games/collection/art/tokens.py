"""The tokens of COLLECTION!: pawns, crisis gems and collectors' coins.

With codes only a narrow band and a strip above the code can be seen, so the kinds differ by the band's form: a pawn's
is plain, a gem's is cut in facets, a coin's is milled. Without codes the whole piece is the picture.
"""

from __future__ import annotations

from companion.games.collection.art import emblems
from companion.games.collection.art.brush import DEEP, INK, WHITE, Brush
from companion.games.collection.art.pictures import role
from companion.games.collection.art.strip import names
from companion.press.drawing import CAP, Colour, Drawing, Shape, box, clip, moved, text_width
from companion.press.figures import TINTS, mix, tint
from companion.press.look import Room
from companion.press.pictures import drawn, filled, picture
from companion.rules.cards import Card

RIM = 0.45
"""White (mm) round a token."""
SIZES = (3.7, 3.3, 3.0, 2.8, 2.6, 2.4, 2.2)
"""Steps in which a name's size goes down until it fits."""
STONE, PALE = "#7c1a16", "#ffe9b0"
WIDE = 22.0
"""Width (mm) of the tokens that the pictures are drawn for."""


def draw(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a token."""
    if room.coded:
        _narrow(sheet, card, room)
    else:
        _whole(sheet, card, room)


def label(card: Card) -> str:
    """Return the name above the code: "ST&W", "Crisis B", "STATE C"."""
    traits = card.traits
    words = (traits.get("collector", "Crisis" if card.kind == "gem" else ""), traits.get("scenario", ""))
    return traits.get("short") or " ".join(word for word in words if word) or card.title


def ground(card: Card) -> tuple[Colour, Colour]:
    """Return the colours of the left and the right half."""
    if card.kind == "coin":
        kinds = [kind for kind in names(card.traits.get("affinity", "")) if kind in emblems.COLOURS]
        dark = [TINTS[emblems.COLOURS[kind]].dark for kind in kinds] or [DEEP]
        return dark[0], dark[-1]
    dark_one = STONE if card.kind == "gem" else tint(card.traits.get("colour")).dark
    return dark_one, dark_one


def _narrow(sheet: Drawing, card: Card, room: Room) -> None:
    w, h = room.shape.w, room.shape.h
    left, right = ground(card)
    sheet.fill(left, box(RIM, RIM, w / 2 - RIM, h - 2 * RIM))
    sheet.fill(right, box(w / 2, RIM, w / 2 - RIM, h - 2 * RIM))
    code = room.codes[0] if room.codes else None
    strip = (code.y if code else 4.3) - RIM
    if card.kind == "gem":
        _banded(sheet, "facets")
    elif card.kind == "coin":
        _banded(sheet, "beads", left=mix(left, PALE, 0.8), right=mix(right, PALE, 0.8))
    sheet.fill(left, box(RIM + 0.95, RIM + 0.2, w / 2 - RIM - 0.95, strip - 0.2))
    sheet.fill(right, box(w / 2, RIM + 0.2, w / 2 - RIM - 0.95, strip - 0.2))
    y = RIM + strip / 2
    b = Brush()
    side = 3.1
    if card.kind == "coin":
        kinds = [kind for kind in names(card.traits.get("affinity", "")) if kind in emblems.COLOURS]
        for kind, x in zip(kinds[:2], (RIM + 2.2, w - RIM - 2.2), strict=False):
            b.disc(WHITE, x, y, 1.75)
            b.put(emblems.gem(kind), x, y, 1.3)
        room_for = w - 2 * (RIM + 4.1)
        middle = w / 2
    else:
        art = emblems.sign("pawn", main=WHITE) if card.kind == "pawn" else emblems.crisis("")
        if card.kind == "gem":
            b.disc(WHITE, RIM + 2.5, y, 1.8)
        b.put(art, RIM + 2.5, y, 1.6 if card.kind == "pawn" else 1.25)
        room_for = w - 2 * RIM - side - 1.6
        middle = w / 2 + side / 2 - 0.2
    sheet.add(b.items)
    name = label(card)
    size = next((s for s in SIZES if text_width(name, s, True) <= room_for), SIZES[-1])
    sheet.text(middle, y + CAP * size / 2, name, size, colour=WHITE, bold=True)


def _banded(sheet: Drawing, name: str, **tones: Colour) -> None:
    sheet.add(moved(drawn("collection", f"tokens/{name}", **tones), 0, 0, scale=sheet.w / WIDE))


def _whole(sheet: Drawing, card: Card, room: Room) -> None:
    w, h = room.shape.w, room.shape.h
    b = Brush()
    name = label(card)
    if card.kind == "gem":
        b.box("#f3dcd6", RIM, RIM, w - 2 * RIM, h - 2 * RIM, 2.4)
        b.put(emblems.crisis(card.traits.get("scenario", ""), 1.15), w / 2, h / 2, 9.2)
    elif card.kind == "coin":
        left, right = ground(card)
        b.box(right, RIM, RIM, w - 2 * RIM, h - 2 * RIM, 2.4)
        b.items.append(Shape((clip(box(RIM, RIM, w - 2 * RIM, h - 2 * RIM, 2.4), 0, 0, w / 2, h),), left))
        b.put(emblems.sign("coin"), w / 2, h / 2 - 1.2, 9.7)
        who = card.traits.get("collector", card.title)
        size = min(5.6, 5.6 * 13.6 / max(0.1, text_width(who, 5.6, True)))
        b.word(w / 2, h / 2 - 3.6, who, size, INK)
        b.box(DEEP, w / 2 - 3, h / 2 + 0.2, 6, 5.4, 1.0)
        b.word(w / 2, h / 2 + 2.9, card.traits.get("scenario", ""), 5.2, WHITE)
        kinds = [kind for kind in names(card.traits.get("affinity", "")) if kind in emblems.COLOURS]
        for kind, x in zip(kinds[:2], (3.7, w - 3.7), strict=False):
            b.disc(WHITE, x, h - 3.7, 3.1)
            b.put(emblems.gem(kind), x, h - 3.7, 2.4)
    else:
        tone = tint(card.traits.get("colour"))
        found = picture("collection", "tokens/pawn")
        tones = {"light": mix(tone.main, WHITE, 0.6), "dark": tone.dark}
        b.put(filled(found, tones, lambda _: role("roles", card.traits.get("role", ""))), 0, 0, w / WIDE)
        size = min(4.6, 4.6 * 18 / max(0.1, text_width(name, 4.6, True)))
        b.word(w / 2, h - 3.4, name, size, WHITE)
    sheet.add(b.items)
