"""State is the fold of the records, at every prefix; undo and redo are records too."""

import random

import pytest

from companion.games.five_cards_collector.bots import FiveCardsCollectorWorld
from companion.games.five_cards_collector.laying import Discard
from companion.games.five_cards_collector.passing import Nothing
from companion.games.five_cards_collector.state import Setup
from companion.referee.history import History, HistoryError
from companion.referee.journal import decode_record, encode_record
from companion.referee.record import Record
from companion.sim.robots import choose
from tests.referee.table import GAME, piece


def record(n, kind="action", **rest):
    return Record(n=n, id=f"{n}", at="2026-01-01T00:00:00Z", kind=kind, **rest)


def played(seed, actions):
    """Let robots play so many actions; give the history."""
    world = FiveCardsCollectorWorld(GAME, 3, {}, random.Random(seed))
    history = History(GAME, GAME.setup(3, {}, world.setup()))
    world.deal(history.state)
    for n in range(1, actions + 1):
        if not GAME.actors(history.state):
            break
        before = history.state
        action = choose(GAME, before, world, world.rng)
        history.append(record(n, action=action, facts=world.facts(before, action), seat=action.seat))
        world.apply(before, action, history.state)
    return history


@pytest.mark.parametrize("seed", range(5))
def test_the_fold_of_the_records_is_the_live_state_at_every_prefix(seed):
    live = played(seed, 60)
    again = History(GAME, live.first)
    for past in live.active:
        again.append(decode_record(encode_record(past.record), GAME.action_type))
        assert again.state == past.state


@pytest.mark.parametrize("steps", [1, 2, 7, 30])
def test_undo_then_redo_changes_nothing(steps):
    history = played(3, 40)
    state, count = history.state, history.count
    history.append(record(count + 1, "undo", steps=steps))
    assert history.state != state
    history.append(record(count + 2, "redo", steps=steps))
    assert history.state == state
    assert not history.undone


def test_undo_and_redo_fold_to_the_same_state_as_live():
    history = played(4, 30)
    lines = [past.record for past in history.active]
    for kind, steps in (("undo", 5), ("redo", 2), ("undo", 4)):
        one = record(history.count + 1, kind, steps=steps)
        history.append(one)
        lines.append(one)
    again = History(GAME, history.first)
    again.fold(lines)
    assert (again.state, again.dead, len(again.active)) == (history.state, history.dead, len(history.active))


def test_a_new_action_after_undo_ends_redo():
    history = played(5, 20)
    history.append(record(21, "undo", steps=1))
    before = history.state
    action = next(one for one in GAME.legal(before) if one == GAME.tacit(before) or isinstance(one, Nothing))
    history.append(record(22, action=action, seat=action.seat))
    with pytest.raises(HistoryError, match="nothing was taken back"):
        history.append(record(23, "redo", steps=1))


def test_more_can_t_be_undone_than_was_done():
    history = played(6, 10)
    with pytest.raises(HistoryError, match="there are 10 to undo, not 11"):
        history.append(record(11, "undo", steps=11))
    assert history.count == 10


def test_a_record_out_of_order_is_refused():
    with pytest.raises(HistoryError, match="can't follow"):
        played(7, 3).append(record(9, "end"))


def start():
    goals = tuple(piece(f"Collection {n}") for n in (1, 2, 3))
    return History(GAME, GAME.setup(3, {}, Setup(goals=goals, turned_up=(piece("Red moon"),))))


def test_a_card_once_seen_stays_known_after_undo_c4():
    history = start()
    history.append(record(1, action=Discard(seat=1, card=piece("Red key")), seat=1))
    history.append(record(2, "undo", steps=1))
    assert history.state.players[0].hand.known == {piece("Red key")}


def test_what_an_earlier_undo_showed_stays_known_through_a_later_one_c4():
    history = start()
    history.append(record(1, action=Discard(seat=1, card=piece("Red key")), seat=1))
    history.append(record(2, action=Discard(seat=2, card=piece("Red leaf")), seat=2))
    history.append(record(3, "undo", steps=1))
    history.append(record(4, "undo", steps=1))
    known = [player.hand.known for player in history.state.players]
    assert known[0] == {piece("Red key")}
    assert known[1] == {piece("Red leaf")}


def alternating(times):
    """A history in which one step is taken back and done again so many times, and how much was recalled for that."""
    history, recalled = played(3, 40), []
    history.game = Counting(recalled)
    for n in range(times):
        history.append(record(history.count + 1, "undo", steps=1 + n % 30))
        history.append(record(history.count + 1, "redo", steps=1 + n % 30))
    assert history.state == history.active[-1].state
    for steps in (1, 2, 1):
        history.append(record(history.count + 1, "undo", steps=steps))
        assert history.state is not None
    return recalled


class Counting:
    """The game, which notes how many records it has to recall something of."""

    def __init__(self, recalled):
        self.recalled = recalled

    def __getattr__(self, name):
        return getattr(GAME, name)

    def recall(self, state, undone):
        self.recalled.append(len(undone))
        return GAME.recall(state, undone)


def test_going_back_and_forth_costs_no_more_the_oftener_it_is_done():
    assert sum(alternating(400)) == sum(alternating(40)) < 40
