import math
import threading

import pytest

from companion.sim.table import EXACT, Manner, SimTable, Spot, TableError, elbow, spot_in

from .laying import the_mat

NEAR = (200.0, 836.0)


def finish(table: SimTable, step: float = 0.05, limit: int = 1000) -> int:
    for n in range(limit):
        if not table.busy:
            return n
        table.advance(step)
    raise AssertionError("the hand never came back")


def test_a_piece_laid_later_lies_on_top() -> None:
    table = SimTable()
    table.put("01A", "F", 100, 100)
    table.put("01B", "F", 100, 100)
    table.put("01C", "F", 100, 100, under="01A")
    assert [laid.piece for laid in table.pieces()] == ["01C", "01A", "01B"]
    table.move("01A", 120, 100)
    assert [laid.piece for laid in table.pieces()] == ["01C", "01B", "01A"]
    assert table.pieces()[2].stamp > table.pieces()[1].stamp


def test_a_card_is_slid_under_another_by_hand() -> None:
    table = SimTable()
    table.put("01A", "F", 100, 100)
    table.put("01B", "F", 140, 100)
    table.carry("01C", Spot(120, 100, under="01B"), (100, 600))
    finish(table)
    assert [laid.piece for laid in table.pieces()] == ["01A", "01C", "01B"]


def test_a_piece_is_in_one_place_only() -> None:
    table = SimTable()
    table.put("01A", "F", 100, 100)
    with pytest.raises(TableError, match="on the table already"):
        table.put("01A", "F", 200, 100)
    table.lift("01A")
    with pytest.raises(TableError, match="does not lie"):
        table.lift("01A")
    table.put("01A", "B", 200, 100)
    assert table.where("01A").face == "B"  # type: ignore[union-attr]


def test_a_nudged_piece_keeps_what_lies_on_it() -> None:
    table = SimTable()
    for piece in ("01A", "01B", "01C"):
        table.put(piece, "F", 100, 100)
    table.nudge("01B", 5, -3, 10)
    assert [laid.piece for laid in table.pieces()] == ["01A", "01B", "01C"]
    assert (table.pieces()[1].x, table.pieces()[1].y, table.pieces()[1].rotation) == (105, 97, 10)


def test_a_carried_piece_leaves_the_table_travels_and_lands_on_the_mark() -> None:
    table = SimTable()
    table.put("01A", "F", 300, 250)
    table.carry("01A", Spot(500, 300, 20), NEAR, manner=EXACT)
    seen = set()
    xs = []
    while table.busy:
        table.advance(0.05)
        sight = table.look()
        where = "table" if sight.laid else "hand"
        seen.add(where)
        assert len(sight.laid) + len(sight.held) == 1, "a piece is always in exactly one place"
        if sight.held:
            xs.append(sight.held[0].laid.x)
            assert len(sight.hands) == 1
    assert seen == {"table", "hand"}
    assert xs == sorted(xs)
    landed = table.where("01A")
    assert landed is not None
    assert (landed.x, landed.y, landed.rotation) == (500, 300, 20)
    assert table.look().hands == ()


def test_people_lay_pieces_near_the_mark_and_the_seed_says_how_near() -> None:
    def land(seed: int) -> tuple[float, float, float]:
        table = SimTable(seed)
        table.carry("01A", Spot(500, 300, 180), NEAR, manner=Manner(off_mm=4, off_degrees=5))
        finish(table)
        laid = table.where("01A")
        assert laid is not None
        return laid.x, laid.y, laid.rotation

    assert land(3) == land(3)
    assert land(3) != land(4)
    landings = [land(seed) for seed in range(20)]
    assert all(abs(x - 500) <= 4 and abs(y - 300) <= 4 and abs(turn - 180) <= 5 for x, y, turn in landings)
    assert max(abs(x - 500) for x, _, _ in landings) > 1


def test_a_piece_goes_away_with_the_hand_and_comes_back_turned_over() -> None:
    table = SimTable()
    table.put("01A", "B", 300, 250)
    table.carry("01A", None, NEAR)
    finish(table)
    assert table.pieces() == ()
    assert table.look().held == ()
    table.carry("01A", Spot(100, 100), NEAR, face="F")
    finish(table)
    assert table.pieces()[0].face == "F"


def test_errands_of_one_hand_follow_each_other_and_two_hands_work_at_once() -> None:
    table = SimTable()
    table.carry("01A", Spot(100, 100), NEAR, who=1)
    table.carry("01B", Spot(100, 100), NEAR, who=1)
    table.carry("01C", Spot(500, 100), (500, -330), who=2)
    most = 0
    while table.busy:
        table.advance(0.05)
        most = max(most, len(table.look().hands))
    assert most == 2
    order = [laid.piece for laid in table.pieces()]
    assert order.index("01A") < order.index("01B")


def test_reaching_into_a_place_moves_nothing() -> None:
    table = SimTable()
    before = table.put("01A", "F", 300, 250)
    table.reach(300, 250, NEAR)
    nearest = math.inf
    while table.busy:
        table.advance(0.05)
        for hand in table.look().hands:
            nearest = min(nearest, math.hypot(hand.x - 300, hand.y - 250))
    assert nearest < 1
    assert table.pieces() == (before,)


def test_a_hand_that_finds_nothing_is_told_and_the_next_errand_goes_on() -> None:
    table = SimTable()
    table.carry("01A", None, NEAR)
    table.carry("01B", Spot(100, 100), NEAR)
    with pytest.raises(TableError, match="01A"):
        table.advance(0.05)
    finish(table)
    assert [laid.piece for laid in table.pieces()] == ["01B"]


def test_waiting_for_a_hand_from_another_thread() -> None:
    table = SimTable()
    table.carry("01A", Spot(100, 100), NEAR)
    clock = threading.Thread(target=finish, args=(table,))
    clock.start()
    assert table.wait(20)
    clock.join()
    assert table.where("01A") is not None


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
def test_every_seat_reaches_over_its_own_edge(seats: int) -> None:
    mat = the_mat(seats)
    for seat in range(1, seats + 1):
        x, y = elbow(mat, seat)
        goal = spot_in(mat.zone(f"goal.{seat}"), 0)
        assert y > mat.h if goal.rotation == 0 else y < 0
        assert abs(x - goal.x) < 250
