"""Where nothing was found nothing is looked for a few looks later, until something changes there."""

from dataclasses import replace

import numpy as np
import pytest

from companion.eye.faces import watching
from companion.eye.faces.examined import Around
from companion.eye.faces.searched import Failures, Here, Searched, Way, sight
from companion.eye.faces.watching import FaceWatch
from companion.eye.mat import Rect
from tests.eye.faces.test_watching import Table

WINDOW = Rect(40, 60, 32, 16)
AT = (40, 60)
HASTY = pytest.mark.parametrize(("hasty", "enough"), [(False, 1), (True, 2)])


def picture(level):
    return np.full((16, 32, 3), level, np.uint8)


def looks(failures, now, window=WINDOW, hasty=False):
    """Look until a look would be in vain, and find nothing each time; return how often."""
    for count in range(50):
        if failures.hopeless(window, sight(now, AT), np.ones(now.shape[:2], np.uint8)):
            return count
        failures.add(window, sight(now, AT), hasty=hasty)
    raise AssertionError


@HASTY
def test_after_each_change_a_window_is_looked_at_equally_often(hasty, enough):
    failures = Failures()
    assert [looks(failures, picture(level), hasty=hasty) for level in (10, 200, 10, 200, 10, 200)] == [enough] * 6


def test_after_a_hasty_look_another_one_is_enough():
    failures = Failures()
    failures.add(WINDOW, sight(picture(10), AT), hasty=True)
    assert looks(failures, picture(10)) == 1


def test_a_picture_much_like_the_one_before_is_no_change():
    failures = Failures()
    looks(failures, picture(100))
    assert looks(failures, picture(103)) == 0


def shine(gain):
    rows, columns = np.mgrid[:16, :32]
    spot = 90 * np.exp(-((rows - 8) ** 2 + (columns - 16) ** 2) / 30)
    return np.repeat((gain * (100 + spot))[..., None], 3, 2).astype(np.uint8)


def test_a_camera_that_exposes_anew_is_no_change():
    failures = Failures()
    looks(failures, shine(1.0))
    assert looks(failures, shine(1.08)) == 0
    assert looks(failures, shine(1.3)) == 1


def test_a_window_a_little_off_is_the_same_and_its_picture_is_compared_where_it_lies():
    failures = Failures()
    looks(failures, shine(1.0))
    off = Rect(WINDOW.x + 4, WINDOW.y, WINDOW.w - 4, WINDOW.h)
    mask = np.ones((16, 28), np.uint8)
    assert failures.hopeless(off, sight(shine(1.0)[:, 4:], (AT[0] + 4, AT[1])), mask)
    assert not failures.hopeless(off, sight(shine(1.0)[:, :28], (AT[0] + 4, AT[1])), mask)
    assert looks(failures, shine(1.0), Rect(WINDOW.x + 20, WINDOW.y, WINDOW.w, WINDOW.h)) == 1


def test_of_many_windows_the_latest_are_remembered():
    failures = Failures()
    windows = [Rect(20 * x, 60, 32, 16) for x in range(30)]
    assert [looks(failures, picture(10), window) for window in windows] == [1] * 30
    assert [looks(failures, picture(10), window) for window in (windows[-1], windows[0])] == [0, 1]


@pytest.mark.night
def test_each_of_two_decks_is_looked_for_equally_often(monkeypatch):
    table = Table("five-cards-collector", 2)
    table.watch()
    eye = table.eye
    watch = FaceWatch([replace(deck) for deck in table.decks * 2], eye.mat, eye.faces._book)
    watch.aim(eye.calibration)
    tried = []
    monkeypatch.setattr(watching, "find_cards", lambda book, *_, **__: tried.append(book) or [])
    there, nowhere = (np.full(eye._flat.shape, value, np.bool_) for value in (True, False))
    around = Around(eye._memory.expected.picture, there, nowhere, nowhere, [])
    for change in range(2):
        table.table.put(table.decks[0].faces[change].pieces[0], "F", 300, 250)
        table.watch()
        for _ in range(20):
            watch.read(eye.frame, [(slice(104, 144), slice(136, 164))], around, [], lambda piece, pose: 0.0)
        assert [tried.count(faces) for faces in watch._faces] == [change + 1] * len(watch._faces)


def part(picture, box=(20, 30, 20, 24)):
    """Return a mask of a part (x, y, width, height) of a picture that no card explains."""
    x, y, wide, high = box
    mask = np.zeros(picture.shape[:2], np.uint8)
    mask[y : y + high, x : x + wide] = 1
    return mask


def searches(searched, picture, left, corner=AT):
    """Search a part until it need not be searched again, in vain each time; return how often."""
    for count in range(50):
        here = Here(searched, sight(picture, corner))
        if not here.open(Way.KEYPOINTS, left).any():
            return count
        here.add(Way.KEYPOINTS, left)
    raise AssertionError


@pytest.fixture
def mottled():
    return np.random.default_rng(4).integers(60, 200, (90, 80, 3), np.uint8)


def test_a_part_that_no_card_explains_is_searched_equally_often_after_each_change(mottled):
    """But if it looks again as it did once."""
    searched = Searched()
    pictures = [mottled, 255 - mottled, mottled // 2, mottled]
    assert [searches(searched, picture, part(picture)) for picture in pictures] == [1, 1, 1, 0]


def test_what_was_searched_is_told_by_its_picture_wherever_the_window_begins(mottled):
    searched = Searched()
    searches(searched, mottled, part(mottled))
    off = mottled[5:, 10:]
    assert searches(searched, off, part(off, (10, 25, 20, 24)), (AT[0] + 10, AT[1] + 5)) == 0
    assert searches(searched, off, part(off, (10, 25, 20, 24)), AT) == 1


def test_a_part_of_another_outline_or_beside_it_is_searched(mottled):
    searched = Searched()
    searches(searched, mottled, part(mottled))
    assert searches(searched, mottled, part(mottled, (20, 30, 21, 25))) == 0
    assert searches(searched, mottled, part(mottled, (20, 30, 20, 48))) == 1
    both = part(mottled) | part(mottled, (55, 5, 12, 12))
    assert (Here(searched, sight(mottled, AT)).open(Way.KEYPOINTS, both) == part(mottled, (55, 5, 12, 12))).all()


def test_a_part_that_was_searched_in_two_pieces_was_searched(mottled):
    """The window that is looked at changes, as its tiles do."""
    searched = Searched()
    for piece in (part(mottled, (20, 30, 20, 14)), part(mottled, (20, 40, 20, 14))):
        assert searches(searched, mottled, piece) == 1
    assert searches(searched, mottled, part(mottled)) == 0


def test_a_searched_part_is_searched_anew_once_all_is_forgotten(mottled):
    searched = Searched()
    searches(searched, mottled, part(mottled))
    searched.clear()
    assert searches(searched, mottled, part(mottled)) == 1


def test_a_part_that_was_searched_in_one_way_is_searched_in_the_other(mottled):
    searched = Searched()
    searches(searched, mottled, part(mottled))
    assert Here(searched, sight(mottled, AT)).open(Way.OUTLINES, part(mottled)).any()


def test_of_a_sight_no_more_is_kept_than_what_lies_round_a_card(mottled):
    now = sight(mottled, AT)
    kept = now.around(np.array([(50.5, 65.5), (80, 65.5), (80, 90), (50.5, 90)]))
    assert kept.corner == (50, 65)
    assert (kept.picture == now.picture[5:30, 10:40]).all()
    assert kept.picture.base is None
