"""One worked example of each of the ten games, as a published text of its rules has it."""

from __future__ import annotations

import pytest

from companion.games.from_file.scoring import Table
from tests.games.from_file.scorers import BOXES, SCORERS
from tests.games.from_file.test_scores import points, score_of

HEARTS = tuple(f"30{rank}" for rank in "123456789ABCD")

EXAMPLES = [
    # Cribbage Corner (cribbagecorner.com/cribbage-rules-example-hands): 4-5-5-6 with a ten is 16; A-3-3-J with the two
    # of the jack's suit is 13; three fives and the jack of the fourth one's suit are 29.
    ("cribbage", Table(2, dealer=2, cards={"hand.1": ("104", "205", "305", "406"), "starter": ("10A",)}), [16, 0]),
    ("cribbage", Table(2, dealer=2, cards={"hand.1": ("101", "203", "303", "40B"), "starter": ("402",)}), [13, 0]),
    ("cribbage", Table(2, dealer=2, cards={"hand.1": ("105", "205", "305", "40B"), "starter": ("405",)}), [29, 0]),
    # Gin is worth 25 and all that the other has left over, who may not lay off (groupgames.xyz/card-games/gin-rummy).
    (
        "gin-rummy",
        Table(
            2,
            cards={
                "melds.1": ("102", "202", "302", "105", "106", "107", "10A", "20A", "30A", "40A"),
                "melds.2": ("201", "301", "401", "209", "20B", "40D", "305", "406", "208", "103"),
            },
            entered={"knocks": (1, None)},
        ),
        [25 + 9 + 10 + 10 + 5 + 6 + 8 + 3, 0],
    ),
    # Bicycle, Six Card Golf: two alike in a column count nothing, twos take two off, kings are nothing.
    ("golf", Table(2, cards={"grid.1": ("102", "20D", "307", "105", "20C", "407"), "grid.2": ()}), [13, 0]),
    # A. Lee's Golf after Bicycle and Pagat (git.adlee.work/alee/golfgame, RULES.md): K, 5, 7 over K, 3, 9 are 24.
    ("golf", Table(2, cards={"grid.1": ("10D", "105", "107", "20D", "103", "109"), "grid.2": ()}), [24, 0]),
    # Bicycle, Hearts, and hearts-online.org/rules.html: with all hearts and the queen of spades nobody but the three
    # others has 26. Else all that is scored comes to 26 (thebearknowsbest.com/hearts).
    ("hearts", Table(4, cards={"taken.3": (*HEARTS, "40C"), "taken.1": ("101",)}), [26, 26, 0, 26]),
    (
        "hearts",
        Table(4, cards={"taken.1": HEARTS[:8], "taken.2": (*HEARTS[8:], "40C"), "taken.4": ("40D",)}),
        [8, 18, 0, 0],
    ),
    # Three tricks bid and won are three and ten more (Oh Hell as mrpikes.com has it); else nothing, as in Bust.
    ("oh-hell", Table(3, tricks=(3, 0, 1), entered={"bid": (3, 0, 2)}), [13, 10, 0]),
    # Pagat, President, and gathertogethergames.com/president: two for the president, one for the vice-president.
    ("president", Table(4, out=(3, 1, 4, 2)), [1, 0, 2, 0]),
    # Scopa, as V. Coletti tells its rules: who lacks a suit has no primiera, three sevens or not; four kings are 40.
    (
        "scopa",
        Table(
            2,
            cards={"taken.1": ("107", "307", "207", "206"), "taken.2": ("10D", "20D", "30D", "40D", "10C")},
            sweeps=(2, 0),
        ),
        [2 + 1 + 1, 2],
    ),
    # MSN Games, Spades: a contract of six is 60, with seven tricks 61; missed, it costs 60.
    ("spades", Table(4, tricks=(5, 2, 2, 4), entered={"bid": (4, 3, 2, 4)}), [61, -70]),
    # Hoyle, Whist: who takes nine tricks scores three by cards. Each trick over six is a point for the side that has
    # them (whiteknucklecards.com/games/whist.html).
    ("whist", Table(4, tricks=(6, 2, 3, 2)), [3, 0]),
    ("whist", Table(4, tricks=(4, 3, 2, 4)), [0, 1]),
]


@pytest.mark.parametrize(("name", "table", "expected"), EXAMPLES)
def test_a_published_example_comes_out_as_it_is_told(name: str, table: Table, expected: list[int]) -> None:
    assert points(name, score_of(name), table) == expected


def test_a_yacht_fills_its_box_with_fifty_and_the_choice_with_its_sum() -> None:
    # Wooden Toys UK, Yacht: 6, 6, 6, 3, 3 is a full house; whoever rolls the threes again for two sixes has 50.
    score = score_of("yacht")
    first = dict(zip(BOXES, points("yacht", score, Table(1, dice=(6, 6, 6, 3, 3))), strict=True))
    last = dict(zip(BOXES, points("yacht", score, Table(1, dice=(6,) * 5)), strict=True))
    assert (first["full"], first["sixes"], first["yacht"]) == (24, 18, 0)
    assert (last["yacht"], last["choice"], last["full"], last["four"]) == (50, 30, 0, 24)


def test_each_of_the_ten_has_one() -> None:
    assert {name for name, _, _ in EXAMPLES} | {"yacht"} == set(SCORERS)
