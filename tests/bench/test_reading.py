import numpy as np
import pytest

from companion import games
from companion.bench import reading
from companion.bench.pictures import Size, Truth, payloads, table
from companion.codes import parse
from companion.eye.reader import read_zxing

CODES = payloads(games.load_deck("five-cards-collector"))
EASY = Size(640, 360, 6, 4.0)


def test_payloads_are_codes_of_every_card_and_the_back() -> None:
    codes = [parse(payload) for payload in CODES]
    assert None not in codes
    assert len(set(CODES)) == len(CODES) == len(games.load_deck("five-cards-collector").cards) + 1


def test_codes_lie_where_the_truth_says() -> None:
    gray, truth = table(EASY, CODES, np.random.default_rng(3))
    assert gray.shape == (360, 640)
    found = {one.payload: np.mean(one.corners, axis=0) for one in read_zxing(gray)}
    assert set(found) == {one.payload for one in truth}
    for one in truth:
        assert np.hypot(*(found[one.payload] - (one.x, one.y))) < 1.5


def test_the_same_seed_gives_the_same_picture() -> None:
    one, other = (table(EASY, CODES, np.random.default_rng(7))[0] for _ in range(2))
    assert np.array_equal(one, other)


def test_payloads_repeat_if_there_are_more_codes_than_cards() -> None:
    _, truth = table(Size(1600, 900, 12, 2.0), CODES[:5], np.random.default_rng(1))
    assert len(truth) == 12
    assert {one.payload for one in truth} == set(CODES[:5])


def test_codes_that_have_no_room_are_refused() -> None:
    with pytest.raises(ValueError, match="have no room"):
        table(Size(320, 180, 40, 4.0), CODES, np.random.default_rng(1))


def test_a_reading_counts_once_and_only_where_its_code_lies() -> None:
    truth = [Truth("A", 100, 100), Truth("A", 300, 100), Truth("B", 100, 300)]
    size = Size(400, 400, 3, 2.0)
    found = [("A", 101.0, 99.0), ("A", 102.0, 100.0), ("B", 300.0, 100.0), ("C", 100.0, 300.0)]
    assert reading.judged(found, truth, size) == (1, 2)


def test_every_reader_has_a_row_a_size_and_the_budget_is_on_ours_at_12_mp(monkeypatch: pytest.MonkeyPatch) -> None:
    section = reading.measure(sizes=[EASY, Size(4000, 300, 4, 4.0)], pictures=1, repeats=1)
    readers = ["companion", "zxing-cpp", "zxing-cpp on 2×", "pyzbar", "OpenCV"]
    assert [row.what.rpartition(": ")[2] for row in section.rows] == readers * 2
    for row in section.rows:
        assert set(row.figures) == {"recall", "wrong", "median_ms", "cpu_ms", "to_zxing", "runs"}
        assert row.figures["wrong"] == 0
        assert row.figures["runs"] == 1
    assert [row.what for row in section.rows if row.budget] == ["4000×300, 4 codes, 4 px a module: companion"]
    assert section.rows[0].figures["recall"] == 1.0
    assert section.rows[1].figures["to_zxing"] == 1.0


def test_without_the_peers_ours_is_measured_alone_and_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "optional", lambda name: None)
    section = reading.measure(sizes=[EASY], pictures=1, repeats=1)
    assert [row.what.rpartition(": ")[2] for row in section.rows] == ["companion", "OpenCV"]
    assert section.rows[0].figures["to_zxing"] is None
    assert "zxing-cpp is not installed" in " ".join(section.notes)
    assert "pyzbar is not installed" in " ".join(section.notes)
