"""Fingers on the simulated table's page: a card is laid where others lie, and long lines stay on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.server.hands import HandsDesk
from tests.waiting import until
from tests.web.conftest import PHONE, SCREEN, Sites, Watched
from tests.web.test_browser import SMALL

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]


def sit(page: Page, site: str) -> None:
    page.goto(f"{site}/join/1")
    page.get_by_label("Your name").fill("Anna")
    page.locator(".chair:has(input[value='1'])").click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"{site}/seat/1")
    page.goto(f"{site}/simulated")
    expect(page.locator(".held-card").first).to_be_visible()


@pytest.mark.night
def test_a_chosen_card_is_laid_on_a_pile_by_a_tap_on_what_lies_there(site_of: Sites, browse: Browse) -> None:
    desk = HandsDesk()
    top = desk.world.hands[3][0]
    desk.put(top, "discard")
    page = browse(**PHONE).page()
    sit(page, site_of(desk))
    card = page.locator(".hand[data-seat='1'] .held-card").first
    piece = card.get_attribute("data-piece")
    assert piece is not None
    # Any card may go there in this test; robots have nothing to lay.
    desk.sandbox.goals = lambda seat: {piece: [("discard", "F")]}
    until(lambda: card.evaluate("el => el.classList.contains('raised')"))
    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    lies = page.locator(f".piece[data-tag='{desk.table.tag_of(top)}']")
    lies.tap()
    expect(page.locator("#chosen")).not_to_contain_text("is chosen")
    until(lambda: (desk.pass_time(), desk.table.where(piece))[1])
    where = desk.table.where(piece)
    assert where is not None
    assert desk.sandbox.zone_at(where.x, where.y) == "discard"
    # Where it may not go a tap chooses what lies there, and a second one lets go of it.
    desk.sandbox.goals = lambda seat: {}
    page.reload()
    lies = page.locator(f".piece[data-tag='{desk.table.tag_of(piece)}']")
    expect(lies).to_be_visible()
    lies.tap()
    expect(lies).to_have_attribute("aria-pressed", "true")
    lies.tap()
    expect(lies).not_to_have_attribute("aria-pressed", "true")


@pytest.mark.night
def test_a_tap_on_a_card_that_reaches_over_a_legal_place_is_no_tap_on_that_place(
    site_of: Sites, browse: Browse
) -> None:
    desk = HandsDesk()
    lying = desk.world.hands[3][0]
    edge = desk.mat.zone("collection.1").rect.x
    desk.table.put(lying, "F", edge - 10, desk.mat.zone("collection.2").rect.centre[1])
    page = browse(**SCREEN).page()
    sit(page, site_of(desk))
    card = page.locator(".hand[data-seat='1'] .held-card").first
    piece = card.get_attribute("data-piece")
    assert piece is not None
    desk.sandbox.goals = lambda seat: {piece: [("collection.1", "F")]}
    until(lambda: card.evaluate("el => el.classList.contains('raised')"))
    card.click()
    lies = page.locator(f".piece[data-tag='{desk.table.tag_of(lying)}']")
    box = lies.bounding_box()
    assert box is not None
    lies.click(position={"x": box["width"] - 4, "y": box["height"] / 2})
    expect(lies).to_have_attribute("aria-pressed", "true")
    desk.pass_time()
    assert desk.table.where(piece) is None


@pytest.mark.night
def test_a_long_line_wraps_on_a_phone(site_of: Sites, browse: Browse) -> None:
    page = browse(**PHONE).page()
    sit(page, site_of(HandsDesk()))
    page.locator("[data-part='since']").evaluate(
        "el => { el.innerHTML = '<section class=\"box since\"><ol>' + ('<li><span class=\"words\">' "
        "+ 'a long line '.repeat(20) + '</span></li>').repeat(4) + '</ol></section>'; }"
    )
    assert "a long line" in page.locator("[data-part='since']").inner_text()
    line = page.locator("[data-part='since'] .words").last
    assert line.evaluate("el => el.scrollWidth > el.clientWidth"), "it is cut off"
    line.tap()
    assert line.evaluate("el => el.scrollWidth <= el.clientWidth"), "after a tap it stands there whole"
    # A phone makes its window as wide as the page: that is no measure.
    assert page.evaluate("() => document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_a_sign_that_is_only_drawn_says_what_it_is(site_of: Sites, browse: Browse) -> None:
    page = browse(**PHONE).page()
    site = site_of(HandsDesk())
    sit(page, site)
    for path in ("/seat/1", "/simulated"):
        page.goto(f"{site}{path}")
        page.locator("[data-part='mine'] .sign").first.tap()
        expect(page.locator("#toasts")).to_have_text(re.compile(r"^Cards in your hand: \d+$"))
        assert page.evaluate(SMALL) == [] or path == "/simulated"
