"""The drawn table in a browser: faces come once, pieces glide, the camera's picture is a corner that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.codes import BACK
from companion.referee.snapshot import Box, Lying, OnTable, Pointer
from tests.server.desks import PIN, ShowDesk
from tests.web.conftest import Sites, Watched
from tests.web.test_browser import LIVE
from tests.web.test_table_page import PROJECTOR, VIOLATION

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]
X, Y = games.load_mat("five-cards-collector", 3).zone("collection.1").rect.centre


def on_table(dx: float = 0.0, *, covered: tuple[str, ...] = (), more: tuple[Lying, ...] = ()) -> OnTable:
    lying = (Lying(BACK, 342, 253, 0, "deck", order=1), Lying("00N", round(X + dx), Y, 0, "collection.1", order=2))
    return OnTable((*lying, *more), covered)


def opened(page: Page, site: str) -> Page:
    page.goto(site)
    page.wait_for_selector(LIVE)
    expect(page.locator(".tabletop image")).to_have_count(2)
    return page


def test_a_face_is_put_in_once_and_stays_while_the_piece_glides(site_of: Sites, browse: Browse) -> None:
    desk, asked = ShowDesk(on_table=on_table()), list[str]()
    page = browse(**PROJECTOR).page()
    page.on("request", lambda request: asked.append(request.url) if "/small/00N" in request.url else None)
    opened(page, site_of(desk))
    page.evaluate("document.querySelector('[data-id=\"00N\"] image').mark = 1")
    desk.show(on_table=on_table(60.0))
    moved = page.locator(f'.thing[data-id="00N"][transform^="translate({round(X + 60)} "]')
    expect(moved).to_have_count(1)
    assert moved.evaluate("one => [one.querySelector('image').mark, one.getAnimations().length]") == [1, 1]
    assert len(asked) == 1


@pytest.mark.night
def test_nothing_glides_where_motion_is_reduced(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(on_table=on_table())
    page = opened(browse(**PROJECTOR, reduced_motion="reduce").page(), site_of(desk))
    desk.show(on_table=on_table(60.0))
    expect(page.locator(f'.thing[transform^="translate({round(X + 60)} "]')).to_have_count(1)
    assert page.evaluate("document.getAnimations().length") == 0


def test_without_a_script_the_table_is_there_in_chips(site_of: Sites, browse: Browse) -> None:
    page = browse(**PROJECTOR, java_script_enabled=False).page()
    page.goto(site_of(ShowDesk(on_table=on_table())))
    expect(page.locator(".tabletop .thing .piece-of")).to_have_count(2)
    expect(page.locator(".tabletop .thing.card")).to_be_in_viewport()


def test_the_camera_is_a_small_corner_that_grows_by_keys_and_in_an_alarm(site_of: Sites, browse: Browse) -> None:
    desk, asked = ShowDesk(on_table=on_table()), list[str]()
    page = browse(**PROJECTOR).page()
    page.on("request", lambda request: asked.append(request.url) if "camera.jpg" in request.url else None)
    opened(page, site_of(desk))
    corner, see = page.locator(".camera"), page.locator(".see")

    def wide() -> Any:
        return see.evaluate("one => one.getBoundingClientRect().width / innerWidth")

    assert all("small=1" in address for address in asked)
    assert wide() < 0.25
    see.focus()
    page.keyboard.press("Enter")
    expect(see).to_have_attribute("aria-expanded", "true")
    assert wide() > 0.9
    page.keyboard.press("Escape")
    expect(see).to_have_attribute("aria-expanded", "false")
    desk.show(on_table=on_table(covered=("collection.1",)))
    expect(page.locator(".covers rect")).to_have_count(1)
    expect(corner).to_have_class("camera raised")
    desk.show(on_table=on_table(), violation=VIOLATION, pointers=(Pointer("take it back", "00N"),))
    expect(page.locator(".alarm")).to_be_visible()
    assert wide() > 0.28


def test_what_differs_and_what_is_due_are_told_apart_from_what_lies(site_of: Sites, browse: Browse) -> None:
    more = (Lying("00M", 500, 350, 0, "collection.1", "differs", 3), Lying("00O", 600, 350, 0, "collection.1", "due"))
    page = browse(**PROJECTOR).page()
    page.goto(site_of(ShowDesk(on_table=on_table(more=more))))
    looks = "one => (s => [s.stroke, s.strokeWidth, s.strokeDasharray].join())(getComputedStyle(one))"
    found = {page.locator(f".thing.{kind} .piece-of").first.evaluate(looks) for kind in ("lies", "differs", "due")}
    assert len(found) == 3


def test_show_me_on_the_hosts_phone_is_the_drawn_table_with_its_arrow(site_of: Sites, browse: Browse) -> None:
    away = Pointer("take it back", "00N", Box(X, Y, 63, 88), None)
    page = browse(viewport={"width": 390, "height": 844}).page()
    site = site_of(ShowDesk(on_table=on_table(), violation=VIOLATION, pointers=(away,)))
    page.goto(f"{site}/host")
    page.get_by_label("PIN").fill(PIN)
    page.keyboard.press("Enter")
    page.get_by_text("Show me").click()
    expect(page.locator(".show .drawn")).to_be_visible()
    expect(page.locator(".show .aim-arrow")).to_have_count(1)
    expect(page.locator(".show .thing image")).to_have_count(2)
