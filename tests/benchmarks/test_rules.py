import random

import pytest

from benchmarks import rules
from companion import games
from companion.bench.figures import BenchError, optional


@pytest.mark.night
def test_every_game_and_chess_have_a_row_and_only_games_a_budget() -> None:
    section = rules.measure(slices=1, seconds=0.0)
    chess = section.rows[-1]
    assert chess.what == "python-chess"
    assert chess.figures["to_chess"] == 1.0
    assert chess.budget is None
    for name in games.packages():
        game = games.load(name)
        rows = [row for row in section.rows if row.what.startswith(game.info.title)]
        low, high = game.info.seats
        assert len(rows) == len({low, min(4, high), high})
        for row in rows:
            assert row.figures["playouts"] == 1
            assert row.figures["moves_per_s"] == pytest.approx(
                row.figures["playouts_per_s"] * row.figures["moves_a_playout"]
            )
            assert row.budget is not None
            assert row.budget.figure == row.figures["to_chess"]


@pytest.mark.night
def test_without_chess_nothing_is_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "optional", lambda name: None)
    section = rules.measure(slices=1, seconds=0.0)
    assert all(row.budget is None and row.figures["to_chess"] is None for row in section.rows)
    assert "python-chess is not installed" in section.notes[0]


def test_nothing_to_play_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "optional", lambda name: None)
    with pytest.raises(BenchError, match="no game to play"):
        rules.measure(slices=1, seconds=0.0, only="poker")


def test_a_chess_playout_goes_to_its_end() -> None:
    chess = optional("chess")
    moves = rules._of_chess(chess, random.Random(4))
    assert moves is not None
    assert moves > 20


def test_a_playout_that_does_not_end_is_given_up_and_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "LONGEST", 3)
    game = games.load("five-cards-collector")
    playout = rules._of_ours(game, 4)
    assert playout(random.Random(1)) is None
    rate = rules.Rate()
    rules._slice(playout, random.Random(1), 0.001, rate)
    assert rate.whole == 0
    assert rate.given_up > 0
