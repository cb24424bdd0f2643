"""The emblems of special cards, of radius about 1 round the origin: what the card does, told with the game's cards."""

from __future__ import annotations

from functools import cache

from companion.games.five_cards_collector.art.figures import SMALL, figure
from companion.press.drawing import Item, lean
from companion.press.figures import Tint, art, tint
from companion.press.pictures import Mark, filled, picture, pictures

TEAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")


@cache
def emblem(name: str) -> tuple[Item, ...]:
    """Draw the emblem of an effect; for an unknown one what the press draws for it."""
    if f"emblems/{name}" not in pictures("five-cards-collector", "emblems"):
        return tuple(art(name, TEAL))
    return tuple(lean(filled(picture("five-cards-collector", f"emblems/{name}"), {}, _symbol), 0.004))


def _symbol(mark: Mark) -> list[Item]:
    """Draw the symbol that a mark names, "red-star"."""
    colour, _, name = mark.name.partition("-")
    return figure(name, tint(colour), SMALL)
