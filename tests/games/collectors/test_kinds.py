"""Collectors: what happens seldom, in every way in which it can: decks that end, ties, a skill owned twice."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.collectors.auctions import MakeBid, Offer, PassBid
from companion.games.collectors.paying import PayCard, PayCoins
from companion.games.collectors.quarter import Fill, income, refill
from companion.games.collectors.scoring import scored
from companion.referee.matching import explain
from companion.rules.kernel import Shown
from tests.games.collectors.situations import AWAY, COMPONENTS, GAME, coins, judge, pieces, places, play, situation
from tests.games.collectors.test_table import table

FEW = st.integers(0, 3)


def sizes(state: object) -> list[int]:
    return [player.hand.size for player in state.players]  # type: ignore[attr-defined]


@settings(max_examples=25)
@given(deck=FEW, paid=FEW, skills=st.integers(0, 2))
def test_k9_a_deck_that_ends_amid_a_draw_is_made_anew_of_the_paid_pile(deck: int, paid: int, skills: int) -> None:
    before = situation(deck=deck, paid=("$1",) * paid, skills={1: ("/work-card",) * skills})
    drawn = 2 + skills
    assert judge(before, places(before, "draw")).ok == (drawn <= deck + paid), "K17: what is left draws in full"
    if drawn > deck + paid:
        return
    after = play(before, places(before, "draw"))
    assert sizes(after) == [2 + drawn, 2]
    assert after.paid == (() if drawn > deck else before.paid), "the paid pile stays until a card is due"
    assert after.deck + len(after.paid) == deck + paid - drawn


@settings(max_examples=25)
@given(deck=FEW, paid=FEW, first=st.integers(1, 3), covered=st.sets(st.integers(1, 3)))
def test_k9_where_cards_end_amid_the_income_the_first_players_get_theirs(
    deck: int, paid: int, first: int, covered: set[int]
) -> None:
    bottles = dict.fromkeys(covered, ("1", "2", "3", "", ""))
    state = situation(3, deck=deck, paid=("$1",) * paid, bottles=bottles, first=first, next_first=first)
    due = [seat for seat in (*range(first, 4), *range(1, first)) if seat not in covered]
    got = due[: deck + paid]
    assert sizes(income(COMPONENTS, state)) == [2 + (seat in got) for seat in (1, 2, 3)]


@settings(max_examples=25)
@given(deck=st.integers(0, 12), paid=FEW)
def test_k9_where_cards_end_amid_a_refill_they_go_to_the_auction_then_the_item_then_the_skill_pool(
    deck: int, paid: int
) -> None:
    state = situation(deck=deck, paid=("$1",) * paid, phase="flow", bottles=AWAY)
    slots = [
        f"{name}-pool-{n}" for name, most in (("auction", 4), ("item", 3), ("skill", 3)) for n in range(1, most + 1)
    ]
    assert refill(COMPONENTS, state).due == tuple(slots[: deck + paid])


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 9), FEW), min_size=2, max_size=4))
def test_scoring_ties_go_to_the_most_cards_in_hand_and_are_shared_else(players: list[tuple[int, int]]) -> None:
    money, hands = zip(*players, strict=True)
    outcome = scored(COMPONENTS, situation(len(players), coins=money, hands=hands, secrets=0)).outcome
    ranks = [(amount // 3, hand) for amount, hand in players]
    assert outcome is not None
    assert outcome.winners == tuple(seat for seat, rank in enumerate(ranks, 1) if rank == max(ranks))


@settings(max_examples=20)
@given(work=FEW, card=FEW, auction=FEW, points=st.integers(0, 2), music=FEW)
def test_a_skill_that_is_owned_several_times_works_as_often(
    work: int, card: int, auction: int, points: int, music: int
) -> None:
    skills = ("/work-income",) * work + ("/work-card",) * card + ("/auction-income",) * auction
    state = situation(
        skills={1: skills + ("/vp-music",) * points}, items={1: ("music",) * music}, auction_pool=("movie", "", "", "")
    )
    recycled = play(state, places(state, "recycle"))
    assert (coins(recycled)[0], sizes(recycled)[0]) == (5 + 1 + 2 * work, 2 + card)
    assert coins(play(state, places(state, "auction-3")))[0] == 5 + auction
    (part,) = (part.value for part in GAME.standing(state).seats[0].parts if part.name == "skills")
    assert part == points * music


@settings(max_examples=25)
@given(price=st.integers(1, 6), cash=st.lists(st.sampled_from(("$1", "$2")), min_size=1, max_size=3))
def test_k9_cards_laid_together_pay_if_some_order_of_them_does(price: int, cash: list[str]) -> None:
    mine = pieces(*cash)
    state = situation(coins=(6, 6), hands=(3, 2), auction_pool=("movie/vp-all", "", "", ""))
    lot = state.auction_pool[0]
    state = play(state, places(state, "auction-3"), Offer(seat=1, card=lot), MakeBid(seat=1, amount=price))
    state = play(state, PassBid(seat=2))

    def paid(order: tuple[str, ...]) -> object:
        now = state
        for card in order:
            if not judge(now, PayCard(seat=1, card=card)).ok:
                return None
            now = play(now, PayCard(seat=1, card=card))
        return now if now.phase == "put" else play(now, PayCoins(seat=1))

    ends = [after for order in permutations(mine) if (after := paid(order)) is not None]
    worth = [int(each[1:]) for each in cash]
    assert bool(ends) == (sum(worth) - min(worth) < price or sum(worth) - max(worth) < price)
    assert len({frozenset(after.paid) for after in ends}) <= 1, "whatever the order, the same lies there"
    found = explain(GAME, state, table(state, *((piece, "paid") for piece in mine))).complete
    assert bool(found) == bool(ends)
    assert all({getattr(step.action, "card", None) for step in one.steps} == set(mine) for one in found)
    assert len(found) < 2, "which lies on top is seen, and not asked"


@settings(max_examples=10)
@given(st.permutations(("auction-pool-1", "item-pool-1", "item-pool-2", "skill-pool-1")))
def test_phase_2_pools_are_filled_in_any_order(order: list[str]) -> None:
    slots = tuple(sorted(order))
    state = replace(situation(seats=2, begun=False), phase="fill", due=slots)
    cards = dict(zip(slots, sorted(state.unseen), strict=False))
    for slot in order:
        state = play(state, (Fill(slot=slot), Shown(place=slot, piece=cards[slot])))
    assert (state.phase, state.deck) == ("turn", 90 - 4 - 4 - 2)
    assert (state.auction_pool[0], state.item_pool[:2]) == (
        cards["auction-pool-1"],
        (cards["item-pool-1"], cards["item-pool-2"]),
    )
