"""Robots: how often one seat wins against others, with the 95 % interval, by levels and against robots as they were.

Matches are played straight by the rules, with fixed seeds and so many playouts, not so many seconds. The seat that is
measured goes round the table, each time with the same cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from benchmarks import robots_before
from companion import games
from companion.rules.kernel import Action, AnyGame
from companion.sim.robots import LEVELS, think
from companion.sim.world import AnyWorld, world_of

Player = Callable[[AnyGame, object, AnyWorld, Sequence[Action], random.Random], Action]


def at_level(level: str) -> Player:
    """Return a player of a level."""

    def play(game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], rng: random.Random) -> Action:
        return think(game, state, world, actions, LEVELS[level], rng)

    return play


def anyhow(game: AnyGame, state: object, world: AnyWorld, actions: Sequence[Action], rng: random.Random) -> Action:
    """Play by chance."""
    return rng.choice(actions)


PLAYERS: dict[str, Player] = {
    "before": robots_before.choose,
    "random": anyhow,
    **{name: at_level(name) for name in LEVELS},
}


def play(name: str, players: Iterable[Player], seed: str) -> list[float]:
    """Return each seat's share of the win after a whole match."""
    game, all_ = games.load(name), list(players)
    rng = random.Random(f"cards {seed}")
    world = world_of(game, len(all_), {}, rng)
    state = game.setup(len(all_), {}, world.setup())
    world.deal(state)
    whims = [random.Random(f"whim {seed} {seat}") for seat in range(len(all_) + 1)]
    while game.actors(state):
        choices = world.choices(state)
        seat = choices[0].seat
        own = [action for action in choices if action.seat == seat]
        action = all_[seat - 1](game, state, world, own, whims[seat]) if seat and len(own) > 1 else choices[0]
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after
    outcome = game.standing(state).outcome
    winners = outcome.winners if outcome is not None else ()
    return [(seat in winners) / max(1, len(winners)) for seat in range(1, len(all_) + 1)]
