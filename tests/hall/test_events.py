"""Tournaments: late, leaving, corrected, re-paired by hand; results come by themselves from the tables' matches."""

from __future__ import annotations

import pytest

from benchmarks.hall_paper import played, tournament
from companion import games
from companion.hall import events
from companion.hall.database import connect
from companion.hall.events import BYES, EventError
from companion.hall.local import LocalDatabase
from companion.hall.scoring import WHOLE, points
from companion.hall.settling import settle
from companion.rules.kernel import Ranking
from tests.hall.lines import sent

EACH, LOW, PARTNERS, TOGETHER = Ranking(), Ranking(lowest=True), Ranking(sides="partners"), Ranking(sides="all")


@pytest.mark.parametrize(
    ("ranking", "scores", "winners", "expected"),
    [
        (EACH, {1: 10, 2: 8, 3: 8, 4: 2}, {1}, {1: 840, 2: 420, 3: 420, 4: 0}),
        (LOW, {1: 3, 2: 9, 3: 5}, {1}, {1: 840, 2: 0, 3: 420}),
        (LOW, {1: 5, 2: 9, 3: 5}, {1, 3}, {1: 630, 2: 0, 3: 630}),
        (EACH, {1: 3, 2: 9, 3: 2}, {1}, {1: 840, 2: 420, 3: 0}),
        (EACH, {1: 7, 2: 7}, {1, 2}, {1: 420, 2: 420}),
        (EACH, {1: 5, 2: 9}, set(), {1: 0, 2: 840}),
        (EACH, {1: 5}, {1}, {1: 840}),
        (PARTNERS, {1: 5, 2: 3, 3: 5, 4: 3}, {1, 3}, {1: 840, 2: 0, 3: 840, 4: 0}),
        (TOGETHER, {1: 9, 2: 9, 3: 9}, {1, 2, 3}, {1: 840, 2: 840, 3: 840}),
        (TOGETHER, {1: 9, 2: 9, 3: 9}, set(), {1: 0, 2: 0, 3: 0}),
    ],
    ids=[
        "ties",
        "fewest wins",
        "two share the fewest",
        "won with fewer",
        "all win",
        "nobody won",
        "alone",
        "partners",
        "won together",
        "lost together",
    ],
)
def test_a_place_is_worth_the_share_of_opponents_beaten(ranking, scores, winners, expected):
    assert points(scores, winners, ranking) == expected


@pytest.mark.parametrize(
    ("game", "typed", "ticked", "expected"),
    [
        ("golf", (44, 51, 44, 60), (), [700, 280, 700, 0]),
        ("five-cards-collector", (4, 4, 2, 1), (0, 1), [700, 700, 280, 0]),
        ("whist", (7, 2, 7, 2), (), [840, 0, 840, 0]),
        ("whist", (0, 0, 0, 0), (1,), [0, 840, 0, 840]),
        ("collection", (30, 30, 30, 30), (), [0, 0, 0, 0]),
        ("collection", (30, 30, 30, 30), (0,), [840, 840, 840, 840]),
    ],
)
def test_a_typed_result_counts_by_the_games_own_rules(database: LocalDatabase, game, typed, ticked, expected):
    with connect(database.address) as connection:
        event = events.open_event(connection, "Cup", game, 4, games.load(game).info.seats, [])
        for n in range(1, 5):
            events.enter(connection, event, f"Player {n}")
        events.next_round(connection, event)
        (pod,) = events.pods(connection, event)
        scores = {place.entrant: typed[place.seat - 1] for place in pod.places}
        winners = {pod.places[n].entrant for n in ticked}
        events.enter_result(connection, event, 1, pod.pod, scores, winners, "by hand")
        assert [place.points for place in events.pods(connection, event)[0].places] == expected


def by_hand(connection, event, why="by hand"):
    """Give every table of the round a result: who has the smaller number is better."""
    now = events.event(connection, event).round
    for pod in events.pods(connection, event):
        if pod.round == now and pod.pod != BYES and not pod.done:
            scores = {one.entrant: 100 - one.entrant for one in pod.places}
            events.enter_result(connection, event, now, pod.pod, scores, set(), why)


def opened(connection, people=8, pod=4, seats=(2, 6), tables=()):
    event = events.open_event(connection, "Cup", "five-cards-collector", pod, seats, list(tables))
    for n in range(1, people + 1):
        events.enter(connection, event, f"Player {n:02}")
    return event


@pytest.mark.night
def test_who_comes_late_plays_from_the_next_round_and_who_leaves_no_more(database: LocalDatabase):
    with connect(database.address) as connection:
        event = opened(connection)
        events.next_round(connection, event)
        late = events.enter(connection, event, "Late")
        events.leave(connection, event, 3)
        with pytest.raises(EventError, match="missing: 2"):
            events.next_round(connection, event)
        by_hand(connection, event)
        events.next_round(connection, event)
        sitting = {one.entrant for pod in events.pods(connection, event) if pod.round == 2 for one in pod.places}
        assert sitting == {1, 2, 4, 5, 6, 7, 8, late}
        with pytest.raises(EventError, match="is in already"):
            events.enter(connection, event, "player 01")
        assert events.enter(connection, event, "Player 03") == 3, "who comes back goes on"


@pytest.mark.night
def test_a_bye_counts_as_won_and_nobody_has_two_before_all_had_one(database: LocalDatabase):
    with connect(database.address) as connection:
        event = opened(connection, people=3, pod=2, seats=(2, 2))
        rested = []
        for _ in range(3):
            events.next_round(connection, event)
            by_hand(connection, event)
            rested += [
                one.entrant for pod in events.pods(connection, event)[:2] if pod.pod == BYES for one in pod.places
            ]
        assert sorted(rested) == [1, 2, 3]
        standing = events.entrants(connection, event)
        assert [(one.id, one.points) for one in standing] == [(1, 3 * WHOLE), (2, 2 * WHOLE), (3, WHOLE)]


@pytest.mark.night
def test_two_change_places_by_hand_and_a_result_is_corrected_with_the_reason(database: LocalDatabase):
    with connect(database.address) as connection:
        event = opened(connection)
        events.next_round(connection, event)
        first, second = (pod.places[0].entrant for pod in events.pods(connection, event))
        before = {one.entrant: (pod.pod, one.seat) for pod in events.pods(connection, event) for one in pod.places}
        events.exchange(connection, event, first, second, "they came together")
        after = {one.entrant: (pod.pod, one.seat) for pod in events.pods(connection, event) for one in pod.places}
        assert (after[first], after[second]) == (before[second], before[first])
        by_hand(connection, event)
        with pytest.raises(EventError, match="result already"):
            events.exchange(connection, event, first, second, "again")
        with pytest.raises(EventError, match="results already"):
            events.take_back_round(connection, event)
        pod = events.pods(connection, event)[0]
        last = max(one.entrant for one in pod.places)
        scores = {one.entrant: 1 for one in pod.places}
        with pytest.raises(EventError, match="Say why"):
            events.enter_result(connection, event, 1, pod.pod, scores, {last}, "")
        events.enter_result(connection, event, 1, pod.pod, scores, {last}, "a card was found")
        corrected = events.pods(connection, event)[0]
        assert corrected.why == "a card was found"
        assert {one.entrant: one.points for one in corrected.places}[last] == WHOLE
        events.next_round(connection, event)
        events.take_back_round(connection, event)
        assert events.event(connection, event).round == 1
        (reason,) = events.reasons(connection, event, first)
        assert reason.round == 1
        assert len(reason.others) == 3


@pytest.mark.night
@pytest.mark.parametrize("named", [True, False], ids=["by name", "by seat"])
def test_the_result_comes_from_the_match_at_the_table_unless_the_host_says_another(database: LocalDatabase, named):
    with connect(database.address) as connection:
        sent(connection, b'{"v":1,"online":true,"title":"Table 1"}', what="presence")
        event = opened(connection, people=3, pod=3, tables=("t1",))
        events.next_round(connection, event)
        connection.commit()
        (pod,) = events.pods(connection, event)
        seating = events.seatings(connection)["t1"]
        assert seating is not None
        assert seating.names == tuple(one.name for one in pod.places)
        names = seating.names[::-1] if named else ("A", "B", "C")
        match = played("five-cards-collector", 3, 5, tuple(names))
        sent(connection, *match.messages())
        connection.execute("UPDATE matches SET due = true")
        connection.commit()
        assert settle(connection, 0) == 1
        assert events.take_results(connection) == 1
        scores = dict(connection.execute("SELECT name, score FROM results").fetchall())
        (pod,) = events.pods(connection, event)
        assert pod.match == match.header.id
        for n, place in enumerate(pod.places):
            assert place.score == scores[place.name if named else "ABC"[n]]
        assert events.seatings(connection)["t1"] is None
        assert events.take_results(connection) == 0
        given = {one.entrant: 5 for one in pod.places}
        events.enter_result(connection, event, 1, pod.pod, given, set(), "a mistake at the table")
        assert events.take_results(connection) == 0
        assert {one.score for one in events.pods(connection, event)[0].places} == {5}


@pytest.mark.night
def test_two_hundred_in_fours_over_seven_rounds_do_not_meet_twice_though_people_drop_out():
    for played_round in tournament(200, 4, 7):
        found = played_round.pairing
        assert found.cost.repeats == 0
        assert sorted(one for pod in (*found.pods, found.byes) for one in pod) == sorted(
            {one for pod in found.pods for one in pod} | set(found.byes)
        )
        assert {len(pod) for pod in found.pods} <= {3, 4}
        assert sum(map(len, found.pods)) + len(found.byes) == played_round.players
