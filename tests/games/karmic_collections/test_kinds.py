"""Karmic Collections: turns in every way in which they go: decks that end, tokens that flip, ten points, ties."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.karmic_collections.card_actions import Draw
from companion.games.karmic_collections.choosing import First, Partner, TurnUp
from companion.games.karmic_collections.ending import EndTurn
from companion.games.karmic_collections.setup import Lot
from companion.games.karmic_collections.spaces import SPACES
from companion.games.karmic_collections.state import State
from companion.rules.kernel import AnyFact, Need, Rolled, Shown
from tests.games.karmic_collections.situations import COMPONENTS, GAME, dice, play, points, situation
from tests.games.karmic_collections.test_turn import dealt


def given_fact(need: Need, data: st.DataObject) -> AnyFact:
    """Return what chance brings: a card that may come up, or dice."""
    if need.kind == "rolled":
        values = data.draw(st.lists(st.integers(1, need.sides), min_size=need.count, max_size=need.count))
        return Rolled(place=need.place, values=tuple(values))
    return Shown(place=need.place, piece=data.draw(st.sampled_from(sorted(need.pieces))))


def winners(scores: list[int], turn: int) -> tuple[int, ...]:
    """M7, counted apart from the rules: the highest of ten or more; a tie goes to the one whose turn it was."""
    best = tuple(seat for seat, score in enumerate(scores, 1) if score == max(scores) and score >= COMPONENTS.goal)
    return (turn,) if turn in best else best


@settings(max_examples=40)
@given(deck=st.integers(0, 3), coins=st.tuples(*[st.integers(4, 9)] * 3), data=st.data())
def test_m4_a_turn_that_was_begun_is_ended_and_m7_points_count_at_its_end_alone(
    deck: int, coins: tuple[int, ...], data: st.DataObject
) -> None:
    """A deck that ends amid a turn stops no action that was chosen; ten reached and lost again counts for nothing."""
    state = situation("A 3 5", "4 9 J", "2 7", coins=coins, deck=deck, phase="first", dice=((1, 2), (5,), (6,)))
    drawn = 0
    while state.phase != "end":
        assert state.outcome is None
        actions = sorted(GAME.legal(state), key=repr)
        assert actions, "who is due can always do something"
        action = data.draw(st.sampled_from(actions))
        drawn += isinstance(action, Draw)
        state = play(state, action, facts=tuple(given_fact(need, data) for need in GAME.needs(state, action)))
    assert len(state.unseen) == deck - drawn
    after = play(state, EndTurn(seat=1))
    assert (after.outcome.winners if after.outcome else ()) == winners(points(state), 1)
    assert after.players[0].up == {3}, "the partner's token turns down, and no other"


@settings(max_examples=25)
@given(turn=st.integers(1, 4), scores=st.tuples(*[st.integers(8, 11)] * 4))
def test_m7_the_highest_wins_in_whosever_turn_and_ties_go_to_that_one_or_are_shared(
    turn: int, scores: tuple[int, ...]
) -> None:
    state = situation(*("A 3 5",) * 4, coins=scores, dice=((),) * 4, phase="end", turn=turn, partner=turn % 4 + 1)
    after = play(state, EndTurn(seat=turn))
    assert (after.outcome.winners if after.outcome else ()) == winners(list(scores), turn)


@settings(max_examples=20)
@given(seats=st.integers(2, 5), data=st.data())
def test_m6_tokens_turn_down_one_after_another_and_up_all_at_once(seats: int, data: st.DataObject) -> None:
    """Nobody has anything, so that no action can be done, and a turn is only its partner (M5)."""
    state: State = situation(*("",) * seats, chits=(0,) * seats, dice=((),) * seats, phase="partner")
    paired: dict[int, set[int]] = {seat: set() for seat in state.seats}
    for _ in range(2 * seats * (seats - 1)):
        seat = state.turn
        everybody = set(state.seats) - {seat}
        assert state.players[seat - 1].up == everybody - paired[seat]
        if state.phase == "tokens":
            assert paired[seat] == everybody, "not before all of them are down"
            state, paired[seat] = play(state, TurnUp(seat=seat)), set()
        others = sorted(everybody - paired[seat])
        assert [action.partner for action in GAME.legal(state) if isinstance(action, Partner)] == others
        partner = data.draw(st.sampled_from(others))
        state = play(state, Partner(seat=seat, partner=partner))
        paired[seat].add(partner)
        state = play(state, EndTurn(seat=seat))


@settings(max_examples=20)
@given(deck=st.integers(0, 3))
def test_m4_an_action_is_chosen_only_if_the_deck_has_its_cards(deck: int) -> None:
    state = situation("A 3 5", "4 9 J", "2", deck=deck)
    for name, space in SPACES.items():
        drawing = sum(part.count for part in space.parts if (part.does, part.what) == ("gain", "card"))
        if drawing > deck:
            assert First(seat=1, space=name) not in GAME.legal(state)


@settings(max_examples=20)
@given(st.lists(st.sampled_from([(1, 2, 3), (4, 4, 6), (5, 5, 5)]), min_size=2, max_size=4))
def test_the_fewest_points_go_first_and_ties_for_last_are_decided_by_lot(rolls: list[tuple[int, ...]]) -> None:
    state = dealt(*("A 3 5",) * len(rolls), rolls=tuple(rolls))
    least = min(len(values) - len(set(values)) for values in rolls)
    last = tuple(seat for seat, values in enumerate(rolls, 1) if len(values) - len(set(values)) == least)
    assert GAME.actors(state) == last
    assert state.phase == ("partner" if len(last) == 1 else "lot")
    if len(last) > 1:
        chosen = [play(state, (Lot(seat=last[0]), dice(value))).turn for value in range(1, len(last) + 1)]
        assert tuple(chosen) == last
