"""Who is before whom when a match is over: one place says it, for pages, pictures, other programs and the hall."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion import games
from companion.files import data
from companion.games.from_file import FromFile, flow
from companion.games.from_file.state import Finished
from companion.rules.kernel import Ranking

HIGH, LOW = Ranking(), Ranking(lowest=True)


@pytest.mark.parametrize(
    ("ranking", "scores", "winners", "places"),
    [
        (HIGH, (14, 16, 13, 21), (4,), (3, 2, 4, 1)),
        (HIGH, (4, 5, 4, 1), (2,), (2, 1, 2, 4)),
        (HIGH, (7, 7, 3), (1, 2), (1, 1, 3)),
        # Equal points, and the tie was decided by something else.
        (HIGH, (7, 7, 3), (2,), (2, 1, 3)),
        # Who had the most did not win: one of those who went out lost by the rules.
        (HIGH, (4, 2), (2,), (2, 1)),
        (LOW, (31, 12, 40), (2,), (2, 1, 3)),
        (LOW, (5, 5, 6), (1, 2), (1, 1, 3)),
        # The host stopped it.
        (HIGH, (5, 9), (), (2, 1)),
        (LOW, (5, 9), (), (1, 2)),
    ],
)
def test_winners_come_first_then_points(
    ranking: Ranking, scores: tuple[int, ...], winners: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert tuple(ranking.places(dict(enumerate(scores, 1)), winners).values()) == places


def test_every_game_says_whether_few_points_win_and_who_plays_together() -> None:
    said = {name: games.load(name).info.ranking for name in games.names()}
    assert {name for name, ranking in said.items() if ranking.lowest} == {"big-two", "golf", "hearts"}
    assert {name for name, ranking in said.items() if ranking.sides == "partners"} == {"canasta", "spades", "whist"}
    assert [name for name, ranking in said.items() if ranking.sides == "all"] == ["collection"]


def test_where_few_points_win_they_win_a_round_too_and_its_winner_begins_the_next() -> None:
    text = (data("card_codes/golf") / "score.toml").read_text().replace("round = { ", 'round = { first = "winner", ')
    game = FromFile(games.load_deck("golf"), text, games.places("golf"))
    state = game.setup(3, {}, game.setup_type())
    assert flow.leads(game.components, replace(state, past=(Finished((), (9, 2, 5)),))) == 2


def test_partners_win_and_lose_together() -> None:
    partners = Ranking(sides="partners")
    assert [partners.side(seat, 4) for seat in (1, 2, 3, 4)] == [(1, 3), (2, 4), (1, 3), (2, 4)]
    assert HIGH.side(3, 4) == (3,)
    assert Ranking(sides="all").side(3, 4) == (1, 2, 3, 4)
