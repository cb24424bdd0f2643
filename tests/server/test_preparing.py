"""How a game is set up: every place where something lies then is in a step, and the pages show the steps."""

import random

import pytest

from companion import games
from companion.rules.kernel import TABLE
from companion.rules.layout import Back, Exactly, Loose, OneOf, Pile, Slots
from companion.server.preparing import steps
from companion.sim.world import world_of
from tests.server.played import GAMES, PlayedDesk
from tests.waiting import until


def begun(name, seats):
    """Return a match's layout when people are due for the first time."""
    game = games.load(name)
    world = world_of(game, seats, {}, random.Random(seats))
    state = game.setup(seats, {}, world.setup())
    world.deal(state)
    while game.actors(state) == (TABLE,):
        action = world.choices(state)[0]
        after = game.play(state, action, world.facts(state, action))
        world.apply(state, action, after)
        state = after
    return game.layout(state)


def lies(area):
    """Tell whether anything should lie in an area."""
    if isinstance(area, Loose):
        return bool(area.pieces or area.backs or area.unknown)
    places = area.places if isinstance(area, Slots) else (area.top,) if isinstance(area, Pile) else ()
    return any(isinstance(place, Exactly | OneOf | Back) for place in places)


@pytest.mark.parametrize("name", GAMES)
def test_all_that_lies_there_when_people_begin_is_in_a_step(name):
    low, high = games.load(name).info.seats
    preparing = games.load(name).info.preparing
    for seats in {low, high}:
        there = [zone for zone, area in begun(name, seats).zones.items() if lies(area)]
        assert there
        assert [zone for zone in there if not any(step.about(zone) for step in preparing)] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_step_marks_places_of_those_who_play(name):
    info = games.load(name).info
    for seats in range(info.seats[0], info.seats[1] + 1):
        mat = games.load_mat(name, seats)
        laid = steps(info.preparing, mat)["steps"]
        needed = [step for step in info.preparing if step.seats in (0, seats)]
        assert [step["words"] for step in laid] == [step.words for step in needed]
        for step, said in zip(laid, needed, strict=True):
            assert all(zone["x"] >= 0 and zone["x"] + zone["w"] <= mat.w for zone in step["zones"])
            assert bool(step["zones"]) == bool(said.zones)
            for stem in said.zones:
                assert any(zone.name == stem or zone.name.startswith((f"{stem}.", f"{stem}-")) for zone in mat.zones)


def test_what_two_players_do_is_told_two_players_only():
    info = games.load("collectible").info
    told = [len(steps(info.preparing, games.load_mat("collectible", seats))["steps"]) for seats in (2, 3)]
    assert told == [3, 2]


def test_the_steps_stand_on_a_page_of_their_own_until_the_first_record(client_of):
    desk = PlayedDesk("five-cards-collector", 3, mode="assist")
    desk.preparing = games.load("five-cards-collector").info.preparing
    client = client_of(desk)
    assert 'href="/setting-up"' in client.get("/").text
    page = client.get("/setting-up").text
    assert [step.words in page for step in desk.preparing] == [step.seats == 0 for step in desk.preparing]
    assert page.count('class="prepared"') == 3 + 1 + 1
    desk.step()
    until(lambda: 'href="/setting-up"' not in client.get("/").text)


def test_a_game_that_says_nothing_of_it_has_no_such_page(client_of):
    assert client_of(PlayedDesk("five-cards-collector", 3)).get("/setting-up").status_code == 404
