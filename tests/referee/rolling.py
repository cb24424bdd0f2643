"""A match of Collectible that has come to a roll of dice, for the tests of the companion's dice."""

import random
from functools import cache

import msgspec

from companion import games
from companion.games.collectible.characters import Roll
from companion.referee.journal import Header
from companion.referee.record import Record
from companion.sim.robots import choose
from companion.sim.world import world_of

GAME = games.load("collectible")


def until_roll(seats=4):
    """Play by phones until dice are due: the header of a ledger, its records, and the action that needs dice."""
    header, records, action = _found(seats)
    return header, list(records), action


@cache
def _found(seats):
    return next(found for seed in range(99) if (found := _played(seats, seed)))


def _played(seats, seed):
    rng = random.Random(seed)
    world = world_of(GAME, seats, {}, rng)
    header = Header(
        id="0190",
        at="2026-01-01T00:00:00Z",
        game="collectible",
        seats=seats,
        mode="ledger",
        setup=msgspec.to_builtins(world.setup()),
        bid_seconds=0,
    )
    state = GAME.setup(seats, {}, world.setup())
    world.deal(state)
    records = []
    while GAME.actors(state):
        action = choose(GAME, state, world, rng)
        if isinstance(action, Roll):
            return header, records, action
        facts = world.facts(state, action)
        after = GAME.play(state, action, facts)
        world.apply(state, action, after)
        state = after
        n = len(records) + 1
        records.append(Record(n=n, id=f"{n}", at=header.at, action=action, facts=facts, seat=action.seat, by="phone"))
    return None
