"""Collectors: "Scoring" and ruling K15."""

from __future__ import annotations

from companion.games.collectors.scoring import Reveal
from companion.games.collectors.state import State
from tests.games.collectors.situations import GAME, card, judge, play, situation


def over(first: str = "technology", second: str = "technology", **where: object) -> State:
    """Both seats reveal their treasure, and the match is over."""
    state = situation(phase="reveal", quarter=4, **where)  # type: ignore[arg-type]
    for seat, words in enumerate((first, second), 1):
        free = next(piece for n in range(1, 18) if (piece := card(words, n)) in state.unseen)
        state = play(state, Reveal(seat=seat, card=free))
    return state


def parts(state: State, seat: int = 1) -> dict[str, int]:
    return {part.name: part.value for part in GAME.standing(state).seats[seat - 1].parts}


def test_worked_example_two_penguins_a_technology_item_and_4_dollars_score_5() -> None:
    """Two penguin market cards: 2 + 2 for the penguins, 0 for technology, 1 for $4."""
    state = over(coins=(4, 0), items={1: ("penguin", "penguin")}, market=("//penguin", "//penguin"), first="technology")
    assert parts(state) == {"items": 4, "coins": 1, "skills": 0}
    assert GAME.standing(state).seats[0].score == 5


def test_an_item_without_matching_cards_in_the_market_is_worth_nothing() -> None:
    assert parts(over(items={1: ("penguin",)}, market=("//movie",)))["items"] == 0


def test_every_third_dollar_is_a_point() -> None:
    assert [parts(over(coins=(amount, 0)))["coins"] for amount in (2, 3, 5, 6)] == [0, 1, 1, 2]


def test_a_category_skill_is_a_point_for_each_item_of_it_revealed_secrets_too() -> None:
    state = over(items={1: ("movie", "movie")}, skills={1: ("/vp-movie", "/vp-movie")}, first="movie")
    assert parts(state)["skills"] == 2 * 3


def test_k15_vp_all_is_5_points_for_each_card_when_one_of_each_is_owned() -> None:
    skills = {1: ("/vp-all", "/vp-all")}
    four = ("penguin", "movie", "figures", "music")
    assert parts(over(items={1: four}, skills=skills, first="technology"))["skills"] == 10
    assert parts(over(items={1: four}, skills=skills, first="music"))["skills"] == 0


def test_the_most_points_win() -> None:
    state = over(coins=(9, 3))
    assert GAME.standing(state).outcome is not None
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.ending) == ((1,), "points")
    assert state.outcome.words == "@1 wins with 3 points."


def test_a_tie_goes_to_the_most_cards_in_hand() -> None:
    state = over(coins=(3, 3), hands=(1, 2))
    assert state.outcome is not None
    assert state.outcome.winners == (2,)


def test_if_there_is_still_a_tie_the_victory_is_shared() -> None:
    state = over(coins=(3, 3))
    assert state.outcome is not None
    assert state.outcome.winners == (1, 2)


def test_a_known_card_cannot_be_the_treasure() -> None:
    state = situation(phase="reveal", market=("penguin",))
    verdict = judge(state, Reveal(seat=1, card=state.market[0]))
    assert (verdict.kind, verdict.rule) == ("illegal", "Scoring"), "C2: it can be taken from there"


def test_secrets_are_revealed_by_all_at_once() -> None:
    assert GAME.actors(situation(seats=3, phase="reveal")) == (1, 2, 3)


def test_before_the_end_the_standing_counts_what_lies_open() -> None:
    state = situation(coins=(4, 0), items={1: ("penguin",)}, market=("//penguin",))
    assert GAME.standing(state).seats[0].score == 2
    assert "and 1 secret" in GAME.standing(state).seats[0].words
