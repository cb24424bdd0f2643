"""Robots that play: they know their own hand and what is public, and choose as well as their level lets them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from companion.rules.kernel import Action, AnyGame
from companion.sim.search import Search
from companion.sim.world import AnyWorld, Bots, bots_of


class Level(NamedTuple):
    """How well a robot plays: how many playouts it searches with, and how far from the best its whims go.

    What the policy weighs less than `margin` times the best is never done; others are done as often as their weight to
    the power `keen` says. A search leaves no whim.
    """

    playouts: int
    margin: float
    keen: float


EASY, NORMAL, STRONG = "easy", "normal", "strong"
LEVELS = {EASY: Level(0, 0.1, 0.5), NORMAL: Level(0, 0.3, 1.0), STRONG: Level(60, 0.0, 1.0)}
"""The levels, the easiest first."""


def bots_for(game: AnyGame) -> Bots[object]:
    """Return what robots need for a game; RuntimeError if there is nothing, which `world_of` has refused."""
    bots = bots_of(game.info.name) or bots_of(game.info.family)
    if bots is None:
        raise RuntimeError(f"robots can't play {game.info.title}")
    return bots


def choose(game: AnyGame, state: object, world: AnyWorld, rng: random.Random) -> Action:
    """Choose one of the ground actions, weighted by their worth; raise IndexError if there is none."""
    actions: Sequence[Action] = world.choices(state)
    bots = bots_for(game)
    if bots.weigh is None:
        return rng.choice(actions)
    weights = [bots.weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]


def think(
    game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], level: Level, rng: random.Random
) -> Action:
    """Choose one of a seat's ground actions, as well as its level lets it; raise IndexError if there is none."""
    if len(actions) < 2:
        return rng.choice(actions)
    bots = bots_for(game)
    search = Search(game, bots, state, world, actions[0].seat, rng)
    arms = search.arms(actions)
    if bots.value is not None and level.playouts:
        return search.best(arms, level.playouts)[0].action
    near = [arm for arm in arms if arm.weight >= level.margin * arms[0].weight]
    return rng.choices(near, [(arm.weight / arms[0].weight) ** level.keen for arm in near])[0].action
