"""Robots that play: they know their own hand and what is public, and choose sensibly, with a little whim."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.rules.kernel import Action, AnyGame
from companion.sim.world import AnyWorld, bots_of


def choose(game: AnyGame, state: object, world: AnyWorld, rng: random.Random) -> Action:
    """Choose one of the ground actions, weighted by their worth; raise IndexError if there is none."""
    actions: Sequence[Action] = world.choices(state)
    bots = bots_of(game.info.name) or bots_of(game.info.family)
    if bots is None or bots.weigh is None:
        return rng.choice(actions)
    weights = [bots.weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]
