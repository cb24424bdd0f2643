"""The best partition of cards into melds: sets of a rank and runs of a suit, as rummy games have them.

The search is exact: the first card that is left is worth itself, or belongs to one of its melds. What follows depends
on the cards that are left alone, so it is remembered. Operations are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from companion.games.from_file.counting import Budget, Face, Faces, number, worth

Meld = tuple[Face, ...]


class Cards:
    """Cards to be parted into melds: each has a bit in the masks; the ace is low, and a set has each suit once."""

    def __init__(self, faces: Faces, table: Mapping[str, int], least: int, budget: Budget) -> None:
        self.faces = tuple(faces)
        self.budget = budget
        self.worths = [worth(face, table) for face in faces]
        self.everything = (1 << len(self.faces)) - 1
        self.holding: list[list[int]] = [[] for _ in self.faces]
        for mask in self._melds(least):
            budget.spend()
            for n in _bits(mask):
                self.holding[n].append(mask)
        self._known: dict[int, int] = {0: 0}

    def _melds(self, least: int) -> Iterator[int]:
        by_rank: dict[int, list[int]] = {}
        by_place: dict[tuple[str, int], list[int]] = {}
        for n, face in enumerate(self.faces):
            by_rank.setdefault(number(face), []).append(n)
            by_place.setdefault((face.get("suit", ""), number(face)), []).append(n)
        for alike in by_rank.values():
            for size in range(least, len(alike) + 1):
                for chosen in combinations(alike, size):
                    self.budget.spend()
                    if len({self.faces[n].get("suit", "") for n in chosen}) == size:
                        yield sum(1 << n for n in chosen)
        for suit, rank in by_place:
            masks = [0]
            for length in range(1, 1 + len(self.faces)):
                masks = [mask | 1 << n for mask in masks for n in by_place.get((suit, rank + length - 1), ())]
                self.budget.spend(len(masks) + 1)
                if not masks:
                    break
                if length >= least:
                    yield from masks

    def left(self, mask: int) -> int:
        """Return the least that cards outside melds can be worth, of those in a mask."""
        if mask not in self._known:
            self.budget.spend()
            first = (mask & -mask).bit_length() - 1
            found = self.worths[first] + self.left(mask & ~(1 << first))
            for meld in self.holding[first]:
                self.budget.spend()
                if meld & mask == meld:
                    found = min(found, self.left(mask & ~meld))
            self._known[mask] = found
        return self._known[mask]

    def partitions(self, mask: int, wanted: int) -> Iterator[tuple[int, ...]]:
        """Yield the ways to part cards that leave exactly so much."""
        self.budget.spend()
        if not mask:
            if wanted == 0:
                yield ()
            return
        first = (mask & -mask).bit_length() - 1
        rest = mask & ~(1 << first)
        if self.left(rest) <= wanted - self.worths[first]:
            yield from self.partitions(rest, wanted - self.worths[first])
        for meld in self.holding[first]:
            if meld & mask == meld and self.left(mask & ~meld) <= wanted:
                yield from ((meld, *more) for more in self.partitions(mask & ~meld, wanted))


def deadwood(faces: Faces, table: Mapping[str, int], least: int, budget: Budget) -> int:
    """Return the least that the cards outside melds are worth."""
    cards = Cards(faces, table, least, budget)
    return cards.left(cards.everything)


def laying_off(own: Faces, against: Faces, table: Mapping[str, int], least: int, budget: Budget) -> int:
    """Return the deadwood of a hand whose cards may also be laid off on another hand's melds.

    Of equally good ways to part the other hand, its owner takes the one that helps others least. Nothing is laid off on
    a hand without deadwood (gin).
    """
    other = Cards(against, table, least, budget)
    wanted = other.left(other.everything)
    cards = Cards(own, table, least, budget)
    if wanted == 0:
        return cards.left(cards.everything)
    ways = other.partitions(other.everything, wanted)
    return max(_laid_off(cards, [_meld(other, mask) for mask in way]) for way in ways)


def _meld(cards: Cards, mask: int) -> Meld:
    return tuple(cards.faces[n] for n in _bits(mask))


def _laid_off(cards: Cards, melds: Sequence[Meld]) -> int:
    """Return the least that is left if any cards may be laid off on melds, one after the other."""
    lowest = cards.left(cards.everything)
    waiting = [(0,) * len(melds)]
    seen = set(waiting)
    while waiting:
        laid = waiting.pop()
        gone = sum(laid)
        for n in _bits(cards.everything & ~gone):
            for at, meld in enumerate(melds):
                cards.budget.spend()
                further = (*laid[:at], laid[at] | 1 << n, *laid[at + 1 :])
                if further in seen or not _joins(cards.faces[n], (*meld, *_meld(cards, laid[at]))):
                    continue
                seen.add(further)
                lowest = min(lowest, cards.left(cards.everything & ~(gone | 1 << n)))
                waiting.append(further)
    return lowest


def _joins(face: Face, meld: Meld) -> bool:
    ranks = {number(each) for each in meld}
    suits = {each.get("suit", "") for each in meld}
    if len(ranks) == 1:
        return number(face) in ranks and face.get("suit", "") not in suits
    return face.get("suit", "") in suits and number(face) in (min(ranks) - 1, max(ranks) + 1)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask &= ~lowest
