"""Where the trays are, and what people are told of it; ten-sided dice in a tray that is for them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion import games
from companion.eye.view import DiceSeen, DieSeen, TableView
from companion.games.collection.rolling import Roll
from companion.games.loader import load_neutral_mat
from companion.referee.questions import last_die
from companion.referee.tray import Awaited, Thrown, Tray, awaited
from companion.rules.kernel import Need

NEUTRAL = ("grid", "melds", "piles", "row", "show", "tricks")


@pytest.mark.parametrize(
    ("name", "seats", "words"),
    [
        ("collectible", 4, "on the right"),
        ("collectible", 2, "at the near edge, on the right"),
        ("collection", 7, "at the far edge"),
        ("karmic-collections", 2, "at the near edge, on the left"),
        ("karmic-collections", 6, ""),
        ("row", 4, "at the near edge"),
    ],
)
def test_people_are_told_where_the_tray_is(name, seats, words):
    mat = load_neutral_mat(name, seats) if name in NEUTRAL else games.load_mat(name, seats)
    assert Tray(mat).place == words


def ten(*values, shift=0.0):
    dice = tuple(DieSeen(460.0 + 30 * n + shift, 45.0, 200.0, 16.0, value) for n, value in enumerate(values))
    return DiceSeen("tray", dice, sides=10)


def view(seen, time=1.0, **other):
    return TableView(int(time), time, (), dice=(seen,), **other)


ROLL = Awaited(Roll(seat=1, colour="red"), Need("dice", "rolled", "", count=2, sides=10))


def test_a_roll_of_ten_sided_dice_waits_at_a_tray_that_is_for_them():
    tray = Tray(games.load_mat("collection", 5))
    tray.wait(ROLL, view(ten(3)))
    assert tray.look(view(ten(3), 2.0)) is None
    assert tray.look(view(ten(10, 7, shift=9.0), 3.0)) == Thrown((7, 10), sure=True)


class Rolling:
    """A game in which dice are due."""

    def __init__(self, *needs):
        self.due = needs

    def needs(self, state, action):
        return self.due


@pytest.mark.parametrize(("sides", "waits"), [(6, True), (10, True), (8, False)])
def test_a_roll_of_dice_that_the_camera_reads_is_waited_for(sides, waits):
    need = Need("dice", "rolled", "", count=2, sides=sides)
    assert (awaited(Rolling(need), None, ROLL.action) == Awaited(ROLL.action, need)) is waits
    assert awaited(Rolling(need, need), None, ROLL.action) is None


def test_in_a_tray_for_six_sided_dice_no_ten_sided_ones_are_waited_for():
    tray = Tray(games.load_mat("collectible", 4))
    tray.wait(ROLL, view(ten(3)))
    assert tray.awaited is None


def test_of_dice_thrown_elsewhere_it_is_told_where_the_tray_is():
    tray = Tray(games.load_mat("collection", 5))
    tray.throw(ROLL, view(ten(), covered=frozenset({"deck"})))
    assert tray.look(view(ten(), 2.0, covered=frozenset({"deck"}))) is None
    told = tray.look(view(ten(), 3.0, covered=frozenset({"deck", "scenario-b"})))
    assert told.words == "Something lies on Scenario B. If these are the dice: the tray is at the far edge, roll there"
    assert tray.look(view(ten(4, 10), 4.0, covered=frozenset({"scenario-b"}))).values == (4, 10)


def test_who_has_not_said_that_they_throw_is_told_nothing_of_what_lies_about():
    tray = Tray(games.load_mat("collection", 5))
    tray.wait(ROLL, view(ten()))
    assert tray.look(view(ten(), 2.0, covered=frozenset({"deck"}))) is None


class Same:
    """A game in which nothing changes."""

    def play(self, state, action, facts):
        return state


def test_one_tap_gives_a_ten_sided_die_that_was_not_read_and_a_0_counts_10():
    asked = last_die(Same(), None, ROLL, Thrown((4,), missing="mark"))
    assert "a 6 or a 9 whose mark doesn't show" in asked.question.words
    choices = {choice.key: choice.words for choice in asked.question.choices}
    assert list(choices) == [str(value) for value in range(1, 11)] + ["no"]
    assert choices["10"] == "0, which counts 10"
    (step,) = asked.answers["10"].steps
    assert step.facts[0].values == (4, 10)
    assert replace(asked.question, choices=()).kind == "dice"
