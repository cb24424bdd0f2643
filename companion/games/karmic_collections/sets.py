"""The best split of a hand into sets (M2): pairs of one rank, straights of consecutive ranks, and cards left alone.

Suits don't matter, so a hand is a count of every rank. A set of n cards is worth n - 1 points, a lone card is a set of
one; so the points of a hand are its cards less the fewest sets that hold them all.

The search goes through the ranks upwards and keeps only how many straights are open. At a rank each of its cards goes
on with an open straight, begins a new one, or stays with the others of its rank; those are one set together, as two
sets of a rank are never better than one. That is all there is to decide, so the search is exact.
"""

from __future__ import annotations

from functools import lru_cache

RankCounts = tuple[int, ...]
"""How many cards a hand has of the lowest rank, of the next one, and so on."""
HANDS, TAILS = 1 << 10, 1 << 12
"""How many hands, and parts of hands, are remembered: those of a match. A larger memory makes nothing faster, and grows
with every match of an evening by a megabyte or two.
"""
RankSet = tuple[int, ...]
"""The ranks of one set, from 0, in order: (3, 4, 5) is a straight, (11, 11) a pair, (0,) a lone card."""


@lru_cache(maxsize=HANDS)
def fewest(counts: RankCounts) -> int:
    """Return the least number of sets that hold all cards."""
    return _split(counts, 0, 0)[0]


def points(counts: RankCounts) -> int:
    """Return the points of a hand: its cards less the fewest sets that hold them."""
    return sum(counts) - fewest(counts)


@lru_cache(maxsize=HANDS)
def lone_ranks(counts: RankCounts) -> tuple[frozenset[int], ...]:
    """List which ranks can have a card that is alone in a best split, one entry for each way.

    Of one rank never more than one card is alone: two would be a pair.
    """
    ways = _split(counts, 0, 0)[1]
    found = [frozenset(len(counts) + behind for behind in ranks) for ranks in ways]
    return tuple(sorted(found, key=lambda ranks: (-len(ranks), sorted(ranks))))


@lru_cache(maxsize=HANDS)
def best_split(counts: RankCounts) -> tuple[RankSet, ...]:
    """Return one best split, the same every time: the largest sets first."""
    sets: list[RankSet] = []
    short: list[list[int]] = []
    long: list[list[int]] = []
    for rank, count in enumerate(counts):
        rest = counts[rank + 1 :]
        goal = _split(counts[rank:], len(short), len(long))[0]
        for goes_on, begins in _choices(count, len(short), len(long)):
            left = count - len(short) - goes_on - begins
            if begins + (left > 0) + _split(rest, begins, len(short) + goes_on)[0] == goal:
                break
        else:
            raise AssertionError(f"no way leads to the best split of {counts}")
        # The longest go on, as nothing else tells them apart.
        long.sort(key=len, reverse=True)
        sets += [tuple(straight) for straight in long[goes_on:]]
        long = [[*straight, rank] for straight in (*short, *long[:goes_on])]
        short = [[rank] for _ in range(begins)]
        if left:
            sets.append((rank,) * left)
    sets += [tuple(straight) for straight in long]
    return tuple(sorted(sets, key=lambda ranks: (-len(ranks), ranks)))


Way = tuple[int, frozenset[frozenset[int]]]
"""The fewest sets, and which ranks have a lone card then: one entry for each way."""
NO_WAY = 999
"""More sets than there are cards: that way leads nowhere."""


def _choices(count: int, short: int, long: int) -> list[tuple[int, int]]:
    """List what the cards of a rank can do: so many long straights go on, so many straights begin.

    `short` straights have one card only, so all of them must go on.
    """
    free = count - short
    return [(on, new) for on in range(min(long, free), -1, -1) for new in range(free - on, -1, -1)]


@lru_cache(maxsize=TAILS)
def _split(counts: RankCounts, short: int, long: int) -> Way:
    """Split the cards of these ranks; `short` straights of one card and `long` ones reach up to them.

    The ranks of lone cards are counted from the last rank, so that equal tails of hands are one case.
    """
    if not counts:
        return (NO_WAY if short else 0), frozenset((frozenset(),))
    count, rest = counts[0], counts[1:]
    best, ways = NO_WAY, set[frozenset[int]]()
    for goes_on, begins in _choices(count, short, long):
        left = count - short - goes_on - begins
        sets, lone = _split(rest, begins, short + goes_on)
        sets += begins + (left > 0)
        if sets > best or sets >= NO_WAY:
            continue
        if sets < best:
            best, ways = sets, set()
        ways |= {one | {-len(counts)} for one in lone} if left == 1 else lone
    return best, frozenset(ways)
