"""The emulated Pi 3's display is compared pixel by pixel with the picture that the program says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.deploy.virtual_pi.pi3_outside import COLUMNS, FIRST, MAGNIFIED, OFFSET, ROWS, part_of, shown_on


@pytest.fixture
def picture() -> Image.Image:
    """A picture of a display, with every pixel drawn by chance."""
    lit = np.random.default_rng(1).integers(0, 2, (64, 128), np.uint8)
    return Image.fromarray(lit * 255).convert("1")


def _screen(picture: Image.Image, folder: Path) -> Path:
    """Write what qemu shows of a picture: a part of the display's memory, every pixel a square."""
    memory = Image.new("1", (132, 64))
    memory.paste(picture, (OFFSET, 0))
    part = memory.crop((FIRST, 0, FIRST + COLUMNS, ROWS)).convert("RGB")
    path = folder / "screen.ppm"
    part.resize((COLUMNS * MAGNIFIED, ROWS * MAGNIFIED), Image.Resampling.NEAREST).save(path)
    return path


def test_a_screen_is_that_of_its_picture(picture: Image.Image, tmp_path: Path) -> None:
    """The part of the picture that qemu's display has is read from its screen."""
    assert np.array_equal(part_of(picture.tobytes()), shown_on(_screen(picture, tmp_path)))


def test_one_wrong_pixel_shows(picture: Image.Image, tmp_path: Path) -> None:
    """A display with one pixel that is not lit as it should be is told from the picture."""
    screen = shown_on(_screen(picture, tmp_path))
    at = 60, 7
    picture.putpixel(at, 255 - int(picture.getpixel(at)))  # type: ignore[arg-type]
    wrong = np.argwhere(part_of(picture.tobytes()) != screen)
    assert wrong.tolist() == [[at[1], at[0] + OFFSET - FIRST]]
