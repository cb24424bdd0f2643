"""The display's pictures in the docs are what its pages are, and each is on the docs' page."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("oled_pictures", DOCS / "images" / "oled.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_every_picture_is_what_the_page_shows_now(script: ModuleType) -> None:
    every = {**script.every_page(), **script.swedish()}
    assert {path.stem for path in script.HERE.glob("*.png")} == set(every)
    for name, page in every.items():
        drawn = np.asarray(script.picture(page).convert("RGB"))
        kept = np.asarray(Image.open(script.HERE / f"{name}.png").convert("RGB"))
        assert kept.shape == drawn.shape, name
        assert drawn.shape[0] == script.SCALE * 74
        assert np.abs(kept.astype(int) - drawn).max() < 24, name  # few colours in the file


def test_every_picture_is_on_the_page_and_says_what_is_on_it(script: ModuleType) -> None:
    text = (DOCS / "display.md").read_text()
    for name in (*script.every_page(), *script.swedish()):
        assert text.count(f"](images/oled/{name}.png)") == 1, name


def test_all_that_the_display_can_show_is_among_them(script: ModuleType) -> None:
    from companion.devices import display_pages

    source = (DOCS / "images" / "oled.py").read_text()
    for name in (*display_pages._GAME, "join", "wifi", "welcome", "auction"):
        assert f"pages.{name}(" in source
    for name in ("dice", "sound", "notice"):
        assert f"moments.{name}(" in source
