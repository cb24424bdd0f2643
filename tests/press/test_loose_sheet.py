"""The one sheet for a table without a mat, and what every PDF asks of a printer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.eye.loose import IDS, SIDE
from companion.eye.markers import MarkerFinder
from companion.eye.mat import Mat
from companion.press.drawing import Drawing
from companion.press.job import Order, press_markers
from companion.press.raster import render
from companion.press.sheets import PAPERS, loose_sheet
from companion.press.vector import pdf_of


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_six_markers_of_sixty_millimetres_fit_on_one_sheet(paper: str) -> None:
    sheet = np.asarray(render(loose_sheet(PAPERS[paper]), 4.0).convert("L"))
    found = MarkerFinder(Mat("", "", 0, 0, "DICT_5X5_250", (), (), (), 0, 0)).find(sheet)
    assert sorted(found) == list(IDS)
    for corners in found.values():
        assert np.linalg.norm(corners[1] - corners[0]) / 4.0 == pytest.approx(SIDE, abs=0.3)


def test_the_sheet_is_one_page(tmp_path: Path) -> None:
    (file,) = press_markers(tmp_path, Order(paper="letter"))
    assert file.read_bytes().count(b"/Type /Page\n") == 1


@pytest.mark.parametrize(("backs", "turned"), [(True, b"DuplexFlipLongEdge"), (False, b"Simplex")])
def test_every_pdf_asks_not_to_be_scaled_and_says_whether_it_has_backs(backs: bool, turned: bytes) -> None:
    pdf = pdf_of([Drawing(100, 100)], "Test", backs=backs)
    assert b"/PrintScaling /None" in pdf
    assert b"/Duplex /" + turned in pdf
