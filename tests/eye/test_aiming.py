"""Before any match: which mat, or which loose markers, a camera sees, how well, and what would help."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion import games
from companion.cli.aim import line
from companion.eye.aiming import Aim, Aimer
from companion.eye.mat import Marker, Mat
from companion.eye.view import Gray
from companion.table.aiming import mats

HEARTS = games.load_mat("hearts", 4)
OTHER = games.load_mat("collectors", 4)


SHEET = tuple(Marker(200 + n, 150.0 + 120 * n, 120.0 + 130 * (n % 3), 60.0) for n in range(5))


def seen(mat: Mat, size: tuple[int, int], scale: float) -> Gray:
    """Draw a mat's markers as a camera straight above its middle sees them."""
    picture = np.full(size[::-1], 160, np.uint8)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    for marker in mat.markers:
        length = round(marker.size * scale)
        drawn = np.pad(cv2.aruco.generateImageMarker(book, marker.id, length), length // 6, constant_values=235)
        x = round(size[0] / 2 + (marker.x - mat.w / 2) * scale - drawn.shape[1] / 2)
        y = round(size[1] / 2 + (marker.y - mat.h / 2) * scale - drawn.shape[0] / 2)
        if x >= 0 and y >= 0 and x + drawn.shape[1] <= size[0] and y + drawn.shape[0] <= size[1]:
            picture[y : y + drawn.shape[0], x : x + drawn.shape[1]] = drawn
    return picture


def look(picture: Gray) -> Aim:
    return Aimer([OTHER, HEARTS]).look(picture)


def test_the_mat_that_lies_there_is_known_among_all_games() -> None:
    aim = look(seen(HEARTS, (1920, 1080), 2.05))
    assert aim.mat == HEARTS.title
    assert aim.quality.verdict == "good"
    assert aim.able
    assert {marker.id for mat in mats() for marker in mat.markers} >= {marker.id for marker in HEARTS.markers}


@pytest.mark.parametrize(
    ("wide", "scale", "words", "gives"),
    [(1800, 2.05, "Raise the camera", 1.45), (1920, 1.2, "Lower the camera", 1.4)],
)
def test_one_advice_is_told_first_with_what_it_gives(wide: int, scale: float, words: str, gives: float) -> None:
    quality = look(seen(HEARTS, (wide, 1080), scale)).quality
    assert words.lower() in quality.advice[0].lower()
    assert quality.gives == pytest.approx(gives, abs=0.1)


def test_a_camera_with_too_few_pixels_is_told_as_that() -> None:
    assert not look(seen(HEARTS, (640, 480), 0.7)).able


def test_a_few_markers_of_the_sheet_are_enough() -> None:
    aim = look(seen(msgspec.structs.replace(OTHER, markers=SHEET), (1920, 1080), 2.05))
    assert aim.mat == ""
    assert aim.quality.module == pytest.approx((1.37, 1.37), abs=0.1)
    assert [marker.state for marker in aim.quality.markers] == ["seen"] * 5


def test_no_marker_at_all_says_what_to_lay() -> None:
    aim = look(np.full((1080, 1920), 120, np.uint8))
    assert aim.quality.module is None
    assert "No marker is seen" in aim.quality.advice[-1]
    assert "No marker is seen" in line(aim)


def test_the_terminal_has_a_bar_and_the_first_advice() -> None:
    words = line(look(seen(HEARTS, (1920, 1080), 1.2)))
    assert words.startswith("[########...|")
    assert "24 of 24 markers" in words
    assert "That gives 1.4" in words
