"""Who is before whom when a match is over: asked wherever places, ranks or points for them are shown or sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec

from companion.rules.seats import Seat


class Ranking(msgspec.Struct, frozen=True):
    """What a game says of it: whether the fewest points win, and who plays together.

    `sides`: "each" alone, "partners" who sit opposite each other, or "all" against the game.
    """

    lowest: bool = False
    sides: Literal["each", "partners", "all"] = "each"

    def best(self, scores: Iterable[int]) -> int:
        """Return the best of some scores."""
        return min(scores) if self.lowest else max(scores)

    def places(self, scores: Mapping[Seat, int], winners: Collection[Seat]) -> dict[Seat, int]:
        """Return who came in which place, from 1: winners first, whatever their scores; then by score.

        Who has as many as another shares the place.
        """
        sign = -1 if self.lowest else 1
        worth = {seat: (seat in winners, 0 if seat in winners else sign * score) for seat, score in scores.items()}
        return {seat: 1 + sum(other > own for other in worth.values()) for seat, own in worth.items()}

    def side(self, seat: Seat, seats: int) -> tuple[Seat, ...]:
        """Return who wins and loses together with a seat of so many, itself among them."""
        apart = {"each": seats, "partners": seats // 2, "all": 1}[self.sides] or 1
        return tuple(range((seat - 1) % apart + 1, seats + 1, apart))
