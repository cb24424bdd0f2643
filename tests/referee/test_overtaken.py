"""Two devices act at once: the second is told what happened meanwhile; nothing is done twice, or to another state."""

from __future__ import annotations

import pytest

from companion import games
from companion.bench.prepared import prepared
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Correct, Done, Play, Undo
from companion.referee.journal import Header
from companion.referee.referee import Referee
from companion.rules.kernel import Turns
from tests.referee.table import GAME, GOALS, piece


@pytest.fixture
def referee():
    setup = {"first": 1, "goals": GOALS[:3], "turned_up": [piece("Red moon")]}
    header = Header(id="0190", at="", game=GAME.info.name, seats=3, mode="ledger", setup=setup)
    return Referee(GAME, games.load_mat(GAME.info.name, 3), header, [])


def draw(seat, after=None):
    return Play(seat=seat, action=Nothing(seat=seat), after=after)


def test_what_was_seen_last_counts(referee):
    assert referee.command(draw(1, after=0)).ok
    assert referee.command(draw(2, after=1)).ok


def test_an_others_action_does_not_overtake_a_seats_own(referee):
    assert referee.command(draw(1, after=0)).ok
    assert referee.command(draw(2, after=0)).ok


def test_the_second_device_of_a_seat_is_told_what_the_first_did(referee):
    assert referee.command(draw(1, after=0)).ok
    reply = referee.command(Play(seat=1, action=Add(seat=1, card=piece("Red star")), after=0))
    assert not reply.ok
    assert reply.verdict.reason.startswith("somebody was quicker; meanwhile: ")
    assert "Look again" in reply.verdict.remedy
    assert referee.snapshot.record == 1


def test_what_the_host_steered_overtakes_everybody(referee):
    assert referee.command(Correct(edits=(Turns(2),), by="host")).ok
    assert not referee.command(draw(2, after=0)).ok
    assert referee.command(draw(2, after=1)).ok


def test_two_hosts_do_not_take_back_twice(referee):
    assert referee.command(draw(1)).ok
    assert referee.command(draw(2)).ok
    assert referee.command(Undo(after=2, by="host")).ok
    reply = referee.command(Undo(after=2, by="host"))
    assert not reply.ok
    assert reply.verdict.reason.endswith("meanwhile: Taken back: @2 does nothing")
    assert referee.command(Undo(after=3, by="host")).ok


def test_a_turn_is_not_ended_twice(referee):
    assert referee.command(Done(seat=1, after=0)).ok
    assert referee.command(Done(seat=2, after=0)).ok
    assert not referee.command(Done(seat=1, after=0)).ok


def test_who_does_not_say_what_was_seen_is_judged_by_the_rules_alone(referee):
    assert referee.command(draw(1)).ok
    assert not referee.command(draw(1)).ok


def test_what_the_table_does_in_any_order_overtakes_nobody():
    game = games.load("karmic-collections")
    header, steps = prepared(game, 4, 6)
    referee = Referee(game, games.load_mat(header.game, 4), header, [])
    dealt = [step for step in steps if step[0].seat == 0][:3]
    for action, facts in dealt:
        assert referee.command(Play(seat=0, action=action, facts=facts, after=0)).ok
    action, facts = dealt[0]
    assert not referee.command(Play(seat=0, action=action, facts=facts, after=0)).ok
