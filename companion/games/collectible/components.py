"""The cards of Collectible as the rules read them, from the deck file alone (A2, A7)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.rules.cards import Card, CardError, Deck, Piece
from companion.rules.wording import all_of, any_of
from companion.text import plural, t

EFFECTS = {
    "coins": t("takes coins from the supply"),
    "draw": t("draws cards into the gallery"),
    "swap": t("swaps a gallery card"),
    "look": t("looks at a gallery"),
    "close": t("closes a card in an auction"),
    "rebate": t("gets coins back after the next auction won"),
}
"""The six kinds of characters of A7, and what each does."""

CHOICES = frozenset({"swap", "look", "close"})
"""Those that leave a choice."""

POINTS = "points_"
"""How the numbers of the deck file that are themes begin."""


def coins(count: int) -> str:
    """Return the words for a number of coins."""
    return plural("{count} coin", "{count} coins", count=count)


class Collection(msgspec.Struct, frozen=True):
    """A set of cards that share a theme, and what they are worth together; without a theme there is none."""

    theme: str
    pieces: tuple[Piece, ...]
    score: int


NO_COLLECTION = Collection("", (), 0)


class Components:
    """The cards of one deck, sorted the way the rules ask for them."""

    def __init__(self, deck: Deck) -> None:
        """Sort the deck; ValueError if it lacks a number, or a card shows an unknown theme or effect."""
        self.card = deck.by_piece()
        self.points = {
            name.removeprefix(POINTS).capitalize(): value
            for name, value in deck.numbers.items()
            if name.startswith(POINTS)
        }
        """The rarity of every theme in points."""
        self.themes = {card.piece: self._themes(card) for card in deck.of_kind("art")}
        """The three themes of every art card."""
        self.value = {piece: sum(self.points[theme] for theme in three) for piece, three in self.themes.items()}
        """The total value of every art card: the sum of its themes' points."""
        self.showing = {
            theme: frozenset(piece for piece, three in self.themes.items() if theme in three) for theme in self.points
        }
        """The cards that show a theme."""
        self.effect = {card.piece: self._effect(card) for card in deck.of_kind("character")}
        self.doing = {
            effect: frozenset(piece for piece, does in self.effect.items() if does == effect) for effect in EFFECTS
        }
        """The characters that do something."""
        self.art = frozenset(self.themes)
        self.characters = frozenset(self.effect)
        self.all = self.art | self.characters
        self.start_coins = deck.number("start_coins")
        self.start_gallery = deck.number("start_gallery")
        self.start_auction = deck.number("start_auction")
        self.gallery_limit = deck.number("gallery_limit")
        self.auction_limit = deck.number("auction_limit")
        self.collection = deck.number("collection")
        self.phantom_cards = deck.number("phantom_cards")
        self.supply_coins = deck.number("character_coins")
        self.drawn_cards = deck.number("character_cards")
        self.rebate = deck.number("character_rebate")
        self.dice = deck.number("dice")
        self.sides = deck.number("dice_sides")

    def name(self, piece: object) -> str:
        card = self.card.get(piece) if isinstance(piece, str) else None
        if card is None:
            return t("the card {piece}", piece=piece) if isinstance(piece, str) else t("a card that is not named")
        if piece in self.characters:
            return t('the character "{title}"', title=card.title)
        return t('"{title}"', title=card.title)

    def names(self, pieces: Iterable[Piece]) -> str:
        return all_of(self.name(piece) for piece in sorted(pieces))

    def best(self, pieces: Iterable[Piece]) -> Collection:
        """Return the most valuable collection of at most five cards of one theme (A5, A8); of equal ones the larger."""
        found, here = NO_COLLECTION, frozenset(pieces)
        for theme, showing in self.showing.items():
            some = sorted(here & showing, key=lambda piece: (-self.value[piece], piece))[: self.collection]
            score = sum(self.value[piece] for piece in some)
            if (score, len(some)) > (found.score, len(found.pieces)):
                found = Collection(theme, tuple(some), score)
        return found

    def common(self, known: frozenset[Piece], unknown: int, unseen: frozenset[Piece]) -> bool:
        """Return whether five cards of a gallery can share a theme, as far as everybody knows it."""
        for showing in self.showing.values():
            have = len(known & showing)
            if have >= self.collection or (
                have + unknown >= self.collection and have + min(unknown, len(unseen & showing)) >= self.collection
            ):
                return True
        return False

    def _themes(self, card: Card) -> tuple[str, ...]:
        three = tuple(word.strip() for word in card.traits.get("themes", "").split(",") if word.strip())
        if len(three) != 3 or len(set(three)) != 3:
            raise CardError(card, "it needs three different themes, as in 'Animal, Hat, Night'")
        for theme in three:
            if theme not in self.points:
                raise CardError(
                    card, f"it shows the theme {theme!r}, which has no points: there are {any_of(self.points)}"
                )
        return three

    def _effect(self, card: Card) -> str:
        effect = card.traits.get("effect", "")
        if effect not in EFFECTS:
            raise CardError(card, f"it has the effect {effect!r}; there are {any_of(EFFECTS)}")
        return effect
