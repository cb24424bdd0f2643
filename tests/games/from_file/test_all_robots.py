"""Robots play every game from a file to its end, whatever the number of seats, and never stand still."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.games.from_file.more_scorers import TWENTY

TABLES = [
    (name, seats)
    for name in sorted(TWENTY)
    for seats in range(games.load(name).info.seats[0], games.load(name).info.seats[1] + 1)
]
STEPS = 30_000
"""No match has so many."""


def plays_to_its_end(name: str, seats: int, seed: str) -> None:
    game, rng = games.load(name), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    for _ in range(STEPS):
        if not game.actors(state):
            break
        action = choose(game, state, world, rng)  # IndexError where nobody has anything to do
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    outcome = game.standing(state).outcome
    assert outcome is not None
    assert outcome.winners


def test_there_are_twenty_games() -> None:
    assert sorted(TWENTY) == games.from_files()
    assert len(TWENTY) == 20


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_robots_play_a_game_to_its_end(name: str, seats: int) -> None:
    for match in range(3):
        plays_to_its_end(name, seats, f"{name} {seats} {match}")


@pytest.mark.night
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_robots_play_a_hundred_matches_to_their_end(name: str, seats: int) -> None:
    for match in range(100):
        plays_to_its_end(name, seats, f"{name} {seats} night {match}")
