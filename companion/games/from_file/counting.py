"""What cards and dice come to: operators that count their operations on a `Budget`, so that no table waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

MOST: Final = 100_000
"""Operations that the score of one round may take: a tenth of a second on a Raspberry Pi 4, or less."""
LARGEST: Final = 2**53
"""A value goes from minus this to this, which a page's script reads as it is; an operation on more takes any time."""

Face = Mapping[str, str]
"""The traits of a card or die ("suit", "rank", "piece", …)."""
Faces = Sequence[Face]

OTHER: Final = "other"
"""In a table of worths: every card that the table doesn't name."""


class TooMuchError(ValueError):
    """A score takes more operations than it may, or comes to more than is counted."""


class Budget:
    """Counts operations."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.spent = 0

    def spend(self, operations: int = 1) -> None:
        """Count operations; TooMuchError if they are more than are allowed."""
        self.spent += operations
        if self.spent > self.most:
            raise TooMuchError(f"it takes more than {self.most} steps")


def number(face: Face) -> int:
    """Return the number of a card's rank; 0 where it has none."""
    rank = face.get("rank", "")
    return int(rank) if rank.isascii() and rank.isdigit() and len(rank) < 6 else 0


def worth(face: Face, table: Mapping[str, int]) -> int:
    """Return what a card is worth: by its own number, else by a trait, else what others are, else its rank's number."""
    if face["piece"] in table:
        return table[face["piece"]]
    for value in face.values():
        if value in table:
            return table[value]
    return table[OTHER] if OTHER in table else number(face)


def total(faces: Faces, table: Mapping[str, int], budget: Budget) -> int:
    """Add up what cards are worth."""
    budget.spend(len(faces))
    return sum(worth(face, table) for face in faces)


def groups(faces: Faces, by: str, budget: Budget) -> Counter[str]:
    """Count the cards that have a trait in common; those without it belong to no group."""
    budget.spend(len(faces))
    return Counter(face[by] for face in faces if by in face)


def pairs(faces: Faces, by: str, budget: Budget) -> int:
    """Return how many pairs there are: three alike are three pairs, four are six."""
    return sum(count * (count - 1) // 2 for count in groups(faces, by, budget).values())


def runs(faces: Faces, least: int, budget: Budget) -> int:
    """Return the cards of all runs: a row of `least` ranks or more counts its length once for each way to make it."""
    counts = Counter(map(number, faces))
    budget.spend(len(faces) + len(counts))
    points = 0
    for rank in sorted(counts):
        if rank - 1 in counts:
            continue
        length, ways = 0, 1
        while rank + length in counts:
            ways *= counts[rank + length]
            length += 1
        points += length * ways if length >= least else 0
    return points


def alike(faces: Faces, by: str, least: int, budget: Budget) -> tuple[int, str]:
    """Return the size of the largest group of cards alike, and what they have in common; 0 if it is below `least`."""
    counts = groups(faces, by, budget)
    if not counts:
        return 0, ""
    value = max(sorted(counts, reverse=True), key=lambda each: counts[each])
    return (counts[value], value) if counts[value] >= least else (0, "")


def group(faces: Faces, by: str, table: Mapping[str, int], budget: Budget) -> int:
    """Return what the cards alike that are worth the most are worth together."""
    budget.spend(len(faces))
    together: Counter[str] = Counter()
    for face in faces:
        together[face.get(by, "")] += worth(face, table)
    return max(together.values(), default=0)


def whole(faces: Faces, by: str, parts: Sequence[Mapping[str, Sequence[str]]], budget: Budget) -> int:
    """Return how often all parts of a meld are there, in every group of cards alike; a card is in one of a kind."""
    found = 0
    for value in {face[by] for face in faces if by in face}:
        alike = [face for face in faces if face.get(by) == value]
        found += min((len(matching(alike, part, budget)) for part in parts), default=0)
    return found


def subsets(faces: Faces, to: int, table: Mapping[str, int], budget: Budget) -> int:
    """Return in how many ways some of the cards add up to a number."""
    ways: Counter[int] = Counter({0: 1})
    for face in faces:
        budget.spend(len(ways))
        value = worth(face, table)
        grown = Counter(ways)
        for reached, count in ways.items():
            grown[reached + value] += count
        ways = grown
    return ways[to] - (to == 0)


def best(faces: Faces, by: str, table: Mapping[str, int], least: int, budget: Budget) -> int:
    """Add up the best card of each group; 0 if there are fewer than `least` groups."""
    highest: dict[str, int] = {}
    budget.spend(len(faces))
    for face in faces:
        if by in face:
            value = worth(face, table)
            highest[face[by]] = max(value, highest.get(face[by], value))
    return sum(highest.values()) if len(highest) >= least else 0


def columns(places: Sequence[Face | None], width: int, by: str, table: Mapping[str, int], budget: Budget) -> int:
    """Add up a grid row by row, as its places are numbered; a column of cards that are all alike counts nothing."""
    budget.spend(len(places))
    points = 0
    for column in range(width):
        cards = [face for face in places[column::width] if face is not None]
        same = len(cards) > 1 and len({face.get(by, "") for face in cards}) == 1
        points += 0 if same else sum(worth(face, table) for face in cards)
    return points


def matching(faces: Iterable[Face], where: Mapping[str, Sequence[str]], budget: Budget) -> list[Face]:
    """Return the cards that have one of the given values in every given trait."""
    found = []
    for face in faces:
        budget.spend(1 + len(where))
        if all(face.get(trait, "") in values for trait, values in where.items()):
            found.append(face)
    return found
