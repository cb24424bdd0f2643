"""Collectible: set-up, collecting cards, auctions, and the phantom auctioneer. One test a rule, named by it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.collectible.auctions import Bid, NoBid, Open
from companion.games.collectible.characters import Roll
from companion.games.collectible.collecting import Draw
from companion.games.collectible.revealing import Pass
from companion.games.collectible.sending import Done, Send
from companion.games.collectible.setup import TurnUp
from companion.games.collectible.state import Closed, Setup, State, Under
from companion.games.collectible.two_players import Sell
from companion.rules.kernel import UNKNOWN, RuleError, Shown
from tests.games.collectible.situations import (
    ART,
    COMPONENTS,
    GAME,
    character,
    coins,
    dice,
    judge,
    play,
    refused,
    situation,
    sizes,
    turned,
)

A, B, C, D, E, F = ART[:6]


def gallery(state: State, seat: int) -> frozenset[str]:
    return state.players[seat - 1].gallery.known


# ------------------------------------------------------------------------------------------------------------ set-up


def test_a1_twenty_coins_five_cards_to_the_gallery_none_in_auction() -> None:
    state = GAME.setup(4, {}, Setup(first=3))
    assert coins(state) == [20] * 4
    assert sizes(state) == [5] * 4
    assert all(not player.auction for player in state.players)
    assert (state.turn, state.phase, state.deck) == (3, "collect", 108 - 20)


def test_a1_all_four_are_options() -> None:
    state = GAME.setup(2, {"coins": 7, "gallery": 3, "auction": 1, "first": 2}, Setup(first=1))
    assert coins(state) == [7, 7]
    assert sizes(state) == [3, 3]
    assert GAME.actors(state) == (0,)
    assert [action.player for action in GAME.legal(state) if isinstance(action, TurnUp)] == [0, 1, 2]
    turns = [(TurnUp(player=2), turned("auction.2", A)), (TurnUp(player=1), turned("auction.1", B))]
    state = play(state, *turns, *((TurnUp(player=0), turned("phantom", piece)) for piece in (C, D, E)))
    assert (state.turn, state.phase) == (2, "collect")


def test_the_number_of_players_options_and_the_first_player_have_to_fit() -> None:
    for seats, options, first, says in [
        (1, {}, 1, "1 player "),
        (7, {}, 1, "7 players"),
        (3, {}, 4, "no seat 4"),
        (3, {"first": 4}, 1, "no seat 4"),
        (3, {"coins": 0}, 1, "0 is not possible"),
        (3, {"dice": 2}, 1, "no option 'dice'"),
    ]:
        with pytest.raises(RuleError, match=says):
            GAME.setup(seats, options, Setup(first=first))


# ----------------------------------------------------------------------------------------------------- collect cards


def test_you_may_draw_a_card_from_the_talent_pile() -> None:
    state = situation()
    after = play(state, Draw(seat=1))
    assert sizes(after) == [5, 4, 4]
    assert (after.deck, after.phase) == (state.deck - 1, "send")
    assert "first step" not in refused(after, Draw(seat=1))


def test_you_can_not_collect_twice_or_out_of_turn() -> None:
    state = situation(auction={2: (A,)})
    assert refused(state, Draw(seat=2)) == "Collect cards: it is the turn of @1, not of @2"
    assert "second step" in refused(play(state, Draw(seat=1)), Open(seat=1, card=A))


def test_you_may_bid_for_a_card_in_anyone_elses_auction() -> None:
    state = play(situation(auction={2: (A, B)}), Open(seat=1, card=A))
    assert state.block is not None
    assert (state.block.card, state.block.owner) == (A, 2)
    assert GAME.actors(state) == (1,)
    assert state.players[1].auction == {B}


def test_you_can_not_ever_bid_for_cards_in_your_own_auction() -> None:
    assert "nobody bids for their own cards" in refused(situation(auction={1: (A,)}), Open(seat=1, card=A))


def test_a_card_that_is_in_no_auction_can_not_be_bid_for() -> None:
    verdict = judge(situation(discard=(A,)), Open(seat=1, card=A))
    assert (verdict.kind, verdict.rule) == ("inconsistent", "C2")
    assert "it has been discarded" in verdict.reason


def test_in_turn_order_other_players_can_bid_except_the_auctioneer() -> None:
    state = play(situation(4, auction={2: (A,)}, turn=3), Open(seat=3, card=A), Bid(seat=3, amount=1))
    assert GAME.actors(state) == (4,)
    assert refused(state, Bid(seat=2, amount=2)) == "A4: @2 does not bid here: the card is in their own auction"
    state = play(state, Bid(seat=4, amount=2))
    assert GAME.actors(state) == (1,)


def test_the_highest_bidder_pays_the_auctioneer_and_puts_the_card_into_the_gallery() -> None:
    state = play(
        situation(auction={2: (A,)}),
        Open(seat=1, card=A),
        Bid(seat=1, amount=3),
        Bid(seat=3, amount=5),
        NoBid(seat=1),
    )
    assert coins(state) == [20, 25, 15]
    assert gallery(state, 3) == {A}
    assert (state.turn, state.phase) == (1, "send")


def test_a4_the_opener_opens_with_at_least_one_and_can_not_pass() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A))
    assert "the bid must be at least 1: nobody has bid yet" in refused(state, Bid(seat=1, amount=0))
    assert "must open" in refused(state, NoBid(seat=1))


def test_a4_raise_by_at_least_one() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A), Bid(seat=1, amount=5))
    assert refused(state, Bid(seat=3, amount=5)) == "A4: the bid must be at least 6: the last was 5"


def test_a4_a_pass_is_final() -> None:
    state = play(
        situation(4, auction={2: (A,)}),
        Open(seat=1, card=A),
        Bid(seat=1, amount=5),
        NoBid(seat=3),
        Bid(seat=4, amount=6),
    )
    assert "a pass is final" in refused(state, Bid(seat=3, amount=9))


def test_a4_a_bid_may_not_exceed_ones_coins() -> None:
    state = play(situation(auction={2: (A,)}, coins=(8, 20, 9)), Open(seat=1, card=A))
    assert refused(state, Bid(seat=1, amount=9)) == "A4: the bid may be at most 8: @1 has 8 coins"
    assert "has none" in refused(situation(auction={2: (A,)}, coins=(0, 20, 9)), Open(seat=1, card=A))


def test_a4_who_can_not_raise_any_more_is_not_asked() -> None:
    state = play(situation(auction={2: (A,)}, coins=(9, 20, 4)), Open(seat=1, card=A), Bid(seat=1, amount=4))
    assert coins(state) == [5, 24, 4]
    assert gallery(state, 1) == {A}
    told = GAME.describe(
        play(situation(auction={2: (A,)}, coins=(9, 20, 4)), Open(seat=1, card=A)), Bid(seat=1, amount=4)
    )
    assert told == f"@1 bids 4; that is more than @3 can raise; @1 gets {COMPONENTS.name(A)} for 4 coins."


def test_a3_a_bid_without_a_rival_is_legal_and_goes_to_the_opener() -> None:
    state = play(situation(2, auction={2: (A,)}), Open(seat=1, card=A), Bid(seat=1, amount=1))
    assert coins(state) == [19, 21]
    assert gallery(state, 1) == {A}


def test_a3_collecting_is_required_and_skipped_only_if_nothing_is_possible() -> None:
    """Seat 2 begins its turn; the talent pile is empty and nothing has been discarded."""

    def begun(**more: Any) -> State:
        return play(situation(step="reveal", **more), Pass(seat=1))

    assert "first step" in refused(situation(), Pass(seat=1))
    assert judge(begun(unknown=(5, 31, 72)), Done(seat=2)).ok
    bidding = begun(unknown=(5, 31, 71), auction={1: (A,)})
    assert "first step" in refused(bidding, Done(seat=2))
    assert refused(bidding, Draw(seat=2)) == "A10: the talent pile and the discard pile are empty"
    assert GAME.tacit(bidding) is None
    assert judge(begun(unknown=(5, 31, 71), auction={1: (A,)}, coins=(20, 0, 20)), Done(seat=2)).ok
    assert judge(begun(unknown=(5, 31, 71), auction={1: (A,)}, closed=(Closed(A, 3),)), Done(seat=2)).ok
    assert judge(begun(unknown=(5, 31, 71), auction={2: (A,)}), Done(seat=2)).ok, "one's own auction doesn't count"


def test_a10_the_discards_are_shuffled_when_a_card_is_due_and_the_pile_is_empty() -> None:
    state = situation(deck=0, discard=(A, B))
    assert (state.deck, A in state.unseen) == (0, False)
    after = play(state, Draw(seat=1))
    assert after.deck == len(state.discard) - 1
    assert after.discard == ()
    assert A in after.unseen


def test_a10_the_pile_may_become_empty_and_is_made_anew_only_when_a_card_is_due() -> None:
    after = play(situation(deck=1, discard=(A,)), Draw(seat=1))
    assert (after.deck, after.discard[-1]) == (0, A)


def test_c5_running_out_of_time_is_a_pass_and_for_the_opener_the_lowest_bid() -> None:
    state = play(situation(auction={2: (A,)}), Open(seat=1, card=A))
    timed = GAME.timed(state)
    assert timed is not None
    assert (timed.clock, timed.lapses) == ("bid", (Bid(seat=1, amount=1),))
    state = play(state, *timed.lapses)
    timed = GAME.timed(state)
    assert timed is not None
    assert (timed.lapses, timed.price, timed.leader) == ((NoBid(seat=3),), 1, 1)
    assert GAME.timed(play(state, *timed.lapses)) is None


# ------------------------------------------------------------------------------------------------------- two players


def test_a9_three_cards_are_put_in_the_phantom_auction() -> None:
    state = GAME.setup(2, {}, Setup())
    assert refused(state, Draw(seat=1)) == "A1: the phantom auction is not complete yet"
    state = play(state, *((TurnUp(player=0), turned("phantom", piece)) for piece in (A, B, C)))
    assert state.phantom == {A, B, C}
    assert state.phase == "collect"
    assert "nothing of the kind is due" in refused(state, TurnUp(player=0))


def test_a_card_that_was_turned_up_and_not_read_yet_stays_due() -> None:
    start = GAME.setup(2, {}, Setup())
    state = play(start, (TurnUp(player=0), Shown(place="phantom", piece=UNKNOWN)))
    assert (state.deck, state.phantom) == (start.deck - 1, frozenset())
    state = play(state, (TurnUp(player=0), turned("phantom", A)))
    assert (state.deck, sorted(state.phantom)) == (start.deck - 1, [A])


def test_a9_either_player_may_bid_and_the_other_can_bid_against_them_and_the_phantom_is_paid() -> None:
    state = situation(2, phantom=(A, B, C))
    state = play(state, Open(seat=1, card=A), Bid(seat=1, amount=2), Bid(seat=2, amount=3), NoBid(seat=1))
    assert coins(state) == [20, 17]
    assert state.phantom_coins == 3
    assert gallery(state, 2) == {A}


def test_a9_every_time_a_card_leaves_the_gap_is_filled_so_that_there_are_always_three() -> None:
    state = situation(2, phantom=(A, B, C))
    state = play(state, Open(seat=1, card=A), Bid(seat=1, amount=2))
    assert GAME.actors(state) == (2,), "while bids are made the gap stays"
    state = play(state, NoBid(seat=2))
    assert (GAME.actors(state), state.phase) == ((0,), "fill")
    state = play(state, (TurnUp(player=0), turned("phantom", D)))
    assert state.phantom == {B, C, D}
    assert state.phase == "send"


def test_a9_a_gap_that_nothing_fills_is_filled_when_there_is_a_card_again() -> None:
    state = situation(2, unknown=(53, 52), phantom=(A, B, C))
    state = play(state, Open(seat=1, card=A), Bid(seat=1, amount=2), NoBid(seat=2))
    assert (state.phase, sorted(state.phantom)) == ("send", [B, C])
    for _ in range(49):  # discard down to five
        state = play(state, next_discard(state))
    state = play(state, Pass(seat=1))
    assert (state.phase, GAME.actors(state)) == ("fill", (0,))


def next_discard(state: State) -> object:
    from companion.games.collectible.sending import Discard

    return Discard(seat=1, card=min(state.unseen & COMPONENTS.art))


def test_a9_cards_are_traded_for_the_phantoms_coins_before_collecting() -> None:
    state = situation(2, known={1: (A,)}, auction={1: (B,)}, phantom_coins=2)
    state = play(state, Sell(seat=1, card=A), Sell(seat=1, card=B))
    assert coins(state) == [22, 20]
    assert state.phantom_coins == 0
    assert state.traded == (A, B)
    assert "no coin" in refused(state, Sell(seat=1, card=C))
    assert state.phase == "collect", "whatever is then collected"
    assert "second step" in refused(play(state, Draw(seat=1)), Sell(seat=1, card=C))


def test_a9_without_a_coin_no_such_discard() -> None:
    assert refused(situation(2), Sell(seat=1, card=A)) == "A9: the phantom auctioneer has no coin"


def test_a9_a_character_so_discarded_is_rolled_under_and_earns_a_coin_too() -> None:
    patron = character("coins")
    state = play(situation(2, known={1: (patron,)}, phantom_coins=1), Sell(seat=1, card=patron))
    assert coins(state) == [21, 20]
    assert (state.phase, GAME.actors(state)) == ("roll", (1,))
    state = play(state, (Roll(seat=1), dice(3, 4)))
    assert state.under == (Under(patron, 7),)
    assert state.phase == "collect"


def test_a9_what_was_traded_is_shuffled_with_the_discards() -> None:
    state = situation(2, unknown=(6, 6), deck=0, discard=(A,), traded=(B,))
    after = play(state, Draw(seat=1))
    assert (after.discard, after.traded) == ((), ())
    assert {A, B} <= after.unseen


def test_cards_are_traded_only_with_two_players() -> None:
    assert "only with two players" in refused(situation(3, known={1: (A,)}), Sell(seat=1, card=A))


def test_c2_what_is_known_to_be_elsewhere_can_not_be_in_a_gallery() -> None:
    state = play(situation(known={2: (A,)}, under=(Under(character("look"), 6),)), Draw(seat=1))
    assert "known to be in the gallery of @2" in refused(state, Send(seat=1, card=A))
    assert "in the talent pile, under 5 cards" in refused(state, Send(seat=1, card=character("look")))
    assert judge(state, Send(seat=1, card=B)).ok
