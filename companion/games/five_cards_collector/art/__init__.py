"""The looks of Five Cards Collector: five figures in five colours, each on a ground of its own."""

from __future__ import annotations

from companion.games.five_cards_collector.art import outside
from companion.games.five_cards_collector.art.goals import goal, symbols_of
from companion.games.five_cards_collector.art.specials import special
from companion.games.five_cards_collector.art.symbols import symbol
from companion.press.drawing import Drawing
from companion.press.look import GameArt, Palette, Room
from companion.rules.cards import Card, Deck


class FiveCardsArt(GameArt):
    """Symbol cards show their figure, collection cards what is to be collected, special cards an emblem."""

    palette = Palette("#b8323c", "#6d1a22", "#fbeeec", "#efb61a")

    def face(self, sheet: Drawing, card: Card, room: Room) -> None:
        if symbols_of(card):
            goal(sheet, card, room)
        elif "figure" in card.traits:
            symbol(sheet, card, room)
        else:
            special(sheet, card, room)

    def back(self, sheet: Drawing, deck: Deck, room: Room) -> None:
        outside.back(sheet, deck, room)

    def cover(self, sheet: Drawing, deck: Deck) -> None:
        outside.cover(sheet, deck)


ART = FiveCardsArt()
