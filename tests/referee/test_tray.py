"""Dice that the camera reads (C6): a sure roll counts, an unsure one is asked about, what is wrong is said."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion import games
from companion.eye.view import DiceSeen, DieSeen, TableView, ThingSeen, Unread
from companion.referee import questions
from companion.referee.commands import Answer, Play, Throw, Undo
from companion.referee.referee import Referee
from companion.referee.tray import Awaited
from companion.rules.kernel import Rolled
from tests.referee.rolling import GAME, until_roll

MAT = games.load_mat("collectible", 4)
OLD = (DieSeen(10.0, 10.0, 0.0, 16.0, 2), DieSeen(40.0, 10.0, 0.0, 16.0, 5))
BEFORE = DiceSeen("tray", OLD)


def dice(*values: int | None, unread: int = 0, shift: float = 0.0, place: str = "in") -> DiceSeen:
    return DiceSeen(
        "tray",
        tuple(DieSeen(100.0 + 30 * n + shift, 50.0, 10.0, 16.0, value, place) for n, value in enumerate(values)),
        tuple(thing(30.0 * n) for n in range(unread)),
    )


def thing(x: float = 0.0, y: float = 80.0, w: float = 16.0, h: float = 16.0) -> ThingSeen:
    return ThingSeen(x, y, w, h, w * h)


def one_beside(seen: DiceSeen) -> DiceSeen:
    return replace(seen, dice=(*seen.dice[:-1], replace(seen.dice[-1], place="out")))


class Tray:
    """A match in which two dice are due, before a camera that sees a tray; what else lies there is as expected."""

    def __init__(self, seen: DiceSeen = BEFORE) -> None:
        header, records, self.action = until_roll()
        self.referee = Referee(GAME, MAT, replace(header, mode="assist"), records)
        self.referee.watch.restoring = False
        self.count = len(records)
        self.time = 0.0
        self.look(seen)

    def look(self, seen: DiceSeen, settled: bool = True) -> None:
        self.time += 1.0
        view = TableView(int(self.time), self.time, (), settled=settled, dice=(seen,))
        # Cards play no part here: only what the tray says is looked at.
        self.referee.watch.owed = self.referee.watch.wrong()
        self.referee.on_view(view)

    @property
    def rolled(self) -> tuple[int, ...] | None:
        records = self.referee.records()[self.count :]
        facts = [fact for record in records[:1] for fact in record.facts]
        return facts[0].values if facts and isinstance(facts[0], Rolled) else None

    @property
    def says(self) -> str:
        return self.referee.snapshot.sentence


def test_dice_that_lay_there_before_are_no_roll() -> None:
    tray = Tray()
    tray.look(DiceSeen("tray", OLD))
    tray.look(DiceSeen("tray", tuple(replace(die, x=die.x + 1.5) for die in OLD)))
    assert tray.rolled is None


@pytest.mark.parametrize("left", [OLD[:1], ()])
def test_dice_that_a_hand_hid_when_the_roll_became_due_are_no_roll(left: tuple[DieSeen, ...]) -> None:
    tray = Tray()
    tray.look(DiceSeen("tray", left))
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(DiceSeen("tray", OLD))
    assert tray.rolled is None
    assert tray.referee.snapshot.question is None
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)


def test_an_old_die_that_could_not_be_read_at_first_is_no_throw_in_better_light() -> None:
    tray = Tray()
    tray.look(DiceSeen("tray", OLD[:1], (thing(32.0, 2.0),)))
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(DiceSeen("tray", OLD))
    assert tray.rolled is None
    assert tray.referee.snapshot.question is None
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)


def test_dice_that_can_be_read_where_things_lay_are_no_throw_and_elsewhere_they_are() -> None:
    tray = Tray(DiceSeen("tray", (), (thing(2.0, 2.0), thing(32.0, 2.0))))
    tray.look(DiceSeen("tray", OLD))
    assert tray.rolled is None
    assert tray.referee.snapshot.question is None
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)


def test_old_dice_that_can_not_be_read_any_more_are_no_throw() -> None:
    tray = Tray()
    tray.look(DiceSeen("tray", OLD[:1], (thing(31.0, 3.0),)))
    tray.look(DiceSeen("tray", (), (thing(1.0, 1.0, 50.0, 20.0),)))
    assert tray.rolled is None
    assert tray.referee.snapshot.question is None
    assert "roll 2" not in tray.says


WORD = thing(60.0, 20.0, 26.0, 8.0)
"""A word that is printed in the tray."""


def test_a_word_that_is_printed_in_the_tray_is_no_die() -> None:
    tray = Tray(DiceSeen("tray", OLD, (WORD,)))
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(replace(dice(3, 4), things=(WORD,)))
    assert tray.rolled == (3, 4)


def test_what_a_die_leaves_of_a_printed_word_is_no_die() -> None:
    tray = Tray(DiceSeen("tray", OLD, (WORD,)))
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(replace(dice(3, 4), things=(thing(60.5, 20.0, 7.0, 8.0), thing(80.0, 21.0, 6.0, 8.0))))
    assert tray.rolled == (3, 4)


def test_something_larger_than_the_word_where_it_is_printed_may_be_a_die() -> None:
    tray = Tray(DiceSeen("tray", OLD, (WORD,)))
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(replace(dice(3), things=(thing(62.0, 17.0, 22.0, 15.0),)))
    question = tray.referee.snapshot.question
    assert question is not None
    assert question.words.startswith("The dice show 3, and there is one that I can't read")


def test_a_printed_word_is_remembered_once_however_often_dice_are_thrown() -> None:
    waiting = Tray(DiceSeen("tray", OLD, (WORD,))).referee.watch.tray
    for throw in range(20):
        seen = replace(dice(3, 4, shift=9.0 * (throw % 2)), things=(WORD,))
        waiting.again(TableView(throw, float(throw), (), dice=(seen,)))
    assert waiting._printed == (WORD,)


@pytest.mark.parametrize("left", [dice(6, shift=90.0, place="out"), dice(None, shift=90.0)])
def test_a_die_that_lies_beside_the_tray_or_unread_since_before_was_not_thrown(left: DiceSeen) -> None:
    tray = Tray(replace(left, dice=(*OLD, *left.dice)))
    tray.look(replace(left, dice=(*dice(3, 4).dice, *left.dice)))
    assert tray.rolled == (3, 4)


def test_a_word_that_dice_hid_when_the_roll_became_due_is_known_from_the_throw_before() -> None:
    tray, hidden = Tray(DiceSeen("tray", OLD, (WORD,))), dice(1, 2, shift=9.0)
    tray.look(replace(dice(3, 4), things=(WORD,)))
    waiting = tray.referee.watch.tray
    waiting.wait(Awaited(tray.action, GAME.needs(None, tray.action)[0]), TableView(9, 9.0, (), dice=(hidden,)))
    thrown = waiting.look(TableView(10, 10.0, (), dice=(replace(dice(5, 6), things=(WORD,)),)))
    assert thrown is not None
    assert thrown.sure


def test_dice_that_a_camera_finds_when_it_comes_back_are_no_throw() -> None:
    tray = Tray()
    tray.referee.watch.view = TableView(2, 2.0, (), settled=True)
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    tray.look(DiceSeen("tray", OLD))
    assert tray.rolled is None
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)


@pytest.mark.parametrize("value", [0, 7, 255, 2**63 - 1, -1])
def test_what_shows_what_no_die_does_was_not_read(value: int) -> None:
    tray = Tray()
    tray.look(dice(3, value))
    assert tray.rolled is None
    question = tray.referee.snapshot.question
    assert question is not None
    assert question.words.startswith("The dice show 3, and there is one that I can't read: it is covered, ")


def test_a_sure_roll_counts_once_the_dice_lie_still() -> None:
    tray = Tray()
    tray.look(dice(3, 4), settled=False)
    assert tray.rolled is None
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)


def test_the_same_values_elsewhere_are_a_roll() -> None:
    tray = Tray()
    tray.look(dice(2, 5))
    assert tray.rolled == (2, 5)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (dice(3), "1 die lies in the tray, and 2 are due: roll 2."),
        (dice(1, 2, 3, 4, 5, 6), "6 dice lie in the tray, and 2 are due: roll 2."),
        (dice(3, 4, place="out"), "2 dice have fallen out of the tray, which is on the right: roll again."),
        (dice(3, 4, place="edge"), "2 dice have fallen out of the tray, which is on the right: roll again."),
        (one_beside(dice(3, 4)), "A die has fallen out of the tray, which is on the right: roll again."),
        (dice(None, None), "I can't read all the dice: move what covers them, or type what they show."),
        (dice(None, unread=1), "I can't read all the dice: move what covers them, or type what they show."),
    ],
)
def test_what_is_wrong_with_a_roll_is_said_and_nothing_counts(seen: DiceSeen, words: str) -> None:
    tray = Tray()
    tray.look(seen)
    assert tray.says == words
    assert tray.rolled is None
    tray.look(dice(3, 4, shift=9.0))
    assert tray.rolled == (3, 4)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (Unread.LEANS, "it leans on something"),
        (Unread.NO_MARK, "a 6 or a 9 whose mark doesn't show"),
        (Unread.UNCLEAR, "it is covered, a lamp is mirrored in it, or its picture is unclear"),
    ],
)
def test_of_the_only_die_that_was_not_read_it_is_said_why_and_one_tap_gives_it(why: Unread, words: str) -> None:
    tray = Tray()
    seen = dice(3, None)
    tray.look(replace(seen, dice=(seen.dice[0], replace(seen.dice[1], why=why))))
    assert tray.rolled is None
    question = tray.referee.snapshot.question
    assert question is not None
    assert words in question.words
    assert [choice.key for choice in question.choices] == ["1", "2", "3", "4", "5", "6", "no"]
    assert tray.referee.command(Answer(question=question.id, choice="5", seat=tray.action.seat)).ok
    assert tray.rolled == (3, 5)


def test_of_every_reason_why_a_die_is_not_read_there_are_words() -> None:
    assert questions._WHY.keys() == set(Unread)


def test_who_taps_none_of_the_values_rolls_again() -> None:
    tray = Tray()
    tray.look(dice(3, unread=1))
    question = tray.referee.snapshot.question
    assert question is not None
    tray.referee.command(Answer(question=question.id, choice="no", seat=tray.action.seat))
    assert tray.says == "Type what the dice show, or roll again."
    tray.look(dice(4, 4, shift=9.0))
    assert tray.rolled == (4, 4)


def test_a_reading_that_is_not_sure_is_asked_about() -> None:
    tray = Tray()
    tray.look(dice(6, 1, unread=1))
    question = tray.referee.snapshot.question
    assert question is not None
    assert question.words == "Do the dice show 1 and 6?"
    assert question.seats == (tray.action.seat,)
    assert tray.referee.command(Answer(question=question.id, choice="yes", seat=tray.action.seat)).ok
    assert tray.rolled == (1, 6)


def test_who_says_no_types_the_dice_or_rolls_again() -> None:
    tray = Tray()
    tray.look(dice(6, 1, unread=1))
    question = tray.referee.snapshot.question
    assert question is not None
    tray.referee.command(Answer(question=question.id, choice="no", seat=tray.action.seat))
    tray.look(dice(6, 1, unread=1))
    assert tray.referee.snapshot.question is None
    facts = (Rolled(place="dice", values=(6, 2)),)
    assert tray.referee.command(Play(seat=tray.action.seat, action=tray.action, facts=facts)).ok
    assert tray.rolled == (6, 2)


def test_a_roll_that_stands_in_the_journal_is_not_read_again() -> None:
    tray = Tray()
    tray.look(dice(3, 4))
    count = len(tray.referee.records())
    tray.look(dice(3, 5))
    assert len(tray.referee.records()) == count


def test_c4_after_an_undo_the_same_roll_counts_whatever_lies_in_the_tray() -> None:
    tray = Tray()
    tray.look(dice(3, 4))
    steps = len(tray.referee.records()) - tray.count
    tray.referee.command(Undo(steps=steps, by="host"))
    tray.referee.watch.restoring = False
    tray.referee.watch.enter()
    tray.look(dice(6, 6, shift=20.0))
    assert tray.rolled == (3, 4)


def test_where_no_camera_reads_dice_they_are_typed() -> None:
    header, records, action = until_roll()
    ledger = Referee(GAME, MAT, header, records)
    reply = ledger.command(Throw(seat=action.seat, action=action))
    assert reply.verdict is not None
    assert reply.verdict.remedy == "Type what they show."


def test_a_phone_may_say_what_the_real_dice_are_for() -> None:
    tray = Tray()
    assert tray.referee.command(Throw(seat=tray.action.seat, action=tray.action)).ok
    assert "2 dice in the tray" in tray.says
    tray.look(dice(3, 4))
    assert tray.rolled == (3, 4)
