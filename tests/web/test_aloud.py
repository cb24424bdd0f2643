"""A page that says aloud what happens, with a stub in place of the browser's voice."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.referee.snapshot import Violation
from companion.text import t
from tests.nights import at_night
from tests.server.desks import ShowDesk, view
from tests.web.conftest import SCREEN, Sites
from tests.web.test_browser import LIVE
from tests.web.test_phone import Browse

pytestmark = pytest.mark.browser

VOICE = """
window.uttered = [];
class Speech { constructor(words) { this.words = words; } }
const told = window.uttered;
const voice = {speak: one => told.push(one.lang + " " + one.words), cancel: () => told.push("hush")};
Object.defineProperty(window, "SpeechSynthesisUtterance", {value: Speech});
Object.defineProperty(window, "speechSynthesis", {value: voice});
"""


def listening(site_of: Sites, browse: Browse, desk: ShowDesk, language: str) -> Page:
    watched = browse(**SCREEN, locale=language)
    watched.context.add_init_script(VOICE)
    page = watched.page()
    page.goto(f"{site_of(desk)}/")
    page.wait_for_selector(LIVE)
    return page


@pytest.mark.night
@pytest.mark.parametrize(("language", "words"), [("de", "Bo ist dran."), *at_night(("en", "It is the turn of Bo."))])
def test_a_page_says_aloud_what_is_new_once_somebody_wishes_it(
    site_of: Sites, browse: Browse, language: str, words: str
) -> None:
    desk = ShowDesk()
    page = listening(site_of, browse, desk, language)
    now = desk.snapshot()
    desk.show(sentence="Anna draws a card.")
    expect(page.locator("[data-aloud] li", has_text=".").first).to_be_attached()
    page.wait_for_function("() => document.body.dataset.stamp")
    assert page.evaluate("window.uttered") == []
    page.locator("[data-aloud-level]").click()
    assert page.evaluate("window.uttered.length") == 3  # twice hush, then the level itself
    desk.show(views=(view(0, headline=t("It is the turn of {turn}.", turn="Bo")), *now.views[1:]))
    page.wait_for_function("words => window.uttered.some(one => one.includes(words))", arg=words)
    assert page.evaluate("window.uttered.at(-1)") == f"{language} {words}"


def test_a_mistake_interrupts_what_is_being_said(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    page = listening(site_of, browse, desk, "en")
    page.locator("[data-aloud-level]").click()
    desk.show(violation=Violation("illegal", "4", "the card does not fit", "Take the blue key back."))
    page.wait_for_function("() => window.uttered.some(one => one.includes('blue key'))")
    assert page.evaluate("window.uttered").index("en The card does not fit") > 0
    hushed = page.evaluate("window.uttered.lastIndexOf('hush')")
    assert page.evaluate("window.uttered").index("en The card does not fit") == hushed + 1
