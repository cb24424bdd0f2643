"""Five Cards Collector with two players: passes, and who can't move (F8)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.five_cards_collector.drawing import Draw, Keep
from companion.games.five_cards_collector.passing import Nothing, Stuck
from companion.games.five_cards_collector.state import State
from companion.rules.hands import Hand
from companion.rules.kernel import Opened, RuleError
from tests.games.five_cards_collector.situations import GAME, card, discards, judge, pieces, play, situation

# With Collection 1 and a red star on top, none of these can be played.
DEAD = (
    *("blue leaf", "green moon", "green key", "green shell", "yellow moon"),
    *("yellow leaf", "violet moon", "violet leaf", "violet key"),
)


def cornered(**more: Any) -> State:
    """Seat 1 holds nine cards and has used its three passes."""
    return situation(2, **{"hands": (9, 5), "passes": {1: 3}, **more})


def opened(*words: str) -> tuple[Opened, ...]:
    return (Opened(place="open.1", pieces=pieces(*words)),)


def test_f8_doing_nothing_is_possible_three_times_a_game() -> None:
    state = situation(2)
    for done in range(3):
        assert state.players[0].passes == done
        state = play(state, Nothing(seat=1))
        state = play(play(state, Draw(seat=2)), Keep(seat=2))
    verdict = judge(state, Nothing(seat=1))
    assert (verdict.kind, verdict.rule) == ("illegal", "F8")
    assert "3 times" in verdict.reason
    assert Nothing(seat=1) not in GAME.legal(state)


def test_f8_who_has_no_pass_left_is_not_told_to_do_nothing() -> None:
    state = cornered()
    verdicts = [may.verdict for may in GAME.view(state, 1).may if not may.verdict.ok]
    empty = cornered(hands=(0, 5))
    verdicts += [may.verdict for may in GAME.view(empty, 1).may if not may.verdict.ok]
    verdicts += [judge(state, action) for action in (Draw(seat=1), Keep(seat=1), Nothing(seat=2))]
    dry = cornered(hands=(8, 0), unseen=DEAD[1:])
    dry = replace(dry, discard=dry.discard[-1:], used=())
    verdicts.append(judge(dry, Draw(seat=1)))
    assert "no card is left to draw" in verdicts[-1].reason
    assert all("nothing" not in verdict.remedy for verdict in verdicts)
    assert "or do nothing" in judge(situation(2), Keep(seat=1)).remedy


def test_f8_with_three_players_doing_nothing_has_no_limit() -> None:
    state = situation(3, hands=(5, 0, 5))
    for _ in range(5):
        state = play(state, Nothing(seat=1))
        state = play(play(state, Draw(seat=2)), Keep(seat=2))
        state = play(state, Nothing(seat=3))
    assert judge(state, Nothing(seat=1)).ok


def test_f8_keeping_a_drawn_card_uses_no_pass() -> None:
    state = play(play(situation(2), Draw(seat=1)), Keep(seat=1))
    assert state.players[0].passes == 0


def test_f8_who_can_make_no_move_loses() -> None:
    state = cornered()
    assert Stuck(seat=1) in GAME.legal(state)
    over = play(state, Stuck(seat=1), facts=opened(*DEAD))
    assert over.outcome is not None
    assert (over.outcome.winners, over.outcome.ending, over.outcome.rule) == ((2,), "stuck", "F8")
    assert over.players[0].hand == Hand(frozenset(pieces(*DEAD)), 0)


def test_f8_who_can_make_a_move_after_all_must() -> None:
    state = play(cornered(), Stuck(seat=1), facts=opened("red key", *DEAD[1:]))
    assert (state.outcome, state.turn, state.phase) == (None, 1, "turn")
    assert state.players[0].hand == Hand(frozenset(pieces("red key", *DEAD[1:])), 0)
    assert not judge(state, Nothing(seat=1)).ok
    assert judge(state, Stuck(seat=1)).kind == "inconsistent"
    assert play(state, discards("red key")).turn == 2


@pytest.mark.parametrize("special", ["draw-three", "view-hand"])
def test_f8_a_special_that_can_be_used_is_a_move(special: str) -> None:
    state = play(cornered(), Stuck(seat=1), facts=opened(special, *DEAD[1:]))
    assert state.outcome is None
    assert judge(cornered(hands=(8, 5), known={1: (special,)}), Stuck(seat=1)).kind == "inconsistent"


def test_f8_a_card_that_can_be_added_is_a_move() -> None:
    assert play(cornered(), Stuck(seat=1), facts=opened("green leaf", *DEAD[1:])).outcome is None


def test_f8_a_special_without_a_target_is_no_move() -> None:
    over = play(cornered(hands=(9, 0)), Stuck(seat=1), facts=opened("view-hand", *DEAD[1:]))
    assert over.outcome is not None


def test_having_no_legal_move_stands_out_only_where_the_hand_is_known_to_have_none() -> None:
    state = cornered()
    may = next(may for may in GAME.view(state, 1).may if may.name == "stuck")
    assert may.verdict.ok
    assert may.weight == "weak"
    assert "lose" in may.sure
    assert GAME.bears_out(state, Stuck(seat=1), frozenset(pieces(*DEAD)))
    assert not GAME.bears_out(state, Stuck(seat=1), frozenset(pieces(*DEAD[1:], "red key")))


def test_f8_stuck_is_for_two_players_without_passes() -> None:
    assert judge(situation(3), Stuck(seat=1)).rule == "F8"
    verdict = judge(cornered(passes={1: 2}), Stuck(seat=1))
    assert (verdict.kind, "(1 of 3 left)" in verdict.reason) == ("illegal", True)


def test_c9_a_claim_that_a_drawable_card_disproves_is_inconsistent() -> None:
    verdict = judge(cornered(hands=(8, 5)), Stuck(seat=1))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C9")
    assert "can draw" in verdict.reason


def test_c9_a_claim_that_a_known_card_disproves_is_inconsistent() -> None:
    verdict = judge(cornered(hands=(8, 5), known={1: ("red key",)}), Stuck(seat=1))
    assert (verdict.kind, "the red key" in verdict.reason) == ("inconsistent", True)


def test_c9_a_claim_that_no_hand_could_bear_out_is_inconsistent() -> None:
    verdict = judge(cornered(hands=(9, 0), unseen=("red key", *DEAD[1:])), Stuck(seat=1))
    assert (verdict.kind, "only 8" in verdict.reason) == ("inconsistent", True)


@pytest.mark.parametrize(
    "shown", [DEAD[:8], (*DEAD[:8], "red star"), (*DEAD[:8], "change-direction"), (*DEAD, "blue moon")]
)
def test_c9_cards_that_are_not_that_hand_are_inconsistent(shown: tuple[str, ...]) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.play(cornered(), Stuck(seat=1), opened(*shown))
    assert caught.value.verdict.kind == "inconsistent"


def test_c9_the_same_card_twice_is_inconsistent() -> None:
    with pytest.raises(RuleError, match="9 cards"):
        GAME.play(cornered(), Stuck(seat=1), (Opened(place="open.1", pieces=(card("blue leaf"),) * 9),))


def test_c9_a_known_card_must_be_among_those_laid_open() -> None:
    with pytest.raises(RuleError, match="the blue leaf"):
        GAME.play(cornered(hands=(8, 5), known={1: ("blue leaf",)}), Stuck(seat=1), opened(*DEAD[1:], "blue key"))


def test_f10_with_two_players_a_round_of_nothing_is_two_turns() -> None:
    assert GAME.actors(play(play(situation(2), Nothing(seat=1)), Nothing(seat=2))) == (0,)
