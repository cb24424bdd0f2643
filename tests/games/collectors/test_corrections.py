"""Collectors: corrections (C8), what is known after undo (C4), and what does not add up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.paying import CantPay
from companion.games.collectors.spaces import Place
from companion.games.collectors.steps import with_player
from companion.rules.hands import Hand
from companion.rules.kernel import AnyEdit, Counts, Instead, Lies, Opened, RuleError, Turns
from tests.games.always import recalled
from tests.games.collectors.situations import COMPONENTS, GAME, buys, card, places, play, situation


def test_c8_a_card_that_lies_among_the_items_came_out_of_that_hand() -> None:
    state = situation()
    after = GAME.correct(state, (Lies(card("penguin"), "items.2"),))
    assert after.players[1].items == (card("penguin"),)
    assert (after.players[1].hand.size, after.deck) == (1, state.deck)


def test_c8_a_card_may_lie_in_another_slot() -> None:
    state = situation(item_pool=("penguin", "", ""))
    after = GAME.correct(state, (Lies(state.item_pool[0], "item-pool-3"),))
    assert after.item_pool == ("", "", state.item_pool[0])


def test_c8_a_slot_holds_one_card() -> None:
    state = situation(item_pool=("penguin", "movie", ""))
    with pytest.raises(RuleError, match="lies there already"):
        GAME.correct(state, (Lies(state.item_pool[0], "item-pool-2"),))


def test_c8_coins_income_and_the_quarter_can_be_counted_anew() -> None:
    state = situation()
    after = GAME.correct(state, (Counts("coins.2", 9), Counts("income.1", 2), Counts("quarter", 3)))
    assert (after.players[1].coins, after.players[0].income, after.quarter) == (9, 2, 3)
    assert after.deck == state.deck - 2, "the deck makes up the difference"


def test_c8_an_empty_deck_tells_how_many_cards_the_hands_hold() -> None:
    state = situation(deck=3)
    after = GAME.correct(state, (Counts("deck", 0),))
    assert sum(player.hand.size for player in after.players) == 2 + 2 + 3


def test_c8_a_bottle_lies_where_it_lies_and_bottles_of_a_colour_are_alike() -> None:
    state = situation()
    one, two, three = COMPONENTS.bottles[1][:3]
    assert GAME.correct(state, (Lies(one, "draw"),)).players[0].bottles == ("draw", "2", "", "", "")
    assert GAME.correct(state, (Instead(two, three),)).players[0].bottles == ("1", "", "2", "", "")
    with pytest.raises(RuleError, match="are not two bottles of one colour"):
        GAME.correct(state, (Instead(one, COMPONENTS.bottles[2][0]),))
    with pytest.raises(RuleError, match="2 bottles on draw 2 cards"):
        GAME.correct(state, (Lies(one, "draw"), Lies(two, "draw")))


def test_c8_who_is_about_to_start_an_auction_keeps_something_to_open_with() -> None:
    """Else the auction could neither be begun nor left (K17)."""
    pool = ("penguin", "", "", "")
    state = situation(coins=(0, 5), hands=(1, 2), auction_pool=pool, phase="offer", space="auction-3")
    lone = min(state.unseen)
    with pytest.raises(RuleError, match="There is nothing left to open the auction with"):
        GAME.correct(state, (Lies(lone, "items.1"),))
    assert GAME.correct(state, (Lies(lone, "items.1"), Counts("coins.1", 1))).phase == "offer"


def test_c8_the_turn_can_be_given_to_a_seat_with_a_bottle() -> None:
    state = situation(bottles={2: ("draw", "first", "", "", "")}, seats=3)
    assert GAME.correct(state, (Turns(3),)).turn == 3
    with pytest.raises(RuleError, match="has no bottle to place"):
        GAME.correct(state, (Turns(2),))


@pytest.mark.parametrize(
    ("phase", "edits", "then"),
    [
        ("reveal", (Lies(card("penguin"), "items.1"), Counts("treasure.1", 0)), "over"),
        ("treasure", (Counts("treasure.1", 1),), "fill"),
        ("retrieve", (Lies(COMPONENTS.bottles[1][0], "bottle-1.1"),), "turn"),
    ],
)
def test_c8_after_a_correction_that_leaves_nobody_due_the_match_goes_on_or_ends(
    phase: str, edits: tuple[AnyEdit, ...], then: str
) -> None:
    state = situation(bottles={1: ("draw", "2", "", "", "")}, secrets=0)
    hides = 1 if phase == "reveal" else 2
    players = with_player(state, hides, replace(state.players[hides - 1], secrets=1))
    state = replace(state, players=players, deck=state.deck - 1, phase=phase, begun=phase != "treasure")
    assert (GAME.audit(state), GAME.actors(state)) == ((), (1,))
    assert GAME.correct(state, edits).phase == then


def test_c8_nothing_is_lost_by_a_correction_that_does_not_add_up() -> None:
    state = situation()
    with pytest.raises(RuleError) as refused:
        GAME.correct(state, (Counts("hand.1", 200),))
    assert refused.value.verdict.kind == "inconsistent"


def test_c8_the_host_ends_a_match_in_the_midst_of_an_auction() -> None:
    state = situation(auction_pool=("movie", "", "", ""))
    state = play(state, places(state, "auction-3"))
    for offer in (Offer(seat=1, card=""), Offer(seat=1, card=state.auction_pool[0])):
        after = GAME.end(play(state, offer))
        assert GAME.audit(after) == ()
        assert GAME.actors(after) == ()
        assert after.outcome is not None
        assert after.outcome.winners == ()


def test_c4_a_card_bought_out_of_the_hand_stays_known_when_it_is_taken_back() -> None:
    state = situation()
    placed = places(state, "buy-1")
    assert recalled(GAME, state, ((placed, ()), (buys(card("penguin")), ()))).players[0].hand == Hand(
        frozenset((card("penguin"),)), 1
    )


def test_c4_after_a_draw_it_may_have_been_the_card_drawn() -> None:
    state = situation()
    undone = (
        (places(state, "draw"), ()),
        (Place(seat=2, space="first", bottle=COMPONENTS.bottles[2][0]), ()),
        (Place(seat=1, space="buy-1", bottle=COMPONENTS.bottles[1][1]), ()),
        (buys(card("penguin")), ()),
    )
    assert recalled(GAME, state, undone) == state


def test_c4_a_hand_laid_open_stays_known() -> None:
    state = situation(coins=(0, 3), auction_pool=("movie", "", "", ""))
    ones = (card("penguin$1"), card("music$1"))
    opened = (Opened(place="open", pieces=ones),)
    state = play(state, places(state, "auction-2"))
    undone = (
        (Offer(seat=1, card=state.auction_pool[0]), ()),
        (MakeBid(seat=1, amount=4), ()),
        (PassBid(seat=2), ()),
        (CantPay(seat=1), opened),
    )
    assert recalled(GAME, state, undone).players[0].hand.known == set(ones)


def test_the_audit_names_what_does_not_add_up() -> None:
    state = situation(item_pool=("penguin", "", ""), market=("movie",))
    twice = replace(state, market=(state.item_pool[0],))
    assert any("is in 2 places" in wrong for wrong in GAME.audit(twice))
    assert any("is nowhere" in wrong for wrong in GAME.audit(twice))
    assert GAME.audit(replace(state, deck=state.deck + 1))
    assert GAME.audit(replace(state, phase="over"))
    assert GAME.audit(replace(state, phase="bid"))
    poor = replace(state.players[0], coins=-1)
    assert GAME.audit(replace(state, players=(poor, state.players[1])))
