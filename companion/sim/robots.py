"""Robots that play: they know their own hand and what is public, and choose sensibly, with a little whim."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.five_cards_collector import values as fcc
from companion.rules.kernel import Action, Game
from companion.sim.world import World

Weigh = Callable[[Game[Any], Any, World, Action], float]
"""Gives an action's worth to the seat that would do it, 0 and up; it looks only at that seat's hand."""


def _five_cards_collector(game: Game[Any], state: fcc.State, world: World, action: Action) -> float:
    """Collect; use specials early; draw while there is room; throw away what is of no use."""
    hand = world.hands.get(action.seat, [])
    if isinstance(action, fcc.Add):
        return 60.0
    if isinstance(action, fcc.TakeOver):
        if action.to == "own":
            return 60.0
        return 0.2 if action.from_seat == action.seat else 3.0
    if isinstance(action, fcc.Use):
        return 1.5
    if isinstance(action, fcc.Draw):
        return 8.0
    if isinstance(action, fcc.Discard):
        # A full hand can't draw: make room, but not before.
        return 8.0 if len(hand) >= state.limit or state.phase == "drawn" else 3.0
    if isinstance(action, fcc.Retrieve):
        return 20.0 if _belongs(game, state, action.seat, action.card) else 0.3
    if isinstance(action, fcc.Take):
        return float(state.players[action.victim - 1].hand.size)
    if isinstance(action, fcc.Stuck):
        # Robots bluff now and then: a claim that is wrong only lays the hand open (F8).
        return 8.0
    if isinstance(action, fcc.Nothing) and len(state.players) == 2:
        return 4.0
    return 1.0 if isinstance(action, fcc.Keep) else 0.15


def _belongs(game: Game[Any], state: fcc.State, seat: int, card: str) -> bool:
    """Tell whether a card would be collected: the rules' own answer, as if it were that seat's turn."""
    shelves = game.view(state, seat).shelves
    cards = game.deck.by_piece()
    wanted = {cards[piece].title for shelf in shelves for piece in shelf.wanted}
    return cards[card].title in wanted


WEIGH: dict[str, Weigh] = {"five-cards-collector": _five_cards_collector}
"""How the robots of each game weigh actions, by the game's name."""


def choose(game: Game[Any], state: Any, world: World, rng: random.Random) -> Action:
    """Choose one of the actions that can really be done: the worthier, the likelier.

    Raises:
        IndexError: if there is none, which the rules never allow while a match goes on.
    """
    actions: Sequence[Action] = world.choices(state)
    weigh = WEIGH.get(game.info.name)
    weights = [1.0] * len(actions) if weigh is None else [weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]
