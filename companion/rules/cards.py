"""Cards and decks as values: what is printed on each piece. Read from `card_codes/` by `companion.games`."""

from __future__ import annotations

import msgspec

from companion.text import small_of, t

Piece = str
"""A card or token with a code: three base-36 digits, unique within a game's deck."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is printed on one piece.

    `kind` is the word by which the rules know it ("symbol", "special"); `traits` are the rest (figure, colour, effect).
    Copies of one card share all but the piece.
    """

    piece: Piece
    kind: str
    title: str
    traits: dict[str, str] = {}
    text: str = ""


class CardError(ValueError):
    """A card that does not fit the rules; the message names it, and what is wrong with it."""

    def __init__(self, card: Card, wrong: str) -> None:
        super().__init__(f"{card.title} ({card.piece}): {wrong}")
        self.piece = card.piece


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All pieces of one game, and the numbers that its rulings leave to the owner of the box.

    `code` is the two letters that its codes start with; `numbers` are house numbers by name; sentences put the titles
    of the kinds `quoted` in quotation marks. `looks` is the game as whose cards they are printed; "" for its own.
    """

    game: str
    code: str
    title: str
    cards: tuple[Card, ...]
    numbers: dict[str, int] = {}
    quoted: tuple[str, ...] = ()
    looks: str = ""

    def called(self) -> dict[Piece, str]:
        """Return every piece as a sentence names it: "the red star", "the DH coin A", '"Back Channel"'."""
        return {card.piece: self._called(card) for card in self.cards}

    def _called(self, card: Card) -> str:
        title = card.title
        if card.kind in self.quoted:
            return f'"{title}"'
        if title[:2].isupper():
            return t("the {card}", card=title)
        return (
            t("{card:small}", card=title) if small_of(title).startswith("the ") else t("the {card:small}", card=title)
        )

    def by_piece(self) -> dict[Piece, Card]:
        """Return every card by its piece; ValueError if two cards carry the same piece number."""
        table = {card.piece: card for card in self.cards}
        if len(table) != len(self.cards):
            pieces = [card.piece for card in self.cards]
            twice = sorted({piece for piece in pieces if pieces.count(piece) > 1})
            raise ValueError(f"the deck of {self.title} has two cards with the number {', '.join(twice)}")
        return table

    def of_kind(self, kind: str) -> tuple[Card, ...]:
        """Return the cards of one kind in the order of the deck file."""
        return tuple(card for card in self.cards if card.kind == kind)

    def number(self, name: str) -> int:
        """Return a house number; ValueError if the deck file lacks it."""
        if name not in self.numbers:
            raise ValueError(f"the deck of {self.title} has no number {name!r}; add it under [numbers]")
        return self.numbers[name]
