"""Beginning a match in a real Chromium: how the game is set up follows the number of players."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.referee.journal import Header, Journal, new_id, now
from companion.rules.gathering import MOST, NAME
from companion.table.session import NoCamera, Session, rules_of
from companion.table.table import Table
from tests.nights import at_night
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import LIVE

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table at which people gather."""
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    journal = Journal(tmp_path)

    def make_session(header: Header, version: int) -> Session:
        return Session(*rules_of(header), header, journal, NoCamera, version=version)

    found = Table(make_session, Header(id=new_id(), at=now(), game=NAME, seats=MOST), journal, "HTTP://10.42.0.1/J")
    found.start()
    return found


def test_how_a_game_is_set_up_follows_the_number_that_is_chosen(table: Table, site_of: Sites, browse: Browse) -> None:
    site, page = site_of(table), browse(**PHONE).page()
    page.goto(f"{site}/host")
    page.get_by_label("PIN").fill(table.host_pin)
    page.get_by_role("button", name="Be the host").tap()
    page.wait_for_selector(LIVE)
    page.goto(f"{site}/host/new/five-cards-collector")
    line = page.locator("#setting-up")
    expect(line).to_contain_text("with 4 players")
    page.get_by_label("Name at seat 1").fill("Anna")
    page.locator(".number-choice", has_text="3").tap()
    expect(line).to_contain_text("with 3 players")
    page.locator(".number-choice", has_text="2").tap()
    expect(line).to_contain_text("with 2 players")
    expect(page.get_by_label("Name at seat 1")).to_have_value("Anna")


VISIBLE = "() => [...document.querySelectorAll('.of-seats input')].filter(one => one.checkVisibility()).length"
LOW = "() => document.querySelector('.begin button').getBoundingClientRect().bottom / innerHeight"


@pytest.mark.parametrize("script", [True, *at_night(False)])
@pytest.mark.night
def test_there_are_as_many_names_as_players_and_begin_is_in_sight(
    script: bool, table: Table, site_of: Sites, browse: Browse
) -> None:
    site, page = site_of(table), browse(**PHONE, java_script_enabled=script).page()
    page.goto(f"{site}/host")
    page.get_by_label("PIN").fill(table.host_pin)
    page.get_by_role("button", name="Be the host").tap()
    page.get_by_role("link", name="New match").wait_for()
    for name, seats in (("collectors", 2), ("collectible", 3), ("collection", 7), ("five-cards-collector", 8)):
        page.goto(f"{site}/host/new/{name}")
        page.locator(".number-choice", has_text=f"{seats}").tap()
        assert page.evaluate(VISIBLE) == seats
        assert page.evaluate(LOW) <= 1
    page.locator(".number-choice", has_text="2").tap()
    page.get_by_label("Name at seat 2").fill("Bo")
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_url("**/join")
    assert (table.snapshot().seats, table.snapshot().names[2]) == (2, "Bo")
