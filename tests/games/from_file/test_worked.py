"""One worked example of each of the twenty games, as a published text of its rules has it, or computed by hand."""

from __future__ import annotations

import pytest

from companion.games.from_file.scoring import Table
from tests.games.from_file.more_scorers import TWENTY as SCORERS
from tests.games.from_file.scorers import BOXES
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
    # Briscola (gvnlnz/Briscola_card_game_JS): of 120 points 61 are most; by hand: 62 against 58.
    (
        "briscola",
        Table(
            3,
            cards={
                "taken.1": ("101", "103", "201", "203", "301", "10C", "20C", "30C"),
                "taken.2": ("303", "401", "403", *(f"{suit}0D" for suit in "1234"), "40C", *(f"{n}0B" for n in "1234")),
                "taken.3": tuple(f"{suit}0{rank}" for suit in "1234" for rank in "24567"),
            },
        ),
        [1, 0, 0],
    ),
    # Schnapsen: who has 66, against a trick of fewer than 33 points, scores two (bostjanspar/schnapzy); by hand:
    # two aces, two tens and two jacks are 46, a marriage of another suit 20.
    (
        "schnapsen",
        Table(
            2,
            cards={
                "taken.1": ("101", "201", "10A", "20A", "10B", "20B"),
                "taken.2": ("30B", "40B"),
                "hand.1": ("10C", "10D"),
                "trump": ("40D",),
            },
            entered={"out": (1, None)},
        ),
        [2, 0],
    ),
    # Thirty-three are enough not to be schneider: three aces against 11 + 40 + 12 + 3.
    (
        "schnapsen",
        Table(
            2,
            cards={
                "taken.1": ("401", *(f"{suit}0A" for suit in "1234"), "10D", "20D", "30D", "10C"),
                "taken.2": ("101", "201", "301"),
                "trump": ("40D",),
            },
            entered={"out": (1, None)},
        ),
        [1, 0],
    ),
    # Bezique, by hand: the queen of spades, trumps, is in a royal marriage (40) and in a bezique (40); the cards taken
    # are eight aces and eight tens (160), and the last trick is ten.
    (
        "bezique",
        Table(
            2,
            cards={
                "hand.1": ("40C", "40D", "20B"),
                "taken.2": tuple(f"{suit}0{rank}" for suit in "12346789" for rank in "1789ABCD"),
                "trump": ("409",),
            },
            last=2,
        ),
        [80, 170],
    ),
    # Pinochle (nparajul/Pinochle--C_Plus_Plus), by hand: a flush (150) with its marriage (40); in tricks 240.
    (
        "pinochle",
        Table(
            2,
            cards={
                "hand.1": ("301", "30A", "30B", "30C", "30D"),
                "taken.2": tuple(f"{suit}0{rank}" for suit in "12346789" for rank in "19ABCD"),
                "trump": ("309",),
            },
        ),
        [190, 240],
    ),
    # Casino (nathanlong/rules): eleven points in a deal; by hand: most cards, ten of diamonds and two aces are 7.
    (
        "casino",
        Table(
            2,
            cards={
                "taken.1": (*(f"{suit}0{rank}" for suit in "12" for rank in "123456789ABCD"), "303"),
                "taken.2": (*(f"{suit}0{rank}" for suit in "34" for rank in "12456789ABCD"), "403"),
            },
            sweeps=(0, 1),
        ),
        [3 + 2 + 2, 1 + 1 + 2 + 1],
    ),
    # Thirty-one (christopher-ridad/blitz_card_game): seven and eight of clubs with the king of diamonds are 15.
    ("thirty-one", Table(2, cards={"melds.1": ("107", "20D", "108"), "melds.2": ("204", "30D", "404")}), [1, -1]),
    ("thirty-one", Table(2, cards={"melds.1": ("107", "20D", "108"), "melds.2": ("205", "20A", "404")}), [0, 0]),
    # 500 Rum, by the values of wmtownsley/rummy-project: three sevens and an ace laid, a king left.
    (
        "rum-500",
        Table(2, cards={"melds.1": ("107", "207", "307", "101")}, entered={"left": (10, 0)}),
        [15 + 15 - 10, 0],
    ),
    # Canasta, by the values of jphd3v/anycard: seven kings, a natural canasta, and out; the others have nothing but a
    # red three, and 25 in hand.
    (
        "canasta",
        Table(
            4,
            cards={"melds.1": ("10D", "20D", "30D", "40D", "60D", "70D", "80D"), "melds.2": ("203",)},
            entered={"natural": (1, None, None, None), "out": (None, None, 1, None), "left": (0, 10, 0, 15)},
        ),
        [70 + 500 + 100, -100 - 25],
    ),
    # Big Two (michaelelalam-glitch/Big-Two-Neo, SCORING_SYSTEM.md): three left are 3, seven 14, eleven 33.
    ("big-two", Table(4, entered={"left": (3, 7, 11, 0)}), [3, 14, 33, 0]),
    # Skat (PHPirates/card-game-rules): the lowest game is diamonds with one, 18; lost, it costs twice that.
    ("skat", Table(3, entered={"game": (None, 1), "matadors": (None, 1), "won": (None, 1)}), [0, 18, 0]),
    ("skat", Table(3, entered={"game": (1,), "matadors": (1,), "won": (0,)}), [-36, 0, 0]),
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


def test_each_of_the_twenty_has_one() -> None:
    assert {name for name, _, _ in EXAMPLES} | {"yacht"} == set(SCORERS)
