"""A finger hits what it aimed at: what can be tapped keeps its place while others act, and waits where it has moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.five_cards_collector.laying import Discard
from companion.referee.snapshot import Change, LogLine
from companion.rules.kernel import TABLE, Part
from companion.table.table import DemoTable
from tests.server.desks import MatchDesk, ShowDesk
from tests.waiting import until
from tests.web.conftest import PHONE, Sites, Watched
from tests.web.test_browser import CONTRAST, LIVE, WIDE, join
from tests.web.test_simulated import GAME, demo, discards, followed

__all__ = ["demo"]

pytestmark = pytest.mark.browser
Browse = Callable[..., Watched]

TRACK = """() => {
  window.places = {};
  const look = () => {
    document.querySelectorAll("[data-part=may] button[data-command], [data-part=may] summary").forEach(one => {
      const box = one.getBoundingClientRect(), key = one.dataset.command || one.parentElement.id;
      const last = (window.places[key] = window.places[key] || []);
      if (box.width && last[last.length - 1] !== Math.round(box.top)) { last.push(Math.round(box.top)); }
    });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes, frame by frame, where each choice stands (px from the window's top): a choice that stays has one place."""

HIT = """() => new Promise(done => {
  const hits = () => {
    const choices = Array.from(document.querySelectorAll("[data-part=may] button[data-command]"));
    const one = choices.find(choice => choice.checkVisibility());
    if (!one) { return null; }
    const box = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
  };
  new MutationObserver((_, watch) => {
    const first = hits();
    if (first === null) { return; }
    watch.disconnect();
    setTimeout(() => done([first, hits()]), 500);
  }).observe(document, {subtree: true, childList: true});
})"""
"""Whether a finger hits the first choice at the moment when it comes, and half a second later."""


def told(page: Page) -> str:
    return page.locator("main").inner_text()


@pytest.mark.night
def test_choices_keep_their_place_while_simulated_hands_lay_what_was_chosen(
    demo: DemoTable, site_of: Sites, browse: Browse
) -> None:
    site, seat = site_of(demo), demo.match.state.turn
    pages: dict[int, Page] = {}
    for one in (seat, 3 - seat):
        pages[one] = browse(**PHONE).page()
        join(pages[one], site, one, f"Person {one}")
    mine, other = pages[seat], pages[3 - seat]
    card = discards(demo.match.state, demo.performance.hand(seat))[0]
    owed: list[Any] = []
    expect(mine.locator(f"#card-hand-{card}")).to_be_visible()
    until(lambda: followed(demo))
    other.evaluate(TRACK)
    mine.locator(f"#card-hand-{card} > summary").tap()
    mine.locator(f"#card-hand-{card} .offers button", has_text="Discard").first.tap()
    # The referee waits for the card to be laid; the other's choices are there by now.
    until(lambda: owed.append(demo.snapshot().owed) or any(owed))
    expect(other.locator("[data-part=may] button").first).to_be_visible()
    assert "Still to do" not in told(other)
    assert "Show me" not in told(other)
    until(lambda: followed(demo) and not demo.snapshot().owed)
    assert isinstance(demo.match.records()[-1].action, Discard)
    other.wait_for_timeout(800)
    places = other.evaluate("window.places")
    assert len(places) > 1
    assert {key: tops for key, tops in places.items() if len(tops) > 1} == {}
    assert GAME.actors(demo.match.state) != (TABLE,)


def test_what_has_just_come_under_the_finger_is_not_hit(site_of: Sites, browse: Browse) -> None:
    site = site_of(MatchDesk(3))
    phone, other = browse(**PHONE).page(), browse(**PHONE).page()
    join(phone, site, 1, "Anna")
    join(other, site, 2, "Bo")
    other.wait_for_selector(LIVE)
    other.evaluate(f"window.hit = ({HIT})(), null")
    phone.get_by_role("button", name="Do nothing").tap()
    assert other.evaluate("window.hit") == [False, True]
    # What stays where it was can be tapped all the time.
    expect(other.locator("[data-held]")).to_have_count(0)


@pytest.mark.night
def test_what_is_owed_stands_below_the_choices(site_of: Sites, browse: Browse) -> None:
    page = browse(**PHONE).page()
    join(page, site_of(MatchDesk(3)), 1, "Anna")
    order = page.evaluate("() => Array.from(document.querySelectorAll('main [data-part]'), one => one.dataset.part)")
    assert order.index("may") < order.index("asked") < order.index("said") < order.index("owed") < order.index("since")


@pytest.mark.night
def test_choices_keep_their_place_while_the_list_of_what_happened_grows(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk(log=())
    page = browse(**PHONE).page()
    join(page, site_of(desk), 1, "Anna")
    expect(page.locator("[data-part=may] button").first).to_be_visible()
    page.evaluate(TRACK)
    change = Change(1, (Part("coins of Anna", -2, 1, what="coins", thing="coin"),))
    for n in range(1, 12):
        line = LogLine(
            n, "2026-11-26T10:00:00Z", 2, f"Bo does {n}.", "table", turn=2, cards=("00B",), changes=(change,)
        )
        desk.show(log=(*desk.snapshot().log, line), record=n, sentence=line.words)
        expect(page.locator(".since li").first).to_contain_text(f"Bo does {n}.")
    expect(page.locator(".since li.took")).to_have_count(9)
    expect(page.locator(".since .change.less").first).to_contain_text("−2")
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(WIDE) == 0
    places = page.evaluate("window.places")
    assert {key: tops for key, tops in places.items() if len(tops) > 1} == {}
