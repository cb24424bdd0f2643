import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from benchmarks import photographs
from benchmarks.photographs import ForeignThing, Photograph, SeenCode
from companion.bench.figures import BenchError
from companion.codes import parse
from companion.eye.reader import read_zxing

SIDE = 84.0
"""Pixels of a code's side in the truths made here: four a module."""


def square(x, y, side=SIDE):
    """Corners of an upright square about a middle."""
    h = side / 2
    return ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))


def code(payload, x, y, covered=0.0, mirrored=0.0, side=SIDE):
    return SeenCode(payload, square(x, y, side), covered, mirrored)


def photo(*codes, **more):
    return Photograph("01.png", (400, 300), codes, **more)


def drawn(codes, size=(400, 300)):
    """Draw codes on white: a payload and a middle each."""
    gray = np.full((size[1], size[0]), 255, np.uint8)
    for payload, x, y in codes:
        made = segno.make_qr(payload, version=1, error="h", boost_error=False)
        dark = np.array([[bool(cell) for cell in row] for row in made.matrix])
        half = round(SIDE / 2)
        gray[y - half : y + half, x - half : x + half][np.kron(dark, np.ones((4, 4), bool))] = 0
    return gray


def folder_of(path: Path, pictures, photos):
    for name, gray in pictures.items():
        cv2.imwrite(str(path / name), gray)
    (path / "truth.json").write_text(json.dumps({"photos": photos}))
    return path


def told(image, codes, **more):
    return {
        "image": image,
        "size": [400, 300],
        "codes": [{"payload": p, "covered": c, "corners": square(x, y)} for p, x, y, c in codes],
        **more,
    }


def zxing(gray, module):
    return [(seen.payload, *np.mean(seen.corners, axis=0)) for seen in read_zxing(gray)]


def blind(gray, module):
    return []


# ------------------------------------------------------------------------------------------------------------- judging


def test_a_reading_is_right_within_half_a_code_and_wrong_beyond():
    truth = photo(code("FC00BF2", 100, 100))
    assert photographs.judge([("FC00BF2", 130.0, 100.0)], truth) == (frozenset({0}), ())
    assert photographs.judge([("FC00BF2", 143.0, 100.0)], truth) == (frozenset(), ("FC00BF2",))


def test_another_payload_where_a_code_lies_is_a_wrong_identity():
    truth = photo(code("A", 100, 100))
    assert photographs.judge([("A", 100, 100), ("B", 100, 100)], truth) == (frozenset({0}), ("B",))


def test_a_code_read_twice_counts_once_and_is_not_wrong():
    truth = photo(code("A", 100, 100), code("A", 300, 100))
    assert photographs.judge([("A", 100, 100), ("A", 101, 99)], truth) == (frozenset({0}), ())


def test_of_a_decks_backs_the_top_one_is_read():
    truth = photo(code("BACK", 100, 100, covered=0.9), code("BACK", 103, 101))
    assert photographs.judge([("BACK", 100, 100)], truth) == (frozenset({1}), ())


def test_what_a_foreign_thing_says_is_right_on_it_and_wrong_elsewhere():
    truth = photo(code("A", 100, 100), foreign=(ForeignThing("MENU", square(250, 200, 90)),))
    assert photographs.judge([("MENU", 230, 180)], truth) == (frozenset(), ())
    assert photographs.judge([("MENU", 100, 100)], truth) == (frozenset(), ("MENU",))
    assert photographs.judge([("A", 250, 200)], truth) == (frozenset(), ("A",)), "this deck's code is not on the menu"


def test_visible_codes_partly_covered_ones_and_mirrored_ones_are_counted_apart():
    codes = (
        code("A", 100, 100),
        code("B", 200, 100, covered=0.03),
        code("C", 300, 100, covered=0.031),
        code("D", 100, 200, mirrored=0.5),
        code("E", 200, 200, covered=0.5, mirrored=0.5),
    )
    found = [("A", 100.0, 100.0), ("C", 300.0, 100.0), ("D", 100.0, 200.0), ("X", 1.0, 1.0)]
    truth = photo(*codes)
    result = photographs.Result(truth, "r", *photographs.judge(found, truth))
    assert result.missed == ("B",)
    assert photographs.figures([result]) == {
        "visible": 2,
        "read": 1,
        "recall": 0.5,
        "partly": 2,
        "partly_read": 1,
        "mirrored": 1,
        "mirrored_read": 1,
        "wrong": 1,
        "ms": 0.0,
    }


def test_figures_of_several_photographs_add_up_and_nothing_visible_has_no_recall():
    hidden, shown = photo(code("A", 100, 100, covered=1.0)), photo(code("A", 100, 100), code("B", 200, 100))
    results = [
        photographs.Result(hidden, "r", frozenset(), (), 2.0),
        photographs.Result(shown, "r", frozenset({0, 1}), ("X",), 4.0),
    ]
    assert photographs.figures(results[:1])["recall"] is None
    sums = photographs.figures(results)
    assert (sums["recall"], sums["wrong"], sums["partly"], sums["ms"]) == (1.0, 1, 1, 3.0)


def test_the_module_is_the_side_of_a_square_as_large_as_the_code():
    slanted = SeenCode("A", ((0, 0), (42, 0), (52, 21), (10, 21)), 0.0)
    assert slanted.module == pytest.approx((42 * 21) ** 0.5 / 21)
    assert photo(code("A", 1, 1, side=21), code("B", 1, 1, side=42), code("C", 1, 1, side=63)).module == 2.0


def test_recall_is_told_by_the_codes_own_size_and_by_condition():
    truth = photo(code("A", 50, 50, side=21), code("B", 100, 50, side=33.6), code("C", 200, 50), conditions=("dark",))
    results = [
        photographs.Result(truth, "r", frozenset({1, 2}), ()),
        photographs.Result(truth, "s", frozenset(), ("X",)),
    ]
    rows = {row.what: row.figures["recall"] for row in photographs.by_module(results)}
    assert rows == {
        "under 1.25: r": 0.0,
        "under 1.25: s": 0.0,
        "1.5 to 1.75: r": 1.0,
        "1.5 to 1.75: s": 0.0,
        "2 and more: r": 1.0,
        "2 and more: s": 0.0,
    }
    assert [(row.what, row.figures["wrong"]) for row in photographs.by_condition(results)] == [
        ("dark: r", 0),
        ("dark: s", 1),
    ]


# --------------------------------------------------------------------------------------------------- whole photographs


def test_a_real_reader_is_measured_on_pictures_and_every_photograph_is_told_of(tmp_path):
    at = [("FC00B", 100, 100), ("FC00C", 300, 200)]
    pictures = {"01.png": drawn(at), "02.png": drawn(at[:1])}
    truths = [
        told("01.png", [(*centre, 0.0) for centre in at], conditions=["dark"]),
        told("02.png", [(*at[0], 0.0), (*at[1], 0.4), ("FC00D", 300, 60, 0.0)]),
    ]
    lines = []
    rows = photographs.measure_photographs(
        folder_of(tmp_path, pictures, truths), {"zxing": zxing, "blind": blind}, lines.append
    )
    assert [(row.what, row.figures["read"], row.figures["visible"], row.figures["wrong"]) for row in rows] == [
        ("01.png: zxing", 2, 2, 0),
        ("01.png: blind", 0, 2, 0),
        ("02.png: zxing", 1, 2, 0),
        ("02.png: blind", 0, 2, 0),
        ("all: zxing", 3, 4, 0),
        ("all: blind", 0, 4, 0),
    ]
    assert rows[0].note == "dark"
    assert lines[0] == (
        "01.png 4.00 px a module [dark] zxing 2 of 2 (+0 partly covered); blind 0 of 2 (+0 partly covered)"
    )
    assert lines[1].endswith("missed: FC00D")


def test_readers_are_told_the_photographs_own_module(tmp_path):
    heard = []

    def reader(gray, module):
        heard.append((gray.shape, module))
        return [("FC00C", 100.0, 100.0)]

    folder = folder_of(tmp_path, {"01.png": drawn([])}, [told("01.png", [("FC00B", 100, 100, 0.0)])])
    lines = []
    rows = photographs.measure_photographs(folder, {"r": reader}, lines.append)
    assert heard == [((300, 400), 4.0)]
    assert rows[-1].figures["wrong"] == 1
    assert "wrong: FC00C" in lines[0]


def test_no_truth_a_broken_one_a_missing_picture_and_one_of_another_size_are_told(tmp_path):
    with pytest.raises(BenchError, match=r"truth\.json can't be read"):
        photographs.measure_photographs(tmp_path, {"blind": blind})
    (tmp_path / "truth.json").write_text('{"photos": [{"image": "01.png"}]}')
    with pytest.raises(BenchError, match="not the truth of photographs"):
        photographs.load_photographs(tmp_path)
    folder_of(tmp_path, {}, [told("01.png", [])])
    with pytest.raises(BenchError, match="missing or broken"):
        photographs.measure_photographs(tmp_path, {"blind": blind})
    folder_of(tmp_path, {"01.png": drawn([], (320, 240))}, [told("01.png", [])])
    with pytest.raises(BenchError, match="320×240"):
        photographs.measure_photographs(tmp_path, {"blind": blind})


# -------------------------------------------------------------------------------------------- the held-out photographs

BAD_DAY = Path(__file__).parents[1] / "fixtures" / "photos" / "bad-day"


def dark_modules(payload):
    made = segno.make_qr(payload, version=1, error="h", boost_error=False)
    return np.array([[bool(cell) for cell in row] for row in made.matrix])


def contrast(gray, seen):
    """Correlate a photograph with the code that its truth tells of, module by module: 1 is a perfect likeness."""
    corners = np.array([(0, 0), (21, 0), (21, 21), (0, 21)], np.float32)
    to_picture = cv2.getPerspectiveTransform(corners, np.array(seen.corners, np.float32))
    middles = np.dstack(np.meshgrid(np.arange(21) + 0.5, np.arange(21) + 0.5)).astype(np.float32)
    x, y = np.moveaxis(cv2.perspectiveTransform(middles, to_picture), -1, 0)
    seen_modules = cv2.remap(gray, x, y, cv2.INTER_LINEAR).astype(float)
    return np.corrcoef(seen_modules.ravel(), ~dark_modules(seen.payload).ravel())[0, 1]


def test_the_bad_day_is_long_and_no_two_photographs_are_alike():
    photos = photographs.load_photographs(BAD_DAY)
    assert len(photos) >= 36
    assert len({photo.what for photo in photos}) == len(photos)
    assert sorted(path.name for path in BAD_DAY.glob("*.jpg")) == sorted(photo.image for photo in photos)
    assert all(photo.conditions and any(code.visible for code in photo.codes) for photo in photos)
    modules = [code.module for photo in photos for code in photo.codes if code.visible]
    assert len(modules) > 1000
    assert np.mean(np.less(modules, 1.75)) > 0.6, "most of it is where reading is hard"


@pytest.mark.night
def test_the_truth_of_the_bad_day_fits_its_pictures():
    for photo in photographs.load_photographs(BAD_DAY):
        gray = cv2.imread(str(BAD_DAY / photo.image), cv2.IMREAD_GRAYSCALE)
        assert (gray.shape[1], gray.shape[0]) == photo.size
        for seen in photo.codes:
            assert parse(seen.payload) is not None
            if seen.visible:
                assert contrast(gray, seen) > 0.4, f"{photo.image}: {seen.payload} is not where the truth says"
