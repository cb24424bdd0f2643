"""A table without a mat: where loose markers lie is measured in one picture. The truth comes from OpenCV's lenses."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eye.geometry import calibrate
from companion.eye.loose import DICTIONARY, IDS, SIDE, Layout, look, measured
from companion.eye.markers import Points, corners_mm
from companion.eye.mat import Marker, Mat
from companion.press.mats import mat_image
from companion.sim.camera import SimulatedCamera
from companion.sim.lens import WEBCAM, Pose
from companion.sim.table import SimTable
from tests.eye.lenses import RealCamera
from tests.eye.test_lenses import LENSES, some_camera
from tests.nights import at_night

SPOTS = ((50, 50), (450, 55), (850, 50), (850, 456), (450, 451), (50, 456))
SIDES = dict.fromkeys(IDS, SIDE)


def laid(rng: np.random.Generator) -> tuple[Marker, ...]:
    """Markers near the edge of a table, each turned as it happened to be laid."""
    at = np.array(SPOTS) + rng.uniform(-12, 12, (6, 2))
    return tuple(Marker(n, x, y, SIDE, rng.uniform(0, 360)) for n, (x, y) in zip(IDS, at, strict=True))


def photographed(
    markers: tuple[Marker, ...], camera: RealCamera, rng: np.random.Generator, noise: float = 0.3
) -> dict[int, Points]:
    at = camera.placed()
    return {one.id: camera.project(corners_mm(one), 0.0, *at) + rng.normal(0, noise, (4, 2)) for one in markers}


def off_by(layout: Layout, markers: tuple[Marker, ...]) -> float:
    """The largest distance (mm) of a corner from the true one, after the best move and turn of all together."""
    true = {one.id: corners_mm(one) for one in markers}
    a = np.concatenate([corners_mm(one) for one in layout.markers])
    b = np.concatenate([true[one.id] for one in layout.markers])
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ u @ v - b, axis=1).max())


@pytest.mark.parametrize(
    ("brand", "cameras"), [("webcam", 2), *at_night(("plain", 20), ("webcam", 20), ("wide", 20), ("fisheye", 20))]
)
def test_one_picture_tells_where_each_marker_lies_to_five_millimetres(brand: str, cameras: int) -> None:
    rng = np.random.default_rng([55, LENSES.index(brand)])
    for _ in range(cameras):
        camera, markers = some_camera(rng, brand), laid(rng)
        layout = measured(photographed(markers, camera, rng), SIDES, camera.size)
        assert layout is not None
        assert len(layout.markers) == 6
        assert off_by(layout, markers) < 5.0


def test_four_markers_are_enough_and_three_are_not() -> None:
    rng = np.random.default_rng(1)
    camera, markers = some_camera(rng, "webcam"), laid(rng)
    seen = photographed(markers, camera, rng, 0.15)
    four = measured({n: seen[n] for n in IDS[:4]}, SIDES, camera.size)
    assert four is not None
    assert off_by(four, markers) < 3.0
    assert measured({n: seen[n] for n in IDS[:3]}, SIDES, camera.size) is None


@pytest.mark.night
def test_a_marker_of_another_size_is_left_out_and_named() -> None:
    rng = np.random.default_rng(2)
    camera, markers = some_camera(rng, "webcam"), laid(rng)
    printed = (Marker(IDS[0], *SPOTS[0], 0.85 * SIDE), *markers[1:])
    layout = measured(photographed(printed, camera, rng, 0.15), SIDES, camera.size)
    assert layout is not None
    assert layout.bent == (IDS[0],)
    assert off_by(layout, markers) < 3.0


def test_three_loose_markers_are_enough_once_the_lens_is_known() -> None:
    rng = np.random.default_rng(3)
    camera, markers = some_camera(rng, "webcam"), laid(rng)
    seen = photographed(markers, camera, rng, 0.15)
    mat = Mat("", "", 900, 506, DICTIONARY, markers, (), (), 0, 0, loose=True)
    before = calibrate(seen, mat, camera.size)
    three = {n: seen[n] for n in IDS[::2]}
    assert calibrate(three, mat, camera.size) is None
    found = calibrate(three, mat, camera.size, before)
    assert found is not None
    spots = np.array([(250.0, 150.0), (450.0, 250.0), (650.0, 350.0)])
    off = np.linalg.norm(found.to_mm(camera.project(spots, 0.0, *camera.placed())) - spots, axis=1)
    assert off.max() < 2.0


@pytest.mark.parametrize("tilt", [20.0, *at_night(0.0, 10.0, 35.0)])
@pytest.mark.night
def test_a_picture_of_a_table_is_measured_along_its_edge(tilt: float) -> None:
    rng = np.random.default_rng(4)
    mat = Mat("", "", 900, 506, DICTIONARY, laid(rng), (), (), 0, 76.0, loose=True)
    camera = SimulatedCamera(
        SimTable(),
        mat,
        lambda piece, face: np.zeros((1, 1), np.uint8),
        np.asarray(mat_image(mat, 3.0)),
        4.0,
        size=(1920, 1080),
        pose=Pose(tilt=tilt, roll=3.0),
        lens=WEBCAM,
    )
    layout = look(camera.shoot().gray)
    assert layout is not None
    assert off_by(layout, mat.markers) < 3.0
    turns = {one.id: one.rotation for one in mat.markers}
    assert all(abs((one.rotation - turns[one.id] + 180) % 360 - 180) < 4 for one in layout.markers)
