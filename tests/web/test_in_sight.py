"""A seat's phone keeps in sight what matters: whose turn it is, what is asked, and what can be done with a card."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.snapshot import Choice, Question
from tests.nights import at_night
from tests.server.desks import MatchDesk, ShowDesk
from tests.server.hands import HandsDesk
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import SMALL, UNNAMED, join

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]

LOW = {**PHONE, "viewport": {"width": 390, "height": 400}}
"""A phone on which a page is much longer than the screen."""
SEEN = """one => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight
    && one.contains(document.elementFromPoint(box.left + 20, box.top + box.height / 2));
}"""
"""Whether something is on the screen, and nothing lies over it."""
BELOW_HEADER = """() => {
  const one = document.activeElement, header = document.querySelector("header");
  if (one === document.body || header.contains(one) || one.matches(".skip")) { return false; }
  const box = one.getBoundingClientRect();
  return box.top < header.getBoundingClientRect().bottom;
}"""
"""Whether what has the focus lies below the header, at least a part of it."""


def scroll(page: Page, y: int) -> None:
    page.evaluate("y => scrollTo({top: y, behavior: 'instant'})", y)
    page.wait_for_function("y => scrollY >= y", arg=y)


def test_whoever_has_scrolled_down_sees_that_it_has_become_their_turn(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    phone, other = browse(**LOW).page(), browse(**LOW).page()
    join(phone, site, 1, "Anna")
    join(other, site, 2, "Bo")
    scroll(other, 90)
    assert not other.locator("h1").evaluate(SEEN)
    phone.get_by_role("button", name="Do nothing").tap()
    expect(other.locator("[data-mine] h1")).to_be_visible()
    assert other.locator("h1").evaluate(SEEN)
    assert other.locator("header").evaluate("one => one.getBoundingClientRect().bottom") < 75
    # Who goes back with the keyboard finds nothing below it.
    other.locator("summary, a, button").last.focus()
    scroll(other, other.evaluate("document.documentElement.scrollHeight - innerHeight"))
    reached = 0
    for _ in range(60):
        other.keyboard.press("Shift+Tab")
        assert not other.evaluate(BELOW_HEADER), other.evaluate("document.activeElement.outerHTML")
        reached += other.evaluate("document.activeElement !== document.body")
    assert reached > 20


@pytest.mark.night
def test_whoever_has_scrolled_below_the_choices_is_led_back_by_one_tap(site_of: Sites, browse: Browse) -> None:
    page = browse(**LOW).page()
    join(page, site_of(MatchDesk(3)), 1, "Anna")
    way = page.get_by_role("link", name="What you can do")
    expect(way).to_be_hidden()
    expect(page.get_by_role("heading", name="Your collection")).to_be_attached()
    page.wait_for_timeout(500)  # until nothing on the page moves any more
    scroll(page, page.evaluate("document.documentElement.scrollHeight - innerHeight"))
    expect(way).to_be_visible()
    assert way.evaluate(SEEN)
    assert page.evaluate(SMALL) == []
    box = way.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("button", name="Do nothing")).to_be_in_viewport()
    expect(way).to_be_hidden()


@pytest.mark.night
def test_whoever_has_scrolled_down_sees_that_something_is_asked(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    page = browse(**{**LOW, "viewport": {"width": 390, "height": 240}}).page()
    join(page, site_of(desk), 2, "Bo")
    scroll(page, 80)
    desk.show(question=Question("q", "which", "What happened?", (2,), (Choice("0", "That."), Choice("1", "This."))))
    link = page.get_by_role("link", name="You are asked something")
    expect(link).to_be_visible()
    expect(page.locator("[data-held]")).to_have_count(0)
    assert link.evaluate(SEEN)
    assert page.evaluate(SMALL) == []
    link.tap()
    expect(page.get_by_role("heading", name="What happened?")).to_be_in_viewport()
    assert page.get_by_role("heading", name="What happened?").evaluate(SEEN)
    # Others are not asked.
    desk.show(question=Question("r", "which", "What then?", (1,), (Choice("0", "That."), Choice("1", "This."))))
    expect(link).to_have_count(0)


def test_a_card_is_shown_large_with_all_that_can_be_done_with_it(site_of: Sites, browse: Browse) -> None:
    desk = HandsDesk()
    desk.hand = desk.performance.hand
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    card = page.locator("[data-part=hand] .card-of:has(.offers [data-command])").first
    card.locator("summary").tap()
    picture = card.locator(".offers img")
    expect(picture).to_be_visible()
    page.wait_for_function("one => one.complete && one.naturalWidth", arg=picture.element_handle())
    assert card.locator(".offers").evaluate(SEEN)
    for button in card.locator(".offers button").all():
        assert button.evaluate(SEEN)
    assert page.evaluate(SMALL) == []
    assert page.evaluate(UNNAMED) == []
    card.get_by_role("button", name="Close").tap()
    expect(picture).to_be_hidden()
    # A low screen has room for all buttons, too.
    page.set_viewport_size({"width": 700, "height": 360})
    card.locator("summary").tap()
    for button in card.locator(".offers button").all():
        assert button.evaluate(SEEN)


@pytest.mark.parametrize("script", [True, *at_night(False)])
def test_a_tap_beside_a_large_card_closes_it_and_does_nothing_else(
    site_of: Sites, browse: Browse, script: bool
) -> None:
    desk = HandsDesk()
    desk.hand = desk.performance.hand
    site = site_of(desk)
    watched = browse(**PHONE)
    join(watched.page(), site, 1, "Anna")
    page = watched.context.browser.new_context(  # type: ignore[union-attr]
        **PHONE, java_script_enabled=script, storage_state=watched.context.storage_state()
    ).new_page()
    page.goto(f"{site}/seat/1")
    under = page.locator(".coach button").first if script else page.get_by_role("link", name="Lay it yourself").first
    under.evaluate("one => window.scrollTo(0, one.getBoundingClientRect().top + scrollY - 250)")
    box = under.bounding_box()
    assert box is not None
    at = box["x"] + 5, box["y"] + box["height"] / 2
    card = page.locator("[data-part=hand] .card-of").last
    card.evaluate("one => { one.open = true; }")
    expect(card.locator(".offers")).to_be_visible()
    page.touchscreen.tap(*at)
    expect(card.locator(".offers")).to_be_hidden()
    assert page.url == f"{site}/seat/1"
    assert desk.match.records() == []
    expect(under).to_be_visible()
    # Without anything over it, it is hit.
    page.touchscreen.tap(*at)
    if script:
        expect(under).to_be_hidden()
    else:
        page.wait_for_url(f"{site}/simulated")
    page.context.close()


@pytest.mark.night
def test_the_focus_closes_a_large_card_where_it_leaves_it(site_of: Sites, browse: Browse) -> None:
    desk = HandsDesk()
    desk.hand = desk.performance.hand
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    card = page.locator("[data-part=hand] .card-of:has(.offers [data-command])").first
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(card.locator(".offers")).to_be_visible()
    for _ in card.locator(".offers button").all():
        page.keyboard.press("Tab")
        expect(card.locator(".offers")).to_be_visible()
    page.keyboard.press("Tab")
    expect(card.locator(".offers")).to_be_hidden()
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(card.locator(".offers")).to_be_hidden()
    expect(card.locator("summary")).to_be_focused()
