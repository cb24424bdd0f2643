"""What lies still is read again now and then: no view comes of it, unless something new is read."""

from __future__ import annotations

import pytest

from companion.eye.deck_reader import DeckReader
from companion.eye.reader import NO_HINTS, Hints
from companion.eye.view import Gray, Sighting
from tests.eye.tables import Card, Session, Table, test_mat


class Blind:
    """Counts how often it is asked, and overlooks codes that lie upside down until it is told to see them."""

    def __init__(self) -> None:
        self.reader = DeckReader()
        self.asked = 0
        self.upside_down = False

    def read(self, gray: Gray, hints: Hints = NO_HINTS) -> list[Sighting]:
        self.asked += 1
        found = self.reader.read(gray, hints)
        return [seen for seen in found if self.upside_down or seen.corners[0][1] < seen.corners[2][1]]


def watched(reader: Blind) -> Session:
    session = Session(Table(test_mat(), [Card("001", 61, 100), Card("002", 140, 100)]), reference=True, reader=reader)
    session.run(20)
    assert session.view.settled
    return session


@pytest.mark.night
def test_a_sweep_over_what_is_as_it_was_tells_nothing_new() -> None:
    reader = Blind()
    reader.upside_down = True
    session = watched(reader)
    asked = reader.asked
    before = session.view.placements
    assert session.run(320) == []
    assert reader.asked > asked
    assert session.view.placements == before


@pytest.mark.night
def test_a_code_that_only_a_sweep_reads_counts() -> None:
    reader = Blind()
    session = watched(reader)
    assert {track.piece: len(track.spots) for track in session.eye.tracks} == {"001": 1, "002": 1}
    reader.upside_down = True
    session.run(320)
    assert {track.piece: len(track.spots) for track in session.eye.tracks} == {"001": 2, "002": 2}
    assert session.view.settled


def test_only_what_looks_otherwise_is_swept_again() -> None:
    session = watched(Blind())
    motion = session.eye._memory.motion
    assert motion.to_sweep().all()
    session.run(20)
    assert not motion.to_sweep().any()
    session.table.cards[0] = Card("001", 75, 100)
    session.run(1)
    changed = motion.to_sweep()
    assert changed[3, 1:3].all()
    assert changed.sum() <= 16
    assert not motion.to_sweep().any()
