"""Pages in a real Chromium: join, tap, live everywhere, many tabs, no script, small, and to be looked at."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.from_file.saying import RoundOver
from companion.referee.commands import Play, Undo
from companion.referee.snapshot import Choice, Question
from tests.nights import at_night
from tests.server.desks import PIN, BiddingDesk, MatchDesk, ShowDesk, view
from tests.server.played import PlayedDesk
from tests.waiting import until
from tests.web.conftest import PHONE, SCREEN, Site, Sites, Watched

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]
LIVE = 'body[data-live="live"]'


def join(page: Page, site: str, seat: int, name: str) -> None:
    """Join as people do: from the QR's short address, by taps."""
    page.goto(f"{site}/J")
    page.get_by_label("Your name").fill(name)
    page.locator(f".chair:has(input[value='{seat}'])").tap()
    page.get_by_role("button", name="Sit down").tap()
    asked = page.get_by_role("button", name=re.compile("^(Play both|Take its place)$"))
    expect(page.locator(".turn").or_(asked).first).to_be_visible()
    if asked.is_visible():
        asked.tap()
    page.wait_for_url(f"{site}/seat/{seat}")
    page.wait_for_selector(LIVE)


def test_a_phone_joins_and_does_nothing_by_a_tap_and_everybody_sees_it(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    phone, other, table = browse(**PHONE).page(), browse(**PHONE).page(), browse(**SCREEN).page()
    join(phone, site, 1, "Anna")
    join(other, site, 2, "Bo")
    table.goto(site)
    table.wait_for_selector(LIVE)
    expect(table.get_by_role("heading", level=1)).to_have_text("It is the turn of Anna.")
    expect(other.locator(".barred")).to_contain_text("You can't do anything now")
    phone.get_by_role("button", name="Do nothing").tap()
    expect(table.get_by_role("heading", level=1)).to_have_text("It is the turn of Bo.")
    expect(other.locator(".turn.mine")).to_be_visible()
    expect(other).to_have_title(re.compile("^● Bo"))
    expect(phone.locator(".turn.mine")).to_have_count(0)
    expect(table.locator(".log")).to_contain_text("Anna does nothing.")


def test_a_card_is_chosen_on_the_phone_then_one_is_drawn(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    site = site_of(desk)
    phone = browse(**PHONE).page()
    join(phone, site, 1, "Anna")
    deed = phone.locator(".deed", has_text="Discard a symbol card")
    deed.locator("summary").tap()
    deed.get_by_role("button", name="Red moon").tap()
    expect(phone.locator(".shelf", has_text="Discard pile")).to_contain_text("Red moon")
    for seat, name in ((2, "Bo"), (3, "Cleo")):
        join(phone, site, seat, name)
        phone.get_by_role("button", name="Do nothing").tap()
        expect(phone.locator(".turn.mine")).to_have_count(0)
    phone.goto(f"{site}/seat/1")
    phone.wait_for_selector(LIVE)
    phone.get_by_role("button", name="Draw a card").tap()
    phone.get_by_role("button", name="Keep the card").tap()
    expect(phone.locator(".turn.mine")).to_have_count(0)
    assert [line.words for line in desk.snapshot().log][-2:] == [
        "Anna draws a card.",
        "Anna keeps the card just drawn.",
    ]


@pytest.mark.night
def test_a_bid_is_made_by_taps_and_the_clock_runs_for_everybody(site_of: Sites, browse: Browse, tmp_path: Path) -> None:
    desk = BiddingDesk(tmp_path)
    site = site_of(desk)
    opener, second = desk.bidders[:2]
    phone, other, table = browse(**PHONE).page(), browse(**PHONE).page(), browse(**SCREEN).page()
    join(phone, site, opener, "Anna")
    join(other, site, second, "Bo")
    table.goto(site)
    table.wait_for_selector(LIVE)
    expect(phone.locator("[data-left]")).to_have_text(re.compile("^(20|1.)$"))
    offer = phone.locator("[data-offer]")
    expect(offer).to_have_text("Bid 1")
    phone.get_by_role("button", name="+5").tap()
    phone.get_by_role("button", name="One less").tap()
    expect(offer).to_have_text("Bid 5")
    phone.locator(".stepper input").fill("7")
    offer.tap()
    for page in (phone, other):
        expect(page.locator(".auction .price")).to_have_text(re.compile("Anna leads with 7"))
    expect(table.get_by_role("heading", name="Anna leads with 7")).to_be_visible()
    expect(table.get_by_role("listitem").filter(has_text="Bo to bid")).to_have_count(1)
    expect(other.locator("[data-offer]")).to_have_text("Bid 8")
    desk.pass_time(12)
    other.reload()
    expect(other.locator(".clock.urgent")).to_be_visible()
    expect(other.locator("[data-urgent]")).to_have_text(re.compile("seconds left to bid"))
    other.get_by_role("button", name="Pass").tap()
    expect(table.get_by_role("listitem").filter(has_text="Bo to bid")).to_have_count(0)


def test_a_bid_that_is_typed_becomes_no_other_one(site_of: Sites, browse: Browse, tmp_path: Path) -> None:
    desk = BiddingDesk(tmp_path)
    phone = browse(**PHONE).page()
    join(phone, site_of(desk), desk.bidders[0], "Anna")
    offer, bounds = phone.locator("[data-offer]"), phone.locator("[data-bounds]")
    expect(phone.locator(".asked")).to_contain_text("seconds, then a bid of 1")
    expect(bounds).to_be_hidden()
    for typed in ("99", "0", "2.5", ""):
        phone.locator(".stepper input").fill(typed)
        expect(offer).to_be_disabled()
        expect(offer).to_have_text(f"Bid {typed}".rstrip())
        expect(bounds).to_have_text("Only 1 to 20 is possible.")
    phone.locator(".stepper input").fill("7")
    expect(bounds).to_be_hidden()
    offer.tap()
    expect(phone.locator(".auction .price")).to_have_text(re.compile("Anna leads with 7"))


@pytest.mark.night
def test_the_menu_opens_into_sight(site_of: Sites, browse: Browse) -> None:
    phone = browse(**PHONE).page()
    join(phone, site_of(MatchDesk()), 1, "Anna")
    phone.locator("#settings > summary").tap()
    expect(phone.get_by_role("button", name="Leave this seat")).to_be_in_viewport()


def test_a_refusal_is_said_on_the_phone_in_one_sentence(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    watched = browse(**PHONE)
    phone = watched.page()
    join(phone, site_of(desk), 1, "Anna")
    phone.evaluate(
        """document.querySelector("[data-command*='nothing']").dataset.command =
           JSON.stringify({do: "play", seat: 1, action: {type: "draw", seat: 1}})"""
    )
    phone.get_by_role("button", name="Do nothing").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Anna holds 7 cards, and 7 are the limit.")
    assert len(watched.complaints) == 1
    assert "409" in watched.complaints.pop()


def test_a_question_is_one_tap(site_of: Sites, browse: Browse) -> None:
    question = Question(
        "q7", "which", "What happened?", (2,), (Choice("0", "Bo adds it."), Choice("1", "Bo discards it."))
    )
    desk = ShowDesk()
    site = site_of(desk)
    phone, table = browse(**PHONE).page(), browse(**SCREEN).page()
    join(phone, site, 2, "Bo")
    table.goto(site)
    table.wait_for_selector(LIVE)
    desk.show(question=question)
    phone.get_by_role("button", name="Bo discards it.").tap()
    expect(table.get_by_role("heading", name="What happened?")).to_be_visible()
    expect(table.get_by_role("button", name="Bo adds it.")).to_have_count(0)
    expect(phone.locator("[aria-busy]")).to_have_count(0)
    answer = desk.commands[-1]
    assert (answer.choice, answer.seat) == ("1", 2)  # type: ignore[attr-defined]


@pytest.mark.night
def test_an_open_chooser_and_a_typed_name_survive_what_comes_in(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    site = site_of(desk)
    watched = browse(**SCREEN)
    page = watched.page()
    page.goto(f"{site}/host")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Be the host").click()
    page.wait_for_selector(LIVE)
    page.get_by_label("Name at seat 2").fill("Bartholo")
    phone = browse(**PHONE).page()
    join(phone, site, 1, "Anna")
    deed = phone.locator(".deed", has_text="Use a special card")
    deed.locator("summary").tap()
    join(browse(**PHONE).page(), site, 3, "Cleo")
    expect(page.locator(".people")).to_contain_text("Free the seat")
    expect(page.get_by_label("Name at seat 2")).to_have_value("Bartholo")
    expect(page.get_by_label("Name at seat 2")).to_be_focused()
    page.get_by_label("Name at seat 2").press("Enter")
    expect(phone.locator(".others")).to_contain_text("Bartholo")
    expect(deed.locator("details")).to_have_attribute("open", "")


def test_ending_a_match_takes_two_taps(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    page = browse(**SCREEN).page()
    page.goto(f"{site_of(desk)}/host")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Be the host").click()
    page.wait_for_selector(LIVE)
    page.get_by_role("button", name="End the match").click()
    assert desk.snapshot().phase != "over"
    page.get_by_role("button", name="Tap again to end the match for everybody").click()
    expect(page.locator(".turn.over")).to_be_visible()


FOR_EVER = """() => {
  const real = window.setTimeout;
  window.setTimeout = (done, wait, ...more) => wait === 4000 ? 0 : real(done, wait, ...more);
}"""


@pytest.mark.night
def test_a_second_tap_does_not_do_what_it_did_not_mean_at_the_first(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("cribbage", 2)
    desk.simulated, desk.page_buttons, desk.pace = True, ("undo",), 1.0
    page, table = browse(**PHONE).page(), browse(**SCREEN).page()
    site = site_of(desk)
    join(page, site, 1, "Anna")
    table.goto(site)
    table.wait_for_selector(LIVE)
    for one in (page, table):  # no button is disarmed by the time that passes
        one.evaluate(FOR_EVER)
    page.get_by_role("button", name="The round is over").click()
    table.locator(".device").focus()
    table.get_by_role("button", name="Undo").click()
    assert desk.command(Play(seat=2, action=RoundOver(seat=2))).ok
    expect(page.get_by_role("button", name="The round is over")).to_be_visible()
    expect(table.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.locator("[data-armed]")).to_have_count(0)


@pytest.mark.night
def test_at_a_simulated_table_buttons_speed_and_pictures_work(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    desk.simulated, desk.page_buttons, desk.pace = True, ("next", "page", "undo"), 1.0
    page = browse(**SCREEN).page()
    page.goto(site_of(desk))
    page.wait_for_selector(LIVE)
    page.locator(".device").focus()
    page.get_by_role("button", name="Page").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Tap again: the last step is taken back").click()
    until(lambda: Undo(by="button") in desk.commands)
    page.get_by_label("The robots play").fill("4")
    expect(page.get_by_label("The robots play at 4 times people's speed")).to_be_visible()
    assert (desk.pressed, desk.pace) == (["page"], 4.0)
    desk.shot = 31
    expect(page.locator("img[data-picture=camera]")).to_have_attribute("src", re.compile(r"v=31$"))
    assert page.locator(".oled").evaluate("one => getComputedStyle(one).imageRendering") == "pixelated"


# --------------------------------------------------------------------------------------------------------- many tabs


def streams_in_the_end(site: Site, desk: ShowDesk) -> int:
    """Count the open streams, once those that were closed are noticed: they are at the next events."""
    until = time.monotonic() + 5
    while site.feed._streams > 1 and time.monotonic() < until:
        desk.show(sentence=f"At {time.monotonic()}.")
        time.sleep(0.1)
    return site.feed._streams


NO_WORKER = "delete window.SharedWorker;"


@pytest.mark.night
@pytest.mark.parametrize("without", ["", NO_WORKER], ids=["worker", "elected"])
def test_eight_tabs_of_one_browser_stay_live_on_one_stream(site_of: Sites, browse: Browse, without: str) -> None:
    desk = ShowDesk(4)
    site = site_of(desk)
    watched = browse(**SCREEN)
    if without:
        watched.context.add_init_script(without)
    tabs = [watched.page() for _ in range(8)]
    for tab in tabs:
        tab.goto(site)
    for tab in tabs:
        tab.wait_for_selector(LIVE)
    for words in ("One comes.", "Another comes."):
        desk.show(sentence=words)
        for tab in tabs:
            expect(tab.locator(".said-words")).to_have_text(words)
    tabs[0].close()
    desk.show(sentence="The first tab is gone.")
    for tab in tabs[1:]:
        expect(tab.locator(".said-words")).to_have_text("The first tab is gone.")
    assert streams_in_the_end(site, desk) == 1


@pytest.mark.night
def test_tabs_of_different_seats_share_one_stream(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(8)
    site = site_of(desk)
    watched = browse(**PHONE)
    tabs = []
    for seat in range(1, 9):
        tabs.append(watched.page())
        join(tabs[-1], site, seat, f"P{seat}")
    desk.show(views=tuple(view(seat, f"For seat {seat} only.") for seat in range(9)))
    for seat, tab in enumerate(tabs, 1):
        expect(tab.locator(".turn")).to_contain_text(f"For seat {seat} only.")
    assert streams_in_the_end(site, desk) == 1


@pytest.mark.night
def test_a_phone_whose_streams_are_refused_asks_from_time_to_time(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    watched = browse(**PHONE)
    page = watched.page()
    page.goto(site_of(desk, most_streams=0))
    page.wait_for_selector(LIVE)
    desk.show(sentence="Heard all the same.")
    expect(page.locator(".said-words")).to_have_text("Heard all the same.")
    assert all("503" in said for said in watched.complaints)
    watched.complaints.clear()


@pytest.mark.night
def test_a_phone_whose_seat_is_freed_is_led_to_the_form(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    site = site_of(desk)
    phone, host = browse(**PHONE).page(), browse(**SCREEN).page()
    join(phone, site, 2, "Bo")
    host.goto(f"{site}/host")
    host.get_by_label("PIN").fill(PIN)
    host.get_by_role("button", name="Be the host").click()
    host.wait_for_selector(LIVE)
    host.get_by_role("button", name="Free the seat").click()
    host.get_by_role("button", name="Tap again").click()
    phone.wait_for_url(f"{site}/join/2")


@pytest.mark.night
@pytest.mark.parametrize("without", ["", *at_night(NO_WORKER)], ids=["worker", "elected"])
def test_pages_come_back_by_themselves_after_a_restart(site_of: Sites, browse: Browse, without: str) -> None:
    site = site_of(ShowDesk())
    watched = browse(**PHONE)
    if without:
        watched.context.add_init_script(without)
    page = watched.page()
    page.goto(site)
    page.wait_for_selector(LIVE)
    site.stop()
    expect(page.locator("#lost")).to_be_visible()
    site_of(ShowDesk(sentence="Back again."), port=int(site.rpartition(":")[2]))
    expect(page.locator(".said-words")).to_have_text("Back again.", timeout=30_000)
    expect(page.locator("#lost")).to_be_hidden()
    watched.complaints.clear()


@pytest.mark.night
def test_a_bids_clock_is_right_after_a_power_cut(site_of: Sites, browse: Browse, tmp_path: Path) -> None:
    before, after = BiddingDesk(tmp_path / "before"), BiddingDesk(tmp_path / "after")
    before.time = 500_000.0
    site = site_of(before)
    watched = browse(**SCREEN)
    page = watched.page()
    page.goto(site)
    page.wait_for_selector(LIVE)
    site.stop()
    expect(page.locator("#lost")).to_be_visible()
    # A computer that starts counts its seconds anew.
    site_of(after, port=int(site.rpartition(":")[2]))
    expect(page.locator("#lost")).to_be_hidden(timeout=30_000)
    expect(page.locator("[data-left]")).to_have_text(re.compile("^(20|1.)$"))
    watched.complaints.clear()


# ------------------------------------------------------------------------------------------------- without a script


def test_pages_can_be_read_without_a_script_and_offer_no_dead_buttons(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    site = site_of(desk)
    page = browse(java_script_enabled=False, **PHONE).page()
    page.goto(f"{site}/join")
    page.get_by_label("Your name").fill("Anna")
    page.locator(".chair:has(input[value='1'])").click()
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your turn: add or discard a card")
    expect(page.get_by_text("Discard a symbol card: a red card or a star")).to_be_visible()
    expect(page.locator("[data-command]:visible")).to_have_count(0)
    page.locator("#settings > summary").click()
    page.get_by_role("button", name="Leave this seat").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("It is the turn of seat 1.")


# ------------------------------------------------------------------------------------------------------------- size


def test_a_first_visit_is_small_and_asks_nobody_else(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(8))
    watched = browse(**PHONE)
    sizes: dict[str, int] = {}
    watched.context.on(
        "requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]})
    )
    page = watched.page()
    join(page, site, 1, "Anna")
    page.wait_for_timeout(200)
    assert all(url.startswith(site) for url in watched.asked)
    page_bytes = {url: size for url, size in sizes.items() if "/events/" not in url}
    assert any("figures.svg" in url for url in page_bytes)
    assert sum(page_bytes.values()) < 150_000


# ------------------------------------------------------------------------------------------------------ accessibility

SMALL = """() => Array.from(document.querySelectorAll("a, button, input, summary, select")).filter(one => {
  const box = (one.closest("label") || one).getBoundingClientRect(), style = getComputedStyle(one);
  const inline = one.tagName === "A" && one.closest("p, li > span") && !one.classList.contains("tap");
  return box.width && style.visibility !== "hidden" && !one.classList.contains("skip") && !inline
    && (box.height < 43.5 || box.width < 43.5);
}).map(one => one.outerHTML.slice(0, 90))"""
UNNAMED = """() => Array.from(document.querySelectorAll("button, a[href], input:not([type=hidden]), img")).filter(one =>
  !(one.textContent.trim() || one.getAttribute("aria-label") || one.hasAttribute("alt")
    || one.getAttribute("aria-labelledby")
    || (one.labels && one.labels.length))).map(one => one.outerHTML.slice(0, 90))"""
WIDE = "() => document.documentElement.scrollWidth - innerWidth"
CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = colour => { probe.clearRect(0, 0, 1, 1); probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1);
    return Array.from(probe.getImageData(0, 0, 1, 1).data); };
  const linear = v => v / 255 <= .04045 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.map(linear);
    return .2126 * r + .7152 * g + .0722 * b; };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !one.getClientRects().length) continue;
    if (one.closest(".unseen, .skip, noscript, svg, :disabled")) continue;
    let back = null;
    for (let at = one; at && !back; at = at.parentElement) {
      const c = rgb(getComputedStyle(at).backgroundColor);
      if (c[3] > 250) back = c;
    }
    const style = getComputedStyle(one), a = light(rgb(style.color)), b = light(back || [255, 255, 255]);
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), big = parseFloat(style.fontSize) >= 24;
    if (ratio < (big ? 3 : 4.5)) found.push(ratio.toFixed(2) + " " + walk.currentNode.textContent.trim().slice(0, 40));
  }
  return found;
}"""


@pytest.mark.night
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_used_by_finger_eye_and_screen_reader(
    site_of: Sites, browse: Browse, scheme: str, tmp_path: Path
) -> None:
    desk = MatchDesk(4, "assist")
    desk.simulated, desk.page_buttons, desk.pace = True, ("next", "page", "undo"), 1.0
    site = site_of(desk)
    pages: dict[str, dict[str, Any]] = {"/": SCREEN, "/host": SCREEN, "/seat/1": PHONE, "/join": PHONE, "/log": PHONE}
    watched = browse(color_scheme=scheme, **PHONE)
    page = watched.page()
    join(page, site, 1, "Anna")
    page.get_by_role("button", name="Do nothing").tap()
    page.goto(f"{site}/host")
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Be the host").tap()
    page.wait_for_selector(LIVE)
    for path, how in pages.items():
        page.set_viewport_size(how["viewport"])
        page.goto(site + path)
        assert page.evaluate(SMALL) == [], path
        assert page.evaluate(UNNAMED) == [], path
        assert page.evaluate(WIDE) <= 0, path
        assert page.evaluate(CONTRAST) == [], path
        page.screenshot(path=tmp_path / f"{scheme}.png")
