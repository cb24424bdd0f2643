"""Section 1 of the rulebook, "Contents": the cards as the rules read them, from the deck file alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

import msgspec

from companion.rules.cards import Card, CardError, Deck, Piece
from companion.rules.wording import a, any_of, listed
from companion.text import t, word

EFFECTS = frozenset(
    {"pile-swap", "view-hand", "draw-three", "draw-from-hand", "change-direction", "retrieve", "take-over"}
)
"""The seven special cards of section 1."""

NOT_FOR_TWO = frozenset({"change-direction", "pile-swap"})
"""Removed from the deck in the two-player game (section "2-player gameplay")."""

TAKING = frozenset({"draw-from-hand", "view-hand"})
"""Effects that take one card out of another hand."""


class Choice(msgspec.Struct, frozen=True):
    """A set of cards that a rule allows, and what people call them."""

    pieces: frozenset[Piece]
    words: str


class Targets(msgspec.Struct, frozen=True):
    """What the specials can act on: a card to draw, in a hand, second on the pile, in a collection (F4)."""

    draw: bool
    hand: bool
    pile: bool
    collection: bool

    def has(self, effect: str) -> bool:
        """Return whether an effect has a possible target."""
        if effect == "draw-three":
            return self.draw
        if effect in TAKING:
            return self.hand
        if effect in ("pile-swap", "retrieve"):
            return self.pile
        return self.collection if effect == "take-over" else True


class Components:
    """The cards of one deck, sorted the way the rules ask for them."""

    def __init__(self, deck: Deck) -> None:
        """Sort the deck; ValueError if it lacks a number, or a card shows an effect or a symbol that is not known."""
        self.card = deck.by_piece()
        self._names = {piece: _name(card) for piece, card in self.card.items()}
        self.goals = tuple(card.piece for card in deck.of_kind("goal"))
        self.symbols = frozenset(card.piece for card in deck.of_kind("symbol"))
        self.specials = frozenset(card.piece for card in deck.of_kind("special"))
        self.effect = {piece: self.card[piece].traits.get("effect", "") for piece in self.specials}
        self.hand_limit = deck.number("hand_limit")
        self.hand_limit_two_players = deck.number("hand_limit_two_players")
        self.two_player_passes = deck.number("two_player_passes")
        for piece, effect in self.effect.items():
            if effect not in EFFECTS:
                raise CardError(self.card[piece], f"it has the effect {effect!r}; there are {any_of(sorted(EFFECTS))}")
        kinds: dict[tuple[str, ...], list[Piece]] = {}
        for piece in sorted(self.symbols | self.specials):
            kinds.setdefault(_kind(self.card[piece]), []).append(piece)
        self.copies = {p: frozenset(pieces) for pieces in kinds.values() for p in pieces}
        """Every symbol or special card with its copies, itself included."""
        self.shows = {goal: _shown(self.card[goal], kinds) for goal in self.goals}
        """The symbols on a collection card: a representative piece for each."""
        self.matching = {top: self._matching(top) for top in self.symbols}
        """Which cards may be discarded on a symbol (section 4): those with the same symbol or colour."""
        self.wanted = lru_cache(maxsize=8192)(self._wanted)
        """wanted(goal, collected): the cards that still belong (F3)."""
        self.usable = {
            (seats == 2, *flags): self._usable(self.in_play(seats) & self.specials, Targets(*flags))
            for seats in (2, 3)
            for flags in product((False, True), repeat=4)
        }
        """Which specials have a target (F4): by whether two play, then the four answers of `Targets`."""

    def in_play(self, seats: int) -> frozenset[Piece]:
        """Return the cards that are shuffled: without those that two players remove; never the information card."""
        removed = {p for p in self.specials if self.effect[p] in NOT_FOR_TWO} if seats == 2 else set()
        return (self.symbols | self.specials) - removed

    def name(self, piece: object) -> str:
        """Return a card's name for use inside a sentence: the red star, the special "Draw 3 cards", "Collection 3"."""
        if isinstance(piece, str):
            return self._names.get(piece) or t("the card {piece}", piece=piece)
        return t("a card that is not named")

    def names(self, pieces: Iterable[Piece], last: str = "and") -> str:
        return listed((self.name(piece) for piece in sorted(pieces)), last)

    def missing(self, goal: Piece, collected: tuple[Piece, ...]) -> tuple[Piece, ...]:
        """Return the symbols of a collection card that are not collected yet, a representative piece for each."""
        have = frozenset().union(*(self.copies[piece] for piece in collected))
        return tuple(piece for piece in self.shows.get(goal, ()) if piece not in have)

    def _wanted(self, goal: Piece, collected: tuple[Piece, ...]) -> Choice:
        missing = self.missing(goal, collected)
        pieces = frozenset().union(*(self.copies[piece] for piece in missing))
        return Choice(pieces, any_of(self.name(piece) for piece in missing))

    def _matching(self, top: Piece) -> Choice:
        colour, figure = self.card[top].traits["colour"], self.card[top].traits["figure"]
        fitting = (
            p
            for p in self.symbols
            if self.card[p].traits["colour"] == colour or self.card[p].traits["figure"] == figure
        )
        return Choice(frozenset(fitting), any_of((t("a {colour} card", colour=word(colour)), a(word(figure)))))

    def _usable(self, in_play: frozenset[Piece], targets: Targets) -> Choice:
        pieces = frozenset(p for p in in_play if targets.has(self.effect[p]))
        if pieces == in_play:
            return Choice(pieces, t("a special card"))
        titles = dict.fromkeys(f'"{self.card[p].title}"' for p in sorted(pieces))
        return Choice(pieces, t("the special {titles}", titles=any_of(titles)))


def _name(card: Card) -> str:
    if card.kind == "symbol":
        return t("the {card:small}", card=card.title)
    return t('the special "{title}"', title=card.title) if card.kind == "special" else f'"{card.title}"'


def _kind(card: Card) -> tuple[str, ...]:
    if card.kind == "special":
        return (card.traits.get("effect", ""),)
    return (card.traits.get("colour", ""), card.traits.get("figure", ""))


def _shown(goal: Card, kinds: dict[tuple[str, ...], list[Piece]]) -> tuple[Piece, ...]:
    shown = []
    for symbol in goal.traits.get("symbols", "").split(","):
        pieces = kinds.get(tuple(symbol.split()), [])
        if not pieces or len(symbol.split()) != 2:
            raise CardError(goal, f"it shows {symbol.strip()!r}, which is no card of the deck")
        shown.append(pieces[0])
    return tuple(shown)
