"""A whole match of a game, played by four phones in Chromium (two in the gate) with taps alone, without a camera; at
night one in Firefox and one in WebKit.

What is tapped is what robots would do; the buttons have to be there, on the phone of whoever is due. In between phones
are reloaded, sleep, lose their network, or are exchanged. Of a long match the middle is told to the table directly;
with COMPANION_LONG=1 all of it is tapped.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion import games
from companion.bench.prepared import prepared
from companion.referee.commands import Play
from companion.rules.kernel import TABLE, Action, AnyGame, Facts
from companion.table.session import NoCamera
from companion.table.table import Table, session_maker
from tests.nights import at_night
from tests.web.browsers import BROWSERS, Tab, listen
from tests.web.conftest import Sites
from tests.web.phones import Copies, Phones, sit, tap
from tests.web.test_played_by_hand import LONG

SEATS = 4
SEEDS = {"collectible": 5, "collection": 4, "collectors": 8, "five-cards-collector": 34, "karmic-collections": 38}
"""Short matches in which much happens."""
GATE = ("collectible", 2, 46)
"""The gate's match, all of which is tapped: a game, how many play, and a seed."""
LONGER = ("collectible", 2, 11)
"""One for two phones in which more happens."""
QUICK = ("collectible", "five-cards-collector", "karmic-collections")
NIGHT = [LONGER, *((name, SEATS, SEEDS[name]) for name in (games.packages() if LONG in os.environ else QUICK))]
"""The night's; COMPANION_LONG=1 adds the others, whose matches take a minute and more."""
ENDS = 8
"""Records that are tapped at the beginning, and at the end, of a long match."""
EVERY = 9
"""So many records after each other something happens to a phone, but in a short match often enough for all of it."""

pytestmark = pytest.mark.browser


@pytest.fixture
def phones(chromium: Browser) -> Iterator[list[Phones]]:
    """Phones that are put away after the test."""
    used: list[Phones] = []
    yield used
    for one in used:
        one.close()


@pytest.mark.night
@pytest.mark.parametrize(("name", "seats", "seed"), [GATE, *at_night(*NIGHT)])
def test_phones_play_a_whole_match_by_taps_alone(
    name: str,
    seats: int,
    seed: int,
    chromium: Browser,
    site_of: Sites,
    phones: list[Phones],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    table, steps = table_of(name, seats, seed)
    played = Phones(chromium, site_of(table), seats)
    phones.append(played)
    play(table, steps, played)
    outcome = table.snapshot().standing.outcome
    assert outcome is not None
    for page in played.pages.values():
        page.locator(".turn.over").wait_for()
        assert outcome.words in page.inner_text("body")
    assert all(played.troubles.values())


@pytest.mark.night
@pytest.mark.parametrize("browser", BROWSERS)
def test_other_browsers_play_a_whole_match_by_taps_alone(
    browser: str, site_of: Sites, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setenv(LONG, "all of it is tapped")
    table, steps = table_of(*LONGER)
    complaints: list[str] = []
    site = site_of(table, prepare=lambda app: listen(app, complaints))
    with closing(BROWSERS[browser](tmp_path)) as opened:
        pages = {seat: opened.page() for seat in range(1, LONGER[1] + 1)}
        for seat, page in pages.items():
            sit(page, site, seat)
        play(table, steps, Taps(pages))
        outcome = table.snapshot().standing.outcome
        assert outcome is not None
        for page in pages.values():
            page.wait_for_text("body", outcome.words)
    assert complaints == []


class Taps:
    """Pages that are tapped, and loaded again now and then."""

    def __init__(self, pages: dict[int, Tab]) -> None:
        self.pages = pages

    def do(self, actions: list[Action], facts: Facts, n: int, key: str, done: Callable[[], bool]) -> int:
        """Tap what makes record n, as `Phones.do` says."""
        seat = actions[0].seat if actions[0].seat != TABLE else n % len(self.pages) + 1
        return tap(self.pages[seat], actions, facts, n, key, done)

    def trouble(self, rng: random.Random) -> None:
        """Load a page again."""
        self.pages[rng.randint(1, len(self.pages))].reload()

    def back(self) -> None:
        """Bring nothing back: no page was away."""


def table_of(name: str, seats: int, seed: int) -> tuple[Table, list[tuple[Action, Facts]]]:
    """Start a table without a camera; give it with the steps of a match that robots played."""
    game = games.load(name)
    header, steps = prepared(game, seats, seed)
    table = Table(session_maker(game, games.load_mat(name, seats), None, NoCamera), header, None, "HTTP://10.42.0.1/J")
    table.start()
    return table, steps


def play(table: Table, steps: list[tuple[Action, Facts]], played: Phones | Taps) -> None:
    """Play a match to its end, and check that the journal has what was tapped."""
    game = table.session.game
    rng = random.Random(7)
    copies = Copies(game)
    done: list[tuple[Action, Facts]] = []
    every = min(EVERY, len(steps) // 5)
    for n, step in enumerate(steps, start=1):
        action, facts = copies.renamed(step)
        actions = copies.alike(table.match.state, action)
        key = answer_key(game, table.match.state, action)
        if ENDS < n <= len(steps) - ENDS and LONG not in os.environ:
            if table.snapshot().record < n:
                assert table.session.command(Play(seat=action.seat, action=action, facts=facts)).ok
            which = actions.index(action)
        else:
            which = played.do(actions, facts, n, key, lambda n=n: table.snapshot().record >= n)  # type: ignore[misc]
        copies.exchange(action, actions[which])
        done.append((actions[which], facts))
        until(table, n, game.info.name)
        if n % every == 0:
            played.trouble(rng)
    played.back()
    records = table.match.records()
    assert [(one.action, one.facts) for one in records] == done
    assert table.snapshot().phase == "over"


def answer_key(game: AnyGame, state: Any, action: Action) -> str:
    """Give the key of the answer that this action is, where the referee asks for a choice."""
    due = [one for one in game.legal(state) if one.seat in game.actors(state)]
    return str(due.index(action)) if action in due else ""


def until(table: Table, n: int, name: str) -> None:
    """Wait for record n: a question at the end of a match is answered by who may."""
    for _ in range(100):
        snapshot: Any = table.snapshot()
        if snapshot.record >= n:
            return
        table.wait(snapshot.version, 0.2)
    raise AssertionError(f"record {n} of {name} did not come")
