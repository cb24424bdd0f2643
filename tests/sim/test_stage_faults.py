"""Table views with hands, bumps, changing light and a lost camera between the eye and the table."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.eye.view import TableView
from companion.sim.rehearsal import rehearse
from companion.sim.report import Report
from companion.sim.stage import HAND, PACE, VIEW_FAULTS, Move, ViewStage
from companion.table.stages import view_stages

GAME = games.load("five-cards-collector")
MAT = games.load_mat("five-cards-collector", 2)


def shown(restless: bool) -> tuple[ViewStage, list[TableView]]:
    views: list[TableView] = []
    stage = ViewStage(MAT, views.append, random.Random(5), restless)
    for piece in ("001", "002", "003"):
        stage.carry([Move(piece, HAND, "discard", "F")], 1)
        for _ in range(60):
            stage.rest()
    return stage, views


def test_a_disturbed_view_is_never_settled_and_hides_only_what_it_says_is_covered():
    stage, views = shown(restless=True)
    assert set(stage.faults()) == set(VIEW_FAULTS)
    there = {"001", "002", "003"}
    for view in views:
        if view.settled:
            assert not view.covered
        missing = "discard" not in {placement.zone for placement in view.placements}
        assert not missing or not view.settled
        assert {placement.piece for placement in view.placements} <= there
        assert not missing or "discard" in view.covered or view is views[0]


def test_a_calm_stage_is_not_disturbed():
    stage, views = shown(restless=False)
    assert not stage.faults()
    assert not any(view.troubles for view in views)


def test_simulated_time_goes_by_with_the_views():
    stage, views = shown(restless=True)
    assert stage.seconds == len(views) * PACE == views[-1].time


@pytest.mark.night
def test_a_match_of_disturbed_views_is_understood():
    report = Report()
    rehearse(GAME, MAT, 2, {}, "restless", view_stages(MAT, restless=True), report)
    assert not report.divergences
    assert set(report.faults) == set(VIEW_FAULTS)
    assert report.seconds > 60
