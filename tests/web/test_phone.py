"""A seat's phone in a real Chromium: my hand, tips, sounds, another phone taking over, every game's pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.games.five_cards_collector.passing import Nothing
from companion.games.karmic_collections.card_actions import Conceal
from companion.referee.commands import Play, Undo
from tests.server.desks import PIN, BiddingDesk, MatchDesk
from tests.server.played import GAMES, PlayedDesk
from tests.server.test_hand_pages import photograph
from tests.web.conftest import PHONE, SCREEN, Sites, Watched
from tests.web.test_browser import CONTRAST, LIVE, SMALL, UNNAMED, WIDE, join

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]


def pick(page: Page, *titles: str) -> None:
    """Enter cards as people do: open my hand, pick."""
    page.locator("#my-hand > summary").tap()
    page.get_by_role("button", name="Pick cards").tap()
    for title in titles:
        page.locator(f"[data-pick='symbol|{title}']").tap()


def held(page: Page) -> dict[str, int]:
    """Give what this browser keeps of the hand."""
    kept = page.evaluate(
        "() => Object.keys(localStorage).filter(one => one.startsWith('companion-hand-')).map(one => localStorage[one])"
    )
    return {} if not kept else json.loads(kept[0])["cards"]


@pytest.mark.night
def test_my_hand_stays_in_the_browser_and_shows_what_fits(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    site = site_of(desk)
    watched = browse(**PHONE)
    sent: list[str] = []
    watched.context.on("request", lambda one: sent.append(f"{one.url} {one.post_data or ''} {one.headers}"))
    phone = watched.page()
    join(phone, site, 1, "Anna")
    before = len(sent)
    pick(phone, "Red moon", "Red moon", "Green leaf", "Violet key")
    discard = phone.locator("#hole-discard-1")
    expect(discard.locator("[data-fits]")).to_have_text("1 in your hand")
    discard.locator("summary").tap()
    expect(discard.locator(".chip-tap").first).to_have_attribute("data-key", "symbol|Red moon")
    expect(discard.locator(".in-hand")).to_have_count(1)
    phone.reload()
    phone.wait_for_selector(LIVE)
    expect(phone.locator("[data-hand-count]")).to_have_text("4 cards")
    entered = " ".join(sent[before:])
    for word in ("moon", "leaf", "violet", "symbol", "00M", "00Y"):
        assert word not in entered
    discard.locator("summary").tap()
    discard.locator(".in-hand").tap()
    expect(phone.locator("[data-hand-count]")).to_have_text("3 cards")
    assert held(phone) == {"symbol|Red moon": 1, "symbol|Green leaf": 1, "symbol|Violet key": 1}
    assert desk.command(Undo(by="host")).ok
    expect(phone.locator("[data-hand-count]")).to_have_text("4 cards")


@pytest.mark.night
def test_a_card_is_taken_out_and_the_hand_switched_off(site_of: Sites, browse: Browse) -> None:
    phone = browse(**PHONE).page()
    join(phone, site_of(MatchDesk(3)), 1, "Anna")
    pick(phone, "Red moon", "Green leaf")
    phone.get_by_role("button", name="Take Green leaf out of my hand").tap()
    assert held(phone) == {"symbol|Red moon": 1}
    phone.locator("#settings > summary").tap()
    phone.get_by_role("switch", name="Your hand").tap()
    expect(phone.locator(".my-hand")).to_be_hidden()
    expect(phone.locator(".in-hand")).to_have_count(0)
    expect(phone.locator("#hole-discard-1 [data-fits]")).to_have_text("")
    phone.get_by_role("switch", name="Your hand").tap()
    expect(phone.locator(".my-hand")).to_be_visible()
    phone.get_by_role("button", name="Empty").tap()
    assert held(phone) == {}


@pytest.mark.night
def test_the_cards_are_photographed(site_of: Sites, browse: Browse) -> None:
    phone = browse(**PHONE).page()
    join(phone, site_of(MatchDesk(3)), 1, "Anna")
    phone.locator("#my-hand > summary").tap()
    picture = {"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": photograph("00N", "00M", "00O")}
    phone.locator("[data-hand-photo]").set_input_files([picture])  # type: ignore[list-item]
    expect(phone.locator("[data-hand-count]")).to_have_text("3 cards")
    assert held(phone) == {"symbol|Blue moon": 2, "symbol|Red moon": 1}
    expect(phone.locator("#hole-discard-1 [data-fits]")).to_have_text("1 in your hand")


@pytest.mark.night
def test_tips_can_be_switched_off_and_stay_off(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    phone = browse(**PHONE).page()
    join(phone, site, 1, "Anna")
    expect(phone.locator(".coach")).to_contain_text("Add a card that you collect")
    phone.get_by_role("button", name="No more tips").tap()
    expect(phone.locator(".coach")).to_be_hidden()
    phone.reload()
    phone.wait_for_selector(LIVE)
    expect(phone.locator(".coach")).to_be_hidden()
    phone.locator("#settings > summary").tap()
    phone.get_by_role("switch", name="Tips for the first match").tap()
    expect(phone.locator(".coach")).to_be_visible()


HEARD = """
  window.heard = []; window.felt = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) {
    window.heard.push(Math.round(this.frequency.value));
    start.call(this, at);
  };
  Object.defineProperty(navigator, "vibrate", { value: what => { window.felt.push(what); return true; } });
"""


@pytest.mark.night
def test_a_phone_sounds_and_shakes_when_it_is_ones_turn_unless_it_is_muted(site_of: Sites, browse: Browse) -> None:
    desk = MatchDesk(3)
    site = site_of(desk)
    watched = browse(**PHONE)
    watched.context.add_init_script(HEARD)
    phone = watched.page()
    join(phone, site, 2, "Bo")
    phone.locator("h1").tap()
    assert phone.evaluate("window.felt") == []
    assert desk.command(Play(seat=1, action=Nothing(seat=1))).ok
    expect(phone.locator(".turn.mine")).to_be_visible()
    phone.wait_for_function("() => window.heard.length == 2")
    assert phone.evaluate("window.felt") == [[60, 60, 60]]
    phone.locator("#settings > summary").tap()
    phone.get_by_role("switch", name="Sounds").tap()
    phone.get_by_role("switch", name="Vibration").tap()
    assert desk.command(Undo(by="host")).ok
    expect(phone.locator(".turn.mine")).to_have_count(0)
    assert desk.command(Play(seat=1, action=Nothing(seat=1))).ok
    expect(phone.locator(".turn.mine")).to_have_count(1)
    assert phone.evaluate("[window.heard.length, window.felt.length]") == [2, 1]


@pytest.mark.night
def test_the_last_seconds_of_a_bid_tick(site_of: Sites, browse: Browse, tmp_path: Any) -> None:
    desk = BiddingDesk(tmp_path)
    site = site_of(desk)
    watched = browse(**PHONE)
    watched.context.add_init_script(HEARD)
    phone = watched.page()
    join(phone, site, desk.bidders[0], "Anna")
    phone.locator("h1").tap()
    desk.pass_time(15.5)
    phone.reload()
    phone.wait_for_selector(LIVE)
    phone.locator("h1").tap()
    # Large over the page, and nothing moves for it.
    last = phone.locator(".last-seconds")
    expect(last).to_be_visible()
    expect(last).to_have_text(re.compile(r"^[1-9] Bid now, or you (pass|bid 1)$"))
    assert last.evaluate("one => getComputedStyle(one).position") == "fixed"
    expect(phone.locator(".clock.urgent")).to_be_visible()
    phone.wait_for_function("() => window.felt.filter(one => one === 80).length >= 1")
    expect(phone.locator("[data-urgent]")).to_have_attribute("aria-live", "assertive")
    expect(phone.locator("[data-urgent]")).to_have_text(re.compile("seconds left to bid"))


@pytest.mark.night
def test_another_phone_takes_over_with_one_tap_of_the_host(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    old, new, host = browse(**PHONE).page(), browse(**PHONE).page(), browse(**SCREEN).page()
    join(old, site, 2, "Bo")
    host.goto(f"{site}/host")
    host.get_by_label("PIN").fill(PIN)
    host.get_by_role("button", name="Be the host").click()
    host.wait_for_selector(LIVE)
    new.goto(f"{site}/seat/2")
    new.get_by_role("button", name="Ask for the seat of Bo").tap()
    expect(new.get_by_role("heading", level=1)).to_have_text("The host is asked")
    host.get_by_role("button", name="Let it take over").click()
    new.wait_for_url(f"{site}/seat/2")
    new.wait_for_selector(LIVE)
    old.wait_for_url(f"{site}/join/2")
    expect(old.get_by_role("alert")).to_contain_text("Another phone has taken over seat 2.")


@pytest.mark.night
def test_rolling_stands_still_for_who_wants_no_motion(site_of: Sites, browse: Browse) -> None:
    page = browse(reduced_motion="reduce", **PHONE).page()
    join(page, site_of(MatchDesk(3)), 1, "Anna")
    moving = """kind => { const one = document.createElement("button"); one.className = kind;
      one.setAttribute("aria-busy", "true"); document.querySelector("main").append(one);
      const found = [getComputedStyle(one).animationName, getComputedStyle(one, "::before").animationName];
      one.remove(); return found; }"""
    assert page.evaluate(moving, "die") == ["none", "none"]
    assert page.evaluate(moving, "roll") == ["none", "none"]


FURTHER = {"collectible": 20}
"""Actions before the page is looked at, where 40 are too many: somebody may have revealed a gallery by then."""


@pytest.mark.night
@pytest.mark.parametrize("name", GAMES)
def test_every_games_pages_fit_a_small_phone_in_light_and_dark(site_of: Sites, browse: Browse, name: str) -> None:
    desk = PlayedDesk(name)
    site = site_of(desk)
    for _ in range(FURTHER.get(name, 40)):
        assert desk.step(), "the match is over too soon"
    while not desk.due():
        assert desk.step(), "the match is over too soon"
    sizes: dict[str, int] = {}
    watched = browse(**{**PHONE, "viewport": {"width": 320, "height": 690}}, reduced_motion="reduce")
    watched.context.on("requestfinished", lambda one: sizes.update({one.url: one.sizes()["responseBodySize"]}))
    page = watched.page()
    waits = next(seat for seat in range(1, 5) if seat not in desk.due())
    for seat in (desk.due()[0], waits):
        join(page, site, seat, f"Person {seat}")
        if seat != waits:
            assert sum(size for url, size in sizes.items() if "/events/" not in url) < 150_000
        page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate(SMALL) == [], scheme
            assert page.evaluate(UNNAMED) == [], scheme
            assert page.evaluate(WIDE) <= 0, scheme
            assert page.evaluate(CONTRAST) == [], scheme
    expect(page.locator(".badge").first).to_have_class(re.compile("hue-.* shape-"))


HIGH = """() => {
  const may = document.querySelector("[data-part=may]").getBoundingClientRect();
  return [document.documentElement.scrollHeight / innerHeight, (may.bottom + scrollY) / innerHeight];
}"""
MOMENTS = {"five-cards-collector": 48, "collectors": 60, "collectible": 24, "collection": 90, "karmic-collections": 90}
"""Actions before the pages are looked at: in the middle of a match."""


def fits_two_screens(site_of: Sites, browse: Browse, name: str) -> None:
    """Look at a page of a seat that is due, at the largest number of seats."""
    desk = PlayedDesk(name, games.load(name).info.seats[1], mode="assist")
    site = site_of(desk)
    for _ in range(MOMENTS[name]):
        assert desk.step(), "the match is over too soon"
    while not desk.due():
        assert desk.step(), "the match is over too soon"
    page = browse(**PHONE).page()
    join(page, site, desk.due()[0], "Anna")
    whole, decided = page.evaluate(HIGH)
    assert whole <= 2
    assert 0 < decided <= 1


def test_a_seats_page_is_two_screens_and_what_is_decided_on_the_first(site_of: Sites, browse: Browse) -> None:
    fits_two_screens(site_of, browse, "five-cards-collector")


@pytest.mark.night
@pytest.mark.parametrize("name", GAMES)
def test_every_games_seat_is_two_screens(site_of: Sites, browse: Browse, name: str) -> None:
    fits_two_screens(site_of, browse, name)


@pytest.mark.night
def test_a_set_of_cards_is_chosen_by_tapping_them(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("karmic-collections", 4, mode="assist")
    site = site_of(desk)
    found: list[Any] = []
    while not found:
        assert desk.step(), "nobody had a choice of cards to conceal"
        found = [one for one in desk.game.legal(desk.state) if isinstance(one, Conceal)]
        found = found if len({len(one.cards) for one in found}) == 1 and len(found) > 1 else []
    page = browse(**PHONE).page()
    join(page, site, found[0].seat, "Anna")
    settle, cards = page.locator("[data-settle]"), page.locator("[data-set] [data-piece]")
    # Nothing is chosen for anybody but what every choice has; on the way to a set nothing is said to be wrong.
    expect(settle).to_be_disabled()
    expect(page.locator("[data-none]")).to_be_hidden()
    pressed = page.locator('[data-set] [data-piece][aria-pressed="true"]')
    always = frozenset.intersection(*(frozenset(one.cards) for one in found))
    assert {one.get_attribute("data-piece") for one in pressed.all()} == always
    first, last = (sorted(set(one.cards) - always) for one in (found[0], found[-1]))
    for piece in {*first, *last}:
        page.locator(f"[data-set] [data-piece='{piece}']").tap()
    expect(settle).to_be_disabled()
    expect(page.locator("[data-none]")).to_be_visible()
    for piece in set(first) - set(last):
        page.locator(f"[data-set] [data-piece='{piece}']").tap()
    assert cards.count() > len(found[-1].cards)
    settle.tap()
    expect(page.locator("[data-set]")).to_have_count(0)
    assert desk.match.records()[-1].action == found[-1]


def test_a_role_card_is_shown_large_by_a_tap(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collection", 4)
    site = site_of(desk)
    while not desk.state.players[0].role:
        assert desk.step()
    page = browse(**PHONE).page()
    join(page, site, 1, "Anna")
    card = page.locator("[data-part=mine] .card-of").first
    card.locator("summary").tap()
    expect(card.locator(".offers img")).to_be_visible()
    assert card.locator(".offers img").bounding_box()["width"] >= 250  # type: ignore[index]
    expect(card.locator(".offers")).to_contain_text("Analyst")
    page.touchscreen.tap(200, 30)
    expect(card.locator(".offers img")).to_be_hidden()


def test_a_page_that_was_open_before_there_were_ladders_turns_to_them_once(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collection", 4)
    phone = browse(**PHONE).page()
    join(phone, site_of(desk), 1, "Anna")
    chosen = phone.locator(".tab :checked")
    expect(chosen).to_have_attribute("value", "mine")
    while not desk.snapshot().views[1].ladders:
        desk.step()
    expect(chosen).to_have_attribute("value", "ladders")
    phone.locator(".tab.of-mine").tap()
    log = phone.locator("[data-record]").first
    before = log.get_attribute("data-record")
    desk.step()
    expect(log).not_to_have_attribute("data-record", str(before))
    expect(chosen).to_have_attribute("value", "mine")


def test_what_a_robot_would_do_stays_where_it_was_asked(site_of: Sites, browse: Browse) -> None:
    desk = PlayedDesk("collectors", 3, mode="guide")
    while desk.state.phase != "turn":
        desk.step()
    (seat,) = desk.due()
    desk.simulated = True
    desk.sandbox = SimpleNamespace(
        hand=lambda _: (), choosing=lambda _: {}, attended=bool, taking=lambda _: ("", ()), objection=lambda *_: ""
    )
    desk.hand = lambda seat: ()  # type: ignore[attr-defined]
    page = browse(**PHONE).page()
    join(page, site_of(desk), seat, "Anna")
    page.get_by_role("button", name="What would you do?").click()
    expect(page.locator(".ways")).to_contain_text("A robot would do this: ")
    expect(page.locator("[data-part=said]")).to_contain_text("asked what a robot would do")
    expect(page.locator(".ways")).to_contain_text("A robot would do this: ")
    expect(page.locator("#toasts")).to_be_empty()


def test_who_has_scrolled_away_is_taken_to_an_alarm_once(site_of: Sites, browse: Browse) -> None:
    page = browse(**PHONE).page()
    join(page, site_of(PlayedDesk("collectors", 3, mode="guide")), 1, "Anna")
    page.evaluate("() => { document.querySelector('main').style.minHeight = '300vh'; }")
    paint = "() => document.dispatchEvent(new CustomEvent('companion:painted'))"
    page.evaluate("() => scrollTo(0, 400)")
    page.evaluate(paint)
    assert page.evaluate("scrollY") == 400
    page.evaluate("() => document.querySelector('main').insertAdjacentHTML('beforeend', '<p class=alarm></p>')")
    page.evaluate(paint)
    assert page.evaluate("scrollY") == 0
    page.evaluate("() => scrollTo(0, 400)")
    page.evaluate(paint)
    assert page.evaluate("scrollY") == 400, "somebody reads on"
