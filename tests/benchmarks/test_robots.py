"""The measurement of robots: its opponents stay as they were, and a stronger level wins."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

import pytest

from benchmarks import robots
from companion import games
from companion.rules.kernel import Action, AnyGame
from companion.sim.world import AnyWorld

FROZEN = {
    "collectible": "abcacd2b",
    "collection": "328b3531",
    "collectors": "b641c4e1",
    "five-cards-collector": "a07fb413",
    "karmic-collections": "4d2753e0",
}
"""What they decided in one match of each game, hashed, as it was before robots searched."""


@pytest.mark.parametrize("name", FROZEN)
def test_the_robots_of_then_play_as_they_did(name: str) -> None:
    """Their weights are copies, or those that a game still has: whoever changes these has to keep a copy."""
    done: list[Action] = []

    def player(game: AnyGame, state: object, world: AnyWorld, own: Sequence[Action], rng: random.Random) -> Action:
        done.append(robots.PLAYERS["before"](game, state, world, own, rng))
        return done[-1]

    robots.play(name, [player] * games.load(name).info.seats[0], "frozen")
    assert hashlib.sha256(repr(done).encode()).hexdigest()[:8] == FROZEN[name]


@pytest.mark.night
def test_a_seat_that_plays_as_the_others_wins_its_share() -> None:
    assert robots.share("karmic-collections", 2, 20, "normal", "normal", "tests").part == 0.5


@pytest.mark.night
@pytest.mark.parametrize(
    ("name", "player", "others"), [("collectors", "normal", "before"), ("karmic-collections", "easy", "random")]
)
def test_the_better_player_wins_most(name: str, player: str, others: str) -> None:
    assert robots.share(name, 2, 20, player, others, "tests").part >= 0.7


@pytest.mark.night
@pytest.mark.parametrize("name", robots.COMPETITIVE)
@pytest.mark.parametrize(("player", "others"), [("normal", "easy"), ("easy", "random")])
def test_each_level_beats_the_one_below(name: str, player: str, others: str) -> None:
    assert robots.share(name, 2, 60, player, others, "tests").part > 0.5


def test_every_goal_names_a_game_and_players_that_there_are() -> None:
    for name, player, others, seats in robots.GOALS:
        low, high = games.load(name).info.seats
        assert low <= seats <= high
        assert {player, others or player} <= robots.PLAYERS.keys()
