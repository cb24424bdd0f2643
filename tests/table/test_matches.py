"""What is told of the matches of a journal, without reading all of them again each time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from companion import games
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.record import Record
from companion.server.match_api import Plan
from companion.sim.prepared import prepared
from companion.table.matches import DAMAGED, Matches


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
    matches = Matches(journal, nobody, lambda _: None)
    assert [one.records for one in matches.summaries()] == [1]
    read: list[str] = []
    lines = journal.lines
    monkeypatch.setattr(journal, "lines", lambda match: read.append(match) or lines(match))
    assert [one.records for one in matches.summaries()] == [1]
    journal.colour(header.id, 2, "pink")
    assert matches.summaries()[0].colours == {2: "pink"}
    assert read == []
    play(2)
    assert matches.summaries()[0].records == 2
    journal.name(header.id, 1, "Ada")
    assert matches.summaries()[0].names == ("Ada", "Seat 2")
    assert read == [header.id] * 2


def test_a_colour_that_was_chosen_comes_back_after_a_game_that_gives_colours_itself() -> None:
    begun: list[Header] = []
    table = SimpleNamespace(header=Header(id=new_id(), at=now(), game="collectible", seats=2), snapshot=None)
    matches = Matches(None, lambda: cast(Match, table), begun.append)

    def play(game: str, colours: dict[int, str], names: dict[int, str]) -> dict[int, str]:
        matches.begin(Plan(game=game, seats=2, names=names, colours=colours))
        table.header = begun[-1]
        return dict(begun[-1].colours)

    people = {1: "Ada", 2: "Bo"}
    assert play("five-cards-collector", {2: "pink"}, people) == {2: "pink"}
    assert play("collectors", {2: "pink"}, people) == {}
    # Meanwhile the bottles' colours are on the badges.
    assert play("karmic-collections", {1: "blue", 2: "red"}, people) == {}
    assert play("collectible", {1: "red", 2: "blue"}, people) == {2: "pink"}
    assert play("collectors", {2: "pink"}, people) == {}
    assert play("collectible", {1: "red", 2: "blue"}, {1: "Ada", 2: "Cleo"}) == {}


def begun(journal: Journal, at: str = "") -> str:
    header = prepared(games.load("karmic-collections"), 2, 3, 6)[0]
    header = msgspec.structs.replace(header, id=new_id(), at=at or header.at)
    journal.begin(header)
    return header.id


def test_no_list_falls_to_one_bad_match(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = begun(journal), begun(journal)
    journal._db.execute("INSERT INTO matches (id, header) VALUES ('torn', 'no header')")
    lines = journal.lines
    monkeypatch.setattr(journal, "lines", lambda match: iter([None]) if match == bad else lines(match))
    told = Matches(journal, nobody, lambda _: None).summaries()
    assert [(one.id, one.readable, one.words) for one in told] == [
        (bad, False, DAMAGED),
        (good, True, ""),
        ("torn", False, DAMAGED),
    ]


def test_several_who_ask_at_once_have_each_match_read_once(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(journal)
    read: list[str] = []
    lines = journal.lines

    def slowly(match: str) -> Iterator[bytes]:
        read.append(match)
        time.sleep(0.2)
        return lines(match)

    monkeypatch.setattr(journal, "lines", slowly)
    matches = Matches(journal, nobody, lambda _: None)
    with ThreadPoolExecutor(6) as several:
        assert len(list(several.map(lambda _: matches.summaries(), range(6)))) == 6
    assert len(read) == 1
