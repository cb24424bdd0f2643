"""Matches that are interrupted: restarts, another camera, a lamp; and tables that were laid before anybody looked."""

from __future__ import annotations

import random

import msgspec
import pytest

from companion import games
from companion.referee.commands import Undo
from companion.referee.journal import Header, new_id, now
from companion.sim import interruptions, rehearsal
from companion.sim.interruptions import INTERRUPTIONS, InterruptedStage
from companion.sim.rehearsal import Rehearsal, rehearse
from companion.sim.report import DivergenceError, Report
from companion.sim.resumable import Resumable
from companion.sim.stage import ViewStage
from companion.sim.world import world_of
from companion.table.factory import make_eye
from companion.table.stages import camera_stages

NAME = "five-cards-collector"
GAME = games.load(NAME)
MAT = games.load_mat(NAME, 2)


def match(seed: str, stage_of=lambda referee, rng: ViewStage(MAT, referee.on_view, rng)):
    rng = random.Random(seed)
    world = world_of(GAME, 2, {}, rng)
    header = Header(id=new_id(), at=now(), game=NAME, seats=2, options={}, setup=msgspec.to_builtins(world.setup()))
    referee = Resumable(GAME, MAT, header)
    stage = stage_of(referee, rng)
    return Rehearsal(GAME, world, referee, stage, rng, Report()), referee, stage


class Restarting(ViewStage):
    """Restarts the referee now and then, between turns."""

    def __init__(self, referee, rng):
        super().__init__(MAT, referee.on_view, rng)
        self.referee, self.restarts = referee, 0

    def pause(self):
        if self._rng.random() < 0.8:
            return False
        self.referee.restart()
        self.restarts += 1
        return True


@pytest.mark.night
def test_a_match_goes_on_after_any_number_of_restarts(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 62)
    rehearsed, referee, stage = match("restarts", Restarting)
    rehearsed.play()
    assert stage.restarts > 5
    assert len(referee.records()) == len(rehearsed.done) == 62


def test_a_restarted_referee_remembers_what_was_undone_too(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 12)
    rehearsed, referee, _ = match("undo")
    rehearsed.play()
    assert referee.command(Undo(by="host")).ok
    before, version = referee.records(), referee.snapshot.version
    referee.restart()
    assert referee.records() == before
    assert referee.snapshot.phase == "restoring"
    assert referee.snapshot.version > version


def test_a_table_that_is_not_found_as_it_was_left_is_a_divergence(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 12)

    class Losing(Restarting):
        """Loses sight of a zone in a restart, as an eye that takes its cards for bare mat."""

        def pause(self):
            restarted = super().pause()
            if restarted:
                self.books = {zone: pile for zone, pile in self.books.items() if not zone.startswith("goal")}
            return restarted

    rehearsed, _, stage = match("lost", Losing)
    with pytest.raises(DivergenceError, match="not found as it was left"):
        rehearsed.play()
    assert stage.restarts == 1


def interrupted(seed):
    plans = []
    stage = camera_stages(GAME, MAT, faults=True)(match("any")[1], random.Random(seed))
    for _ in range(6):
        plans.append((stage._kind, stage._due))
        stage._plan()
    return plans, stage._printed, stage._lamp


@pytest.mark.night
def test_interruptions_come_by_the_seed():
    once, again, other = interrupted(3), interrupted(3), interrupted(4)
    assert once == again
    assert once != other
    assert {kind for kind, _ in once[0]} <= set(INTERRUPTIONS[1:])


def short_stages(monkeypatch, kinds, laid):
    """Stages that are interrupted at once, and often, each by one of some kinds in turn; small pictures."""
    monkeypatch.setattr(interruptions, "FIRST", (5, 10))
    monkeypatch.setattr(interruptions, "BETWEEN", (40, 60))
    monkeypatch.setattr(interruptions, "LAID", 1.0 if laid else 0.0)
    turn = iter(kinds * 100)
    monkeypatch.setattr(InterruptedStage, "_choose", lambda self: setattr(self, "_kind", next(turn)))
    return camera_stages(GAME, MAT, faults=True)


@pytest.mark.night
def test_a_rehearsal_begins_on_a_laid_table_and_is_interrupted(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 10)
    report = Report()
    stages = short_stages(monkeypatch, ["restart", "lamp", "camera", "eye"], laid=True)
    rehearse(GAME, MAT, 2, {}, "interrupted", stages, report)
    assert report.divergences == []
    assert report.interruptions["laid"] == 1
    assert report.interruptions["restart"] >= 1
    assert sum(report.interruptions.values()) >= 4


@pytest.mark.night
def test_an_eye_that_is_opened_anew_finds_every_card_on_a_laid_table(monkeypatch):
    rehearsed, referee, stage = match("laid", short_stages(monkeypatch, ["restart"], laid=True))
    stage.prepare(rehearsed._moves())
    assert stage.frames == 0
    rehearsed._settle()
    assert {placement.piece for placement in stage.eye.view.placements}
    assert referee.snapshot.owed == ()
    stage.eye = make_eye(GAME, MAT)
    stage.rest()
    assert referee.snapshot.owed == ()
