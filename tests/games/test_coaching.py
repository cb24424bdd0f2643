"""The sentences for first matches: every step of every game has one, and no two choices read the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion import games
from companion.games import collectible, collection, collectors, five_cards_collector
from companion.games import karmic_collections as karmic
from companion.games.karmic_collections.spaces import AUTOMATIC, STEPS
from companion.rules.kernel import TABLE, Hole
from companion.sim.robots import choose
from companion.sim.world import world_of

SAID_BY_CODE = (("karmic-collections", "second"), ("collectible", "reveal"))
"""Phases whose sentence names a seat, or has numbers of the deck in it."""
LONGEST = 150
"""Characters that a newcomer reads at a glance: four lines on a small phone."""


def match(name: str, seats: int = 3, seed: int = 5) -> tuple[Any, Any, Any, random.Random]:
    game, rng = games.load(name), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    return game, world, state, rng


@pytest.mark.parametrize("name", games.packages())
def test_every_step_has_its_sentence(name: str) -> None:
    for phase, told in games.load(name).phases.items():
        assert phase == "over" or (name, phase) in SAID_BY_CODE or 20 < len(told.coach) <= LONGEST, phase


def test_every_step_of_an_action_of_karmic_collections_has_its_sentence() -> None:
    steps = {step.does for space in STEPS.values() for step in space}
    assert steps - AUTOMATIC < set(karmic.GAME.phases)


@pytest.mark.parametrize("name", games.packages())
def test_whoever_is_due_is_told_something_else_than_who_waits(name: str) -> None:
    game, world, state, rng = match(name)
    told: set[str] = set()
    for _ in range(160):
        due = game.actors(state)
        if not due:
            break
        views = {seat: game.view(state, seat) for seat in range(TABLE, 4)}
        assert views[TABLE].coach == ""
        waiting = {views[seat].coach for seat in range(1, 4) if seat not in due}
        for seat in due:
            words = views[seat].coach if seat else next(iter(waiting))
            assert words.endswith(".")
            assert words[0].isupper()
            assert 20 < len(words) <= LONGEST
            assert seat == TABLE or words not in waiting
            told.add(words)
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    assert len(told) >= 4


@pytest.mark.parametrize("name", games.packages())
def test_no_two_choices_of_a_kind_read_the_same(name: str) -> None:
    game, world, state, rng = match(name)
    seen = 0
    for _ in range(160):
        due = [seat for seat in game.actors(state) if seat]
        for may in (may for seat in due for may in game.view(state, seat).may if len(may.actions) > 1):
            assert len(may.labels) == len(may.actions)
            read = [
                (label, tuple(v.words if isinstance(v, Hole) else v for n, v in _fields(action) if n in SHOWN))
                for label, action in zip(may.labels, may.actions, strict=True)
            ]
            assert len(set(read)) == len(read), may.name
            seen += 1
        if not game.actors(state):
            break
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        state = after
    assert seen > 5


SHOWN = ("card", "bottle", "amount")
"""Fields that a page shows by themselves: cards as pictures, amounts as numbers."""


def _fields(action: Any) -> list[tuple[str, Any]]:
    return [(name, getattr(action, name)) for name in action.__struct_fields__]


@pytest.mark.parametrize("name", games.packages())
def test_hands_that_nobody_sees_are_known_by_the_cards_they_may_hold(name: str) -> None:
    game, world, state, _ = match(name)
    held = {piece for hand in world.hands.values() for piece in hand}
    holds = game.view(state, 1).holds
    assert held <= holds
    if name in ("collection", "karmic-collections"):
        assert holds == frozenset()
    else:
        assert len(holds) > 50


def test_a_match_that_is_over_needs_no_coach() -> None:
    game, _, state, _ = match("five-cards-collector")
    assert game.view(game.end(state), 1).coach == ""


def test_all_five_games_are_here() -> None:
    assert {module.GAME for module in (collectible, collection, collectors, five_cards_collector, karmic)} == {
        type(games.load(name)) for name in games.packages()
    }
