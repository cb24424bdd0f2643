"""What is sent next: in bounded pieces, again where there was no answer, anew where the journal is another one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.appliance.cursors import FILE, Cursor, Cursors
from companion.appliance.outbox import PATIENCE, ROUND_TRIP, WINDOW, Outbox
from companion.hall.messages import LARGEST, Committed, Records, encode
from companion.referee.journal import new_id, now
from companion.referee.record import Record
from tests.hall.standin import StandInTable


class Sending:
    """An outbox with a clock of its own, and answers by hand."""

    def __init__(self, table: StandInTable, whose: str = "hall t4") -> None:
        self.time = 0.0
        self.table = table
        self.cursors = Cursors(table.folder, whose)
        self.outbox = Outbox(table.folder, self.cursors, "full", lambda: self.time)

    def due(self) -> list[Records]:
        return self.outbox.due(self.table.header.id)

    def numbers(self) -> list[int]:
        """Give the numbers of the records that are sent now."""
        return [one.first + n for one in self.due() for n in range(len(one.lines))]

    def answer(self, through: int, **more: str) -> None:
        self.outbox.committed(Committed(match=self.table.header.id, through=through, **more))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandInTable]:
    one = StandInTable(tmp_path)
    yield one
    one.journal.close()


def test_only_the_halls_word_moves_the_cursor(table: StandInTable) -> None:
    table.play(3)
    sending = Sending(table)
    assert sending.numbers() == [1, 2, 3]
    assert sending.numbers() == []
    assert sending.cursors[table.header.id] == Cursor()
    sending.answer(2)
    assert sending.cursors[table.header.id].through == 2
    sending.cursors.close()
    assert Sending(table).numbers() == [3]


def test_what_is_not_answered_is_sent_again_little_by_little(table: StandInTable) -> None:
    table.play(30)
    sending = Sending(table)
    assert len(sending.numbers()) == 30
    sending.time += PATIENCE + 0.1
    assert sending.outbox.overdue
    assert sending.numbers() == [1]
    sending.answer(1)
    assert sending.numbers() == list(range(2, 31))


def test_a_hall_that_comes_back_without_what_was_sent_gets_it_at_once(table: StandInTable) -> None:
    table.play(3)
    sending = Sending(table)
    sending.numbers()
    sending.answer(3)
    table.play(2)
    assert sending.numbers() == [4, 5]
    sending.answer(3)
    assert sending.numbers() == [], "it may be on its way yet"
    sending.time += ROUND_TRIP + 0.1
    sending.answer(3)
    assert not sending.outbox.overdue
    assert sending.numbers() == [4, 5]


def test_a_question_that_nobody_answered_is_asked_again(table: StandInTable) -> None:
    """A hall that was restored may come back after it: only an answer says what it has."""
    table.play(3)
    sending = Sending(table)
    sending.numbers()
    sending.answer(3)
    sending.outbox.connected()
    assert sending.numbers() == [3]
    for _ in range(3):
        assert sending.numbers() == []
        sending.time += PATIENCE + 0.1
        assert sending.numbers() == [3]
    sending.answer(0)
    assert sending.numbers() == [1, 2, 3]


def test_messages_are_bounded_in_bytes_and_number(table: StandInTable) -> None:
    for n in range(1, 40):
        table.journal.append(table.header.id, Record(n=n, id=new_id(), at=now(), kind="correction", by='"' * 8000))
    sending = Sending(table)
    sent = sending.due()
    assert len(sent) == WINDOW
    assert all(len(encode(one)) <= LARGEST for one in sent)
    assert sending.due() == []


def test_a_record_that_is_too_long_or_missing_stops_its_match_alone(table: StandInTable) -> None:
    table.journal.append(table.header.id, Record(n=1, id=new_id(), at=now(), by="x" * LARGEST))
    gap = table.begin()
    table.journal.append(gap, Record(n=2, id=new_id(), at=now()))
    table.begin()
    table.play(2)
    sending = Sending(table)
    assert {one.match for one in sending.due()} == {table.header.id}
    assert sending.outbox.refused() == 2


def test_a_journal_that_was_taken_back_from_a_backup_is_told_anew(table: StandInTable) -> None:
    table.play(5)
    sending = Sending(table)
    sending.due()
    sending.answer(5)
    with sqlite3.connect(table.folder / "journal.db") as db:
        db.execute("DELETE FROM records WHERE n > 3")
    sending.outbox.connected()
    assert sending.numbers() == [1, 2, 3]
    sending.answer(5)
    assert sending.cursors[table.header.id].through == 3, "what comes after is for the hall to judge"


def test_another_hall_gets_all_and_a_damaged_file_is_begun_anew(table: StandInTable) -> None:
    table.play(2)
    sending = Sending(table)
    sending.due()
    sending.answer(2)
    sending.cursors.close()
    other = Sending(table, "another t4")
    assert other.numbers() == [1, 2]
    other.cursors.close()
    (table.folder / FILE).write_bytes(b"no database" * 1000)
    damaged = Sending(table, "another t4")
    assert damaged.numbers() == [1, 2]
    assert damaged.cursors.trouble == ""


def test_a_refused_match_rests_until_the_hall_takes_it(table: StandInTable) -> None:
    table.play(2)
    sending = Sending(table)
    sending.due()
    sending.answer(1, refused="it does not fit")
    table.play(1)
    assert sending.numbers() == []
    assert sending.outbox.refused() == 1
    sending.answer(1)
    assert sending.numbers() == [1], "for the header, of which the hall has not said that it has it"
    sending.answer(1)
    assert sending.numbers() == [2, 3]


def test_answers_about_what_nobody_knows_change_nothing(table: StandInTable) -> None:
    sending = Sending(table)
    sending.outbox.committed(Committed(match="elsewhere", through=9))
    sending.answer(9)
    assert sending.cursors[table.header.id] == msgspec.structs.replace(Cursor(), through=0)
    table.play(1)
    assert sending.numbers() == [1]
