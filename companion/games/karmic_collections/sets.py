"""The best split of a hand into sets (M2): pairs, straights, and cards left alone. Suits don't matter (M1).

A hand is written as its ranks, lowest first, with 1 for an ace and 11, 12, 13 for jack, queen and king: the "two aces,
an 8, and a 6" of the rulebook are (1, 1, 6, 8).

A pair is worth "1 point + 1 per extra card", and so is a straight: n cards are worth n - 1 points. A lone card counts
as a set of one, worth nothing. So the points of a hand are its cards less the fewest sets that hold them all.

The search goes upwards from ace to king. At a rank each card goes on with a straight that has reached the rank below,
begins a new one, or stays with the others of its rank: those are one set together, as two sets of a rank are never
better than one. Of the lower ranks it matters only how many straights reach up to this one, and how many of these have
a single card yet and so must go on, as "a straight can be of size 2 or greater". Nothing else is to be decided: the
search is exact.
"""

from __future__ import annotations

from functools import lru_cache

ACE, KING = 1, 13
"""The lowest rank and the highest; a straight doesn't go from king to ace (M1)."""

Ranks = tuple[int, ...]
"""Ranks of cards, lowest first: a hand, or a set: (4, 5, 6) is a straight, (12, 12) a pair, (1,) a lone card."""

HANDS, TAILS = 1 << 10, 1 << 12
"""Hands, and upper parts of hands, that are remembered: those of a match; more makes nothing faster."""


@lru_cache(maxsize=HANDS)
def fewest_sets(hand: Ranks) -> int:
    """Return the least number of sets that hold all cards."""
    return _split(ACE, _numbers(hand), 0, 0)[0]


def points(hand: Ranks) -> int:
    """Return the points of a hand: its cards less the fewest sets that hold them."""
    return len(hand) - fewest_sets(hand)


@lru_cache(maxsize=HANDS)
def lone_ranks(hand: Ranks) -> tuple[frozenset[int], ...]:
    """List the sets of ranks with a lone card in a best split, one for each way; two of a rank are a pair."""
    ways = _split(ACE, _numbers(hand), 0, 0)[1]
    return tuple(sorted(ways, key=lambda ranks: (-len(ranks), sorted(ranks))))


@lru_cache(maxsize=HANDS)
def best_split(hand: Ranks) -> tuple[Ranks, ...]:
    """Return one best split, the same every time: the largest sets first."""
    found: list[Ranks] = []
    begun: list[Ranks] = []
    going: list[Ranks] = []
    numbers = _numbers(hand)
    for rank in range(ACE, KING + 1):
        fewest = _split(rank, numbers, len(begun), len(going))[0]
        number, numbers = numbers[0], numbers[1:]
        for go_on, begin in _choices(number, len(begun), len(going)):
            stay = number - len(begun) - go_on - begin
            if begin + (stay > 0) + _split(rank + 1, numbers, begin, len(begun) + go_on)[0] == fewest:
                break
        else:
            raise AssertionError(f"no way leads to the best split of {hand}")
        # The longest go on, as nothing else tells them apart.
        going.sort(key=len, reverse=True)
        found += going[go_on:]
        going = [(*straight, rank) for straight in (*begun, *going[:go_on])]
        begun = [(rank,)] * begin
        if stay:
            found.append((rank,) * stay)
    return tuple(sorted([*found, *going], key=lambda ranks: (-len(ranks), ranks)))


def _numbers(hand: Ranks) -> tuple[int, ...]:
    """Return how many aces a hand has, how many twos, and so on up to the kings."""
    return tuple(map(hand.count, range(ACE, KING + 1)))


Split = tuple[int, frozenset[frozenset[int]]]
"""The fewest sets, and which ranks have a lone card then: one entry for each way."""
NO_WAY = 999
"""More sets than there are cards: marks a split that is impossible."""


def _choices(number: int, begun: int, going: int) -> list[tuple[int, int]]:
    """List what so many cards of a rank can do: how many of the `going` straights go on, how many straights begin.

    Every straight that has only `begun` takes a card in any case; what is left over stays with its rank.
    """
    free = number - begun
    return [(go_on, begin) for go_on in range(min(going, free), -1, -1) for begin in range(free - go_on, -1, -1)]


@lru_cache(maxsize=TAILS)
def _split(rank: int, numbers: tuple[int, ...], begun: int, going: int) -> Split:
    """Split the cards from a rank upwards; `numbers` is how many there are of it and each rank above.

    From below come straights that have `begun`, with one card, and those that are `going`, with two or more. They are
    counted as sets where they begin.
    """
    if not numbers:
        return (NO_WAY if begun else 0), frozenset((frozenset(),))
    number, above = numbers[0], numbers[1:]
    fewest, ways = NO_WAY, set[frozenset[int]]()
    for go_on, begin in _choices(number, begun, going):
        stay = number - begun - go_on - begin
        sets, lone = _split(rank + 1, above, begin, begun + go_on)
        sets += begin + (stay > 0)
        if sets > fewest or sets >= NO_WAY:
            continue
        if sets < fewest:
            fewest, ways = sets, set()
        ways |= {ranks | {rank} for ranks in lone} if stay == 1 else lone
    return fewest, frozenset(ways)
