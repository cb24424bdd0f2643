"""What a place at a table is worth, whatever the game and however many sat there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

WHOLE = 840
"""Points for having beaten everybody at the table: 1 to 7 opponents divide it, so all points are whole numbers."""


def points(scores: Mapping[int, int], winners: Collection[int]) -> dict[int, int]:
    """Return each seat's points: the share of its opponents that it has beaten, of `WHOLE`; a tie counts half.

    Who has won is before all others, whatever the scores; those go by score. Fewer is better if the winners have the
    fewest: the hall knows no game's rules, but it knows who won by them.
    """
    others = len(scores) - 1
    if others < 1:
        return {seat: WHOLE if seat in winners else 0 for seat in scores}
    won = [score for seat, score in scores.items() if seat in winners]
    lost = [score for seat, score in scores.items() if seat not in winners]
    sign = -1 if won and lost and max(won) <= min(lost) and max(won) < max(lost) else 1
    rank = {seat: (seat in winners, 0 if seat in winners else sign * score) for seat, score in scores.items()}
    return {
        seat: WHOLE
        // 2
        * (2 * sum(rank[seat] > rank[one] for one in rank) + sum(rank[seat] == rank[one] for one in rank) - 1)
        // others
        for seat in scores
    }
