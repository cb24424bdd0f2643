"""A reading holds while its pixels are the same, and no longer."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.codes import Code
from companion.eye.reader import FACES, sighting
from companion.eye.readings import Readings
from companion.eye.view import Frame, Gray, Sighting
from tests.eye.tables import code_modules
from tests.nights import at_night

RANDOM = np.random.default_rng(7)


def scene(
    piece: str, module: float, turn: float = 0.0, shift: float = 0.0, noise: float = 3.0
) -> tuple[Gray, Sighting]:
    """A gray picture of 200 × 200 with a code of a card in the middle."""
    payload = str(Code("FC", piece, "F"))
    drawn = np.kron(code_modules(payload), np.ones((12, 12), dtype=np.uint8))
    big = cv2.copyMakeBorder(drawn, 48, 48, 48, 48, cv2.BORDER_CONSTANT, value=255)
    scale = module / 12
    centre = (big.shape[1] / 2 - 0.5, big.shape[0] / 2 - 0.5)
    move = np.array(cv2.getRotationMatrix2D(centre, -turn, scale), dtype=np.float64)
    move[:, 2] += 100 + shift - np.array(centre)
    blurred = cv2.GaussianBlur(big, (0, 0), 0.5 / scale)
    shot = cv2.warpAffine(blurred, move, (200, 200), flags=cv2.INTER_LINEAR, borderValue=120).astype(np.float64)
    shot = 40 + shot * 0.6 + RANDOM.normal(0, noise, shot.shape)
    corners = np.array([[48.0, 48.0], [300.0, 48.0], [300.0, 300.0], [48.0, 300.0]]) - 0.5
    at = corners @ move[:, :2].T + move[:, 2]
    return np.clip(shot, 0, 255).astype(np.uint8), sighting(payload, at, "test")


def shown(picture: Gray, colour: Gray | None = None) -> Frame:
    return Frame(picture, 0.0, 0, colour)


def known(picture: Gray, code: Sighting) -> Readings:
    readings = Readings()
    readings.remember(shown(picture), [code])
    return readings


@pytest.mark.parametrize("module", [1.5, 2.5, 5.0])
@pytest.mark.parametrize("turn", [0.0, 31.0, 90.0, 225.0])
def test_a_code_that_lies_still_is_known_again_in_noise_and_other_light(module: float, turn: float) -> None:
    picture, code = scene("00A", module, turn)
    again, _ = scene("00A", module, turn)
    readings = known(picture, code)
    assert readings.still(shown(again), code)
    assert readings.still(shown(np.clip(again * 0.6 + 20, 0, 255).astype(np.uint8)), code)


@pytest.mark.night
@pytest.mark.parametrize("module", [1.5, *at_night(2.5, 5.0)])
def test_no_other_code_at_the_same_place_passes_for_it(module: float) -> None:
    picture, code = scene("00A", module, noise=0.0)
    readings = known(picture, code)
    assert not any(readings.still(shown(scene(f"{n:03d}", module, noise=0.0)[0]), code) for n in range(1, 120))


def test_a_code_that_slid_by_half_a_module_is_read_again() -> None:
    picture, code = scene("00A", 2.5)
    assert not known(picture, code).still(shown(scene("00A", 2.5, shift=1.3)[0]), code)


def test_a_finger_on_a_corner_and_glare_are_noticed() -> None:
    picture, code = scene("00A", 2.5)
    readings = known(picture, code)
    finger = scene("00A", 2.5)[0]
    finger[74:86, 74:86] = 150
    assert not readings.still(shown(finger), code)
    glare = scene("00A", 2.5)[0]
    glare[95:110, 95:110] = 255
    assert not readings.still(shown(glare), code)


def test_bare_mat_is_no_code() -> None:
    picture, code = scene("00A", 2.5)
    assert not known(picture, code).still(shown(np.full((200, 200), 120, dtype=np.uint8)), code)


def test_what_was_forgotten_or_lies_outside_is_not_known() -> None:
    picture, code = scene("00A", 2.5)
    readings = known(picture, code)
    assert not readings.still(shown(picture[:90]), code)
    readings.keep([])
    assert not readings.still(shown(picture), code)
    readings.remember(shown(picture), [code])
    readings.forget()
    assert len(readings) == 0


def test_a_face_whose_colour_changed_is_another_one_and_a_code_has_no_colour() -> None:
    picture, code = scene("00A", 2.5)
    face = msgspec.structs.replace(code, reader=FACES)
    blue, green = (
        np.dstack([picture // 2, picture if n else picture // 2, picture // 2 if n else picture]) for n in (0, 1)
    )
    small = blue[::2, ::2], green[::2, ::2]
    readings = Readings()
    readings.remember(shown(picture, small[0]), [code, face])
    assert readings.still(shown(picture, small[0]), face)
    assert readings.still(shown(picture, (small[0] * 0.6).astype(np.uint8)), face)
    assert not readings.still(shown(picture, small[1]), face)
    assert readings.still(shown(picture, small[1]), code)
    assert readings.still(shown(picture), face)
