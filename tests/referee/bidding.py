"""A match of Collectible that has come to an auction, for the tests of the bidding clock and of bids from phones."""

import random

import msgspec

from companion import games
from companion.referee.journal import Header
from companion.referee.record import Record
from companion.sim.robots import choose
from companion.sim.world import world_of

GAME = games.load("collectible")


def until_bidding(seats=4, seed=1, bid_seconds=20, bidders=3):
    """Play by phones until `bidders` seats may bid: the header of a ledger and its records."""
    rng = random.Random(seed)
    world = world_of(GAME, seats, {"auction": 2}, rng)
    header = Header(
        id="0190",
        at="2026-01-01T00:00:00Z",
        game="collectible",
        seats=seats,
        mode="ledger",
        bid_seconds=bid_seconds,
        options=dict(world.options),
        setup=msgspec.to_builtins(world.setup()),
    )
    state = GAME.setup(seats, header.options, world.setup())
    world.deal(state)
    records = []
    while not (state.block and not state.block.auction.bids and len(state.block.auction.bidders) >= bidders):
        action = choose(GAME, state, world, rng)
        facts = world.facts(state, action)
        after = GAME.play(state, action, facts)
        world.apply(state, action, after)
        state = after
        n = len(records) + 1
        records.append(Record(n=n, id=f"{n}", at=header.at, action=action, facts=facts, seat=action.seat, by="phone"))
    return header, records
