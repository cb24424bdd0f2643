"""COLLECTION!: what a debrief is told of engagements, rolls, reports and help."""

from __future__ import annotations

from companion.games.collection.engaging import Engage
from companion.games.collection.moving import Move
from companion.games.collection.rolling import Roll
from companion.games.collection.state import State
from companion.rules.kernel import Remark
from tests.games.collection.situations import GAME, gems, scenario, situation, threw


def together() -> State:
    """The three analysts on DO in A, with political and military gems there, at a response level of 5."""
    return situation(at=("DO", "DO", "DO"), a=scenario(levels={"DO": 5}, engaged={"DO": gems(2, 1)}))


def test_a_roll_tells_its_chance_who_helped_and_whether_it_gave_a_report() -> None:
    found = GAME.remarks(together(), Roll(seat=1, colour="political"), (threw(4, 9, 9),))
    assert found == (
        Remark("rolls", 1, "The chance was 3 dice, below 5: 78 %."),
        Remark("help", 2, "@2 helps with a die.", 1, 1),
        Remark("reports", 1, ""),
    )


def test_a_roll_that_fails_gave_no_report() -> None:
    found = GAME.remarks(together(), Roll(seat=1, colour="political"), (threw(5, 9, 9),))
    assert [remark.kind for remark in found] == ["rolls", "help"]


def test_an_engagement_counts_and_other_actions_do_not() -> None:
    assert GAME.remarks(situation(), Engage(seat=1, colour="political"), ()) == (Remark("engagements", 1, ""),)
    assert GAME.remarks(situation(), Move(seat=1, scenario="A", collector="NSA"), ()) == ()
