"""What stands large in the middle of the wall: the auction while it lasts, what has just happened, and the end.

All of it comes from what everybody may know: the log, the public view, the standing, the bidding clock.
"""

from __future__ import annotations

import msgspec

from companion.referee.clock import Timer
from companion.referee.snapshot import LogLine, Snapshot
from companion.rules.kernel import TABLE, Cast, Event, Seat, Step
from companion.server.card_documents import Cards, badge, copied, seat_name
from companion.server.places import Document

MOST_EVENTS = 4
"""Events that a page is given: one more than wait there."""
LONGEST_TRACK = 12
"""A track of more steps than these is told by its numbers alone."""
MOST_CARDS = 7
"""Cards that are fanned out at the end."""


class StagePart(msgspec.Struct, frozen=True, kw_only=True):
    """What stands large on the wall beside the auction: what has just happened, and the end."""

    events: list[Document]
    ending: Document | None


def stage_part(snapshot: Snapshot, cards: Cards, wall: bool) -> StagePart:
    """Lay out the stage, which only the wall has."""
    return StagePart(
        events=event_documents(snapshot, cards) if wall else [],
        ending=ending_document(snapshot, cards) if wall else None,
    )


def auction_document(snapshot: Snapshot, timer: Timer, seat: Seat, cards: Cards) -> Document:
    """Lay out the decision that a clock runs against: the lot, price and leader, who bids what, and the time left."""
    return copied(
        timer,
        "price total left ends paused lapse least",
        leader_name=seat_name(snapshot.names, timer.leader) if timer.leader else "",
        leader_badge=badge(snapshot, timer.leader) if timer.leader else None,
        names=[seat_name(snapshot.names, one) for one in timer.seats],
        mine=seat != TABLE and seat in timer.seats,
        lot=cards(timer.lot) if timer.lot else None,
        uses=[copied(use, "kind title words") for use in timer.uses],
        bids=[
            {**_who(snapshot, one.seat), "bid": one.bid, "out": one.out, "due": one.seat in timer.seats}
            for one in timer.bids
        ],
    )


def event_documents(snapshot: Snapshot, cards: Cards) -> list[Document]:
    """Lay out the newest events of records that count, the oldest first.

    How an auction stands and how the match ended have a stage of their own.
    """
    ended = snapshot.standing.outcome
    found = [
        _event(snapshot, line, n, event, cards)
        for line in snapshot.log[-MOST_EVENTS:]
        if not line.undone
        for n, event in enumerate(line.events)
        if event.kind != "auction" and not (ended and event.words == ended.words)
    ]
    return found[-MOST_EVENTS:]


def _event(snapshot: Snapshot, line: LogLine, n: int, event: Event, cards: Cards) -> Document:
    return copied(
        event,
        "kind words change more",
        **_who(snapshot, event.seat),
        key=f"{line.n}-{n}",
        cards=[cards(piece) for piece in event.cards],
        missing=[cards(piece) for piece in event.missing],
        steps=[_step(snapshot, step) for step in event.steps],
        cast=_cast(snapshot, event.cast) if event.cast else None,
    )


def _step(snapshot: Snapshot, step: Step) -> Document:
    rungs = range(step.low or 1, step.high + 1) if step.high - step.low <= LONGEST_TRACK else ()
    return copied(
        step,
        "key title before after high alarm seat",
        rungs=list(rungs),
        badge=badge(snapshot, step.seat) if step.seat else None,
        worse=step.alarm is not None and step.after > step.before,
    )


def _cast(snapshot: Snapshot, cast: Cast) -> Document:
    """Lay out dice in the order in which they come to rest: those that hit are the last."""
    order = sorted(range(len(cast.values)), key=lambda n: cast.hits[n])
    dice = [
        {"value": value, "hit": hit, "order": order.index(n)}
        for n, (value, hit) in enumerate(zip(cast.values, cast.hits, strict=True))
    ]
    return copied(
        cast,
        "sides threshold words uses",
        dice=dice,
        hits=sum(cast.hits),
        helpers=[badge(snapshot, seat) for seat in cast.helpers],
    )


def ending_document(snapshot: Snapshot, cards: Cards) -> Document | None:
    """Lay out the end: the cards that the winner has before them, the last card, who led longest."""
    outcome = snapshot.standing.outcome
    if outcome is None or not outcome.rule:
        return None
    shelves = [shelf for shelf in snapshot.views[TABLE].shelves if shelf.seat in outcome.winners and not shelf.known]
    own = max((shelf.pieces for shelf in shelves), key=len, default=()) if len(outcome.winners) == 1 else ()
    last = next((last for line in reversed(snapshot.log) if not line.undone and (last := _last(line))), None)
    most = max(snapshot.led, default=0)
    leads = [seat for seat, led in enumerate(snapshot.led, 1) if led == most]
    words = [one.words for one in snapshot.standing.seats if one.seat in outcome.winners and len(outcome.winners) == 1]
    return {
        "cards": [cards(piece) for piece in own[:MOST_CARDS]],
        "words": words[0] if words else "",
        "last": {**_who(snapshot, last[0]), "card": cards(last[1])} if last else None,
        "led": {**_who(snapshot, leads[0]), "moves": most} if most and len(leads) == 1 else None,
    }


def _last(line: LogLine) -> tuple[Seat, str] | None:
    return next(((line.seat, event.cards[-1]) for event in line.events if event.cards and line.seat != TABLE), None)


def _who(snapshot: Snapshot, seat: Seat) -> Document:
    return {
        "seat": seat,
        "name": seat_name(snapshot.names, seat) if seat != TABLE else "",
        "badge": badge(snapshot, seat) if seat != TABLE else None,
    }
