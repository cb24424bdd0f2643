"""Every game in the browser on the simulated table: a person's pieces are dragged, robots fill the other seats, the
simulated camera photographs the table and the real eye reads it.

Each night plays each game's first actions; with COMPANION_LONG=1 it plays the match to its end.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion import games
from companion.referee.journal import Header, new_id, now
from companion.sim import performance
from companion.table.session import Robots, SimulatedSession
from companion.table.table import Table
from tests.waiting import within
from tests.web.conftest import Sites, Watched
from tests.web.hands import BIG, Hands, StuckError
from tests.web.phones import TROUBLES, befall, recover

pytestmark = [pytest.mark.browser, pytest.mark.night]
Browse = Callable[..., Watched]

LONG = "COMPANION_LONG"
"""Environment variable: with it each match is played to its end, which takes minutes."""
FIRST = 2
"""So many of the person's own actions are played without it; more, until a card was dragged."""
SEATS = {"collection": 3}
"""The fewest seats, where that is not 2."""
SEEDS = {"collectible": 14, "collection": 14, "collectors": 12, "five-cards-collector": 4, "karmic-collections": 4}
OPTIONS = {"collectible": {"rounds": 3}}
"""House numbers that make a match shorter."""
SPEED = 8.0


@pytest.mark.parametrize("name", games.packages())
def test_a_match_is_played_with_cards_dragged_and_the_eye_understands(
    name: str, site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setattr(performance, "THINK", 1)
    game, seats = games.load(name), SEATS.get(name, 2)
    mat = games.load_mat(name, seats)

    def make_session(header: Header, version: int) -> SimulatedSession:
        robots = Robots(SEEDS[name], SPEED, persons=frozenset({1}))
        return SimulatedSession(game, mat, header, None, robots, version=version)

    header = Header(id=new_id(), at=now(), game=name, seats=seats, options=OPTIONS.get(name, {}))
    table = Table(make_session, header, None, "HTTP://10.42.0.1/J")
    table.start()
    site = site_of(table)
    watched = browse(**BIG)
    page = watched.page()
    page.set_default_timeout(60_000)
    page.goto(f"{site}/join/1")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"{site}/seat/1")
    page.goto(f"{site}/simulated")
    expect(page.locator(".mat > .drawn")).to_be_visible()
    sitting = table.session
    assert isinstance(sitting, SimulatedSession)
    hands = Hands(page, table, sitting.performance, 1)
    most = None if LONG in os.environ else FIRST

    def dragged() -> int:
        return hands.how["dragged from the hand"] + hands.how["dragged over the mat"]

    while not hands.over() and (most is None or sum(hands.kinds.values()) < most or not dragged()):
        if not within(240, lambda: hands.over() or hands.due() or hands.unfinished()):
            raise StuckError(f"nothing goes on: {hands.told()}")
        recover(page)
        if hands.due():
            hands.act()
            # While the others play, something happens to the page: it has to be right again when it is its turn.
            befall(page, TROUBLES[sum(hands.kinds.values()) % len(TROUBLES)])
        elif not hands.over():
            hands.put_right()
    recover(page)
    # The browser itself says that it has no network; whatever else it has to say is wrong.
    watched.complaints[:] = [said for said in watched.complaints if "ERR_INTERNET_DISCONNECTED" not in said]
    assert game.audit(table.match.state) == ()
    assert hands.how["understood by table"] > 0
    assert dragged() > 0
    # The others' cards are no more on this page than in its own hand.
    content = page.content()
    assert not [
        piece
        for piece in sitting.performance.hand(2)
        if f'data-piece="{piece}"' in content and piece not in sitting.performance.hand(1)
    ]
    if hands.over():
        outcome = table.snapshot().standing.outcome
        assert outcome is not None
        page.locator(".turn.over").wait_for()
        assert outcome.words in page.inner_text("body")
        print(name, len(table.match.records()), dict(hands.how), dict(hands.kinds))
