import pytest

from benchmarks import balance
from companion import games


@pytest.mark.night
def test_a_team_of_four_wins_some_matches_and_loses_some() -> None:
    """A deck that is far too easy or far too hard is noticed; the band itself takes 400 matches."""
    share = balance.play("collection", 4, 24)
    assert 5 <= share.won <= 19
    assert 20 < share.turns / share.matches < 120


@pytest.mark.parametrize(("won", "low", "high"), [(50, 0.404, 0.596), (0, 0.0, 0.037), (100, 0.963, 1.0)])
def test_the_interval_is_wilsons(won: int, low: float, high: float) -> None:
    assert balance.Share(100, won, 0).interval == pytest.approx((low, high), abs=0.001)


@pytest.mark.night
def test_every_number_of_players_has_a_row_and_four_the_band() -> None:
    section = balance.measure(matches=1)
    low, high = games.load("collection").info.seats
    assert len(section.rows) == high - low + 1
    assert [row.budget is not None for row in section.rows] == [True, False, False, False, False]
    assert not section.rows[0].budget.met, "one match proves nothing"  # type: ignore[union-attr]
