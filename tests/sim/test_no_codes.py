"""Robots play with cards that have no codes, before a camera whose eye knows the cards by their faces."""

import random
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from companion import games
from companion.cli.simulate import tell
from companion.eye.eye import Eye
from companion.eye.faces.asking import Answered, Doubt
from companion.eye.faces.deck import TaughtDeck, TaughtFace
from companion.eye.places import Pose
from companion.games.collectors.spaces import Place
from companion.referee.snapshot import Box, Pointer
from companion.sim import rehearsal
from companion.sim.answering import TRIES
from companion.sim.camera_stage import CameraStage
from companion.sim.rehearsal import Rehearsal, rehearse
from companion.sim.report import Report
from companion.sim.stage import HAND, Move
from companion.sim.table import SimTable
from companion.table import stages
from companion.table.factory import make_eye, simulated_camera
from companion.table.stages import camera_stages
from tests.printed import printed


class Robots(Rehearsal):
    """Robots that have placed a bottle, before a stage and a referee."""

    def __init__(self, stage, referee, report):
        self.stage, self.referee, self.report = stage, referee, report
        self._evidence = {"place": "B"}
        self.done = [(Place(seat=1, space="skill-4", bottle="101"), ())]


class Missing:
    """A referee that misses a card."""

    snapshot = SimpleNamespace(pointers=(Pointer("", "00E", None, Box(0, 0, 1, 1, 0)),))


def played(name, seats, seed):
    game, mat = games.load(name), games.load_mat(name, seats)
    report = Report()
    rehearse(game, mat, seats, {}, seed, camera_stages(game, mat, faults=False, codes=False), report)
    return report


@pytest.mark.night
def test_the_first_turns_of_a_match_with_many_equal_cards_are_understood(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 7)
    report = played("five-cards-collector", 3, "1/0")
    assert report.divergences == []
    assert report.moves == 7
    assert report.actions["add"] + report.actions["discard"] + report.actions["use"] == 3
    assert report.asked.total() == 0


@pytest.mark.night
def test_before_the_camera_cards_without_codes_are_known_by_their_faces(monkeypatch):
    monkeypatch.setattr(stages, "printed_faces", lambda game, mat: printed(game.info.name))
    nobody = SimpleNamespace(on_view=lambda view: None, on_tick=lambda time: None)
    game, mat = games.load("collectors"), games.load_mat("collectors", 2)
    stage = camera_stages(game, mat, faults=False, codes=False)(nobody, random.Random(1))
    stage.hint = lambda eye: None
    stage.carry([Move("00S", HAND, "market-movie", "F")], 1)
    stage.rest()
    assert [one.piece for one in stage.eye.view.placements] == ["00S"]
    assert stage.camera.show_colour


@pytest.mark.night
def test_robots_say_which_card_lies_where_the_eye_asks(monkeypatch):
    game, mat = games.load("five-cards-collector"), games.load_mat("five-cards-collector", 2)
    camera = simulated_camera(game, mat, SimTable(1))
    stage = CameraStage(camera, make_eye(game, mat), lambda view: None, lambda time: None)
    stage.table.put("00B", "F", 200, 150)
    stage.table.put("00N", "F", 205, 152)
    learnt = []

    class Learner:
        def answered(self, frame, doubt, piece):
            learnt.append(piece)
            face = TaughtFace("mine", (piece,), (np.zeros((176, 126, 3), np.uint8),))
            deck = TaughtDeck("mine", "Mine", 63, 88, (face,))
            return Answered(doubt, deck, deck, True)

        def learn(self, answered, faces):
            return faces.deck is answered.taught

    stage.eye.frame, stage.eye.faces = camera.shoot(), Learner()
    monkeypatch.setattr(Eye, "doubts", (Doubt(Pose(203, 150, 0), ("00Z",)), Doubt(Pose(600, 300, 0), ("00Z",))))
    assert stage.explain() == 1
    assert learnt == ["00N"]


def test_people_lay_a_card_again_that_the_table_misses():
    mat, table = games.load_mat("collectors", 2), SimTable(1)
    camera = SimpleNamespace(table=table, shoot=lambda: table.advance(0.1) or SimpleNamespace(time=table.time))
    resting = SimpleNamespace(settled=True, covered=frozenset())
    eye = SimpleNamespace(mat=mat, faces="known", view=resting, see=lambda frame: None)
    stage = CameraStage(camera, eye, lambda view: None, lambda time: None)
    row = ["01L", "00E", "02F"]
    stage.carry([Move(piece, HAND, "skills.1", "F") for piece in row], 1)
    stage.carry([Move("00S", HAND, "market-movie", "F")], 1)

    report = Report()
    robots = Robots(stage, Missing(), report)
    assert robots._shown_again()
    assert report.asked == {"laid again": 1}
    assert report.faces == {"B": 1}
    assert [lying.piece for lying in stage.table.pieces()] == ["01L", "02F", "00S", "00E"]
    assert [lying.piece for lying in stage.books["skills.1"]] == ["01L", "02F", "00E"]
    eye.faces = None
    assert not robots._shown_again()


@pytest.mark.night
@pytest.mark.parametrize("seed", [10, 12])
def test_a_row_that_was_pushed_along_by_one_place_is_named_again(seed):
    game, mat = games.load("five-cards-collector"), games.load_mat("five-cards-collector", 3)
    camera = simulated_camera(game, mat, SimTable(seed), codes=False)
    stage = CameraStage(
        camera, make_eye(game, mat, printed("five-cards-collector")), lambda view: None, lambda time: None
    )
    row, copies = "collection.1", game.components.copies
    for piece, source, target in (
        ("01N", HAND, row),
        ("01A", HAND, row),
        ("01N", row, "discard"),
        *((piece, HAND, row) for piece in ("01O", "00E", "00W", "00S")),  # the last of them does not fit in
    ):
        stage.carry([Move(piece, source, target, "F")], 1)
        stage.rest()
    for _ in range(9):
        stage.rest()
    seen = sorted((one for one in stage.eye.view.placements if one.zone == row), key=lambda one: one.x)
    assert [copies[one.piece] for one in seen] == [copies[lying.piece] for lying in stage.books[row]]
    assert stage.eye.view.covered == frozenset()


def test_after_a_restart_people_lay_again_what_hides_its_zone_because_nobody_has_read_it():
    class Hidden:
        by_faces = hidden = True
        laid = frozenset()

        def rest(self):
            """Nothing changes."""

        def show_again(self, pieces):
            self.laid = frozenset(pieces)
            return len(pieces)

    class Restoring(Missing):
        phase = property(lambda self: "playing" if stage.laid else "restoring")
        snapshot = property(lambda self: SimpleNamespace(phase=self.phase, pointers=Missing.snapshot.pointers))

    stage, report = Hidden(), Report()
    robots = Robots(stage, Restoring(), report)
    robots._settle = robots._compare = lambda whole=False: None
    robots._await_recovery()
    assert stage.laid == {"00E"}
    assert report.asked == {"laid again": 1}


@pytest.mark.parametrize(("hidden", "waits"), [(30, 31), (0, 1)])
def test_robots_wait_while_something_that_hides_a_zone_makes_the_table_look_wrong(hidden, waits):
    class Shadowed:
        by_faces, rests = True, 0
        hidden = property(lambda self: self.rests <= hidden)

        def rest(self):
            self.rests += 1

        def explain(self):
            return 0

    class Wrong:
        records = staticmethod(lambda: [None])
        snapshot = property(lambda self: SimpleNamespace(question=None, violation=object()))

    stage = Shadowed()
    robots = Robots(stage, Wrong(), Report())
    robots._rest()
    assert stage.rests == waits


@pytest.mark.parametrize(("recorded", "laid"), [(1, 0), (0, 1)])
def test_robots_lay_a_card_again_for_what_they_did_and_not_for_what_comes_next(recorded, laid):
    class Resting:
        by_faces, hidden, rests = True, False, 0

        def rest(self):
            self.rests += 1

        def explain(self):
            return 0

        def show_again(self, pieces):
            return len(pieces) if self.rests <= TRIES else 0

    class Asking(Missing):
        question = SimpleNamespace(kind="choice")
        records = staticmethod(lambda: [None] * recorded)
        snapshot = SimpleNamespace(question=question, violation=None, pointers=Missing.snapshot.pointers)

    stage, report = Resting(), Report()
    robots = Robots(stage, Asking(), report)
    robots.taps = SimpleNamespace(reply=lambda kind: None)
    robots._rest()
    assert report.asked.total() == laid
    assert stage.rests == TRIES * (1 + laid)


def test_questions_about_faces_are_told_by_the_class_of_the_move():
    game, console = games.load("collectible"), Console(record=True, file=StringIO())
    report = Report(matches=1, moves=40, seconds=60.0)
    report.actions.update({"open": 31, "roll": 9})
    report.asked.update({"face": 1, "laid again": 2})
    report.faces.update({"A": 1, "C": 2})
    tell(console, game, report, 10.0, False, True)
    text = console.export_text()
    assert "Asked which card it is: 1; to lay it again: 2" in text
    assert "Class A: 1 of these in 31 moves" in text
    assert "Class C: 2 of these in 9 moves" in text


@pytest.mark.night
def test_a_whole_match_of_collectible_is_understood():
    report = played("collectible", 2, "1/0")
    assert report.divergences == []
    assert report.endings == {"revealed": 1}


@pytest.mark.night
def test_a_whole_match_with_many_equal_cards_is_understood():
    report = played("five-cards-collector", 3, "1/0")
    assert report.divergences == []
    assert report.endings == {"five-collected": 1}
    assert {name for name, count in report.asked.items() if count} <= {"retrieve", "take", "finished"}
