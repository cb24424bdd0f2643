"""Where pieces may be laid, as the simulated table marks it: what the rules judge legal, and nothing else."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.sim.goals import DECK, goals
from companion.sim.robots import choose
from companion.sim.world import world_of

SEEN = {
    "collectible": {"auction", "discard"},
    "collection": {"cards", "space-a-do", "discard"},
    "collectors": {"treasure", "buy-1", "draw"},
    "five-cards-collector": {"collection", "discard"},
    "karmic-collections": {"partner", "deal-fates", "hand"},
}
"""Zones that must come up in a match, without their seats."""


@pytest.mark.parametrize("name", games.packages())
def test_what_may_be_laid_has_places_of_the_mat_and_only_who_is_due_has_any(name: str) -> None:
    game = games.load(name)
    seats, rng = game.info.seats[0], random.Random(4)
    zones = {zone.name for zone in games.load_mat(name, seats).zones}
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    open_ = {card.piece: "" for card in game.deck.cards if card.kind not in ("symbol", "special", "art", "collectable")}
    found: set[str] = set()
    for _ in range(60):
        for seat in range(1, seats + 1):
            hand = world.hands.get(seat, ())
            may = goals(game, state, seat, hand, open_)
            assert not may or seat in game.actors(state)
            assert set(may) <= {*hand, *open_, DECK}
            if DECK not in may:  # a card may come up where no zone is: before somebody who looks at it
                assert {zone for some in may.values() for zone, _ in some} <= zones
            found |= {zone.partition(".")[0] for some in may.values() for zone, _ in some}
        if not game.actors(state):
            break
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    assert SEEN[name] <= found


def test_a_pawn_that_lies_on_its_action_is_not_to_be_moved_again() -> None:
    game = games.load("karmic-collections")
    rng = random.Random(4)
    world = world_of(game, 2, {}, rng)
    state = game.setup(2, {}, world.setup())
    world.deal(state)
    while game.phase(state) != "second":
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    chooser = game.actors(state)[0]
    one, other = (f"P{state.turn}1", f"P{state.turn}2")
    lies = next(
        zone
        for zone, area in game.layout(state).zones.items()
        if one in getattr(getattr(area, "top", None), "pieces", ())
    )
    assert one not in goals(game, state, chooser, (), {one: lies, other: ""})
    assert other in goals(game, state, chooser, (), {one: lies, other: ""})
