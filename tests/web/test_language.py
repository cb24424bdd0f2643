"""Two phones at one table, each in its language: pages, what streams renew, what scripts say, the choice itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from companion.games.five_cards_collector.passing import Nothing
from companion.referee.commands import Play
from tests.server.desks import MatchDesk
from tests.web.conftest import PHONE, Sites
from tests.web.test_browser import WIDE

pytestmark = [pytest.mark.browser, pytest.mark.night]


def test_two_phones_speak_two_languages(chromium: Browser, site_of: Sites) -> None:
    desk = MatchDesk()
    site = site_of(desk)
    swedish, english = (chromium.new_context(**PHONE, locale=locale).new_page() for locale in ("sv-SE", "en-GB"))
    for page, seat, button in ((swedish, 1, "Sätt dig"), (english, 2, "Sit down")):
        page.goto(f"{site}/join")
        page.locator("#name").fill({1: "Ada", 2: "Bo"}[seat])
        page.locator(f"input[name=seat][value='{seat}']").check()
        page.get_by_role("button", name=button).tap()
    for page, turn in ((swedish, "Din tur: samla eller släng ett kort"), (english, "Ada's turn")):
        expect(page.locator("h1")).to_contain_text(turn)
        assert page.evaluate(WIDE) <= 0
        page.locator("#settings > summary").tap()
        box = page.locator("button[name=language]").first.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    # What a stream renews comes in the page's language, too.
    assert desk.command(Play(seat=1, action=Nothing(seat=1), by="phone")).ok
    expect(swedish.locator("h1")).to_contain_text("Bos tur")
    expect(swedish.locator("[data-part=recent]")).to_contain_text("Ada gör ingenting.")
    expect(english.locator("[data-part=recent]")).to_contain_text("Ada does nothing.")
    # So does what scripts say.
    swedish.context.set_offline(True)
    swedish.locator("[data-command]:visible").first.tap()
    expect(swedish.locator("#toasts")).to_contain_text("Companion går inte att nå.")
    swedish.context.set_offline(False)
    swedish.locator("#settings > summary").tap()
    swedish.get_by_role("button", name="English").tap()
    expect(swedish.locator("html")).to_have_attribute("lang", "en")
    expect(swedish.locator("[data-part=recent]")).to_contain_text("Ada does nothing.")
    for page in (swedish, english):
        page.context.close()
