"""The mat found in the picture: markers, homography, lens."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.eye.geometry import Calibration, MarkerFinder, calibrate, corners_mm, marker_trouble
from companion.eye.mat import parse_mat
from tests.eye.tables import SPEC, Table, test_mat

PLACES = [(20.0, 20.0), (180.0, 100.0), (340.0, 190.0), (30.0, 185.0), (180.0, 15.0)]


def calibrated(table: Table) -> Calibration:
    gray = table.picture()
    found = calibrate(MarkerFinder(table.mat).find(gray), table.mat, table.size)
    assert found is not None
    return found


@pytest.mark.parametrize(("tilt", "turn", "lens"), [(0, 0, 0), (12, -5, 0), (0, 0, 0.12), (25, 8, 0.1), (-8, 2, -0.06)])
def test_places_are_right_to_half_a_millimetre(tilt: float, turn: float, lens: float) -> None:
    table = Table(test_mat(), tilt=tilt, turn=turn, lens=lens)
    calibration = calibrated(table)
    true = np.array([table.to_px(*place) for place in PLACES])
    assert np.abs(calibration.to_mm(true) - np.array(PLACES)).max() < 0.5
    assert calibration.error < 0.6


def test_pixels_to_millimetres_and_back() -> None:
    calibration = calibrated(Table(test_mat(), tilt=15, lens=0.1))
    there = calibration.to_px(PLACES)
    assert np.abs(calibration.to_mm(there) - np.array(PLACES)).max() < 1e-3


def test_the_scale_is_pixels_a_millimetre() -> None:
    table = Table(test_mat())
    assert calibrated(table).px_per_mm(180, 100) == pytest.approx(960 / (360 * 1.08), rel=0.02)


def test_four_markers_are_enough_and_three_are_not() -> None:
    table = Table(test_mat(), tilt=10)
    seen = MarkerFinder(table.mat).find(table.picture())
    assert len(seen) == 12
    corners = [seen[number] for number in (0, 4, 6, 10)]
    four = dict(zip((0, 4, 6, 10), corners, strict=True))
    found = calibrate(four, table.mat, table.size)
    assert found is not None
    true = np.array([table.to_px(*place) for place in PLACES])
    assert np.abs(found.to_mm(true) - np.array(PLACES)).max() < 1.5
    four.pop(6)
    assert calibrate(four, table.mat, table.size) is None
    trouble = marker_trouble(four, table.mat)
    assert trouble.kind == "no-markers"
    assert "Only 3" in trouble.words
    assert "4 are needed" in trouble.words


def test_a_marker_at_a_wrong_place_is_outvoted() -> None:
    table = Table(test_mat(), tilt=10, lens=0.08)
    seen = MarkerFinder(table.mat).find(table.picture())
    seen[3] = seen[3] + np.array([90.0, 60.0])
    found = calibrate(seen, table.mat, table.size)
    assert found is not None
    assert found.markers == set(range(12)) - {3}
    true = np.array([table.to_px(*place) for place in PLACES])
    assert np.abs(found.to_mm(true) - np.array(PLACES)).max() < 0.6


def test_another_games_mat_is_told_from_missing_markers() -> None:
    other = parse_mat({**SPEC, "markers": {**SPEC["markers"], "first": 100}}, 2)  # type: ignore[dict-item]
    seen = MarkerFinder(other).find(Table(other).picture())
    assert calibrate(seen, test_mat(), (960, 540)) is None
    trouble = marker_trouble(seen, test_mat())
    assert trouble.kind == "other-mat"
    assert "12 of its markers" in trouble.words


def test_large_pictures_are_searched_small_and_refined_large() -> None:
    table = Table(test_mat(), size=(2304, 1296), tilt=8)
    seen = MarkerFinder(table.mat).find(table.picture())
    assert len(seen) == 12
    for marker in table.mat.markers:
        true = np.array([table.to_px(x, y) for x, y in corners_mm(marker)])
        assert np.abs(seen[marker.id] - true).max() < 0.6


def test_a_marker_seen_twice_counts_as_unseen() -> None:
    mat = test_mat()
    doubled = msgspec.structs.replace(
        mat, markers=(*mat.markers, msgspec.structs.replace(mat.markers[0], x=180, y=100))
    )
    seen = MarkerFinder(mat).find(Table(doubled).picture())
    assert set(seen) == set(range(1, 12))


def test_a_bump_shows_as_distance_from_where_markers_should_be() -> None:
    table = Table(test_mat())
    calibration = calibrated(table)
    table.shift = (5.0, 0.0)
    seen = MarkerFinder(table.mat).find(table.picture())
    assert calibration.off_by(seen, table.mat) == pytest.approx(5.0, abs=0.3)
    assert calibration.off_by({}, table.mat) == 0.0


def test_markers_that_lie_where_they_are_expected_are_told_without_a_search() -> None:
    table = Table(test_mat(), tilt=10, lens=0.08)
    expected = calibrated(table).marker_corners(table.mat)
    finder = MarkerFinder(table.mat)
    moved = finder.moved_by(table.picture(), expected)
    assert moved == pytest.approx(0.0, abs=0.3)
    table.shift = (1.5, 0.0)
    moved = finder.moved_by(table.picture(), expected)
    assert moved == pytest.approx(1.5, abs=0.3)


@pytest.mark.parametrize("covered", [0.4, 0.6, 1.0])
def test_markers_that_are_covered_or_gone_say_nothing_of_where_the_mat_is(covered: float) -> None:
    table = Table(test_mat())
    expected = calibrated(table).marker_corners(table.mat)
    picture = table.picture()
    picture[:, : round(covered * picture.shape[1])] = 120
    moved = MarkerFinder(table.mat).moved_by(picture, expected)
    assert moved is None if covered > 0.5 else moved == pytest.approx(0.0, abs=0.3)
    assert MarkerFinder(table.mat).moved_by(np.zeros_like(picture), expected) is None
    table.shift = (40.0, 30.0)
    assert MarkerFinder(table.mat).moved_by(table.picture(), expected) is None
