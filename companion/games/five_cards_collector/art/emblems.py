"""The emblems of special cards, of radius about 1 round the origin: what the card does, told with the game's cards."""

from __future__ import annotations

from functools import cache

from companion.games.five_cards_collector.art.figures import SMALL, marked
from companion.press.drawing import Item, lean
from companion.press.figures import Tint, art
from companion.press.pictures import filled, picture, pictures

TEAL = Tint("#2f8f93", "#1c5c60", "#eaf4f4")


@cache
def emblem(name: str) -> tuple[Item, ...]:
    """Draw the emblem of an effect; for an unknown one what the press draws for it."""
    if f"emblems/{name}" not in pictures("five-cards-collector", "emblems"):
        return tuple(art(name, TEAL))
    return tuple(
        lean(filled(picture("five-cards-collector", f"emblems/{name}"), {}, lambda mark: marked(mark, SMALL)), 0.004)
    )
