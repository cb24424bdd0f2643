"""COLLECTION!: what happens seldom, in every way in which it can: decks that end, scenarios completed, the end."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.collection.cards import Draw, Pass
from companion.games.collection.reports import CIRCLE, UseReport
from companion.games.collection.state import COLLECTORS
from tests.games.collection.situations import (
    COMPONENTS,
    COUNTRIES,
    GAME,
    crises,
    does,
    drew,
    gems,
    levels,
    play,
    scenario,
    situation,
)
from tests.games.collection.test_reporting import ALONE, roll

LEVELS = st.dictionaries(st.sampled_from([name for name in COLLECTORS if name != "DO"]), st.integers(0, 10))


@settings(max_examples=30)
@given(crisis=st.integers(1, 9), others=LEVELS, own=st.integers(2, 10), second=st.integers(0, 2))
def test_a_scenario_completed_even_at_crisis_nine_is_over_and_the_match_with_the_last_of_them(
    crisis: int, others: dict[str, int], own: int, second: int
) -> None:
    """7, I8, I9: crisis to 1, responses three lower, not below 0; won as soon as no active scenario is left."""
    a = scenario(crisis=crisis, levels={**others, "DO": own}, engaged={"DO": gems(1)}, reports=gems(3, 3, 3))
    b = (None, scenario(1, reports=COMPONENTS.need[COUNTRIES[1]]), scenario(1, crisis=9))[second]
    before, complete = situation(at=ALONE, a=a, b=b), second < 2
    state = roll(before, 1)
    if state.phase == "report":
        assert crisis >= 5
        state = play(state, UseReport(seat=1, use=CIRCLE))
    if state.outcome is None:
        assert not complete
        assert crises(state)[0] == 1
        assert levels(state) == {name: max(0, level - 3) for name, level in {**others, "DO": own}.items()}
        return
    assert complete
    assert (state.outcome.ending, state.outcome.winners, GAME.actors(state)) == ("victory", (1, 2, 3), ())


@settings(max_examples=20)
@given(turn=st.integers(1, 3), crisis=st.integers(7, 9), card=st.sampled_from(["crisis A +2", "crisis all +1"]))
def test_i9_a_crisis_that_reaches_ten_loses_at_once_in_whosever_turn(turn: int, crisis: int, card: str) -> None:
    state = situation(a=scenario(crisis=crisis), turn=turn)
    state = play(state, (Draw(seat=turn), drew(does(card))))
    assert (state.outcome is not None) == (crisis + int(card[-1]) >= 10)
    if state.outcome is not None:
        assert (state.outcome.ending, state.outcome.winners, GAME.actors(state)) == ("defeat", (), ())


@settings(max_examples=15)
@given(deck=st.integers(0, 2), held=st.integers(0, 3), draws=st.integers(1, 3))
def test_i12_a_deck_that_ends_is_made_anew_of_the_discards_alone(deck: int, held: int, draws: int) -> None:
    blue, calm = sorted(COMPONENTS.blue), does("die +1")
    mine = tuple(card for card in blue if card != calm)[:held]
    pool = [card for card in blue if card not in (*mine, calm)]
    state = situation(hands={2: mine}, deck=tuple(pool[:deck]))
    for n in range(draws):
        turn, there = state.turn, state.unseen & COMPONENTS.cards
        can_come = GAME.needs(state, Draw(seat=turn))[0].pieces
        assert can_come == (there or frozenset(state.discard))
        assert not can_come & set(mine)
        card = min(can_come & COMPONENTS.blue)
        state = play(state, (Draw(seat=turn), drew(card)))
        assert state.players[1].hand[: len(mine)] == mine
        state = play(state, Pass(seat=turn)) if state.phase == "close" else state
        assert state.turn != turn, n
