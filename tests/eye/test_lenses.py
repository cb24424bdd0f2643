"""Tilted cameras and wide lenses: the truth comes from OpenCV's lens models, not from the eye's own."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.eye.geometry import Calibration, MarkerFinder, calibrate, corners_mm, marker_trouble
from companion.eye.mat import Mat, parse_mat
from tests.eye.lenses import RealCamera
from tests.eye.tables import SPEC, Table, test_mat
from tests.nights import at_night

LARGE = {
    **SPEC,
    "mat": {"game": "test", "title": "Test", "w": 900.0, "h": 506.0},
    "markers": {**SPEC["markers"], "across": 9, "down": 5},  # type: ignore[dict-item]
}
LENSES = ("plain", "webcam", "wide", "fisheye")
BRANDS = {"plain": (60, 78, 0.04), "webcam": (75, 90, 0.13), "wide": (95, 110, 0.05), "fisheye": (100, 118, 0.03)}


@cache
def large_mat() -> Mat:
    return parse_mat(LARGE, 2)


def over(mat: Mat) -> np.ndarray:
    return np.array([[x * mat.w, y * mat.h] for x in np.linspace(0, 1, 13) for y in np.linspace(0, 1, 9)])


def some_camera(rng: np.random.Generator, brand: str, tilt: tuple[float, float] = (0, 35)) -> RealCamera:
    """A camera as somebody might have mounted it: its lens bent, decentred and not quite square to the sensor."""
    low, high, bend = BRANDS[brand]
    askew = (0.0, 0.0) if brand in ("plain", "fisheye") else tuple(rng.uniform(-0.0006, 0.0006, 2))
    return RealCamera(
        large_mat(),
        fov=rng.uniform(low, high),
        tilt=rng.uniform(*tilt),
        azimuth=rng.uniform(0, 360),
        roll=float(rng.choice([0, 180])) + rng.uniform(-8, 8),
        bend=(-rng.uniform(0, bend), rng.uniform(0, 0.01) if brand != "fisheye" else 0.0, *askew),  # type: ignore[arg-type]
        off=tuple(rng.uniform(-15, 15, 2)),  # type: ignore[arg-type]
        fisheye=brand == "fisheye",
    )


def shown(camera: RealCamera, rng: np.random.Generator, hidden: float = 0.0) -> dict[int, np.ndarray]:
    """The markers as a finder gives them: off by 0.15 pixels; a share of them, in a row, lies under something."""
    markers = camera.mat.markers
    first, many = int(rng.integers(len(markers))), round(hidden * len(markers))
    covered = {(first + i) % len(markers) for i in range(many)}
    at = camera.placed()
    return {
        marker.id: camera.project(corners_mm(marker), 0.0, *at) + rng.normal(0, 0.15, (4, 2))
        for i, marker in enumerate(markers)
        if i not in covered
    }


def fitted(camera: RealCamera, seen: dict[int, np.ndarray], before: Calibration | None = None) -> Calibration:
    found = calibrate(seen, camera.mat, camera.size, before)
    assert found is not None
    return found


def errors(camera: RealCamera, found: Calibration, z: float = 0.0) -> np.ndarray:
    mm = over(camera.mat)
    off: np.ndarray = np.linalg.norm(found.to_mm(camera.project(mm, z, *camera.placed()), z) - mm, axis=1)
    return off


@pytest.mark.night
@pytest.mark.parametrize(
    ("brand", "cameras"), [("webcam", 4), *at_night(("fisheye", 12), ("webcam", 12), ("plain", 12), ("wide", 12))]
)
def test_the_whole_mat_is_right_to_a_third_of_a_millimetre_however_the_camera_hangs(brand: str, cameras: int) -> None:
    rng = np.random.default_rng([7, LENSES.index(brand)])
    off = []
    for _ in range(cameras):
        camera = some_camera(rng, brand)
        off.append(errors(camera, fitted(camera, shown(camera, rng))))
    assert np.median(off) < 0.1
    assert np.percentile(off, 99) < 0.4
    assert np.max(off) < 1.0


@pytest.mark.night
@pytest.mark.parametrize("brand", ["fisheye", "webcam", "plain", "wide"])
def test_a_third_of_the_markers_under_hands_and_cards_costs_little(brand: str) -> None:
    rng = np.random.default_rng([8, LENSES.index(brand)])
    off = []
    for _ in range(10):
        camera = some_camera(rng, brand)
        off.append(errors(camera, fitted(camera, shown(camera, rng, 0.33))))
    assert np.median(off) < 0.15
    assert np.percentile(off, 99) < 1.0


def test_a_marker_at_a_wrong_place_is_outvoted_under_a_wide_lens_too() -> None:
    rng = np.random.default_rng(3)
    camera = some_camera(rng, "wide", (20, 35))
    seen = shown(camera, rng)
    seen[4] = seen[4] + np.array([60.0, -40.0])
    found = fitted(camera, seen)
    assert 4 not in found.markers
    assert len(found.markers) == len(seen) - 1
    assert errors(camera, found).max() < 1.0


@pytest.mark.night
@pytest.mark.parametrize("brand", ["fisheye", *at_night("webcam", "plain", "wide")])
def test_a_tilted_camera_knows_where_it_is_and_how_well(brand: str) -> None:
    rng = np.random.default_rng([9, LENSES.index(brand)])
    for _ in range(6):
        camera = some_camera(rng, brand, (22, 35))
        found = fitted(camera, shown(camera, rng))
        at, turn = camera.placed()
        where, unsure = found.camera_mm(), found.camera_error_mm()
        assert where is not None
        assert unsure is not None
        assert np.linalg.norm(np.array(where) - at) < 0.08 * at[2]
        assert (np.abs(np.array(where) - at) < 4 * np.array(unsure) + 0.5).all()
        assert found.tilt() == pytest.approx(np.degrees(np.arccos(-turn[2, 2])), abs=2.0)
        assert errors(camera, found, 25.0).max() < 3.0, "on top of a pile of 80 cards"


def test_a_camera_that_looks_straight_down_says_that_it_does_not_know_its_height() -> None:
    rng = np.random.default_rng(4)
    camera = RealCamera(large_mat(), fov=66)
    unsure = fitted(camera, shown(camera, rng)).camera_error_mm()
    tilted = RealCamera(large_mat(), fov=66, tilt=30)
    sure = fitted(tilted, shown(tilted, rng)).camera_error_mm()
    assert unsure is not None
    assert sure is not None
    assert unsure[2] > 300
    assert sure[2] < 100


@pytest.mark.parametrize("cameras", [3, *at_night(8)])
@pytest.mark.night
def test_what_is_known_of_the_lens_helps_when_few_markers_show(cameras: int) -> None:
    rng = np.random.default_rng(5)
    alone, helped = [], []
    for _ in range(cameras):
        camera = some_camera(rng, "webcam")
        before = fitted(camera, shown(camera, rng))
        few = shown(camera, rng, 0.75)
        alone.append(errors(camera, fitted(camera, few)).max())
        helped.append(errors(camera, fitted(camera, few, before)).max())
    assert np.mean(helped) < 0.5 * np.mean(alone)
    assert np.max(helped) < 2.5


def test_heights_there_and_back() -> None:
    rng = np.random.default_rng(6)
    camera = some_camera(rng, "wide", (25, 35))
    found = fitted(camera, shown(camera, rng))
    places = over(camera.mat)
    for z in (0.0, 25.0):
        assert np.abs(found.to_mm(found.to_px(places, z), z) - places).max() < 0.01
    raised = np.linalg.norm(found.to_mm(found.to_px(places, 25.0)) - places, axis=1)
    assert raised.max() > 15, "a pile's top seen in the mat's plane"


def test_modules_are_shorter_along_the_view_of_a_tilted_camera() -> None:
    camera = RealCamera(large_mat(), tilt=35, azimuth=90)
    found = fitted(camera, shown(camera, np.random.default_rng(1)))
    far, near = found.module_px(450, 30, 22.0), found.module_px(450, 480, 22.0)
    assert far[0] < 0.85 * far[1]
    assert far[1] < 0.9 * near[1]
    at = camera.placed()
    across = camera.project(np.array([[450.0, 30.0], [450.0 + 22 / 21, 30.0]]), 0.0, *at)
    along = camera.project(np.array([[450.0, 30.0], [450.0, 30.0 + 22 / 21]]), 0.0, *at)
    assert far[1] == pytest.approx(np.linalg.norm(across[1] - across[0]), rel=0.02)
    assert far[0] == pytest.approx(np.linalg.norm(along[1] - along[0]), rel=0.02)
    assert found.px_per_mm(450, 30) * 22 / 21 == pytest.approx(np.sqrt(far[0] * far[1]), rel=0.01)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_camera_that_hangs_upright_or_upside_down_is_as_good(quarters: int) -> None:
    table = Table(test_mat(), tilt=12, lens=0.06)
    gray = np.ascontiguousarray(np.rot90(table.picture(), quarters))
    size = (gray.shape[1], gray.shape[0])
    found = calibrate(MarkerFinder(table.mat).find(gray), table.mat, size)
    assert found is not None
    places = np.array([(20.0, 20.0), (180.0, 100.0), (340.0, 190.0), (30.0, 185.0)])
    px = np.array([table.to_px(*place) for place in places])
    for _ in range(quarters):  # rot90 turns counter-clockwise: (x, y) of a w wide picture goes to (y, w - 1 - x)
        wide = table.size[0] if _ % 2 == 0 else table.size[1]
        px = np.column_stack([px[:, 1], wide - 1 - px[:, 0]])
    assert np.abs(found.to_mm(px) - places).max() < 0.5


@pytest.mark.parametrize("size", [(640, 480), (1440, 1080), (900, 900), (1080, 1920)])
def test_pictures_of_other_shapes_do(size: tuple[int, int]) -> None:
    table = Table(test_mat(), size=size, tilt=10)
    found = calibrate(MarkerFinder(table.mat).find(table.picture()), table.mat, size)
    assert found is not None
    places = np.array([(20.0, 20.0), (180.0, 100.0), (340.0, 190.0)])
    assert np.abs(found.to_mm([table.to_px(*place) for place in places]) - places).max() < 0.7


def test_a_mirrored_picture_is_recognised_and_said() -> None:
    table = Table(test_mat(), tilt=8)
    straight = table.picture()
    finder = MarkerFinder(table.mat)
    assert not finder.mirrored(straight)
    for mirror in (straight[:, ::-1], straight[::-1]):
        picture = np.ascontiguousarray(mirror)
        seen = finder.find(picture)
        assert calibrate(seen, table.mat, table.size) is None
        assert finder.mirrored(picture)
        trouble = marker_trouble(seen, table.mat, finder.mirrored(picture))
        assert trouble.kind == "mirrored"
        assert trouble.words.startswith("The picture is mirrored: ")
    assert not finder.mirrored(np.full((540, 960), 128, np.uint8))
