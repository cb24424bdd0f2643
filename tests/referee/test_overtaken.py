"""Two devices act at once: the second is told what happened meanwhile; nothing is done twice, or to another state."""

from __future__ import annotations

import pytest

from companion import games
from companion.bench.prepared import prepared
from companion.games.five_cards_collector.laying import Add
from companion.games.five_cards_collector.passing import Nothing
from companion.games.from_file.laying import Gather, Lay
from companion.games.from_file.saying import Claim, Enter, Out, RoundOver, Say
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


# ------------------------------------------------------------------------------------- what any seat may do at any time


def counting(name, seats):
    game = games.load(name)
    header = Header(id="0190", at="", game=name, seats=seats, mode="ledger", setup={"first": 1})
    return Referee(game, games.load_mat(name, seats), header, [])


def does(referee, action, after=None):
    return referee.command(Play(seat=action.seat, action=action, after=after))


@pytest.mark.parametrize(
    "late", [RoundOver(seat=2), RoundOver(seat=1), Out(seat=2), Enter(seat=2, what="points", amount=5)]
)
def test_who_has_not_seen_that_the_round_is_over_does_nothing_in_the_next(late):
    referee = counting("president", 3)
    assert does(referee, RoundOver(seat=1), 0).ok
    reply = does(referee, late, 0)
    assert reply.verdict.reason.startswith("somebody was quicker; meanwhile: Round 1 is over.")
    assert referee.state.number == 2
    assert does(referee, late, 1).ok


def test_who_was_out_last_ended_the_round_for_whoever_was_slower():
    referee = counting("president", 3)
    assert does(referee, Out(seat=1), 0).ok
    assert does(referee, Out(seat=2), 0).ok, "two go out at the same moment"
    assert "somebody was quicker" in does(referee, Out(seat=3), 0).verdict.reason


def test_two_seats_type_at_the_same_moment():
    referee = counting("cribbage", 2)
    for seat in (1, 2):
        assert does(referee, Enter(seat=seat, what="pegged", amount=2), 0).ok
    assert [one.score for one in referee.snapshot.standing.seats] == [2, 2]


def test_one_tap_on_two_phones_of_a_seat_is_counted_once():
    referee = counting("cribbage", 2)
    assert does(referee, Enter(seat=1, what="pegged", amount=2), 0).ok
    assert not does(referee, Enter(seat=1, what="pegged", amount=2), 0).ok


def test_a_trick_is_claimed_by_two_at_once_but_not_one_that_was_not_seen():
    referee = counting("spades", 4)
    for seat in (1, 2, 3, 4):
        assert does(referee, Say(seat=seat, what="bid", amount=3)).ok
    for n, cards in enumerate((("102", "103", "104", "105"), ("202", "203", "204", "205"))):
        turn = referee.state.now.turn
        for k, card in enumerate(cards):
            assert does(referee, Lay(seat=(turn - 1 + k) % 4 + 1, card=card)).ok
        assert does(referee, Gather()).ok
        if not n:
            first = referee.snapshot.record
    last = referee.snapshot.record
    assert "somebody was quicker" in does(referee, Claim(seat=1), first).verdict.reason
    assert does(referee, Claim(seat=1), last).ok
    assert does(referee, Claim(seat=2), last).ok
    assert referee.state.now.tricks[-1].winner == 2
