"""Robots of games from files: what they hold and may know, beside people and after a step back."""

import random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from companion import games
from companion.games.from_file import flow
from companion.games.from_file.bots import BOTS
from companion.games.from_file.laying import Place, Take
from companion.games.from_file.saying import Enter, RoundOver
from companion.games.from_file.state import Finished
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
        for _ in range(5):
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


def test_what_a_robot_planned_is_done_when_a_person_has_taken_another_seat():
    """It was dropped with what the person's seat should do: then a robot thought about each number it might type."""
    game, world, state = begun("rum-500", 2)
    world.persons = {1}
    while isinstance(action := world.choices(state)[0], Place):
        assert (action.seat, action.zone) == (2, "melds.2")
        state = step(game, world, state, action)
    assert action == Enter(seat=2, what="left", amount=action.amount)
    state = step(game, world, state, action)
    assert world.choices(state) == [], "the person types, too"
    state = step(game, world, state, Enter(seat=1, what="left", amount=17))
    assert world.choices(state) == [RoundOver(seat=2)]


def test_nobody_is_dealt_a_suit_that_they_did_not_follow_nor_what_was_shown():
    game, world, state = begun("oh-hell", 4)
    suit, proved, changed = game.components.suit, 0, 0
    for _ in range(150):
        state = step(game, world, state, world.choices(state)[-1])
        voids, before = {(who, suit) for who, suit, _ in state.now.voids}, world.save()
        dealt = world.dealt_anew(state, 1, random.Random(2))
        held = {(seat, suit(card)) for seat, hand in dealt["hands"].items() for card in hand if seat != 1}
        assert held.isdisjoint(voids)
        assert dealt["hands"][1] == before["hands"][1]
        assert not state.now.shown or dealt["deck"].index(state.now.shown) == before["deck"].index(state.now.shown)
        proved, changed = proved + len(voids), changed + (dealt["hands"] != before["hands"])
    assert proved > 20
    assert changed > 20


def test_partners_stand_alike_and_few_points_are_good_where_they_are():
    game, world, state = begun("spades", 4)
    state = replace(state, past=(Finished((), (100, 40)),))
    first, second, *partners = BOTS.value(game, state, world)
    assert partners == [first, second]
    assert first > second
    game, world, state = begun("hearts", 4)
    standing = BOTS.value(game, replace(state, past=(Finished((), (20, 3, 2, 1)),)), world)
    assert standing == sorted(standing)


def test_every_card_that_may_be_laid_in_a_row_is_a_choice_and_takes_the_most_it_can():
    game, world, state = begun("scopa", 2)
    while flow.phase(game.components, state) == "deal":
        state = step(game, world, state, world.choices(state)[0])
    choices, row = world.choices(state), game.components.score.row
    assert [action.card for action in choices] == world.hands[state.now.turn]
    taking = next(one for one in choices if world._captures(one.card, list(state.lies("row")), row))
    state = step(game, world, state, taking)
    while isinstance(world.choices(state)[0], Take):
        state = step(game, world, state, world.choices(state)[0])
    assert flow.comes_to(game.components, taking.card, state.now.capture)
