"""What is due at the same time is laid at the same time, and understood whatever order it is read in."""

import random

import msgspec

from companion import games
from companion.referee.journal import Header, new_id, now
from companion.sim.camera_stage import Carrier
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import Report
from companion.sim.resumable import Resumable
from companion.sim.robots import choose
from companion.sim.stage import HAND, Move, ViewStage, independent
from companion.sim.table import SimTable
from companion.sim.world import world_of
from tests.server.hands import HandsDesk


def begun(name: str, seats: int) -> Rehearsal:
    """Lay a match of robots out, without a camera; its stage notes how many pieces were carried at a time."""
    game, mat, rng = games.load(name), games.load_mat(name, seats), random.Random("pace")
    world = world_of(game, seats, {}, rng)
    setup = msgspec.to_builtins(world.setup())
    referee = Resumable(game, mat, Header(id=new_id(), at=now(), game=name, seats=seats, setup=setup))
    match = Rehearsal(game, world, referee, ViewStage(mat, referee.on_view, rng), rng, Report())
    match.stage.prepare(match._moves())
    return match


def turn(match: Rehearsal) -> int:
    before = len(match.done)
    match._turn(choose(match.game, match.state, match.world, match.rng))
    return len(match.done) - before


def test_each_of_several_seats_that_are_due_does_it_and_all_of_upkeep_is_one_turn():
    match = begun("collectors", 4)
    assert turn(match) == 4
    assert turn(match) == len(match.referee.records()) - 4 > 10
    assert match.game.actors(match.state) != (0,)


def test_what_was_done_at_once_is_followed_in_the_order_in_which_it_was_understood():
    match = begun("collectors", 4)
    turn(match), turn(match)
    assert [action for action, _ in match.done] == [record.action for record in match.referee.records()]
    assert match.state == match.referee.state
    assert match._moves() == []
    match._go_back(9)
    again = {zone: [one.piece for one in pile] for zone, pile in match.stage.books.items()}
    put_back = [move for move in match._moves() if move.source != "deck"]
    assert {move.piece for move in put_back} == {again[move.source][0] for move in put_back}
    assert {move.target for move in put_back} == {"deck"}


def test_a_card_that_goes_on_from_where_it_came_up_is_shown_alone():
    match = begun("five-cards-collector", 5)
    while match.game.actors(match.state) == (0,):
        turn(match)
        shown = [fact.place for _, facts in match.done for fact in facts]
        assert len(match._laid[0]) <= 6
    assert shown.count("discard") >= 1


def test_many_hands_lay_out_a_dozen_cards_in_less_than_three_seconds_and_leave():
    mat = games.load_mat("collectors", 4)
    table = SimTable(1)
    carrier = Carrier(table, mat)
    deck = mat.zone("deck").rect.centre
    pools = [zone.name for zone in mat.zones if "-pool-" in zone.name][:12]
    for n in range(12):
        table.put(f"{n}", "B", *deck)
    moves = [Move(f"{n}", "deck", zone, "F") for n, zone in enumerate(pools)]
    carrier.make_room(moves)
    carrier.send_many(moves)
    for _ in range(29):
        table.advance(0.1)
    assert not table.busy
    assert table.look().hands == ()
    assert {mat.zone_at(one.x, one.y).name for one in table.pieces()} == set(pools)


def test_what_goes_where_something_else_comes_from_is_not_laid_at_once():
    assert independent([Move("a", "deck", "one", "F"), Move("b", "deck", "two", "F"), Move("c", "three", HAND, "F")])
    assert not independent([Move("a", "one", "two", "F"), Move("b", "two", "three", "F")])


def test_a_robot_lets_everybody_see_what_a_person_did_before_it_acts(monkeypatch):
    desk = HandsDesk("collectible")
    robots, table = desk.performance, desk.table
    robots.persons.clear()
    acted = []
    monkeypatch.setattr(robots, "_act", lambda action: acted.append(table.time))
    monkeypatch.setattr(robots, "_waits_for", lambda actors: False)
    monkeypatch.setattr(robots, "_people_busy", lambda: False)
    monkeypatch.setattr(robots._live, "wait", lambda: table.advance(0.1))
    robots.saw_person()
    robots._next_step()
    robots._next_step()
    first, then = acted
    assert 3.0 <= first <= 4.0
    assert then - first <= 1.3
