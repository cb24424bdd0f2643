"""Lays out the clocks of a match for one audience."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.referee.play_clock import PlayTimer, minutes
from companion.server.card_documents import copied
from companion.server.places import Document
from companion.server.stage import auction_document

if TYPE_CHECKING:
    from companion.server.documents import Scene


class ClockPart(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks; one that is played against is not shown while a decision's runs."""

    auction: Document | None
    clock: Document | None


def clock_part(scene: Scene) -> ClockPart:
    """Lay out the clocks."""
    asked, play = scene.snapshot.timer, scene.snapshot.play_timer
    return ClockPart(
        auction=auction_document(scene.snapshot, asked, scene.seat, scene.cards) if asked else None,
        clock=_clock(scene, play) if play and not (asked and asked.total) else None,
    )


def _clock(scene: Scene, timer: PlayTimer) -> Document:
    """Lay out the clock that is played against: whose time runs, what is left, of everybody where each has his own."""
    others = [(seat, left) for seat, left in enumerate(timer.each, 1) if seat != timer.seat]
    return copied(
        timer,
        "kind seat total left ends paused over",
        name=scene.name(timer.seat),
        mine=scene.own((timer.seat,)),
        shown=minutes(timer.left),
        others=[{"name": scene.name(seat), "shown": minutes(left)} for seat, left in others],
    )
