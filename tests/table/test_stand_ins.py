"""Robots that sit in at a real table: they say what can be said, want what somebody has to look up in a hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion import games
from companion.referee.commands import Freeze, Play
from companion.referee.journal import Header, new_id, now
from companion.referee.match import Match
from companion.rules.kernel import TABLE, holes
from companion.sim.world import World, world_of
from companion.table.stand_ins import THINK, StandIns

LONG = 60
"""Records after which enough was seen of a match."""


class Evening:
    """A match in a ledger, with a world of cards behind it, and a clock that is turned by hand."""

    def __init__(self, name: str, seats: int, seed: int = 3, file: Path | None = None) -> None:
        self.game = games.load(name)
        self.rng = random.Random(seed)
        self.world: World = world_of(self.game, seats, {}, self.rng)
        setup = msgspec.to_builtins(self.world.setup())
        header = Header(id=new_id(), at=now(), game=name, seats=seats, mode="ledger", setup=setup, bid_seconds=0)
        self.match = Match(self.game, games.load_mat(name, seats), header, None)
        self.match.start()
        self.time = 0.0
        self.robots = StandIns(lambda: self.match, lambda: self.time, seed, file)
        self.state = self.match.state if not self.match.records() else self.game.setup(seats, {}, self.world.setup())
        self.world.deal(self.state)
        self.followed = 0
        self.follow()

    def follow(self) -> None:
        """Let the hidden cards follow what was recorded."""
        for record in self.match.records()[self.followed :]:
            assert record.action is not None
            before, self.state = self.state, self.game.play(self.state, record.action, record.facts)
            self.world.apply(before, record.action, self.state)
            self.followed += 1

    def wait(self, seconds: float) -> None:
        self.time += seconds
        self.robots.look()
        self.follow()

    def play(self, action: Any) -> None:
        reply = self.match.command(Play(seat=action.seat, action=action, facts=self.world.facts(self.state, action)))
        assert reply.ok, reply
        self.follow()

    def upkeep(self) -> None:
        """Do what the table has to do, as people would."""
        while self.game.actors(self.state) == (TABLE,):
            due = [one for one in self.world.choices(self.state) if one.seat == TABLE]
            self.play(self.rng.choice(due))

    def wanted(self) -> dict[int, str]:
        return self.robots.there()


@pytest.fixture
def evening(request: pytest.FixtureRequest) -> Iterator[Evening]:
    made = Evening(*request.param)
    made.upkeep()
    made.robots.look()
    yield made
    made.match.close()


FCC = ("five-cards-collector", 3)


@pytest.mark.parametrize("evening", [(name, 3) for name in games.packages()], indirect=True, ids=games.packages())
def test_in_every_game_robots_at_all_seats_play_on_with_somebody_to_look_at_their_hands(evening: Evening) -> None:
    for seat in (1, 2, 3):
        evening.robots.sit(seat, robot=True)
    by: Counter[str] = Counter()
    refused = 0
    for _ in range(40 * LONG):
        if not evening.game.actors(evening.state) or len(evening.match.records()) >= LONG:
            break
        evening.upkeep()
        evening.wait(THINK)
        for seat, words in evening.wanted().items():
            if not words:
                continue
            template = evening.robots._wanted[seat]
            fitting = list(evening.world.ground_actions(evening.state, template))
            if fitting:
                evening.play(fitting[0])
                break
            refused += 1
            evening.robots.reject_suggestion(seat)
            evening.follow()
    by.update(record.by for record in evening.match.records())
    assert evening.game.audit(evening.match.state) == ()
    assert not evening.game.actors(evening.state) or len(evening.match.records()) >= LONG, (by, refused)
    assert by["robot"] > 0, by


@pytest.mark.parametrize("evening", [FCC], indirect=True)
def test_a_robot_thinks_a_little_and_plays_no_seat_but_its_own(evening: Evening) -> None:
    first = evening.game.actors(evening.state)[0]
    evening.robots.sit(first % 3 + 1, robot=True)
    evening.wait(100)
    assert evening.wanted() == {first % 3 + 1: ""}
    evening.robots.sit(first, robot=True)
    evening.robots._since = evening.time
    evening.wait(THINK - 0.1)
    assert evening.wanted()[first] == ""
    evening.wait(0.2)
    assert evening.wanted()[first]


@pytest.mark.parametrize("evening", [FCC], indirect=True)
def test_what_a_robot_wants_of_a_hand_is_said_with_what_would_do_and_can_be_something_else(evening: Evening) -> None:
    seat = evening.game.actors(evening.state)[0]
    evening.robots.sit(seat, robot=True)
    evening.wait(THINK)
    first = evening.robots._wanted[seat]
    assert holes(first)
    assert evening.wanted()[seat] == evening.game.describe(evening.state, first)
    evening.robots.reject_suggestion(seat)
    assert evening.robots._wanted[seat] != first


@pytest.mark.parametrize("evening", [FCC], indirect=True)
def test_when_somebody_has_laid_it_a_robot_wants_nothing_more(evening: Evening) -> None:
    seat = evening.game.actors(evening.state)[0]
    evening.robots.sit(seat, robot=True)
    evening.wait(THINK)
    while not (fitting := list(evening.world.ground_actions(evening.state, evening.robots._wanted[seat]))):
        evening.robots.reject_suggestion(seat)
    evening.play(fitting[0])
    assert evening.wanted() == {seat: ""}


@pytest.mark.parametrize("evening", [FCC], indirect=True)
def test_a_robot_waits_while_the_host_has_stopped_the_match_and_when_it_is_sent_away(evening: Evening) -> None:
    seat = evening.game.actors(evening.state)[0]
    evening.robots.sit(seat, robot=True)
    evening.match.command(Freeze(frozen=True, by="host"))
    evening.wait(THINK)
    assert evening.wanted() == {seat: ""}
    evening.match.command(Freeze(frozen=False, by="host"))
    evening.wait(THINK)
    assert evening.wanted()[seat]
    evening.robots.sit(seat, robot=False)
    evening.wait(THINK)
    assert evening.wanted() == {}


def given(match: str, file: Path) -> set[int]:
    """Start again before a match of that id, with what is kept; give the seats that robots play."""
    restarted = StandIns(lambda: SimpleNamespace(snapshot=SimpleNamespace(match=match)), file=file)  # type: ignore[arg-type,return-value]
    return restarted._seats()


def test_robots_stay_at_their_match_over_a_restart_and_go_to_no_other(tmp_path: Path) -> None:
    file = tmp_path / "robots.json"
    evening = Evening(*FCC, file=file)
    match = evening.match.snapshot.match
    try:
        for seat in (1, 3):
            evening.robots.sit(seat, robot=True)
        assert given(match, file) == {1, 3}
        assert given("the next one", file) == set()
        evening.robots.sit(1, robot=False)
        assert given(match, file) == {3}
        evening.robots.sit(3, robot=False)
        assert json.loads(file.read_bytes()) == {}
    finally:
        evening.match.close()


@pytest.mark.parametrize("written", [b"", b"{", b'["1"]', b'{"1": ["a"]}', b"\xff\xfe", b'{"\xff": [1]}'])
def test_a_damaged_list_of_robots_is_none(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "robots.json").write_bytes(written)
    assert given("any", tmp_path / "robots.json") == set()


def test_robots_sit_in_though_it_can_not_be_kept(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_bytes(b"")
    evening = Evening(*FCC, file=tmp_path / "no folder" / "robots.json")
    try:
        evening.robots.sit(2, robot=True)
        assert evening.wanted() == {2: ""}
    finally:
        evening.match.close()
