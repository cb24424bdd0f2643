"""Single details of a card say which it is and where it lies, whatever of it shows."""

import cv2
import numpy as np
import pytest

from companion.eye.faces.keypoints import _ALIKE, _NEIGHBOURS, _SCALE, keypoints_in
from companion.eye.faces.likeness import FaceBook, corners_of
from tests.printed import printed

PX_PER_MM, SIZE = 2.0, (180.0, 160.0)
TABLE = (0.0, 0.0, *SIZE)


@pytest.fixture(scope="module")
def book():
    return FaceBook(printed("collectible")[0])


def guessed(book, *cards, seen=TABLE):
    """Return the guesses for a table with cards (face and pose), one over the other, of which a part (mm) is seen."""
    wide, high = (round(side * PX_PER_MM) for side in SIZE)
    table = np.full((high, wide, 3), 60, np.uint8)
    for face, pose in cards:
        view = book.deck.faces[face].views[0]
        own = (np.array([[0, 0], [view.shape[1], 0], [0, view.shape[0]]]) - 0.5).astype(np.float32)
        onto = (corners_of(pose, book.deck.w, book.deck.h)[[0, 1, 3]] * PX_PER_MM - 0.5).astype(np.float32)
        there = cv2.getAffineTransform(own, onto)
        laid = cv2.warpAffine(view, there, (wide, high), flags=cv2.INTER_AREA)
        table = np.where(cv2.warpAffine(np.ones_like(view), there, (wide, high)) > 0, laid, table)
    known = keypoints_in(book.prepared(table, PX_PER_MM), book.px_per_mm)
    x, y = known.places.T
    left, top, right, bottom = seen
    return book.keypoints.guesses(known.only((x >= left) & (x < right) & (y >= top) & (y < bottom)), 20)


def near(guess, pose):
    x, y, turn = guess.pose
    return np.hypot(x - pose[0], y - pose[1]) < 2 and abs((turn - pose[2] + 180) % 360 - 180) < 3


@pytest.mark.parametrize("turn", [0.0, 37.0, 184.0, 271.0])
def test_a_card_is_the_likeliest_guess_where_it_lies(book, turn):
    best = guessed(book, (5, (90.0, 80.0, turn)))[0]
    assert book.owner[best.view] == 5
    assert near(best, (90.0, 80.0, turn))


def test_a_strip_of_25_mm_says_where_the_whole_card_lies(book):
    best = guessed(book, (5, (90.0, 80.0, 10.0)), seen=(90.0 - 31.5, 0.0, 90.0 - 6.5, 160.0))[0]
    assert book.owner[best.view] == 5
    assert near(best, (90.0, 80.0, 10.0))


def test_of_two_cards_one_over_the_other_both_are_guessed(book):
    lower, upper = (5, (80.0, 80.0, 0.0)), (9, (110.0, 82.0, 3.0))
    guesses = guessed(book, lower, upper)
    for face, pose in (lower, upper):
        assert any(book.owner[guess.view] == face and near(guess, pose) for guess in guesses)


def test_nothing_is_guessed_where_nothing_lies(book):
    assert guessed(book) == []
    assert guessed(book, (5, (90.0, 80.0, 0.0)), seen=(0.0, 0.0, 40.0, 160.0)) == []


def test_the_likeliest_come_first(book):
    votes = [guess.votes for guess in guessed(book, (5, (90.0, 80.0, 0.0)))]
    assert votes == sorted(votes, reverse=True)


def test_of_each_keypoint_the_likest_of_about_its_size_are_matched(book):
    known, chance = book.keypoints._known, np.random.default_rng(2)
    seen = known.only(chance.permutation(len(known.sizes))[:300])
    seen = seen._replace(sizes=seen.sizes * chance.uniform(0.7, 1.4, 300).astype(np.float32))
    alike = seen.descriptors @ known.descriptors.T
    ratio = seen.sizes[:, None] / known.sizes
    alike[(alike < _ALIKE) | (ratio >= _SCALE) | (ratio <= 1 / _SCALE)] = 0
    least = np.sort(alike, axis=1)[:, -_NEIGHBOURS]
    assert (least > 0).any()
    assert (least == 0).any()
    ours, theirs, _ = book.keypoints._matched(seen)
    found = np.zeros(alike.shape, np.bool_)
    found[ours, theirs] = True
    # Of two that are as like rounding decides.
    assert found[(alike > 0) & (alike > least[:, None] + 1e-5)].all()
    assert (alike[found] > 0).all()
    assert (alike >= least[:, None] - 1e-5)[found].all()


def test_keypoints_of_a_part_are_those_of_the_whole_there(book):
    picture = np.tile(book.deck.faces[5].views[0], (2, 3, 1))
    where = np.zeros((picture.shape[0] // 4, picture.shape[1] // 4), np.uint8)
    where[20:60, 30:80] = 1
    whole, some = keypoints_in(picture, 4.0), keypoints_in(picture, 4.0, where=where)
    x, y = whole.places.T
    inside = whole.only((x > 31) & (x < 79) & (y > 21) & (y < 59))
    apart = np.hypot(*(inside.places[:, None] - some.places).transpose(2, 0, 1)).min(axis=1)
    assert len(inside.sizes) > 20
    assert (apart < 0.05).mean() > 0.95
