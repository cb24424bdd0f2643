"""Killed processes lose nothing that was told; the long run is `companion bench kills --readings 500`."""

from __future__ import annotations

import pytest

from companion import games
from companion.bench import kills


def test_a_few_kills_lose_nothing():
    section = kills.measure(readings=8, seed=5)
    whole = section.rows[-1].figures
    assert whole["kills"] == 8
    assert whole["lost"] == 0
    assert whole["records"] > 0


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
