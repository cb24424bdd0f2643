"""Snapshots built by hand, for the devices' tests."""

from __future__ import annotations

from typing import Any

from companion.referee.snapshot import Snapshot
from companion.rules.kernel import SeatStanding, Standing, View

LONG = (
    "Christopher-Alexander",
    "Anna Berg",
    "Anna Kahl",
    "Bärbel Süßkind",
    "Wilhelmina",
    "Jo",
    "Søren Ødegård",
    "Владимир",
)


def snapshot(seats: int = 3, waiting: tuple[int, ...] = (1,), headline: str = "", **changes: Any) -> Snapshot:
    """Make a snapshot of a match of Five Cards Collector; `changes` go over it."""
    names = {seat: LONG[seat - 1] for seat in range(1, seats + 1)}
    names.update(changes.pop("names", {}))
    words = headline or (f"{names.get(waiting[0], 'The table')} draws a card or plays one" if waiting else "")
    plain: dict[str, Any] = {
        "match": "0198",
        "version": 1,
        "game": "five-cards-collector",
        "title": "Five Cards Collector",
        "seats": seats,
        "names": names,
        "mode": "assist",
        "phase": "playing",
        "record": 7,
        "views": tuple(View(seat, words, waiting) for seat in range(seats + 1)),
        "standing": Standing(tuple(SeatStanding(seat, seat % 6) for seat in range(1, seats + 1)), goal=5),
    }
    return Snapshot(**{**plain, **changes})
