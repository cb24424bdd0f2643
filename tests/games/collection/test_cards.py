"""COLLECTION!: what collection cards do (I10), and the end of the match. One test a rule, named by it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.collection.cards import Choose, Draw, Pass, PlayCard
from companion.games.collection.effects import (
    ANY,
    CardEffect,
    ChangeCrisis,
    ChangeResponse,
    EffectError,
    FreeMoves,
    parse,
    printed,
)
from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.state import COLLECTORS, COLOURS, SCENARIOS, NewScenario, State
from tests.games.collection.situations import (
    EXPANSIONS,
    GAME,
    crises,
    does,
    drew,
    engagement,
    gems,
    judge,
    levels,
    play,
    refused,
    scenario,
    situation,
)


def effect(text: str) -> tuple[CardEffect, ...]:
    return parse(text, SCENARIOS, COLLECTORS, COLOURS)


def after(state: State, text: str) -> State:
    """Return a state after an effect in the turn of seat 1, as if a card had caused it."""
    then = GAME.settle(replace(state, pending=effect(text)))
    assert GAME.audit(then) == ()
    return then


BUSY = situation(
    a=scenario(crisis=5, levels={"DH": 4, "NSA": 10, "OSE": 0}, engaged={"DH": gems(2, 0, 1)}),
    b=scenario(1, crisis=8, levels={"DH": 6}),
)

# ------------------------------------------------------------------------------------------------------- vocabulary


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("crisis A +1", [6, 8, 0]),
        ("crisis A -2", [3, 8, 0]),
        ("crisis all +1", [6, 9, 0]),
        ("crisis C +1", [5, 8, 0]),
        ("crisis all -3", [2, 5, 0]),
        ("crisis B -9", [5, 1, 0]),
        ("expand A", [6, 8, 0]),
    ],
)
def test_crises_rise_and_fall_and_cards_may_lower_them_to_one(text: str, then: list[int]) -> None:
    assert crises(after(BUSY, text)) == then


@pytest.mark.parametrize(
    ("text", "a", "b"),
    [
        ("response DH A +1", {"DH": 5, "NSA": 10, "OSE": 0}, {"DH": 6}),
        ("response DH all -2", {"DH": 2, "NSA": 10, "OSE": 0}, {"DH": 4}),
        ("response NSA A +3", {"DH": 4, "NSA": 10, "OSE": 0}, {"DH": 6}),
        ("response OSE all -1", {"DH": 4, "NSA": 10, "OSE": 0}, {"DH": 6}),
        ("response STATE A +2", {"DH": 4, "NSA": 10, "OSE": 0}, {"DH": 6}),
        ("response DH C +1", {"DH": 4, "NSA": 10, "OSE": 0}, {"DH": 6}),
    ],
)
def test_i4_responses_stay_on_the_ladder_and_do_nothing_off_it(text: str, a: dict[str, int], b: dict[str, int]) -> None:
    state = after(BUSY, text)
    assert (levels(state), levels(state, "B")) == (a, b)


def test_i4_a_gem_put_down_by_a_card_places_the_coin() -> None:
    state = after(BUSY, "gem STATE A economic +2")
    assert (engagement(state, "STATE"), levels(state)["STATE"]) == (gems(0, 0, 2), 3)


def test_i4_a_coin_stays_when_the_last_gem_goes_and_is_not_placed_anew() -> None:
    state = after(after(BUSY, "gem DH A political -5"), "gem DH A economic -1")
    assert (engagement(state, "DH"), levels(state)["DH"]) == (gems(), 4)
    assert levels(play(state, Engage(seat=1, colour="political")))["DH"] == 4


def test_an_effect_on_an_inactive_scenario_or_where_nothing_fits_does_nothing() -> None:
    for text in ("gem DH C political +1", "response any C +1", "gem any B any -1", "crisis C +1"):
        assert after(BUSY, text) == BUSY, text


def test_extra_actions_are_used_at_once() -> None:
    card = does("action +1")
    state = play(
        replace(BUSY, actions=0, unseen=BUSY.unseen - {card}, players=with_hand(BUSY, card)),
        PlayCard(seat=1, card=card),
    )
    assert (state.phase, state.actions) == ("act", 1)
    assert refused(play(state, Engage(seat=1, colour="political")), Engage(seat=1, colour="political")).startswith("6:")


def test_an_extra_action_after_the_draw_brings_no_second_draw() -> None:
    card = does("action +1")
    state = play(BUSY, (Draw(seat=1), drew(card)), PlayCard(seat=1, card=card))
    assert (state.phase, state.actions) == ("close", 1)
    assert refused(state, Draw(seat=1)) == "6: the card of this turn has been drawn"
    assert play(state, Engage(seat=1, colour="political")).turn == 2
    assert play(state, Pass(seat=1)).turn == 2


def with_hand(state: State, *cards: str) -> tuple:  # type: ignore[type-arg]
    return (replace(state.players[0], hand=cards), *state.players[1:])


def test_a_free_move_is_one_move_by_the_rules_and_takes_no_action() -> None:
    state = after(BUSY, "move +2")
    assert state.phase == "free"
    assert {type(action) for action in GAME.legal(state)} == {Move}
    assert not judge(state, Move(seat=1, scenario="B", collector="DO")).ok
    state = play(state, Move(seat=1, scenario="B", collector="DH"))
    assert (state.phase, state.actions, state.pending) == ("free", 2, (FreeMoves(1),))
    state = play(state, Move(seat=1, scenario="B", collector="DO"))
    assert (state.phase, state.actions) == ("act", 2)


def test_a_bonus_die_waits_for_that_players_next_roll_and_a_skip_for_the_next_engage() -> None:
    assert after(after(BUSY, "die +1"), "die +2").players[0].dice == 3
    assert after(BUSY, "skip +1").players[0].skips == 1


# ---------------------------------------------------------------------------------------------------------- choices


def test_what_a_card_leaves_open_the_drawer_chooses() -> None:
    state = after(BUSY, "crisis any +1")
    assert state.phase == "choose"
    assert list(GAME.legal(state)) == [Choose(seat=1, scenario="A"), Choose(seat=1, scenario="B")]
    assert crises(play(state, Choose(seat=1, scenario="B"))) == [5, 9, 0]
    assert refused(state, Choose(seat=1, scenario="C")) == "I10: the card can't be about C now"
    assert refused(state, Choose(seat=2, scenario="A")) == "6: it is the turn of @1"
    assert not judge(state, Engage(seat=1, colour="political")).ok


def test_only_what_changes_something_can_be_chosen() -> None:
    state = after(BUSY, "response any A +1")
    assert [action.collector for action in GAME.legal(state)] == ["DH", "OSE"], "NSA is at 10, the others are off"


def test_where_one_choice_is_left_it_is_automatic() -> None:
    assert levels(after(BUSY, "response any B -1"), "B") == {"DH": 5}
    assert engagement(after(BUSY, "gem any any political -1"), "DH") == gems(1, 0, 1)


def test_clauses_happen_in_their_order() -> None:
    state = after(BUSY, "response any A -1; crisis any +1")
    assert state.pending == (ChangeResponse(-1, "A", ANY), ChangeCrisis(1, ANY))
    state = play(state, Choose(seat=1, scenario="A", collector="NSA"))
    assert (levels(state)["NSA"], state.phase) == (9, "choose")
    assert state.pending == (ChangeCrisis(1, ANY),)
    assert crises(play(state, Choose(seat=1, scenario="A"))) == [6, 8, 0]


def test_i11_an_expansion_that_opens_a_scenario_does_no_more() -> None:
    state = after(BUSY, "expand C")
    assert (state.phase, crises(state)) == ("open", [5, 8, 0])
    assert state.pending == (NewScenario("C"),)


# ---------------------------------------------------------------------------------------------------------- the end


def test_defeat_as_soon_as_a_crisis_reaches_ten() -> None:
    state = situation(a=scenario(crisis=9), b=scenario(1, crisis=2))
    state = play(state, (Draw(seat=1), drew(EXPANSIONS["A"][0])))
    assert state.outcome is not None
    assert (state.outcome.ending, state.outcome.winners, crises(state)) == ("defeat", (), [10, 2, 0])


def test_i8_a_completed_scenario_can_still_lose_the_match() -> None:
    state = situation(a=scenario(crisis=9, reports=gems(4, 3, 3)), b=scenario(1))
    assert after(state, "crisis all +1").outcome.ending == "defeat"  # type: ignore[union-attr]


def test_i9_both_at_once_is_defeat() -> None:
    state = situation(a=scenario(crisis=9, reports=gems(4, 3, 2)))
    both = (replace(state.scenarios[0], crisis=10, reports=gems(4, 3, 3)), *state.scenarios[1:])
    assert GAME.settle(replace(state, scenarios=both)).outcome.ending == "defeat"  # type: ignore[union-attr]


def test_i9_a_scenario_that_opens_takes_the_victory_away() -> None:
    state = situation(a=scenario(reports=gems(4, 3, 3)), b=scenario(1))
    assert after(state, "expand C").outcome is None


# --------------------------------------------------------------------------------------------------------- language


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no effect ''"),
        ("explode A +1", "there is no effect 'explode'; there are crisis"),
        ("crisis A", "it is written 'crisis <scenario> <+n or -n>'"),
        ("crisis D +1", "there is no scenario 'D'; there are A, B, C, any, all"),
        ("crisis A 1", "'1' is no number like +1 or -2"),
        ("crisis A +0", "'+0' is no number"),
        ("crisis A +²", "'+²' is no number"),
        ("crisis A +1; ", "there is no effect ''"),
        ("response CIA A +1", "there is no collector 'CIA'"),
        ("response all A +1", "there is no collector 'all'"),
        ("gem DH all political +1", "there is no scenario 'all'"),
        ("gem DH A blue +1", "there is no colour 'blue'"),
        ("action -1", "action takes a number above 0"),
        ("expand any", "there is no scenario 'any'"),
        ("expand A +2", "it is written 'expand <scenario>'"),
        ("expand A; crisis A +1", "does nothing else"),
    ],
)
def test_an_effect_that_is_not_in_the_language_is_refused(text: str, says: str) -> None:
    with pytest.raises(EffectError) as caught:
        effect(text)
    assert says in str(caught.value)


def test_an_effect_is_said_as_it_is_printed() -> None:
    said = printed(effect("gem any B political +2; response DH all -1; move +1"))
    assert said == (
        "Add 2 political gems to the space of a collector of your choice in B. "
        "The response of DH in all scenarios falls by 1. Make 1 free move now."
    )


# ------------------------------------------------------------------------------------------------- pages of a seat


@pytest.mark.parametrize(("actions", "asked"), [(2, "you still have 2 actions"), (1, "you still have 1 action,")])
def test_drawing_is_weak_and_asked_back_while_actions_are_left(actions: int, asked: str) -> None:
    may = next(may for may in GAME.view(situation(actions=actions), 1).may if may.name == "draw")
    assert may.weight == "weak"
    assert asked in may.sure


@pytest.mark.parametrize(("actions", "asked"), [(1, "you still have 1 action,"), (0, "")])
def test_going_on_is_weak_and_asked_back_while_a_card_has_left_an_action(actions: int, asked: str) -> None:
    """After "Overtime" one tap gave the action away, and the tip spoke of blue cards."""
    state = replace(situation(actions=actions, hands={1: (does("crisis B -1"),)}), phase="close", drawn=True)
    view = GAME.view(state, 1)
    may = next(may for may in view.may if may.name == "pass")
    assert (may.weight, asked in may.sure, bool(may.sure)) == ("weak" if actions else "", True, bool(actions))
    assert ("gave you more to do" in view.coach) == bool(actions)
    assert "given you more" not in GAME.view(state, 2).coach


def test_drawing_is_what_is_due_once_the_actions_are_used_up() -> None:
    may = next(may for may in GAME.view(situation(actions=0), 1).may if may.name == "draw")
    assert (may.weight, may.sure) == ("", "")


@pytest.mark.parametrize(
    ("text", "weight", "asked"), [("crisis C -1", "weak", "would change nothing now"), ("crisis B -1", "", "")]
)
def test_a_blue_card_that_would_change_nothing_is_weak_and_asked_back(text: str, weight: str, asked: str) -> None:
    state = situation(a=scenario(crisis=5), b=scenario(1, crisis=8), hands={1: (does(text),)})
    may = next(may for may in GAME.view(state, 1).may if may.name == "play")
    assert (may.weight, bool(may.sure)) == (weight, bool(asked))
    assert asked in may.sure
