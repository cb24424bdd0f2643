import cv2
import numpy as np
import pytest
import segno

from companion.bench import eye, plots, public
from companion.bench.conditions import condition
from companion.bench.figures import BenchError
from companion.bench.readers import LIBRARIES, OURS, ZXING


@pytest.fixture
def photographs(tmp_path):
    for number, text in enumerate(["https://example.org/ä", "one\r\ntwo"]):
        folder = tmp_path / f"kind-{number}"
        folder.mkdir()
        image = np.array([[0 if dark else 255 for dark in row] for row in segno.make_qr(text).matrix], dtype=np.uint8)
        cv2.imwrite(str(folder / "1.png"), np.kron(np.pad(image, 4, constant_values=255), np.ones((6, 6), np.uint8)))
        (folder / "1.txt").write_bytes(text.encode())
    (tmp_path / "kind-0" / "README.txt").write_text("no picture")
    return tmp_path


@pytest.mark.night
def test_a_table_a_condition_the_times_the_budgets_and_the_photographs(tmp_path, photographs):
    section = eye.measure(
        plots=tmp_path / "new" / "plots",
        photographs=photographs,
        modules=(1.5,),
        conditions=[condition("easy")],
        codes=4,
        near=(20.0,),
    )
    assert list(dict.fromkeys(row.table for row in section.rows)) == [
        "easy",
        "near",
        "ms a frame",
        "cpu ms a frame",
        "budgets",
        "photographs",
    ]
    by = {(row.table, row.what): row for row in section.rows}
    assert by["easy", OURS].figures == {"1.5_px": 1.0, "codes": 12, "wrong": 0}
    assert by["easy", ZXING].figures["1.5_px"] == 0.0
    assert by["near", LIBRARIES].figures["20_px"] == 1.0
    assert by["photographs", ZXING].figures["recall"] == 1.0
    picture = cv2.imread(str(tmp_path / "new" / "plots" / "recall.png"))
    assert picture.std() > 10
    assert "recall.png" in " ".join(section.notes)


def test_a_photograph_counts_only_if_its_text_is_exact(photographs):
    (photographs / "kind-1" / "1.txt").write_bytes(b"one\ntwo")
    by = {row.what: row.figures for row in public.rows(photographs)}
    assert (by[ZXING]["kind-0"], by[ZXING]["kind-1"], by[ZXING]["other_text"]) == (1, 0, 1)
    assert by[ZXING]["photographs"] == 2
    assert OURS not in by


def test_a_photograph_of_many_codes_counts_those_within_whose_corners_something_is_read(photographs):
    one = cv2.imread(str(photographs / "kind-0" / "1.png"))
    side = one.shape[0]
    folder = photographs / "many"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.hstack([one, one, np.full_like(one, 255)]))
    squares = [f"{left} 0 {left + side} 0 {left + side} {side} {left} {side}" for left in (0, side, 2 * side)]
    (folder / "1.txt").write_text("\n".join(["# list of hand selected 2D points", "SETS", *squares]))
    by = {row.what: row.figures for row in public.rows(folder)}
    assert (by[ZXING]["many"], by[ZXING]["codes"], by[ZXING]["photographs"]) == (2, 3, 1)
    assert by[LIBRARIES]["of_zxing"] == 1.0


def test_a_folder_without_photographs_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(eye, "compete", lambda *_: pytest.fail("measured before"))
    with pytest.raises(BenchError, match="no photographs with texts"):
        eye.measure(photographs=tmp_path)


def test_a_picture_that_is_none_is_named(photographs):
    (photographs / "kind-0" / "1.png").write_bytes(b"nothing")
    with pytest.raises(BenchError, match=r"kind-0.*1\.png is no picture"):
        public.rows(photographs)


def test_without_matplotlib_plots_are_refused_before_anything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(plots, "optional", lambda name: None)
    monkeypatch.setattr(eye, "compete", lambda *_: pytest.fail("measured before"))
    with pytest.raises(BenchError, match=r"pip install 'companion\[bench\]'"):
        eye.measure(plots=tmp_path)
