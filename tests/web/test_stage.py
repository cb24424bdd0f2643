"""The wall's stage: events wait their turn, are merged, held, and yield; auction and end stand while they last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from companion.referee.clock import Timer
from companion.referee.snapshot import LogLine
from companion.rules.kernel import Bidding, Cast, Event, SeatStanding, Shelf, Standing, Step, Use
from tests.server.desks import WON, ShowDesk, view
from tests.web.conftest import Sites
from tests.web.test_browser import LIVE
from tests.web.test_table_page import PROJECTOR, VIOLATION, Browse, opened

pytestmark = pytest.mark.browser
AUCTION = Timer(
    seats=(2,),
    total=20.0,
    left=14.0,
    price=6,
    leader=3,
    lot="00L",
    bids=(Bidding(2, 5), Bidding(3, 6), Bidding(1, 0, True)),
    least=7,
    uses=(Use("item", "Item: 2 points", "2 in the market"),),
)


def rise(before: int, after: int) -> Event:
    step = Step(key="ladder-A", title="Crisis in A", before=before, after=after, low=1, high=10, alarm=8)
    return Event(kind="drawn", words=f"Dag draws {after}.", cards=("00L",), steps=(step,), change="Crisis in A rises")


def laid(n: int) -> Event:
    return Event(kind="played", words=f"Card {n} is laid.", cards=("00L",))


class Wall:
    """The table page with a clock that goes when it is told to, and a desk on which things happen."""

    def __init__(self, desk: ShowDesk, page: Page) -> None:
        self.desk, self.page = desk, page
        self.n = 0
        self.log: tuple[LogLine, ...] = ()

    @property
    def event(self) -> Locator:
        return self.page.locator("#on-stage .event")

    def happen(self, *events: Event, **more: Any) -> None:
        """Let events happen, a record each, and wait until the page has them."""
        for event in events:
            self.n += 1
            self.log = (*self.log, LogLine(self.n, "2026-01-01T00:00:00+00:00", 1, "So.", "table", events=(event,)))
            self.desk.show(log=self.log, record=self.n, **more)
            expect(self.page.locator(f'[data-part="events"] [data-event="{self.n}-0"]')).to_have_count(1)

    def pass_time(self, seconds: float) -> None:
        self.page.clock.run_for(round(1000 * seconds))


@pytest.fixture
def wall(site_of: Sites, browse: Browse) -> Iterator[Wall]:
    desk = ShowDesk()
    page = browse(**PROJECTOR, reduced_motion="reduce").page()
    page.clock.install()
    page.goto(site_of(desk))
    page.wait_for_selector(LIVE)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    yield Wall(desk, page)
    page.goto("about:blank")


def test_an_event_is_held_four_seconds_and_outlives_its_record(wall: Wall) -> None:
    wall.happen(laid(1))
    expect(wall.event).to_contain_text("Card 1 is laid.")
    wall.desk.show(log=(), record=0)
    expect(wall.page.locator("[data-event]")).to_have_count(1)
    wall.pass_time(3.9)
    expect(wall.event).to_be_visible()
    wall.pass_time(3)
    expect(wall.event).to_have_count(0)


def test_events_wait_for_their_turn(wall: Wall) -> None:
    wall.happen(laid(1), laid(2))
    expect(wall.event).to_contain_text("Card 1")
    wall.pass_time(4.1)
    expect(wall.event).to_contain_text("Card 2")


@pytest.mark.night
def test_more_than_three_that_wait_on_one_track_are_merged(wall: Wall) -> None:
    wall.happen(laid(1), laid(2), rise(2, 3), rise(3, 4), laid(5))
    wall.pass_time(4.1)
    expect(wall.event).to_contain_text("Card 2")
    wall.pass_time(4.1)
    expect(wall.event.locator(".from-to")).to_have_text("2 → 4")
    expect(wall.event.locator(".track .step")).to_have_text(["3", "4"])
    wall.pass_time(4.1)
    expect(wall.event).to_contain_text("Card 5")


@pytest.mark.night
def test_of_more_than_three_that_wait_what_changed_something_stays(wall: Wall) -> None:
    wall.happen(laid(1), laid(2), rise(2, 3), laid(4), laid(5))
    wall.pass_time(4.1)
    expect(wall.event).to_contain_text("Dag draws 3.")


@pytest.mark.parametrize("change", [{"violation": VIOLATION}, {"timer": AUCTION}])
def test_events_yield_to_an_alarm_and_to_an_auction(wall: Wall, change: dict[str, Any]) -> None:
    wall.happen(laid(1), laid(2))
    expect(wall.event).to_be_visible()
    wall.desk.show(**change)
    expect(wall.event).to_have_count(0)
    wall.desk.show(violation=None, timer=None)
    expect(wall.page.locator(".alarm, .lot-stage")).to_have_count(0)
    wall.pass_time(5)
    expect(wall.event).to_have_count(0)
    wall.happen(laid(3))
    expect(wall.event).to_contain_text("Card 3")


def test_a_tap_or_escape_puts_an_event_away(wall: Wall) -> None:
    wall.happen(laid(1), laid(2))
    wall.event.click()
    wall.pass_time(0.1)
    expect(wall.event).to_contain_text("Card 2")
    wall.page.keyboard.press("Escape")
    wall.pass_time(0.1)
    expect(wall.event).to_have_count(0)


def test_dice_that_hit_are_ticked_and_come_to_rest_last(wall: Wall) -> None:
    cast = Cast(sides=10, values=(9, 1, 6), threshold=4, helpers=(3,), words="DO in A · 2 × military", uses=("a use",))
    wall.happen(Event(kind="rolled", words="Bo rolls.", seat=2, cast=cast, change="One report"))
    expect(wall.event.locator(".cast.hit")).to_have_text(re.compile("1✓"))
    expect(wall.event.locator(".cast.hit")).to_have_class("cast hit n-2")
    expect(wall.event.locator(".made-of")).to_contain_text(": 3 dice · under 4 is a hit")
    expect(wall.event.locator(".result")).to_contain_text("1 hit · One report a use")


def test_an_auction_shows_lot_price_leader_next_bid_and_who_is_out(wall: Wall) -> None:
    wall.desk.show(timer=AUCTION)
    lot = wall.page.locator(".lot-stage")
    expect(lot.locator(".lot-card .face-of")).to_have_attribute("alt", re.compile("\\w+"))
    assert lot.locator(".lot-card .face-of").evaluate("one => Math.round(one.getBoundingClientRect().width)") == 224
    expect(lot.locator(".price")).to_have_text("6")
    expect(lot.locator(".leads")).to_contain_text("Cleo leads next bid: 7 or more")
    expect(lot.locator(".bidders li")).to_have_text(["2 Bo 5 · to bid", "3 Cleo 6 · leads", "1 Anna passed"])
    expect(lot.locator(".bidders .out")).to_contain_text("Anna")
    expect(lot.locator(".uses li")).to_have_text("Item: 2 points 2 in the market")
    expect(lot.locator("[data-left]")).to_have_text("14")


@pytest.mark.night
def test_the_last_five_seconds_of_a_bid_are_in_the_colour_of_a_warning(site_of: Sites, browse: Browse) -> None:
    desk = ShowDesk()
    with opened(browse(**PROJECTOR).page(), site_of(desk)) as page:
        desk.show(timer=msgspec.structs.replace(AUCTION, ends=desk.clock() + 9))
        page.wait_for_selector(".ring:not(.urgent)")
        page.wait_for_selector(".ring.urgent")


def test_the_end_shows_the_winners_cards_the_last_card_and_who_led_longest(wall: Wall) -> None:
    collection = Shelf("Collection of Bo", ("00L", "01H", "014"), seat=2)
    wall.happen(msgspec.structs.replace(laid(1), seat=2))
    standing = Standing(tuple(SeatStanding(seat, 5 if seat == 2 else 1) for seat in (1, 2, 3)), WON, 5)
    views = (view(0, shelves=(collection,)), *wall.desk.snapshot().views[1:])
    wall.desk.show(standing=standing, phase="over", led=(3, 1, 0), views=views)
    end = wall.page.locator(".finale")
    expect(end.locator(".fan .face-of")).to_have_count(3)
    expect(end.locator(".ending-facts li")).to_have_text([re.compile("last card"), re.compile("1 led longest 3 moves")])
    expect(wall.event).to_have_count(0)
