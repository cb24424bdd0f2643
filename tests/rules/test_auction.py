"""The auction that games share: one test a rule, named by it (Collectors K10–K11, Collectible A3–A4, C5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.auction import (
    Auction,
    Bid,
    Bidder,
    LeftOut,
    Terms,
    amounts,
    begin,
    bid,
    clocked,
    describe_auction,
    due,
    give_up,
    judge_bid,
    judge_pass,
    lapse,
    lowest,
    may_pass,
    priced_out,
    runner_up,
    with_means,
)
from companion.rules.kernel import Action, RuleError, Verdict

TERMS = Terms(who="A4", raising="A4", means="A4")
FREE = Terms(in_turn=False)


def having(*coins: int, left_out: tuple[LeftOut, ...] = (), terms: Terms = TERMS) -> Auction:
    """Seats 1, 2, … with so many coins; seat 1 opens."""
    return begin(terms, [Bidder(seat, most, f"{most} coins") for seat, most in enumerate(coins, 1)], left_out)


def said(verdict: Verdict) -> tuple[str, str]:
    assert not verdict.ok
    return verdict.reason, verdict.remedy


def test_the_opener_opens_with_at_least_one() -> None:
    auction = having(9, 9)
    assert due(auction) == (1,)
    assert said(judge_bid(TERMS, auction, 1, 0)) == ("the bid must be at least 1: nobody has bid yet", "Bid 1 to 9.")
    assert judge_bid(TERMS, auction, 1, 1).ok


def test_the_opener_can_not_pass_before_it_has_opened() -> None:
    auction = having(9, 9)
    assert not may_pass(auction, 1)
    reason, remedy = said(judge_pass(TERMS, auction, 1))
    assert reason == "@1 has started this auction and must open it with at least 1"
    assert remedy == "Bid 1 to 9."


def test_a_bid_must_be_above_the_last_one() -> None:
    auction = bid(TERMS, having(9, 9), 1, 5)
    assert lowest(TERMS, auction) == 6
    verdict = judge_bid(TERMS, auction, 2, 5)
    assert said(verdict) == ("the bid must be at least 6: the last was 5", "Bid 6 to 9, or pass.")
    assert verdict.rule == "A4"
    assert judge_bid(TERMS, auction, 2, 6).ok


def test_a_bid_may_not_exceed_the_means_and_the_verdict_names_them() -> None:
    auction = begin(TERMS, [Bidder(1, 9, "5 coins and 2 cards worth $4 at most"), Bidder(2, 9, "9 coins")])
    reason, remedy = said(judge_bid(TERMS, auction, 1, 10))
    assert reason == "the bid may be at most 9: @1 has 5 coins and 2 cards worth $4 at most"
    assert remedy == "Bid 1 to 9."
    assert list(amounts(TERMS, auction, 1)) == list(range(1, 10))


def test_bids_go_round_from_the_opener() -> None:
    auction = begin(TERMS, [Bidder(seat, 9, "9 coins") for seat in (3, 4, 1)], [LeftOut(2, "it is the auctioneer")])
    order = []
    for amount in (1, 2, 3, 4):
        (seat,) = due(auction)
        order.append(seat)
        auction = bid(TERMS, auction, seat, amount)
    assert order == [3, 4, 1, 3]


def test_who_is_not_due_waits() -> None:
    auction = bid(TERMS, having(9, 9, 9), 1, 2)
    assert said(judge_bid(TERMS, auction, 3, 5)) == (
        "it is the turn of @2 to bid, not of @3",
        "Wait: @2 bids or passes.",
    )
    assert said(judge_pass(TERMS, auction, 1))[0] == "@1 leads with 2, and nobody outbids themselves"
    assert not judge_bid(TERMS, having(9, 9), 2, 5).ok


def test_the_auctioneer_is_left_out_and_told_why() -> None:
    auction = begin(TERMS, [Bidder(1, 9, "9 coins"), Bidder(3, 9, "9 coins")], [LeftOut(2, "it is the auctioneer")])
    verdict = judge_bid(TERMS, auction, 2, 5)
    assert said(verdict)[0] == "@2 does not bid here: it is the auctioneer"
    assert verdict.kind == "illegal"
    assert judge_bid(TERMS, auction, 7, 5).kind == "inconsistent"


def test_a_pass_is_final() -> None:
    auction = give_up(TERMS, bid(TERMS, having(9, 9, 9), 1, 2), 2)
    auction = bid(TERMS, auction, 3, 3)
    assert due(auction) == (1,)
    assert said(judge_bid(TERMS, auction, 2, 8))[0] == "@2 has passed, and a pass is final"


def test_the_last_one_who_has_not_passed_wins() -> None:
    auction = bid(TERMS, having(9, 9, 9), 1, 2)
    auction = give_up(TERMS, give_up(TERMS, auction, 2), 3)
    assert auction.over
    assert (auction.winner, auction.price, due(auction)) == (1, 2, ())
    assert said(judge_bid(TERMS, auction, 2, 3))[0] == "the auction is over: @1 has won it with 2"
    assert describe_auction(auction) == "@1 has won with 2."


def test_whose_means_do_not_reach_the_lowest_bid_is_out_without_being_asked() -> None:
    before = having(9, 4, 9)
    auction = bid(TERMS, before, 1, 4)
    assert priced_out(before, auction) == (2,)
    assert due(auction) == (3,)
    assert said(judge_bid(TERMS, auction, 2, 5))[0] == "the bid must be at least 5, and @2 has 4 coins"


def test_a_bid_that_nobody_can_raise_wins_at_once() -> None:
    auction = bid(TERMS, having(9, 8, 9), 1, 9)
    assert (auction.winner, auction.price) == (1, 9)


def test_without_a_rival_the_opening_bid_wins() -> None:
    auction = begin(TERMS, [Bidder(1, 9, "9 coins")], [LeftOut(2, "it is the auctioneer")])
    assert bid(TERMS, auction, 1, 1).winner == 1
    assert bid(TERMS, having(9, 0), 1, 3).winner == 1


def test_an_auction_that_nobody_can_open_does_not_begin() -> None:
    with pytest.raises(RuleError, match="opening takes at least 1, and @1 has 0 coins"):
        having(0, 5)
    with pytest.raises(RuleError, match="each of them once"):
        begin(TERMS, [])
    with pytest.raises(RuleError, match="each of them once"):
        begin(TERMS, [Bidder(1, 9, "9 coins"), Bidder(1, 9, "9 coins")])


def test_running_out_of_time_is_a_pass_and_the_lowest_bid_for_who_must_open() -> None:
    auction = having(9, 9)
    assert lapse(TERMS, auction, 1) == 1
    auction = bid(TERMS, auction, 1, 3)
    assert lapse(TERMS, auction, 2) == 0
    with pytest.raises(RuleError, match="@1 leads with 3"):
        lapse(TERMS, auction, 1)


def test_the_clock_is_told_who_is_asked_and_what_has_been_reached() -> None:
    auction = bid(TERMS, having(9, 9), 1, 3)
    timed = clocked(TERMS, auction, [Action(seat=2)])
    assert timed is not None
    assert (timed.clock, timed.seats, timed.price, timed.leader) == ("bid", (2,), 3, 1)
    assert timed.words == "@1 leads with 3; waiting for @2."
    assert clocked(TERMS, give_up(TERMS, auction, 2), []) is None


def test_the_runner_up_is_the_highest_bid_of_another_seat_outbid_or_not() -> None:
    auction = having(9, 9, 9)
    for seat, amount in ((1, 1), (2, 4), (3, 5), (1, 7)):
        auction = bid(TERMS, auction, seat, amount)
    assert runner_up(auction, {1}) == Bid(3, 5)
    assert runner_up(auction, {1, 3}) == Bid(2, 4)
    assert runner_up(auction, {1, 2, 3}) is None


def test_c8_means_that_are_corrected_amid_an_auction_reach_what_was_bid_and_what_is_to_be_bid() -> None:
    auction = bid(TERMS, having(8, 8, 8), 1, 5)
    assert amounts(TERMS, with_means(TERMS, auction, Bidder(2, 6, "6 coins")), 2) == range(6, 7)
    for seat, coins in ((1, 4), (2, 5)):
        with pytest.raises(RuleError, match="can't have less"):
            with_means(TERMS, auction, Bidder(seat, coins, "fewer"))
    passed = give_up(TERMS, auction, 2)
    assert due(with_means(TERMS, passed, Bidder(2, 0, "none"))) == (3,)
    assert with_means(TERMS, auction, Bidder(4, 0, "no bidder")) == auction


def test_where_bids_come_in_any_order_everybody_but_the_leader_may_bid_after_the_opening() -> None:
    auction = having(9, 9, 9, terms=FREE)
    assert due(auction) == (1,)
    auction = bid(FREE, auction, 1, 2)
    assert due(auction) == (2, 3)
    auction = bid(FREE, auction, 3, 4)
    assert due(auction) == (1, 2)
    auction = give_up(FREE, give_up(FREE, auction, 2), 1)
    assert (auction.winner, auction.price) == (3, 4)


SEATS = st.integers(1, 6)


@given(
    terms=st.sampled_from([TERMS, FREE, Terms(opening=3, step=2), Terms(opening=2, in_turn=False)]),
    coins=st.lists(st.integers(0, 12), min_size=1, max_size=5),
    tries=st.lists(st.tuples(SEATS, st.integers(-1, 14)), max_size=60),
)
def test_whatever_is_tried_an_auction_stays_whole(terms: Terms, coins: list[int], tries: list[tuple[int, int]]) -> None:
    """-1 tries a pass. What is legal is exactly what `due`, `amounts` and `may_pass` offer, and it can be done."""
    coins[0] += terms.opening
    auction = having(*coins, terms=terms)
    for seat, amount in tries:
        open_ = due(auction)
        assert bool(open_) != auction.over
        assert auction.over == (auction.winner != 0)
        for asked in open_:
            assert amounts(terms, auction, asked), "who is asked can bid"
            assert asked != auction.leader
        if amount < 0:
            verdict = judge_pass(terms, auction, seat)
            assert verdict.ok == may_pass(auction, seat)
        else:
            verdict = judge_bid(terms, auction, seat, amount)
            assert verdict.ok == (amount in amounts(terms, auction, seat))
        if not verdict.ok:
            assert verdict.rule
            assert verdict.reason
            assert verdict.remedy
            continue
        auction = give_up(terms, auction, seat) if amount < 0 else bid(terms, auction, seat, amount)
        assert all(low.amount < high.amount for low, high in zip(auction.bids, auction.bids[1:], strict=False))
        assert auction.leader not in auction.out
        assert len(set(auction.out)) == len(auction.out)
        assert all(made.amount <= coins[made.seat - 1] for made in auction.bids)


def test_a_clocked_auction_says_how_every_bidder_stands_and_what_comes_next() -> None:
    auction = begin(TERMS, [Bidder(seat, 9, "9 coins") for seat in (2, 3, 1)])
    auction = give_up(TERMS, bid(TERMS, bid(TERMS, auction, 2, 3), 3, 5), 1)
    timed = clocked(TERMS, auction, [Action(seat=2)], "00A")
    assert timed is not None
    assert [(one.seat, one.bid, one.out) for one in timed.bids] == [(2, 3, False), (3, 5, False), (1, 0, True)]
    assert (timed.lot, timed.least) == ("00A", 5 + TERMS.step)
