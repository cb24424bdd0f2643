"""The debrief to print: it has what happened, and stays readable however long the match was."""

from __future__ import annotations

import msgspec
import pytest

from companion.press.debrief import debrief, pages
from companion.press.drawing import Line, Text
from companion.referee.colours import worn
from companion.referee.course import Course, Moment, Track
from companion.rules.kernel import Remark


def course(records: int = 12, apart: bool = True) -> Course:
    moments = tuple(
        Moment(
            n,
            f"2026-01-01T12:{n % 60:02}:00.000Z",
            n % 3 + 1,
            f"Ada does thing number {n}.",
            (n, n // 2 if apart else n, n // 3 if apart else n),
            (1 + n % 10,),
        )
        for n in range(1, records + 1)
    )
    return Course(
        "0190",
        "collection",
        "COLLECTION!",
        ("Ada", "Bo", "Cléo"),
        moments,
        (Track("Scenario A: crisis", 1, 10, 8),),
        ((2, Remark("help", 2, "Bo gives Ada a die.", 1)), (3, Remark("roll", 1, "Ada rolls 4 dice."))),
        (60.0, 90.0, 0.0),
        "Everybody wins.",
        colours=worn({}, 3),
    )


def words(drawn: Course) -> str:
    return "\n".join(item.words for page in pages(drawn) for item in page.items if isinstance(item, Text))


def test_it_tells_ladders_scores_people_help_and_what_happened() -> None:
    told = words(course())
    for expected in (
        "COLLECTION!",
        "Everybody wins.",
        "Scenario A: crisis",
        "Scores",
        "1.5 min",
        "Bo helped Ada once.",
    ):
        assert expected in told
    assert "Ada does thing number 2. Bo gives Ada a die." in told


def test_it_has_what_is_to_be_noted_down_of_a_match() -> None:
    told = words(msgspec.structs.replace(course(), records=14, head="1a2b-3c4d"))
    assert "Records written down: 14. The last one's hash: 1a2b-3c4d." in told
    assert "hash" not in words(course())


def test_where_all_scores_are_alike_there_is_no_chart_of_them() -> None:
    assert "Scores" not in words(course(apart=False))


def test_nothing_runs_off_the_paper_and_long_matches_take_more_pages() -> None:
    drawn = pages(course(400))
    assert len(drawn) > 3
    for page in drawn:
        for item in page.items:
            points = [(item.x, item.y)] if isinstance(item, Text) else item.points if isinstance(item, Line) else []
            assert all(0 <= x <= page.w and 0 <= y <= page.h for x, y in points)


@pytest.mark.night
def test_a_match_without_records_can_be_printed() -> None:
    empty = Course("0190", "x", "X", ("Ada",), (), (), (), (0.0,), "", colours=worn({}, 1))
    assert debrief(empty).startswith(b"%PDF")
    assert len(debrief(course())) > 5000


@pytest.mark.usefixtures("far_east")
def test_its_hours_are_those_of_the_place() -> None:
    told = words(course())
    assert "Ada, Bo, Cléo. 2026-01-02 02:01." in told
    assert "\n02:02\nAda does thing number 2." in told
