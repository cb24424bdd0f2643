"""What stands large on the wall, as data: for the wall alone, in the order in which it happened."""

from __future__ import annotations

from companion.referee.course import reign
from companion.referee.snapshot import LogLine
from companion.rules.kernel import Cast, Event, Ranking
from companion.server.documents import Extras, document
from companion.server.places import Document
from tests.server.desks import ShowDesk

DICE = Event(kind="rolled", words="Bo rolls.", seat=2, cast=Cast(sides=10, values=(1, 9, 2), threshold=3))
PLAIN = Event(kind="played", words="Bo lays a card.", seat=2, cards=("00L",))


def line(n: int, *events: Event, undone: bool = False) -> LogLine:
    return LogLine(n, "2026-01-01T00:00:00+00:00", 2, "So.", "table", undone=undone, events=events)


def public(*lines: LogLine, audience: str = "public") -> Document:
    desk = ShowDesk(log=lines)
    return document(audience, desk.snapshot(), Extras(), desk)


def test_the_stage_is_for_the_wall_alone() -> None:
    assert [one["key"] for one in public(line(7, PLAIN, DICE))["events"]] == ["7-0", "7-1"]
    for audience in ("host", "seat-2"):
        doc = public(line(7, PLAIN), audience=audience)
        assert (doc["events"], doc["ending"]) == ([], None)


def test_what_was_taken_back_and_an_auction_that_begins_are_no_events_of_the_stage() -> None:
    begun = Event(kind="auction", words="Bo auctions it.", cards=("00L",))
    assert public(line(1, PLAIN, undone=True), line(2, begun))["events"] == []


def test_dice_that_hit_come_to_rest_last() -> None:
    cast = public(line(1, DICE))["events"][0]["cast"]
    assert [(one["value"], one["hit"], one["order"]) for one in cast["dice"]] == [
        (1, True, 1),
        (9, False, 0),
        (2, True, 2),
    ]
    assert cast["hits"] == 2


def test_who_led_alone_is_counted_record_by_record() -> None:
    rows = [(0, 0), (1, 0), (1, 1), (1, 2)]
    assert reign(Ranking(), rows, 2) == (1, 1)
    assert reign(Ranking(lowest=True), rows[1:2], 2) == (0, 1)
