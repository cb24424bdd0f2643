"""The bidding clock (C5): it measures decisions, takes them when their time is up, and outlives a restart."""

import subprocess
import sys
import threading
import time

import pytest

from companion import games
from companion.games.collectible.auctions import Bid, NoBid
from companion.referee.chain import broken
from companion.referee.clock import GRACE, STALLED, BidClock, Kept
from companion.referee.commands import Clock, End, Extend, Pause, Play, Undo
from companion.referee.journal import Journal
from companion.referee.keeper import CLOCK_KEPT
from companion.referee.match import HELD_UP, Match
from companion.referee.progress import Before
from companion.referee.referee import Referee
from companion.rules.kernel import Timed
from tests.referee.bidding import GAME, until_bidding

MAT = games.load_mat("collectible", 4)
FIRST, SECOND = Timed("bid", (NoBid(seat=1),)), Timed("bid", (NoBid(seat=2),), 3, 1)


def referee(**more):
    header, records = until_bidding(**more)
    return Referee(GAME, MAT, header, records, before=Before(time=100.0))


def due(table):
    return table.snapshot.timer.seats[0]


def bid(table, amount, seat=None):
    seat = seat or due(table)
    return table.command(Play(seat=seat, action=Bid(seat=seat, amount=amount)))


# --------------------------------------------------------------------------------------------- the clock by itself


def test_a_new_decision_starts_the_clock_anew_and_the_same_one_does_not():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    clock.follow(FIRST, 107.0)
    assert clock.left(107.0) == 13.0
    clock.follow(SECOND, 108.0)
    assert clock.left(108.0) == 20.0


def test_the_time_is_up_after_zero_and_the_grace():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    assert not clock.lapsed(120.0 + GRACE - 0.01)
    assert clock.lapsed(120.0 + GRACE)
    assert clock.left(125.0) == 0.0


def test_a_clock_that_stands_still_does_not_lapse():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    clock.pause(105.0, True)
    assert clock.timer().ends is None
    assert clock.due is None
    assert clock.left(900.0) == 15.0
    clock.pause(900.0, False)
    assert clock.left(905.0) == 10.0


def test_a_held_clock_waits_for_the_table_and_keeps_the_hosts_pause():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0, held=True)
    assert clock.left(150.0) == 20.0
    clock.follow(FIRST, 150.0)
    clock.pause(152.0, True)
    clock.follow(FIRST, 160.0, held=True)
    clock.follow(FIRST, 170.0)
    assert clock.left(200.0) == 18.0


def test_extending_adds_to_what_is_left_running_or_not():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    clock.extend(30, 110.0)
    assert clock.left(110.0) == 40.0
    assert clock.timer().total == 40.0
    clock.pause(111.0, True)
    clock.extend(5, 500.0)
    assert clock.left(900.0) == 44.0


def test_time_that_is_given_back_is_never_more_than_the_decision_had():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    assert clock.give_back(3.0, 105.0)
    assert clock.left(105.0) == 18.0
    assert clock.give_back(400.0, 105.0)
    assert clock.left(105.0) == 20.0
    clock.pause(105.0, True)
    assert not clock.give_back(400.0, 105.0)
    assert clock.left(105.0) == 20.0


def test_no_seconds_are_no_clock():
    clock = BidClock(0)
    clock.follow(FIRST, 100.0)
    assert (clock.timer().total, clock.timer().ends) == (0.0, None)
    assert not clock.lapsed(1e9)
    assert clock.keep(3, 100.0) is None


def test_changing_the_seconds_starts_the_present_decision_anew():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    clock.change(60, 110.0)
    assert clock.left(110.0) == 60.0
    clock.change(0, 110.0)
    assert clock.timer().total == 0.0
    assert clock.due is None


def test_what_was_left_before_a_restart_is_left_after_it():
    clock = BidClock(20)
    clock.follow(FIRST, 5000.0)
    clock.take_up(Kept(7, 8.5), 5000.0)
    assert clock.left(5000.0) == 8.5
    assert clock.lapsed(5000.0 + 8.5 + GRACE)
    clock.take_up(Kept(7, 8.5, paused=True), 5000.0)
    assert clock.due is None


def test_only_a_running_clock_has_an_end_and_it_is_the_same_at_every_look():
    clock = BidClock(20)
    clock.follow(FIRST, 100.0)
    shown = clock.timer()
    clock.follow(FIRST, 109.0)
    assert clock.timer() == shown
    assert shown.remaining(115.0) == 5.0
    assert shown.remaining(500.0) == 0.0


# ------------------------------------------------------------------------------------------------- in the referee


def test_c5_a_bid_timer_that_runs_out_is_the_lowest_bid_for_the_opener():
    table = referee()
    opener = due(table)
    table.on_clock(100.0 + 20 + GRACE)
    record = table.records()[-1]
    assert (record.by, record.seat, record.action) == ("clock", opener, Bid(seat=opener, amount=1))
    assert due(table) != opener
    assert table.snapshot.timer.leader == opener


def test_c5_a_bid_timer_that_runs_out_counts_as_a_pass():
    table = referee()
    opener = due(table)
    bid(table, 3)
    second = due(table)
    table.on_clock(100.0 + 20 + GRACE)
    assert table.records()[-1].action == NoBid(seat=second)
    assert due(table) not in (opener, second)


def test_every_bid_starts_the_clock_anew():
    table = referee()
    table.on_clock(115.0)
    bid(table, 2)
    assert table.snapshot.timer.remaining(115.0) == 20.0


def test_nothing_lapses_before_the_grace_is_over():
    table = referee()
    count = table.progress.history.count
    table.on_clock(100.0 + 20 + GRACE / 2)
    assert table.progress.history.count == count
    assert bid(table, 1).ok


def test_a_bid_after_the_clock_took_the_decision_is_told_so():
    table = referee()
    bid(table, 3)
    late = due(table)
    table.on_clock(100.0 + 20 + GRACE)
    reply = bid(table, 5, late)
    assert not reply.ok
    assert reply.verdict.rule == "C5"
    assert "the time was up before that came in" in reply.verdict.reason
    assert "host" in reply.verdict.remedy


def test_a_pass_that_comes_after_the_clock_passed_is_done_once():
    table = referee()
    bid(table, 3)
    late = due(table)
    table.on_clock(100.0 + 20 + GRACE)
    count = table.progress.history.count
    assert table.command(Play(seat=late, action=NoBid(seat=late))).ok
    assert table.progress.history.count == count


def test_after_the_next_record_a_late_bid_is_only_out_of_turn():
    table = referee()
    bid(table, 3)
    late = due(table)
    table.on_clock(100.0 + 20 + GRACE)
    bid(table, 6)
    assert bid(table, 7, late).verdict.rule != "C5"


def test_the_host_pauses_and_extends():
    table = referee()
    assert table.command(Pause(by="host")).ok
    table.on_clock(10_000.0)
    assert table.snapshot.timer.paused
    assert table.command(Pause(paused=False, by="host")).ok
    assert table.command(Extend(seconds=40, by="host")).ok
    assert table.snapshot.timer.remaining(10_000.0) == 60.0


@pytest.mark.parametrize("command", [Extend(seconds=0), Extend(seconds=601), Clock(seconds=-1), Clock(seconds=601)])
def test_impossible_seconds_are_refused_with_the_right_ones(command):
    reply = referee().command(command)
    assert not reply.ok
    assert "600" in reply.verdict.reason


def test_there_is_nothing_to_pause_where_no_clock_runs():
    table = referee(bid_seconds=0)
    assert table.snapshot.timer.total == 0.0
    assert "no clock" in table.command(Pause()).verdict.reason
    assert "no clock" in table.command(Extend()).verdict.reason
    assert table.command(Clock(seconds=30)).ok
    assert table.snapshot.timer.total == 30.0


def test_undo_gives_the_decision_its_whole_time_again():
    table = referee()
    bid(table, 3)
    table.on_clock(118.0)
    table.command(Undo(by="host"))
    assert table.snapshot.timer.remaining(118.0) == 20.0


def test_the_clock_ends_with_the_match():
    table = referee()
    table.command(End(by="host"))
    assert table.snapshot.timer is None


# ------------------------------------------------------------------------------------------------- in the match


class Time:
    """A clock that goes when it is told to."""

    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def journal(tmp_path):
    header, records = until_bidding()
    journal = Journal(tmp_path)
    journal.take(header, records)
    yield journal
    journal.close()


def begin(journal, clock):
    header, _ = until_bidding()
    return Match(GAME, MAT, header, journal, clock=clock)


def pass_time(match, clock, seconds):
    """Let time pass as it does: the match looks at its clock meanwhile."""
    for _ in range(seconds):
        clock.now += 1.0
        match.tick(1.0)
        assert match.answers(60)


def test_the_match_takes_a_decision_whose_time_is_up_by_itself(journal):
    match = begin(journal, Time())
    lapsed = threading.Event()
    match.listen(lambda record: lapsed.set() if record.by == "clock" else None)
    match.clock.now = 121.5
    match.start()
    assert lapsed.wait(10)
    match.close()
    assert journal.records("0190", GAME.action_type)[-1].by == "clock"


def test_a_bid_that_came_in_time_counts_however_late_the_match_gets_to_it(journal):
    clock = Time()
    match = begin(journal, clock)
    seat = match.snapshot.timer.seats[0]
    clock.now = 120.0 + GRACE - 0.1
    asked = threading.Thread(target=lambda: match.command(Play(seat=seat, action=Bid(seat=seat, amount=4))))
    asked.start()
    while match._inbox.empty():
        pass
    clock.now = 300.0
    match.start()
    asked.join()
    match.close()
    record = journal.records("0190", GAME.action_type)[len(until_bidding()[1])]
    assert (record.by, record.action) == ("phone", Bid(seat=seat, amount=4))


def test_the_time_that_was_left_is_left_after_a_restart(journal):
    clock = Time()
    match = begin(journal, clock)
    match.start()
    pass_time(match, clock, 12)
    match.close()
    later = Time(70_000.0)
    assert begin(journal, later).snapshot.timer.remaining(70_000.0) == 8.0


def test_a_paused_clock_is_paused_after_a_restart(journal):
    match = begin(journal, Time())
    match.start()
    match.command(Pause(by="host"))
    match.close()
    timer = begin(journal, Time(9.0)).snapshot.timer
    assert timer.paused
    assert timer.left == 20.0


def test_what_a_killed_process_wrote_last_is_at_most_some_seconds_old(journal):
    clock = Time()
    match = begin(journal, clock)
    match.start()
    for _ in range(17):
        clock.now += 1.0
        match.command(Pause(paused=False, by="host"))
    kept = journal.clock("0190")
    match.close()
    assert 3.0 <= kept.left <= 3.0 + CLOCK_KEPT


def test_a_clock_of_another_record_is_not_taken_up(journal):
    journal.keep_clock("0190", Kept(1, 2.0))
    assert begin(journal, Time()).snapshot.timer.remaining(100.0) == 20.0


def test_a_computer_that_stood_still_gives_the_time_back(journal):
    clock = Time()
    match = begin(journal, clock)
    match.start()
    pass_time(match, clock, 5)
    count, seat = match.snapshot.record, match.snapshot.timer.seats[0]
    clock.now += 400.0
    match.tick(1.0)
    assert match.answers(60)
    assert match.snapshot.record == count
    assert match.snapshot.timer.remaining(clock.now) == 15.0 - STALLED
    assert "stood still" in match.snapshot.sentence
    pass_time(match, clock, 3)
    assert match.command(Play(seat=seat, action=Bid(seat=seat, amount=4)), timeout=60).ok
    clock.now += STALLED
    match.tick(1.0)
    assert match.answers(60)
    assert match.snapshot.timer.remaining(clock.now) == 20.0 - STALLED
    # Without an end of it the time is up as ever.
    count = match.snapshot.record
    pass_time(match, clock, 20)
    assert match.snapshot.record > count
    match.close()


def test_a_clock_that_nobody_may_run_gets_nothing_back(journal):
    clock = Time()
    match = begin(journal, clock)
    match.start()
    assert match.command(Pause(by="host"), timeout=60).ok
    clock.now += 400.0
    match.tick(1.0)
    assert match.answers(60)
    assert match.snapshot.timer.left == 20.0
    assert match.command(Pause(paused=False, by="host"), timeout=60).ok
    assert match.snapshot.timer.remaining(clock.now) == 20.0
    match.close()


STOPPED = """
import os, signal, subprocess, sys, time
from pathlib import Path
from companion import games
from companion.referee.journal import Journal
from companion.referee.match import Match
from tests.referee.bidding import GAME, until_bidding

header, records = until_bidding(bid_seconds=6)
journal = Journal(Path(sys.argv[1]))
journal.take(header, records)
match = Match(GAME, games.load_mat("collectible", 4), header, journal)
match.start()
time.sleep(0.5)
subprocess.Popen(["sh", "-c", f"kill -STOP {os.getpid()}; sleep 9; kill -CONT {os.getpid()}"]).wait()
assert match.answers(60)
time.sleep(0.3)
timer = match.snapshot.timer
print(match.snapshot.record - len(records), timer.seats == GAME.timed(match.state).seats, match.snapshot.sentence)
print(timer.remaining(time.monotonic()) > 1.0)
match.close()
"""


def test_a_process_that_is_stopped_during_a_bid_bids_for_nobody(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.splitlines() == [f"0 True {HELD_UP}", "True"], done.stderr


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_is_set_during_a_bid_changes_nothing_about_it(tmp_path, monkeypatch, years):
    """Bids are timed by a clock that nobody can set; the time of day is only written beside records."""
    header, records = until_bidding(seats=5, bidders=4, bid_seconds=20)
    journal = Journal(tmp_path)
    journal.take(header, records)
    people = [1000.0]
    match = Match(GAME, games.load_mat(GAME.info.name, 5), header, journal, clock=lambda: people[0])
    match.start()
    timer = match.snapshot.timer
    assert timer is not None
    monkeypatch.setattr("time.time", lambda: 1.8e9 + years * 3e7)
    monkeypatch.setattr("companion.referee.progress.now", lambda: f"{2026 + years}-01-01T00:00:00.000Z")
    for _ in range(5):
        people[0] += 1
        match.tick(0.0)
        assert match.answers(10)
    assert match.snapshot.timer == timer
    assert match.snapshot.record == len(records)
    for _ in range(20):
        people[0] += 1
        match.tick(0.0)
        assert match.answers(10)
    assert match.snapshot.record > len(records)
    assert match.command(End(by="host")).ok
    match.close()
    kept = journal.records(header.id, GAME.action_type)
    assert not broken(match.header, kept)
    assert kept[-1].at.startswith(str(2026 + years))
    journal.close()
    again = Journal(tmp_path)
    assert Match(GAME, games.load_mat(GAME.info.name, 5), header, again).snapshot.record == len(kept)
    again.close()


def test_unless_it_is_given_another_a_match_times_bids_by_a_clock_that_nobody_can_set():
    match = Match(GAME, games.load_mat(GAME.info.name, 5), until_bidding(seats=5, bidders=4)[0], None)
    assert match.clock is time.monotonic
    assert not time.get_clock_info("monotonic").adjustable
