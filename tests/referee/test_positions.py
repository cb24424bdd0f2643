"""What lies where, in words, and what a step back moves."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.referee.difference import FACE, mismatches
from companion.referee.history import History, HistoryError
from companion.referee.positions import Laid, back, lies
from companion.referee.record import Record
from companion.referee.words import Words
from companion.sim.robots import choose
from companion.sim.world import world_of


def played(name, seats, steps, seed=3):
    """Play a few sensible steps; give the game, its words and the history."""
    game, mat, rng = games.load(name), games.load_mat(name, seats), random.Random(seed)
    world = world_of(game, seats, {}, rng)
    history = History(game, game.setup(seats, {}, world.setup()))
    world.deal(history.state)
    for n in range(1, steps + 1):
        before = history.state
        if not game.actors(before):
            break
        action = choose(game, before, world, rng)
        facts = world.facts(before, action)
        history.append(Record(n=n, id=str(n), at="", seat=action.seat, action=action, facts=facts))
        world.apply(before, action, history.state)
    return game, Words(game.deck, mat), history


@pytest.mark.parametrize("name", games.packages())
def test_a_table_laid_by_its_layout_is_as_expected(name):
    game, _, history = played(name, games.load(name).info.seats[0] + 1, 60)
    for state in (history.first, *(past.state for past in history.active)):
        layout = game.layout(state)
        # A face that nobody has read yet can't be laid by name.
        assert {item for item in mismatches(layout, Laid(layout)) if item.piece != FACE} == set()


def test_a_step_back_says_what_goes_and_what_moves():
    game, words, history = played("five-cards-collector", 3, 40)
    last = history.active[-1].record.n
    assert back(game, words, history, last).steps == 0
    for n in (0, 10, last - 1):
        step = back(game, words, history, n)
        assert step.steps == len(step.goes) == last - n
        wrong = mismatches(
            game.layout(history.active[n - 1].state if n else history.first), Laid(game.layout(history.state))
        )
        assert step.moves == words.moves(wrong)
    assert back(game, words, history, 0).moves


def test_only_records_that_count_can_be_gone_back_to():
    game, words, history = played("five-cards-collector", 3, 10)
    with pytest.raises(HistoryError, match="record 11 can't be gone back to"):
        back(game, words, history, 11)
    history.append(Record(n=11, id="11", at="", kind="undo", steps=2))
    with pytest.raises(HistoryError, match="record 9 was taken back already"):
        back(game, words, history, 9)
    assert back(game, words, history, 8).steps == 0


def test_what_lies_where_names_every_open_piece_once():
    game, words, history = played("collectors", 3, 60)
    told = lies(words, game.layout(history.state))
    assert all(zone and things for zone, things in told)
    seen = Laid(game.layout(history.state))
    for zone in seen.zones:
        for piece, _ in seen.faces.get(zone, ()):
            assert any(words.piece(piece) in thing for place, things in told for thing in things), piece
