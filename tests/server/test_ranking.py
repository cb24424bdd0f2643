"""Who came in which place when a match is over."""

from __future__ import annotations

import pytest

from companion.rules.kernel import Outcome, SeatStanding, Standing
from companion.server.documents import ranking


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ((14, 16, 13, 21), (4,), (3, 2, 4, 1)),
        ((4, 5, 4, 1), (2,), (2, 1, 2, 4)),
        ((7, 7, 3), (1, 2), (1, 1, 3)),
        # Equal points, and the tie was decided by something else.
        ((7, 7, 3), (2,), (2, 1, 3)),
        # Few points win.
        ((31, 12, 40), (2,), (2, 1, 3)),
        # Who had the most did not win: one of those who went out lost by the rules.
        ((4, 2), (2,), (2, 1)),
        ((5, 5), (1, 2), (1, 1)),
        # The host stopped it.
        ((5, 9), (), (2, 1)),
    ],
)
def test_winners_come_first_then_points(
    scores: tuple[int, ...], winners: tuple[int, ...], places: tuple[int, ...]
) -> None:
    seats = tuple(SeatStanding(seat, score) for seat, score in enumerate(scores, 1))
    found = ranking(Standing(seats, Outcome(winners, "end", "1", "over")))
    assert tuple(found[seat] for seat in range(1, len(scores) + 1)) == places
    assert ranking(Standing(seats)) == {}
