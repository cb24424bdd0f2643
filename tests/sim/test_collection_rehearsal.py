"""Robots play COLLECTION! before the referee: what it understood equals what they did, record by record."""

import msgspec
import pytest

from companion import games
from companion.games.collection import Collection
from companion.games.collection.moving import Move
from companion.rules.kernel import LEGAL
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.table.stages import view_stages
from tests.nights import at_night

GAME = games.load("collection")


def run(seats, seed, options=None, game=GAME, judge=None):
    report = Report()
    mat = games.load_mat("collection", seats)
    rehearse(game, mat, seats, options or {}, seed, view_stages(mat), report, judge)
    return report


@pytest.mark.night
@pytest.mark.parametrize("seats", [3, *at_night(4, 7)])
def test_what_the_referee_understood_is_what_the_robots_did(seats):
    report = run(seats, "c")
    assert report.divergences == []
    assert sum(report.endings.values()) == 1
    assert report.missing(GAME) == []


@pytest.mark.night
def test_class_a_is_never_asked_and_b_at_most_once():
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    report = run(5, "b")
    assert report.divergences == []
    for name, count in report.asked.items():
        if name != "finished":
            assert kinds[name] == "B", name
            assert count <= report.actions[name]
    assert all(kinds[name] in "BC" for name in report.tapped)


class Leaping(Collection):
    """A broken rule: a pawn may go anywhere in one move."""

    def legal(self, state):
        moves = [move for move in super().legal(state) if isinstance(move, Move)]
        far = [
            Move(seat=move.seat, scenario=move.scenario, collector=other.collector)
            for move in moves
            for other in moves
            if move.scenario != "A" and other.scenario == "A"
        ]
        return [*super().legal(state), *far]

    def judge(self, state, action):
        verdict = super().judge(state, action)
        return LEGAL if isinstance(action, Move) and "is two moves" in verdict.reason else verdict


def test_a_deliberately_broken_rule_makes_the_run_fail():
    assert any(run(3, seed, game=Leaping(GAME.deck), judge=GAME).divergences for seed in "abc")


def test_a_broken_number_makes_the_run_fail():
    numbers = {**GAME.deck.numbers, "start_response": 4}
    four = Collection(msgspec.structs.replace(GAME.deck, numbers=numbers))
    assert run(3, "d", game=four, judge=GAME).divergences
