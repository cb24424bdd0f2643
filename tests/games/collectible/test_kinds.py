"""Collectible: what happens seldom, in every way in which it can: piles that end, ties, coins that run dry."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.eye.view import Placement, TableView
from companion.games.collectible.auctions import Open
from companion.games.collectible.characters import PlayCharacter, Roll
from companion.games.collectible.revealing import Pass, Reveal, Show
from companion.games.collectible.sending import Done, Send, TakeBack
from companion.games.collectible.state import Closed
from companion.games.collectible.two_players import Sell
from companion.referee.difference import Seen
from companion.referee.matching import explain
from tests.games.collectible.situations import (
    ART,
    COMPONENTS,
    GAME,
    character,
    coins,
    dice,
    judge,
    laid_open,
    play,
    refused,
    showing,
    situation,
    sizes,
)
from tests.games.collectible.test_sending_and_revealing import ranked

FEW = st.integers(0, 2)
DEALER, PATRON = character("draw"), character("coins")


@settings(max_examples=25)
@given(deck=FEW, discarded=FEW, traded=FEW)
def test_a10_a_pile_that_ends_amid_drawing_two_is_made_anew_of_both_discard_piles(
    deck: int, discarded: int, traded: int
) -> None:
    before = situation(
        2, unknown=(108 - 3 - deck - discarded - traded - 1, 0), known={1: (DEALER,)}, phantom=tuple(ART[-3:]),
        discard=tuple(ART[:discarded]), traded=tuple(ART[2 : 2 + traded]),
    )  # fmt: skip
    assert before.deck == deck
    there = deck + discarded + traded
    assert judge(before, PlayCharacter(seat=1, card=DEALER)).ok == bool(there)
    if not there:
        return
    after = play(before, PlayCharacter(seat=1, card=DEALER))
    drawn = min(2, there)
    assert sizes(after)[0] == sizes(before)[0] - 1 + drawn
    renewed = drawn > deck
    assert (after.discard, after.traded) == (((), ()) if renewed else (before.discard, before.traded))
    assert after.deck + len(after.discard) + len(after.traded) == there - drawn


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 2), st.integers(3, 4), st.integers(0, 1)), min_size=2, max_size=4))
def test_a8_ties_are_broken_by_cards_then_coins_then_shared(ranks: list[tuple[int, int, int]]) -> None:
    assert ranked(*ranks) == tuple(seat for seat, rank in enumerate(ranks, 1) if rank == max(ranks))


@settings(max_examples=20)
@given(owner=st.integers(1, 3), closer=st.integers(1, 3), moved=st.booleans())
def test_a7_a_closed_card_that_is_taken_back_and_sent_again_is_open(owner: int, closer: int, moved: bool) -> None:
    card, following = ART[0], owner % 3 + 1
    state = situation(auction={owner: (card,)}, closed=(Closed(card, closer),), turn=owner, step="send")
    if moved:
        state = play(state, TakeBack(seat=owner, card=card), Send(seat=owner, card=card))
        assert state.closed == ()
    state = play(state, Done(seat=owner), Pass(seat=owner))
    assert judge(state, Open(seat=following, card=card)).ok == (moved or closer == following)


@settings(max_examples=25)
@given(money=st.integers(0, 4), own=st.lists(st.sampled_from(["art", "auction", "character"]), max_size=4))
def test_a9_cards_are_traded_until_the_phantom_has_no_coin_left(money: int, own: list[str]) -> None:
    characters = [character(effect) for effect in ("coins", "look", "close", "rebate")]
    names = [characters[n] if kind == "character" else ART[n] for n, kind in enumerate(own)]
    state = situation(
        2, known={1: tuple(c for c, kind in zip(names, own, strict=True) if kind != "auction")}, unknown=(0, 4),
        auction={1: tuple(c for c, kind in zip(names, own, strict=True) if kind == "auction")}, phantom_coins=money,
    )  # fmt: skip
    for n, card in enumerate(names):
        if n >= money:
            assert refused(state, Sell(seat=1, card=card)) == "A9: the phantom auctioneer has no coin"
            continue
        state = play(state, Sell(seat=1, card=card))
        if card in COMPONENTS.characters:
            state = play(state, (Roll(seat=1), dice(1, 1)))
    sold = min(money, len(own))
    assert (coins(state)[0], state.phantom_coins, state.phase) == (20 + sold, money - sold, "collect")
    assert len(state.traded) + len(state.under) == sold


@settings(max_examples=20)
@given(others=st.permutations((2, 3)), theirs=st.integers(1, 4), shown=st.booleans())
def test_a8_whoever_reveals_the_dearest_collection_wins_in_whatever_order_galleries_are_shown(
    others: list[int], theirs: int, shown: bool
) -> None:
    cheap, dear = showing("Animal", 5), sorted(COMPONENTS.showing["Skeleton"] - set(showing("Animal", 5)))[:theirs]
    state = situation(unknown=(5, theirs, 1), step="reveal" if shown else "send")
    state = play(state, (Reveal(seat=1), laid_open(1, *cheap)))
    hands = {2: tuple(dear), 3: (PATRON,)}
    for seat in others:
        assert state.outcome is None
        state = play(state, (Show(player=seat), laid_open(seat, *hands[seat])))
    scores = [COMPONENTS.best(cards).score for cards in (cheap, dear, ())]
    assert state.outcome is not None
    assert state.outcome.winners == ((1,) if scores[0] >= scores[1] else (2,)), scores
    assert [seat.score for seat in GAME.standing(state).seats] == scores


@settings(max_examples=10)
@given(st.permutations(ART[:2]))
def test_a5_cards_discarded_together_lie_on_each_other_as_they_came_and_nobody_is_asked(order: list[str]) -> None:
    state = situation(unknown=(7, 4, 4), step="send")
    lying = [Placement(card, frozenset("F"), "discard", None, 0, 0, 0, n) for n, card in enumerate(order, 1)]
    back = Placement("000", frozenset("B"), "deck", None, 0, 0, 0, 0)
    (found,) = explain(GAME, state, Seen(TableView(1, 0.1, (back, *lying)))).complete
    assert found.state.discard == tuple(order)  # type: ignore[attr-defined]
