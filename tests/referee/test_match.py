"""A match and its thread: what happens to those who tap just when it is taken down."""

from __future__ import annotations

import threading

import pytest

from companion import games
from companion.referee.commands import Name, Reply
from companion.referee.journal import Header
from companion.referee.match import Match
from tests.referee.table import GAME


@pytest.fixture
def match() -> Match:
    header = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")
    return Match(GAME, games.load_mat(GAME.info.name, 3), header, None)


def test_a_wish_to_a_match_that_was_put_away_is_turned_away_at_once(match: Match) -> None:
    match.start()
    assert match.answers(30)
    match.close()
    reply = match.command(Name(seat=1, name="Ada"), timeout=600)
    assert not reply.ok
    assert reply.verdict is not None
    assert reply.verdict.reason == "this match has been put away"


def test_a_wish_that_comes_in_while_a_match_is_put_away_is_answered(match: Match) -> None:
    """It lies in the queue behind what ends the match."""
    replies: list[Reply] = []
    match._post("stop", None)
    tapping = threading.Thread(target=lambda: replies.append(match.command(Name(seat=1, name="Ada"), timeout=600)))
    tapping.start()
    while match._inbox.qsize() < 2:
        assert tapping.is_alive()
    match.start()
    tapping.join(60)
    assert [reply.ok for reply in replies] == [False]


def test_a_match_that_has_ended_does_not_answer(match: Match) -> None:
    match.start()
    match.close()
    assert not match.answers(0.05)
