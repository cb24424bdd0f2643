"""Hands that the table doesn't see: what they can be worth, as far as anybody knows."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.hands import Hand, least_worth, most_worth

WORTH = {"a": 1, "b": 1, "c": 2, "d": 2, "known": 5}


@pytest.mark.parametrize(
    ("known", "unknown", "least"), [((), 0, 0), ((), 2, 2), ((), 3, 4), (("known",), 0, 5), (("known",), 1, 6)]
)
def test_c9_the_least_that_a_hand_can_be_worth(known: tuple[str, ...], unknown: int, least: int) -> None:
    assert least_worth(Hand(frozenset(known), unknown), frozenset("abcd"), WORTH.__getitem__) == least


@pytest.mark.parametrize(
    ("known", "unknown", "most"), [((), 0, 0), ((), 2, 4), ((), 3, 5), (("known",), 0, 5), (("known",), 3, 10)]
)
def test_k10_the_most_that_a_hand_can_be_worth(known: tuple[str, ...], unknown: int, most: int) -> None:
    assert most_worth(Hand(frozenset(known), unknown), frozenset("abcd"), WORTH.__getitem__) == most


@given(known=st.integers(0, 2), worths=st.lists(st.integers(1, 3), min_size=3, max_size=7), unknown=st.integers(0, 3))
def test_no_hand_that_can_be_is_worth_more_or_less(known: int, worths: list[int], unknown: int) -> None:
    worth = {f"{n}": value for n, value in enumerate(worths)}
    hand, unseen = Hand(frozenset(list(worth)[:known]), unknown), frozenset(list(worth)[known:])
    mine = sum(worth[card] for card in hand.known)
    hands = [mine + sum(worth[card] for card in some) for some in combinations(unseen, min(unknown, len(unseen)))]
    assert least_worth(hand, unseen, worth.__getitem__) == min(hands)
    assert most_worth(hand, unseen, worth.__getitem__) == max(hands)
