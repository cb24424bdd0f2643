"""Who has to choose which cards of the hand go face down, at a table with simulated hands: the match waits for it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.referee.snapshot import Snapshot
from companion.rules.kernel import TABLE, Seat, View
from companion.rules.wording import all_of
from companion.text import plural, t

MOST_NAMED = 3
"""So many players are named in a headline; more are counted."""


def with_choices(snapshot: Snapshot, left: Mapping[Seat, int]) -> Snapshot:
    """Return a match as shown while cards are chosen, `left` by each seat; other seats that may act keep their call."""
    left = {seat: count for seat, count in left.items() if count}
    if not left or snapshot.phase == "over":
        return snapshot
    headline = _headline(snapshot.names, left)
    return msgspec.structs.replace(snapshot, views=tuple(_waits(view, left, headline) for view in snapshot.views))


def _headline(names: Mapping[Seat, str], left: Mapping[Seat, int]) -> str:
    seats = sorted(left)
    called = [names.get(seat, t("Seat {seat}", seat=seat)) for seat in seats]
    if len(seats) == 1:
        return plural("{seat} chooses a card", "{seat} chooses {count} cards", count=left[seats[0]], seat=called[0])
    if len(seats) <= MOST_NAMED:
        return t("{seats} choose cards", seats=all_of(called))
    return t("{count} players choose cards", count=len(seats))


def _waits(view: View, left: Mapping[Seat, int], headline: str) -> View:
    if view.seat in left:
        call = plural(
            "Choose a card that goes face down", "Choose {count} cards that go face down", count=left[view.seat]
        )
        return msgspec.structs.replace(view, headline=headline, waiting=tuple(sorted(left)), call=call, coach="")
    if view.seat != TABLE and view.seat in view.waiting:
        return view
    return msgspec.structs.replace(view, headline=headline, waiting=tuple(sorted(left)))
