"""The best split of a hand (M2), against brute force, and the worked examples of the rulebook."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.karmic_collections import sets
from companion.games.karmic_collections.components import dice_points, dice_words
from tests.games.karmic_collections.situations import COMPONENTS, cards


def points(words: str) -> int:
    return COMPONENTS.hand_points(cards(words))


def test_four_queens_are_three_points() -> None:
    assert points("Q Q Q Q") == sets.points((12, 12, 12, 12)) == 3


def test_four_five_and_six_are_two_points() -> None:
    assert points("4 5 6") == sets.points((4, 5, 6)) == 2


def test_three_1s_two_5s_and_a_6_are_three_points() -> None:
    assert dice_points((1, 1, 1, 5, 5, 6)) == 3
    assert dice_words((1, 1, 1, 5, 5, 6)) == "1-1-1 +2, 5-5 +1"


def test_a_straight_of_two_and_a_pair_are_a_point_each() -> None:
    assert (points("7 8"), points("7 7"), points("7 9"), points("7"), points("")) == (1, 1, 0, 0, 0)


def test_two_aces_an_8_and_a_6_leave_the_8_and_the_6_alone() -> None:
    assert sets.lone_ranks((1, 1, 6, 8)) == (frozenset((6, 8)),)
    hand = cards("A A 8 6")
    assert COMPONENTS.concealable(hand) == (frozenset(cards("8 6")),)
    assert COMPONENTS.sets_words(hand) == "A-A +1; alone: 6, 8"


def test_m1_the_ace_is_one_only_and_nothing_goes_round_the_corner() -> None:
    assert points("A 2") == 1
    assert points("Q K A") == 1
    assert points("K A 2") == 1


def test_m1_suits_do_not_matter() -> None:
    assert COMPONENTS.hand_points(("104", "205", "306")) == 2


def test_m2_a_card_is_in_one_set_at_a_time() -> None:
    assert points("4 4 5") == 1 + 0 + 0, "a pair and a 5, or a straight and a 4"
    assert points("4 4 5 5") == 2


def test_m2_the_best_split_counts() -> None:
    assert points("4 5 5 6") == 2
    assert points("3 4 5 5 6 7") == 4, "3-4-5 and 5-6-7"
    assert points("2 3 4 4 4 5") == 4, "2-3-4-5 and a pair of 4s"
    assert COMPONENTS.sets_words(cards("2 3 4 4 4 5")) == "2-3-4-5 +3, 4-4 +1"
    assert COMPONENTS.sets_words(cards("10 J Q K")) == "10-J-Q-K +3"
    assert COMPONENTS.sets_words(cards("6 6")) == "6-6 +1"
    assert COMPONENTS.sets_words(()) == ""


def test_m3_of_several_best_splits_each_can_be_concealed_from() -> None:
    ways = {tuple(sorted(way)) for way in COMPONENTS.concealable(("104", "105", "205"))}
    assert ways == {("104",), ("105",), ("205",)}
    assert set(COMPONENTS.concealable(("104", "105", "205", "106"))) == {frozenset({"105"}), frozenset({"205"})}


# ---------------------------------------------------------------------------------------------------- brute force


@cache
def brute(hand: tuple[int, ...]) -> tuple[int, frozenset[tuple[int, ...]]]:
    """Try every set that holds the first card: the fewest sets, and which ranks are alone then."""
    if not hand:
        return 0, frozenset({()})
    first, rest = hand[0], hand[1:]
    best, ways = 99, set[tuple[int, ...]]()
    for mask in range(1 << len(rest)):
        chosen = [first] + [other for bit, other in enumerate(rest) if mask >> bit & 1]
        if len(set(chosen)) > 1 and chosen != list(range(first, first + len(chosen))):
            continue
        others = tuple(other for bit, other in enumerate(rest) if not mask >> bit & 1)
        count, lone = brute(others)
        if count + 1 < best:
            best, ways = count + 1, set()
        if count + 1 == best:
            alone = (first,) if len(chosen) == 1 else ()
            ways |= {tuple(sorted((*alone, *one))) for one in lone}
    return best, frozenset(ways)


@given(st.lists(st.integers(7, 13), max_size=9).filter(lambda hand: all(hand.count(rank) <= 4 for rank in hand)))
@settings(max_examples=400)
def test_m2_the_search_is_as_good_as_brute_force(ranks: list[int]) -> None:
    hand = tuple(sorted(ranks))
    least, ways = brute(hand)
    assert sets.fewest_sets(hand) == least
    assert {tuple(sorted(way)) for way in sets.lone_ranks(hand)} == ways
    split = sets.best_split(hand)
    assert len(split) == least
    assert tuple(sorted(rank for some in split for rank in some)) == hand
    for some in split:
        assert len(set(some)) == 1 or list(some) == list(range(some[0], some[0] + len(some)))


def test_m2_every_hand_of_five_ranks_up_to_three_cards_each_is_as_good_as_brute_force() -> None:
    """All 1,024 hands, no chance about it."""
    for number in range(4**5):
        hand = tuple(rank for rank in range(1, 6) for _ in range(number // 4 ** (rank - 1) % 4))
        if len(hand) <= 9:
            assert sets.fewest_sets(hand) == brute(hand)[0]


def test_m2_all_cards_at_once_are_four_straights() -> None:
    deck = tuple(rank for rank in range(1, 14) for _ in range(4))
    assert sets.fewest_sets(deck) == 4
    assert sets.points(deck) == 48


def test_what_is_remembered_of_hands_does_not_grow_with_every_match() -> None:
    rng = random.Random(5)
    for _ in range(3 * sets.HANDS):
        sets.lone_ranks(tuple(sorted(rng.randint(1, 13) for _ in range(12))))
    assert sets.lone_ranks.cache_info().currsize == sets.HANDS
    assert sets._split.cache_info().currsize == sets.TAILS
