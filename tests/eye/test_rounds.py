"""Whose turn it is to be read again: a little a frame, unless much has settled."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eye.motion import Motion
from companion.eye.rounds import Rounds
from companion.eye.scene import Flat, Mask, flat_window
from tests.eye.tables import test_mat

NOW = 100.0


class Table:
    """A table on which everything came to rest at `NOW`."""

    def __init__(self) -> None:
        self.flat = Flat(test_mat())
        self.motion = Motion(self.flat)
        self.motion.moved_at[:] = NOW
        self.motion.rest[:] = 3
        self.rounds = Rounds(self.flat, self.motion)
        self.rounds.begin(NOW)
        self.none: Mask = np.zeros(self.flat.grid, dtype=np.bool_)
        while (turn := self.rounds.next(NOW + 1, False, self.none, True, True)).read.any() or turn.learn:
            pass

    def tiles(self, *rows_and_columns: tuple[int, int]) -> Mask:
        mask = self.none.copy()
        for place in rows_and_columns:
            mask[place] = True
        return mask


@pytest.fixture
def table() -> Table:
    return Table()


def test_what_rests_is_read_once_more_before_it_has_settled(table: Table) -> None:
    again = table.tiles((2, 2), (2, 3))
    table.rounds.read_again(again, NOW + 0.1)
    turn = table.rounds.next(NOW + 0.2, False, table.none, True, True)
    assert (turn.read == again).all()
    assert not turn.whole
    assert not table.rounds.next(NOW + 0.3, False, table.none, True, True).read.any()


def test_parts_that_are_put_off_are_read_one_a_frame(table: Table) -> None:
    parts = [flat_window((slice(y, y + 1), slice(2, 3))) for y in (1, 3, 5)]
    table.rounds.put_off(parts, NOW + 0.2)
    turns = [table.rounds.next(NOW + at, False, table.none, True, True).part for at in (0.3, 0.4)]
    assert turns == parts[1:]
    assert not table.rounds.waiting


def test_a_part_on_which_something_moved_is_left_to_the_looks_that_follow(table: Table) -> None:
    parts = [flat_window((slice(y, y + 1), slice(2, 3))) for y in (1, 3)]
    table.rounds.put_off(parts, NOW + 0.2)
    table.motion.moved_at[3, 2] = NOW + 0.25
    assert table.rounds.next(NOW + 0.3, False, table.none, True, True).part is None


def test_what_was_read_once_more_is_not_read_again_before_something_moves_there(table: Table) -> None:
    parts = [flat_window((slice(y, y + 1), slice(2, 3))) for y in (1, 3, 5)]
    assert table.rounds.put_off(parts, NOW + 0.2) == parts[:1]
    assert table.rounds.next(NOW + 0.3, False, table.none, True, True).part == parts[1]
    assert table.rounds.unread(parts) == parts[2:]
    assert table.rounds.put_off(parts[:2], NOW + 0.4) == []
    table.motion.moved_at[1, 2] = NOW + 0.5
    assert table.rounds.unread(parts) == [parts[0], parts[2]]


def test_a_frame_with_other_things_to_do_reads_no_part_before_it_has_waited(table: Table) -> None:
    parts = [flat_window((slice(y, y + 1), slice(2, 3))) for y in (1, 3, 5)]
    table.rounds.put_off(parts, NOW + 0.6)
    table.motion.moved_at[0, 9] = NOW + 0.6
    assert not table.rounds.next(NOW + 0.7, True, table.none, True, True).read.any()
    assert table.rounds.next(NOW + 0.9, True, table.none, True, True).part == parts[1]
    assert table.rounds.next(NOW + 0.95, False, table.none, True, True).part == parts[2]


def test_tiles_that_have_long_been_at_rest_are_not_late_when_they_are_asked_for(table: Table) -> None:
    again = table.tiles((2, 2), (2, 3))
    table.rounds.read_again(again, NOW + 9)
    table.motion.moved_at[0, 9] = NOW + 9
    assert not table.rounds.next(NOW + 9.1, True, table.none, True, True).read.any()
    turn = table.rounds.next(NOW + 9.2, False, table.none, True, True)
    assert (turn.read == again).all()
    assert not turn.whole


def test_what_is_unclear_waits_until_it_has_settled(table: Table) -> None:
    again = table.tiles((2, 2))
    table.rounds.read_again(again, NOW + 0.1)
    assert not table.rounds.next(NOW + 0.2, False, again, True, True).read.any()
    assert (table.rounds.next(NOW + 0.5, False, again, True, True).read == again).all()


def test_what_an_arm_went_over_is_read_in_one_frame_when_it_has_settled(table: Table) -> None:
    table.rounds.read_again(~table.none, NOW + 0.1)
    assert not table.rounds.next(NOW + 0.2, False, table.none, True, True).read.any()
    turn = table.rounds.next(NOW + 0.5, True, table.none, True, True)
    assert turn.read.all()
    assert turn.whole
    assert not table.rounds.waiting


def test_a_settled_view_waits_no_longer_than_a_fifth_of_a_second(table: Table) -> None:
    table.rounds.put_off([flat_window((slice(y, y + 1), slice(2, 3))) for y in range(6)], NOW + 0.2)
    assert table.rounds.next(NOW + 0.71, True, table.none, True, True).whole
    assert not table.rounds.waiting


def test_a_sweep_comes_every_thirty_seconds_and_reads_every_tile_once(table: Table) -> None:
    read = np.zeros(table.flat.grid, dtype=int)
    assert not table.rounds.next(NOW + 29, False, table.none, True, True).read.any()
    for frame in range(100):
        turn = table.rounds.next(NOW + 31 + frame / 10, False, table.none, True, True)
        assert turn.read.sum() <= 9
        read += turn.read
    assert (read == 1).all()


def test_a_table_seen_for_the_first_time_is_swept_whole_and_soon(table: Table) -> None:
    table.rounds.begin(NOW)
    swept = table.none.copy()
    for number in range(60):
        turn = table.rounds.next(NOW + 1 + number / 10, False, table.none, True, True)
        assert turn.sweep or turn.learn
        swept |= turn.read
        if swept.all():
            return
    pytest.fail("not all was swept in six seconds")


def test_where_something_moved_is_swept_first(table: Table) -> None:
    table.rounds.begin(NOW)
    moved = table.tiles((4, 5))
    table.motion.moved_at[4, 5] = NOW + 1
    table.rounds.moved(moved)
    turns = [table.rounds.next(NOW + 3 + number / 10, False, table.none, True, True) for number in range(60)]
    first = next(turn for turn in turns if turn.sweep)
    assert first.read[4, 5]


def test_a_hand_that_keeps_moving_does_not_hold_up_the_sweep_elsewhere(table: Table) -> None:
    table.rounds.begin(NOW)
    swept = table.none.copy()
    for number in range(100):
        at = NOW + 1 + number / 10
        table.motion.moved_at[0, 9] = at
        swept |= table.rounds.next(at, True, table.none, True, True).read
    assert swept.sum() == swept.size - 1
