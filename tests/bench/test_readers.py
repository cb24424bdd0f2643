import numpy as np
import pytest

from companion import games
from companion.bench import readers
from companion.bench.conditions import TUNING, book, condition, shoot
from companion.bench.readers import OURS, PLACED, QUICK, Known, judged, peers, remembered
from companion.bench.scenes import Seen

BOOK = book(games.load_deck("five-cards-collector"))


def square(x, y, side=42.0):
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], dtype=float)


def test_a_reading_counts_once_and_only_where_its_code_lies():
    a, b, c = BOOK[:3]
    codes = [Seen(a, square(80, 80)), Seen(a, square(280, 80)), Seen(b, square(80, 280))]
    found = [(a, 101.0, 99.0), (a, 102.0, 100.0), (b, 300.0, 100.0), (c, 100.0, 300.0)]
    assert judged(found, codes) == (1, 2)


def test_a_text_that_is_no_cards_is_nobodys_identity():
    assert judged([("409519", 100.0, 100.0), (BOOK[0][:-1] + "?", 50.0, 50.0)], []) == (0, 0)


def test_what_lies_there_but_is_not_asked_for_counts_nothing():
    codes, others = [Seen(BOOK[0], square(80, 80))], [Seen(BOOK[1], square(280, 80))]
    assert judged([(BOOK[1], 300.0, 100.0)], codes, others) == (0, 0)
    assert judged([(BOOK[1], 100.0, 100.0)], codes, others) == (0, 1)


def test_a_place_that_is_remembered_is_off_by_a_pixel_and_a_half_and_a_degree_at_most():
    codes = [Seen("A", square(100, 100)) for _ in range(200)]
    places = remembered(codes, np.random.default_rng(1))
    shifts = np.array([np.mean(code.corners, axis=0) for code in places]) - (121, 121)
    assert 1.0 < np.linalg.norm(shifts, axis=1).max() <= 1.5
    turns = [np.degrees(np.arctan2(*np.subtract(code.corners[1], code.corners[0])[::-1])) for code in places]
    assert 0.7 < np.abs(turns).max() <= 1.0
    assert {code.payload for code in places} == {"A"}


@pytest.mark.night
def test_all_readers_read_a_good_picture_at_their_sizes():
    shot = shoot(condition("easy"), 4.0, TUNING, codes=8)
    known = Known(4.0, shot.plane, tuple(remembered(shot.codes, np.random.default_rng(1))))
    for name, read in peers(BOOK).readers.items():
        right, wrong = judged(read(shot.gray, known), shot.codes, shot.foreign)
        assert not wrong, name
        if name not in (readers.OPENCV, readers.OPENCV_ARUCO, readers.ZBAR):  # these give up on some codes
            assert right >= 7, name


@pytest.mark.night
def test_ours_reads_where_no_library_does():
    shot = shoot(condition("easy"), 1.5, TUNING, codes=8)
    known = Known(1.5, shot.plane, tuple(remembered(shot.codes, np.random.default_rng(1))))
    right = {
        name: judged(read(shot.gray, known), shot.codes, shot.foreign)[0] for name, read in peers(BOOK).readers.items()
    }
    assert min(right.pop(name) for name in (OURS, QUICK, PLACED)) == 8
    assert max(right.values()) == 0


def test_a_peer_that_is_missing_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setattr(readers, "optional", lambda name: None)
    monkeypatch.setattr(readers, "wechat_reader", lambda: None)
    found = peers(BOOK)
    assert list(found.missing) == [readers.ZXING, readers.ZBAR, readers.WECHAT]
    assert "opencv-contrib-python-headless" in found.missing[readers.WECHAT]
    assert not set(found.missing) & set(found.readers)


class Once:
    """Stands for WeChat's reader, which reads one code a picture and may fail over its text."""

    def __init__(self):
        self.shapes = []

    def detectAndDecode(self, gray):  # noqa: N802
        self.shapes.append(gray.shape)
        if len(self.shapes) == 2:
            raise UnicodeDecodeError("utf-8", b"\x83", 0, 1, "invalid start byte")
        return ("A",), (np.array([[2.0, 2], [12, 2], [12, 12], [2, 12]]),)


def test_wechat_is_given_one_picture_a_code_and_its_answers_are_put_back():
    places = remembered([Seen("A", square(100, 100)), Seen("B", square(10, 10))], np.random.default_rng(1))
    reader = Once()
    found = readers.read_cut_out(reader, np.zeros((300, 300), np.uint8), Known(2.0, 2.0, tuple(places)))
    assert [name for name, *_ in found] == ["A"]
    assert found[0][1:] == pytest.approx((95, 95), abs=4)
    assert all(max(shape) < 42 + 2 * 12 + 6 for shape in reader.shapes)
