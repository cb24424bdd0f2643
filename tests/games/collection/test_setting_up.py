"""COLLECTION!: roles, the first scenario, the pawns, and the order of play. One test a rule, named by it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.collection.cards import Draw, Pass, PlayCard
from companion.games.collection.moving import Move
from companion.games.collection.setup import OpenScenario, Start, TakeRole
from companion.games.collection.state import COLLECTORS, Setup, State
from companion.rules.kernel import UNKNOWN, RuleError, Shown
from tests.games.collection.situations import (
    COMPONENTS,
    EXPANSIONS,
    GAME,
    ROLES,
    crises,
    does,
    drew,
    judge,
    opened,
    play,
    refused,
    scenario,
    situation,
)


def take(*roles: str) -> list[TakeRole]:
    return [TakeRole(seat=seat, role=role) for seat, role in enumerate(roles, 1)]


def table(seats: int = 3) -> State:
    """Return a match in which all roles are chosen."""
    return GAME.setup(seats, {}, Setup(first=2, roles=ROLES[seats]))


# ------------------------------------------------------------------------------------------------------------- roles


def test_three_to_seven_players() -> None:
    for seats in range(3, 8):
        assert len(GAME.setup(seats, {}, Setup()).players) == seats
    for seats in (2, 8):
        with pytest.raises(RuleError, match="can't play this"):
            GAME.setup(seats, {}, Setup())


def test_options_and_the_first_player_have_to_fit() -> None:
    assert GAME.setup(3, {"first": 2}, Setup(first=3)).turn == 2
    for options, setup, says in [
        ({"dice": 2}, Setup(), "no option 'dice'"),
        ({"first": 4}, Setup(), "no seat 4"),
        ({}, Setup(first=9), "no seat 9"),
        ({}, Setup(roles=("political",)), "1 role for 3 players"),
    ]:
        with pytest.raises(RuleError, match=says):
            GAME.setup(3, options, setup)


def test_c7_roles_are_chosen_in_any_order() -> None:
    state = GAME.setup(3, {}, Setup())
    assert GAME.actors(state) == (1, 2, 3)
    state = play(state, TakeRole(seat=3, role="political"), TakeRole(seat=1, role="economic"))
    assert GAME.actors(state) == (2,)
    assert [action.role for action in GAME.legal(state)] == ["military"]
    assert play(state, TakeRole(seat=2, role="military")).phase == "open"


def test_there_can_be_only_one_of_each_kind_of_role() -> None:
    state = play(GAME.setup(5, {}, Setup()), TakeRole(seat=1, role="targeting"))
    said = refused(state, TakeRole(seat=2, role="targeting"))
    assert said == "2.1: @1 is the Targeting Analyst, and there is only one of each kind"
    assert refused(state, TakeRole(seat=1, role="military")) == "2.1: @1 is the Targeting Analyst already"
    with pytest.raises(RuleError, match="only one of each kind"):
        GAME.setup(3, {}, Setup(roles=("political", "political", "economic")))


def test_three_roles_are_mandatory() -> None:
    state = play(GAME.setup(5, {}, Setup()), *take("leadership", "targeting"))
    said = refused(state, TakeRole(seat=3, role="weapons"))
    assert said.startswith("2.1: the Political Analyst, the Military Analyst and the Economic Analyst are needed")
    with pytest.raises(RuleError, match="the Economic Analyst is needed in every match, and nobody else is left"):
        GAME.setup(4, {}, Setup(roles=("political", "military", "collection", "targeting")))


def test_with_three_players_each_has_a_mandatory_role() -> None:
    roles = {action.role for action in GAME.legal(GAME.setup(3, {}, Setup()))}
    assert roles == set(ROLES[3])


def test_i13_with_four_players_the_fourth_is_the_collection_analyst() -> None:
    state = GAME.setup(4, {}, Setup())
    assert {action.role for action in GAME.legal(state)} == set(ROLES[4])
    assert refused(state, TakeRole(seat=1, role="targeting")).startswith("I13: with four players the fourth is the")


def test_i13_five_or_more_choose_from_all_optional_roles() -> None:
    for fourth in ("collection", "leadership", "weapons", "targeting"):
        fifth = "weapons" if fourth != "weapons" else "targeting"
        assert play(GAME.setup(5, {}, Setup()), *take(*ROLES[3], fourth, fifth)).phase == "open"


def test_a_refused_role_comes_with_those_that_may_be_chosen() -> None:
    state = play(GAME.setup(4, {}, Setup()), TakeRole(seat=1, role="political"))
    remedy = judge(state, TakeRole(seat=2, role="political")).remedy
    assert remedy == "Choose Military Analyst, Economic Analyst or Collection Analyst."
    state = play(GAME.setup(5, {}, Setup()), *take("political", "leadership", "targeting"))
    remedy = judge(state, TakeRole(seat=4, role="targeting")).remedy
    assert remedy == "Choose Military Analyst or Economic Analyst.", "both are needed, and two seats are left"
    assert judge(state, TakeRole(seat=4, role="spy")).remedy == "Choose military or economic."


def test_a_role_that_does_not_exist_can_not_be() -> None:
    verdict = judge(GAME.setup(3, {}, Setup()), TakeRole(seat=1, role="spy"))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "2.1")


# ------------------------------------------------------------------------------------------------ scenarios, pawns


def test_the_top_scenario_card_goes_to_scenario_a_and_a_crisis_gem_to_level_one() -> None:
    state = table()
    assert GAME.actors(state) == (0,)
    assert refused(state, OpenScenario(scenario="B")) == "4: the card is for scenario A, not B"
    state = play(state, (OpenScenario(scenario="A"), opened("A", 3)))
    assert crises(state) == [1, 0, 0]
    assert state.phase == "start"


def test_a_card_that_can_not_have_come_up_is_inconsistent() -> None:
    for fact in ((), (Shown(place="scenario-a", piece=UNKNOWN),), (Shown(place="scenario-a", piece=does("die +1")),)):
        with pytest.raises(RuleError) as caught:
            GAME.play(table(), OpenScenario(scenario="A"), fact)
        assert caught.value.verdict.kind == "inconsistent"


def test_i3_every_player_starts_on_a_space_of_their_choice_in_scenario_a() -> None:
    state = play(table(), (OpenScenario(scenario="A"), opened("A", 0)))
    assert {action.collector for action in GAME.legal(state) if action.seat == 3} == set(COLLECTORS)
    state = play(state, Start(seat=3, collector="OSE"), Start(seat=1, collector="DH"))
    assert refused(state, Start(seat=1, collector="DO")) == "I3: the pawn of @1 stands on the board already"
    pawn = COMPONENTS.roles[ROLES[3][1]].pawn
    (meant,) = GAME.meant_by(state, pawn, "space-b-dh")
    said = refused(state, meant)
    assert said == "I3: every pawn starts in scenario A, not in scenario B", "laid on B it is no start on A"
    state = play(state, Start(seat=2, collector="DH"))
    assert (state.turn, state.phase, state.actions) == (2, "act", 2), "then whoever wanted to go first begins"


def test_the_first_crisis_expansion_of_a_scenario_opens_it() -> None:
    state = play(situation(), (Draw(seat=1), drew(EXPANSIONS["B"][0])))
    assert GAME.actors(state) == (0,)
    state = play(state, (OpenScenario(scenario="B"), opened("B", 4)))
    assert crises(state) == [1, 1, 0], "I11: at level one, and no more"
    assert (state.turn, state.phase) == (2, "act")


def test_a_later_crisis_expansion_raises_the_crisis() -> None:
    state = situation(b=scenario(1, crisis=4))
    assert crises(play(state, (Draw(seat=1), drew(EXPANSIONS["B"][0])))) == [1, 5, 0]


# -------------------------------------------------------------------------------------------------- order of play


def test_two_actions_a_turn_then_a_card() -> None:
    state = play(situation(), Move(seat=1, scenario="A", collector="DO"), Move(seat=1, scenario="A", collector="OSE"))
    assert refused(state, Move(seat=1, scenario="A", collector="DH")) == "6: @1 has no action left"
    assert list(GAME.legal(state)) == [Draw(seat=1)]
    assert play(state, (Draw(seat=1), drew(does("crisis A +2")))).turn == 2


def test_i13_a_seat_may_stop_before_its_first_or_second_action_and_draws() -> None:
    assert play(situation(), (Draw(seat=1), drew(does("crisis A +2")))).turn == 2
    state = play(situation(), Move(seat=1, scenario="A", collector="DO"), (Draw(seat=1), drew(does("crisis A +2"))))
    assert (state.turn, state.actions, crises(state)) == (2, 2, [3, 0, 0])


def test_play_goes_on_clockwise() -> None:
    state = situation(turn=3)
    assert play(state, (Draw(seat=3), drew(does("crisis A +2")))).turn == 1


def test_nobody_acts_out_of_turn() -> None:
    for action in (Move(seat=2, scenario="A", collector="DO"), Draw(seat=2), Pass(seat=2)):
        assert refused(situation(), action) == "6: it is the turn of @1"
    assert judge(situation(), Draw(seat=9)).kind == "inconsistent"


def test_move_goes_between_two_collectors_of_a_scenario() -> None:
    state = play(situation(at=("NSA", "DH", "DH")), Move(seat=1, scenario="A", collector="OSE"))
    assert state.players[0].collector == COLLECTORS.index("OSE")


def test_move_goes_between_the_same_collector_in_two_scenarios() -> None:
    state = situation(c=scenario(2))
    assert play(state, Move(seat=1, scenario="C", collector="DH")).players[0].scenario == 2
    said = refused(state, Move(seat=1, scenario="C", collector="DO"))
    assert said == "6: from DH in A to DO in C is two moves"


def test_move_does_not_stay_where_it_is() -> None:
    assert refused(situation(), Move(seat=1, scenario="A", collector="DH")) == "6: @1 stands on DH in A already"


def test_i3_moving_into_a_scenario_that_is_not_active_is_illegal() -> None:
    assert refused(situation(), Move(seat=1, scenario="B", collector="DH")) == "I3: scenario B is not active"
    verdict = judge(situation(), Move(seat=1, scenario="B", collector="DH"))
    assert verdict.remedy == "Stay in scenario A.", "it stands alone, large, on the table page"
    for place in ({"scenario": "D", "collector": "DH"}, {"scenario": "A", "collector": "MI6"}):
        assert judge(situation(), Move(seat=1, **place)).kind == "inconsistent"


# -------------------------------------------------------------------------------------------------- held cards


def test_a_red_card_is_played_immediately() -> None:
    card = does("crisis all +1")
    state = play(situation(b=scenario(1, crisis=3)), (Draw(seat=1), drew(card)))
    assert crises(state) == [2, 4, 0]
    assert state.discard == (card,)


def test_i14_a_blue_card_comes_to_lie_before_its_player() -> None:
    card = does("crisis A -1")
    state = play(situation(a=scenario(crisis=5)), (Draw(seat=1), drew(card)))
    assert state.players[0].hand == (card,)
    assert (state.phase, crises(state)) == ("close", [5, 0, 0])


def test_a_blue_card_can_be_played_immediately() -> None:
    card = does("crisis A -1")
    state = play(situation(a=scenario(crisis=5)), (Draw(seat=1), drew(card)), PlayCard(seat=1, card=card))
    assert (state.turn, crises(state), state.discard) == (2, [4, 0, 0], (card,))


def test_a_blue_card_can_be_held_and_played_during_a_later_turn() -> None:
    card = does("crisis A -1")
    state = play(situation(a=scenario(crisis=5)), (Draw(seat=1), drew(card)), Pass(seat=1))
    assert state.turn == 2
    assert refused(state, PlayCard(seat=1, card=card)) == "6: it is the turn of @2"
    assert refused(state, PlayCard(seat=2, card=card)) == f"6: {COMPONENTS.name(card)} belongs to @1"
    assert judge(state, PlayCard(seat=2, card=does("die +1"))).kind == "inconsistent"
    gone = replace(state, discard=(*state.discard, does("die +1")), unseen=state.unseen - {does("die +1")})
    said = refused(gone, PlayCard(seat=2, card=does("die +1")))
    assert said.startswith("6: ")
    assert said.endswith("lies in the discard pile and has been played"), "C2: it can be taken from there"
    assert list(GAME.meant_by(gone, does("die +1"), "cards.2")) == [PlayCard(seat=2, card=does("die +1"))]
    state = play(state, (Draw(seat=2), drew(does("crisis A +2"))), (Draw(seat=3), drew(does("crisis B +2"))))
    state = play(state, PlayCard(seat=1, card=card))
    assert (crises(state), state.actions) == ([6, 0, 0], 2), "playing a card is no action"


def test_i12_held_cards_are_without_limit() -> None:
    hand = tuple(sorted(COMPONENTS.blue))
    state = situation(hands={1: hand[:-1]})
    assert len(play(state, (Draw(seat=1), drew(hand[-1]))).players[0].hand) == 36


def test_i12_an_empty_deck_is_made_anew_of_the_discards_and_held_cards_stay_held() -> None:
    held, top = does("die +1"), does("crisis A +2")
    state = situation(hands={2: (held,)}, deck=())
    assert held not in GAME.needs(state, Draw(seat=1))[0].pieces
    state = play(state, (Draw(seat=1), drew(top)))
    assert (state.discard, len(state.unseen & COMPONENTS.cards), state.players[1].hand) == ((top,), 78, (held,))


def test_a_card_that_lies_elsewhere_can_not_be_drawn() -> None:
    held: Any = does("die +1")
    with pytest.raises(RuleError, match="known to be elsewhere"):
        GAME.play(situation(hands={2: (held,)}), Draw(seat=1), (drew(held),))


def test_pass_comes_only_after_the_draw() -> None:
    assert refused(situation(), Pass(seat=1)) == "6: the turn ends with the draw of a card"
