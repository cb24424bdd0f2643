"""What is told of the matches of a journal, without reading all of them again each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.bench.kills import prepared
from companion.evening import Evening
from companion.referee.journal import Journal, new_id, now
from companion.referee.match import Match
from companion.referee.record import Record


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path)
    yield journal
    journal.close()


def nobody() -> Match:
    raise AssertionError("no match is asked for")


def test_a_match_is_read_again_only_when_something_has_changed(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, steps = prepared(games.load("karmic-collections"), 2, 3, 6)
    journal.begin(header)

    def play(n: int) -> None:
        action, facts = steps[n - 1]
        journal.append(header.id, Record(n=n, id=new_id(), at=now(), seat=action.seat, action=action, facts=facts))

    play(1)
    evening = Evening(journal, nobody, lambda _: None)
    assert [one.records for one in evening.matches()] == [1]
    read: list[str] = []
    lines = journal.lines
    monkeypatch.setattr(journal, "lines", lambda match: read.append(match) or lines(match))
    assert [one.records for one in evening.matches()] == [1]
    journal.colour(header.id, 2, "pink")
    assert evening.matches()[0].colours == {2: "pink"}
    assert read == []
    play(2)
    assert evening.matches()[0].records == 2
    journal.name(header.id, 1, "Ada")
    assert evening.matches()[0].names == ("Ada", "Seat 2")
    assert read == [header.id] * 2
