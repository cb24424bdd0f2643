"""Looking back on a match: where everything stood after each record, time a seat, help."""

from itertools import accumulate

from msgspec.structs import replace

from companion.referee.course import course
from companion.referee.record import Record
from companion.rules.kernel import Remark
from tests.referee.bidding import GAME, until_bidding


def records(*minutes):
    """The first records of a match of Collectible, at these minutes past twelve."""
    header, made = until_bidding()
    at = [f"2026-01-01T{12 + minute // 60:02}:{minute % 60:02}:00.000Z" for minute in minutes]
    timed = [
        Record(n=one.n, id=one.id, at=when, action=one.action, facts=one.facts, seat=one.seat)
        for one, when in zip(made, at, strict=False)
    ]
    return header, timed


def test_every_record_has_a_moment_with_the_scores_after_it_and_names_in_its_words():
    header, made = records(*range(1, 30))
    looked = course(GAME, header, made, dict(enumerate("ABCD", 1)))
    assert [one.n for one in looked.moments] == [one.n for one in made]
    assert looked.names == ("A", "B", "C", "D")
    assert all(len(one.scores) == 4 for one in looked.moments)
    assert not any("@" in one.words for one in looked.moments)


def test_time_is_counted_for_who_acted_and_a_long_pause_for_nobody():
    gaps = [1, 2, 11] * 9
    header, made = records(*accumulate(gaps))
    looked = course(GAME, replace(header, at="2026-01-01T12:00:00.000Z"), made)
    expected = [0.0] * 4
    for one, minutes in zip(made, gaps, strict=False):
        if one.seat and minutes < 10:
            expected[one.seat - 1] += 60.0 * minutes
    assert list(looked.seconds) == expected
    assert sum(expected) > 0


def test_a_clock_that_was_set_back_counts_for_nobody():
    header, made = records(5, 2)
    assert min(course(GAME, header, made).seconds) >= 0


def test_help_and_other_remarks_are_summed_up(monkeypatch):
    header, made = records(*range(1, 5))
    told = (Remark("help", 2, "@2 helps @1.", other=1, amount=2), Remark("roll", 1, "@1 rolls."))
    monkeypatch.setattr(type(GAME), "remarks", lambda *_: told, raising=False)
    looked = course(GAME, header, made)
    count = len(looked.moments)
    assert looked.help() == {(2, 1): 2 * count}
    assert looked.count("roll") == (count, 0, 0, 0)
    assert looked.remarks[0][1].words == "Seat 2 helps seat 1."
