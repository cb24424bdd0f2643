"""The host measures a table without a mat, shows it empty, and plays on it; faults are told with what would help."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import games
from companion.eye.loose import DICTIONARY
from companion.eye.mat import Mat
from companion.eye.view import Frame, Gray
from companion.games import bare_table
from companion.press.mats import mat_image
from companion.server.camera_api import SightError
from companion.sim.camera import SimulatedCamera
from companion.sim.lens import Pose
from companion.sim.table import SimTable
from companion.table.bare import BareTable
from companion.table.factory import make_eye
from tests.games.test_bare_table import layout
from tests.server.conftest import Clients
from tests.server.desks import MatchDesk
from tests.server.phones import be_host, text_of
from tests.server.test_aim_page import Aimed


def photograph(checks: float = 0.0) -> Gray:
    """A table with six markers, on a cloth with checks of so many mm."""
    there = layout()
    mat = Mat("", "", there.w, there.h, DICTIONARY, there.markers, (), (), 0, 72.0, loose=True)
    ground = np.asarray(mat_image(mat, 3.0))
    if checks:
        y, x = np.mgrid[: ground.shape[0], : ground.shape[1]] // round(3 * checks)
        cloth = (ground == ground[ground.shape[0] // 2, ground.shape[1] // 2]).all(axis=2)
        ground[cloth & ((x + y) % 2 == 0)] = (190, 60, 60)
    size, pose = (1600, 900), Pose(tilt=15.0)
    camera = SimulatedCamera(SimTable(), mat, lambda *_: np.zeros((1, 1), np.uint8), ground, 4.0, size=size, pose=pose)
    return camera.shoot().gray


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def test_one_picture_measures_the_table_and_games_are_laid_out_on_it(home: Path) -> None:
    bare = BareTable(photograph)
    assert "measured by 6 markers" in bare.measure(100.0)
    mat = games.load_mat("hearts", 4)
    assert (mat.w, mat.h) == pytest.approx((layout().w, layout().h), abs=12)
    bare.forget()
    assert not games.load_mat("hearts", 4).loose


def test_a_sheet_printed_at_94_percent_is_measured_by_its_own_ruler(home: Path) -> None:
    bare = BareTable(photograph)
    bare.measure(100.0)
    whole = bare_table.read()
    bare.measure(94.0)
    small = bare_table.read()
    assert whole is not None
    assert small is not None
    assert small.w / whole.w == pytest.approx(0.94, abs=0.01)


def views_covered(picture: Gray) -> frozenset[str]:
    eye, covered = make_eye(games.load("hearts"), games.load_mat("hearts", 4)), frozenset[str]()
    for n in range(12):
        if (view := eye.see(Frame(picture, 0.3 * n, n))) is not None:
            covered = view.covered
    return covered


def test_the_picture_of_the_empty_table_tells_a_checkered_cloth_from_cards(home: Path) -> None:
    picture = photograph(40.0)
    bare = BareTable(lambda: picture)
    bare.measure(100.0)
    assert not bare.emptied()
    bare.empty()
    assert bare.emptied()
    assert views_covered(picture) == frozenset()


def test_what_cannot_be_measured_is_said(home: Path) -> None:
    grey = np.full((900, 1600), 128, np.uint8)
    for bare, ruler, words in (
        (BareTable(lambda: None), 100.0, "no camera picture"),
        (BareTable(lambda: grey), 100.0, "Fewer than four"),
        (BareTable(photograph), 10.0, "can't be 10 mm"),
    ):
        with pytest.raises(SightError, match=words):
            bare.measure(ruler)
    with pytest.raises(SightError, match="Measure the table first"):
        BareTable(photograph).empty()


def test_the_host_measures_on_a_page_and_nobody_else(client_of: Clients, home: Path) -> None:
    desk = MatchDesk(2, "ledger")
    desk.aiming = Aimed(0.0)
    picture = photograph()
    desk.aiming.bare = BareTable(lambda: cv2.GaussianBlur(picture, (3, 3), 0))
    client = client_of(desk)
    assert client.get("/host/bare").status_code == 403
    be_host(client)
    assert "Show the empty table" not in text_of(client.get("/host/bare").text)
    assert client.post("/host/bare", data={"do": "measure", "ruler": "long"}).status_code == 409
    done = client.post("/host/bare", data={"do": "measure", "ruler": "100,0"}, follow_redirects=True)
    assert "The table is measured by 6 markers" in text_of(done.text)
    done = client.post("/host/bare", data={"do": "empty"}, follow_redirects=True)
    assert "The camera knows the empty table" in text_of(done.text)
