"""The host measures a table without a mat, shows it empty, and plays on it; faults are told with what would help."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion import games
from companion.eye.loose import DICTIONARY, Layout
from companion.eye.mat import Mat
from companion.eye.view import Gray
from companion.games import bare_table
from companion.press.mats import mat_image
from companion.server.camera_api import SightError
from companion.sim.camera import SimulatedCamera
from companion.sim.lens import Pose
from companion.sim.table import SimTable
from companion.table.bare import BareTable
from companion.table.factory import face_pictures, make_eye
from tests.eye.test_loose import off_by
from tests.games.test_bare_table import layout

HEARTS = games.load("hearts")


def camera_over(table: SimTable, checks: float = 0.0) -> SimulatedCamera:
    """Hang a camera over a table with six markers, on a cloth with checks of so many mm."""
    there = layout()
    mat = Mat("", "", there.w, there.h, DICTIONARY, there.markers, (), (), 0, 80.0, loose=True)
    ground = np.array(mat_image(mat, 3.0))
    if checks:
        y, x = np.mgrid[: ground.shape[0], : ground.shape[1]] // round(3 * checks)
        cloth = (ground == ground[ground.shape[0] // 2, ground.shape[1] // 2]).all(axis=2)
        ground[cloth & ((x + y) % 2 == 0)] = (200, 200, 190)
    faces = face_pictures(HEARTS.deck, games.load_printed_mat("hearts", 4))
    return SimulatedCamera(table, mat, faces, ground, 4.0, size=(1920, 1080), pose=Pose(tilt=15.0), fps=5.0)


def photograph() -> Gray:
    return camera_over(SimTable()).shoot().gray


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def test_one_picture_measures_the_table_and_games_are_laid_out_on_it(home: Path) -> None:
    bare = BareTable(photograph)
    assert "measured by 6 markers" in bare.measure(100.0)
    mat = games.load_mat("hearts", 4)
    assert off_by(Layout(mat.w, mat.h, mat.markers), layout().markers) < 3.0
    bare.forget()
    assert not games.load_mat("hearts", 4).loose


@pytest.mark.night
def test_a_sheet_printed_at_94_percent_is_measured_by_its_own_ruler(home: Path) -> None:
    bare = BareTable(photograph)
    bare.measure(100.0)
    whole = bare_table.read()
    bare.measure(94.0)
    small = bare_table.read()
    assert whole is not None
    assert small is not None
    assert small.w / whole.w == pytest.approx(0.94, abs=0.01)


@pytest.mark.parametrize(("shown_empty", "placed"), [(True, ["play.1"]), (False, [])])
@pytest.mark.night
def test_on_a_checkered_cloth_a_card_is_seen_at_once_if_the_table_was_shown_empty(
    shown_empty: bool, placed: list[str], home: Path
) -> None:
    table = SimTable()
    camera = camera_over(table, 40.0)
    bare = BareTable(lambda: camera.shoot().gray)
    bare.measure(100.0)
    if shown_empty:
        bare.empty()
    assert bare.emptied() is shown_empty
    mat = games.load_mat("hearts", 4)
    eye = make_eye(HEARTS, mat)
    table.put("101", "F", *mat.zone("play.1").rect.centre)
    views = [view for _ in range(10) if (view := eye.see(camera.shoot())) is not None]
    assert [one.zone for view in views[-1:] for one in view.placements] == placed


@pytest.mark.night
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
