"""The table page on a projector: everything at once, and moments that fill it and trap nobody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from benchmarks import screens
from companion import games
from companion.referee.snapshot import Violation
from companion.rules.kernel import SeatStanding, Standing
from tests.server.desks import WON, ShowDesk
from tests.web.conftest import Sites, Watched
from tests.web.test_browser import LIVE

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
BELOW = """() => [...document.querySelectorAll("header *, main *, footer *")].filter(one => {
  const box = one.getBoundingClientRect();
  return box.width > 2 && box.height > 2 && box.bottom > innerHeight + 1;
}).map(one => one.outerHTML.slice(0, 100))"""
LARGEST = """() => {
  const picture = document.querySelector(".tabletop").getBoundingClientRect();
  const area = box => box.width * box.height;
  const others = [...document.querySelectorAll("main .box:not(.tabletop .box)")];
  return others.every(one => area(one.getBoundingClientRect()) < area(picture));
}"""
VIOLATION = Violation(
    "illegal",
    "4. Gameplay",
    "the yellow key does not match the red star on the discard pile",
    "Take it back; a red card would do.",
    ("take the yellow key away from the discard pile", "put it in your hand"),
    "Bo discards the red key.",
    ("put the red key there",),
)


@contextmanager
def opened(page: Page, site: str) -> Iterator[Page]:
    page.goto(site)
    page.wait_for_selector(LIVE)
    yield page


@pytest.mark.night
@pytest.mark.parametrize("name", games.packages())
def test_nothing_lies_below_the_fold(name: str, browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DEVICES", "simulated")
    monkeypatch.setattr(screens, "PATIENCE", 600.0)
    with screens.table_in_play(name) as (table, _, _), screens.served(table) as site:
        for viewport in ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080}):
            with opened(browse(viewport=viewport).page(), site) as page:
                assert page.evaluate(screens.HEIGHT) <= 1
                assert page.evaluate(BELOW) == []
                assert page.evaluate(LARGEST)
                # The table goes before the browser does: its streams must be closed by then.
                page.goto("about:blank")


def test_a_refusal_leaves_the_picture_above_the_fold(site_of: Sites, browse: Browse) -> None:
    with opened(browse(**PROJECTOR).page(), site_of(ShowDesk(violation=VIOLATION))) as page:
        remedy = page.locator(".alarm .move")
        expect(remedy).to_be_in_viewport(ratio=1)
        expect(page.locator(".camera img")).to_be_in_viewport(ratio=1)
        assert page.evaluate(BELOW) == []
        assert remedy.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > 27
        reason = page.locator(".alarm .reason")
        expect(reason).to_be_in_viewport(ratio=1)
        assert reason.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") < 27


@pytest.mark.night
def test_a_stop_fills_the_page_until_it_is_over_or_hidden(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    with opened(browse(**PROJECTOR).page(), site_of(desk)) as page:
        stopped = page.get_by_text("Stopped", exact=True)
        expect(stopped).not_to_be_visible()
        desk.show(frozen=True)
        expect(stopped).to_be_visible()
        page.keyboard.press("Escape")
        expect(stopped).not_to_be_visible()
        desk.show(frozen=False)
        expect(page.locator(".moment")).to_have_count(0)


def test_the_end_names_the_winner_and_leads_to_looking_back(site_of: Sites, browse: Browse) -> None:
    standing = Standing(tuple(SeatStanding(seat, 5 if seat == 2 else 1) for seat in (1, 2, 3)), WON, 5)
    with opened(browse(**PROJECTOR).page(), site_of(ShowDesk(standing=standing, phase="over"))) as page:
        expect(page.locator(".finale .shout")).to_have_text("Bo")
        ranks = [
            re.compile(r"1\. 2 Bo .*5 points"),
            re.compile(r"2\. 1 Anna .*1 point"),
            re.compile(r"2\. 3 Cleo .*1 point"),
        ]
        expect(page.locator(".tally .score")).to_have_text(ranks)
        expect(page.locator(".finale").get_by_role("link", name="Looking back")).to_be_visible()
        page.get_by_role("button", name="Hide").click()
        expect(page.locator(".finale")).not_to_be_visible()


def test_what_robots_begin_next_is_counted_down_over_the_scores_until_somebody_stays(
    site_of: Sites, browse: Browse
) -> None:
    standing = Standing(tuple(SeatStanding(seat, 5 if seat == 2 else 1) for seat in (1, 2, 3)), WON, 5)
    desk = ShowDesk(standing=standing, phase="over")
    desk.simulated, desk.pace, desk.soon, desk.when = True, 1.0, "Gin Rummy", desk.clock() + 24
    with opened(browse(**PROJECTOR).page(), site_of(desk)) as page:
        expect(page.locator(".finale .next")).to_have_text(
            re.compile(r"Robots begin the next match in 2\d s: Gin Rummy"), use_inner_text=True
        )
        expect(page.locator(".tally .score")).to_have_count(3)
        page.locator(".finale").get_by_role("button", name="Stay here").click()
        expect(page.locator(".next")).to_have_count(0)
        expect(page.locator(".tally .score").first).to_be_visible()


@pytest.mark.night
def test_a_phone_scrolls_the_same_page_and_no_moment_covers_it(site_of: Sites, browse: Browse) -> None:
    with opened(browse(viewport={"width": 390, "height": 844}).page(), site_of(ShowDesk(frozen=True))) as page:
        expect(page.locator(".moment")).not_to_be_visible()
        assert page.evaluate(screens.HEIGHT) > 1
        expect(page.get_by_text("Blue moon").first).to_be_attached()


@pytest.mark.night
def test_a_page_that_is_opened_before_the_cameras_first_picture_shows_it_when_it_comes(
    site_of: Sites, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = ShowDesk()
    desk.shot = -1
    with monkeypatch.context() as still:
        still.setattr(desk, "picture", lambda _: None)
        site = site_of(desk)
        page = browse(**PROJECTOR).page()
        page.goto(site)
        page.wait_for_selector(LIVE)
        expect(page.locator(".camera")).to_be_hidden()
        expect(page.locator(".tabletop .drawn")).to_be_visible()
    desk.shot = 2
    expect(page.locator(".camera")).to_be_visible()
    expect(page.locator("[data-part=shelves]")).to_be_hidden()


@pytest.mark.night
def test_a_picture_that_was_lost_on_its_way_is_asked_for_again(site_of: Sites, browse: Browse) -> None:
    watched = browse(**PROJECTOR)
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.fulfill(body=PIXEL, content_type="image/svg+xml")

    with opened(watched.page(), site_of(ShowDesk())) as page:
        page.route("**/lost.webp", answer)
        page.evaluate("""() => {
          const card = document.createElement("span"), img = document.createElement("img");
          card.className = "chip face";
          img.src = "/lost.webp";
          card.append(img);
          document.querySelector("main").append(card);
        }""")
        card = page.locator('.chip.face:has([src="/lost.webp"])')
        expect(card).to_have_class("chip face no-face")
        expect(card).to_have_class("chip face")
    assert len(asked) == 2
    watched.complaints.clear()
