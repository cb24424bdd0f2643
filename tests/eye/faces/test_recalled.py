"""An eye that begins anew looks for cards where they lay."""

import pytest

from companion import games
from companion.eye.faces.recalled import Recalled
from companion.eye.flat import MM
from companion.eye.mat import Shape
from companion.eye.places import Found, Pose
from companion.eye.view import Placement
from companion.sim.table import SimTable
from companion.table.factory import make_eye, simulated_camera
from tests.printed import printed

STEP = 18
SHAPE = Shape("card", 44, 68, ())
FLAT = (200, 300)


class Row:
    """Collectors' cards in a row so close that an eye does not know them when it sees them for the first time."""

    def __init__(self):
        game, mat = games.load("collectors"), games.load_mat("collectors", 2)
        decks = printed("collectors")
        self.table = SimTable(1)
        self.camera = simulated_camera(game, mat, self.table, codes=False, seed=3)
        self.make_eye = lambda: make_eye(game, mat, decks)
        self.row = [card.piece for card in game.deck.cards if card.kind == "collectable"][5:40:6]

    def lay(self):
        """Return what lies there as an eye said before it was closed."""
        pieces = enumerate(self.table.pieces())
        return [Placement(one.piece, frozenset("F"), "skills.1", None, one.x, one.y, 0.0, n) for n, one in pieces]

    def opened(self, lay=()):
        """Return what a new eye sees, by piece."""
        eye = self.make_eye()
        eye.recall(lay)
        for _ in range(14):
            eye.see(self.camera.shoot())
        return {one.piece: one for one in eye.view.placements}


@pytest.fixture(scope="module")
def table():
    return Row()


@pytest.mark.night
def test_what_is_too_little_to_name_a_card_by_is_enough_where_it_lay(table):
    for n, piece in enumerate(table.row):
        table.table.put(piece, "F", 60 + STEP * n, 372)
    lay = table.lay()
    assert set(table.opened()) < set(table.row)
    seen = table.opened(lay)
    assert sorted(seen, key=lambda piece: seen[piece].order) == table.row


@pytest.mark.night
def test_another_card_that_lies_there_now_is_not_taken_for_the_one_that_lay_there(table):
    lay = table.lay()
    gone, instead = table.row[2], "00S"
    there = table.table.lift(gone)
    table.table.put(instead, "F", there.x, there.y, under=table.row[3])
    seen = table.opened(lay)
    assert gone not in seen
    assert set(seen) - {instead} == set(table.row) - {gone}


def test_what_is_found_or_lies_elsewhere_is_no_longer_looked_for():
    low, high = ("a", Pose(100, 100, 0)), ("b", Pose(120, 100, 0))
    recalled = Recalled({"a": SHAPE, "b": SHAPE}, [low, high])
    assert set(recalled.missed([], FLAT)) == {low, high}
    assert recalled.missed([low, high], FLAT) == {}
    assert set(recalled.missed([("a", Pose(200, 100, 0)), high], FLAT)) == set()
    assert recalled.lay == [high]


def test_a_card_shows_where_none_lies_that_lay_above_it():
    low, high = ("a", Pose(100, 100, 0)), ("b", Pose(120, 100, 0))
    recalled = Recalled({"a": SHAPE, "b": SHAPE}, [low, high])
    under = recalled.missed([high], FLAT)[low]
    over = recalled.missed([low], FLAT)[high]
    assert under.sum() * MM * MM == pytest.approx(20 * 68, rel=0.1)
    assert over.sum() * MM * MM == pytest.approx(44 * 68, rel=0.1)


def test_a_card_is_looked_for_a_few_times_and_not_once_it_is_found():
    entry = ("a", Pose(100, 100, 0))
    recalled = Recalled({"a": SHAPE}, [entry])
    found = [Found("a", Pose(101, 100, 0), {}, 0.0, Pose(101, 100, 0))]
    assert list(recalled.windows([entry], FLAT, found)) == []
    looks = 0
    while missed := recalled.missed([], FLAT):
        looks += len(list(recalled.windows(missed, FLAT, [])))
    assert 2 <= looks <= 20
    assert recalled.lay == []


@pytest.mark.parametrize(("x", "y", "windows"), [(100, 100, 1), (-10, 100, 1), (-200, 100, 0), (100, 900, 0)])
def test_beside_the_mat_nothing_is_looked_for(x, y, windows):
    entry = ("a", Pose(x, y, 0))
    looks = list(Recalled({"a": SHAPE}, [entry]).windows([entry], FLAT, []))
    assert len(looks) == windows
    assert all(part.start < part.stop for look in looks for part in look)
