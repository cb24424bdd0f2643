"""What the table did not see is tapped on a picture of the deck, on a phone; a closed round is opened and put right."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.games.from_file.saying import RoundOver
from companion.referee.commands import Play
from tests.server.phones import PIN
from tests.server.played import PlayedDesk
from tests.server.test_laid_pages import GRID
from tests.web.conftest import PHONE, Sites
from tests.web.test_axe import Browse

OTHER = ("108", "208", "20B", "103", "204", "40D")
"""Six cards in Golf that come to 33: two eights that are no column, a jack, a three, a four and a king."""
TALLEST = 2 * 844


def tap(page: Page, place: str, *cards: str) -> None:
    """Choose a place, and tap cards: each is shown there before the next one is tapped."""
    page.locator(f"input[name=place][value='{place}']").check()
    for card in cards:
        pressed = page.locator(f"button[value='{card}']").get_attribute("aria-pressed") == "true"
        page.locator(f"button[value='{card}']").click()
        expect(page.locator(f"button[value='{card}']")).to_have_attribute("aria-pressed", str(not pressed).lower())
    assert page.evaluate("document.documentElement.scrollHeight") <= TALLEST
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.browser
@pytest.mark.night
def test_cards_that_are_tapped_count_and_a_closed_round_is_put_right(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("golf", 2)
    page = browse(**PHONE).page()
    page.goto(f"{site_of(desk)}/host")
    page.fill("#pin", PIN)
    page.locator("button.main").click()
    page.locator("a[href='/host/laid']").click()
    tap(page, "grid.1", *GRID)
    tap(page, "grid.2", *OTHER)
    expect(page.locator(f"button[value='{GRID[0]}']")).to_have_class(re.compile("elsewhere"))
    page.get_by_role("button", name="So they lie").click()
    page.wait_for_url("**/host")
    assert [seat.parts[0].value for seat in desk.snapshot().standing.seats] == [25, 33]
    assert desk.command(Play(seat=1, action=RoundOver(seat=1))).ok

    page.locator("a[href='/host/laid']").click()
    page.get_by_role("link", name="Open round 1 again").click()
    expect(page.locator("main")).to_contain_text("It counted 25, 33.")
    # The king of diamonds was a four of hearts in truth.
    tap(page, "grid.1", "20D", "304")
    page.get_by_role("button", name="So they lie").click()
    page.wait_for_url("**/host")
    assert desk.snapshot().standing.rounds == ((29, 33),)
