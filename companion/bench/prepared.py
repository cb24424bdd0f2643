"""Whole matches as robots play them, made beforehand: what is measured then is the table alone."""

from __future__ import annotations

import random

import msgspec

from companion.referee.journal import Header, new_id, now
from companion.rules.kernel import Action, AnyGame, Facts
from companion.sim.robots import choose
from companion.sim.world import AnyWorld, world_of

Step = tuple[Action, Facts]


def prepared(game: AnyGame, seats: int, seed: int | str, longest: int = 100_000) -> tuple[Header, list[Step]]:
    """Return the header and the steps of a whole match as robots play it, or of its first `longest` actions."""
    world = world_of(game, seats, {}, random.Random(seed))
    setup = world.setup()
    state = game.setup(seats, {}, setup)
    world.deal(state)
    steps = robots_steps(game, world, state, longest)
    header = Header(
        id=new_id(),
        at=now(),
        game=game.info.name,
        seats=seats,
        setup=msgspec.to_builtins(setup),
        mode="ledger",
        bid_seconds=0,
    )
    return header, steps


def robots_steps(game: AnyGame, world: AnyWorld, state: object, longest: int) -> list[Step]:
    """Return what robots do from a state on, at most so many actions, each with its facts."""
    steps: list[Step] = []
    while game.actors(state) and len(steps) < longest:
        action = choose(game, state, world, world.rng)
        steps.append((action, world.facts(state, action)))
        after = game.play(state, *steps[-1])
        world.apply(state, action, after)
        state = after
    return steps
