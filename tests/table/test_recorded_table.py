"""Recordings, whole: what is recorded at a table is understood the same when it is watched again; the command line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from companion import games
from companion.cli.main import cli
from companion.cli.watch import watch
from companion.devices.cameras import open_camera
from companion.devices.recorder import Recorder, ring_folder
from companion.devices.recording import segments
from companion.eye.exposure import Exposure, Limits
from companion.eye.eye import Eye
from companion.eye.places import THICK_MM
from companion.eye.view import Frame, TableView
from companion.referee.journal import Header, Journal
from companion.referee.referee import Referee
from companion.sim.camera_stage import CameraStage
from companion.sim.rehearsal import Rehearsal
from companion.sim.report import Report
from companion.sim.robots import choose
from companion.sim.table import SimTable
from companion.sim.world import world_of
from companion.table.camera_loop import CameraLoop, Hints
from companion.table.factory import make_eye, simulated_camera
from companion.table.table import Demo, DemoTable
from tests.referee.table import GAME
from tests.table.test_demo_table import understood, until

SEATS = 2


class Few(Rehearsal):
    """A few turns that the table alone tells: no taps, so that frames are all there is."""

    def play_some(self, turns: int) -> None:
        self._lay()
        while len(self.done) < turns:
            picks = (choose(self.game, self.state, self.world, self.rng) for _ in range(200))
            self._turn(next(pick for pick in picks if self._evidence.get(type(pick).__struct_config__.tag, "A") == "A"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, list[Any], list[Frame], list[Any]]:
    """A recording of a simulated table, its set-up, what was understood live, the frames, and the views."""
    folder = tmp_path_factory.mktemp("evening") / "ring"
    rng, mat = random.Random(5), games.load_mat(GAME.info.name, SEATS)
    world = world_of(GAME, SEATS, {}, rng)
    setup = msgspec.to_builtins(world.setup())
    referee = Referee(
        GAME, mat, Header(id="1", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=SEATS, setup=setup)
    )
    camera = simulated_camera(GAME, mat, SimTable(5), seed=5)
    recorder = Recorder(folder)
    recorder.start()
    shoot, shot, views = camera.shoot, [], []

    def recorded() -> Frame:
        frame = shoot()
        recorder.take(frame, wait=True)
        shot.append(Frame(frame.gray[::16, ::16].copy(), frame.time, frame.number))
        return frame

    def seen(view: TableView) -> None:
        views.append(view)
        referee.on_view(view)

    camera.shoot = recorded  # type: ignore[method-assign]
    stage = CameraStage(camera, make_eye(GAME, mat), seen, referee.on_tick)
    Few(GAME, world, referee, stage, rng, Report()).play_some(6)
    recorder.flush()
    recorder.stop()
    return folder, setup, referee.records(), shot, views


def rests(views: Iterable[TableView]) -> list[frozenset[tuple[str, str | None]]]:
    """Tell what lay where each time the table had come to rest."""
    found = [frozenset((one.piece, one.zone) for one in view.placements) for view in views if view.settled]
    return [one for one, _ in groupby(found)]


@pytest.mark.night
def test_a_recorded_match_is_understood_again_record_by_record(evening: Any) -> None:
    folder, setup, live, _, views = evening
    lines = list(watch(GAME, games.load_mat(GAME.info.name, SEATS), SEATS, {}, str(folder), setup))
    again = [line["record"] for line in lines if "record" in line]
    assert [(one.seat, one.action, one.facts, one.assumed) for one in again] == [
        (one.seat, one.action, one.facts, one.assumed) for one in live
    ]
    assert len(again) >= 6
    assert rests(line["view"] for line in lines if "view" in line) == rests(views)


@pytest.mark.night
def test_every_frame_of_it_is_there_at_its_own_time(evening: Any) -> None:
    folder, _, _, shot, _ = evening
    again = list(open_camera(str(folder)).frames())
    assert [one.time for one in again] == pytest.approx([one.time - shot[0].time for one in shot], abs=1e-5)
    off = [np.abs(now.gray[::16, ::16].astype(int) - was.gray).mean() for was, now in zip(shot, again, strict=True)]
    assert max(off) < 4  # the sensor's noise, and JPEG's


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, list(words))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for n in range(4):
        cv2.imwrite(str(folder / f"{n}.png"), np.full((60, 80), 40 * n, dtype=np.uint8))
    return folder


def test_record_says_what_it_does_and_what_it_did(state: Path, photos: Path) -> None:
    done = run("record", "--camera", str(photos))
    assert done.exit_code == 0, done.output
    assert "The last 5 minutes of the camera's pictures are kept in" in done.stderr
    assert "Nothing leaves this computer" in done.stderr
    assert json.loads(done.stdout) == {
        "folder": str(state / "recordings" / "now"),
        "frames": 48,
        "pictures": 48,
        "missed": 0,
    }
    again = list(open_camera(str(ring_folder())).frames())
    assert [round(float(one.gray.mean())) for one in again[::12]] == [0, 40, 80, 120]


def test_what_was_recorded_is_kept_for_a_dispute(state: Path, photos: Path, tmp_path: Path) -> None:
    assert "Nothing is recorded in" in run("record", "--keep", str(tmp_path / "kept")).stderr
    run("record", "--camera", str(photos))
    done = run("record", "--keep", str(tmp_path / "kept"))
    assert json.loads(done.stdout) == {"kept": str(tmp_path / "kept")}
    assert len(list(open_camera(str(tmp_path / "kept")).frames())) == 48
    again = run("record", "--keep", str(tmp_path / "kept"))
    assert again.exit_code == 2
    assert "is not empty: name a new one" in again.stderr


def test_what_can_not_be_recorded_is_said(state: Path, tmp_path: Path) -> None:
    assert "no folder or picture" in run("record", "--camera", "folder:nowhere").stderr
    (tmp_path / "note.txt").write_text("mine")
    done = run("record", "--camera", str(tmp_path / "note.txt"), "--out", str(tmp_path))
    assert done.exit_code == 2


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty seconds in which everything moves."""
    path = tmp_path_factory.mktemp("video") / "long.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), dtype=np.uint8)
    for n in range(400):
        writer.write(np.ascontiguousarray(noise[n % 100 : n % 100 + 480, n % 150 : n % 150 + 640]))
    writer.release()
    return path


@pytest.mark.night
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_recording_that_is_stopped_or_killed_can_be_watched(state: Path, video: Path, ending: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "record", "--camera", str(video)],
        env={**os.environ, "COMPANION_STATE": str(state)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ring = state / "recordings" / "now"
    until(lambda: len(segments(ring)) >= 2)
    process.send_signal(ending)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    frames = list(open_camera(str(ring)).frames())
    assert len(frames) >= 100  # a killed recorder leaves its whole segments, of 100 frames each
    if ending != signal.SIGKILL:
        assert process.returncode == 0
        assert json.loads(out)["frames"] == len(frames)


@pytest.mark.night
def test_a_match_is_recorded_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    mat = games.load_mat("five-cards-collector", 2)
    recorder = Recorder(tmp_path / "ring", minutes=2)
    table = DemoTable(Demo(GAME, mat, 2, 8.0), Journal(tmp_path), "HTTP://127.0.0.1/J", recorder)
    table.start()
    try:
        understood(table, 4)
    finally:
        table.close()
    assert recorder.frames > 30
    assert len(list(open_camera(str(tmp_path / "ring")).frames())) == recorder.frames
    Recorder(tmp_path / "ring").stop()  # the folder was let go of


def test_nothing_is_recorded_unless_that_is_asked_for(state: Path) -> None:
    done = run("serve", "--help")
    assert "--record" in done.stdout
    assert not (state / "recordings").exists()
    from companion.appliance.run import _recorder

    assert _recorder(None) is None
    assert not (state / "recordings").exists()


class Held:
    """A camera on a table whose exposure can be set."""

    live = False
    limits, mains = Limits(), 50.0

    def __init__(self, frame: Frame) -> None:
        self.control = self
        self.over = threading.Event()
        self.asked: list[Exposure] = []
        self._gray = frame.gray

    def frames(self) -> Iterator[Frame]:
        for n in range(60):
            yield Frame(self._gray, n / 10, n, exposure=0.01)
        self.over.set()

    def close(self) -> None:
        return

    def current(self) -> Exposure:
        return Exposure(0.01)

    def expose(self, exposure: Exposure) -> None:
        self.asked.append(exposure)

    def focus(self, metres: float | None) -> None:
        return


@pytest.mark.night
def test_the_lookout_sets_the_cameras_exposure_by_what_lies_on_the_mat_and_tells_the_eye_of_piles() -> None:
    mat = games.load_mat(GAME.info.name, SEATS)
    frame = simulated_camera(GAME, mat, SimTable(1)).shoot()
    camera = Held(Frame((frame.gray * 0.5).astype(np.uint8), 0.0, 0))
    seen: list[Frame] = []

    def look(view: TableView) -> None:
        return

    def tick(time: float) -> None:
        return

    eyes: list[Eye] = []

    def make() -> Eye:
        eyes.append(make_eye(GAME, mat))
        return eyes[0]

    hints = Hints({"discard": 11})
    camera_loop = CameraLoop(mat, lambda: camera, make, look, tick, seen.append, lambda: hints)
    camera_loop.start()
    assert camera.over.wait(30)
    camera_loop.close()
    assert camera.asked
    assert camera.asked[0].light > 0.02  # paper at half its gray level wants several times the light
    assert [one.number for one in seen] == list(range(60))
    assert [pile.height for pile in eyes[0].piles] == [pytest.approx(10 * THICK_MM)]
