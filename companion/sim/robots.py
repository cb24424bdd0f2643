"""Robots that play: they know their own hand and what is public, and choose sensibly, with a little whim."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.kernel import Action, Game
from companion.sim.world import World

Weigh = Callable[[Game[Any], Any, World, Action], float]
"""Gives an action's worth to the seat that would do it, 0 and up; it looks only at that seat's hand."""


WEIGH: dict[str, Weigh] = {}
"""How the robots of each game weigh actions, by the game's name; each game's own module puts it here."""


def choose(game: Game[Any], state: Any, world: World, rng: random.Random) -> Action:
    """Choose one of the actions that can really be done: the worthier, the likelier.

    Raises:
        IndexError: if there is none, which the rules never allow while a match goes on.
    """
    actions: Sequence[Action] = world.choices(state)
    weigh = WEIGH.get(game.info.name)
    weights = [1.0] * len(actions) if weigh is None else [weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]
