"""Games from files through an evening: on phones, the display and paper, interrupted, and looked back on."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.devices.display_pages import _choices
from companion.games.from_file.flow import won
from companion.press.debrief import debrief
from companion.referee.commands import Play
from companion.referee.course import course
from companion.referee.journal import Header, Journal, new_id, now
from companion.referee.match import Match
from companion.referee.referee import Referee
from companion.sim.robots import choose
from companion.sim.world import world_of
from tests.games.from_file.test_playing import begun

# ------------------------------------------------------------------------------------ what is due, before what is aside


@pytest.mark.parametrize(
    ("name", "seats", "first"), [("yacht", 2, "roll"), ("hearts", 4, "lay"), ("spades", 4, "say-bid")]
)
def test_what_is_due_is_offered_before_what_can_be_typed_at_any_time(name: str, seats: int, first: str) -> None:
    game, state = begun(name, seats)
    may = game.view(state, 1).may
    assert next(one.name for one in may if one.verdict.ok) == first
    assert [one.aside for one in may] == sorted(one.aside for one in may)


def test_the_display_says_what_is_due_and_not_all_that_can_be_typed() -> None:
    game = games.load("yacht")
    header = Header(id="m", at="", game="yacht", seats=2, mode="ledger")
    snapshot = Referee(game, games.load_mat("yacht", 2), header).snapshot
    assert _choices(snapshot, 1, lambda words: words) == "Roll the dice"
    gin = Header(id="m", at="", game="gin-rummy", seats=2, mode="ledger")
    assert _choices(Referee(games.load("gin-rummy"), games.load_mat("gin-rummy", 2), gin).snapshot, 1, str) == ""


def test_one_point_is_one_point() -> None:
    assert won((2,), 1, "rounds").words == "@2 wins with one point."
    assert won((1, 3), 4, "points").words == "@1 and @3 win with 4 points."


@pytest.mark.night
@pytest.mark.parametrize("name", ["gin-rummy", "hearts", "yacht"])
def test_a_match_that_is_interrupted_goes_on_as_it_was_and_is_looked_back_on(name: str, tmp_path: Path) -> None:
    seats, rng = 4 if name == "hearts" else 2, random.Random(5)
    game, mat, options = games.load(name), games.load_mat(name, seats), {"rounds": 1}
    world = world_of(game, seats, options, rng)
    setup = msgspec.to_builtins(world.setup())
    header = Header(id=new_id(), at=now(), game=name, seats=seats, mode="ledger", options=options, setup=setup)
    journal = Journal(tmp_path)
    state = game.setup(seats, options, world.setup())
    world.deal(state)
    match = Match(game, mat, header, journal)
    match.start()
    while game.actors(state):
        action = choose(game, state, world, rng)
        facts = world.facts(state, action)
        after = game.play(state, action, facts)
        world.apply(state, action, after)
        assert match.command(Play(seat=action.seat, action=action, facts=facts)).ok
        state = after
        if match.snapshot.record == 5:
            before = match.snapshot
            match.close()
            match = Match(game, mat, header, journal)
            match.start()
            assert (match.snapshot.views, match.snapshot.standing) == (before.views, before.standing)
    match.close()
    assert match.snapshot.standing.outcome.winners == state.outcome.winners
    seen = course(game, header, journal.records(header.id, game.action_type))
    assert seen.moments[-1].scores == tuple(one.score for one in game.standing(state).seats)
    asked: list[str] = []
    assert debrief(seen, lambda words: asked.append(words) or words).startswith(b"%PDF")
    assert "Who did what" in asked
    assert f"Scores of {game.info.title}" in asked or "Scores" in asked
