"""An event paints anew what changed, and leaves alone what did not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.desks import MatchDesk, ShowDesk
from tests.web.conftest import PHONE, SCREEN, Sites, Watched
from tests.web.test_browser import LIVE, join

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]

MARK = "() => document.querySelectorAll('body *').forEach(one => { one.known = true; })"
NEW = "() => Array.from(document.querySelectorAll('body *')).filter(one => !one.known).map(one => one.outerHTML)"


def parts(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        "() => Object.fromEntries(Array.from(document.querySelectorAll('[data-part]'))"
        ".map(part => [part.dataset.part, part.innerText.replace(/\\s+/g, ' ').trim()]))"
    )
    return found


def test_another_sentence_makes_no_new_element(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(sentence="One comes.")
    page = browse(**SCREEN).page()
    page.goto(site_of(desk))
    page.wait_for_selector(LIVE)
    expect(page.locator(".said-words")).to_have_text("One comes.")
    page.evaluate(MARK)
    desk.show(sentence="Another comes.")
    expect(page.locator(".said-words")).to_have_text("Another comes.")
    assert page.evaluate(NEW) == []


@pytest.mark.night
def test_a_turn_leaves_alone_what_it_does_not_change(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    phone, other = browse(**PHONE).page(), browse(**PHONE).page()
    join(phone, site, 1, "Anna")
    join(other, site, 2, "Bo")
    expect(other.locator(".others")).to_contain_text("Anna")
    count = other.locator("body *").count()
    other.evaluate(MARK)
    phone.get_by_role("button", name="Do nothing").tap()
    expect(other.locator(".turn.mine")).to_be_visible()
    new = other.evaluate(NEW)
    assert 0 < len(new) < count
    assert not [one for one in new if "shelf" in one]
    # What was altered step by step is what a page that is loaded now shows.
    altered = parts(other)
    other.reload()
    other.wait_for_selector(LIVE)
    assert parts(other) == altered


@pytest.mark.night
def test_what_somebody_opened_stays_open(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(sentence="One comes.")
    site = site_of(desk)
    page = browse(**PHONE).page()
    join(page, site, 2, "Bo")
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
    opened = page.locator("details[open]").count()
    desk.show(sentence="Another comes.", record=3)
    expect(page.locator(".said-words")).to_have_text("Another comes.")
    assert page.locator("details[open]").count() == opened
