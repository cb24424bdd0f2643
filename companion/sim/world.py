"""The world behind the backs of the cards: deck orders and hands, which only the players (and a simulation) know.

A world deals, says which cards can really fill a template's holes, supplies the facts that chance decides, and follows
the rules' states: after every action its piles are as long as the rules think, or it says so.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from companion.rules.cards import Piece
from companion.rules.five_cards_collector import values as fcc
from companion.rules.kernel import Action, Facts, Game, Opened, Options, Seat, Shown, fill, holes


class WorldError(Exception):
    """The rules and the world disagree about how many cards lie somewhere: a fault in one of them."""


class World(ABC):
    """What is hidden in one match. A game *must* provide a subclass here to be played by robots."""

    def __init__(self, game: Game[Any], seats: int, options: Options, rng: random.Random) -> None:
        """Shuffle and deal; `state` is then the match's first state."""
        self.game = game
        self.seats = seats
        self.rng = rng
        self.options = dict(options)
        self.hands: dict[Seat, list[Piece]] = {seat: [] for seat in range(1, seats + 1)}
        self.first = rng.randint(1, seats)

    @abstractmethod
    def setup(self) -> Any:
        """Give the facts that the set-up needs (the game's set-up struct)."""

    @abstractmethod
    def deal(self, state: Any) -> None:
        """Deal what the first state says is dealt."""

    @abstractmethod
    def facts(self, state: Any, action: Action) -> Facts:
        """Give what chance adds to an action."""

    @abstractmethod
    def apply(self, before: Any, action: Action, after: Any) -> None:
        """Follow an action.

        Raises:
            WorldError: if the piles are not as long as the rules think.
        """

    @abstractmethod
    def save(self) -> Any:
        """Give a copy of what is hidden, for `restore`."""

    @abstractmethod
    def restore(self, saved: Any) -> None:
        """Go back to what was saved."""

    @abstractmethod
    def piles(self) -> dict[str, tuple[Piece, ...]]:
        """Give the hidden piles that lie on the table face down, by zone, from the bottom up."""

    def really(self, state: Any, template: Action) -> Iterable[Action]:
        """Yield the ground actions of a template that the holder's true cards allow."""
        gaps = holes(template)
        if not gaps:
            yield template
            return
        choices = [[piece for piece in self.hands[hole.owner] if piece in hole.pieces] for _, hole in gaps]
        for combination in itertools.product(*choices):
            yield fill(template, **{name: piece for (name, _), piece in zip(gaps, combination, strict=True)})

    def choices(self, state: Any) -> list[Action]:
        """List every ground action that can really be done now."""
        return [action for template in self.game.legal(state) for action in self.really(state, template)]


class FiveCardsCollectorWorld(World):
    """Deck order and hands of Five Cards Collector."""

    def __init__(self, game: Game[Any], seats: int, options: Options, rng: random.Random) -> None:
        """Shuffle the collection cards; the deck is shuffled when the first state says what is in it."""
        super().__init__(game, seats, options, rng)
        self.goals = rng.sample([card.piece for card in game.deck.of_kind("goal")], seats)
        self._effect = {card.piece: card.traits["effect"] for card in game.deck.of_kind("special")}
        self.deck: list[Piece] = []
        self.drawn: Piece | None = None

    def setup(self) -> fcc.Setup:
        """Only the first player is decided beforehand; goals and the first discard come up on the table."""
        return fcc.Setup(first=self.first)

    def deal(self, state: fcc.State) -> None:
        """Shuffle what nobody has seen and deal the hands."""
        self.deck = sorted(state.unseen)
        self.rng.shuffle(self.deck)
        for seat, player in enumerate(state.players, start=1):
            self.hands[seat] = [self.deck.pop() for _ in range(player.hand.size)]
        self._check(state)

    def really(self, state: fcc.State, template: Action) -> Iterable[Action]:
        """After a draw only the card just drawn can follow (F3)."""
        if state.phase != "drawn" or not holes(template):
            yield from super().really(state, template)
            return
        for action in super().really(state, template):
            if getattr(action, "card", None) == self.drawn:
                yield action

    def facts(self, state: fcc.State, action: Action) -> Facts:
        """Turn up the deck's top card, show a collection card, lay a hand open."""
        if isinstance(action, fcc.DrawGoal):
            return (Shown(place=f"goal.{action.player}", piece=self.goals[action.player - 1]),)
        if isinstance(action, fcc.TurnUp):
            return (Shown(place="discard", piece=self.deck[-1]),)
        if isinstance(action, fcc.Stuck):
            return (Opened(place=f"open.{action.seat}", pieces=tuple(sorted(self.hands[action.seat]))),)
        return ()

    def apply(self, before: fcc.State, action: Action, after: fcc.State) -> None:
        """Move the hidden cards."""
        hand = self.hands.get(action.seat, [])
        if isinstance(action, fcc.TurnUp):
            self.deck.pop()
        elif isinstance(action, fcc.Add | fcc.Discard):
            hand.remove(str(action.card))
        elif isinstance(action, fcc.Use):
            hand.remove(str(action.card))
            self._use(before, action, after)
        elif isinstance(action, fcc.Take):
            taken = self.rng.choice(self.hands[action.victim])
            self.hands[action.victim].remove(taken)
            hand.append(taken)
        elif isinstance(action, fcc.Retrieve):
            hand.append(action.card)
        elif isinstance(action, fcc.Draw):
            self.drawn = self._draw(action.seat, before.discard, before.used)
        if after.phase != "drawn":
            self.drawn = None
        self._check(after)

    def _use(self, before: fcc.State, action: fcc.Use, after: fcc.State) -> None:
        effect = self._effect[str(action.card)]
        hand = self.hands[action.seat]
        if effect == "pile-swap":
            hand.append(before.discard[-1])
        elif effect == "draw-three":
            for _ in range(after.players[action.seat - 1].hand.size - len(hand)):
                self._draw(action.seat, before.discard, before.used)

    def _draw(self, seat: Seat, discard: tuple[Piece, ...], used: tuple[Piece, ...]) -> Piece:
        if not self.deck:
            # A special in use is not among the used cards yet, so a renewal leaves it out (F4).
            self.deck = [*discard[:-1], *used]
            self.rng.shuffle(self.deck)
        card = self.deck.pop()
        self.hands[seat].append(card)
        return card

    def _check(self, state: fcc.State) -> None:
        right = state.deck == len(self.deck) and all(
            player.hand.size == len(self.hands[seat]) for seat, player in enumerate(state.players, start=1)
        )
        if not right:
            counted = [player.hand.size for player in state.players]
            held = [len(hand) for hand in self.hands.values()]
            raise WorldError(
                f"the rules count hands of {counted} and a deck of {state.deck}; there are {held} and {len(self.deck)}"
            )

    def save(self) -> tuple[dict[Seat, list[Piece]], list[Piece], Piece | None]:
        """Copy hands, deck, and the card just drawn."""
        return {seat: list(hand) for seat, hand in self.hands.items()}, list(self.deck), self.drawn

    def restore(self, saved: tuple[dict[Seat, list[Piece]], list[Piece], Piece | None]) -> None:
        """Put hands and deck back."""
        hands, deck, self.drawn = saved
        self.hands = {seat: list(hand) for seat, hand in hands.items()}
        self.deck = list(deck)

    def piles(self) -> dict[str, tuple[Piece, ...]]:
        """The deck."""
        return {"deck": tuple(self.deck)}


def world_of(game: Game[Any], seats: int, options: Options, rng: random.Random) -> World:
    """Shuffle and deal a game for robots.

    Raises:
        WorldError: if robots do not know the game.
    """
    if game.info.name not in WORLDS:
        known = ", ".join(sorted(WORLDS))
        raise WorldError(f"robots can't play {game.info.title} yet; they play {known}")
    return WORLDS[game.info.name](game, seats, options, rng)


WORLDS: dict[str, type[World]] = {"five-cards-collector": FiveCardsCollectorWorld}
"""The world of each game, by the game's name."""
