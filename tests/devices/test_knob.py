"""The knob: its contacts decoded however they bounce, and bids for whoever is asked through the referee's commands."""

from __future__ import annotations

from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.devices import display_pages
from companion.devices.device_manager import GRACE, Devices
from companion.devices.display_pages import Invitation
from companion.devices.knob import DOWN, UP, Bidding, Turning, asked
from companion.devices.oled import Oled
from companion.devices.pins import GpiozeroBoard, SimulatedBoard
from companion.devices.wiring import KnobWiring, Wiring, parse
from companion.games.collectors.auctions import MakeBid, PassBid
from companion.referee.clock import Timer
from companion.referee.commands import Play
from companion.referee.snapshot import Snapshot
from companion.rules.kernel import LEGAL, May, View, illegal
from tests.server.desks import BiddingDesk

from .snapshots import snapshot
from .test_oled import until

CLOCKWISE = ["a+", "b+", "a-", "b-"]
BACK = ["b+", "a+", "b-", "a-"]


def clicks(edges: list[str], **kind: bool) -> list[str]:
    found: list[str] = []
    turning = Turning(found.append, **kind)
    for edge in edges:
        turning.edge(f"knob-{edge[0]}", edge[1] == "+")
    return found


def test_one_turn_of_the_contacts_is_one_click() -> None:
    assert clicks(CLOCKWISE * 3) == [UP] * 3
    assert clicks(BACK * 3) == [DOWN] * 3
    assert clicks([*CLOCKWISE, *BACK]) == [UP, DOWN]


def test_a_knob_wired_the_other_way_round_is_reversed() -> None:
    assert clicks(CLOCKWISE, reverse=True) == [DOWN]


def test_a_knob_with_two_clicks_a_turn_of_its_contacts() -> None:
    assert clicks(CLOCKWISE * 2, half=True) == [UP] * 4
    assert clicks(BACK, half=True) == [DOWN] * 2
    assert clicks(["a+", "a-", "a+", "a-"], half=True) == []


def test_a_turn_begun_and_given_up_is_no_click() -> None:
    assert clicks(["a+", "b+", "b-", "a-"]) == []
    assert clicks(["a+", "a-"]) == []


def test_an_edge_that_was_missed_costs_no_click_and_makes_none() -> None:
    assert clicks(["a+", "b+", "b-", "a-", *CLOCKWISE]) == [UP]
    assert clicks([*CLOCKWISE, "b+", "a-", "b-", *CLOCKWISE])[:1] == [UP]


@given(st.lists(st.integers(0, 6), min_size=12, max_size=12), st.booleans())
def test_however_often_a_contact_bounces_it_is_as_many_clicks(bounces: list[int], back: bool) -> None:
    edges = []
    for edge, times in zip((BACK if back else CLOCKWISE) * 3, bounces, strict=True):
        other = edge[0] + ("-" if edge[1] == "+" else "+")
        edges += [edge, *[other, edge] * times]
    assert clicks(edges) == [DOWN if back else UP] * 3


def test_through_gpiozeros_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    saved, gpiozero.Device.pin_factory = gpiozero.Device.pin_factory, MockFactory()
    try:
        wiring = parse("[knob]\na = 6\nb = 13\npress = 19")
        board = GpiozeroBoard()
        devices = Devices(Oled(), board, wiring, Invitation())
        got: list[str] = []
        devices.on_button = got.append
        devices.start()
        until(lambda: devices.pins.running and devices.buttons.running)
        a, b = (gpiozero.Device.pin_factory.pin(number) for number in (6, 13))
        for pin, level in ((a, False), (a, True), (a, False), (b, False), (a, True), (b, True)):  # the first bounces
            pin.drive_high() if level else pin.drive_low()
        until(lambda: got == [UP])
        gpiozero.Device.pin_factory.pin(19).drive_low()
        until(lambda: got == [UP, "knob:hold"])
        devices.close()
    finally:
        gpiozero.Device.pin_factory.reset()
        gpiozero.Device.pin_factory = saved


# ------------------------------------------------------------------------------------------------------------- bidding


def bids(seat: int = 2, low: int = 6, high: int = 9, may_pass: bool = True, **more: object) -> Snapshot:
    """A snapshot in which a seat is asked for a bid."""
    barred = illegal("raise", "who opens must bid", "Bid.")
    may = (
        May("bid", "Bid", LEGAL, tuple(MakeBid(seat=seat, amount=amount) for amount in range(low, high + 1))),
        May("pass", "Pass", LEGAL, (PassBid(seat=seat),)) if may_pass else May("pass", "Pass", barred),
    )
    views = tuple(View(one, "", (seat,), may=may if one == seat else ()) for one in range(4))
    timer = Timer(seats=(seat,), total=20.0, left=20.0, ends=120.0, price=low - 1, leader=1)
    return snapshot(views=views, timer=timer, **more)


@pytest.fixture
def now() -> list[float]:
    return [100.0]


def test_turning_goes_up_and_down_within_what_that_seat_may_bid(now: list[float]) -> None:
    bidding = Bidding(GRACE, lambda: now[0])
    assert bidding.offer is None
    assert bidding.turn(1) is False
    bidding.follow(bids())
    shown = []
    for step in (0, 1, 1, 1, 1, -1, -5):
        bidding.turn(step)
        shown.append(bidding.offer)
    assert shown == [6, 7, 8, 9, 9, 8, 6]


def test_pressing_bids_for_whoever_is_asked_and_holding_passes(now: list[float]) -> None:
    bidding = Bidding(GRACE, lambda: now[0])
    bidding.follow(bids())
    bidding.turn(2)
    now[0] += 1
    assert bidding.bid() == Play(by="button", seat=2, action=MakeBid(seat=2, amount=8))
    assert bidding.leave() == Play(by="button", seat=2, action=PassBid(seat=2))


def test_the_next_seat_begins_at_its_lowest_bid_and_a_press_for_the_one_before_does_not_count(now: list[float]) -> None:
    bidding = Bidding(GRACE, lambda: now[0])
    bidding.follow(bids())
    bidding.turn(3)
    now[0] += 1
    bidding.follow(bids(3, 10, 12, record=8))
    assert bidding.offer == 10
    now[0] += GRACE / 2
    assert (bidding.bid(), bidding.leave()) == (None, None)
    now[0] += GRACE
    assert bidding.bid() == Play(by="button", seat=3, action=MakeBid(seat=3, amount=10))


def test_a_snapshot_that_changes_nothing_for_the_bid_keeps_the_number(now: list[float]) -> None:
    bidding = Bidding(GRACE, lambda: now[0])
    bidding.follow(bids())
    bidding.turn(2)
    bidding.follow(bids(version=9))
    assert bidding.offer == 8
    bidding.follow(bids(high=7))
    assert bidding.offer == 7


def test_who_may_not_pass_is_told_why(now: list[float]) -> None:
    bidding = Bidding(GRACE, lambda: now[0])
    bidding.follow(bids(may_pass=False))
    now[0] += 1
    assert bidding.leave() == "Who opens must bid."


def test_nobody_is_asked_in_a_turn_after_the_match_or_when_several_are() -> None:
    timer = Timer(seats=(2, 3), total=0.0, left=0.0)
    assert asked(None) is asked(snapshot()) is asked(bids(phase="over")) is None
    assert asked(snapshot(timer=timer)) is None


def test_on_the_display_the_number_stands_in_a_lit_box_and_changes_with_every_click(now: list[float]) -> None:
    wiring = Wiring(knob=KnobWiring(a=6, b=13, press=19))
    devices = Devices(Oled(), SimulatedBoard(), wiring, Invitation(), clock=lambda: now[0])
    devices._follow(bids())
    shown = []
    for press in ("knob:up", "knob:up", "knob:down"):
        shown.append(devices.oled.picture().tobytes())
        devices._pressed(press)
    shown.append(devices.oled.picture().tobytes())
    assert shown == [display_pages.auction(bids(), 100.0, offer)[0].tobytes() for offer in (6, 7, 8, 7)]
    now[0] += 1
    assert devices.command("knob") == Play(by="button", seat=2, action=MakeBid(seat=2, amount=7))


def test_a_page_that_was_turned_away_comes_back_with_a_click_and_without_an_auction_a_click_turns_pages() -> None:
    devices = Devices(Oled(), SimulatedBoard(), Wiring(knob=KnobWiring(a=6, b=13, press=19)), Invitation("HTTP://X/J"))
    devices._clock = lambda: 100.0
    devices._follow(bids())
    devices._pressed("page")
    devices._pressed("knob:up")
    assert devices.oled.picture().tobytes() == display_pages.auction(bids(), 100.0, 7)[0].tobytes()
    devices._follow(snapshot())
    devices._pressed("knob:up")
    assert devices.oled.picture().tobytes() == display_pages.scores(snapshot())[0].tobytes()


def test_without_a_knob_the_display_offers_nothing() -> None:
    devices = Devices(Oled(), SimulatedBoard(), Wiring(), Invitation(), clock=lambda: 100.0)
    devices._follow(bids())
    assert devices.oled.picture().tobytes() == display_pages.auction(bids(), 100.0)[0].tobytes()


def test_a_refused_pass_is_said_on_the_display(now: list[float]) -> None:
    devices = Devices(
        Oled(), SimulatedBoard(), Wiring(knob=KnobWiring(a=6, b=13, press=19)), Invitation(), clock=lambda: now[0]
    )
    devices._follow(bids(may_pass=False))
    now[0] += 1
    before = devices.oled.picture().tobytes()
    assert devices.command("knob:hold") is None
    assert devices.oled.picture().tobytes() != before


def test_in_a_real_auction_knob_bids_and_passes_are_journaled_like_those_of_phones(tmp_path: Path) -> None:
    """Collectible, four bidders: three of them bid by the knob, one passes; the rules say who is asked next."""
    desk = BiddingDesk(tmp_path)
    try:
        assert games.load(desk.snapshot().game)
        time = [0.0]
        bidding = Bidding(GRACE, lambda: time[0])
        prices, seats = [], []
        for press in ("bid", "up", "bid", "hold"):
            snapshot = desk.snapshot()
            bidding.follow(snapshot)
            time[0] += 1
            if press == "up":
                bidding.turn(1)
            command = bidding.leave() if press == "hold" else bidding.bid()
            assert isinstance(command, Play)
            seats.append(command.seat)
            reply = desk.command(command)
            assert reply.ok, reply
            after = desk.wait(snapshot.version, 5.0)
            prices.append(after.timer.price if after.timer else None)
            assert after.log[-1].by == "button"
        assert seats == list(dict.fromkeys(seats))
        assert prices[1] == prices[0] + 2
        assert prices[2:] == [prices[1] + 1, prices[1] + 1]
    finally:
        desk.close()
