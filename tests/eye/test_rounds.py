"""Whose turn it is to be read again: a little a frame, unless much has settled."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eye.flat import Flat, Mask
from companion.eye.rounds import Rounds, Turn
from tests.eye.tables import test_mat

NOW = 100.0


class Table:
    """A table on which everything came to rest at `NOW`, and was swept since."""

    def __init__(self) -> None:
        self.flat = Flat(test_mat())
        self.none: Mask = np.zeros(self.flat.grid, dtype=np.bool_)
        self.moved_at = np.full(self.flat.grid, NOW)
        self.changed = ~self.none
        self.rounds = Rounds(self.flat, lambda: self.changed)
        self.rounds.begin(NOW)
        while (turn := self.next(NOW + 1)).read.any() or turn.learn:
            pass

    def tiles(self, *rows_and_columns: tuple[int, int]) -> Mask:
        mask = self.none.copy()
        for place in rows_and_columns:
            mask[place] = True
        return mask

    def next(self, time: float, busy: bool = False, unclear: Mask | None = None) -> Turn:
        unclear = self.none if unclear is None else unclear
        return self.rounds.next(time, self.moved_at, ~self.none, busy, unclear, True, True)


@pytest.fixture
def table() -> Table:
    return Table()


def test_what_rests_is_read_once_more_before_it_has_settled(table: Table) -> None:
    again = table.tiles((2, 2), (2, 3))
    table.rounds.read_again(again, NOW + 0.1)
    assert (table.next(NOW + 0.2).read == again).all()
    assert not table.next(NOW + 0.3).read.any()


def test_it_is_read_box_by_box_and_a_settled_view_waits_for_all(table: Table) -> None:
    again = table.tiles((1, 2), (1, 3), (6, 2), (6, 9))
    table.rounds.read_again(again, NOW + 0.2)
    reads = [table.next(NOW + at).read for at in (0.3, 0.4)]
    assert table.rounds.waiting
    reads.append(table.next(NOW + 0.5).read)
    assert (sum(read.astype(int) for read in reads) == again).all()
    assert not table.rounds.waiting


def test_the_bare_mat_of_what_was_read_once_more_is_read_when_all_is_calm(table: Table) -> None:
    again = table.tiles((2, 2), (2, 3))
    table.rounds.read_again(again, NOW + 0.1)
    turn = table.next(NOW + 0.2)
    assert (turn.read == again).all()
    assert not turn.bare.any()
    turn = table.next(NOW + 1.1)
    assert (turn.read == again).all()
    assert (turn.bare == again).all()
    assert not table.next(NOW + 1.2).read.any()


def test_a_frame_with_other_things_to_do_reads_nothing_before_it_has_waited(table: Table) -> None:
    again = table.tiles((1, 2), (6, 2))
    table.rounds.read_again(again, NOW + 0.6)
    table.moved_at[0, 9] = NOW + 0.6
    assert not table.next(NOW + 0.7, busy=True).read.any()
    assert table.next(NOW + 0.9, busy=True).read[1, 2]
    assert table.next(NOW + 0.95).read[6, 2]


def test_tiles_that_have_long_been_at_rest_are_not_late_when_they_are_asked_for(table: Table) -> None:
    again = table.tiles((2, 2), (6, 9))
    table.rounds.read_again(again, NOW + 9)
    table.moved_at[0, 9] = NOW + 9
    assert not table.next(NOW + 9.1, busy=True).read.any()
    assert table.next(NOW + 9.2).read.sum() == 1


def test_what_is_unclear_waits_until_it_has_settled(table: Table) -> None:
    again = table.tiles((2, 2))
    table.rounds.read_again(again, NOW + 0.1)
    assert not table.next(NOW + 0.2, unclear=again).read.any()
    assert (table.next(NOW + 0.5, unclear=again).read == again).all()


def test_what_an_arm_went_over_is_read_in_one_frame_when_it_has_settled(table: Table) -> None:
    table.rounds.read_again(~table.none, NOW + 0.1)
    assert not table.next(NOW + 0.2).read.any()
    assert table.next(NOW + 0.5, busy=True).read.all()
    assert not table.rounds.waiting


def test_a_settled_view_waits_no_longer_than_a_fifth_of_a_second(table: Table) -> None:
    table.rounds.read_again(table.tiles(*((y, 2) for y in range(6))), NOW + 0.2)
    assert table.next(NOW + 0.71, busy=True).read.sum() == 6
    assert not table.rounds.waiting


def test_a_sweep_comes_every_thirty_seconds_and_reads_every_tile_once(table: Table) -> None:
    read = np.zeros(table.flat.grid, dtype=int)
    assert not table.next(NOW + 29).read.any()
    for frame in range(100):
        turn = table.next(NOW + 31 + frame / 10)
        assert turn.read.sum() <= 9
        assert not turn.bare.any()
        read += turn.read
    assert (read == 1).all()


def test_what_looks_as_in_the_last_sweep_is_not_swept_unless_it_is_not_understood(table: Table) -> None:
    table.changed, unclear = table.tiles((1, 2)), table.tiles((6, 9))
    swept = table.none.copy()
    for frame in range(100):
        swept |= table.next(NOW + 31 + frame / 10, unclear=unclear).read
    assert (swept == (table.changed | unclear)).all()


def test_a_table_seen_for_the_first_time_is_swept_whole_and_soon(table: Table) -> None:
    table.rounds.begin(NOW)
    swept = table.none.copy()
    for number in range(60):
        swept |= table.next(NOW + 1 + number / 10).bare
    assert swept.all()


def test_where_something_moved_last_is_swept_first(table: Table) -> None:
    table.rounds.begin(NOW)
    table.moved_at[4, 5] = NOW + 1
    reads = (table.next(NOW + 3 + number / 10).read for number in range(60))
    assert next(read for read in reads if read.any())[4, 5]


def test_a_hand_that_keeps_moving_does_not_hold_up_the_sweep_elsewhere(table: Table) -> None:
    table.rounds.begin(NOW)
    swept = table.none.copy()
    for number in range(200):
        at = NOW + 1 + number / 10
        table.moved_at[0, 9] = at
        swept |= table.next(at, busy=True).read
    assert swept.sum() == swept.size - 1


def test_when_a_lamp_was_switched_the_mat_is_learned_anew_a_second_later(table: Table) -> None:
    def learns(time: float) -> bool:
        return table.next(time).learn is not None

    table.rounds.lit_anew(NOW + 7)
    assert not learns(NOW + 7.5)
    assert learns(NOW + 8.1)
