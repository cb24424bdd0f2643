"""A small card does nothing by itself: a tap opens it large, with what it can do, wherever on a seat's page it lies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.desks import BiddingDesk
from tests.server.hands import HandsDesk
from tests.server.played import PlayedDesk
from tests.waiting import until
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import SMALL, UNNAMED, join
from tests.web.test_in_sight import SEEN

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]


def open_large(page: Page, card: Locator) -> Locator:
    """Open a card by a tap; give what lies over the page then."""
    card.locator("summary").tap()
    large = card.locator(".offers")
    expect(large.locator("img")).to_be_visible()
    page.wait_for_function("one => one.complete && one.naturalWidth", arg=large.locator("img").element_handle())
    for button in large.locator("button").all():
        assert button.evaluate(SEEN)
    assert page.evaluate(SMALL) == []
    assert page.evaluate(UNNAMED) == []
    return large


@pytest.mark.night
def test_a_card_in_a_list_of_choices_opens_large_before_anything_is_done(site_of: Sites, browse: Browse) -> None:
    desk = HandsDesk()
    desk.hand = desk.performance.hand
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    choices = page.locator("#hole-discard-1")
    choices.locator("> summary").tap()
    card = choices.locator(".card-of").first
    large = open_large(page, card)
    assert desk.match.records() == []
    large.get_by_role("button", name="Close").tap()
    expect(large).to_be_hidden()
    assert desk.match.records() == []
    expect(choices).to_have_attribute("open", "")
    open_large(page, card).locator("[data-command]").first.tap()
    until(lambda: len(desk.match.records()) == 1)
    assert type(desk.match.records()[0].action).__name__ == "Discard"
    expect(page.locator("#hole-discard-1[open]")).to_have_count(0)


@pytest.mark.night
def test_a_card_that_lies_open_is_taken_by_its_button(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collectors", 3)
    while desk.state.phase != "buy":
        assert desk.step()
    count = len(desk.match.records())
    page = browse(**PHONE).page()
    join(page, site_of(desk), desk.state.turn, "Anna")
    card = page.locator("[data-part=may] .with-cards .card-of").first
    large = open_large(page, card)
    assert len(desk.match.records()) == count
    large.get_by_role("button", name="Buy an item").tap()
    until(lambda: len(desk.match.records()) > count)


def test_what_can_be_done_with_one_card_stands_beside_it_as_buttons(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collectors", 3)
    while desk.state.phase != "put":
        assert desk.step()
    page = browse(**PHONE).page()
    join(page, site_of(desk), desk.due()[0], "Anna")
    deed = page.locator("[data-part=may] .deed", has_text="Place the card you won").first
    expect(deed.locator(".card-of")).to_have_count(1)
    count = len(desk.match.records())
    deed.get_by_role("button", name="As an item").tap()
    until(lambda: len(desk.match.records()) > count)


@pytest.mark.night
def test_the_card_on_the_block_is_looked_at_while_one_bids(site_of: Sites, browse: Browse, tmp_path: Path) -> None:
    desk = BiddingDesk(tmp_path)
    site, bidding = site_of(desk), desk.match.state.block.auction.turn
    for seat in (bidding, next(one for one in desk.bidders if one != bidding)):
        page = browse(**PHONE).page()
        join(page, site, seat, f"Person {seat}")
        lot = page.locator("[data-part=auction] .card-of")
        large = open_large(page, lot)
        expect(large.locator("[data-command]")).to_have_count(0)
        large.get_by_role("button", name="Close").tap()
        expect(large).to_be_hidden()
        expect(page.locator("[data-offer]")).to_have_count(1 if seat == bidding else 0)


@pytest.mark.night
def test_wide_cards_that_open_lie_side_by_side(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collection", 5, seed=5)
    while len(held := [one for one in desk.snapshot().views[1].shelves if one.seat == 1 and len(one.pieces) > 1]) == 0:
        assert desk.step()
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    page.locator(".tab.of-mine").tap()
    cards = page.locator("[data-part=mine] .card-of .chip")
    expect(cards.first).to_be_visible()
    assert cards.count() == len(held[0].pieces)
    boxes = [one.bounding_box() for one in cards.all()]
    for left, right in pairwise(boxes):
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"] or left["y"] + left["height"] <= right["y"]
