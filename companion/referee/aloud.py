"""What is said aloud at a table, by a phone or by the box: only what everybody in the room may know."""

from __future__ import annotations

import msgspec

from companion.referee.snapshot import Snapshot
from companion.rules.kernel import TABLE
from companion.text import t

WRONG, TURN, SEEN, BID = 1, 1, 2, 3
"""From which level on something is said: what is wrong or asked and whose turn it is; what was understood; bids."""
LOUDEST = BID
"""On this level all is said; on 0 nothing."""


class Line(msgspec.Struct, frozen=True):
    """A sentence or clause to say, from a `level` on. It is said when it is another than the last one of its `kind`."""

    kind: str
    level: int
    words: str


def aloud(snapshot: Snapshot) -> tuple[Line, ...]:
    """List what may be said now, the most urgent first, from what the public view knows."""
    lines: list[Line] = []
    violation, question, view = snapshot.violation, snapshot.question, snapshot.views[TABLE]
    if violation is not None and not violation.quiet:
        said = (("wrong", violation.reason), ("mend", violation.remedy))
        lines += [Line(kind, WRONG, words) for kind, words in said if words]
    lines += [Line("trouble", WRONG, trouble.words) for trouble in snapshot.troubles[:1]]
    if question is not None:
        lines.append(Line("question", WRONG, question.words))
    if snapshot.sentence:
        lines.append(Line("seen", SEEN, snapshot.sentence))
    if snapshot.timer is not None and snapshot.timer.price:
        lines.append(Line("bid", BID, _bid(snapshot)))
    if view.headline:
        lines.append(Line("turn", TURN, view.headline))
    return tuple(lines)


def _bid(snapshot: Snapshot) -> str:
    assert snapshot.timer is not None  # noqa: S101 (asked for only then)
    leader = snapshot.names.get(snapshot.timer.leader, t("Seat {seat}", seat=snapshot.timer.leader))
    return t("{leader} leads with {price}.", leader=leader, price=snapshot.timer.price)


def news(before: tuple[Line, ...] | None, now: tuple[Line, ...], level: int) -> tuple[Line, ...]:
    """List what is to be said on a level: what is another than before. At first all was there before."""
    if before is None:
        return ()
    was = {line.kind: line.words for line in before}
    return tuple(line for line in now if line.level <= level and was.get(line.kind) != line.words)
