"""What the simulated camera has of a photograph: contrast, light that falls off, shine, noise, dark corners."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from companion.sim.lens import PLAIN, STRAIGHT
from companion.sim.optics import FEWEST_PX, Lamp, Noise, Print, Sensor, draw_lamp, draw_print, draw_rig, fewest_px
from companion.sim.painter import Light
from companion.sim.table import SimTable

from .laying import camera, laid_table, the_mat

SIZE = (768, 432)
EVEN = Light(1.0, 0.0, 0.0)
WEDGE = np.arange(256, dtype=np.uint8)[None, :]


def photographed(table: SimTable | None = None, **options: object) -> np.ndarray:
    plain = {"size": SIZE, "noise": 0.0, "blur": 0.0, "pose": STRAIGHT, "light": EVEN, "sensor": Sensor(vignette=0.0)}
    return camera(SimTable() if table is None else table, **{**plain, **options}).shoot().gray.astype(float)


def test_paper_and_ink_have_the_levels_of_the_print() -> None:
    plain = Print().shown(WEDGE, colour=False)
    assert (plain[0, 0], plain[0, 255]) == (22, 221)
    assert np.abs(plain - (22 + 0.78 * WEDGE)).max() <= 1
    faded = Print(gamma=1.4, black=50, white=180).shown(WEDGE, colour=False)
    assert (faded[0, 0], faded[0, 255]) == (50, 180)
    assert faded[0, 128] == pytest.approx(50 + 130 * (128 / 255) ** 1.4, abs=1)


def test_a_cast_changes_what_a_coloured_print_looks_like_in_gray() -> None:
    yellow = Print(cast=(1.0, 1.0, 0.8))
    blue, white = np.full((4, 4, 3), (0, 0, 255), np.uint8), np.full((4, 4, 3), 255, np.uint8)
    assert yellow.shown(white, colour=True)[0, 0].tolist() == [221, 221, 181]
    assert yellow.shown(blue, colour=False)[0, 0] < Print().shown(blue, colour=False)[0, 0]
    assert yellow.shown(WEDGE, colour=False).shape == (1, 256)


def test_contrast_shows_in_pictures() -> None:
    table = laid_table()
    strong = photographed(table, printed=Print())[40:-40, 60:-60]
    weak = photographed(table, printed=Print(black=60, white=160))[40:-40, 60:-60]
    contrasts = [float(np.subtract(*np.percentile(picture, (98, 2)))) for picture in (strong, weak)]
    assert contrasts[1] == pytest.approx(0.5 * contrasts[0], rel=0.1)


def test_a_lamp_lights_what_is_near_it_more() -> None:
    near_left = Lamp(x=-400, y=0, height=400)
    share = photographed(lamp=near_left)[30:-30] / photographed()[30:-30]
    left, right = np.median(share[:, 60:200]), np.median(share[:, -200:-60])
    assert left > 2 * right
    assert 0.6 < np.median(share) < 1.0


def test_a_shine_lifts_black() -> None:
    lamp = Lamp(x=100, y=50, height=1000, shine=40)
    lifted = photographed(lamp=lamp) - photographed(lamp=Lamp(x=100, y=50, height=1000))
    assert lifted.max() == pytest.approx(40, abs=2)
    assert lifted.min() >= 7
    y, x = np.unravel_index(lifted.argmax(), lifted.shape)
    # In the mirror the lamp is seen between its foot and the camera's, which is the mat's middle.
    scale = camera(SimTable(), size=SIZE, pose=STRAIGHT).lens.scale
    assert 0 < x - SIZE[0] / 2 < 100 * scale
    assert 0 < y - SIZE[1] / 2 < 50 * scale


def test_corners_are_darker_and_pixels_uneven() -> None:
    share = photographed(sensor=Sensor(vignette=0.3)) / np.maximum(photographed(), 1)
    assert share[210:222, 370:398].mean() == pytest.approx(1.0, abs=0.03)
    assert share[:12, :12].mean() < 0.5
    sensor = Sensor(vignette=0.0, uneven=0.03)
    once, again = (photographed(sensor=sensor, seed=4) for _ in range(2))
    assert (once == again).all()
    assert 0.02 < np.std(once / photographed(seed=4)) < 0.04


def test_noise_grows_with_brightness() -> None:
    noise = Noise(SIZE, 2.0, Sensor(shot=0.06), 1)
    for level in (30, 200):
        picture = np.full((SIZE[1], SIZE[0]), level, np.uint8)
        noise.add(picture, random.Random(1))
        assert picture.mean() == pytest.approx(level, abs=0.1)
        assert picture.std() == pytest.approx(math.sqrt(4 + 0.06 * level), rel=0.06)
    plain, dark = Noise(SIZE, 2.5, Sensor(), 1), np.full((SIZE[1], SIZE[0]), 30, np.uint8)
    plain.add(dark, random.Random(1))
    assert dark.std() == pytest.approx(2.5, rel=0.05)


def test_another_lamp_lights_the_next_picture() -> None:
    cam = camera(laid_table(), size=SIZE, lamp=Lamp(height=600, shine=30))
    before = cam.shoot().gray.mean()
    cam.lamp = Lamp(gain=0.4)
    assert cam.shoot().gray.mean() < 0.7 * before
    cam.lamp = Lamp(height=600, shine=30)
    assert cam.shoot().gray.mean() == pytest.approx(before, rel=0.01)


@pytest.mark.night
def test_what_is_chosen_by_chance_is_chosen_by_the_seed_and_can_be_read() -> None:
    mat, seen = the_mat(4), set()
    side = min(code.size for shape in mat.shapes for code in shape.codes) / 21
    for seed in range(20):
        made = [(draw_print(r), draw_lamp(r), draw_rig(mat, r)) for r in (random.Random(seed), random.Random(seed))]
        assert made[0] == made[1]
        printed, lamp, rig = made[0]
        assert printed.white - printed.black > 90
        assert 350 <= lamp.height <= 1050
        assert fewest_px(mat, rig.size, rig.pose, rig.lens, side) >= FEWEST_PX
        seen.add((rig.size, rig.lens == PLAIN, rig.pose.tilt > 0))
    assert len(seen) >= 4


@pytest.mark.night
def test_a_camera_over_a_deck_whose_faces_differ_in_little_sees_as_many_pixels_as_that_needs() -> None:
    mat = the_mat(4)
    for seed in range(8):
        usual, fine = (draw_rig(mat, random.Random(seed), least) for least in (0.0, 2.4))
        assert (
            fewest_px(mat, fine.size, fine.pose, fine.lens, 1)
            >= 2.4
            > fewest_px(mat, usual.size, usual.pose, usual.lens, 1)
        )
