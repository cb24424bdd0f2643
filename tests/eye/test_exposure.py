"""The exposure chooser: from wherever it starts, paper ends up white, nothing burns, and nothing is smeared."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.eye.exposure import WHITE, Exposure, ExposureAdvice, Limits, mat_only, next_exposure, shared_out
from companion.sim.table import SimTable
from tests.nights import at_night
from tests.sim.laying import camera, laid_table, the_mat

PHOTOS = Path(__file__).parents[1] / "fixtures" / "photos"
RIGHT = 0.01
"""The light (seconds times gain) at which the test's tables are exposed as their pictures are."""


@cache
def seen(name: str) -> np.ndarray:
    """Some of the pixels inside the mat of a simulated table, or of a photograph."""
    if name in ("laid", "empty"):
        cam = camera(laid_table() if name == "laid" else SimTable(1))
        mat = the_mat(4)
        corners = cam.lens.to_px([(0, 0), (mat.w, 0), (mat.w, mat.h), (0, mat.h)])
        return mat_only(cam.shoot().gray, corners)[::5]
    gray = cv2.imread(str(PHOTOS / name), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    return np.asarray(gray[::9, ::9])


def shot(scene: np.ndarray, exposure: Exposure, light: float = 1.0) -> np.ndarray:
    """What a camera with a gamma of 2.2 makes of a table in this light."""
    linear = (scene / 255.0) ** 2.2 * exposure.light * light / RIGHT
    return np.clip(np.rint(255 * linear ** (1 / 2.2)), 0, 255).astype(np.uint8)


def settled(
    scene: np.ndarray, start: Exposure, light: float = 1.0, mains: float | None = None, limits: Limits | None = None
) -> tuple[Exposure, ExposureAdvice, int]:
    exposure = start
    for step in range(12):
        advice = next_exposure(shot(scene, exposure, light), exposure, limits, mains)
        if advice.done:
            return exposure, advice, step
        exposure = advice.exposure
    raise AssertionError(f"never done: {advice}")


@pytest.mark.parametrize("name", ["four-players/01.jpg", *at_night("laid", "empty", "evening/01.jpg")])
@pytest.mark.parametrize("start", [Exposure(0.0002), *at_night(Exposure(0.01)), Exposure(1 / 60, 8.0)])
@pytest.mark.parametrize("light", [0.15, *at_night(1.0), 4.0])
def test_paper_becomes_white_and_does_not_burn(name: str, start: Exposure, light: float) -> None:
    exposure, advice, steps = settled(seen(name), start, light)
    assert WHITE[0] <= advice.white <= WHITE[1]
    assert advice.burnt <= 0.02
    assert exposure.seconds <= 1 / 60 + 1e-9
    assert steps <= 8
    assert "good" in advice.words


@pytest.mark.night
def test_what_is_good_is_left_alone() -> None:
    advice = next_exposure(shot(seen("laid"), Exposure(RIGHT)), Exposure(RIGHT))
    assert advice.done
    assert advice.exposure == Exposure(RIGHT)


@pytest.mark.night
def test_a_lamp_mirrored_in_a_sleeve_does_not_darken_the_table() -> None:
    scene = seen("laid").copy()
    scene[: len(scene) // 80] = 255
    exposure, advice, _ = settled(scene, Exposure(RIGHT))
    assert exposure == Exposure(RIGHT)
    assert 0.01 < advice.burnt < 0.02


def test_a_table_that_burns_is_darkened_in_large_steps() -> None:
    advice = next_exposure(np.full(1000, 255, np.uint8), Exposure(0.01, 2.0))
    assert advice.exposure.light == pytest.approx(0.01)
    assert "burnt out" in advice.words


def test_a_dark_room_gets_gain_before_a_long_shutter_and_then_a_long_shutter() -> None:
    dim, _, _ = settled(seen("laid"), Exposure(0.01), light=0.15)
    assert dim.seconds == pytest.approx(1 / 60)
    assert 3 < dim.gain <= 8
    dark, advice, _ = settled(seen("laid"), Exposure(0.01), light=0.01)
    assert dark.light == pytest.approx(Limits().longest * 8, rel=0.08)
    assert advice.white < WHITE[0]
    assert advice.words.endswith("lighter, as far as the camera can")


def test_total_darkness_asks_for_all_there_is_and_is_done() -> None:
    exposure = Exposure(0.01)
    for _ in range(6):
        advice = next_exposure(np.zeros(100, np.uint8), exposure)
        exposure = advice.exposure
    assert advice.done
    assert exposure == Exposure(Limits().longest, Limits().most_gain)


@pytest.mark.parametrize(("mains", "half"), [(50.0, 0.01), (60.0, 1 / 120)])
def test_under_lamps_the_shutter_is_a_whole_number_of_half_periods(mains: float, half: float) -> None:
    for light in (0.02, 0.1, 0.3, 0.9):
        exposure, _, _ = settled(seen("laid"), Exposure(0.002), light=light, mains=mains)
        count = exposure.seconds / half
        assert count == pytest.approx(round(count))
        assert count >= 1
    # In sunlight that would burn, so the shutter is short: there are no lamps that matter.
    assert settled(seen("laid"), Exposure(half), light=10.0, mains=mains)[0].seconds < half


def test_the_shutter_of_a_webcam_without_gain() -> None:
    limits = Limits(longest=1 / 15, most_gain=1.0)
    exposure, advice, _ = settled(seen("laid"), Exposure(0.01), light=0.2, mains=50.0, limits=limits)
    assert exposure.gain == 1.0
    assert exposure.seconds / 0.01 == pytest.approx(round(exposure.seconds / 0.01))
    assert exposure.seconds > 1 / 60
    assert WHITE[0] <= advice.white <= WHITE[1]


def test_light_is_shared_out_within_what_the_camera_can_do() -> None:
    limits = Limits(shortest=0.001, longest=0.1, least_gain=1.0, most_gain=4.0, blur=0.02)
    assert shared_out(0.01, limits) == Exposure(0.01, 1.0)
    assert shared_out(0.06, limits) == Exposure(0.02, pytest.approx(3.0))
    assert shared_out(0.2, limits) == Exposure(0.05, pytest.approx(4.0))
    assert shared_out(9.0, limits) == Exposure(0.1, 4.0)
    assert shared_out(1e-6, limits) == Exposure(0.001, 1.0)
    assert shared_out(0.18, limits, 50.0) == Exposure(pytest.approx(0.05), pytest.approx(3.6))
    assert shared_out(0.395, limits, 30.0) == Exposure(pytest.approx(0.1), pytest.approx(3.95))
    assert shared_out(9.0, limits, 40.0) == Exposure(pytest.approx(0.1), 4.0)
    assert shared_out(9.0, limits, 35.0).seconds == pytest.approx(7 / 70)
    without_gain = Limits(longest=0.1, most_gain=1.0)
    assert shared_out(0.024, without_gain, 50.0).seconds == pytest.approx(0.02)
    assert shared_out(0.026, without_gain, 50.0).seconds == pytest.approx(0.03)


def test_only_the_mat_is_judged() -> None:
    gray = np.full((400, 1000), 255, np.uint8)
    gray[100:300, 200:800] = 90
    inside = mat_only(gray, [(210, 110), (790, 110), (790, 290), (210, 290)])
    assert set(inside.tolist()) == {90}
    with pytest.raises(ValueError, match="no pixels"):
        next_exposure(mat_only(gray, [(-9, -9), (-5, -9), (-5, -5), (-9, -5)]), Exposure(0.01))
