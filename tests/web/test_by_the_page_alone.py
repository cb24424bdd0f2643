"""The first round of each game, played by people who have not read the rules: each knows the seat's page on a phone and
the simulated table, presses what stands out most, and lays what is marked where the pages point.

What they do is not what the test knows: the match is read only to see whether the round is over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion import games
from companion.referee.journal import Header, new_id, now
from companion.sim import performance
from companion.table.session import Robots, SimulatedSession
from companion.table.table import Table
from tests.web.conftest import PHONE, Sites
from tests.web.newcomer import Newcomer

pytestmark = [pytest.mark.browser, pytest.mark.night]

SEATS = {"collection": 3}
"""The fewest seats, where that is not 2."""
SEEDS = {"collectible": 14, "collection": 14, "collectors": 12, "five-cards-collector": 4, "karmic-collections": 4}
NAMES = ("Anna", "Ben", "Cid")
SPEED = 8.0
CALM = 2.0
"""Seconds that an arrow is left to whoever is moving something already."""
PATIENCE = 120.0
"""Seconds without any record after which people are stuck: a busy machine is slow, not wrong."""


class Round:
    """Sees whether the first round is over: in Collectors the first quarter, else when all have had a turn each."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._turns: list[int] = []

    def over(self) -> bool:
        """Whether the first round is over."""
        state: Any = self._table.match.state
        if self._table.snapshot().phase == "over":
            return True
        if self._table.session.game.info.name == "collectors":
            return bool(state.quarter > 1)
        if state.turn and (not self._turns or self._turns[-1] != state.turn) and self._begun(state):
            self._turns.append(state.turn)
        return len(self._turns) > self._table.match.header.seats

    def _begun(self, state: Any) -> bool:
        due = self._table.session.game.actors(state)
        return state.turn in due


@pytest.fixture
def people(chromium: Browser) -> Iterator[list[Newcomer]]:
    """People whose pages are closed after the test."""
    all_: list[Newcomer] = []
    yield all_
    for one in all_:
        one.table.context.close()
        one.phone.context.close()


@pytest.mark.parametrize("name", games.packages())
def test_who_has_not_read_the_rules_plays_the_first_round(
    name: str, chromium: Browser, site_of: Sites, people: list[Newcomer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setattr(performance, "THINK", 1)
    game, seats = games.load(name), SEATS.get(name, 2)
    mat = games.load_mat(name, seats)

    def make_session(header: Header, version: int) -> SimulatedSession:
        robots = Robots(SEEDS[name], SPEED, persons=frozenset(range(1, seats + 1)))
        return SimulatedSession(game, mat, header, None, robots, version=version)

    table = Table(make_session, Header(id=new_id(), at=now(), game=name, seats=seats), None, "HTTP://10.42.0.1/J")
    table.start()
    site = site_of(table)
    for seat in range(1, seats + 1):
        people.append(Newcomer.sits_down(chromium.new_context(**PHONE), site, seat, NAMES[seat - 1]))
    play(people, table)
    for one in people:
        print(name, {what: round(count, 1) for what, count in one.how.items()})
    assert game.audit(table.match.state) == ()
    assert table.snapshot().violation is None


def play(people: list[Newcomer], table: Table) -> None:
    """Let people do what their pages suggest until the first round is over."""
    round_, records, since, arrow, pointed = Round(table), -1, time.monotonic(), None, 0.0
    while not round_.over():
        if len(table.match.records()) != records:
            records, since = len(table.match.records()), time.monotonic()
        if time.monotonic() - since > PATIENCE:
            raise AssertionError("\n=====\n".join(one.sees() for one in people))
        ends = people[0].pointed()
        if ends != arrow:
            arrow, pointed = ends, time.monotonic()
        if ends is not None:
            if time.monotonic() - pointed > CALM:
                people[0].follow()
                arrow = None
        else:
            for one in people:
                if one.due() and one.act():
                    break
        people[0].phone.wait_for_timeout(400)
