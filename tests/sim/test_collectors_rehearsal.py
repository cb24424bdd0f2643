"""Robots play Collectors before the referee: what it understood is what they did, with marked bottles and without."""

from __future__ import annotations

import pytest

from companion import games
from companion.games.collectors import Collectors
from companion.games.collectors.actions import Buy
from companion.games.collectors.state import Player
from companion.rules.kernel import LEGAL
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.table.stages import view_stages
from tests.nights import at_night

GAME = games.load("collectors")


def run(seats, seed, options=None, game=GAME, judge=None):
    report = Report()
    mat = games.load_mat("collectors", seats)
    rehearse(game, mat, seats, options or {}, seed, view_stages(mat), report, judge)
    return report


@pytest.mark.parametrize("seats", [2, *at_night(3, 4)])
@pytest.mark.night
def test_with_marked_bottles_the_table_alone_tells_the_action_space(seats):
    report = run(seats, "a")
    assert report.divergences == []
    assert report.endings == {"points": 1}
    assert set(report.asked) <= {"finished"}
    assert report.tapped["place"] == report.tapped["retrieve"] == 0


@pytest.mark.night
def test_without_marks_the_phone_asks_which_space_and_which_position_when_it_matters():
    report = run(2, "b", {"bottles": 0})
    assert report.divergences == []
    assert report.tapped["place"] > 10
    assert report.asked["place"] <= report.actions["place"]
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    assert all(kinds[name] in "BC" for name in report.tapped)


@pytest.mark.night
def test_every_action_is_played_and_class_a_never_asked():
    kinds = {kind.type: kind.evidence for kind in GAME.info.kinds}
    report = run(2, "t10")
    assert report.divergences == []
    assert report.missing(GAME) == []
    report.add(run(3, "b", {"bottles": 0}))
    assert report.divergences == []
    assert all(name == "finished" or kinds[name] == "B" for name in report.asked)
    assert all(kinds[name] in "BC" for name in report.tapped)


class Cheap(Collectors):
    """A broken rule: items cost nothing but their space."""

    def judge(self, state, action):
        verdict = super().judge(state, action)
        return LEGAL if isinstance(action, Buy) and verdict.rule == "Buy item" else verdict

    def play(self, state, action, facts=()):
        if not isinstance(action, Buy):
            return super().play(state, action, facts)
        free = action.play(self.components, state, facts)
        players = tuple(
            Player(now.hand, was.coins, now.items, now.skills, now.income, now.secrets, now.bottles)
            for was, now in zip(state.players, free.players, strict=True)
        )
        return type(state)(**{**{name: getattr(free, name) for name in free.__struct_fields__}, "players": players})


@pytest.mark.night
def test_a_deliberately_broken_rule_makes_the_run_fail():
    assert len(run(3, "c", game=Cheap(GAME.deck), judge=GAME).divergences) == 1
