"""Robots play with cards that have no codes, before a camera whose eye knows the cards by their faces."""

import pytest

from companion import games
from companion.cli.simulate import camera_stages
from companion.sim import rehearsal
from companion.sim.rehearsal import Report, rehearse


def played(name, seats, seed):
    game, mat = games.load(name), games.load_mat(name, seats)
    report = Report()
    rehearse(game, mat, seats, {}, seed, camera_stages(game, mat, faults=False, codes=False), report)
    return report


def test_the_first_turns_of_a_match_with_many_equal_cards_are_understood(monkeypatch):
    monkeypatch.setattr(rehearsal, "LONGEST", 7)
    report = played("five-cards-collector", 3, "1/0")
    assert report.divergences == []
    assert report.moves == 7
    assert report.actions["add"] + report.actions["discard"] + report.actions["use"] == 3
    assert report.asked.total() == 0


@pytest.mark.night
def test_a_whole_match_with_many_equal_cards_is_understood():
    report = played("five-cards-collector", 3, "1/0")
    assert report.divergences == []
    assert report.endings == {"five-collected": 1}
    assert {name for name, count in report.asked.items() if count} <= {"retrieve", "take", "finished"}
