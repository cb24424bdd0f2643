"""A row of cards without codes that is pushed along is known again, strips that are too narrow to be read and all."""

import pytest

from companion import games
from companion.eye.faces.pushed import Pushed
from companion.eye.mat import Shape
from companion.eye.places import Pose
from companion.sim.table import SimTable
from companion.table.factory import make_eye, simulated_camera
from tests.printed import printed

ROW = {"a": Pose(500, 70, 180), "b": Pose(470, 71, 180), "c": Pose(440, 69, 181), "d": Pose(410, 70, 179)}


def expected(now, was=ROW, time=1.0):
    """Return where the cards of a row may be, from the bottom up, some of which are seen `now`, all of which lay once:
    how far along, by piece.
    """
    pushed = Pushed(dict.fromkeys(ROW, Shape("card", 62, 88, ())))
    pushed.see(list(was.items()), 0.0)
    pushed.see(list(now.items()), 0.5)
    pushed.see(list(now.items()), time)
    found = {}
    for piece, pose in pushed.row.lay:
        found.setdefault(piece, []).append(round(pose.x))
    return found


def test_a_card_is_expected_as_far_along_as_its_neighbours_were_pushed():
    assert expected({"b": Pose(500, 70, 180), "d": Pose(440, 70, 179)}) == {
        "a": [530, 530],
        "b": [500],
        "c": [470, 470],
        "d": [440],
    }


def test_where_a_row_was_pushed_together_it_is_expected_in_line_with_two_neighbours_as_well():
    assert expected({"b": Pose(536, 70, 180), "c": Pose(516, 70, 180)})["a"] == [566, 556]


@pytest.mark.parametrize(
    "now",
    [
        ROW,
        {"b": Pose(470, 71, 180), "c": Pose(440, 69, 181)},
        {"b": Pose(300, 350, 0)},
        {"b": Pose(500, 130, 180)},
    ],
)
def test_of_a_row_that_was_not_pushed_along_no_card_is_expected_elsewhere(now):
    assert "a" not in expected(now)


def test_cards_of_another_row_tell_nothing():
    other = {"b": Pose(470, 160, 180), "c": Pose(440, 70, 90)}
    assert "a" not in expected({"b": Pose(500, 160, 180), "c": Pose(470, 70, 90)}, ROW | other)


def test_a_row_that_was_pushed_twice_is_expected_where_it_was_pushed_last():
    pushed = Pushed(dict.fromkeys(ROW, Shape("card", 62, 88, ())))
    for time, along, seen in ((0.0, 0, "abcd"), (5.0, 30, "abcd"), (10.0, 30, "acd"), (11.0, 70, "cd")):
        row = {piece: Pose(pose.x + along, pose.y, pose.rotation) for piece, pose in ROW.items()}
        pushed.see([(piece, row[piece]) for piece in seen], time)
    assert {piece: round(pose.x) for piece, pose in pushed.row.lay} == {"a": 570, "b": 540, "c": 510, "d": 480}


def test_a_row_that_was_pushed_long_ago_tells_nothing():
    assert "a" in expected({"b": Pose(500, 70, 180)}, time=15.0)
    assert expected({"b": Pose(500, 70, 180)}, time=60.0) == {}


class Row:
    """A row of Karmic Collections' cards before a camera."""

    def __init__(self, pieces, step):
        game, mat = games.load("karmic-collections"), games.load_mat("karmic-collections", 2)
        self.table = SimTable(1)
        self.camera = simulated_camera(game, mat, self.table, codes=False, seed=3)
        self.eye = make_eye(game, mat, printed("karmic-collections"))
        for n, piece in enumerate(pieces):
            self.table.put(piece, "F", 525 - step * n, 70, 180)
            self.watch(0.5)

    def push(self, x, step, off=0.0):
        """Push the row along, each card so far from the one before, by turns to the right and left `off` its mark."""
        for n, one in enumerate(self.table.pieces()):
            self.table.nudge(one.piece, x - step * n - one.x + (off if n % 2 else -off), off)

    def watch(self, seconds):
        """Return where cards are seen after some time, how far along and by piece."""
        for _ in range(round(seconds * self.camera.fps)):
            self.eye.see(self.camera.shoot())
        return {one.piece: one.x for one in self.eye.view.placements}

    @property
    def lies(self):
        """Where cards lie."""
        return {one.piece: one.x for one in self.table.pieces()}


@pytest.fixture(scope="module")
def row():
    return Row(["303", "209", "30C", "201", "302", "308"], 30)


@pytest.mark.night
def test_strips_of_20_mm_of_a_row_that_was_pushed_together_are_known_again(row):
    assert row.watch(0.5) == pytest.approx(row.lies, abs=2)
    row.push(556, 20)
    assert row.watch(3.0) == pytest.approx(row.lies, abs=2)
    assert row.eye.view.covered == frozenset()


@pytest.mark.night
def test_cards_of_pale_print_are_known_again_where_their_row_was_pushed_twice():
    row = Row(["30C", "203", "304", "205", "10D"], 30)
    row.push(495, 30)
    assert row.watch(2.0) == pytest.approx(row.lies, abs=2)
    row.push(540, 26)
    assert row.watch(3.0) == pytest.approx(row.lies, abs=2)


@pytest.mark.night
def test_another_card_in_such_a_row_is_not_taken_for_the_one_that_lay_there(row):
    row.push(525, 30)
    assert row.watch(3.0) == pytest.approx(row.lies, abs=2)
    there = row.table.lift("209")
    row.table.put("20B", "F", there.x, there.y, there.rotation, under="30C")
    row.push(556, 20)
    seen = row.watch(3.0)
    assert "209" not in seen
    assert set(seen) <= set(row.lies)
    assert {"30C", "308"} <= set(seen)


@pytest.mark.night
def test_strips_that_take_the_places_of_others_much_like_them_are_not_taken_for_those():
    row = Row(["203", "103", "403", "303", "205", "105"], 20)
    assert row.watch(0.5) == pytest.approx(row.lies, abs=2)
    row.table.lift("203")
    row.push(525, 20, off=1.5)
    seen = row.watch(3.0)
    assert {"103", "403", "205", "105"} <= set(seen)
    assert seen == pytest.approx({piece: row.lies[piece] for piece in seen}, abs=2)
