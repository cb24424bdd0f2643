"""The camera bumped, the mat pushed: told apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.eye.geometry import Calibration, calibrate, corners_mm
from companion.eye.moved import SHOWN, Moves, what_moved
from tests.eye.lenses import RealCamera
from tests.eye.test_lenses import large_mat

CAMERAS = {
    "straight": RealCamera(large_mat(), fov=66),
    "tilted": RealCamera(large_mat(), fov=66, tilt=30, azimuth=90),
    "wide": RealCamera(large_mat(), fov=102, tilt=10, azimuth=30, bend=(-0.04, 0.005, 0.0003, -0.0002), off=(8, -5)),
}


def fit(
    camera: RealCamera,
    seed: int,
    before: Calibration | None = None,
    push: tuple[float, float, float] = (0, 0, 0),
    knock: tuple[float, float, float] = (0, 0, 0),
    breath: float = 1.0,
) -> Calibration:
    """The geometry after the mat was pushed (mm, mm, degrees) or the camera knocked (degrees about its own axes).

    `breath` is how much larger everything looks from the picture's middle.
    """
    rng = np.random.default_rng(seed)
    at, turn = camera.placed()
    a, b, c = np.radians(knock)
    turn = np.array([[1, c, -b], [-c, 1, a], [b, -a, 1]]) @ turn
    turn = np.linalg.svd(turn)[0] @ np.linalg.svd(turn)[2]
    middle = np.array([camera.mat.w / 2, camera.mat.h / 2])
    seen_from = np.array(camera.size) / 2 - 0.5
    angle = np.radians(push[2])
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    seen = {
        marker.id: seen_from
        + breath
        * (camera.project((corners_mm(marker) - middle) @ spin.T + middle + push[:2], 0.0, at, turn) - seen_from)
        + rng.normal(0, 0.15, (4, 2))
        for marker in camera.mat.markers
    }
    found = calibrate(seen, camera.mat, camera.size, before)
    assert found is not None
    return found


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("push", [(40.0, 0.0, 0.0), (-8.0, 15.0, 1.2), (3.0, -2.0, 0.0)])
def test_a_pushed_mat_is_told_from_a_bumped_camera(name: str, push: tuple[float, float, float]) -> None:
    camera = CAMERAS[name]
    before = fit(camera, 1)
    assert what_moved(before, fit(camera, 2, before, push=push), camera.mat) == "mat"


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("knock", [(1.0, 0.0, 0.0), (0.3, -0.6, 0.2), (0.0, 0.8, -1.0)])
def test_a_bumped_camera_is_told_from_a_pushed_mat(name: str, knock: tuple[float, float, float]) -> None:
    camera = CAMERAS[name]
    before = fit(camera, 3)
    assert what_moved(before, fit(camera, 4, before, knock=knock), camera.mat) == "camera"


def test_a_camera_that_turned_about_its_foot_may_as_well_be_a_turned_mat() -> None:
    camera = CAMERAS["straight"]
    before = fit(camera, 5)
    assert what_moved(before, fit(camera, 6, before, knock=(0, 0, 1.5)), camera.mat) == "either"


def test_trembling_is_not_told() -> None:
    for camera in CAMERAS.values():
        before = fit(camera, 7)
        assert what_moved(before, fit(camera, 8, before), camera.mat) is None
        assert what_moved(before, fit(camera, 9, before, push=(0.8, 0.5, 0)), camera.mat) is None


@pytest.mark.parametrize("breath", [0.988, 1.012])
def test_a_lens_that_focuses_anew_moves_nothing(breath: float) -> None:
    for camera in CAMERAS.values():
        before = fit(camera, 10)
        assert what_moved(before, fit(camera, 11, before, breath=breath), camera.mat) is None
        assert what_moved(before, fit(camera, 12, before, push=(9, 0, 0), breath=breath), camera.mat) is not None


def test_people_are_told_for_some_seconds() -> None:
    camera = CAMERAS["tilted"]
    moves = Moves(camera.mat)
    first = fit(camera, 1)
    moves.note(first, 10.0)
    assert moves.trouble(10.0) is None
    moves.note(fit(camera, 2, first, push=(30, 0, 0)), 20.0)
    told = moves.trouble(20.0)
    assert told is not None
    assert (told.kind, told.words.split(";")[0]) == ("moved", "The mat was pushed along the table")
    assert moves.trouble(20.0 + SHOWN - 0.1) == told
    assert not moves.over(20.0 + SHOWN - 0.1)
    assert moves.over(20.0 + SHOWN)
    assert moves.trouble(20.0 + SHOWN) is None
    assert not moves.over(20.0 + SHOWN)
    moves.note(fit(camera, 3, first, knock=(0, 1, 0)), 40.0)
    told = moves.trouble(41.0)
    assert told is not None
    assert told.words.startswith("The camera was moved; it has found the mat again.")


def test_many_small_pushes_are_told_as_one() -> None:
    camera = CAMERAS["tilted"]
    moves = Moves(camera.mat)
    last = None
    told = []
    for step in range(5):
        last = fit(camera, step, last, push=(1.2 * step, 0, 0))
        moves.note(last, float(step))
        told.append(moves.trouble(float(step)) is not None)
    assert told == [False, False, True, True, True]


def test_another_resolution_is_no_bump() -> None:
    camera = CAMERAS["straight"]
    moves = Moves(camera.mat)
    moves.note(fit(camera, 1), 0.0)
    small = replace(camera, size=(1152, 648))
    moves.note(fit(small, 2), 1.0)
    assert moves.trouble(1.0) is None
