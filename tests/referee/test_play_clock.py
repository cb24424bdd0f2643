"""The clock that is played against: a turn timer, a chess clock, a sand glass. It tells, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import games
from companion.devices.buzzer import heard
from companion.devices.display_pages import Invitation, draw, offered
from companion.games.from_file import FromFile
from companion.games.from_file.rolling import Fill, Roll
from companion.referee.commands import Freeze, Pause, Play, TurnGlass, Undo
from companion.referee.journal import Header, Journal
from companion.referee.match import Match
from companion.referee.progress import Before
from companion.referee.referee import Referee
from companion.rules.kernel import Rolled, Timing
from companion.server.documents import PUBLIC, Extras, document
from companion.table.folding import TellError, checked

GAME = games.load("yacht")
MAT = games.load_mat("yacht", 2)
ROLLED = (1, 2, 3, 4, 5)


class Table:
    """A match of Yacht for two, without a table to look at; `pass_time` lets the people's seconds pass."""

    def __init__(self, kind: str, seconds: int, journal: Journal | None = None, now: float = 100.0) -> None:
        self.now = now
        timing = Timing(kind, seconds)
        header = Header(id="0190", at="2026-11-24T10:00:00Z", game="yacht", seats=2, mode="ledger", timing=timing)
        if journal is None:
            self.referee = Referee(GAME, MAT, header, before=Before(time=now))
        else:
            self.match = Match(GAME, MAT, header, journal, clock=lambda: self.now)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.referee.on_clock(self.now)

    def play(self, seat: int) -> None:
        """Have a seat roll and fill a box; then the other one is due."""
        facts = (Rolled(place="dice", values=ROLLED),)
        reply = self.referee.command(Play(seat=seat, action=Roll(seat=seat), facts=facts))
        assert reply.ok, reply
        assert self.referee.command(Play(seat=seat, action=Fill(seat=seat, box=self.box()))).ok

    def box(self) -> str:
        empty = self.referee.state.now.boxes[self.referee.state.now.turn - 1].index(None)
        return GAME.components.boxes[empty].name

    @property
    def left(self) -> float:
        timer = self.referee.snapshot.play_timer
        assert timer is not None
        return timer.remaining(self.now)


def test_a_turn_timer_tells_once_that_the_time_is_up_and_decides_nothing() -> None:
    table = Table("turn", 30)
    table.pass_time(29.5)
    assert (table.left, table.referee.snapshot.sentence) == (0.5, "")
    table.pass_time(0.5)
    assert table.referee.snapshot.sentence == "The time of seat 1 for this turn is up."
    assert table.referee.snapshot.play_timer.over
    assert table.referee.progress.history.count == 0
    before = table.referee.snapshot
    table.pass_time(60)
    assert table.referee.snapshot is before
    table.play(1)
    assert table.left == 30.0


def test_a_chess_clock_counts_a_seats_own_turns_and_gives_nothing_back() -> None:
    table = Table("chess", 60)
    table.pass_time(10)
    table.play(1)
    table.pass_time(20)
    assert table.left == 40.0
    table.play(2)
    assert (table.left, table.referee.snapshot.play_timer.each) == (50.0, (50.0, 40.0))
    table.referee.command(Undo(by="host"))
    assert table.left == 40.0
    table.pass_time(40)
    assert table.referee.snapshot.sentence == "Seat 2 has no time left."


def test_a_sand_glass_runs_when_somebody_turns_it_over() -> None:
    table = Table("glass", 45)
    table.pass_time(500)
    assert table.left == 45.0
    assert table.referee.command(TurnGlass()).ok
    table.pass_time(30)
    assert table.left == 15.0
    assert table.referee.command(TurnGlass()).ok
    table.pass_time(45)
    assert (table.left, table.referee.snapshot.sentence) == (0.0, "The sand glass has run out.")
    assert table.referee.command(TurnGlass()).ok
    assert table.left == 45.0
    assert not Table("turn", 45).referee.command(TurnGlass()).ok


@pytest.mark.parametrize("stop", [Pause(by="host"), Freeze(by="host")])
def test_the_host_stops_it(stop: Pause | Freeze) -> None:
    table = Table("turn", 30)
    table.pass_time(10)
    assert table.referee.command(stop).ok
    table.pass_time(100)
    assert table.left == 20.0


def test_what_everybody_has_left_is_left_after_a_restart(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    table = Table("chess", 60, journal)
    table.match.start()
    table.now += 2.0  # more is taken for a computer that stood still
    assert table.match.answers(60)
    table.match.close()
    again = Table("chess", 60, journal, now=9000.0).match.snapshot.play_timer
    assert again is not None
    assert (again.each[1], again.remaining(9000.0)) == (60.0, 58.0)


def test_a_bid_has_its_own_clock_and_the_pages_show_one() -> None:
    table = Table("turn", 30)
    session = type("Session", (), {"cards": {}, "mat": MAT, "preparing": (), "lays": (), "guide": None})()
    doc = document(PUBLIC, table.referee.snapshot, Extras(), session)
    assert (doc["clock"]["name"], doc["clock"]["left"], doc["auction"]) == ("Seat 1", 30.0, None)


def test_display_and_buzzer_say_that_the_time_is_up() -> None:
    table = Table("turn", 30)
    begun = table.referee.snapshot
    assert offered(begun, Invitation())[0] == "clock"
    runs = draw("clock", begun, Invitation(), table.now)[0]
    table.pass_time(30)
    assert draw("clock", table.referee.snapshot, Invitation(), table.now)[0].tobytes() != runs.tobytes()
    assert heard(begun, table.referee.snapshot) == "time-up"
    assert heard(table.referee.snapshot, table.referee.snapshot) is None


def test_a_file_names_its_clock_and_a_match_from_elsewhere_has_none_that_there_is_not(
    made: Callable[[str], games.Game],
) -> None:
    assert made('clock = { kind = "chess", seconds = 300 }').info.timing == Timing("chess", 300)
    header = Header(id="1", at="", game="yacht", seats=2, timing=Timing("sundial", 60))
    with pytest.raises(TellError, match="no clock called 'sundial'"):
        checked(header)


@pytest.fixture
def made() -> Callable[[str], games.Game]:
    def make(more: str) -> games.Game:
        text = (Path(__file__).parents[2] / "card_codes" / "yacht" / "score.toml").read_text()
        return FromFile(GAME.deck, f"{more}\n{text}", GAME.components.places)

    return make
