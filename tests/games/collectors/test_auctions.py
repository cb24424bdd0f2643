"""Collectors: "Start auction" and the rulings K9 to K11, K16. The order of bids itself is tested in test_auction.py."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.paying import CantPay, PayCard, PayCoins, Put
from companion.games.collectors.quarter import Fill
from companion.games.collectors.state import State
from companion.rules.kernel import TABLE, Counts, Lies, Opened, RuleError, Sale, Shown
from tests.games.collectors.situations import COMPONENTS, GAME, card, coins, judge, places, play, situation


def offered(card_: str | None = None, **where: Any) -> State:
    """Seat 1 of three has put a card up for auction: the first of the auction pool, or this one of its hand."""
    state = situation(seats=3, auction_pool=("movie/vp-all", "", "music", ""), **where)
    state = play(state, places(state, "auction-3"))
    return play(state, Offer(seat=1, card=state.auction_pool[0] if card_ is None else card_))


def bids(state: State, *amounts: int) -> State:
    """Bid in turn; 0 is a pass. Who can't raise any more is not asked."""
    for amount in amounts:
        if state.phase != "bid":
            break
        seat = GAME.actors(state)[0]
        state = play(state, MakeBid(seat=seat, amount=amount) if amount else PassBid(seat=seat))
    return state


def won(seat: int, price: int, **where: Any) -> State:
    """A seat of three has won an auction at a price (1 is bid by the starter first, if it is not the winner)."""
    state = offered(**where)
    if seat == 1:
        return bids(state, price, 0, 0)
    return bids(state, 1, *(price if n == seat else 0 for n in (2, 3)), *(0 for _ in range(1 if seat >= 2 else 0)))


def opened(*pieces: str) -> tuple[Opened]:
    return (Opened(place="open", pieces=pieces),)


# --------------------------------------------------------------------------------------------------------- the offer


def test_any_of_the_auction_pool_or_a_card_of_the_hand_is_offered() -> None:
    assert offered().lot == card("movie/vp-all")
    state = offered(card("penguin"))
    assert state.lot == card("penguin")
    assert state.players[0].hand.size == 1


def test_k11_whoever_opens_is_told_the_least_bid_and_why_there_is_no_pass() -> None:
    state = offered(coins=(5, 5, 5))
    view = GAME.view(state, 1)
    (bid,) = (may for may in view.may if may.verdict.ok)
    assert bid.words == "Bid: you started this auction, so you can't pass; the least is $1"
    assert "pass and be out" not in view.coach
    (passing,) = (may for may in view.may if may.name == "pass")
    assert "must open it" in passing.verdict.reason
    second = GAME.view(bids(state, 2), 2)
    assert [may.words for may in second.may if may.verdict.ok] == ["Bid", "Pass"]
    assert "pass and be out" in second.coach


def test_k16_a_card_of_the_hand_may_lie_face_down_and_is_unknown() -> None:
    state = offered("")
    assert state.lot == "?"
    assert state.players[0].hand.size == 1
    assert card("penguin") in state.unseen


def test_k17_a_card_of_the_hand_must_leave_something_to_open_with() -> None:
    state = situation(coins=(0, 5), hands=(1, 2), auction_pool=("movie", "", "", ""))
    state = play(state, places(state, "auction-3"))
    assert judge(state, Offer(seat=1, card="")).rule == "K17"
    assert judge(state, Offer(seat=1, card=state.auction_pool[0])).ok


def test_k17_an_auction_needs_a_dollar_to_open_with() -> None:
    state = situation(coins=(0, 5), hands=(0, 2), auction_pool=("movie", "", "", ""))
    assert judge(state, places(state, "auction-3")).rule == "K17"
    assert judge(state, places(state, "auction-1")).ok, "the seal's gain will do"


# ---------------------------------------------------------------------------------------------------------- the bids


def test_k11_the_starter_must_open_with_at_least_1() -> None:
    state = offered()
    assert GAME.actors(state) == (1,)
    assert "must open it with at least 1" in judge(state, PassBid(seat=1)).reason
    assert not judge(state, MakeBid(seat=1, amount=0)).ok


def test_k11_clockwise_higher_or_pass_and_a_pass_is_final() -> None:
    state = bids(offered(), 2)
    assert GAME.actors(state) == (2,)
    assert judge(state, MakeBid(seat=2, amount=2)).reason == "the bid must be at least 3: the last was 2"
    state = bids(state, 0, 3)
    assert GAME.actors(state) == (1,)
    assert judge(state, MakeBid(seat=2, amount=9)).reason == "@2 has passed, and a pass is final"


def test_k10_a_bid_may_not_exceed_coins_and_the_most_that_the_hand_can_be_worth() -> None:
    verdict = judge(offered(coins=(3, 5, 5), hands=(2, 2, 2)), MakeBid(seat=1, amount=8))
    assert verdict.rule == "K10"
    assert verdict.reason == "the bid may be at most 7: @1 has $3 and 2 cards worth $4 at most"


def test_k10_known_cards_count_what_they_are_worth() -> None:
    state = offered(coins=(0, 0, 5), hands=(0, 1, 0), known={1: ("$1", "$1")})
    assert judge(state, MakeBid(seat=1, amount=2)).ok
    verdict = judge(state, MakeBid(seat=1, amount=4))
    assert (verdict.rule, verdict.reason) == ("K10", "the bid may be at most 2: @1 has $0 and 2 cards worth $2 at most")


def test_k10_unknown_cards_count_as_the_dearest_that_they_can_still_be() -> None:
    twos = sum(value == 2 for value in COMPONENTS.cash.values()) - 1  # one lies in the auction pool
    state = offered(coins=(0, 5, 5), hands=(2, 2, 2), paid=("$2",) * (twos - 1))
    assert judge(state, MakeBid(seat=1, amount=4)).reason.endswith("@1 has $0 and 2 cards worth $3 at most")
    state = bids(state, 3, 0, 0)
    two = next(iter(state.unseen & {card for card, value in COMPONENTS.cash.items() if value == 2}))
    assert judge(state, PayCard(seat=1, card=card("penguin$1"))).ok, "the other can still be the last one worth $2"
    assert play(state, PayCard(seat=1, card=two), PayCard(seat=1, card=card("penguin$1"))).phase == "put"


def test_c8_a_correction_amid_an_auction_changes_what_may_be_bid() -> None:
    state = GAME.correct(bids(offered(coins=(3, 5, 5)), 1), (Counts("coins.2", 9),))
    assert judge(state, MakeBid(seat=2, amount=13)).ok
    assert judge(state, MakeBid(seat=2, amount=14)).reason.endswith("@2 has $9 and 2 cards worth $4 at most")
    poor = GAME.correct(bids(offered(coins=(3, 5, 5)), 6), (Counts("coins.2", 0),))
    verdict = judge(poor, MakeBid(seat=2, amount=7))
    assert (verdict.rule, verdict.remedy) == ("K10", "Pass.")
    assert list(GAME.legal(poor)) == [PassBid(seat=2)]


def test_k10_cards_that_become_known_amid_an_auction_count_what_they_are_worth() -> None:
    """As after an undo, by which a card once seen stays known (C4)."""
    state = bids(offered(coins=(5, 2, 5)), 3)
    assert judge(state, MakeBid(seat=2, amount=6)).ok
    state = GAME.correct(state, (Lies(card("penguin$1"), "hand.2"), Lies(card("movie$1"), "hand.2")))
    assert judge(state, MakeBid(seat=2, amount=6)).reason.endswith("@2 has $2 and 2 cards worth $2 at most")
    assert judge(state, MakeBid(seat=2, amount=4)).ok


def test_the_clock_stands_for_a_pass_and_for_the_opener_for_the_lowest_bid() -> None:
    timed = GAME.timed(offered())
    assert timed is not None
    assert timed.lapses == (MakeBid(seat=1, amount=1),)
    timed = GAME.timed(bids(offered(), 2))
    assert timed is not None
    assert timed.lapses == (PassBid(seat=2),)
    assert GAME.timed(situation()) is None


# ------------------------------------------------------------------------------------------------------ paying (K9)


def test_the_winner_pays_the_bid_to_the_supply() -> None:
    state = play(won(2, 4), PayCoins(seat=2))
    assert coins(state) == (5, 1, 5)
    assert GAME.actors(state) == (2,)


def test_cards_of_the_hand_are_coins_worth_what_their_corner_says() -> None:
    state = won(2, 4)
    two, one = card("penguin$2"), card("penguin$1")
    state = play(state, PayCard(seat=2, card=two), PayCard(seat=2, card=one), PayCoins(seat=2))
    assert coins(state) == (5, 4, 5)
    assert state.paid == (two, one)


def test_k9_the_payer_gets_no_change() -> None:
    state = play(won(2, 3), PayCard(seat=2, card=card("penguin$2")), PayCard(seat=2, card=card("movie$2")))
    assert state.phase == "put"
    assert coins(state) == (5, 5, 5)


def test_k9_no_card_may_be_added_that_the_payment_does_not_need() -> None:
    state = play(won(2, 2), PayCard(seat=2, card=card("penguin$2")))
    assert not judge(state, PayCard(seat=2, card=card("penguin$1"))).ok


def test_cards_are_coins_only_during_an_auction() -> None:
    state = situation(item_pool=("penguin", "", ""), hands=(1, 2))
    for moment in (state, play(state, places(state, "buy-1"))):
        verdict = judge(moment, PayCard(seat=1, card=card("movie")))
        assert (verdict.kind, verdict.rule) == ("illegal", "Start auction")
        assert verdict.reason == "cards are coins only during an auction"


def test_c2_a_card_that_lies_on_the_table_pays_nothing() -> None:
    state = won(2, 2)
    for piece in (state.lot, state.auction_pool[2]):
        verdict = judge(state, PayCard(seat=2, card=piece))
        assert (verdict.kind, verdict.rule) == ("illegal", "Start auction; K9")


def test_c2_no_card_of_another_pool_is_auctioned() -> None:
    state = situation(auction_pool=("movie", "", "", ""), item_pool=("penguin", "", ""))
    state = play(state, places(state, "auction-3"))
    verdict = judge(state, Offer(seat=1, card=state.item_pool[0]))
    assert (verdict.kind, verdict.rule) == ("illegal", "Start auction")


# ------------------------------------------------------------------------------------------ who can't pay (K10)


def test_k10_who_surely_can_pay_must() -> None:
    verdict = judge(won(2, 6), CantPay(seat=2))
    assert verdict.reason == "@2 can pay at least $7, and the price is $6"


def test_c9_nobody_is_believed_whom_no_possible_hand_bears_out() -> None:
    ones = sum(value == 1 for value in COMPONENTS.cash.values()) - 1  # one lies in the auction pool
    state = won(2, 5, coins=(5, 2, 5), paid=("$1",) * (ones - 1))
    verdict = judge(state, CantPay(seat=2))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C9")
    assert verdict.reason == "@2 can pay at least $5, and the price is $5"
    assert judge(won(2, 6, coins=(5, 2, 5), paid=("$1",) * (ones - 1)), CantPay(seat=2)).ok


def test_k10_who_cannot_pay_lays_the_hand_open_and_loses_nothing() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    ones = (card("penguin$1"), card("movie$1"))
    after = play(state, CantPay(seat=2), facts=opened(*ones))
    assert after.players[1].hand.known == set(ones)
    assert coins(after) == (5, 2, 5)
    assert (after.actor, after.price) == (1, 3), "the highest bid of another seat, outbid or not"


def test_k10_who_can_pay_after_all_must() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    twos = (card("penguin$2"), card("movie$2"))
    state = play(state, CantPay(seat=2), facts=opened(*twos))
    assert (state.actor, state.price) == (2, 6)
    assert not judge(state, CantPay(seat=2)).ok
    state = play(state, PayCard(seat=2, card=twos[0]), PayCard(seat=2, card=twos[1]), PayCoins(seat=2))
    assert state.phase == "put"


def test_k10_a_card_that_gives_the_inability_away_is_no_payment() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    verdict = judge(state, PayCard(seat=2, card=card("penguin$1")))
    assert verdict.rule == "K10"
    assert "can pay $5 at most, and the price is $6" in verdict.reason


def test_k10_cards_already_laid_go_back_to_the_hand() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    two, one = card("penguin$2"), card("movie$1")
    state = play(state, PayCard(seat=2, card=two))
    state = play(state, CantPay(seat=2), facts=opened(two, one))
    assert state.players[1].hand.known == {two, one}
    assert state.paid == state.laid == ()


def test_k10_the_bid_of_a_seat_that_was_outbid_and_passed_counts_too() -> None:
    state = bids(offered(coins=(0, 2, 5), hands=(2, 2, 2)), 1, 2, 3, 4, 6, 0, 0)
    assert (state.actor, state.price) == (2, 6)
    state = play(state, CantPay(seat=2), facts=opened(card("penguin$1"), card("movie$1")))
    assert (state.actor, state.price) == (1, 4)
    state = play(state, CantPay(seat=1), facts=opened(card("technology$1"), card("figures$1")))
    assert (state.actor, state.price) == (3, 3)


def test_k10_if_none_can_pay_the_card_goes_to_the_paid_pile() -> None:
    state = bids(offered(coins=(0, 0, 0), hands=(1, 1, 0)), 2, 0)
    state = play(state, CantPay(seat=1), facts=opened(card("penguin$1")))
    assert GAME.actors(state) == (TABLE,)
    lot = state.lot
    assert GAME.needs(state, Fill(slot="paid"))[0].pieces == {lot}
    state = play(state, Fill(slot="paid"), facts=(Shown(place="paid", piece=lot),))
    assert state.paid == (lot,)
    assert state.turn == 2


def test_k10_the_sale_names_who_has_to_pay_in_the_end() -> None:
    before, passing = bids(offered(coins=(5, 2, 5)), 3, 6, 0), PassBid(seat=1)
    after = play(before, passing)
    assert GAME.sale(before, passing, after) == Sale(2, 6, before.lot)
    unable = CantPay(seat=2)
    next_ = play(after, unable, facts=opened(card("penguin$1"), card("movie$1")))
    assert GAME.sale(after, unable, next_) == Sale(1, 3, before.lot, instead=True)
    assert GAME.sale(next_, PayCoins(seat=1), play(next_, PayCoins(seat=1))) is None
    able = play(after, unable, facts=opened(card("penguin$2"), card("movie$2")))
    assert GAME.sale(after, unable, able) is None


def test_k10_where_none_can_pay_nobody_has_won() -> None:
    state = bids(offered(coins=(0, 0, 0), hands=(1, 1, 0)), 2, 0)
    unable = CantPay(seat=1)
    after = play(state, unable, facts=opened(card("penguin$1")))
    assert GAME.sale(state, unable, after) == Sale(TABLE, 0, state.lot, instead=True)


def test_c9_a_hand_is_laid_open_in_full() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    with pytest.raises(RuleError, match="has 2 cards, and 1 are laid open"):
        play(state, CantPay(seat=2), facts=opened(card("penguin$1")))


# ----------------------------------------------------------------------------------------------- placing the card


def paid(seat: int, card_: str | None = None) -> State:
    return play(won(seat, 2, card_=card_), PayCoins(seat=seat))


def test_the_winner_places_the_card_as_an_item_a_market_share_or_a_skill() -> None:
    state = paid(2)
    lot = state.lot
    assert play(state, Put(seat=2, role="item", card=lot)).players[1].items == (lot,)
    assert play(state, Put(seat=2, role="market", card=lot)).market == (lot,)
    assert play(state, Put(seat=2, role="skill", card=lot)).players[1].skills == (lot,)


def test_k11_play_goes_on_at_the_starters_left_whoever_won() -> None:
    state = paid(3)
    assert play(state, Put(seat=3, role="item", card=state.lot)).turn == 2


def test_k16_only_a_card_auctioned_face_down_may_become_a_secret() -> None:
    state = paid(2)
    assert judge(state, Put(seat=2, role="secret", card="")).rule == "K16"
    state = paid(2, "")
    state = play(state, Put(seat=2, role="secret", card=""))
    assert state.players[1].secrets == 2


def test_k16_a_face_down_card_is_shown_when_it_becomes_an_item_a_skill_or_a_market_share() -> None:
    state = paid(2, "")
    after = play(state, Put(seat=2, role="market", card=card("penguin")))
    assert after.market == (card("penguin"),)
    assert judge(state, Put(seat=2, role="item", card="")).kind == "inconsistent"
    known = COMPONENTS.symbol[card("penguin")]
    assert f"market-{known}" in GAME.layout(after).zones


def test_c2_another_card_of_the_table_in_place_of_the_one_that_was_won_is_illegal() -> None:
    for state in (paid(2), paid(2, "")):
        verdict = judge(state, Put(seat=2, role="item", card=state.auction_pool[2]))
        assert (verdict.kind, verdict.rule) == ("illegal", "Start auction; K16")


def test_k6_a_bottle_won_at_an_auction_is_the_winners() -> None:
    state = paid(3, card("penguin/bottle"))
    state = play(state, Put(seat=3, role="skill", card=state.lot))
    assert GAME.actors(state) == (3,)
    assert state.turn == 1


# ------------------------------------------------------------------------------------------------- pages of a seat


def test_the_payer_reads_how_much_it_is_and_what_is_left_of_it() -> None:
    state = won(2, 6, coins=(5, 9, 5))
    words = {may.name: may.words for may in GAME.view(state, 2).may}
    assert (GAME.call(state, 2), words["pay-coins"]) == ("Pay your bid: $6", "Pay $6 with coins")
    state = play(state, PayCard(seat=2, card=card("penguin$2")))
    words = {may.name: may.words for may in GAME.view(state, 2).may}
    assert (GAME.call(state, 2), words["pay-coins"]) == ("Pay the rest: $4", "Pay the rest ($4) with coins")


def test_not_being_able_to_pay_stands_out_only_where_the_hand_is_known_to_be_too_poor() -> None:
    state = bids(offered(coins=(5, 2, 5)), 3, 6, 0, 0)
    may = next(may for may in GAME.view(state, 2).may if may.name == "cant-pay")
    assert (may.weight, may.verdict.ok) == ("weak", True)
    assert "if it can pay, it has to" in may.sure
    ones, twos = (card("penguin$1"), card("movie$1")), (card("penguin$2"), card("movie$2"))
    assert GAME.bears_out(state, CantPay(seat=2), frozenset(ones))
    assert not GAME.bears_out(state, CantPay(seat=2), frozenset(twos))
