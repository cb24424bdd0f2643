"""How far setting up and upkeep are, as everybody is told of it."""

import pytest

from companion.codes import BACK
from companion.rules.kernel import TABLE
from tests.referee.table import Table
from tests.sim.test_at_once import begun, turn


def test_at_the_set_up_it_is_counted_what_lies_there_and_listed_what_still_lacks():
    table = Table(top="Red moon")
    table.zones = {}
    laying = table.look().laying
    assert (laying.laid, laying.of) == (0, 5)
    assert {one.zone for one in laying.lacks} == {"deck", "discard", "goal.1", "goal.2", "goal.3"}
    table.zones = {"deck": [BACK]}
    laying = table.look().laying
    assert (laying.laid, laying.of) == (1, 5)


def test_a_card_that_is_to_lie_face_down_is_a_back_for_everybody():
    table = Table(top="Red moon")
    table.zones = {}
    (deck,) = [one for one in table.look().laying.lacks if one.zone == "deck"]
    assert (deck.piece, deck.down) == (BACK, True)


@pytest.mark.parametrize("name", ["collectors", "five-cards-collector", "karmic-collections"])
def test_upkeep_counts_up_to_what_came_when_it_is_over_nothing_is_listed(name):
    match = begun(name, 4)
    counted = []
    while match.game.actors(match.state) == (TABLE,) or not match.done:
        match.stage.rest()
        if match.game.actors(match.state) == (TABLE,):
            laying = match.referee.snapshot.laying
            assert laying is not None
            assert laying.laid < laying.of
            counted.append(laying)
        turn(match)
    assert match.referee.snapshot.laying is None
    assert counted
