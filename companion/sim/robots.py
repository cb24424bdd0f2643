"""Robots that play: they know their own hand and what is public, and choose as well as their level lets them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from companion.rules.kernel import TABLE, Action, AnyGame
from companion.sim.search import Arm, Search
from companion.sim.world import AnyWorld, Level, bots_for
from companion.text import t

EASY, NORMAL, STRONG = "easy", "normal", "strong"
LEVELS = {EASY: Level(0, 0.02, 0.0), NORMAL: Level(0, 0.3, 0.7), STRONG: Level(60, 0.001, 50.0)}
"""The levels, the easiest first, of games that have no others."""


def level_of(game: AnyGame, name: str) -> Level:
    """Return a level as a game has it."""
    return bots_for(game).levels.get(name) or LEVELS[name]


def choose(game: AnyGame, state: object, world: AnyWorld, rng: random.Random) -> Action:
    """Choose one of the ground actions, weighted by their worth; raise IndexError if there is none."""
    actions: Sequence[Action] = world.choices(state)
    bots = bots_for(game)
    if bots.weigh is None:
        return rng.choice(actions)
    weights = [bots.weigh(game, state, world, action) for action in actions]
    return rng.choices(actions, weights)[0]


class Thought(NamedTuple):
    """What a robot does, and why, in a sentence (`@2` stands for a seat's name) that tells nothing of its hand."""

    action: Action
    why: str


def think(
    game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], level: Level, rng: random.Random
) -> Thought:
    """Choose one of a seat's ground actions, as well as its level lets it; raise IndexError if there is none."""
    if len(actions) < 2 or actions[0].seat == TABLE:
        return Thought(rng.choice(actions), "")
    bots = bots_for(game)
    search = Search(game, bots, state, world, actions[0].seat, rng)
    arms = search.arms(actions)
    near = [arm for arm in arms if arm.weight >= level.margin * arms[0].weight]
    if bots.value is not None and (playouts := round(level.playouts * world.effort)):
        near = search.best(near, playouts)
        chosen = near[0]
    else:
        chosen = rng.choices(near, [(arm.weight / arms[0].weight) ** level.keen for arm in near])[0]
    return Thought(chosen.action, _why(game, state, world, chosen, near if chosen.results else arms))


def _why(game: AnyGame, state: object, world: AnyWorld, chosen: Arm, arms: list[Arm]) -> str:
    if not world.OPEN:
        return t("It depends on its hand.")
    other = next((arm for arm in arms if arm is not chosen), None)
    if other is None:
        return t("Nothing else was worth a thought.")
    words = game.describe(state, other.action)
    if chosen.results:
        so, next_ = round(100 * chosen.mean), round(100 * other.mean)
        return t(
            "From here it wins about {so} of 100 matches so, and {next} otherwise: {words}",
            so=so,
            next=next_,
            words=words,
        )
    if chosen.weight < other.weight:
        return t("It is a whim: this was nearly as good: {words}", words=words)
    return t("By its rule of thumb this is better than the next best: {words}", words=words)
