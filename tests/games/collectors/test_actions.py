"""Collectors: the actions and the skills, one test a rule."""

from __future__ import annotations

import pytest

from companion.games.collectors.actions import Gain, GetSkill, TakeBack
from companion.games.collectors.auctions import Offer
from companion.games.collectors.spaces import Place
from companion.rules.kernel import Hole
from tests.games.collectors.situations import (
    COMPONENTS,
    GAME,
    buys,
    card,
    coins,
    judge,
    learns,
    places,
    play,
    raises,
    situation,
    token,
)

# ----------------------------------------------------------------------------------------------------- Buy item


def test_worked_example_the_penguin_costs_3_dollars() -> None:
    """$1 for the space and $2 for two penguin cards in the market pool."""
    state = situation(coins=(5, 5), item_pool=("penguin", "", ""), market=("//penguin", "//penguin", "//movie"))
    penguin = state.item_pool[0]
    state = play(state, places(state, "buy-1"), buys(penguin))
    assert coins(state) == (2, 5)
    assert state.players[0].items == (penguin,)
    assert state.item_pool == ("", "", "")


def test_an_item_may_come_out_of_the_hand() -> None:
    state = situation(hands=(2, 2))
    state = play(state, places(state, "buy-1"), buys(card("music")))
    assert state.players[0].hand.size == 1
    assert state.players[0].items == (card("music"),)


def test_an_item_that_costs_too_much_is_refused_with_its_price() -> None:
    state = situation(coins=(2, 5), item_pool=("penguin", "movie", ""), market=("//penguin", "//penguin"))
    state = play(state, places(state, "buy-1"))
    verdict = judge(state, buys(state.item_pool[0]))
    assert "costs $2 in the market, and @1 has $1" in verdict.reason
    assert judge(state, buys(state.item_pool[1])).ok


def test_gaps_in_the_item_pool_stay_until_phase_2() -> None:
    state = situation(item_pool=("penguin", "movie", "music"))
    one, two, three = state.item_pool
    state = play(state, places(state, "buy-1"), buys(two))
    assert state.item_pool == (one, "", three)


def test_k17_a_buy_space_needs_an_item_that_can_be_paid() -> None:
    state = situation(coins=(1, 5), hands=(0, 2), item_pool=("penguin", "", ""), market=("//penguin",))
    verdict = judge(state, places(state, "buy-1"))
    assert verdict.rule == "K17"
    assert "there is no item that $0 can pay" in verdict.reason


def test_k17_unknown_cards_count_as_able_and_if_none_is_bottle_and_seal_are_taken_back() -> None:
    state = situation(coins=(1, 5), hands=(2, 2), item_pool=("penguin", "", ""), market=("//penguin",))
    before = state
    state = play(state, places(state, "buy-1"))
    assert coins(state) == (0, 5)
    state = play(state, TakeBack(seat=1))
    assert state.players == before.players
    assert judge(state, places(state, "buy-2")).rule == "K17", "with the same coins it would be the same again"
    assert judge(state, places(state, "draw")).ok


def test_k17_nobody_takes_back_who_can_buy_from_the_pool() -> None:
    state = situation(coins=(1, 5), item_pool=("penguin", "", ""))
    state = play(state, places(state, "buy-1"))
    assert judge(state, TakeBack(seat=1)).rule == "K17"


@pytest.mark.parametrize("market", [(), ("//penguin",)])
def test_c9_nobody_takes_back_whatever_whose_hand_can_be_paid(market: tuple[str, ...]) -> None:
    state = situation(coins=(7, 5), hands=(1, 2), market=market)
    state = play(state, places(state, "buy-1"))
    verdict = judge(state, TakeBack(seat=1))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C9")
    assert verdict.reason == "whatever cards @1 holds, $6 can pay one of them"


def test_c9_nobody_takes_back_who_is_known_to_hold_what_can_be_paid() -> None:
    state = situation(coins=(1, 5), hands=(1, 2), known={1: ("movie",)}, market=("//penguin", "//figures"))
    state = play(state, places(state, "buy-1"))
    verdict = judge(state, TakeBack(seat=1))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C9")
    assert COMPONENTS.names(state.players[0].hand.known) in verdict.reason


# ------------------------------------------------------------------------------------- Get skill, special skills


def test_a_skill_comes_from_any_place_of_the_skill_pool_or_out_of_the_hand() -> None:
    state = situation(skill_pool=("/work-card", "/vp-all", ""))
    for piece in (state.skill_pool[1], card("/work-income")):
        after = play(state, places(state, "skill-4"), learns(piece))
        assert after.players[0].skills == (piece,)
        assert coins(after) == (4, 5)


def test_c2_a_skill_of_another_pool_is_illegal_for_it_can_be_taken() -> None:
    state = situation(item_pool=("penguin", "", ""), skills={2: ("/vp-all",)})
    state = play(state, places(state, "skill-1"))
    verdict = judge(state, learns(state.item_pool[0]))
    assert (verdict.kind, verdict.rule) == ("illegal", "Get skill")
    assert "lies in the item pool" in verdict.reason
    verdict = judge(state, learns(state.players[1].skills[0]))
    assert (verdict.kind, verdict.rule) == ("illegal", "Get skill")
    assert "lies with the skills of @2" in verdict.reason


def test_c2_an_item_of_another_pool_is_illegal() -> None:
    state = situation(skill_pool=("penguin", "", ""), auction_pool=("movie", "", "", ""), market=("music",))
    state = play(state, places(state, "buy-1"))
    for where, pool in (("skill", state.skill_pool), ("auction", state.auction_pool), ("market", state.market)):
        verdict = judge(state, buys(pool[0]))
        assert (verdict.kind, verdict.rule) == ("illegal", "Buy item")
        assert f"lies in the {where} pool" in verdict.reason
        assert "Put it back" in verdict.remedy


def test_c2_a_card_to_raise_value_with_comes_from_no_item_pool() -> None:
    state = situation(item_pool=("penguin", "", ""))
    state = play(state, places(state, "raise-3"))
    verdict = judge(state, raises(state.item_pool[0]))
    assert (verdict.kind, verdict.rule) == ("illegal", "Raise value; K12")


def test_c2_a_card_known_to_be_in_another_hand_is_inconsistent() -> None:
    state = situation(known={2: ("penguin",)})
    state = play(state, places(state, "skill-1"))
    verdict = judge(state, learns(card("penguin")))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C2")


def test_k6_a_bottle_skill_gives_a_bottle_on_the_lowest_free_position_at_once() -> None:
    state = situation(skill_pool=("/bottle", "", ""))
    state = play(state, places(state, "skill-1"), learns(state.skill_pool[0]))
    assert GAME.actors(state) == (1,)
    wrong = judge(state, Gain(seat=1, bottle=COMPONENTS.bottles[1][1]))
    assert "no bottle of @1 in the supply" in wrong.reason
    state = play(state, Gain(seat=1, bottle=COMPONENTS.bottles[1][4]))
    assert state.players[0].bottles == ("skill-1", "2", "", "", "1")
    assert state.turn == 2


def test_k5_a_bottle_skill_with_no_bottle_in_the_supply_gives_nothing() -> None:
    state = situation(skill_pool=("/bottle", "", ""), bottles={1: ("1", "2", "3", "4", "5")})
    state = play(state, places(state, "skill-1"), learns(state.skill_pool[0]))
    assert state.turn == 2


def test_k5_recycled_bottles_are_in_the_supply_again() -> None:
    state = situation(skill_pool=("/bottle", "", ""), bottles={1: ("recycle", "1", "2", "3", "4")})
    state = play(state, places(state, "skill-1"), learns(state.skill_pool[0]))
    assert judge(state, Gain(seat=1, bottle=COMPONENTS.bottles[1][0])).ok


@pytest.mark.parametrize(("space", "seal"), [("quarter", 0), ("recycle", 1), ("draw", -1), ("first", 0), ("income", 0)])
def test_k7_work_income_gives_2_for_each_card_whenever_its_owner_works(space: str, seal: int) -> None:
    state = situation(skills={1: ("/work-income", "/work-income"), 2: ("/work-income",)})
    assert coins(play(state, places(state, space))) == (5 + seal + 4, 5)


def test_k7_work_income_is_not_for_other_areas() -> None:
    state = situation(skills={1: ("/work-income",)}, item_pool=("penguin", "", ""))
    assert coins(play(state, places(state, "buy-1"))) == (4, 5)


@pytest.mark.parametrize(("space", "more"), [("recycle", 0), ("draw", 2), ("first", 1), ("income", 0)])
def test_k7_a_work_card_skill_draws_a_card_for_each_card_whenever_its_owner_works(space: str, more: int) -> None:
    state = situation(skills={1: ("/work-card", "/work-card")})
    assert play(state, places(state, space)).players[0].hand.size == 2 + 2 + more


def test_k7_skill_income_comes_before_the_action_the_cards_drawn_can_be_tucked() -> None:
    state = situation(hands=(1, 2), skills={1: ("/work-card",)})
    assert play(state, places(state, "quarter")).players[0].income == 2


def test_k7_skill_income_does_not_pay_the_seal() -> None:
    state = situation(coins=(0, 5), skills={1: ("/work-income",)})
    assert not judge(state, places(state, "draw")).ok


def test_worked_example_two_auction_skills_on_the_plus_2_space_give_4_dollars() -> None:
    state = situation(
        coins=(0, 0), skills={1: ("/auction-income", "/auction-income")}, auction_pool=("movie", "", "", "")
    )
    assert coins(play(state, places(state, "auction-1"))) == (4, 0)


def test_the_auction_skill_gains_whoever_starts_the_auction() -> None:
    state = situation(skills={2: ("/auction-income",)}, auction_pool=("movie", "", "", ""))
    assert coins(play(state, places(state, "auction-3"))) == (5, 6)


# --------------------------------------------------------------------------------------------------- Raise value


def test_two_cards_go_to_the_market_from_the_lowest_places_or_the_hand() -> None:
    state = situation(skill_pool=("", "penguin", "movie"), auction_pool=("", "", "music", "figures"))
    state = play(state, places(state, "raise-1"))
    low, high = state.skill_pool[1:]
    assert judge(state, raises(high)).reason.endswith("is not in the lowest position of its pool")
    state = play(state, raises(low), raises(high))
    assert state.market == (low, high), "the next one is the lowest now"
    assert state.turn == 2


def test_raise_value_takes_the_lowest_auction_card_and_cards_of_the_hand() -> None:
    state = situation(auction_pool=("", "music", "", "figures"))
    state = play(state, places(state, "raise-2"), raises(state.auction_pool[1]), raises(card("penguin")))
    assert len(state.market) == 2
    assert coins(state) == (3, 5)


def test_the_third_raise_space_asks_for_one_card() -> None:
    state = situation()
    assert play(state, places(state, "raise-3"), raises(card("penguin"))).turn == 2


def test_k12_if_fewer_cards_exist_place_what_there_is() -> None:
    state = situation(hands=(1, 2))
    assert play(state, places(state, "raise-1"), raises(card("penguin"))).turn == 2


def test_k12_one_card_where_two_exist_is_not_enough() -> None:
    state = situation(hands=(2, 2))
    state = play(state, places(state, "raise-1"), raises(card("penguin")))
    assert (state.turn, state.phase) == (1, "raise")


def test_k17_raise_value_needs_a_card() -> None:
    assert judge(*(lambda s: (s, places(s, "raise-1")))(situation(hands=(0, 2)))).rule == "K17"


# ---------------------------------------------------------------------------------------------------------- Work


@pytest.mark.parametrize(("quarter", "more"), [(1, 0), (2, 1), (3, 2)])
def test_k4_the_quarter_tile_tucks_two_cards_of_the_hand_and_gives_more_each_quarter(quarter: int, more: int) -> None:
    state = situation(quarter=quarter)
    after = play(state, places(state, "quarter"))
    assert coins(after) == (5 + more, 5)
    assert (after.players[0].income, after.players[0].hand.size) == (2, 0)


def test_k17_the_quarter_tile_takes_two_cards_of_the_hand() -> None:
    state = situation(hands=(1, 2))
    verdict = judge(state, places(state, "quarter"))
    assert verdict.rule == "K17"
    assert "it takes 2 cards of the hand, and there are 1" in verdict.reason


def test_k4_in_the_fourth_quarter_the_space_recycles_for_3_and_never_stays_occupied() -> None:
    state = situation(quarter=4)
    state = play(state, places(state, "quarter"))
    assert coins(state) == (8, 5)
    assert judge(state, places(state, "quarter", seat=2)).ok
    assert coins(play(state, places(state, "quarter", seat=2))) == (8, 8)


def test_recycling_can_be_done_any_number_of_times_and_loses_the_bottle_for_good() -> None:
    state = situation()
    for seat in (1, 2, 1):
        state = play(state, places(state, "recycle", seat))
    assert coins(state) == (7, 6)
    assert state.players[0].bottles == ("recycle", "recycle", "", "", "")


def test_drawing_two_costs_a_dollar() -> None:
    state = situation()
    after = play(state, places(state, "draw"))
    assert (after.players[0].hand.size, after.deck, coins(after)) == (4, state.deck - 2, (4, 5))


def test_k17_drawing_two_needs_two_cards_to_draw() -> None:
    state = situation(deck=1)
    assert "2 cards must be drawn, and only 1 can be" in judge(state, places(state, "draw")).reason


def test_k13_the_first_player_token_counts_from_the_next_quarter_on() -> None:
    state = situation(first=2, next_first=2)
    after = play(state, places(state, "first"))
    assert (after.first, after.next_first, after.players[0].hand.size) == (2, 1, 3)


def test_k13_its_holder_may_take_it_again() -> None:
    state = situation(first=1, next_first=1)
    assert play(state, places(state, "first")).next_first == 1


def test_one_card_is_drawn_and_one_tucked_on_the_last_work_space() -> None:
    state = situation(hands=(0, 2))
    after = play(state, places(state, "income"))
    assert (after.players[0].hand.size, after.players[0].income) == (0, 1)


def test_a_card_tucked_face_down_may_have_been_any_of_the_hand() -> None:
    state = situation(hands=(1, 2), known={1: ("penguin",)})
    after = play(state, places(state, "income"))
    assert after.players[0].hand.known == frozenset()
    assert after.players[0].hand.unknown == 2


# -------------------------------------------------------------------------------------------------------- bottles


def test_a_marked_bottle_is_the_choice_of_the_space_any_of_ones_own_will_do() -> None:
    state = situation()
    template = next(action for action in GAME.legal(state) if isinstance(action, Place))
    assert isinstance(template.bottle, Hole)
    assert template.bottle.pieces == set(COMPONENTS.bottles[1][:2])
    wrong = judge(state, Place(seat=1, space="first", bottle=COMPONENTS.bottles[2][0]))
    assert wrong.kind == "inconsistent"


def test_without_codes_the_first_of_spaces_that_are_alike_stands_for_all() -> None:
    state = situation(tracked=False, item_pool=("penguin", "", ""))
    spaces = [action.space for action in GAME.legal(state) if isinstance(action, Place)]
    assert [space for space in spaces if space.startswith("buy")] == ["buy-1", "buy-3", "buy-5"]
    assert "space 1 of “Buy item” (pay $1), which is free" in judge(state, places(state, "buy-2")).reason
    state = play(state, places(state, "buy-1"), buys(state.item_pool[0]))
    assert "buy-2" in [action.space for action in GAME.legal(state) if isinstance(action, Place)]


@pytest.mark.parametrize("action", [Offer(seat=1, card=""), GetSkill(seat=1, card="001"), buys("001")])
def test_nothing_comes_before_the_bottle(action: object) -> None:
    state = situation()
    assert judge(state, action).remedy == "@1 places a bottle on an empty action space."
    assert token(state) == COMPONENTS.bottles[1][0]
