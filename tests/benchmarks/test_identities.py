import math

import cv2
import numpy as np
import pytest

from benchmarks import identities, patches
from benchmarks.identities import LEVELS, STEP, Tally, bound
from benchmarks.patches import KINDS, Drawer, neighbours, sheet
from companion import games
from companion.bench.conditions import TUNING, book, generator
from companion.codes import parse
from companion.eye.deck_reader import Named
from companion.eye.symbol import modules

BOOK = sorted(book(games.load_deck("five-cards-collector")))


@pytest.fixture(scope="module")
def drawer():
    return Drawer(BOOK, generator(TUNING, "squares"), 60)


@pytest.mark.night
def test_only_damaged_codes_say_something_of_the_deck(drawer):
    rng = np.random.default_rng(1)
    for kind in KINDS:
        squares = sheet(drawer.of[kind], rng, across=4)
        assert len(squares.poses) == len(squares.truth) == 16
        assert (squares.truth >= 0).all() == (kind == "damaged codes")
        assert (squares.truth < 0).all() == (kind != "damaged codes")


def test_squares_lie_where_their_poses_say(monkeypatch):
    """Without the poses' own error the modules fit there, and less so a little beside."""
    for name in ("OFF_PX", "OFF_DEGREES", "OFF_SIZE"):
        monkeypatch.setattr(patches, name, 0.0)
    payload = BOOK[7]
    paper = patches._paper(modules(payload))
    line = np.arange(21) + 0.5
    v, u = np.meshgrid(line, line, indexing="ij")
    points = np.stack([u.ravel(), v.ravel(), np.ones(441)])
    wanted = np.where(modules(payload).ravel(), -1.0, 1.0)
    squares = sheet(lambda: patches.Square(paper, 21 * patches.FINE, 7), np.random.default_rng(2), across=6)

    def fit(dx, dy):
        at = (squares.poses @ points + np.array([[dx], [dy]])).astype(np.float32)
        levels = cv2.remap(squares.gray, at[:, 0], at[:, 1], cv2.INTER_LINEAR).astype(float)
        return np.mean([np.corrcoef(row, wanted)[0, 1] for row in levels])

    there = fit(0, 0)
    assert there > 0.5
    for dx, dy in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)):
        assert fit(dx, dy) < there - 0.02


def test_neighbours_are_near_but_not_of_the_book():
    made = list(neighbours(BOOK, np.random.default_rng(3), 40))
    known = np.stack([modules(payload) for payload in BOOK]).reshape(len(BOOK), -1)
    apart = [int((known != cells.ravel()).sum(axis=1).min()) for cells in made]
    assert min(apart) > 0
    strangers = [
        int((known != modules(patches.foreign_code(np.random.default_rng(n), "FC")).ravel()).sum(axis=1).min())
        for n in range(40)
    ]
    assert np.mean(apart) < np.mean(strangers)


def test_a_book_of_other_things_is_refused():
    with pytest.raises(ValueError, match="no code of a deck"):
        Drawer(["HELLO"], np.random.default_rng(1), 4)
    assert parse(BOOK[0]) is not None


@pytest.mark.night
def test_nothing_is_read_wrongly_and_damaged_codes_are_often_read():
    tallies = identities.tempt(BOOK, 1600, TUNING)
    assert list(tallies) == list(KINDS)
    for kind, tally in tallies.items():
        assert tally.readings == 400
        assert tally.wrong == 0
        assert tally.accepted == tally.right
        assert (tally.right > 100) == (kind == "damaged codes")
    found = identities.rows(tallies)
    assert [row.what for row in found] == [*KINDS, "all"]
    assert found[-1].figures["readings"] == 1600
    assert found[-1].figures["bound_ppm"] == pytest.approx(3e6 / 1600, rel=0.01)
    assert found[-1].budget is not None


def named(code, surely, margin=9.0, framed=1.0, enough=5.0):
    one = np.ones(len(code), dtype=np.float32)
    return Named(
        np.zeros((len(code), 2, 3)),
        np.array(code),
        one,
        np.array(surely, dtype=np.float32),
        one * margin,
        one * framed,
        one * enough,
    )


def test_a_tally_tells_right_from_wrong_and_how_near_the_wrong_ones_came():
    tally = Tally()
    tally.add(named([1, 2, 3, 4], [9, 9, 4.01, -2]), np.array([1, 7, -1, 4]), np.array([0, 0, 0, 0]))
    assert (tally.readings, tally.accepted, tally.right, tally.wrong) == (4, 2, 1, 1)
    assert tally.near.sum() == 2  # what is right is not near
    survival = tally.survival(tally.only)
    assert survival[np.searchsorted(LEVELS, -0.9)] == 0.25
    assert survival[np.searchsorted(LEVELS, -1.1)] == 0.5
    tally.add(named([1], [4], margin=-1.0), np.array([-1]), np.array([0]))
    assert (tally.near.sum(), tally.only.sum()) == (3, 2)  # the margin would have kept that one out


def test_a_code_that_is_remembered_but_not_there_is_a_wrong_identity():
    tally = Tally()
    tally.add(named([1, 2], [9, 9]), np.array([-1, -1]), np.array([1, 5]))
    assert (tally.wrong, tally.remembered) == (2, 1)


def test_the_fitted_tail_finds_the_probability_of_an_exponential():
    rng = np.random.default_rng(5)
    tally = Tally(readings=1_000_000)
    short = rng.exponential(0.5, 1_000_000) - 8  # reaches 0 with a probability of exp(-16)
    tally.only += np.histogram(short, bins=np.append(LEVELS, LEVELS[-1] + STEP))[0]
    fitted = tally.probability()
    assert fitted is not None
    assert math.log(fitted) == pytest.approx(-16, abs=1.2)
    assert Tally(readings=10).probability() is None


def test_three_in_n_bounds_what_never_happened():
    assert bound(0, 3_000_000) == pytest.approx(1e-6, rel=0.01)
    assert bound(1, 1000) == pytest.approx(4.744e-3, rel=0.001)  # Poisson, 95 %
    assert math.isnan(bound(0, 0))


@pytest.mark.night
def test_the_curves_are_drawn(tmp_path):
    section = identities.measure(400, tmp_path)
    assert cv2.imread(str(tmp_path / "identities.png")).std() > 5
    assert "book of 400" in section.notes[0]
