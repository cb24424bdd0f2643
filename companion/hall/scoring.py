"""What a place at a table is worth, whatever the game and however many sat there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games import GameError, load
from companion.rules.kernel import Ranking

WHOLE = 840
"""Points for having beaten everybody at the table: 1 to 7 opponents divide it, so all points are whole numbers."""


def ranking_of(game: str) -> Ranking:
    """Return who is before whom in a game; where its rules are not here, everybody plays alone for the most points."""
    try:
        return load(game).info.ranking
    except GameError:
        return Ranking()


def points(scores: Mapping[int, int], winners: Collection[int], ranking: Ranking) -> dict[int, int]:
    """Return each seat's points, of `WHOLE`: the share of opponents left behind, a tie counting half.

    Partners are no opponents. Who has none, alone or in a game that is won together, has won all or nothing.
    """
    found, places = {}, ranking.places(scores, winners)
    for seat in scores:
        others = [places[one] for one in scores if one not in ranking.side(seat, len(scores))]
        beaten = sum(2 * (one > places[seat]) + (one == places[seat]) for one in others)
        found[seat] = WHOLE // 2 * beaten // len(others) if others else WHOLE * (seat in winners)
    return found
