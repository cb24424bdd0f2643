"""Where cards may lie, by edges."""

import cv2
import numpy as np
import pytest

from companion.eye.faces.deck import PX_PER_MM
from companion.eye.faces.flattening import shrunk
from companion.eye.faces.poses import is_gleam, regions
from tests.printed import printed

BOX = (10, 10, 40, 40)


def on_the_mat(part):
    """Return a dark mat on which something shows, 40 mm wide and high, as a camera sees it, and where it does."""
    picture = np.full((60, 60, 3), 40, np.float32)
    picture[10:50, 10:50] = part
    noisy = picture + np.random.default_rng(5).normal(0, 3, picture.shape)
    mask = np.zeros((60, 60), np.uint8)
    mask[10:50, 10:50] = 1
    return noisy.clip(0, 255).astype(np.uint8), mask


@pytest.mark.parametrize("strength", [60, 120, 200])
def test_a_lamps_gleam_is_no_part_of_a_card(strength):
    rows, columns = np.mgrid[:40, :40]
    spot = 40 + strength * np.exp(-((rows - 19.5) ** 2 + (columns - 19.5) ** 2) / 450)
    assert is_gleam(*on_the_mat(np.repeat(spot[..., None], 3, 2)), BOX)


@pytest.mark.parametrize("light", [0.35, 1.0])
@pytest.mark.parametrize("blur", [0.5, 1.5])
def test_print_is_no_gleam_in_little_light_nor_out_of_focus(light, blur):
    (deck,) = printed("collectible")
    gleams = []
    for face in deck.faces[:30]:
        card = cv2.GaussianBlur(shrunk(face.views[0], PX_PER_MM).astype(np.float32), (0, 0), blur)
        gleams.append(is_gleam(*on_the_mat(light * card[5:45, 5:45]), BOX))
    assert not any(gleams)


@pytest.mark.parametrize("at", [3, 20, 50])
def test_parts_that_nearly_touch_are_one_wherever_they_lie(at):
    mask = np.zeros((60, 60), np.uint8)
    mask[at : at + 4, 20:30] = 1
    mask[at : at + 4, 31:40] = 1
    mask[36, 50] = 1
    joined, speck = regions(mask, 1, 1)
    assert (joined.box, joined.area) == ((20, at, 20, 4), 80)
    assert (speck.box, speck.area) == ((50, 36, 1, 1), 1)
    assert int(joined.mask.sum()) == 80
    assert joined.mask[at : at + 4, 20:40].all()
    assert [region.box for region in regions(mask, 40, 0)] == [(20, at, 10, 4)]
    assert regions(np.zeros_like(mask), 1, 1) == []
