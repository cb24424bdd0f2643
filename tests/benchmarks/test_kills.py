"""Killed processes lose nothing that was told; the long run is `python -m benchmarks kills --readings 500`."""

from __future__ import annotations

import pytest

from benchmarks import kills
from companion import games


@pytest.mark.night
def test_a_few_kills_lose_nothing():
    section = kills.measure(readings=8, seed=5)
    whole = section.rows[-1].figures
    assert whole["kills"] == 8
    assert whole["lost"] == 0
    assert whole["records"] > 0


def test_games_whose_matches_are_short_are_killed_as_often(monkeypatch):
    """With matches so short that only one kill in three comes before their end, a game has its turn again sooner."""
    tries = {"collectible": 0, "collection": 0}
    plainly = kills.prepared

    def killed(game, header, steps, *rest):
        name = game.info.name
        tries[name] += 1
        return 0, name == "collection" or tries[name] % 3 == 0

    monkeypatch.setattr(kills.games, "packages", lambda: tuple(tries))
    monkeypatch.setattr(kills, "prepared", lambda game, seats, seed: plainly(game, seats, seed, longest=2))
    monkeypatch.setattr(kills, "_killed_after", killed)
    monkeypatch.setattr(kills, "_resumed", lambda game, header, steps, *rest: (len(steps), 0.0, 0.0))
    short, long_, whole = (row.figures for row in kills.measure(readings=6).rows)
    assert (short["kills"], long_["kills"], whole["kills"]) == (3, 3, 6)
    assert (short["matches"], long_["matches"]) == (9, 3)


def test_a_record_that_is_missing_is_noticed(tmp_path):
    game = games.load("collectible")
    header, steps = kills.prepared(game, 2, 1)
    told, killed = kills._killed_after(game, header, steps[:5], tmp_path, 20.0)
    assert (told, killed) == (5, False)
    assert kills._resumed(game, header, steps, tmp_path, told)[0] == 5
    with pytest.raises(kills.LostError, match="record 6 of collectible was told of"):
        kills._resumed(game, header, steps, tmp_path, 6)
    with pytest.raises(kills.LostError, match="not what was played"):
        kills._resumed(game, header, steps[1:], tmp_path, 5)
