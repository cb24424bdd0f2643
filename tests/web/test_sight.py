"""The camera's pages in a real Chromium, before a drawn table and the real eye: pointing, dragging zones, keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.eye.mat import Rect
from tests.server.desks import GAME, PIN
from tests.server.eyes import MOON, STAR, EyeDesk
from tests.web.conftest import PHONE, SCREEN, Sites, Watched
from tests.web.test_browser import CONTRAST, SMALL, UNNAMED, WIDE

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]


@pytest.fixture(scope="module")
def table() -> Iterator[EyeDesk]:
    desk = EyeDesk()
    closes, desk.close = desk.close, lambda: None  # type: ignore[method-assign]
    yield desk
    closes()


@pytest.fixture
def desk(table: EyeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EyeDesk:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    table.forget()
    return table


def enter(page: Page, site: str) -> None:
    """Become the host."""
    page.goto(f"{site}/host")
    page.get_by_label("The host's PIN").fill(PIN)
    page.get_by_role("button", name="Be the host").click()
    expect(page.get_by_role("heading", name="Are you the host?")).to_have_count(0)


def point(page: Page, desk: EyeDesk, zone: str) -> None:
    """Tap the middle of a zone in the camera's picture."""
    known, box = desk.eye.calibration, page.locator("#picture").bounding_box()
    assert known is not None
    assert box is not None
    (x, y), (wide, high) = known.to_px([desk.mat.zone(zone).rect.centre])[0], known.size
    page.locator("#picture").click(position={"x": x / wide * box["width"], "y": y / high * box["height"]})


@pytest.mark.night
def test_a_reading_is_corrected_by_pointing_at_it(desk: EyeDesk, site_of: Sites, browse: Browse) -> None:
    site, page = site_of(desk), browse(**PHONE).page()
    page.goto(f"{site}/host/eye")
    point(page, desk, "discard")
    expect(page.get_by_role("heading", name="Red star lies here, I think")).to_be_focused()
    page.get_by_label("It is another card. Which?").fill("violet moon")
    page.get_by_role("button", name="It is Violet moon").tap()
    expect(page.get_by_text("That counts until a hand comes there.")).to_be_visible()
    violet = next(card.piece for card in desk.game.deck.cards if card.title == "Violet moon")
    assert desk.matched()[violet] == "discard"
    assert STAR not in desk.matched()

    # What was told is in the list, and forgotten there.
    row = page.locator(".lying li", has_text="Violet moon")
    expect(row).to_contain_text("you said so")
    row.get_by_role("button", name="Forget that Violet moon").tap()
    expect(page.locator(".lying li", has_text="Red star")).to_be_visible()
    assert desk.matched()[STAR] == "discard"


@pytest.mark.night
def test_who_says_what_can_not_be_is_told_where_the_camera_sees_that_card(
    desk: EyeDesk, site_of: Sites, browse: Browse
) -> None:
    """It was believed without a word: the card was gone where it lies, and that place was blamed."""
    site, page = site_of(desk), browse(**PHONE).page()
    page.goto(f"{site}/host/eye")
    point(page, desk, "discard")
    page.get_by_label("It is another card. Which?").fill("blue moon")
    page.get_by_role("button", name="It is Blue moon").first.tap()
    doubt = "But the camera sees the blue moon in"
    expect(page.get_by_text(doubt)).to_contain_text("if it lies there, forget what you said.")
    page.locator(".lying li", has_text="you said so").get_by_role("button", name="Forget that").tap()
    expect(page.locator(".lying li", has_text="Red star")).to_be_visible()
    assert desk.matched()[STAR] == "discard"


@pytest.mark.night
def test_a_reading_is_corrected_with_keys_alone_and_without_a_script(
    desk: EyeDesk, site_of: Sites, browse: Browse
) -> None:
    site = site_of(desk)
    for how in ({**SCREEN}, {**SCREEN, "java_script_enabled": False}):
        page = browse(**how).page()
        page.goto(f"{site}/host/eye")
        page.get_by_role("link", name="Correct: Blue moon").focus()
        page.keyboard.press("Enter")
        gone = page.get_by_role("button", name="Nothing lies there")
        expect(gone).to_be_visible()
        gone.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("nothing lies there. That counts")).to_be_visible()
        assert MOON not in desk.matched()
        desk.forget()


@pytest.mark.night
def test_the_page_renews_itself(desk: EyeDesk, site_of: Sites, browse: Browse) -> None:
    site, page = site_of(desk), browse(**SCREEN).page()
    page.goto(f"{site}/host/eye")
    expect(page.locator(".lying li", has_text="Red star")).to_be_visible()
    first = page.locator("#picture").get_attribute("src")
    desk.sight.tell(*desk.mat.zone("discard").rect.centre, "nothing")
    expect(page.locator(".lying li", has_text="Nothing")).to_contain_text("the discard pile")
    expect(page.locator(".lying li", has_text="Red star")).to_have_count(0)
    expect(page.locator("#picture")).not_to_have_attribute("src", first or "")


@pytest.mark.night
def test_a_zone_is_dragged_made_larger_and_moved_with_keys(desk: EyeDesk, site_of: Sites, browse: Browse) -> None:
    site, watched = site_of(desk), browse(**SCREEN)
    page = watched.page()
    enter(page, site)
    page.goto(f"{site}/host/zones")
    board = page.locator("#board").bounding_box()
    assert board is not None
    scale = board["width"] / desk.mat.w
    zone = page.locator(".zone[data-zone=used]")
    box = zone.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 20 + 50 * scale, box["y"] + 20 - 20 * scale, steps=5)
    page.mouse.up()
    moved = page.locator(".zone[data-zone=used]")
    expect(moved).to_have_class("zone chosen moved")
    for key, value in (("x", 566.0), ("y", 182.0), ("w", 84.0)):
        assert float(page.locator(f"[name='used:{key}']").input_value()) == pytest.approx(value, abs=1.0), key

    corner = page.locator(".zone[data-zone=used] .corner").bounding_box()
    assert corner is not None
    page.mouse.move(corner["x"] + 10, corner["y"] + 10)
    page.mouse.down()
    page.mouse.move(corner["x"] + 10 + 30 * scale, corner["y"] + 10, steps=4)
    page.mouse.up()
    assert float(page.locator("[name='used:w']").input_value()) == pytest.approx(114.0, abs=1.0)

    # Fields say the same as the picture, keys move it exactly.
    for key, value in (("x", "560"), ("y", "202"), ("w", "84"), ("h", "102")):
        page.locator(f"[name='used:{key}']").fill(value)
    moved.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_role("button", name="Keep this for the next match").click()
    expect(page.get_by_text("The zones are kept; the next match uses them.")).to_be_visible()
    assert games.load_mat(GAME, 3).zone("used").rect == Rect(551.0, 202.0, 84.0, 103.0)

    page.get_by_label("Zone", exact=True).select_option("deck")
    page.locator("[name='deck:x']").fill("380")
    page.get_by_role("button", name="Keep this for the next match").click()
    expect(page.get_by_role("link", name="The deck and the discard pile overlap by 56 mm")).to_be_visible()
    expect(page.locator(".zone[data-zone=deck]")).to_have_class("zone bad chosen")
    assert [words for words in watched.complaints if "409" not in words] == []
    watched.complaints.clear()
    page.get_by_role("button", name="Back to the printed mat").click()
    expect(page.get_by_text("The zones are kept")).to_be_visible()
    assert games.load_mat(GAME, 3) == desk.mat


@pytest.mark.night
def test_who_is_not_the_host_looks_at_the_zones_and_moves_none(desk: EyeDesk, site_of: Sites, browse: Browse) -> None:
    site, watched = site_of(desk), browse(**SCREEN)
    page = watched.page()
    page.goto(f"{site}/host/zones")
    zone = page.locator(".zone[data-zone=used]")
    box = zone.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 20, steps=3)
    page.mouse.up()
    zone.press("ArrowRight")
    expect(zone).to_have_class("zone chosen")
    expect(page.locator(".zone .corner:visible")).to_have_count(0)
    field = page.locator("[name='used:x']")
    expect(field).to_be_disabled()
    assert float(field.input_value()) == desk.mat.zone("used").rect.x
    page.get_by_label("Zone", exact=True).select_option("deck")
    expect(page.locator(".zone[data-zone=deck]")).to_have_class("zone chosen")
    assert watched.complaints == []
    page.get_by_role("link", name="Enter the host's PIN").click()
    expect(page.get_by_role("button", name="Be the host")).to_be_visible()


@pytest.mark.night
def test_cards_are_found_while_one_types(desk: EyeDesk, site_of: Sites, browse: Browse) -> None:
    page = browse(**PHONE).page()
    page.goto(f"{site_of(desk)}/cards")
    expect(page.locator("#count")).to_have_text("82 of 82 cards")
    page.get_by_label("Find cards").fill("star red symbol")
    few = page.locator(".faces li:visible")
    expect(few).to_have_count(2)
    expect(few.first).to_contain_text("Red star")
    page.get_by_label("Find cards").fill("")
    page.get_by_label("Kind").select_option("goal")
    expect(few).to_have_count(10)


@pytest.mark.night
@pytest.mark.parametrize(("how", "scheme"), [(SCREEN, "light"), (PHONE, "dark")], ids=["screen", "phone"])
def test_the_pages_can_be_used_by_finger_eye_and_screen_reader(
    desk: EyeDesk, site_of: Sites, browse: Browse, how: dict[str, Any], scheme: str
) -> None:
    site = site_of(desk)
    page = browse(**how, color_scheme=scheme).page()
    enter(page, site)
    x, y = desk.mat.zone("discard").rect.centre
    for path in (f"/host/eye?x={x}&y={y}&q=moon", "/host/zones", f"/cards/{GAME}?q=star", "/cards/test"):
        page.goto(f"{site}{path}")
        small = [one for one in page.evaluate(SMALL) if 'class="zone' not in one]  # zones are as large as they are
        assert small == [], path
        assert page.evaluate(UNNAMED) == [], path
        assert page.evaluate(WIDE) <= 0, path
        assert page.evaluate(CONTRAST) == [], path
    page.context.clear_cookies()
    page.goto(f"{site}/host/zones")
    expect(page.get_by_text("only the host moves them")).to_be_visible()
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(WIDE) <= 0
    assert page.evaluate(CONTRAST) == []
