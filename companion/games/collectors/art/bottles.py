"""Bottle tokens: a band of the owner's colour and pattern round the code, and on screens a bottle."""

from __future__ import annotations

from companion.press.drawing import Drawing, box, moved
from companion.press.figures import mix, tint
from companion.press.look import Room
from companion.press.pictures import drawn
from companion.rules.cards import Card

SIDE = 22.0
"""Side (mm) of the tokens that the pictures are drawn for."""
INNER = 1.33
"""Where (mm) the band ends and the code's quiet zone begins."""
PATTERNS = ("solid", "dashed", "beaded", "double")
"""How the bands and labels of the first, second, … owner differ, colour apart."""


def bottle(sheet: Drawing, card: Card, room: Room) -> None:
    """Draw a token: with a code, the band round it; without, a large bottle."""
    tone = tint(card.traits.get("colour"))
    owner = card.traits.get("owner", "1")
    pattern = PATTERNS[(int(owner) - 1) % len(PATTERNS)] if owner.isdecimal() else PATTERNS[0]
    w, h = room.shape.w, room.shape.h
    sheet.fill("#ffffff", box(0, 0, w, h))
    tones = {"main": tone.main, "dark": tone.dark, "light": mix(tone.main, "#ffffff", 0.55)}
    scale = min(w, h) / SIDE
    sheet.add(moved(drawn("collectors", f"bottles/band-{pattern}", **tones), 0, 0, scale=scale))
    if room.coded:
        return
    sheet.fill(mix(tone.pale, tone.main, 0.16), box(INNER, INNER, w - 2 * INNER, h - 2 * INNER, 1.2))
    for name in ("bottle", f"label-{pattern}"):
        sheet.add(moved(drawn("collectors", f"bottles/{name}", **tones), w / 2, h / 2, scale=scale))
