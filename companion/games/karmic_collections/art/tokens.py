"""Pawns and partner tokens: a band in the player's colour, the sign in the corners; without a code a large emblem."""

from __future__ import annotations

import math

from companion.games.karmic_collections.art.signs import sign
from companion.press.drawing import Drawing, Line, box, circle, hatch
from companion.press.drawing import Shape as Filled
from companion.press.figures import Tint, mix, put, tint
from companion.press.look import Room
from companion.press.pictures import drawn
from companion.rules.cards import Card

EDGE = 0.45
"""White (mm) at a token's edge."""
DOWN = Tint("#a9b3b0", "#59635f", "#eef1f0")
"""A partner token that is turned down."""


def pawn(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a pawn: a band of its player's colour with the sign in every corner; without a code a large pawn."""
    colour = card.traits.get("colour", "")
    tone, w, h = tint(colour), room.shape.w, room.shape.h
    sheet.fill("#ffffff", box(0, 0, w, h))
    if not room.coded:
        _band(sheet, tone, 3.0)
        sheet.fill(tone.pale, circle(w / 2, h / 2, w * 0.42))
        sheet.line(tone.dark, w / 75, *circle(w / 2, h / 2, w * 0.42), closed=True)
        put(sheet, drawn("karmic-collections", "pawn", main=tone.main, dark=tone.dark), w / 2, h * 0.49, w * 0.35)
        put(sheet, [Filled((circle(0, 0, 1.34),), tone.pale), *sign(colour)], w / 2, h * 0.645, w * 0.093)
        return
    _band(sheet, tone)
    side = _margin(room) - EDGE
    for number in range(4):
        _plate(sheet, colour, tone, number, room, side)


def partner(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a partner token in the partner's colour, with a line in its owner's; grey when it is turned down.

    The partner's sign stands in the upper left and lower right corner, the owner's in the other two.
    """
    partners, owners = card.traits.get("colour", ""), card.traits.get("rim", "")
    down = room.face != "F"
    tone, own = (DOWN, DOWN) if down else (tint(partners), tint(owners))
    w, h = room.shape.w, room.shape.h
    sheet.fill("#ffffff", box(0, 0, w, h))
    if not room.coded:
        r = w / 2 - EDGE
        sheet.fill(own.dark, circle(w / 2, h / 2, r))
        sheet.fill(own.main, circle(w / 2, h / 2, r * 0.965))
        for i in range(8):
            turn = math.radians(45 * i + 22.5)
            x, y = w / 2 + 0.85 * r * math.cos(turn), h / 2 + 0.85 * r * math.sin(turn)
            put(sheet, sign(owners, own.pale if _deep(own) else own.dark), x, y, r * 0.105)
        sheet.fill(tone.dark, circle(w / 2, h / 2, r * 0.715))
        sheet.fill(tone.main, circle(w / 2, h / 2, r * 0.68))
        sheet.fill(tone.pale, circle(w / 2, h / 2, r * 0.56))
        put(sheet, sign(partners, tone.dark), w / 2, h / 2, r * 0.38)
        return
    _band(sheet, tone)
    margin = _margin(room)
    inset = margin - 0.35
    sheet.line(own.dark if down else own.main, 0.7, *box(inset, inset, w - 2 * inset, h - 2 * inset), closed=True)
    for number in range(4):
        colour, ground = (partners, tone) if number in (0, 2) else (owners, own)
        _plate(sheet, colour, ground, number, room, margin - EDGE)


def _margin(room: Room) -> float:
    """Measure the band between the token's edge and its code's quiet zone."""
    return min((square.x for square in room.codes), default=room.shape.w / 8)


def _deep(tone: Tint) -> bool:
    return sum(int(tone.main[i : i + 2], 16) * part for i, part in ((1, 0.3), (3, 0.59), (5, 0.11))) < 140


def _plate(sheet: Drawing, colour: str, tone: Tint, number: int, room: Room, side: float) -> None:
    """Put a sign on a pale square in a corner, its top outwards; corners count clockwise from the upper left."""
    w, h = room.shape.w, room.shape.h
    x = EDGE if number in (0, 3) else w - EDGE - side
    y = EDGE if number in (0, 1) else h - EDGE - side
    sheet.fill(tone.dark, box(x, y, side, side))
    rim = side * 0.07
    sheet.fill(tone.pale, box(x + rim, y + rim, side - 2 * rim, side - 2 * rim))
    put(sheet, sign(colour, tone.dark), x + side / 2, y + side / 2, side * 0.36, 0.0 if number in (0, 1) else 180.0)


def _band(sheet: Drawing, tone: Tint, r: float = 0.0) -> None:
    """Fill a token with a colour up to its white edge, and hatch it as the colour is hatched everywhere."""
    w, h, pen = sheet.w, sheet.h, 0.3
    sheet.fill(tone.main, box(EDGE, EDGE, w - 2 * EDGE, h - 2 * EDGE, r))
    inset = EDGE + pen / 2
    if tone.angle is not None:
        field = box(inset, inset, w - 2 * inset, h - 2 * inset, r)
        soft = mix(tone.main, "#ffffff", 0.45)
        sheet.add(Line(part, pen, soft) for part in hatch(field, tone.angle, 1.15))
