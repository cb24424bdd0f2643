"""Robots beside people: everybody holds cards in time, and a step taken back leaves robots something to do."""

import random
from types import SimpleNamespace

import pytest

from companion import games
from companion.games.from_file import flow
from companion.games.from_file.saying import RoundOver
from companion.sim.performance import Performance
from companion.sim.world import world_of


def begun(name, seats=3):
    game, rng = games.load(name), random.Random(5)
    world = world_of(game, seats, {}, rng)
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    return game, world, state


def step(game, world, state, action):
    after = game.play(state, action, world.facts(state, action))
    world.apply(state, action, after)
    return after


@pytest.mark.parametrize("ends", [False, True])
def test_everybody_holds_cards_when_a_round_with_a_row_begins(ends):
    game, world, state = begun("scopa")
    if ends:  # by a person's phone, in the middle
        for _ in range(6):
            state = step(game, world, state, world.choices(state)[0])
        state = step(game, world, state, RoundOver(seat=3))
    while flow.phase(game.components, state) == "deal":
        state = step(game, world, state, world.choices(state)[0])
    assert all(len(hand) == 3 for hand in world.hands.values())
    assert state.now.laid == 4


def test_a_step_taken_back_while_the_row_is_laid_leaves_robots_something_to_do():
    game, world, state = begun("scopa")
    saved, before = world.save(), state
    state = step(game, world, state, world.choices(state)[0])
    step(game, world, state, world.choices(state)[0])
    world.restore(saved)
    assert world.choices(before)
    world.plan = []
    assert world.choices(before), "also if somebody else has crossed the plan"


@pytest.mark.parametrize(("holds", "waits"), [(True, True), (False, False)])
def test_robots_begin_hearts_unless_a_person_holds_the_card_that_is_played_first(holds, waits):
    game, world, state = begun("hearts", 4)
    first = next(seat for seat, hand in world.hands.items() if game.components.round.card in hand)
    person = first if holds else first % 4 + 1
    table = SimpleNamespace(persons={person}, world=world, state=state)
    assert Performance._waits_for(table, game.actors(state)) is waits
