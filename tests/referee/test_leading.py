"""What a host or a trainer does to lead a match: stop it for a moment, give a hint, be the only one who undoes."""

import pytest

from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Freeze, Hint, Name, Play, Redo, Undo
from companion.referee.progress import Before
from companion.referee.referee import Referee
from tests.referee.bidding import until_bidding
from tests.referee.table import GAME, Table


def test_while_the_match_is_stopped_nobody_plays_and_it_goes_on_as_it_was():
    table = Table()
    assert table.do(Freeze(by="host")).ok
    assert table.now.frozen
    reply = table.says(Nothing(seat=1))
    assert "stopped" in reply.verdict.reason
    assert table.do(Name(seat=1, name="Ada")).ok
    assert table.do(Freeze(frozen=False, by="host")).ok
    assert table.says(Nothing(seat=1)).ok


def test_nobody_but_the_host_lets_it_go_on():
    table = Table()
    table.do(Freeze(by="host"))
    assert not table.do(Freeze(frozen=False, by="phone")).ok


def test_what_is_laid_while_the_match_is_stopped_counts_once_it_goes_on():
    table = Table()
    table.look()
    table.do(Freeze(by="host"))
    table.lay("Red star", "collection.1")
    table.look()
    assert table.records == []
    table.do(Freeze(frozen=False, by="host"))
    table.look()
    table.look()
    assert [type(action).__name__ for _, action in table.records] == ["Add"]


def test_the_clock_stands_still_while_the_match_is_stopped():
    header, records = until_bidding()
    from companion import games

    table = Referee(
        games.load("collectible"), games.load_mat("collectible", 4), header, records, before=Before(time=100.0)
    )
    table.command(Freeze(by="host"))
    table.on_clock(900.0)
    assert len(table.records()) == len(records)
    table.command(Freeze(frozen=False, by="host"))
    assert table.snapshot.timer.remaining(900.0) == 20.0


@pytest.mark.parametrize(("seat", "ok"), [(0, True), (3, True), (4, False), (-1, False)])
def test_a_hint_is_for_a_seat_or_for_everybody(seat, ok):
    table = Table(seats=3)
    assert table.do(Hint(seat=seat, words="Think  of the discard pile.", by="host")).ok == ok
    assert (table.now.hint is not None) == ok
    if ok:
        assert table.now.hint.words == "Think of the discard pile."
        table.do(Hint(by="host"))
        assert table.now.hint is None


def test_under_a_trainer_only_the_host_takes_steps_back():
    from msgspec.structs import replace

    table = Table()
    led = Referee(GAME, table.mat, replace(table.header, trainer=True, mode="ledger"))
    led.command(Play(seat=1, action=Nothing(seat=1)))
    assert led.command(Undo(by="button")).verdict.rule == "trainer"
    assert led.command(Undo(by="host")).ok
    assert led.command(Redo(by="button")).verdict.rule == "trainer"
    assert led.command(Redo(by="host")).ok
