"""A match and its thread: those who tap just when it is taken down, and faults in the program itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion import games
from companion.eye.view import TableView
from companion.referee.chain import broken
from companion.referee.commands import Correct, End, Freeze, Name, Play, Reply, Roll, Undo
from companion.referee.history import History, opening
from companion.referee.journal import Header, Journal, JournalError
from companion.referee.match import FAULT, Match
from companion.referee.record import Record
from companion.referee.recovery import RECOVERED
from companion.rules.kernel import RuleError, Turns
from tests.referee.rolling import GAME as COLLECTIBLE
from tests.referee.rolling import until_roll
from tests.referee.table import GAME, GOALS, Table, piece


@pytest.fixture
def match() -> Match:
    header = Header(id="0190", at="2026-01-01T00:00:00Z", game=GAME.info.name, seats=3, mode="ledger")
    return Match(GAME, games.load_mat(GAME.info.name, 3), header, None)


def test_a_wish_to_a_match_that_was_put_away_is_turned_away_at_once(match: Match) -> None:
    match.start()
    assert match.answers(30)
    match.close()
    reply = match.command(Name(seat=1, name="Ada"), timeout=600)
    assert not reply.ok
    assert reply.verdict is not None
    assert reply.verdict.reason == "this match has been put away"


def test_a_wish_that_comes_in_while_a_match_is_put_away_is_answered(match: Match) -> None:
    """It lies in the queue behind what ends the match."""
    replies: list[Reply] = []
    match._post("stop", None)
    tapping = threading.Thread(target=lambda: replies.append(match.command(Name(seat=1, name="Ada"), timeout=600)))
    tapping.start()
    while match._inbox.qsize() < 2:
        assert tapping.is_alive()
    match.start()
    tapping.join(60)
    assert [reply.ok for reply in replies] == [False]


def test_a_match_that_has_ended_does_not_answer(match: Match) -> None:
    match.start()
    match.close()
    assert not match.answers(0.05)


# ------------------------------------------------------------------------------------ faults in the program itself


HEADER = Header(
    id="0190",
    at="2026-01-01T00:00:00Z",
    game=GAME.info.name,
    seats=3,
    mode="ledger",
    setup={"first": 1, "goals": list(GOALS[:3]), "turned_up": [piece("Red moon")]},
    names={1: "Ada"},
)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path)
    yield made
    made.close()


@pytest.fixture
def played(journal: Journal) -> Iterator[Match]:
    """A match with a journal and one record, whose thread runs."""
    match = Match(GAME, games.load_mat(GAME.info.name, 3), HEADER, journal)
    match.start()
    assert turn(match, 2).ok
    yield match
    match.close()


def turn(match: Match, seat: int) -> Reply:
    """Let it be another's turn, by the host's correction."""
    return match.command(Correct(edits=(Turns(seat),), by="host"), timeout=60)


def agrees(match: Match, journal: Journal, count: int) -> bool:
    """Tell whether so many records are on disk, and what is live is what they fold to."""
    records = journal.records(HEADER.id, GAME.action_type)
    again = History(GAME, opening(GAME, match.header))
    again.fold(records)
    shown = match.snapshot
    live = (match.state, shown.record, [line.n for line in shown.log], match.records())
    folded = (again.state, len(records), [one.n for one in records], [one.record for one in again.active])
    return len(records) == count and live == folded and not broken(match.header, records)


def fails(*_: Any) -> Any:
    return 1 / 0


@pytest.mark.parametrize("what", ["on_tick", "on_view", "on_clock"])
def test_a_tick_or_a_view_that_breaks_the_referee_ends_nothing(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(played._referee, what, fails)
    played.tick(1.0)
    played.see(TableView(1, 1.0, ()))
    assert turn(played, 3).ok
    assert played.answers(60)
    assert agrees(played, journal, 2)


def test_a_command_that_breaks_the_referee_is_answered_in_one_sentence(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken_now:
        broken_now.setattr(played._referee._handlers, "handle", fails)
        assert turn(played, 3) == Reply(False, verdict=FAULT)
    assert turn(played, 3).ok
    assert agrees(played, journal, 2)


def test_pictures_and_listeners_that_fail_keep_no_record_from_counting(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(GAME, games.load_mat(GAME.info.name, 3), HEADER, journal, pictures=fails)
    told: list[int] = []
    match.listen(fails)
    match.listen(lambda record: told.append(record.n))
    handlers = match._referee._handlers
    correct = handlers._correct
    by_table = {Correct: lambda command: correct(Correct(edits=command.edits, by="table"))}
    monkeypatch.setattr(handlers, "_handlers", {**handlers._handlers, **by_table})
    match.start()
    assert turn(match, 2).ok
    assert turn(match, 3).ok
    assert told == [1, 2]
    assert agrees(match, journal, 2)
    match.close()


def once(plainly: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """Make a function fail the first time it is called."""
    left = [error]

    def called(*args: Any) -> Any:
        if left:
            raise left.pop()
        return plainly(*args)

    return called


@pytest.mark.parametrize("error", [ZeroDivisionError(), RuleError(FAULT)])
@pytest.mark.parametrize(
    "where", ["History.append", "History._go_on", "MatchProgress.append", "Referee._publish", "TableWatch.follow"]
)
def test_a_fault_after_a_record_was_written_leaves_it_counting_and_the_match_as_it_is_on_disk(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch, where: str, error: Exception
) -> None:
    assert played.command(Name(seat=3, name="Cleo"), timeout=60).ok
    kind, name = where.split(".")
    referee = played._referee
    progress = referee.progress
    parts = {"History": progress.history, "MatchProgress": progress, "Referee": referee, "TableWatch": referee.watch}
    owner = parts[kind]
    append = journal.append

    def written(match: str, record: Record) -> None:
        append(match, record)
        monkeypatch.setattr(owner, name, once(getattr(owner, name), error))

    with monkeypatch.context() as now:
        now.setattr(journal, "append", written)
        reply = turn(played, 3)
    # Where the rules are said to refuse what comes after a record that is in, the record counts as if nothing were.
    assert not reply.ok
    assert agrees(played, journal, 2)
    assert played.snapshot.names == {1: "Ada", 3: "Cleo"}
    assert turn(played, 1).ok
    assert played.command(Undo(by="host"), timeout=60).ok
    assert agrees(played, journal, 4)
    assert Match(GAME, played._guarded._mat, HEADER, journal).state == played.state


def test_a_record_that_can_not_be_taken_in_is_set_aside_and_the_match_goes_on_before_it(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "companion.referee.progress.describe_record"
    with monkeypatch.context() as now:
        now.setattr(told, lambda game, state, record: fails() if record.n == 2 else "words")
        assert turn(played, 3) == Reply(False, verdict=FAULT)
        assert agrees(played, journal, 1)
        assert played.snapshot.sentence == RECOVERED
    assert turn(played, 3).ok
    assert agrees(played, journal, 2)


def test_a_match_that_is_taken_up_again_is_still_stopped(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert played.command(Freeze(by="host"), timeout=60).ok
    append = journal.append

    def written(match: str, record: Record) -> None:
        append(match, record)
        monkeypatch.setattr(played._referee.progress.history, "append", fails)

    with monkeypatch.context() as now:
        now.setattr(journal, "append", written)
        assert not played.command(Undo(by="host"), timeout=60).ok
    assert played.snapshot.sentence == RECOVERED
    assert played.snapshot.frozen


def test_a_match_that_is_taken_up_again_knows_the_table_as_it_lies(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table()
    match = Match(GAME, table.mat, table.header, journal)
    match.start()
    watching: Any = SimpleNamespace(on_view=match.see, snapshot=None)
    table.referee = watching
    table.look()
    assert match.answers(60)
    monkeypatch.setattr(match._referee.progress, "append", fails)
    table.lay("Red star", "collection.1")
    table.look()
    assert match.answers(60)
    shown = match.snapshot
    assert (shown.record, shown.phase, shown.sentence, shown.violation) == (1, "playing", RECOVERED, None)
    table.lay("Blue star", "collection.2")
    table.look()
    assert match.answers(60)
    assert match.snapshot.record == 2
    match.close()


@pytest.mark.parametrize("error", [ZeroDivisionError(), JournalError("the disk is full")])
def test_a_secret_that_was_told_is_not_rolled_with_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A fault comes after the roll was written, and before the next secret was taken."""
    header, records, action = until_roll()
    match = Match(COLLECTIBLE, games.load_mat("collectible", header.seats), header, journal)
    match.start()
    for record in records:
        assert match.command(Play(seat=record.seat, action=record.action, facts=record.facts), timeout=60).ok
    with monkeypatch.context() as now:
        now.setattr(match._referee.watch, "follow", once(match._referee.watch.follow, error))
        assert not match.command(Roll(seat=action.seat, action=action), timeout=60).ok
    proof = match.records()[-1].proof
    assert proof is not None
    assert match.command(Undo(by="host"), timeout=60).ok
    assert match.snapshot.dice.commitment == match._keeper.dice.commitment == proof.next
    assert match._keeper.dice.secret.hex() != proof.secret
    match.close()


def test_where_the_records_can_not_be_read_now_the_match_is_taken_up_as_soon_as_they_can(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(match: str, action_type: Any) -> list[Record]:
        raise JournalError("the card does not answer")

    with monkeypatch.context() as now:
        now.setattr(played._referee.progress, "append", fails)
        now.setattr(journal, "records", unread)
        for seat in (3, 1):
            verdict = turn(played, seat).verdict
            assert verdict is not None
            assert "the card does not answer" in verdict.reason
        assert played.answers(60)
    assert turn(played, 1).ok
    assert agrees(played, journal, 3)


def test_a_match_without_a_journal_is_taken_up_from_what_it_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(GAME, games.load_mat(GAME.info.name, 3), HEADER, None)
    match.start()
    assert turn(match, 2).ok
    monkeypatch.setattr(match._referee.progress, "append", fails)
    assert not turn(match, 3).ok
    assert match.snapshot.record == 2
    assert match.command(End(by="host"), timeout=60).record == 3
    match.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_match_whose_thread_is_gone_holds_up_neither_the_eye_nor_who_taps(match: Match) -> None:
    def ends(time: float) -> None:
        raise SystemExit

    match._referee.on_tick = ends  # type: ignore[method-assign]
    match.start()
    match.tick(1.0)
    match.thread.join(60)
    assert not match.answers(0.05)
    for frame in range(1500):
        match.see(TableView(frame, float(frame), ()))
    assert not match.command(Name(seat=1, name="Ada"), timeout=600).ok


def test_a_match_that_hangs_holds_the_eye_up_for_a_while_only(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread is not even started: nobody takes anything out of the queue."""
    monkeypatch.setattr("companion.referee.match.FULL", 0.01)
    for frame in range(1005):
        match.see(TableView(frame, float(frame), ()))
    with pytest.raises(TimeoutError):
        match.command(Name(seat=1, name="Ada"), timeout=0.05)


def test_a_name_that_can_not_be_written_is_not_shown(played: Match, journal: Journal) -> None:
    assert played.command(Name(seat=1, name="Bo", colour="blue"), timeout=60).ok
    before = played.snapshot
    journal._db.execute("PRAGMA query_only=ON")
    reply = played.command(Name(seat=1, name="Eve", colour="green"), timeout=60)
    assert not reply.ok
    assert (played.snapshot.names, played.snapshot.colours) == (before.names, before.colours)
    assert "can't be written" in played.snapshot.sentence
    journal._db.execute("PRAGMA query_only=OFF")
    assert Match(GAME, played._guarded._mat, HEADER, journal).snapshot.names == before.names
    assert played.command(Name(seat=1, name="Eve"), timeout=60).ok
    assert played.snapshot.names[1] == "Eve"


def test_of_a_name_and_a_colour_what_could_be_written_is_shown(
    played: Match, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(match: str, seat: int, colour: str) -> None:
        raise JournalError("the disk is full")

    colours = played.snapshot.colours
    monkeypatch.setattr(journal, "colour", full)
    assert not played.command(Name(seat=1, name="Eve", colour="green"), timeout=60).ok
    assert played.snapshot.names[1] == "Eve"
    assert played.snapshot.colours == colours
    again = Match(GAME, played._guarded._mat, HEADER, journal).snapshot
    assert (again.names, again.colours) == (played.snapshot.names, colours)
