import numpy as np
import pytest

from benchmarks import reading
from benchmarks.reading import Score
from companion import games
from companion.bench import readers
from companion.bench.figures import Times
from companion.bench.pictures import Size, Truth, payloads, table
from companion.bench.readers import LIBRARIES, OPENCV, OURS, QUICK, ZBAR, ZXING
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
    found = {code.payload: np.mean(code.corners, axis=0) for code in read_zxing(gray)}
    assert set(found) == {code.payload for code in truth}
    for code in truth:
        assert np.hypot(*(found[code.payload] - (code.x, code.y))) < 1.5


def test_the_same_seed_gives_the_same_picture() -> None:
    first, other = (table(EASY, CODES, np.random.default_rng(7))[0] for _ in range(2))
    assert np.array_equal(first, other)


def test_payloads_repeat_if_there_are_more_codes_than_cards() -> None:
    _, truth = table(Size(1600, 900, 12, 2.0), CODES[:5], np.random.default_rng(1))
    assert len(truth) == 12
    assert {code.payload for code in truth} == set(CODES[:5])


def test_codes_that_have_no_room_are_refused() -> None:
    with pytest.raises(ValueError, match="have no room"):
        table(Size(320, 180, 40, 4.0), CODES, np.random.default_rng(1))


def test_codes_are_judged_where_they_lie() -> None:
    [code] = reading.seen([Truth("A", 100, 60)], Size(400, 400, 3, 2.0))
    assert np.allclose(code.corners.mean(axis=0), (100, 60))
    assert np.linalg.norm(code.corners[1] - code.corners[0]) == 42


@pytest.mark.night
def test_every_reader_has_a_row_a_size_and_the_budget_is_on_the_sweep() -> None:
    section = reading.measure(sizes=[EASY], pictures=1, repeats=1)
    assert [row.what for row in section.rows] == list(reading.SHOWN)
    by = {row.what: row for row in section.rows}
    for row in section.rows:
        assert set(row.figures) == {"recall", "wrong", "median_ms", "cpu_ms", "to_zxing", "to_pyzbar", "runs"}
        assert row.figures["wrong"] == 0
        assert row.figures["runs"] == 1
        assert row.table == str(EASY)
    assert [row.what for row in section.rows if row.budget] == [QUICK]
    assert by[QUICK].figures["recall"] == 1.0
    assert by[ZXING].figures["to_zxing"] == 1.0
    assert by[ZBAR].figures["to_pyzbar"] == 1.0


def score(codes: int, read: int, ms: float) -> Score:
    times = Times()
    times.wall.append(ms)
    return Score(times, codes, read)


@pytest.mark.parametrize(
    ("ours", "zxing", "zbar", "met", "words"),
    [
        ((90, 11.9), (90, 10.0), (0, 99.0), True, reading.COLD),
        ((90, 12.1), (90, 10.0), (0, 99.0), False, reading.COLD),
        ((90, 98.0), (89, 10.0), (0, 99.0), True, reading.SWEEP),
        ((90, 99.5), (89, 10.0), (0, 99.0), False, reading.SWEEP),
        ((89, 1.0), (90, 10.0), (0, 99.0), False, reading.COLD),
    ],
)
def test_a_sweep_is_held_against_zxing_where_that_reads_all_else_against_pyzbar(
    ours: tuple[int, float], zxing: tuple[int, float], zbar: tuple[int, float], met: bool, words: str
) -> None:
    scores = {name: score(90, *result) for name, result in ((QUICK, ours), (ZXING, zxing), (ZBAR, zbar))}
    budget = reading._budget(scores)
    assert budget is not None
    assert (budget.met, budget.words) == (met, words)


@pytest.mark.night
def test_without_the_peers_ours_is_measured_alone_and_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "optional", lambda name: None)
    section = reading.measure(sizes=[EASY], pictures=1, repeats=1)
    assert [row.what for row in section.rows] == [QUICK, OURS, LIBRARIES, OPENCV]
    assert section.rows[0].figures["to_zxing"] is None
    assert section.rows[0].budget is None
    assert "zxing-cpp is not installed" in " ".join(section.notes)
    assert "pyzbar is not installed" in " ".join(section.notes)
