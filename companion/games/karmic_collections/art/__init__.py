"""The looks of Karmic Collections: playing cards on warm paper, a wheel of karma, and six signs for six players."""

from __future__ import annotations

from companion.games.karmic_collections.art.mandala import NIGHT, PAPER, SAFFRON, cover_of, wheel
from companion.games.karmic_collections.art.tokens import partner, pawn
from companion.press.drawing import Drawing
from companion.press.look import GameArt, Palette, Room
from companion.press.playing_cards import Style, border, playing_card
from companion.rules.cards import Card, Deck

STYLE = Style(PAPER, 0.3)


class KarmicArt(GameArt):
    """Playing cards, pawns and partner tokens."""

    palette = Palette(SAFFRON, "#7a4d08", PAPER, NIGHT)

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        if {"suit", "rank"} <= card.traits.keys():
            playing_card(sheet, card, room, STYLE)
        elif card.kind == "pawn":
            pawn(sheet, card, room)
        elif card.kind == "partner":
            partner(sheet, card, room)
        else:
            super().face(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        # a code takes the left of where the title stands otherwise
        aside = 11.4 if room.coded else 0.0
        border(sheet, room, NIGHT, SAFFRON, lambda field: wheel(field, deck.title, aside))

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        cover_of(sheet, deck)


ART = KarmicArt()
