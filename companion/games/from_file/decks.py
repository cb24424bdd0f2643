"""Decks that are made of a printed one: `extends = "standard"`, with jokers, two packs, or without some ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.rules.cards import Card, Deck

PACK = 5
"""How far a second pack's numbers are from the first's, in their first base-36 digit: clubs begin with 1 or 6."""
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Extended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file that extends another deck: `jokers` a pack, and `without` cards by the values of their traits."""

    extends: str
    title: str
    jokers: Annotated[int, Meta(ge=0, le=2)] = 0
    packs: Annotated[int, Meta(ge=1, le=2)] = 1
    without: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}


def extended(base: Deck, game: str, contents: Mapping[str, object]) -> Deck:
    """Return a game's deck, made of a printed one with its codes; ValueError if the file does not fit."""
    said = msgspec.convert(contents, Extended)
    traits = {(trait, value) for card in base.cards for trait, value in card.traits.items()}
    for trait, values in said.without.items():
        for value in values:
            if (trait, value) not in traits:
                raise ValueError(f"no card of the deck {base.title} has {trait} = {value!r}; leave it out of `without`")
    jokers = [card for card in base.cards if "joker" in card.traits][said.jokers :]
    left_out = {(trait, value) for trait, values in said.without.items() for value in values}
    pack = [card for card in base.cards if card not in jokers and left_out.isdisjoint(card.traits.items())]
    cards = [_of_pack(card, number) for number in range(said.packs) for card in pack]
    deck = Deck(game, base.code, said.title, tuple(cards), said.numbers, base.quoted, base.game)
    deck.by_piece()
    return deck


def _of_pack(card: Card, number: int) -> Card:
    first = _DIGITS[_DIGITS.index(card.piece[0]) + number * PACK]
    return replace(card, piece=first + card.piece[1:])
