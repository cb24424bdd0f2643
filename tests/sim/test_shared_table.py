"""People's hands beside robots' on one simulated table, and a world that agrees with what people really took."""

import random

import pytest

from companion import games
from companion.sim.sandbox import SharedTable
from companion.sim.table import Spot, TableError
from companion.sim.world import agree, hidden_in, world_of

ELBOW = (450.0, 800.0)


def pass_time(table, seconds=6.0):
    for _ in range(int(seconds * 10)):
        table.advance(0.1)


@pytest.fixture
def table():
    made = SharedTable(1, lambda: 0.0)
    made.put("001", "F", 100, 100)
    return made


def test_a_robot_that_reaches_for_what_a_person_holds_gives_up(table):
    table.carry("001", Spot(300, 300), ELBOW, who=1)
    table.hold("001", Spot(200, 200), "F", ELBOW)
    pass_time(table)
    assert not table.busy
    table.release("001")
    assert (table.where("001").x, table.where("001").y) == (200, 200)
    assert "001" in table.take_moved()


def test_what_a_robot_has_in_the_hand_nobody_takes(table):
    table.carry("001", Spot(800, 100), ELBOW, who=1)
    while not table.look().held:
        table.advance(0.1)
    with pytest.raises(TableError, match="somebody else"):
        table.hold("001", Spot(200, 200), "F", ELBOW)


def test_a_piece_keeps_its_tag_in_peoples_hands_and_loses_it_in_a_robots(table):
    tag = table.tag_of("001")
    table.hold("001", Spot(200, 200), "B", ELBOW)
    table.release("001")
    table.fetch("001", Spot(300, 200), "B", ELBOW)
    pass_time(table)
    assert table.tag_of("001") == tag
    table.carry("001", Spot(100, 100), ELBOW, who=1)
    pass_time(table)
    assert table.tag_of("001") not in ("", tag)
    with pytest.raises(TableError):
        table.piece_of(tag)


def test_people_are_at_it_while_they_hold_something_and_a_moment_longer(table):
    assert not table.at_hand
    table.hold("001", Spot(200, 200), "F", ELBOW)
    pass_time(table)
    assert table.at_hand
    table.release("001")
    assert table.at_hand
    pass_time(table)
    assert not table.at_hand


def test_hidden_cards_change_places_and_others_stay(table):
    game = games.load("five-cards-collector")
    world = world_of(game, 2, {}, random.Random(1))
    world.deal(game.setup(2, {}, world.setup()))
    mine, top, before = world.hands[1][0], world.deck[-1], hidden_in(world)
    agree(world, [(mine, top)])
    assert (world.hands[1][0], world.deck[-1]) == (top, mine)
    agree(world, [(top, world.goals[0])])
    assert world.hands[1][0] == top
    assert hidden_in(world) == before


def test_how_long_people_have_been_quiet_is_told_by_their_own_clock():
    now = [100.0]
    table = SharedTable(1, lambda: now[0])
    table.put("001", "F", 100, 100)
    now[0] = 103.0
    assert table.quiet == 3.0
    table.hold("001", Spot(200, 200), "F", ELBOW)
    table.release("001")
    assert table.quiet == 0.0
    now[0] = 108.0
    table.stir()
    assert table.quiet == 0.0


def test_who_laid_a_card_in_the_row_may_take_while_it_is_anothers_turn():
    game = games.load("scopa")
    world = world_of(game, 2, {}, random.Random(1))
    state = game.setup(2, {}, world.setup())
    world.deal(state)
    while not world.takes_yet(state):
        state = game.play(state, action := world.choices(state)[0])
        world.apply(state, action, state)
    assert action.seat == world.takes_yet(state)
    assert game.actors(state) == (3 - action.seat,)
