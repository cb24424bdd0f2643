"""What the rules think plausible in each zone."""

import msgspec
import pytest

from companion import games
from companion.codes import BACK
from companion.referee import expecting
from companion.referee.expecting import plausible
from companion.rules.hands import Hand

GAME = games.load("five-cards-collector")


@pytest.fixture
def turn():
    """A match of two in which seat 1 is due, and nothing of its hand is known."""
    goal, other, *_, symbol = sorted(GAME.components.goals)[:2] + sorted(GAME.components.symbols)
    state = GAME.setup(2, {}, GAME.setup_type(goals=(goal, other), turned_up=(symbol,)))
    return state, symbol


def known(state, *pieces):
    """Return the state with a hand of seat 1 of which all is known."""
    first = msgspec.structs.replace(state.players[0], hand=Hand(frozenset(pieces), 0))
    return msgspec.structs.replace(state, players=(first, *state.players[1:]))


def test_what_lies_and_what_may_be_laid_is_plausible_in_every_zone(turn):
    state, symbol = turn
    twin = next(piece for piece in GAME.components.copies[symbol] if piece != symbol)
    expected = plausible(GAME, known(state, twin))
    assert expected["discard"] == {symbol, twin}
    assert expected["used"] == {BACK, twin}
    assert expected["goal.1"] == {state.players[0].goal, twin}
    assert expected["deck"] == {BACK, twin}


def test_an_expectation_of_nearly_everything_is_none(turn, monkeypatch):
    state, symbol = turn
    monkeypatch.setattr(expecting, "MOST", 0)
    expected = plausible(GAME, state)
    assert expected["discard"] == {symbol}
    assert expected["used"] == {BACK}
    assert "collection.1" not in expected


def test_what_may_be_turned_up_is_plausible():
    state = GAME.setup(2, {}, GAME.setup_type())
    coming = set(expecting.movable(GAME, state))
    assert coming == set(GAME.components.goals)
