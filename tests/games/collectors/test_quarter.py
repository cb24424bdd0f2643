"""Collectors: set-up and the phases of a quarter, one test a rule."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.collectors.actions import Gain
from companion.games.collectors.auctions import PassBid
from companion.games.collectors.quarter import Fill, Flow, Retrieve
from companion.games.collectors.setup import Hide
from companion.games.collectors.spaces import Place
from companion.games.collectors.state import Setup, State
from companion.rules.kernel import TABLE, UNKNOWN, RuleError, Shown
from tests.games.collectors.situations import (
    AWAY,
    COMPONENTS,
    GAME,
    buys,
    card,
    coins,
    judge,
    learns,
    places,
    play,
    situation,
)

# ------------------------------------------------------------------------------------------------------------ Setup


def dealt(seats: int = 3, first: int = 1) -> State:
    return GAME.setup(seats, {}, Setup(first=first))


def said(state: State, action: Any) -> str:
    """Return the reason of a refusal, the rule in front of it."""
    verdict = judge(state, action)
    assert not verdict.ok
    assert verdict.remedy
    return f"{verdict.rule}: {verdict.reason}"


def fill(state: State, slot: str, piece: str) -> State:
    return play(state, Fill(slot=slot), facts=(Shown(place=slot, piece=piece),))


@pytest.mark.parametrize(("seats", "words"), [(1, "1 player "), (5, "5 players")])
def test_two_to_four_players(seats: int, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        dealt(seats)


def test_setup_each_player_takes_two_bottles_and_three_cards() -> None:
    for player in dealt(4).players:
        assert player.bottles == ("1", "2", "", "", "")
        assert player.hand.size == 3


def test_setup_8_the_first_player_gets_2_coins_the_others_3_4_5_in_turn_order() -> None:
    assert coins(dealt(4, first=1)) == (2, 3, 4, 5)
    assert coins(dealt(4, first=3)) == (4, 5, 2, 3)


def test_setup_5_everybody_hides_one_card_as_a_treasure_in_any_order() -> None:
    state = dealt(3)
    assert GAME.actors(state) == (1, 2, 3)
    state = play(state, Hide(seat=2))
    assert (state.players[1].secrets, state.players[1].hand.size) == (1, 2)
    assert judge(state, Hide(seat=2)).reason == "@2 has hidden a secret item already"
    state = play(state, Hide(seat=1), Hide(seat=3))
    assert GAME.actors(state) == (TABLE,)


def test_k8_pools_hold_four_and_a_card_for_each_player_and_one_more() -> None:
    state = play(dealt(3), *(Hide(seat=seat) for seat in (1, 2, 3)))
    assert (len(state.auction_pool), len(state.item_pool), len(state.skill_pool)) == (4, 4, 4)
    assert state.due == (
        *(f"auction-pool-{n}" for n in range(1, 5)),
        *(f"item-pool-{n}" for n in range(1, 5)),
        *(f"skill-pool-{n}" for n in range(1, 5)),
    )
    assert state.market == ()


def test_setup_the_first_turn_begins_when_all_slots_are_filled_in_whatever_order() -> None:
    state = play(dealt(2, first=2), Hide(seat=1), Hide(seat=2))
    for slot, piece in zip(reversed(state.due), sorted(COMPONENTS.pieces), strict=False):
        assert state.phase == "fill"
        state = fill(state, slot, piece)
    assert (state.phase, state.turn, state.deck) == ("turn", 2, 90 - 6 - 10)


def test_a_card_that_came_up_unread_is_read_later_and_no_other_is_taken() -> None:
    state = play(dealt(2), Hide(seat=1), Hide(seat=2))
    slot = state.due[0]
    state = play(state, Fill(slot=slot), facts=(Shown(place=slot, piece=UNKNOWN),))
    assert state.due[0] == slot
    deck = state.deck
    assert fill(state, slot, card("penguin")).deck == deck


def test_c2_a_card_that_lies_elsewhere_cannot_come_up() -> None:
    state = play(dealt(2), Hide(seat=1), Hide(seat=2))
    state = fill(state, "auction-pool-1", card("penguin"))
    with pytest.raises(RuleError, match="known to be elsewhere"):
        fill(state, "auction-pool-2", card("penguin"))


# ------------------------------------------------------------------------------------------- Phase 1: spend bottles


def test_play_goes_round_clockwise_and_a_seat_without_bottles_is_passed_over() -> None:
    state = situation(seats=3, bottles={2: ("skill-1", "skill-2", "", "", "")})
    assert play(state, places(state, "first")).turn == 3


def test_k14_a_seat_that_gains_a_bottle_plays_again() -> None:
    state = situation(
        skill_pool=("/bottle", "", ""), bottles={1: ("1", "draw", "", "", ""), 2: ("first", "buy-1", "", "", "")}
    )
    state = play(state, places(state, "skill-1"), learns(state.skill_pool[0]))
    assert state.phase == "gain"
    assert play(state, Gain(seat=1, bottle=COMPONENTS.bottles[1][2])).turn == 1


def test_k14_who_has_a_bottle_must_place_it_and_who_has_none_passes() -> None:
    state = situation(bottles={2: AWAY[2]})
    assert said(state, PassBid(seat=1)) == "K14: @1 has a bottle on the player board, and must place it"
    assert said(state, Place(seat=2, space="draw", bottle=COMPONENTS.bottles[2][0])) == (
        "K14: @2 has no bottle on the player board, and passes until one is gained"
    )
    assert said(situation(), Place(seat=2, space="draw", bottle=COMPONENTS.bottles[2][0])) == (
        "Phase 1: now @1 places a bottle, not @2"
    )


def test_who_does_what_is_due_first_is_said() -> None:
    state = situation(item_pool=("penguin", "", ""))
    assert said(state, buys(state.item_pool[0])) == "Phase 1: another step is due first"
    assert said(replace(state, phase="flow"), buys(state.item_pool[0])) == "Phase 2: another step is due first"
    # What that is says the remedy, once.
    assert judge(state, buys(state.item_pool[0])).remedy == "@1 places a bottle on an empty action space."


def test_k14_phase_1_ends_when_no_bottle_is_left_on_any_player_board() -> None:
    state = situation(bottles={1: ("1", "draw", "", "", ""), 2: ("buy-2", "buy-1", "", "", "")}, market=("penguin",))
    state = play(state, places(state, "first"))
    assert GAME.actors(state) == (TABLE,)


def test_an_occupied_space_is_refused() -> None:
    state = situation(bottles={2: ("first", "2", "", "", "")})
    verdict = judge(state, places(state, "first"))
    assert "is occupied" in verdict.reason
    assert verdict.rule == "Phase 1"


def test_a_cost_that_cannot_be_paid_is_refused_with_the_numbers() -> None:
    state = situation(coins=(1, 5), item_pool=("penguin", "", ""))
    verdict = judge(state, places(state, "buy-3"))
    assert verdict.reason == "space 3 of “Buy item” (pay $2) costs $2, and @1 has $1"
    assert judge(state, places(state, "buy-1")).ok


def test_a_black_seal_is_paid_and_a_white_seal_gained() -> None:
    state = situation(coins=(5, 5))
    assert coins(play(state, places(state, "draw"))) == (4, 5)
    assert coins(play(state, places(state, "auction-1"))) == (7, 5)


# ---------------------------------------------------------------------------------------------- Phase 2: fill pools


def flow(**where: tuple[str, ...]) -> tuple[State, State]:
    """Return the states before and after the cards of a situation flow."""
    state = situation(phase="flow", bottles=AWAY, **where)  # type: ignore[arg-type]
    return state, play(state, Flow())


def test_phase_2_the_lowest_skill_goes_to_the_market_and_the_rest_close_up() -> None:
    before, after = flow(skill_pool=("", "movie", "music"))
    low, high = before.skill_pool[1:]
    assert after.market == (low,)
    assert after.skill_pool == (high, "", "")


def test_phase_2_items_fall_into_the_skill_pool_until_it_is_full_leftmost_first() -> None:
    before, after = flow(skill_pool=("movie", "music", ""), item_pool=("penguin", "figures", "technology"))
    one, two, three = before.item_pool
    assert after.skill_pool == (before.skill_pool[1], one, two)
    assert after.item_pool == (three, "", "")


def test_phase_2_the_lowest_auction_card_goes_to_the_market_and_the_rest_keep_their_order() -> None:
    before, after = flow(auction_pool=("", "penguin", "", "music"))
    assert after.market == (before.auction_pool[1],)
    assert after.auction_pool == (before.auction_pool[3], "", "", "")


def test_phase_2_skill_goes_to_the_market_before_the_auction_card() -> None:
    before, after = flow(auction_pool=("penguin", "", "", ""), skill_pool=("movie", "", ""))
    assert after.market == (before.skill_pool[0], before.auction_pool[0])


def test_phase_2_from_an_empty_pool_nothing_moves() -> None:
    before, after = flow(auction_pool=("penguin", "", "", ""))
    assert after.skill_pool == ("", "", "")
    assert after.market == (before.auction_pool[0],)


def test_phase_2_then_all_pools_but_the_market_are_refilled_in_the_order_auction_item_skill() -> None:
    _, after = flow(skill_pool=("movie", "", ""))
    assert after.phase == "fill"
    assert after.due[0] == "auction-pool-1"
    assert after.due[4] == "item-pool-1"
    assert after.due[-1] == "skill-pool-3"


def test_k9_what_cannot_be_drawn_is_lost() -> None:
    bottles = AWAY
    state = situation(phase="flow", bottles=bottles, skill_pool=("movie", "", ""), deck=3, paid=("penguin", "penguin"))
    after = play(state, Flow())
    assert after.due == ("auction-pool-1", "auction-pool-2", "auction-pool-3", "auction-pool-4", "item-pool-1")


def test_k9_the_paid_pile_is_shuffled_into_a_new_deck_when_a_card_is_due_and_the_deck_is_empty() -> None:
    bottles = AWAY
    state = situation(phase="flow", bottles=bottles, skill_pool=("movie", "", ""), deck=0, paid=("penguin", "music"))
    one, two = state.paid
    state = play(state, Flow())
    needs = GAME.needs(state, Fill(slot="auction-pool-1"))
    assert needs[0].pieces == {one, two}
    state = fill(state, "auction-pool-1", two)
    assert (state.paid, state.deck) == ((), 1)


# ------------------------------------------------------------------------------------------ Phase 3 and 4: income


def back(bottles: tuple[str, ...], **more: object) -> State:
    """Return a state in which only seat 1 has bottles to take back."""
    away = {1: bottles, 2: ("1", "2", "", "", "")}
    return situation(phase="retrieve", bottles=away, **more)  # type: ignore[arg-type]


def test_k5_retrieving_fills_position_1_then_2_then_any() -> None:
    state = back(("draw", "first", "income", "", ""), coins=(0, 0))
    tokens = COMPONENTS.bottles[1]
    assert judge(state, Retrieve(seat=1, bottle=tokens[2], position=3)).reason == "the bottle goes to position 1 first"
    state = play(state, Retrieve(seat=1, bottle=tokens[2], position=1))
    assert not judge(state, Retrieve(seat=1, bottle=tokens[0], position=5)).ok
    state = play(state, Retrieve(seat=1, bottle=tokens[0], position=2))
    last = [Retrieve(seat=1, bottle=tokens[1], position=n) for n in (3, 4, 5)]
    assert [judge(state, one).ok for one in last] == [True] * 3
    assert [one.label(COMPONENTS, state) for one in last] == [
        f"to place {place}: you do without {income}" for place, income in ((3, "a card"), (4, "$1"), (5, "$2"))
    ]


def test_retrieving_may_be_done_by_all_at_once() -> None:
    away = {1: ("draw", "", "", "", ""), 2: ("first", "2", "", "", ""), 3: ("income", "", "", "", "")}
    state = situation(seats=3, phase="retrieve", bottles=away)
    assert GAME.actors(state) == (1, 2, 3)


def test_worked_example_purple_takes_3_dollars_of_income() -> None:
    """Four bottles: two leftmost, two on the card and the $1; a tucked income card: $2 + $1."""
    state = back(("draw", "first", "income", "buy-1", ""), coins=(0, 0), income={1: 1}, hands=(0, 0))
    tokens = COMPONENTS.bottles[1]
    for position, bottle in enumerate(tokens[:4], 1):
        state = play(state, Retrieve(seat=1, bottle=bottle, position=position))
    assert state.players[0].coins == 3
    assert state.players[0].hand.size == 0, "the card symbol is covered"


def test_phase_4_two_bottles_leave_a_card_and_3_dollars() -> None:
    state = back(("draw", "first", "", "", ""), coins=(0, 0), hands=(0, 0))
    for position, bottle in enumerate(COMPONENTS.bottles[1][:2], 1):
        state = play(state, Retrieve(seat=1, bottle=bottle, position=position))
    assert coins(state) == (3, 3)
    assert [player.hand.size for player in state.players] == [1, 1]


def test_k9_income_cards_are_drawn_clockwise_from_the_first_player() -> None:
    state = back(("draw", "first", "", "", ""), hands=(0, 0), first=2, deck=1)
    for position, bottle in enumerate(COMPONENTS.bottles[1][:2], 1):
        state = play(state, Retrieve(seat=1, bottle=bottle, position=position))
    assert [player.hand.size for player in state.players] == [0, 1]


# ---------------------------------------------------------------------------------------- Phase 5, first player, K18


def test_phase_5_the_next_quarter_begins_with_whoever_holds_the_token() -> None:
    state = back(("draw", "first", "", "", ""), next_first=2)
    for position, bottle in enumerate(COMPONENTS.bottles[1][:2], 1):
        state = play(state, Retrieve(seat=1, bottle=bottle, position=position))
    assert (state.quarter, state.first, state.turn) == (2, 2, 2)


def test_k18_after_the_fourth_quarter_comes_income_and_then_scoring() -> None:
    state = back(("draw", "first", "", "", ""), quarter=4, coins=(0, 0))
    for position, bottle in enumerate(COMPONENTS.bottles[1][:2], 1):
        state = play(state, Retrieve(seat=1, bottle=bottle, position=position))
    assert state.phase == "reveal"
    assert coins(state) == (3, 3)


def test_quarters_go_by_when_nobody_has_a_bottle_any_more() -> None:
    state = situation(bottles={1: ("1", "", "", "", ""), 2: ("", "", "", "", "")}, tracked=False, quarter=2)
    state = play(state, places(state, "recycle"))
    while state.phase == "fill":
        state = fill(state, state.due[0], min(state.unseen))
    assert state.phase == "flow", "cards flow once a quarter, bottles or not"
    assert state.quarter == 3


def test_upkeep_belongs_to_nobody() -> None:
    state = situation(phase="flow", bottles=AWAY, skill_pool=("movie", "", ""))
    assert judge(state, Flow(seat=1)).kind == "inconsistent"
