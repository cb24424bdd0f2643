"""Balance: how often a sensible team wins a co-operative game, with the 95 % interval, against the band of its ruling.

Robots play without a camera and without a referee, straight by the rules.
"""

from __future__ import annotations

from benchmarks import robots
from benchmarks.robots import Share
from companion import games
from companion.bench.figures import Figure, Row, Section, at_least
from companion.games.collection.state import State
from companion.sim.robots import NORMAL

TEAM = 4
"""The number of players for whom the band holds (I10)."""
BAND = (0.35, 0.65)
"""The share of matches that a sensible team of four wins (I10)."""


def play(name: str, seats: int, matches: int) -> Share:
    """Return the result of whole matches of a co-operative game, played by robots with fixed seeds."""
    won = turns = 0
    for seed in range(matches):
        state = robots.play(name, [robots.PLAYERS[NORMAL]] * seats, f"balance {seats} {seed}")
        if not isinstance(state, State) or state.outcome is None:
            raise TypeError(f"{name} is not COLLECTION!, or does not end")
        won += bool(state.outcome.winners)
        turns += state.turns
    return Share(matches, won, turns)


def measure(matches: int = 400) -> Section:
    """Measure four players against the band, and every other number of players with a quarter of the matches."""
    game = games.load("collection")
    low, high = game.info.seats
    rows = []
    for seats in (TEAM, *(number for number in range(low, high + 1) if number != TEAM)):
        share = play("collection", seats, matches if seats == TEAM else max(1, matches // 4))
        least, most = share.interval
        room = min(least - BAND[0], BAND[1] - most)
        budget = at_least("the interval within 0.35 to 0.65", room, 0.0) if seats == TEAM else None
        figures: dict[str, Figure] = {
            "matches": share.matches,
            "won": share.part,
            "at_least": least,
            "at_most": most,
            "turns": share.turns / share.matches,
        }
        rows.append(Row(f"{game.info.title}, {seats} players", figures, budget))
    return Section(tuple(rows), ("Shares of matches won by robots, with their 95 % interval (Wilson).",))
